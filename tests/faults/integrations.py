"""Other programs with esens in them, over stores that fail and documents that nobody should keep.

A store's own error must come through as it is, and so must ours, which says what is wrong. Where there is an
answer, it is made of the documents that the store gave, with their metadata, and what was given is not changed. A
program that is not installed is skipped, and the table says so.
"""

import asyncio
import json
import math
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from esens.errors import EsensError
from esens.integrations.explained import KEY
from tests.faults.hostile import Hostile
from tests.faults.record import CLEAR_ERROR, FINE, RAW, UNFIT, WRONG, FaultRecord, in_time
from tests.words import by_words

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # read on import
_QUERIES = ("black tea, excluding green tea", "tea without milk", "black tea")

Outcome = tuple[str, str]
Ask = Callable[[], Sequence["Source"]]


class StoreError(Exception):
    """What a store raises when it cannot be reached."""


@dataclass(frozen=True)
class Source:
    """A document as a store gives it, or as it came back."""

    id: str
    text: Any
    metadata: Any
    score: Any = None
    vector: Any = None


@dataclass(frozen=True)
class Case:
    """What is asked of which documents, and what goes wrong meanwhile."""

    query: str
    k: Any
    sources: tuple[Source, ...]
    failing_call: int
    """Which call of the store fails; 0 is none."""
    failing_embedder: str
    """How the embedder fails: it raises, or gives rows that are none; empty is not at all."""
    is_async: bool
    reranks: bool


def langchain(cases: int, seed: int) -> FaultRecord:
    """LangChain: a retriever over a store, and a document compressor."""
    return _tried("LangChain", "langchain_core", _langchain, cases, seed)


def llama_index(cases: int, seed: int) -> FaultRecord:
    """LlamaIndex: a retriever over a retriever, and a node postprocessor."""
    return _tried("LlamaIndex", "llama_index", _llama_index, cases, seed)


def haystack(cases: int, seed: int) -> FaultRecord:
    """Haystack: a retriever over a component, and a ranker."""
    return _tried("Haystack", "haystack", _haystack, cases, seed)


def pyterrier(cases: int, seed: int) -> FaultRecord:
    """PyTerrier: a transformer behind one that fails, or gives odd tables."""
    return _tried("PyTerrier", "pyterrier", _pyterrier, cases, seed, reranks=True)


def rerankers(cases: int, seed: int) -> FaultRecord:
    """Whatever calls a reranker."""
    return _tried("drop-in reranker", "esens", _rerankers, cases, seed, reranks=True)


def _tried(
    host: str, module: str, build: Callable[[Case], Ask], cases: int, seed: int, *, reranks: bool = False
) -> FaultRecord:
    """Try so many cases; of a host that only reranks, how many documents it keeps is none of our business."""
    record, chance = FaultRecord(f"{host}: failing stores, bad documents", seed), random.Random(seed)
    if find_spec(module) is None:
        record.skipped = f"{host} is not installed; make test-integrations brings it"
        return record
    for number in in_time(cases):
        hostile = Hostile(f"{host}/{seed}/{number}")
        outcome, why = None, ""
        while outcome is None:
            case = _case(hostile, chance)
            case = replace(case, reranks=True, k=len(case.sources)) if reranks else case
            outcome, why = outcome_of(build, case)
        record.add(outcome, f"seed {seed}, case {number}: {why}")
    return record


def _case(hostile: Hostile, chance: random.Random) -> Case:
    sources = [_source(hostile, at) for at in range(chance.choice((0, 1, 3, 6)))]
    if chance.random() < 0.2:
        sources = [replace(source, vector=_row(hostile)) for source in sources]
    if sources and chance.random() < 0.2:
        sources.append(sources[0])  # a store that finds a document twice
    return Case(
        query=chance.choice(_QUERIES) if chance.random() < 0.7 else hostile.query(),
        k=chance.choice((1, 2, 3, 10)) if chance.random() < 0.85 else chance.choice((0, -1, 10**9)),
        sources=tuple(sources),
        failing_call=chance.choice((0, 0, 0, 1, 2)),
        failing_embedder=chance.choice(("",) * 6 + ("raises", "nothing", "other rows", "not finite")),
        is_async=chance.random() < 0.3,
        reranks=chance.random() < 0.4,
    )


def _source(hostile: Hostile, at: int) -> Source:
    """Return a document, as a rule a good one with something odd about it."""
    good = Source(f"d{at}", hostile.choice("black tea", "green tea", "tea with milk", "coffee"), {"at": at})
    odd: Callable[[Source], Source] = hostile.choice(
        lambda source: source,
        lambda source: source,
        lambda source: replace(source, text=hostile.text()),
        lambda source: replace(source, metadata={"title": hostile.value(), "at": at}),
        lambda source: replace(source, metadata={hostile.key(): hostile.value() for _ in range(3)}),
        lambda source: replace(source, score=hostile.choice(0.5, math.nan, -math.inf, hostile.number())),
        lambda source: replace(source, vector=hostile.choice(_row(hostile), hostile.vectors(1))),
    )
    return odd(good)


