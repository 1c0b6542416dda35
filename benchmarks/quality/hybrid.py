"""What a language model behind the rules costs in calls, and what it gains.

    .venv/bin/python benchmarks/quality/hybrid.py ../shared/data --write

Nothing is called: GPT-4o mini's splits of excluir-23k were recorded, and for real-queries a model that is always
right shows the most that can be gained. With --model a real one is asked, wherever the rules are not sure of one
of the real-queries, and the page is another:

    OPENAI_BASE_URL=http://127.0.0.1:8080/v1 .venv/bin/python benchmarks/quality/hybrid.py ../shared/data \
      --model openai:NAME --write
"""

import argparse
import json
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from setting import EXCLUIR, RESULTS, half_of, markdown, signed, values
from train_cue_model import FOLDS, MEASURED, calibrate, examples_of, read_lines, train

from esens.decompose import Decomposer, decompose_all
from esens.decompose.combined import DEFAULT_THRESHOLD, HybridDecomposer
from esens.decompose.llm.decomposer import LLMDecomposer
from esens.decompose.llm.response import AnswerError, read_answer
from esens.decompose.llm.sides import misplacement
from esens.decompose.rules import decomposer as rules
from esens.decompose.rules.cue_model import CueModel, cue_model
from esens.decompose.rules.lexicon.language import language_of
from esens.embed.cache import CachedEmbedder
from esens.errors import TruncatedTextWarning
from esens.evaluate import Experiment, read_dataset
from esens.evaluate.dataset import Dataset
from esens.evaluate.decomposers import ALL, SplitAgreement, agreement, token_f1
from esens.evaluate.methods import methods_of
from esens.evaluate.report.methods import stars
from esens.evaluate.statistics import Interval, compare, interval
from esens.openai_client.server import model_and_limits
from esens.types import Decomposition

