"""A model that scores relevance, as a verifier: a passage that is relevant to the excluded thing has it.

Such a model cannot tell a denial from an affirmation, "contains no nuts" is very relevant to nuts, nor a mention
from a subject. So it is asked of properties alone, where the rules read nothing, and else it has no opinion;
docs/decisions/0017-verifiers.md has what it does to subjects.
"""

import time
from collections.abc import Sequence

from esens.errors import ArgumentError
from esens.evidence.excluded_thing import thing_of
from esens.evidence.statements import statement_of
from esens.text.sentences import sentences_of
from esens.types import Document, Evidence, Exclusion
from esens.verify.base import NoScoresError, Pair, RelevanceModel, Verification, place_of

DEFAULT_THRESHOLD = 0.1
"""From here on, nine in ten documents that it affirmed were excluded ones: benchmarks/results/verifier.md."""
_SENTENCES_READ = 40  # of one passage, for the quote: a bound on what a long one costs


class ScoringVerifier:
    """Takes a passage whose score for the excluded thing reaches ``threshold`` for one that has it.

    With ``quotes`` the sentence that is most relevant to it is looked for, which takes as long again.
    """

    def __init__(
        self, model: RelevanceModel, *, threshold: float = DEFAULT_THRESHOLD, quotes: bool = True
    ) -> None:
        if not 0 <= threshold <= 1:
            raise ArgumentError("threshold", f"must be from 0 to 1, got {threshold!r}")
        self.model = model
        self.threshold = threshold
        self.quotes = quotes

    @property
    def spec(self) -> str:
        """The spec of the model."""
        return self.model.spec

    def verify(self, pairs: Sequence[Pair]) -> Verification:
        """Return what the scores say of each pair, an exclusion at a time and all within one deadline."""
        ends = time.monotonic() + self.model.deadline
        evidence: list[Evidence | None] = [None] * len(pairs)
        asked = [number for number, pair in enumerate(pairs) if _is_open(*pair)]
        try:
            for exclusion in dict.fromkeys(pairs[number][0] for number in asked):
                numbers = [number for number in asked if pairs[number][0] == exclusion]
                contents = [pairs[number][1].content for number in numbers]
                for number, said in zip(numbers, self._judge(exclusion.text, contents, ends), strict=True):
                    evidence[number] = said
        except NoScoresError as error:
            return Verification(evidence, str(error))
        return Verification(evidence)

    def _judge(self, thing: str, contents: Sequence[str], ends: float) -> list[Evidence | None]:
        """Return what the scores of a thing say of each text."""
        said: list[Evidence | None] = [None] * len(contents)
        scores = self.model.scores(thing, contents, ends=ends)
        relevant = [at for at, score in enumerate(scores) if score >= self.threshold]
        quotes = self._quotes(thing, [contents[at] for at in relevant], ends)
        for at, (start, quote) in zip(relevant, quotes, strict=True):
            said[at] = Evidence("affirmed", quote, start)
        return said

    def _quotes(self, thing: str, contents: Sequence[str], ends: float) -> list[tuple[int | None, str]]:
        """Return the sentence of each text that is most relevant to the thing, and where it stands."""
        if not self.quotes or not contents:
            return [(None, "")] * len(contents)
        sentences = [sentences_of(content)[:_SENTENCES_READ] for content in contents]
        scores = iter(self.model.scores(thing, [each for of_one in sentences for each in of_one], ends=ends))
        best = [max((next(scores), sentence) for sentence in of_one)[1] for of_one in sentences]
        return [
            place_of(sentence, content) or (None, sentence)
            for sentence, content in zip(best, contents, strict=True)
        ]


def _is_open(exclusion: Exclusion, document: Document) -> bool:
    """Whether an exclusion is a property of which the rules read nothing."""
    is_property = exclusion.relation == "has"
    return is_property and statement_of(document, thing_of(exclusion)).stance == "silent"
