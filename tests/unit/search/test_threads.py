"""Searching from an event loop, and from several threads at once while documents come and go."""

import asyncio
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest
from tests.words import by_words

from esens import Contrast, Decomposition, Document, MemoryIndex, Reranker, Searcher
from esens.arrays.scan import cores
from esens.errors import ArgumentError
from esens.index.base import Scan
from esens.index.filters import Filter
from esens.testing import EngineDouble

DOCUMENTS = [
    Document("vinegar", "salad dressing vinegar vinegar", "Vinegar"),
    Document("oil", "salad dressing oil"),
    Document("lemon", "salad dressing lemon"),
    Document("train", "a train leaves"),
]
QUERY = "salad dressing without vinegar"
SLOW = 0.2


class Slow:
    """An embedder that takes its time, and knows how many threads it runs on at once."""

    name = "slow"

    def __init__(self) -> None:
        self.threads: set[int] = set()
        self.running = self.most = 0
        self._lock = threading.Lock()

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        return by_words(texts)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        with self._lock:
            self.threads.add(threading.get_ident())
            self.running += 1
            self.most = max(self.most, self.running)
        time.sleep(SLOW)
        with self._lock:
            self.running -= 1
        return by_words(texts)


async def _ticks(until: asyncio.Event) -> list[float]:
    """The times between ticks of a loop that has nothing else to do."""
    pauses, before = [], time.monotonic()
    while not until.is_set():
        await asyncio.sleep(0.01)
        now = time.monotonic()
        pauses.append(now - before)
        before = now
    return pauses


class TestAsync:
    def test_a_search_does_not_block_the_loop(self) -> None:
        slow = Slow()
        searcher = Searcher.from_documents(DOCUMENTS, embedder=slow)

        async def main() -> list[float]:
            done = asyncio.Event()
            ticking = asyncio.create_task(_ticks(done))
            results = await searcher.asearch(QUERY, k=3)
            done.set()
            assert results == searcher.search(QUERY, k=3)
            return await ticking

        pauses = asyncio.run(main())
        assert len(pauses) >= 5
        assert sorted(pauses)[-2] < SLOW / 2
        assert threading.get_ident() not in slow.threads  # where it searched afterwards, and nothing was new
        assert len(slow.threads) == 1
        searcher.close()

    def test_reranking_does_not_block_the_loop_either(self) -> None:
        slow = Slow()

        async def main() -> list[float]:
            done = asyncio.Event()
            ticking = asyncio.create_task(_ticks(done))
            with Reranker(embedder=slow) as reranker:
                results = await reranker.arerank(QUERY, DOCUMENTS, k=2)
                done.set()
                assert results == reranker.rerank(QUERY, DOCUMENTS, k=2)
            return await ticking

        pauses = asyncio.run(main())
        assert len(pauses) >= 5
        assert sorted(pauses)[-2] < SLOW / 2

    @pytest.mark.parametrize("calls", [40])
    def test_many_at_once_run_on_a_few_threads(self, calls: int) -> None:
        slow = Slow()
        searcher = Searcher.from_documents(DOCUMENTS, embedder=slow)
        queries = [f"{QUERY} {i}" for i in range(calls)]

        async def main() -> list[str]:
            found = await asyncio.gather(*(searcher.asearch(query, k=1) for query in queries))
            return [results.query for results in found]

        assert asyncio.run(main()) == queries
        assert 1 < slow.most <= cores() + 4
        assert len(slow.threads) <= cores() + 4
        searcher.close()

    def test_several_queries_are_answered_in_a_list(self) -> None:
        searcher = Searcher.from_documents(DOCUMENTS, embedder=by_words)
        found = asyncio.run(searcher.asearch([QUERY, "oil"], k=2))
        assert found == searcher.search([QUERY, "oil"], k=2)

    def test_errors_come_back(self) -> None:
        searcher = Searcher.from_documents(DOCUMENTS, embedder=by_words)
        with pytest.raises(ArgumentError, match="top_k"):
            asyncio.run(searcher.asearch(QUERY, top_k=3))

    def test_closing_ends_the_threads_and_searching_again_starts_them(self) -> None:
        before = _threads()
        with Searcher.from_documents(DOCUMENTS, embedder=by_words) as searcher:
            asyncio.run(searcher.asearch(QUERY))
            assert _threads() - before
        assert not _threads() - before
        asyncio.run(searcher.asearch(QUERY))
        assert _threads() - before
        searcher.close()
        assert not _threads() - before

    def test_who_never_awaits_starts_no_thread(self) -> None:
        before = _threads()
        with Searcher.from_documents(DOCUMENTS, embedder=by_words) as searcher:
            searcher.search(QUERY)
            assert not _threads() - before


