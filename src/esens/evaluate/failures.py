"""Where the penalty hurt the answer, and why: the paper's two patterns, looked for in every query.

The paper's authors read such cases and saw two patterns: an answer that mentions the excluded thing in passing,
and an answer that is a close neighbour of the excluded document. Here both are tests that anybody can repeat:

- mention: the answer's text holds the words of a trap, or of the excluded document's title, in a row
- neighbour: the excluded document is among the ten nearest neighbours of the answer

How often each holds for all queries stands beside, since a pattern that is as frequent where nothing was hurt
explains nothing.
"""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.arrays.pack import pack
from esens.errors import ArgumentError
from esens.evaluate.experiment import Experiment
from esens.evaluate.results import Setup
from esens.evaluate.statistics import Interval, interval
from esens.score.base import Scorer
from esens.search.options import parameters_of, scorer_of
from esens.types import Decomposition, Document

NEIGHBOURS = 10
MENTION, NEIGHBOUR, BOTH, NEITHER = "mention", "neighbour", "both", "neither"
GROUPS = (BOTH, MENTION, NEIGHBOUR, NEITHER)
_AROUND = 60
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class Case:
    """One query whose answer the penalty pushed down, with the documents."""

    query: str
    decomposition: Decomposition
    answer: Document
    excluded: Document
    rank_before: int
    rank_after: int
    mention: str
    """Where the answer mentions the excluded thing, with the words around it; empty where it does not."""
    similarity: float
    """Of answer and excluded document."""
    neighbour: int
    """As which of the answer's nearest neighbours the excluded document comes, from 1."""

    @property
    def group(self) -> str:
        """Which of the paper's patterns it shows."""
        return _group(bool(self.mention), self.neighbour <= NEIGHBOURS)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        documents = {
            name: {"id": document.id, "title": document.title, "text": document.text}
            for name, document in (("answer", self.answer), ("excluded", self.excluded))
        }
        return {
            "query": self.query,
            "group": self.group,
            "target": self.decomposition.target,
            "traps": list(self.decomposition.traps),
            "rank_before": self.rank_before,
            "rank_after": self.rank_after,
            "mention": self.mention,
            "similarity": self.similarity,
            "neighbour": self.neighbour,
            **documents,
        }


@dataclass(frozen=True, slots=True)
class Failures:
    """All queries whose answer the penalty pushed down at one beta."""

    setup: Setup
    score: str
    alpha: float
    gamma: float
    beta: float
    cases: tuple[Case, ...]
    helped: int
    """Queries whose answer the penalty lifted."""
    all_groups: tuple[str, ...]
    """The pattern of every query with a trap, hurt or not."""

    def share(self, group: str) -> tuple[Interval | None, Interval]:
        """Return how often a pattern shows among the hurt, and among all."""
        of_hurt = [case.group == group for case in self.cases]
        return interval(of_hurt) if of_hurt else None, interval([name == group for name in self.all_groups])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            **asdict(self.setup),
            "score": self.score,
            "alpha": self.alpha,
            "gamma": self.gamma,
            "beta": self.beta,
            "queries_helped": self.helped,
            "all_groups": {group: self.all_groups.count(group) for group in GROUPS},
            "cases": [case.to_dict() for case in self.cases],
        }


def failures(experiment: Experiment, *, scorer: Scorer | str | None = None, beta: float | None = None) -> Failures:
    """Return the queries whose best answer stands lower by a scorer than at its beta 0, the worst first."""
    chosen = scorer_of(scorer, beta=beta)
    parameters = parameters_of(chosen)
    if not parameters["beta"] > 0:
        raise ArgumentError("beta", "must be above 0: at 0 there is no penalty to hurt anything")
    ranks = experiment.sweep(chosen, np.array([0.0, parameters["beta"]]))
    rows = list(_answers_and_excluded(experiment, ranks))
    if not rows:
        raise ArgumentError("dataset", "no query has an answer, an excluded document, and a trap that was found")
    near = _nearness(experiment, rows)
    cases = [_case(experiment, row, ranks, *near_by) for row, near_by in zip(rows, near, strict=True)]
    hurt = [case for case in cases if case.rank_after > case.rank_before]
    return Failures(
        setup=experiment.setup,
        score=chosen.name,
        alpha=parameters["alpha"],
        gamma=parameters["gamma"],
        beta=parameters["beta"],
        cases=tuple(sorted(hurt, key=_severity, reverse=True)),
        helped=sum(case.rank_after < case.rank_before for case in cases),
        all_groups=tuple(case.group for case in cases),
    )


