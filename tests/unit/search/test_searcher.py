from collections.abc import Sequence

import numpy as np
import pytest
from tests.words import Counting, by_words

from esens import Decomposition, Document, MemoryIndex, Searcher
from esens.errors import ArgumentError, UnknownSpecError

DOCUMENTS = [
    Document("rl", "training language models with reinforcement learning and rewards", "Rewards", {"year": 2022}),
    Document("sft", "training language models on written demonstrations", "Demonstrations", {"year": 2021}),
    Document("distil", "training language models on the output of a teacher", "Teachers", {"year": 2019}),
    Document("tea", "green tea is steamed and then dried"),
]
QUERY = "training language models, excluding reinforcement learning"


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher.from_documents(DOCUMENTS, embedder=by_words)


def test_the_excluded_goes_down_and_the_answers_stay(searcher: Searcher) -> None:
    assert searcher.search(QUERY, beta=0).ids[0] == "rl"
    results = searcher.search(QUERY, score="linear", beta=1)
    assert set(results.ids[:2]) == {"sft", "distil"}
    assert results.decomposition == Decomposition("training language models", ("reinforcement learning",))
    moved = next(hit for hit in results if hit.id == "rl")
    assert moved.explanation.rank_before == 1
    assert moved.rank > 2
    assert moved.explanation.trap == "reinforcement learning"
    assert moved.metadata == {"year": 2022}


def test_only_what_counts_is_embedded() -> None:
    def embedded(**options: object) -> list[str]:
        counting = Counting()
        Searcher.from_documents(DOCUMENTS, embedder=counting).search(QUERY, **options)  # type: ignore[call-overload]
        return counting.queries

    target, trap = "training language models", "reinforcement learning"
    assert embedded() == [QUERY, target, trap]
    assert embedded(score="linear") == [QUERY, trap]
    assert embedded(beta=0) == [QUERY]
    assert embedded(decomposition=Decomposition(QUERY)) == [QUERY]
    assert embedded(variant="target-minus-trap") == [QUERY, target, trap]
    assert embedded(variant="target-minus-trap", beta=0) == [target]
    assert embedded(score="linear", alpha=0.5, gamma=0.5, beta=0) == [QUERY, target]


def test_target_minus_trap_at_beta_zero_is_plain_retrieval_of_the_target(searcher: Searcher) -> None:
    by_target = searcher.search(QUERY, variant="target-minus-trap", beta=0)
    plain = searcher.search("training language models")
    assert [(hit.id, hit.score) for hit in by_target] == [(hit.id, hit.score) for hit in plain]


def test_free_weights_without_beta_still_explain(searcher: Searcher) -> None:
    results = searcher.search(QUERY, score="linear", alpha=0.5, gamma=0.5, beta=0)
    assert all(hit.explanation.exclusion == 0 and hit.explanation.trap is None for hit in results)


def test_a_batch_is_the_same_as_one_by_one(searcher: Searcher) -> None:
    queries = [QUERY, "green tea", "language models without rewards"]
    assert searcher.search(queries, k=3) == [searcher.search(query, k=3) for query in queries]
    assert searcher.search([]) == []


def test_a_batch_takes_a_decomposition_for_each(searcher: Searcher) -> None:
    known = [Decomposition("tea", ("models",)), Decomposition("models")]
    assert [r.decomposition for r in searcher.search(["a", "b"], decomposition=known)] == known
    with pytest.raises(ArgumentError, match="1 for 2 queries"):
        searcher.search(["a", "b"], decomposition=known[:1])
    with pytest.raises(ArgumentError, match="one a query"):
        searcher.search(["a", "b"], decomposition=known[0])  # type: ignore[call-overload]
    with pytest.raises(ArgumentError, match="expected a Decomposition, got dict"):
        searcher.search("a", decomposition={"target": "x"})  # type: ignore[call-overload]


def test_strings_and_dicts_are_documents() -> None:
    searcher = Searcher.from_documents(
        ["green tea", {"id": "b", "text": "black tea", "origin": "Assam"}], embedder=by_words
    )
    results = searcher.search("black tea")
    assert results.ids == ("b", "0")
    assert results[0].metadata == {"origin": "Assam"}


@pytest.mark.parametrize(("k", "found"), [(0, 0), (1, 1), (4, 4), (100, 4), (np.int64(2), 2)])
def test_k_results_or_all_there_are(searcher: Searcher, k: int, found: int) -> None:
    assert len(searcher.search(QUERY, k=k)) == found
    assert len(searcher.search("tea", k=k)) == found


def test_one_document_is_found() -> None:
    (hit,) = Searcher.from_documents(["tea"], embedder=by_words).search("tea, excluding coffee")
    assert (hit.rank, hit.score) == (1, 0.0)


