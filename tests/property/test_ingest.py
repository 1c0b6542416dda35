"""What must hold for every input: what was written is read, and bad rows take nothing with them."""

import csv
import io
import json
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from esens import Document
from esens.errors import InputError
from esens.ingest import Fields, read_rows
from esens.ingest.html import read_html

# Any characters but half ones; a carriage return inside a CSV cell is read as the line break that it is.
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1).filter(str.strip)
BAD = (b"{", b"caf\xe9", b"{}", b"[1]", b'{"key": "same"}', b'{"body": 3, "key": 1}', b"nul\x00l")


def _read(content: bytes, ending: str, fields: Fields) -> tuple[list[Document], list[InputError]]:
    bad: list[InputError] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"a{ending}")
        path.write_bytes(content)
        rows = read_rows(path, fields=fields, on_bad="skip", report=bad.append)
        documents = [row.document for row in rows]
    assert (rows.read, rows.bad, rows.fraction) == (len(documents), len(bad), 1)
    return documents, bad


@given(st.lists(st.tuples(words, st.sampled_from([None, *BAD])), min_size=1, max_size=20))
def test_bad_lines_take_no_good_ones_with_them(rows: list[tuple[str, bytes | None]]) -> None:
    lines: list[bytes] = []
    places: list[int] = []
    for number, (text, bad) in enumerate(rows):
        lines.append(json.dumps({"key": f"{number}", "body": text}, ensure_ascii=bool(number % 2)).encode())
        if bad is not None:
            lines.append(bad)
            places.append(len(lines))
    documents, errors = _read(b"\n".join(lines), ".jsonl", Fields(id="key", text="body"))
    assert [(document.id, document.text) for document in documents] == [
        (f"{number}", text) for number, (text, _) in enumerate(rows)
    ]
    assert [error.line for error in errors] == places


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=20, unique_by=lambda row: row[0]))
def test_a_table_is_read_as_it_was_written(rows: list[tuple[str, str]]) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([("name", "body"), *rows])
    documents, errors = _read(file.getvalue().encode(), ".csv", Fields(id="name", text="body"))
    assert [(document.id, document.text) for document in documents] == rows
    assert errors == []


@given(
    st.lists(
        st.sampled_from(
            (
                "<p>",
                "</p>",
                "<!--",
                "-->",
                "<nav>",
                "</nav>",
                "<br>",
                "<title>",
                "</title>",
                "a ",
                "<",
                ">",
                "&",
                "<li>",
                '"',
                "=",
                "<![",
                "<!x",
                "\n",
            )
        )
    ).map("".join)
)
def test_any_page_is_read_and_tidy(page: str) -> None:
    try:
        _, text = read_html(page)
    except AssertionError:  # what html.parser gives up on; the page is then a bad row
        return
    assert text == text.strip()
    assert "  " not in text
    assert "\n\n\n" not in text
