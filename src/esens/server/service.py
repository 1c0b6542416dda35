"""What a service does, apart from HTTP: named collections, the models they share, and the lanes of their work."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from esens import strict_json
from esens.decompose import Decomposer, adecompose, decompose, decomposer_of, is_remote, with_confidence
from esens.embed import DEFAULT_EMBEDDER, embedder_of
from esens.errors import ArgumentError, InputError
from esens.index.base import writable
from esens.ingest import passages_of
from esens.search.reranker import Reranker
from esens.search.searcher import Searcher
from esens.server.limits import Lane
from esens.server.metrics import Metrics
from esens.server.problems import Problem, RefusedError, invalid
from esens.server.schemas import (
    EvaluationAnswer,
    RankingOptions,
    RerankRequest,
    SearchRequest,
    WriteRequest,
)
from esens.server.settings import Settings
from esens.types import Decomposition, Document, Hit, Results
from esens.verify import RULES

_WRITERS = 1  # an index takes a write at a time, and one keeps the cores busy
_WRITES_WAITING = 16
_WARMING = "apples without pears"


class Service:
    """Searchers by name, and what they share. Its methods are for an event loop, which none of them blocks."""

    def __init__(
        self,
        searchers: Mapping[str, Searcher],
        settings: Settings,
        *,
        decomposer: Decomposer | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        """Take searchers; the decomposer must be the one that they have."""
        if not searchers:
            raise ArgumentError("collections", "there are none; name at least one index")
        self.searchers = dict(searchers)
        self.settings = settings
        self.metrics = Metrics()
        self.is_stopping = False
        self.evaluation = _read_evaluation(settings.evaluation) if settings.evaluation else None
        """The JSON of an evaluation."""
        self._decomposer = decomposer or decomposer_of(settings.decomposer)
        self._reranker = reranker or Reranker(decomposer=self._decomposer)
        self._model_requests = 0
        self.lanes = {
            "search": Lane("searches", settings.threads, settings.queue),
            "model": Lane("searches with a model", settings.model_requests, settings.queue),
            "write": Lane("writes", _WRITERS, _WRITES_WAITING),
            "probe": Lane("probes", 1, 2),
        }
        for name, lane in self.lanes.items():
            what = "Calls that run or wait, by lane."
            self.metrics.watch(f'esens_lane_calls{{lane="{name}"}}', what, partial(getattr, lane, "count"))

    @classmethod
    def open(cls, settings: Settings) -> "Service":
        """Open every collection that the settings name, and the models."""
        decomposer = with_confidence(
            decomposer_of(_with_deadline(settings.decomposer, settings)), settings.min_confidence
        )
        # One object for all: its weights are in memory once.
        embedder = embedder_of(settings.embedder) if settings.embedder else None
        models: dict[str, Any] = {
            "decomposer": decomposer,
            "verifier": _with_deadline(settings.verifier, settings),
            "verify": settings.verify,
            "relevance": _with_deadline(settings.relevance, settings) or None,
            "rescore": settings.rescore,
        }
        searchers = {
            name: Searcher(spec, embedder=embedder, **models) for name, spec in settings.collections.items()
        }
        reranker = Reranker(embedder=embedder or DEFAULT_EMBEDDER, **models)
        service = cls(searchers, settings, decomposer=decomposer, reranker=reranker)
        service._warm_up()
        return service

    def _warm_up(self) -> None:
        """Search once everywhere, so that tables and weights are loaded before the first client comes."""
        decompose(_WARMING)
        if self.settings.relevance or self._has_verifier:  # which would be asked, and may cost money
            return
        for searcher in self.searchers.values():
            searcher.search(_WARMING, k=1, decomposition=Decomposition("apples", ("pears",)))

    def close(self) -> None:
        """Finish what runs, then close the collections."""
        self.is_stopping = True
        for lane in self.lanes.values():
            lane.close()
        for searcher in self.searchers.values():
            searcher.close()
        self._reranker.close()
        close = getattr(self._decomposer, "close", None)
        if callable(close):
            close()

    async def search(self, request: SearchRequest) -> str:
        """Return the results of a query as JSON."""
        searcher = self.searcher(request.collection)
        self._check(request, request.query)
        self._at_most("k", request.k, self.settings.max_k)
        self._at_most("candidates", request.candidates, self.settings.max_k)
        split = await self._split(request, request.query)
        lane = self._lane_for(split, request)
        options = {
            "k": request.k,
            "where": request.where,
            "hybrid": request.hybrid,
            "decomposition": split,
            "candidates": request.candidates,
            **request.options(),
        }
        return str(await lane.run(_searched, searcher, request.query, **options))

    async def rerank(self, request: RerankRequest, answer_id: str) -> str:
        """Return candidates in their new order as JSON."""
        self._check(request, request.query)
        self._at_most("documents", len(request.documents), self.settings.max_documents)
        split = await self._split(request, request.query)
        # A model's scores are from 0 to 1 already, and a retriever's own are on a scale that it knows.
        is_cosine = request.scores is None and not self.settings.relevance
        reranked = partial(_reranked, self._reranker, request, split, answer_id, is_cosine=is_cosine)
        return str(await self._lane_for(split, request).run(reranked))

    async def decompose(self, query: str) -> str:
        """Return how a query is split, as JSON."""
        self._check_text("query", query)
        if is_remote(self._decomposer):
            return _split_json(query, await self._by_model(query))
        return str(await self.lanes["search"].run(_decomposed, query, self._decomposer))

    async def write(self, name: str, request: WriteRequest) -> int:
        """Store documents, the long ones in passages; return how many those are. They are on disk by then."""
        searcher = self._writable(name)
        self._at_most("documents", len(request.documents), self.settings.max_documents)
        return int(await self.lanes["write"].run(_written, searcher, request))

    async def delete(self, name: str, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        searcher = self._writable(name)
        self._at_most("id", len(ids), self.settings.max_documents)
        return int(await self.lanes["write"].run(searcher.delete, list(ids)))

    async def probe(self) -> None:
        """Raise where a collection cannot be used, or the service is about to stop."""
        if self.is_stopping:
            raise RefusedError(Problem(503, "stopping", "the service is about to stop", "call another"))
        await self.lanes["probe"].run(_probed, list(self.searchers.values()))

    def searcher(self, name: str | None) -> Searcher:
        """Return the collection of a name; without one, the first."""
        if name is None:
            return next(iter(self.searchers.values()))
        if name not in self.searchers:
            problem, remedy = "there is no collection of this name", f"use one of: {', '.join(self.searchers)}"
            raise RefusedError(Problem(404, "no_such_collection", problem, remedy, "collection"))
        return self.searchers[name]

    def _writable(self, name: str) -> Searcher:
        searcher = self.searcher(name)
        if writable(searcher.index) is None:
            problem, remedy = "this collection is only read", "change it with what made it"
            raise RefusedError(Problem(409, "read_only", problem, remedy, "collection"))
        return searcher

    async def _split(self, request: RankingOptions, query: str) -> Decomposition | None:
        """Return how a query is split where that is known or decides what to wait for; else the search does it."""
        if request.decomposition is not None:
            return request.decomposition.read()
        if is_remote(self._decomposer):
            return await self._by_model(query)
        if self._has_verifier:
            split: Decomposition = await self.lanes["search"].run(decompose, query, decomposer=self._decomposer)
            return split
        return None

    async def _by_model(self, query: str) -> Decomposition:
        """Await a language model, which holds no thread meanwhile; where too many do, the rules answer at once."""
        if self._model_requests >= self.settings.model_requests:
            self.metrics.fallbacks += 1
            least = self.settings.min_confidence
            split: Decomposition = await self.lanes["search"].run(decompose, query, min_confidence=least)
            failure = "too many queries wait for the language model; the rules split this one"
            return replace(split, provenance=replace(split.provenance, failure=failure))
        self._model_requests += 1
        try:
            split = await adecompose(query, self._decomposer)
        finally:
            self._model_requests -= 1
        self.metrics.fallbacks += bool(split.provenance.failure)
        return split

    def _lane_for(self, split: Decomposition | None, request: RankingOptions) -> Lane:
        """Return the lane for a search: one of its own where a model reads documents meanwhile."""
        has_exclusions = bool(request.exclude) or (split is not None and bool(split.traps))
        waits = bool(self.settings.relevance) or (self._has_verifier and has_exclusions)
        return self.lanes["model" if waits else "search"]

    @property
    def _has_verifier(self) -> bool:
        return self.settings.verifier != RULES

    def _check(self, request: RankingOptions, query: str) -> None:
        """Raise where a request holds more than the settings allow."""
        self._check_text("query", query)
        split = request.decomposition
        exclusions = [*request.exclude, *(split.exclusions if split else ())]
        self._at_most("exclude", len(exclusions), self.settings.max_exclusions)
        self._at_most("evidence_fields", len(request.evidence_fields), self.settings.max_exclusions)
        if split is not None:
            self._check_text("decomposition.target", split.target)
        for item in exclusions:
            texts = [item] if isinstance(item, str) else [getattr(item, name, "") for name in ("text", "phrase")]
            for text in texts:
                self._check_text("exclude", text)

    def _check_text(self, argument: str, text: str) -> None:
        most = self.settings.max_query_chars
        if len(text) > most:
            raise invalid(argument, f"has {len(text):,} characters", f"send at most {most:,} (max_query_chars)")

    def _at_most(self, argument: str, number: int, most: int) -> None:
        if number > most:
            raise invalid(argument, f"is {number:,}, which is more than this service allows", f"at most {most:,}")


def _with_deadline(spec: str, settings: Settings) -> str:
    """Return the spec of a model on a server with a deadline, unless it has one: requests wait for it."""
    if not spec.removeprefix("hybrid:").startswith(("openai:", "cohere:")) or "deadline=" in spec:
        return spec
    return f"{spec}{'&' if '?' in spec else '?'}deadline={settings.model_deadline:g}"


def _read_evaluation(path: str) -> str:
    """Return the JSON of an evaluation, once it is seen to be one."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        EvaluationAnswer.model_validate_json(text)
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from None
    except ValueError:
        raise InputError(path, "is no evaluation; write one with esens evaluate DATASET --json FILE") from None
    return text


