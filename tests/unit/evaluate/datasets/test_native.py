"""The native format: what is read, and what is wrong is named with its line."""

from pathlib import Path
from typing import Any

import pytest
from tests.benchmark_files import write_native

from esens import Decomposition, Document
from esens.errors import InputError
from esens.evaluate.dataset import Query
from esens.evaluate.datasets import read_dataset


def test_our_own_form(tmp_path: Path) -> None:
    folder = write_native(
        tmp_path / "mine",
        {"_id": 7, "text": "x", "target": "a", "trap": ["b", "c"], "source": "web", "meta": {"target": 1}},
        {"text": "y", "relevant": {"a": 2, "b": 0, "c": -1}, "trap": None},
        {"id": "z", "text": "z", "relevant": ["a", "b"], "who": {"target": " t ", "trap": ["u", " "]}},
    )
    found = read_dataset(folder)
    assert found.name == "mine"
    assert found.corpus[0] == Document("a", "one", "A")
    assert found.queries == (
        Query("7", "x", {"a": 1}, ("b", "c")),
        Query("1", "y", {"a": 2}),
        Query("z", "z", {"a": 1, "b": 1}, recorded={"who": Decomposition("t", ("u",))}),
    )
    assert found.gold.grade.tolist() == [1, 0, 0, 2, 1, 1]
    assert found.gold.position.tolist() == [0, 1, 2, 0, 0, 1]


def test_several_wanted_and_excluded_documents(tmp_path: Path) -> None:
    folder = write_native(
        tmp_path,
        {"text": "x", "wanted": ["a", "b"], "excluded": ["c"], "denied": "b", "target": "t", "traps": ["u"]},
        {"text": "y", "wanted": ["a"], "excluded": ["c"], "unclear": ["b"]},
    )
    assert read_dataset(folder).queries == (
        Query("0", "x", {"a": 1, "b": 1}, ("c",), denied=("b",), split=Decomposition("t", ("u",))),
        Query("1", "y", {"a": 1}, ("c",), unclear=("b",)),
    )
    assert read_dataset(folder).denied.tolist() == [False, True, False, False, False]


def test_what_is_unclear_or_denied_is_part_of_the_hash(tmp_path: Path) -> None:
    row = {"text": "x", "wanted": ["a"], "excluded": ["c"]}
    rows = (row, {**row, "unclear": ["b"]}, {**row, "denied": ["a"]})
    hashes = {read_dataset(write_native(tmp_path / str(number), one)).hash for number, one in enumerate(rows)}
    assert len(hashes) == len(rows)


def test_our_own_form_without_documents(tmp_path: Path) -> None:
    found = read_dataset(
        write_native(tmp_path, {"text": "x", "excluded_title": "T &amp; U", "trap": "9"}, corpus=None)
    )
    assert found.corpus == ()
    assert found.excluded_titles == ["T & U"]
    assert found.gold.position.tolist() == [-1]


@pytest.mark.parametrize(
    ("rows", "line", "problem"),
    [
        ([{"text": "x"}, {"text": " "}], 2, "needs a text under 'text'"),
        ([{"query": "x"}], 1, "its fields are: 'query'"),
        ([{"text": "x", "target": "nowhere"}], 1, "judges document 'nowhere', which the corpus does not hold"),
        ([{"text": "x", "target": "a", "trap": "a"}], 1, "document 'a' answers it and is excluded by it"),
        ([{"text": "x", "wanted": ["a"], "excluded": ["a"]}], 1, "document 'a' answers it and is excluded by it"),
        (
            [{"text": "x", "relevant": ["a"], "excluded": ["b"]}],
            1,
            "'relevant' would not be read beside 'wanted', 'excluded' or 'traps': write 'wanted' for answers",
        ),
        ([{"text": "x", "traps": [], "relevant": ["a"]}], 1, "'relevant' would not be read beside"),
        (
            [{"text": "x", "wanted": ["a"], "trap": "b"}],
            1,
            "'trap' would not be read beside 'wanted', 'excluded' or 'traps': write 'wanted' for answers",
        ),
        ([{"text": "x", "wanted": ["a"], "denied": ["b"]}], 1, "document 'b' is denied, but not wanted"),
        (
            [{"text": "x", "excluded": ["a"], "unclear": ["a"]}],
            1,
            "document 'a' is unclear, and wanted or excluded",
        ),
        (
            [{"text": "x", "wanted": ["a"], "unclear": ["z"]}],
            1,
            "judges document 'z', which the corpus does not hold",
        ),
        ([{"text": "x", "target": 1.5}], 1, "an id is a text or a whole number; under 'target' is 1.5"),
        ([{"text": "x", "relevant": {"a": "2"}}], 1, "a grade is a whole number; that of 'a' is '2'"),
        ([{"_id": 1, "text": "x"}, {"_id": "1", "text": "y"}], 2, "id '1' stands on line 1 already"),
        (["x"], 1, "needs an object with fields, got 'x'"),
        ([{"text": "\ud83d"}], 1, "half a surrogate pair"),
        ([{"text": "x", "who": {"target": "\ud83d", "trap": "y"}}], 1, "half a surrogate pair"),
        ([], None, "holds no queries"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, rows: list[Any], line: int | None, problem: str
) -> None:
    with pytest.raises(InputError, match=problem) as raised:
        read_dataset(write_native(tmp_path, *rows))
    assert raised.value.path == str(tmp_path / "queries.jsonl")
    assert raised.value.line == line


def test_an_empty_document_stays_unless_it_is_judged(tmp_path: Path) -> None:
    corpus = [{"_id": "a", "text": "x"}, {"_id": "e", "text": " "}]
    found = read_dataset(write_native(tmp_path, {"text": "x", "target": "a"}, corpus=corpus))
    assert found.notes == ("1 documents of the corpus are empty",)
    with pytest.raises(InputError, match="line 1: judges document 'e', which is empty"):
        read_dataset(write_native(tmp_path, {"text": "x", "trap": "e"}, corpus=corpus))
