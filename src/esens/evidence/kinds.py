"""The kinds of a thing: almonds of nuts, suede of leather, Crete of Greece."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from esens.evidence.kind_tables import Thing, facts, key_of, name_of, wordnet
from esens.text.terms import terms_of
from esens.text.tokens import content_words, singular

_REMEMBERED = 4096
_LIST = re.compile(r"\s*(?:[,;/]|\bor\b|\betc\b)\s*", re.IGNORECASE)  # no "and": rock and roll is one thing
# What stands behind a thing in the name of what has it: "dairy products", "horror films".
_CARRIERS = re.compile(r"\s+(?:products?|films?|movies?|shows?|dish(?:es)?|foods?|stuff|ones?)$", re.IGNORECASE)
# Plurals of which ``singular`` makes another word, and what they are of; then what they are made from.
_PLURALS = ((r"oes$", "o"), (r"ies$", "ie"), (r"(?<=[sxz]e)s$|(?<=[cs]he)s$", ""), (r"ves$", "f"), (r"ves$", "fe"))
_OES = re.compile(r"\b(potat|tomat|mang|mosquit|buffal|tornad|volcan)o$")
_VES = re.compile(r"(?<=[lr])f$|(?<=[eo]a)f$|(?<=i)fe$")
_SHORTENED = re.compile(r"(?:ie|[sxz]e|[cs]he)$")


@lru_cache(maxsize=_REMEMBERED)
def kinds_of(thing: str) -> tuple[str, ...]:
    """Return the names of what is a kind, an instance, a part (of a place) or another name of a thing.

    In lower case, the last word in the singular as ``singular`` makes it. A name of several words means all of
    them, one behind the other. Names that have all the words of the thing are left out, since the thing's own
    words find them. Nothing where nothing is known.

    >>> {"almond", "walnut"} <= set(kinds_of("nuts"))
    True
    >>> "crete" in kinds_of("Greece"), "date" in kinds_of("fruit")
    (True, False)
    >>> kinds_of("reinforcement learning")
    ()
    """
    own = terms_of(thing)
    names = (spelling for member in _things(thing) for name in _names(member) for spelling in _spellings(name))
    return tuple(
        name for name in dict.fromkeys(names) if _is_telling(name) and not (own and own <= terms_of(name))
    )


@lru_cache(maxsize=_REMEMBERED)
def other_names_of(thing: str) -> frozenset[str]:
    """Return which of ``kinds_of`` are other names of the thing itself: who denies one of these denies the thing.

    That is so where the thing is asked for by the name that the others stand beside: what is devoid of children
    may be kids TV, which the table knows by its kids.

    >>> "telephone" in other_names_of("phone"), "almond" in other_names_of("nuts")
    (True, False)
    """
    asked = (facts().things.get(key_of(reading)) for reading in (thing, *_parts(thing)))
    names = (name for each in asked if each is not None for name in each.names)
    return frozenset(spelling for name in names for spelling in _spellings(name_of(name)))


@lru_cache(maxsize=_REMEMBERED)
def lookalikes_of(thing: str) -> tuple[str, ...]:
    """Return the names that have the word of a thing, or of a kind of it, and are none.

    >>> "coconut milk" in lookalikes_of("dairy"), "faux leather" in lookalikes_of("leather")
    (True, True)
    >>> "turkey ham" in lookalikes_of("pork"), "turkey ham" in lookalikes_of("meat")
    (True, False)
    """
    kinds = (kind.removesuffix("+") for member in _things(thing) for kind in (member.spelling, *member.kinds))
    names = dict.fromkeys(name_of(name) for kind in kinds for name in facts().find(kind).lookalikes)
    with_kinds = {*kinds_of(thing), key_of(thing)} if names else frozenset[str]()
    return tuple(name for name in names if not _has_another(name, with_kinds))


def _has_another(lookalike: str, kinds: Collection[str]) -> bool:
    """Return whether a lookalike has a kind besides the one it looks like: turkey ham is no pork, and meat."""
    words = lookalike.split()
    return sum(word in kinds for word in words) > 1 and "free" not in words


@lru_cache(maxsize=_REMEMBERED)
def wider_than(thing: str) -> tuple[str, ...]:
    """Return what a thing is a kind of, as far as it is written here: who has none of that has none of this.

    >>> wider_than("almond"), wider_than("reinforcement learning")
    (('nut', 'allergen'), ())
    """
    wider_names: dict[str, None] = {}
    todo = [thing]
    for name in todo:
        wider = [other for other in facts().wider.get(key_of(name), ()) if other not in wider_names]
        wider_names |= dict.fromkeys(wider)
        todo += wider
    return tuple(wider_names)


def _things(thing: str) -> list[Thing]:
    """Return what is known of a thing in its first reading of which something is, or of the parts of a list."""
    for reading in _readings(thing):
        below = facts().below(reading)
        if any(name for member in below for name in _names(member)):
            return [_named(reading), *below]
    return [member for part in _parts(thing) for member in (_named(part), *_things(part))]


def _readings(thing: str) -> Iterator[str]:
    """Yield a thing, then what its plural may be of, then what its carrier has: "dairy products"."""
    yield thing
    yield from (re.sub(ending, one, thing) for ending, one in _PLURALS if re.search(ending, thing))
    rest = _CARRIERS.sub("", thing)
    if rest != thing and facts().find(rest).is_written:
        yield rest


def _parts(thing: str) -> list[str]:
    """Return the parts of a list: "China or Korea", "nuts, eggs", "Egypt Morocco Tunisia etc"."""
    parts = [part for part in _LIST.split(thing) if part]
    words = [word for part in parts for word in part.split()]
    are_names = all(word[:1].isupper() and facts().find(word).is_written for word in words)
    listed = words if are_names else parts
    return listed if len(listed) > 1 else []


def _named(name: str) -> Thing:
    return Thing(name, names=(name,), is_complete=True)


def _names(thing: Thing) -> Iterator[str]:
    """Yield what both tables know of a thing; what is written here comes first."""
    yield from map(name_of, (*thing.names, *thing.kinds))
    if not thing.is_complete:
        # WordNet may know it by another of its names: Bosnia and Herzegovina.
        names_below = (list(wordnet().names_below(each)) for each in (thing.spelling, *thing.names))
        yield from next(filter(None, names_below), [])


def _spellings(name: str) -> tuple[str, ...]:
    """Return a name, and what ``singular`` makes of its plural: potatoes become "potatoe", cookies "cooky"."""
    plural = _VES.sub("ve", _OES.sub(r"\1oe", name))
    if plural == name and not _SHORTENED.search(name):
        return (name,)
    head, _, last = f"{plural}s".rpartition(" ")
    return (name, f"{head} {singular(last)}".strip())


def _is_telling(name: str) -> bool:
    """Return whether a name still says it without its small words: a T-bone would be any bone."""
    return len(content_words(name)) > (" " in name)
