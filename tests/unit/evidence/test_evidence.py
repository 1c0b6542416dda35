"""What a document is named for, and what only an exclusion says."""

import unicodedata
from collections.abc import Sequence

import pytest

from esens import Contrast, Decomposition, Document
from esens.evidence import lead_match
from esens.evidence.lead_match import lead_of
from esens.search import evidence
from esens.search.candidates import DocumentReader
from esens.search.evidence import EvidenceReader
from esens.search.plan import plan_query
from esens.text.terms import distinct_terms, distinct_text, terms_of


def _named(thing: str, title: str = "", text: str = "x") -> float:
    """How much of a thing one document is named for."""
    return lead_of(Document("a", text, title)).overlap(terms_of(thing))


@pytest.mark.parametrize(
    ("thing", "title"),
    [
        ("vinegar", "Vinegar"),
        ("vinegar", "Red wine vinegars"),
        ("red wine vinegar", "VINEGAR of red wine"),
        ("the Beatles", "Beatles"),
        ("computers", "The computer"),
        ("berries", "Berry picking"),
        ("wireless headphones", "Wireless headphones"),
        ("醋", "红酒醋"),
        ("リンゴ", "リンゴの酢"),
        ("Essig", "Essig aus Rotwein"),
        ("soße", "SOSSE"),
        ("uksus уксус", "Уксус uksus"),
        ("crème", "Cr&egrave;me fra&icirc;che"),
        ("Tom & Jerry", "Tom &amp; Jerry"),
        ("ｖｉｎｅｇａｒ", "Vinegar"),
        ("सिरका", "सेब का सिरका"),
        ("ভিনেগার", "আপেলের ভিনেগার"),
    ],
)
def test_a_document_is_named_for_what_its_title_says(thing: str, title: str) -> None:
    assert _named(thing, title) == 1


@pytest.mark.parametrize(
    ("thing", "title"),
    [
        ("vinegar", "Dressings without vinegar"),
        ("vinegar", "Dressings excluding red wine vinegar"),
        ("vinegar", "Vinegar-free dressings"),
        ("vinegar", "VINEGAR FREE dressings"),
        ("vinegar", "Vinegar\u2011free dressings"),
        ("vinegar", "Vinegar–free dressings"),
        ("meat", "Meatless chili"),
        ("Essig", "Salatsoßen ohne Essig"),
        ("vinaigre", "Sauces sans vinaigre"),
        ("vinagre", "Aliños sin vinagre"),
        ("醋", "柠檬"),
        ("सिरका", "सोमवार की कहानी"),
        ("vinegar", "Lemon dressings"),
        ("vinegar", ""),
        ("the of and", "The of and"),
    ],
)
def test_a_title_that_denies_a_thing_or_says_nothing_of_it_is_not_named_for_it(thing: str, title: str) -> None:
    assert _named(thing, title) == 0


def test_what_is_denied_ends_with_its_clause() -> None:
    assert _named("vinegar", "Dressings without oil: vinegar and lemon") == 1
    assert _named("oil", "Dressings without oil: vinegar and lemon") == 0
    assert _named("lemon", "Vinegar-free lemon dressings") == 1


def test_a_part_of_a_name_is_a_share() -> None:
    assert _named("red wine vinegar", "Red wine") == pytest.approx(2 / 3)


def test_title_and_opening_do_not_add_up() -> None:
    assert _named("red vinegar", title="Red", text="Vinegar keeps.") == 0.5


def test_a_text_is_named_for_its_first_words_and_not_for_what_it_mentions() -> None:
    assert _named("vinegar", text="Red wine vinegar is made of wine.") == 1
    assert _named("vinegar", text="One two three four five vinegar") == 1
    assert _named("vinegar", text="One two three four five six vinegar") == 0
    assert (
        _named("vinegar", title="Honey mustard", text="Whisk honey and mustard, then add a splash of vinegar") == 0
    )


def test_the_first_line_is_an_opening_of_its_own() -> None:
    assert _named("vinegar", text="\n  Lemons\nVinegar keeps.") == 0
    assert _named("lemon", text="\n  Lemons\nVinegar keeps.") == 1


def test_signs_without_spaces_count_as_words() -> None:
    assert _named("醋", text="红酒醋用葡萄酒酿成") == 1
    assert _named("醋", text="把蜂蜜和芥末搅匀最后加一点醋") == 0


