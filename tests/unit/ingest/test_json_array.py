"""A JSON file that is one array of documents."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens import Document, read_documents
from esens.errors import InputError
from esens.ingest import read_rows
from esens.ingest.json_array import array_rows
from esens.ingest.lines import TextLine
from esens.ingest.record import RawRecord

ROWS = [{"id": "a", "text": "tea", "year": 2010}, {"id": "b", "body": "milk"}, "rum"]
DOCUMENTS = [Document("a", "tea", "", {"year": 2010}), Document("b", "milk"), Document("2", "rum")]


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _problems(path: Path) -> tuple[list[str], list[tuple[int | None, str]]]:
    bad: list[InputError] = []
    rows = read_rows(path, on_bad="skip", report=bad.append)
    texts = [row.document.text for row in rows]
    return texts, [(error.line, str(error).partition(": ")[2]) for error in bad]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["a.json", "unnamed"])
def test_an_array_is_read_by_its_name_or_its_first_sign(name: str, indent: int | None, tmp_path: Path) -> None:
    assert read_documents(_write(tmp_path / name, "\n " + json.dumps(ROWS, indent=indent))) == DOCUMENTS


def test_it_may_be_gzipped_or_come_from_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.dumps(ROWS).encode()
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(content))
    assert read_documents(tmp_path / "a.json.gz") == DOCUMENTS
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert read_documents("-") == DOCUMENTS


def test_a_json_file_with_an_object_a_line_is_read_as_before(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(row) for row in ROWS)
    assert read_documents(_write(tmp_path / "a.json", lines)) == DOCUMENTS


def test_a_text_that_begins_with_a_bracket_is_a_text(tmp_path: Path) -> None:
    path = _write(tmp_path / "notes", "[1] Tea is a drink.\n[2] Milk, too.\n")
    assert [document.text for document in read_documents(path)] == ["[1] Tea is a drink.", "[2] Milk, too."]


def test_a_bad_row_is_named_by_its_line_and_the_rest_is_read(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.json", '[\n{"text": "x"},\n{"id": 5},\n\n["z"],\n{"text": "y"}]\n')
    texts, problems = _problems(path)
    assert texts == ["x", "y"]
    assert [line for line, _ in problems] == [3, 5]
    assert "needs a string under 'text'" in problems[0][1]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('[{"text": "x"},\n{"text": }]', 2, "is not JSON (Expecting value); what follows cannot be read"),
        (
            '[{"text": "x"}\n{"text": "y"}]',
            2,
            "is not a JSON array (expected , or ]); what follows cannot be read",
        ),
        ('[{"text": "x"},\n', 1, "is not JSON (Expecting value); what follows cannot be read"),
        ('[{"text": "x"}\n', 1, "is not a JSON array (expected , or ]); what follows cannot be read"),
        ('[{"text": "x"},\n]', 2, "is not a JSON array (expected , or ]); what follows cannot be read"),
        ('[{"text": "x"}]\n\n[]', 3, "goes on after its array; one array is expected"),
        ('[{"text": "x"},\n' + "[" * 99_999, 2, "holds what cannot be read"),
    ],
)
def test_what_is_not_an_array_says_where_it_ends_to_be_one(
    text: str, line: int, problem: str, tmp_path: Path
) -> None:
    texts, ((found_line, found),) = _problems(_write(tmp_path / "a.json", text))
    assert texts == ["x"]
    assert (found_line, found[: len(problem)]) == (line, problem)


def test_an_empty_array_holds_no_documents(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no documents"):
        read_documents(_write(tmp_path / "a.json", "[ ]"))


def test_what_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'[{"text": "x"},\n{"text": "caf\xe9"}]')
    with pytest.raises(InputError, match=r"line 2: is not UTF-8"):
        read_documents(tmp_path / "a.json")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(_JSON, max_size=6), st.sampled_from([None, 0, 2]), st.booleans())
def test_every_array_is_read_as_json_reads_it(values: list[Any], indent: int | None, is_ascii: bool) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=is_ascii)
    lines = [TextLine(number, line) for number, line in enumerate(text.split("\n"), start=1)]
    rows = list(array_rows("x", lines))
    assert [row.value for row in rows if isinstance(row, RawRecord)] == values
    assert len(rows) == len(values)
