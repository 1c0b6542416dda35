"""What must hold for every method, whatever the vectors."""

from dataclasses import fields
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.arrays.scan import scan
from esens.evaluate.methods import DEFAULT_METHODS, METHODS, method_of
from esens.evaluate.methods.base import CombinesScores, MovesQuery, RanksByScorer, SplitScores, SplitVectors
from esens.score.base import RawScores, Readings
from esens.score.normalise import Array

Matrix = npt.NDArray[np.float32]
OF_VECTORS = [name for name in DEFAULT_METHODS if name not in ("bm25", "keyword-not")]


class World(NamedTuple):
    """Documents with duplicates among them, and a query; some texts are equal, opposite or zero."""

    documents: Matrix
    query: Matrix
    target: Matrix
    traps: Matrix

    @property
    def raw(self) -> SplitScores:
        rows = scan(self.documents, np.concatenate([self.query[None], self.target[None], self.traps]))
        return SplitScores(rows[0], rows[1], rows[2:])

    def scores(self, spec: str) -> Array:
        """Scores of all documents, which have no words to read."""
        method = method_of(spec)
        if isinstance(method, MovesQuery):
            vector = method.vector(SplitVectors(self.query, self.target, self.traps))
            assert np.isfinite(vector).all()
            return np.asarray(scan(self.documents, np.asarray(vector, np.float32)[None])[0])
        if isinstance(method, RanksByScorer):
            raw = RawScores(*self.raw)
            return method.scorer.terms(raw, raw.ranges(), Readings.of_names(np.zeros(raw.traps.shape))).score
        assert isinstance(method, CombinesScores)
        return method.scores(self.raw)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, dimension, traps = draw(st.integers(1, 40)), draw(st.integers(1, 12)), draw(st.integers(1, 4))
    vectors = random.standard_normal((rows + 2 + traps, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    documents, texts = vectors[:rows], vectors[rows:]
    documents[random.integers(0, rows, rows // 4)] = documents[0]
    for to, source in draw(st.lists(st.tuples(*[st.integers(0, len(texts) - 1)] * 2), max_size=3)):
        texts[to] = texts[source] * draw(st.sampled_from([1, -1, 0]))
    query, target, *rest = texts.astype(np.float32)
    return World(documents.astype(np.float32), query, target, np.stack(rest))


@pytest.mark.parametrize("name", OF_VECTORS)
@given(world=worlds(), parameter=st.floats(0, 100))
def test_scores_are_finite_numbers_one_a_document(name: str, world: World, parameter: float) -> None:
    specs = [name, f"{name}:{parameter}"] if fields(METHODS[name]) else [name]
    for spec in specs:
        scores = world.scores(spec)
        assert scores.shape == (len(world.documents),)
        assert np.isfinite(scores).all()
        if not isinstance(method_of(spec), MovesQuery):
            assert scores.dtype == np.float64


@pytest.mark.parametrize("name", OF_VECTORS)
@given(world=worlds(), data=st.data())
def test_scores_follow_their_documents(name: str, world: World, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(world.documents))))
    moved = world._replace(documents=world.documents[order]).scores(name)
    np.testing.assert_array_equal(moved, world.scores(name)[order])


@pytest.mark.parametrize("name", OF_VECTORS)
@given(world=worlds(), data=st.data())
def test_the_order_of_the_traps_does_not_matter(name: str, world: World, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(world.traps))))
    moved = world._replace(traps=world.traps[order]).scores(name)
    np.testing.assert_allclose(moved, world.scores(name), atol=1e-6)


@pytest.mark.parametrize("name", ["subtract", "move-away", "deo", "baseline-minus-trap"])
@given(world=worlds())
def test_weight_zero_is_plain_retrieval(name: str, world: World) -> None:
    _assert_same_order(world.scores(f"{name}:0"), world.raw.query)


@pytest.mark.parametrize("name", ["negative-mean", "target-minus-trap"])
@given(world=worlds())
def test_weight_zero_is_plain_retrieval_of_the_target(name: str, world: World) -> None:
    _assert_same_order(world.scores(f"{name}:0"), world.raw.target)


@pytest.mark.parametrize(
    ("name", "text"),
    [("baseline-minus-trap", "query"), ("target-minus-trap", "target"), ("contrast", "query"), ("esens", "query")],
)
def test_a_scorer_of_no_weight_is_plain_retrieval_of_one_text(name: str, text: str) -> None:
    method = method_of(f"{name}:0")
    assert isinstance(method, RanksByScorer)
    assert method.scorer.texts("query", "target", ("trap",)).flat() == (text,)


@given(world=worlds())
def test_nothing_of_the_traps_is_left_in_the_orthogonal_vector(world: World) -> None:
    method = method_of("orthogonal")
    assert isinstance(method, MovesQuery)
    left = method.vector(SplitVectors(world.query, world.target, world.traps))
    np.testing.assert_allclose(world.traps @ left, 0, atol=1e-5)


def _assert_same_order(scores: Array, plain: Array) -> None:
    clear = plain[:, None] > plain[None] + 1e-6
    assert not (clear & (scores[:, None] <= scores[None])).any()
