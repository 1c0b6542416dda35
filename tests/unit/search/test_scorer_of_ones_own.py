"""A score of one's own: what inherits from esens.Scorer ranks over a matrix in memory and over an engine."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from tests.words import Counting, by_words

import esens
from esens import Decomposition, Document, MemoryIndex, Scorer, Searcher
from esens.arrays.unit import Vectors
from esens.errors import ArgumentError
from esens.score.base import QueryTexts, RawScores, Readings, ScoreRanges, Terms, TextVectors
from esens.score.normalise import min_max
from esens.testing import EngineDouble

QUERY = "salad dressing without vinegar"
SPLIT = Decomposition("salad dressing", ("vinegar", "oil"))


class Halving(Scorer):
    """Whoever is nearer to a trap than to the query loses half of its relevance. A class like any other."""

    name = "halving"

    def texts(self, query: str, target: str, traps: Sequence[str]) -> QueryTexts:
        return QueryTexts(query, None, tuple(traps))

    def probes(self, vectors: TextVectors, ranges: ScoreRanges) -> Vectors:
        return np.asarray(vectors.query[None], np.float32)

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        relevance = min_max(raw.query, ranges.query)
        sides = np.asarray(raw.traps - raw.query, np.float64)
        return Terms(relevance, np.where(sides.max(axis=0) > 0, relevance / 2, 0.0), sides)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing(Scorer):
    """Takes a share of the relevance, has parameters and modes, and reads names."""

    beta: float = 1.0
    mode: str = "soft"
    threshold: float = 0.5

    @property
    def name(self) -> str:
        return "sharing"

    @property
    def reads_names(self) -> bool:
        return True

    def texts(self, query: str, target: str, traps: Sequence[str]) -> QueryTexts:
        return QueryTexts(query, target, tuple(traps)) if self.beta else QueryTexts(query)

    def probes(self, vectors: TextVectors, ranges: ScoreRanges) -> Vectors:
        assert vectors.target is not None
        return np.stack([vectors.query, vectors.target]).astype(np.float32)

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        relevance = min_max(raw.query, ranges.query)
        sides = np.zeros(raw.traps.shape) if readings is None else readings.names
        share = np.clip(self.beta * sides.max(axis=0), 0, 1)
        return Terms(relevance, relevance * share, sides, share)


def _corpus(size: int = 300) -> tuple[list[Document], np.ndarray]:
    nouns = ["vinegar", "oil", "lemon", "dressing", "salad", "cheese", "bread", "herbs", "mustard", "cream"]
    texts = [f"{nouns[i % 10]} {nouns[i // 10 % 10]} number {i}" for i in range(size)]
    return [Document(f"d{i:03}", text) for i, text in enumerate(texts)], by_words(texts)


@pytest.fixture(params=[MemoryIndex, EngineDouble])
def searcher(request: pytest.FixtureRequest) -> Searcher:
    return Searcher(request.param(*_corpus()), embedder=by_words)


def test_it_ranks_by_its_own_terms(searcher: Searcher) -> None:
    documents, vectors = _corpus()
    rows = MemoryIndex(documents, vectors).scan(by_words([QUERY, "vinegar", "oil"])).raw
    raw = RawScores(rows[0], None, rows[1:])
    by_hand = Halving().terms(raw, raw.ranges())
    results = searcher.search(QUERY, k=20, score=Halving(), decomposition=SPLIT)
    low, high, *_ = raw.ranges().query
    place = {document.id: at for at, document in enumerate(documents)}
    for hit in results:
        at = place[hit.id]
        assert hit.score == pytest.approx(low + (high - low) * by_hand.score[at], abs=1e-6)
        assert hit.explanation.penalty == pytest.approx((high - low) * by_hand.penalty[at], abs=1e-6)
        assert hit.explanation.trap == SPLIT.traps[by_hand.trap[at]]
        assert hit.explanation.penalty_share is None
    assert [hit.score for hit in results] == sorted((hit.score for hit in results), reverse=True)


def test_over_memory_the_best_of_all_are_found() -> None:
    documents, vectors = _corpus()
    memory = Searcher(MemoryIndex(documents, vectors), embedder=by_words)
    every = memory.search(QUERY, k=300, score=Halving(), decomposition=SPLIT)
    assert len(every) == 300
    assert memory.search(QUERY, k=7, score=Halving(), decomposition=SPLIT).ids == every.ids[:7]


def test_an_engine_is_asked_for_its_probes() -> None:
    engine = EngineDouble(*_corpus())
    Searcher(engine, embedder=by_words).search(QUERY, k=5, score=Halving(), decomposition=SPLIT)
    assert all(k >= 5 for depths in engine.requested_k for k in depths)
    (vector,) = engine.requested_vectors[0]
    expected = by_words([QUERY])[0]
    np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=1e-6)


def test_an_engine_finds_the_same_also_where_the_order_of_the_one_probe_is_not_that_of_the_score() -> None:
    found = [
        Searcher(kind(*_corpus()), embedder=by_words).search(QUERY, k=5, score=Halving(), decomposition=SPLIT)
        for kind in (MemoryIndex, EngineDouble)
    ]
    assert found[0].ids == found[1].ids


def test_results_say_its_name_and_its_parameters(searcher: Searcher) -> None:
    plain = searcher.search(QUERY, score=Halving(), decomposition=SPLIT)
    assert (plain.scoring.name, dict(plain.scoring.parameters)) == ("halving", {})
    own = searcher.search(QUERY, score=Sharing(beta=0.5), decomposition=SPLIT)
    assert (own.scoring.name, dict(own.scoring.parameters)) == (
        "sharing",
        {"beta": 0.5, "mode": "soft", "threshold": 0.5},
    )
    assert '"name": "sharing"' in own.to_json()
    assert str(plain)


def test_where_nothing_is_excluded_it_is_plain_retrieval(searcher: Searcher) -> None:
    plain = searcher.search("salad dressing")
    assert searcher.search("salad dressing", score=Halving()).hits == plain.hits
    assert searcher.search(QUERY, score=Sharing(), beta=0, decomposition=SPLIT).scoring.is_plain


def test_names_count_and_modes_leave_out_or_mark(searcher: Searcher) -> None:
    def search(mode: str) -> esens.Results:
        return searcher.search(QUERY, k=20, score=Sharing(), mode=mode, decomposition=SPLIT)

    soft, hard, flag = map(search, ("soft", "hard", "flag"))
    for hit in soft:
        assert hit.explanation.penalty_share == hit.explanation.name_overlap
    assert len(hard) == 20
    assert all(hit.explanation.penalty_share == 0 for hit in hard)
    assert all({"vinegar", "oil"} & set(hit.text.split()) for hit in hard.removed)
    assert flag.ids == searcher.search(QUERY, k=20, beta=0, decomposition=SPLIT).ids
    assert {hit.explanation.is_excluded for hit in flag} == {True, False}


def test_only_its_texts_are_embedded() -> None:
    counting = Counting()
    documents, vectors = _corpus()
    searcher = Searcher(MemoryIndex(documents, vectors), embedder=counting)
    searcher.search(QUERY, score=Halving(), decomposition=SPLIT)
    assert counting.queries == [QUERY, "vinegar", "oil"]
    assert counting.documents == []


def test_candidates_are_reranked_by_it() -> None:
    documents, vectors = _corpus(40)
    found = esens.rerank(
        QUERY, documents, vectors=vectors, embedder=by_words, score=Halving(), decomposition=SPLIT
    )
    memory = Searcher(MemoryIndex(documents, vectors), embedder=by_words)
    assert found == memory.search(QUERY, k=40, score=Halving(), decomposition=SPLIT)


@pytest.mark.parametrize("option", ["beta", "mode"])
def test_a_parameter_that_it_does_not_have_is_refused(searcher: Searcher, option: str) -> None:
    value = {"beta": 1.0, "mode": "hard"}[option]
    with pytest.raises(ArgumentError, match=f'{option}: the score "halving" has none'):
        searcher.search(QUERY, score=Halving(), decomposition=SPLIT, **{option: value})  # type: ignore[call-overload]


def test_what_is_no_scorer_is_refused(searcher: Searcher) -> None:
    for wrong in (object(), Halving, 3):
        with pytest.raises(ArgumentError, match=r"score: must be .*, or a scorer such as"):
            searcher.search(QUERY, score=wrong)  # type: ignore[call-overload]
