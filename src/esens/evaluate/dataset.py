"""A benchmark: queries with their relevance judgements, and the documents to search."""

import hashlib
import html
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from esens.errors import ArgumentError
from esens.types import Decomposition, Document, check_text

Numbers = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Query:
    """A query, the documents that answer it and how well (above 0), and those that it excludes.

    Its text may be empty, for those who have somebody else's ranking and only want it measured.
    """

    id: str
    text: str
    relevant: Mapping[str, int] = field(default_factory=dict)
    excluded: tuple[str, ...] = ()
    excluded_title: str = ""
    pair: str = ""
    """The id of a pair of queries that only count together, as in NevIR."""
    recorded: Mapping[str, Decomposition] = field(default_factory=dict)
    """Decompositions that the benchmark's files contain, by the name of the decomposer."""
    split: Decomposition | None = None
    """How a person split it; without traps where it excludes nothing. None where nobody did."""
    group: str = ""
    """Where it comes from, or of what kind it is: figures are told apart by it."""
    denied: tuple[str, ...] = ()
    """Those of the answers that say that they lack what is excluded ("dairy-free")."""
    unclear: tuple[str, ...] = ()
    """Documents that two people might judge differently: they count as neither."""

    def __post_init__(self) -> None:
        for name in ("id", "text", "excluded_title", "pair"):
            check_text(f"query {self.id!r}", getattr(self, name), what=name)
        both = sorted(self.relevant.keys() & set(self.excluded))
        if both:
            problem = f"document {both[0]!r} answers it and is excluded by it; it can be only one of them"
            raise ArgumentError(f"query {self.id!r}", problem)
        self._check_further()
        useless = [judged for judged, grade in self.relevant.items() if grade < 1]
        if useless:
            problem = f"the grade of {useless[0]!r} must be 1 or more; what does not answer it is left out"
            raise ArgumentError(f"query {self.id!r}", problem)

    def _check_further(self) -> None:
        """Raise unless documents that deny it are answers, and unclear ones are judged as nothing else."""
        no_answers = sorted(set(self.denied) - self.relevant.keys())
        if no_answers:
            problem = f"document {no_answers[0]!r} is denied, but not wanted; what says that it lacks it is wanted"
            raise ArgumentError(f"query {self.id!r}", problem)
        both = sorted(set(self.unclear) & {*self.relevant, *self.excluded})
        if both:
            problem = f"document {both[0]!r} is unclear, and wanted or excluded; it can be only one of them"
            raise ArgumentError(f"query {self.id!r}", problem)


class Gold(NamedTuple):
    """The judged documents of all queries as flat arrays: whose, where in the corpus, and how good.

    The grade of an excluded document is 0.
    """

    query: Numbers
    position: Numbers
    grade: Numbers

    @property
    def judges_sets(self) -> bool:
        """Whether a query has several answers and several excluded documents: then the first places count."""
        answers, excluded = (np.bincount(self.query[mask]) for mask in (self.grade > 0, self.grade == 0))
        both = min(len(answers), len(excluded))
        return bool(((answers[:both] > 1) & (excluded[:both] > 1)).any())


