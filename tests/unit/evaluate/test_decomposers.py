"""The measures are right on cases small enough to count by hand."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.words import by_words

from esens import Decomposition, Exclusion, decompose
from esens.cli.main import main
from esens.embed import embedder_of
from esens.errors import InputError
from esens.evaluate.datasets import read_dataset
from esens.evaluate.decomposers import (
    ORACLE,
    PLAIN,
    agreement,
    builtin_negatives,
    end_to_end,
    false_positives,
    quality,
    splits_of,
    token_f1,
)
from esens.evaluate.evaluation import evaluation_of
from esens.evaluate.experiment import Experiment
from esens.evaluate.methods import methods_of
from esens.evaluate.report import tables
from esens.evaluate.statistics import interval

DEFAULT = "esens"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents a query: the answer, and what it excludes."""
    corpus = [
        {"_id": "a", "title": "Filter coffee", "text": "coffee through a paper filter"},
        {"_id": "b", "title": "Espresso", "text": "coffee espresso coffee espresso"},
        {"_id": "c", "title": "Lemon", "text": "dressing with lemon"},
        {"_id": "d", "title": "Vinegar &amp; oil", "text": "dressing vinegar dressing vinegar"},
        *({"_id": f"bean {number}", "title": "", "text": f"a bean of coffee {number}"} for number in range(10)),
    ]
    queries = [
        {
            "_id": "1",
            "text": "coffee, excluding espresso",
            "target": "a",
            "trap": "b",
            "noted": {"target": "coffee", "trap": "espresso"},
        },
        {"_id": "2", "text": "dressing, excluding vinegar", "target": "c", "trap": "d"},
    ]
    path = tmp_path / "small"
    path.mkdir()
    (path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in corpus))
    (path / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in queries))
    return path


@pytest.mark.parametrize(
    ("found", "title", "expected"),
    [("", "x", 0), ("a b", "A, B!", 1), ("a", "a b", 2 / 3), ("a a", "a", 2 / 3), ("a", "b", 0)],
)
def test_token_f1(found: str, title: str, expected: float) -> None:
    assert token_f1(found, title) == pytest.approx(expected)


def test_an_interval_holds_its_mean_and_is_the_same_each_time() -> None:
    values = np.random.default_rng(1).random(50)
    mean, low, high = interval(values)
    assert low < mean < high
    assert mean == pytest.approx(values.mean())
    assert interval(values) == (mean, low, high)
    assert str(interval([1.0, 1.0])) == "1.000 (1.000–1.000)"


def test_traps_are_compared_with_titles_and_records_with_both(folder: Path) -> None:
    benchmark = read_dataset(folder)
    splits = {"half": [Decomposition("coffee", ("espresso",)), Decomposition("dressing")]}
    whole, same, noted = quality(benchmark, splits, embedder_of(by_words))
    assert (whole.queries, whole.detected.mean, whole.token_f1.mean) == (2, 0.5, 0.5)
    assert whole.f1_of_detected is not None
    assert whole.f1_of_detected.mean == 1
    assert (same.queries, same.token_f1.mean) == (1, 1.0)
    assert (noted.decomposer, noted.queries, noted.token_f1.mean) == ("noted", 1, 1.0)
    assert whole.similarity is not None
    assert whole.similarity.mean == pytest.approx(0.5)


def test_the_report_of_a_decomposer_that_finds_nothing_has_no_figure_for_what_it_found(folder: Path) -> None:
    benchmark = read_dataset(folder)
    splits = {"none": [Decomposition(text) for text in benchmark.texts]}
    (table,) = tables(quality(benchmark, splits, None)[:1], [], [], [], [])
    assert "None" not in table.markdown()
    assert "Where a trap was found" not in table.note
    splits["all"] = [Decomposition("coffee", ("espresso",)), Decomposition("dressing", ("vinegar",))]
    (table,) = tables(quality(benchmark, splits, None)[:2], [], [], [], [])
    assert "Where a trap was found, token F1 is .833 (.667–1.000) (all, small)." in table.note


def test_the_search_ranks_answer_and_excluded_of_the_same_queries(folder: Path) -> None:
    benchmark = read_dataset(folder)
    splits = {"rules": [Decomposition("coffee", ("espresso",)), Decomposition("dressing", ("vinegar",))]}
    rows = end_to_end(benchmark, splits, embedder_of(by_words), methods="baseline-minus-trap:1,contrast")
    assert [(row.decomposer, row.method) for row in rows] == [
        (PLAIN, "plain"),
        ("rules", "baseline-minus-trap:1"),
        ("rules", "contrast:2"),
        ("noted", "baseline-minus-trap:1"),
        ("noted", "contrast:2"),
        (ORACLE, "baseline-minus-trap:1"),
        (ORACLE, "contrast:2"),
    ]
    assert {row.queries for row in rows} == {1}  # only one query has a record
    plain, *others = rows
    assert plain.violation.mean == 1
    for row in others:
        assert row.recall.mean == 1
        assert row.violation.mean < 1


