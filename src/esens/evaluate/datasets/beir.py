"""BEIR's form: ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/SPLIT.tsv``.

Where queries exclude something, as in NegConstraint, the excluded documents are a second qrels file: one of
``EXCLUDED``, or one that is named. A grade of 0 or less says that a document is neither answer nor excluded.
"""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from esens.errors import InputError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets import native
from esens.evaluate.datasets.qrels import Judgement, read_judgements
from esens.evaluate.datasets.queries import check_judged, notes_on, queries_of
from esens.evaluate.datasets.tables import DatasetRow, read_rows
from esens.evaluate.datasets.trec import Qrels, judged
from esens.ingest import read_documents
from esens.types import Document

LOOKS_FOR = "BEIR: a folder with corpus.jsonl, queries.jsonl and a folder qrels"
QRELS = "qrels"
OF_ALL_SPLITS = "excluded.tsv"
EXCLUDED = ("{split}.excluded.tsv", "{split}_excluded.tsv", "excluded.{split}.tsv", OF_ALL_SPLITS)


def fits(path: Path) -> bool:
    """Return whether the folder has queries and judgements."""
    return native.fits(path) and (path / QRELS).is_dir()


def read(folder: Path, name: str, *, split: str, excluded: str | Path | None) -> Dataset:
    """Read one split; queries without any judgement are left out, as BEIR does, and the notes say how many."""
    corpus = tuple(read_documents(folder / native.CORPUS, allow_empty=True))
    documents = {document.id: document for document in corpus}
    every = queries_of(folder / native.QUERIES, read_rows(folder / native.QUERIES), _query, None)
    ids = {query.id for query in every}
    relevant = _grades(read_judgements(_qrels(folder, split)), ids, documents)
    without = _excluded(folder, split, excluded, relevant, ids, documents)
    queries = tuple(
        judged(query, relevant.get(query.id, {}), without.get(query.id, {}))
        for query in every
        if query.id in relevant or query.id in without
    )
    if not queries:
        raise InputError(_qrels(folder, split), "holds no judgements")
    return Dataset(name, queries, corpus, (*_notes(len(every) - len(queries), split), *notes_on(corpus)))


def _query(row: DatasetRow, position: int) -> tuple[Query]:
    twice = [field for field in (*native.JUDGEMENTS, *native.SETS) if row.under(field) is not None]
    if twice:
        raise row.error(f"has a judgement under {twice[0]!r}, and the folder has qrels; keep one of them")
    return (native.without_judgements(row, position),)


def _qrels(folder: Path, split: str) -> Path:
    path = folder / QRELS / f"{split}.tsv"
    if not path.is_file():
        splits = sorted(file.stem for file in path.parent.glob("*.tsv") if "excluded" not in file.stem)
        raise InputError(path, f"No such file; the splits of this folder are: {', '.join(splits) or 'none'}")
    return path


def _excluded(
    folder: Path,
    split: str,
    named: str | Path | None,
    relevant: Qrels,
    ids: Container[str],
    documents: Mapping[str, Document],
) -> Qrels:
    usual = (folder / QRELS / name.format(split=split) for name in EXCLUDED)
    path = Path(named) if named is not None else next((path for path in usual if path.is_file()), None)
    if path is None:
        return {}
    grades = _grades(_no_answers(read_judgements(path), relevant), ids, documents)
    if not any(grade > 0 for of_query in grades.values() for grade in of_query.values()):
        raise InputError(path, "excludes nothing: an excluded document has a grade above 0")
    if named is None and path.name == OF_ALL_SPLITS:  # so the qrels say which queries are of this split
        return {query: of_query for query, of_query in grades.items() if query in relevant}
    return grades


def _grades(
    judgements: Iterator[Judgement], ids: Container[str], documents: Mapping[str, Document]
) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for row, query, document, grade in judgements:
        if query not in ids:
            raise row.error(f"judges query {query!r}, which {native.QUERIES} does not hold")
        check_judged(row, document, documents.get(document))
        grades.setdefault(query, {})[document] = grade
    return grades


def _no_answers(judgements: Iterator[Judgement], relevant: Qrels) -> Iterator[Judgement]:
    for judgement in judgements:
        row, query, document, grade = judgement
        if grade > 0 and relevant.get(query, {}).get(document, 0) > 0:
            raise row.error(f"query {query!r} excludes document {document!r}, which answers it")
        yield judgement


def _notes(left_out: int, split: str) -> tuple[str, ...]:
    return (f"{left_out:,} queries without a judgement in {split!r} are left out",) if left_out else ()
