"""What a score is: from the raw scores of a query's texts, what each document gains and what it loses.

A scorer says which texts it needs (``texts``), with which vectors an engine finds its best documents
(``probes``), and what each document scores (``terms``). Linear, the paper's, and Contrast, ours, are two of them;
one of your own inherits from :class:`Scorer`.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange, score_range
from esens.arrays.unit import Vectors
from esens.score.normalise import Array, Scores

Positions = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]


LAST = 2.0**-20
"""How far below nothing a document scores that loses all it has: enough to tell, and too little to read."""


class QueryTexts(NamedTuple):
    """The texts whose raw scores a scorer needs. The query alone is plain retrieval."""

    query: str
    target: str | None = None
    traps: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    """How much each trap counts, from 0 to 1; empty where all count fully."""
    examples: tuple[int, ...] = ()
    """Which traps are documents that stand for what is not wanted, and not texts."""

    @property
    def is_plain(self) -> bool:
        """Whether nothing but the query counts."""
        return self.target is None and not self.traps

    def flat(self) -> tuple[str, ...]:
        """Return all of them in a row: the query, the target where it is needed, the traps."""
        return (self.query, *(() if self.target is None else (self.target,)), *self.traps)


class TextVectors(NamedTuple):
    """The unit vectors of a query's texts; of the traps, a row each."""

    query: Array
    target: Array | None
    traps: Array
    weights: tuple[float, ...] = ()

    @classmethod
    def of(cls, texts: QueryTexts, rows: Vectors) -> "TextVectors":
        """Name the rows of a matrix that has one for each of the flat texts."""
        first_trap = 1 if texts.target is None else 2
        return cls(rows[0], None if texts.target is None else rows[1], rows[first_trap:], texts.weights)


class ScoreRanges(NamedTuple):
    """How far the raw scores of each text reach over all scored documents: what they are normalised by."""

    query: ScoreRange
    target: ScoreRange | None
    traps: tuple[ScoreRange, ...]

    @classmethod
    def of(cls, texts: QueryTexts, ranges: Sequence[ScoreRange]) -> "ScoreRanges":
        """Name the ranges of the flat texts."""
        first_trap = 1 if texts.target is None else 2
        return cls(ranges[0], None if texts.target is None else ranges[1], tuple(ranges[first_trap:]))


class RawScores(NamedTuple):
    """The raw scores of a query's texts over some documents, a column each; of the traps, a row each.

    ``lengths`` are those of the documents' vectors where raw scores are inner products; None with cosines.
    ``weights`` say how much each trap counts; empty where all count fully. ``examples`` are the traps that are
    documents. ``is_part`` says that there are others, which are less relevant than these. ``words`` says how well
    the words of each match what is wanted, from 0 to 1, in hybrid search; ``coverage`` how much of what is wanted
    each says in so many words, where that was read.
    """

    query: Array
    target: Array | None
    traps: Array
    lengths: Array | None = None
    weights: tuple[float, ...] = ()
    examples: tuple[int, ...] = ()
    is_part: bool = False
    words: Array | None = None
    coverage: Array | None = None

    @classmethod
    def of(cls, texts: QueryTexts, rows: Array, lengths: Array | None = None) -> "RawScores":
        """Name the rows of a matrix that has one for each of the flat texts."""
        first_trap = 1 if texts.target is None else 2
        target = None if texts.target is None else rows[1]
        return cls(rows[0], target, rows[first_trap:], lengths, texts.weights, texts.examples)

    def at(self, positions: Positions) -> "RawScores":
        """Return the raw scores of some of the documents."""
        return RawScores(
            self.query[positions],
            None if self.target is None else self.target[positions],
            self.traps[:, positions],
            None if self.lengths is None else self.lengths[positions],
            self.weights,
            self.examples,
            self.is_part,
            None if self.words is None else self.words[positions],
            None if self.coverage is None else self.coverage[positions],
        )

    def joined(self, other: "RawScores") -> "RawScores":
        """Return the raw scores of these documents and of others, for the same texts."""
        target = None if self.target is None or other.target is None else (self.target, other.target)
        lengths = None if self.lengths is None or other.lengths is None else (self.lengths, other.lengths)
        coverage = None if self.coverage is None or other.coverage is None else (self.coverage, other.coverage)
        return self._replace(
            query=np.concatenate((self.query, other.query)),
            target=None if target is None else np.concatenate(target),
            traps=np.concatenate((self.traps, other.traps), axis=1),
            lengths=None if lengths is None else np.concatenate(lengths),
            coverage=None if coverage is None else np.concatenate(coverage),
        )

    def weight_of(self, trap: int) -> float:
        """Return how much a trap counts."""
        return self.weights[trap] if self.weights else 1.0

    def weigh(self, sides: Scores) -> Scores:
        """Return what each trap (a row) costs each document, by how much the trap counts."""
        return sides * np.array(self.weights)[:, None] if self.weights else sides

    def ranges(self) -> ScoreRanges:
        """Return the ranges over these documents, where they are all there are."""
        return ScoreRanges(
            score_range(self.query),
            None if self.target is None else score_range(self.target),
            tuple(map(score_range, self.traps)),
        )


