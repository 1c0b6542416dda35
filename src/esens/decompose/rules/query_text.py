"""A query as the rules see it: its words, its quotation marks, where its sentences begin, and its cues."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from esens.decompose.rules.lexicon import lexicon_of
from esens.decompose.rules.lexicon.patterns import LexiconPatterns, in_small_letters
from esens.decompose.rules.quotations import quotations

COMMAS = (",", "，", "、")
_PAUSES = (",", "，", ":", "：")
# A cue is read with what stands this near: a query of any length is read in time that grows with its length.
LONGEST_LEAD = 40
LONGEST_SPAN = 300
_WORD = re.compile(r"\w")
_SENTENCE_START = re.compile(r"[?!;。？！；]|\.\s")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_SHORTEST_HEADLINE = 4
_LONGEST_BEHIND = 200
_LONGEST_SUFFIX = len("-free")


@lru_cache(maxsize=8192)
def _role(word: str, language: str) -> str:
    """Return what a word can be in a cue: the one that every cue has, a lead to it from near or far, or none."""
    lexicon = lexicon_of(language)
    is_alike = word.startswith(lexicon.trigger_starts) or word.endswith(lexicon.trigger_ends)
    if is_alike or not lexicon.triggers or word in lexicon.triggers:
        return "trigger"
    if word not in lexicon.leads:
        return ""
    return "near lead" if word in lexicon.near_leads else "far lead"


Value = TypeVar("Value")


class Once(Generic[Value]):
    """A property that is computed when it is first read: ``cached_property`` without its lock, which is slow."""

    def __init__(self, compute: "Callable[[QueryText], Value]") -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __get__(self, query: "QueryText", owner: type) -> Value:
        """Return the value; the query keeps it under the same name, and does not come here again."""
        value = query.__dict__[self._compute.__name__] = self._compute(query)
        return value


class TypedQuery:
    """A query as it was typed: says where a part of its text on a single line stands in it."""

    def __init__(self, query: str) -> None:
        words = [match.span() for match in re.finditer(r"\S+", query)]
        self._starts = [start for start, _ in words]
        self._on_a_line = list(accumulate((end - start + 1 for start, end in words), initial=0))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part from one position to another stands."""
        return self._position(start), self._position(max(start, end - 1)) + (end > start)

    def _position(self, position: int) -> int:
        word = bisect_right(self._on_a_line, position) - 1
        return self._starts[word] + position - self._on_a_line[word]


class Cue(NamedTuple):
    """Words that may exclude; ``inner`` is the excluded part where the cue stands around it or behind it."""

    start: int
    end: int
    kind: str
    inner: tuple[int, int] | None = None
    is_behind: bool = False


