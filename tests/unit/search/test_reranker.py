import numpy as np
import pytest
from tests.words import Counting, by_words

import esens
from esens import Decomposition, Reranker, Searcher
from esens.errors import ArgumentError

CANDIDATES = [
    {"id": "espresso", "text": "espresso is brewed coffee under pressure"},
    {"id": "filter", "text": "coffee brewed through a paper filter"},
    {"id": "press", "text": "coffee brewed in a press"},
]
QUERY = "brewed coffee other than espresso"


def test_candidates_are_normalised_over_their_own_set() -> None:
    results = esens.rerank(QUERY, CANDIDATES, score="linear", beta=1, embedder=by_words)
    assert len(results) == 3
    assert results.ids[-1] == "espresso"
    relevance = [hit.explanation.relevance for hit in results]
    assert (min(relevance), max(relevance)) == (0, 1)


def test_candidate_mode_on_the_full_corpus_is_full_mode() -> None:
    full = Searcher.from_documents(CANDIDATES, embedder=by_words).search(QUERY, k=3)
    assert esens.rerank(QUERY, CANDIDATES, embedder=by_words) == full


def test_given_vectors_spare_the_embedding_of_candidates() -> None:
    counting = Counting()
    vectors = by_words([row["text"] for row in CANDIDATES])
    results = Reranker(embedder=counting).rerank(QUERY, CANDIDATES, vectors=vectors)
    assert counting.documents == []
    assert results == esens.rerank(QUERY, CANDIDATES, embedder=by_words)


def test_scores_of_the_other_retriever_stand_for_the_query() -> None:
    counting = Counting()
    results = Reranker(embedder=counting).rerank(
        QUERY, CANDIDATES, scores=[30.0, 20.0, 10.0], score="linear", beta=0.9
    )
    assert counting.queries == ["espresso"]
    assert [hit.explanation.rank_before for hit in sorted(results, key=lambda hit: hit.id)] == [1, 2, 3]
    assert results.ids[0] == "filter"


def test_with_scores_and_no_exclusion_the_order_stays_and_no_model_is_loaded() -> None:
    reranker = Reranker(embedder="onnx:/there/is/no/model")
    results = reranker.rerank("brewed coffee", CANDIDATES, scores=[1.5, 2.5, 2.5])
    assert results.ids == ("filter", "press", "espresso")
    assert [hit.score for hit in results] == [2.5, 2.5, 1.5]


def test_no_candidates_are_no_results() -> None:
    assert len(esens.rerank(QUERY, [], embedder=by_words)) == 0
    assert len(esens.rerank("coffee", [], scores=[], embedder=by_words)) == 0


def test_k_cuts() -> None:
    assert len(esens.rerank(QUERY, CANDIDATES, k=2, embedder=by_words)) == 2


def test_a_known_decomposition_is_used() -> None:
    known = Decomposition("coffee", ("press",))
    results = esens.rerank("coffee", CANDIDATES, decomposition=known, score="linear", beta=1, embedder=by_words)
    assert results.ids[-1] == "press"


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0, 2.0], "give one each"),
        ([1.0, 2.0, float("nan")], "number 2 is NaN"),
        (["a", "b", "c"], "must be numbers"),
        ([1e308, -1e308, 0.0], "scale them"),
        (np.zeros((3, 1)), "give one each"),
    ],
)
def test_bad_scores_are_named(scores: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=f"scores: .*{message}"):
        esens.rerank(QUERY, CANDIDATES, scores=scores, embedder=by_words)  # type: ignore[arg-type]


def test_vectors_must_match_the_candidates() -> None:
    with pytest.raises(ArgumentError, match="2 rows for 3 documents"):
        esens.rerank(QUERY, CANDIDATES, vectors=[[1.0, 0.0], [0.0, 1.0]], embedder=by_words)


def test_the_argument_is_named_candidates() -> None:
    with pytest.raises(ArgumentError, match=r"candidates\[1\]: expected a string"):
        esens.rerank(QUERY, ["a", 5], embedder=by_words)  # type: ignore[list-item]


def test_a_trap_that_is_the_query_itself_is_still_embedded() -> None:
    counting = Counting()
    known = Decomposition("coffee", (QUERY,))
    Reranker(embedder=counting).rerank(
        QUERY, CANDIDATES, scores=[3.0, 2.0, 1.0], decomposition=known, score="linear"
    )
    assert counting.queries == [QUERY]
