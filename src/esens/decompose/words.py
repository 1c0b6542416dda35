"""Whether a text is made of what another one says: the same words, inflected, or their obvious counterparts."""

import re
import unicodedata
from collections.abc import Iterable

# Chinese, Japanese, Thai and their like write no spaces, so there a sign counts as a word.
_WORD = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_]+")
_SUFFIXES = ("less", "ful", "ing", "ies", "ed", "es", "ly", "er", "al", "s", "y", "e", "d")
_NEGATIONS = ("non", "anti", "dis", "un", "in", "im", "il", "ir")
_SHORTEST_STEM = 3
_SHORTEST_INSIDE = 4
_FUNCTION_WORDS = """
a about all also am an and any anything are as at be been but by can could d did do does don either else except
excluding for from give had has have how i if in include including instead into is isn it its just list ll m may
me mention my neither no nor not of on or other our out please provide rather re s should show so some t tell
than that the their them then there these they this those to us ve was we were what when where which while who
whom whose why will with without would you your
"""
_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
_OPPOSITES = (
    ("allow permit legal", "forbid forbidden prohibit ban banned illegal illicit"),
    ("present", "absent lacking missing"),
    ("win won winner victory", "lose lost loss loser defeat"),
    ("accept", "reject refuse"),
    ("alive living", "dead deceased"),
    ("male men man", "female women woman"),
    ("true real genuine", "false fake"),
    ("open", "closed shut"),
    ("public", "private"),
    ("domestic local national", "foreign international abroad"),
    ("old ancient historic", "new modern recent"),
    ("young child", "old adult"),
    ("positive", "negative"),
    ("natural", "artificial synthetic"),
    ("military", "civilian"),
    ("free", "paid commercial"),
    ("cooked", "raw"),
    ("hot warm", "cold"),
    ("vegetarian vegan", "meat"),
    ("success succeed", "failure fail"),
    ("start begin", "end finish"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("fiction", "nonfiction"),
)


def content_words(text: str) -> list[str]:
    """Return the words of a text that say something, folded to one case and form."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [word for word in _WORD.findall(folded) if word not in _STOP_WORDS]


def share_said(text: str, source: str) -> float:
    """Return the share of a text's content words that the source says, from 0 to 1; 0 where it has none."""
    words = content_words(text)
    said = _forms(content_words(source))
    # "e-mail" and "email", "blackbird" and "black bird" are the same words.
    run_on = "".join(_WORD.findall(unicodedata.normalize("NFKC", source).casefold()))
    known = [not said.isdisjoint(_forms([w])) or (len(w) >= _SHORTEST_INSIDE and w in run_on) for w in words]
    return sum(known) / len(words) if words else 0.0


def _forms(words: Iterable[str]) -> set[str]:
    """Return what the words share with their inflections and counterparts."""
    forms = set()
    for word in words:
        for plain in (word, *_without_negation(word)):
            stem = _stem(plain)
            forms |= {stem, *_PAIRS.get(stem, ())}
    return forms


def _without_negation(word: str) -> list[str]:
    long_enough = (p for p in _NEGATIONS if len(word) - len(p) >= _SHORTEST_STEM)
    return [word.removeprefix(prefix) for prefix in long_enough if word.startswith(prefix)]


def _stem(word: str) -> str:
    """Return the word without its ending: rough, and enough to know "flying" for "fly"."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            word = word.removesuffix(suffix)
            break
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word


# Each word of a pair leads to a name of the pair; a space in it keeps it apart from any word.
_PAIRS: dict[str, set[str]] = {}
for _one, _other in _OPPOSITES:
    for _word in (*_one.split(), *_other.split()):
        _PAIRS.setdefault(_stem(_word), set()).add(f"{_one} / {_other}")
