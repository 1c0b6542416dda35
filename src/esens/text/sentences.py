"""The sentences of a text: what a document is read by where it matters, and cut at where it is long."""

import re

_SHORTEST = 15  # signs; "Dr." and "No. 5" are no sentences, and what is shorter goes with what follows
_SIGN = re.compile(r"\S")
_END = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[^\Wa-z])"  # a full stop, and then no small letter
    r"|(?<=[。！？])|\n+"
)


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, at least one.

    >>> sentences_of("Vinegar is sour. Dr. Moss, who likes it, disagrees.")
    ('Vinegar is sour.', 'Dr. Moss, who likes it, disagrees.')
    """
    sentences: list[str] = []
    for part in filter(None, map(str.strip, _END.split(text))):
        if sentences and len(sentences[-1]) < _SHORTEST:
            sentences[-1] = f"{sentences[-1]} {part}"
        else:
            sentences.append(part)
    return tuple(sentences) or (text,)


def sentence_starts(text: str) -> list[int]:
    """Return where the sentences of a text begin. From one to the next, no sign of the text is missing.

    >>> sentence_starts("Vinegar is sour. Dr. Moss, who likes it, disagrees.")
    [0, 17]
    """
    starts, needed = [0], _last_needed(text, 0)
    for end in _END.finditer(text):
        if end.start() > needed:
            starts.append(end.end())
            needed = _last_needed(text, end.end())
    return starts


def _last_needed(text: str, start: int) -> int:
    """Return where the sign is that a sentence must reach, so as not to be too short."""
    first = _SIGN.search(text, start)
    last = first and _SIGN.search(text, first.start() + _SHORTEST - 1)
    return last.start() if last else len(text)
