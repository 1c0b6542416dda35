"""What must hold of the score contrast and its modes, for every corpus and every query."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from tests.property.test_laws import WANTED, World, seeds, worlds

from esens import Contrast, Results
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.score.base import QueryTexts, RawScores, Readings, Terms, TextVectors
from esens.score.contrast import CLEARLY
from esens.score.normalise import Array, Scores
from esens.search.best import best_of
from esens.search.candidates import CandidateSet

betas = st.floats(0.01, 5)
ks = st.integers(0, 40)
some_scorers = st.builds(Contrast, alpha=st.floats(0.1, 2), gamma=st.floats(0, 2), beta=betas)


def _vectors(world: World) -> npt.NDArray[np.float32]:
    return unit_rows(world.embed((WANTED, "target", *world.traps)))


def _raw(world: World) -> RawScores:
    rows = scan(unit_rows(world.vectors), _vectors(world))
    return RawScores(rows[0], rows[1], rows[2:])


def _names(world: World) -> Scores:
    """How much of each trap's two words is in a title, or in a text, all of which open with all they say."""
    words = [(set(document.title.split()), set(document.text.split())) for document in world.documents]
    return np.array(
        [[max(len(set(trap.split()) & part) for part in parts) / 2 for parts in words] for trap in world.traps]
    )


def _terms(world: World, scorer: Contrast) -> Terms:
    """The score of every document, with nothing spared."""
    raw = _raw(world)
    return scorer.terms(raw, raw.ranges(), Readings.of_names(_names(world)))


def _shares(terms: Terms) -> Scores:
    assert terms.penalty_share is not None
    return terms.penalty_share


def _best(scores: Array, k: int, among: Iterable[int]) -> list[int]:
    return sorted(map(int, among), key=lambda i: (-scores[i], i))[:k]


def _on_the_plain_scale(world: World, scorer: Contrast, scores: Scores) -> Scores:
    raw = _raw(world)
    assert raw.target is not None
    query, target = raw.query.astype(np.float64), raw.target.astype(np.float64)
    alpha, gamma = scorer.alpha / scorer.weight, scorer.gamma / scorer.weight
    low, width = (alpha * of(query) + gamma * of(target) for of in (np.min, np.ptp))
    return np.asarray(low + width / scorer.weight * scores, np.float64)


def _search(world: World, k: int, scorer: Contrast) -> Results:
    return world.search(world.traps, k=k, score=scorer)


@given(worlds(), some_scorers)
def test_only_documents_nearer_to_the_excluded_pay(world: World, scorer: Contrast) -> None:
    raw, names = _raw(world), _names(world)
    assert raw.target is not None
    for hit in _search(world, len(world.vectors), scorer):
        at = int(hit.id)
        wanted = _side(raw.target)[at]
        sides = [_side(trap)[at] - wanted for trap in raw.traps]
        may_pay = (names[:, at] > 0) | (raw.traps[:, at] > raw.target[at] - CLEARLY)
        worst = max((side + 0.2 * names[j, at]) * may_pay[j] for j, side in enumerate(sides))
        why = hit.explanation
        if worst <= 0:
            assert (hit.score, why.penalty, why.penalty_share) == (why.relevance, 0, 0)
        else:
            assert why.penalty_share is not None
            assert np.isclose(why.penalty_share, min(1, scorer.beta * worst))
            of_relevance = why.relevance - float(_on_the_plain_scale(world, scorer, np.zeros(1))[0])
            assert np.isclose(why.penalty, why.penalty_share * of_relevance, atol=1e-12)
            assert hit.score < why.relevance or why.penalty < 1e-15


def _side(raw: Array) -> Scores:
    """From the least to the second greatest, or to the greatest where that says nothing."""
    low, second, high = float(raw.min()), float(np.sort(raw)[-2:][0]), float(raw.max())
    top = second if second > low else high
    return (raw.astype(np.float64) - low) / (top - low) if top > low else np.zeros(len(raw))