class QueryText:
    """One query, read with the words of one language."""

    def __init__(self, text: str, patterns: LexiconPatterns) -> None:
        self.text = text
        self.lower = in_small_letters(text)
        self.patterns = patterns
        self.words = [(word[0], word.start()) for word in patterns.word.finditer(self.lower)]
        self._starts_of_words = [start for _, start in self.words]

    @Once
    def quoted(self) -> list[tuple[int, int]]:
        """Where quotation marks stand, from the opening to the closing one."""
        return quotations(self.text)

    @Once
    def has_question(self) -> bool:
        """Whether there is a question in it."""
        return "?" in self.text or (self._has_pause and self.patterns.question.search(self.text) is not None)

    @property
    def _has_pause(self) -> bool:
        """Whether there is a comma or a colon, behind which a question may begin."""
        return any(sign in self.text for sign in _PAUSES)

    @Once
    def is_upper(self) -> bool:
        """Whether all of it is in capitals, which then mean nothing."""
        return self.text.isupper()

    @Once
    def is_headline(self) -> bool:
        """Whether every longer word but the cues has a capital: "Learning to Rank without Relevance Labels"."""
        if not self.patterns.lexicon.names or "?" in self.text:
            return False
        count = 0
        for word in _LONG_WORD.finditer(self.text):
            if word[0].lower() not in self.patterns.lexicon.triggers:
                if not word[0][0].isupper():
                    return False
                count += 1
        return count >= _SHORTEST_HEADLINE

    @Once
    def is_request(self) -> bool:
        """Whether it begins like a question or an order, or has one in it."""
        if self.text.endswith(("?", "？")) or self.patterns.asking.match(self.text):
            return True
        return self._has_pause and self.patterns.request.search(self.text) is not None

    @Once
    def has_other(self) -> bool:
        """Whether it asks for others, or what else."""
        return self.patterns.other_words.search(self.lower) is not None

    @Once
    def is_sentence(self) -> bool:
        """Whether this is one sentence with a full stop, as claims are written and queries seldom are."""
        text = self.text
        return text[:1].isupper() and text.endswith(".") and not _SENTENCE_START.search(text, 0, len(text) - 1)

    def words_of(self, cue: Cue) -> str:
        """Return the words of a cue."""
        return self.text[cue.start : cue.end].strip()

    def before(self, cue: Cue) -> str:
        """Return what stands before a cue."""
        return self.text[max(0, cue.start - LONGEST_SPAN) : cue.start].rstrip()

    def around(self, cue: Cue, *, instead: str) -> str:
        """Return what stands near a cue, with these words in its place."""
        before, behind = max(0, cue.start - LONGEST_SPAN), cue.end + LONGEST_SPAN
        return f"{self.text[before : cue.start].rstrip()} {instead} {self.text[cue.end : behind]}"

    def is_quoted(self, position: int) -> bool:
        """Whether a position is inside quotation marks."""
        if not self.quoted:
            return False
        number = bisect_right(self.quoted, position, key=lambda span: span[0]) - 1
        return number >= 0 and position < self.quoted[number][1]

    def words_before(self, cue: Cue) -> list[int]:
        """Return where the words begin shortly before a cue, and in it."""
        starts = self._starts_of_words
        return starts[bisect_left(starts, cue.start - LONGEST_LEAD) : bisect_left(starts, cue.end)]

    def opens(self, position: int) -> bool:
        """Whether a sentence begins here."""
        if self.text[max(0, position - 2) : position].rstrip()[-1:].isalnum():
            return False  # as mostly: a word stands right before it
        before = self.text[max(0, position - _LONGEST_BEHIND) : position]
        return not _WORD.search(_SENTENCE_START.split(before)[-1])

    def opens_clause(self, cue: Cue) -> bool:
        """Whether a cue, or what it stands behind, begins a sentence or a part of one."""
        start = cue.inner[0] if cue.inner and cue.is_behind else cue.start
        return self.opens(start) or bool(self.patterns.clause_opener.search(self.text[max(0, start - 20) : start]))

    def is_before_noun(self, cue: Cue) -> bool:
        """Whether a cue with what it excludes says something of the noun behind it: "gluten-free bread"."""
        if cue.inner is None or cue.is_behind or cue.end - cue.inner[1] > _LONGEST_SUFFIX:
            return False
        word = self.patterns.word.match(self.lower, cue.end + 1)
        return word is not None and word[0] not in self.patterns.lexicon.classes.get("ending", ())

    def candidates(self, end: int) -> Iterator[Cue]:
        """Yield whatever looks like a cue before this position, from left to right; they do not overlap."""
        position = 0
        for start in self._starts(end):
            if start >= position and (cue := self._cue_at(start, end)):
                yield cue
                position = cue.end

    def _starts(self, end: int) -> Iterator[int]:
        """Yield where cues may begin: at the words that can open one, up to the word that every cue has."""
        language = self.patterns.lexicon.language
        near: list[int] = []
        far: list[int] = []
        for word, start in self.words:
            if start >= end:
                return
            role = _role(word, language)
            if role == "trigger":
                yield from (lead for lead in sorted(far + near) if lead >= start - LONGEST_LEAD)
                yield start
                near, far = [], []
            elif role == "far lead":
                far.append(start)
            elif role:
                near.append(start)
            elif near:
                near = []

    def _cue_at(self, start: int, end: int) -> Cue | None:
        """Return the cue that begins here; one that opens no clause may still be one of another kind."""
        match = self.patterns.opening.match(self.text, self.lower, start, end)
        cue = self._cue(match) if match else None
        if cue is None or not self.opens_clause(cue):
            match = self.patterns.cue.match(self.text, self.lower, start, end)
            cue = self._cue(match) if match else None
        return None if cue and cue.kind == "rest" and not self._is_behind_whole(cue) else cue

    def _is_behind_whole(self, cue: Cue) -> bool:
        """Whether what stands before a cue ends with a whole that it takes something from: "any framework"."""
        return self.patterns.wholes.search(self.lower, max(0, cue.start - LONGEST_LEAD), cue.start) is not None

    def _cue(self, match: re.Match[str]) -> Cue:
        kind, _, form = str(match.lastgroup).partition("_")
        if form.startswith("around"):
            return Cue(match.start(), match.end(), kind, match.span(str(match.lastgroup)))
        if form == "after":
            first = max(0, match.start() - _LONGEST_BEHIND)
            edge = self.patterns.verdict_start if kind == "verdict" else self.patterns.suffix_start
            starts = [m.end() for m in edge.finditer(self.text, first, match.start())]
            inner = (starts[-1] if starts else first, match.start())
            return Cue(match.start(), match.end(), kind, inner, is_behind=True)
        return Cue(match.start(), match.end(), kind)
