"""Whether a document is named for what is excluded: its title, or the name that its text begins with."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice

from esens.text.terms import TermSet, query_terms
from esens.text.tokens import WORD, fold_case, fold_letters, singular
from esens.types import LIKE, Document, Exclusion

_SMALL = frozenset(
    ("of", "the", "a", "an", "and", "in", "on", "at", "to", "for", "from", "with", "de", "von", "la")
)
"""Words of names that have no capital."""
_MOST_BETWEEN = 3
"""Words between the first and the last name of a person."""
_NAME_WORDS = 2
"""The first words of a name, which are never left away."""
_NAME_WORD = re.compile(rf"{WORD.pattern}|(?<=\w)(?:\+\+|#)")
"""A word of a name; C++ is no C#."""
_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
_ARTICLES = ("the", "a", "an")
_NEXT_SIGN = re.compile(r"[ \t\-–'’]*([^\W\d_]|\n)")
"""The letter that goes on with a phrase, or the end of its line."""
_NUMBER = re.compile(r"[IVX]+|[0-9]+")
_FEWEST_INITIALS = 3
_FIRST_NAMES = re.compile(r"[A-Z]{2,3}|[b-df-hj-np-tv-z]{2,3}")
"""What may be the initials of first names: JK, and jrr, but no word."""
# Of most names two letters are no short form: a PM is an afternoon, and no Project Manager.
_IN_TWO_LETTERS = {
    "united states": "US",
    "united states of america": "US",
    "usa": "US",
    "united kingdom": "UK",
    "united nations": "UN",
    "european union": "EU",
    "los angeles": "LA",
}
_REMEMBERED = 512
_LEAD = 100
"""Signs of a title, or of a text without one."""


