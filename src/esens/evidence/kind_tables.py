"""The two tables that know kinds of things: WordNet's, and facts of everyday life that were written here.

The first is made by ``benchmarks/quality/make_kinds.py``, the second is a file that a person can read and mend.
Both are read when they are first asked.
"""

import gzip
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from esens.text.tokens import WORD, fold_case, fold_letters, singular

WORDNET = "wordnet-kinds.txt.gz"
FACTS, GERMAN_FACTS = "everyday-kinds.txt", "everyday-kinds-de.txt"
FRENCH_FACTS, SPANISH_FACTS = "everyday-kinds-fr.txt", "everyday-kinds-es.txt"
EVERY_FACTS = (FACTS, GERMAN_FACTS, FRENCH_FACTS, SPANISH_FACTS)
CAPITAL = "^"
"""Stands before a name that asks for its thing only with a capital letter: Turkey."""
_LEADING_WORDS = "(?:(?:the )?rest of|the|an?|any|all|some)"
_LEADING = re.compile(rf"^{_LEADING_WORDS}\s+(?=\S)", re.IGNORECASE)
_FACT = re.compile(r"^(?!#)([^:=~!\n]+?)[ ]*([:=~!])[ ]*(.+)$", re.MULTILINE)
_GOES_ON = re.compile(r"\n +")
_COMMA = re.compile(r" *, *")
# What ``key_of`` does to a name, for all names of a table: words that lead in, signs that are no letters, plurals.
_LEADING_EACH = re.compile(rf"(^|[,:=~!]) *{_LEADING_WORDS} +(?=[^,:=~!\s])", re.MULTILINE)
_NO_LETTERS = re.compile(r"[^\w,:=~!\n]+|_+")
_PLURAL_OF_Y = re.compile(r"(?<=\w\w)ies\b")
_PLURAL = re.compile(r"\b(\d\w*)|(?:(?<=\w\w[sxz])|(?<=\w[cs]h))es\b|(?<=\w\w[^\Wsu])s\b")


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
    """The things that are written of, by the keys of their names, and the keys that other names stand for.

    ``wider`` has, by the key of every kind or other name, the things that it stands below.
    """

    things: Mapping[str, Thing]
    keys: Mapping[str, str]
    wider: Mapping[str, Sequence[str]]

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


class GermanNames(NamedTuple):
    """What is written in German, without accents: the things, and these with their kinds."""

    excludable: frozenset[str]
    every: frozenset[str]


@cache
def german_names() -> GermanNames:
    """Return the names that begin and end longer words, as Weizen does."""
    written = facts_in(_data(GERMAN_FACTS).decode())
    nouns = {fold_letters(name) for thing, sign, names in written for name in (thing, *(names * (sign == "~")))}
    kinds = {fold_letters(name) for _, sign, names in written for name in names if sign in "=:"}
    # A kind with + is a thing itself, or English.
    return GermanNames(frozenset(nouns), frozenset(nouns | {kind for kind in kinds if not kind.endswith("+")}))


@cache
def facts() -> Facts:
    """Return what is written here."""
    things: dict[str, Thing] = {}
    keys: dict[str, str] = {}
    kind_keys: dict[str, Sequence[str]] = {}
    text = "\n".join(_data(each).decode() for each in EVERY_FACTS)
    for (name, sign, names), (key, _, name_keys) in zip(facts_in(text), facts_in(_keys_in(text)), strict=True):
        spelling = name.removeprefix(CAPITAL)
        if spelling != name:
            key = CAPITAL + key
        thing = things.get(key) or Thing(spelling)
        if sign == "~":
            keys |= dict.fromkeys(name_keys, key)
            things[key] = thing._replace(names=(spelling, *[each for each in names if each[0] != "("]))
        elif sign == "!":
            things[key] = thing._replace(lookalikes=names)
        else:
            things[key] = thing._replace(kinds=names, is_complete=sign == "=")
            kind_keys[key] = name_keys
    wider: dict[str, list[str]] = {}
    for other, key in keys.items():
        wider.setdefault(other, []).append(things[key].spelling)
    for key, thing in things.items():
        for kind in kind_keys.get(key, ()):
            wider.setdefault(kind, []).append(thing.spelling)
    return Facts(things, keys, wider)


def facts_in(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    r"""Return thing, sign and names of every line of a file of facts; its head says what they mean.

    >>> facts_in("# Food\nyogurt ~ yoghurt,\n  joghurt")
    [('yogurt', '~', ('yoghurt', 'joghurt'))]
    """
    lines = _FACT.findall(_GOES_ON.sub(" ", text))
    return [(thing, sign, tuple(_COMMA.split(names.strip()))) for thing, sign, names in lines]


def _keys_in(text: str) -> str:
    """Return a file of facts with the key of every name in its place: all at once, since there are thousands."""
    lines = _FACT.findall(_GOES_ON.sub(" ", fold_case(text.replace(CAPITAL, ""))))
    bare = _NO_LETTERS.sub(" ", _LEADING_EACH.sub(r"\1", "\n".join(map("".join, lines))))
    return _PLURAL.sub(r"\1", _PLURAL_OF_Y.sub("y", bare))


def _words(name: str) -> list[str]:
    return WORD.findall(fold_case(_LEADING.sub("", name.strip())))


def _one(word: str) -> str:
    return word if word[:1].isdigit() else singular(word)


def _data(name: str) -> bytes:
    return (resources.files("esens.evidence") / "data" / name).read_bytes()
