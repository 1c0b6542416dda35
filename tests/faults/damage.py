"""Files of an index that are damaged: a bit flipped, cut, zeroed, swapped with another, removed.

Every case is a copy of an index with one file damaged. It is opened, searched with and without filters, and all of
its documents are looked up; then ``esens check`` looks at it.
"""

import json
import random
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from esens.errors import EsensError
from esens.index import check_index, open_index, prepare_index
from esens.index.filters import parse_filter
from esens.types import Document
from tests.faults.record import CLEAR_ERROR, FINE, NOTICED, RAW, WRONG, FaultRecord, in_time

DIMENSION, COUNT = 24, 120
KINDS = ("bit", "cut", "zero", "swap", "remove")
QUERIES = np.random.default_rng(1).standard_normal((4, DIMENSION)).astype(np.float32)
FILTERS = (None, {"n": {"<": 40}}, {"topic": "t3"})

Answers = list[Any]


def lance(cases: int, seed: int) -> FaultRecord:
    """Damage files of an index in a folder, its journal among them."""
    return _damaged("damaged Lance folder", _make_lance, lambda path: f"{path}/my.lance", cases, seed)


def lance_data(cases: int, seed: int) -> FaultRecord:
    """Damage files of a folder that hold documents."""
    return _damaged(
        "damaged Lance data file", _make_lance, lambda path: f"{path}/my.lance", cases, seed, only="/data/"
    )


def faiss(cases: int, seed: int) -> FaultRecord:
    """Damage files of faiss whose hashes were recorded."""
    return _damaged("damaged faiss files", _make_faiss, lambda path: f"faiss:{path}/v", cases, seed)


def usearch(cases: int, seed: int) -> FaultRecord:
    """Damage files of usearch whose hashes were recorded."""
    return _damaged("damaged usearch files", _make_usearch, lambda path: f"usearch:{path}/v", cases, seed)


def unrecorded_faiss(cases: int, seed: int) -> FaultRecord:
    """Damage files of faiss as their user wrote them: nobody can notice every damage."""
    return _damaged(
        "damaged faiss files without hashes",
        lambda folder: _make_faiss(folder, is_recorded=False),
        lambda path: f"faiss:{path}/v",
        cases,
        seed,
    )


def _damaged(
    fault: str,
    make: Callable[[Path], None],
    spec: Callable[[Path], str],
    cases: int,
    seed: int,
    *,
    only: str = "",
) -> FaultRecord:
    record, chance = FaultRecord(fault, seed), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        whole, copy = Path(name, "whole"), Path(name, "copy")
        whole.mkdir()
        make(whole)
        right = _answers(spec(whole))
        for number in in_time(cases):
            shutil.copytree(whole, copy)
            files = sorted(path for path in copy.rglob("*") if _counts(path) and only in str(path))
            path, kind = chance.choice(files), KINDS[number % len(KINDS)]
            where = _damage(path, kind, files, chance)
            case = f"seed {seed}, case {number}: {kind} {path.relative_to(copy)} {where}"
            record.add(_outcome(spec(copy), right), case)
            shutil.rmtree(copy)
    return record


def _counts(path: Path) -> bool:
    """Whether a file is one that damage can do something to; lock and transactions are not read."""
    return path.is_file() and path.stat().st_size > 0 and "_transactions" not in path.parts


def _outcome(spec: str, right: Answers) -> str:
    try:
        is_right = _answers(spec) == right
    except EsensError:
        return CLEAR_ERROR
    except Exception:  # noqa: BLE001 - that is what is counted
        return RAW
    try:
        is_noticed = not check_index(spec).is_sound
    except EsensError:
        is_noticed = True
    except Exception:  # noqa: BLE001
        return RAW
    return NOTICED if is_noticed else FINE if is_right else WRONG


def _answers(spec: str) -> Answers:
    """Return all that an index says: to searches, and of every document."""
    index: Any = open_index(spec)
    try:
        answers: Answers = []
        for given in FILTERS:
            where = parse_filter(given) if given else None
            for near in index.nearest(QUERIES, 10, where=where, with_vectors=True):
                answers.append((near.documents, near.scores.tolist(), near.vectors.tolist()))
            answers.append([tuple(range_) for range_ in index.score_ranges(QUERIES, where=where)])
        (everything,) = index.nearest(QUERIES[:1], 2 * COUNT)
        return [*answers, everything.documents, everything.scores.tolist()]
    finally:
        index.close()


def _damage(path: Path, kind: str, files: Sequence[Path], chance: random.Random) -> str:
    content = bytearray(path.read_bytes())
    at = chance.randrange(len(content))
    if kind == "bit":
        content[at] ^= 1 << chance.randrange(8)
    elif kind == "cut":
        del content[at:]
    elif kind == "zero":
        content[at : at + 512] = bytes(len(content[at : at + 512]))
    elif kind == "swap":
        other = chance.choice([file for file in files if file.suffix == path.suffix])
        content = bytearray(other.read_bytes())
        other.write_bytes(path.read_bytes())
        path.write_bytes(content)
        return f"with {other.name}"
    if kind == "remove":
        path.unlink()
    else:
        path.write_bytes(content)
    return f"at {at}"


def _documents() -> list[Document]:
    return [
        Document(f"d{n}", f"Text number {n} about tea. " * 3, f"Title {n}", {"n": n, "topic": f"t{n % 7}"})
        for n in range(COUNT)
    ]


def _vectors() -> np.ndarray:
    rows = np.random.default_rng(0).standard_normal((COUNT, DIMENSION)).astype(np.float32)
    unit: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _make_lance(folder: Path) -> None:
    index = prepare_index(str(folder / "my.lance"), dimension=DIMENSION)
    documents, vectors = _documents(), _vectors()
    for start in range(0, COUNT, 40):
        index.upsert(documents[start : start + 40], vectors[start : start + 40])
    index.upsert([Document("d5", "changed")], vectors[:1])
    index.delete(["d7", "d50", "d90"])
    index.close()


def _make_faiss(folder: Path, *, is_recorded: bool = True) -> None:
    import faiss as library

    index = library.IndexHNSWFlat(DIMENSION, 8, library.METRIC_INNER_PRODUCT)
    index.add(_vectors())
    library.write_index(index, str(folder / "v"))
    _write_documents(folder / "v.jsonl")
    if is_recorded:
        check_index(f"faiss:{folder}/v", record=True)


def _make_usearch(folder: Path) -> None:
    from usearch.index import Index

    index = Index(ndim=DIMENSION, metric="cos", dtype="f32")
    index.add(np.arange(COUNT), _vectors(), threads=1)
    index.save(folder / "v")
    _write_documents(folder / "v.jsonl")
    check_index(f"usearch:{folder}/v", record=True)


def _write_documents(path: Path) -> None:
    rows = ({"id": d.id, "title": d.title, "text": d.text, **d.metadata} for d in _documents())
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
