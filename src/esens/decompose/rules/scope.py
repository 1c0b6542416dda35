"""How far an exclusion reaches: where the excluded thing ends, and where the wanted part goes on."""

import re

from esens.decompose.rules.query_text import COMMAS, LONGEST_SPAN, Asked, Cue
from esens.decompose.rules.vetoes import WEAK

_PAIRS = (("(", ")"), ("（", "）"), (" -", " - "), ("–", "–"), ("—", "—"))
_FIRST_WORD = re.compile(r"\s*[^\s,，]+")


def extent(asked: Asked, cue: Cue, limit: int) -> tuple[int, int, int]:
    """Return where the excluded thing begins and ends, and where the wanted part goes on."""
    if cue.inner is not None:
        return *cue.inner, cue.end
    before = asked.before(cue)
    for opening, closing in _PAIRS:
        if before.endswith(opening) and (found := asked.text.find(closing, cue.end, limit)) >= 0:
            return cue.end, found, found + len(closing)
    sentence = _first(asked, asked.cues.sentence_end, cue.end, limit)[0]
    opens = asked.opens(cue.start)
    clause = _first(asked, asked.cues.question if opens else asked.cues.clause, cue.end, sentence)[0]
    end, following = _first(asked, asked.cues.stops, cue.end, clause)
    if end < sentence:
        return cue.end, end, following
    end = _opening_end(asked, cue, sentence) if opens else _inner_end(asked, cue, sentence)
    return cue.end, end, end


def _opening_end(asked: Asked, cue: Cue, end: int) -> int:
    """Return where an exclusion ends that opens the query: before a question, or at its comma."""
    if asked.before(cue):
        return end
    question = asked.cues.bare_question.search(asked.text, cue.end, end)
    end = question.start() if question else end
    pieces = asked.text[cue.end : end].split(",")
    # "Excluding mouse, rat and hamster, genes of rodents": the list ends at the comma behind its "and".
    joined = next((i for i, piece in enumerate(pieces[:-1]) if i and asked.cues.conjunction.search(piece)), 0)
    return cue.end + len(",".join(pieces[: joined + 1]))


def _inner_end(asked: Asked, cue: Cue, end: int) -> int:
    """Return where an exclusion ends that has something wanted before it."""
    cues, before = asked.cues, asked.before(cue)
    if before.endswith(COMMAS) and (remark := cues.remark.search(asked.text, cue.end, end)):
        return remark.start()
    if cue.kind == "likely" and before.endswith(COMMAS):  # "Who wrote the novel, not the film, Dune?"
        comma = asked.text.find(",", cue.end, end)
        return comma if comma >= 0 and not cues.conjunction.search(asked.text, comma, end) else end
    if (
        cue.start < LONGEST_SPAN
        and cues.subject.match(before)
        and not cues.finite.search(before, before.find(" "))
    ):
        return _subject_end(asked, cue.end, end)
    if not before.endswith(COMMAS) and cue.kind not in WEAK:
        return _first(asked, cues.goes_on, _second_word(asked, cue.end), end)[0]
    return end


def _subject_end(asked: Asked, start: int, end: int) -> int:
    """Return where the predicate begins: behind a comma, or with the verb behind a name.

    "Who else besides Roy Dotrice played in it?" has named only its subject before the exclusion.
    """
    for found in asked.cues.predicate.finditer(asked.text, _second_word(asked, start), end):
        word = asked.text[: found.start()].rsplit(maxsplit=1)[-1]
        if found[0].startswith(",") or word[0].isupper() or asked.cues.finite.match(asked.text, found.end()):
            return found.start()
    return end


def _second_word(asked: Asked, start: int) -> int:
    found = _FIRST_WORD.match(asked.text, start)
    return found.end() if found else start


def _first(asked: Asked, pattern: re.Pattern[str], start: int, end: int) -> tuple[int, int]:
    """Return where a pattern first matches outside quotation marks, or the end twice."""
    for found in pattern.finditer(asked.text, start, end):
        if not asked.is_quoted(found.start()):
            return found.span()
    return end, end
