"""Whether a text is made of what another one says: the same words, inflected, or their obvious counterparts."""

from collections.abc import Iterable

from esens.text.tokens import WORD, content_words, fold_case, stem

_NEGATIONS = ("non", "anti", "dis", "un", "in", "im", "il", "ir")
_SHORTEST_STEM = 3
_SHORTEST_INSIDE = 4
_OPPOSITES = (
    ("allow permit legal", "forbid forbidden prohibit ban banned illegal illicit"),
    ("present", "absent lacking missing"),
    ("win won winner victory", "lose lost loss loser defeat"),
    ("accept", "reject refuse"),
    ("alive living", "dead deceased"),
    ("male men man", "female women woman"),
    ("true real genuine", "false fake"),
    ("open", "closed shut"),
    ("public", "private"),
    ("domestic local national", "foreign international abroad"),
    ("old ancient historic", "new modern recent"),
    ("young child", "old adult"),
    ("positive", "negative"),
    ("natural", "artificial synthetic"),
    ("military", "civilian"),
    ("free", "paid commercial"),
    ("cooked", "raw"),
    ("hot warm", "cold"),
    ("vegetarian vegan", "meat"),
    ("success succeed", "failure fail"),
    ("start begin", "end finish"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("fiction", "nonfiction"),
)


def share_said(text: str, source: str) -> float:
    """Return the share of a text's content words that the source says, from 0 to 1; 0 where it has none."""
    words = content_words(text)
    said = _forms(content_words(source))
    # "e-mail" and "email", "blackbird" and "black bird" are the same words.
    run_on = "".join(WORD.findall(fold_case(source)))
    known = [not said.isdisjoint(_forms([w])) or (len(w) >= _SHORTEST_INSIDE and w in run_on) for w in words]
    return sum(known) / len(words) if words else 0.0


def _forms(words: Iterable[str]) -> set[str]:
    """Return what the words share with their inflections and counterparts."""
    forms = set()
    for word in words:
        for plain in (word, *_without_negation(word)):
            known = stem(plain)
            forms |= {known, *_PAIRS.get(known, ())}
    return forms


def _without_negation(word: str) -> list[str]:
    long_enough = (p for p in _NEGATIONS if len(word) - len(p) >= _SHORTEST_STEM)
    return [word.removeprefix(prefix) for prefix in long_enough if word.startswith(prefix)]


# Each word of a pair leads to a name of the pair; a space in it keeps it apart from any word.
_PAIRS: dict[str, set[str]] = {}
for _one, _other in _OPPOSITES:
    for _word in (*_one.split(), *_other.split()):
        _PAIRS.setdefault(stem(_word), set()).add(f"{_one} / {_other}")
