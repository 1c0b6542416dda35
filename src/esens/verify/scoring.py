"""A model that scores relevance, as a verifier: a passage that is relevant to the excluded thing has it.

Such a model cannot tell a denial from an affirmation: "contains no nuts" is very relevant to nuts. So of a
property it is asked only where the rules read nothing, and below the threshold it has no opinion.
"""

import time
from collections.abc import Sequence

from esens.errors import ArgumentError
from esens.evidence.excluded_thing import excluded_thing
from esens.evidence.statements import statement_of
from esens.text.sentences import sentences_of
from esens.types import SILENT, Document, Evidence, Exclusion
from esens.verify.base import NoScoresError, Pair, RelevanceModel, Verification, place_of

DEFAULT_THRESHOLD = 0.5
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
        try:
            for exclusion in dict.fromkeys(exclusion for exclusion, _ in pairs):
                at = [number for number, pair in enumerate(pairs) if pair[0] == exclusion]
                for number, said in zip(at, self._judge(exclusion, [pairs[n][1] for n in at], ends), strict=True):
                    evidence[number] = said
        except NoScoresError as error:
            return Verification(evidence, str(error))
        return Verification(evidence)

    def _judge(self, exclusion: Exclusion, documents: Sequence[Document], ends: float) -> list[Evidence | None]:
        """Return what the scores say of an exclusion and each document."""
        is_property = exclusion.relation == "has"
        asked = [at for at, document in enumerate(documents) if not is_property or _is_silent(exclusion, document)]
        said: list[Evidence | None] = [None if is_property else SILENT] * len(documents)
        scores = self._scores(exclusion.text, [documents[at].content for at in asked], ends)
        relevant = [at for at, score in zip(asked, scores, strict=True) if score >= self.threshold]
        quotes = self._quotes(exclusion.text, [documents[at].content for at in relevant], ends)
        for at, (start, quote) in zip(relevant, quotes, strict=True):
            said[at] = Evidence("affirmed", quote, start)
        return said

    def _quotes(self, thing: str, contents: Sequence[str], ends: float) -> list[tuple[int | None, str]]:
        """Return the sentence of each text that is most relevant to the thing, and where it stands."""
        if not self.quotes:
            return [(None, "")] * len(contents)
        sentences = [sentences_of(content)[:_SENTENCES_READ] for content in contents]
        scores = iter(self._scores(thing, [sentence for of_one in sentences for sentence in of_one], ends))
        best = [max((next(scores), sentence) for sentence in of_one)[1] for of_one in sentences]
        return [
            place_of(sentence, content) or (None, sentence)
            for sentence, content in zip(best, contents, strict=True)
        ]

    def _scores(self, query: str, texts: Sequence[str], ends: float) -> list[float]:
        return self.model.scores(query, texts, ends=ends) if texts else []


def _is_silent(exclusion: Exclusion, document: Document) -> bool:
    return statement_of(document, excluded_thing(exclusion.text)).stance == "silent"
