"""The frontier against the naive loop, cell by cell; and what must hold of any ranks."""

import tracemalloc

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens import MemoryIndex
from esens.arrays.rank import ranks_of
from esens.arrays.unit import unit_rows
from esens.errors import ArgumentError
from esens.evaluate.dataset import Gold
from esens.evaluate.ranks import matmul as products
from esens.evaluate.ranks.frontier import GRID, frontier
from esens.evaluate.ranks.matmul import Corpus, Matrix
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.score.base import RawScores
from esens.score.linear import Linear

Values = npt.NDArray[np.floating]
GRIDS = (
    GRID,
    np.array([0.3]),
    np.array([0.0, 0.1, 0.15, 0.7]),
    np.linspace(0.2, 3.0, 7),
    np.linspace(0.5, 1.0, 51),
)


@st.composite
def experiments(draw):
    """Small corpora of whole numbers, full of duplicates, ties, zero vectors and exact crossings.

    Or of vectors that nearly agree, so that single precision can hardly tell their scores apart.
    """
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    documents, dimension, queries = (draw(st.integers(1, most)) for most in (400, 6, 4))
    whole, spread = draw(st.booleans()), draw(st.sampled_from([10.0, 1e-1, 1e-2, 1e-3]))
    base = random.standard_normal(dimension)

    def rows(count: int) -> Matrix:
        noise = random.standard_normal((count, dimension))
        matrix = random.integers(-2, 3, (count, dimension)) if whole else base + spread * noise
        return unit_rows(matrix.astype(np.float32))

    traps = random.integers(0, 4, queries)
    first = np.concatenate([[0], np.cumsum(traps)])
    traps = rows(int(first[-1]))
    asked = QueryVectors(rows(queries), rows(queries), traps, first, traps)
    owners = np.sort(random.integers(0, queries, 6))
    gold = Gold(owners, random.integers(0, documents, 6), np.ones(6, int))
    weights = draw(st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.7), (2.0, 3.0)]))
    return rows(documents), asked, gold, weights, draw(st.sampled_from(GRIDS)), draw(st.integers(1, 4000))


def naive(
    corpus: Corpus, asked: QueryVectors, gold: Gold, weights: tuple[float, float], betas: Values
) -> npt.NDArray[np.intp]:
    """Rank at one beta after another, by the score that searches use."""
    ranks = []
    for query, position in zip(gold.query, gold.position, strict=True):
        traps = asked.traps[asked.traps_of(query)]
        raw = corpus.scored(np.concatenate([asked.query[[query]], asked.target[[query]], traps])).whole()
        for beta in betas:
            scores = raw[0]
            if len(traps):
                scorer, of_texts = (
                    Linear(alpha=weights[0], gamma=weights[1], beta=beta),
                    RawScores(raw[0], raw[1], raw[2:]),
                )
                scores = scorer.terms(of_texts, of_texts.ranges()).score
            ranks.append(ranks_of(np.array([position]), scores)[0])
    return np.array(ranks).reshape(len(gold.query), -1)


@given(experiments())
def test_every_cell_is_that_of_the_naive_loop(experiment):
    vectors, asked, gold, weights, betas, memory = experiment
    corpus = Corpus(vectors, memory=memory)
    found = frontier(corpus, asked, gold, betas, alpha=weights[0], gamma=weights[1])
    assert found.tolist() == naive(corpus, asked, gold, weights, betas).tolist()


@given(experiments(), st.integers(1, 4))
def test_tiles_and_memory_change_nothing(experiment, blocks):
    vectors, asked, gold, weights, betas, memory = experiment
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "TILE", 16 * blocks)
        small = frontier(Corpus(vectors, memory=memory), asked, gold, betas, alpha=weights[0], gamma=weights[1])
    index = MemoryIndex(map(str, range(len(vectors))), vectors)
    whole = frontier(Corpus(index), asked, gold, betas, alpha=weights[0], gamma=weights[1])
    assert small.tolist() == whole.tolist()


@given(st.integers(0, 2**32), st.integers(1, 70), st.integers(1, 40))
def test_equal_documents_tie_exactly_wherever_they_stand(seed, documents, rows):
    random = np.random.default_rng(seed)
    some = unit_rows(random.standard_normal((7, 24)).astype(np.float32))
    which = random.integers(0, 7, documents)
    raw = Corpus(some[which]).scored(random.standard_normal((rows, 24)).astype(np.float32)).whole()
    for one in range(7):
        assert len(np.unique(raw[:, which == one], axis=1).T) <= 1


@pytest.mark.parametrize("betas", [[], [0.2, 0.1], [0.1, 0.1], [[0.1]], [-0.1, 0.2], [0.0, float("nan")]])
def test_a_grid_that_makes_no_sense_is_refused(betas):
    asked = QueryVectors.of(np.eye(2, dtype=np.float32))
    with pytest.raises(ArgumentError, match="beta"):
        frontier(Corpus(np.eye(2, dtype=np.float32)), asked, Gold(*np.zeros((3, 1), int)), betas)


def test_vectors_from_a_file_give_the_same_ranks_as_from_memory(tmp_path):
    random = np.random.default_rng(5)
    matrix = random.standard_normal((300, 16)).astype(np.float32)
    np.save(tmp_path / "documents.npy", matrix)
    asked = QueryVectors.of(*(random.standard_normal((20, 16)) for _ in range(3)))
    gold = Gold(np.arange(20), random.integers(0, 300, 20), np.ones(20, int))
    mapped = np.load(tmp_path / "documents.npy", mmap_mode="r")
    assert isinstance(mapped, np.memmap)
    expected = frontier(Corpus(unit_rows(matrix)), asked, gold)
    assert frontier(Corpus(mapped), asked, gold).tolist() == expected.tolist()
    halved = frontier(Corpus(matrix.astype(np.float16)), asked, gold)
    assert np.abs(halved - expected).mean() < 1


def test_dimensions_that_do_not_match_are_named():
    asked = QueryVectors.of(np.eye(3, dtype=np.float32))
    with pytest.raises(ArgumentError, match="3 dimensions, documents 2"):
        frontier(Corpus(np.eye(2, dtype=np.float32)), asked, Gold(*np.zeros((3, 1), int)))


@pytest.mark.parametrize(("query", "position"), [(-1, 0), (2, 0), (0, -1), (0, 2)])
def test_gold_that_points_nowhere_is_refused(query, position):
    gold = Gold(np.array([query]), np.array([position]), np.array([1]))
    with pytest.raises(ArgumentError, match="gold"):
        frontier(Corpus(np.eye(2, dtype=np.float32)), QueryVectors.of(np.eye(2, dtype=np.float32)), gold)


def test_raw_scores_stay_within_the_bound():
    random = np.random.default_rng(0)
    matrix = unit_rows(random.standard_normal((20_000, 8)).astype(np.float32))
    asked = QueryVectors.of(*(random.standard_normal((400, 8)) for _ in range(3)))
    gold = Gold(np.arange(400), random.integers(0, 20_000, 400), np.ones(400, int))
    corpus, bound = Corpus(matrix, memory=16 * 2**20), 16 * 2**20
    frontier(corpus, asked, gold)  # what is imported and cached on first use is not its own
    tracemalloc.start()
    frontier(corpus, asked, gold)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.2 * bound
