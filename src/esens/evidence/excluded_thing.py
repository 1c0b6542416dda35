"""An excluded thing as texts name it: its own words, each alternative of a list, and its kinds."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from esens.evidence.kinds import kinds_of, lookalikes_of, wider_than
from esens.evidence.labels import labels_without
from esens.evidence.periods import years_of
from esens.evidence.word_forms import lacking_forms, word_forms
from esens.text.terms import TermSet, terms_of
from esens.text.tokens import WORD, content_words, fold_letters, singular, words_of

_REMEMBERED = 512
_FEW_WORDS = 16
_LIST = re.compile(r"\s*(?:[,;/&+]|\b(?:and|or|und|oder|et|ou|y|e)\b)\s*", re.IGNORECASE)
# Words that a list ends in, or that stand for any thing: they name nothing.
_NAMELESS_WORDS = """
anything everything thing things stuff ones one etc like elsewhere rest related derived kind kinds type types sort
sorts form forms item items product products based topic topics other others such similar ingredient ingredients
"""
_NAMELESS = frozenset(_NAMELESS_WORDS.split())
_SPACELESS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WITHIN_NAME = r"[\W_]{1,3}(?:[^\W\d_]\.?[\W_]{1,2}){0,2}"  # "George W. Bush" is a George Bush
_WITHIN_PHRASE = r"[^\w.;:!?\n]{1,3}(?:\w+[^\w.;:!?\n]{1,3}){0,2}"


@dataclass(frozen=True, slots=True)
class Name:
    """One name, and the pattern that finds it in small letters without accents."""

    text: str
    pattern: re.Pattern[str]
    is_kind: bool = False
    is_year: bool = False
    is_wider: bool = False
    """Whether the thing is a kind of this, and not the other way round: only its denial says something."""


@dataclass(frozen=True, slots=True)
class ExcludedThing:
    """The names of a thing by the words that each begins with, and the words that say it is lacking."""

    text: str
    names: Mapping[str, tuple[Name, ...]]
    lacking: frozenset[str]
    lookalikes: re.Pattern[str] | None = None
    """Finds what has a word of the thing and is none: coconut milk is no dairy."""
    is_literal: bool = False
    words: frozenset[str] = field(init=False, repr=False, compare=False)
    """The words that a name begins with, or that say it is lacking: a text without them says nothing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", self.lacking.union(self.names))

    def words_in(self, folded: str) -> Iterable[str]:
        """Return which of its words may stand in a text without case and accents: as a rule none."""
        if len(self.words) > _FEW_WORDS:
            return self.words.intersection(words_of(folded))
        # Of few words it is seen faster that they are not there than a text is cut into its own. In Latin letters
        # the patterns tell the rest; elsewhere marks belong to words.
        words = [word for word in self.words if word in folded]
        return words if not words or folded.isascii() else self.words.intersection(words_of(folded))

    def names_in(self, words: Iterable[str]) -> list[Name]:
        """Return the names that may stand in a text with these words; the thing's own before its kinds."""
        names = {
            (name.text, name.is_wider): name for word in self.names.keys() & words for name in self.names[word]
        }
        return sorted(names.values(), key=lambda name: (name.is_kind, name.is_wider, -len(name.text), name.text))


@lru_cache(maxsize=_REMEMBERED)
def excluded_thing(text: str, *, is_literal: bool = False, wanted: TermSet = frozenset()) -> ExcludedThing:
    """Return how texts name a thing; a literal word has no kinds, and nothing denies it.

    ``wanted`` are the terms of the target: a kind that it names is no sign of the thing, in "cocktails without
    alcohol".

    >>> thing = excluded_thing("nuts or milk")
    >>> [name.text for name in thing.names_in(["nut", "almond", "flour"]) if not name.is_kind]
    ['nuts']
    """
    by_word: dict[str, list[Name]] = {}
    if is_literal:
        _add(by_word, WORD.findall(fold_letters(text)), is_proper=True)
        return ExcludedThing(text, _frozen(by_word), frozenset(), is_literal=True)
    lacking: set[str] = set()
    for part in _alternatives(text):
        words = _naming_words(part)
        _add(by_word, words, is_proper=_is_proper(part))
        if len(words) == 1:
            lacking |= lacking_forms(words[0]) | labels_without(singular(words[0]))
    for kind in kinds_of(text):
        if terms_of(kind) <= wanted:
            continue
        _add(by_word, WORD.findall(fold_letters(kind)), is_proper=True, is_kind=True)
    for part in _alternatives(text):
        for wider in wider_than(part):
            _add(by_word, WORD.findall(fold_letters(wider)), is_proper=True, is_wider=True)
    for year in years_of(text):
        by_word.setdefault(year, []).append(_year(year))
    return ExcludedThing(text, _frozen(by_word), frozenset(lacking), _lookalikes(text))


def _frozen(by_word: Mapping[str, list[Name]]) -> dict[str, tuple[Name, ...]]:
    return {word: tuple(names) for word, names in by_word.items()}


def _lookalikes(text: str) -> re.Pattern[str] | None:
    names = [WORD.findall(fold_letters(name)) for name in lookalikes_of(text)]
    choices = [
        _WITHIN_NAME.join([*map(re.escape, words[:-1]), _any_of(word_forms(words[-1]))])
        for words in names
        if words and words[0] != "non"  # a denial, which is read as one
    ]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(choices)})(?![^\W_])") if choices else None


def _any_of(forms: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(forms, key=len, reverse=True)))})"


def _alternatives(text: str) -> Iterator[str]:
    parts = [part for part in _LIST.split(text) if part]
    yield from parts or [text]


def _naming_words(part: str) -> list[str]:
    words = WORD.findall(fold_letters(part)) if _is_proper(part) else content_words(fold_letters(part))
    return [word for word in words if word not in _NAMELESS and word != "the"] or words


def _is_proper(part: str) -> bool:
    """Return whether this is a name of several words: those stand together in a text."""
    words = [
        word for word in part.split() if word[:1].isalpha() and word.lower() not in ("the", "of", "von", "de")
    ]
    return len(words) > 1 and all(word[0].isupper() for word in words)


def _add(
    by_word: dict[str, list[Name]],
    words: list[str],
    *,
    is_proper: bool,
    is_kind: bool = False,
    is_wider: bool = False,
) -> None:
    if not words:
        return
    if any(map(_SPACELESS.match, words)):
        name = Name("".join(words), re.compile(re.escape("".join(words))), is_kind, is_wider=is_wider)
        by_word.setdefault(words[0], []).append(name)
        return
    forms = [word_forms(word) for word in words]
    if is_proper:  # of a name, only the last word has a plural
        forms = [*(frozenset((word,)) for word in words[:-1]), forms[-1]]
    between = _WITHIN_NAME if is_proper else _WITHIN_PHRASE
    choices = between.join(map(_any_of, forms))
    name = Name(" ".join(words), re.compile(rf"(?<![^\W_]){choices}(?![^\W_])"), is_kind, is_wider=is_wider)
    for form in forms[0]:
        by_word.setdefault(form, []).append(name)


def _year(year: str) -> Name:
    return Name(year, re.compile(rf"(?<![^\W_]){year}(?![^\W_])"), is_kind=True, is_year=True)
