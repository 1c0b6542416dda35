"""A decomposer without a model: cues from a lexicon, the span each excludes, and what is left of the query.

It would rather miss an exclusion than invent one. A cue that may state a fact, stand in a title or belong to a
fixed phrase excludes nothing, and the decomposition says so, with a lower confidence where the reading could be
another.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from esens.decompose.anchors import QUOTED, anchor, things
from esens.decompose.lexicon import Lexicon, lexicon_of
from esens.decompose.lexicon.compiled import Compiled, compiled
from esens.decompose.lexicon.language import language_of
from esens.decompose.target import target_of
from esens.types import Decomposition, Provenance

# How sure a reading is, by the kind of its cue.
CONFIDENCE = {
    "operator": 0.95,
    "clear": 0.95,
    "opening": 0.95,
    "request": 0.85,
    "relative": 0.85,
    "additive": 0.85,
    "counterpart": 0.85,
    "likely": 0.6,
}
_WEAK = ("request", "relative", "additive", "likely", "counterpart", "doubtful")
_NO_CUE, _NAMED, _DOUBTED = 1.0, 0.9, 0.6
_BY_RULES = Provenance("rules")
_SAYS = {
    "operator": "is an operator that leaves out",
    "clear": "says what is to be left out",
    "opening": "says what is to be left out",
    "relative": "says what the wanted is not",
    "additive": "sets apart what is known already",
    "request": "says in a request what is to be left out; in a claim it would state a fact",
    "counterpart": "is said of the opposite of what is wanted",
    "likely": "mostly says what is to be left out, but not always",
}

_WORD = re.compile(r"\w")
_WORDS = re.compile(r"\w+")
_SENTENCE_START = re.compile(r"[?!;。？！；]|\.\s")
_ABBREVIATED = r"(?<!\b\w)(?<!\b(?:St|Dr|Mr|vs|No|Jr|Sr|Lt))(?<!\b(?:Mrs|Rep|Gov|Sen|Col|Gen|Sgt|Inc|Ltd))"
_SENTENCE_END = re.compile(rf'[?!—。？！；]|(?<!&amp);|{_ABBREVIATED}\.(?=\s*$|\s+[A-Z"“])')
_RELATIVE = re.compile(r"(?:that|which|who|but|and)\b", re.IGNORECASE)
_NEGATION = re.compile(r"(?:n['’]?t|\bnot)(?=\s+$)", re.IGNORECASE)
# A remark in small letters between commas: "wars, minus the two world wars, in which Italy fought".
_REMARK = re.compile(
    r"(?<=[a-z]),\s+(?=(?:in which|that|who|which|near|with|for|from|under|published|made|released|since)\s)"
)
_LONGEST_EMPTY = 60
_LONGEST_LEAD = 40

_COMMAS = ",，、"
# Operators stand at the end of a query: "rm -rf /" and "SQL NOT NULL" exclude nothing.
_OPERATORS = re.compile(
    r'(?:\s+-(?:"[^"]+"|[^\W\d_A-Z][^\W\d_]{2,}(?::\S+)?|\d{4}|[一-鿿가-힣]+))+\s*$'
    r'|(?<!\ba)(?<!\bthe)(?:\s+(?:AND )?NOT (?:"[^"]+"|\([^()]+\)|[A-Za-z]*[a-z]\w*(?: [a-z]\w*){0,3}))+\s*$'
)
# … unless there are several, or one opens the query: "mercury -planet -freddie toxicity".
_SCATTERED = re.compile(r'(?<!\S)-(?:"([^"]+)"|([a-z]{4,}))(?=\s|,|$)')
_OPERAND = re.compile(r'(?:-|NOT )(?:"([^"]+)"|\(([^()]+)\)|([\w:.]+(?: (?!NOT|AND|OR)[a-z]\w*)*))')


class Cue(NamedTuple):
    """Words that may exclude; ``inner`` is the excluded part where the cue stands around it or behind it."""

    start: int
    end: int
    kind: str
    inner: tuple[int, int] | None = None
    is_behind: bool = False


def _cue(found: re.Match[str]) -> Cue:
    kind, _, form = str(found.lastgroup).partition("_")
    inner = found.span(str(found.lastgroup)) if form.startswith("around") else None
    return Cue(found.start(), found.end(), kind, inner, form == "after")


class Span(NamedTuple):
    """Where an exclusion stands in the query, cue included, what it excludes, and by which words."""

    start: int
    end: int
    things: tuple[str, ...]
    kind: str
    cue: str
    instead: str = ""


class Doubt(NamedTuple):
    """A cue that excludes nothing: why, and how sure that is."""

    cue: str
    why: str
    confidence: float


def decompose(query: str, *, language: str | None = None) -> Decomposition:
    """Split a query into what is wanted and what is excluded; without a language, its words tell which it is."""
    lexicon = lexicon_of(language or language_of(query))
    return _Reader(" ".join(query.split()), lexicon, compiled(lexicon.language)).read(query)


class _Reader:
    """One query, read with the words of one language."""

    def __init__(self, text: str, lexicon: Lexicon, cues: Compiled) -> None:
        self.text = text
        self.lower = text.lower()
        self.lexicon = lexicon
        self.cues = cues
        self.words = [(found[0], found.start()) for found in cues.word.finditer(self.lower)]
        self.doubts: list[Doubt] = []

    def read(self, query: str) -> Decomposition:
        spans = self._operators() or self._spans(len(self.text))
        target = target_of(self.text, [(span.start, span.end, span.instead) for span in spans], self.cues)
        if (
            spans
            and len(target) < _LONGEST_EMPTY
            and self.lexicon.empty_words.issuperset(_WORDS.findall(target.lower()))
        ):
            self.doubts = [Doubt(spans[0].cue, "nothing would be left to look for", _DOUBTED)]
            spans = []
        if not spans:
            return self._nothing(query)
        traps = (anchor(thing, target, self.cues) for span in spans for thing in span.things)
        weakest = min(spans, key=lambda span: CONFIDENCE[span.kind])
        said = " and ".join(f"“{cue}”" for cue in dict.fromkeys(span.cue for span in spans))
        reason = f"{said} {_SAYS[weakest.kind]}"
        return Decomposition(target, tuple(dict.fromkeys(traps)), CONFIDENCE[weakest.kind], reason, _BY_RULES)

    def _nothing(self, query: str) -> Decomposition:
        if not self.doubts:
            return Decomposition(query, (), _NO_CUE, "no word in it excludes anything", _BY_RULES)
        doubt = min(self.doubts, key=lambda doubt: doubt.confidence)
        return Decomposition(query, (), doubt.confidence, f"“{doubt.cue}”: {doubt.why}", _BY_RULES)

    def _operators(self) -> list[Span]:
        """Return what search-box operators exclude: -word, -"two words", NOT word."""
        if not ("-" in self.text or " NOT " in self.text) or self.text.isupper():
            return []
        scattered = list(_SCATTERED.finditer(self.text))
        if len(scattered) > 1 or (scattered and scattered[0].start() == 0):
            return [Span(*m.span(), (m[1] or m[2],), "operator", "-") for m in scattered]
        found = _OPERATORS.search(self.text)
        if found is None:
            return []
        said = (one or two or three for one, two, three in _OPERAND.findall(found[0]))
        operands = tuple(operand for operands in said for operand in operands.split(" OR "))
        operator = "NOT" if found[0].lstrip().startswith(("NOT", "AND")) else "-"
        return [*self._spans(found.start()), Span(found.start(), len(self.text), operands, "operator", operator)]

    def _spans(self, end: int) -> list[Span]:
        """Return the exclusions before this position, from left to right."""
        quoted = [found.span() for found in QUOTED.finditer(self.text)]
        cues = [cue for cue in self._candidates(end) if self._excludes(cue, quoted)]
        limits = [cue.start for cue in cues[1:]] + [end] * bool(cues)
        spans: list[Span] = []
        for cue, limit in zip(cues, limits, strict=True):
            if cue.kind == "counterpart":
                spans.append(self._contrast(cue, limit, quoted))
                continue
            start, stop, following = self._extent(cue, limit, quoted)
            excluded = things(self.text[start:stop], self.cues)
            first = min(start, cue.start)
            if excluded and (not spans or first >= spans[-1].end):
                spans.append(Span(first, following, excluded, cue.kind, self.text[cue.start : cue.end].strip()))
        return spans

    def _contrast(self, cue: Cue, limit: int, quoted: list[tuple[int, int]]) -> Span:
        """Return "not illegal in Utah" as what is wanted, "legal", with "illegal in Utah" as the trap."""
        words = self.text[cue.start : cue.end]
        said = words.rsplit(maxsplit=1)[-1]
        end = self._extent(cue, limit, quoted)[1]
        trap = things(self.text[cue.end - len(said) : end], self.cues)
        kept = _NEGATION.sub(" ", words[: -len(said)]).split()
        instead = " ".join((*kept, self.cues.counterparts[said.lower()]))
        return Span(cue.start, cue.end, trap, cue.kind, words, instead)

    def _candidates(self, end: int) -> Iterator[Cue]:
        """Yield whatever looks like a cue, from left to right; they do not overlap."""
        position = 0
        for start in self._starts(end):
            if start >= position and (cue := self._cue_at(start, end)):
                yield cue
                position = cue.end

    def _starts(self, end: int) -> Iterator[int]:
        """Yield where cues may begin: at the words that can open one, up to the word that every cue has."""
        lexicon = self.lexicon
        triggers, leads = lexicon.triggers, lexicon.leads
        starts, ends = lexicon.trigger_starts, lexicon.trigger_ends
        waiting: list[int] = []
        for word, start in self.words:
            if start >= end:
                return
            if not triggers or word in triggers or word.startswith(starts) or word.endswith(ends):
                yield from (lead for lead in waiting if lead >= start - _LONGEST_LEAD)
                yield start
                waiting = []
            elif word in leads:
                waiting.append(start)

    def _cue_at(self, start: int, end: int) -> Cue | None:
        found = self.cues.opening.match(self.text, start, end)
        cue = self._placed(_cue(found)) if found else None
        if cue is None or not self._opens_clause(cue):
            found = self.cues.cue.match(self.text, start, end)
            cue = self._placed(_cue(found)) if found else None
        return cue

    def _placed(self, cue: Cue) -> Cue:
        """Return the cue with what stands before it as the excluded part, if it is one that stands behind."""
        if not cue.is_behind:
            return cue
        starts = [
            found.end() for found in self.cues.suffix_start.finditer(self.text, max(0, cue.start - 200), cue.start)
        ]
        return cue._replace(inner=(starts[-1] if starts else 0, cue.start))

    def _excludes(self, cue: Cue, quoted: list[tuple[int, int]]) -> bool:
        doubt = self._doubt(cue, quoted)
        if doubt is not None:
            self.doubts.append(Doubt(self.text[cue.start : cue.end].strip(), *doubt))
        return doubt is None

    def _doubt(self, cue: Cue, quoted: list[tuple[int, int]]) -> tuple[str, float] | None:
        """Return why a cue excludes nothing, and how sure that is; None if it excludes."""
        if any(start <= cue.start < end for start, end in quoted):
            return "stands in quotation marks", _NAMED
        if self._is_in_title(cue):
            return "stands in a title", _NAMED
        if self._is_fixed(cue):
            return "belongs to a fixed phrase", _NAMED
        if self._is_claim(cue):
            return "states a fact; nothing is asked to be left out", _NAMED
        if cue.kind == "doubtful" or (cue.kind in _WEAK and self._states_a_fact(cue)):
            return "may say what is asked about instead of what is to be left out", _DOUBTED
        return None

    def _is_fixed(self, cue: Cue) -> bool:
        """Whether a fixed phrase holds the cue, or a part of one that is not clear by itself."""
        near = (start for _, start in self.words if cue.start - _LONGEST_LEAD <= start < cue.end)
        found = [match for start in near if (match := self.cues.fixed.match(self.lower, start))]
        if cue.kind in _WEAK:
            return any(match.end() > cue.start for match in found)
        return any(match.start() <= cue.start and match.end() >= cue.end for match in found)

    def _is_in_title(self, cue: Cue) -> bool:
        """Whether a capital inside a sentence makes this part of a title: "The Man Without a Past"."""
        word = self.text[cue.start : cue.end].lstrip(" ,(")
        first_person = word.startswith(("I ", "I'", "I’", "We "))
        return word[:1].isupper() and not (first_person or self.text.isupper() or self._opens_clause(cue))

    def _is_claim(self, cue: Cue) -> bool:
        """Whether the query states something instead of asking for it."""
        text = self.text
        if text.endswith(("?", "？")) or self.cues.asking.match(text) or self.cues.question.search(text):
            return False
        if cue.start == 0 and self.cues.bare_question.search(text):
            return False
        words = text[cue.start : cue.end]
        said = "" if _RELATIVE.match(words) else words
        rest = f"{text[: cue.start]} {said} {text[cue.end :]}"
        states = self.cues.finite.search(rest) or (
            (text[:1].isupper() or cue.start == 0) and self.cues.claims.search(rest)
        )
        weak = cue.kind in _WEAK or cue.start == 0
        if self._is_sentence() and (weak or not text[: cue.start].rstrip().endswith(tuple(_COMMAS))):
            return True
        return bool(states) and (weak or (not cue.inner and bool(self.cues.finite.search(said))))

    def _is_sentence(self) -> bool:
        """Whether this is one sentence with a full stop, as claims are written and queries seldom."""
        text = self.text
        return text[:1].isupper() and text.endswith(".") and not _SENTENCE_START.search(text, 0, len(text) - 1)

    def _states_a_fact(self, cue: Cue) -> bool:
        before = self.text[: cue.start]
        if (
            not before.strip()
            and cue.inner is None
            and not (self._asks() or self.cues.bare_question.search(self.text))
        ):
            return True
        if cue.kind == "additive":
            return not (self._opens(cue.start) or self._is_beside_other(before))
        if cue.kind == "relative" and not (self._asks() or self.cues.restricts.search(before)):
            return True
        return bool(
            self.cues.fact_before.search(before[-40:])
            or self.cues.facts.match(self.text, cue.start)
            or self.cues.comparing.match(self.text)
        )

    def _asks(self) -> bool:
        return "?" in self.text or self.cues.question.search(self.text) is not None

    def _is_beside_other(self, before: str) -> bool:
        """Whether "other" or "else" stands before, or a comma in a question: "…, in addition to Ghana?"."""
        return bool(
            self.cues.other_words.search(self.text) or (self._asks() and before.rstrip().endswith(tuple(_COMMAS)))
        )

    def _opens(self, position: int) -> bool:
        """Whether a sentence begins here."""
        before = self.text[max(0, position - 200) : position]
        return not _WORD.search(_SENTENCE_START.split(before)[-1])

    def _opens_clause(self, cue: Cue) -> bool:
        start = cue.inner[0] if cue.inner and cue.is_behind else cue.start
        return self._opens(start) or bool(self.cues.clause_opener.search(self.text[max(0, start - 20) : start]))

    def _extent(self, cue: Cue, limit: int, quoted: list[tuple[int, int]]) -> tuple[int, int, int]:
        """Return where the excluded thing begins and ends, and where the wanted part goes on."""
        if cue.inner is not None:
            return *cue.inner, cue.end
        text, before = self.text, self.text[: cue.start].rstrip()
        if before.endswith(("(", "（")) and (closing := text.find(")", cue.end, limit)) >= 0:
            return cue.end, closing, closing + 1
        end = self._first(_SENTENCE_END, cue.end, limit, quoted)[0]
        opens = self._opens(cue.start)
        clause = self._first(self.cues.question if opens else self.cues.clause, cue.end, end, quoted)
        stop = self._first(self.cues.stops, cue.end, clause[0], quoted)
        if stop[0] < end:
            return cue.end, *stop
        if opens:
            end = self._opening_end(cue, end)
        elif before.endswith(tuple(_COMMAS)) and (comma := _REMARK.search(text, cue.end, end)):
            end = comma.start()
        elif self._is_subject(before):
            end = self._subject_end(cue.end, end)
        elif not before.endswith(tuple(_COMMAS)) and cue.kind not in _WEAK:
            end = self._first(self.cues.goes_on, self._second_word(cue.end), end, quoted)[0]
        return cue.end, end, end

    def _is_subject(self, before: str) -> bool:
        """Whether a question has only named whom it asks about: "Who else", "Which presidents,"."""
        return bool(self.cues.subject.match(before)) and not self.cues.finite.search(before, 5)

    def _subject_end(self, start: int, end: int) -> int:
        """Return where the predicate begins: behind a comma, or with the first verb."""
        for found in self.cues.predicate.finditer(self.text, self._second_word(start), end):
            before = self.text[: found.start()].rsplit(maxsplit=1)[-1]
            if found[0].startswith(",") or before[0].isupper() or self.cues.finite.match(self.text, found.end()):
                return found.start()
        return end

    def _second_word(self, start: int) -> int:
        found = re.compile(r"\s*\S+").match(self.text, start)
        return found.end() if found else start

    def _first(
        self, pattern: re.Pattern[str], start: int, end: int, quoted: list[tuple[int, int]]
    ) -> tuple[int, int]:
        """Return where a pattern first matches outside quotation marks, or the end twice."""
        found = (
            m for m in pattern.finditer(self.text, start, end) if not any(a <= m.start() < b for a, b in quoted)
        )
        return next((m.span() for m in found), (end, end))

    def _opening_end(self, cue: Cue, end: int) -> int:
        """Return where an exclusion ends that opens the query: before a question, or at its comma."""
        if self.text[: cue.start].strip():
            return end
        question = self.cues.bare_question.search(self.text, cue.end, end)
        end = question.start() if question else end
        pieces = self.text[cue.end : end].split(",")
        # "Excluding mouse, rat and hamster, genes of rodents": the list ends at the comma behind its "and".
        joined = next((i for i, piece in enumerate(pieces[:-1]) if i and self.cues.conjunction.search(piece)), 0)
        return cue.end + len(",".join(pieces[: joined + 1]))
