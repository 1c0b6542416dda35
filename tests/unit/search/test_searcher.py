from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.words import DIMENSION, Counting, by_words

from esens import Contrast, Decomposition, Document, Linear, MemoryIndex, Searcher, build_index
from esens.errors import ArgumentError, UnknownSpecError
from esens.evidence.excluded_thing import excluded_thing
from esens.index import open_index, open_writable
from esens.testing import EngineDouble

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
    assert embedded(score=Linear(variant="target-minus-trap")) == [QUERY, target, trap]
    assert embedded(score=Linear(variant="target-minus-trap", beta=0)) == [target]
    assert embedded(score=Linear(alpha=0.5, gamma=0.5, beta=0)) == [QUERY, target]


def test_plain_retrieval_does_not_look_up_what_is_excluded(searcher: Searcher) -> None:
    split = Decomposition("training language models", ("a thing that no other test excludes",))
    known = excluded_thing.cache_info().misses
    searcher.search(QUERY, decomposition=split, beta=0)
    assert excluded_thing.cache_info().misses == known
    searcher.search(QUERY, decomposition=split)
    assert excluded_thing.cache_info().misses > known


def test_target_minus_trap_at_beta_zero_is_plain_retrieval_of_the_target(searcher: Searcher) -> None:
    by_target = searcher.search(QUERY, score=Linear(variant="target-minus-trap"), beta=0)
    plain = searcher.search("training language models")
    assert [(hit.id, hit.score) for hit in by_target] == [(hit.id, hit.score) for hit in plain]


def test_free_weights_without_beta_still_explain(searcher: Searcher) -> None:
    results = searcher.search(QUERY, score=Linear(alpha=0.5, gamma=0.5, beta=0))
    assert all(hit.explanation.penalty == 0 and hit.explanation.trap is None for hit in results)


def test_the_table_calls_plain_retrieval_what_is_plain_retrieval(searcher: Searcher) -> None:
    plain = searcher.search(QUERY, beta=0)
    assert plain.scoring.is_plain
    assert "the exclusion has no weight: plain retrieval" in str(plain)
    assert "nothing is excluded: plain retrieval" in str(searcher.search("green tea"))
    doubted = str(searcher.search("excluding tea"))
    assert "nothing is excluded (“excluding”: nothing would be left to look for): plain retrieval" in doubted
    both = searcher.search(QUERY, score=Linear(alpha=0.5, gamma=0.5, beta=0))
    assert not both.scoring.is_plain
    assert [hit.score for hit in both] != [hit.score for hit in plain]
    assert "plain retrieval" not in str(both)


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
    searcher = Searcher.from_documents(["tea"], embedder=by_words)
    for score in ("contrast", "linear"):
        (hit,) = searcher.search("tea, excluding coffee", score=score)
        why = hit.explanation
        wanted = why.query_similarity if why.target_similarity is None else why.target_similarity
        assert hit.rank == 1
        assert min(why.query_similarity, wanted) <= hit.score <= max(why.query_similarity, wanted)


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
        ({"beta": 10**400}, "beta"),
        ({"alpha": 1}, "alpha"),
        ({"top_k": 3}, "top_k"),
        ({"K": 3}, "K"),
    ],
)
def test_a_bad_option_is_named(searcher: Searcher, options: dict[str, object], argument: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        searcher.search(QUERY, **options)  # type: ignore[call-overload]
    assert raised.value.argument == argument
    assert str(raised.value).startswith(f"{argument}: ")


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("top_k", "k"),
        ("n", "k"),
        ("limit", "k"),
        ("K", "k"),
        ("n_results", "k"),
        ("filter", "where"),
        ("filters", "where"),
        ("scores", "score"),
        ("modes", "mode"),
        ("decompositions", "decomposition"),
    ],
)
def test_an_option_by_another_name_is_told_what_it_is_called(searcher: Searcher, wrong: str, meant: str) -> None:
    valid = "k, score, beta, mode, decomposition, exclude, evidence_fields, where, hybrid, candidates"
    with pytest.raises(
        ArgumentError, match=rf"(?i)^{wrong}: is no option. did you mean {meant}\? Valid are: {valid}$"
    ):
        searcher.search(QUERY, **{wrong: 3})  # type: ignore[call-overload]
    with pytest.raises(ArgumentError, match=f"(?i)^colour: is no option. valid are: {valid}$"):
        searcher.search(QUERY, colour="red")  # type: ignore[call-overload]


