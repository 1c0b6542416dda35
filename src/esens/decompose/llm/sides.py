"""Whether an answer puts what is wanted and what is excluded on the sides where the rules see them.

A model may swap the two, or name a part of the target as the trap. Its words are the query's own then, so only the
query's grammar tells. The rules read that; where they see no exclusion, nothing can be compared.
"""

from collections.abc import Sequence

from esens.decompose.llm.grounding import stem
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


def is_confirmed(traps: Sequence[str], by_rules: Decomposition, *, language: str) -> bool:
    """Whether the rules, too, see what is excluded, or that nothing is."""
    if not traps or not by_rules.traps:
        return bool(traps) == bool(by_rules.traps)
    return not _stems(by_rules.traps, language).isdisjoint(_stems(traps, language))


def _stems(texts: Sequence[str], language: str) -> set[str]:
    return {stem(word, language) for text in texts for word in content_words(text)}
