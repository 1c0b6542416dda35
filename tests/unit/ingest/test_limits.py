"""Files that would take all memory or work for ever: each is an error that says where, and how to allow more."""

import gzip
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import esens
from esens.cli.main import main
from esens.errors import ArgumentError, InputError
from esens.ingest import DEFAULT_ROW_BYTES, Limits, read_rows
from esens.ingest.documents import read_queries
from esens.ingest.lines import Lines

SMALL = Limits(row_bytes=100)
LONG = "x" * 101


def _file(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _skipping(path: Path, **options: Any) -> tuple[list[str], list[str]]:
    bad: list[InputError] = []
    rows = read_rows(path, on_bad="skip", report=bad.append, **options)
    return [row.document.text for row in rows], [str(error).removeprefix(str(path)) for error in bad]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", f"one\n{LONG}\ntwo\n"),
        ("a.jsonl", json.dumps({"text": "one"}) + "\n" + json.dumps({"text": LONG}) + '\n{"text": "two"}'),
        ("a.csv", f"id,text\n1,one\n2,{LONG}\n3,two"),
        ("a.csv", f'id,text\n1,one\n2,"{LONG}\n3,two"\n4,two'),
        (
            "a.jsonl.gz",
            gzip.compress(f'{{"text": "one"}}\n{{"text": "{LONG}"}}\n{{"text": "two"}}\n'.encode(), mtime=0),
        ),
    ],
)
def test_a_line_that_is_too_long_is_a_bad_row_and_the_others_are_read(
    tmp_path: Path, name: str, content: str | bytes
) -> None:
    path = _file(tmp_path / name, content)
    texts, (bad, *_) = _skipping(path, limits=SMALL)
    assert (texts[0], texts[-1]) == ("one", "two")
    line = 3 if ".csv" in name else 2
    advice = "allow more with Limits(row_bytes=…) (--max-row-bytes)"
    assert bad == f", line {line}: is a line of more than 100 bytes; {advice}"
    with pytest.raises(InputError, match=rf"line {line}: is a line of more than 100 bytes"):
        esens.read_documents(path, limits=SMALL)
    assert len(esens.read_documents(_file(tmp_path / "b.txt", f"{'x' * 100}\n{'x' * 100}"), limits=SMALL)) == 2


def test_a_row_over_many_lines_is_bounded_too(tmp_path: Path) -> None:
    cells = '"\n",' * 200
    with pytest.raises(InputError, match=r"line 2: .*a quote that is not closed makes a row of more than 100 b"):
        list(read_rows(_file(tmp_path / "a.csv", f"id,text\n1,{cells}x\n"), limits=SMALL))


def test_a_page_that_is_too_long_is_bad_and_the_others_are_read(tmp_path: Path) -> None:
    for name in ("a.txt", "b.md", "c.html"):
        _file(tmp_path / name, LONG)
    _file(tmp_path / "d.txt", "tea")
    texts, bad = _skipping(tmp_path, limits=SMALL)
    assert texts == ["tea"]
    assert [error.split(":")[0] for error in bad] == ["/a.txt", "/b.md", "/c.html"]
    assert "is a page of more than 100 bytes; allow more with" in bad[0]


def test_an_array_may_be_longer_than_a_row_but_not_without_end(tmp_path: Path) -> None:
    for indent in (None, 1):
        text = json.dumps([{"text": "x" * 60}] * 20, indent=indent)
        assert len(esens.read_documents(_file(tmp_path / "a.json", text), limits=SMALL)) == 20
        text = json.dumps([{"text": "x" * 60}] * 200, indent=indent)
        with pytest.raises(InputError, match=r"more than 6,400 bytes.*and an array 64 times that"):
            esens.read_documents(_file(tmp_path / "a.json", text), limits=SMALL)


def test_lines_before_an_array_and_a_table_count(tmp_path: Path) -> None:
    _, bad = _skipping(_file(tmp_path / "a.json", '\n\n[{"text": "x"},\n{]'))
    assert bad[0].startswith(", line 4: is not JSON")
    _, bad = _skipping(_file(tmp_path / "a.csv", "\n\nid,text\n1,x\n2\n"))
    assert bad[0].startswith(", line 5: has another number of fields")


