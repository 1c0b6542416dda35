"""Verifiers and relevance models that say what a test wants, and remember what they were asked."""

from collections.abc import Callable, Mapping, Sequence

from esens.types import Document, Evidence
from esens.verify import NoScoresError, Verification
from esens.verify.base import NamedKinds, Pair


class Says:
    """A verifier that says a stance of each document by its id, and has no opinion of others."""

    spec = "says"

    def __init__(self, stances: Mapping[str, str], *, failure: str = "") -> None:
        self._stances, self._failure = stances, failure
        self.calls: list[list[Pair]] = []

    @property
    def asked(self) -> list[str]:
        return [document.id for pairs in self.calls for _, document in pairs]

    def verify(self, pairs: Sequence[Pair]) -> Verification:
        self.calls.append(list(pairs))
        return Verification([self._evidence(document) for _, document in pairs], self._failure)

    def _evidence(self, document: Document) -> Evidence | None:
        stance = self._stances.get(document.id)
        return None if stance is None else Evidence(stance, document.text.split(".")[0], 0)


class NamesKinds(Says):
    """A verifier that also knows some names of things."""

    def __init__(self, names: Mapping[str, Sequence[str]], *, failure: str = "") -> None:
        super().__init__({})
        self._names, self._why = names, failure
        self.things: list[str] = []

    def name_kinds(self, things: Sequence[str]) -> NamedKinds:
        self.things += things
        return NamedKinds([tuple(self._names.get(thing, ())) for thing in things], self._why)


class Scores:
    """A relevance model: a function of a text, or no scores at all."""

    spec = "scores"
    deadline = 5.0

    def __init__(self, score: Callable[[str], float] | None) -> None:
        self._score = score
        self.asked: list[tuple[str, list[str]]] = []

    def scores(self, query: str, texts: Sequence[str], *, ends: float) -> list[float]:
        assert ends > 0
        self.asked.append((query, list(texts)))
        if self._score is None:
            raise NoScoresError("out of order")
        return [self._score(text) for text in texts]
