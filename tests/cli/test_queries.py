"""Files of queries: what ``esens decompose`` reads, and a line of JSON for each."""

import io
import json
from pathlib import Path

import pytest

from esens.cli.main import main


def _decompose(path: Path | str, *options: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    assert main(["decompose", str(path), "--json", *options]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(next(iter(row)) == "query" for row in rows)
    return [(row["query"], row["target"]) for row in rows]


EXPECTED = [("tea without milk", "tea"), ("coffee, black", "coffee, black")]


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("a.txt", "tea without milk\n\ncoffee, black\n", []),
        ("a.csv", 'id,query\n1,tea without milk\n2,"coffee, black"\n', []),
        ("a.csv", 'text,year\ntea without milk,2001\n"coffee, black",2002\n', []),
        ("a.tsv", "query\tid\ntea without milk\t1\ncoffee, black\t2\n", []),
        ("a.csv", "question;id\ntea without milk;1\ncoffee, black;2\n", ["--query-field", "question"]),
        ("a.jsonl", '{"query": "tea without milk"}\n{"text": "coffee, black"}\n', []),
        ("a.jsonl", '{"q": "tea without milk"}\n{"q": "coffee, black"}\n', ["--query-field", "q"]),
        ("queries", 'id,query\n1,tea without milk\n2,"coffee, black"\n', ["--format", "csv"]),
        ("queries", 'id,query\n1,tea without milk\n2,"coffee, black"\n', []),
        ("a.json", '[{"query": "tea without milk"},\n {"text": "coffee, black"}]\n', []),
        ("a.md", "tea without milk\ncoffee, black\n", []),
    ],
)
def test_a_row_is_a_query(
    name: str, content: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(content)
    assert _decompose(tmp_path / name, *options, capsys=capsys) == EXPECTED


def test_a_number_is_a_query_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("query,id\n1984,1\n")
    assert _decompose(tmp_path / "a.csv", capsys=capsys) == [("1984", "1984")]


def test_standard_input_may_be_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"query,id\ntea without milk,1\n")))
    assert _decompose("-", capsys=capsys) == EXPECTED[:1]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("name,id\ntea,1\n", [], "line 2: needs a query under 'query' or 'text'; its fields are: name, id"),
        ("name,id\ntea,1\n", ["--query-field", "q"], "line 2: needs a query under 'q'; its fields are: name, id"),
        ("query,id\n,1\n", [], "line 2: needs a query under 'query' or 'text'"),
    ],
)
def test_a_row_without_a_query_is_named(
    content: str, options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text(content)
    assert main(["decompose", str(tmp_path / "a.csv"), *options]) == 3
    err = capsys.readouterr().err
    assert message in err
    assert "--query-field" in err


@pytest.mark.parametrize("option", [["--format", "csv"], ["--query-field", "q"]])
def test_options_of_a_file_need_one(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompose", "tea without milk", *option]) == 2
    assert f"{option[0]}: is for a file of queries" in capsys.readouterr().err
