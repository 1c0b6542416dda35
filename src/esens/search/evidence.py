"""What the documents say of one query's exclusions: each is read once, however often candidates are ranked."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import top_k
from esens.evidence.lead_match import Lead, lead_of
from esens.evidence.mentions import without_mentions
from esens.score.base import RawScores, Scorer, Terms
from esens.score.normalise import Array, Scores
from esens.search.plan import QueryPlan
from esens.types import Document

MENTION_TEXTS = 100
"""Texts of one query that are embedded again without a mention: a bound on what that costs."""

MENTION_DEPTH = 1_000
"""The most relevant documents, whose mentions are looked for: a bound on how many are read."""

TextScorer = Callable[[Sequence[str]], Array]
"""Compares any texts with the query's: a row for each of the plan's flat texts, a column a text. As cosines."""


def may_spare_mentions(scorer: Scorer, terms: Terms) -> npt.NDArray[np.bool_]:
    """Return whose mentions are looked for: documents that would pay, of the most relevant."""
    may_spare = np.zeros(len(terms.relevance), np.bool_)
    if scorer.spare_mentions:
        near = top_k(terms.relevance, MENTION_DEPTH)
        may_spare[near] = terms.penalty[near] > 0
    return may_spare


class Sparing(NamedTuple):
    """Raw scores without mentions in passing, and for which trap (a row) and document (a column) that is so."""

    raw: RawScores
    ignored: npt.NDArray[np.bool_]


class EvidenceReader:
    """Reads documents for the names and the mentions of what one query excludes."""

    def __init__(self, plan: QueryPlan, score_texts: TextScorer) -> None:
        """Take the plan, and what compares texts that are no documents."""
        self._plan = plan
        self._score_texts = score_texts
        self._leads: dict[str, Lead] = {}
        self._rests: dict[tuple[str, int], str | None] = {}
        self._cosines: dict[tuple[str, int], float] = {}
        """By what is left of a text, and the trap: equal documents are embedded once, and tie."""

    def names(self, documents: Sequence[Document]) -> Scores:
        """Return how much of each trap's name (a row) each document (a column) is named for, from 0 to 1."""
        leads = [self._lead(document) for document in documents]
        shares = [[lead.overlap(terms) for lead in leads] for terms in self._plan.trap_terms]
        return np.array(shares, np.float64).reshape(len(self._plan.trap_terms), len(leads))

    def spare_mentions(
        self, documents: Sequence[Document], raw: RawScores, names: Scores, may_spare: npt.NDArray[np.bool_]
    ) -> Sparing:
        """Return the raw scores of documents as they are without their mentions of what is excluded.

        A document that is not named for a trap and mentions it in passing is as near to it as the rest of its
        text. Documents must come in the order of their relevance: only so many are embedded again.
        """
        wanted = [
            (trap, column)
            for column, document in enumerate(documents)
            if may_spare[column]
            for trap in range(len(names))
            if names[trap, column] == 0
        ]
        self._read([(documents[column], trap) for trap, column in wanted])
        traps, ignored = raw.traps.copy(), np.zeros(raw.traps.shape, np.bool_)
        for trap, column in wanted:
            cosine = self._cosine(documents[column], trap)
            if cosine is not None:
                length = 1.0 if raw.lengths is None else float(raw.lengths[column])
                traps[trap, column] = min(traps[trap, column], cosine * length)
                ignored[trap, column] = True
        return Sparing(raw._replace(traps=traps), ignored)

    def _lead(self, document: Document) -> Lead:
        if document.id not in self._leads:
            self._leads[document.id] = lead_of(document)
        return self._leads[document.id]

    def _cosine(self, document: Document, trap: int) -> float | None:
        """Return the cosine of a trap with a document without its mentions; None where there is no such text."""
        rest = self._rests[document.id, trap]
        return None if rest is None else self._cosines.get((rest, trap))

    def _read(self, pairs: Sequence[tuple[Document, int]]) -> None:
        """Embed the texts without mentions of those pairs that were not read before."""
        texts: dict[tuple[str, int], None] = {}
        for document, trap in pairs:
            if (document.id, trap) in self._rests:
                continue
            rest = self._rests[document.id, trap] = without_mentions(document, self._plan.trap_terms[trap])
            has_room = len(self._cosines) + len(texts) < MENTION_TEXTS
            if rest is not None and (rest, trap) not in self._cosines and has_room:
                texts[rest, trap] = None
        if texts:
            traps = RawScores.of(self._plan.texts, self._score_texts([text for text, _ in texts])).traps
            self._cosines |= {key: float(traps[key[1], column]) for column, key in enumerate(texts)}
