"""NevIR as it is published, and as tables of other kinds."""

from pathlib import Path

import pytest
from tests.benchmark_files import write_table

from esens import Document
from esens.errors import InputError
from esens.evaluate.dataset import Query
from esens.evaluate.datasets import read_dataset

PAIRS = [
    {"id": "1-2", "q1": "who?", "q2": "who not?", "doc1": 'he, "x"', "doc2": "not\the"},
    {"id": "1-3", "q1": "when?", "q2": "when not?", "doc1": "now", "doc2": "not now"},
]


@pytest.mark.parametrize("name", ["pairs.jsonl", "test.csv", "test.tsv", "test.json"])
def test_a_pair_of_nevir_is_two_queries_and_two_documents(tmp_path: Path, name: str) -> None:
    write_table(tmp_path / name, PAIRS)
    found = read_dataset(tmp_path)
    assert [query.id for query in found.queries] == ["1-2-q1", "1-2-q2", "1-3-q1", "1-3-q2"]
    assert found.queries[1] == Query("1-2-q2", "who not?", {"1-2-doc2": 1}, ("1-2-doc1",), pair="1-2")
    assert found.corpus[:2] == (Document("1-2-doc1", 'he, "x"'), Document("1-2-doc2", "not\the"))
    assert found.gold.position.reshape(-1, 2).tolist() == [[0, 1], [1, 0], [2, 3], [3, 2]]
    assert read_dataset(tmp_path / name).hash == found.hash


def test_of_several_tables_one_must_be_named(tmp_path: Path) -> None:
    for name in ("test.csv", "train.csv"):
        write_table(tmp_path / name, PAIRS)
    with pytest.raises(InputError, match=r"several tables of one format: test\.csv, train\.csv"):
        read_dataset(tmp_path)
    assert len(read_dataset(tmp_path / "train.csv").queries) == 4


def test_a_pair_without_a_document_or_with_an_old_id_is_named(tmp_path: Path) -> None:
    write_table(tmp_path / "a.csv", [PAIRS[0], PAIRS[1] | {"doc2": ""}])
    with pytest.raises(InputError, match=r"a\.csv, line 3: needs a text under 'doc2'"):
        read_dataset(tmp_path / "a.csv")
    write_table(tmp_path / "b.jsonl", [PAIRS[0], PAIRS[0]])
    with pytest.raises(InputError, match=r"b\.jsonl, line 2: id '1-2-q1' stands on line 1 already"):
        read_dataset(tmp_path / "b.jsonl")
