"""What a verifier can do to a ranking, whatever it says."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.property.test_same_ranks import Embedder, World, worlds
from tests.verifiers import Says, Scores

from esens import Results, Searcher
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.experiment import Experiment
from esens.evaluate.methods.staged import StagedSearch
from esens.search.second_stage import SecondStage
from esens.types import STANCES

stances = st.sampled_from(STANCES)


def _found(world: World, verifier: Says, *, k: int = 100, verify: int = 20) -> Results:
    searcher = Searcher.from_documents(
        world.documents, embedder=Embedder(world.vectors), verifier=verifier, verify=verify
    )
    return searcher.search(world.query, decomposition=world.decomposition, k=k)


def _judging(world: World, draw: st.DataObject) -> dict[str, str]:
    return {document.id: draw.draw(stances) for document in world.documents if draw.draw(st.booleans())}


@given(world=worlds(), draw=st.data())
def test_without_an_exclusion_no_call_is_made_and_nothing_changes(world: World, draw: st.DataObject) -> None:
    world = replace_traps(world)
    verifier = Says(_judging(world, draw))
    assert [(hit.id, hit.score) for hit in _found(world, verifier)] == [
        (hit.id, hit.score) for hit in _found(world, Says({}))
    ]
    assert verifier.calls == []


def replace_traps(world: World) -> World:
    return world._replace(decomposition=replace(world.decomposition, traps=(), exclusions=()))


@given(world=worlds(), draw=st.data())
def test_what_it_affirms_never_ranks_above_its_place_without(world: World, draw: st.DataObject) -> None:
    affirmed = draw.draw(st.sampled_from(world.documents)).id
    places = [
        [hit.id for hit in _found(world, Says(said))].index(affirmed) for said in ({}, {affirmed: "affirmed"})
    ]
    assert places[1] >= places[0]


@given(world=worlds(), draw=st.data(), verify=st.integers(1, 30))
def test_it_is_asked_once_of_each_exclusion_and_no_more_documents_than_it_may(
    world: World, draw: st.DataObject, verify: int
) -> None:
    verifier = Says(_judging(world, draw))
    _found(world, verifier, verify=verify)
    traps = len(world.decomposition.traps)
    assert len(verifier.calls) == (1 if traps else 0)
    assert len(verifier.asked) == traps * min(verify, len(world.documents))


@given(world=worlds(), draw=st.data(), verify=st.integers(1, 30))
def test_fewer_results_are_the_first_of_more(world: World, draw: st.DataObject, verify: int) -> None:
    said = _judging(world, draw)
    every = _found(world, Says(said), verify=verify)
    for k in (1, 2, 5):
        assert _found(world, Says(said), k=k, verify=verify).ids == every.ids[:k]


@given(world=worlds(), draw=st.data(), has_relevance=st.booleans())
def test_an_evaluation_ranks_as_such_a_search_does(world: World, draw: st.DataObject, has_relevance: bool) -> None:
    said = _judging(world, draw)
    model = Scores(lambda text: sum(map(ord, text)) % 97 / 97) if has_relevance else None
    searcher = Searcher.from_documents(
        world.documents, embedder=Embedder(world.vectors), verifier=Says(said), relevance=model
    )
    hits = searcher.search(world.query, decomposition=world.decomposition, k=len(world.documents))
    query = Query("q", world.query, {document.id: 1 for document in world.documents})
    experiment = Experiment.prepare(
        Dataset("world", (query,), world.documents),
        embedder=Embedder(world.vectors),
        decomposer=lambda _: world.decomposition,
    )
    method = StagedSearch(SecondStage(Says(said), relevance=model))
    judged = [document for _, document, _ in experiment.dataset.judged]
    ranks = dict(zip(judged, experiment.ranks([method])[method.name].tolist(), strict=True))
    assert ranks == {hit.id: hit.rank for hit in hits}
