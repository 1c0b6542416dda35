"""A document that mentions something in passing, without the passage: what it is about shows in the rest."""

import re
from collections.abc import Iterable

from esens.text.sentences import sentences_of
from esens.text.terms import TermSet, terms_of
from esens.text.tokens import fold_case
from esens.types import Document

_MOST = 1 / 3
"""The share of sentences that may mention a thing in passing; where more do, the document is about it."""
_ENDS = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
# "Balsamic is a sweet dark vinegar": what follows, up to some words, is what the subject is.
_IS_A = re.compile(r"\b(?:is|was|are|were)\s+(?:an?|kinds? of|types? of)\s+((?:[\w'-]+\s*){1,5})", re.IGNORECASE)


def without_mentions(document: Document, thing: TermSet) -> str | None:
    r"""Return what is embedded of a document, without the sentences that mention a thing by its whole name.

    None where no sentence does, or where it is no mention in passing: where many do, where a heading does, or
    where a sentence says that something is such a thing.

    >>> recipe = Document("a", "Whisk lemon into oil. Add a pinch of salt. Vinegar would do, too.", "Dressing")
    >>> without_mentions(recipe, frozenset({"vinegar"}))
    'Dressing\nWhisk lemon into oil. Add a pinch of salt.'
    """
    if not thing:
        return None
    stems = [_stem(term) for term in thing]
    if not _has_all(stems, document.text):
        return None
    sentences = sentences_of(document.text)
    mentions = [each for each in sentences if _has_all(stems, each) and thing <= terms_of(each)]
    if not mentions or len(mentions) > _MOST * len(sentences) or not all(_in_passing(m, thing) for m in mentions):
        return None
    rest = " ".join(sentence for sentence in sentences if sentence not in mentions)
    return Document(document.id, rest, document.title).content


def _stem(term: str) -> str:
    """Return what every word has that the term is the singular of: berries have no y."""
    return term[:-1] if term.endswith("y") else term


def _has_all(stems: Iterable[str], text: str) -> bool:
    """Return whether a text may have the terms of these stems. Most have not, and need not be cut into words."""
    folded = fold_case(text)
    return all(stem in folded for stem in stems)


def _in_passing(sentence: str, thing: TermSet) -> bool:
    is_heading = not _ENDS.search(sentence)
    return not is_heading and not any(thing <= terms_of(what) for what in _IS_A.findall(sentence))
