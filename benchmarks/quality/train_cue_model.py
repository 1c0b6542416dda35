"""Trains the model that tells cues that exclude from those that do not, and measures it on what did not train it.

    .venv/bin/python benchmarks/quality/train_cue_model.py ../shared/data --write

Trained on queries that people typed (real-queries, everyday, excluir-queries and scifact of the folder, and
benchmarks/data/negations.jsonl) and, with little weight, on lines written for this project, those of the tests
included. Measured twice: five parts of each source in turn, and every source in turn, trained on the others. The
weights go into the package.
"""

import argparse
import json
import re
import runpy
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from esens.decompose.rules.cue_model import cue_model
from esens.decompose.rules.decomposer import decompose
from esens.decompose.rules.features import features_of
from esens.decompose.rules.lexicon.language import language_of
from esens.decompose.rules.lexicon.patterns import patterns_of
from esens.decompose.rules.operators import operators
from esens.decompose.rules.query_text import Cue, QueryText
from esens.decompose.rules.vetoes import WEAK, doubts_of, is_sure, veto_of
from esens.evaluate.decomposers import token_f1
from esens.evaluate.statistics import interval

HERE = Path(__file__).parents[1]
ROOT = HERE.parent
WEIGHTS = ROOT / "src/esens/decompose/rules/weights/en.json"
RESULTS = HERE / "results" / "cue_model.md"
NEGATIONS = HERE / "data" / "negations.jsonl"
# How much a line counts: typed by people, written for a benchmark, written for this project.
WEIGHT_OF = {
    "real-queries": 3.0,
    "negations": 2.0,
    "everyday": 1.0,
    "excluir-queries": 0.5,
    "boolquestions-not": 1.0,
    "scifact": 0.5,
    "written": 0.3,
}
MEASURED = ("real-queries", "negations", "everyday")
UNNAMED = ("excluir-queries", "boolquestions-not")
RIDGE, RIDGE_BESIDE_FAMILY, LEAST_COUNT, FOLDS = 12.0, 30.0, 3, 5
SMALLEST = 0.01
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[.?!;]\s")
_STEM, _NEAR = 5, 9
_SMALL = frozenset({"the", "of", "and", "in", "a", "or", "for", "to", "an", "with"})

Weights = npt.NDArray[np.float64]


class Line(NamedTuple):
    """A query, whether it excludes something, and what."""

    collection: str
    source: str
    text: str
    excludes: bool
    traps: tuple[str, ...] = ()


class Example(NamedTuple):
    """A cue of a query; ``excludes`` says whether this one does."""

    line: Line
    features: tuple[str, ...]
    excludes: bool


def read_lines(folder: Path) -> Iterator[Line]:
    """Yield all labelled queries."""
    labelled = {"real-queries": folder / "real-queries" / "queries.jsonl", "negations": NEGATIONS}
    for collection, path in labelled.items():
        for row in _rows(path):
            yield Line(collection, row["source"], row["text"], row["excludes"], tuple(row.get("traps") or ()))
    for path in sorted((folder / "everyday").glob("*/queries.jsonl")):
        for row in _rows(path):
            yield Line("everyday", path.parent.name, row["text"], True, tuple(row["traps"]))
    for row in _rows(folder / "excluir-queries" / "queries.jsonl"):
        yield Line("excluir-queries", "", row["text"], True, (row["excluded_title"].split("(")[0],))
    # Every other one: the search is measured on the rest.
    for row in _rows(folder / "boolquestions-not" / "queries.jsonl")[::2]:
        yield Line("boolquestions-not", "", row["text"], True)
    for row in _rows(folder / "scifact" / "queries.jsonl"):
        yield Line("scifact", "", row["text"], False)
    for row in _rows(ROOT / "tests/data/exclusions.jsonl"):
        yield Line("written", "", row["text"], True, tuple(row["traps"]))
    for row in _rows(ROOT / "src/esens/evaluate/data/not_exclusions.jsonl"):
        yield Line("written", "", row["text"], False)
    yield from _tested_lines()