def test_duplicate_documents_share_a_rank_and_keep_their_order() -> None:
    searcher = Searcher.from_documents(["coffee", "green tea", "tea", "green tea"], embedder=by_words)
    results = searcher.search("green tea without coffee", k=3)
    assert results.ids[:2] == ("1", "3")
    assert [hit.rank for hit in results] == [1, 1, 3]


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"k": -1}, "k"),
        ({"k": 1.5}, "k"),
        ({"k": True}, "k"),
        ({"beta": -0.1}, "beta"),
        ({"beta": float("nan")}, "beta"),
        ({"beta": "0.3"}, "beta"),
        ({"variant": "other"}, "variant"),
        ({"variant": ["other"]}, "variant"),
        ({"beta": 10**400}, "beta"),
        ({"alpha": -1}, "alpha"),
        ({"gamma": float("inf")}, "gamma"),
    ],
)
def test_a_bad_option_is_named(searcher: Searcher, options: dict[str, object], argument: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        searcher.search(QUERY, **options)  # type: ignore[call-overload]
    assert raised.value.argument == argument
    assert str(raised.value).startswith(f"{argument}: ")


@pytest.mark.parametrize("query", ["", "   ", 5, None])
def test_a_bad_query_is_named(searcher: Searcher, query: object) -> None:
    with pytest.raises(ArgumentError, match="query"):
        searcher.search([query])  # type: ignore[list-item]


@pytest.mark.parametrize("queries", [5, None, {"a": 1}, (q for q in ["a"])])
def test_several_queries_come_in_a_list(searcher: Searcher, queries: object) -> None:
    with pytest.raises(ArgumentError, match="query: must be a string, or a list"):
        searcher.search(queries)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0], [1.0, 2.0]], "matrix of numbers"),
        ([["a"], ["b"]], "matrix of numbers"),
        ([[float("nan")]] * 2, "NaN"),
    ],
)
def test_what_an_embedder_returns_is_checked(vectors: list[object], message: str) -> None:
    with pytest.raises(ArgumentError, match=f"embedder: .*{message}"):
        Searcher.from_documents(["a", "b"], embedder=lambda _: vectors)  # type: ignore[arg-type, return-value]


def test_an_embedder_that_changes_its_mind_is_refused() -> None:
    dimensions = iter([2, 3])

    def fickle(texts: Sequence[str]) -> np.ndarray:
        return np.ones((len(texts), next(dimensions)))

    with pytest.raises(ArgumentError, match="returned 3 dimensions after 2"):
        Searcher.from_documents(["text"] * 200, embedder=fickle)


def test_a_decomposer_must_return_a_decomposition() -> None:
    searcher = Searcher.from_documents(["a"], embedder=by_words, decomposer=lambda query: (query, ()))  # type: ignore[arg-type, return-value]
    with pytest.raises(ArgumentError, match="decomposer: must return a Decomposition, got tuple"):
        searcher.search("a")


def test_what_is_no_index_is_refused() -> None:
    with pytest.raises(UnknownSpecError, match=r"index: unknown spec 'docs.jsonl'; valid are: FOLDER.lance"):
        Searcher("docs.jsonl", embedder=by_words)
    with pytest.raises(ArgumentError, match="index: expected a spec or an index, got list"):
        Searcher(["docs"], embedder=by_words)  # type: ignore[arg-type]


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(ArgumentError, match="the corpus is empty"):
        Searcher.from_documents([], embedder=by_words)


def test_given_vectors_spare_the_embedding() -> None:
    counting = Counting()
    vectors = by_words([document.content for document in DOCUMENTS])
    given = Searcher.from_documents(DOCUMENTS, vectors=vectors, embedder=counting)
    assert counting.documents == []
    assert given.search(QUERY) == Searcher.from_documents(DOCUMENTS, embedder=by_words).search(QUERY)


def test_vectors_of_another_model_are_refused() -> None:
    searcher = Searcher(MemoryIndex(["a"], [[1.0, 0.0]]), embedder=by_words)
    with pytest.raises(ArgumentError, match="dimension 64, but the index has 2"):
        searcher.search("a")


def test_an_embedder_must_return_a_row_a_text() -> None:
    with pytest.raises(ArgumentError, match=r"embedder: returned shape \(1, 2\) for 2 texts"):
        Searcher.from_documents(["a", "b"], embedder=lambda _: [[1.0, 2.0]])


def test_progress_counts_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    documents = [f"text {i}" for i in range(300)]
    Searcher.from_documents(documents, embedder=by_words, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(128, 300), (256, 300), (300, 300)]


def test_an_unknown_embedder_lists_the_valid_ones() -> None:
    with pytest.raises(
        UnknownSpecError, match="embedder: unknown spec 'minilmm'; valid are: minilm, wordllama, onnx:FOLDER"
    ):
        Searcher.from_documents(["a"], embedder="minilmm")
    with pytest.raises(ArgumentError, match="embedder: expected a spec"):
        Searcher.from_documents(["a"], embedder=5)  # type: ignore[arg-type]
