"""A search with an exclusion asks an engine once, and finds what the exact index finds."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.contract.indexes import INDEXES

from esens import Decomposition, Document, MemoryIndex, Searcher
from esens.arrays.unit import Vectors, unit_rows
from esens.index.base import Index, Neighbours, pool_of, scannable
from esens.index.filters import parse_filter
from esens.search import SCORES

SIZE, DIMENSION, CLUSTERS, QUERIES, K = 1000, 32, 10, 20, 10
REQUESTS = {"read", "search", "search_among", "query", "query_points", "query_batch_points", "scroll", "retrieve"}
"""What the clients of all engines call a round trip."""


class Corpus(NamedTuple):
    """Clustered documents, and queries near one cluster that exclude another."""

    documents: Sequence[Document]
    vectors: Vectors
    texts: dict[str, Vectors]

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.texts[text] for text in texts])

    def search(self, index: Index, number: int, score: str) -> tuple[str, ...]:
        split = Decomposition(f"target {number}", (f"trap {number}",))
        searcher = Searcher(index, embedder=self.embed)
        return searcher.search(f"query {number}", k=K, score=score, decomposition=split).ids


class CountingClient:
    """A client that notes the round trips it makes."""

    def __init__(self, client: Any, requests: list[str]) -> None:
        self._client, self._requests = client, requests

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._client, name)
        return self._counted(name, attribute) if name in REQUESTS else attribute

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            self._requests.append(name)
            return call(*arguments, **options)

        return counted


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    random = np.random.default_rng(0)
    centres = random.standard_normal((CLUSTERS, DIMENSION))
    clusters = random.integers(0, CLUSTERS, SIZE)
    vectors = unit_rows(centres[clusters] + random.standard_normal((SIZE, DIMENSION)))
    documents = [
        Document(f"d{at:04}", f"Document {at} of cluster {of}", metadata={"even": at % 2 == 0})
        for at, of in enumerate(clusters)
    ]
    texts: dict[str, Vectors] = {}
    for number in range(QUERIES):
        wanted, excluded = centres[random.choice(CLUSTERS, 2, replace=False)]
        rows = np.stack([wanted + 0.7 * excluded, wanted, excluded]) + 0.6 * random.standard_normal((3, DIMENSION))
        texts |= zip([f"{what} {number}" for what in ("query", "target", "trap")], unit_rows(rows), strict=True)
    return Corpus(documents, vectors, texts)


@pytest.fixture(scope="module", params=INDEXES)
def engine(
    request: pytest.FixtureRequest, corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Index]:
    index = INDEXES[request.param](request, tmp_path_factory.mktemp("index"), corpus.documents, corpus.vectors)
    yield index
    index.close()


@pytest.fixture
def requests(engine: Index, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the round trips of an engine from now on."""
    if scannable(engine) is not None:
        pytest.skip("every document is compared here, and nobody is asked")
    holder = next(name for name in ("_client", "_server", "_vectors") if hasattr(engine, name))
    requests: list[str] = []
    monkeypatch.setattr(engine, holder, CountingClient(getattr(engine, holder), requests))
    return requests


@pytest.mark.parametrize("sample", [200, 2 * SIZE])
@pytest.mark.parametrize("score", SCORES)
def test_an_exclusion_is_one_request_once_the_sample_is_kept(
    engine: Index, requests: list[str], corpus: Corpus, score: str, sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("esens.index.base.SAMPLE", sample)
    engine._forget()  # type: ignore[attr-defined]
    corpus.search(engine, 0, score)
    requests.clear()
    for number in range(3):
        corpus.search(engine, number, score)
    assert len(requests) == 3


@pytest.mark.parametrize("score", SCORES)
def test_it_finds_what_the_exact_index_finds(engine: Index, corpus: Corpus, score: str) -> None:
    if scannable(engine) is None:
        engine._forget()  # type: ignore[attr-defined]  # the test before may have left a sample of 200
    exact = MemoryIndex(corpus.documents, corpus.vectors)
    shares = [
        len({*corpus.search(engine, number, score)} & {*corpus.search(exact, number, score)}) / K
        for number in range(QUERIES)
    ]
    assert np.mean(shares) >= 0.98


@pytest.mark.parametrize("score", SCORES)
def test_an_exclusion_that_came_before_is_answered_alike(engine: Index, corpus: Corpus, score: str) -> None:
    if scannable(engine) is None:
        engine._forget()  # type: ignore[attr-defined]  # what was found of it in other tests
    for number in range(3):
        assert corpus.search(engine, number, score) == corpus.search(engine, number, score)


@pytest.mark.parametrize("where", [None, {"even": True}])
@pytest.mark.parametrize("k", [1, 30, 2 * SIZE])
def test_a_pool_has_the_neighbours_of_every_probe_and_the_raw_scores_of_every_text(
    engine: Index, corpus: Corpus, k: int, where: dict[str, bool] | None
) -> None:
    chosen = parse_filter(where)
    texts = corpus.embed(["query 1", "target 1", "trap 1"])
    probes = unit_rows(np.stack([texts[1], texts[0] - 0.5 * texts[2]]))  # one of the texts, and another vector
    pool = pool_of(engine, probes, texts, k, chosen)
    near = engine.nearest(probes, k, where=chosen)
    documents = pool.lookup(range(pool.raw.shape[1]))
    assert {document.id for document in documents} == {id_ for each in near for id_ in each.ids}
    assert len({document.id for document in documents}) == len(documents)
    rows = corpus.vectors[[int(document.id[1:]) for document in documents]]
    assert pool.raw == pytest.approx(texts @ rows.T, abs=1e-5)
    assert [documents[at].id for at in pool.ends] == [each.ids[-1] for each in near]
    assert pool.is_complete == (k == 2 * SIZE)
    assert pool.lengths is None
    assert pool.lookup([0])[0] == near_document(near, documents[0].id)


@pytest.mark.parametrize("where", [None, {"even": True}])
def test_of_the_ends_a_pool_has_the_first_two(
    engine: Index, corpus: Corpus, where: dict[str, bool] | None
) -> None:
    chosen = parse_filter(where)
    texts = corpus.embed(["query 1", "target 1", "trap 1"])
    pool = pool_of(engine, texts[:1], texts, 30, chosen, texts[2:])
    near, ends = engine.nearest(texts[::2], 30, where=chosen)
    found = {document.id for document in pool.lookup(range(pool.raw.shape[1]))}
    assert {*near.ids, *ends.ids[:2]} <= found <= {*near.ids, *ends.ids}
    assert [pool.lookup([at])[0].id for at in pool.ends] == [near.ids[-1]]
    assert pool.raw[2].max() == pytest.approx(ends.scores[0], abs=1e-5)


def near_document(near: Sequence[Neighbours], id_: str) -> Document:
    return next(document for each in near for document in each.documents if document.id == id_)
