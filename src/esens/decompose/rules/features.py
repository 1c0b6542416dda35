"""What can be seen of a cue in its query, as a list of named features: the model weighs them.

Features look at the cue, at the words beside it, at how the query begins, at its shape, and at the doubts that the
rules have. Many come a second time together with the family of the cue, since the same word tells another thing
beside "without" than beside "not".
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from esens.decompose.rules.lexicon import lexicon_of
from esens.decompose.rules.query_text import COMMAS, Cue, QueryText
from esens.decompose.rules.vetoes import VetoRule

_TOKEN = re.compile(r"[\w'’-]+|[^\w\s]")
_SENTENCE = re.compile(r"[.?!;]")
_NEAR = 90
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
    ("without", re.compile(r".*\b(?:w\w*ith?out|w/o|with no)$")),
    ("no", re.compile(r".*\b(?:no|none|nothing|neither|never)\b")),
    ("not", re.compile(r".*(?:\bnot\b|n['’]?t\b)")),
)
_LONGEST_COUNT = 6


def features_of(query: QueryText, cue: Cue, doubts: Sequence[VetoRule]) -> list[str]:
    """Return the features of a cue, each once; ``doubts`` are the rules that speak against it."""
    family = _family(query, cue)
    parts = (_frame(query, cue), _neighbours(query, cue), _opening(query), _mood(query, cue))
    together = [*chain(*parts), *(f"doubt: {doubt.name}" for doubt in doubts)]
    alone = (f"family {family}", f"kind {cue.kind}", _words(query, cue), *_shape(query, cue))
    return list(dict.fromkeys((*alone, *together, *(f"{feature} & {family}" for feature in together))))


def _family(query: QueryText, cue: Cue) -> str:
    words = query.words_of(cue).lower()
    return next((name for name, pattern in _FAMILIES if pattern.match(words)), "other")


def _words(query: QueryText, cue: Cue) -> str:
    return f"cue {query.words_of(cue).lower()}" if cue.inner is None else "cue around"


@lru_cache(maxsize=8192)
def _classes(word: str, language: str) -> tuple[str, ...]:
    """Return the classes of a word, and its suffix where that tells one."""
    classes = lexicon_of(language).classes
    suffix = next((name for name, pattern in _SUFFIXES if pattern.fullmatch(word)), None)
    return (*(name for name, members in classes.items() if word in members), *((suffix,) if suffix else ()))


def _neighbours(query: QueryText, cue: Cue) -> Iterator[str]:
    """Yield the words before the cue and those of what it excludes, behind articles."""
    text = query.lower
    before = _TOKEN.findall(text[max(0, cue.start - _NEAR) : cue.start])[::-1]
    behind = _TOKEN.findall(text[cue.end : cue.end + _NEAR])
    inner = _TOKEN.findall(text[slice(*cue.inner)]) if cue.inner else behind
    language, classes = query.patterns.lexicon.language, query.patterns.lexicon.classes
    skipped = classes["article"] | classes["possessive"]
    head = next((i for i, word in enumerate(inner) if word not in skipped), len(inner))
    places = {
        "before": before[:1] or ["^"],
        "second before": before[1:2] or ["^"],
        "behind": inner[:1] or ["$"],
        "head": inner[head : head + 1] or ["$"],
        "second": inner[head + 1 : head + 2] or ["$"],
    }
    if cue.inner:
        places["after"] = behind[:1] or ["$"]
    for place, (word,) in places.items():
        yield f"{place} {word}"
        yield from (f"{place}: {name}" for name in _classes(word, language))
    nearby = {name for word in before for name in _classes(word, language)}
    yield from (f"before has {name}" for name in nearby)


def _frame(query: QueryText, cue: Cue) -> Iterator[str]:
    """Yield what the query, or the sentence of the cue, asks for, and of what sort the excluded thing is."""
    frame = _frame_of(query, query.lower)
    yield f"frame {frame}"
    sort = _sort_of(query, cue)
    yield f"sort {sort}"
    yield f"frame {frame}, sort {sort}"


def _frame_of(query: QueryText, text: str) -> str:
    return next((name for name, pattern in query.patterns.frames if pattern.match(text)), "things")


def _sort_of(query: QueryText, cue: Cue) -> str:
    """Return of what sort the words behind the cue are, by the first of them that tells."""
    classes = query.patterns.lexicon.classes
    start, end = cue.inner or (cue.end, cue.end + _NEAR)
    for number, word in enumerate(_TOKEN.findall(query.lower[start:end])[:3]):
        if word in classes["means"]:
            return "means"
        for name in (
            "mishap",
            "state",
            "holding",
            "fault",
            "pronoun",
            "term",
            "attribute",
            "abstract",
            "substance",
            "people",
        ):
            if word in classes[name]:
                return name if number == 0 or name != "pronoun" else "thing with pronoun"
        if number == 0 and word.endswith("ing") and len(word) > 4:
            return "activity"
        if word not in classes["article"]:
            suffix = next((name for name, pattern in _SUFFIXES if pattern.fullmatch(word)), "")
            return f"possessed {suffix}" if word in classes["possessive"] else f"thing {suffix}".strip()
    return "nothing"


def _opening(query: QueryText) -> Iterator[str]:
    """Yield the first two words of the query."""
    language, words = query.patterns.lexicon.language, [word for word, _ in query.words[:2]]
    for place, word in zip(("first", "next"), words, strict=False):
        yield f"{place} {word}"
        yield from (f"{place}: {name}" for name in _classes(word, language))
    if len(words) > 1:
        yield f"first {words[0]} {words[1]}"


def _mood(query: QueryText, cue: Cue) -> Iterator[str]:
    """Yield whether this asks, requests, claims, or is a title, and where in it the cue stands."""
    text = query.text
    language = query.patterns.lexicon.language
    said = {name for word, _ in query.words[:_NEAR] for name in _classes(word, language)}
    yield from (f"has {name}" for name in said)
    signs = {
        "question mark": "?" in text,
        "request": query.is_request,
        "asks for others": query.has_other,
        "behind punctuation": query.before(cue).endswith((*COMMAS, "(", "-", "–", "—", ":")),
        "opens the query": cue.start == 0,
        "opens a sentence": cue.start > 0 and query.opens(cue.start),
        "capital behind": text[cue.end :].lstrip()[:1].isupper(),
    }
    yield from (name for name, holds in signs.items() if holds)


def _shape(query: QueryText, cue: Cue) -> Iterator[str]:
    text = query.text
    rest = _SENTENCE.split(text[cue.end : cue.end + _NEAR], maxsplit=1)[0]
    yield f"words behind {min(len(rest.split()), _LONGEST_COUNT)}"
    yield f"words before {min(len(text[max(0, cue.start - _NEAR) : cue.start].split()), _LONGEST_COUNT)}"
    yield f"length {min(len(query.words) // 4, _LONGEST_COUNT)}"
    signs = {
        "comma behind": "," in rest,
        "capital first": text[:1].isupper(),
        "full stop": text.endswith("."),
        "headline": query.is_headline,
        "capitals": query.is_upper,
        "sentence": query.is_sentence,
    }
    yield from (name for name, holds in signs.items() if holds)
