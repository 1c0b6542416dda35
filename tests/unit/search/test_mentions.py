"""A mention in passing does not count against a document, and its best sentences count for it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.words import Counting, by_words

import esens
from esens import Contrast, Decomposition, Document, Hit, MemoryIndex, Relational, Searcher
from esens.errors import ArgumentError
from esens.evidence.mentions import without_mentions
from esens.score.base import QueryTexts, RawScores
from esens.score.contrast import BestSentences, with_sentences
from esens.search.candidates import CandidateSet
from esens.search.evidence import MENTION_TEXTS, EvidenceReader, Sparing
from esens.search.pipeline import run
from esens.search.plan import plan_query
from esens.testing import EngineDouble
from esens.text.sentences import sentences_of

VINEGAR = frozenset({"vinegar"})
QUERY = "salad dressings, but nothing with vinegar"
DRESSINGS = {
    "Caesar": "Anchovies, egg yolk and lemon juice are beaten to a dressing. It coats a salad of romaine.",
    "Ranch": "Buttermilk, sour cream and herbs make this dressing. Dill and chives are usual. It is served cold.",
    "Goddess": "A blend of tarragon, parsley and avocado. It turns brown within a day.",
}
MENTIONS = (
    "Some cooks add a splash of vinegar at the end.",
    "Some add vinegar.",
    "Vinegar is not needed here.",
    "Unlike with vinegar, the acidity is mild.",
)
OTHERS = [
    Document("red", "It is made from fermented red wine and ages in oak.", "Red wine vinegar"),
    Document("malt", "Malt vinegar comes from barley and is used on chips and in dressings."),
    Document("lemon", "Lemon and olive oil are the simplest of dressings for a salad.", "Lemon and oil"),
    Document("tahini", "Sesame paste is thinned with water and lemon for a salad of chickpeas.", "Tahini"),
    Document("soup", "Tomatoes are simmered with basil and cream.", "Tomato soup"),
    Document("bread", "Flour, water and salt are left to rise overnight.", "Sourdough"),
    Document("tea", "Green leaves are steamed and dried.", "Green tea"),
]


@pytest.mark.parametrize("mention", MENTIONS)
@pytest.mark.parametrize("name", DRESSINGS)
@pytest.mark.parametrize("titled", [True, False])
def test_a_document_that_mentions_the_excluded_once_keeps_its_place_and_kinds_of_it_go_down(
    name: str, mention: str, titled: bool
) -> None:
    without = _found({}, titled=titled)
    found = _found({name: mention}, titled=titled)
    # In so small a corpus a few dressings lose a little without any mention, and no more with one.
    assert all((found[each].explanation.penalty_share or 0) < 0.4 for each in DRESSINGS)
    assert found[name].rank <= without[name].rank
    kinds = ("red", "malt")
    assert all((found[kind].explanation.penalty_share or 0) == 1 for kind in kinds)


def _found(mentions: dict[str, str], *, titled: bool) -> dict[str, Hit]:
    dressings = [
        Document(name, " ".join(filter(None, (text, mentions.get(name)))), name if titled else "")
        for name, text in DRESSINGS.items()
    ]
    return {hit.id: hit for hit in Searcher.from_documents([*dressings, *OTHERS]).search(QUERY, k=20)}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "Oil is whisked well. Some salt is added. Vinegar will do.",
            "Dressing\nOil is whisked well. Some salt is added.",
        ),
        ("Oil is whisked well. Vinegar is added.", None),  # one of two
        ("Oil is whisked with lemon. Salt is added.", None),  # no mention
        ("Vinegar is sour. It is a vinegar. Oil is not.", None),  # about it
        ("Vinegar is sour indeed.", None),  # nothing would be left
    ],
)
def test_mentions_are_struck_out_where_they_are_few(text: str, left: str | None) -> None:
    assert without_mentions(Document("a", text, "Dressing"), VINEGAR) == left


def test_the_whole_name_must_be_mentioned() -> None:
    document = Document("a", "The season was long. The Dodgers won it all.")
    assert without_mentions(document, frozenset({"brooklyn", "dodg"})) is None


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", ("",)),
        ("no full stop at all", ("no full stop at all",)),
        ("One sentence here. Another one there.", ("One sentence here.", "Another one there.")),
        (
            "It costs 3.50 euros, i.e. not much. Buy it now!",
            ("It costs 3.50 euros, i.e. not much.", "Buy it now!"),
        ),
        (
            "醋是酸的调味品，很常见的东西。酱油是咸的调味品，也常见。",
            ("醋是酸的调味品，很常见的东西。", "酱油是咸的调味品，也常见。"),
        ),
        ("a line without an end\nanother line", ("a line without an end", "another line")),
    ],
)
def test_sentences_end_where_they_end(text: str, sentences: tuple[str, ...]) -> None:
    assert sentences_of(text) == sentences


def test_of_a_long_document_no_sentence_is_forgotten() -> None:
    assert len(sentences_of("This is a sentence of its own. " * 1000)) == 1000
    hidden = "This is about nothing. " * 41 + "Vinegar is all that matters. " * 200
    assert without_mentions(Document("a", hidden), VINEGAR) is None


@pytest.mark.parametrize(
    "text",
    [
        "## Vinegar\n\nIt is sour. It keeps. It is old.",
        "Kitchen > Pantry > Vinegar\nIt is sour. It keeps. It is old.",
        "Aged in casks, balsamic is a sweet dark vinegar. Drizzle it on salad. Use little. Keep it cool.",
    ],
)
def test_a_heading_or_a_definition_is_no_mention_in_passing(text: str) -> None:
    assert without_mentions(Document("a", text), VINEGAR) is None


def test_only_documents_that_mention_the_excluded_and_would_pay_are_embedded_again() -> None:
    counting = Counting()
    documents = [
        "Coffee is brewed with care. Milk is poured. Tea is drunk too.",
        "tea tea tea",
        "coffee beans",
        "water",
    ]
    searcher = Searcher.from_documents(documents, embedder=counting)
    before = len(counting.documents)
    searcher.search("coffee without tea", k=4, score="contrast")
    assert set(counting.documents[before:]) <= {"Coffee is brewed with care. Milk is poured."}
    searcher.search("coffee", k=4)
    searcher.search("coffee without tea", k=4, score=Contrast(spare_mentions=False))
    assert len(counting.documents) <= before + 1


SPARED = "Coffee is brewed with care. Milk is poured."
TEXTS = [f"{SPARED} Tea is drunk too.", "tea tea tea", "coffee beans", "water"]


def test_mentions_are_spared_whoever_embedded_the_documents() -> None:
    counting, vectors = Counting(), by_words(TEXTS)
    documents = [Document(str(i), text) for i, text in enumerate(TEXTS)]
    options: Any = {"decomposition": Decomposition("coffee", ("tea",)), "score": "contrast"}
    query = "tea tea coffee"
    found = [
        Searcher.from_documents(TEXTS, embedder=by_words).search(query, **options),
        Searcher.from_documents(TEXTS, vectors=vectors, embedder=counting).search(query, **options),
        Searcher(MemoryIndex(documents, vectors), embedder=counting).search(query, **options),
        Searcher(EngineDouble(documents, vectors), embedder=counting).search(query, **options),
        esens.rerank(query, documents, vectors=vectors, embedder=counting, **options),
        esens.rerank(query, documents, embedder=by_words, **options),
    ]
    assert counting.documents == [SPARED] * 4
    assert next(hit for hit in found[0] if hit.id == "0").explanation.mention_ignored
    assert all(results.ids == found[0].ids for results in found)
    assert [[hit.score for hit in results] for results in found[1:]] == [
        pytest.approx([hit.score for hit in found[0]], abs=1e-6)
    ] * 5


def test_texts_of_a_query_are_embedded_once() -> None:
    counting = Counting()
    esens.rerank("coffee without tea", TEXTS, embedder=counting)
    assert counting.queries == ["coffee without tea", "coffee", "tea"]


def test_what_is_spared_says_so() -> None:
    found = Searcher.from_documents(
        [
            Document(
                "guide", "Heat helps sore muscles. Rest helps. Opioids are seldom needed for it.", "Back pain"
            ),
            Document("drug", "Opioids bind to receptors in the brain and dull pain.", "Opioids"),
            Document("gel", "A gel is rubbed on the joint.", "Diclofenac"),
            Document("tea", "Leaves are steamed and dried.", "Tea"),
            Document("car", "An engine burns petrol.", "Cars"),
        ]
    ).search("how to relieve pain without opioids")
    why = {hit.id: hit.explanation for hit in found}
    assert why["guide"].penalty_share == 0
    assert why["guide"].mention_ignored == ("a mention in passing not counted" in str(why["guide"]))
    assert not why["drug"].mention_ignored
    assert (why["drug"].penalty_share or 0) > 0.9


class TestSentences:
    DOCUMENTS = (
        "Pears apples plums figs dates nuts kiwis limes. Brewed coffee slowly.",
        "brewed pears and apples and plums and figs with coffee beans in a cup.",
        "espresso espresso espresso.",
        "water",
    )
    QUERY = "brewed coffee without espresso"

    def test_the_best_sentence_speaks_for_its_document_and_is_named(self) -> None:
        searcher = Searcher.from_documents(self.DOCUMENTS, embedder=by_words)
        assert searcher.search(self.QUERY, k=1).ids == ("1",)
        (first,) = searcher.search(self.QUERY, k=1, score=Contrast(sentences=3))
        assert first.id == "0"
        assert first.explanation.sentence == "Brewed coffee slowly."
        assert first.score == pytest.approx(first.explanation.relevance - first.explanation.penalty)

    @pytest.mark.parametrize("k", [0, 1, 2, 4, 9])
    @pytest.mark.parametrize("sentences", [1, 2, 50])
    def test_any_k_goes_with_any_number(self, k: int, sentences: int) -> None:
        found = Searcher.from_documents(self.DOCUMENTS, embedder=by_words).search(
            self.QUERY, k=k, score=Contrast(sentences=sentences)
        )
        assert len(found) == min(k, 4)
        assert [hit.rank for hit in found] == sorted(hit.rank for hit in found)
        scores = [hit.score for hit in found]
        assert scores == sorted(scores, reverse=True)

    def test_nothing_is_read_where_nothing_is_excluded(self) -> None:
        counting = Counting()
        searcher = Searcher.from_documents(self.DOCUMENTS, embedder=counting)
        before = len(counting.documents)
        assert searcher.search("coffee", score=Contrast(sentences=3)).hits == searcher.search("coffee").hits
        assert len(counting.documents) == before

    def test_candidates_are_read_too_but_not_beside_scores_of_another_retriever(self) -> None:
        scorer = Contrast(sentences=3)
        found = esens.rerank(self.QUERY, self.DOCUMENTS, embedder=by_words, score=scorer)
        assert found == Searcher.from_documents(self.DOCUMENTS, embedder=by_words).search(
            self.QUERY, k=4, score=scorer
        )
        with pytest.raises(ArgumentError, match="sentences: are compared by the embedder"):
            esens.rerank(self.QUERY, self.DOCUMENTS, scores=[4, 3, 2, 1], embedder=by_words, score=scorer)

    @pytest.mark.parametrize("value", [-1, 1.5, True, "3"])
    def test_a_number_that_makes_no_sense_is_refused(self, value: object) -> None:
        with pytest.raises(ArgumentError, match="sentences"):
            Contrast(sentences=value)  # type: ignore[arg-type]

    def test_more_sentences_than_are_embedded_at_once_are_all_read(self) -> None:
        filler = "Pears and apples and plums are here. " * 39
        documents = [f"{filler}Brewed coffee number {i} is here." for i in range(5)]
        found = Searcher.from_documents(documents, embedder=by_words).search(
            self.QUERY, score=Contrast(sentences=5)
        )
        assert {hit.explanation.sentence for hit in found} == {
            f"Brewed coffee number {i} is here." for i in range(5)
        }

    def test_vectors_of_any_length_are_compared_by_their_direction(self) -> None:
        def longer(texts: Sequence[str]) -> npt.NDArray[np.float32]:
            return np.asarray(7 * by_words(texts), np.float32)

        found = [
            Searcher.from_documents(self.DOCUMENTS, embedder=embed)
            .search(self.QUERY, score=Contrast(sentences=3))
            .ids[:2]
            for embed in (by_words, longer)
        ]
        assert found[0] == found[1]


class TestEvidenceReader:
    """By hand: what is read again, and what becomes of it."""

    PASSING = "Nothing of note is here. Nothing of note is there. "
    DOCUMENTS = (
        Document("pays", f"{PASSING}It has alpha in it."),
        Document("named", f"{PASSING}It has alpha in it.", "Alpha"),
        Document("wanted", f"{PASSING}It has alpha in it."),
        Document("other", f"{PASSING}It has beta in it."),
        Document("far", "Far away from all."),
    )
    QUERY = np.array([1.0, 0.9, 0.8, 0.7, 0.0])
    TARGET = np.array([0.4, 0.4, 0.9, 0.8, 0.0])
    TRAPS = np.array([[0.8, 0.8, 0.5, 0.2, 0.0], [0.1, 0.1, 0.1, 0.8, 0.0]])

    def spared(
        self, column: list[float], lengths: npt.NDArray[np.float64] | None = None, times: int = 1
    ) -> tuple[Sparing, list[str]]:
        asked: list[str] = []

        def score_texts(texts: Sequence[str]) -> npt.NDArray[np.float64]:
            asked.extend(texts)
            return np.tile(np.array(column)[:, None], len(texts))

        raw = RawScores(self.QUERY, self.TARGET, self.TRAPS, lengths)
        plan = plan_query("query", Decomposition("target", ("alpha", "beta")), Contrast(), k=5)
        reader = EvidenceReader(plan, score_texts)
        paying = plan.scorer.terms(raw, raw.ranges()).penalty > 0
        for _ in range(times):
            sparing = reader.spare_mentions(
                self.DOCUMENTS, raw, reader.names(self.DOCUMENTS), paying, (False,) * len(raw.traps)
            )
        return sparing, asked

    def test_those_are_read_again_that_pay_and_are_not_named_for_it(self) -> None:
        sparing, asked = self.spared([0, 0, 0.3, 0.5])
        assert asked == [self.PASSING.strip()] * 2
        assert [tuple(at) for at in np.argwhere(sparing.ignored)] == [(0, 0), (1, 3)]

    def test_each_is_as_near_to_its_own_trap_as_the_rest_of_its_text(self) -> None:
        sparing, _ = self.spared([0, 0, 0.3, 0.5])
        expected = self.TRAPS.copy()
        expected[0, 0], expected[1, 3] = 0.3, 0.5
        np.testing.assert_array_equal(sparing.raw.traps, expected)

    def test_a_text_is_as_long_as_its_document_where_inner_products_are_compared(self) -> None:
        sparing, _ = self.spared([0, 0, 0.03, 0.05], lengths=np.full(5, 10.0))
        expected = self.TRAPS.copy()
        expected[0, 0], expected[1, 3] = 0.3, 0.5
        np.testing.assert_allclose(sparing.raw.traps, expected)

    def test_no_document_is_nearer_without_its_mention(self) -> None:
        sparing, _ = self.spared([0, 0, 0.95, 0.95])
        np.testing.assert_array_equal(sparing.raw.traps, self.TRAPS)

    def test_what_was_read_is_not_read_again(self) -> None:
        once, asked_once = self.spared([0, 0, 0.3, 0.5])
        thrice, asked_thrice = self.spared([0, 0, 0.3, 0.5], times=3)
        assert asked_thrice == asked_once
        np.testing.assert_array_equal(thrice.raw.traps, once.raw.traps)
        np.testing.assert_array_equal(thrice.ignored, once.ignored)

    def test_only_so_many_are_embedded_again_the_first_first(self) -> None:
        documents = [
            Document(str(i), f"Number {i} stands here. {self.PASSING}It has alpha in it.")
            for i in range(MENTION_TEXTS + 20)
        ]
        asked: list[int] = []

        def score_texts(texts: Sequence[str]) -> npt.NDArray[np.float64]:
            asked.append(len(texts))
            return np.zeros((3, len(texts)))

        ones = np.ones(len(documents))
        plan = plan_query("query", Decomposition("target", ("alpha",)), Contrast(), k=5)
        reader, raw = EvidenceReader(plan, score_texts), RawScores(ones, ones, ones[None])
        for _ in range(2):
            sparing = reader.spare_mentions(documents, raw, np.zeros((1, len(ones))), ones > 0, (False,))
        assert asked == [MENTION_TEXTS]
        assert sparing.ignored[0].tolist() == [True] * MENTION_TEXTS + [False] * 20


def _ranked(
    documents: Sequence[Document], query: list[float], target: list[float], trap: list[float], k: int
) -> tuple[tuple[str, ...], int]:
    """The ids by raw scores that are made up, where all texts without a mention are far from everything."""
    embedded: list[str] = []

    def score_texts(texts: Sequence[str]) -> npt.NDArray[np.float64]:
        embedded.extend(texts)
        return np.zeros((3, len(texts)))

    candidates = CandidateSet.whole(
        QueryTexts("query", "target", ("trap",)),
        np.array([query, target, trap]),
        lambda positions: [documents[position] for position in positions],
    )
    plan = plan_query("query", Decomposition("target", ("trap",)), Contrast(), k=k)
    return run(plan, [candidates], score_texts).ids, len(embedded)


PASSING = "Nothing of note is here. Nothing of note is there. It has the trap in it."


@pytest.mark.parametrize("k", [1, 3, 10])
def test_a_mention_behind_many_excluded_documents_is_spared_for_every_k(k: int) -> None:
    documents = [
        *(Document(str(i), "x", "trap") for i in range(20)),
        Document("mention", PASSING),
        *(Document(str(i), "x") for i in range(21, 26)),
    ]
    query = [*(1 - np.arange(20) / 100), 0.75, *np.zeros(5)]
    target = [*np.full(20, 0.5), 0.3, *np.zeros(5)]
    trap = [*np.full(20, 0.9), 0.8, *np.zeros(5)]
    assert _ranked(documents, query, target, trap, k)[0][0] == "mention"


@pytest.mark.parametrize("excluded", [50, 101, 150, 400])
def test_mentions_behind_more_than_a_hundred_excluded_documents_are_spared(excluded: int) -> None:
    # The nearest are about the excluded and lose all. Then come ten mentions, then what fits a little.
    documents = [
        *(Document(f"about {i}", "x", "trap") for i in range(excluded)),
        *(Document(f"mention {i}", f"Number {i} stands here. {PASSING}") for i in range(10)),
        *(Document(f"other {i}", "x") for i in range(300)),
    ]
    query = [*np.linspace(1, 0.9, excluded), *np.linspace(0.8, 0.75, 10), *np.linspace(0.5, 0, 300)]
    target = [*np.full(excluded, 0.4), *np.full(10, 0.4), *np.linspace(0.5, 0, 300)]
    trap = [*np.full(excluded, 0.9), *np.full(10, 0.8), *np.zeros(300)]
    few, embedded = _ranked(documents, query, target, trap, 10)
    assert set(few) == {f"mention {i}" for i in range(10)}
    assert embedded == 10
    many, embedded = _ranked(documents, query, target, trap, 200)
    assert many[:10] == few
    assert embedded == 10


@pytest.mark.parametrize("mentions", [90, 150, 300])
def test_the_first_few_of_many_are_those_that_are_found_alone_however_many_mentions_there_are(
    mentions: int,
) -> None:
    documents = [
        *(Document(f"mention {i}", f"Number {i} stands here. {PASSING}") for i in range(mentions)),
        *(Document(f"other {i}", "x") for i in range(100)),
    ]
    query = [*np.linspace(1, 0.5, mentions), *np.linspace(0.6, 0, 100)]
    target = [*np.full(mentions, 0.4), *np.linspace(0.6, 0, 100)]
    trap = [*np.full(mentions, 0.8), *np.zeros(100)]
    most, embedded = _ranked(documents, query, target, trap, 400)
    assert embedded == min(mentions, MENTION_TEXTS)
    for k in (1, 10, 120, 200):
        few, embedded = _ranked(documents, query, target, trap, k)
        assert few == most[:k]
        assert embedded <= MENTION_TEXTS


def test_equal_documents_with_a_mention_tie_however_many_there_are() -> None:
    documents = [Document(str(i), PASSING) for i in range(MENTION_TEXTS + 30)]
    size = len(documents)
    plan = plan_query("query", Decomposition("target", ("trap",)), Contrast(), k=size + 3)
    rest = np.array([[0.1, 0.9, 0.85], [0.0, 1.0, 0.9], [0.0, 0.1, 0.1]])
    raw = np.concatenate([np.repeat([[0.8], [0.1], [0.8]], size, axis=1), rest], axis=1)
    everything = [*documents, *(Document(name, "x") for name in ("least", "most", "next"))]
    candidates = CandidateSet.whole(
        plan.texts, raw, lambda positions: [everything[position] for position in positions]
    )
    results = run(plan, [candidates], lambda texts: np.zeros((3, len(texts))))
    assert len({hit.score for hit in results if hit.text == PASSING}) == 1
    assert all(hit.explanation.mention_ignored for hit in results if hit.text == PASSING)


def test_over_a_real_corpus_the_first_ten_of_two_hundred_are_those_of_ten() -> None:
    mention = "A dressing dressing. Lemon is pressed into dressing. Vinegar vinegar vinegar vinegar will do"
    documents = [
        *(Document(f"v{i}", f"vinegar vinegar dressing dressing {i}", "Vinegar") for i in range(150)),
        *(Document(f"m{i}", f"{mention} {i}.") for i in range(12)),
        *(Document(f"p{i}", f"bread and cheese and some dressing {i}") for i in range(60)),
    ]
    searcher = Searcher.from_documents(documents, embedder=by_words)
    split, query = Decomposition("dressing dressing", ("vinegar",)), "dressing dressing vinegar"
    score = Relational(spare_mentions=True)
    few, many = (searcher.search(query, k=k, decomposition=split, score=score) for k in (10, 200))
    assert few.ids == many.ids[:10]
    assert [hit.score for hit in few] == [hit.score for hit in many[:10]]
    assert (few[0].explanation.rank_before or 0) > 100
    assert few[0].explanation.mention_ignored


def test_sentences_weigh_half_whatever_the_weights_are() -> None:
    raw = RawScores(np.array([0.0, 1.0, 0.5]), np.array([0.0, 1.0, 0.5]), np.zeros((1, 3)))
    best = BestSentences(np.ones(3), np.ones(3))
    for scorer in (Contrast(), Contrast(alpha=7.5, gamma=2.5)):
        plain = scorer.terms(raw, raw.ranges())
        read = with_sentences(plain, best, scorer.weight, raw.ranges())
        np.testing.assert_allclose(read.relevance, 0.5 * plain.relevance + 0.5 * (scorer.alpha + scorer.gamma))
