"""An excluded thing as texts name it: its own words, each alternative of a list, and its kinds."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from esens.evidence.denials import lacked_by
from esens.evidence.german import Compounds, german_forms, is_german
from esens.evidence.kind_tables import german_names, wordnet
from esens.evidence.kinds import kinds_of, lookalikes_of, other_names_of, wider_than
from esens.evidence.labels import labels_without
from esens.evidence.names import initials_of, spellings
from esens.evidence.periods import years_of
from esens.evidence.word_forms import lacking_forms, word_forms
from esens.text.terms import TermSet, terms_of
from esens.text.tokens import WORD, content_words, fold_letters, singular, words_of
from esens.text.whole_names import has_signs, pieces
from esens.types import Exclusion

_REMEMBERED = 512
_FEW_WORDS = 16
_PAIR = 2
# "E" is a word of lists between spaces alone: an e-bike is not a bike or something else.
_LIST = re.compile(r"\s*[,;/&+]\s*|\s*\b(?:and|or|und|oder|et|ou)\b\s*|\s+[ye]\s+", re.IGNORECASE)
# "Cosmetics without animal products such as lanolin" excludes both; who wants no pets allowed wants none welcome.
# "Filters like octocrylene" are such filters; "people like me" and "movies like Titanic" are others.
_LIKE = r"like(?<=s like)(?=\s+(?!(?:me|you|it|this|that|these|us)\b)(?-i:[a-z]))"
_SUCH_AS = re.compile(
    rf",?\s+(?:such as|{_LIKE}|including|e\.\s?g\.|wie etwa|wie z\.\s?b\.|z\.\s?b\.|comme|como)\s+", re.IGNORECASE
)
_PERMITTED = re.compile(
    r"(?<=\w)\s+(?:allowed|permitted|welcome|accepted|erlaubt|willkommen|admis)$", re.IGNORECASE
)
# Words that a list ends in, or that stand for any thing: they name nothing.
_NAMELESS_WORDS = """
anything everything thing things stuff ones one etc like elsewhere rest related derived kind kinds type types sort
sorts form forms item items product products based topic topics other others such similar ingredient ingredients
"""
_NAMELESS = frozenset(_NAMELESS_WORDS.split())
_HYPHENATED = re.compile(r"([a-z]+)[-\u2010\u2011]([a-z]+)")
_SPACELESS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_SYLLABLES = re.compile(r"[가-힣]")
_WITHIN_NAME = r"[\W_]{1,3}(?:[^\W\d_]\.?[\W_]{1,2}){0,2}"  # "George W. Bush" is a George Bush
_WITHIN_FULL_NAME = r"[\W_]{1,3}"  # and George H. W. Bush is no George W. Bush
# "Shifts at night", "shifts including nights": night shifts. "Oil with olives" is no olive oil.
_TURNED = r"\s+(?:of|at|on|during|including|incl\.?)\s+(?:(?:the|an?|some|all|most)\s+)?"
_WITHIN_PHRASE = r"[^\w.;:!?\n]{1,3}(?:\w+[^\w.;:!?\n]{1,3}){0,2}"

_LANGUAGE_NAMES = """
arabic bengali bulgarian chinese croatian czech danish dutch english estonian finnish french german greek hebrew
hindi hungarian icelandic indonesian irish italian japanese korean latin latvian lithuanian norwegian persian
polish portuguese romanian russian serbian slovak slovenian spanish swedish thai turkish ukrainian vietnamese welsh
"""
_LANGUAGES = frozenset(_LANGUAGE_NAMES.split())
_OF_LANGUAGE = re.compile(r"(?:.*\b)?(?:without|w/o|not in|needs?|needing|requir\w+|speak\w*|knowledge of)")


@dataclass(frozen=True)
class Name:
    """One name, by its words in small letters without accents."""

    text: str
    words: tuple[str, ...]
    is_proper: bool = True
    """Whether its words stand together, and only the last of them has other forms."""
    is_kind: bool = False
    is_year: bool = False
    is_exact: bool = False
    """Whether it has no other form than this."""
    is_wider: bool = False
    """Whether the thing is a kind of this, and not the other way round: only its denial says something."""
    is_same: bool = False
    """Whether this kind is but another name of the thing: who denies a telephone denies a phone."""
    is_initials: bool = False
    """Whether it is one in capitals alone: NYC."""
    is_signed: bool = False
    """Whether its signs are a part of it: C++ is no C."""

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        *,
        is_proper: bool = True,
        is_kind: bool = False,
        is_wider: bool = False,
        is_same: bool = False,
    ) -> "Name":
        """Return the name that has these words."""
        text = ("" if _is_spaceless(words) else " ").join(words)
        return cls(text, tuple(words), is_proper, is_kind, is_wider=is_wider, is_same=is_same)

    @property
    def beginnings(self) -> Iterable[str]:
        """The forms of its first word."""
        is_fixed = (
            self.is_year
            or self.is_exact
            or self.is_signed
            or (self.is_proper and len(self.words) > 1)
            or _is_spaceless(self.words)
        )
        if is_fixed:
            return self.words[:1]
        return word_forms(self.words[0]) | (word_forms(self.words[1]) if self.is_pair else frozenset())

    @property
    def is_pair(self) -> bool:
        """Whether its two words may stand the other way round: night shifts, shifts at night."""
        return not self.is_proper and len(self.words) == _PAIR and not _is_spaceless(self.words)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Finds it. Made when a text has its first word: of a thing with hundreds of kinds, few are ever met."""
        if self.is_signed:
            return _signed_pattern(self.text)
        if self.is_year or self.is_exact:
            return re.compile(_whole(self.text))
        if _SYLLABLES.match(self.text):
            return _korean_pattern(self.text)
        if _is_spaceless(self.words):
            return re.compile(re.escape(self.text))
        fixed = self.words[:-1] if self.is_proper else ()
        forms = [*((word,) for word in fixed), *map(word_forms, self.words[len(fixed) :])]
        has_initials = any(len(word) == 1 for word in self.words[1:-1])
        within_name = _WITHIN_FULL_NAME if has_initials else _WITHIN_NAME
        between = within_name if self.is_proper else _WITHIN_PHRASE
        choices = [_any_of(each) for each in forms]
        turned = f"|{choices[1]}{_TURNED}{choices[0]}" if self.is_pair else ""
        return re.compile(_whole(f"(?:{between.join(choices)}{turned})"))


