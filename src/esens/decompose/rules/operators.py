"""What people type into a search box to exclude: -word, -"two words", !word, NOT word.

They are read word by word, so that a query of any shape is read in time that grows with its length.
"""

import re
from typing import NamedTuple

_SIGNS = "-–−"
"""A minus, and what some programs make of it while somebody types."""
# "1990 –2000" is a range.
_SIGNED = re.compile(r'(?<!\S)(?:[-!]|[–−](?!\d))(?:["“„]([^"“”„]*)["“”]|([^\s"]+))')
_NOT = re.compile(r"(?<!\S)(?:AND )?NOT (?=\S)")
_SAYS_SOMETHING = re.compile(r"[^\W\u115f\u1160\u3164\uffa0]")  # letters, but not those that nobody can see
# One sign by itself excludes at the end of a query only: "rm -rf /" and "alpha -lipoic acid" exclude nothing.
_LONE_WORD = re.compile(r"[^\W\d_A-Z][^\W\d_]{2,}(?::\S+)?|\d{4}|\d+[a-z]+|[一-鿿가-힣]+")
# A name, as in "shoes -Nike", "jobs -C++" and "rock bands -U2"; beside the name of a command it is an option of
# that, as in "gcc -Wall" and "grep -A2".
_LONE_NAME = re.compile(r"[A-Z][^\W\d_]{2,}|[A-Z][^\W\d_]*-[A-Z][^\W\d_]+|[A-Z](?:\+\+|#|&[A-Z])")
_COMMAND = re.compile(
    r"(?<!\S)(?:g?cc|[gc]\+\+|clang(?:\+\+)?|ld|javac?|jar|mvn|gradle|nmap|ffmpeg|powershell|pwsh|cmd|[A-Z][a-z]+-[A-Z]\w+)(?!\S)"
)
_MODEL = r"[A-Z]{1,2}\d+[A-Za-z]?|[^\W\d_]{3,}\d+[^\W_]*|\d+[GK]"
_NUMBERED = re.compile(_MODEL)
_WITH_NUMBERS = re.compile(
    r"(?<!\S)(?:[ef]?grep|rg|ag|sed|awk|sort|head|tail|xargs|ls|ps|git|make|tar|curl|ssh|psql|mysql|python\d?|perl|gzip"
    r"|xz|zstd|(?i:flags?|options?|switch|command|argument|parameter|jvm|compil\w+|optimi[sz]\w+))(?!\S)"
)
_WORD_OF_SEVERAL = re.compile(
    rf"[^\W\d_]{{2,}}[,;]?|{_LONE_NAME.pattern}|\d{{4}}|\d+[a-z]+|{_MODEL}|[一-鿿가-힣]+"
)
_OF_CODE = re.compile(r"!(?:important|default|global|optional|null|true|false|empty)\b")  # "css !important"
_LONG_ENOUGH = re.compile(r"[^\W\d_]{3,}|\d{4}")
_OPERAND = re.compile(r'"([^"]+)"|\(([^()]+)\)|((?=\w*[a-z])\w[\w.:-]*(?: [a-z]\w*){0,3})')
_FAILING = re.compile(r"\w+(?:ing|ed)\b")  # "my computer is NOT responding" complains
_OR = re.compile(r" (?:OR|AND|NOT) | ?\| ?")
POSSIBLE = re.compile(r"(?<!\S)[-–−][^\W\d_]{3,}")


class Operator(NamedTuple):
    """Where an operator stands, itself, and what it excludes."""

    start: int
    end: int
    sign: str
    operands: tuple[str, ...]


def operators(text: str) -> list[Operator]:
    """Return the operators of a query, from left to right, or none where such signs mean something else."""
    has_sign = "!" in text or "NOT " in text or any(sign in text for sign in _SIGNS)
    if not has_sign or text.isupper() or _OF_CODE.search(text):
        return []
    return _signs(text) or _words(text)


def _signs(text: str) -> list[Operator]:
    """Return the words with a minus: several, or one that can be nothing else."""
    every = list(_SIGNED.finditer(text))
    signs = [sign for sign in every if _SAYS_SOMETHING.search(sign[0])]
    quoted = [sign for sign in signs if sign[1] is not None]
    several = quoted + [sign for sign in signs if sign[2] and _WORD_OF_SEVERAL.fullmatch(sign[2])]
    is_command = not quoted and _COMMAND.search(text)
    are_words = len(several) == len(signs) and any(_LONG_ENOUGH.search(sign[0]) for sign in signs)
    if len(signs) > 1 and are_words and not is_command:
        return [_operator(sign) for sign in every]
    if len(signs) == 1 and (quoted or (_is_lone_word(text, signs[0][2]) and _is_at_an_end(text, signs[0]))):
        return [_operator(sign) for sign in every]
    return []


def _is_lone_word(text: str, word: str) -> bool:
    if _LONE_WORD.fullmatch(word):
        return True
    if _COMMAND.search(text):
        return False
    is_model = _NUMBERED.fullmatch(word) is not None and not _WITH_NUMBERS.search(text)
    return is_model or _LONE_NAME.fullmatch(word) is not None


def _is_at_an_end(text: str, sign: "re.Match[str]") -> bool:
    opens = sign.start() == 0 and sign[0][0] in _SIGNS  # "!w tuna" asks another search engine
    return opens or not _SAYS_SOMETHING.search(text, sign.end())


def _operator(sign: "re.Match[str]") -> Operator:
    """Return an operator; one without anything behind it is cut out, and excludes nothing."""
    operand = (sign[1] or sign[2] or "").strip().rstrip(",;")
    return Operator(*sign.span(), sign[0][0], (operand,) if _SAYS_SOMETHING.search(operand) else ())


def _words(text: str) -> list[Operator]:
    """Return the operators NOT at the end of a query, as one that excludes all their operands."""
    marks = list(_NOT.finditer(text))
    if not marks or _stands_behind_article(text, marks[0].start()):
        return []
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    closing = " ?!." if len(marks) > 1 else " "  # one NOT in a question stresses: "why is it NOT green?"
    parts = (text[mark.end() : end].strip(closing) for mark, end in zip(marks, ends, strict=True))
    operands: list[str] = []
    for part in parts:
        operand = _OPERAND.fullmatch(part)
        if operand is None or (operand[3] and _FAILING.match(operand[3])):
            return []
        operands += _OR.split(operand[1] or operand[2] or operand[3])
    said = tuple(operand.strip() for operand in operands if _SAYS_SOMETHING.search(operand))
    return [Operator(marks[0].start(), len(text), "NOT", said)] if said else []


def _stands_behind_article(text: str, position: int) -> bool:
    return text[:position].rstrip().rpartition(" ")[2] in ("a", "the", "")
