import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from datetime import date
from typing import Any

import pytest

from esens import Decomposition, Document, Exclusion, Explanation, Hit, Results, Scoring
from esens.errors import ArgumentError
from esens.types import documents_of

BAD: Any = ...  # of a type that nothing takes
LINEAR = Scoring("linear", {"beta": 0.3, "alpha": 1.0, "gamma": 0.0})


def _results(traps: tuple[str, ...] = ("opioids",)) -> Results:
    why = Explanation(
        0.9, 0.1, rank_before=3, rank_after=1, query_similarity=0.5, trap="opioids", trap_similarity=0.2
    )
    document = Document("d1", "Ibuprofen blocks an enzyme.", "Ibuprofen", {"year": 1969})
    return Results("pain, not opioids", Decomposition("pain", traps), (Hit(document, 0.8, why),), LINEAR)


def test_a_string_is_a_document_with_its_position_as_id() -> None:
    assert Document.of("text", position=4) == Document("4", "text")


def test_a_mapping_keeps_its_id_its_title_and_every_other_field() -> None:
    document = Document.of({"_id": 7, "title": "T", "text": "x", "year": 1999, "metadata": {"a": 1}}, position=0)
    assert document == Document("7", "x", "T", {"a": 1, "year": 1999})


def test_metadata_that_is_no_mapping_is_kept_as_a_field() -> None:
    assert Document.of({"text": "x", "metadata": "note"}, position=0).metadata == {"metadata": "note"}


def test_title_and_text_are_embedded_together() -> None:
    assert Document("1", "text", "Title").content == "Title\ntext"
    assert Document("1", "text").content == "text"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"words": "x"}, r"documents\[3\].*'text' \(or page_content, content, .*\); its fields are: words"),
        ({"text": 5}, r"documents\[3\].*'text'"),
        ({"text": "x", "title": 5}, "document '3': title must be a string"),
        (5, r"documents\[3\].*got int"),
    ],
)
def test_what_is_no_document_is_named(value: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Document.of(value, position=3)  # type: ignore[arg-type]


def test_duplicate_ids_are_named_with_both_positions() -> None:
    with pytest.raises(ArgumentError, match="id 'a' stands at positions 0 and 2"):
        documents_of([{"id": "a", "text": "x"}, "y", {"id": "a", "text": "z"}])


def test_one_document_instead_of_several_is_refused() -> None:
    with pytest.raises(ArgumentError, match="put it in a list"):
        documents_of("a text")


def test_one_trap_may_be_given_as_a_text() -> None:
    assert Decomposition("wanted", "unwanted").traps == ("unwanted",)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("target", "traps", "argument"),
    [("", (), "target"), (5, (), "target"), ("x", ("",), "traps"), ("x", (1,), "traps"), ("x", None, "traps")],
)
def test_a_decomposition_says_something(target: str, traps: tuple[str, ...], argument: str) -> None:
    with pytest.raises(ArgumentError, match=argument):
        Decomposition(target, traps)


def test_records_are_frozen_and_can_be_pickled_and_copied() -> None:
    results = _results()
    with pytest.raises(FrozenInstanceError):
        results.query = "other"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(results)) == results
    assert copy.deepcopy(results) == results


def test_results_are_a_sequence() -> None:
    results = _results()
    assert len(results) == 1
    assert results[0].id == "d1"
    assert results[:1] == results.hits
    assert [hit.rank for hit in results] == [1]
    assert results.ids == ("d1",)
    with pytest.raises(IndexError):
        results[1]


def test_results_convert_to_dicts_and_json_and_keep_ids_and_metadata() -> None:
    results = _results()
    (row,) = results.to_dicts()
    assert row["id"] == "d1"
    assert row["metadata"] == {"year": 1969}
    assert row["explanation"]["rank_before"] == 3
    assert json.loads(results.to_json()) == {
        "query": "pain, not opioids",
        "target": "pain",
        "traps": ["opioids"],
        "exclusions": [
            {
                "text": "opioids",
                "relation": "open",
                "weight": 1.0,
                "span": None,
                "told_by": "",
                "is_literal": False,
                "phrase": "",
                "example": "",
                "is_decided": False,
                "field": "",
            }
        ],
        "confidence": 1.0,
        "reason": "",
        "provenance": {
            "decomposer": "given",
            "prompt_version": "",
            "prompt_hash": "",
            "cached": False,
            "input_tokens": 0,
            "output_tokens": 0,
            "failure": "",
        },
        "scoring": {"name": "linear", "beta": 0.3, "alpha": 1.0, "gamma": 0.0},
        "note": "",
        "ruled_out": [],
        "hits": [row],
        "removed": [],
    }