@dataclass(frozen=True, slots=True)
class ExcludedName:
    """The words of an excluded thing's name, by which titles are compared; none where no title is its name.

    ``optional`` are the words that may be missing at the end of either, since the target says them anyway: who
    asks for airports calls Dayton International Airport Dayton International.
    """

    words: tuple[str, ...]
    optional: TermSet = frozenset()
    phrase: tuple[str, ...] = ()
    """The words by which the query leads to it, those that are written as names are; "" for each other word."""
    years: frozenset[str] = frozenset()
    """The years in that."""
    wanted: TermSet = frozenset()
    """The terms of the target."""
    initials: str = ""
    """What it is called in short, if its initials are many enough."""

    def is_title_of(self, document: Document) -> bool:
        """Return whether a document's title is this name, apart from what is in parentheses.

        >>> ExcludedName(("mercury",)).is_title_of(Document("a", "…", "Mercury (planet)"))
        True
        """
        title = document.title
        if not self.words or not title:
            return False
        name = title.partition("(")[0]
        if self.initials and name.strip() == self.initials:
            return True
        # Most titles have other words: three letters tell, whatever the number of a word.
        folded = title.lower() if title.isascii() else fold_case(title)
        if _sign_of(self.words) not in folded:
            return False
        own, words = _together(self.words), _together(name_words(name))
        return words == own or (bool(self.optional) and self._core(words) == self._core(own))

    def begins(self, document: Document) -> bool:
        r"""Return whether a text without a title begins with this name, and with no longer one.

        A heading by itself is none of its words: it names the page, of which a passage may say anything.

        >>> texts = "The Rhine in spring", "Rhine Falls, from above", "Rhine\nof its sources"
        >>> [ExcludedName(("rhine",)).begins(Document("a", text)) for text in texts]
        [True, False, False]
        """
        if document.title or not self.words:
            return False
        lead = document.text[:_LEAD]
        end = self._end_of_name(lead)
        behind = _NEXT_SIGN.match(lead, end)
        return end > 0 and not (behind and (behind[1] == "\n" or behind[1].isupper()))

    def _end_of_name(self, lead: str) -> int:
        """Return where the name ends that a text begins with; 0 where that is not this name."""
        if not lead.startswith(self.initials or " ") and _sign_of(self.words) not in fold_case(lead):
            return 0
        own = _together(self.words)
        matches = list(islice(_NAME_WORD.finditer(lead), len(self.words) + _MOST_BETWEEN))
        name = matches[_begins_with_article(lead, [match[0].lower() for match in matches[:1]]) :]
        if self.initials and name and name[0][0] == self.initials:
            return name[0].end()
        words = tuple(singular(fold_case(word[0])) for word in name)
        lengths = range(len(own), len(words) + 1)
        return next((name[length - 1].end() for length in lengths if _together(words[:length]) == own), 0)

    def leads_by(self, document: Document) -> bool:
        """Return whether a document's title is a name that the query gives beside the thing, and does not want.

        Who asks for a drug "without its discovery by Ann Lee" does not want the article on Ann Lee.
        """
        title = document.title.partition("(")[0]
        if not title or not self.phrase or not any(word and word[:3] in title.lower() for word in self.phrase):
            return False
        words, phrase = _together(name_words(title)), _together(self.phrase)
        length = len(words)
        is_named = length >= _NAME_WORDS and any(
            phrase[at : at + length] == words for at in range(len(phrase) - length + 1)
        )
        return is_named and not query_terms(title) <= self.wanted

    @property
    def has_namesakes(self) -> bool:
        """Whether a document may be named for another of this name: of another year, or with other initials."""
        return bool(self.years) or self._has_initials

    def is_another(self, document: Document) -> bool:
        """Return whether a document is named for a namesake: with other initials, or of another year.

        >>> ExcludedName(("george", "w", "bush")).is_another(Document("a", "…", "George H. W. Bush"))
        True
        >>> film = ExcludedName(("annie",), years=frozenset({"1982"}))
        >>> [film.is_another(Document("a", "…", f"Annie ({year} film)")) for year in (1982, 2014)]
        [False, True]
        """
        return self._is_of_another_year(document.title) or self._has_other_initials(document)

    def _is_of_another_year(self, title: str) -> bool:
        if not self.years or "(" not in title:
            return False
        name, _, which = title.partition("(")
        years = frozenset(_YEAR.findall(which))
        is_other = bool(years) and years.isdisjoint(self.years)
        return is_other and _together(name_words(name)) == _together(self.words)

    @property
    def _has_initials(self) -> bool:
        between = self.words[1:-1]
        return 0 < len(between) <= _MOST_BETWEEN and any(len(word) == 1 for word in between)

    def _has_other_initials(self, document: Document) -> bool:
        if not self._has_initials:
            return False
        first, *between = self.words[:-1]
        lead = (document.title or document.text)[:_LEAD].casefold()
        if not lead.startswith(first):
            return False
        words = name_words(lead.partition("(")[0])
        last = next((at for at in range(1, _MOST_BETWEEN + 2) if words[at : at + 1] == self.words[-1:]), 0)
        initials = _initials_in(words[1:last])
        return bool(initials) and words[0] == first and initials != _initials_in(between)

    def _core(self, words: tuple[str, ...]) -> tuple[str, ...]:
        last = len(words)
        while last > _NAME_WORDS and words[last - 1] in self.optional:
            last -= 1
        return words[:last]


def excluded_name(exclusion: Exclusion, wanted: TermSet) -> ExcludedName:
    """Return the name of what is excluded, given the terms of what is wanted.

    What the target names as well is no other subject: "When was Ann Lee born? Not Ann Lee's songs."
    """
    if exclusion.relation == LIKE or query_terms(exclusion.text) <= wanted:
        return ExcludedName(())
    words = name_words(exclusion.text)
    # "Mushroom pasta" is pasta that has mushrooms: only names of several words are known by a part of them.
    is_name = exclusion.relation != "has" and len(words) >= _NAME_WORDS and _is_capital(exclusion.text)
    phrase = exclusion.phrase or exclusion.text
    return ExcludedName(
        words,
        wanted if is_name else frozenset(),
        () if exclusion.relation == "has" else _written_as_names(phrase),
        frozenset(_YEAR.findall(phrase)),
        wanted,
        initials_of(exclusion.text) if exclusion.relation != "has" else "",
    )