def _row(hostile: Hostile) -> list[float]:
    """Return a vector, now and then one that nothing can be compared with."""
    good: list[float] = by_words([hostile.choice("tea", "milk")])[0].tolist()
    return hostile.choice(
        good, good, good, [0.0] * len(good), [math.nan] * len(good), [1e308] * len(good), [1.0], []
    )


def outcome_of(build: Callable[[Case], Ask], case: Case) -> tuple[str | None, str]:
    """Return what became of a case; None of one that the host itself refuses, which so never comes to us."""
    try:
        ask = build(case)
    except EsensError as error:
        return CLEAR_ERROR, str(error)
    except Exception:  # noqa: BLE001 - whatever a host has for documents that it does not take
        return None, ""
    before = [_snapshot(source) for source in case.sources]
    try:
        answers = ask()
    except StoreError as error:
        return CLEAR_ERROR, str(error)
    except EsensError as error:
        return CLEAR_ERROR, str(error)
    except Exception as error:  # noqa: BLE001 - that is what is counted
        return RAW, f"{error!r:.300} of {case.query!r:.60}, k {case.k}, {case.failing_embedder or 'good embedder'}"
    if [_snapshot(source) for source in case.sources] != before:
        return WRONG, "what was given was changed"
    return judged(case, answers)


def judged(case: Case, answers: Sequence[Source]) -> Outcome:
    """Return whether an answer is made of what was given, and can be written down."""
    if case.k < 0 or len(answers) > case.k:
        return WRONG, f"{len(answers)} documents for k = {case.k}"
    ids = [answer.id for answer in answers]
    given = {source.id: source for source in case.sources}
    # A retriever finds a document once; whoever has a list reranked gets what was in it.
    most = Counter(source.id for source in case.sources) if case.reranks else Counter(given.keys())
    if not Counter(ids) <= most:
        return WRONG, f"documents {ids} of {[*given]}"
    for answer in answers:
        kept = {name: value for name, value in answer.metadata.items() if name != KEY}
        if answer.text != given[answer.id].text or _values(kept) != _values(given[answer.id].metadata):
            return WRONG, f"document {answer.id} came back otherwise"
        try:
            json.dumps(answer.metadata.get(KEY), allow_nan=False)
        except (TypeError, ValueError) as error:
            return UNFIT, f"an explanation that is no JSON: {error}"
    return FINE, ""


def _snapshot(source: Source) -> tuple[Any, ...]:
    return source.text, _values(source.metadata), source.score is None


def _values(metadata: Mapping[Any, Any]) -> list[tuple[Any, int]]:
    """Return names and which objects they stand for: values may be anything, also what equals nothing."""
    return [(repr(name), id(value)) for name, value in metadata.items()]


class _Store:
    """Gives documents of a host, and fails when its time has come."""

    def __init__(self, case: Case, documents: Sequence[Any]) -> None:
        self._failing, self._documents, self._calls = case.failing_call, list(documents), 0

    def find(self) -> list[Any]:
        self._calls += 1
        if self._calls == self._failing:
            raise StoreError("the store cannot be reached")
        return list(self._documents)


def _embedder(case: Case) -> Callable[[Sequence[str]], Any]:
    def embed(texts: Sequence[str]) -> Any:
        rows = by_words(texts)
        match case.failing_embedder:
            case "raises":
                raise StoreError("the embedder cannot be reached")
            case "nothing":
                return None
            case "other rows":
                return rows[1:]
            case "not finite":
                return rows * float("nan")
        return rows

    return embed


def _run(answer: Awaitable[Any]) -> Any:
    async def wait() -> Any:
        return await answer

    return asyncio.run(wait())


def _langchain(case: Case) -> Ask:
    from langchain_core.documents import Document
    from langchain_core.vectorstores import VectorStore

    from esens.integrations.langchain import EsensReranker, EsensRetriever

    documents = [Document(id=each.id, page_content=each.text, metadata=each.metadata) for each in case.sources]
    found, vectors = _Store(case, documents), [each.vector for each in case.sources]

    class Store(VectorStore):
        def similarity_search(self, query: str, k: int = 4, **kwargs: Any) -> list[Document]:
            return found.find()[: max(k, 0)]

        @classmethod
        def from_texts(cls, texts: Any, embedding: Any, metadatas: Any = None, **kwargs: Any) -> "Store":
            raise NotImplementedError

    has_vectors = any(vector is not None for vector in vectors)
    models = {"embedder": _embedder(case)}
    retriever = EsensRetriever(
        over=Store(), k=case.k, models=models, vectors=(lambda _: vectors) if has_vectors else None
    )
    reranker = EsensReranker(k=case.k, models=models)

    def ask() -> list[Source]:
        if case.reranks and case.is_async:
            answers = _run(reranker.acompress_documents(documents, case.query))
        elif case.reranks:
            answers = reranker.compress_documents(documents, case.query)
        else:
            answers = _run(retriever.ainvoke(case.query)) if case.is_async else retriever.invoke(case.query)
        return [Source(each.id, each.page_content, each.metadata) for each in answers]

    return ask


