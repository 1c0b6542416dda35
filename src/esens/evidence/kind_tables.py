"""The two tables that know kinds of things: WordNet's, and facts of everyday life that were written here.

The first is made by ``benchmarks/quality/make_kinds.py``, the second is a file that a person can read and mend.
Both are read when they are first asked.
"""

import gzip
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from esens.text.tokens import WORD, fold_case, singular

WORDNET = "wordnet-kinds.txt.gz"
FACTS = "everyday-kinds.txt"
CAPITAL = "^"
"""Stands before a name that asks for its thing only with a capital letter: Turkey."""
_LEADING = re.compile(r"^(?:(?:the )?rest of|the|an?|any|all|some)\s+(?=\S)", re.IGNORECASE)
_FACT = re.compile(r"(?!#)(?P<thing>[^:=~!]+?)\s*(?P<sign>[:=~!])\s*(?P<names>.+)")


def key_of(name: str) -> str:
    """Return what a name is looked up by: its words in lower case and in the singular; decades stay decades.

    >>> key_of("the Balearic Islands"), key_of("1980s")
    ('balearic island', '1980s')
    """
    return " ".join(map(_one, _words(name)))


def name_of(name: str) -> str:
    """Return a name as texts may have it: in lower case, and only its last word in the singular.

    >>> name_of("Brussels sprouts")
    'brussels sprout'
    """
    *words, last = _words(name) or [""]
    return " ".join((*words, _one(last)))


class Thing(NamedTuple):
    """What is written of a thing, if anything; a kind that ends with + brings its own kinds."""

    spelling: str
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    is_complete: bool = False
    lookalikes: tuple[str, ...] = ()

    @property
    def is_written(self) -> bool:
        """Whether more is written of it than its name."""
        return bool(self.names or self.kinds)


class Facts(NamedTuple):
    """The things that are written of, by the keys of their names, and the keys that other names stand for."""

    things: Mapping[str, Thing]
    keys: Mapping[str, str]

    def find(self, name: str) -> Thing:
        """Return what is written of a name, which may be nothing but the name."""
        key = key_of(name)
        if name.strip()[:1].isupper() and CAPITAL + key in self.things:
            return self.things[CAPITAL + key]
        return self.things.get(key) or self.things.get(self.keys.get(key, key)) or Thing(name)

    def below(self, name: str) -> list[Thing]:
        """Return what is written of a name, and of all kinds below it that bring their own."""
        todo = [self.find(name)]
        seen = set(todo)
        for thing in todo:
            lower = [self.find(kind[:-1]) for kind in thing.kinds if kind.endswith("+")]
            todo += [found for found in dict.fromkeys(lower) if found not in seen]
            seen.update(lower)
        return todo


class WordNet(NamedTuple):
    """A line a concept: its names, and the numbers of what is below. A sorted line a name: what it asks for."""

    concepts: list[str]
    directory: list[str]

    def names_below(self, name: str) -> Iterator[str]:
        """Yield the names of all that is below what a name asks for, and its other names."""
        todo = self._asked(name)
        seen = set(todo)
        for number in todo:
            names, _, below = self.concepts[int(number)].partition("\t")
            yield from filter(None, names.split(";"))
            lower = [number for number in below.split() if number not in seen]
            seen.update(lower)
            todo += lower

    def _asked(self, name: str) -> list[str]:
        key = key_of(name)
        return (name.strip()[:1].isupper() and self._numbers(CAPITAL + key)) or self._numbers(key)

    def _numbers(self, key: str) -> list[str]:
        place = bisect_left(self.directory, f"{key}\t")
        line = self.directory[place] if place < len(self.directory) else ""
        name, _, numbers = line.partition("\t")
        return numbers.split() if name == key else []


@cache
def wordnet() -> WordNet:
    """Return what WordNet knows."""
    concepts, _, directory = gzip.decompress(_data(WORDNET)).decode().partition("\n\n")
    return WordNet(concepts.split("\n"), directory.split("\n"))


@cache
def facts() -> Facts:
    """Return what is written here."""
    things: dict[str, Thing] = {}
    keys: dict[str, str] = {}
    for name, sign, names in facts_in(_data(FACTS).decode()):
        spelling = name.removeprefix(CAPITAL)
        key = name[: -len(spelling)] + key_of(spelling)
        thing = things.get(key, Thing(spelling))
        if sign == "~":
            keys |= {key_of(other): key for other in names}
            clear = (other for other in names if not other.startswith("("))
            things[key] = thing._replace(names=(spelling, *clear))
        elif sign == "!":
            things[key] = thing._replace(lookalikes=names)
        else:
            things[key] = thing._replace(kinds=names, is_complete=sign == "=")
    return Facts(things, keys)


@cache
def wider_things() -> Mapping[str, tuple[str, ...]]:
    """Return, by the key of every kind or other name that is written here, the things that it stands below."""
    wider: dict[str, list[str]] = {}
    for other, key in facts().keys.items():
        wider.setdefault(other, []).append(facts().things[key].spelling)
    for thing in facts().things.values():
        for kind in thing.kinds:
            wider.setdefault(key_of(kind.removesuffix("+")), []).append(thing.spelling)
    return {key: tuple(things) for key, things in wider.items()}


def facts_in(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    r"""Yield thing, sign and names of every line of a file of facts; its head says what they mean.

    >>> list(facts_in("# Food\nyogurt ~ yoghurt,\n  joghurt"))
    [('yogurt', '~', ('yoghurt', 'joghurt'))]
    """
    for line in re.sub(r"\n +", " ", text).splitlines():
        if fact := _FACT.fullmatch(line):
            yield fact["thing"], fact["sign"], tuple(name.strip() for name in fact["names"].split(","))


def _words(name: str) -> list[str]:
    return WORD.findall(fold_case(_LEADING.sub("", name.strip())))


def _one(word: str) -> str:
    return word if word[:1].isdigit() else singular(word)


def _data(name: str) -> bytes:
    return (resources.files("esens.evidence") / "data" / name).read_bytes()
