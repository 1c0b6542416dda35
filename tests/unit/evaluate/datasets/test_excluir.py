"""ExcluIR as its authors publish it."""

from pathlib import Path

import pytest
from tests.benchmark_files import Fields, write_excluir, write_jsonl

from esens import Decomposition, Document
from esens.errors import InputError
from esens.evaluate.datasets import read_dataset

TEXTS = ["Tea\nA drink.", "no title", "Coffee\nAnother\ndrink."]


@pytest.mark.parametrize(("query", "index"), [("ExcluQ", "index"), ("RQ_rewrite", "corpus_sub_index")])
def test_excluir_has_the_excluded_document_first(tmp_path: Path, query: str, index: str) -> None:
    folder = write_excluir(tmp_path, TEXTS, {query: "drinks but not tea", index: [0, 2], "question0": "drinks"})
    found = read_dataset(folder)
    assert found.corpus[2] == Document("2", "Another\ndrink.", "Coffee")
    assert [document.content for document in found.corpus] == TEXTS
    (query_found,) = found.queries
    assert (query_found.id, query_found.relevant, query_found.excluded) == ("0", {"2": 1}, ("0",))
    assert found.recorded == {"oracle": [Decomposition("drinks", ("Tea",))]}


def test_excluir_as_json_lines(tmp_path: Path) -> None:
    row = {"ExcluQ": "drinks but not tea", "index": [0, 2]}
    whole = read_dataset(write_excluir(tmp_path / "whole", TEXTS, row))
    lines = write_excluir(tmp_path / "lines", TEXTS, row)
    write_jsonl(lines / "corpus.json", TEXTS)
    write_jsonl(lines / "test_manual_final.json", [row])
    assert read_dataset(lines).hash == whole.hash


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"ExcluQ": "x", "index": [0, 3]}, "item 1: position 3 is not in corpus.json, which holds 3 documents"),
        ({"ExcluQ": "x", "index": [-1, 0]}, "item 1: position -1 is not in"),
        ({"ExcluQ": "x", "index": [0]}, "item 1: needs two positions in corpus.json under 'index' or"),
        ({"ExcluQ": "x", "index": [True, 0]}, "item 1: needs two positions"),
        ({"ExcluQ": "x", "index": [1, 1]}, "item 1: .* answers it and is excluded by it"),
        ({"query": "x", "index": [0, 1]}, "item 1: needs a text under 'ExcluQ' or 'RQ_rewrite'; its fields are"),
    ],
)
def test_excluir_names_the_item(tmp_path: Path, row: Fields, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_dataset(write_excluir(tmp_path, TEXTS, row))


def test_bad_json_is_named_with_its_line(tmp_path: Path) -> None:
    folder = write_excluir(tmp_path, TEXTS)
    (folder / "corpus.json").write_text('["a",\n"b"\n"c"]')
    with pytest.raises(InputError, match=r"corpus\.json, line 3: is not JSON .*column 1"):
        read_dataset(folder)
