"""The command line as a person or a script meets it: what it prints, where, and its exit code."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import esens
from esens.cli.main import main, parser

DOCUMENTS = [
    {
        "id": "espresso",
        "title": "Espresso",
        "text": "Espresso forces hot water through finely ground coffee.",
        "year": 1901,
    },
    {"id": "filter", "title": "Filter", "text": "Filter coffee drips through a paper cone.", "score": 2.5},
    {"id": "press", "title": "Press", "text": "A French press steeps coarse coffee grounds.", "score": 1.5},
    {"id": "tea", "title": "Tea", "text": "Green tea leaves are steamed.", "score": 0.5},
]
QUERY = "ways of making coffee, excluding espresso"


@pytest.fixture
def docs(tmp_path: Path) -> str:
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    return str(path)


def _json_lines(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def _ids(hits: object) -> list[str]:
    return [hit["id"] for hit in hits]  # type: ignore[attr-defined]


def _splits(out: str) -> list[tuple[object, object]]:
    return [(line["target"], line["traps"]) for line in _json_lines(out)]


def _run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "esens.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload, no-any-return]


def test_search_prints_a_table(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, QUERY, "-k", "2"]) == 0
    out = capsys.readouterr().out
    for expected in ("wanted", "ways of making coffee", "excluded", "espresso", "rank", "was", "Press"):
        assert expected in out
    assert "Espresso" not in out


def test_search_by_the_papers_score(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, QUERY, "-k", "2", "--score", "linear", "--beta", "1", "--json"]) == 0
    (results,) = _json_lines(capsys.readouterr().out)
    assert (results["scoring"], results["removed"]) == ({"name": "linear", "beta": 1, "alpha": 1, "gamma": 0}, [])
    assert set(_ids(results["hits"])) == {"press", "filter"}


@pytest.mark.parametrize("command", ["search", "rerank"])
def test_hard_leaves_out_and_says_what(command: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, docs, QUERY, "--mode", "hard", "--json"]) == 0
    (results,) = _json_lines(capsys.readouterr().out)
    scoring = results["scoring"]
    assert isinstance(scoring, dict)
    assert (scoring["name"], scoring["mode"]) == ("relational", "hard")
    assert _ids(results["removed"]) == ["espresso"]
    assert "espresso" not in _ids(results["hits"])
    assert main([command, docs, QUERY, "--mode", "hard", "--explain"]) == 0
    out = capsys.readouterr().out
    assert "left out, was 1: Espresso" in out
    assert re.search(r"^espresso  excluded, rank 1 .* to “espresso”", out, re.MULTILINE)


def test_flag_marks_and_moves_nothing(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, QUERY, "--beta", "0", "--json"]) == 0
    (plain,) = _json_lines(capsys.readouterr().out)
    assert main(["search", docs, QUERY, "--mode", "flag", "--json"]) == 0
    (flagged,) = _json_lines(capsys.readouterr().out)
    assert _ids(flagged["hits"]) == _ids(plain["hits"])
    assert flagged["scoring"]["mode"] == "flag"  # type: ignore[index]
    marked = [hit["id"] for hit in flagged["hits"] if hit["explanation"]["is_excluded"]]  # type: ignore[attr-defined]
    assert marked == ["espresso"]
    assert main(["search", docs, QUERY, "--mode", "flag"]) == 0
    assert capsys.readouterr().out.count("excluded: is about “espresso”") == 1


def test_the_threshold_reaches_the_search(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    hard = ["search", docs, QUERY, "--score", "contrast", "--mode", "hard", "--beta", "0.1", "--json"]
    assert main([*hard, "--threshold", "0.01"]) == 0
    assert main(hard) == 0
    strict, lenient = _json_lines(capsys.readouterr().out)
    assert _ids(strict["removed"]) == ["espresso"]
    assert _ids(lenient["removed"]) == []


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (["--depth", "3"], {"depth": 3}),
        (["--sentences", "2"], {"sentences": 2}),
        (["--spare-mentions"], {"spare_mentions": True}),
        (["--no-spare-mentions", "--score", "contrast"], {"spare_mentions": False}),
        (["--alpha", "0.5", "--gamma", "2"], {"alpha": 0.5, "gamma": 2.0}),
        (["--variant", "target-minus-trap"], {"name": "linear", "alpha": 0.0, "gamma": 1.0}),
        ([], {"name": "relational", "depth": None, "sentences": 0, "spare_mentions": False}),
    ],
)
def test_the_parameters_of_a_score_reach_the_search(
    options: list[str], parameters: dict[str, object], docs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", docs, QUERY, "--json", *options]) == 0
    (results,) = _json_lines(capsys.readouterr().out)
    assert {name: results["scoring"][name] for name in parameters} == parameters  # type: ignore[index]


@pytest.mark.parametrize(("option", "value"), [("--score", "square"), ("--mode", "loud")])
def test_an_unknown_score_or_mode_is_a_usage_error(
    option: str, value: str, docs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["search", docs, "x", option, value])
    assert left.value.code == 2
    err = capsys.readouterr().err
    assert option in err
    assert value in err


def test_search_as_json_keeps_everything(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, QUERY, "green tea", "-k", "4", "--json"]) == 0
    first, second = _json_lines(capsys.readouterr().out)
    assert (first["target"], first["traps"]) == ("ways of making coffee", ["espresso"])
    hits = {hit["id"]: hit for hit in first["hits"]}  # type: ignore[attr-defined]
    assert hits["espresso"]["metadata"] == {"year": 1901}
    assert hits["espresso"]["explanation"]["trap"] == "espresso"
    assert second["traps"] == []
    assert second["hits"][0]["id"] == "tea"  # type: ignore[index]


def test_explain_says_why(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, QUERY, "--explain"]) == 0
    out = capsys.readouterr().out
    assert out.count("to “espresso”") == 4
    assert "relevance" in out


def test_beta_zero_is_plain_retrieval(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["search", docs, QUERY, "--beta", "0", "--json"])
    (with_beta_zero,) = _json_lines(capsys.readouterr().out)
    main(["search", docs, QUERY, "--decomposer", "none", "--json"])
    (undecomposed,) = _json_lines(capsys.readouterr().out)
    assert with_beta_zero["hits"] == undecomposed["hits"]


def test_target_and_trap_can_be_given(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, "coffee", "--trap", "paper filter", "--trap", "press", "--json"]) == 0
    (results,) = _json_lines(capsys.readouterr().out)
    assert (results["target"], results["traps"]) == ("coffee", ["paper filter", "press"])


def test_search_reads_standard_input(docs: str) -> None:
    done = _run("search", "-", "green tea", "--json", "-k", "1", input=Path(docs).read_text())
    assert done.returncode == 0
    assert _json_lines(done.stdout)[0]["hits"][0]["id"] == "tea"  # type: ignore[index]
    assert done.stderr == ""


def test_rerank_returns_all_candidates(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rerank", docs, QUERY, "--beta", "1", "--json"]) == 0
    (results,) = _json_lines(capsys.readouterr().out)
    assert len(results["hits"]) == 4  # type: ignore[arg-type]
    assert results["hits"][0]["id"] in {"filter", "press"}  # type: ignore[index]


def test_rerank_keeps_the_order_of_given_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "candidates.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS[1:]))
    assert main(["rerank", str(path), "something else", "--scores", "score", "--json"]) == 0
    (results,) = _json_lines(capsys.readouterr().out)
    assert [hit["id"] for hit in results["hits"]] == ["filter", "press", "tea"]  # type: ignore[attr-defined]


def test_rerank_names_a_candidate_without_a_score(docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rerank", docs, QUERY, "--scores", "score"]) == 3
    assert "candidate 'espresso' has no number under 'score'" in capsys.readouterr().err


def test_decompose_prints_and_gives_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompose", QUERY]) == 0
    assert "ways of making coffee" in capsys.readouterr().out
    assert main(["decompose", QUERY, "--json"]) == 0
    assert _splits(capsys.readouterr().out) == [("ways of making coffee", ["espresso"])]


def test_decompose_explains_how_sure_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompose", QUERY, "--explain"]) == 0
    assert "because  confidence 0.95: “excluding” says what is to be left out (rules)" in capsys.readouterr().out


def test_decompose_reads_a_file_of_queries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "queries.txt"
    path.write_text(f"{QUERY}\n\ngreen tea\n")
    assert main(["decompose", str(path), "--json"]) == 0
    assert _splits(capsys.readouterr().out) == [("ways of making coffee", ["espresso"]), ("green tea", [])]


def test_decompose_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"tea without milk\n")))
    assert main(["decompose", "-", "--json"]) == 0
    assert _splits(capsys.readouterr().out) == [("tea", ["milk"])]


def test_the_demo_shows_both_and_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    for expected in ("plain retrieval", "esens", "✗", "✓", "How to go on", "search docs.jsonl"):
        assert expected in out


def test_version_and_help() -> None:
    assert _run("--version").stdout == f"esens {esens.__version__}\n"
    done = _run("--help")
    assert done.returncode == 0
    for command in ("demo", "search", "rerank", "decompose", "exit codes"):
        assert command in done.stdout


@pytest.mark.parametrize("command", ["demo", "search", "rerank", "decompose"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parser().parse_args([command, "--help"])
    assert left.value.code == 0
    assert "usage: esens" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["search", "{docs}", ""], 2, "QUERY: is empty"),
        (["search", "{docs}", "x", "--beta", "-1"], 2, "beta: must be a finite number of at least 0"),
        (["search", "{docs}", "x", "--beta", "nan"], 2, "beta: must be a finite number"),
        (["search", "{docs}", "x", "-k", "-1"], 2, "k: must be a whole number"),
        (["search", "{docs}", "x", "--embedder", "minilmm"], 2, "valid are: minilm, wordllama, onnx:FOLDER"),
        (["search", "{docs}", "x", "--decomposer", "gpt"], 2, "valid are: rules, none"),
        (["search", "{docs}", "x", "--trap", ""], 2, "--trap: must be a text"),
        (["search", "nothing.jsonl", "x"], 3, "nothing.jsonl: No such file"),
        (["search", "my.lance", "x"], 6, "my.lance: there is no such folder"),
        (
            ["search", "mysql://localhost/docs", "x"],
            2,
            "unknown spec 'mysql://localhost/docs'; valid are: FOLDER.lance",
        ),
        (["search", "{bad}", "x"], 3, "line 2: is not JSON"),
        (["search", "{latin}", "x"], 3, "line 1: is not UTF-8"),
        (["search", "{empty}", "x"], 3, "holds no documents"),
        (["search", "{docs}", "x", "--embedder", "onnx:nowhere"], 4, "nowhere: expected model.onnx"),
        (["decompose", " "], 2, "QUERY_OR_FILE: is empty"),
        (["decompose", "nothing.txt"], 3, "nothing.txt: No such file"),
        (["search", "{docs}", "x", "--target", "y"], 2, "--target: says what is wanted"),
        (
            ["search", "{docs}", "x", "--mode", "hard", "--threshold", "2"],
            2,
            "threshold: must be a number above 0",
        ),
        (
            ["search", "{docs}", "x", "--mode", "hard", "--threshold", "nan"],
            2,
            "threshold: must be a number above 0",
        ),
        (["search", "{docs}", "x", "--depth", "0"], 2, "depth: must be a whole number of at least 1"),
        (["rerank", "{docs}", "x", "--score", "linear", "--mode", "flag"], 2, "mode: is for --score relational"),
        (["rerank", "{docs}", "x", "--score", "linear", "--depth", "3"], 2, "depth: is for --score relational"),
        (
            ["search", "{docs}", "x", "--score", "contrast", "--variant", "target-minus-trap"],
            2,
            "is for --score linear",
        ),
    ],
)
def test_what_goes_wrong_is_one_line_and_a_code(
    arguments: list[str], code: int, message: str, docs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"bad": b'{"text": "x"}\n{oops\n', "latin": "caf\xe9".encode("latin-1"), "empty": b""}
    for name, content in files.items():
        (tmp_path / f"{name}.jsonl").write_bytes(content)
    places = {"docs": docs} | {name: str(tmp_path / f"{name}.jsonl") for name in files}
    assert main([argument.format(**places) for argument in arguments]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("esens: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_bad_option_is_a_usage_error(docs: str) -> None:
    done = _run("search", docs, "x", "--betta", "1")
    assert done.returncode == 2
    assert "--betta" in done.stderr


def test_a_traceback_only_with_debug(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "nothing.jsonl", "x"]) == 3
    assert "Traceback" not in capsys.readouterr().err
    assert main(["search", "nothing.jsonl", "x", "--debug"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_the_unexpected_is_a_sentence_too(
    docs: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the roof leaks")

    monkeypatch.setattr("esens.ingest.read_rows", broken)
    assert main(["search", docs, "x"]) == 1
    assert capsys.readouterr().err == "esens: unexpected RuntimeError: the roof leaks (--debug shows where)\n"


def test_interrupting_is_130(
    docs: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("esens.ingest.read_rows", interrupted)
    assert main(["search", docs, "x"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "queries.txt"
    path.write_text("tea without milk\n" * 20000)
    command = (
        f"'{sys.executable}' -m esens.cli.main decompose '{path}' --json | head -n 1; echo ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""


def test_long_documents_are_mentioned_once(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(("coffee " * 400 + "\n") * 3 + "tea\n")
    done = _run("search", str(path), "tea", "-k", "1")
    assert done.returncode == 0
    assert done.stderr.count("longer than the 256 tokens") == 1


def test_a_terminal_without_utf8_gets_letters_and_loses_nothing(docs: str) -> None:
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    assert _run("decompose", "--help", env=latin).returncode == 0
    done = _run("decompose", "茶 without milk", "--json", env=latin | {"PYTHONIOENCODING": "ascii"})
    assert _splits(done.stdout) == [("茶", ["milk"])]
    demo = _run("demo", env=latin, encoding="latin-1")
    assert demo.returncode == 0
    assert "x rome" in demo.stdout
    assert "+ lisbon  Belém" in demo.stdout


@pytest.mark.skipif(shutil.which("script") is None, reason="script(1), which makes a terminal, is not here")
def test_a_bar_shows_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "docs.txt"
    path.write_text("".join(f"note number {i}\n" for i in range(400)))
    command = f"'{sys.executable}' -m esens.cli.main search '{path}' note -k 1"
    done = subprocess.run(
        ["script", "-qec", command, "/dev/null"],
        env=os.environ | {"TERM": "xterm"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "embedding" in done.stdout
    assert re.search(r"\d+/400", done.stdout)


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        ("{here}/.venv/bin/esens", ".venv/bin/esens demo"),
        ("/opt/bin/esens", "/opt/bin/esens demo"),
        ("main.py", "python -m"),
    ],
)
def test_the_demo_says_how_esens_is_called_here(
    program: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.argv", [program.format(here=tmp_path)])
    assert main(["demo"]) == 0
    assert f"  {shown}" in capsys.readouterr().out
