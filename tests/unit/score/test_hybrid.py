"""Laws of hybrid search: words add to what is wanted, and never pay for what is not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from esens import Contrast, Hybrid, Linear, Relational, Scorer
from esens.errors import ArgumentError
from esens.score.base import RawScores, Readings
from esens.score.hybrid import FUSIONS, fit_hybrid, fuse_plainly
from esens.score.normalise import Scores

COUNT = 7
cosines = arrays.arrays(np.float64, COUNT, elements=st.floats(-1, 1, width=32))
word_scores = arrays.arrays(np.float64, COUNT, elements=st.just(0.0) | st.floats(0.125, 30, width=32))
hybrids = st.builds(Hybrid, fusion=st.sampled_from(FUSIONS), words=st.floats(0, 1))
scorers = st.sampled_from([Relational(), Contrast(), Linear(), Linear(variant="target-minus-trap")])


def _scores(scorer: Scorer, raw: RawScores, readings: Readings | None = None) -> Scores:
    return scorer.fit(raw, (True,)).terms(raw, raw.ranges(), readings).score


def _fused(scorer: Scorer, hybrid: Hybrid, raw: RawScores, readings: Readings | None = None) -> Scores:
    fitted = fit_hybrid(scorer.fit(raw, (True,)), hybrid, scorer.weight, raw, raw.ranges())
    return fitted.terms(raw, raw.ranges(), readings).score


@given(scorers, cosines, cosines, cosines, word_scores)
def test_with_no_share_of_the_words_nothing_changes(
    scorer: Scorer, query: Scores, target: Scores, trap: Scores, words: Scores
) -> None:
    hybrid = Hybrid(words=0.0)
    raw = RawScores(query, target, trap[None], words=hybrid.word_relevance(words))
    assert np.array_equal(_fused(scorer, hybrid, raw), _scores(scorer, raw))


@given(hybrids, cosines, cosines, cosines, word_scores)
def test_what_has_the_excluded_is_worth_nothing_whichever_leg_found_it(
    hybrid: Hybrid, query: Scores, target: Scores, trap: Scores, words: Scores
) -> None:
    raw = RawScores(query, target, trap[None], words=hybrid.word_relevance(words))
    affirmed = np.ones((1, COUNT), np.bool_)
    readings = Readings.of_names(np.zeros((1, COUNT)))._replace(affirmed=affirmed)
    assert _fused(Relational(), hybrid, raw, readings).max() <= 0.0


@given(st.sampled_from(FUSIONS), st.floats(0, 1), cosines, cosines, cosines, word_scores)
def test_more_words_are_never_worse(
    fusion: str, share: float, query: Scores, target: Scores, trap: Scores, words: Scores
) -> None:
    hybrid = Hybrid(fusion=fusion, words=share)
    # The best match stays, for it is what the others are measured by.
    more = words.copy()
    more[0] = max(words.max(), 1.0)
    words[1:], more[1:] = np.minimum(words[1:], more[0]), np.minimum(words[1:], more[0])
    words[0] = 0.0
    scale = np.append(words, more[0])
    before = hybrid.word_relevance(scale)[:-1]
    after = hybrid.word_relevance(more)
    raw = RawScores(query, target, trap[None])
    less, greater = (_fused(Relational(), hybrid, raw._replace(words=each)) for each in (before, after))
    assert greater[0] >= less[0]


@given(hybrids, cosines, word_scores, st.floats(0.1, 10))
def test_the_scale_of_either_leg_does_not_matter(
    hybrid: Hybrid, query: Scores, words: Scores, scale: float
) -> None:
    by_vectors = query - query.min()
    fused = fuse_plainly(hybrid, by_vectors, words)
    assert fuse_plainly(hybrid, by_vectors, scale * words) == pytest.approx(fused)


def test_rank_fusion_is_the_published_sum() -> None:
    fused = fuse_plainly(Hybrid(fusion="rrf", words=0.5), np.array([0.9, 0.5, 0.1]), np.array([0.0, 2.0, 4.0]))
    published = np.array([1 / 61, 1 / 62 + 1 / 62, 1 / 63 + 1 / 61])
    assert fused == pytest.approx(published * 61 / 2)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"fusion": "max"}, "unknown fusion 'max'; valid are: weighted, rrf"), ({"words": 1.5}, "words: must be")],
)
def test_bad_parameters_are_told(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Hybrid(**parameters)  # type: ignore[arg-type]
