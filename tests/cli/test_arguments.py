"""What is typed: queries that begin with a dash, and errors that name the option somebody typed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import esens
from esens.cli.main import main


@pytest.fixture
def docs(tmp_path: Path) -> str:
    path = tmp_path / "docs.txt"
    path.write_text("fruit salad\ndog food\nhot sauce with chili\n")
    return str(path)


@pytest.mark.parametrize(
    "query",
    [
        "-dog food",
        "-kiwi fruit",
        "-hot sauce",
        "-dog",
        "--explain what it means",
        "-5 degrees",
        '-"two words" x',
        "-茶",
    ],
)
@pytest.mark.parametrize("command", ["decompose", "search", "rerank"])
def test_a_query_that_begins_with_a_dash_is_a_query(
    command: str, query: str, docs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = [] if command == "decompose" else [docs]
    options = ["--json"] if command == "decompose" else ["--json", "-k", "1"]
    for arguments in (
        [*source, query, *options],
        [*options, *source, query],
        [*options, "--", *source, query],
    ):
        assert main([command, *arguments]) == 0
        assert json.loads(capsys.readouterr().out)["query"] == query


@pytest.mark.parametrize("trap", ["-opioids", "-kiwi fruit"])
def test_so_is_the_value_of_an_option(trap: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, "fruit", "--trap", trap, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["traps"] == [trap]


@pytest.mark.parametrize("mistake", ["--betta", "-json", "-x", "--expl=1"])
def test_a_mistyped_option_is_still_one(mistake: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["search", docs, "fruit", mistake])
    assert left.value.code == 2
    err = capsys.readouterr().err
    assert mistake.partition("=")[0] in err


def test_a_wrong_choice_is_named_as_it_was_typed(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["search", docs, "fruit", "--score", "-contrast"])
    assert "invalid choice: '-contrast'" in capsys.readouterr().err


@pytest.mark.parametrize("short", [["-k1"], ["-k=1"], ["-k", "1"], ["--bet", "0", "-k1"], ["--beta=0", "-k1"]])
def test_options_are_read_as_ever(short: list[str], docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, "-kiwi fruit", "--json", *short]) == 0
    assert len(json.loads(capsys.readouterr().out)["hits"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "DOCS", "x", "-k", "-1"], "-k: must be a whole number"),
        (["search", "DOCS", "x", "--beta", "-1"], "--beta: must be"),
        (["search", "DOCS", "x", "--trap", ""], "--trap: must be a text"),
        (["search", "DOCS", ""], "QUERY: is empty"),
        (["search", "DOCS", "x", "--decomposer", "gpt"], "--decomposer: unknown spec 'gpt'"),
        (["search", "DOCS", "x", "--embedder=minilmm"], "--embedder: unknown spec 'minilmm'"),
        (["search", "DOCS", "x", "--decomposer", "openai:"], "--decomposer: is empty"),
        (["search", "DOCS", "x", "--text-field", "body"], "--text-field: "),
        (["search", "DOCS", "x", "--where", "year"], "--where: "),
        (["search", "mysql://h/d", "x"], "INDEX_OR_FILE: unknown spec"),
        (["rerank", "DOCS", "", "-k", "1"], "QUERY: is empty"),
        (["decompose", " "], "QUERY_OR_FILE: is empty"),
        (["index", "DOCS", "--to", "mysql://h/d"], "--to: "),
        (["index", "DOCS", "--to", "x.lance", "--passage-words", "-3"], "--passage-words: must be"),
        (["index", "DOCS", "--to", "x.lance", "--passage-overlap", "900"], "--passage-overlap: "),
        (["search", "DOCS", "x", "--score", "linear", "--no-spare-mentions"], "--no-spare-mentions: "),
    ],
)
def test_an_error_names_the_option_that_was_typed(
    arguments: list[str],
    message: str,
    docs: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Path(docs).parent)
    assert main([docs if argument == "DOCS" else argument for argument in arguments]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"esens: {message}")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["x", "-k", "-1"], "-k"),
        (["x", "--beta", "-1"], "--beta"),
        (["x", "--where", "year"], "--where"),
        (["x", "--exclude-where", "year"], "--exclude-where"),
        (["x", "--evidence-field", ""], "--evidence-field"),
        (["x", " "], "QUERY"),
    ],
)
@pytest.mark.parametrize("source", ["absent.jsonl", "absent.lance"])
def test_options_are_checked_before_documents_are_read_and_embedded(
    source: str, arguments: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", source, *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"esens: {option}: ")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["--top-k", "3"], "-k"),
        (["--limit=3"], "-k"),
        (["--filter", "year=2000"], "--where"),
        (["--betta", "1"], "--beta"),
        (["--passage-words", "100"], None),
    ],
)
def test_an_option_that_is_none_is_told_which_one_was_meant(
    typed: list[str], meant: str | None, docs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["search", docs, "fruit", *typed])
    err = capsys.readouterr().err
    assert typed[0].partition("=")[0] in err
    assert (f"Did you mean {meant}?" in err) if meant else ("Did you mean" not in err)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--score", "linear", "--threshold", "0.5"], "--score relational or contrast"),
        (["--score", "contrast", "--variant", "target-minus-trap"], "--score linear"),
    ],
)
def test_an_option_of_another_score_is_told_of_which(
    arguments: list[str], names: str, docs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", docs, "fruit", *arguments]) == 2
    assert f"is for {names};" in capsys.readouterr().err


def _many(tmp_path: Path, count: int) -> str:
    path = tmp_path / "my notes.txt"
    path.write_text("".join(f"note number {number}\n" for number in range(count)))
    return str(path)


def test_a_larger_file_is_better_indexed_and_the_search_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = _many(tmp_path, 400)
    search = ["search", source, "note number 7", "-k", "1", "--format", "text"]
    assert main(search) == 0
    printed = capsys.readouterr()
    assert "esens index" not in printed.out
    assert printed.err.count("esens index") == 1
    assert f"esens index '{source}' --to 'my notes.lance' --format text" in printed.err
    assert main([*search, "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_a_small_file_is_searched_without_advice(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, "fruit"]) == 0
    assert "esens index" not in capsys.readouterr().err


def test_words_of_one_query_without_quotation_marks_are_noticed(
    docs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", docs, "hot", "sauce", "--json"]) == 0
    assert "these are 2 queries, a word each; for one of several words: 'hot sauce'" in capsys.readouterr().err
    assert main(["search", docs, "hot sauce", "dog", "--json"]) == 0
    assert "queries, a word each" not in capsys.readouterr().err


def test_a_threshold_without_a_mode_that_has_one_is_refused(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, "hot sauce", "--threshold", "0.5"]) == 2
    assert "--threshold: says what --mode hard leaves out" in capsys.readouterr().err


def test_the_package_runs_as_the_command() -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "esens", "--version"], capture_output=True, text=True, check=True
    )
    assert asked.stdout.strip() == f"esens {esens.__version__}"
