"""The words of a text that say something, folded so that the same word is the same string."""

import re
import unicodedata

# Chinese, Japanese, Thai and their like write no spaces, so there a sign counts as a word. The vowels of Hindi,
# Bengali and their like are marks on a letter, and belong to its word.
WORD = re.compile(
    r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
    r"|(?:[^\W_]|[\u0300-\u036f\u0900-\u0963\u0981-\u0dff])+"
)
_SHORTEST_WORD = 3
_FUNCTION_WORDS = """
a about all also am an and any anything are as at be been but by can could d did do does don either else except
excluding for from give had has have how i if in include including instead into is isn it its just list ll m may
me mention my neither no nor not of on or other our out please provide rather re s should show so some t tell
than that the their them then there these they this those to us ve was we were what when where which while who
whom whose why will with without would you your
"""
_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())


def fold_case(text: str) -> str:
    """Return the text in one case and form of signs."""
    return unicodedata.normalize("NFKC", text).casefold()


class _PlainLetters(dict[int, str]):
    """Letters without case and accents, by code point: each is worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        plain = unicodedata.normalize("NFKD", letter)[0].lower()
        is_whole = _FIRST_KANA <= letter <= _LAST_HANGUL  # a mark or a vowel in it makes another letter
        self[code] = letter if is_whole or len(plain) > 1 else plain
        return self[code]


_FIRST_KANA, _LAST_HANGUL = "\u3041", "\ud7a3"
_PLAIN_LETTERS = _PlainLetters()
_ASCII = bytes(range(128))
_FEW_SIGNS = 16


def fold_letters(text: str) -> str:
    """Return the text without case and accents, sign for sign: what is found in it stands there in the text, too.

    >>> fold_letters("Côtes du RHÔNE")
    'cotes du rhone'
    """
    if text.isascii():
        return text.lower()
    signs = _signs_beyond_ascii(text)
    if len(signs) > _FEW_SIGNS:
        return text.translate(_PLAIN_LETTERS)
    for sign in signs:  # of a text in Latin letters few, and each is replaced faster than all are looked up
        text = text.replace(sign, _PLAIN_LETTERS[ord(sign)])
    return text.lower()


def _signs_beyond_ascii(text: str) -> set[str]:
    encoded = text.encode("utf-8", "surrogatepass")
    return set(encoded.translate(None, _ASCII).decode("utf-8", "surrogatepass"))


_ASCII_WORDS = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + b" " * 128


def words_of(folded: str) -> list[str]:
    """Return the words of a text without case and accents; of a text in Latin letters seven times faster.

    >>> words_of("0 % fat, dairy-free")
    ['0', 'fat', 'dairy', 'free']
    """
    return spaced_words(folded).split()


def spaced_words(folded: str) -> str:
    """Return the words of such a text with a space before and behind each, for those who look for a few.

    >>> " dairy " in spaced_words("0 % fat, dairy-free")
    True
    """
    if not folded.isascii():
        others = [sign for sign in _signs_beyond_ascii(folded) if not WORD.match(sign)]
        for sign in others[:_FEW_SIGNS]:  # dashes and quotes, as a rule
            folded = folded.replace(sign, " ")
    if folded.isascii():
        return f" {folded.encode('ascii').translate(_ASCII_WORDS).decode('ascii')} "
    return f" {' '.join(WORD.findall(folded))} "


def content_words(text: str) -> list[str]:
    """Return the words of a text that say something, folded to one case and form.

    >>> content_words("What is not about the Beatles?")
    ['beatles']
    """
    return [word for word in WORD.findall(fold_case(text)) if word not in _STOP_WORDS]


def singular(word: str) -> str:
    """Return an English word without its plural; unlike a stem, it keeps all other endings.

    >>> [singular(word) for word in ("computers", "boxes", "berries", "glass", "Mars")]
    ['computer', 'box', 'berry', 'glass', 'Mar']
    """
    if len(word) > _SHORTEST_WORD + 1 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > _SHORTEST_WORD + 1 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > _SHORTEST_WORD and word.endswith("s") and word[-2] not in "su" else word
