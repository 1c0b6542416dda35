"""Searcher: documents in, queries asked, results out."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Never, Self, overload

import numpy.typing as npt

from esens.arrays.unit import Vectors, matrix_rows
from esens.decompose import DEFAULT_DECOMPOSER, Decomposer, decomposer_of, with_confidence
from esens.documents import DocumentSource, distinct_documents
from esens.embed import DEFAULT_EMBEDDER, EmbedderLike, embedder_of
from esens.embed.corpus import Progress, QueryEmbedder, embed_corpus, text_scorer
from esens.embed.identity import embedder_for
from esens.errors import ArgumentError
from esens.index import Index, MemoryIndex, open_index
from esens.index.base import WritableIndex, writable
from esens.index.filters import FilterLike, parse_filter
from esens.index.passages import (
    delete_documents,
    document_vectors,
    existing_documents,
    is_whole,
    refuse_collisions,
    stale_ids,
)
from esens.score.base import Scorer
from esens.score.hybrid import Hybrid
from esens.score.parameters import checked_count
from esens.search.field_note import with_field_note
from esens.search.given import ExampleSource, Exclude, read_exclude
from esens.search.options import (
    DEFAULT_K,
    SEARCH_OPTIONS,
    checked_fields,
    checked_k,
    hybrid_of,
    refuse_unknown,
    scorer_of,
)
from esens.search.pipeline import run
from esens.search.plan import QueryPlan, decompose_queries, decompose_query, plan_query
from esens.search.retrieve import retrieve
from esens.search.second_stage import SecondStage
from esens.search.workers import Workers
from esens.types import Decomposition, Document, Hit, Results, documents_of
from esens.verify import DEFAULT_RESCORED, DEFAULT_VERIFIED, RULES, RelevanceModel, Verifier

Documents = Iterable[DocumentSource]


class Searcher:
    """Search over an index that leaves out what a query excludes.

    Searching is safe from several threads at once, also while documents are added or deleted: a search sees the
    index as it was before a change, or as it is after it. Close it when nobody searches any more.
    """

    def __init__(
        self,
        index: str | os.PathLike[str] | Index,
        *,
        embedder: EmbedderLike | None = None,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
        min_confidence: float = 0.0,
        verifier: str | Verifier = RULES,
        verify: int = DEFAULT_VERIFIED,
        relevance: str | RelevanceModel | None = None,
        rescore: int = DEFAULT_RESCORED,
    ) -> None:
        """Take an index, or the spec of one: ``"my.lance"``, ``"qdrant://host:6333/collection"``.

        The embedder must be the one that made its vectors. An index that esens made knows which that is; by
        default it is that one, and of others the default embedder. Exclusions that the decomposer is less sure
        of than ``min_confidence`` do not count.

        ``verifier`` says what the first ``verify`` candidates say of what is excluded, in the place of the rules:
        ``"openai:MODEL"``, ``"cross-encoder:FOLDER"``, ``"cohere:MODEL"``. Where it fails, the rules stay, and
        ``results.note`` says so. ``relevance``, one of the last two, says how relevant the first ``rescore``
        candidates are to what is wanted; our score then applies what is excluded, and where nothing is, the order
        is that model's. docs/verifiers.md has both.
        """
        self._opened_here = isinstance(index, (str, os.PathLike))
        self.index = _open(index)
        self._embedder = embedder_for(self.index.embedder_id, embedder)
        self._decomposer = with_confidence(decomposer_of(decomposer), min_confidence)
        self._embed_queries = QueryEmbedder(self._embedder)
        self._stage = SecondStage.of(verifier, verify, relevance, rescore)
        self._workers = Workers()

    @classmethod
    def from_documents(
        cls,
        documents: Documents,
        *,
        vectors: npt.ArrayLike | None = None,
        embedder: EmbedderLike = DEFAULT_EMBEDDER,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
        min_confidence: float = 0.0,
        verifier: str | Verifier = RULES,
        verify: int = DEFAULT_VERIFIED,
        relevance: str | RelevanceModel | None = None,
        rescore: int = DEFAULT_RESCORED,
        progress: Progress | None = None,
    ) -> "Searcher":
        """Return a searcher over these documents, held in memory.

        ``vectors``, a row a document, spares the embedding; the embedder must then be the one that made them.
        They are kept, not copied, where they are float32 of unit length already: do not change them afterwards.
        ``progress`` is called with the number of documents embedded and their total.
        """
        corpus = documents_of(documents)
        if not corpus:
            raise ArgumentError("documents", "the corpus is empty; give at least one document")
        model = embedder_of(embedder)
        rows = embed_corpus(corpus, model, progress) if vectors is None else vectors
        index = MemoryIndex(corpus, rows)
        return cls(
            index,
            embedder=model,
            decomposer=decomposer,
            min_confidence=min_confidence,
            verifier=verifier,
            verify=verify,
            relevance=relevance,
            rescore=rescore,
        )

    @overload
    def search(
        self,
        query: str,
        *,
        k: int = ...,
        score: str | Scorer | None = ...,
        beta: float | None = ...,
        mode: str | None = ...,
        decomposition: Decomposition | None = ...,
        exclude: Iterable[Exclude] | None = ...,
        where: FilterLike | None = ...,
        evidence_fields: Sequence[str] = ...,
        hybrid: bool | str | Hybrid = ...,
        candidates: int = ...,
    ) -> Results: ...

    @overload
    def search(
        self,
        query: list[str] | tuple[str, ...],
        *,
        k: int = ...,
        score: str | Scorer | None = ...,
        beta: float | None = ...,
        mode: str | None = ...,
        decomposition: Sequence[Decomposition] | None = ...,
        exclude: Iterable[Exclude] | None = ...,
        where: FilterLike | None = ...,
        evidence_fields: Sequence[str] = ...,
        hybrid: bool | str | Hybrid = ...,
        candidates: int = ...,
    ) -> list[Results]: ...

    def search(
        self,
        query: str | list[str] | tuple[str, ...],
        *,
        k: int = DEFAULT_K,
        score: str | Scorer | None = None,
        beta: float | None = None,
        mode: str | None = None,
        decomposition: Decomposition | Sequence[Decomposition] | None = None,
        exclude: Iterable[Exclude] | None = None,
        where: FilterLike | None = None,
        evidence_fields: Sequence[str] = (),
        hybrid: bool | str | Hybrid = False,
        candidates: int = 0,
        **unknown: Never,
    ) -> Results | list[Results]:
        """Return the k best documents for a query, or a list of results for several.

        - ``score``: "relational" (the default), by which documents pay that have the excluded, or are about it, as
          the query asks; "contrast", by which only those about it do; or "linear", the paper's.
          ``esens.Relational(...)`` and its like are the same with parameters of one's own.
        - ``beta``: how strongly the exclusion counts; 0 is plain retrieval.
        - ``mode``: "soft" (the default) pushes the excluded down, "hard" leaves it out (``results.removed`` says
          what, and why), "flag" ranks plainly and marks it.
        - ``decomposition``: for those who already know target and traps.
        - ``exclude``: what is excluded beside the words of the query. ``["doc-17"]``, the id of a document, and
          ``esens.Example(...)``, a vector or a document: fewer like it. ``["vinegar"]`` and
          ``esens.Exclusion("vinegar", "has", weight=0.5)``: a thing. ``[{"year": 2020}]``, a filter as for
          ``where``: no document that fulfils it.
        - ``evidence_fields``: fields of the metadata that say what a document has, as its text does: with
          ``["year"]``, "not from 2020" excludes documents whose year is 2020.
        - ``where``: only documents whose metadata fulfil conditions: ``{"year": {">=": 2000}, "language": ["en",
          "de"]}``, or texts such as ``["year>=2000"]``.
        - ``hybrid``: whether words count beside vectors, by BM25. True fuses the two by a weighted sum, "rrf" by
          ranks; ``esens.Hybrid(words=0.5)`` has a share of your own. What is excluded counts in both.
        - ``candidates``: so many of the documents nearest to what is wanted, and of those nearest to the query,
          come beside the results with the terms of their scores (``results.candidates``): a program can rank them
          at another beta, or in another mode, without asking again.

        Where nothing is excluded, or beta is 0, this is plain retrieval, bit for bit, at its cost.
        """
        refuse_unknown(unknown, SEARCH_OPTIONS, score)
        plan = partial(
            plan_query,
            scorer=scorer_of(score, beta=beta, mode=mode),
            k=checked_k(k),
            where=parse_filter(where),
            given=read_exclude(exclude, ExampleSource(partial(document_vectors, self.index), self._embed)),
            evidence_fields=checked_fields(evidence_fields),
            hybrid=hybrid_of(hybrid),
            candidates=checked_count("candidates", candidates, least=0),
        )
        if isinstance(query, str):
            split = decompose_query(query, decomposition, self._decomposer)  # type: ignore[arg-type]
            return self._answer([plan(query, split)])[0]
        if not isinstance(query, (list, tuple)):
            raise ArgumentError("query", f"must be a string, or a list of strings; got {type(query).__name__}")
        splits = decompose_queries(query, decomposition, self._decomposer)
        return self._answer([plan(text, split) for text, split in zip(query, splits, strict=True)])

    async def asearch(self, query: Any, **options: Any) -> Any:
        """Return what :meth:`search` returns, without blocking the event loop: it runs on one of a few threads."""
        return await self._workers.run(self.search, query, **options)

    def add(self, documents: Documents, *, vectors: npt.ArrayLike | None = None) -> int:
        """Add documents to the index, in the place of those with the same id; return how many.

        A document without an id takes nobody's place: its id is a hash of its title, text and metadata, and equal
        ones are one. Each is embedded as it is, long ones are not split: that is what :func:`esens.build_index`
        does. The passages of one that it split go when it is added again.
        """
        count, by_position = distinct_documents(documents)
        corpus = tuple(by_position.values())
        if corpus:
            index = self._writable()
            existing = existing_documents(index, [document.whole_id for document in corpus], corpus)
            refuse_collisions(corpus, existing)
            if vectors is None:
                vectors = embed_corpus(corpus, self._embedder)
            elif len(corpus) < count:
                vectors = matrix_rows(vectors, count)[list(by_position)]
            index.upsert(corpus, vectors)
            # Afterwards, so that a search meanwhile finds the document as it was or as it is.
            stale = [id_ for each in corpus if is_whole(each) for id_ in stale_ids(each, existing)]
            if stale:
                index.delete(stale)
        return len(corpus)

    def delete(self, ids: Sequence[str | int]) -> int:
        """Remove documents from the index, with their passages; return how many were there."""
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            what = "one string" if isinstance(ids, str) else type(ids).__name__
            raise ArgumentError("ids", f"expected several, got {what}; put it in a list")
        return len(delete_documents(self._writable(), [_id_of(id_) for id_ in ids]))

    def close(self) -> None:
        """Let go of threads, and of an index that was opened by its spec."""
        self._workers.close()
        if self._opened_here:
            self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, plans: Sequence[QueryPlan]) -> list[Results]:
        """Embed all texts of all queries together, those of late ones not again; then answer a query at a time."""
        if not plans:
            return []
        texts = [plan.embedded_texts for plan in plans]
        row = self._embed_queries(chain.from_iterable(texts))
        return [
            self._run(plan, plan.vectors([row[text] for text in plan_texts]))
            for plan, plan_texts in zip(plans, texts, strict=True)
        ]

    def _run(self, plan: QueryPlan, vectors: Vectors) -> Results:
        candidates = retrieve(self.index, plan, vectors, may_preselect=self._stage.is_empty)
        score_texts = text_scorer(self._embedder, vectors)
        return with_field_note(run(plan, candidates, score_texts, self._stage), plan, self.index, vectors)

    def _embed(self, document: Document) -> Vectors:
        return embed_corpus([document], self._embedder)

    def _writable(self) -> WritableIndex:
        index = writable(self.index)
        if index is None:
            raise ArgumentError("index", f"{type(self.index).__name__} cannot be written to; open one that can")
        return index


def _id_of(value: object) -> str:
    """Return an id as a document has it: numbers become texts."""
    if value is None or isinstance(value, (bytes, Mapping, Document, Hit)):
        raise ArgumentError("ids", f"expected ids, got {type(value).__name__}; give the id of each document")
    return str(value)


def _open(index: object) -> Index:
    if isinstance(index, (str, os.PathLike)):
        return open_index(os.fspath(index))
    if not callable(getattr(index, "nearest", None)):
        raise ArgumentError("index", f"expected a spec or an index, got {type(index).__name__}")
    return index  # type: ignore[return-value]
