"""What others say, before people see it: a server's words may hold a key, and a log is read by many."""

import re

from esens.text.plain import single_line

_LONGEST_LINE = 300
_LONGEST_READ = 4000  # signs; a server may send megabytes
_SHORTEST_PART = 6  # of a key; less of it may be a word
_SECRETS = (
    (re.compile(r"://[^\s@]+@"), "://***@"),
    (re.compile(r"\b(bearer|basic)\s+\S+", re.IGNORECASE), r"\1 ***"),
    (re.compile(r"(key|token|secret|password|sig)\b([^:=]{0,20}[:=]\s*)[^\s&]+", re.IGNORECASE), r"\1\2***"),
    (re.compile(r"\bsk-[\w*.-]{4,}"), "***"),
)


def redact(text: str, *, key: str = "") -> str:
    """Return a text from outside in one line, shortened, and without the key or what looks like one."""
    line = single_line((_without_key(text, key) if key else text)[:_LONGEST_READ])
    for pattern, replacement in _SECRETS:
        line = pattern.sub(replacement, line)
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"


def _without_key(text: str, key: str) -> str:
    """Mask a key, also where a server repeats it but for its first or last signs.

    What people give a server that asks for none ("x") is masked as a word alone: it stands in most other words.
    """
    if len(key) < _SHORTEST_PART:
        return re.sub(rf"(?<!\w){re.escape(key)}(?!\w)", "***", text) if key.strip() else text
    for size in range(len(key), max(_SHORTEST_PART, len(key) // 2) - 1, -1):
        text = text.replace(key[:size], "***").replace(key[-size:], "***")
    return text.replace(key, "***")