@given(worlds(), ks, some_scorers)
def test_a_search_is_scoring_everything_and_sorting(world: World, k: int, scorer: Contrast) -> None:
    score = _terms(world, scorer).score
    results = _search(world, k, scorer)
    best = _best(score, k, range(len(score)))
    assert [int(id_) for id_ in results.ids] == best
    expected = _on_the_plain_scale(world, scorer, score[best])
    np.testing.assert_allclose([hit.score for hit in results], expected, rtol=0, atol=1e-12)
    assert [hit.rank for hit in results] == [1 + int((score > score[i]).sum()) for i in best]


@given(worlds(), some_scorers)
def test_a_document_pays_for_its_worst_exclusion_alone(world: World, scorer: Contrast) -> None:
    together = _by_id(world, world.traps, scorer)
    apart = [_by_id(world, (trap,), scorer) for trap in world.traps]
    assert together == {id_: min(scores[id_] for scores in apart) for id_ in together}


@given(worlds(), some_scorers)
def test_another_exclusion_raises_no_score_and_their_order_is_nothing(world: World, scorer: Contrast) -> None:
    one, more, back = (_by_id(world, traps, scorer) for traps in (world.traps[:1], world.traps, world.traps[::-1]))
    assert all(more[id_] <= one[id_] for id_ in one)
    assert back == more


@given(worlds(), some_scorers)
def test_without_names_the_scores_are_bounds(world: World, scorer: Contrast) -> None:
    raw = _raw(world)
    assert (scorer.terms(raw, raw.ranges()).score >= _terms(world, scorer).score).all()


@given(worlds(), some_scorers, st.floats(0, 5))
def test_raising_beta_raises_no_score(world: World, scorer: Contrast, more: float) -> None:
    low = _terms(world, scorer).score
    high = _terms(world, replace(scorer, beta=scorer.beta + more)).score
    assert (high <= low).all()


@given(worlds(), some_scorers, st.floats(-3, 3), st.floats(0.01, 100))
def test_shifting_and_scaling_raw_scores_changes_nothing(
    world: World, scorer: Contrast, shift: float, scale: float
) -> None:
    query, target, traps = (np.asarray(part, np.float64) for part in _raw(world)[:3])
    # The two sides are also compared as they are, so they move together.
    moved = RawScores(query * scale + shift, target + shift, traps + shift)
    plain = RawScores(query, target, traps)
    scores = [scorer.terms(raw, raw.ranges(), Readings.of_names(_names(world))).score for raw in (plain, moved)]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-6)


@given(worlds(), some_scorers, seeds)
def test_inner_products_score_as_the_cosines_of_their_vectors_where_all_are_as_long(
    world: World, scorer: Contrast, seed: int
) -> None:
    raw, length = _raw(world), float(np.random.default_rng(seed).uniform(0.01, 100))
    query, target, traps = (np.asarray(part, np.float64) for part in raw[:3])
    lengths = np.full(len(query), length)
    longer = RawScores(query * length, target * length, traps * length, lengths)
    plain = RawScores(query, target, traps)
    scores = [
        scorer.terms(part, part.ranges(), Readings.of_names(_names(world))).score for part in (plain, longer)
    ]
    # Whether a cosine is clearly below another is a threshold, so a document just there may fall on either side.
    at_the_edge = (np.abs(traps - target + CLEARLY) < 1e-9).any(axis=0)
    np.testing.assert_allclose(scores[0][~at_the_edge], scores[1][~at_the_edge], atol=1e-6)


@given(worlds(), ks, some_scorers, st.data())
def test_hard_leaves_out_what_reaches_the_threshold_and_fills_up(
    world: World, k: int, scorer: Contrast, data: st.DataObject
) -> None:
    terms = _terms(world, scorer)
    shares, threshold = _shares(terms), data.draw(_thresholds(terms))
    results = _search(world, k, replace(scorer, mode="hard", threshold=threshold))
    remaining = np.flatnonzero(shares < threshold)
    best = _best(terms.score, k, remaining)
    assert [int(id_) for id_ in results.ids] == best
    ranks = [1 + int((terms.score[remaining] > terms.score[i]).sum()) for i in best]
    assert [hit.rank for hit in results] == ranks
    depth = min(max([k, *(hit.explanation.rank_before or 0 for hit in results)]), max(k, 100))
    plain = world.search((), k=depth)
    out = [hit for hit in plain if shares[int(hit.id)] >= threshold]
    assert [(hit.id, hit.score, hit.rank) for hit in results.removed] == [(h.id, h.score, h.rank) for h in out]
    for hit in results.removed:
        at, why = int(hit.id), hit.explanation
        assert why.is_excluded
        assert (why.penalty_share, why.trap) == (shares[at], world.traps[terms.trap[at]])
    assert not any(hit.explanation.is_excluded for hit in results)