def _tested_lines() -> Iterator[Line]:
    """Yield the lines that the tests of the rules hold."""
    tests = runpy.run_path(str(ROOT / "tests/unit/decompose/test_rules.py"))
    for text, _, traps in tests["EXCLUSIONS"]:
        yield Line("written", "", text, True, tuple(traps))
    for text in tests["NO_EXCLUSION"]:
        yield Line("written", "", text, False)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def examples_of(line: Line) -> Iterator[Example]:
    """Yield the cues of a line that the model decides on, each with its label, where the label is known."""
    query = QueryText(" ".join(line.text.split()), patterns_of("en"))
    cues = [cue for cue in query.candidates(len(query.text)) if cue.kind in WEAK]
    doubted = [(cue, doubts_of(query, cue)) for cue in cues]
    for cue, doubts in doubted:
        if doubts and doubts[0].is_final:
            continue
        is_named = bool(_stems(_words_of(query, cue)) & _stems(" ".join(line.traps)))
        is_unnamed = line.collection in UNNAMED
        if is_unnamed and not is_named and len(cues) > 1:
            continue  # what is excluded is not known, or put in other words
        excludes = line.excludes and (is_named or is_unnamed)
        yield Example(line, tuple(features_of(query, cue, doubts).names()), excludes)


def _words_of(query: QueryText, cue: Cue) -> str:
    if cue.inner:
        return query.text[slice(*cue.inner)]
    return " ".join(_SENTENCE.split(query.text[cue.end :], maxsplit=1)[0].split()[:_NEAR])


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.lower())} - _SMALL


class Model(NamedTuple):
    """Weights of features, as trained."""

    columns: Mapping[str, int]
    weights: Weights

    def logits(self, examples: Sequence[Example]) -> Weights:
        """Return the sum of the weights of each example."""
        return np.asarray(_matrix(examples, self.columns) @ self.weights)


