"""TREC's qrels and runs, for rankings that another system produced."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from esens.errors import ArgumentError, InputError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets.qrels import check_first, read_judgements
from esens.evaluate.datasets.tables import DatasetRow
from esens.ingest import read_lines

Qrels = Mapping[str, Mapping[str, int]]
"""The grades of the judged documents of each query."""
Run = Mapping[str, list[tuple[str, float]]]
"""The retrieved documents of each query and their scores, in the order of the file."""

_RUN = ("query", "Q0", "document", "rank", "score", "tag")


def read_qrels(path: str | Path) -> Qrels:
    """Read a qrels file of TREC (``query 0 document grade``) or of BEIR (with a header), gzipped or not."""
    grades: dict[str, dict[str, int]] = {}
    for judgement in read_judgements(Path(path)):
        grades.setdefault(judgement.query, {})[judgement.document] = judgement.grade
    if not grades:
        raise InputError(path, "holds no judgements")
    return grades


def read_run(path: str | Path) -> Run:
    """Read a run file (``query Q0 document rank score tag``), gzipped or not.

    As in trec_eval, the score alone ranks; the rank column must be a number and is not used. Equal scores share a
    rank, 1 + the number of greater ones, as everywhere in esens: an order among them would be made up. trec_eval
    orders them by their ids, the last first, so where a run has ties its figures may differ from ours.
    """
    run: dict[str, list[tuple[str, float]]] = {}
    seen: dict[tuple[str, str], int] = {}
    for line, text in enumerate(read_lines(path), start=1):
        if text.strip():
            row = DatasetRow(Path(path), line, text)
            query, document, score = _parse_run_line(row)
            check_first(row, seen, (query, document))
            run.setdefault(query, []).append((document, score))
    if not run:
        raise InputError(path, "holds no results")
    return run


def run_lines(run: Run, tag: str) -> Iterator[str]:
    """Yield the lines of a run file; ``tag`` names the system that made it."""
    tag = "-".join(tag.replace(",", " ").split())
    for query, ranking in run.items():
        for rank, (document, score) in enumerate(ranking, start=1):
            yield f"{_column(query)} Q0 {_column(document)} {rank} {score!r} {tag}\n"


def qrels_lines(dataset: Dataset, *, excluded: bool = False) -> Iterator[str]:
    """Yield the lines of a qrels file: of the answers and their grades, or of what queries exclude."""
    for query in dataset.queries:
        judged = dict.fromkeys(query.excluded, 1) if excluded else query.relevant
        for document, grade in judged.items():
            yield f"{_column(query.id)} 0 {_column(document)} {grade}\n"


def _column(id_: str) -> str:
    """Return an id if it is one column: TREC's form separates them by spaces, and quotes nothing."""
    if id_.split() != [id_]:
        raise ArgumentError("id", f"{id_!r} has a space in it, or is empty, which TREC's form cannot hold")
    return id_


def dataset_of_qrels(relevant: Qrels, excluded: Qrels | None = None, *, name: str = "qrels") -> Dataset:
    """Return a dataset without texts and documents: a grade above 0 answers a query, or is excluded by it."""
    without = excluded or {}
    queries = (Query(id_, text="") for id_ in dict.fromkeys((*relevant, *without)))
    judged_queries = (judged(query, relevant.get(query.id, {}), without.get(query.id, {})) for query in queries)
    return Dataset(name, tuple(judged_queries))


def judged(query: Query, relevant: Mapping[str, int], excluded: Mapping[str, int]) -> Query:
    """Return the query with its judgements; a grade of 0 or less says that a document is neither."""
    answers = {document: grade for document, grade in relevant.items() if grade > 0}
    without = tuple(document for document, grade in excluded.items() if grade > 0)
    return Query(query.id, query.text, answers, without, query.excluded_title, query.pair, query.recorded)


def _parse_run_line(row: DatasetRow) -> tuple[str, str, float]:
    cells = row.value.split()
    if len(cells) != len(_RUN):
        raise row.error(f"needs {len(_RUN)} columns ({' '.join(_RUN)}), got {len(cells)}: {row.value!r}")
    query, _, document, rank, score, _ = cells
    try:
        int(rank)
    except ValueError:
        raise row.error(f"the rank must be a whole number, got {rank!r}") from None
    return query, document, _number(row, score)


def _number(row: DatasetRow, text: str) -> float:
    try:
        score = float(text)
    except ValueError:
        raise row.error(f"the score must be a number, got {text!r}") from None
    if not math.isfinite(score):
        raise row.error(f"the score must be a finite number, got {text!r}")
    return score
