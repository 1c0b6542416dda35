"""Over an engine a search finds what it finds over a matrix in memory."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.test_laws import WANTED, World, worlds

from esens import Contrast, Decomposition, Linear, Relational, Results, Searcher
from esens.search import SCORES
from esens.testing import EngineDouble

ks = st.integers(0, 40)


def _over_an_engine(world: World, **options: Any) -> tuple[Results, EngineDouble]:
    engine = EngineDouble(world.documents, world.vectors)
    searcher = Searcher(engine, embedder=world.embed)
    decomposition = Decomposition("target", world.traps)
    return searcher.search(WANTED, decomposition=decomposition, **options), engine


@given(worlds(), ks, st.floats(0, 3), st.floats(0, 2))
def test_the_papers_score_finds_the_same(world: World, k: int, beta: float, gamma: float) -> None:
    options = {"score": Linear(beta=beta, alpha=1.0, gamma=gamma), "k": k}
    found, _ = _over_an_engine(world, **options)
    exact = world.search(world.traps, **options)
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in exact], abs=1e-6)
    clear = {hit.id for hit in exact if exact and hit.score > exact[-1].score + 1e-6}
    assert clear <= set(found.ids)


@pytest.mark.parametrize("kind", [Contrast, Relational])
@given(worlds(), ks, st.sampled_from(["soft", "hard", "flag"]))
def test_over_all_candidates_it_is_the_same_to_the_last_bit(
    kind: type[Contrast], world: World, k: int, mode: str
) -> None:
    scorer = kind(mode=mode, depth=300)  # as many as these corpora have documents
    found, _ = _over_an_engine(world, k=k, score=scorer)
    exact = world.search(world.traps, k=k, score=kind(mode=mode))
    assert [hit.score for hit in found] == [hit.score for hit in exact]
    # Of those that tie with the last, an engine may find others: it knows no corpus order.
    clear = [hit for hit in exact if hit.score > exact[-1].score]
    assert {hit.id: hit for hit in found if hit.score > exact[-1].score} == {hit.id: hit for hit in clear}
    if set(found.ids) == set(exact.ids):  # others that tie with them may reach farther down
        last = min((hit.score for hit in exact.removed), default=0.0)  # the list ends among those that tie, too
        clearly = [{hit for hit in results.removed if hit.score > last} for results in (found, exact)]
        assert clearly[0] == clearly[1]


@given(worlds(), ks)
@pytest.mark.parametrize("score", SCORES)
def test_without_an_exclusion_it_is_one_plain_query(score: str, world: World, k: int) -> None:
    found, engine = _over_an_engine(world, k=k, score=score, beta=0)
    exact = world.search(world.traps, k=k, score=score, beta=0)
    assert list(found) == list(exact)
    assert engine.requested_k == [[k]]


@given(worlds(), st.integers(1, 10))
def test_the_papers_score_with_one_trap_is_one_query(world: World, k: int) -> None:
    if len(world.traps) == 1:
        found, engine = _over_an_engine(world, k=k, score="linear")
        assert engine.requested_k == [[k]]
        assert len(found) == min(k, len(world.vectors))
