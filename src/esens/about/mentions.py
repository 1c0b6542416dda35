"""A document that mentions something in passing, without the passage: what it is about shows in the rest."""

from esens.about.names import Words, words_of
from esens.about.sentences import sentences_of
from esens.types import Document

_MOST = 0.5
"""The share of sentences that may mention a thing in passing; where more do, the document is about it."""


def without_mentions(document: Document, thing: Words) -> str | None:
    r"""Return what is embedded of a document, without the sentences that mention a thing by its whole name.

    None where no sentence does, or where so many do that it is no mention in passing.

    >>> recipe = Document("a", "Whisk lemon into oil. Add a pinch of salt. Vinegar would do, too.", "Dressing")
    >>> without_mentions(recipe, frozenset({"vinegar"}))
    'Dressing\nWhisk lemon into oil. Add a pinch of salt.'
    """
    sentences = sentences_of(document.text)
    rest = [sentence for sentence in sentences if not thing or not thing <= words_of(sentence)]
    mentions = len(sentences) - len(rest)
    if not mentions or mentions > _MOST * len(sentences):
        return None
    return Document(document.id, " ".join(rest), document.title).content
