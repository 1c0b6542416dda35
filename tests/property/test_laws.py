"""What must hold for every corpus and every query."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens import Contrast, Decomposition, Document, Linear, MemoryIndex, Reranker, Results, Scorer, Searcher
from esens.arrays.rank import ranks, ranks_of, top_k
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.score.base import RawScores, TextVectors
from esens.score.compose import compose
from esens.score.normalise import Scores
from esens.search import SCORES

WANTED = "wanted"
weights = st.floats(0, 2, allow_nan=False)
seeds = st.integers(0, 2**32 - 1)
by_every_score = pytest.mark.parametrize("score", SCORES)


def scorer_with(score: str, *, alpha: float, gamma: float, beta: float) -> Scorer:
    return (Linear if score == "linear" else Contrast)(alpha=alpha, gamma=gamma, beta=beta)


class World(NamedTuple):
    """A corpus with duplicates in it, and the vectors of a query, its target and its traps.

    Every third document has a title, and some of those are the name of a trap.
    """

    vectors: npt.NDArray[np.float32]
    texts: dict[str, npt.NDArray[np.float32]]
    traps: tuple[str, ...]

    @property
    def documents(self) -> list[Document]:
        titles = (f"trap {i % 7}" if i % 3 == 0 else "" for i in range(len(self.vectors)))
        return [Document(str(i), f"document {i}", title) for i, title in enumerate(titles)]

    def embed(self, texts: object) -> npt.NDArray[np.float32]:
        return np.stack([self.texts[text] for text in texts])  # type: ignore[attr-defined]

    def reach(self, text: str) -> tuple[float, float]:
        """The least and the greatest raw score of a text."""
        raw = scan(unit_rows(self.vectors), unit_rows(self.texts[text][None]))[0]
        return float(raw.min()), float(raw.max())

    def search(self, traps: tuple[str, ...], **options: object) -> Results:
        searcher = Searcher.from_documents(self.documents, vectors=self.vectors, embedder=self.embed)
        decomposition = Decomposition("target", traps)
        return searcher.search(WANTED, decomposition=decomposition, **options)  # type: ignore[call-overload, no-any-return]


@st.composite
def worlds(draw: st.DrawFn) -> World:
    random = np.random.default_rng(draw(seeds))
    rows, dimension = draw(st.integers(1, 300)), draw(st.integers(1, 24))
    vectors = random.standard_normal((rows, dimension)).astype(np.float32)
    copied = random.integers(0, rows, size=(rows // 4, 2))
    vectors[copied[:, 0]] = vectors[copied[:, 1]]
    traps = tuple(f"trap {i}" for i in range(draw(st.integers(1, 3))))
    texts = {name: random.standard_normal(dimension).astype(np.float32) for name in (WANTED, "target", *traps)}
    if draw(st.booleans()):  # some come at unit length already, up to rounding, beside others that do not
        for row in [*vectors, *texts.values()]:
            row /= np.linalg.norm(row) if random.integers(2) else np.float32(1)
    return World(vectors, texts, traps)


@by_every_score
@given(worlds(), st.integers(0, 20), weights)
def test_no_exclusion_and_no_weight_change_nothing_bit_for_bit(
    score: str, world: World, k: int, beta: float
) -> None:
    raw = scan(unit_rows(world.vectors), unit_rows(world.texts[WANTED][None]))[0]
    naive = sorted(range(len(raw)), key=lambda i: (-raw[i], i))[:k]
    for traps, weight in (((), beta), (world.traps, 0)):
        results = world.search(traps, k=k, score=score, beta=weight)
        assert [int(id_) for id_ in results.ids] == naive
        assert [hit.score for hit in results] == [float(raw[i]) for i in naive]
        assert all(hit.explanation.rank_before == hit.rank for hit in results)


@given(worlds(), weights, weights, weights)
def test_raising_beta_never_improves_the_rank_of_the_worst_document(
    world: World, alpha: float, beta: float, more: float
) -> None:
    low, high = (
        _score(_of_one_trap(world), Linear(alpha=alpha + 0.1, beta=value)) for value in (beta, beta + more)
    )
    worst = int(np.argmax(_raw(world).traps[0]))
    # Documents that were clearly above stay above, up to the last bits of the arithmetic.
    above = low > low[worst] + 1e-9
    assert (high[above] >= high[worst] - 1e-9).all()


@given(worlds(), st.floats(-3, 3), st.floats(0.01, 100), weights, weights)
def test_shifting_and_scaling_raw_scores_changes_nothing(
    world: World, shift: float, scale: float, gamma: float, beta: float
) -> None:
    query, target, traps = _doubles(_raw(world))
    chosen = Linear(alpha=1.0, gamma=gamma, beta=beta)
    plain = _score(RawScores(query, target, traps), chosen)
    moved = _score(RawScores(query * scale + shift, target * scale - shift, traps * scale + shift), chosen)
    np.testing.assert_allclose(moved, plain, atol=1e-6)


@given(worlds(), weights, weights, weights)
def test_ranking_by_the_score_is_ranking_by_the_composed_vector(
    world: World, alpha: float, gamma: float, beta: float
) -> None:
    chosen = Linear(alpha=alpha + 0.1, gamma=gamma, beta=beta)
    documents, texts = unit_rows(world.vectors), unit_rows(world.embed((WANTED, "target", "trap 0")))
    # In double precision, and summed row by row: small ranges make much of rounding.
    rows = np.stack([(documents.astype(np.float64) * text).sum(axis=1) for text in texts])
    raw, vectors = RawScores(rows[0], rows[1], rows[2:]), TextVectors(texts[0], texts[1], texts[2:])
    (composed,) = compose(beta, chosen.alpha, gamma, vectors=vectors, ranges=raw.ranges())
    score, products = _score(raw, chosen), (documents.astype(np.float64) * composed).sum(axis=1)
    # The vector has unit length, so that the two are the same but for a constant and a positive factor.
    score, products = score - score.mean(), products - products.mean()
    factor = score @ products / (products @ products) if np.ptp(products) > 0 else 0.0
    assert factor >= -1e-6
    np.testing.assert_allclose(factor * products, score, atol=1e-6 * (1 + factor))


@by_every_score
@given(worlds(), st.integers(0, 20), weights, weights, weights)
def test_candidate_mode_on_the_full_corpus_is_full_mode(
    score: str, world: World, k: int, alpha: float, gamma: float, beta: float
) -> None:
    scorer = scorer_with(score, alpha=alpha + 0.1, gamma=gamma, beta=beta)
    full = world.search(world.traps, k=k, score=scorer)
    candidates = Reranker(embedder=world.embed).rerank(
        WANTED,
        world.documents,
        vectors=world.vectors,
        decomposition=Decomposition("target", world.traps),
        k=k,
        score=scorer,
    )
    assert candidates == full


@given(worlds(), weights)
def test_another_exclusion_never_softens_one(world: World, beta: float) -> None:
    raw = _raw(world)
    one, more, back = (
        _score(raw._replace(traps=traps), Linear(beta=beta))
        for traps in (raw.traps[:1], raw.traps, raw.traps[::-1])
    )
    assert (more <= one).all()
    np.testing.assert_array_equal(back, more)


@by_every_score
@given(worlds(), st.integers(1, 20), weights)
def test_every_explanation_adds_up(score: str, world: World, k: int, beta: float) -> None:
    plain = {hit.id: hit for hit in world.search((), k=len(world.vectors))}
    low, high = world.reach(WANTED)
    if score != "linear":  # of a property the target alone counts, of a subject both
        shares = (0.25,) if score == "contrast" else (0.5, 1.0)
        low = min((1 - share) * low + share * world.reach("target")[0] for share in shares)
    for hit in world.search(world.traps, k=k, score=score, beta=beta):
        why = hit.explanation
        assert np.isclose(hit.score, why.relevance - why.penalty, atol=1e-6)
        assert (why.rank_before, why.query_similarity) == (plain[hit.id].rank, plain[hit.id].score)
        most = beta * (high - low) if score == "linear" else max(why.relevance - low, 0)
        assert 0 <= why.penalty <= most + 1e-6


@by_every_score
@given(worlds(), weights, weights, weights)
def test_scores_are_on_the_scale_of_plain_retrieval(
    score: str, world: World, alpha: float, gamma: float, beta: float
) -> None:
    scorer = scorer_with(score, alpha=alpha + 0.1, gamma=gamma, beta=beta + 0.01)
    reaches = [world.reach(text) for text in (WANTED, "target")]
    low, high = min(low for low, _ in reaches), max(high for _, high in reaches)
    for hit in world.search(world.traps, k=len(world.vectors), score=scorer):
        assert low - 1e-6 <= hit.explanation.relevance <= high + 1e-6
        assert hit.score <= hit.explanation.relevance
        if gamma == 0:  # then relevance is what the document would score if nothing were excluded
            assert np.isclose(hit.explanation.relevance, hit.explanation.query_similarity, atol=1e-6)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=2000), st.integers(0, 30))
def test_top_k_and_ranks_are_the_naive_ones(values: list[int], k: int) -> None:
    scores = np.array(values, np.float64)
    best = top_k(scores, k)
    assert best.tolist() == sorted(range(len(values)), key=lambda i: (-values[i], i))[:k]
    assert ranks_of(best, scores).tolist() == [1 + sum(v > values[i] for v in values) for i in best]
    assert ranks(scores)[best].tolist() == ranks_of(best, scores).tolist()


@given(worlds(), st.data())
def test_a_part_of_the_corpus_keeps_its_scores(world: World, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(world.vectors) - 1), min_size=1, unique=True))
    queries = world.embed((WANTED, *world.traps))
    whole = MemoryIndex(world.documents, world.vectors).scan(queries).raw
    part = MemoryIndex([world.documents[i] for i in rows], world.vectors[rows]).scan(queries).raw
    np.testing.assert_array_equal(part, whole[:, rows])


@given(seeds, st.integers(1, 400), st.integers(1, 9))
def test_few_pairs_score_as_many_do(seed: int, dimension: int, vectors: int) -> None:
    """They are compared on the caller's own thread, by another function of the same kernel."""
    random = np.random.default_rng(seed)
    matrix = unit_rows(random.standard_normal((17_000, dimension)))
    probes = unit_rows(random.standard_normal((vectors, dimension)))
    many = scan(matrix, probes, threads=2)
    few = random.choice(len(matrix), 1_000, replace=False)
    np.testing.assert_array_equal(scan(matrix[few], probes), many[:, few])
    np.testing.assert_array_equal(scan(matrix[:1], probes), many[:, :1])


def _raw(world: World) -> RawScores:
    rows = scan(unit_rows(world.vectors), unit_rows(world.embed((WANTED, "target", *world.traps))))
    return RawScores(rows[0], rows[1], rows[2:])


def _of_one_trap(world: World) -> RawScores:
    raw = _raw(world)
    return raw._replace(traps=raw.traps[:1])


def _doubles(raw: RawScores) -> tuple[Scores, Scores, Scores]:
    assert raw.target is not None
    return raw.query.astype(np.float64), raw.target.astype(np.float64), raw.traps.astype(np.float64)


def _score(raw: RawScores, chosen: Linear) -> Scores:
    return chosen.terms(raw, raw.ranges()).score
