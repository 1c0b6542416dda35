"""Rows one by one: fields by choice, vectors, and what happens to bad ones."""

import csv
import gzip
import io
import json
import os
from pathlib import Path

import numpy as np
import pytest

import esens
from esens import Document
from esens.errors import ArgumentError, InputError
from esens.ingest import Fields, Limits, RowReader, read_rows


def _file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def _skipping(path: Path, **options: object) -> tuple[list[Document], list[InputError], RowReader]:
    bad: list[InputError] = []
    rows = read_rows(path, on_bad="skip", report=bad.append, **options)  # type: ignore[arg-type]
    return [row.document for row in rows], bad, rows


BODY = Fields(id="key", title="name", text="body")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"key": 7, "name": "N", "body": "x", "year": 1, "text": "t", "id": "i"}\n'),
        ("a.csv", "key,name,body,year,text,id\n7,N,x,1,t,i\n"),
        ("a.tsv", "key\tname\tbody\tyear\ttext\tid\n7\tN\tx\t1\tt\ti\n"),
        ("semicolons.csv", "key;name;body;year;text;id\n7;N;x;1;t;i\n"),
        ("tabs", "key\tname\tbody\tyear\ttext\tid\n7\tN\tx\t1\tt\ti\n"),
        ("a.csv.gz", gzip.compress(b"key,name,body,year,text,id\n7,N,x,1,t,i\n", mtime=0)),
    ],
)
def test_fields_are_chosen_and_all_others_kept(tmp_path: Path, name: str, content: str | bytes) -> None:
    (row,) = read_rows(_file(tmp_path, name, content), fields=BODY)
    assert row.document == Document("7", "x", "N", {"year": 1, "text": "t", "id": "i"})
    assert row.vector is None


def test_what_is_not_chosen_has_its_usual_name(tmp_path: Path) -> None:
    path = _file(
        tmp_path, "a.jsonl", '{"_id": "i", "title": "T", "body": "x", "metadata": {"year": 1}, "more": 2}\n'
    )
    (row,) = read_rows(path, fields=Fields(text="body"))
    assert row.document == Document("i", "x", "T", {"year": 1, "more": 2})


def test_metadata_that_is_no_object_is_kept_as_it_is(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.jsonl", '{"body": "x", "metadata": 3}\n')
    assert esens.read_documents(path, fields=Fields(text="body")) == [Document("0", "x", "", {"metadata": 3})]


def test_one_field_may_be_title_and_text(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.jsonl", '{"name": "x", "title": "other"}\n')
    (document,) = esens.read_documents(path, fields=Fields(title="name", text="name"))
    assert document == Document("0", "x", "x", {"title": "other"})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"key": 1, "name": "N"}', "has no field 'body'; its fields are: key, name"),
        ("{}", "has no field 'key'; its fields are: none"),
        ('{"key": 1, "name": "N", "body": 3}', "needs a string under 'body', got 3"),
        ('{"key": null, "name": "N", "body": "x"}', "needs an id under 'key', which is empty"),
        ('{"key": "", "name": "N", "body": "x"}', "needs an id under 'key', which is empty"),
        ('{"key": 1, "name": 4, "body": "x"}', "title must be a string, got int"),
        ('"a text"', "needs an object with fields, got 'a text'"),
    ],
)
def test_a_chosen_field_that_is_not_there_makes_a_bad_row(tmp_path: Path, row: str, message: str) -> None:
    path = _file(tmp_path, "a.jsonl", f'{{"key": 0, "name": "N", "body": "x"}}\n{row}\n')
    with pytest.raises(InputError) as raised:
        list(read_rows(path, fields=BODY))
    assert str(raised.value) == f"{path}, line 2: {message}"


def test_the_format_is_told_by_the_field_that_is_chosen(tmp_path: Path) -> None:
    path = _file(tmp_path, "rows", "id,words\na,x\n")
    assert esens.read_documents(path, fields=Fields(text="words")) == [Document("a", "x")]
    assert [document.text for document in esens.read_documents(path)] == ["id,words", "a,x"]