def _threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("esens-search")}


def test_a_process_may_search_as_often_as_it_likes() -> None:
    # A kernel that returns None without counting it ends the process after some thousand searches.
    searcher = Searcher.from_documents(DOCUMENTS, embedder=by_words)
    searcher.search(QUERY)
    before = sys.getrefcount(None)
    for _ in range(100):
        searcher.search(QUERY)
    assert sys.getrefcount(None) > before - 50


@pytest.mark.parametrize("kind", [MemoryIndex, EngineDouble])
@pytest.mark.parametrize("score", ["contrast", "linear", Contrast(depth=5), Contrast(mode="hard")])
def test_eight_threads_search_while_another_adds_and_deletes(kind: type, score: str | Contrast) -> None:
    lasting = [Document(f"lasting {i}", f"salad dressing lemon {i}") for i in range(200)]
    passing = [Document(f"passing {i}", f"steam engine train {i}") for i in range(50)]
    index = kind(lasting, by_words([d.text for d in lasting]))
    searcher = Searcher(index, embedder=by_words)
    split = Decomposition("salad dressing lemon", ("vinegar",))
    stop = threading.Event()

    def change() -> int:
        rounds = 0
        while not stop.is_set():
            searcher.add(passing)
            searcher.delete([document.id for document in passing])
            rounds += 1
        return rounds

    def search() -> int:
        for _ in range(25):
            results = searcher.search("salad dressing lemon", k=20, score=score, decomposition=split)
            # What comes and goes is far from the query: it never belongs to the first twenty.
            assert len(set(results.ids)) == 20
            assert all(hit.id.startswith("lasting") and hit.text.startswith("salad") for hit in results)
            assert all(hit.text.endswith(hit.id.removeprefix("lasting")) for hit in results)
            scores = [hit.score for hit in results]
            assert scores == sorted(scores, reverse=True)
        return 1

    with ThreadPoolExecutor(9) as pool:
        changing = pool.submit(change)
        try:
            assert sum(future.result() for future in [pool.submit(search) for _ in range(8)]) == 8
        finally:
            stop.set()
        assert changing.result() > 0
    assert len(index) == 200


def test_a_search_within_a_depth_sees_the_index_as_it_was_at_one_time() -> None:
    class Shrinking(MemoryIndex):
        """Loses its first half as soon as it was compared once."""

        scans = 0

        def scan(self, vectors: npt.ArrayLike, *, where: Filter | None = None) -> Scan:
            result = super().scan(vectors, where=where)
            self.scans += 1
            if self.scans == 1:
                self.delete([f"{i}" for i in range(100)])
            return result

    random = np.random.default_rng(0)
    documents, vectors = [Document(str(i), "x") for i in range(200)], random.standard_normal((200, 8))
    texts = dict(zip(("query", "target", "trap"), random.standard_normal((3, 8)), strict=True))

    def embed(asked: Sequence[str]) -> np.ndarray:
        return np.stack([texts[text] for text in asked])

    split, scorer = Decomposition("target", ("trap",)), Contrast(depth=20)
    as_it_was = Searcher(MemoryIndex(documents, vectors), embedder=embed)
    as_it_is = Searcher(MemoryIndex(documents[100:], vectors[100:]), embedder=embed)
    expected = [each.search("query", k=5, score=scorer, decomposition=split).ids for each in (as_it_was, as_it_is)]
    found = Searcher(Shrinking(documents, vectors), embedder=embed).search(
        "query", k=5, score=scorer, decomposition=split
    )
    assert found.ids in expected


def test_several_threads_may_add_at_once() -> None:
    index = MemoryIndex(DOCUMENTS, by_words([document.content for document in DOCUMENTS]))
    searcher = Searcher(index, embedder=by_words)

    def add(number: int) -> None:
        for i in range(20):
            searcher.add([Document(f"{number}-{i}", f"text {number} {i}")])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(8)))
    assert len(index) == len(DOCUMENTS) + 160
