"""The scope of a cue: where the excluded thing begins and ends, and where the wanted part goes on."""

import re
from itertools import pairwise
from typing import NamedTuple

from esens.decompose.rules.query_text import COMMAS, LONGEST_SPAN, Cue, QueryText
from esens.decompose.rules.vetoes import WEAK

_PAIRS = (("(", ")"), ("[", "]"), ("（", "）"), (" -", " - "), ("–", "–"), ("—", "—"))
_COMMA = re.compile(r",(?![\"”])|(?<=,[\"”])")  # a comma inside quotation marks counts behind them
# Classes of which several are left out side by side: "without nuts, eggs".
_SORTS = ("ingredient", "substance", "genre", "charge", "symptom", "tool")
_A_PAIR = 2
_FIRST_WORD = re.compile(r"\s*[^\s,，]+")


class Scope(NamedTuple):
    """Where the excluded thing begins and ends, and where the wanted part goes on."""

    start: int
    end: int
    following: int


def scope_of(query: QueryText, cue: Cue, limit: int) -> Scope:
    """Return what a cue excludes, up to this limit at most."""
    if cue.inner is not None:
        return Scope(*cue.inner, cue.end)
    before = query.before(cue)
    for opening, closing in _PAIRS:
        if before.endswith(opening) and (end := query.text.find(closing, cue.end, limit)) >= 0:
            return Scope(cue.end, end, end + len(closing))
    limit = _parenthesis_end(query, cue, limit)
    if end := _modifier_end(query, cue, limit):
        return Scope(cue.end, end, end)
    sentence = _first(query, query.patterns.sentence_end, cue.end, limit)[0]
    opens = query.opens(cue.start)
    aside = _first(query, query.patterns.aside, cue.end, sentence)[0]
    if aside < sentence and not opens:
        return Scope(cue.end, _inner_end(query, cue, aside), sentence)
    clause = _first(query, query.patterns.question if opens else query.patterns.clause, cue.end, sentence)[0]
    first = _second_word(query, cue.end) if query.patterns.lexicon.spaced else cue.end
    end, following = _first(query, query.patterns.stops, first, clause)
    if end == sentence:
        end = following = _opening_end(query, cue, sentence) if opens else _inner_end(query, cue, sentence)
    wish = end if opens else _wish_start(query, cue, end)
    return Scope(cue.end, wish, wish if wish < end else following)


def _wish_start(query: QueryText, cue: Cue, end: int) -> int:
    """Return the comma behind which another wish stands, and no further excluded thing; or else the end.

    "shoes without laces, size 42", but "dishes without soy, nuts or milk". A question or a sentence puts its
    wishes otherwise.
    """
    commas = [comma.start() for comma in _COMMA.finditer(query.text, cue.end, end)]
    if not commas or query.has_question or query.is_sentence or any(map(query.is_quoted, commas)):
        return end
    edges = [cue.end, *commas, end]
    parts = [query.text[start:stop].strip(" ,") for start, stop in pairwise(edges)]
    return edges[_listed_parts(query, cue, parts)]


def _listed_parts(query: QueryText, cue: Cue, parts: list[str]) -> int:
    """Return how many of the parts between commas are excluded things."""
    patterns = query.patterns
    # "excluding red, green or blue": what the list begins with is no wish further on.
    are_wishes = not patterns.wishes.match(parts[0])
    wish = next(
        (i for i, part in enumerate(parts) if i and are_wishes and patterns.wishes.match(part)), len(parts)
    )
    joined = [i for i, part in enumerate(parts[:wish]) if patterns.conjunction.search(f" {part}")]
    if joined and joined[-1] < len(parts) - 1:
        return joined[-1] + 1  # the list ends behind its "or": "without cream or nuts, for a picnic"
    if joined or wish != _A_PAIR:
        return wish
    if patterns.lexicon.empty_words.issuperset(query.before(cue).lower().split()):
        return 1  # "something that's not from 2019, boots": what is looked for must still come
    is_name = parts[0].rpartition(" ")[2][:1].isupper()  # "Rochester, Minnesota"
    is_pair = cue.kind not in WEAK or is_name or _is_same_sort(query, cue, parts)
    return _A_PAIR if is_pair else 1


def _is_same_sort(query: QueryText, cue: Cue, parts: list[str]) -> bool:
    """Whether two parts are things of one sort, such as ingredients or the names of makers."""
    classes = query.patterns.lexicon.classes
    first, second = (part.split()[-1].lower() if part else "" for part in parts)
    if any(first in classes[name] and second in classes[name] for name in _SORTS if name in classes):
        return True
    led = f"{query.words_of(cue)} {parts[0]}"
    are_plural = first.endswith("s") and second.endswith("s")
    return are_plural or query.patterns.led_by_makers.search(led) is not None


def _modifier_end(query: QueryText, cue: Cue, limit: int) -> int:
    """Return where the excluded part of a noun ends, which is wanted itself; 0 if the cue is no part of one."""
    modifier = query.patterns.modifier.match(query.text, cue.start, limit)
    is_part = modifier and query.patterns.before_modifier.search(query.before(cue)) and "," not in query.text
    return modifier.end() if modifier and is_part else 0


def _parenthesis_end(query: QueryText, cue: Cue, limit: int) -> int:
    """Return where the parenthesis closes that a cue stands in: "pickles (i.e. no dill) for sandwiches"."""
    before = query.before(cue)
    end = query.text.find(")", cue.end, limit)
    is_inside = before.rfind("(") > before.rfind(")") and "(" not in query.text[cue.end : end]
    return end if end >= 0 and is_inside else limit