class Readings(NamedTuple):
    """What the words of documents say of what is excluded: a row a trap, a column a document.

    Texts are read for traps that are properties; of subjects, titles and openings tell.
    """

    names: Scores
    """How much of the thing's name is in the document's title or opening, from 0 to 1."""
    subjects: Flags
    """Whether the document's title is the name of the thing."""
    affirmed: Flags
    """Whether the text says that the thing is there."""
    denied: Flags
    """Whether the text says that the thing is not there."""
    mentioned: Flags
    """Whether the text names the thing without having it: as an option, or to compare with."""
    unlike: Flags
    """Whether the document is known not to be about the thing: a verifier read it, or it is about a namesake."""

    @classmethod
    def of_names(cls, names: Scores) -> "Readings":
        """Return the readings of titles and openings alone: all texts are silent."""
        nothing = np.zeros(names.shape, np.bool_)
        return cls(names, nothing, nothing, nothing, nothing, nothing)

    def at(self, positions: Positions) -> "Readings":
        """Return the readings of some of the documents."""
        names, *flags = self
        return Readings(names[:, positions], *(rows[:, positions] for rows in flags))


class Terms(NamedTuple):
    """The parts of a score, an entry a document: S(d) = relevance − penalty.

    ``sides`` (a row a trap) says how strongly each trap counts; the greatest is the one that is paid for.
    ``penalty_share`` is the share of its relevance that a document loses, for scores that take a share.
    """

    relevance: Scores
    penalty: Scores
    sides: Scores
    penalty_share: Scores | None = None

    @property
    def score(self) -> Scores:
        """S(d); who loses all stands behind the least relevant of those that do not."""
        score = self.relevance - self.penalty
        return score if self.penalty_share is None else np.where(self.penalty_share >= 1.0, -LAST, score)

    def at(self, positions: Positions | slice) -> "Terms":
        """Return the terms of some of the documents."""
        share = self.penalty_share
        return Terms(
            self.relevance[positions],
            self.penalty[positions],
            self.sides[:, positions],
            None if share is None else share[positions],
        )

    @property
    def trap(self) -> Positions:
        """Which trap each document pays for, or comes nearest to."""
        return np.asarray(self.sides.argmax(axis=0), np.intp)


class Losses(NamedTuple):
    """What documents lose of their relevance for each trap, at any beta: a row a trap, a column a document.

    The share is fixed + min(most, max(0, β·slope)); of several traps the greatest counts. What is the same for all
    documents may have one column.
    """

    fixed: Scores
    """What is lost at any beta: the words of a document say it."""
    slope: Scores
    """What a unit of beta costs; less than nothing where the document is on the wanted side."""
    most: Scores
    """What the slope costs at most."""

    def shares(self, beta: float) -> Scores:
        """Return the shares that are lost at this beta."""
        return self.fixed + np.clip(beta * self.slope, 0.0, self.most)


class PlainScale(NamedTuple):
    """The scale of plain retrieval: where it begins, and what a unit of relevance is worth there."""

    low: float
    unit: float

    @classmethod
    def of(cls, ranges: ScoreRanges, alpha: float, gamma: float) -> "PlainScale":
        """Return the scale of a relevance of α·s(d, query) + γ·s(d, target): that of plain search for them."""
        target = ranges.query if ranges.target is None else ranges.target
        weight = alpha + gamma
        low = (alpha * ranges.query.low + gamma * target.low) / weight
        return cls(low, (alpha * ranges.query.width + gamma * target.width) / weight**2)

    def place(self, scores: Scores) -> Scores:
        """Return where scores stand on it."""
        return self.low + self.unit * scores


