"""The native format of esens: a folder with ``queries.jsonl`` and, where there are documents, ``corpus.jsonl``.

A query has a ``text``, an id under ``_id`` or ``id`` (else its number), and any of:

- ``target``, ``trap``: the id or ids of the answer and of what is excluded
- ``relevant``: ids of answers, or an object of ids and grades
- ``excluded_title``: the title of what is excluded, where the document is not at hand
- any field that is an object with the texts ``target`` and ``trap``: a recorded decomposition
- ``wanted``, ``excluded``: the ids of answers and of what is excluded, where there are several; beside them
  ``denied``, those of the answers that say that they lack it, and ``unclear``, which count as neither
- ``traps``, texts, or ``excludes``, true or false: how a person split it, with the text of the ``target``
- ``source`` or ``kind``: a group whose figures are told apart
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from esens.errors import ArgumentError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets.queries import notes_on, queries_of
from esens.evaluate.datasets.tables import DatasetRow, find_file, read_rows
from esens.ingest import read_documents
from esens.messages import quoted
from esens.types import Decomposition

LOOKS_FOR = "the native format: a folder with queries.jsonl and, where there are documents, corpus.jsonl"
QUERIES, CORPUS = "queries.jsonl", "corpus.jsonl"
JUDGEMENTS = ("target", "trap", "relevant")
SETS = ("wanted", "excluded")


def fits(path: Path) -> bool:
    """Return whether the folder has queries."""
    return find_file(path, QUERIES) is not None


def read(folder: Path, name: str) -> Dataset:
    """Read the queries, and the documents if there are any."""
    documents, path = find_file(folder, CORPUS), queries_file(folder)
    corpus = tuple(read_documents(documents, allow_empty=True)) if documents is not None else None
    queries = queries_of(path, read_rows(path), _query, corpus)
    return Dataset(name, queries, corpus or (), (*_unjudged(folder, path, queries), *notes_on(corpus or ())))


def queries_file(folder: Path) -> Path:
    """Return the file of the queries, gzipped or not."""
    return find_file(folder, QUERIES) or folder / QUERIES


def _is_judged(query: Query) -> bool:
    """Whether anything is known of a query beside its text."""
    has_split = query.split is not None or bool(query.recorded)
    return bool(query.relevant or query.excluded or query.excluded_title) or has_split


def _unjudged(folder: Path, path: Path, queries: Sequence[Query]) -> Iterator[str]:
    """Yield how many queries nothing is known of; where that is all of them, what was found and what expected."""
    unknown = sum(not _is_judged(query) for query in queries)
    if 0 < unknown < len(queries):
        yield f"{unknown:,} queries have no judgement"
    elif unknown:
        yield _no_judgements(folder, path)


def _no_judgements(folder: Path, queries: Path) -> str:
    first = next(read_rows(queries))
    neighbours = sorted(
        f"{each.name}/" if each.is_dir() else each.name for each in folder.iterdir() if each != queries
    )
    return (
        f"No judgement was recognised: {queries.name} has the fields {', '.join(map(str, first.fields))}, and "
        f"beside it stand {', '.join(neighbours) or 'no files'}. Expected is one of the fields "
        f"{', '.join((*JUDGEMENTS, *SETS, 'traps', 'excluded_title'))}, or a file of judgements with the columns "
        "query-id, corpus-id, score: qrels/test.tsv, qrels/test.jsonl, qrels.jsonl or test.tsv"
    )


def without_judgements(row: DatasetRow, position: int) -> Query:
    """Return the query of a row, without its judgements."""
    return Query(
        id=row.id("_id", "id") or str(position),
        text=row.text("text"),
        excluded_title=row.text("excluded_title") if row.under("excluded_title") else "",
        recorded={field: split for field, value in row.fields.items() if (split := _recorded(row, value))},
    )


def _query(row: DatasetRow, position: int) -> tuple[Query]:
    query = without_judgements(row, position)
    is_split = "traps" in row.fields or "excludes" in row.fields
    if is_split:  # so the target is a text, and no id
        query = _split_by_hand(row, query)
    if is_split or row.fields.keys() & set(SETS):
        _refuse_mixed(row, ("relevant",) if is_split else JUDGEMENTS)
        return (_with_sets(row, query),)
    relevant = _grades(row) | dict.fromkeys(row.ids("target"), 1)
    return (replace(query, relevant=relevant, excluded=_ids(row, "trap")),)


def _refuse_mixed(row: DatasetRow, fields: Sequence[str]) -> None:
    """Raise where a judgement would be lost, because others say the same in other words."""
    for field in fields:
        if row.under(field):
            advice = "write 'wanted' for answers and 'excluded' for what is excluded"
            raise row.error(f"{field!r} would not be read beside 'wanted', 'excluded' or 'traps': {advice}")


def _with_sets(row: DatasetRow, query: Query) -> Query:
    return replace(
        query,
        relevant=dict.fromkeys(row.ids("wanted"), 1),
        excluded=_ids(row, "excluded"),
        denied=_ids(row, "denied"),
        unclear=_ids(row, "unclear"),
    )


def _ids(row: DatasetRow, field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row.ids(field)))


def _split_by_hand(row: DatasetRow, query: Query) -> Query:
    traps = row.under("traps") or []
    if not isinstance(traps, list) or not all(isinstance(trap, str) and trap.strip() for trap in traps):
        raise row.error(f"'traps' is a list of texts, got {traps!r}")
    if row.fields.get("excludes", bool(traps)) is not bool(traps):
        raise row.error("'excludes' says whether there are 'traps'; here they say different things")
    target = row.text("target") if row.under("target") else query.text
    group = row.under("source", "kind")
    return replace(
        query,
        split=Decomposition(target, tuple(traps)),
        group=group if isinstance(group, str) else "",
    )


def _grades(row: DatasetRow) -> dict[str, int]:
    grades = row.under("relevant")
    if not isinstance(grades, dict):
        return dict.fromkeys(row.ids("relevant"), 1)
    for judged, grade in grades.items():
        if isinstance(grade, bool) or not isinstance(grade, int):
            raise row.error(f"a grade is a whole number; that of {judged!r} is {quoted(grade)}")
    return {row.id_of(judged, "relevant"): grade for judged, grade in grades.items() if grade > 0}


def _recorded(row: DatasetRow, value: Any) -> Decomposition | None:
    """Return a decomposition if the value is one: any other object is somebody's metadata."""
    if not isinstance(value, Mapping) or not isinstance(value.get("target"), str):
        return None
    trap = value.get("trap")
    traps: list[Any] = trap if isinstance(trap, list) else [trap]
    if not all(isinstance(text, str) for text in traps):
        return None
    try:
        return Decomposition(value["target"].strip() or "-", tuple(filter(None, map(str.strip, traps))))
    except ArgumentError as error:
        raise row.error(error.problem) from None
