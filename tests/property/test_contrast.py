"""What must hold of the score contrast and its modes, for every corpus and every query."""

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from tests.property.test_laws import WANTED, World, seeds, worlds

from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.score.bounded import best_by_bound
from esens.score.candidates import candidates
from esens.score.contrast import CLEARLY, Contrast, Raw, Terms, contrast
from esens.score.normalise import Array, Scores

betas = st.floats(0.01, 5)
ks = st.integers(0, 40)
some_weights = st.builds(Contrast, st.floats(0.1, 2), st.floats(0, 2), betas)


def _raw(world: World) -> Raw:
    rows = scan(unit_rows(world.vectors), unit_rows(world.embed((WANTED, "target", *world.traps))))
    return Raw(rows[0], rows[1], rows[2:])


def _names(world: World) -> Scores:
    """How much of each trap's two words is in a title, or in a text, all of which open with all they say."""
    said = [(set(document.title.split()), set(document.text.split())) for document in world.documents]
    return np.array(
        [[max(len(set(trap.split()) & part) for part in one) / 2 for one in said] for trap in world.traps]
    )


def _scored(world: World, weights: Contrast) -> Terms:
    """The score of every document, with nothing spared."""
    raw = _raw(world)
    return contrast(weights, raw, over=raw.extents(), names=_names(world))


def _best(scores: Array, k: int, among: npt.NDArray[np.intp] | range) -> list[int]:
    return sorted(map(int, among), key=lambda i: (-scores[i], i))[:k]


def _options(weights: Contrast) -> dict[str, float]:
    return {"alpha": weights.alpha, "gamma": weights.gamma, "beta": weights.beta}


@given(worlds(), some_weights)
def test_only_documents_nearer_to_the_excluded_pay(world: World, weights: Contrast) -> None:
    raw, names, over = _raw(world), _names(world), _raw(world).extents()
    for hit in world.search(world.traps, k=len(world.vectors), **_options(weights)):
        at = int(hit.id)
        wanted = _normalised(raw.target[at], *over.target_side)
        sides = [_normalised(raw.traps[j, at], *over.trap_sides[j]) - wanted for j in range(len(world.traps))]
        may_pay = (names[:, at] > 0) | (raw.traps[:, at] > raw.target[at] - CLEARLY)
        worst = max((side + 0.2 * names[j, at]) * may_pay[j] for j, side in enumerate(sides))
        why = hit.explanation
        if worst <= 0:
            assert (hit.score, why.exclusion, why.degree) == (why.relevance, 0, 0)
        else:
            assert why.degree is not None
            assert np.isclose(why.degree, min(1, weights.beta * worst))
            assert hit.score < why.relevance or why.relevance * why.degree < 1e-15


def _normalised(raw: np.floating, low: float, high: float) -> float:
    return (float(raw) - low) / (high - low) if high > low else 0.0


@given(worlds(), ks, some_weights)
def test_a_search_is_scoring_everything_and_sorting(world: World, k: int, weights: Contrast) -> None:
    score = _scored(world, weights).score
    results = world.search(world.traps, k=k, **_options(weights))
    best = _best(score, k, range(len(score)))
    assert [int(id_) for id_ in results.ids] == best
    assert [hit.score for hit in results] == score[best].tolist()
    assert [hit.rank for hit in results] == [1 + int((score > score[i]).sum()) for i in best]


@given(worlds(), some_weights)
def test_a_document_pays_for_its_worst_exclusion_alone(world: World, weights: Contrast) -> None:
    together = _by_id(world, world.traps, weights)
    apart = [_by_id(world, (trap,), weights) for trap in world.traps]
    assert together == {id_: min(one[id_] for one in apart) for id_ in together}


@given(worlds(), some_weights)
def test_another_exclusion_raises_no_score_and_their_order_is_nothing(world: World, weights: Contrast) -> None:
    one, more, back = (
        _by_id(world, traps, weights) for traps in (world.traps[:1], world.traps, world.traps[::-1])
    )
    assert all(more[id_] <= one[id_] for id_ in one)
    assert back == more


@given(worlds(), some_weights)
def test_without_names_the_scores_are_bounds(world: World, weights: Contrast) -> None:
    raw = _raw(world)
    assert (contrast(weights, raw, over=raw.extents()).score >= _scored(world, weights).score).all()


@given(worlds(), some_weights, st.floats(0, 5))
def test_raising_beta_raises_no_score(world: World, weights: Contrast, more: float) -> None:
    low = _scored(world, weights).score
    high = _scored(world, Contrast(weights.alpha, weights.gamma, weights.beta + more)).score
    assert (high <= low).all()


