"""What the commands read, and what they say of that which they do not."""

import json
from pathlib import Path

import pytest

from esens.cli.main import main

QUERY = "ways of making coffee, excluding espresso"
ROWS = [
    {"key": "espresso", "name": "Espresso", "body": "Espresso forces hot water through ground coffee.", "s": 3},
    {"key": "filter", "name": "Filter", "body": "Filter coffee drips through a paper cone.", "s": 2},
    {"key": "filter", "name": "Again", "body": "Filter coffee drips through a paper cone.", "s": 2},
    {"key": "press", "name": "Press", "body": "A French press steeps coarse coffee grounds.", "s": 1},
]
CHOSEN = ["--id-field", "key", "--title-field", "name", "--text-field", "body"]


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS) + "{\n")
    return str(path)


@pytest.mark.parametrize("options", [["search"], ["rerank", "--scores", "s"]])
def test_fields_are_chosen_and_bad_rows_skipped(
    options: list[str], rows: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *more = options
    assert main([command, rows, QUERY, "--json", "--skip-bad", *CHOSEN, *more]) == 0
    printed = capsys.readouterr()
    hits = json.loads(printed.out)["hits"]
    assert {(hit["id"], hit["title"]) for hit in hits} == {
        ("espresso", "Espresso"),
        ("filter", "Filter"),
        ("press", "Press"),
    }
    first, second, last = printed.err.splitlines()
    assert first == f"esens: skipped: {rows}, line 3: id 'filter' stands on line 2 already; ids must be unique"
    assert second.startswith(f"esens: skipped: {rows}, line 5: is not JSON")
    assert last == "esens: skipped 2 bad of 5 rows"


def test_a_bad_row_ends_the_command_unless_skipped(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", rows, QUERY, *CHOSEN]) == 3
    assert "line 3: id 'filter' stands on line 2 already" in capsys.readouterr().err
    assert main(["search", rows, QUERY, "--text-field", "words"]) == 3
    assert "line 1: has no field 'words'; its fields are: key, name, body, s" in capsys.readouterr().err


def test_a_folder_is_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for row in ROWS:
        (tmp_path / f"{row['key']}.md").write_text(f"# {row['name']}\n\n{row['body']}\n")
    (tmp_path / "picture.png").write_bytes(b"x")
    assert main(["search", str(tmp_path), QUERY, "--json"]) == 0
    printed = capsys.readouterr()
    assert {hit["id"] for hit in json.loads(printed.out)["hits"]} == {"espresso.md", "filter.md", "press.md"}
    assert printed.err == "esens: ignored 1 file with another ending\n"


def test_what_was_left_out_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.txt", "b.txt", "c.png", "d.png"):
        (tmp_path / name).write_bytes(b"" if name == "b.txt" else b"Filter coffee")
    assert main(["search", str(tmp_path), "coffee", "--skip-bad"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"esens: skipped: {tmp_path / 'b.txt'}: is empty",
        "esens: ignored 2 files with other endings",
        "esens: skipped 1 bad of 2 rows",
    ]


def test_parquet_is_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.Table.from_pylist([row for row in ROWS if row["name"] != "Again"]), tmp_path / "rows")
    command = ["search", str(tmp_path / "rows"), QUERY, "--format", "parquet", *CHOSEN, "--json"]
    assert main(command) == 0
    assert {hit["id"] for hit in json.loads(capsys.readouterr().out)["hits"]} == {"espresso", "filter", "press"}


def test_fields_of_what_has_none_are_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("coffee\n")
    assert main(["search", str(tmp_path / "a.txt"), "coffee", "--text-field", "body"]) == 2
    assert main(["search", str(tmp_path), "coffee", "--text-field", "body"]) == 2
    assert capsys.readouterr().err.count("no fields") == 2
