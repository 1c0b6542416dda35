"""Whether an answer puts what is wanted and what is excluded on the sides where the rules see them.

A model may swap the two, name a part of the target as the trap, or leave out what is unwanted and not say so. Its
words are the query's own then, so only the query's grammar tells. The rules read that; where they see no exclusion
and no word that might exclude, nothing can be compared.
"""

from collections.abc import Sequence

from esens.decompose.llm.grounding import stem
from esens.decompose.rules.lexicon.patterns import patterns_of
from esens.decompose.rules.query_text import QueryText
from esens.text.tokens import content_words
from esens.types import Decomposition


def misplacement(target: str, traps: Sequence[str], by_rules: Decomposition, *, language: str) -> str:
    """Return what the answer has on the wrong side, for people and models; "" where nothing speaks against it."""
    wanted = _stems([target], language)
    unwanted = _stems(by_rules.traps, language) - _stems([by_rules.target], language)
    if not traps or not unwanted:
        return ""
    excluded = " and ".join(map(repr, by_rules.traps))
    if unwanted.isdisjoint(_stems(traps, language)) and not unwanted.isdisjoint(wanted):
        return f"the query excludes {excluded}, which is in the target and in no trap: the sides are swapped"
    for trap in traps:
        stems = _stems([trap], language)
        if stems and stems <= wanted and unwanted.isdisjoint(stems):
            return f"the trap {trap!r} is a part of the target; the query excludes {excluded}"
    return ""


def loss(target: str, query: str, *, language: str) -> str:
    """Return what an answer that excludes nothing has lost: words behind a cue that its target leaves out.

    Small models do that: of "boots without laces" they keep the boots, and forget to say that laces are unwanted.
    """
    text, wanted = QueryText(" ".join(query.split()), patterns_of(language)), _stems([target], language)
    for cue in text.candidates(len(text.text)):
        start, end = cue.inner or (cue.end, len(text.text))
        behind = content_words(text.text[start:end])[:1]
        if _stems(behind, language) - wanted:
            return (
                f"{behind[0]!r} is in neither target nor trap; a trap says what is unwanted, and without one the "
                "target is the whole query"
            )
    return ""


def is_confirmed(traps: Sequence[str], by_rules: Decomposition, *, language: str) -> bool:
    """Whether the rules, too, see what is excluded, or that nothing is."""
    if not traps or not by_rules.traps:
        return bool(traps) == bool(by_rules.traps)
    return not _stems(by_rules.traps, language).isdisjoint(_stems(traps, language))


def _stems(texts: Sequence[str], language: str) -> set[str]:
    return {stem(word, language) for text in texts for word in content_words(text)}
