"""A model that scores relevance as a verifier, and which specs there are."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from esens.errors import ArgumentError, UnknownSpecError
from esens.types import Document, Evidence, Exclusion
from esens.verify import NoScoresError, relevance_of, verifier_of
from esens.verify.base import place_of
from esens.verify.scoring import ScoringVerifier

NUTS = Exclusion("nuts", "has")
BROWNIE = Document("brownie", "Chocolate and eggs. Sprinkle krokant on it.", "Brownie")


class Words:
    """Scores by the share of some words that a text has."""

    spec = "words"
    deadline = 5.0

    def __init__(self, **words: str) -> None:
        self._words = words
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def scores(self, query: str, texts: Sequence[str], *, ends: float) -> list[float]:
        assert ends > time.monotonic()
        self.asked.append((query, tuple(texts)))
        return [float(self._words[query] in text) for text in texts]


class Broken(Words):
    """Gives the scores of the first query, and no more."""

    def scores(self, query: str, texts: Sequence[str], *, ends: float) -> list[float]:
        if self.asked:
            raise NoScoresError("it is tired")
        return super().scores(query, texts, ends=ends)


def test_what_reaches_the_threshold_is_affirmed_with_its_best_sentence() -> None:
    plain = Document("plain", "Flour and eggs.")
    found = ScoringVerifier(Words(nuts="krokant")).verify([(NUTS, BROWNIE), (NUTS, plain)])
    assert found.evidence == [Evidence("affirmed", "Sprinkle krokant on it.", 28), None]
    assert BROWNIE.content[28:].startswith("Sprinkle")
    bare = ScoringVerifier(Words(nuts="krokant"), quotes=False).verify([(NUTS, BROWNIE)])
    assert bare.evidence == [Evidence("affirmed")]


def test_what_the_rules_read_is_left_to_them() -> None:
    free = Document("free", "Oats. Contains no nuts, only krokant.")
    model = Words(nuts="krokant")
    assert ScoringVerifier(model).verify([(NUTS, free)]).evidence == [None]
    assert model.asked == []


def test_it_has_no_opinion_of_subjects_since_it_cannot_tell_a_mention() -> None:
    model = Words(nuts="krokant")
    assert ScoringVerifier(model).verify([(Exclusion("nuts", "about"), BROWNIE)]).evidence == [None]
    assert model.asked == []


def test_an_exclusion_is_one_call_and_what_came_before_a_failure_counts() -> None:
    milk = Exclusion("milk", "has")
    model = Broken(nuts="krokant", milk="cream")
    found = ScoringVerifier(model, quotes=False).verify([(NUTS, BROWNIE), (milk, BROWNIE), (milk, BROWNIE)])
    assert found.failure == "it is tired"
    assert [said and said.stance for said in found.evidence] == ["affirmed", None, None]


@pytest.mark.parametrize(
    ("quote", "content", "place"),
    [
        ("no nuts", "It has No\n nuts.", (7, "No nuts")),
        ("a.c", "abc", None),
        ("", "abc", None),
        (" ", "abc", None),
        ("(unclosed", "an (unclosed one", (3, "(unclosed")),
    ],
)
def test_a_quote_stands_in_the_text_or_it_does_not(quote: str, content: str, place: Any) -> None:
    assert place_of(quote, content) == place


def test_specs() -> None:
    assert verifier_of("rules") is None
    assert verifier_of(None) is None
    assert relevance_of(None) is None
    own = ScoringVerifier(Words())
    assert verifier_of(own) is own
    assert relevance_of(own.model) is own.model
    with pytest.raises(UnknownSpecError, match=r"verifier: unknown spec 'gpt'.*openai:MODEL.*cohere:MODEL"):
        verifier_of("gpt")
    with pytest.raises(UnknownSpecError, match="relevance: unknown spec 'openai:x'; valid are: cross-encoder:"):
        relevance_of("openai:x")
    with pytest.raises(ArgumentError, match="verifier: expected a spec or an object"):
        verifier_of(5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="relevance: expected a spec or an object"):
        relevance_of(lambda texts: texts)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="threshold: must be from 0 to 1"):
        ScoringVerifier(Words(), threshold=2)
    with pytest.raises(ArgumentError, match="threshold must be a number, got 'high'"):
        verifier_of("cross-encoder:folder?threshold=high")