@pytest.mark.parametrize("line", [b"x", b"tea\n"])
def test_a_gzipped_file_that_unpacks_to_a_hundred_times_its_size_is_refused(tmp_path: Path, line: bytes) -> None:
    bomb = _file(tmp_path / "a.txt.gz", gzip.compress(line * (3_000_000 // len(line))))
    sizes: list[int] = []
    with pytest.raises(InputError, match=r"unpacks to more than 100 times its size; .*--max-unpack-ratio"):
        sizes.extend(len(each.text) + 1 for each in Lines(bomb, Limits(row_bytes=100_000)))
    assert sum(sizes) < 2_000_000


def test_a_file_may_unpack_to_what_it_is_allowed_to(tmp_path: Path) -> None:
    packed = _file(tmp_path / "a.txt.gz", gzip.compress(b"x" * 2_000_000 + b"\n" + b"y" * 2_000_000))
    lines = list(Lines(packed, Limits(row_bytes=2_000_000, unpack_ratio=2000)))
    assert [len(line.text) for line in lines] == [2_000_000, 2_000_000]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end here")
def test_a_file_without_an_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.html").symlink_to("/dev/zero")
    limits = Limits(row_bytes=10_000)
    for path in ("/dev/zero", tmp_path / "a.html"):
        with pytest.raises(InputError, match="more than 10,000 bytes"):
            list(read_rows(path, limits=limits))
    for format_ in ("text", "jsonl", None):
        with pytest.raises(InputError, match=r"more than 10,000 bytes; allow more .*, if it has an end"):
            list(read_rows("/dev/zero", format=format_, on_bad="skip", limits=limits))
    with pytest.raises(InputError, match="more than 10,000 bytes"):
        read_queries("/dev/zero", limits=limits)


# All that Python and numpy map takes some hundred megabytes; twice what a row may be must not come on top of it.
_BOMB = """
import resource, sys
from esens.errors import InputError
from esens.ingest import read_rows
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
try:
    list(read_rows(sys.argv[1]))
except InputError as error:
    print(error)
"""


def test_by_default_a_bomb_takes_little_memory(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    bomb, sparse = tmp_path / "a.csv.gz", tmp_path / "b.csv"
    with gzip.open(bomb, "wb", compresslevel=1) as packed:
        for _ in range(20):
            packed.write(b"x" * DEFAULT_ROW_BYTES)
    with sparse.open("wb") as zeros:
        zeros.truncate(200 * DEFAULT_ROW_BYTES)  # three gigabytes that take no room on most disks
    for path, said in (
        (bomb, "unpacks to more than 100 times"),
        (sparse, "line 1: is a line of more than 16,777,2"),
    ):
        done = subprocess.run([sys.executable, "-c", _BOMB, str(path)], capture_output=True, text=True)
        assert said in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("limit", "value"), [("row_bytes", 0), ("row_bytes", -1), ("row_bytes", 1.5), ("unpack_ratio", True)]
)
def test_limits_are_numbers(limit: str, value: Any) -> None:
    with pytest.raises(ArgumentError, match=f"{limit}: must be a whole number of at least 1, got {value}"):
        Limits(**{limit: value})


def test_the_commands_know_the_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(_file(tmp_path / "a.txt", f"tea\n{LONG}\n"))
    bomb = str(_file(tmp_path / "b.txt.gz", gzip.compress(b"tea " * 3_000_000)))
    for command in (["search", path, "tea"], ["rerank", path, "tea"], ["decompose", path]):
        assert main([*command, "--max-row-bytes", "100"]) == 3
        assert "line 2: is a line of more than 100 bytes" in capsys.readouterr().err
    to = ["--to", str(tmp_path / "x.lance")]
    for command in (["index", bomb, *to], ["embed", bomb, "--to", str(tmp_path / "v")]):
        assert main([*command, "--max-row-bytes", "9000000", "--max-unpack-ratio", "20"]) == 3
        assert "unpacks to more than 20 times its size" in capsys.readouterr().err
    assert main(["search", path, "tea", "--max-row-bytes", "0"]) == 2
    assert "--max-row-bytes: must be a whole number of at least 1" in capsys.readouterr().err
    assert main(["search", "x.lance", "tea", "--max-row-bytes", "9"]) == 2
    assert "--max-row-bytes: is for files of documents" in capsys.readouterr().err
    assert main(["decompose", "tea", "--max-row-bytes", "9"]) == 2
    assert "--max-row-bytes: is for a file of queries" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["txt", "jsonl", "csv"])
def test_a_file_of_blank_lines_ends_the_reading(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"blank.{suffix}.gz"
    head = b'{"text": "tea"}' if suffix == "jsonl" else b"id,text"
    path.write_bytes(gzip.compress(head + b"\n" * 3_000_000))
    start = time.thread_time()
    with pytest.raises(InputError, match="blank lines in a row"):
        list(read_rows(path))
    assert time.thread_time() - start < 10  # a hundred million of them took minutes
