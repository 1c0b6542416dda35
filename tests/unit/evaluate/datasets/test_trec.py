"""TREC's qrels and runs."""

import gzip
from pathlib import Path

import pytest

from esens.errors import InputError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets import dataset_of_qrels, read_qrels, read_run


def test_qrels_and_runs(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 2\n1\t0\tb  0\n\n2 0 a 1\n")
    (tmp_path / "run.gz").write_bytes(gzip.compress(b"1 Q0 b 1 0.5 me\n1 Q0 a 2 7e-1 me\n"))
    assert read_qrels(tmp_path / "qrels") == {"1": {"a": 2, "b": 0}, "2": {"a": 1}}
    assert read_run(tmp_path / "run.gz") == {"1": [("b", 0.5), ("a", 0.7)]}
    (tmp_path / "short.gz").write_bytes((tmp_path / "run.gz").read_bytes()[:-12])
    with pytest.raises(InputError, match="is not a whole gzip file"):
        read_run(tmp_path / "short.gz")


def test_a_dataset_of_qrels_has_no_texts() -> None:
    found = dataset_of_qrels({"1": {"a": 2, "b": 0}}, {"1": {"c": 1}, "2": {"a": 1}}, name="mine")
    assert found == Dataset("mine", (Query("1", "", {"a": 2}, ("c",)), Query("2", "", {}, ("a",))))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1 Q0 a 1 0.5", "needs 6 columns .* got 5"),
        ("1 Q0 a first 0.5 me", "the rank must be a whole number, got 'first'"),
        ("1 Q0 a 1 high me", "the score must be a number, got 'high'"),
        ("1 Q0 a 1 nan me", "the score must be a finite number"),
        ("1 Q0 z 2 0.1 me", "document 'z' of query '1' stands on line 1 already"),
    ],
)
def test_a_bad_line_of_a_run_is_named(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "run").write_text(f"1 Q0 z 1 0.9 me\n{line}\n")
    with pytest.raises(InputError, match=f"line 2: {problem}"):
        read_run(tmp_path / "run")


@pytest.mark.parametrize("line", ["1 0 a", "1 0 a 1 1", "1 0 a x", "1 0 z 1", "1 0 a 1.5"])
def test_a_bad_line_of_qrels_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "qrels").write_text(f"1 0 z 1\n{line}\n")
    with pytest.raises(InputError, match="line 2: ") as raised:
        read_qrels(tmp_path / "qrels")
    assert raised.value.line == 2


def test_empty_files_of_trec_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(InputError, match="holds no judgements"):
        read_qrels(tmp_path / "empty")
    with pytest.raises(InputError, match="holds no results"):
        read_run(tmp_path / "empty")
