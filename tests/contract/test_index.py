"""One suite for every index, against arithmetic in double precision. A new index joins by one line here."""

from collections.abc import Callable

import numpy as np
import pytest

from esens.index import Index, MemoryIndex
from esens.types import Document

Make = Callable[[list[Document], np.ndarray], Index]
INDEXES: dict[str, Make] = {
    "memory": MemoryIndex,
    "memory-one-thread": lambda documents, vectors: MemoryIndex(documents, vectors, threads=1),
}


@pytest.fixture(params=INDEXES, scope="module")
def make(request: pytest.FixtureRequest) -> Make:
    return INDEXES[request.param]


@pytest.fixture(scope="module")
def corpus() -> tuple[list[Document], np.ndarray]:
    vectors = np.random.default_rng(5).standard_normal((1000, 32)).astype(np.float32)
    vectors[500:520] = vectors[:20]  # duplicates, to tie
    return [Document(f"d{i}", f"text {i}", metadata={"i": i}) for i in range(len(vectors))], vectors


def test_it_counts_and_knows_its_dimension(make: Make, corpus: tuple[list[Document], np.ndarray]) -> None:
    index = make(*corpus)
    assert len(index) == 1000
    assert index.dimension == 32


def test_raw_scores_are_cosines(make: Make, corpus: tuple[list[Document], np.ndarray]) -> None:
    documents, vectors = corpus
    queries = np.random.default_rng(6).standard_normal((3, 32)).astype(np.float32)
    exact = vectors.astype(float) @ queries.astype(float).T
    exact /= np.linalg.norm(vectors.astype(float), axis=1)[:, None] * np.linalg.norm(queries.astype(float), axis=1)
    np.testing.assert_allclose(make(documents, vectors).raw_scores(queries), exact.T, atol=1e-6)


def test_duplicates_tie(make: Make, corpus: tuple[list[Document], np.ndarray]) -> None:
    scores = make(*corpus).raw_scores(corpus[1][:2])
    np.testing.assert_array_equal(scores[:, :20], scores[:, 500:520])


def test_documents_come_back_whole_and_in_the_order_asked(
    make: Make, corpus: tuple[list[Document], np.ndarray]
) -> None:
    found = make(*corpus).documents([7, 3])
    assert list(found) == [corpus[0][7], corpus[0][3]]