@dataclass(frozen=True, eq=False)
class ExcludedThing:
    """The names of a thing by the words that each begins with, and the words that say it is lacking.

    There is one record of a thing as long as somebody asks for it, so that it is known by its identity.
    """

    text: str
    names: Mapping[str, Sequence[Name]]
    lacking: frozenset[str] = frozenset()
    is_literal: bool = False
    is_lack: bool = False
    """Whether it is that something is not there ("no OS"): who denies that something has it."""
    compounds: Compounds | None = None
    """Finds the German words that it begins or ends; None for a thing in another language."""

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that a name begins with, or that say it is lacking: a text without them says nothing."""
        return self.lacking.union(self.names)

    @cached_property
    def lookalikes(self) -> re.Pattern[str] | None:
        """Finds what has a word of the thing and is none: coconut milk is no dairy."""
        return _lookalikes(self.text)

    def words_in(self, folded: str) -> Iterable[str]:
        """Return which of its words may stand in a text without case and accents: as a rule none."""
        if self.compounds is not None:
            every = set(words_of(folded))
            return {*self.words.intersection(every), *self.compounds_in(every)}
        if len(self.words) > _FEW_WORDS:
            return self.words.intersection(words_of(folded))
        # Of few words it is seen faster that they are not there than a text is cut into its own. In Latin letters
        # the patterns tell the rest; elsewhere marks belong to words.
        words = [word for word in self.words if word in folded]
        if not words or folded.isascii():
            return words
        every = set(words_of(folded))
        return [word for word in words if word in every or _is_spaceless((word,))]

    def compounds_in(self, words: Iterable[str]) -> list[str]:
        """Return the words that are compounds of it, or say by a compound that it is lacking."""
        compounds = self.compounds
        if compounds is None:
            return []
        return [word for word in words if compounds.has(word) or compounds.is_lacked_by(word)]

    def lacking_in(self, words: Iterable[str]) -> frozenset[str]:
        """Return which of these words say that it is lacking."""
        lacking = self.lacking.intersection(words)
        if self.compounds is None:
            return lacking
        return lacking | {word for word in words if self.compounds.is_lacked_by(word)}

    def names_in(self, words: Iterable[str]) -> list[Name]:
        """Return the names that may stand in a text with these words; the thing's own before its kinds."""
        matching = [name for word in self.names.keys() & words for name in self.names[word]]
        if self.compounds is not None:
            compounds = (word for word in words if word not in self.names and self.compounds.has(word))
            matching += [Name.of([word], is_kind=True) for word in compounds]
        # Of a list, one part may be a kind of another: "high school or teenagers". It then counts as a kind.
        names = {(name.text, name.is_wider): name for name in sorted(matching, key=lambda name: name.is_kind)}
        return sorted(names.values(), key=lambda name: (name.is_kind, name.is_wider, -len(name.text), name.text))


