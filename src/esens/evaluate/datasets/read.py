"""Tell what a path holds by looking at it, and read that."""

from pathlib import Path

from esens.errors import ArgumentError, InputError
from esens.evaluate.dataset import Dataset
from esens.evaluate.datasets import beir, boolquestions, excluir, nevir
from esens.evaluate.datasets import native as own
from esens.evaluate.datasets.tables import TableFile, tables_of

TEST = "test"
_LOOKED_FOR = (own.LOOKS_FOR, beir.LOOKS_FOR, excluir.LOOKS_FOR, nevir.LOOKS_FOR, boolquestions.LOOKS_FOR)
# In this order: copies of BoolQuestions go round that have the columns of NevIR too.
_TABLES = ((boolquestions.TOLD_BY, boolquestions.read), (nevir.TOLD_BY, nevir.read))


def read_dataset(
    path: str | Path, *, split: str | None = None, excluded: str | Path | None = None, name: str | None = None
) -> Dataset:
    """Read a benchmark in any form that we know; its files tell which (docs/datasets.md has a table of them).

    ``split`` (else ``test``) and ``excluded``, a qrels file of the excluded documents, are for BEIR folders.
    """
    given = Path(path)
    if not given.exists():
        raise InputError(given, "No such file or directory")
    called = name or (given.resolve().name if given.is_dir() else given.name.split(".")[0])
    if beir.fits(given):
        return beir.read(given, called, split=split or TEST, excluded=excluded)
    for argument, value in (("split", split), ("excluded", excluded)):
        if value is not None:
            raise ArgumentError(argument, f"is for BEIR folders; {given} holds no qrels folder")
    return _read(given, called)


def _read(given: Path, name: str) -> Dataset:
    if excluir.fits(given):
        return excluir.read(given, name)
    tables = tables_of(given)
    for columns, read in _TABLES:
        fitting = [table.path for table in tables if table.columns >= columns]
        if fitting:
            return read(_only(given, fitting), name)
    if own.fits(given):
        return own.read(given, name)
    raise InputError(given, _nothing_known(tables))


def _only(given: Path, fitting: list[Path]) -> Path:
    if len(fitting) > 1:
        names = ", ".join(table.name for table in fitting)
        raise InputError(given, f"holds several tables of one form: {names}; give the path of one of them")
    return fitting[0]


def _nothing_known(tables: list[TableFile]) -> str:
    looked = "\n".join(f"  - {form}" for form in _LOOKED_FOR)
    found = "\n".join(f"  - {table}" for table in tables) or "  - no table"
    return f"holds no benchmark that we know. Looked for:\n{looked}\nfound:\n{found}"