@pytest.mark.parametrize(("score", "kind"), [(None, "Relational"), ("contrast", "Contrast"), ("linear", "Linear")])
def test_a_parameter_of_the_score_is_told_where_it_goes(searcher: Searcher, score: str | None, kind: str) -> None:
    with pytest.raises(
        ArgumentError, match=rf"^alpha: is a parameter of the score: write score=esens.{kind}\(alp"
    ):
        searcher.search(QUERY, score=score, alpha=0.5)  # type: ignore[call-overload]


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


class ReadOnly:
    """What a search needs of an index, and no more."""

    embedder_id = max_neighbours = None
    dimension = DIMENSION

    def __init__(self) -> None:
        memory = MemoryIndex(DOCUMENTS, by_words([document.content for document in DOCUMENTS]))
        self.nearest, self.score_ranges, self.close = memory.nearest, memory.score_ranges, memory.close


class TestChanging:
    @pytest.fixture
    def searcher(self) -> Searcher:
        return Searcher.from_documents(DOCUMENTS, embedder=by_words)

    def test_what_is_added_is_found_and_what_is_deleted_is_not(self, searcher: Searcher) -> None:
        assert searcher.add(["black coffee", {"id": "kiwi", "text": "a kiwi is a fruit"}]) == 2
        assert searcher.search("kiwi fruit", k=1).ids == ("kiwi",)
        assert searcher.search("black coffee", k=1)[0].text == "black coffee"
        assert searcher.delete(["kiwi", "nobody"]) == 1
        assert "kiwi" not in searcher.search("kiwi fruit", k=10).ids

    def test_it_is_as_if_all_had_been_there_from_the_start(self, searcher: Searcher) -> None:
        more = [Document("robot", "reinforcement learning of robots"), Document("book", "books on language")]
        searcher.add(more)
        assert searcher.search(QUERY) == Searcher.from_documents([*DOCUMENTS, *more], embedder=by_words).search(
            QUERY
        )

    def test_one_with_the_same_id_takes_the_place_of_the_other(self, searcher: Searcher) -> None:
        searcher.add([Document("tea", "espresso is brewed under pressure")])
        assert len(searcher.search("espresso", k=9)) == len(DOCUMENTS)
        assert searcher.search("espresso", k=1)[0].text == "espresso is brewed under pressure"

    def test_given_vectors_are_not_embedded(self) -> None:
        counting = Counting()
        searcher = Searcher.from_documents(DOCUMENTS, vectors=by_words(["x"] * 4), embedder=counting)
        searcher.add(["black coffee"], vectors=by_words(["black coffee"]))
        assert counting.documents == []
        assert searcher.search("black coffee", k=1)[0].text == "black coffee"
        with pytest.raises(ArgumentError, match="2 rows for 1 documents"):
            searcher.add(["green tea"], vectors=by_words(["a", "b"]))

    def test_nothing_may_be_added_or_deleted(self, searcher: Searcher) -> None:
        assert (searcher.add([]), searcher.delete([])) == (0, 0)
        assert len(searcher.search("tea", k=9)) == len(DOCUMENTS)

    def test_one_text_for_several_is_refused(self, searcher: Searcher) -> None:
        with pytest.raises(ArgumentError, match="ids: expected several, got one string"):
            searcher.delete("tea")
        with pytest.raises(ArgumentError, match="documents: expected several, got one str"):
            searcher.add("tea")

    def test_when_all_is_deleted_nothing_is_found(self, searcher: Searcher) -> None:
        assert searcher.delete([document.id for document in DOCUMENTS]) == 4
        assert len(searcher.search(QUERY)) == len(searcher.search("tea")) == 0
        assert len(searcher.search(QUERY, score="linear")) == len(searcher.search(QUERY, mode="hard")) == 0
        searcher.add(["green tea"])
        assert [hit.text for hit in searcher.search("tea")] == ["green tea"]

    def test_what_has_no_id_takes_nobodys_place(self) -> None:
        searcher = Searcher.from_documents(["alpha cats", "beta dogs"], embedder=by_words)
        assert searcher.add(["delta fish", {"text": "beta dogs", "year": 1}]) == 2
        texts = [hit.text for hit in searcher.search("cats", k=9)]
        assert sorted(texts) == ["alpha cats", "beta dogs", "beta dogs", "delta fish"]
        searcher.add(["gamma birds"])
        assert len(searcher.search("cats", k=9)) == 5

    def test_what_has_no_id_is_added_once_however_often(self, searcher: Searcher) -> None:
        vectors = by_words(["green tea", "green tea", "kiwi"])
        assert searcher.add(["green tea", "green tea", "kiwi"], vectors=vectors) == 2
        assert searcher.add(["kiwi", "green tea"]) == 2
        assert len(searcher.search("kiwi", k=9)) == len(DOCUMENTS) + 2
        assert searcher.search("kiwi", k=1)[0].text == "kiwi"
        with pytest.raises(ArgumentError, match="2 rows for 3 documents"):
            searcher.add(["green tea", "green tea", "kiwi"], vectors=vectors[:2])

    def test_an_id_that_comes_twice_is_refused(self, searcher: Searcher) -> None:
        with pytest.raises(ArgumentError, match="id 'a' stands at positions 0 and 2"):
            searcher.add([{"id": "a", "text": "x"}, "y", {"id": "a", "text": "x"}])

    def test_ids_that_are_numbers_are_deleted_as_they_came(self) -> None:
        searcher = Searcher.from_documents(
            [{"id": 1, "text": "cats"}, {"id": 2, "text": "dogs"}], embedder=by_words
        )
        ids: list[Any] = [1, np.int64(3)]
        assert searcher.delete(ids) == 1
        assert searcher.search("cats").ids == ("2",)

    @pytest.mark.parametrize("id_", [None, DOCUMENTS[0], {"id": "tea"}, b"tea"])
    def test_what_is_no_id_is_refused(self, searcher: Searcher, id_: Any) -> None:
        with pytest.raises(ArgumentError, match="ids: expected ids, got"):
            searcher.delete([id_])

    def test_the_passages_of_a_document_go_with_it(self, tmp_path: Path) -> None:
        pytest.importorskip("lance", reason="the index on disk needs the extra lance")
        to, long = tmp_path / "p.lance", " ".join(f"Sentence {i} is about tea." for i in range(60))
        build_index(
            [Document("long", long), Document("short", "milk")], to, embedder=by_words, words=50, overlap=0
        )
        with Searcher(to, embedder=by_words) as searcher:
            assert searcher.add([{"id": "long", "text": "short now"}]) == 1
            assert sorted(hit.text for hit in searcher.search("tea", k=99)) == ["milk", "short now"]
            assert len(open_writable(str(to))) == 2
        build_index([Document("long", long)], to, embedder=by_words, words=50, overlap=0)
        with Searcher(to, embedder=by_words) as searcher:
            assert searcher.delete(["long", "nobody", "long"]) == 1
            assert searcher.search("tea", k=99).ids == ("short",)
            assert len(open_writable(str(to))) == 1

    def test_a_document_with_the_id_of_a_passage_is_refused(self, tmp_path: Path) -> None:
        pytest.importorskip("lance", reason="the index on disk needs the extra lance")
        to, long = tmp_path / "p.lance", " ".join(f"Sentence {i} is about tea." for i in range(60))
        build_index([Document("long", long)], to, embedder=by_words, words=50, overlap=0)
        with (
            Searcher(to, embedder=by_words) as searcher,
            pytest.raises(ArgumentError, match="'long#1' is that of a passage of 'long'"),
        ):
            searcher.add([Document("long#1", "milk")])

    def test_an_index_that_cannot_be_written_to_says_so(self) -> None:
        searcher = Searcher(ReadOnly(), embedder=by_words)
        assert searcher.search("green tea", k=1).ids == ("tea",)
        with pytest.raises(ArgumentError, match="index: ReadOnly cannot be written to"):
            searcher.delete(["tea"])
        with pytest.raises(ArgumentError, match="index: ReadOnly cannot be written to"):
            searcher.add(["tea"])


