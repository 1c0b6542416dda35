"""Which language a query is in: by its script, its letters and its small words."""

import re

from esens.decompose.rules.lexicon import words

_HANGUL = re.compile(r"[가-힣]")
_HAN = re.compile(r"[一-鿿]")
_KANA = re.compile(r"[぀-ヿ]")
# Cyrillic to Tibetan, and Japanese kana.
_OTHER_SCRIPTS = re.compile(r"[\u0400-\u0fff\u3040-\u30ff]")
_SIGNS = str.maketrans(dict.fromkeys('.,;:?!¿¡()"“”«»', " "))

_SMALL_WORDS = {
    "en": words(
        "the of and for with what which who how to is are was were do does did not without except other than by "
        "from but excluding besides about at you my any all that this"
    ),
    "de": words(
        "der das und ohne für mit von vom welche welcher welches wie ich außer ausser nicht kein keine keinen "
        "keiner sind gibt es ein eine einen im zum zur auf bei aus aber statt anstatt abgesehen ausgenommen "
        "exklusive bis neben oder nach über sowie wer wo warum wird wurde kann ist nichts alle"
    ),
    "fr": words(
        "le les des du de une et ou sans pour avec dans sur quels quelles quel quelle sauf hormis excepté mais "
        "pas autres autre que à part qui où comment combien est sont il je aux ne lieu plutôt hors en la dehors"
    ),
    "es": words(
        "el los las de una un y sin para con qué cuáles cuál cómo excepto salvo pero del por es son aparte menos "
        "fuera al lugar otros otras quién dónde hay mi en lo que no quitando excluyendo exceptuando nada además "
        "todos"
    ),
}
_FOREIGN = frozenset().union(*(small for language, small in _SMALL_WORDS.items() if language != "en"))
_LETTERS = {"de": re.compile("[äöüß]"), "fr": re.compile("[èêàçùœâîôëé]"), "es": re.compile("[ñ¿¡áíóúé]")}
# English has these too, so one alone tells nothing: "original sin", "comic sans", "no de rigueur".
_SHARED = words("sin en de des el la part lieu pour est es que le mi al lo son los las del der no un")
# What stands before "sin" in Spanish, and seldom before an English sin: "recetas sin gluten".
_SPANISH = re.compile(r"(?:as|os|a|o|ón|ores) sin \w")


def has_readable_script(query: str) -> bool:
    """Whether the script of a query is one that a table reads."""
    return query.isascii() or not _OTHER_SCRIPTS.search(query)


def language_of(query: str) -> str:
    """Return the language of a query; English when in doubt."""
    text = query.lower()
    seen = set(text.translate(_SIGNS).split())
    if not text.isascii() and not seen & _SMALL_WORDS["en"]:  # "茶 without milk" is read in English
        if _HANGUL.search(text):
            return "ko"
        if _HAN.search(text):
            return "en" if _KANA.search(text) else "zh"
    if text.isascii() and not seen & _FOREIGN:
        return "en"
    signs = {language: len(seen & small) for language, small in _SMALL_WORDS.items()}
    if not text.isascii():
        for language, letters in _LETTERS.items():
            signs[language] += letters.search(text) is not None
    best = max(signs, key=lambda language: signs[language])  # the first, English, where two are equal
    if signs[best] == 1 and seen & _SHARED & _SMALL_WORDS[best]:
        return "es" if _SPANISH.search(text) else "en"
    return best
