"""The texts of queries: embedded together, and not again."""

from collections.abc import Sequence

import numpy as np
import pytest
from tests.words import Counting, by_words

from esens import Searcher
from esens.embed import corpus
from esens.embed.corpus import QueryEmbedder
from esens.errors import ArgumentError


def test_a_text_that_was_embedded_is_not_embedded_again() -> None:
    counting = Counting()
    embed = QueryEmbedder(counting)
    first, again = embed(["pasta", "mushrooms", "pasta"]), embed(["mushrooms", "rice"])
    assert counting.queries == ["pasta", "mushrooms", "rice"]
    assert first["mushrooms"].tolist() == again["mushrooms"].tolist() == by_words(["mushrooms"])[0].tolist()
    assert embed([]) == {}


def test_few_and_short_texts_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "_REMEMBERED", 2)
    counting = Counting()
    embed, long = QueryEmbedder(counting), "pasta " * 1000
    for text in ("pasta", "rice", "beans", "pasta", long, long):
        embed([text])
    assert counting.queries == ["pasta", "rice", "beans", "pasta", long, long]


def test_what_an_embedder_failed_at_is_not_remembered() -> None:
    answers = iter([np.full((1, 3), np.nan), np.ones((1, 3))])

    class Failing:
        name = "failing"

        def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
            return np.ones((len(texts), 3))

        def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
            return next(answers)

    searcher = Searcher.from_documents(["pasta"], embedder=Failing())
    with pytest.raises(ArgumentError, match="NaN"):
        searcher.search("pasta")
    assert searcher.search("pasta").ids == ("0",)
