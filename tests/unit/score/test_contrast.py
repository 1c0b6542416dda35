"""The score contrast on numbers small enough to check by hand, and its modes on a few documents."""

from collections.abc import Sequence

import numpy as np
import pytest
from tests.words import by_words

import esens
from esens import Decomposition, Document, MemoryIndex, Searcher
from esens.arrays.rank import Positions
from esens.embed import Embedder
from esens.errors import ArgumentError
from esens.score.bounded import best_by_bound
from esens.score.candidates import candidates
from esens.score.contrast import Contrast, Raw, contrast, reach
from esens.score.linear import DEFAULT_BETA, Weights, linear
from esens.search import Scoring
from esens.search.contrasted import contrasted
from esens.search.scored import Scored

# Each text reaches from 0 to the second greatest, 4 of the target and 5 of the first trap.
QUERY = np.array([0.0, 1, 2, 4, 0])
TARGET = np.array([4.0, 0, 2, 3, 4])
TRAPS = np.array([[0.0, 2, 3, 5, 5], [0.0, 0, 9, 10, 90]])


def _terms(
    weights: Contrast, names: list[list[float]] | None = None
) -> tuple[list[float], list[float], list[int]]:
    raw = Raw(QUERY, TARGET, TRAPS)
    given = None if names is None else np.array(names)
    terms = contrast(weights, raw, over=raw.extents(), names=given)
    return terms.degree.tolist(), terms.score.tolist(), terms.trap.tolist()


def test_what_is_lost_is_a_share_of_the_relevance() -> None:
    degree, score, trap = _terms(Contrast(1, 0, beta=0.5))
    # The sides are −1, 0.4, 0.1, 0.25, 0 for the first trap and −1, 0, 0.4, 0.25, 8 for the second.
    np.testing.assert_allclose(degree, [0, 0.2, 0.2, 0.125, 1], atol=1e-15)
    np.testing.assert_allclose(score, [0, 0.25 * 0.8, 0.5 * 0.8, 0.875, 0], atol=1e-15)
    assert trap == [0, 0, 1, 0, 1]


def test_a_name_adds_to_the_contrast_of_its_own_trap() -> None:
    names = [[1.0, 0, 0, 0, 0], [0, 1, 0, 0.5, 0]]
    degree, _, trap = _terms(Contrast(1, 0, beta=0.5, naming=0.2), names)
    np.testing.assert_allclose(degree, [0, 0.2, 0.2, 0.175, 1], atol=1e-15)
    assert trap == [0, 0, 1, 1, 1]


def test_nobody_loses_more_than_all() -> None:
    degree, score, _ = _terms(Contrast(beta=1000))
    assert degree == [0, 1, 1, 1, 1]
    assert score[1:] == [0, 0, 0, 0]


def test_query_and_target_are_wanted_as_they_are_weighed() -> None:
    raw = Raw(QUERY, TARGET, TRAPS)
    relevance = contrast(Contrast(0.75, 0.25), raw, over=raw.extents()).relevance
    np.testing.assert_allclose(relevance, [0.25, 0.1875, 0.5, 0.9375, 0.25], atol=1e-15)


def test_one_document_does_not_set_the_scale_of_a_side() -> None:
    assert reach(np.array([0.2, 0.9, 0.5, 0.4])) == (0.2, 0.5)
    assert reach(np.array([0.2, 0.9])) == (0.2, 0.9)  # the second is the last
    assert reach(np.array([0.2, 0.2, 0.9])) == (0.2, 0.9)
    assert reach(np.array([0.4])) == (0.4, 0.4)


def test_nobody_pays_whose_cosine_with_the_trap_is_clearly_below_that_with_the_target() -> None:
    raw = Raw(np.array([0.5, 0.6, 0.7]), np.array([0.55, 0.6, 0.62]), np.array([[0.4, 0.3, 0.2]]))
    assert contrast(Contrast(), raw, over=raw.extents()).degree.tolist() == [0, 0, 0]
    named = contrast(Contrast(), raw, over=raw.extents(), names=np.array([[0.5, 0, 0]]))
    assert named.degree[0] > 0
    nearer = raw._replace(traps=raw.traps + 0.1)
    assert contrast(Contrast(), nearer, over=nearer.extents()).degree[0] > 0