class FittedScorer(Protocol):
    """A score for one query."""

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        """Return what each document gains and loses.

        Without ``readings``, penalties are lower bounds: no word of a document is known.
        """
        ...

    def scale(self, raw: RawScores, ranges: ScoreRanges) -> PlainScale:
        """Return where its scores stand among those of plain retrieval; ``raw`` is of the most relevant."""
        ...

    def most(self, raw: RawScores, ranges: ScoreRanges) -> Scores | None:  # noqa: ARG002 - for those who know it
        """Return what documents score at most, whatever they say; None where words only ever cost."""
        return None

    def losses(self, raw: RawScores, ranges: ScoreRanges, readings: Readings) -> Losses | None:  # noqa: ARG002
        """Return what documents lose at any beta, where beta does nothing else; None where it does."""
        return None


class Scorer(FittedScorer, Protocol):
    """A score with its parameters: a frozen record, and pure functions of arrays."""

    @property
    def name(self) -> str:
        """What it is called in results and reports."""
        ...

    @property
    def weight(self) -> float:
        """The relevance of a document that is the best by every text: what relevance is measured against."""
        return 1.0

    def scale(self, raw: RawScores, ranges: ScoreRanges) -> PlainScale:  # noqa: ARG002 - for those who need it
        """Return the scale of the query's own raw scores."""
        return PlainScale.of(ranges, self.weight, 0.0)

    @property
    def mode(self) -> str:
        """What becomes of documents that are excluded: "soft", "hard" or "flag"."""
        return "soft"

    @property
    def threshold(self) -> float:
        """The share of its relevance from which on a document counts as excluded, in "hard" and "flag"."""
        return 1.0

    @property
    def depth(self) -> int | None:
        """How many neighbours of each probe can be found; None: all that an index compares with."""
        return None

    @property
    def candidates(self) -> int:
        """How many neighbours of each probe an engine is asked for, where ``depth`` does not say it."""
        return 60

    @property
    def seeks_traps(self) -> bool:
        """Whether an engine is asked for what is nearest to each trap, too, to know how far its raw scores reach.

        Else a sample and the candidates tell.
        """
        return False

    @property
    def sentences(self) -> int:
        """How many of the best documents are read again, sentence by sentence."""
        return 0

    @property
    def reads_names(self) -> bool:
        """Whether it counts that a document's title or opening names what is excluded. Names only ever cost."""
        return False

    @property
    def reads_statements(self) -> bool:
        """Whether it counts what the text of a document says of what is excluded."""
        return False

    @property
    def reads_wanted(self) -> int:
        """Of how many documents, those nearest to what is wanted, it counts how much of that they say in words."""
        return 0

    @property
    def spare_mentions(self) -> bool:
        """Whether a document that mentions the excluded in passing is compared without the mention."""
        return False

    @property
    def is_linear(self) -> bool:
        """Whether the neighbours of its probe, where it has one, are its best documents in their order."""
        return False

    @property
    def is_monotone(self) -> bool:
        """Whether a document never scores less for being nearer to query or target, and a trap only ever costs.

        Then documents that are far from both need not be scored to know that they are not among the best.
        """
        return False

    @property
    def fit_depth(self) -> int | None:
        """How many of the documents nearest to query and target :meth:`fit` looks at; None: at all of them."""
        return None

    @property
    def distinct_traps(self) -> bool:
        """Whether traps come without the words that they repeat of the target."""
        return False

    def texts(self, query: str, target: str, traps: Sequence[str]) -> QueryTexts:
        """Return the texts it needs for a query that excludes something, and no more."""
        ...

    def probes(self, vectors: TextVectors, ranges: ScoreRanges) -> Vectors:
        """Return the vectors (a row each, of unit length) whose nearest documents hold the best ones."""
        ...

    @property
    def wide(self) -> "Scorer":
        """The same score as an engine is asked by it where the first request did not bring enough."""
        return self

    def ceiling(self, ends: RawScores, ranges: ScoreRanges) -> float:  # noqa: ARG002 - for those who know one
        """Return what no document scores more than that is behind these: the last neighbour of each probe.

        −∞ where nothing can be said: then the neighbours are taken for all there are.
        """
        return -np.inf

    def fit(self, raw: RawScores, has: Sequence[bool]) -> FittedScorer:  # noqa: ARG002 - for those who need it
        """Return the score for one query, given the raw scores and which traps are properties of documents."""
        return self