@given(worlds(), ks, some_scorers, st.data())
def test_flag_is_plain_retrieval_bit_for_bit_and_marked(
    world: World, k: int, scorer: Contrast, data: st.DataObject
) -> None:
    terms = _terms(world, scorer)
    threshold = data.draw(_thresholds(terms))
    flagged = _search(world, k, replace(scorer, mode="flag", threshold=threshold))
    plain = world.search((), k=k)
    assert [(hit.id, hit.score, hit.rank) for hit in flagged] == [(hit.id, hit.score, hit.rank) for hit in plain]
    assert all(hit.score == hit.explanation.relevance - hit.explanation.penalty for hit in flagged)
    assert [hit.explanation.is_excluded for hit in flagged] == [
        bool(_shares(terms)[int(hit.id)] >= threshold) for hit in plain
    ]
    assert flagged.removed == ()


@given(worlds(), ks, st.integers(0, 100), st.sampled_from(("soft", "hard")))
def test_a_depth_of_the_whole_corpus_is_no_depth(world: World, k: int, more: int, mode: str) -> None:
    with_depth = _search(world, k, Contrast(mode=mode, depth=len(world.vectors) + more))
    without = _search(world, k, Contrast(mode=mode))
    assert replace(with_depth, scoring=without.scoring) == without


@given(worlds(), st.integers(1, 10), st.integers(0, 10), some_scorers)
def test_depth_looks_at_the_neighbours_alone_and_scores_them_alike(
    world: World, k: int, more: int, scorer: Contrast
) -> None:
    raw, score, depth = _raw(world), _terms(world, scorer).score, k + more
    query, target, *traps = _vectors(world)
    probes = replace(scorer, depth=depth).probes(TextVectors(query, target, np.stack(traps)), raw.ranges())
    assert probes[:2].tolist() == [query.tolist(), target.tolist()]
    near = scan(unit_rows(world.vectors), probes)
    pool = {at for scores in near for at in _best(scores, depth, range(len(score)))}
    results = _search(world, k, replace(scorer, depth=depth))
    assert [int(id_) for id_ in results.ids] == _best(score, k, pool)
    expected = _on_the_plain_scale(world, scorer, score[_best(score, k, pool)])
    np.testing.assert_allclose([hit.score for hit in results], expected, rtol=0, atol=1e-12)


@given(seeds, st.integers(1, 1500), st.integers(1, 5), st.integers(0, 60))
def test_the_best_by_a_bound_are_the_best_of_all(seed: int, rows: int, levels: int, k: int) -> None:
    random = np.random.default_rng(seed)
    upper = random.integers(0, levels, rows).astype(np.float64)
    score = upper - random.choice([0, 0, 1, 2, np.inf], rows)
    candidates = CandidateSet.whole(QueryTexts("query"), upper[None], lambda _: [], folds_passages=False)
    positions, scores = best_of(candidates, upper, lambda at: score[at], k, is_exact=False)
    # A score of minus infinity is none: such a document is left out.
    assert positions.tolist() == _best(score, k, np.flatnonzero(np.isfinite(score)).tolist())
    assert scores.tolist() == score[positions].tolist()


def _by_id(world: World, traps: tuple[str, ...], scorer: Contrast) -> dict[str, float]:
    return {hit.id: hit.score for hit in world.search(traps, k=len(world.vectors), score=scorer)}


def _thresholds(terms: Terms) -> st.SearchStrategy[float]:
    """Any threshold, and often one that a document reaches exactly."""
    reached = [float(share) for share in _shares(terms) if share > 0]
    anywhere = st.floats(0, 1, exclude_min=True)
    return anywhere | st.sampled_from(reached) if reached else anywhere
