"""Recognise the format of a benchmark by its files, and read it."""

from pathlib import Path

from esens.errors import ArgumentError, InputError
from esens.evaluate.dataset import Dataset
from esens.evaluate.datasets import beir, boolquestions, excluir, native, nevir
from esens.evaluate.datasets.tables import TableFile, tables_of

TEST = "test"
_FORMATS = (native.LOOKS_FOR, beir.LOOKS_FOR, excluir.LOOKS_FOR, nevir.LOOKS_FOR, boolquestions.LOOKS_FOR)
# In this order: some copies of BoolQuestions have the columns of NevIR too.
_TABLES = ((boolquestions.SIGNATURE, boolquestions.read), (nevir.SIGNATURE, nevir.read))


def read_dataset(
    path: str | Path, *, split: str | None = None, excluded: str | Path | None = None, name: str | None = None
) -> Dataset:
    """Read a benchmark in any of the formats of docs/datasets.md; its files tell which.

    ``split`` (else ``test``) and ``excluded``, a qrels file of the excluded documents, are for BEIR folders.
    """
    path = Path(path)
    try:
        path.stat()
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from None
    except ValueError as error:  # a zero byte in it
        raise InputError(path, f"is no name of a file ({error})") from None
    name = name or (path.resolve().name if path.is_dir() else path.name.split(".")[0])
    if beir.fits(path):
        return beir.read(path, name, split=split or TEST, excluded=excluded)
    for argument, value in (("split", split), ("excluded", excluded)):
        if value is not None:
            raise ArgumentError(argument, f"is for BEIR folders; {path} holds no qrels folder")
    return _read(path, name)


def _read(path: Path, name: str) -> Dataset:
    if excluir.fits(path):
        return excluir.read(path, name)
    tables = tables_of(path)
    for columns, read in _TABLES:
        fitting = [table.path for table in tables if table.columns >= columns]
        if fitting:
            return read(_only(path, fitting), name)
    if native.fits(path):
        return native.read(path, name)
    raise InputError(path, _unknown_format(tables))


def _only(folder: Path, fitting: list[Path]) -> Path:
    if len(fitting) > 1:
        names = ", ".join(table.name for table in fitting)
        raise InputError(folder, f"holds several tables of one format: {names}; give the path of one of them")
    return fitting[0]


def _unknown_format(tables: list[TableFile]) -> str:
    present = "; ".join(map(str, tables)) or "no table"
    return f"holds no benchmark in a known format. It holds: {present}. Looked for: {'; '.join(_FORMATS)}"