def _llama_index(case: Case) -> Ask:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

    from esens.integrations.llama_index import EsensNodePostprocessor, EsensNodeRetriever

    nodes = [
        NodeWithScore(node=TextNode(id_=each.id, text=each.text, metadata=each.metadata), score=each.score)
        for each in case.sources
    ]
    for node, each in zip(nodes, case.sources, strict=True):
        node.node.embedding = each.vector
    found = _Store(case, nodes)

    class Retriever(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return found.find()

    models = {"embedder": _embedder(case)}
    retriever = EsensNodeRetriever(Retriever(), k=case.k, models=models)
    postprocessor = EsensNodePostprocessor(top_n=case.k, models=models)

    def ask() -> list[Source]:
        bundle = QueryBundle(case.query)
        if case.reranks and case.is_async:
            answers = _run(postprocessor.apostprocess_nodes(list(nodes), bundle))
        elif case.reranks:
            answers = postprocessor.postprocess_nodes(list(nodes), bundle)
        else:
            answers = _run(retriever.aretrieve(bundle)) if case.is_async else retriever.retrieve(bundle)
        return [Source(each.node.node_id, each.node.text, each.node.metadata) for each in answers]

    return ask


def _haystack(case: Case) -> Ask:
    from haystack import Document, component

    from esens.integrations.haystack import EsensDocumentRetriever, EsensRanker

    documents = [
        Document(id=each.id, content=each.text, meta=each.metadata, score=each.score, embedding=each.vector)
        for each in case.sources
    ]
    found = _Store(case, documents)

    @component
    class Retriever:
        @component.output_types(documents=list[Document])
        def run(self, query: str, filters: Any = None, top_k: int | None = None) -> dict[str, list[Document]]:
            return {"documents": found.find()[: None if top_k is None else max(top_k, 0)]}

    models = {"embedder": _embedder(case)}
    retriever = EsensDocumentRetriever(Retriever(), top_k=case.k, models=models)
    ranker = EsensRanker(top_k=case.k, models=models)

    def ask() -> list[Source]:
        if case.reranks:
            inputs = {"query": case.query, "documents": documents}
            answers = _run(ranker.run_async(**inputs)) if case.is_async else ranker.run(**inputs)
        else:
            answers = _run(retriever.run_async(case.query)) if case.is_async else retriever.run(case.query)
        return [Source(each.id, each.content, each.meta) for each in answers["documents"]]

    return ask


def _pyterrier(case: Case) -> Ask:
    import pandas as pd
    import pyterrier as pt

    from esens.integrations.pyterrier import EsensTransformer

    rows = [
        {
            "qid": "1",
            "query": case.query,
            "docno": each.id,
            "text": each.text,
            "score": each.score,
            "mine": each.metadata,
        }
        for each in case.sources
    ]
    columns = ["qid", "query", "docno", "text", "score", "mine"]
    table = pd.DataFrame(rows, columns=columns)
    table = table.drop(columns="score") if table["score"].isna().all() else table
    found = _Store(case, [table])

    class Retriever(pt.Transformer):
        def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
            return found.find()[0]

    pipeline = Retriever() >> EsensTransformer(models={"embedder": _embedder(case)})

    def ask() -> list[Source]:
        answers = pipeline(pd.DataFrame([{"qid": "1", "query": case.query}]))
        return [
            Source(row["docno"], row["text"], {**row["mine"], KEY: row[KEY]}) for row in answers.to_dict("records")
        ]

    return ask


def _rerankers(case: Case) -> Ask:
    from esens.integrations.rerankers import DropInReranker

    ranker = DropInReranker({"embedder": _embedder(case)})
    texts = [each.text for each in case.sources]
    about = {"doc_ids": [each.id for each in case.sources], "metadata": [each.metadata for each in case.sources]}

    def ask() -> list[Source]:
        rank = (lambda *given, **named: _run(ranker.rank_async(*given, **named))) if case.is_async else ranker.rank
        return [Source(str(each.doc_id), each.text, each.metadata) for each in rank(case.query, texts, **about)]

    return ask