def _searched(searcher: Searcher, query: str, **options: Any) -> str:
    """Search and write the answer, in one go on one thread."""
    results: Results = searcher.search(query, **options)
    return results.to_json()


def _decomposed(query: str, decomposer: Decomposer) -> str:
    return _split_json(query, decompose(query, decomposer=decomposer))


def _split_json(query: str, split: Decomposition) -> str:
    return strict_json.dumps({"query": query, **split.to_dict()})


def _written(searcher: Searcher, request: WriteRequest) -> int:
    documents = [item.read() for item in request.documents]
    return searcher.add([passage for document in documents for passage in passages_of(document)])


def _probed(searchers: Sequence[Searcher]) -> None:
    for searcher in searchers:
        index = writable(searcher.index)
        if index is not None:
            len(index)  # which asks the engine


def _reranked(
    reranker: Reranker, request: RerankRequest, split: Decomposition | None, answer_id: str, *, is_cosine: bool
) -> str:
    candidates = [_candidate(at, value) for at, value in enumerate(request.documents)]
    results = reranker.rerank(
        request.query,
        candidates,
        k=request.top_n,
        scores=request.scores,
        decomposition=split,
        **request.options(),
    )
    meta: dict[str, Any] = {"api_version": {"version": "2"}, **results.decomposition.to_dict()}
    ranked = [_ranked(hit, request, is_cosine=is_cosine) for hit in results]
    return strict_json.dumps({"id": answer_id, "results": ranked, "meta": meta})


def _candidate(position: int, value: str | dict[str, Any]) -> Document:
    """Return a candidate under its position: ids of the caller's may be anything, and come twice."""
    if isinstance(value, str):
        return Document(str(position), value)
    text, title = value.get("text"), value.get("title") or ""
    if not isinstance(text, str) or not isinstance(title, str):
        problem = "an object needs a string under text, and one under title if there is any"
        raise invalid(f"documents.{position}", problem, 'send {"text": "…"}, or the text alone')
    rest = {name: item for name, item in value.items() if name not in ("text", "title")}
    return Document(str(position), text, title, rest)


def _ranked(hit: Hit, request: RerankRequest, *, is_cosine: bool) -> dict[str, Any]:
    position = int(hit.id)
    score = min(1.0, max(0.0, (1 + hit.score) / 2)) if is_cosine else hit.score
    entry: dict[str, Any] = {"index": position, "relevance_score": score}
    if request.return_documents:
        document = request.documents[position]
        entry["document"] = {"text": document} if isinstance(document, str) else document
    return entry
