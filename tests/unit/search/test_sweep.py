"""Candidates with the terms of their scores: whoever has them can rank at any beta."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.words import by_words

from esens import Contrast, Document, Example, Relational, Results, Searcher
from esens.errors import ArgumentError
from esens.types import Candidate, Candidates

WORDS = ["salad", "oil", "vinegar", "herbs", "egg", "cheese", "tea", "milk", "lemon", "bread", "soup", "rice"]
QUERIES = ["salad without vinegar", "tea but not milk, and no lemon", "a soup of rice and herbs, excluding bread"]


def _searcher(seed: int, count: int = 80) -> Searcher:
    draw = random.Random(seed)
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(2, 8))) for _ in range(count)]
    return Searcher.from_documents(
        [Document(str(at), text, draw.choice(["", *WORDS])) for at, text in enumerate(texts)], embedder=by_words
    )


SEARCHERS = [_searcher(seed) for seed in range(3)]


def _left(candidate: Candidate, beta: float) -> float:
    """What is left of a candidate's relevance, by the formula of the documents."""
    share = max(loss.fixed + min(loss.most, max(0.0, beta * loss.slope)) for loss in candidate.losses)
    return candidate.relevance - candidate.relevance * share


def _candidates(results: Results) -> Candidates:
    assert results.candidates is not None
    return results.candidates


@settings(max_examples=25)
@given(
    searcher=st.sampled_from(SEARCHERS),
    query=st.sampled_from(QUERIES),
    score=st.sampled_from([Relational(), Contrast(), Relational(naming=0.5, query_share=0.3)]),
    beta=st.floats(0.01, 5),
    example=st.booleans(),
)
def test_they_rank_at_any_beta_as_a_search_does(
    searcher: Searcher, query: str, score: Relational | Contrast, beta: float, *, example: bool
) -> None:
    exclude = [Example("7", 0.5)] if example else None
    sent = _candidates(searcher.search(query, score=score, exclude=exclude, candidates=80))
    results = searcher.search(query, score=score, exclude=exclude, beta=beta)
    order = sorted(sent.documents, key=lambda each: -_left(each, beta))[:10]
    assert [each.document.id for each in order] == list(results.ids)
    assert [sent.low + sent.unit * _left(each, beta) for each in order] == [hit.score for hit in results]
    assert sent.ceiling is None


@given(st.sampled_from(SEARCHERS), st.sampled_from(QUERIES), st.integers(1, 30), st.floats(0.01, 5))
def test_no_other_document_is_above_the_ceiling(searcher: Searcher, query: str, depth: int, beta: float) -> None:
    few, all_ = (_candidates(searcher.search(query, candidates=number)) for number in (depth, 80))
    sent = {each.document.id for each in few.documents}
    assert depth <= len(sent) <= 2 * depth
    others = [_left(each, beta) for each in all_.documents if each.document.id not in sent]
    assert few.ceiling is not None
    assert max(others) <= few.ceiling
    kept = {each.document.id: each for each in all_.documents}
    assert all(kept[each.document.id] == each for each in few.documents)


@given(st.sampled_from(SEARCHERS), st.sampled_from(QUERIES))
def test_the_first_of_plain_retrieval_are_among_them(searcher: Searcher, query: str) -> None:
    sent = {each.document.id: each for each in _candidates(searcher.search(query, candidates=10)).documents}
    for hit in searcher.search(query, beta=0):
        assert sent[hit.id].query_similarity == hit.score
        assert sent[hit.id].rank_before == hit.rank


def test_they_are_the_same_in_every_mode_and_change_no_result() -> None:
    (searcher, *_), (query, *_) = SEARCHERS, QUERIES
    for mode in ("soft", "hard", "flag"):
        plain, more = (searcher.search(query, mode=mode, candidates=number) for number in (0, 20))
        assert plain.candidates is None
        assert (more.hits, more.removed, more.note) == (plain.hits, plain.removed, plain.note)
        assert more.candidates == _candidates(searcher.search(query, candidates=20))


def test_a_large_corpus_with_a_shortlist_has_them_too() -> None:
    searcher = _searcher(9, 6000)
    results = searcher.search(QUERIES[0], candidates=50)
    best = sorted(_candidates(results).documents, key=lambda each: -_left(each, 2.0))[:10]
    np.testing.assert_array_equal([each.document.id for each in best], results.ids)


def test_where_nothing_is_excluded_there_are_none() -> None:
    assert SEARCHERS[0].search("salad", candidates=5).candidates is None
    assert SEARCHERS[0].search(QUERIES[0], beta=0, candidates=5).candidates is None


@pytest.mark.parametrize("score", ["linear", Contrast(sentences=3)])
def test_a_score_that_has_no_such_terms_says_so(score: str | Contrast) -> None:
    with pytest.raises(ArgumentError, match="candidates"):
        SEARCHERS[0].search(QUERIES[0], score=score, candidates=5)


@pytest.mark.parametrize("number", [-1, 1.5, "3"])
def test_how_many_is_a_whole_number(number: object) -> None:
    with pytest.raises(ArgumentError, match="candidates"):
        SEARCHERS[0].search(QUERIES[0], candidates=number)  # type: ignore[call-overload]