def test_what_is_packed_has_the_format_of_its_name(tmp_path: Path) -> None:
    path = _file(tmp_path, "rows.csv.gz", gzip.compress(b"text\nx\n"))
    assert [document.text for document in esens.read_documents(path)] == ["x"]


def test_plain_text_has_no_fields(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="plain text, which has no fields; name its format"):
        list(read_rows(_file(tmp_path, "a.txt", "x\n"), fields=Fields(text="body")))


JSONL = b"""{"id": "a", "text": "x"}
{"id": "b", "text":
{"id": "c", "text": "caf\xe9"}
{"id": "d"}
{"id": "e", "text": ""}
{"id": "f", "text": 3}

{"id": "a", "text": "y"}
["g"]
{"text": "last"}
"""
JSONL_PROBLEMS = [
    (2, "is not JSON"),
    (3, "is not UTF-8"),
    (
        4,
        r"needs a string under 'text' \(or page_content, .*\); its fields are: id",
    ),
    (5, "has neither a text nor a title"),
    (6, "needs a string under 'text'"),
    (8, "id 'a' stands on line 1 already; ids must be unique"),
    (9, "expected a string, a mapping"),
]
CSV = b"""id,text
a,x
b
c,"caf\xe9
goes on"
d,x,y
e,"f" g

a,"two
lines"
f,"y
z"
"""
CSV_PROBLEMS = [
    (3, r"another number of fields than the header \(1, not 2\)"),
    (4, "is not UTF-8"),
    (6, r"another number of fields than the header \(3, not 2\)"),
    (7, "is not CSV"),
    (9, "id 'a' stands on line 2 already"),
]


@pytest.mark.parametrize(
    ("name", "content", "problems", "texts"),
    [
        ("a.jsonl", JSONL, JSONL_PROBLEMS, ["x", "last"]),
        ("a.csv", CSV, CSV_PROBLEMS, ["x", "y\nz"]),
        ("a.txt", b"one\nt\xffo\n\nthree\n", [(2, "is not UTF-8")], ["one", "three"]),
    ],
)
def test_bad_rows_are_reported_and_skipped(
    tmp_path: Path, name: str, content: bytes, problems: list[tuple[int, str]], texts: list[str]
) -> None:
    path = _file(tmp_path, name, content)
    documents, bad, reading = _skipping(path)
    assert [document.text for document in documents] == texts
    assert [error.line for error in bad] == [line for line, _ in problems]
    assert {error.path for error in bad} == {str(path)}
    for error, (_, message) in zip(bad, problems, strict=True):
        with pytest.raises(InputError, match=message):
            raise error
    assert (reading.read, reading.bad) == (len(texts), len(problems))


def test_a_row_that_is_mended_changes_no_other_id(tmp_path: Path) -> None:
    documents, _, _ = _skipping(_file(tmp_path, "a.jsonl", '{"text": "x"}\n{"text":\n{"text": "z"}\n'))
    assert [document.id for document in documents] == ["0", "2"]


def test_a_quote_that_is_not_closed_says_what_it_takes_along(tmp_path: Path) -> None:
    documents, bad, _ = _skipping(_file(tmp_path, "a.csv", 'id,text\n1,x\n2,"open\n3,y\n4,z\n'))
    assert [document.id for document in documents] == ["1"]
    assert [error.line for error in bad] == [3]
    assert "lines 3 to 5 are lost with it" in str(bad[0])


def test_a_quote_that_is_not_closed_does_not_fill_the_memory(tmp_path: Path) -> None:
    limit = csv.field_size_limit()
    path = _file(tmp_path, "a.csv", 'id,text\n1,"open\n' + "2,yyyyyyyy\n" * 20 + '3,"end"\n')
    documents, bad, _ = _skipping(path, limits=Limits(row_bytes=100))
    assert str(bad[0]).startswith(
        f"{path}, line 2: is not CSV (a quote that is not closed makes a row of more than 100 "
    )
    assert str(bad[0]).endswith("; lines 2 to 11 are lost with it")
    assert documents[-1].text == "end"
    assert csv.field_size_limit() == limit


