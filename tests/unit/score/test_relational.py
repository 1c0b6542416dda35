"""The default score: subjects by their contrast, properties by what documents say."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.words import by_words

from esens import Contrast, Decomposition, Document, Exclusion, Relational, Searcher
from esens.embed import Embedder
from esens.errors import ArgumentError
from esens.evidence.excluded_thing import excluded_thing
from esens.evidence.statements import statement_of
from esens.score.base import LAST, RawScores, Readings
from esens.score.normalise import min_max
from esens.score.relational import MOST_BY_VECTOR
from esens.score.residual import FEWEST, MOST, fit_residual, residual_slope

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
    assert "nothing in its text says that it has “mushrooms”" in str(why["plain"])


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


def test_of_documents_as_near_the_one_that_says_what_is_wanted_is_first() -> None:
    def alike(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.ones((len(texts), 2), np.float32)

    documents = [
        Document("soup", "A soup of lentils."),
        Document("cake", "A cake of carrots."),
        Document("nuts", "A cake of nuts."),
    ]
    searcher = Searcher.from_documents(documents, embedder=alike)
    assert searcher.search("cakes without nuts", mode="hard").ids == ("cake", "soup")
    assert searcher.search("cakes without nuts", mode="hard", score=Relational(words=0)).ids == ("soup", "cake")
    assert searcher.search("cakes", k=3).ids == ("soup", "cake", "nuts")
    assert searcher.search("cakes", exclude=["nuts"], k=2).ids == ("soup", "cake")  # an example has no words


def test_a_kind_of_the_thing_in_many_documents_makes_it_a_property() -> None:
    wanted = "sorbets, ices and frozen sweet desserts"
    documents = [
        Document(str(at), f"{wanted} with {what}") for at, what in enumerate(["milk"] * 5 + ["lemon"] * 5)
    ]
    split = Decomposition(wanted, exclusions=(Exclusion("dairy"),))
    results = Searcher.from_documents(documents, embedder=by_words).search(wanted, k=10, decomposition=split)
    assert {hit.id for hit in results if hit.explanation.penalty_share == 1} == {"0", "1", "2", "3", "4"}


def test_a_namesake_with_other_initials_keeps_its_score() -> None:
    documents = [
        Document("w", "George W. Bush was a president."),
        Document("hw", "George H. W. Bush was a president."),
        *PASTA,
    ]
    searcher = Searcher.from_documents(documents, embedder=by_words)
    found = {hit.id: hit for hit in searcher.search("presidents other than George W. Bush", k=7)}
    assert found["hw"].rank == 1
    assert found["hw"].explanation.penalty == 0


def test_a_namesake_is_found_however_near_its_vector_is_to_the_excluded() -> None:
    query, namesake = "presidents other than George W. Bush", "George H. W. Bush, a president."
    vectors = {query: (1.0, 0.0), "presidents": (0.6, 0.8), "George W. Bush": (1.0, 0.0), namesake: (1.0, 0.0)}
    vectors |= {
        f"Number {at}.": (0.5, 0.9 - at / 100) for at in range(40)
    }  # so many are more relevant as it seems
    vectors["The last."] = (0.0, -1.0)
    searcher = Searcher.from_documents(
        [text for text in vectors if text.endswith(".")],
        embedder=lambda texts: np.array([vectors[text] for text in texts]),
    )
    best = searcher.search(query, k=1, score=Relational(words=0))[0]
    assert (best.text, best.explanation.penalty) == (namesake, 0)


def test_an_exclusion_may_say_what_it_is(searcher: Searcher) -> None:
    split = Decomposition("pasta", exclusions=(Exclusion("mushrooms", "has", weight=0.5),))
    results = searcher.search("pasta", k=5, decomposition=split)
    assert {hit.id: hit.explanation.penalty_share for hit in results}["porcini"] == 0.5


def test_bad_parameters_are_refused() -> None:
    for share in (-0.1, 1.1, "half", True):
        with pytest.raises(ArgumentError, match="query_share: must be a number of at least 0"):
            Relational(query_share=share)  # type: ignore[arg-type]
        with pytest.raises(ArgumentError, match="words: must be a number of at least 0"):
            Relational(words=share)  # type: ignore[arg-type]


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
    assert (said.score[affirmed] == -LAST).all()
    assert (said.score[only_denied] >= silent.score[only_denied]).all()
    most = fitted.most(raw, raw.ranges())
    assert most is not None
    assert (said.score <= most + 1e-12).all()


@given(seeds, seeds, st.tuples(st.booleans(), st.booleans()))
def test_words_of_what_is_wanted_only_ever_help_and_bounds_hold(
    seed: int, words: int, has: tuple[bool, bool]
) -> None:
    raw = _raw(seed)
    random = np.random.default_rng(words)
    coverage = np.where(random.random(60) < 0.5, random.random(60), 0.0)
    raw = raw._replace(coverage=coverage)
    more = raw._replace(coverage=np.minimum(1.0, coverage + random.random(60)))
    fitted, readings = Relational().fit(raw, has), _readings(raw, words)
    scores = [fitted.terms(each, raw.ranges(), readings).score for each in (raw, more)]
    assert (scores[1] >= scores[0]).all()
    most = fitted.most(raw, raw.ranges())
    assert most is None or (scores[0] <= most + 1e-12).all()
    assert (most is None) == (not any(has))


@given(seeds)
def test_who_denies_the_thing_loses_nothing_by_the_words_of_others(seed: int) -> None:
    raw = _raw(seed)
    assert raw.target is not None
    first = int(raw.query.argmax())  # of plain retrieval; none of its words are those of what is wanted
    raw = raw._replace(coverage=np.where(np.arange(60) == first, 0.0, 1.0))
    readings = Readings.of_names(np.zeros(raw.traps.shape))
    denied = np.zeros(raw.traps.shape, np.bool_)
    denied[:, first] = True
    readings = readings._replace(denied=denied)
    terms = Relational().fit(raw, (True, True)).terms(raw, raw.ranges(), readings)
    assert terms.score[first] == terms.score.max()


def test_without_words_the_text_of_what_is_wanted_is_not_read() -> None:
    raw = _raw(3)
    read = raw._replace(coverage=np.linspace(0, 1, 60))
    assert Relational(words=0).reads_wanted == 0
    fitted = Relational(words=0).fit(raw, (True, False))
    np.testing.assert_array_equal(fitted.terms(read, raw.ranges()).score, fitted.terms(raw, raw.ranges()).score)


@given(seeds, st.booleans())
def test_words_move_documents_and_not_the_scale(seed: int, is_property: bool) -> None:
    raw = _raw(seed)
    has = (is_property, False)
    by_vectors = Relational(words=0).fit(raw, has)
    at_most = by_vectors.scale(raw, raw.ranges()).place(by_vectors.terms(raw, raw.ranges()).relevance).max()
    for coverage in (np.random.default_rng(seed).random(60), np.zeros(60), np.ones(60)):
        read = raw._replace(coverage=coverage)
        fitted = Relational().fit(read, has)
        relevance = fitted.scale(read, raw.ranges()).place(fitted.terms(read, raw.ranges()).relevance)
        assert relevance.max() == pytest.approx(at_most, abs=1e-9)


@given(seeds)
def test_a_property_costs_what_is_wanted_no_similarity(seed: int) -> None:
    raw = _raw(seed)
    fitted = Relational(words=0).fit(raw, (True, True))
    relevance = fitted.scale(raw, raw.ranges()).place(fitted.terms(raw, raw.ranges()).relevance)
    assert raw.target is not None
    np.testing.assert_allclose(relevance, raw.target, atol=1e-6)


@given(seeds)
def test_of_two_alike_the_one_that_has_the_thing_is_behind(seed: int) -> None:
    raw = _raw(seed)
    twins = raw.at(np.array([*range(60), 7]))
    readings = Readings.of_names(np.zeros(twins.traps.shape))
    readings.affirmed[0, 60] = True
    score = Relational().fit(twins, (True, False)).terms(twins, twins.ranges(), readings).score
    assert score[60] <= score[7]
    assert score[60] == -LAST


@given(seeds, st.floats(0.1, 10), st.floats(-5, 5))
def test_scale_and_shift_of_raw_scores_change_nothing(seed: int, scale: float, shift: float) -> None:
    raw = _raw(seed)
    assert raw.target is not None
    moved = RawScores(raw.query * scale + shift, raw.target * scale + shift, raw.traps * scale + shift)
    scores = [Relational().fit(each, (True, True)).terms(each, each.ranges()).score for each in (raw, moved)]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-7)


@given(seeds, seeds)
def test_without_a_property_it_is_contrast_and_never_costs_all(seed: int, words: int) -> None:
    raw = _raw(seed)
    readings = _readings(raw, words)
    terms = Relational().fit(raw, (False, False)).terms(raw, raw.ranges(), readings)
    contrast = Contrast(alpha=0.5, gamma=0.5).terms(raw, raw.ranges(), readings)
    assert contrast.penalty_share is not None
    is_part = contrast.penalty_share < MOST_BY_VECTOR
    np.testing.assert_array_equal(terms.score[is_part], contrast.score[is_part])
    # Who lost all by its vector alone stood beside who is named for the thing.
    np.testing.assert_array_equal(terms.penalty_share, np.minimum(contrast.penalty_share, MOST_BY_VECTOR))


@given(seeds, seeds, st.floats(0, 1))
def test_who_is_named_for_the_thing_loses_no_less_than_who_is_near_to_it(
    seed: int, words: int, weight: float
) -> None:
    raw = _raw(seed)._replace(weights=(weight, 1.0))
    readings = _readings(raw, words)
    named = readings._replace(subjects=np.ones(raw.traps.shape, np.bool_))
    fitted = Relational().fit(raw, (False, False))
    near, subject = (fitted.terms(raw, raw.ranges(), each).sides for each in (readings, named))
    assert (subject >= near).all()


@given(seeds)
def test_a_residual_is_a_share_of_what_lies_apart(seed: int) -> None:
    raw = _raw(seed)
    assert raw.target is not None
    fit = fit_residual(raw.target, raw.traps[0])
    slope, _ = residual_slope(raw.target, raw.traps[0], fit)
    np.testing.assert_allclose(slope.mean(), 0, atol=1e-6)
    share = Relational().fit(raw, (True, True)).terms(raw, raw.ranges()).sides
    assert share.min() >= 0
    assert share.max() <= MOST
    assert fit.slope >= 0
    order = np.random.default_rng(seed).permutation(60)
    assert fit == fit_residual(raw.target[order], raw.traps[0][order])


def test_of_few_documents_a_residual_says_nothing() -> None:
    raw = _raw(1, FEWEST - 1)
    assert raw.target is not None
    fit = fit_residual(raw.target, raw.traps[0])
    assert (residual_slope(raw.target, raw.traps[0], fit)[0] == 0).all()


@given(seeds, st.floats(0, 1))
def test_a_title_costs_by_the_weight_of_its_exclusion(seed: int, weight: float) -> None:
    raw = _raw(seed)._replace(weights=(weight, 1.0))
    readings = _readings(raw, 0)
    readings.subjects[0, 0], readings.subjects[1, 1] = True, True
    share = Relational().fit(raw, (False, False)).terms(raw, raw.ranges(), readings).sides
    assert share[0, 0] == weight
    assert share[1, 1] == 1.0


@given(seeds, seeds)
def test_whoever_loses_all_is_behind_whoever_loses_nothing(seed: int, words: int) -> None:
    raw = _raw(seed, 12)
    readings = _readings(raw, words)
    for has in ((True, True), (True, False), (False, False)):
        terms = Relational().fit(raw, has).terms(raw, raw.ranges(), readings)
        assert terms.penalty_share is not None
        lost = terms.score[terms.penalty_share == 1]
        kept = terms.score[terms.penalty_share == 0]
        assert len({*lost.tolist()}) <= 1  # those that lose all tie
        assert lost.max(initial=-1.0) < kept.min(initial=2.0)


def test_in_a_tiny_set_the_excluded_is_behind_the_least_relevant(minilm: Embedder) -> None:
    pets = ["Dog food for puppies", "Cat food with salmon", "Fish flakes for aquariums", "Dog leash", "Rabbit hay"]
    results = Searcher.from_documents(pets, embedder=minilm).search("pet food -dog", k=5)
    assert [hit.text for hit in results[3:]] == ["Dog food for puppies", "Dog leash"]
    assert [hit.rank for hit in results] == [1, 2, 3, 4, 4]


SOUPS = [
    "Tomato soup with basil and cream",
    "French onion soup with white wine",
    "Lentil soup with carrots",
    "Alcohol-free mojito with mint and lime, without any alcohol",
    "Whisky sour",
    "Chicken noodle soup",
    "Beer cheese soup",
    "Pea soup with mint",
    "Bread with butter",
    "Leek and potato soup",
    "Miso soup with tofu",
    "Alcohol-free onion soup",
]


def test_a_denial_lifts_no_document_that_is_about_something_else(minilm: Embedder) -> None:
    searcher = Searcher.from_documents(SOUPS, embedder=minilm)
    results = searcher.search("soup without alcohol", k=len(SOUPS))
    ranks = {hit.text: hit.rank for hit in results}
    soups = [ranks[text] for text in SOUPS if "soup" in text and "wine" not in text and "Beer" not in text]
    assert ranks["Alcohol-free mojito with mint and lime, without any alcohol"] > max(soups)
    assert ranks["Alcohol-free onion soup"] == 1


@given(seeds, seeds)
def test_a_denial_gains_little_on_the_query_where_the_target_is_far_off(seed: int, words: int) -> None:
    raw = _raw(seed)
    readings = _readings(raw, words)
    fitted = Relational().fit(raw, (True, True))
    silent, said = fitted.terms(raw, raw.ranges()), fitted.terms(raw, raw.ranges(), readings)
    by_query = min_max(raw.query)
    assert (said.relevance <= np.maximum(1.05 * by_query, 1.5 * silent.relevance) + 1e-12).all()
    first = raw.query >= np.sort(raw.query)[-15]  # a quarter of them
    denied = readings.denied.any(axis=0) & first
    assert (said.relevance[denied] >= by_query[denied]).all()  # never below its plain place for the word


@given(seeds, st.integers(0, 199))
def test_who_alone_denies_the_thing_keeps_its_plain_place(seed: int, place: int) -> None:
    raw = _raw(seed, 400)
    assert raw.target is not None
    at = int(np.argsort(-raw.query)[place])
    raw.target[at] = max(raw.target[at], 0.7)  # it is no document about something else
    denied = np.zeros(raw.traps.shape, np.bool_)
    denied[:, at] = True
    readings = Readings.of_names(np.zeros(raw.traps.shape))._replace(denied=denied)
    squeezed = raw._replace(query=0.7 + 0.01 * raw.query)  # as some embedders' cosines are
    for each in (raw, squeezed):
        terms = Relational(beta=0.0).fit(each, (True, True)).terms(each, each.ranges(), readings)
        assert (terms.score > terms.score[at]).sum() <= place