def test_some_documents_score_as_they_do_among_all() -> None:
    raw, some = Raw(QUERY, TARGET, TRAPS), np.array([3, 1])
    whole = contrast(Contrast(), raw, over=raw.extents())
    part = contrast(Contrast(), raw.at(some), over=raw.extents())
    assert part.score.tolist() == whole.score[some].tolist()


def test_texts_that_score_all_documents_alike_say_nothing() -> None:
    flat = Raw(np.ones(3), np.ones(3), np.ones((2, 3)))
    terms = contrast(Contrast(), flat, over=flat.extents())
    assert (terms.degree.tolist(), terms.score.tolist()) == ([0, 0, 0], [0, 0, 0])


@pytest.mark.parametrize("name", ["alpha", "gamma", "beta", "naming"])
@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "1", None, True])
def test_a_weight_is_a_number_of_at_least_zero(name: str, value: object) -> None:
    with pytest.raises(ArgumentError) as raised:
        Contrast(**{name: value})  # type: ignore[arg-type]
    assert raised.value.argument == name


def test_something_must_be_wanted() -> None:
    with pytest.raises(ArgumentError, match="both 0"):
        Contrast(alpha=0, gamma=0)


def test_only_what_can_be_among_the_best_is_looked_at() -> None:
    upper, asked = -np.arange(10_000.0), []

    def exact(positions: Positions) -> np.ndarray:
        asked.append(len(positions))
        return upper[positions]

    positions, _ = best_by_bound(upper, exact, 5)
    assert asked == [16]
    assert positions.tolist() == list(range(16))


def test_a_bound_that_ties_with_the_last_is_looked_at_too() -> None:
    # All bounds are equal, and only the last document is worth it.
    upper, score = np.ones(500), np.zeros(500)
    score[499] = 1
    positions, scores = best_by_bound(upper, lambda at: score[at], 1)
    assert positions[np.argmax(scores)] == 499


@pytest.mark.parametrize("depth", [None, 60])
def test_the_best_is_found_behind_many_that_are_named_for_the_trap(depth: int | None) -> None:
    # The nearest forty lose a twentieth for their name, which makes the one after them the best.
    documents = [Document(str(i), "x", "trap" if i < 40 else "") for i in range(101)]
    alike = np.append(np.ones(100), 0)
    raw = np.stack([np.append(1 - np.arange(100) / 1000, 0), alike, alike])
    found = contrasted(
        Contrast(1, 0, beta=0.25),
        Scoring.of(depth=depth),
        Decomposition("target", ("trap",)),
        Scored(lambda positions: [documents[i] for i in positions], raw),
        1,
        lambda texts: np.zeros((3, len(texts))),
    )
    assert [hit.id for hit in found.hits] == ["40"]


def test_candidates_are_near_to_the_query_or_the_target_or_both_without_the_trap() -> None:
    query = np.array([1.0, 0.9, 0.6, 0.0, 0.0])
    target = np.array([0.0, 0.0, 0.5, 1.0, 0.0])
    trap = np.array([[1.0, 1.0, 0.0, 1.0, 0.0]])
    raw = Raw(query, target, trap)
    assert candidates(Contrast(1, 0), raw, over=raw.extents(), depth=1).tolist() == [0, 2, 3]


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


def test_the_default_is_contrast_and_soft(searcher: Searcher) -> None:
    results = searcher.search(ASKED)
    assert (results.score, results.mode, results.beta) == ("contrast", "soft", 2.0)
    assert (results.alpha, results.gamma) == (0.75, 0.25)
    assert results == searcher.search(ASKED, score="contrast", mode="soft")
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
    assert removed.explanation.named == 1
    assert set(searcher.search(ASKED, k=6, mode="hard").ids) == {"oil", "lemon", "cream", "train"}


def test_flag_marks_and_moves_nothing(searcher: Searcher) -> None:
    plain, flagged = searcher.search(ASKED, beta=0), searcher.search(ASKED, mode="flag")
    assert [(hit.id, hit.score, hit.rank) for hit in flagged] == [(hit.id, hit.score, hit.rank) for hit in plain]
    assert {hit.id for hit in flagged if hit.explanation.is_excluded} == {"vinegar", "cider"}


