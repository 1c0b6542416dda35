"""How much of what is wanted a document says in so many words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens import Document
from esens.evidence.wanted_words import coverage
from esens.evidence.word_forms import word_forms
from esens.text.tokens import content_words, fold_letters, words_of


def _share(target: str, text: str, title: str = "") -> float:
    (share,) = coverage([Document("a", text, title)], target)
    return share


@pytest.mark.parametrize(
    ("target", "text", "share"),
    [
        ("horror films from Japan", "A film of horrors. Made in JAPAN.", 1.0),
        ("horror films from Japan", "A comedy from Japan.", 1 / 3),
        ("movies", "The best movie of the year.", 1.0),
        ("Rhône wines", "A wine of the Cotes du Rhone", 1.0),
        ("nuts", "A doughnut with nutmeg", 0.0),
        ("cakes and cake tins", "A cake tin", 1.0),
        ("what is not", "Nothing here says anything", 0.0),
        ("東京", "東京の寺", 1.0),
    ],
)
def test_words_count_in_their_forms_each_once_and_small_words_not(target: str, text: str, share: float) -> None:
    assert _share(target, text) == pytest.approx(share)


def test_a_title_counts_as_the_text_does() -> None:
    assert _share("airports in Ohio", "It opened in 1928.", "Airport of Dayton, Ohio") == 1.0


def test_each_document_has_its_share() -> None:
    documents = [Document("a", "cake"), Document("b", "bread")]
    assert coverage(documents, "cakes") == [1.0, 0.0]
    assert coverage([], "cakes") == []


WORDS = "horror Horrors films filmed Japan Müller's e\u0301tude re-born ß 映画 ко кот rock'n'roll The box boxes b"
pieces = st.sampled_from([*WORDS.split(), "0 %", "_", "\u2014", "\u00a0", "\n", "."])
texts = st.lists(st.tuples(pieces, st.sampled_from(["", " ", "-"])), max_size=12).map(
    lambda parts: "".join(piece + between for piece, between in parts)
)


@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_it_is_what_going_through_a_text_word_by_word_finds(target: str, every: list[str]) -> None:
    wanted = set(map(word_forms, content_words(fold_letters(target))))
    shares = [
        sum(not forms.isdisjoint(words_of(fold_letters(text))) for forms in wanted) / max(1, len(wanted))
        for text in every
    ]
    assert coverage([Document(str(at), text) for at, text in enumerate(every)], target) == shares
