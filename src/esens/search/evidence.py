"""What the documents say of one query's exclusions: each is read once, however often candidates are ranked."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import top_k
from esens.evidence.excluded_thing import ExcludedThing, excluded_thing
from esens.evidence.lead_match import Lead, lead_of
from esens.evidence.mentions import without_mentions
from esens.evidence.metadata import metadata_statement
from esens.evidence.relation import CandidateSigns, has_title, is_property, name_words
from esens.evidence.statements import statement_of
from esens.score.base import RawScores, Readings, Scorer, Terms
from esens.score.normalise import Array, Scores
from esens.search.plan import QueryPlan
from esens.text.terms import terms_of
from esens.types import LIKE, SILENT, Document, Evidence, Exclusion

MENTION_TEXTS = 100
"""Texts of one query that are embedded again without a mention: a bound on what that costs."""

MENTION_DEPTH = 1_000
"""The most relevant documents, whose mentions are looked for: a bound on how many are read."""

SIGNS_READ = 30
"""The candidates nearest to what is wanted, and those nearest to the query, that tell subject from property."""

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
    """Reads documents for what they say of what one query excludes: names, statements, mentions."""

    def __init__(self, plan: QueryPlan, score_texts: TextScorer) -> None:
        """Take the plan, and what compares texts that are no documents."""
        self._plan = plan
        self._score_texts = score_texts
        self._exclusions = plan.decomposition.exclusions if plan.scorer.reads_statements else ()
        self._things = [excluded_thing(each.text, is_literal=each.is_literal) for each in self._exclusions]
        # What the target names as well is no other subject: "When was Ann Lee born? Not Ann Lee's songs."
        self._trap_names = [
            () if terms_of(each.text) <= plan.target_terms or each.relation == LIKE else name_words(each.text)
            for each in self._exclusions
        ]
        self._leads: dict[str, Lead] = {}
        self._statements: dict[str, tuple[Evidence, ...]] = {}
        self._rests: dict[tuple[str, int], str | None] = {}
        self._cosines: dict[tuple[str, int], float] = {}
        """By what is left of a text, and the trap: equal documents are embedded once, and tie."""

    def names(self, documents: Sequence[Document]) -> Scores:
        """Return how much of each trap's name (a row) each document (a column) is named for, from 0 to 1."""
        leads = [self._lead(document) for document in documents]
        shares = [[lead.overlap(terms) for lead in leads] for terms in self._plan.trap_terms]
        return np.array(shares, np.float64).reshape(len(self._plan.trap_terms), len(leads))

    def statements(self, documents: Sequence[Document]) -> list[tuple[Evidence, ...]]:
        """Return what each document says of each exclusion; nothing, where the score does not ask."""
        return [self._statement(document) for document in documents]

    def readings(self, documents: Sequence[Document], has: Sequence[bool]) -> Readings:
        """Return all that the words of documents say; no names are read of traps that are properties (``has``)."""
        shape = len(self._plan.trap_terms), len(documents)
        names = np.zeros(shape) if shape[0] and all(has) else self.names(documents)
        if not self._things:
            return Readings.of_names(names)
        subjects = [
            [not is_property and has_title(document, name) for document in documents]
            for name, is_property in zip(self._trap_names, has, strict=True)
        ]
        statements = self.statements(documents)
        stances = [
            [[row[trap].stance == stance for row in statements] for trap in range(shape[0])]
            for stance in ("affirmed", "denied", "mentioned")
        ]
        readings = Readings(names, *(np.array(rows, np.bool_).reshape(shape) for rows in (subjects, *stances)))
        for row, thing in enumerate(self._things):
            if thing.is_literal:  # the word rules out, and nothing that is like it
                readings.mentioned[row] = ~readings.affirmed[row]
        return readings

    def properties(self, nearest: Sequence[Document], near: Sequence[Document]) -> tuple[bool, ...]:
        """Return which exclusions are properties of documents, by those nearest to what is wanted and asked."""
        if not self._things:
            return (False,) * len(self._plan.trap_terms)
        statements = self.statements(nearest)
        signs = [
            CandidateSigns(
                sum(row[trap].stance == "affirmed" and not row[trap].kind for row in statements)
                / max(1, len(statements)),
                any(has_title(document, name) for document in (*nearest, *near)),
            )
            for trap, name in enumerate(self._trap_names)
        ]
        exclusions = zip(self._plan.decomposition.exclusions, signs, strict=True)
        return tuple(is_property(exclusion, self._plan.target_terms, sign) for exclusion, sign in exclusions)

    def spare_mentions(
        self,
        documents: Sequence[Document],
        raw: RawScores,
        names: Scores,
        may_spare: npt.NDArray[np.bool_],
        has: Sequence[bool],
    ) -> Sparing:
        """Return the raw scores of documents as they are without their mentions of what is excluded.

        A document that is not named for a trap and mentions it in passing is as near to it as the rest of its
        text. Documents must come in the order of their relevance: only so many are embedded again. To have a thing
        is not to mention it: of those that are properties (``has``) nothing is spared.
        """
        wanted = [
            (trap, column)
            for column, document in enumerate(documents)
            if may_spare[column]
            for trap in range(len(names))
            if names[trap, column] == 0 and not has[trap] and self._plan.trap_terms[trap]
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

    def _statement(self, document: Document) -> tuple[Evidence, ...]:
        if document.id not in self._statements:
            pairs = zip(self._exclusions, self._things, strict=True)
            self._statements[document.id] = tuple(self._say(document, *pair) for pair in pairs)
        return self._statements[document.id]

    def _say(self, document: Document, exclusion: Exclusion, thing: ExcludedThing) -> Evidence:
        """Return what a document says of one exclusion; what the named fields of its metadata say comes first."""
        if exclusion.relation == LIKE:
            is_example = exclusion.example == document.whole_id
            return Evidence("affirmed", exclusion.text) if is_example else SILENT
        fields = (exclusion.field,) if exclusion.field else self._plan.evidence_fields
        said = metadata_statement(document.metadata, fields, thing) if fields else SILENT
        return statement_of(document, thing) if said.stance == "silent" and not exclusion.field else said

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
