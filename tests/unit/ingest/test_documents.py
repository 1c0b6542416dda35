import gzip
import io
from pathlib import Path

import pytest

import esens
from esens import Document
from esens.errors import ArgumentError, InputError
from esens.ingest import read_queries


def _file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_jsonl(tmp_path: Path) -> None:
    path = _file(
        tmp_path, "docs.jsonl", '{"_id": "a", "title": "T", "text": "x", "year": 1}\n\n{"text": "y\\u2028z"}\n'
    )
    assert esens.read_documents(path) == [Document("a", "x", "T", {"year": 1}), Document("1", "y\u2028z")]


def test_csv_with_quotes_and_line_breaks(tmp_path: Path) -> None:
    path = _file(tmp_path, "docs.csv", 'id,title,text,year\r\na,T,"one, two",1\r\nb,,"first\r\nsecond",2\r\n')
    first, second = esens.read_documents(path)
    assert first == Document("a", "one, two", "T", {"year": 1})
    assert second.text.split() == ["first", "second"]


def test_plain_text_is_a_document_a_line(tmp_path: Path) -> None:
    path = _file(tmp_path, "docs.txt", "\ufeffone\n\n two \nthree")
    assert [document.text for document in esens.read_documents(path)] == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("content", "texts"), [('{"text": "x"}\n', ["x"]), ("x\ny\n", ["x", "y"]), ("id,text\n1,x\n", ["x"])]
)
def test_standard_input_is_told_by_its_first_line(
    content: str, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    assert [document.text for document in esens.read_documents("-")] == texts


def test_a_gzipped_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = _file(tmp_path, "docs.jsonl.gz", gzip.compress(b'{"text": "x"}\n'))
    assert esens.read_documents(path) == [Document("0", "x")]
    with pytest.raises(InputError, match="is not a whole gzip file"):
        esens.read_documents(_file(tmp_path, "short.gz", path.read_bytes()[:-9]))


def test_the_format_can_be_named(tmp_path: Path) -> None:
    path = _file(tmp_path, "docs.dat", "text\nx\n")
    assert [document.text for document in esens.read_documents(path, format="csv")] == ["x"]
    with pytest.raises(ArgumentError, match="valid are: jsonl, json, csv, text"):
        esens.read_documents(path, format="xml")


@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [
        ("a.jsonl", '{"text": "x"}\n{"text": \n', 2, "is not JSON"),
        ("a.jsonl", '{"text": "x"}\n["y"]\n', 2, "expected a string, a mapping"),
        ("a.jsonl", '{"words": "x"}\n', 1, r"needs a string under 'text' .*; its fields are: words"),
        ("a.jsonl", '{"id": 1, "text": "x"}\n{"id": 1, "text": "y"}\n', 2, "id '1' stands on line 1 already"),
        ("a.txt", b"good\nbad \xff\n", 2, "is not UTF-8"),
        ("a.csv", "text,title\nx,y\nz\n", 3, "another number of fields"),
        ("a.csv", 'text\n"open\n', 2, "is not CSV"),
        ("a.csv", "words\nx\n", 2, "needs a string under 'text'"),
        ("a.jsonl", "", None, "holds no documents"),
        ("a.jsonl", '{"text": "x", "n": ' + "9" * 5000 + "}", 1, "is not JSON"),
        ("a.jsonl", "[" * 100000, 1, "is not JSON"),
        ("a.jsonl", '{"text": "\\ud83d"}', 1, "half a surrogate pair"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_line(
    tmp_path: Path, name: str, content: str | bytes, line: int | None, message: str
) -> None:
    path = _file(tmp_path, name, content)
    with pytest.raises(InputError, match=message) as raised:
        esens.read_documents(path)
    assert raised.value.line == line
    assert raised.value.path == str(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.jsonl: No such file"):
        esens.read_documents(tmp_path / "nothing.jsonl")
    with pytest.raises(InputError, match="directory"):
        esens.read_documents(tmp_path)


def test_tabs_long_cells_and_empty_ids(tmp_path: Path) -> None:
    path = _file(tmp_path, "docs.tsv", "id\ttext\n\tone, two\n\t" + "x" * 200_000 + "\n")
    first, second = esens.read_documents(path)
    assert (first.id, first.text) == ("0", "one, two")
    assert (second.id, len(second.text)) == ("1", 200_000)


def test_queries_come_as_lines_or_as_jsonl(tmp_path: Path) -> None:
    assert read_queries(_file(tmp_path, "a.txt", "one\n\ntwo\n")) == ["one", "two"]
    assert read_queries(_file(tmp_path, "a.jsonl", '{"query": "one"}\n{"text": "two"}\n')) == ["one", "two"]
    with pytest.raises(InputError, match="line 1: needs a query under"):
        read_queries(_file(tmp_path, "b.jsonl", '{"body": "one"}\n'))
