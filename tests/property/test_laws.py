"""What must hold for every corpus and every query."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens import Decomposition, Document, MemoryIndex, Reranker, Results, Searcher
from esens.arrays.rank import ranks, ranks_of, top_k
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.score.compose import compose
from esens.score.linear import Weights, linear
from esens.score.normalise import Scores, extent
from esens.search import SCORES

WANTED = "wanted"
weights = st.floats(0, 2, allow_nan=False)
seeds = st.integers(0, 2**32 - 1)
by_every_score = pytest.mark.parametrize("score", SCORES)


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
    low, high = (_score(world, Weights(alpha + 0.1, 0.0, value)) for value in (beta, beta + more))
    worst = int(np.argmax(_raw(world)[2]))
    # Documents that were clearly above stay above, up to the last bits of the arithmetic.
    above = low > low[worst] + 1e-9
    assert (high[above] >= high[worst] - 1e-9).all()


@given(worlds(), st.floats(-3, 3), st.floats(0.01, 100), weights, weights)
def test_shifting_and_scaling_raw_scores_changes_nothing(
    world: World, shift: float, scale: float, gamma: float, beta: float
) -> None:
    query, target, *traps = _raw(world).astype(np.float64)
    chosen = Weights(1.0, gamma, beta)
    plain = linear(chosen, query=query, target=target, traps=np.stack(traps))
    moved = linear(
        chosen, query=query * scale + shift, target=target * scale - shift, traps=np.stack(traps) * scale + shift
    )
    np.testing.assert_allclose(moved, plain, atol=1e-6)


@given(worlds(), weights, weights, weights)
def test_ranking_by_the_score_is_ranking_by_the_composed_vector(
    world: World, alpha: float, gamma: float, beta: float
) -> None:
    chosen = Weights(alpha + 0.1, gamma, beta)
    documents = unit_rows(world.vectors).astype(np.float64)
    vectors = [unit_rows(world.texts[name][None])[0].astype(np.float64) for name in (WANTED, "target", "trap 0")]
    query, target, trap = ((vector, extent(documents @ vector)) for vector in vectors)
    score = linear(
        chosen,
        query=documents @ vectors[0],
        target=documents @ vectors[1],
        traps=(documents @ vectors[2])[None],
    )
    composed = documents @ compose(chosen, query=query, target=target, trap=trap)
    constant = composed - score
    np.testing.assert_allclose(constant, constant[0], atol=1e-7 * (1 + np.abs(composed).max()))


@by_every_score
@given(worlds(), st.integers(0, 20), weights, weights, weights)
def test_candidate_mode_on_the_full_corpus_is_full_mode(
    score: str, world: World, k: int, alpha: float, gamma: float, beta: float
) -> None:
    options = {"k": k, "score": score, "alpha": alpha + 0.1, "gamma": gamma, "beta": beta}
    full = world.search(world.traps, **options)
    candidates = Reranker(embedder=world.embed).rerank(
        WANTED,
        world.documents,
        vectors=world.vectors,
        decomposition=Decomposition("target", world.traps),
        **options,  # type: ignore[arg-type]
    )
    assert candidates == full


@given(worlds(), weights)
def test_another_exclusion_never_softens_one(world: World, beta: float) -> None:
    raw = _raw(world)
    one, more, back = (
        linear(Weights(beta=beta), query=raw[0], target=None, traps=traps)
        for traps in (raw[2:3], raw[2:], raw[2:][::-1])
    )
    assert (more <= one).all()
    np.testing.assert_array_equal(back, more)


@by_every_score
@given(worlds(), st.integers(1, 20), weights)
def test_every_explanation_adds_up(score: str, world: World, k: int, beta: float) -> None:
    plain = {hit.id: hit for hit in world.search((), k=len(world.vectors))}
    for hit in world.search(world.traps, k=k, score=score, beta=beta):
        why = hit.explanation
        assert np.isclose(hit.score, why.relevance - why.exclusion) or beta == 0
        assert (why.rank_before, why.query_similarity) == (plain[hit.id].rank, plain[hit.id].score)
        assert 0 <= why.exclusion <= (beta if score == "linear" else max(why.relevance, 0)) + 1e-12


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


def _raw(world: World) -> npt.NDArray[np.float32]:
    return scan(unit_rows(world.vectors), unit_rows(world.embed((WANTED, "target", *world.traps))))


def _score(world: World, chosen: Weights) -> Scores:
    raw = _raw(world)
    return linear(chosen, query=raw[0], target=raw[1], traps=raw[2:3])
