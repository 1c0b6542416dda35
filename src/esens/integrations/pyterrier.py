"""PyTerrier: a transformer that retrieves and reranks, and benchmarks of yours as datasets. No Java is needed."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from esens.errors import ArgumentError, InputError, MissingExtraError
from esens.evaluate.dataset import Dataset
from esens.evaluate.datasets import read_dataset
from esens.integrations.explained import KEY, explained
from esens.search import Searcher
from esens.search.reranker import Reranker
from esens.search.wrapping import excludes
from esens.types import Document, Results

try:
    import pandas as pd
    import pyterrier as pt
except ImportError:
    raise MissingExtraError("pyterrier", "pyterrier") from None

DEFAULT_DEPTH = 1000
"""How many documents are retrieved for a query, as PyTerrier's own retrievers do."""
EXCLUDED = "excluded"
"""The variant of the qrels that holds what queries exclude."""
_NEW = ("docno", "title", "text", "metadata", "score", "rank", KEY)


class EsensTransformer(pt.Transformer):
    """Retrieves from an index, and reranks what another transformer retrieved, without what a query excludes.

    Queries alone (``qid``, ``query``) are answered from ``over``: an esens Searcher, an index or its spec. Results
    with a ``text`` (and, where there is one, a ``title``) are reranked: their ``score`` stands for the similarity
    to the query, and of a query that excludes nothing they stay as they are. The column ``esens`` says why a
    document stands where it stands; it is None where nothing was ranked anew. ``models`` are options of
    :class:`esens.Searcher` and :class:`esens.Reranker`, ``options`` those of their search.
    """

    def __init__(
        self,
        over: Any = None,
        *,
        k: int = DEFAULT_DEPTH,
        models: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        """Take what is searched, if anything is; models are loaded on first need."""
        self._k, self._options, models = k, options or {}, models or {}
        if isinstance(over, Searcher) and models:
            raise ArgumentError("models", "are those of the Searcher already; name them there")
        is_open = over is None or isinstance(over, Searcher)
        self._searcher: Searcher | None = over if is_open else Searcher(over, **models)
        self._reranker = Reranker(**models)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the results of all queries, best first."""
        with pt.validate.any(inp) as validate:
            validate.columns(includes=["qid", "query", "docno", "text"], mode="rerank")
            if self._searcher is not None:
                validate.columns(includes=["qid", "query"], excludes=["docno"], mode="retrieve")
        if "docno" in inp.columns:
            return self._rerank_all(inp)
        return self._retrieve_all(inp)

    def schematic(self, *, input_columns: list[str] | None = None) -> dict[str, Any]:
        """Return how a drawing of a pipeline names it; without a page of help it is not looked for on the net."""
        return {"label": "esens", "help_url": None}

    def _retrieve_all(self, inp: pd.DataFrame) -> pd.DataFrame:
        assert self._searcher is not None  # noqa: S101 - the columns were checked
        answers = self._searcher.search(inp["query"].tolist(), k=self._k, **self._options)
        rows = [
            query | hit_row
            for query, results in zip(inp.to_dict("records"), answers, strict=True)
            for hit_row in _hit_rows(results)
        ]
        columns = [*inp.columns, *(name for name in _NEW if name not in inp.columns)]
        return pd.DataFrame(rows, columns=columns)

    def _rerank_all(self, inp: pd.DataFrame) -> pd.DataFrame:
        groups = [self._rerank(group) for _, group in inp.groupby("qid", sort=False)]
        return pd.concat(groups, ignore_index=True) if groups else self._unchanged(inp)

    def _rerank(self, group: pd.DataFrame) -> pd.DataFrame:
        query = group["query"].iloc[0]
        split = self._reranker.decompose(query)
        scores = group["score"].to_numpy() if "score" in group else None
        if scores is not None and not excludes(split, self._options):
            return self._unchanged(group)
        results = self._reranker.rerank(
            query, _candidates(group), scores=scores, decomposition=split, **self._options
        )
        if scores is not None and results.scoring.is_plain:
            return self._unchanged(group)
        first = pt.model.FIRST_RANK
        return group.iloc[[int(hit.id) for hit in results]].assign(
            score=[hit.score for hit in results],
            rank=range(first, first + len(results)),
            **{KEY: [explained(hit, results) for hit in results]},
        )

    @staticmethod
    def _unchanged(group: pd.DataFrame) -> pd.DataFrame:
        same = group.assign(**{KEY: pd.Series([None] * len(group), index=group.index, dtype=object)})
        if "score" not in same:
            same = same.assign(score=pd.Series(dtype=float))
        if "rank" in same:
            return same
        places = _finite(same["score"]).rank(ascending=False, method="first").astype(int)
        return same.assign(rank=places - 1 + pt.model.FIRST_RANK)


def _finite(scores: "pd.Series[Any]") -> "pd.Series[float]":
    """Return scores as numbers that can be put in order."""
    try:
        numbers = pd.to_numeric(scores, errors="coerce")
        is_finite = not np.iscomplexobj(numbers) and bool(np.isfinite(numbers.astype(float)).all())
    except (TypeError, ValueError, OverflowError):
        is_finite = False
    if not is_finite:
        problem = "of a document without a rank it is no finite number; give a rank, or such a number"
        raise ArgumentError("score", problem)
    return numbers


class EsensDataset(pt.datasets.Dataset):
    """A benchmark of yours, in any form that ``esens evaluate`` reads.

    The qrels are of the answers; those of the variant ``"excluded"`` are of what queries exclude: by them
    Success@k is Violation@k.
    """

    def __init__(self, path: str) -> None:
        """Take the path of a folder or a file, which is read on first need."""
        self._path = path
        self._reading: dict[str, Any] = {}
        self._read: Dataset | None = None

    def _configure(self, **options: Any) -> None:
        """Take what ``pt.get_dataset`` was given beside the name: options of ``read_dataset``."""
        self._reading = options

    @property
    def benchmark(self) -> Dataset:
        """The benchmark as esens has it, with notes on what its reader left out."""
        if self._read is None:
            self._read = read_dataset(self._path, **self._reading)
        return self._read

    def get_corpus_iter(self, *, verbose: bool = True) -> Iterator[dict[str, str]]:
        """Yield documents as PyTerrier indexes them."""
        corpus = self.benchmark.corpus
        documents = pt.tqdm(corpus, desc=f"{self.benchmark.name} documents") if verbose else corpus
        return ({"docno": each.id, "title": each.title, "text": each.text} for each in documents)

    def get_topics(self, variant: str | None = None) -> pd.DataFrame:
        """Return the queries."""
        _check_variant(variant, ())
        queries = self.benchmark.queries
        return pd.DataFrame([(query.id, query.text) for query in queries], columns=["qid", "query"])

    def get_qrels(self, variant: str | None = None) -> pd.DataFrame:
        """Return the answers and their grades, or what is excluded."""
        _check_variant(variant, (EXCLUDED,))
        rows = [(*row, 1) for row in self._excluded()] if variant else list(self._answers())
        return pd.DataFrame(rows, columns=["qid", "docno", "label"])

    def _answers(self) -> Iterator[tuple[str, str, int]]:
        for query in self.benchmark.queries:
            yield from ((query.id, docno, grade) for docno, grade in query.relevant.items())

    def _excluded(self) -> Iterator[tuple[str, str]]:
        for query in self.benchmark.queries:
            yield from ((query.id, docno) for docno in query.excluded)

    def __repr__(self) -> str:
        return f"EsensDataset({self._path!r})"


class EsensDatasetProvider(pt.datasets.DatasetProvider):
    """Gives ``pt.get_dataset("esens:PATH")``: ExcluIR, NevIR, NegConstraint, BoolQuestions, QUEST and others."""

    def get_dataset(self, name: str) -> EsensDataset:
        """Return the benchmark at a path."""
        if not Path(name).exists():
            raise KeyError(
                str(InputError(name, "No such file or folder; a dataset of esens is named by its path"))
            )
        return EsensDataset(name)


def _check_variant(variant: str | None, variants: Sequence[str]) -> None:
    if variant is not None and variant not in variants:
        there = f"there is {', '.join(map(repr, variants))}" if variants else "there are none"
        raise ArgumentError("variant", f"{variant!r} is not known; {there}")


def _candidates(group: pd.DataFrame) -> list[Document]:
    titles: Iterable[Any] = group["title"] if "title" in group else [""] * len(group)
    return [
        Document(str(at), text, title if isinstance(title, str) else "")
        for at, (text, title) in enumerate(zip(group["text"], titles, strict=True))
    ]


def _hit_rows(results: Results) -> Iterator[dict[str, Any]]:
    for at, hit in enumerate(results):
        values = (
            hit.id,
            hit.title,
            hit.text,
            dict(hit.metadata),
            hit.score,
            pt.model.FIRST_RANK + at,
            explained(hit, results),
        )
        yield dict(zip(_NEW, values, strict=True))
