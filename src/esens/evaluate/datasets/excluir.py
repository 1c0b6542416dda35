"""ExcluIR as its authors publish it (https://arxiv.org/abs/2404.17288).

``corpus.json`` is a list of texts, the title on the first line; ``test_manual_final.json`` a list of objects. The
position in a list is the id. Of the two positions of a query, the excluded document comes first.
"""

from pathlib import Path

from esens.errors import ArgumentError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets.queries import notes_on, queries_of
from esens.evaluate.datasets.tables import DatasetRow, find_file, read_rows
from esens.types import Decomposition, Document

LOOKS_FOR = "ExcluIR: a folder with corpus.json and test_manual_final.json"
CORPUS, QUERIES = "corpus.json", "test_manual_final.json"
ORACLE = "oracle"
_TEXT = ("ExcluQ", "RQ_rewrite")
_POSITIONS = ("index", "corpus_sub_index")


def fits(path: Path) -> bool:
    """Return whether the folder has both files."""
    return find_file(path, CORPUS) is not None and find_file(path, QUERIES) is not None


def read(folder: Path, name: str) -> Dataset:
    """Read both files; the original question and the excluded title are a decomposition recorded as ``oracle``."""
    documents, path = (find_file(folder, name) or folder / name for name in (CORPUS, QUERIES))
    corpus = tuple(_document(row, number) for number, row in enumerate(read_rows(documents)))

    def query(row: DatasetRow, position: int) -> tuple[Query]:
        excluded, answer = _positions(row, len(corpus))
        recorded = _oracle(row, corpus[excluded])
        return (Query(str(position), row.text(*_TEXT), {str(answer): 1}, (str(excluded),), recorded=recorded),)

    queries = queries_of(path, read_rows(path), query, corpus)
    return Dataset(name, queries, corpus, notes_on(corpus))


def _document(row: DatasetRow, position: int) -> Document:
    if not isinstance(row.value, str):
        return Document(str(position), row.text("text"), row.text("title") if row.under("title") else "")
    title, _, text = row.readable(row.value).partition("\n")
    # Without a title there is nothing to set apart: what is embedded stays the text as it was published.
    return Document(str(position), text, title) if title.strip() and text else Document(str(position), row.value)


def _positions(row: DatasetRow, documents: int) -> list[int]:
    pair = row.under(*_POSITIONS)
    if not isinstance(pair, list) or len(pair) != 2 or not all(type(position) is int for position in pair):
        wanted = " or ".join(map(repr, _POSITIONS))
        listed = ", ".join(map(repr, row.fields)) or "none"
        problem = f"needs two positions in {CORPUS} under {wanted}, the excluded document first"
        raise row.error(f"{problem}; its fields are: {listed}")
    for position in pair:
        if not 0 <= position < documents:
            raise row.error(f"position {position} is not in {CORPUS}, which holds {documents:,} documents")
    return pair


def _oracle(row: DatasetRow, excluded: Document) -> dict[str, Decomposition]:
    if not row.under("question0") or not excluded.title:
        return {}
    try:
        return {ORACLE: Decomposition(row.text("question0").strip(), (excluded.title.strip(),))}
    except ArgumentError as error:
        raise row.error(error.problem) from None
