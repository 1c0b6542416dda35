"""The kinds of a thing: almonds of nuts, suede of leather, Crete of Greece.

Two tables that are data: what WordNet knows (made by ``benchmarks/quality/make_kinds.py``), and facts of everyday
life that it does not have, written for this project in a file that a person can read.
"""

import gzip
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from esens.text.terms import terms_of
from esens.text.tokens import WORD, fold_case, singular

TABLE = "wordnet-kinds.txt.gz"
FACTS = "everyday-kinds.txt"
CAPITAL = "^"
_REMEMBERED = 4096
_LEADING = re.compile(r"^(?:the|an?|any|all|some)\s+(?=\S)", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:[,;/]|\b(?:and|or)\b)\s*", re.IGNORECASE)
# What stands behind a kind in the name of its carriers: "dairy products", "horror films".
_CARRIERS = re.compile(r"\s+(?:products?|films?|movies?|shows?|dish(?:es)?|foods?|stuff|ones?)$", re.IGNORECASE)
_FACT = re.compile(r"^(?P<thing>[^:=~]+?)\s*(?P<sign>[:=~])\s*(?P<kinds>.+)$")


@lru_cache(maxsize=_REMEMBERED)
def kinds_of(thing: str) -> tuple[str, ...]:
    """Return the names of what is a kind, an instance, a part (of a place) or another name of a thing.

    Words are in lower case and in the singular, as in ``terms_of``. Names that have all the words of the thing are
    left out, since the thing's own words find them. Nothing where nothing is known.

    >>> {"almond", "walnut"} <= set(kinds_of("nuts"))
    True
    >>> "crete" in kinds_of("Greece")
    True
    >>> kinds_of("reinforcement learning")
    ()
    """
    parts = [_CARRIERS.sub("", part) for part in _LIST.split(thing)]
    known = _known(thing) or [kind for part in parts for kind in _known(part)]
    own = terms_of(thing)
    return tuple(kind for kind in dict.fromkeys(known) if (terms := terms_of(kind)) and not (own and own <= terms))


def key_of(name: str) -> str:
    """Return a name as the tables spell it: words in lower case and in the singular; decades stay decades.

    >>> key_of("the Balearic Islands"), key_of("1980s")
    ('balearic island', '1980s')
    """
    words = WORD.findall(fold_case(_LEADING.sub("", name.strip())))
    return " ".join(word if word[0].isdigit() else singular(word) for word in words)


def _known(name: str) -> list[str]:
    """Return what both tables know below a name; what is written here comes first."""
    facts, todo = _facts(), [name]
    seen: set[str] = set()
    found: list[str] = []
    for asked in todo:
        key = facts.canonical.get(key_of(asked), key_of(asked))
        if key in seen:
            continue
        seen.add(key)
        members = facts.kinds.get(key, ())
        found += (*facts.names.get(key, ()), *(key_of(member) for member in members))
        found += () if key in facts.complete else _table().names_below(facts.spelling.get(key, asked))
        todo += [member[:-1] for member in members if member.endswith("+")]
    return found


class Facts(NamedTuple):
    """What is written here: kinds of things, which things have all theirs here, and other names of things."""

    kinds: Mapping[str, tuple[str, ...]]
    complete: frozenset[str]
    names: Mapping[str, tuple[str, ...]]
    canonical: Mapping[str, str]
    spelling: Mapping[str, str]


@cache
def _facts() -> Facts:
    text = (resources.files("esens.evidence") / "data" / FACTS).read_text(encoding="utf-8")
    kinds: dict[str, tuple[str, ...]] = {}
    complete: set[str] = set()
    names: dict[str, tuple[str, ...]] = {}
    canonical: dict[str, str] = {}
    spelling: dict[str, str] = {}
    for thing, sign, members in _lines(text):
        key = key_of(thing)
        spelling[key] = thing
        if sign == "~":
            names[key] = (key, *(key_of(name) for name in members if not name.startswith("(")))
            canonical |= {key_of(name): key for name in members}
        else:
            kinds[key] = tuple(members)
            complete |= {key} if sign == "=" else set()
    return Facts(kinds, frozenset(complete), names, canonical, spelling)


def _lines(text: str) -> Iterator[tuple[str, str, list[str]]]:
    for line in re.sub(r"\n +", " ", text).splitlines():
        if line and not line.startswith("#") and (fact := _FACT.match(line)):
            yield fact["thing"], fact["sign"], [name.strip() for name in fact["kinds"].split(",")]


class Table(NamedTuple):
    """What WordNet knows: a line a concept, and a directory of names as one text, which is searched as it is."""

    concepts: list[str]
    directory: str

    def names_below(self, name: str) -> Iterator[str]:
        """Yield the names of all that is below what a name asks for, and its other names."""
        todo = self._asked(name)
        seen = set(todo)
        for number in todo:
            names, _, below = self.concepts[int(number)].partition("\t")
            yield from filter(None, names.split(";"))
            lower = [below for below in below.split() if below not in seen]
            seen.update(lower)
            todo += lower

    def _asked(self, name: str) -> list[str]:
        key = key_of(name)
        return (name.strip()[:1].isupper() and self._numbers(CAPITAL + key)) or self._numbers(key)

    def _numbers(self, key: str) -> list[str]:
        start = self.directory.find(f"\n{key}\t")
        if start < 0:
            return []
        start += len(key) + 2
        return self.directory[start : self.directory.index("\n", start)].split()


@cache
def _table() -> Table:
    packed = (resources.files("esens.evidence") / "data" / TABLE).read_bytes()
    concepts, _, directory = gzip.decompress(packed).decode().partition("\n\n")
    return Table(concepts.split("\n"), f"\n{directory}")
