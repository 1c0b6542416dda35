"""Whether a text is grounded in another one: the same words, inflected, or their obvious counterparts."""

import threading
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from esens.errors import MissingExtraError
from esens.text.tokens import WORD, content_words, fold_case

_SNOWBALL = {"en": "english", "de": "german", "fr": "french", "es": "spanish"}
_THREAD = threading.local()
_NEGATIONS = ("non", "anti", "dis", "un", "in", "im", "il", "ir")
_SHORTEST_STEM = 3
_SHORTEST_INSIDE = 4
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


def token_overlap(text: str, source: str, *, language: str) -> float:
    """Return the share of a text's content words that stand in the source, from 0 to 1; 0 where it has none."""
    words = content_words(text)
    sources = _forms(content_words(source), language)
    # "e-mail" and "email", "blackbird" and "black bird" are the same words.
    run_on = "".join(WORD.findall(fold_case(source)))
    grounded = [
        not sources.isdisjoint(_forms([word], language)) or (len(word) >= _SHORTEST_INSIDE and word in run_on)
        for word in words
    ]
    return sum(grounded) / len(words) if words else 0.0


@lru_cache(maxsize=2**15)  # the same words come back, and a run may read thousands of cached answers
def stem(word: str, language: str) -> str:
    """Return a word without its ending; in a language that Snowball does not have, as it is."""
    name = _SNOWBALL.get(language)
    if name is None:
        return word
    # One for each thread: a stemmer keeps the word that it works on.
    stemmers = vars(_THREAD)
    if name not in stemmers:
        stemmers[name] = _stemmer(name)
    return str(stemmers[name].stemWord(word))


def check_stemmer() -> None:
    """Say at once if the package that finds stems is missing."""
    _stemmer(_SNOWBALL["en"])


def _stemmer(name: str) -> Any:
    try:
        from snowballstemmer import stemmer
    except ImportError:
        raise MissingExtraError("snowballstemmer", "openai") from None
    return stemmer(name)


def _forms(words: Iterable[str], language: str) -> set[str]:
    """Return what the words share with their inflections and counterparts."""
    forms = set()
    for word in words:
        for plain in (word, *_without_negation(word)):
            form = stem(plain, language)
            forms |= {form, *_opposites().get(form, ())}
    return forms


def _without_negation(word: str) -> list[str]:
    long_enough = (p for p in _NEGATIONS if len(word) - len(p) >= _SHORTEST_STEM)
    return [word.removeprefix(prefix) for prefix in long_enough if word.startswith(prefix)]


@cache
def _opposites() -> dict[str, set[str]]:
    """Return for each stem the pairs of opposites it is in; a space in a pair's name keeps it apart from words."""
    pairs: dict[str, set[str]] = {}
    for words, opposites in _OPPOSITES:
        for word in (*words.split(), *opposites.split()):
            pairs.setdefault(stem(word, "en"), set()).add(f"{words} / {opposites}")
    return pairs