def test_the_search_is_that_of_evaluate(folder: Path) -> None:
    benchmark = read_dataset(folder)
    benchmark = replace(benchmark, queries=tuple(replace(query, recorded={}) for query in benchmark.queries))
    methods = "baseline-minus-trap:0.3,contrast,esens"
    splits = splits_of(benchmark, {"rules": decompose})
    rows = {row.method: row for row in end_to_end(benchmark, splits, embedder_of(by_words), methods=methods)[1:4]}
    experiment = Experiment.prepare(benchmark, embedder=embedder_of(by_words))
    for result in evaluation_of(experiment, methods_of(methods)).methods:
        assert rows[result.method].recall == result.measures["avg_recall"]
        assert rows[result.method].violation == result.measures["avg_violation"]


def test_by_default_the_search_is_that_of_the_paper_and_the_default_one(folder: Path) -> None:
    rows = end_to_end(read_dataset(folder), {"rules": [Decomposition("x", ("y",))] * 2}, embedder_of(by_words))
    assert [row.method for row in rows[1:4]] == ["baseline-minus-trap:0.2", "baseline-minus-trap:0.3", DEFAULT]


def test_a_trap_where_nothing_is_excluded_is_invented() -> None:
    benchmark = builtin_negatives()
    (found,) = false_positives(benchmark, {"all": [Decomposition("x", ("y",))] * len(benchmark.queries)})
    assert found.traps == tuple(benchmark.texts)
    assert false_positives(benchmark, splits_of(benchmark, {"none": Decomposition}))[0].traps == ()


def test_the_list_of_our_own_is_long_and_has_no_doubles() -> None:
    texts = [text.lower() for text in builtin_negatives().texts]
    assert len(texts) >= 150
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("content", "problem"),
    [("", "holds no queries"), ("{", "line 1: is not JSON"), ('{"text": 5}', "line 1: needs a text under 'text'")],
)
def test_a_bad_file_is_named_with_its_line(tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "queries.jsonl").write_text(content)
    with pytest.raises(InputError, match=problem):
        read_dataset(tmp_path)


def test_other_line_ends_of_unicode_inside_a_query_are_no_line_ends(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('\ufeff{"text": "tea\u2028milk"}\n', encoding="utf-8")
    assert read_dataset(tmp_path).texts == ["tea\u2028milk"]


def test_a_folder_without_queries_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate-decomposer", str(tmp_path)]) == 3
    assert "a folder with queries.jsonl" in capsys.readouterr().err


def test_the_command_prints_tables_and_writes_them(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.md"
    assert main(["evaluate-decomposer", str(folder), "--write", str(out)]) == 0
    printed, written = capsys.readouterr().out, out.read_text(encoding="utf-8")
    for title in ("Exclusions found", "Exclusions invented", "Search with them", "Time"):
        assert title in printed
        assert f"## {title}" in written
    assert "| small | rules | 1 | baseline-minus-trap:0.2 |" in written
    assert f"| small | rules | 1 | {DEFAULT} |" in written
    assert "esens evaluate-decomposer" in written


def test_without_a_benchmark_the_list_of_our_own_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate-decomposer"]) == 0
    assert "built-in negatives" in capsys.readouterr().out


def test_splits_are_compared_with_those_of_a_person_by_group_and_relation(tmp_path: Path) -> None:
    rows = [
        {"text": "tea without milk", "target": "tea", "traps": ["milk"], "source": "cafe"},
        {"text": "tea besides the green", "target": "tea", "traps": ["green"], "source": "cafe"},
        {"text": "driving without shoes", "excludes": False, "source": "road"},
        {"text": "cars without doors", "excludes": False, "source": "road"},
    ]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    benchmark = read_dataset(tmp_path)
    mine = [
        Decomposition("tea", exclusions=(Exclusion("Milk", "has"),)),
        Decomposition("tea besides the green"),
        Decomposition("driving without shoes"),
        Decomposition("cars", exclusions=(Exclusion("doors", "has"),)),
    ]
    everything, cafe, road, has = agreement(benchmark, {"mine": mine})
    assert [row.group for row in (everything, cafe, road, has)] == ["all", "cafe", "road", "relation has"]
    assert everything.found is not None
    assert everything.exact is not None
    assert everything.invented is not None
    assert (everything.excluding, everything.found.mean, everything.exact.mean) == (2, 0.5, 0.5)
    assert (everything.plain, everything.invented.mean) == (2, 0.5)
    assert cafe.invented is None
    assert road.found is None
    assert (has.excluding, has.plain) == (1, 1)
    (table,) = tables([], [everything, cafe, road, has], [], [], [])
    assert "cafe (2 + 0)" in table.markdown()


def test_a_split_by_hand_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    row = {"text": "tea without milk", "traps": ["milk"], "excludes": False}
    (tmp_path / "queries.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match="different things"):
        read_dataset(tmp_path)
