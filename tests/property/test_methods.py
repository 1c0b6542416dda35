"""What must hold for every method, whatever the vectors."""

from dataclasses import fields
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.evaluate.methods import DEFAULT_METHODS, METHODS, method_of
from esens.evaluate.methods.base import Asked, CombinesScores, ComparesSides, MovesQuery, Raw, Sides
from esens.score.normalise import Scores

Matrix = npt.NDArray[np.float32]
OF_VECTORS = [name for name in DEFAULT_METHODS if name != "bm25"]


class World(NamedTuple):
    """Documents with duplicates among them, and a query; some texts are equal, opposite or zero."""

    documents: Matrix
    query: Matrix
    target: Matrix
    traps: Matrix

    @property
    def raw(self) -> Raw:
        with np.errstate(invalid="ignore"):  # BLAS may raise the flag for what it computes and throws away
            return Raw(*(text @ self.documents.T for text in (self.query, self.target, self.traps)))

    def scores(self, spec: str, raw: Raw | None = None) -> Scores:
        method = method_of(spec)
        if isinstance(method, MovesQuery):
            return np.asarray(
                self.documents @ method.vector(Asked(self.query, self.target, self.traps)), np.float64
            )
        given = raw or self.raw
        if isinstance(method, ComparesSides):
            return method.scores_of(Sides(given, given.traps, np.zeros(given.traps.shape)))
        assert isinstance(method, CombinesScores)
        return method.scores(given)


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
        assert scores.dtype == np.float64
        assert np.isfinite(scores).all()


# Raw scores are permuted, not computed again: a product may differ in the last bit with the place of a row, and
# ranks of equal documents with it.


@pytest.mark.parametrize("name", OF_VECTORS)
@given(world=worlds(), data=st.data())
def test_scores_follow_their_documents(name: str, world: World, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(world.documents))))
    raw = Raw(world.raw.query[order], world.raw.target[order], world.raw.traps[:, order])
    moved = world._replace(documents=world.documents[order]).scores(name, raw)
    np.testing.assert_allclose(moved, world.scores(name)[order], atol=1e-12)


@pytest.mark.parametrize("name", OF_VECTORS)
@given(world=worlds(), data=st.data())
def test_the_order_of_the_traps_does_not_matter(name: str, world: World, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(world.traps))))
    raw = Raw(world.raw.query, world.raw.target, world.raw.traps[order])
    moved = world._replace(traps=world.traps[order]).scores(name, raw)
    np.testing.assert_allclose(moved, world.scores(name), atol=1e-6)


@pytest.mark.parametrize("name", ["subtract", "move-away", "deo", "baseline-minus-trap", "contrast"])
@given(world=worlds())
def test_weight_zero_is_plain_retrieval(name: str, world: World) -> None:
    _assert_same_order(world.scores(f"{name}:0"), world.documents @ world.query)


@pytest.mark.parametrize("name", ["negative-mean", "target-minus-trap"])
@given(world=worlds())
def test_weight_zero_is_plain_retrieval_of_the_target(name: str, world: World) -> None:
    _assert_same_order(world.scores(f"{name}:0"), world.documents @ world.target)


@given(world=worlds())
def test_nothing_of_the_traps_is_left_in_the_orthogonal_vector(world: World) -> None:
    method = method_of("orthogonal")
    assert isinstance(method, MovesQuery)
    left = method.vector(Asked(world.query, world.target, world.traps))
    np.testing.assert_allclose(world.traps @ left, 0, atol=1e-5)


def _assert_same_order(scores: Scores, plain: npt.NDArray[np.floating]) -> None:
    clear = plain[:, None] > plain[None] + 1e-6
    assert not (clear & (scores[:, None] <= scores[None])).any()
