"""Benchmarks as files, in the formats that people have them in."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHARED

Fields = Mapping[str, Any]


def write_jsonl(path: Path, rows: Iterable[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_delimited(path: Path, rows: Sequence[Fields], delimiter: str) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def write_table(path: Path, rows: Sequence[Fields]) -> None:
    if path.suffix in (".csv", ".tsv"):
        write_delimited(path, rows, "," if path.suffix == ".csv" else "\t")
    elif path.suffix == ".json":
        path.write_text(json.dumps(list(rows), indent=1), encoding="utf-8")
    else:
        write_jsonl(path, rows)


def shared_benchmark(name: str) -> Path:
    if not (SHARED / name).is_dir():
        pytest.skip(f"the shared benchmark {name} is not beside the project")
    return SHARED / name


CORPUS = [{"_id": "a", "title": "A", "text": "one"}, {"_id": "b", "text": "two"}, {"_id": "c", "text": "three"}]


def write_native(folder: Path, *queries: Fields, corpus: list[dict[str, str]] | None = CORPUS) -> Path:
    write_jsonl(folder / "queries.jsonl", queries)
    if corpus is not None:
        write_jsonl(folder / "corpus.jsonl", corpus)
    return folder


def write_excluir(folder: Path, corpus: object, *rows: Fields) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "corpus.json").write_text(json.dumps(corpus), encoding="utf-8")
    (folder / "test_manual_final.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder
