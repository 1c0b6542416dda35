"""A cross-encoder as verifier and as relevance stage, on what people exclude every day, against the default.

.venv/bin/python benchmarks/quality/verifier.py ../shared/data/everyday --model FOLDER --write

The threshold of the verifier is chosen on the first half of each set's queries, and all is reported on the second.
The model reads pair by pair; --scores FILE keeps what it said, for a run that goes on where another stopped.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from setting import arguments, markdown, publish, signed

from esens import decompose
from esens.embed.cache import CachedEmbedder
from esens.evaluate import Experiment, methods_of, read_dataset
from esens.evaluate.dataset import Dataset
from esens.evaluate.methods.staged import StagedSearch
from esens.evaluate.statistics import Values, compare_over_sets, intervals_over_sets, short
from esens.search.second_stage import SecondStage
from esens.verify.cross_encoder import CrossEncoder
from esens.verify.scoring import DEFAULT_THRESHOLD, ScoringVerifier

THRESHOLDS = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.9)
MEASURES = {"E@10 ↓": "excluded@10", "W@10 ↑": "wanted@10", "E first ↓": "excluded@1"}
DEFAULT = "esens"


@dataclass
class Remembered:
    """A model whose scores are kept, so that several rows share them."""

    model: CrossEncoder
    path: Path | None
    known: dict[str, float] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    deadline: float = 3600.0

    @property
    def spec(self) -> str:
        return self.model.spec

    def __post_init__(self) -> None:
        if self.path is not None and self.path.exists():
            self.known = dict(map(json.loads, self.path.read_text(encoding="utf-8").splitlines()))

    def scores(self, query: str, texts: Sequence[str], *, ends: float) -> list[float]:
        keys = [f"{query}\n{text}" for text in texts]
        self.asked.update(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self.known}
        scored = dict(zip(new, self.model.scores(query, list(new.values()), ends=ends), strict=True))
        self.known |= scored
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps([key, score]) + "\n" for key, score in scored.items())
        return [self.known[key] for key in keys]


@dataclass(frozen=True)
class Row(StagedSearch):
    """A search with models, under a name of its own."""

    title: str = ""

    @property
    def name(self) -> str:
        return self.title


def main() -> None:
    parser = arguments()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("--scores", type=Path, metavar="FILE")
    parser.add_argument(
        "--relevance-fold", default="2/2", metavar="I/N", help="the queries of the relevance stage, which is slow"
    )
    options = parser.parse_args()
    publish(page(options), "verifier.md", write=options.write)


def page(options: argparse.Namespace) -> Iterator[str]:
    model = Remembered(CrossEncoder(options.model, threads=1), options.scores)
    yield from (
        "# A cross-encoder behind the rules",
        "",
        f"ms-marco-MiniLM-L-12-v2, 8-bit ONNX, over the default search with {options.embedder} and the rules' "
        "splits; the seven sets of everyday exclusions, each counting the same. As verifier it reads the first 20 "
        "candidates; as relevance stage it scores the first 50 for what is wanted. E and W: the shares of the "
        "first ten places that excluded and wanted documents take; E first: how often an excluded one is first. "
        "95 % bootstrap intervals; differences are paired, against the default search without the model.",
        "",
    )
    first = _measured(options, "1/2", [_verifying(model, threshold) for threshold in THRESHOLDS])
    yield from ("## The threshold, on the first half of the queries", "")
    yield from _table(first)
    yield from ("Of the judged documents on which the rules are silent, those that it affirms:", "")
    yield from markdown(("threshold", "affirmed", "of them excluded"), _precisions(options, model))
    yield from ("## As verifier, on the second half", "")
    yield from _table(_measured(options, "2/2", [_verifying(model, DEFAULT_THRESHOLD)]))
    both = SecondStage(ScoringVerifier(model, quotes=False), relevance=model)
    rows = [
        Row(SecondStage(relevance=model), title="relevance stage"),
        Row(both, title="relevance stage and verifier"),
    ]
    second = _measured(options, options.relevance_fold, rows)
    queries = sum(map(len, second[DEFAULT]))
    yield from (f"## As relevance stage, on fold {options.relevance_fold} of the queries, {queries} of them", "")
    yield from _table(second)
    typed = f"benchmarks/quality/verifier.py {options.folder} --model FOLDER --embedder {options.embedder}"
    yield f"Command: `.venv/bin/python {typed} --relevance-fold {options.relevance_fold} --write`"
    yield ""


def _precisions(options: argparse.Namespace, model: Remembered) -> Iterator[tuple[str, str, str]]:
    """Yield, for each threshold, how many judged documents are affirmed, and the share of excluded ones."""
    judged: list[tuple[float, bool]] = []
    for dataset in _datasets(options, "1/2"):
        content = {document.id: document.content for document in dataset.corpus}
        for query, split in zip(dataset.queries, decompose(list(dataset.texts)), strict=True):
            for id_ in {*query.relevant, *query.excluded} - set(query.unclear):
                keys = (f"{trap}\n{content[id_]}" for trap in split.traps)
                judged += [(model.known[key], id_ in query.excluded) for key in keys if key in model.asked]
    for threshold in THRESHOLDS:
        affirmed = [is_excluded for score, is_excluded in judged if score >= threshold]
        yield f"{threshold:g}", f"{len(affirmed)} of {len(judged)}", short(sum(affirmed) / max(1, len(affirmed)))


def _datasets(options: argparse.Namespace, fold: str) -> Iterator[Dataset]:
    for path in sorted(path for path in options.folder.iterdir() if path.is_dir()):
        yield read_dataset(path).fold(*map(int, fold.split("/")))


def _verifying(model: Remembered, threshold: float) -> Row:
    verifier = ScoringVerifier(model, threshold=threshold, quotes=False)  # which change no rank
    return Row(SecondStage(verifier), title=f"verifier, threshold {threshold:g}")


def _measured(options: argparse.Namespace, fold: str, rows: Sequence[Row]) -> Mapping[str, list[Values]]:
    """Return, by the name of each row, a table a set: a row a query, a column a measure."""
    methods = (*methods_of(DEFAULT), *rows)
    tables: dict[str, list[Values]] = {method.name: [] for method in methods}
    embedder = CachedEmbedder(options.embedder)
    for dataset in _datasets(options, fold):
        experiment = Experiment.prepare(dataset, embedder=embedder)
        for name, ranks in experiment.ranks(methods).items():
            measured = experiment.measures.all(ranks)
            tables[name].append(np.concatenate([measured[each] for each in MEASURES.values()], axis=1))
    return tables


def _table(tables: Mapping[str, list[Values]]) -> Iterator[str]:
    rows = []
    for name, sets in tables.items():
        means, against = intervals_over_sets(sets), compare_over_sets(sets, tables[DEFAULT])
        cells = [str(means.at(column)) for column in range(len(MEASURES))]
        if name != DEFAULT:
            cells = [
                f"{cell}, {signed(each.difference.mean)} ({signed(each.difference.low)} to "
                f"{signed(each.difference.high)})"
                for cell, each in zip(cells, against, strict=True)
            ]
        rows.append([name, *cells])
    yield from markdown(("", *MEASURES), rows)


if __name__ == "__main__":
    main()