@dataclass(frozen=True)
class Dataset:
    """Queries and, where they are at hand, the documents."""

    name: str
    queries: tuple[Query, ...]
    corpus: tuple[Document, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What the reader of its files left out or found unusual, a sentence each."""

    def __post_init__(self) -> None:
        self._check_unique("query", (query.id for query in self.queries))
        self._check_unique("document", (document.id for document in self.corpus))
        pairs = Counter(query.pair for query in self.queries)
        alone = [pair for pair, times in pairs.items() if times != 2] if set(pairs) != {""} else []
        if alone:
            raise ArgumentError(f"dataset {self.name!r}", f"pair {alone[0]!r} does not have two queries")

    def _check_unique(self, what: str, ids: Iterable[str]) -> None:
        twice = [name for name, times in Counter(ids).items() if times > 1]
        if twice:
            raise ArgumentError(f"dataset {self.name!r}", f"has more than one {what} with the id {twice[0]!r}")

    def fold(self, number: int, folds: int) -> "Dataset":
        """Return every ``folds``-th query, beginning with the ``number``-th (from 1); pairs stay together.

        What was chosen on one fold can be reported on another.
        """
        if not 1 <= number <= folds:
            raise ArgumentError(
                "fold", f"{number}/{folds} is no fold: the first number is between 1 and the second"
            )
        groups = [query.pair or query.id for query in self.queries]
        chosen = set(list(dict.fromkeys(groups))[number - 1 :: folds])
        queries = tuple(query for query, group in zip(self.queries, groups, strict=True) if group in chosen)
        if not queries:
            raise ArgumentError(
                "fold", f"{number}/{folds} of {len(self.queries)} queries is empty; use fewer folds"
            )
        note = f"Fold {number}/{folds}: {len(queries):,} of {len(self.queries):,} queries."
        return replace(self, queries=queries, notes=(*self.notes, note))

    @property
    def texts(self) -> list[str]:
        """The queries themselves."""
        return [query.text for query in self.queries]

    @property
    def queries_with_answer(self) -> int:
        """How many queries have an answer: recall is measured on these."""
        return sum(bool(query.relevant) for query in self.queries)

    @property
    def queries_with_excluded(self) -> int:
        """How many queries have an excluded document: violation is measured on these."""
        return sum(bool(query.excluded) for query in self.queries)

    @property
    def has_exclusions(self) -> bool:
        """Whether any of its queries is known to exclude something."""
        return any(
            query.excluded or query.excluded_title or (query.split is not None and query.split.traps)
            for query in self.queries
        )

    @property
    def excluded_titles(self) -> list[str] | None:
        """The title of what each query excludes, if all are known to exclude one thing that has a title."""
        titled = {document.id: document.title for document in self.corpus}
        titles = [
            query.excluded_title or (titled.get(query.excluded[0], "") if len(query.excluded) == 1 else "")
            for query in self.queries
        ]
        return [html.unescape(title) for title in titles] if all(titles) else None

    @property
    def recorded(self) -> dict[str, list[Decomposition | None]]:
        """The decompositions that the benchmark's files contain, one for each query, by the decomposer's name."""
        names = sorted({name for query in self.queries for name in query.recorded})
        return {name: [query.recorded.get(name) for query in self.queries] for name in names}

    @property
    def judged(self) -> Iterator[tuple[int, str, int]]:
        """Every judgement: the number of the query, the document's id, and its grade."""
        for number, query in enumerate(self.queries):
            yield from ((number, answer, grade) for answer, grade in query.relevant.items())
            yield from ((number, excluded, 0) for excluded in query.excluded)

    @cached_property
    def gold(self) -> Gold:
        """The judgements in the same order, and where the documents stand in the corpus, -1 if there is none."""
        position = {document.id: number for number, document in enumerate(self.corpus)}
        rows = [(number, self._position(position, number, id_), grade) for number, id_, grade in self.judged]
        columns = np.array(rows, np.intp).reshape(-1, 3).T
        return Gold(*columns)

    @property
    def denied(self) -> npt.NDArray[np.bool_]:
        """Which of the judgements are of documents that say that they lack what is excluded."""
        return np.array([judged in self.queries[number].denied for number, judged, _ in self.judged], np.bool_)

    def _position(self, position: Mapping[str, int], number: int, judged: str) -> int:
        if not self.corpus:
            return -1
        if judged not in position:
            problem = f"judges document {judged!r}, which the corpus does not hold"
            raise ArgumentError(f"query {self.queries[number].id!r}", problem)
        return position[judged]

    @cached_property
    def hash(self) -> str:
        """A SHA-256 of all that can change a result; the same content has the same hash, whatever its files."""
        digest = hashlib.sha256()
        for part in _content(self):
            digest.update(json.dumps(part, ensure_ascii=False).encode())
            digest.update(b"\n")
        return digest.hexdigest()


def _content(dataset: Dataset) -> Iterable[object]:
    for document in dataset.corpus:
        yield ("document", document.id, document.title, document.text)
    for query in dataset.queries:
        recorded = {name: (split.target, *split.traps) for name, split in sorted(query.recorded.items())}
        by_hand = [(query.split.target, *query.split.traps)] if query.split is not None else []
        further = {"denied": sorted(query.denied), "unclear": sorted(query.unclear)}
        yield (
            "query",
            query.id,
            query.text,
            sorted(query.relevant.items()),
            sorted(query.excluded),
            query.excluded_title,
            query.pair,
            recorded,
            *by_hand,
            *([further] if any(further.values()) else []),
        )
