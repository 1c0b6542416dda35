"""Long documents cut into passages, at the ends of paragraphs and sentences where there are any.

A model reads the beginning of a text, and one vector says little about many pages. Places are counted in words:
place 5 is before the sixth word. Chinese, Japanese, Thai and their like write no spaces, so there a sign counts as
a word.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from esens.documents import Passage
from esens.errors import ArgumentError
from esens.messages import quoted
from esens.text.sentences import sentence_starts
from esens.types import Document

DEFAULT_WORDS = 180
DEFAULT_OVERLAP = 30
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_OPENING = "「『（【《〈“‘"
# Vowels above and below a sign, and what may not begin a line.
_CLOSING = (
    r"\u0300-\u036f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3"
    r"\u3099\u309a、。，！？；：」』）】》〉”’…ー"
)
_LONGEST = 100  # signs; a longer run without a space is no word but data, and would never be cut
_WORD = re.compile(rf"[{_OPENING}]{{0,3}}[{_UNSPACED}][{_CLOSING}]*|[^\s{_UNSPACED}]{{1,{_LONGEST}}}")
_UNSPACED_SIGN = re.compile(f"[{_UNSPACED}]")
_BLANK_LINE = re.compile(r"\n\s*\n")


def passages_of(
    document: Document, *, words: int = DEFAULT_WORDS, overlap: int = DEFAULT_OVERLAP
) -> list[Document]:
    """Return a document as passages of at most so many words, or itself alone if it is no longer.

    One that is a passage already (``document.passage``) is not split again, whatever its length.
    A passage begins with the last ``overlap`` words of the one before, in whole sentences where that is possible.
    It ends inside a sentence only where that alone is longer than ``words``. Its text is a part of the document's
    as it stands there.

    >>> tea = Document("tea", "Pour the water. Wait for three minutes. Drink it slowly.", "Tea")
    >>> for passage in passages_of(tea, words=8, overlap=4):
    ...     print(passage.id, passage.title, passage.text)
    tea#1 Tea Pour the water. Wait for three minutes.
    tea#2 Tea Wait for three minutes. Drink it slowly.
    """
    for name, value in (("words", words), ("overlap", overlap)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise ArgumentError(name, f"must be a whole number, got {quoted(value)}")
    if words < 1:
        raise ArgumentError("words", f"must be at least 1, got {words}")
    if not 0 <= overlap < words:
        raise ArgumentError(
            "overlap", f"must be from 0 to less than the {words} words of a passage, got {overlap}"
        )
    if document.passage or _is_surely_short(document.text, words):
        return [document]
    spans = [word.span() for word in _WORD.finditer(document.text)]
    if len(spans) <= words:
        return [document]
    cuts = list(_CutPoints.of(document.text, spans).cuts(words, overlap))
    return [_passage(document, (spans[a][0], spans[b - 1][1]), n, len(cuts)) for n, (a, b) in enumerate(cuts, 1)]


def _is_surely_short(text: str, words: int) -> bool:
    """Return whether a text has no more words; seen from its spaces, ten times as fast as the words are found."""
    if len(text.split()) + len(text) // _LONGEST > words:
        return False
    return text.isascii() or not _UNSPACED_SIGN.search(text)


def _passage(document: Document, span: tuple[int, int], number: int, total: int) -> Document:
    return Document(
        f"{document.id}#{number}",
        document.text[slice(*span)],
        document.title,
        document.metadata,
        Passage(document.id, number, total),
    )


@dataclass(frozen=True, slots=True)
class _CutPoints:
    """Where a text can be cut: before which words a sentence begins, and before which of them a paragraph."""

    words: int
    sentences: list[int]
    paragraphs: list[int]

    @classmethod
    def of(cls, text: str, spans: list[tuple[int, int]]) -> "_CutPoints":
        starts = [start for start, _ in spans]
        places = [bisect_left(starts, sign) for sign in sentence_starts(text)]
        inside = [place for place in dict.fromkeys(places) if 0 < place < len(spans)]
        paragraphs = [i for i in inside if _BLANK_LINE.search(text, spans[i - 1][1], spans[i][0])]
        return cls(len(spans), [*inside, len(spans)], paragraphs)

    def cuts(self, words: int, overlap: int) -> Iterator[tuple[int, int]]:
        """Yield where each passage begins and ends."""
        begin, end = 0, self._end(0, 0, words)
        yield begin, end
        while end < self.words:
            begin = self._begin(begin, end, words, overlap)
            end = self._end(begin, end, words)
            yield begin, end

    def _begin(self, before: int, end: int, words: int, overlap: int) -> int:
        """Return where the next passage begins, if the one before does so there and ends here."""
        earliest = max(end - overlap, before + 1)
        following = self.sentences[bisect_right(self.sentences, end)]
        if following - end <= words:  # what is repeated must leave room for the next sentence
            earliest = max(earliest, following - words)
        whole = self.sentences[bisect_left(self.sentences, earliest)]
        return whole if whole < end else earliest

    def _end(self, begin: int, after: int, words: int) -> int:
        """Return where a passage that begins there ends: after what is known already, and at the best place."""
        limit = begin + words
        if limit >= self.words:
            return self.words
        paragraph = _last(self.paragraphs, limit)
        if paragraph > max(after, begin + words // 2):  # sooner, and most passages would be short
            return paragraph
        sentence = _last(self.sentences, limit)
        return sentence if sentence > after else limit


def _last(places: list[int], limit: int) -> int:
    position = bisect_right(places, limit)
    return places[position - 1] if position else 0
