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
    scattered = list(_SCATTERED.finditer(text))
    if len(scattered) > 1 or any(found[1] or found.start() == 0 for found in scattered):
        return [Operator(*found.span(), "-", (found[1] or found[2],)) for found in scattered]
    found = _AT_END.search(text)
    if found is None:
        return []
    said = (quoted or listed or plain for quoted, listed, plain in _OPERAND.findall(found[0]))
    operands = tuple(operand for one in said for operand in one.split(" OR "))
    if any(_FAILING.match(operand) for operand in operands) and "NOT" in found[0]:
        return []
    return [Operator(found.start(), len(text), "-" if found[0].lstrip().startswith("-") else "NOT", operands)]