def thing_of(exclusion: Exclusion, wanted: TermSet = frozenset(), named: tuple[str, ...] = ()) -> ExcludedThing:
    """Return how texts name what a query excludes; ``named`` are kinds of it beside those of the tables."""
    return excluded_thing(
        exclusion.text,
        is_literal=exclusion.is_literal,
        wanted=wanted,
        cue=exclusion.told_by.lower(),
        named=named,
    )


@lru_cache(maxsize=_REMEMBERED)
def excluded_thing(
    text: str,
    *,
    is_literal: bool = False,
    wanted: TermSet = frozenset(),
    cue: str = "",
    named: tuple[str, ...] = (),
) -> ExcludedThing:
    """Return how texts name a thing; a literal word has no kinds, and nothing denies it.

    ``wanted`` are the terms of the target: a kind that it names is no sign of the thing, in "cocktails without
    alcohol". ``cue`` are the words of the query that exclude it, ``named`` are kinds beside those of the tables.

    >>> thing = excluded_thing("nuts or milk")
    >>> [name.text for name in thing.names_in(["nut", "almond", "flour"]) if not name.is_kind]
    ['nuts']
    """
    if is_literal:
        folded = fold_letters(text)
        names = _signed_names(folded)[:1] if has_signs(text) else [Name.of(WORD.findall(folded))]
        return ExcludedThing(text, _by_beginning(names), is_literal=True)
    if lacked := lacked_by(text):
        return replace(excluded_thing(lacked, wanted=wanted, cue=cue, named=named), text=text, is_lack=True)
    text = _PERMITTED.sub("", _SUCH_AS.sub(", ", text))
    if _is_language(text, cue):
        return _thing(text, frozenset(kinds_of(text)))
    is_german_thing = is_german(text, cue) or _is_written_in_german(text)
    # The last letter of a term may be another in the kind: berry, berries.
    stems = [term[:-1] for term in wanted]
    in_both = (kind for kind in (*kinds_of(text), *named) if any(stem in fold_letters(kind) for stem in stems))
    wanted_kinds = frozenset(kind for kind in in_both if terms_of(kind) <= wanted)
    return _thing(text, wanted_kinds, is_german_thing=is_german_thing, named=named)


@lru_cache(maxsize=_REMEMBERED)
def _thing(
    text: str, wanted_kinds: frozenset[str], *, is_german_thing: bool = False, named: tuple[str, ...] = ()
) -> ExcludedThing:
    """Return how texts name a thing without these kinds: one record for all queries that exclude it."""
    names: list[Name] = []
    lacking: set[str] = set()
    parts = [(part, _is_proper(part)) for part in _alternatives(text)]
    for part, is_proper in parts:
        if has_signs(part):
            names += _signed_names(fold_letters(part))
            continue
        words = _naming_words(part, is_proper=is_proper)
        names.append(Name.of(words, is_proper=is_proper))
        names += map(Name.of, spellings(part))
        if joined := _joined(part):
            names.append(Name.of([joined]))
        if short := fold_letters(initials_of(part)):
            names.append(Name(short, (short,), is_exact=True, is_initials=True))
        if len(words) == 1:
            lacking |= lacking_forms(words[0]) | labels_without(singular(words[0]))
    # Of C++ the tables would know C, and of AC/DC the capital.
    known = () if has_signs(text) else kinds_of(text)
    kept = [kind for kind in dict.fromkeys((*known, *named)) if kind not in wanted_kinds]
    kinds, others = [WORD.findall(fold_letters(kind)) for kind in kept], other_names_of(text)
    german = [name.words[0] for name in names if len(name.words) == 1] if is_german_thing else []
    names = [name for name in names if name.text not in german]  # which has other forms in German
    compounds = _compounds(text, german, kinds) if german else None
    for word in german:
        names += [Name(form, (form,), is_exact=True) for form in sorted(german_forms(word))]
        lacking |= {label for form in german_forms(word) for label in labels_without(form)}
    names += [
        Name.of(words, is_kind=True, is_same=kind in others) for kind, words in zip(kept, kinds, strict=True)
    ]
    wider = [WORD.findall(fold_letters(wider)) for part, _ in parts for wider in wider_than(part)]
    names += [Name.of(words, is_wider=True) for words in wider]
    lacking |= {form for words in wider if len(words) == 1 for form in lacking_forms(words[0])}
    names += [Name(year, (year,), is_kind=True, is_year=True) for year in years_of(text)]
    return ExcludedThing(text, _by_beginning(names), frozenset(lacking), compounds=compounds)


