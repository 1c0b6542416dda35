"""A shortlist spares work and changes nothing: what is not on it cannot be among the best."""

from collections.abc import Sequence
from random import Random
from unittest.mock import patch

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from tests.words import by_words

import esens
from esens import Contrast, Decomposition, Document, Linear, Relational, Results, Scorer, Searcher
from esens.arrays.rank import top_k
from esens.search import shortlist as shortlists
from esens.search.candidates import CandidateSet
from esens.search.plan import plan_query
from esens.search.retrieve import retrieve

WORDS = ("salad", "dressing", "oil", "vinegar", "no", "lemon", "salt", "sweet", "optional", "The", "cream.")
QUERY, SPLIT = "salad dressing without vinegar", Decomposition("salad dressing", ("vinegar", "cream"))
SCORERS = (Relational(), Relational(query_share=0.5), Contrast(), Contrast(spare_mentions=False), Linear(beta=0.4))
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
corpora = st.lists(texts, min_size=30, max_size=120)


def _search(documents: Sequence[Document], scorer: Scorer, k: int) -> Results:
    searcher = Searcher.from_documents(documents, embedder=by_words)
    return searcher.search(QUERY, k=k, score=scorer, decomposition=SPLIT)


@given(corpora, st.sampled_from(SCORERS), st.integers(1, 12), st.integers(1, 20))
# A shortlist of fewer than are read for the words of what is wanted: the last document has them, and is not on it.
@example(
    [*["salad"] * 23, "vinegar", *["salad dressing"] * 4, "salad oil", "dressing salad dressing dressing"],
    Relational(),
    5,
    5,
)
def test_results_are_those_of_all_candidates(corpus: list[str], scorer: Scorer, k: int, first: int) -> None:
    documents = [Document(str(at), text, text.partition(" ")[0]) for at, text in enumerate(corpus)]
    with patch.object(shortlists, "_WORTH_IT", np.inf):
        expected = _search(documents, scorer, k)
    with patch.multiple(shortlists, _WORTH_IT=0, _FIRST=first, _A_RESULT=0):
        assert _search(documents, scorer, k).to_json() == expected.to_json()


@given(corpora, st.sampled_from(SCORERS), st.integers(1, 20))
def test_nobody_beyond_it_scores_more_than_its_ceiling(corpus: list[str], scorer: Scorer, first: int) -> None:
    index = esens.MemoryIndex(corpus, by_words(corpus))
    plan = plan_query(QUERY, SPLIT, scorer, k=1)
    (candidates,) = retrieve(index, plan, by_words(plan.embedded_texts))
    for has in ((False, False), (True, False), (True, True)):
        fitted = scorer.fit(candidates.raw, has)
        with patch.multiple(shortlists, _WORTH_IT=0, _FIRST=first):
            few = shortlists.shortlist(candidates, 1)
        assert few is not None
        assert few.end is not None
        beyond = np.setdiff1d(np.arange(len(corpus)), few.columns)
        relevance = fitted.terms(candidates.raw, candidates.ranges).relevance
        most = fitted.most(candidates.raw, candidates.ranges)
        upper = relevance if most is None else np.maximum(relevance, most)
        last, most = fitted.terms(few.end, candidates.ranges).relevance, fitted.most(few.end, candidates.ranges)
        assert (upper[beyond] <= (last if most is None else np.maximum(last, most))).all()
        for scores in (candidates.raw.query, candidates.raw.target):
            if scores is not None:
                assert few.nearest(scores, first + 2).tolist() == top_k(scores, first + 2).tolist()
                assert few.nearest(scores, first).tolist() == top_k(scores, first).tolist()


def test_a_few_candidates_are_not_worth_one() -> None:
    corpus = [f"{word} {number}" for number in range(10) for word in WORDS]
    plan = plan_query(QUERY, SPLIT, Contrast(), k=3)
    (candidates,) = retrieve(esens.MemoryIndex(corpus, by_words(corpus)), plan, by_words(plan.embedded_texts))
    assert isinstance(candidates, CandidateSet)
    assert shortlists.shortlist(candidates, 3) is None


def test_where_what_is_on_it_is_excluded_the_others_are_looked_at() -> None:
    random = Random(381)
    lengths = (1, 1, 1, 2, 5, 8)
    corpus = [
        " ".join(random.choice(WORDS) for _ in range(random.choice(lengths)))
        for _ in range(random.randint(30, 60))
    ]
    documents = [Document(str(at), text, text.partition(" ")[0]) for at, text in enumerate(corpus)]
    expected = _search(documents, Relational(), 11)
    with patch.multiple(shortlists, _WORTH_IT=0, _FIRST=11, _A_RESULT=0):
        assert _search(documents, Relational(), 11).to_json() == expected.to_json()