def initials_of(name: str) -> str:
    """Return what a name of several words is called in short; two letters only where everybody knows them.

    >>> [initials_of(name) for name in ("New York City", "World War II", "George W. Bush", "olive oil soap")]
    ['NYC', 'WWII', '', '']
    >>> initials_of("the United Nations")
    'UN'
    """
    if short := _IN_TWO_LETTERS.get(name.lower().removeprefix("the ")):
        return short
    words = [word for word in WORD.findall(name) if word.lower() not in _SMALL]
    is_name = all((word[0].isupper() and (len(word) > 1 or word in "IVX")) or word.isdigit() for word in words)
    if len(words) < _NAME_WORDS or not is_name:
        return ""
    short = "".join(word if _NUMBER.fullmatch(word) else word[0] for word in words)
    return short if len(short) >= _FEWEST_INITIALS else ""


def _written_as_names(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase as titles are compared by them, and nothing in the place of small ones."""
    words = WORD.findall(phrase)
    return tuple("" if word[0].islower() and word not in _SMALL else singular(fold_case(word)) for word in words)


def name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name, by which a title is compared: in the singular, in their order, no article.

    >>> name_words("The Beatles"), name_words("T. J. Watt")
    (('beatle',), ('t', 'j', 'watt'))
    """
    folded = fold_case(text)
    words = _NAME_WORD.findall(folded)
    return tuple(map(singular, words[_begins_with_article(folded, words[:1]) :]))


def spellings(name: str) -> Sequence[tuple[str, ...]]:
    """Return the words of a name with initials in both ways in which people write it; of another name, nothing.

    >>> spellings("J.K. Rowling") == spellings("JK Rowling")
    True
    >>> spellings("jk rowling"), spellings("George W. Bush")
    ([('j', 'k', 'rowling'), ('jk', 'rowling')], [])
    """
    words = WORD.findall(name)
    apart = [part for at, word in enumerate(words) for part in (word if _stands_for_names(words, at) else (word,))]
    spelled = tuple(map(fold_letters, apart))
    together = _together(spelled)
    return [spelled, together] if together != spelled and len(together) > 1 else []


def _stands_for_names(words: Sequence[str], at: int) -> bool:
    """Return whether this word is the initials of names before another name."""
    behind = words[at + 1] if at + 1 < len(words) else ""
    return len(behind) > 1 and behind.isalpha() and _FIRST_NAMES.fullmatch(words[at]) is not None


@lru_cache(maxsize=_REMEMBERED)
def _together(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name with those initials in one word that stand side by side.

    >>> _together(("j", "k", "rowling")), _together(("george", "w", "bush"))
    (('jk', 'rowling'), ('george', 'w', 'bush'))
    """
    runs = groupby(words, lambda word: len(word) == 1 and word.isalpha())
    return tuple(name for are_initials, run in runs for name in (("".join(run),) if are_initials else run))


@lru_cache(maxsize=_REMEMBERED)
def _sign_of(name: tuple[str, ...]) -> str:
    """Return letters that stand in every title of this name; of initials the first, since dots may be between."""
    words = _together(name)
    return next((word[:3] for word in words[:_NAME_WORDS] if len(word) > _FEWEST_INITIALS), words[0][:1])


def _initials_in(names: Iterable[str]) -> str:
    """Return the initials of what stands between a first and a last name: of HW two, of Walker one."""
    return "".join(name if _FIRST_NAMES.fullmatch(name) else name[0] for name in names)


def _begins_with_article(text: str, first: list[str]) -> bool:
    """Return whether the first word of a text is an article, and no initial: A. A. Milne."""
    return first[:1] in ([word] for word in _ARTICLES) and text[1:2] != "."


def _is_capital(text: str) -> bool:
    """Return whether the first two words of a text, apart from an article, are written as names are."""
    words = [word for word in WORD.findall(text) if word.lower() not in _ARTICLES]
    return all(word[0].isupper() for word in words[:_NAME_WORDS])