def _compounds(text: str, nouns: Iterable[str], kinds: Iterable[Sequence[str]]) -> Compounds:
    """Return the German compounds of a thing, and of its kinds that are written in German: of Brie are none."""
    kind_nouns = [words[0] for words in kinds if len(words) == 1 and words[0] in german_names().every]
    lookalikes = (fold_letters(name) for name in lookalikes_of(text) if " " not in name)
    return Compounds.of([*nouns, *kind_nouns], lookalikes)


def _is_written_in_german(text: str) -> bool:
    """Return whether a thing is in the German table, and is no English word: a rind is no cattle."""
    return fold_letters(text.strip()) in german_names().excludable and not any(wordnet().names_below(text))


def _is_language(text: str, cue: str) -> bool:
    """Return whether a name of a country's people stands for their language.

    Nobody asks for wines "without French": what lacks it, does not need it or is not in it is said of a language,
    and Berlin is none. "Not French" may be said of a wine, and Bordeaux is French.
    """
    return text.strip().lower() in _LANGUAGES and _OF_LANGUAGE.fullmatch(cue) is not None


def _signed_names(folded: str) -> list[Name]:
    """Return how texts write a name with signs: Node.js, NodeJS."""
    words = tuple(WORD.findall(folded))
    names = [Name(folded, words, is_signed=True)]
    if len(joined := "".join(words)) > _PAIR and len(words) > 1:
        names.append(Name(joined, (joined,), is_exact=True))
    return names


def _signed_pattern(folded: str) -> re.Pattern[str]:
    """Return what finds a name with signs, with or without spaces around those that join."""
    signs = {"&": r"\s?(?:&|and)\s?", "/": r"\s?/\s?", "’": "['’]", "'": "['’]"}
    written = "".join(signs.get(sign, re.escape(sign)) for sign in folded)
    return re.compile(rf"(?<![^\W_]){written}(?![^\W_+#])")


def _by_beginning(names: Iterable[Name]) -> dict[str, list[Name]]:
    by_word: dict[str, list[Name]] = {}
    for name in names:
        for word in name.beginnings if name.words else ():
            by_word.setdefault(word, []).append(name)
    return by_word


def _lookalikes(text: str) -> re.Pattern[str] | None:
    names = [WORD.findall(fold_letters(name)) for name in lookalikes_of(text)]
    choices = [
        _WITHIN_NAME.join([*map(re.escape, words[:-1]), _any_of(word_forms(words[-1]))])
        for words in names
        if words and words[0] != "non"  # a denial, which is read as one
    ]
    return re.compile(_whole(f"(?:{'|'.join(choices)})")) if choices else None


def _whole(words: str) -> str:
    """Return the pattern of words that no letter stands before or behind."""
    return rf"(?<![^\W_]){words}(?![^\W_])(?!(?<![^\W_].)(?:\+\+|#|&))"


def _korean_pattern(text: str) -> re.Pattern[str]:
    """Return what finds a Korean name with any particle behind it; a syllable before it makes another word.

    A name of one syllable begins too many others, so that nothing but a particle may follow it.
    """
    behind = "" if len(text) > 1 else "(?=(?:[이가은는을를의에도와과로]|없는|없이)?(?![가-힣]))"
    return re.compile(f"(?<![가-힣]){re.escape(text)}{behind}")


def _is_spaceless(words: Iterable[str]) -> bool:
    return any(map(_SPACELESS.match, words))


def _any_of(forms: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(forms, key=len, reverse=True)))})"


def _alternatives(text: str) -> Iterator[str]:
    parts = [part for part in pieces(text, _LIST) if part]
    yield from parts or [text]


def _naming_words(part: str, *, is_proper: bool) -> list[str]:
    words = WORD.findall(fold_letters(part)) if is_proper else content_words(fold_letters(part))
    return [word for word in words if word not in _NAMELESS and word != "the"] or words


def _joined(part: str) -> str:
    """Return how a word with a hyphen is written without it: ebike, for an e-bike. Else nothing."""
    match = _HYPHENATED.fullmatch(fold_letters(part.strip()))
    return "".join(match.groups()) if match else ""


def _is_proper(part: str) -> bool:
    """Return whether this is a name of several words: those stand together in a text."""
    words = [
        word for word in part.split() if word[:1].isalpha() and word.lower() not in ("the", "of", "von", "de")
    ]
    return len(words) > 1 and all(word[0].isupper() for word in words)
