"""What can be seen of a cue in its query, as a list of named features: the model weighs them.

Features look at the cue, at the words beside it, at how the query begins, at its shape, and at the doubts that the
rules have. Many come a second time together with the family of the cue, since the same word tells another thing
beside "without" than beside "not".
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from esens.decompose.rules.lexicon import lexicon_of
from esens.decompose.rules.query_text import COMMAS, Cue, QueryText
from esens.decompose.rules.vetoes import VetoRule

_TOKEN = re.compile(r"[\w'’-]+|[^\w\s]")
_SENTENCE = re.compile(r"[.?!;]")
_NEAR = 90
_PUNCTUATION = (*COMMAS, "(", "-", "–", "—", ":")
_SUFFIXES = (
    ("-ing", re.compile(r"\w{2,}ing")),
    ("-ed", re.compile(r"\w{2,}ed")),
    ("-ly", re.compile(r"\w+ly")),
    ("-able", re.compile(r"\w+(?:able|ible|ive|ful|ous|al|ic)")),
    ("-tion", re.compile(r"\w+(?:tion|ment|ness|ity|ance|ence)")),
    ("-s", re.compile(r"\w{2,}[^s]s")),
)
_FAMILIES = (
    ("non", re.compile(r"non\b")),
    ("free", re.compile(r".*(?:free|less)$")),
    ("without", re.compile(r".*\b(?:w\w*ith?out|w/o(?:ut)?|with (?:no|zero|0))$")),
    ("no", re.compile(r".*\b(?:no|none|nothing|neither|never)\b")),
    ("not", re.compile(r".*(?:\bnot\b|n['’]?t\b)")),
)
_OPENS_PARENTHESIS = re.compile(r"\((?:i\.?e\.?|e\.?g\.?)?,?$")  # "pickles (i.e. no dill)"
_SHORT = 8
_NAME_BEHIND = re.compile(r"\s*(?:[a-z]{1,5} ){0,2}[A-Z][\w.]")
_PAST = re.compile(r"\b(?:did|was|were|had)")
_HOLDS_NO = re.compile(r"(?:have|has|contain|contains|need|needs|require|requires|use|uses) no\b")
_RELATIVE = re.compile(r"(?:that|which|who)\b")
_LISTING = frozenset({"things", "wish", "thing asked"})
_ASKED_OF = re.compile(r"(?:what|which|name|list|find|show)(?: me)?(?: [\w-]+){1,3} $")
# What the first word of an excluded thing may tell, and then any word of it.
_TELLING = ("means", "mishap", "state", "holding", "fault", "pronoun", "term", "attribute")
_THINGS = ("genre", "symptom", "charge", "tool", "ingredient", "substance", "abstract", "people")
_NO_WORDS: frozenset[str] = frozenset()
_COMPLAINTS = frozenset({"fault", "activity", "nothing"})
_BEFORE_VERB = frozenset({"to", "i", "you", "we", "one", "please", "also", "just", "actually", "of", "for"})
_LONGEST_PHRASE = 5
_LONGEST_COUNT = 6


class CueFeatures(NamedTuple):
    """What can be seen of a cue; what is shared by all families is weighed a second time for its own."""

    family: str
    alone: tuple[str, ...]
    shared: tuple[str, ...]

    def names(self) -> list[str]:
        """Return all of it, each feature by its name."""
        return [*self.alone, *self.shared, *(f"{feature} & {self.family}" for feature in self.shared)]


def features_of(query: QueryText, cue: Cue, doubts: Sequence[VetoRule]) -> CueFeatures:
    """Return the features of a cue, each once; ``doubts`` are the rules that speak against it."""
    family = _family(query.words_of(cue).lower())
    behind = _TOKEN.findall(query.lower[cue.end : cue.end + _NEAR])
    inner = _TOKEN.findall(query.lower[slice(*cue.inner)]) if cue.inner else behind
    phrase = _phrase(query, inner)
    shared = [
        *_frame(query, cue, phrase, behind),
        *_neighbours(query, cue, phrase, inner, behind),
        *_opening(query),
        *_mood(query, cue),
        # Every doubtful cue may state a fact.
        *[f"doubt: {doubt.name}" for doubt in doubts if doubt.name != "fact" or cue.kind != "doubtful"],
    ]
    alone = (f"family {family}", f"kind {cue.kind}", _words(query, cue), *_shape(query, cue))
    return CueFeatures(family, alone, tuple(dict.fromkeys(shared)))


@lru_cache(maxsize=1024)
def _family(words: str) -> str:
    return next((name for name, pattern in _FAMILIES if pattern.match(words)), "other")


def _words(query: QueryText, cue: Cue) -> str:
    return f"cue {query.words_of(cue).lower()}" if cue.inner is None else "cue around"


@lru_cache(maxsize=8192)
def _classes(word: str, language: str) -> tuple[str, ...]:
    """Return the classes of a word, and its suffix where that tells one."""
    classes = lexicon_of(language).classes
    suffix = next((name for name, pattern in _SUFFIXES if pattern.fullmatch(word)), None)
    names = (name for name, members in classes.items() if word in members and name != "ending")
    return (*names, *((suffix,) if suffix else ()))


@lru_cache(maxsize=16384)
def _placed(place: str, word: str, language: str) -> tuple[str, ...]:
    """Return the features of a word at its place: itself, and each of its classes."""
    return (f"{place} {word}", *(f"{place}: {name}" for name in _classes(word, language)))


@lru_cache(maxsize=16384)
def _somewhere(part: str, word: str, language: str) -> tuple[str, ...]:
    """Return the features of a word that stands anywhere in a part of the query."""
    return tuple(f"{part} {name}" for name in _classes(word, language))


def _neighbours(query: QueryText, cue: Cue, phrase: list[str], inner: list[str], behind: list[str]) -> list[str]:
    """Return the words before the cue and those of what it excludes, behind articles."""
    before = _TOKEN.findall(query.lower[max(0, cue.start - _NEAR) : cue.start])[::-1]
    language, classes = query.patterns.lexicon.language, query.patterns.lexicon.classes
    articles, owners = classes["article"], classes["possessive"]
    head = next((i for i, word in enumerate(inner) if word not in articles and word not in owners), len(inner))
    before_it, behind_it = [*before[:2], "^", "^"], [*inner[head : head + 2], "$", "$"]
    features = [
        *_placed("before", before_it[0], language),
        *_placed("second before", before_it[1], language),
        *_placed("behind", inner[0] if inner else "$", language),
        *_placed("head", behind_it[0], language),
        *_placed("second", behind_it[1], language),
        *_placed("noun", phrase[-1] if phrase else "$", language),
    ]
    if cue.inner:
        features += _placed("after", behind[0] if behind else "$", language)
    if any(len(word) > 3 and word in before for word in phrase):
        features.append("repeated")
    for word in before:
        features += _somewhere("before has", word, language)
    return features


def _frame(query: QueryText, cue: Cue, phrase: list[str], behind: list[str]) -> list[str]:
    """Return what the query, or the sentence of the cue, asks for, and of what sort the excluded thing is."""
    frame, end = _frame_of(query, query.lower)
    sort = _sort_of(query, phrase)
    if sort == "fault" and _continues(query, phrase, behind):
        sort = "attribute"  # "that are not found in Italy" says where things are, "not found" that something fails
    features = [f"frame {frame}", *_verb(query, end), f"sort {sort}", f"frame {frame}, sort {sort}"]
    if cue.inner and (following := _TOKEN.match(query.lower, cue.end + 1)) and following[0][0].isalnum():
        features.append(f"{sort} before a noun")
    is_past, is_relative, holds_no = _signs_of(query.lower[cue.start : cue.end].strip())
    if is_past:
        features.append("past")
    if is_relative and frame in _LISTING and sort not in _COMPLAINTS:
        features.append("of a list")  # "birds of Africa that are not …"
    if _ASKED_OF.match(query.lower[: cue.start]):
        features.append("asks which")
        if sort == "holding" or holds_no:
            features.append("asks which holds")
    return features


@lru_cache(maxsize=1024)
def _signs_of(words: str) -> tuple[bool, bool, bool]:
    """Return whether the words of a cue speak of the past, say what things are, and what they do not hold."""
    return _PAST.search(words) is not None, _RELATIVE.match(words) is not None, _HOLDS_NO.match(words) is not None


def _continues(query: QueryText, phrase: list[str], behind: list[str]) -> bool:
    """Whether a preposition follows the only word of a phrase."""
    return len(phrase) == 1 < len(behind) and behind[1] in query.patterns.lexicon.classes["preposition"]


def _frame_of(query: QueryText, text: str) -> tuple[str, int]:
    """Return what a text asks for by its beginning, and where that ends."""
    match = query.patterns.frames.match(text)
    if match is None or match.lastindex is None:
        return "", 0
    return query.patterns.lexicon.frames[match.lastindex - 1][0], match.end()


def _verb(query: QueryText, start: int) -> tuple[str, ...]:
    """Return the first word behind the beginning, mostly the verb: "can you BUY …", "is it possible to MAKE …"."""
    words = (token[0] for token in _TOKEN.finditer(query.lower, start, start + _NEAR))
    word = next((word for word in words if word not in _BEFORE_VERB), "$")
    return _placed("verb", word, query.patterns.lexicon.language)


def _sort_of(query: QueryText, phrase: list[str]) -> str:
    """Return of what sort an excluded thing is: by the first of its words that tells, or else by its ending."""
    classes, language = query.patterns.lexicon.classes, query.patterns.lexicon.language
    if phrase and phrase[0].endswith("ing") and not classes.get("compounded", _NO_WORDS).isdisjoint(phrase[1:2]):
        phrase = phrase[1:]  # "training wheels" are wheels, and nobody trains
    for number, word in enumerate(phrase[:3]):
        if name := _sort_among(_TELLING, word, language):
            return name if number == 0 or name != "pronoun" else "thing with pronoun"
        if number == 0 and word.endswith("ing") and len(word) > 4:
            return "activity"
        if word not in classes["article"]:
            break
    if names := {_sort_among(_THINGS, word, language) for word in phrase} - {""}:
        return min(names, key=_THINGS.index)
    word = next((word for word in phrase if word not in classes["article"]), "")
    suffix = next((name for name, pattern in _SUFFIXES if pattern.fullmatch(word)), "")
    kind = "possessed" if word in classes["possessive"] else "thing" if word else "nothing"
    return f"{kind} {suffix}".strip()


@lru_cache(maxsize=8192)
def _sort_among(sorts: tuple[str, ...], word: str, language: str) -> str:
    """Return the first of these sorts that a word is of, or nothing."""
    classes = lexicon_of(language).classes
    return next((name for name in sorts if word in classes[name]), "")


def _phrase(query: QueryText, inner: list[str]) -> list[str]:
    """Return the first words of what a cue excludes, up to what no longer belongs to it."""
    endings = query.patterns.lexicon.classes["ending"]
    for number, word in enumerate(inner[1:_LONGEST_PHRASE], start=1):
        if not word[0].isalnum() or word in endings:
            return inner[:number]
    return inner[:_LONGEST_PHRASE]


def _opening(query: QueryText) -> list[str]:
    """Return the first two words of the query."""
    language, words = query.patterns.lexicon.language, [word for word, _ in query.words[:2]]
    features = [*_placed("first", words[0], language)] if words else []
    if len(words) > 1:
        features += [*_placed("next", words[1], language), f"first {words[0]} {words[1]}"]
    return features


def _mood(query: QueryText, cue: Cue) -> list[str]:
    """Return whether this asks, requests, claims, or is a title, and where in it the cue stands."""
    text, language = query.text, query.patterns.lexicon.language
    features: list[str] = []
    for word, _ in query.words[:_NEAR]:
        features += _somewhere("has", word, language)
    signs = {
        "name behind": not query.is_upper and _NAME_BEHIND.match(text, cue.end) is not None,
        "question mark": "?" in text,
        "request": query.is_request,
        "asks for others": query.has_other,
        "behind punctuation": query.before(cue).endswith(_PUNCTUATION),
        "opens a parenthesis": _OPENS_PARENTHESIS.search(query.before(cue)[-_SHORT:]) is not None,
        "opens the query": cue.start == 0,
        "opens a sentence": cue.start > 0 and query.opens(cue.start),
        "capital behind": text[cue.end : cue.end + _NEAR].lstrip()[:1].isupper(),
    }
    return features + [name for name, holds in signs.items() if holds]


def _shape(query: QueryText, cue: Cue) -> list[str]:
    """Return how long the query is around the cue, and how it is written."""
    text = query.text
    rest = _SENTENCE.split(text[cue.end : cue.end + _NEAR], maxsplit=1)[0]
    lengths = [
        f"words behind {min(len(rest.split()), _LONGEST_COUNT)}",
        f"words before {min(len(text[max(0, cue.start - _NEAR) : cue.start].split()), _LONGEST_COUNT)}",
        f"length {min(len(query.words) // 4, _LONGEST_COUNT)}",
    ]
    signs = {
        "comma behind": "," in rest,
        "capital first": text[:1].isupper(),
        "full stop": text.endswith("."),
        "headline": query.is_headline,
        "capitals": query.is_upper,
        "sentence": query.is_sentence,
    }
    return lengths + [name for name, holds in signs.items() if holds]