class TestClosing:
    @pytest.fixture
    def spec(self, tmp_path: Path) -> str:
        pytest.importorskip("qdrant_client")
        spec = f"qdrant:{tmp_path / 'folder'}?collection=docs"
        build_index(DOCUMENTS, spec, embedder=by_words)
        return spec

    def test_what_was_opened_by_its_spec_is_closed(self, spec: str) -> None:
        with Searcher(spec, embedder=by_words) as searcher:
            assert searcher.search("green tea", k=1).ids == ("tea",)
        assert _is_closed(searcher.index)

    def test_what_the_caller_opened_stays_open(self, spec: str) -> None:
        index = open_index(spec)
        with Searcher(index, embedder=by_words) as searcher:
            searcher.search("green tea")
        assert not _is_closed(index)
        assert Searcher(index, embedder=by_words).search("green tea", k=1).ids == ("tea",)

    def test_it_is_closed_after_an_error_too(self, spec: str) -> None:
        with pytest.raises(ArgumentError), Searcher(spec, embedder=by_words) as searcher:
            searcher.search("")
        assert _is_closed(searcher.index)

    def test_an_index_in_memory_has_nothing_to_close(self) -> None:
        with Searcher.from_documents(DOCUMENTS, embedder=by_words) as searcher:
            searcher.search(QUERY)
        searcher.close()
        assert searcher.search("tea", k=1).ids == ("tea",)


