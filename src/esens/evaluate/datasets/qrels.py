"""Judgements, one a line: TREC's (``query 0 document grade``), BEIR's (with a header), or mteb's (JSONL)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from esens.evaluate.datasets.tables import DatasetRow, read_rows
from esens.ingest import read_lines
from esens.messages import quoted

_TREC = ("query", "0", "document", "grade")
_BEIR = ("query-id", "corpus-id", "score")
COLUMNS = frozenset(_BEIR[:2])
"""By which a table is known to hold judgements."""
JSON_LINES = (".jsonl", ".ndjson")
_WHOLE = re.compile(r"([+-]?[0-9]+)(?:\.0*)?")


class Judgement(NamedTuple):
    """Where it stands, which document is judged for which query, and the grade."""

    row: DatasetRow
    query: str
    document: str
    grade: int


def read_judgements(path: Path) -> Iterator[Judgement]:
    """Yield the judgements of a file, gzipped or not; three columns on its first line are BEIR's header."""
    seen: dict[tuple[str, str], int] = {}
    if set(path.suffixes) & set(JSON_LINES):
        for row in read_rows(path):
            judgement = _of_object(row)
            check_first(row, seen, (judgement.query, judgement.document))
            yield judgement
        return
    beir = False
    for line, text in enumerate(read_lines(path), start=1):
        row = DatasetRow(path, line, text)
        if not seen and not beir and len(_cells(text)) == len(_BEIR):
            _check_header(row)
            beir = True
        elif text.strip():
            judgement = _judgement(row, beir)
            check_first(row, seen, (judgement.query, judgement.document))
            yield judgement


def _of_object(row: DatasetRow) -> Judgement:
    """Return the judgement of a line as mteb writes it: an object with the fields that BEIR has as columns."""
    query, document = (row.id(name) for name in _BEIR[:2])
    score = row.fields.get(_BEIR[2])
    grade = None if isinstance(score, bool) else _WHOLE.fullmatch(str(score))
    if query is None or document is None or grade is None:
        got = ", ".join(f"{name!r}: {quoted(value)}" for name, value in row.fields.items())
        raise row.error(f"needs the fields {', '.join(_BEIR)}, the last a whole number; it has {got or 'none'}")
    return Judgement(row, query, document, int(grade[1]))


def check_first(row: DatasetRow, seen: dict[tuple[str, str], int], key: tuple[str, str]) -> None:
    """Raise if this document was there before for this query; remember it otherwise."""
    if key in seen:
        raise row.error(f"document {key[1]!r} of query {key[0]!r} stands on line {seen[key]} already; keep one")
    seen[key] = row.number


def _judgement(row: DatasetRow, beir: bool) -> Judgement:
    names = _BEIR if beir else _TREC
    cells = _cells(row.value) if beir else row.value.split()
    if len(cells) != len(names) or not all(cells):
        raise row.error(f"needs {len(names)} columns ({' '.join(names)}), got {len(cells)}: {row.value!r}")
    grade = _WHOLE.fullmatch(cells[-1])
    if not grade:
        raise row.error(f"the grade must be a whole number, got {cells[-1]!r}")
    return Judgement(row, cells[0], cells[-2], int(grade[1]))


def _check_header(row: DatasetRow) -> None:
    # Readers of BEIR skip the first line whatever it says, so without a header they would lose a judgement.
    if _WHOLE.fullmatch(_cells(row.value)[-1]):
        raise row.error(f"the header is missing; the first line of such a file is: {' '.join(_BEIR)}")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().split("\t")] if "\t" in line else line.split()
