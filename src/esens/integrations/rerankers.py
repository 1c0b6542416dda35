"""A reranker in the shape of the package ``rerankers``, for programs that call one. It needs esens alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from esens.errors import ArgumentError
from esens.integrations.explained import KEY, explained
from esens.search.reranker import Reranker
from esens.types import Document, Results

DocumentId = str | int


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as it was given; one without an id has its position."""

    text: str
    doc_id: DocumentId
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """A document with its score and its rank, from 1. The explanation stands in its metadata, under ``esens``."""

    document: SourceDocument
    score: float
    rank: int

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.text

    @property
    def doc_id(self) -> DocumentId:
        """The document's id."""
        return self.document.doc_id

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The document's metadata, and the explanation."""
        return self.document.metadata


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """Documents, best first."""

    results: list[RankedDocument]
    query: str
    has_scores: bool = True

    def __iter__(self) -> Iterator[RankedDocument]:
        return iter(self.results)

    def __getitem__(self, index: int) -> RankedDocument:
        return self.results[index]

    def __len__(self) -> int:
        return len(self.results)

    def results_count(self) -> int:
        """Return how many there are."""
        return len(self.results)

    def top_k(self, k: int) -> list[RankedDocument]:
        """Return the first k."""
        return self.results[:k]

    def get_result_by_docid(self, doc_id: DocumentId) -> RankedDocument | None:
        """Return the document with an id, if it is there."""
        return next((each for each in self.results if each.doc_id == doc_id), None)

    def get_score_by_docid(self, doc_id: DocumentId) -> float | None:
        """Return the score of the document with an id, if it is there."""
        ranked_document = self.get_result_by_docid(doc_id)
        return None if ranked_document is None else ranked_document.score


class DropInReranker:
    """Stands where a program calls ``Reranker(…)`` of that package: ``rank(query, docs, doc_ids)``.

    A list of texts has no order to keep, so the embedder judges queries that exclude nothing, too; or another
    reranker does, the ``relevance`` among the models: ``{"relevance": "cohere:rerank-v3.5"}``. ``models`` are
    options of :class:`esens.Reranker`, ``options`` those of its ``rerank``.
    """

    def __init__(self, models: dict[str, Any] | None = None, options: dict[str, Any] | None = None) -> None:
        """Take the models; they are loaded on first need."""
        self._reranker, self._options = Reranker(**(models or {})), options or {}

    def rank(
        self,
        query: str,
        docs: Any,
        doc_ids: Sequence[DocumentId] | None = None,
        metadata: Sequence[Mapping[str, Any]] | None = None,
    ) -> RankedDocuments:
        """Return the documents in their new order; they are texts, or objects with a text, an id and metadata."""
        documents = _source_documents(docs, doc_ids, metadata)
        return _ranked(documents, self._reranker.rerank(query, _candidates(documents), **self._options))

    async def rank_async(
        self,
        query: str,
        docs: Any,
        doc_ids: Sequence[DocumentId] | None = None,
        metadata: Sequence[Mapping[str, Any]] | None = None,
    ) -> RankedDocuments:
        """Return what :meth:`rank` returns, without blocking the event loop."""
        documents = _source_documents(docs, doc_ids, metadata)
        return _ranked(documents, await self._reranker.arerank(query, _candidates(documents), **self._options))


def _source_documents(
    docs: Any, doc_ids: Sequence[DocumentId] | None, metadata: Sequence[Mapping[str, Any]] | None
) -> list[SourceDocument]:
    values = list(docs) if isinstance(docs, (list, tuple)) else [docs]
    for argument, each in (("doc_ids", doc_ids), ("metadata", metadata)):
        if each is not None and len(each) != len(values):
            raise ArgumentError(argument, f"{len(each)} for {len(values)} documents; give one each")
    return [
        SourceDocument(
            _text(value, at),
            _first(doc_ids[at] if doc_ids is not None else None, getattr(value, "doc_id", None), at),
            _first(metadata[at] if metadata is not None else None, getattr(value, "metadata", None), {}),
        )
        for at, value in enumerate(values)
    ]


def _text(value: Any, at: int) -> str:
    text = value if isinstance(value, str) else getattr(value, "text", None)
    if not isinstance(text, str):
        raise ArgumentError(f"docs[{at}]", f"expected a text, or an object with one, got {type(value).__name__}")
    return text


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)


def _candidates(documents: list[SourceDocument]) -> list[Document]:
    return [Document(str(at), each.text, _title(each), each.metadata) for at, each in enumerate(documents)]


def _title(document: SourceDocument) -> str:
    title = document.metadata.get("title")
    return title if isinstance(title, str) else ""


def _ranked(documents: list[SourceDocument], results: Results) -> RankedDocuments:
    ranked = []
    for rank, hit in enumerate(results, start=1):
        document = documents[int(hit.id)]
        metadata = {**document.metadata, KEY: explained(hit, results)}
        ranked.append(RankedDocument(SourceDocument(document.text, document.doc_id, metadata), hit.score, rank))
    return RankedDocuments(ranked, results.query)