def _is_closed(index: Any) -> bool:
    try:
        index.nearest(by_words(["tea"]), 1)
    except Exception:  # noqa: BLE001 - whatever an engine says once it is closed
        return True
    return False


class TestOneScale:
    """A score is on the scale of plain retrieval, whether or not the query excludes something."""

    SIZE = 60

    @pytest.fixture(params=[MemoryIndex, EngineDouble])
    def searcher(self, request: pytest.FixtureRequest) -> Searcher:
        """The last axis is that of the trap, and no document has anything of it."""
        vectors = np.random.default_rng(3).standard_normal((self.SIZE, 8))
        vectors[:, -1] = 0
        wanted = np.ones(8)
        wanted[-1] = 0
        trap = np.eye(8)[-1]

        def embed(texts: Sequence[str]) -> np.ndarray:
            return np.stack([trap if text == "trap" else wanted for text in texts])

        documents = [Document(str(i), "x") for i in range(self.SIZE)]
        return Searcher(request.param(documents, vectors), embedder=embed)

    @pytest.mark.parametrize(
        "score",
        [
            "relational",
            "contrast",
            "linear",
            Contrast(alpha=3, gamma=0.5),
            Linear(alpha=2, gamma=3),
            Contrast(sentences=5),
        ],
    )
    @pytest.mark.parametrize("k", [1, 10, SIZE])
    def test_an_exclusion_that_touches_nothing_changes_no_score(
        self, searcher: Searcher, score: Any, k: int
    ) -> None:
        plain = searcher.search("query", k=k)
        found = searcher.search("query", k=k, score=score, decomposition=Decomposition("query", ("trap",)))
        if not getattr(score, "sentences", 0):
            assert found.ids == plain.ids
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in plain], abs=1e-6)
        assert all(hit.explanation.penalty == pytest.approx(0, abs=1e-6) for hit in found)

    def test_a_cut_off_is_written_once(self, searcher: Searcher) -> None:
        plain = searcher.search("query", k=self.SIZE)
        for score in ("contrast", "linear"):
            found = searcher.search(
                "query", k=self.SIZE, score=score, decomposition=Decomposition("query", ("trap",))
            )
            for least in (-0.5, 0.0, 0.2, 0.4):
                kept = [{hit.id for hit in results if hit.score >= least} for results in (plain, found)]
                assert kept[0] == kept[1]
                assert 0 < len(kept[0]) <= self.SIZE

    def test_words_of_what_is_wanted_move_documents_and_not_the_scale(self) -> None:
        """Few texts have all the words of what is wanted; a cut-off is not to be lower for that."""
        documents = [f"green tea number {at}" for at in range(20)] + ["a green bicycle", "coffee", "tea"]
        searcher = Searcher.from_documents(documents, embedder=by_words)
        wanted = "green tea from high mountains"
        results = searcher.search(f"{wanted}, without coffee", k=23)
        assert results.decomposition.target == wanted
        most = max(hit.explanation.relevance for hit in results)
        assert most == pytest.approx(searcher.search(wanted)[0].score, abs=1e-6)

    def test_score_is_relevance_less_penalty(self, searcher: Searcher) -> None:
        split = Decomposition("query", ("trap", "query two"))
        for score in ("contrast", "linear"):
            for hit in searcher.search("query", k=self.SIZE, score=score, decomposition=split):
                why = hit.explanation
                assert hit.score == pytest.approx(why.relevance - why.penalty, abs=1e-9)

    def test_what_loses_all_its_relevance_is_at_the_least_raw_score(self) -> None:
        documents = ["salad dressing oil", "salad dressing vinegar vinegar vinegar", "vinegar", "a train leaves"]
        searcher = Searcher.from_documents(documents, embedder=by_words)
        results = searcher.search("salad dressing without vinegar")
        lost = [hit for hit in results if hit.explanation.penalty_share == 1]
        least = min(hit.score for hit in searcher.search("salad dressing"))
        assert lost
        assert [hit.score for hit in lost] == pytest.approx([least] * len(lost), abs=2e-6)
        assert all(hit.score < least for hit in lost)  # a hair below, so that it ties with nobody who lost nothing