THRESHOLDS = (0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
RECORD, REAL = "gpt4o_mini", "real-queries"
OURS, PAPERS = "esens", "baseline-minus-trap:0.3"
# For a server on a small machine: slow, and one call at a time.
PATIENCE: dict[str, Any] = {"timeout": 300, "deadline": 900, "retries": 0, "concurrency": 1, "max_failures": 0}

Floats = npt.NDArray[np.float64]


def main() -> None:
    """Measure, print, and write where asked to."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", metavar="openai:NAME")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", TruncatedTextWarning)
    command = f".venv/bin/python benchmarks/quality/hybrid.py {options.folder}"
    if options.model:
        name, lines = "hybrid_small_model.md", [*real_model(options.folder, options.model)]
        command = f"OPENAI_BASE_URL=… {command} --model {options.model}"
    else:
        name, lines = (
            "hybrid.md",
            [*OPENING, *asked(options.folder), *search(options.folder), *sides(options.folder)],
        )
    lines += [f"Command: `{command} --write`", ""]
    print("\n".join(lines))
    if options.write:
        (RESULTS / name).write_text("\n".join(lines), encoding="utf-8")


OPENING = (
    "# The rules with a language model behind them",
    "",
    "The decomposer `hybrid:openai:MODEL` asks a language model only where the rules are less sure than a "
    "threshold. A query that is asked costs one call, two where the first answer is refused. Intervals are 95 % "
    "bootstrap intervals over queries.",
    "",
)


# How many queries are asked.


def asked(folder: Path) -> Iterator[str]:
    """Tell how many queries go to the model, and on real queries how much it could gain at best."""
    yield "## Calls"
    yield ""
    yield (
        "The share of queries that go to the model, by threshold. The cue model was trained on most of these "
        "queries, so others are asked a little more often; of real-queries each is read with a cue model that was "
        "not trained on it. What has no cue at all has a confidence of 1 and is never asked."
    )
    yield ""
    real = read_dataset(folder / REAL)
    by_rules = held_out_splits(folder, real.texts)
    sets = {f"{REAL}, held out": by_rules} | {
        path.name: [rules.decompose(text) for text in read_dataset(path).texts]
        for path in (folder / EXCLUIR, folder / "boolquestions-not", folder / "scifact", *_everyday(folder))
    }
    yield from markdown(
        ("benchmark", "queries", *map(_below, THRESHOLDS)),
        [
            (name, str(len(splits)), *(_share(_confidences(splits) < threshold) for threshold in THRESHOLDS))
            for name, splits in sets.items()
        ],
    )
    yield from _at_best(real, by_rules)


def _everyday(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "everyday").glob("*") if path.is_dir())


def _confidences(splits: Sequence[Decomposition]) -> Floats:
    return np.array([split.confidence for split in splits])


def _at_best(real: Dataset, by_rules: Sequence[Decomposition]) -> Iterator[str]:
    """Tell what a model that is always right makes of the real queries that it is asked."""
    by_hand = [query.split for query in real.queries]
    yield "## At best"
    yield ""
    yield (
        f"{REAL}, held out, with a model that splits whatever it is asked as the person did: the most that any "
        "model can gain at this threshold. What the rules miss or invent above it, no model ever sees. Found and "
        "invented are counted by the splits as they are returned; cue_model.md counts cues, of which some are "
        "given up later, where nothing would be left to look for."
    )
    yield ""
    rows = []
    for threshold in (0.0, *THRESHOLDS):
        splits = [
            hand if hand and mine.confidence < threshold else mine
            for mine, hand in zip(by_rules, by_hand, strict=True)
        ]
        row = _over_all(real, {"": splits})[""]
        name = _below(threshold) if threshold else RULES
        rows.append((name, _share(_confidences(by_rules) < threshold), str(row.found), str(row.invented)))
    yield from markdown(("asked", "share", "found", "invented"), rows)


def held_out_splits(folder: Path, texts: Sequence[str]) -> list[Decomposition]:
    """Return how the rules split queries, each with a cue model that was trained on the other parts."""
    lines = [line for line in dict.fromkeys(read_lines(folder)) if language_of(line.text) == "en"]
    examples = [example for line in lines for example in examples_of(line)]
    parts = np.array([_part(example.line.text) for example in examples])
    models = [
        train([example for example, at in zip(examples, parts, strict=True) if at != part])
        for part in range(FOLDS)
    ]
    typed = [number for number, example in enumerate(examples) if example.line.collection in MEASURED]
    logits = np.array([models[parts[number]].logits([examples[number]])[0] for number in typed])
    slope, shift = calibrate(logits, np.array([examples[number].excludes for number in typed]))
    shipped = cue_model("en")
    assert shipped is not None
    held_out = [
        CueModel.of({f: slope * model.weights[i] for f, i in model.columns.items()}, shift, shipped.threshold)
        for model in models
    ]
    return [_decompose_with(held_out[_part(text)], text) for text in texts]


def _part(text: str) -> int:
    return zlib.crc32(text.encode()) % FOLDS


def _decompose_with(model: CueModel, text: str) -> Decomposition:
    with patch.object(rules, "cue_model", lambda language: model if language == "en" else None):
        return rules.decompose(text)


# What that does to a search.


class Splits(NamedTuple):
    """The splits of the recorded queries by one decomposer, and what each is worth; a row a query."""

    experiment: Experiment
    table: Floats
    """Avg. R, Avg. V and R@1 by default, Avg. R and Avg. V by the paper's score, trap found, trap F1."""


HEADER = ("Avg. R", "Avg. V", "R@1", "paper's Avg. R", "paper's Avg. V", "found", "trap F1")
RULES, MODEL = "the rules alone", "all queries"


def search(folder: Path) -> Iterator[str]:
    """Choose a threshold on one half of excluir-23k, and tell what it is worth on the other."""
    dataset = _with_record(read_dataset(folder / EXCLUIR))
    model = RecordedModel(dataset)
    by_rules, by_model = _measured(dataset, rules.decompose), _measured(dataset, model)
    confidence = _confidences(by_rules.experiment.decompositions)
    first, second = (half_of(folder, by_rules.experiment, half) for half in (0, 1))
    is_asked = {RULES: confidence < 0, **{_below(t): confidence < t for t in THRESHOLDS}, MODEL: confidence >= 0}
    # A query's ranks depend on its own split alone.
    tables = {name: np.where(each[:, None], by_model.table, by_rules.table) for name, each in is_asked.items()}
    for threshold in THRESHOLDS:  # what is measured is what is shipped
        shipped = HybridDecomposer(model, threshold=threshold)
        shipped.decompose_all(dataset.texts)
        assert shipped.asked == is_asked[_below(threshold)].sum()
    best = max(THRESHOLDS, key=lambda threshold: _gain(tables[_below(threshold)][first]))

    yield "## Search"
    yield ""
    yield (
        f"{EXCLUIR}, the {len(dataset.queries)} queries that GPT-4o mini has split. Its answers are in the "
        f"paper's two fields and checked like any model's; {model.refused} are refused, and the rules answer "
        f"there. By the default score, and by the paper's ({PAPERS}); trap F1 is of the trap and the title of the "
        "excluded document, 0 where there is no trap."
    )
    yield ""
    yield f"First half, {first.sum()} queries, which chooses:"
    yield ""
    yield from markdown(
        ("asked", "share", *HEADER),
        [
            (name, *(f"{value:.3f}" for value in (is_asked[name][first].mean(), *table[first].mean(axis=0))))
            for name, table in tables.items()
        ],
    )
    yield (
        "The greatest Avg. R − Avg. V by the default score, and the fewest calls where several are equal, is at a "
        f"threshold of {best:g}. The default is {DEFAULT_THRESHOLD:g}. Second half, {second.sum()} queries, which "
        "chose nothing:"
    )
    yield ""
    shown = dict.fromkeys((RULES, _below(DEFAULT_THRESHOLD), _below(best), _below(1), MODEL))
    yield from markdown(
        ("asked", "share", *HEADER),
        [(name, _share(is_asked[name][second]), *_cells(tables[name][second])) for name in shown],
    )
    yield "Less the rules alone, on the same queries; \\* p < .05 by a paired randomisation test, uncorrected:"
    yield ""
    yield from markdown(
        ("asked", *HEADER),
        [(name, *_differences(tables[name][second], by_rules.table[second])) for name in shown if name != RULES],
    )


def _below(threshold: float) -> str:
    return f"below {threshold:g}"


def _gain(table: Floats) -> float:
    recall, violation, *_ = table.mean(axis=0)
    return float(recall - violation)


class RecordedModel:
    """GPT-4o mini by its recorded answers, which are checked as those of a server are."""

    def __init__(self, dataset: Dataset) -> None:
        self._answers = {query.text: query.recorded[RECORD] for query in dataset.queries}
        self.refused = sum(not _is_accepted(text, split) for text, split in self._answers.items())

    def __call__(self, query: str, /) -> Decomposition:
        """Return the recorded split; where it is refused, that of the rules."""
        split = self._answers[query]
        return split if _is_accepted(query, split) else rules.decompose(query)


def _is_accepted(query: str, split: Decomposition) -> bool:
    answer = json.dumps({"target": split.target, "trap": " ".join(split.traps)})
    try:
        read_answer(answer, query, single_trap=True)
    except AnswerError:
        return False
    return True


def _with_record(dataset: Dataset) -> Dataset:
    return replace(dataset, queries=tuple(query for query in dataset.queries if RECORD in query.recorded))


def _measured(dataset: Dataset, decomposer: Decomposer) -> Splits:
    experiment = Experiment.prepare(dataset, embedder=CachedEmbedder("minilm"), decomposer=decomposer)
    ranks = experiment.ranks(methods_of(f"{OURS},{PAPERS}"))
    ours, papers = (values(experiment, ranks[name]) for name in (OURS, PAPERS))
    titles = dataset.excluded_titles
    assert titles is not None
    traps = [split.traps for split in experiment.decompositions]
    named = [(bool(trap), token_f1(" ".join(trap), title)) for trap, title in zip(traps, titles, strict=True)]
    return Splits(experiment, np.concatenate([ours, papers[:, :2], np.array(named, float)], axis=1))


def _cells(table: Floats) -> Iterator[str]:
    return (str(interval(column)) for column in table.T)


def _differences(table: Floats, other: Floats) -> Iterator[str]:
    for found in compare(table, other):
        low, high = signed(found.difference.low), signed(found.difference.high)
        yield f"{signed(found.difference.mean)} ({low} to {high}){stars(found.p)[:1]}"


# Whether an answer has its sides as the rules see them.


def sides(folder: Path) -> Iterator[str]:
    """Tell how many of the recorded answers the check of the sides refuses, as they are and swapped."""
    recorded = {query.text: query.recorded.get(RECORD) for query in read_dataset(folder / EXCLUIR).queries}
    answers = {text: split for text, split in recorded.items() if split and split.traps}
    swapped = {
        text: Decomposition(" ".join(split.traps), (split.target,), exclusions=())
        for text, split in answers.items()
    }
    yield "## Sides"
    yield ""
    yield (
        f"Of GPT-4o mini's {len(answers)} answers with a trap: how many are refused because their sides are not "
        "where the rules see them, and how many by all checks; and of the same answers with target and trap "
        "exchanged."
    )
    yield ""
    yield from markdown(
        ("answers", "by their sides", "by any check"),
        [
            (
                name,
                str(sum(_is_misplaced(text, split) for text, split in each.items())),
                str(sum(not _is_accepted(text, split) for text, split in each.items())),
            )
            for name, each in (("as they are", answers), ("exchanged", swapped))
        ],
    )


def _is_misplaced(query: str, split: Decomposition) -> bool:
    return bool(misplacement(split.target, split.traps, rules.decompose(query), language=language_of(query)))


# A real model.


def real_model(folder: Path, spec: str) -> Iterator[str]:
    """Ask a model for the real queries that the rules are not sure of, and tell what came out."""
    real = read_dataset(folder / REAL)
    by_rules = held_out_splits(folder, real.texts)
    unsure = [number for number, split in enumerate(by_rules) if split.confidence < DEFAULT_THRESHOLD]
    name, limits = model_and_limits(spec.removeprefix("openai:"), argument="--model")
    # An answer is compared with the rules, and left to them: those that were not trained on the query here, too.
    held_out = dict(zip(real.texts, by_rules, strict=True)).__getitem__
    with (
        patch.object(rules, "decompose", held_out),
        closing(LLMDecomposer(name, **PATIENCE | limits, fallback=held_out)) as model,
    ):
        begun = time.monotonic()
        answers = decompose_all([real.texts[number] for number in unsure], model)
        seconds = (time.monotonic() - begun) / max(1, model.usage.calls)
    hybrid = [*by_rules]
    for number, answer in zip(unsure, answers, strict=True):
        hybrid[number] = answer
    part = replace(real, queries=tuple(real.queries[number] for number in unsure))
    yield f"# Hybrid with {name}"
    yield ""
    yield (
        f"{REAL}, {len(real.queries)} queries that contain a negation; each is read with a cue model that was "
        f"not trained on it. The model is asked the {len(unsure)} of which the rules are less sure than "
        f"{DEFAULT_THRESHOLD:g}. {model.usage}; {seconds:.1f} s a call. Where both answers are refused the rules "
        "answer, so a row of the model holds those of the rules too."
    )
    yield ""
    yield "## The queries that were asked"
    yield ""
    yield from _agreements(part, {"rules": [by_rules[number] for number in unsure], spec: answers})
    yield "## All"
    yield ""
    yield from _agreements(real, {"rules": by_rules, f"hybrid:{spec}": hybrid})
    yield from _changes(part, [by_rules[number] for number in unsure], answers)


def _agreements(dataset: Dataset, splits: Mapping[str, Sequence[Decomposition]]) -> Iterator[str]:
    yield from markdown(
        ("decomposer", "excluding", "found", "exact", "trap F1", "excluding nothing", "invented"),
        [
            (
                name,
                str(row.excluding),
                *(_shown(share) for share in (row.found, row.exact, row.trap_f1)),
                str(row.plain),
                _shown(row.invented),
            )
            for name, row in _over_all(dataset, splits).items()
        ],
    )


def _over_all(dataset: Dataset, splits: Mapping[str, Sequence[Decomposition]]) -> dict[str, SplitAgreement]:
    return {row.decomposer: row for row in agreement(dataset, splits) if row.group == ALL}


def _changes(
    dataset: Dataset, by_rules: Sequence[Decomposition], answers: Sequence[Decomposition]
) -> Iterator[str]:
    """Tell how often the model made a query right that was wrong, and the other way round; and its relations."""
    kinds: Counter[str] = Counter()
    relations: Counter[str] = Counter()
    for query, mine, answer in zip(dataset.queries, by_rules, answers, strict=True):
        assert query.split is not None
        if answer.provenance.decomposer == "rules":
            kinds["left to the rules"] += 1
            continue
        relations.update(exclusion.relation for exclusion in answer.exclusions)
        excludes = bool(query.split.traps)
        kinds[_CHANGES[bool(mine.traps) == excludes, bool(answer.traps) == excludes]] += 1
    yield "Whether something is excluded, by the model's answer beside the rules': " + _counted(kinds) + "."
    yield ""
    yield "Relations that the model told: " + (_counted(relations) or "none") + "."
    yield ""


_CHANGES = {
    (False, True): "mended",
    (True, False): "spoilt",
    (True, True): "right as before",
    (False, False): "wrong as before",
}


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def _shown(share: Interval | None) -> str:
    return str(share) if share else "–"


def _share(values: npt.NDArray[np.bool_]) -> str:
    return str(interval(values.astype(float)))


if __name__ == "__main__":
    main()
