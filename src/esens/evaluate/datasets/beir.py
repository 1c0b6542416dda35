"""BEIR's form: ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/SPLIT.tsv``.

What goes round differs in where the judgements are: NegConstraint has ``test.tsv`` beside the queries, mteb's sets
(LIMIT, NevIR, …) have ``qrels.jsonl`` or ``qrels/SPLIT.jsonl``; any of the files may be gzipped.

Where queries exclude something, the excluded documents are a second qrels file: one of ``EXCLUDED``, or one that
is named. A grade of 0 or less says that a document is neither answer nor excluded.
"""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from esens.errors import InputError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets import native
from esens.evaluate.datasets.qrels import COLUMNS, Judgement, read_judgements
from esens.evaluate.datasets.queries import check_judged, notes_on, queries_of
from esens.evaluate.datasets.tables import DatasetRow, find_file, read_rows, tables_of
from esens.evaluate.datasets.trec import Qrels, judged
from esens.ingest import read_documents
from esens.types import Document

LOOKS_FOR = (
    "BEIR and mteb: a folder with corpus.jsonl, queries.jsonl and judgements (query-id, corpus-id, score) in "
    "qrels/test.tsv, qrels/test.jsonl, qrels.jsonl or test.tsv"
)
QRELS = "qrels"
TEST = "test"
OF_A_SPLIT = ("qrels/{split}.tsv", "qrels/{split}.jsonl", "{split}.tsv", "{split}.jsonl")
WITHOUT_SPLITS = ("qrels.jsonl", "qrels.tsv")
TOP_RANKED = "top_ranked.jsonl"
OF_ALL_SPLITS = "excluded.tsv"
EXCLUDED = ("{split}.excluded.tsv", "{split}_excluded.tsv", "excluded.{split}.tsv", OF_ALL_SPLITS)


def fits(path: Path) -> bool:
    """Return whether the folder has queries and judgements."""
    return native.fits(path) and ((path / QRELS).is_dir() or bool(_qrels_files(path)))


def read(folder: Path, name: str, *, split: str, excluded: str | Path | None) -> Dataset:
    """Read one split; queries without any judgement are left out, as BEIR does, and the notes say how many."""
    documents_file = find_file(folder, native.CORPUS) or folder / native.CORPUS
    corpus = tuple(read_documents(documents_file, allow_empty=True))
    documents = {document.id: document for document in corpus}
    queries_file, qrels = native.queries_file(folder), _qrels(folder, split)
    every = queries_of(queries_file, read_rows(queries_file), _query, None)
    ids = {query.id for query in every}
    relevant = _grades(read_judgements(qrels), ids, documents)
    without = _excluded(folder, split, excluded, relevant, ids, documents)
    queries = tuple(
        judged(query, relevant.get(query.id, {}), without.get(query.id, {}))
        for query in every
        if query.id in relevant or query.id in without
    )
    if not queries:
        raise InputError(qrels, "holds no judgements")
    left_out = len(every) - len(queries)
    return Dataset(name, queries, corpus, (*_notes(folder, left_out, qrels), *notes_on(corpus)))


def _query(row: DatasetRow, position: int) -> tuple[Query]:
    twice = [field for field in (*native.JUDGEMENTS, *native.SETS) if row.under(field) is not None]
    if twice:
        raise row.error(f"has a judgement under {twice[0]!r}, and the folder has qrels; keep one of them")
    return (native.without_judgements(row, position),)


def _qrels(folder: Path, split: str) -> Path:
    """Return the file of a split's judgements; one without splits holds those of the usual split."""
    path = find_file(folder, *(name.format(split=split) for name in OF_A_SPLIT))
    whole = find_file(folder, *WITHOUT_SPLITS)
    if path is None and whole is not None and split == TEST:
        return whole
    if path is None:
        files = [file for file in _qrels_files(folder) if file != whole]
        splits = sorted({file.name.partition(".")[0] for file in files})
        there = f"the splits of this folder are: {', '.join(splits) or 'none'}"
        advice = f"; {whole.name} has no splits, so name none" if whole is not None else ""
        raise InputError(folder / QRELS / f"{split}.tsv", f"No such file; {there}{advice}")
    return path


def _qrels_files(folder: Path) -> list[Path]:
    """Return the files that hold judgements of answers: those in the folder qrels, and others that say so."""
    inside = [table.path for table in tables_of(folder / QRELS)] if (folder / QRELS).is_dir() else []
    at_the_root = [table.path for table in tables_of(folder) if table.columns >= COLUMNS]
    return [path for path in (*inside, *at_the_root) if "excluded" not in path.name]


def _excluded(
    folder: Path,
    split: str,
    named: str | Path | None,
    relevant: Qrels,
    ids: Container[str],
    documents: Mapping[str, Document],
) -> Qrels:
    usual = [form for name in EXCLUDED for form in _forms(name.format(split=split))]
    path = Path(named) if named is not None else find_file(folder, *usual)
    if path is None:
        return {}
    grades = _grades(_no_answers(read_judgements(path), relevant), ids, documents)
    if not any(grade > 0 for of_query in grades.values() for grade in of_query.values()):
        raise InputError(path, "excludes nothing: an excluded document has a grade above 0")
    if named is None and path.name.removesuffix(".gz") in _forms(
        OF_ALL_SPLITS
    ):  # so the qrels say which are of this one
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


def _forms(name: str) -> Iterator[str]:
    """Yield where a file of exclusions may stand, and how it may be written."""
    for place in (f"{QRELS}/{name}", name):
        yield from (place, place.replace(".tsv", ".jsonl"))


def _notes(folder: Path, left_out: int, qrels: Path) -> Iterator[str]:
    if left_out:
        yield f"{left_out:,} queries without a judgement in {qrels.name.partition('.')[0]!r} are left out"
    if find_file(folder, TOP_RANKED) is not None:
        yield f"{TOP_RANKED} is not read: every document is ranked for every query"
