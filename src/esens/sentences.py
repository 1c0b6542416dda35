"""The sentences of a text: what a document is read by where it matters, and cut at where it is long."""

import re

_SHORTEST = 15  # signs; "Dr." and "No. 5" are no sentences, and what is shorter goes with what follows
_END = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[^\Wa-z])"  # a full stop, and then no small letter
    r"|(?<=[。！？])|\n+"
)


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, at least one.

    >>> sentences_of("Vinegar is sour. Dr. Moss, who likes it, disagrees.")
    ('Vinegar is sour.', 'Dr. Moss, who likes it, disagrees.')
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, _END.split(text))):
        if found and len(found[-1]) < _SHORTEST:
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return tuple(found) or (text,)


def sentence_starts(text: str) -> list[int]:
    """Return where the sentences of a text begin. From one to the next, no sign of the text is missing.

    >>> sentence_starts("Vinegar is sour. Dr. Moss, who likes it, disagrees.")
    [0, 17]
    """
    starts = [0]
    for end in _END.finditer(text):
        if len(text[starts[-1] : end.start()].strip()) >= _SHORTEST:
            starts.append(end.end())
    return starts