def _opening_end(query: QueryText, cue: Cue, end: int) -> int:
    """Return where an exclusion ends that opens the query: before a question, or at its comma."""
    if query.before(cue):
        return end
    question = query.patterns.bare_question.search(query.text, cue.end, end)
    end = question.start() if question else end
    commas = [comma.start() for comma in _COMMA.finditer(query.text, cue.end, end)]
    # "Excluding mouse, rat and hamster, genes of rodents": the list ends at the comma behind its "and".
    joined = (
        close
        for comma, close in pairwise(commas)
        if query.patterns.conjunction.search(query.text, comma + 1, close)
    )
    end = next(joined, commas[0] if commas else end)
    return _first(query, query.patterns.opening_stop, cue.end, end)[0] if end == len(query.text) else end


def _inner_end(query: QueryText, cue: Cue, end: int) -> int:
    """Return where an exclusion ends that has something wanted before it."""
    patterns, before = query.patterns, query.before(cue)
    if before.endswith(COMMAS) and (remark := patterns.remark.search(query.text, cue.end, end)):
        return remark.start()
    if cue.kind == "rest":  # "any framework but React for a small site"
        verb = _first(query, patterns.goes_on, _second_word(query, cue.end), end)[0]
        return _first(query, patterns.opening_stop, cue.end, verb)[0]
    is_aside = cue.kind == "likely" or patterns.asides.match(query.lower, cue.start)
    if is_aside and before.endswith(COMMAS):  # "Who wrote the novel, not the film, Dune?"
        comma = query.text.find(",", cue.end, end)
        return comma if comma >= 0 and not patterns.conjunction.search(query.text, comma, end) else end
    if thing := _bare_thing_end(query, cue, end):
        return thing
    if _asks_of_a_group(query, cue) and (group := patterns.group.match(query.text, cue.end, end)):
        return group.end()
    if (
        cue.start < LONGEST_SPAN
        and not patterns.embedded.match(query.text, cue.end, end)
        and patterns.subject.match(before)
        and not patterns.finite.search(before, before.find(" "))
    ):
        return _agreeing_end(query, cue, end) or _subject_end(query, cue.end, end)
    if (
        not before.endswith(COMMAS)
        and cue.kind not in WEAK
        and not patterns.embedded.match(query.text, cue.end, end)
    ):
        return _first(query, patterns.goes_on, _second_word(query, cue.end), end)[0]
    return end


def _bare_thing_end(query: QueryText, cue: Cue, end: int) -> int:
    """Return where a bare thing ends, behind which goes on what is wanted; 0 if it is not so.

    "pain relief other than ibuprofen for period cramps": what is wanted has had no such preposition yet, and the
    thing is no name that may hold one ("the University of California in Berkeley"), no kind of what is wanted that
    needs one to be told ("books on tape") and nobody's.
    """
    patterns = query.patterns
    if not patterns.apart.match(query.lower, cue.start):
        return 0
    thing = patterns.bare_thing.match(query.text, cue.end, end)
    before = query.lower[max(0, cue.start - LONGEST_SPAN) : cue.start]
    if thing is None or not patterns.bare_head.fullmatch(before):
        return 0
    words = before.split()
    is_same_kind = (
        thing["head"] in words and thing[0].split()[0] == thing["head"]
    )  # "books other than books on tape"
    return 0 if is_same_kind or thing["preposition"] in words else thing.end()


def _asks_of_a_group(query: QueryText, cue: Cue) -> bool:
    """Whether the verb of the question must still come: "Do animals other than humans dream?"."""
    return cue.kind not in WEAK and bool(query.patterns.group_question.match(query.before(cue)))


def _agreeing_end(query: QueryText, cue: Cue, end: int) -> int:
    """Return where a name or a group ends, if a verb follows that agrees with what is asked for; else 0.

    "Which country besides France makes champagne?", "which animals other than humans use tools?"
    """
    before = query.before(cue)
    if cue.kind in WEAK or before.endswith(COMMAS):
        return 0
    is_plural = before.endswith("s") and not before.endswith("ss")
    thing = query.patterns.agreeing[is_plural].match(query.text, cue.end, end)
    return thing.end() if thing else 0


def _subject_end(query: QueryText, start: int, end: int) -> int:
    """Return where the predicate begins: behind a comma, or with the verb behind a name.

    "Who else besides Roy Dotrice played in it?" has named only its subject before the exclusion.
    """
    for predicate in query.patterns.predicate.finditer(query.text, _second_word(query, start), end):
        word = query.text[: predicate.start()].rsplit(maxsplit=1)[-1]
        is_behind_name = predicate[0].startswith(",") or word[0].isupper()
        if is_behind_name or query.patterns.finite.match(query.text, predicate.end()):
            return predicate.start()
    return end


def _second_word(query: QueryText, start: int) -> int:
    word = _FIRST_WORD.match(query.text, start)
    return word.end() if word else start


def _first(query: QueryText, pattern: re.Pattern[str], start: int, end: int) -> tuple[int, int]:
    """Return where a pattern first matches outside quotation marks, or the end twice."""
    match = pattern.search(query.text, start, end)
    while match and query.is_quoted(match.start()):
        match = pattern.search(query.text, max(match.end(), match.start() + 1), end)
    return match.span() if match else (end, end)