def test_a_csv_without_a_readable_header_is_not_read_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: is not UTF-8"):
        _skipping(_file(tmp_path, "a.csv", b"id,te\xffxt\n1,x\n"))


def test_a_file_that_breaks_off_is_fatal_even_if_bad_rows_are_not(tmp_path: Path) -> None:
    whole = gzip.compress("".join(f'{{"text": "{os.urandom(20).hex()}"}}\n' for _ in range(9000)).encode())
    with pytest.raises(InputError, match="is not a whole gzip file"):
        _skipping(_file(tmp_path, "a.jsonl.gz", whole[:-1000]))


def test_only_bad_rows_are_no_documents(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no documents: 2 bad rows were skipped"):
        _skipping(_file(tmp_path, "a.jsonl", "{\n{\n"))


def test_skipping_needs_nobody_who_listens(tmp_path: Path) -> None:
    rows = read_rows(_file(tmp_path, "a.jsonl", '{\n{"text": "x"}\n'), on_bad="skip")
    assert [row.document.text for row in rows] == ["x"]
    assert rows.bad == 1


def test_a_title_says_something_and_benchmarks_may_hold_less(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.jsonl", '{"title": "T", "text": ""}\n{"text": " "}\n')
    with pytest.raises(InputError, match="line 2: has neither a text nor a title"):
        esens.read_documents(path)
    assert len(esens.read_documents(path, allow_empty=True)) == 2


def _vectors(path: Path, **options: object) -> list[tuple[object, object]]:
    rows = read_rows(path, fields=Fields(vector="v"), **options)  # type: ignore[arg-type]
    return [(row.vector.tolist(), row.vector.dtype) for row in rows if row.vector is not None]


def test_a_field_may_hold_the_vector(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.jsonl", '{"text": "x", "v": [1, 2.5]}\n{"text": "y", "v": [0, 3]}\n')
    assert _vectors(path) == [([1, 2.5], np.float32), ([0, 3], np.float32)]
    assert [row.document.metadata for row in read_rows(path, fields=Fields(vector="v"))] == [{}, {}]
    path = _file(tmp_path, "a.csv", 'text,v\nx,"[1, 2]"\n')
    assert _vectors(path) == [([1, 2], np.float32)]


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ("[1]", "its vector has 1 numbers, but the first one, on line 1, has 2"),
        ("[1, NaN]", "holds NaN, infinity or a number too large"),
        ("[1, 1e300]", "holds NaN, infinity or a number too large"),
        ("[]", r"needs a list of numbers under 'v', got \[\]"),
        ("null", "needs a list of numbers under 'v', got None"),
        ("3", "needs a list of numbers under 'v', got 3"),
        ('"tea"', "needs a list of numbers under 'v', got 'tea'"),
        ('["1", "2"]', "needs a list of numbers"),
        ("[true, 0.5]", "needs a list of numbers"),
        ("[[1, 2]]", "needs a list of numbers"),
        ("[1, null]", "needs a list of numbers"),
        (f"[1{'0' * 400}, 0.5]", "needs a list of numbers"),
        ('{"x": 1}', "needs a list of numbers"),
    ],
)
def test_a_bad_vector_is_a_bad_row(tmp_path: Path, vector: str, message: str) -> None:
    lines = [f'{{"text": "x", "v": {v}}}' for v in ("[1, 2]", "[3, 4]", vector, "[5, 6]")]
    bad: list[InputError] = []
    vectors = _vectors(_file(tmp_path, "a.jsonl", "\n".join(lines)), on_bad="skip", report=bad.append)
    assert [vector for vector, _ in vectors] == [[1, 2], [3, 4], [5, 6]]
    assert [error.line for error in bad] == [3]
    with pytest.raises(InputError, match=message):
        raise bad[0]


def test_a_bad_row_sets_no_length(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "text": "x", "v": [1]},
        {"id": "a", "text": "x", "v": [1]},
        {"id": 2, "text": "", "v": [1, 2]},
    ]
    path = _file(tmp_path, "a.jsonl", "\n".join(map(json.dumps, [rows[2], *rows])))
    bad: list[InputError] = []
    assert len(_vectors(path, on_bad="skip", report=bad.append)) == 1
    assert [error.line for error in bad] == [1, 3, 4]


