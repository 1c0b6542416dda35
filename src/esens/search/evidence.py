"""What the documents say of one query's exclusions: each is read once, however often candidates are ranked."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.arrays.rank import top_k
from esens.errors import ArgumentError
from esens.evidence.excluded_thing import thing_of
from esens.evidence.lead_match import Lead, lead_of
from esens.evidence.mentions import without_mentions
from esens.evidence.metadata import metadata_statement
from esens.evidence.names import excluded_name
from esens.evidence.relation import CandidateSigns, is_property
from esens.evidence.statements import statement_of
from esens.evidence.wanted_words import coverage
from esens.score.base import RawScores, Readings, Scorer, Terms
from esens.score.normalise import Array, Scores
from esens.search.plan import QueryPlan
from esens.search.second_stage import NO_STAGE, SecondStage
from esens.types import LIKE, SILENT, Document, Evidence, Exclusion
from esens.verify.base import KindNamer, Verification

MENTION_TEXTS = 100
"""Texts of one query that are embedded again without a mention: a bound on what that costs."""

MENTION_DEPTH = 1_000
"""The most relevant documents, whose mentions are looked for: a bound on how many are read."""

SIGNS_READ = 30
"""The candidates nearest to what is wanted, and those nearest to the query, that tell subject from property."""

Statements = tuple[Evidence, ...]
"""What one document says of each exclusion."""

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

    def __init__(self, plan: QueryPlan, score_texts: TextScorer, stage: SecondStage = NO_STAGE) -> None:
        """Take the plan, what compares texts that are no documents, and the verifier, if there is one."""
        self._plan = plan
        self._verifier, self.most_verified = stage.verifier, stage.verify
        self._verified: set[str] = set()
        self._verdicts: dict[tuple[str, int], Evidence] = {}
        """What the verifier says, by document and trap."""
        self._verified_as: Sequence[bool] = ()
        self.note = ""
        """What a reader should know of the verifier: as a rule nothing."""
        if self._verifier is not None and plan.texts.traps and not plan.scorer.reads_statements:
            self.note = f"{self._verifier.spec} was not asked: the score {plan.scorer.name} reads no statements."
        self._score_texts = score_texts
        # Plain retrieval asks nothing of what is excluded, so that it need not load the tables of kinds.
        reads = plan.scorer.reads_statements and not plan.is_plain
        self._exclusions = plan.decomposition.exclusions if reads else ()
        self._things = [
            thing_of(each, plan.target_terms, named)
            for each, named in zip(self._exclusions, self._named_kinds(), strict=True)
        ]
        self._trap_names = [excluded_name(each, plan.target_terms) for each in self._exclusions]
        self._leads: dict[str, Lead] = {}
        self._statements: list[dict[str, Evidence]] = [{} for _ in self._things]
        """What the rules read, by trap and document."""
        self._rests: dict[tuple[str, int], str | None] = {}
        self._cosines: dict[tuple[str, int], float] = {}
        """By what is left of a text, and the trap: equal documents are embedded once, and tie."""

    def _named_kinds(self) -> Sequence[tuple[str, ...]]:
        """Return the names that a model gives beside the tables, for each exclusion: where one is asked at all."""
        names: list[tuple[str, ...]] = [()] * len(self._exclusions)
        asked = [at for at, each in enumerate(self._exclusions) if _is_read(each) and each.relation != "about"]
        namer: object = self._verifier
        if asked and isinstance(namer, KindNamer):
            kinds, failure = namer.name_kinds([self._exclusions[at].text for at in asked])
            if len(kinds) != len(asked):
                raise ArgumentError("verifier", f"{namer.spec} must name kinds of each of {len(asked)} things")
            for at, named in zip(asked, kinds, strict=True):
                names[at] = tuple(named)
            if failure:
                self.note = f"{namer.spec} did not name kinds of all that is excluded ({failure})."
        return names

    def names(self, documents: Sequence[Document]) -> Scores:
        """Return how much of each trap's name (a row) each document (a column) is named for, from 0 to 1."""
        leads = [self._lead(document) for document in documents]
        shares = [[lead.overlap(terms) for lead in leads] for terms in self._plan.trap_terms]
        return np.array(shares, np.float64).reshape(len(self._plan.trap_terms), len(leads))

    def coverage(self, documents: Sequence[Document]) -> list[float]:
        """Return how much of what is wanted each document says in so many words, from 0 to 1."""
        return coverage(documents, self._plan.decomposition.target)

    def statements(self, documents: Sequence[Document], has: Sequence[bool]) -> list[Statements]:
        """Return what each document says of each exclusion; nothing, where the score does not ask.

        Texts are read for the exclusions that are properties (``has``). What is a subject is told by a document's
        title, and by a verifier.
        """
        if not self._things:
            return [()] * len(documents)
        rows = [
            [self._statement(document, trap) for document in documents]
            if is_property
            else [self._verdicts.get((document.id, trap), SILENT) for document in documents]
            if self._verdicts
            else [SILENT] * len(documents)
            for trap, is_property in enumerate(has)
        ]
        return list(zip(*rows, strict=True))

    @property
    def seeks_namesakes(self) -> bool:
        """Whether the name of a document may show that its vector alone is near to what is excluded."""
        return any(name.has_namesakes for name in self._trap_names)

    @property
    def verifies(self) -> bool:
        """Whether a verifier reads the first candidates."""
        return self._verifier is not None and bool(self._things)

    def verify(self, documents: Sequence[Document], has: Sequence[bool]) -> None:
        """Have documents read by the verifier, best first, until it has read as many as it may for a query.

        A word that no document may have (``-word``), a field of the metadata, an example: no reading tells them.
        """
        assert self._verifier is not None  # noqa: S101 - see ``verifies``
        if has != self._verified_as:  # what was said of a subject says nothing of a property
            self._verdicts.clear()
            self._verified_as = has
        left = self.most_verified - len(self._verified)
        new = [document for document in documents if document.id not in self._verified][: max(left, 0)]
        self._verified |= {document.id for document in new}
        asked = [
            (trap, replace(exclusion, relation="has" if is_property else "about"), document)
            for document in new
            for trap, (exclusion, is_property) in enumerate(
                zip(self._plan.decomposition.exclusions, has, strict=True)
            )
            if _is_read(exclusion)
        ]
        if not asked:
            return
        spec = self._verifier.spec
        verification: object = self._verifier.verify([(exclusion, document) for _, exclusion, document in asked])
        if not isinstance(verification, Verification):
            kind = type(verification).__name__
            raise ArgumentError("verifier", f"{spec} must return an esens.verify.Verification, got {kind}")
        evidences, failure = verification
        if not all(each is None or isinstance(each, Evidence) for each in evidences):
            raise ArgumentError("verifier", f"{spec} must answer with esens.Evidence, or None for no opinion")
        if len(evidences) != len(asked):
            raise ArgumentError(
                "verifier", f"{spec} must answer for each of {len(asked)} pairs, not {len(evidences)}"
            )
        for (trap, _, document), evidence in zip(asked, evidences, strict=True):
            if evidence is not None:
                self._verdicts[document.id, trap] = replace(evidence, told_by=spec)
        if failure:
            self.note = f"{spec} could not verify all that it was asked ({failure}); the rules did the rest."

    def readings(
        self, documents: Sequence[Document], statements: Sequence[Statements], has: Sequence[bool]
    ) -> Readings:
        """Return all that the words of documents say, given what each says of each exclusion.

        No names are read of traps that are properties (``has``).
        """
        shape = len(self._plan.trap_terms), len(documents)
        names = np.zeros(shape) if shape[0] and all(has) else self.names(documents)
        readings = Readings(names, *np.zeros((5, *shape), np.bool_))
        for trap, thing in enumerate(self._things):
            if has[trap]:
                evidences = [statement[trap] for statement in statements]
                readings.affirmed[trap] = [each.stance == "affirmed" for each in evidences]
                readings.denied[trap] = [_is_denied_in_words(each) for each in evidences]
                # A literal word rules out, and nothing that is like it.
                readings.mentioned[trap] = [
                    each.stance != "affirmed" if thing.is_literal else _is_spared(each) for each in evidences
                ]
            else:
                readings.subjects[trap] = [self._is_subject(document, trap) for document in documents]
                readings.unlike[trap] = [self._trap_names[trap].is_another(each) for each in documents]
                if self._verdicts:
                    readings.unlike[trap] |= [(each.id, trap) in self._verdicts for each in documents]
                    readings.unlike[trap] &= ~readings.subjects[trap]
        return readings

    def properties(self, nearest: Sequence[Document], near: Sequence[Document]) -> tuple[bool, ...]:
        """Return which exclusions are properties of documents, by those nearest to what is wanted and asked."""
        if not self._things:
            return (False,) * len(self._plan.trap_terms)
        signs = [
            CandidateSigns(
                partial(self._affirmed_share, nearest, trap),
                any(name.is_title_of(each) for part in (nearest, near) for each in part),
            )
            for trap, name in enumerate(self._trap_names)
        ]
        return tuple(map(is_property, self._exclusions, repeat(self._plan.target_terms), signs))

    def _affirmed_share(self, documents: Sequence[Document], trap: int) -> float:
        """Return the share of documents that have a thing, or a kind of it.

        Where the query speaks of subjects, by its own name: texts are full of kinds of whatever they are about.
        Of as many as are read at most: among five documents, the answer and the excluded one are no rule.
        """
        by_kind = self._exclusions[trap].relation != "about"
        evidences = [self._read_statement(document, trap) for document in documents]
        affirmed = sum(each.stance == "affirmed" and (by_kind or not each.kind) for each in evidences)
        return affirmed / max(SIGNS_READ, len(evidences))

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

    def _is_subject(self, document: Document, trap: int) -> bool:
        verdict = self._verdicts.get((document.id, trap))
        if verdict is not None:
            return verdict.stance == "affirmed"
        name = self._trap_names[trap]
        is_named = name.is_title_of(document) or name.begins(document)
        return (is_named and not name.is_another(document)) or name.leads_by(document)

    def _statement(self, document: Document, trap: int) -> Evidence:
        """Return what a document says of a trap: by the verifier, where that was asked."""
        verdict = self._verdicts.get((document.id, trap)) if self._verdicts else None
        return self._read_statement(document, trap) if verdict is None else verdict

    def _read_statement(self, document: Document, trap: int) -> Evidence:
        evidence = self._statements[trap].get(document.id)
        if evidence is None:
            evidence = self._statements[trap][document.id] = self._say(document, trap)
        return evidence

    def _say(self, document: Document, trap: int) -> Evidence:
        """Return what a document says of one exclusion; what the named fields of its metadata say comes first."""
        exclusion, thing = self._exclusions[trap], self._things[trap]
        if exclusion.relation == LIKE:
            is_example = exclusion.example == document.whole_id
            return Evidence("affirmed", exclusion.text) if is_example else SILENT
        fields = (exclusion.field,) if exclusion.field else self._plan.evidence_fields
        evidence = metadata_statement(document.metadata, fields, thing) if fields else SILENT
        return statement_of(document, thing) if evidence.stance == "silent" and not exclusion.field else evidence

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


def _is_read(exclusion: Exclusion) -> bool:
    """Return whether texts are read for it: not for a word that none may have, a field, or an example."""
    return not (exclusion.is_literal or exclusion.field or exclusion.relation == LIKE)


def _is_denied_in_words(evidence: Evidence) -> bool:
    """Return whether a text denies the thing; what a field of the metadata says stands nowhere in it."""
    return evidence.stance == "denied" and (evidence.start is not None or bool(evidence.told_by))


def _is_spared(evidence: Evidence) -> bool:
    """Return whether a document lacks the thing without a word of its text that answers the query by saying so.

    It only mentions the thing, or a field tells of something else: "year: 1994".
    """
    return evidence.stance == "mentioned" or (evidence.stance == "denied" and not _is_denied_in_words(evidence))
