import numpy as np
import pytest
from tests.words import Counting, by_words

import esens
from esens import Decomposition, Reranker, Searcher
from esens.documents import Passage
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
    # On the scale of plain retrieval relevance goes from the least raw score to the greatest.
    relevance = [hit.explanation.relevance for hit in results]
    similarity = [hit.explanation.query_similarity for hit in results]
    assert (min(relevance), max(relevance)) == pytest.approx((min(similarity), max(similarity)))
    penalty = [hit.explanation.penalty for hit in results]
    assert (min(penalty), max(penalty)) == pytest.approx((0, max(similarity) - min(similarity)))


def test_candidate_mode_on_the_full_corpus_is_full_mode() -> None:
    full = Searcher.from_documents(CANDIDATES, embedder=by_words).search(QUERY, k=3)
    assert esens.rerank(QUERY, CANDIDATES, embedder=by_words) == full


def test_hits_of_a_search_are_candidates() -> None:
    results = Searcher.from_documents(CANDIDATES, embedder=by_words).search("brewed coffee", k=3)
    assert esens.rerank(QUERY, results, embedder=by_words).ids[-1] == "espresso"
    assert (
        esens.rerank(QUERY, results.hits[:2], embedder=by_words).ids
        == esens.rerank(QUERY, [hit.document for hit in results[:2]], embedder=by_words).ids
    )


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


PASSAGES = [
    esens.Document(f"{of}#{number}", text, metadata={"source": of.upper()}, passage=Passage(of, number, 2))
    for of, number, text in (
        ("tea", 1, "green tea"),
        ("tea", 2, "black tea"),
        ("coffee", 1, "espresso coffee"),
        ("coffee", 2, "brewed coffee"),
    )
]


@pytest.mark.parametrize("mode", ["soft", "flag"])
@pytest.mark.parametrize("query", ["green tea", "tea and coffee without espresso"])
def test_passages_come_back_as_they_were_given(query: str, mode: str) -> None:
    results = esens.rerank(query, PASSAGES, mode=mode, embedder=by_words)
    assert sorted(results.ids) == sorted(document.id for document in PASSAGES)
    assert {hit.id: hit.document for hit in results} == {document.id: document for document in PASSAGES}
    assert sorted(hit.explanation.rank_before or 0 for hit in results) == [1, 2, 3, 4]


def test_hard_leaves_out_passages_and_not_their_documents() -> None:
    split = Decomposition("coffee", ("espresso",))
    results = esens.rerank("espresso coffee", PASSAGES, mode="hard", decomposition=split, embedder=by_words)
    assert "coffee#2" in results.ids
    assert [hit.id for hit in results.removed] == ["coffee#1"]
    assert results.removed[0].document == PASSAGES[2]


def test_an_option_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(ArgumentError, match=r"(?i)^top_k: is no option. did you mean k\? Valid are: k, score, "):
        esens.rerank(QUERY, CANDIDATES, top_k=3, embedder=by_words)  # type: ignore[arg-type]


def test_what_is_an_option_of_search_alone_is_not_offered() -> None:
    with pytest.raises(ArgumentError) as raised:
        esens.rerank(QUERY, CANDIDATES, where={"a": 1}, embedder=by_words)  # type: ignore[arg-type]
    assert raised.value.argument == "where"
    assert "where" not in raised.value.problem


def test_k_cuts() -> None:
    assert len(esens.rerank(QUERY, CANDIDATES, k=2, embedder=by_words)) == 2


def test_a_known_decomposition_is_used() -> None:
    known = Decomposition("coffee", ("press",))
    results = esens.rerank("coffee", CANDIDATES, decomposition=known, score="linear", beta=1, embedder=by_words)
    assert results.ids[-1] == "press"


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.array([1j, 2, 3]), "numbers"),
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
        esens.rerank(QUERY, CANDIDATES, vectors=by_words(["a", "b"]), embedder=by_words)
    with pytest.raises(ArgumentError, match=r"vectors: have dimension 2, .* 64"):
        esens.rerank(QUERY, CANDIDATES, vectors=[[1.0, 0.0]] * 3, embedder=by_words)


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