def test_the_threshold_says_who_is_out(searcher: Searcher) -> None:
    degrees = {hit.id: hit.explanation.degree for hit in searcher.search(ASKED, beta=0.4)}
    reached = degrees["vinegar"] or 0.0
    assert 0 < reached < 1
    at, above = (
        searcher.search(ASKED, mode="hard", beta=0.4, threshold=value).ids
        for value in (reached, np.nextafter(reached, 1))
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
    assert len(searcher.search(ASKED, k=k, mode=mode, depth=1)) == k


@pytest.mark.parametrize("mode", ["soft", "hard", "flag"])
def test_without_an_exclusion_every_mode_is_plain_retrieval(searcher: Searcher, mode: str) -> None:
    for options in ({"decomposition": Decomposition(ASKED)}, {"beta": 0}):
        results = searcher.search(ASKED, mode=mode, **options)
        assert results.hits == searcher.search(ASKED, score="linear", beta=0).hits
        assert results.removed == ()


def test_when_all_is_excluded_nothing_is_left() -> None:
    same = ["red vinegar", "white vinegar"]
    results = Searcher.from_documents(same, embedder=by_words).search(
        "dressing", decomposition=Decomposition("dressing", ("vinegar",)), mode="hard", beta=100
    )
    assert (len(results), len(results.removed)) == (0, 2)


def test_candidates_are_reranked_in_every_mode() -> None:
    texts = [document.content for document in DOCUMENTS]
    scores = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    hard = esens.rerank(ASKED, texts, scores=scores, mode="hard", embedder=by_words)
    assert {hit.id for hit in hard.removed} == {"0", "4"}
    assert [hit.score for hit in hard.removed] == [6.0, 2.0]
    flag = esens.rerank(ASKED, texts, scores=scores, mode="flag", embedder=by_words)
    assert [hit.score for hit in flag] == scores
    assert len(esens.rerank(ASKED, [], mode="hard", depth=3, embedder=by_words)) == 0


def test_linear_is_the_papers_to_the_last_bit(searcher: Searcher) -> None:
    assert isinstance(searcher.index, MemoryIndex)
    raw = searcher.index.scan(by_words([ASKED, "vinegar"])).raw
    by_hand = linear(Weights(beta=DEFAULT_BETA), query=raw[0], target=None, traps=raw[1:])
    results = searcher.search(ASKED, k=6, score="linear")
    assert {hit.id: hit.score for hit in results} == {d.id: by_hand[i] for i, d in enumerate(DOCUMENTS)}
    assert all(hit.explanation.degree is None for hit in results)


def test_a_variant_asks_for_linear() -> None:
    assert Scoring.of(variant="target-minus-trap").score == "linear"
    assert Scoring.of().score == "contrast"


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"score": "other"}, "score"),
        ({"score": ["contrast"]}, "score"),
        ({"score": ""}, "score"),
        ({"mode": "other"}, "mode"),
        ({"mode": None}, "mode"),
        ({"mode": "hard", "threshold": 0}, "threshold"),
        ({"mode": "hard", "threshold": 1.01}, "threshold"),
        ({"mode": "flag", "threshold": -0.5}, "threshold"),
        ({"mode": "flag", "threshold": float("nan")}, "threshold"),
        ({"mode": "flag", "threshold": True}, "threshold"),
        ({"mode": "flag", "threshold": "0.5"}, "threshold"),
        ({"threshold": 0.5}, "threshold"),
        ({"score": "contrast", "variant": "baseline-minus-trap"}, "variant"),
        ({"score": "linear", "mode": "hard"}, "mode"),
        ({"score": "linear", "threshold": 0.5}, "threshold"),
        ({"score": "linear", "depth": 5}, "depth"),
        ({"score": "linear", "depth": 0}, "depth"),
        ({"variant": "baseline-minus-trap", "mode": "flag"}, "mode"),
        ({"depth": 0}, "depth"),
        ({"depth": -1}, "depth"),
        ({"depth": True}, "depth"),
        ({"depth": 1.5}, "depth"),
        ({"alpha": 0, "gamma": 0}, "alpha"),
        ({"mode": "flag", "sentences": 3}, "sentences"),
        ({"mode": "flag", "depth": 3}, "depth"),
        ({"score": "linear", "sentences": 3}, "sentences"),
        ({"score": "linear", "spare_mentions": True}, "spare_mentions"),
        ({"treshold": 0.5}, "treshold"),
        ({"beta": -1}, "beta"),
        ({"gamma": "1"}, "gamma"),
    ],
)
def test_a_bad_option_is_named(searcher: Searcher, options: dict[str, object], argument: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        searcher.search(ASKED, **options)  # type: ignore[call-overload]
    assert raised.value.argument == argument
    assert str(raised.value).startswith(f"{argument}: ")


def test_an_unknown_score_or_mode_lists_the_valid_ones() -> None:
    with pytest.raises(ArgumentError, match="valid are: contrast, linear"):
        Scoring.of(score="other")
    with pytest.raises(ArgumentError, match="valid are: soft, hard, flag"):
        Scoring.of(mode="other")


def test_a_threshold_of_one_is_the_last_one_there_is() -> None:
    assert Scoring.of(mode="hard", threshold=1).threshold == 1


def test_numbers_of_numpy_are_numbers() -> None:
    scoring = Scoring.of(mode="hard", threshold=np.float32(0.5), depth=np.int64(7))  # type: ignore[arg-type]
    assert (scoring.threshold, scoring.depth) == (0.5, 7)


def test_a_trap_that_repeats_the_wish_is_judged_by_what_it_adds() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return by_words(texts)

    searcher = Searcher.from_documents(DOCUMENTS, embedder=embed)
    known = Decomposition("salad dressing", ("salad dressing made with vinegar",))
    hits = {hit.id: hit.explanation for hit in searcher.search(ASKED, decomposition=known)}
    assert "salad" not in asked[-1]
    assert "vinegar" in asked[-1]
    assert hits["oil"].exclusion == 0
    assert hits["vinegar"].trap == "salad dressing made with vinegar"


def test_the_explanation_says_what_was_lost_and_why(searcher: Searcher) -> None:
    why = {hit.id: str(hit.explanation) for hit in searcher.search(ASKED)}
    assert "100% of it lost" in why["vinegar"]
    assert "to “vinegar”, which its title or opening names)" in why["vinegar"]
    assert "all of it kept" in why["oil"]
    out, *_ = searcher.search(ASKED, k=1, mode="hard").removed
    assert str(out.explanation).startswith("excluded, rank 1 in plain retrieval: ")


def test_where_nothing_is_lost_the_explanation_does_not_say_so(searcher: Searcher) -> None:
    flagged = searcher.search(ASKED, mode="flag")[0].explanation
    (out,) = (hit.explanation for hit in searcher.search(ASKED, k=1, mode="hard").removed)
    for why in (flagged, out):
        assert (why.exclusion, why.degree, why.trap) == (0, 1, "vinegar")
        assert "lost" not in str(why)
        assert "100% about what is excluded" in str(why)


def test_the_table_shows_what_was_left_out_and_marks_what_is_flagged(searcher: Searcher) -> None:
    hard = str(searcher.search(ASKED, k=2, mode="hard"))
    assert "left out, was 1: Vinegar  vinegar  about “vinegar”" in hard
    flag = str(searcher.search(ASKED, mode="flag"))
    assert flag.count("excluded: about “vinegar”") == 2
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
    values = searcher.search(ASKED, k=2, mode="hard").to_dict()
    assert (values["score"], values["mode"]) == ("contrast", "hard")
    (removed,) = values["removed"]
    assert removed["id"] == "vinegar"
    assert removed["explanation"]["is_excluded"] is True
    assert set(removed["explanation"]) >= {"degree", "named", "trap", "target_similarity"}


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
    plain, soft = (searcher.search(query, k=12, beta=beta) for beta in (0, 2.5))
    assert soft.decomposition.traps == ("vinegar",)
    assert KINDS & set(plain.ids[:6]) == KINDS
    others = [id_ for id_ in plain.ids if id_ not in KINDS and id_ not in {"bread", "soup"}]
    assert set(soft.ids[:7]) == set(others)
    # What mentions vinegar once, or says that there is none, stands among the others where it stood.
    for id_ in ("mustard", "without"):
        (hit,) = (hit for hit in soft if hit.id == id_)
        assert (hit.score, hit.explanation.exclusion) == (hit.explanation.relevance, 0)
        assert soft.ids.index(id_) == others.index(id_)
    hard = searcher.search(query, k=6, mode="hard")
    assert {hit.id for hit in hard.removed} == KINDS
    assert len(hard) == 6