def mention(text: str, names: Iterable[str]) -> str:
    """Return where a text holds one of the names, its words in a row, with some of the text around it.

    >>> mention("A film with Nate Ruess, among others.", ["nate ruess"])
    'A film with Nate Ruess, among others.'
    """
    for name in names:
        in_a_row = r"\W+".join(re.findall(r"\w+", name))
        match = in_a_row and re.search(rf"\b{in_a_row}\b", text, re.IGNORECASE)
        if match:
            start, end = max(0, match.start() - _AROUND), match.end() + _AROUND
            return f"{'…' * (start > 0)}{' '.join(text[start:end].split())}{'…' * (end < len(text))}"
    return ""


@dataclass(frozen=True, slots=True)
class _Row:
    """A query by number, and which judged documents are its best answer and its best-ranked excluded one."""

    query: int
    answer: int
    excluded: int


def _answers_and_excluded(experiment: Experiment, ranks: npt.NDArray[np.int32]) -> Iterable[_Row]:
    gold, vectors = experiment.dataset.gold, experiment.query_vectors
    starts = np.searchsorted(gold.query, np.arange(len(vectors) + 1))
    for number in range(len(vectors)):
        judged = np.arange(starts[number], starts[number + 1])
        answers, excluded = judged[gold.grade[judged] > 0], judged[gold.grade[judged] == 0]
        has_trap = vectors.first[number + 1] > vectors.first[number]
        if has_trap and len(answers) and len(excluded):
            first = [int(some[ranks[some, 0].argmin()]) for some in (answers, excluded)]
            yield _Row(number, *first)


def _nearness(experiment: Experiment, rows: Sequence[_Row]) -> Iterable[tuple[float, int]]:
    """Yield how similar answer and excluded document are, and as which neighbour the latter comes."""
    position, corpus = experiment.dataset.gold.position, experiment.corpus
    for block in pack([1] * len(rows), corpus.rows_at_once()):
        some = rows[block]
        answers = position[[row.answer for row in some]]
        raw = corpus.scored(corpus.vectors(answers)).whole()
        for scores, row, answer in zip(raw, some, answers, strict=True):
            similarity = scores[position[row.excluded]]
            nearer = int(np.count_nonzero(scores > similarity)) - int(scores[answer] > similarity)
            yield float(similarity), 1 + nearer


def _case(
    experiment: Experiment, row: _Row, ranks: npt.NDArray[np.int32], similarity: float, neighbour: int
) -> Case:
    dataset, split = experiment.dataset, experiment.decompositions[row.query]
    answer, excluded = (dataset.corpus[dataset.gold.position[at]] for at in (row.answer, row.excluded))
    title = dataset.queries[row.query].excluded_title or excluded.title
    names = (*split.traps, _QUALIFIER.sub("", html.unescape(title)))
    return Case(
        query=dataset.queries[row.query].text,
        decomposition=split,
        answer=answer,
        excluded=excluded,
        rank_before=int(ranks[row.answer, 0]),
        rank_after=int(ranks[row.answer, 1]),
        mention=mention(answer.content, names),
        similarity=similarity,
        neighbour=neighbour,
    )


def _group(mentions: bool, is_neighbour: bool) -> str:
    if mentions and is_neighbour:
        return BOTH
    return MENTION if mentions else NEIGHBOUR if is_neighbour else NEITHER


def _severity(case: Case) -> float:
    """How much it costs a reader: from 1 to 6 is worse than from 100 to 200."""
    return 1 / case.rank_before - 1 / case.rank_after
