"""How much of what is wanted a document says in so many words."""

import pytest

from esens import Document
from esens.evidence.wanted_words import coverage


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
