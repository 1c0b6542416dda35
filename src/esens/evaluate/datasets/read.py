"""Recognise the format of a benchmark by its files, and read it."""

from pathlib import Path

from esens.errors import ArgumentError, InputError
from esens.evaluate.dataset import Dataset
from esens.evaluate.datasets import beir, boolquestions, excluir, native, nevir, quest
from esens.evaluate.datasets.tables import TableFile, tables_of

TEST = beir.TEST
_FORMATS = tuple(form.LOOKS_FOR for form in (native, beir, excluir, nevir, boolquestions, quest))


def read_dataset(
    path: str | Path, *, split: str | None = None, excluded: str | Path | None = None, name: str | None = None
) -> Dataset:
    """Read a benchmark in any of the formats of docs/datasets.md; its files tell which.

    ``split`` is that of a folder of BEIR, mteb or QUEST (else ``test``), or a question type of BoolQuestions (else
    ``not``). ``excluded``, a qrels file of the excluded documents, is for folders of BEIR and mteb.
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
    if excluded is not None:
        raise ArgumentError("excluded", f"is for folders of BEIR and mteb; {path} holds no file of judgements")
    return _read(path, name, split)


def _read(path: Path, name: str, split: str | None) -> Dataset:
    if excluir.fits(path):
        _refuse_split(path, split)
        return excluir.read(path, name)
    tables = tables_of(path)
    # In this order: some copies of BoolQuestions have the columns of NevIR too.
    if fitting := _fitting(tables, boolquestions.SIGNATURE):
        return boolquestions.read(_only(path, fitting), name, split)
    if fitting := _fitting(tables, quest.SIGNATURE):
        return quest.read(_of_split(path, fitting, split), name)
    _refuse_split(path, split)
    if fitting := _fitting(tables, nevir.SIGNATURE):
        return nevir.read(_only(path, fitting), name)
    if native.fits(path):
        return native.read(path, name)
    raise InputError(path, _unknown_format(tables))


def _fitting(tables: list[TableFile], columns: frozenset[str]) -> list[Path]:
    return [table.path for table in tables if table.columns >= columns]


def _refuse_split(path: Path, split: str | None) -> None:
    if split is not None:
        raise ArgumentError("split", f"is for BEIR, mteb, QUEST and BoolQuestions; {path} has no splits")


def _of_split(path: Path, fitting: list[Path], split: str | None) -> Path:
    """Return the table of a split; one that was named itself, or stands alone, is the one."""
    if split is None and (path.is_file() or len(fitting) == 1):
        return fitting[0]
    named = [table for table in fitting if table.name.partition(".")[0] == (split or TEST)]
    if not named:
        splits = ", ".join(table.name.partition(".")[0] for table in fitting)
        raise InputError(path, f"has no split {split or TEST!r}; its splits are: {splits}")
    return named[0]


def _only(folder: Path, fitting: list[Path]) -> Path:
    if len(fitting) > 1:
        names = ", ".join(table.name for table in fitting)
        raise InputError(folder, f"holds several tables of one format: {names}; give the path of one of them")
    return fitting[0]


def _unknown_format(tables: list[TableFile]) -> str:
    present = "; ".join(map(str, tables)) or "no table"
    return f"holds no benchmark in a known format. It holds: {present}. Looked for: {'; '.join(_FORMATS)}"
