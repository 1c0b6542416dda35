"""What a document says of an excluded thing: that it has it, that it has not, its name and no more, or nothing.

A title speaks for the whole document: what it denies is denied, whatever the text mentions. In a text, one place
that names the thing and denies nothing affirms it. What is said of the thing itself ("dairy-free") counts for more
than the name of a kind ("milk", of coconuts). Who denies what the thing is a kind of ("dairy-free", of cheese)
denies the thing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from esens.evidence.denials import stance_at
from esens.evidence.excluded_thing import ExcludedThing, Name
from esens.evidence.labels import LABELS
from esens.text.tokens import fold_letters
from esens.types import SILENT, Document, Evidence

_REMEMBERED, _SHORT = 4096, 4000
"""Of so many texts it is remembered what they say of a thing, unless they are longer: some 10 MB at most."""
_YEAR = re.compile(r"(?<![^\W_])(?:1[0-9]{3}|20[0-9]{2})(?![^\W_])")
_AROUND = 24  # signs of the text that a quote has before the name
_TURNED = {"affirmed": "denied", "denied": "affirmed"}  # by a thing that is a lack
_QUOTED = 72
_BEGINNING = 60  # signs of a text without a title
_ALONE = re.compile(r"(?:[.;:!?\n]\s*|\b(?:is|are|fully|100%|all)\s+)$")  # "… with garlic. Vegan."
_ALMOST = re.compile(r"\b(?:almost|nearly) $")  # eggless
_DENIAL = re.compile(r"\w+\W{1,3}free\b")  # that the name of a lookalike begins with
_MADE_SO = re.compile(r"\b(?:made|make|make it|be|for|into)\s+(?:an?\s+)?$")  # "can be made vegan"


def statement_of(document: Document, thing: ExcludedThing) -> Evidence:
    """Return what a document says of a thing, with its words.

    >>> from esens.evidence.excluded_thing import excluded_thing
    >>> nuts = excluded_thing("nuts")
    >>> print(statement_of(Document("a", "Oats, honey. Contains no nuts."), nuts))
    denied: “Oats, honey. Contains no nuts.”
    """
    read = _remembered if len(document.text) + len(document.title) <= _SHORT else _read
    evidence = read(document.title, document.text, thing)
    return replace(evidence, stance=_TURNED.get(evidence.stance, evidence.stance)) if thing.is_lack else evidence


def _read(title: str, text: str, thing: ExcludedThing) -> Evidence:
    content = f"{title}\n{text}" if title else text
    folded = fold_letters(content)
    words = thing.words_in(folded)
    if not words:
        return SILENT
    names, lacking = thing.names_in(words), thing.lacking_in(words)
    if thing.is_literal:
        return _literal(content, folded, names)
    title_end = len(content) - len(text)
    if title and folded.startswith(folded[:title_end].rstrip("\n"), title_end):
        # What the title says is read there: "Batteries Not Included is a 1987 film" denies nothing.
        repeated = len(title)
        folded = f"{folded[:title_end]}{'·' * repeated}{folded[title_end + repeated :]}"
    if thing.lookalikes is not None:  # they stay where they are, and say nothing
        folded = thing.lookalikes.sub(lambda match: _without_lookalike(match, title_end), folded)
    own = [_of_name(content, folded, name, title_end) for name in names if not name.is_kind]
    own += [_of_lack(content, folded, word, title_end) for word in sorted(lacking)]
    said = [evidence for evidence in own if evidence.stance != "silent"]
    first = min(said, key=lambda evidence: _order(evidence, title_end), default=SILENT)
    if first.stance in ("affirmed", "denied"):
        return first
    mentioned = first
    for evidence in (_of_name(content, folded, name, title_end) for name in names if name.is_kind):
        if evidence.stance == "affirmed":
            return evidence
        if mentioned.stance == "silent" or evidence.stance == "denied":
            mentioned = evidence  # a kind that is denied is only mentioned: this is another name of the thing
    return mentioned


def _without_lookalike(match: re.Match[str], title_end: int) -> str:
    """Return as many signs without the name of a lookalike.

    What it denies stays where that speaks for the whole document: "Gluten-free bread" is no bread with gluten, and
    lacks it. One of several ingredients tells nothing of the others.
    """
    denial = _DENIAL.match(match[0])
    kept = denial.end() if denial and _speaks_for_all(match.string, *match.span(), title_end) else 0
    return match[0][:kept] + "·" * (len(match[0]) - kept)


# The same exclusion comes again: in the next question of a conversation, in the profile of who is allergic.
_remembered = lru_cache(maxsize=_REMEMBERED)(_read)


def _order(evidence: Evidence, title_end: int) -> int:
    """Return which evidence counts first: what a title denies, what is affirmed, denied, mentioned."""
    if evidence.stance == "denied":
        return 0 if (evidence.start or 0) < title_end else 2
    return 1 if evidence.stance == "affirmed" else 3


def _literal(content: str, folded: str, names: Iterable[Name]) -> Evidence:
    for name in names:
        if match := name.pattern.search(folded):
            return Evidence("affirmed", _quote(content, *match.span()), match.start())
    return SILENT


def _of_lack(content: str, folded: str, word: str, title_end: int) -> Evidence:
    """Return the denial that is in one word: eggless.

    A label ("vegan") speaks for a document from its title, from the beginning of a text without one, or as a
    sentence of its own: elsewhere it may be said of something else ("for a vegan cake, leave it out").
    """
    match = re.search(rf"(?<![^\W_]){word}(?![^\W_])", folded)
    if match is None or (word in LABELS and not _speaks_for_all(folded, *match.span(), title_end)):
        return SILENT
    if stance_at(folded, *match.span()) == "denied" or _ALMOST.search(folded[: match.start()]):
        return SILENT
    return Evidence("denied", _quote(content, *match.span()), match.start())


def _speaks_for_all(folded: str, start: int, end: int, title_end: int) -> bool:
    before, behind = folded[max(0, start - _AROUND) : start], folded[end : end + 2]
    if _MADE_SO.search(before):
        return False
    is_alone = _ALONE.search(before) is not None and not behind[:1].isalnum() and not behind[1:].isalnum()
    return start < (title_end or _BEGINNING) or is_alone


def _of_name(content: str, folded: str, name: Name, title_end: int) -> Evidence:
    """Return what the places say where a name stands: affirmed by one of them, if the title denies nothing."""
    weaker = SILENT
    for start, end in _places(name, content, folded):
        if name.is_year and not _is_first_year(folded, start):
            return weaker
        kind = content[start:end] if name.is_kind else ""
        quote = _quote(content, start, end)
        stance = stance_at(folded, start, end)
        if stance == "silent" or (name.is_wider and stance != "denied"):
            continue  # "dairy" says nothing of cheese, and "dairy-free" does
        if stance == "denied":
            # "Almond-free" says something of almonds, and nothing of other nuts.
            if name.is_kind and not name.is_same:
                weaker = Evidence("mentioned", quote, start, kind)
            elif weaker.stance != "denied":
                weaker = Evidence("denied", quote, start)
            if weaker.stance == "denied" and start < title_end:
                return weaker
        elif stance == "mentioned":
            weaker = weaker if weaker.stance != "silent" else Evidence("mentioned", quote, start, kind)
        else:
            return Evidence("affirmed", quote, start, kind)
    return weaker


def _places(name: Name, content: str, folded: str) -> Iterator[tuple[int, int]]:
    """Yield where a name stands; initials are in capitals, and "add" is not Art Deco Design."""
    for match in name.pattern.finditer(folded):
        if not name.is_initials or _stands_out(content, *match.span()):
            yield match.span()


def _stands_out(content: str, start: int, end: int) -> bool:
    """Return whether a word is in capitals, and those around it are not: "CONTACT US" is no country."""
    around = content[max(0, start - _AROUND) : end + _AROUND].replace(content[start:end], "")
    return content[start:end].isupper() and not (around.isupper() and len(content) > end - start)


def _is_first_year(folded: str, start: int) -> bool:
    first = _YEAR.search(folded)
    return first is None or first.start() == start


def _quote(content: str, start: int, end: int) -> str:
    """Return the words around a name, cut at spaces, on one line."""
    left = max(0, start - _AROUND)
    left = max(0 if left == 0 else content.rfind(" ", 0, left + 1) + 1, content.rfind("\n", 0, start) + 1)
    line_end = content.find("\n", end)  # a title is quoted by itself
    last = len(content) if line_end < 0 else line_end
    right = min(last, max(end, left + _QUOTED))
    space = content.find(" ", right, last)
    right = last if space < 0 or space - right > _AROUND else space
    return " ".join(content[left:right].split())