@given(worlds(), some_weights, st.floats(-3, 3), st.floats(0.01, 100))
def test_shifting_and_scaling_raw_scores_changes_nothing(
    world: World, weights: Contrast, shift: float, scale: float
) -> None:
    query, target, traps = (part.astype(np.float64) for part in _raw(world))
    # The two sides are also compared as they are, so they move together.
    moved = Raw(query * scale + shift, target + shift, traps + shift)
    plain = Raw(query, target, traps)
    scores = [contrast(weights, raw, over=raw.extents(), names=_names(world)).score for raw in (plain, moved)]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-6)


@given(worlds(), ks, some_weights, st.data())
def test_hard_leaves_out_what_reaches_the_threshold_and_fills_up(
    world: World, k: int, weights: Contrast, data: st.DataObject
) -> None:
    terms = _scored(world, weights)
    threshold = data.draw(_thresholds(terms))
    results = world.search(world.traps, k=k, mode="hard", threshold=threshold, **_options(weights))
    kept = np.flatnonzero(terms.degree < threshold)
    best = _best(terms.score, k, kept)
    assert [int(id_) for id_ in results.ids] == best
    assert [hit.rank for hit in results] == [1 + int((terms.score[kept] > terms.score[i]).sum()) for i in best]
    reached = min(max([k, *(hit.explanation.rank_before or 0 for hit in results)]), max(k, 100))
    plain = world.search((), k=reached)
    out = [hit for hit in plain if terms.degree[int(hit.id)] >= threshold]
    assert [(hit.id, hit.score, hit.rank) for hit in results.removed] == [(h.id, h.score, h.rank) for h in out]
    for hit in results.removed:
        at = int(hit.id)
        assert hit.explanation.is_excluded
        assert (hit.explanation.degree, hit.explanation.trap) == (terms.degree[at], world.traps[terms.trap[at]])
    assert not any(hit.explanation.is_excluded for hit in results)


@given(worlds(), ks, some_weights, st.data())
def test_flag_is_plain_retrieval_bit_for_bit_and_marked(
    world: World, k: int, weights: Contrast, data: st.DataObject
) -> None:
    terms = _scored(world, weights)
    threshold = data.draw(_thresholds(terms))
    flagged = world.search(world.traps, k=k, mode="flag", threshold=threshold, **_options(weights))
    plain = world.search((), k=k)
    assert [(hit.id, hit.score, hit.rank) for hit in flagged] == [(hit.id, hit.score, hit.rank) for hit in plain]
    assert all(hit.score == hit.explanation.relevance - hit.explanation.exclusion for hit in flagged)
    assert [hit.explanation.is_excluded for hit in flagged] == [
        bool(terms.degree[int(hit.id)] >= threshold) for hit in plain
    ]
    assert flagged.removed == ()


@given(worlds(), ks, st.integers(0, 100), st.sampled_from(("soft", "hard")))
def test_a_depth_of_the_whole_corpus_is_no_depth(world: World, k: int, more: int, mode: str) -> None:
    depth = len(world.vectors) + more
    assert world.search(world.traps, k=k, mode=mode, depth=depth) == world.search(world.traps, k=k, mode=mode)


@given(worlds(), st.integers(1, 10), st.integers(0, 10), some_weights)
def test_depth_looks_at_the_neighbours_alone_and_scores_them_alike(
    world: World, k: int, more: int, weights: Contrast
) -> None:
    raw, score = _raw(world), _scored(world, weights).score
    pool = candidates(weights, raw, over=raw.extents(), depth=k + more)
    assert set(_best(raw.query, k + more, range(len(score)))) <= set(pool.tolist())
    assert set(_best(raw.target, k + more, range(len(score)))) <= set(pool.tolist())
    results = world.search(world.traps, k=k, depth=k + more, **_options(weights))
    assert [int(id_) for id_ in results.ids] == _best(score, k, pool)
    assert [hit.score for hit in results] == score[_best(score, k, pool)].tolist()


@given(seeds, st.integers(1, 1500), st.integers(1, 5), st.integers(0, 60))
def test_the_best_by_a_bound_are_the_best_of_all(seed: int, rows: int, levels: int, k: int) -> None:
    random = np.random.default_rng(seed)
    upper = random.integers(0, levels, rows).astype(np.float64)
    score = upper - random.choice([0, 0, 1, 2, np.inf], rows)
    positions, scores = best_by_bound(upper, lambda at: score[at], k)
    assert scores.tolist() == score[positions].tolist()
    best = positions[_best(scores, k, range(len(scores)))]
    assert best.tolist() == _best(score, k, range(rows))


def _by_id(world: World, traps: tuple[str, ...], weights: Contrast) -> dict[str, float]:
    results = world.search(traps, k=len(world.vectors), **_options(weights))
    return {hit.id: hit.score for hit in results}


def _thresholds(terms: Terms) -> st.SearchStrategy[float]:
    """Any threshold, and often one that a document reaches exactly."""
    reached = [float(degree) for degree in terms.degree if degree > 0]
    anywhere = st.floats(0, 1, exclude_min=True)
    return anywhere | st.sampled_from(reached) if reached else anywhere