def test_accents_are_the_same_however_they_are_written() -> None:
    assert _named("crème brûlée", unicodedata.normalize("NFD", "Crème brûlée")) == 1
    assert _named(unicodedata.normalize("NFD", "crème brûlée"), "Crème brûlée") == 1


@pytest.mark.parametrize("odd", ["", " \n\t", "—…!?", "\x00", "🍋🍋", "&#x110000; &bogus; &", "a" * 10_000, "​"])
def test_odd_texts_and_titles_are_read_without_complaint(odd: str) -> None:
    lead_of(Document("a", odd, odd))
    assert _named("vinegar", odd, odd) == 0
    assert _named(odd, "Vinegar") == 0


def _reader(*traps: str) -> EvidenceReader:
    plan = plan_query("salads", Decomposition("salads", traps), Contrast(), k=10)

    def no_texts(texts: Sequence[str]) -> None:
        raise AssertionError(f"names are read, not embedded: {texts}")

    return EvidenceReader(plan, no_texts)  # type: ignore[arg-type]


def test_names_are_a_row_a_trap_and_a_column_a_document() -> None:
    oil, vinegar = Document("0", "oil"), Document("3", "vinegar")
    reader = _reader("vinegar", "oil")
    assert reader.names([vinegar, oil]).tolist() == [[1, 0], [0, 1]]
    assert reader.names([oil, Document("5", "vinegar"), vinegar]).tolist() == [[0, 1, 1], [1, 0, 0]]
    assert reader.names([]).shape == (2, 0)


def test_a_document_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(document: Document) -> lead_match.Lead:
        read.append(document.id)
        return lead_of(document)

    monkeypatch.setattr(evidence, "lead_of", counting)
    reader, documents = _reader("vinegar"), [Document(id_, "oil") for id_ in "305"]
    reader.names(documents[:2])
    reader.names([documents[1], documents[2], documents[0]])
    assert read == ["3", "0", "5"]


def test_a_document_is_fetched_once() -> None:
    fetched: list[int] = []

    def lookup(positions: Sequence[int]) -> list[Document]:
        fetched.extend(positions)
        return [Document(str(position), "x") for position in positions]

    reader = DocumentReader(lookup)
    assert [document.id for document in reader.at([3, 0, 3])] == ["3", "0", "3"]
    assert [document.id for document in reader.at([0, 5, 3])] == ["0", "5", "3"]
    assert reader.at([]) == []
    assert fetched == [3, 0, 5]


@pytest.mark.parametrize(
    ("trap", "target", "distinct"),
    [
        ("vinegar", "salad dressings", "vinegar"),
        ("salad dressings with vinegar", "salad dressings", "vinegar"),
        ("members of the commission, such as Ann Lee", "members of the commission", "Ann Lee"),
        ("wine vinegar", "red wine for cooking beef", "wine vinegar"),
        ("salad dressings", "salad dressings", "salad dressings"),
        ("含醋的沙拉酱", "沙拉酱", "含醋的沙拉酱"),
        ("the", "of", "the"),
    ],
)
def test_of_a_trap_that_repeats_the_wish_what_it_adds_counts(trap: str, target: str, distinct: str) -> None:
    assert distinct_text(trap, beyond=target) == distinct


def test_the_name_of_what_is_excluded_is_not_that_of_what_is_wanted() -> None:
    assert distinct_terms("salad dressings with vinegar", "salad dressings") == {"vinegar"}
    assert distinct_terms("members of the board such as Ann Lee", "members of the board") == terms_of("Ann Lee")
    assert distinct_terms("red wine vinegar", "wine") == terms_of("red vinegar")


@pytest.mark.parametrize(
    ("trap", "target", "text", "name"),
    [
        ("polar bears", "bears", "polar bears", {"polar"}),
        ("vitamin A", "vitamins", "vitamin A", {"a"}),
        ("World War I", "world wars", "World War I", {"i"}),
        ("the bears", "bears", "the bears", set()),
        ("Beatles", "albums like the Beatles'", "Beatles", {"beatle"}),
    ],
)
def test_one_word_in_common_repeats_nothing(trap: str, target: str, text: str, name: set[str]) -> None:
    assert distinct_text(trap, beyond=target) == text
    assert distinct_terms(trap, target) == name


@pytest.mark.parametrize("title", ["Original Sin in Christianity", "Open Sans typeface", "Radio Free Europe"])
def test_a_title_in_english_denies_nothing_in_another_language(title: str) -> None:
    assert lead_of(Document("a", "", title)).title == terms_of(title)
