"""Search over an engine, and of documents that were split into passages."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from tests.words import DIMENSION, Counting, by_words

from esens import Contrast, Decomposition, Document, Linear, MemoryIndex, Relational, Results, Scorer, Searcher
from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.rank import top_k
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.documents import Passage
from esens.embed.identity import identify
from esens.errors import ArgumentError
from esens.index import Index
from esens.index.base import Neighbours
from esens.index.filters import Filter
from esens.search.retrieve import DEEPEST
from esens.testing import EngineDouble
from esens.types import EmbedderId

QUERY = "salad dressings but not vinegar"
SPLIT = Decomposition("salad dressings", ("vinegar",))
SALAD = Decomposition("dressing for a salad", ("vinegar",))


class Fingerprinted(Counting):
    fingerprint = "words, version 1"


class RowCounting(EngineDouble):
    """Counts the rows that come back."""

    rows = 0

    def nearest(
        self, vectors: np.ndarray, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        near = super().nearest(vectors, k, where=where, with_vectors=with_vectors)
        self.rows += sum(len(neighbours.documents) for neighbours in near)
        return near


class Shallow(RowCounting):
    """As an engine that gives a hundred neighbours at most, and refuses to give more."""

    def __init__(self, documents: Sequence[Document], vectors: np.ndarray) -> None:
        super().__init__(documents, vectors, max_neighbours=100)

    def nearest(
        self, vectors: np.ndarray, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        if k > 100:
            raise ArgumentError("k", f"at most 100 neighbours, got {k}")
        return super().nearest(vectors, k, where=where, with_vectors=with_vectors)


class InnerProducts(EngineDouble):
    """What an engine gives that compares by the inner product: vectors, and scores, as long as they are kept."""

    def __init__(self, documents: Sequence[Document], vectors: np.ndarray) -> None:
        super().__init__(documents, vectors)
        self._documents, self._rows = documents, np.asarray(vectors, np.float32)

    def nearest(
        self, vectors: np.ndarray, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        best = [(scores, top_k(scores, k)) for scores in scan(self._rows, vectors)]
        return [
            Neighbours(tuple(self._documents[i] for i in at), scores[at], self._rows[at] if with_vectors else None)
            for scores, at in best
        ]

    def score_ranges(self, vectors: np.ndarray, *, where: Filter | None = None) -> list[ScoreRange]:
        return [score_range(scores) for scores in scan(self._rows, vectors)]


def _corpus(size: int = 300) -> tuple[list[Document], np.ndarray]:
    nouns = ["vinegar", "oil", "lemon", "dressing", "salad", "cheese", "bread", "herbs", "mustard", "cream"]
    texts = [f"{nouns[i % 10]} {nouns[i // 10 % 10]} number {i}" for i in range(size)]
    documents = [Document(f"d{i:03}", text, metadata={"half": i % 2}) for i, text in enumerate(texts)]
    return documents, by_words(texts)


@pytest.fixture(params=[MemoryIndex, EngineDouble])
def searcher(request: pytest.FixtureRequest) -> Searcher:
    return Searcher(request.param(*_corpus()), embedder=by_words)


def test_an_engine_knows_the_ranks_of_the_neighbours_it_was_asked_for() -> None:
    documents, vectors = _corpus()
    exact = Searcher(MemoryIndex(documents, vectors), embedder=by_words)
    found = Searcher(EngineDouble(documents, vectors), embedder=by_words)
    options: dict[str, Any] = {"decomposition": SPLIT, "k": 40, "score": Contrast(depth=20)}
    before = {hit.id: hit.explanation.rank_before for hit in exact.search(QUERY, decomposition=SPLIT, k=300)}
    ranks = {hit.id: hit.explanation.rank_before for hit in found.search(QUERY, **options)}
    assert None in ranks.values()
    for id_, rank in ranks.items():
        assert rank == before[id_] if before[id_] <= 40 else rank is None  # type: ignore[operator]


def test_an_unknown_rank_is_shown_as_such() -> None:
    results = Searcher(EngineDouble(*_corpus()), embedder=by_words).search(
        QUERY, decomposition=SPLIT, score="linear", k=3
    )
    assert [hit.explanation.rank_before for hit in results] == [None] * 3
    assert str(results[0].explanation).startswith("rank 1: relevance")
    assert " 1     –   " in str(results)


def test_a_filter_leaves_its_documents(searcher: Searcher) -> None:
    every: tuple[dict[str, Any], ...] = ({}, {"score": "linear"}, {"mode": "flag"}, {"beta": 0})
    for options in every:
        results = searcher.search(QUERY, decomposition=SPLIT, where={"half": 1}, **options)
        assert len(results) == 10
        assert all(hit.metadata["half"] == 1 for hit in results)


def test_by_contrast_an_engine_is_asked_for_the_most_relevant_and_more_of_them_for_more_results() -> None:
    documents, vectors = _corpus()
    split = Decomposition("dressing", ("train",))
    for k, first in ((5, 40), (50, 150)):
        engine = EngineDouble(documents, vectors)
        found = Searcher(engine, embedder=by_words).search(QUERY, decomposition=split, k=k, score="contrast")
        exact = Searcher(MemoryIndex(documents, vectors), embedder=by_words).search(
            QUERY, decomposition=split, k=k, score="contrast"
        )
        assert engine.requested_k[0] == [first]
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in exact], abs=1e-6)


def test_candidates_beside_the_results_are_near_the_query_and_the_target() -> None:
    engine = EngineDouble(*_corpus())
    searcher = Searcher(engine, embedder=by_words)
    results = searcher.search(QUERY, decomposition=SPLIT, k=5, score="contrast", candidates=5)
    assert engine.requested_k == [[80] * 2]
    assert [hit.explanation.rank_before for hit in results] != [None] * 5


def test_candidates_of_the_default_are_near_the_query_and_the_target_however_many_traps_there_are() -> None:
    engine = EngineDouble(*_corpus())
    split = Decomposition("salad dressings", ("vinegar", "oil"))
    Searcher(engine, embedder=by_words).search(QUERY, decomposition=split, k=5)
    assert engine.requested_k == [[Relational().candidates] * 2]
    np.testing.assert_allclose(
        engine.requested_vectors[0], unit_rows(by_words([QUERY, "salad dressings"])), atol=1e-6
    )


@pytest.mark.parametrize("score", ["linear", "contrast"])
def test_scores_are_normalised_over_what_the_filter_leaves(searcher: Searcher, score: str) -> None:
    documents, vectors = _corpus()
    alone = Searcher(MemoryIndex(documents[1::2], vectors[1::2]), embedder=by_words)
    found = searcher.search(QUERY, decomposition=SPLIT, where=["half=1"], score=score)
    exact = alone.search(QUERY, decomposition=SPLIT, score=score)
    assert found.ids == exact.ids
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in exact], abs=1e-6)


def test_a_filter_that_nobody_fulfils_finds_nothing(searcher: Searcher) -> None:
    for score in ("contrast", "linear"):
        assert not searcher.search(QUERY, decomposition=SPLIT, where={"half": 7}, score=score)


def test_hard_over_an_engine_looks_deeper_until_there_are_enough() -> None:
    texts = [
        *(f"vinegar and vinegar in a dressing {i}" for i in range(250)),
        *(f"lemon dressing {i}" for i in range(20)),
    ]
    documents = [Document(f"d{i:03}", text) for i, text in enumerate(texts)]
    engine = EngineDouble(documents, by_words(texts))
    results = Searcher(engine, embedder=by_words).search(
        "vinegar dressing, no vinegar", decomposition=Decomposition("dressing", ("vinegar",)), mode="hard", k=10
    )
    assert [hit.text.split()[0] for hit in results] == ["lemon"] * 10
    assert all(hit.text.startswith("vinegar") for hit in results.removed)


SIZE, FEW = 20_000, 3


@pytest.fixture(scope="module")
def mostly_excluded() -> tuple[list[Document], np.ndarray, Callable[[Sequence[str]], np.ndarray]]:
    """A corpus about what is excluded, but for three documents."""
    random, axes = np.random.default_rng(0), np.eye(32, dtype=np.float32)
    vectors = 0.9 * axes[0] + 0.03 * random.standard_normal((SIZE, 32)).astype(np.float32)
    vectors[:FEW] = axes[1] + 0.2 * random.standard_normal((FEW, 32))
    texts = {"things": axes[0] + axes[1], "target": axes[1], "trap": axes[0]}
    documents = [Document(str(i), f"document {i}") for i in range(SIZE)]
    return documents, vectors, lambda asked: np.stack([texts[text] for text in asked])


def _hard(engine: Index, embed: Callable[[Sequence[str]], np.ndarray], k: int = 10) -> Results:
    split = Decomposition("target", ("trap",))
    return Searcher(engine, embedder=embed).search(
        "things", k=k, score="contrast", mode="hard", decomposition=split
    )


class TestHardEnds:
    Corpus = tuple[list[Document], np.ndarray, Callable[[Sequence[str]], np.ndarray]]

    def test_the_rows_that_are_fetched_are_bounded_and_the_note_says_so(self, mostly_excluded: Corpus) -> None:
        documents, vectors, embed = mostly_excluded
        engine = RowCounting(documents, vectors)
        results = _hard(engine, embed)
        assert set(results.ids) == {"0", "1", "2"}
        assert max(k for depths in engine.requested_k for k in depths) == DEEPEST
        assert len(engine.requested_k) <= 5
        assert engine.rows <= 2 * 2 * DEEPEST < SIZE
        assert results.note.startswith("3 of 10 results: no more are among the ")
        assert "no others were asked for" in str(results).replace("\n", " ")

    def test_by_contrast_what_is_wanted_is_found_behind_all_that_is_excluded(
        self, mostly_excluded: Corpus
    ) -> None:
        documents, vectors, embed = mostly_excluded
        engine = EngineDouble(documents, vectors)
        split = Decomposition("target", ("trap",))
        results = Searcher(engine, embedder=embed).search("things", score="contrast", decomposition=split)
        assert set(results.ids[:3]) == {"0", "1", "2"}
        assert engine.requested_k == [[Contrast().candidates], [80] * 2]

    def test_an_engine_that_gives_few_neighbours_is_asked_for_no_more(self, mostly_excluded: Corpus) -> None:
        documents, vectors, embed = mostly_excluded
        engine = Shallow(documents, vectors)
        results = _hard(engine, embed)
        assert engine.requested_k == [[Contrast(mode="hard").candidates] * 2, [100] * 2]
        assert set(results.ids) == {"0", "1", "2"}
        assert results.note

    def test_unless_more_results_are_wanted(self, mostly_excluded: Corpus) -> None:
        documents, vectors, embed = mostly_excluded
        with pytest.raises(ArgumentError, match="k: at most 100 neighbours, got 101"):
            _hard(Shallow(documents, vectors), embed, k=101)
        engine = EngineDouble(documents, vectors, max_neighbours=100)
        _hard(engine, embed, k=150)
        assert engine.requested_k == [[150] * 2]

    def test_a_plain_search_asks_for_what_is_wanted(self, mostly_excluded: Corpus) -> None:
        documents, vectors, embed = mostly_excluded
        engine = Shallow(documents, vectors)
        results = Searcher(engine, embedder=embed).search("things", k=7)
        assert (engine.requested_k, len(results), results.note) == ([[7]], 7, "")

    def test_a_complete_answer_has_no_note(self, mostly_excluded: Corpus) -> None:
        documents, vectors, embed = mostly_excluded
        assert _hard(EngineDouble(documents[:40], vectors[:40]), embed).note == ""
        memory = _hard(MemoryIndex(documents, vectors), embed)
        assert (len(memory), memory.note) == (FEW, "")


@pytest.mark.parametrize("kind", [EngineDouble, MemoryIndex])
@pytest.mark.parametrize("options", [{}, {"mode": "hard"}, {"mode": "flag"}, {"beta": 0}, {"score": "linear"}])
def test_no_results_may_be_wanted(kind: type, options: dict[str, Any]) -> None:
    results = Searcher(kind(*_corpus()), embedder=by_words).search(QUERY, k=0, decomposition=SPLIT, **options)
    assert len(results) == 0
    assert results.note == ""


@pytest.mark.parametrize(
    "scorer", [Contrast(), Contrast(mode="hard"), Contrast(mode="flag"), Linear(gamma=0.5, alpha=0.5)]
)
def test_by_inner_products_the_order_is_the_same_however_long_vectors_are(scorer: Scorer) -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        base = random.standard_normal(16)
        rows = base + 0.35 * random.standard_normal((40, 16))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        target, trap = base + 0.4 * random.standard_normal(16), base + 0.6 * random.standard_normal(16)
        texts = {"query": target + trap, "target": target, "trap": trap}
        documents = [Document(str(i), "x") for i in range(40)]

        def embed(asked: Sequence[str], texts: dict[str, Any] = texts) -> np.ndarray:
            return np.stack([texts[text] for text in asked])

        split = Decomposition("target", ("trap",))
        indexes: list[Index] = [
            MemoryIndex(documents, rows),
            *(InnerProducts(documents, rows * by) for by in (0.1, 1, 10)),
        ]
        cosines, *found = (
            Searcher(index, embedder=embed).search("query", k=8, score=scorer, decomposition=split)
            for index in indexes
        )
        for results, by in zip(found, (0.1, 1, 10), strict=True):
            assert results.ids == cosines.ids
            assert [hit.id for hit in results.removed] == [hit.id for hit in cosines.removed]
            assert [hit.score for hit in results] == pytest.approx([by * hit.score for hit in cosines], rel=1e-4)
            shares = [[hit.explanation.penalty_share for hit in each] for each in (results, cosines)]
            assert shares[0] == pytest.approx(shares[1], abs=1e-4)


class TestLongVectors:
    TEXTS = (
        "Green tea is steamed leaf. A cup of tea.",
        "Milk tea has milk in its cup. Milk is white.",
        "A leaf of tea in a cup. Nothing else is in it. Some add milk, milk and more milk.",
        "A cup. Another cup of leaf.",
        "Milk. Milk in a cup.",
        "Leaf and leaf and leaf.",
    )

    def _results(self, scale: float, scorer: Contrast) -> Results:
        def embed(texts: Sequence[str]) -> np.ndarray:
            words = ("tea", "milk", "leaf", "cup")
            return np.array([[*(text.lower().count(word) for word in words), 0.2] for text in texts])

        vectors = embed(self.TEXTS)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        documents = [Document(str(i), text) for i, text in enumerate(self.TEXTS)]
        split = Decomposition("tea", ("milk",))
        searcher = Searcher(InnerProducts(documents, vectors * scale), embedder=embed)
        return searcher.search("tea without milk", k=6, decomposition=split, score=scorer)

    @pytest.mark.parametrize("scale", [0.1, 10])
    @pytest.mark.parametrize("sentences", [0, 3, 6])
    @pytest.mark.parametrize("spare_mentions", [True, False])
    def test_sentences_and_mentions_are_compared_as_documents_are(
        self, scale: float, sentences: int, spare_mentions: bool
    ) -> None:
        scorer = Contrast(sentences=sentences, spare_mentions=spare_mentions)
        unit, scaled = self._results(1, scorer), self._results(scale, scorer)
        assert scaled.ids == unit.ids
        assert [hit.score for hit in scaled] == pytest.approx([scale * hit.score for hit in unit], rel=1e-4)
        assert [hit.explanation.sentence for hit in scaled] == [hit.explanation.sentence for hit in unit]
        ignored = [[hit.id for hit in results if hit.explanation.mention_ignored] for results in (unit, scaled)]
        assert ignored[0] == ignored[1] == (["2"] if spare_mentions else [])


def test_several_traps_by_the_papers_score_look_deeper_until_it_is_sure() -> None:
    documents, vectors = _corpus()
    split = Decomposition("salad dressings", ("vinegar", "oil", "mustard"))
    engine = EngineDouble(documents, vectors)
    found = Searcher(engine, embedder=by_words).search(QUERY, decomposition=split, score="linear", beta=3, k=40)
    exact = Searcher(MemoryIndex(documents, vectors), embedder=by_words).search(
        QUERY, decomposition=split, score="linear", beta=3, k=40
    )
    assert found.ids == exact.ids
    assert len(engine.requested_k) > 1
    assert all(len(asked) == 3 for asked in engine.requested_k)


class TestPassages:
    def _documents(self) -> list[Document]:
        def passage(of: str, number: int, text: str, title: str = "") -> Document:
            return Document(f"{of}#{number}", text, title, passage=Passage(of, number, 3))

        return [
            passage("long", 1, "lemon dressing for a salad"),
            passage("long", 2, "salad dressing with lemon and oil"),
            passage("long", 3, "a history of bread"),
            Document("short", "oil dressing for salads"),
            passage("sour", 1, "vinegar of cider", "vinegar"),
            passage("sour", 2, "vinegar and vinegar for salads and a dressing", "vinegar"),
            *(Document(f"other {i}", f"cheese and bread {i}") for i in range(30)),
        ]

    @pytest.fixture(params=[MemoryIndex, EngineDouble])
    def searcher(self, request: pytest.FixtureRequest) -> Searcher:
        documents = self._documents()
        return Searcher(request.param(documents, by_words([d.content for d in documents])), embedder=by_words)

    def test_a_document_is_found_once_by_its_best_passage(self, searcher: Searcher) -> None:
        results = searcher.search("lemon dressing for a salad", k=3)
        assert results.ids[0] == "long"
        assert {"sour", "short"} == set(results.ids[1:])
        assert results[0].text == "lemon dressing for a salad"
        assert results[0].document.passage == Passage("long", 1, 3)
        assert results[0].to_dict()["passage"] == {"of": "long", "number": 1, "total": 3}

    def test_plain_ranks_do_not_move(self, searcher: Searcher) -> None:
        results = searcher.search("lemon dressing for a salad", k=3)
        assert [(hit.explanation.rank_before, hit.rank) for hit in results] == [(1, 1), (2, 2), (3, 3)]

    def test_an_exclusion_moves_documents(self, searcher: Searcher) -> None:
        results = searcher.search(
            "vinegar dressing for a salad, no vinegar", decomposition=SALAD, score="contrast", k=33
        )
        assert set(results.ids[:2]) == {"long", "short"}
        moved = next(hit for hit in results if hit.id == "sour")
        assert moved.explanation.rank_before == 1
        assert moved.rank == 3
        assert len(set(results.ids)) == len(results) == 33

    def test_hard_leaves_out_a_document_once(self, searcher: Searcher) -> None:
        results = searcher.search(
            "vinegar dressing, no vinegar", decomposition=SALAD, score=Contrast(mode="hard", threshold=0.6), k=3
        )
        assert "sour" not in results.ids
        assert [hit.id for hit in results.removed].count("sour") == 1

    def test_hard_does_not_leave_out_a_document_that_it_finds_by_another_passage(self, searcher: Searcher) -> None:
        texts = ["a dressing of lemon for a salad", "vinegar and vinegar and vinegar"]
        both = [Document(f"both#{n}", t, passage=Passage("both", n, 2)) for n, t in enumerate(texts, 1)]
        searcher.index.upsert(both, by_words(texts))  # type: ignore[attr-defined]
        results = searcher.search("vinegar", decomposition=SALAD, score=Contrast(mode="hard", threshold=0.6), k=20)
        assert "both" in results.ids
        assert "sour" in [hit.id for hit in results.removed]
        assert "both" not in [hit.id for hit in results.removed]

    def test_ranks_before_count_documents_however_many_hits_there_are(self) -> None:
        texts = [f"sour salad {i}" for i in range(4)]
        documents = [
            Document(f"sour#{i + 1}", text, passage=Passage("sour", i + 1, 4)) for i, text in enumerate(texts)
        ]
        documents += [Document("good", "salad"), *(Document(f"x{i}", f"bread {i}") for i in range(9))]
        searcher = Searcher(MemoryIndex(documents, by_words([d.text for d in documents])), embedder=by_words)
        split = Decomposition("salad", ("sour",))
        for k in (1, 2):
            good = searcher.search("sour salad", decomposition=split, score="linear", beta=1, k=k)[0]
            assert (good.id, good.explanation.rank_before) == ("good", 2)

    def test_ranks_that_are_shared_are_known(self) -> None:
        documents = [
            Document(f"d{i}#{n}", "salad", passage=Passage(f"d{i}", n, 2)) for i in range(10) for n in (1, 2)
        ]
        documents += [Document("z", "vinegar"), Document("y", "bread")]
        searcher = Searcher(MemoryIndex(documents, by_words([d.text for d in documents])), embedder=by_words)
        split = Decomposition("salad", ("vinegar",))
        results = searcher.search("salad", decomposition=split, score="linear", k=3)
        assert [hit.explanation.rank_before for hit in results] == [1, 1, 1]

    @pytest.mark.parametrize("split", [Decomposition("salad"), Decomposition("salad", ("vinegar",))])
    def test_one_document_of_very_many_passages_ends_too_and_the_note_says_so(self, split: Decomposition) -> None:
        size = DEEPEST + 100
        documents = [
            *(Document(f"long#{n}", "salad", passage=Passage("long", n, size - 1)) for n in range(1, size)),
            Document("vinegar", "vinegar"),
            Document("bread", "bread"),
        ]
        vectors = np.repeat(by_words(["salad", "vinegar", "bread"]), [size - 1, 1, 1], axis=0)
        engine = EngineDouble(documents, vectors)
        results = Searcher(engine, embedder=by_words).search("salad", k=2, score="linear", decomposition=split)
        assert results.ids == ("long",)
        assert max(k for depths in engine.requested_k for k in depths) == DEEPEST
        assert results.note.startswith("1 of 2 results")

    def test_several_traps_find_the_best_documents_and_not_passages(self) -> None:
        random = np.random.default_rng(1)
        ids = [(f"d{i}", n) for i in range(50) for n in range(1, 31)]
        documents = [Document(f"{i}#{n}", "x", passage=Passage(i, n, 30)) for i, n in ids]
        centres = random.standard_normal((50, 8))
        vectors = np.repeat(centres, 30, axis=0) + 0.3 * random.standard_normal((1500, 8))
        texts = dict(zip(("q", "t", "a", "b", "c"), random.standard_normal((5, 8)), strict=True))

        def embed(asked: Sequence[str]) -> np.ndarray:
            return np.stack([texts[text] for text in asked])

        split = Decomposition("t", ("a", "b", "c"))
        found, exact = (
            Searcher(kind(documents, vectors), embedder=embed).search(
                "q", decomposition=split, score="linear", beta=2, k=10
            )
            for kind in (EngineDouble, MemoryIndex)
        )
        assert found.ids == exact.ids


class TestMadeBy:
    def _index(self, maker: EmbedderId | None) -> Index:
        return EngineDouble([Document("a", "oil"), Document("b", "vinegar")], by_words(["oil", "vinegar"]), maker)

    def test_the_maker_may_search_and_spares_mentions(self) -> None:
        embedder = Fingerprinted()
        index = self._index(identify(embedder))
        assert Searcher(index, embedder=embedder).search("oil", k=1).ids == ("a",)

    def test_another_embedder_is_named_beside_the_one_that_made_the_index(self) -> None:
        index = self._index(EmbedderId("minilm:int8", "0123456789abcdef"))
        with pytest.raises(
            ArgumentError, match=r"made with minilm:int8 \(hash 0123456789ab\), and counting \(hash"
        ):
            Searcher(index, embedder=Fingerprinted())

    def test_without_hashes_names_are_compared(self) -> None:
        Searcher(self._index(EmbedderId("counting", "")), embedder=Counting())
        with pytest.raises(ArgumentError, match="made with others"):
            Searcher(self._index(EmbedderId("others", "")), embedder=Counting())

    def test_an_index_does_not_choose_what_is_loaded(self) -> None:
        with pytest.raises(ArgumentError, match="was made with onnx:/somewhere; name that embedder"):
            Searcher(self._index(EmbedderId("onnx:/somewhere", "00")))

    def test_one_that_says_nothing_gets_the_default(self) -> None:
        assert self._index(None).dimension == DIMENSION
        with pytest.raises(ArgumentError, match="dimension 384, but the index has 64"):
            Searcher(self._index(None)).search("oil")
