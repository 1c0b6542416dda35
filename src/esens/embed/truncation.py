"""Texts that are longer than a model reads: collected with the ids of their documents, and reported once.

An embedder sees texts without ids. So it reports the texts that it has cut, and the code that embeds a corpus
collects them, finds their documents, and warns at the end.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from esens.errors import TruncatedTextWarning
from esens.types import Document

_NAMED = 3
_ADVICE = (
    "What follows is not searched. Split them into passages of fewer words: esens index --passage-words N on the "
    "command line, words=N of esens.build_index, or esens.ingest.passages_of"
)


@dataclass(frozen=True, slots=True)
class Truncation:
    """How many documents were cut, of how many, and the ids of the first few."""

    count: int = 0
    total: int = 0
    ids: tuple[str, ...] = ()
    max_tokens: int = 0

    def __add__(self, other: "Truncation") -> "Truncation":
        return Truncation(
            self.count + other.count,
            self.total + other.total,
            (*self.ids, *other.ids)[:_NAMED],
            other.max_tokens or self.max_tokens,
        )

    def warn(self) -> None:
        """Warn, if any document was cut."""
        if not self.count:
            return
        more = ", …" if self.count > len(self.ids) else ""
        warnings.warn(
            f"{self.count:,} of {self.total:,} texts {'is' if self.count == 1 else 'are'} longer than the "
            f"{self.max_tokens} tokens that the model reads: {', '.join(self.ids)}{more}. {_ADVICE}",
            TruncatedTextWarning,
            stacklevel=3,
        )


class TruncationLog:
    """What was cut so far."""

    def __init__(self) -> None:
        self.total = Truncation()
        self._texts: set[str] = set()
        self._max_tokens = 0

    def add(self, texts: Sequence[str], max_tokens: int) -> None:
        """Remember texts that an embedder has cut, until ``attribute`` finds their documents."""
        self._texts.update(texts)
        self._max_tokens = max_tokens

    def attribute(self, documents: Sequence[Document]) -> None:
        """Count these documents, and those of them whose texts were cut since the last call."""
        ids = [document.id for document in documents if document.content in self._texts] if self._texts else []
        self.total += Truncation(len(ids), len(documents), tuple(ids[:_NAMED]), self._max_tokens)
        self._texts.clear()


_current: ContextVar[TruncationLog | None] = ContextVar("esens_truncation", default=None)


@contextmanager
def collect_truncated(*, warn: bool = True) -> Iterator[TruncationLog]:
    """Collect what embedders cut inside this block; at its end warn of it, unless a block around this one will."""
    outer = _current.get()
    if outer is not None:
        yield outer
        return
    log = TruncationLog()
    token = _current.set(log)
    try:
        yield log
    finally:
        _current.reset(token)
    if warn:
        log.total.warn()


def report_truncated(texts: Sequence[str], max_tokens: int) -> None:
    """Say that these texts were cut after so many tokens."""
    if not texts:
        return
    log = _current.get()
    if log is not None:
        log.add(texts, max_tokens)
        return
    # No numbers of texts in this message, so that Python shows it once and not for every query.
    warnings.warn(
        f"some texts are longer than the {max_tokens} tokens that the model reads. {_ADVICE}",
        TruncatedTextWarning,
        stacklevel=3,
    )