def test_metadata_that_json_does_not_know_is_written_as_text() -> None:
    hit = _results()[0]
    dated = Hit(Document("d", "x", metadata={"on": date(2026, 1, 2)}), 1.0, hit.explanation)
    results = Results("q", Decomposition("q"), (dated,), LINEAR)
    assert json.loads(results.to_json())["hits"][0]["metadata"] == {"on": "2026-01-02"}


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def test_results_print_as_a_table() -> None:
    text = str(_results())
    for expected in (
        "wanted",
        "pain",
        "excluded",
        "opioids",
        "rank",
        "was",
        "0.800",
        "0.900",
        "0.100",
        "Ibuprofen",
        "d1",
    ):
        assert expected in text
    assert all(len(line) <= 120 for line in text.splitlines())


def test_printing_takes_a_document_as_it_is() -> None:
    hit = _results()[0]
    odd = Hit(Document("[bold]", "[red]markup[/red] \x1b[31m and\n\nlines"), 1.0, hit.explanation)
    text = str(Results("[q]", Decomposition("[q]"), (odd,), LINEAR))
    assert "[red]markup[/red]" in text
    assert "\x1b" not in text


def test_results_print_in_a_notebook_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class ZMQInteractiveShell:
        """What rich takes for a notebook."""

    monkeypatch.setattr("builtins.get_ipython", ZMQInteractiveShell, raising=False)
    assert "Ibuprofen" in str(_results())


def test_what_is_no_text_is_refused() -> None:
    for wrong in ({"id": 1}, {"text": None}, {"title": None}, {"text": "half \ud83d"}, {"metadata": None}):
        with pytest.raises(ArgumentError, match="document"):
            Document(**{"id": "a", "text": "x", **wrong})  # type: ignore[arg-type]


def test_no_results_say_so() -> None:
    assert "no results" in str(Results("q", Decomposition("q"), (), LINEAR))


@pytest.mark.parametrize(
    ("traps", "is_plain", "says"),
    [
        (("opioids",), True, "the exclusion has no weight: plain retrieval"),
        ((), True, "nothing is excluded: plain retrieval"),
        (("opioids",), False, None),
    ],
)
def test_the_table_says_where_it_is_plain_retrieval(
    traps: tuple[str, ...], is_plain: bool, says: str | None
) -> None:
    text = str(Results("pain", Decomposition("pain", traps), (), Scoring("linear", {}, is_plain)))
    assert says in text if says else "plain retrieval" not in text


def test_the_table_shows_the_note() -> None:
    noted = Results("q", Decomposition("q"), (), LINEAR, note="No more are among the candidates.")
    assert "No more are among the candidates." in str(noted)
    assert noted.to_dict()["note"] == noted.note


def test_a_scoring_without_a_mode_is_soft() -> None:
    assert LINEAR.mode == "soft"
    assert Scoring("contrast", {"mode": "hard"}).mode == "hard"
    assert hash(LINEAR) == hash(Scoring("linear"))


def test_an_explanation_is_a_sentence() -> None:
    assert "rank 3 → 1" in str(_results()[0].explanation)
    assert str(Explanation(0.5, 0.0, 1, 1, 0.5)) == "rank 1, as before: relevance 0.500, no penalty"


def test_exclusions_and_traps_are_two_ways_to_say_the_same() -> None:
    by_text = Decomposition("pain relief", ("opioids",))
    typed = Decomposition("pain relief", exclusions=(Exclusion("opioids", "has"),))
    assert by_text == typed
    assert by_text.exclusions == (Exclusion("opioids"),)
    assert by_text.exclusions[0].relation == "open"
    assert typed.traps == ("opioids",)
    assert Decomposition("pain relief", ("opioids",), exclusions=typed.exclusions).exclusions == typed.exclusions


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Exclusion(" "), "exclusion"),
        (lambda: Exclusion("opioids", "contains"), "relation"),
        (lambda: Exclusion("opioids", weight=2), "weight"),
        (lambda: Exclusion("opioids", weight=True), "weight"),
        (lambda: Decomposition("pain", ("a",), exclusions=(Exclusion("b"),)), "exclusions"),
        (lambda: Decomposition("pain", exclusions=BAD), "exclusions"),
        (lambda: Decomposition("pain", ("a",), BAD), "confidence"),
    ],
)
def test_an_exclusion_that_makes_no_sense_is_refused(make: Callable[[], object], named: str) -> None:
    with pytest.raises(ArgumentError, match=named):
        make()
