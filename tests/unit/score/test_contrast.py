"""The score contrast on numbers small enough to check by hand, and its modes on a few documents."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.words import by_words

import esens
from esens import Contrast, Decomposition, Document, Linear, MemoryIndex, Relational, Searcher
from esens.arrays.rank import Positions, top_k
from esens.arrays.unit import unit_rows
from esens.embed import Embedder
from esens.errors import ArgumentError
from esens.score.base import LAST, QueryTexts, RawScores, Readings, TextVectors
from esens.score.contrast import nearness
from esens.score.linear import DEFAULT_BETA
from esens.score.normalise import Array
from esens.search.best import best_of
from esens.search.candidates import CandidateSet
from esens.search.options import scorer_of
from esens.search.pipeline import run
from esens.search.plan import plan_query

# Each text reaches from 0 to the second greatest, 4 of the target and 5 of the first trap.
QUERY = np.array([0.0, 1, 2, 4, 0])
TARGET = np.array([4.0, 0, 2, 3, 4])
TRAPS = np.array([[0.0, 2, 3, 5, 5], [0.0, 0, 9, 10, 90]])


def _terms(scorer: Contrast, names: list[list[float]] | None = None) -> tuple[list[float], list[float], list[int]]:
    raw = RawScores(QUERY, TARGET, TRAPS)
    given = None if names is None else np.array(names)
    terms = scorer.terms(raw, raw.ranges(), None if given is None else Readings.of_names(given))
    return _share(scorer, raw, given), terms.score.tolist(), terms.trap.tolist()


def _share(scorer: Contrast, raw: RawScores, names: Array | None = None) -> list[float]:
    share = scorer.terms(
        raw, raw.ranges(), None if names is None else Readings.of_names(np.asarray(names, np.float64))
    ).penalty_share
    assert share is not None
    lost: list[float] = share.tolist()
    return lost


def test_what_is_lost_is_a_share_of_the_relevance() -> None:
    share, score, trap = _terms(Contrast(alpha=1, gamma=0, beta=0.5))
    # The sides are −1, 0.4, 0.1, 0.25, 0 for the first trap and −1, 0, 0.4, 0.25, 8 for the second.
    np.testing.assert_allclose(share, [0, 0.2, 0.2, 0.125, 1], atol=1e-15)
    np.testing.assert_allclose(score, [0, 0.25 * 0.8, 0.5 * 0.8, 0.875, -LAST], atol=1e-15)
    assert trap == [0, 0, 1, 0, 1]


def test_a_name_adds_to_the_contrast_of_its_own_trap() -> None:
    names = [[1.0, 0, 0, 0, 0], [0, 1, 0, 0.5, 0]]
    share, _, trap = _terms(Contrast(alpha=1, gamma=0, beta=0.5, naming=0.2), names)
    np.testing.assert_allclose(share, [0, 0.2, 0.2, 0.175, 1], atol=1e-15)
    assert trap == [0, 0, 1, 1, 1]


def test_nobody_loses_more_than_all() -> None:
    share, score, _ = _terms(Contrast(beta=1000))
    assert share == [0, 1, 1, 1, 1]
    assert score[1:] == [-LAST] * 4  # behind the first, which is the least relevant and loses nothing


def test_query_and_target_are_wanted_as_they_are_weighed() -> None:
    raw = RawScores(QUERY, TARGET, TRAPS)
    relevance = Contrast(alpha=0.75, gamma=0.25).terms(raw, raw.ranges()).relevance
    np.testing.assert_allclose(relevance, [0.25, 0.1875, 0.5, 0.9375, 0.25], atol=1e-15)


@pytest.mark.parametrize(
    ("raw", "near"),
    [
        ([0.2, 0.9, 0.5, 0.4], [0, 7 / 3, 1, 2 / 3]),  # from 0.2 to 0.5
        ([0.2, 0.9], [0, 1]),  # the second is the last
        ([0.2, 0.2, 0.9], [0, 0, 1]),
        ([0.4], [0]),
    ],
)
def test_one_document_does_not_set_the_scale_of_a_side(raw: list[float], near: list[float]) -> None:
    side = np.array(raw)
    scores = RawScores(side, side, side[None])
    sides = nearness(scores, scores.ranges())
    np.testing.assert_allclose(sides.target, near)
    np.testing.assert_allclose(sides.traps, [near])


NEAR = RawScores(np.array([0.5, 0.6, 0.7]), np.array([0.55, 0.6, 0.62]), np.array([[0.3, 0.2, 0.1]]))


def test_nobody_pays_whose_cosine_with_the_trap_is_clearly_below_that_with_the_target() -> None:
    assert _share(Contrast(), NEAR) == [0, 0, 0]
    assert _share(Contrast(), NEAR, np.array([[0.5, 0, 0]]))[0] > 0
    assert _share(Contrast(), NEAR._replace(traps=NEAR.traps + 0.1))[0] > 0


@pytest.mark.parametrize("length", [0.1, 1.0, 10.0])
def test_what_is_clearly_below_is_a_matter_of_cosines_also_where_vectors_are_long(length: float) -> None:
    def longer(raw: RawScores) -> RawScores:
        assert raw.target is not None
        return RawScores(raw.query * length, raw.target * length, raw.traps * length, np.full(3, length))

    nearer = NEAR._replace(traps=NEAR.traps + 0.1)
    assert _share(Contrast(), longer(NEAR)) == [0, 0, 0]
    np.testing.assert_allclose(_share(Contrast(), longer(nearer)), _share(Contrast(), nearer), atol=1e-12)


def test_some_documents_score_as_they_do_among_all() -> None:
    raw, some = RawScores(QUERY, TARGET, TRAPS), np.array([3, 1])
    whole = Contrast().terms(raw, raw.ranges())
    part = Contrast().terms(raw.at(some), raw.ranges())
    assert part.score.tolist() == whole.score[some].tolist()


def test_texts_that_score_all_documents_alike_say_nothing() -> None:
    flat = RawScores(np.ones(3), np.ones(3), np.ones((2, 3)))
    terms = Contrast().terms(flat, flat.ranges())
    assert (_share(Contrast(), flat), terms.score.tolist()) == ([0, 0, 0], [0, 0, 0])


@pytest.mark.parametrize("name", ["alpha", "gamma", "beta", "naming"])
@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "1", None, True])
def test_a_weight_is_a_number_of_at_least_zero(name: str, value: object) -> None:
    with pytest.raises(ArgumentError) as raised:
        Contrast(**{name: value})  # type: ignore[arg-type]
    assert raised.value.argument == name


def test_something_must_be_wanted() -> None:
    with pytest.raises(ArgumentError, match="both 0"):
        Contrast(alpha=0, gamma=0)


def test_parameters_are_named() -> None:
    with pytest.raises(TypeError):
        Contrast(2.0)  # type: ignore[call-arg]


def _candidates(raw: Array, documents: Sequence[Document]) -> CandidateSet:
    return CandidateSet.whole(
        QueryTexts("query", "target", ("trap",)), raw, lambda positions: [documents[at] for at in positions]
    )


def _bare(size: int) -> CandidateSet:
    return _candidates(np.zeros((3, size)), [Document(str(i), "x") for i in range(size)])


def test_only_what_can_be_among_the_best_is_looked_at() -> None:
    upper, asked = -np.arange(10_000.0), []

    def exact(positions: Positions) -> Array:
        asked.append(len(positions))
        return upper[positions]

    positions, _ = best_of(_bare(10_000), upper, exact, 5, is_exact=False)
    assert asked == [16]
    assert positions.tolist() == list(range(5))


def test_a_bound_that_ties_with_the_last_is_looked_at_too() -> None:
    # All bounds are equal, and only the last document is worth it.
    upper, score = np.ones(500), np.zeros(500)
    score[499] = 1
    positions, scores = best_of(_bare(500), upper, lambda at: score[at], 1, is_exact=False)
    assert (positions.tolist(), scores.tolist()) == ([499], [1])


@pytest.mark.parametrize("spare_mentions", [True, False])
def test_the_best_is_found_behind_many_that_are_named_for_the_trap(spare_mentions: bool) -> None:
    # The nearest forty lose a twentieth for their name, which makes the one after them the best.
    documents = [Document(str(i), "x", "trap" if i < 40 else "") for i in range(101)]
    alike = np.append(np.ones(100), 0)
    raw = np.stack([np.append(1 - np.arange(100) / 1000, 0), alike, alike])
    scorer = Contrast(alpha=1, gamma=0, beta=0.25, spare_mentions=spare_mentions)
    plan = plan_query("query", Decomposition("target", ("trap",)), scorer, k=1)
    found = run(plan, [_candidates(raw, documents)], lambda texts: np.zeros((3, len(texts))))
    assert found.ids == ("40",)


@pytest.mark.parametrize("depth", [60, 1])
def test_the_best_is_found_within_a_depth_too(depth: int) -> None:
    documents = [Document(str(i), "x", "trap" if i < 40 else "") for i in range(101)]
    angles = np.append(np.arange(100) / 1000, 1.5)
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)

    def embed(texts: Sequence[str]) -> Array:
        return np.stack([{"query": [1.0, 0.0], "target": [1.0, 0.0]}.get(text, [0.0, 1.0]) for text in texts])

    searcher = Searcher(MemoryIndex(documents, vectors), embedder=embed)
    split = Decomposition("target", ("trap",))
    free, within = (
        searcher.search("query", decomposition=split, score=Contrast(depth=bound), k=60).ids
        for bound in (None, depth)
    )
    assert len(free) == len(within) == 60
    assert depth == 1 or free[:20] == within[:20]


@pytest.mark.parametrize(
    "wide", [Contrast().wide, Contrast(mode="hard"), Contrast(mode="flag"), Contrast(depth=9), Relational()]
)
def test_probes_are_the_query_and_the_target(wide: Contrast) -> None:
    texts = QueryTexts("q", "t", ("a", "b"))
    rows = np.eye(4, dtype=np.float32)
    asked = TextVectors.of(texts, rows), RawScores.of(texts, rows).ranges()
    assert wide.probes(*asked).tolist() == rows[:2].tolist()
    assert wide.wide is wide


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 2), st.floats(0, 2), st.floats(0, 3))
def test_no_document_behind_the_last_neighbour_scores_more_than_the_ceiling(
    seed: int, alpha: float, gamma: float, beta: float
) -> None:
    random = np.random.default_rng(seed)
    documents, rows = (unit_rows(random.standard_normal((count, 8))) for count in (60, 3))
    scorer, texts = Contrast(alpha=alpha, gamma=gamma, beta=beta or 1.0), QueryTexts("q", "t", ("a",))
    raw = RawScores.of(texts, rows @ documents.T)
    (probe,) = scorer.probes(TextVectors.of(texts, rows), raw.ranges())
    order = np.argsort(-(documents @ probe))
    ceiling = scorer.ceiling(raw.at(order[19:20]), raw.ranges())
    assert scorer.terms(raw, raw.ranges()).score[order[20:]].max() <= ceiling + 1e-5


DOCUMENTS = [
    Document("vinegar", "salad dressing vinegar vinegar", "Vinegar"),
    Document("oil", "salad dressing oil"),
    Document("lemon", "salad dressing lemon with a drop of vinegar"),
    Document("cream", "salad dressing cream"),
    Document("cider", "vinegar cider", "Cider vinegar"),
    Document("train", "a train leaves"),
]
ASKED = "salad dressing without vinegar"


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher.from_documents(DOCUMENTS, embedder=by_words)


def test_contrast_is_soft_by_default(searcher: Searcher) -> None:
    results = searcher.search(ASKED, score="contrast")
    scoring = results.scoring
    assert (scoring.name, scoring.mode, scoring.parameters["beta"]) == ("contrast", "soft", 2.0)
    assert (scoring.parameters["alpha"], scoring.parameters["gamma"]) == (0.75, 0.25)
    assert not scoring.is_plain
    assert results == searcher.search(ASKED, score="contrast", mode="soft")
    assert results == searcher.search(ASKED, score=Contrast())
    assert results.removed == ()


def test_soft_pushes_down_and_leaves_nothing_out(searcher: Searcher) -> None:
    results = searcher.search(ASKED, k=6)
    assert set(results.ids) == {document.id for document in DOCUMENTS}
    assert set(results.ids[:3]) == {"oil", "lemon", "cream"}
    assert not any(hit.explanation.is_excluded for hit in results)


def test_hard_leaves_out_and_says_what(searcher: Searcher) -> None:
    plain = searcher.search(ASKED, k=3, beta=0)
    assert plain.ids[0] == "vinegar"
    results = searcher.search(ASKED, k=3, mode="hard")
    assert set(results.ids) == {"oil", "lemon", "cream"}
    (removed,) = results.removed
    assert (removed.id, removed.score, removed.rank) == ("vinegar", plain[0].score, 1)
    assert removed.explanation.is_excluded
    assert removed.explanation.trap == "vinegar"
    assert removed.explanation.name_overlap == 1
    assert set(searcher.search(ASKED, k=6, mode="hard").ids) == {"oil", "lemon", "cream", "train"}


def test_flag_marks_and_moves_nothing(searcher: Searcher) -> None:
    plain, flagged = searcher.search(ASKED, beta=0), searcher.search(ASKED, mode="flag")
    assert [(hit.id, hit.score, hit.rank) for hit in flagged] == [(hit.id, hit.score, hit.rank) for hit in plain]
    assert {hit.id for hit in flagged if hit.explanation.is_excluded} == {"vinegar", "cider"}


def test_the_threshold_says_who_is_out(searcher: Searcher) -> None:
    shares = {hit.id: hit.explanation.penalty_share for hit in searcher.search(ASKED, score=Contrast(beta=0.4))}
    lost = shares["vinegar"] or 0.0
    assert 0 < lost < 1
    at, above = (
        searcher.search(ASKED, score=Contrast(mode="hard", beta=0.4, threshold=value)).ids
        for value in (lost, float(np.nextafter(lost, 1)))
    )
    assert "vinegar" not in at
    assert "vinegar" in above


@pytest.mark.parametrize("mode", ["soft", "hard", "flag"])
@pytest.mark.parametrize("k", [0, 1, 100])
def test_every_mode_takes_any_k(searcher: Searcher, mode: str, k: int) -> None:
    results = searcher.search(ASKED, k=k, mode=mode)
    assert len(results) == min(k, 4 if mode == "hard" else 6)
    assert len(results.removed) == (min(k, 2) if mode == "hard" else 0)


@pytest.mark.parametrize("mode", ["soft", "hard"])
@pytest.mark.parametrize("k", [1, 3, 4])
def test_a_depth_that_is_too_small_still_finds_k(searcher: Searcher, mode: str, k: int) -> None:
    assert len(searcher.search(ASKED, k=k, score=Contrast(mode=mode, depth=1))) == k


@pytest.mark.parametrize("mode", ["soft", "hard", "flag"])
def test_without_an_exclusion_every_mode_is_plain_retrieval(searcher: Searcher, mode: str) -> None:
    options: tuple[dict[str, Any], ...] = ({"decomposition": Decomposition(ASKED)}, {"beta": 0})
    for option in options:
        results = searcher.search(ASKED, mode=mode, **option)
        assert results.hits == searcher.search(ASKED, score="linear", beta=0).hits
        assert results.removed == ()
        assert results.scoring.is_plain


@pytest.mark.parametrize("naming", [0.0, 0.2])
@pytest.mark.parametrize("spare_mentions", [True, False])
def test_hard_leaves_out_whatever_else_is_read(searcher: Searcher, naming: float, spare_mentions: bool) -> None:
    scorer = Contrast(mode="hard", naming=naming, spare_mentions=spare_mentions)
    results = searcher.search(ASKED, k=6, score=scorer)
    assert set(results.ids) == {"oil", "lemon", "cream", "train"}
    assert {hit.id for hit in results.removed} == {"vinegar", "cider"}


def test_when_all_is_excluded_nothing_is_left() -> None:
    same = ["red vinegar", "white vinegar"]
    results = Searcher.from_documents(same, embedder=by_words).search(
        "dressing", decomposition=Decomposition("dressing", ("vinegar",)), mode="hard", beta=100
    )
    assert (len(results), len(results.removed)) == (0, 2)


def test_candidates_are_reranked_in_every_mode() -> None:
    texts = [document.content for document in DOCUMENTS]
    scores = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    hard = esens.rerank(ASKED, texts, scores=scores, score="contrast", mode="hard", embedder=by_words)
    assert {hit.id for hit in hard.removed} == {"0", "4"}
    assert [hit.score for hit in hard.removed] == [6.0, 2.0]
    flag = esens.rerank(ASKED, texts, scores=scores, mode="flag", embedder=by_words)
    assert [hit.score for hit in flag] == scores
    assert len(esens.rerank(ASKED, [], score=Contrast(mode="hard", depth=3), embedder=by_words)) == 0


def test_linear_is_the_papers(searcher: Searcher) -> None:
    assert isinstance(searcher.index, MemoryIndex)
    rows = searcher.index.scan(by_words([ASKED, "vinegar"])).raw
    raw = RawScores(rows[0], None, rows[1:])
    by_hand = Linear(beta=DEFAULT_BETA).terms(raw, raw.ranges()).score
    results = searcher.search(ASKED, k=6, score="linear")
    low, high, *_ = raw.ranges().query
    scores = {hit.id: (hit.score - low) / (high - low) for hit in results}
    assert scores == pytest.approx({d.id: by_hand[i] for i, d in enumerate(DOCUMENTS)}, abs=1e-12)
    assert [hit.id for hit in results] == [DOCUMENTS[at].id for at in top_k(by_hand, 6)]
    assert all(hit.explanation.penalty_share is None for hit in results)


@pytest.mark.parametrize(
    ("parameters", "argument"),
    [
        ({"mode": "other"}, "mode"),
        ({"mode": None}, "mode"),
        ({"mode": ["hard"]}, "mode"),
        ({"threshold": 0}, "threshold"),
        ({"threshold": 1.01}, "threshold"),
        ({"threshold": -0.5}, "threshold"),
        ({"threshold": float("nan")}, "threshold"),
        ({"threshold": True}, "threshold"),
        ({"threshold": "0.5"}, "threshold"),
        ({"threshold": None}, "threshold"),
        ({"depth": 0}, "depth"),
        ({"depth": -1}, "depth"),
        ({"depth": True}, "depth"),
        ({"depth": 1.5}, "depth"),
        ({"alpha": 0, "gamma": 0}, "alpha"),
        ({"beta": -1}, "beta"),
        ({"gamma": "1"}, "gamma"),
    ],
)
def test_a_bad_parameter_is_named(parameters: dict[str, object], argument: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        Contrast(**parameters)  # type: ignore[arg-type]
    assert raised.value.argument == argument
    assert str(raised.value).startswith(f"{argument}: ")


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"score": "other"}, "score"),
        ({"score": ["contrast"]}, "score"),
        ({"score": ""}, "score"),
        ({"score": Contrast}, "score"),
        ({"mode": "other"}, "mode"),
        ({"score": "linear", "mode": "hard"}, "mode"),
        ({"score": Linear(), "mode": "soft"}, "mode"),
        ({"treshold": 0.5}, "treshold"),
        ({"beta": -1}, "beta"),
    ],
)
def test_a_bad_option_is_named(searcher: Searcher, options: dict[str, object], argument: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        searcher.search(ASKED, **options)  # type: ignore[call-overload]
    assert raised.value.argument == argument
    assert str(raised.value).startswith(f"{argument}: ")


@pytest.mark.parametrize(
    ("option", "owner"),
    [
        ("threshold", "Relational"),
        ("depth", "Relational"),
        ("sentences", "Relational"),
        ("spare_mentions", "Relational"),
        ("naming", "Relational"),
        ("variant", "Linear"),
    ],
)
def test_a_parameter_of_a_score_is_shown_its_place(searcher: Searcher, option: str, owner: str) -> None:
    place = rf"^{option}: is a parameter of the score: write score=esens\.{owner}\({option}=…\)$"
    with pytest.raises(ArgumentError, match=place):
        searcher.search(ASKED, **{option: 1})  # type: ignore[call-overload]
    with pytest.raises(ArgumentError, match=place):
        esens.rerank(ASKED, ["a"], embedder=by_words, **{option: 1})  # type: ignore[arg-type]


def test_linear_has_no_mode(searcher: Searcher) -> None:
    with pytest.raises(ArgumentError, match='mode: the score "linear" has none'):
        searcher.search(ASKED, score="linear", mode="hard")


def test_beta_and_mode_of_a_call_are_those_of_the_score(searcher: Searcher) -> None:
    given = searcher.search(ASKED, score=Contrast(beta=1, depth=4), beta=0.5, mode="hard")
    assert given == searcher.search(ASKED, score=Contrast(beta=0.5, depth=4, mode="hard"))
    assert searcher.search(ASKED, score=Linear(gamma=1), beta=0.2) == searcher.search(
        ASKED, score=Linear(gamma=1, beta=0.2)
    )


def test_an_unknown_score_or_mode_lists_the_valid_ones() -> None:
    with pytest.raises(ArgumentError, match="valid are: relational, contrast, linear"):
        scorer_of("other")
    with pytest.raises(ArgumentError, match="valid are: soft, hard, flag"):
        Contrast(mode="other")


def test_a_threshold_of_one_is_the_last_one_there_is() -> None:
    assert Contrast(mode="hard", threshold=1).threshold == 1


def test_numbers_of_numpy_are_numbers() -> None:
    scorer = Contrast(
        beta=np.float32(0.5),  # type: ignore[arg-type]
        threshold=np.float32(0.5),  # type: ignore[arg-type]
        depth=np.int64(7),  # type: ignore[arg-type]
        sentences=np.int32(3),  # type: ignore[arg-type]
    )
    assert (scorer.beta, scorer.threshold, scorer.depth, scorer.sentences) == (0.5, 0.5, 7, 3)
    assert {type(scorer.beta), type(scorer.threshold), type(scorer.depth), type(scorer.sentences)} == {float, int}


def test_a_trap_that_repeats_the_wish_is_judged_by_what_it_adds() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Array:
        asked.extend(texts)
        return by_words(texts)

    searcher = Searcher.from_documents(DOCUMENTS, embedder=embed)
    known = Decomposition("salad dressing", ("salad dressing made with vinegar",))
    hits = {hit.id: hit.explanation for hit in searcher.search(ASKED, decomposition=known)}
    assert "salad" not in asked[-1]
    assert "vinegar" in asked[-1]
    assert hits["oil"].penalty == 0
    assert hits["vinegar"].trap == "salad dressing made with vinegar"


def test_the_explanation_says_what_was_lost_and_why(searcher: Searcher) -> None:
    why = {hit.id: str(hit.explanation) for hit in searcher.search(ASKED)}
    assert "100% of its relevance" in why["vinegar"]
    assert "to “vinegar”, which its title or opening names: “Vinegar”)" in why["vinegar"]
    assert "no penalty" in why["oil"]
    out, *_ = searcher.search(ASKED, k=1, mode="hard").removed
    assert str(out.explanation).startswith("excluded, rank 1 in plain retrieval: ")


def test_where_nothing_is_lost_the_explanation_does_not_say_so(searcher: Searcher) -> None:
    flagged = searcher.search(ASKED, mode="flag")[0].explanation
    (out,) = (hit.explanation for hit in searcher.search(ASKED, k=1, mode="hard").removed)
    for why in (flagged, out):
        assert (why.penalty, why.penalty_share, why.trap) == (0, 1, "vinegar")
        assert "penalty" not in str(why)
        assert "would lose 100%" in str(why)


def test_the_table_shows_what_was_left_out_and_marks_what_is_flagged(searcher: Searcher) -> None:
    hard = str(searcher.search(ASKED, k=2, mode="hard"))
    assert "left out, was 1: Vinegar  vinegar  is about “vinegar”: “Vinegar”" in hard
    flag = str(searcher.search(ASKED, mode="flag"))
    assert flag.count("excluded: is about “vinegar”") == 2
    assert "left out" not in flag
    assert "left out" not in str(searcher.search(ASKED))


def test_what_is_left_out_cannot_steer_a_terminal() -> None:
    odd = [Document("a\x1b[31m", "vinegar vinegar", "Vinegar\n\x1b[0m[bold]"), Document("b", "dressing")]
    results = Searcher.from_documents(odd, embedder=by_words).search(
        "dressing and vinegar", decomposition=Decomposition("dressing", ("vinegar",)), mode="hard"
    )
    assert results.removed
    assert "\x1b" not in str(results)
    assert "[bold]" in str(results)


def test_all_of_it_goes_into_plain_values(searcher: Searcher) -> None:
    values = searcher.search(ASKED, k=2, score="contrast", mode="hard").to_dict()
    assert (values["scoring"]["name"], values["scoring"]["mode"]) == ("contrast", "hard")
    (removed,) = values["removed"]
    assert removed["id"] == "vinegar"
    assert removed["explanation"]["is_excluded"] is True
    assert set(removed["explanation"]) >= {"penalty_share", "name_overlap", "trap", "target_similarity"}


SALADS = [
    Document("caesar", "Egg yolk, anchovy, garlic and lemon are beaten with oil until thick.", "Caesar dressing"),
    Document("ranch", "Buttermilk, mayonnaise, dill and garlic make a creamy salad dressing.", "Ranch dressing"),
    Document("tahini", "Sesame paste thinned with lemon juice coats vegetables and salads.", "Tahini dressing"),
    Document(
        "mustard",
        "Honey, mustard and oil are whisked until smooth. Some cooks add a splash of vinegar at the end.",
        "Honey mustard dressing",
    ),
    Document(
        "yoghurt", "Yoghurt with mint, cucumber and lemon cools a salad of bitter leaves.", "Yoghurt dressing"
    ),
    Document(
        "miso", "White miso, grated ginger and sesame oil dress cabbage and carrots.", "Miso ginger dressing"
    ),
    Document("without", "Lemon and buttermilk bring the sourness of a salad.", "Dressings without vinegar"),
    Document("red", "Made by souring red wine, it sharpens dressings for green salads.", "Red wine vinegar"),
    Document("balsamic", "Aged for years in barrels, it is spooned over salads.", "Balsamic vinegar"),
    Document(
        "cider", "The sour juice of apples is shaken with oil for coleslaw.", "Apple cider vinegar dressings"
    ),
    Document("bread", "Flour, water and salt rise overnight with a wild starter.", "Sourdough bread"),
    Document("soup", "Ripe tomatoes simmer with onions and basil.", "Tomato soup"),
]
KINDS = {"red", "balsamic", "cider"}


def test_with_the_default_embedder_kinds_of_the_excluded_go_down_and_a_mention_keeps_its_place(
    minilm: Embedder,
) -> None:
    searcher = Searcher.from_documents(SALADS, embedder=minilm)
    query = "salad dressings, but nothing with vinegar"
    plain, soft = (searcher.search(query, k=12, score=Contrast(beta=beta)) for beta in (0, 2.5))
    assert soft.decomposition.traps == ("vinegar",)
    assert KINDS & set(plain.ids[:6]) == KINDS
    others = [id_ for id_ in plain.ids if id_ not in KINDS and id_ not in {"bread", "soup"}]
    assert set(soft.ids[:7]) == set(others)
    # What mentions vinegar once, or says that there is none, stands among the others where it stood.
    for id_ in ("mustard", "without"):
        (hit,) = (hit for hit in soft if hit.id == id_)
        assert (hit.score, hit.explanation.penalty) == (hit.explanation.relevance, 0)
        assert soft.ids.index(id_) == others.index(id_)
    hard = searcher.search(query, k=6, score="contrast", mode="hard")
    assert {hit.id for hit in hard.removed} == KINDS
    assert len(hard) == 6
