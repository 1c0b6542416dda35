"""A text for people: on one line, and harmless to a terminal."""


def single_line(text: str) -> str:
    """Return the text on one line, and without control characters: a document must not steer a terminal."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