def train(examples: Sequence[Example]) -> Model:
    """Return the weights that fit the examples, with a ridge."""
    counts = Counter(feature for example in examples for feature in example.features)
    columns = {f: i for i, f in enumerate(sorted(f for f, n in counts.items() if n >= LEAST_COUNT))}
    rows = _matrix(examples, columns)
    labels = np.array([example.excludes for example in examples], np.float64)
    counted = np.array([WEIGHT_OF[example.line.collection] for example in examples])
    # What holds for one family of cues alone is learned from few lines, and believed less.
    ridge = np.array([RIDGE_BESIDE_FAMILY if " & " in feature else RIDGE for feature in columns])

    def loss(weights: Weights) -> tuple[float, Weights]:
        logits = rows @ weights
        errors = 1 / (1 + np.exp(-logits)) - labels
        value = float(counted @ (np.logaddexp(0, logits) - labels * logits) + (ridge * weights) @ weights / 2)
        return value, rows.T @ (counted * errors) + ridge * weights

    best = minimize(loss, np.zeros(len(columns)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return Model(columns, np.asarray(best.x))


def _matrix(examples: Sequence[Example], columns: Mapping[str, int]) -> csr_matrix:
    places = [(row, columns[f]) for row, each in enumerate(examples) for f in each.features if f in columns]
    rows, cols = np.array(places, np.intp).reshape(-1, 2).T
    return csr_matrix((np.ones(len(rows)), (rows, cols)), shape=(len(examples), len(columns)))


def held_out(examples: Sequence[Example], parts: Sequence[object]) -> Weights:
    """Return the logit of each example by a model that was trained on the other parts; None is in no part."""
    logits = np.full(len(examples), np.nan)
    for part in dict.fromkeys(part for part in parts if part is not None):
        inside = [i for i, each in enumerate(parts) if each == part]
        model = train([example for example, each in zip(examples, parts, strict=True) if each != part])
        logits[inside] = model.logits([examples[i] for i in inside])
    return logits


def calibrate(logits: Weights, labels: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Return slope and shift that turn logits into probabilities (Platt, 1999)."""

    def loss(line: Weights) -> float:
        z = line[0] * logits + line[1]
        return float(np.mean(np.logaddexp(0, z) - labels * z))

    slope, shift = minimize(loss, np.array([1.0, 0.0])).x
    return float(slope), float(shift)


def by_query(
    lines: Sequence[Line], examples: Sequence[Example], probability: Weights, threshold: float
) -> dict[Line, bool]:
    """Return for each query whether an exclusion was found: by the model, an operator or a verdict."""
    verdict: dict[Line, bool] = {}
    for line in lines:
        query = QueryText(" ".join(line.text.split()), patterns_of("en"))
        is_clear = any(_is_clear(query, cue) for cue in query.candidates(len(query.text)))
        verdict[line] = is_clear or bool(operators(query.text))
    for example, p in zip(examples, probability, strict=True):
        verdict[example.line] |= bool(p >= threshold)
    return verdict


def _is_clear(query: QueryText, cue: Cue) -> bool:
    """Whether a cue excludes without being weighed."""
    if cue.kind not in WEAK:
        return veto_of(query, cue) is None
    return is_sure(query, cue, doubts_of(query, cue))


def main() -> None:
    """Train, measure, print, and write where asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--threshold", type=float, default=0.62)
    options = parser.parse_args()
    lines = [line for line in dict.fromkeys(read_lines(options.folder)) if language_of(line.text) == "en"]
    examples = [example for line in lines for example in examples_of(line)]
    labels = np.array([example.excludes for example in examples])
    fold = [zlib.crc32(example.line.text.encode()) % FOLDS for example in examples]
    source = [_group(example.line) for example in examples]
    parts, sources = held_out(examples, fold), held_out(examples, source)
    typed = np.array([example.line.collection in MEASURED for example in examples])
    slope, shift = calibrate(parts[typed], labels[typed])
    if options.write:  # first, since the page reads with these weights
        _store(train(examples), slope, shift, options.threshold)
        cue_model.cache_clear()
    page = _page(
        options, lines, examples, {"parts of each source": parts, "sources left out": sources}, slope, shift
    )
    print(page)
    if options.write:
        RESULTS.write_text(page, encoding="utf-8")


def _store(model: Model, slope: float, shift: float, threshold: float) -> None:
    weights = {f: round(float(slope * model.weights[i]), 3) for f, i in model.columns.items()}
    kept = {f: w for f, w in weights.items() if abs(w) >= SMALLEST}
    stored = {"language": "en", "shift": round(shift, 3), "threshold": threshold, "weights": kept}
    WEIGHTS.write_text(json.dumps(stored, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def _group(line: Line) -> str | None:
    """Return what is left out together with a line: its source, in every collection that has it."""
    if line.collection not in MEASURED:
        return None
    return "streaming" if line.source.startswith("streaming") else line.source


def _page(
    options: argparse.Namespace,
    lines: Sequence[Line],
    examples: Sequence[Example],
    held: Mapping[str, Weights],
    slope: float,
    shift: float,
) -> str:
    probabilities = {name: 1 / (1 + np.exp(-(slope * logits + shift))) for name, logits in held.items()}
    head = (
        "# Which cues exclude something\n\n"
        f"A logistic model over what can be seen of a cue, {len(examples):,} cues of {len(lines):,} queries. A "
        f"query counts as found where a cue reaches {options.threshold}, or a clear cue or an operator excludes. "
        "Every figure is of a model that was not trained on the query: of five parts in turn, or of the whole "
        "source in turn; 95 % intervals over queries. The lines were labelled by reading: real-queries and "
        "everyday by others, negations here. Classes of words and rules were written while looking at the errors "
        "of real-queries, everyday, negations and excluir-queries (its traps: every other query); which to keep "
        "was decided by these figures, so they lean to the hopeful side.\n\n"
        f"    .venv/bin/python benchmarks/quality/train_cue_model.py {options.folder} --write\n"
    )
    return (
        "\n".join(
            [
                head,
                *_tables(options.threshold, lines, examples, probabilities),
                _thresholds(lines, examples, probabilities),
                _reliability(examples, probabilities),
                _spans(lines),
            ]
        )
        + "\n"
    )


def _tables(
    threshold: float, lines: Sequence[Line], examples: Sequence[Example], probabilities: Mapping[str, Weights]
) -> Iterator[str]:
    for name, probability in probabilities.items():
        known = [i for i in range(len(examples)) if not np.isnan(probability[i])]
        measured = [line for line in lines if line.collection in MEASURED or name.startswith("parts")]
        found = by_query(measured, [examples[i] for i in known], probability[known], threshold)
        groups: dict[str, list[Line]] = defaultdict(list)
        for line in found:
            groups[f"**{line.collection}**"].append(line)
            if line.collection == "real-queries":
                groups[line.source].append(line)
        head = "| source | excluding | found | excluding nothing | invented |\n| --- | --- | --- | --- | --- |"
        yield f"## {name[0].upper()}{name[1:]}\n\n{head}"
        yield "\n".join(_row(group, groups[group], found) for group in sorted(groups)) + "\n"


def _row(group: str, lines: Sequence[Line], found: Mapping[Line, bool]) -> str:
    cells = [group]
    for excludes in (True, False):
        hits = [found[line] for line in lines if line.excludes == excludes]
        share = interval(hits) if hits else None
        cells += [str(len(hits)), f"{share.mean:.3f} ({share.low:.3f}–{share.high:.3f})" if share else "–"]
    return f"| {' | '.join(cells)} |"


def _thresholds(lines: Sequence[Line], examples: Sequence[Example], probabilities: Mapping[str, Weights]) -> str:
    rows = [
        "## Threshold\n\nOf real-queries; found / invented.\n",
        f"| threshold | {' | '.join(probabilities)} |",
        "| --- |" + " --- |" * len(probabilities),
    ]
    typed = [line for line in lines if line.collection == "real-queries"]
    chosen = set(typed)
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.62, 0.7, 0.8, 0.9):
        cells = []
        for probability in probabilities.values():
            known = [i for i in range(len(examples)) if examples[i].line in chosen]
            found = by_query(typed, [examples[i] for i in known], probability[known], threshold)
            shares = [
                np.mean([found[line] for line in typed if line.excludes == excludes]) for excludes in (True, False)
            ]
            cells.append(f"{shares[0]:.3f} / {shares[1]:.3f}")
        rows.append(f"| {threshold} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _reliability(examples: Sequence[Example], probabilities: Mapping[str, Weights]) -> str:
    probability = next(iter(probabilities.values()))
    typed = [i for i in range(len(examples)) if examples[i].line.collection in MEASURED]
    rows = [
        "## Calibration\n\nCues of the first three collections, by what a model said that had not seen them.\n",
        "| probability | cues | mean probability | exclude |",
        "| --- | --- | --- | --- |",
    ]
    for low in np.arange(0, 1, 0.1):
        inside = [i for i in typed if low <= probability[i] < low + 0.1 + 1e-9 * (low > 0.85)]
        if inside:
            share = interval([examples[i].excludes for i in inside])
            mean, excluding = np.mean(probability[inside]), f"{share.mean:.3f} ({share.low:.3f}–{share.high:.3f})"
            rows.append(f"| {low:.1f} to {low + 0.1:.1f} | {len(inside)} | {mean:.3f} | {excluding} |")
    return "\n".join(rows) + "\n"


def _spans(lines: Sequence[Line]) -> str:
    """Return how well traps are named where one is found, which is the work of rules."""
    rows = [
        "## Traps\n\nToken F1 of the traps where the package finds one, in queries that exclude something. Rules "
        "cut them out; many of these lines were read while the rules were written, and the weights saw all. "
        "Those of ExcluIR are in decomposition.md.\n",
        "| source | queries with a trap | token F1 |",
        "| --- | --- | --- |",
    ]
    for collection in (*MEASURED, "written"):
        labelled = [line for line in lines if line.collection == collection and line.excludes and line.traps]
        pairs = [(line, decompose(line.text).traps) for line in labelled]
        share = interval([token_f1(" ".join(traps), " ".join(line.traps)) for line, traps in pairs if traps])
        count = sum(bool(traps) for _, traps in pairs)
        rows.append(f"| {collection} | {count} | {share.mean:.3f} ({share.low:.3f}–{share.high:.3f}) |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
