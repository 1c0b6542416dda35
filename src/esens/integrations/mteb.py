"""mteb: esens as a model that searches, and mteb's tasks over files of yours."""

from collections.abc import Iterable, Mapping
from copy import copy
from importlib.metadata import version
from pathlib import Path
from typing import Any

from esens.embed import DEFAULT_EMBEDDER, embedder_of
from esens.errors import ArgumentError, MissingExtraError
from esens.evaluate.dataset import Query
from esens.evaluate.datasets import read_dataset
from esens.search import Searcher
from esens.search.reranker import Reranker
from esens.types import Document

try:
    from datasets import Dataset as Table
    from mteb.models import ModelMeta
except ImportError:
    raise MissingExtraError("mteb", "mteb") from None

Run = dict[str, dict[str, float]]
"""The scores of documents, by query."""


class EsensSearchModel:
    """A model for ``mteb.evaluate``: it implements mteb's SearchProtocol.

    A corpus is embedded once, when mteb has it indexed. Where a task ranks documents of its own for each query, as
    NevIR does, those are reranked by the same vectors. ``models`` are options of :class:`esens.Searcher`,
    ``options`` those of its ``search``. A query's instruction is read behind the query.
    """

    def __init__(self, models: dict[str, Any] | None = None, options: dict[str, Any] | None = None) -> None:
        """Take the models; they are loaded when a corpus comes."""
        self._models, self._options = models or {}, options or {}
        self._searcher: Searcher | None = None
        self._reranker: Reranker | None = None

    @property
    def mteb_model_meta(self) -> ModelMeta:
        """What mteb writes beside results, and keeps them apart by."""
        embedder = self._models.get("embedder", DEFAULT_EMBEDDER)
        name = embedder if isinstance(embedder, str) else getattr(embedder, "name", type(embedder).__name__)
        chosen = {**self._models, "embedder": name, **self._options}
        return ModelMeta.create_empty(
            {
                "name": f"esens/{str(name).replace('/', '-').replace(':', '-')}",
                "revision": version("esens"),
                "experiment_kwargs": {key: str(value) for key, value in chosen.items()},
            }
        )

    def index(self, corpus: Iterable[Mapping[str, Any]], **_: Any) -> None:
        """Embed a corpus and hold it in memory."""
        model = embedder_of(self._models.get("embedder", DEFAULT_EMBEDDER))
        models = {**self._models, "embedder": model}
        self._searcher = Searcher.from_documents(map(_document, corpus), **models)
        self._reranker = Reranker(**{name: value for name, value in models.items() if name != "min_confidence"})

    def search(
        self,
        queries: Iterable[Mapping[str, Any]],
        *,
        top_k: int,
        top_ranked: Mapping[str, list[str]] | None = None,
        **_: Any,
    ) -> Run:
        """Return the scores of the best documents of each query."""
        if self._searcher is None or self._reranker is None:
            raise ArgumentError("corpus", "is not indexed; call index first")
        rows = list(queries)
        if top_ranked is not None:
            return {row["id"]: self._rerank(_text(row), top_ranked.get(row["id"], []), top_k) for row in rows}
        answers = self._searcher.search([_text(row) for row in rows], k=top_k, **self._options)
        return {
            row["id"]: {hit.id: hit.score for hit in results} for row, results in zip(rows, answers, strict=True)
        }

    def _rerank(self, query: str, ids: list[str], top_k: int) -> dict[str, float]:
        assert self._searcher is not None  # noqa: S101 - search checked both
        assert self._reranker is not None  # noqa: S101
        if not ids:
            return {}
        index: Any = self._searcher.index  # one in memory, which has both
        stored, vectors = index.documents(ids), index.vectors(ids)
        documents = [stored[id_] for id_ in ids]
        results = self._reranker.rerank(query, documents, vectors=vectors, k=top_k, **self._options)
        return {hit.id: hit.score for hit in results}


def local_task(task: Any, path: str | Path, *, split: str | None = None) -> Any:
    """Return a retrieval task of mteb with the data of a benchmark in files of yours, instead of the hub's.

    Pairs of queries, as NevIR has them, get the ids that mteb expects, and each ranks its own two documents.
    """
    benchmark = read_dataset(path, split=split)
    ids = {query.id: _mteb_id(query, number) for number, query in enumerate(benchmark.queries)}
    queries = [{"id": ids[query.id], "text": query.text} for query in benchmark.queries]
    corpus = [{"id": each.id, "title": each.title, "text": each.text} for each in benchmark.corpus]
    top_ranked = {ids[query.id]: sorted((*query.relevant, *query.excluded)) for query in benchmark.queries}
    filled = copy(task)
    filled.dataset = {
        "default": {
            each: {
                "corpus": Table.from_list(corpus),
                "queries": Table.from_list(queries),
                "relevant_docs": {ids[query.id]: dict(query.relevant) for query in benchmark.queries},
                "top_ranked": top_ranked if any(query.pair for query in benchmark.queries) else None,
            }
            for each in task.eval_splits
        }
    }
    filled.data_loaded = True
    return filled


def _mteb_id(query: Query, number: int) -> str:
    """Return the id of a query: of a pair, its number and which of the two it is, as mteb tells pairs."""
    return f"{number // 2}_q{number % 2 + 1}" if query.pair else query.id


def _document(row: Mapping[str, Any]) -> Document:
    return Document(row["id"], row.get("text") or row.get("body") or "", row.get("title") or "")


def _text(row: Mapping[str, Any]) -> str:
    instruction = row.get("instruction")
    return f"{row['text']} {instruction}" if instruction else str(row["text"])
