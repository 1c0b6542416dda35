"""BoolQuestions as it is published, and the copies that hold the texts."""

from pathlib import Path
from typing import Any

import pytest
from tests.benchmark_files import write_jsonl, write_table

from esens import Document
from esens.errors import InputError
from esens.evaluate.dataset import Query
from esens.evaluate.datasets import read_dataset

PUBLISHED: list[dict[str, Any]] = [
    {"qid": 3, "question": "a, not b?", "question_type": "not", "positive_ctxs": [8], "negative_ctxs": [5]},
    {"qid": 4, "question": "a and b?", "question_type": "and", "positive_ctxs": [8], "negative_ctxs": []},
    {"qid": 6, "question": "c, not b?", "question_type": "not", "positive_ctxs": [None, 9], "negative_ctxs": [5]},
    {"qid": 9, "question": "d, not b?", "question_type": "not", "positive_ctxs": [None], "negative_ctxs": [5]},
]


def _published(folder: Path) -> Path:
    lists = ("positive_ctxs", "negative_ctxs")
    rows = [
        row | {name: [{"passage_id": n, "answer": "x"} for n in row[name]] for name in lists} for row in PUBLISHED
    ]
    write_jsonl(folder / "eval.jsonl", rows)
    write_jsonl(
        folder / "corpus.jsonl", [{"docid": n, "doc": f"passage {n}", "title": f"T{n}"} for n in range(12)]
    )
    return folder


def test_boolquestions_as_published_names_passages_by_id(tmp_path: Path) -> None:
    found = read_dataset(_published(tmp_path))
    assert found.queries == (Query("3", "a, not b?", {"8": 1}, ("5",)), Query("6", "c, not b?", {"9": 1}, ("5",)))
    assert found.corpus == tuple(Document(n, f"passage {n}", f"T{n}") for n in ("8", "5", "9"))
    assert found.notes == (
        "1 rows of other question types are left out",
        "1 rows without a positive or without a negative passage are left out",
        "1 passages beside the first positive and the first negative of a row are left out",
    )


def test_a_passage_that_is_not_there_is_named(tmp_path: Path) -> None:
    write_jsonl(_published(tmp_path) / "corpus.jsonl", [{"docid": 8, "doc": "passage"}])
    with pytest.raises(InputError, match=r"eval\.jsonl, line 1: names passage '5', which corpus\.jsonl does not"):
        read_dataset(tmp_path)
    (tmp_path / "corpus.jsonl").unlink()
    with pytest.raises(InputError, match=r"looked for in corpus\.jsonl beside it"):
        read_dataset(tmp_path)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl"])
@pytest.mark.parametrize(("positive", "negative"), [("positive", "negative"), ("answer_text", "trap_text")])
def test_boolquestions_with_texts_keeps_same_passages_apart(
    tmp_path: Path, suffix: str, positive: str, negative: str
) -> None:
    rows = [
        {"id": "q", "query": "a, not b?", "question_type": "not", positive: "A", negative: "B"},
        {"id": "r", "query": "a or b?", "question_type": "or", positive: "C", negative: "D"},
        {"id": "s", "query": "e, not b?", "question_type": "NOT", positive: "E", negative: "B"},
    ]
    write_table(tmp_path / f"rows.{suffix}", rows)
    found = read_dataset(tmp_path)
    assert [(document.id, document.text) for document in found.corpus] == list(zip("0123", "ABEB", strict=True))
    assert found.queries[1] == Query("s", "e, not b?", {"2": 1}, ("3",))


def test_boolquestions_says_which_columns_it_looked_for_and_found(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("question_type,question,yes,no\nnot,x,a,b\n")
    with pytest.raises(
        InputError, match=r"line 2: needs a text under 'positive_ctxs', .* or 'doc1'; its fields .*'yes'"
    ):
        read_dataset(path)
    path.write_text("question_type,question\nand,x\n")
    with pytest.raises(InputError, match="holds no rows of the question type 'not'; it holds: and"):
        read_dataset(path)
