"""What a verifier is: whoever says, of an exclusion and a document, what the document says of it.

The rules of ``esens.evidence`` read words. A verifier takes their place for the few documents that matter most; on
what it has no opinion, the rules stay.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from esens.types import Document, Evidence, Exclusion

DEFAULT_VERIFIED = 20
"""How many candidates of a query are verified: a bound on what that costs."""
DEFAULT_RESCORED = 50
"""How many candidates of a query a relevance model scores."""
DEFAULT_DEADLINE = 30.0
"""Seconds for all that is asked of a model for one query."""

Pair = tuple[Exclusion, Document]
"""What is asked; the relation of the exclusion is "about" or "has", never open."""


class Verification(NamedTuple):
    """What a verifier says of each pair, None where it has no opinion; ``failure`` is why it says no more."""

    evidence: Sequence[Evidence | None]
    failure: str = ""


@runtime_checkable
class Verifier(Protocol):
    """Says what documents say of exclusions.

    Of a property ("has"): whether the text affirms it, denies it, only mentions it, or is silent. Of a subject
    ("about") "affirmed" is that the document is about it; any other stance is that it is not.
    """

    @property
    def spec(self) -> str:
        """What it is called in results."""
        ...

    def verify(self, pairs: Sequence[Pair]) -> Verification:
        """Return what it says of each pair, in their order. What may fail is told, not raised."""
        ...


class NamedKinds(NamedTuple):
    """What texts may call each thing, as far as a model knows; ``failure`` is why it says no more."""

    kinds: Sequence[tuple[str, ...]]
    failure: str = ""


@runtime_checkable
class KindNamer(Protocol):
    """A verifier that also names kinds of things, by which the rules then read all other documents."""

    @property
    def spec(self) -> str:
        """What it is called in results."""
        ...

    def name_kinds(self, things: Sequence[str]) -> NamedKinds:
        """Return names for each thing, in their order; none where it knows none, or fails."""
        ...


@runtime_checkable
class RelevanceModel(Protocol):
    """Says how relevant texts are to a query, from 0 to 1."""

    @property
    def spec(self) -> str:
        """What it is called in results."""
        ...

    @property
    def deadline(self) -> float:
        """How many seconds all that is asked for one query may take."""
        ...

    def scores(self, query: str, texts: Sequence[str], *, ends: float) -> list[float]:
        """Return a score a text, or raise NoScoresError: at the latest at ``ends``, by the monotonic clock."""
        ...


class NoScoresError(Exception):
    """A relevance model gave no scores; the text says why."""


def place_of(quote: str, content: str) -> tuple[int, str] | None:
    """Return where a quote stands in a text, and its words as they stand there; None where it does not.

    Blanks and capitals may differ, and nothing else.

    >>> place_of("contains  NO nuts", "Oats. Contains no nuts.")
    (6, 'Contains no nuts')
    """
    words = quote.split()
    match = re.search(r"\s+".join(map(re.escape, words)), content, re.IGNORECASE) if words else None
    return None if match is None else (match.start(), " ".join(match[0].split()))
