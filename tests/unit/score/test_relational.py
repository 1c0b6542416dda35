"""The default score: subjects by their contrast, properties by what documents say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.words import by_words

from esens import Contrast, Decomposition, Document, Exclusion, Relational, Searcher
from esens.embed import Embedder
from esens.errors import ArgumentError
from esens.evidence.excluded_thing import excluded_thing
from esens.evidence.statements import statement_of
from esens.score.base import RawScores, Readings
from esens.score.residual import FEWEST, MOST, fit_residual, residual_share

PASTA = [
    Document("plain", "Pasta with butter and cheese.", "Pasta"),
    Document("porcini", "Pasta with cream and mushrooms.", "Pasta of the woods"),
    Document("without", "Pasta with tomatoes. Contains no mushrooms.", "Red pasta"),
    Document("soup", "A soup of lentils.", "Soup"),
    Document("bread", "Flour, water and salt.", "Bread"),
]


@pytest.fixture(scope="module")
def searcher(minilm: Embedder) -> Searcher:
    return Searcher.from_documents(PASTA, embedder=minilm)


def test_it_is_the_default(searcher: Searcher) -> None:
    results = searcher.search("pasta without mushrooms")
    assert results.scoring.name == "relational"
    assert results == searcher.search("pasta without mushrooms", score=Relational())


def test_documents_that_have_the_thing_go_down_and_say_why(searcher: Searcher) -> None:
    results = searcher.search("pasta without mushrooms", k=5)
    assert set(results.ids[:2]) == {"plain", "without"}
    why = {hit.id: hit.explanation for hit in results}
    assert why["porcini"].penalty_share == 1
    assert why["porcini"].evidence is not None
    assert why["porcini"].evidence.stance == "affirmed"
    assert "has “mushrooms”: “Pasta with cream and mushrooms.”" in str(why["porcini"])
    assert why["without"].penalty == 0
    assert "says it lacks “mushrooms”" in str(why["without"])
    assert "says nothing of “mushrooms”" in str(why["plain"])


def test_hard_leaves_out_what_affirms_the_thing_and_nothing_else(searcher: Searcher) -> None:
    results = searcher.search("pasta without mushrooms", mode="hard")
    assert "porcini" not in results.ids
    assert [hit.id for hit in results.removed] == ["porcini"]
    assert set(results.ids) == {"plain", "without", "soup", "bread"}
    assert "mushrooms" in str(results)


_PIECES = ("nuts", "no nuts", "almonds", "nut-free", "oats", "honey", "made without nuts", "some add walnuts")


@given(st.lists(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=4), min_size=1, max_size=30))
def test_no_result_of_hard_affirms_the_thing_and_all_that_is_left_out_is_quoted(texts: list[list[str]]) -> None:
    documents = [Document(str(at), f"A bar: {'. '.join(pieces)}.") for at, pieces in enumerate(texts)]
    results = Searcher.from_documents(documents, embedder=by_words).search("bars without nuts", k=10, mode="hard")
    nuts = excluded_thing("nuts")
    assert all(statement_of(hit.document, nuts).stance != "affirmed" for hit in results)
    assert all(hit.explanation.evidence and hit.explanation.evidence.quote for hit in results.removed)
    wanted = [document for document in documents if statement_of(document, nuts).stance != "affirmed"]
    assert len(results) == min(10, len(wanted))


def test_flag_marks_by_the_same_evidence(searcher: Searcher) -> None:
    results = searcher.search("pasta without mushrooms", mode="flag")
    assert {hit.id for hit in results if hit.explanation.is_excluded} == {"porcini"}


def test_a_word_behind_a_minus_is_ruled_out(searcher: Searcher) -> None:
    results = searcher.search("pasta -mushrooms", mode="hard")
    assert {hit.id for hit in results.removed} == {"porcini", "without"}


def test_where_the_thing_is_a_title_it_is_a_subject(minilm: Embedder) -> None:
    documents = [
        Document("dayton", "An airport north of Dayton, Ohio.", "Dayton International Airport"),
        Document("ohio", "Ohio has airports besides Dayton International Airport.", "Airports of Ohio"),
        *PASTA,
    ]
    query = "airports in Ohio without Dayton International Airport"
    results = Searcher.from_documents(documents, embedder=minilm).search(query, k=7)
    assert results.ids[0] == "ohio"
    assert results[0].explanation.penalty == 0
    (dayton,) = (hit for hit in results if hit.id == "dayton")
    assert dayton.explanation.penalty_share == 1


def test_an_exclusion_may_say_what_it_is(searcher: Searcher) -> None:
    split = Decomposition("pasta", exclusions=(Exclusion("mushrooms", "has", weight=0.5),))
    results = searcher.search("pasta", k=5, decomposition=split)
    assert {hit.id: hit.explanation.penalty_share for hit in results}["porcini"] == 0.5


def test_bad_parameters_are_refused() -> None:
    for share in (-0.1, 1.1, "half", True):
        with pytest.raises(ArgumentError, match="query_share: must be a number of at least 0"):
            Relational(query_share=share)  # type: ignore[arg-type]


seeds = st.integers(0, 10_000)


def _raw(seed: int, documents: int = 60) -> RawScores:
    random = np.random.default_rng(seed)
    return RawScores(random.random(documents), random.random(documents), random.random((2, documents)))


def _readings(raw: RawScores, seed: int) -> Readings:
    stances = np.random.default_rng(seed).integers(0, 4, raw.traps.shape)
    nothing = np.zeros(raw.traps.shape, np.bool_)
    return Readings(np.zeros(raw.traps.shape), nothing, stances == 1, stances == 2, stances == 3, nothing)


@given(seeds, seeds)
def test_to_affirm_never_gains_and_to_deny_never_costs(seed: int, words: int) -> None:
    raw = _raw(seed)
    fitted = Relational().fit(raw, (True, True))
    readings = _readings(raw, words)
    silent, said = fitted.terms(raw, raw.ranges()), fitted.terms(raw, raw.ranges(), readings)
    affirmed = readings.affirmed.any(axis=0)
    only_denied = readings.denied.all(axis=0)
    assert (said.score[affirmed] == 0).all()
    assert (said.score[only_denied] >= silent.score[only_denied]).all()
    most = fitted.most(raw, raw.ranges())
    assert most is not None
    assert (said.score <= most + 1e-12).all()


@given(seeds)
def test_of_two_alike_the_one_that_has_the_thing_is_behind(seed: int) -> None:
    raw = _raw(seed)
    twins = raw.at(np.array([*range(60), 7]))
    readings = Readings.of_names(np.zeros(twins.traps.shape))
    readings.affirmed[0, 60] = True
    score = Relational().fit(twins, (True, False)).terms(twins, twins.ranges(), readings).score
    assert score[60] <= score[7]
    assert score[60] == 0


@given(seeds, st.floats(0.1, 10), st.floats(-5, 5))
def test_scale_and_shift_of_raw_scores_change_nothing(seed: int, scale: float, shift: float) -> None:
    raw = _raw(seed)
    assert raw.target is not None
    moved = RawScores(raw.query * scale + shift, raw.target * scale + shift, raw.traps * scale + shift)
    scores = [Relational().fit(each, (True, True)).terms(each, each.ranges()).score for each in (raw, moved)]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-7)


@given(seeds, seeds)
def test_without_a_property_it_is_contrast(seed: int, words: int) -> None:
    raw = _raw(seed)
    readings = _readings(raw, words)
    terms = Relational().fit(raw, (False, False)).terms(raw, raw.ranges(), readings)
    contrast = Contrast(alpha=0.5, gamma=0.5).terms(raw, raw.ranges(), readings)
    np.testing.assert_array_equal(terms.score, contrast.score)


@given(seeds)
def test_a_residual_is_a_share_of_what_lies_apart(seed: int) -> None:
    raw = _raw(seed)
    assert raw.target is not None
    fit = fit_residual(raw.target, raw.traps[0])
    share = residual_share(raw.target, raw.traps[0], fit, 2.0)
    assert share.min() >= 0
    assert share.max() <= MOST
    assert fit.slope >= 0
    order = np.random.default_rng(seed).permutation(60)
    assert fit == fit_residual(raw.target[order], raw.traps[0][order])


def test_of_few_documents_a_residual_says_nothing() -> None:
    raw = _raw(1, FEWEST - 1)
    assert raw.target is not None
    fit = fit_residual(raw.target, raw.traps[0])
    assert (residual_share(raw.target, raw.traps[0], fit, 5.0) == 0).all()


@given(seeds, st.floats(0, 1))
def test_a_title_costs_by_the_weight_of_its_exclusion(seed: int, weight: float) -> None:
    raw = _raw(seed)._replace(weights=(weight, 1.0))
    readings = _readings(raw, 0)
    readings.subjects[0, 0], readings.subjects[1, 1] = True, True
    share = Relational().fit(raw, (False, False)).terms(raw, raw.ranges(), readings).sides
    assert share[0, 0] == weight
    assert share[1, 1] == 1.0