def test_an_input_is_read_once_and_lazily(tmp_path: Path) -> None:
    rows = read_rows(_file(tmp_path, "a.jsonl", '{"text": "x"}\n{"text":\n'))
    first = iter(rows)
    assert next(first).document.text == "x"
    assert rows.read == 1
    with pytest.raises(ArgumentError, match="an input is read once"):
        iter(rows)
    with pytest.raises(InputError, match="line 2"):
        next(first)


def test_two_files_can_be_read_side_by_side(tmp_path: Path) -> None:
    long = "x" * 200_000
    first, second = (
        iter(read_rows(_file(tmp_path, name, f"text\n{long}\n{long}\n"))) for name in ("a.csv", "b.csv")
    )
    assert len(next(first).document.text) == len(next(second).document.text) == 200_000
    assert len(list(first)) == len(list(second)) == 1


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_fraction_goes_from_nothing_to_all(tmp_path: Path, pack: type[bytes]) -> None:
    lines = "".join(f'{{"text": "{os.urandom(30).hex()}"}}\n' for _ in range(9000))
    rows = read_rows(_file(tmp_path, "a.jsonl", pack(lines.encode())))
    assert rows.fraction == 0
    fractions = [rows.fraction for _ in rows]
    assert None not in fractions
    assert fractions == sorted(fractions)
    assert 0 < fractions[0] < 0.5 < fractions[6000] <= 1
    assert rows.fraction == 1


def test_of_standard_input_nobody_knows_the_fraction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'\n{"text": "x"}\n{"text": 2}\n')))
    rows = read_rows("-", on_bad="skip")
    assert [(row.document.text, rows.fraction) for row in rows] == [("x", None)]


def test_nor_of_a_pipe(tmp_path: Path) -> None:
    out, into = os.pipe()
    os.write(into, b"one\ntwo\n")
    os.close(into)
    rows = read_rows(f"/dev/fd/{out}", format="text")
    assert [rows.fraction for _ in rows] == [None, None]
    os.close(out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on_bad": "ignore"}, "on_bad: must be 'stop' or 'skip', got 'ignore'"),
        ({"format": "xml"}, "valid are: jsonl, json, csv, text, parquet, folder"),
        ({"format": "folder"}, "is no folder"),
    ],
)
def test_what_makes_no_sense_is_said_before_anything_is_read(options: dict[str, str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        read_rows("nothing.jsonl", **options)  # type: ignore[arg-type]


def test_an_address_is_no_file() -> None:
    with pytest.raises(ArgumentError, match="valid are: a JSONL, JSON, CSV, Parquet or text file, a folder of"):
        read_rows("https://example.org/a.jsonl")


def test_ids_that_cannot_be_kept_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from esens.ingest.seen_ids import SeenIds

    ids = SeenIds()
    ids.close()
    with pytest.raises(esens.errors.EsensError, match="cannot be stored in a temporary file"):
        ids.first_place("a", "on line 1")


@pytest.mark.parametrize("name", ["content", "body", "page_content"])
def test_a_usual_name_of_the_text_is_known_in_every_format(name: str, tmp_path: Path) -> None:
    expected = [Document("a", "2010", "", {"year": 1999})]
    csv_text = f"id,{name},year\na,2010,1999\n"
    for file, content in (
        ("a.csv", csv_text),
        ("unnamed", csv_text),  # told by its header
        ("a.jsonl", f'{{"id": "a", "{name}": "2010", "year": 1999}}\n'),
    ):
        assert [row.document for row in read_rows(_file(tmp_path, file, content.encode()))] == expected
