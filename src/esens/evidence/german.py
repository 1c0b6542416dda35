"""German words: their inflection, and the compounds that a thing begins or ends: Weizenbrot, Wildleder.

What is written in letters without accents, as texts are read: "nusse" for Nüsse.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

SHORTEST = 4
"""Letters of what begins or ends a compound: a Tee begins too many words."""
_REST = 3  # letters that a compound has beside the thing: "Reise" is no compound of Reis
_PLURALS = {
    "eier": "ei",
    "kinder": "kind",
    "rinder": "rind",
    "huhner": "huhn",
    "lammer": "lamm",
    "kalber": "kalb",
    "bucher": "buch",
    "korner": "korn",
    "krauter": "kraut",
    "bilder": "bild",
    "hauser": "haus",
    "lander": "land",
}
_PLURAL_OF = {single: many for many, single in _PLURALS.items()}
# They end like a plural, and "Kuche" would be a kitchen.
_NO_PLURALS = frozenset(("kuchen", "weizen", "roggen", "schinken", "gluten", "garten", "laden", "kase", "suppe"))
# What makes another word of a word, and no compound: kindlich, Fischerei.
_SUFFIXES = re.compile(
    r"(?:lich|isch|haft|chen|lein|erei|ung|heit|keit|los|ern|ens|ert|end|iert|ieren)(?:e[mnrs]?)?"
)
_LACKING = re.compile(r"(?:e|n|en|er|s)?(?:frei|los)(?:e[mnrs]?)?")
_LIKENESS = re.compile(r"(?:e|n|en|er|s)?(?:imitat|ersatz|optik|look|alternativ|attrappe|substitut|aroma)")
_IMITATING = ("kunst", "pseudo", "schein", "ersatz", "imitat", "nicht", "anti")
_CUE = re.compile(
    r".*(?:\b(?:ohne|kein\w*|nicht|außer|ausser|ausgenommen|statt|anstatt)\b|\wfrei(?:e[mnrs]?)?\b).*"
)
_LETTERS = re.compile(r"[äöüß]", re.IGNORECASE)


def is_german(text: str, cue: str) -> bool:
    """Return whether a thing is named in German: by the words that exclude it, or by its letters."""
    return _CUE.fullmatch(cue) is not None or _LETTERS.search(text) is not None


def german_forms(word: str) -> frozenset[str]:
    """Return the forms of a noun.

    >>> sorted(german_forms("hunde")), sorted(german_forms("ei"))
    (['hund', 'hunde', 'hunden', 'hunds'], ['ei', 'eier', 'eiern', 'eies'])
    """
    base = _PLURALS.get(word) or _singular(word)
    if many := _PLURAL_OF.get(base):
        return frozenset((word, base, many, f"{many}n", f"{base}es"))
    ends = ("n", "s") if base.endswith(("e", "el", "er", "en")) else ("e", "en", "s")
    return frozenset((word, base, *_singulars(base), *(base + end for end in ends)))


def _singulars(word: str) -> tuple[str, ...]:
    """Return what a word in -en may be the plural of: Rosen of Rose, Wohnungen of Wohnung."""
    if word in _NO_PLURALS or len(word) <= SHORTEST or not word.endswith("en"):
        return ()
    return (word.removesuffix("en"),) if word.endswith("ungen") else (word.removesuffix("n"),)


def _singular(word: str) -> str:
    """Return a noun without the ending of a plural, where it has one that tells."""
    if word in _NO_PLURALS:
        return word
    for ending, end in (("eln", "el"), ("ern", "er"), ("ten", "te"), ("nen", "ne"), ("ren", "re"), ("sen", "se")):
        if word.endswith(ending) and len(word) > SHORTEST + 1:
            return word.removesuffix(ending) + end
    return word[:-1] if word.endswith("e") and len(word) > SHORTEST else word


class Compounds(NamedTuple):
    """What begins and ends the compounds of a thing, and what only looks like it in a word."""

    beginnings: tuple[str, ...]
    ends: tuple[str, ...]
    lookalikes: tuple[str, ...]

    @classmethod
    def of(cls, words: Iterable[str], lookalikes: Iterable[str]) -> "Compounds":
        """Return the compounds of these words; the short ones have none."""
        forms = {form for word in words for form in german_forms(word)}
        stems = tuple(sorted(form for form in forms if len(form) >= SHORTEST))
        return cls(stems, stems, tuple(lookalikes))

    def has(self, word: str) -> bool:
        """Return whether a word is such a compound, or a form of what makes them.

        >>> compounds = Compounds.of(["weizen"], ["buchweizen"])
        >>> [compounds.has(word) for word in ("weizenbrot", "hartweizen", "buchweizenbrot", "weizenfrei")]
        [True, True, False, False]
        """
        if not word.startswith(self.beginnings) and not word.endswith(self.ends):
            return False
        if any(name in word for name in self.lookalikes):
            return False
        return word in self.ends or self._begins(word) or self._ends(word)

    def is_lacked_by(self, word: str) -> bool:
        """Return whether a word says that the thing is not there: weizenfrei."""
        return any(word.startswith(each) and _LACKING.fullmatch(word, len(each)) for each in self.beginnings)

    def _begins(self, word: str) -> bool:
        rests = [word[len(each) :] for each in self.beginnings if word.startswith(each)]
        if any(_LIKENESS.match(rest) or _LACKING.fullmatch(rest) for rest in rests):
            return False
        return any(len(rest) >= _REST and not _SUFFIXES.fullmatch(rest) for rest in rests)

    def _ends(self, word: str) -> bool:
        if word.startswith(_IMITATING):
            return False
        return any(word.endswith(each) and len(word) - len(each) >= _REST for each in self.ends)
