"""What people type into a search box to exclude: -word, -"two words", NOT word."""

import re
from typing import NamedTuple

# They stand at the end of a query: "rm -rf /" and "SQL NOT NULL" exclude nothing.
_AT_END = re.compile(
    r'(?:\s+-(?:"[^"]+"|[^\W\d_A-Z][^\W\d_]{2,}(?::\S+)?|\d{4}|\d+[a-z]+|[一-鿿가-힣]+))+\s*$'
    r'|(?<!\ba)(?<!\bthe)(?:\s+(?:AND )?NOT (?:"[^"]+"|\([^()]+\)|[A-Za-z]*[a-z]\w*(?: [a-z]\w*){0,3}))+\s*$'
)
_OPERAND = re.compile(r'(?:-|NOT )(?:"([^"]+)"|\(([^()]+)\)|([\w:.]+(?: (?!NOT|AND|OR)[a-z]\w*)*))')
# … unless there are several, or one opens the query: "mercury -planet -freddie toxicity".
_SCATTERED = re.compile(r'(?<!\S)-(?:"([^"]+)"|([a-z]{4,}))(?=\s|,|$)')
_FAILING = re.compile(r"\w+(?:ing|ed)\b")  # "my computer is NOT responding" complains
POSSIBLE = re.compile(r"(?<!\S)-[^\W\d_]{3,}")


class Operator(NamedTuple):
    """Where an operator stands, itself, and what it excludes."""

    start: int
    end: int
    sign: str
    operands: tuple[str, ...]


def operators(text: str) -> list[Operator]:
    """Return the operators of a query, or none where such signs mean something else."""
    if not ("-" in text or " NOT " in text) or text.isupper():
        return []
    return _scattered_operators(text) or _final_operators(text)


def _scattered_operators(text: str) -> list[Operator]:
    """Return the operators wherever they stand, if there are several, or one that can be nothing else."""
    signs = list(_SCATTERED.finditer(text))
    if len(signs) > 1 or any(sign[1] or sign.start() == 0 for sign in signs):
        return [Operator(*sign.span(), "-", (sign[1] or sign[2],)) for sign in signs]
    return []


def _final_operators(text: str) -> list[Operator]:
    """Return the operators at the end of a query, as one that excludes all their operands."""
    ending = _AT_END.search(text)
    if ending is None:
        return []
    operands = _operands(ending[0])
    if "NOT" in ending[0] and any(_FAILING.match(operand) for operand in operands):
        return []
    sign = "-" if ending[0].lstrip().startswith("-") else "NOT"
    return [Operator(ending.start(), len(text), sign, operands)]


def _operands(ending: str) -> tuple[str, ...]:
    texts = (quoted or listed or plain for quoted, listed, plain in _OPERAND.findall(ending))
    return tuple(operand for text in texts for operand in text.split(" OR "))
