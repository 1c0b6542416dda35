"""The commands that measure: what they print, what they write, and what they say when something is wrong."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.benchmark import write_benchmark, write_sets, write_trec
from tests.benchmark_files import write_native
from tests.embedding_server import embedding_server

from esens.cli.main import main
from esens.embed import embedder_of

KEYS = ("avg_recall", "avg_violation", "recall@5", "violation@5", "rr", "mrr@10")


@pytest.fixture
def benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return str(write_benchmark(tmp_path / "drinks"))


def test_evaluate_measures_the_first_places_of_several_sets_and_their_mean(
    benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = [str(write_sets(tmp_path / name)) for name in ("cups", "mugs")]
    files = {name: tmp_path / f"report.{name}" for name in ("json", "markdown", "latex", "csv", "html")}
    options = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    methods = "plain,target-only,keyword-not,itlr,esens,esens-hard"
    typed = ["evaluate", *sets, "--methods", methods, "--k", "3,2", "--decomposer", "recorded:gold"]
    assert main([*typed, *options]) == 0
    out = capsys.readouterr().out
    assert (
        out.index("The first 2 places") < out.index("The first 3 places") < out.index("cups: the first 2 places")
    )
    found = json.loads(files["json"].read_text())
    assert list(found["datasets"]) == ["cups", "mugs"]
    assert found["queries_with_trap"] == found["queries"] == 8
    for of_set in (found, *found["datasets"].values()):
        assert list(of_set["methods"]) == methods.split(",")
        for method in of_set["methods"].values():
            for key in ("excluded@1", "excluded@2", "excluded@3", "wanted@2", "wanted@3", "lost@3", "denied_kept"):
                low, high = method["intervals"][key]
                assert 0 <= low <= method[key] <= high <= 1
        assert of_set["methods"]["keyword-not"]["denied_kept"] == 0
        against = of_set["methods"]["target-only"]["against_plain"]
        assert {"excluded@1", "excluded@3", "wanted@3"} <= against.keys()
    for name in ("markdown", "latex", "html"):
        assert "mugs: the first 3 places" in files[name].read_text()
    assert {row["measure"] for row in csv.DictReader(files["csv"].read_text().splitlines())} >= {"excluded@2"}


def test_one_set_has_a_curve_of_the_default_alone_and_its_places_are_drawn(benchmark: str, tmp_path: Path) -> None:
    folder, json_file = write_sets(tmp_path / "cups"), tmp_path / "report.json"
    typed = ["evaluate", str(folder), "--json", str(json_file), "--plots", str(tmp_path / "plots")]
    assert main([*typed, "--methods", "plain,esens"]) == 0
    found = json.loads(json_file.read_text())
    assert list(found["frontier"]) == ["esens"]
    assert "datasets" not in found
    assert {"excluded@5", "excluded@10", "wanted@5", "wanted@10"} <= found["methods"]["esens"].keys()
    assert {path.name for path in (tmp_path / "plots").glob("*.svg")} == {"beta-esens.svg", "frontier.svg"}


def test_evaluate_writes_every_form_of_report(
    benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: tmp_path / f"report.{name}" for name in ("json", "markdown", "latex", "csv", "html")}
    options = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    assert (
        main(["evaluate", benchmark, "--methods", "plain,deo", *options, "--plots", str(tmp_path / "plots")]) == 0
    )
    out = capsys.readouterr().out
    assert "drinks (SHA-256 " in out
    assert "baseline-minus-trap over β" in out
    found = json.loads(files["json"].read_text())
    assert found["command"].startswith(f"esens evaluate {benchmark} --methods plain,deo")
    assert len(found["dataset_hash"]) == 64
    assert list(found["methods"]) == ["plain", "deo:0.001"]
    for method in found["methods"].values():
        for key in KEYS:
            low, high = method["intervals"][key]
            assert low <= method[key] <= high
    assert "| deo:0.001 |" in files["markdown"].read_text()
    assert r"\toprule" in files["latex"].read_text()
    assert {row["method"] for row in csv.DictReader(files["csv"].read_text().splitlines())} == {
        "plain",
        "deo:0.001",
    }
    assert (tmp_path / "report-curves.csv").exists()
    assert "<svg" in files["html"].read_text()
    for name in ("frontier", "beta-baseline-minus-trap", "beta-target-minus-trap"):
        assert (tmp_path / "plots" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert (tmp_path / "plots" / f"{name}.svg").read_text().startswith("<?xml")


def test_a_second_run_embeds_nothing_and_finds_the_same(
    benchmark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", benchmark, "--methods", "plain"]) == 0
    first = capsys.readouterr().out
    monkeypatch.setattr(type(embedder_of("minilm")), "_embed", None)
    assert main(["evaluate", benchmark, "--methods", "plain"]) == 0
    assert capsys.readouterr().out == first
    assert main(["evaluate", benchmark, "--methods", "plain", "--no-cache"]) == 1  # it would have embedded


def test_a_changed_document_changes_the_hash_and_is_embedded_anew(
    benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = str(tmp_path / "cache")
    command = [
        "evaluate",
        benchmark,
        "--methods",
        "plain",
        "--cache-dir",
        cache,
        "--json",
        str(tmp_path / "a.json"),
    ]
    assert main(command) == 0
    before = json.loads((tmp_path / "a.json").read_text())
    corpus = Path(benchmark) / "corpus.jsonl"
    corpus.write_text(
        corpus.read_text().replace("A note on coffee, a drink that people like.", "Rocks and stones.")
    )
    assert main(command) == 0
    after = json.loads((tmp_path / "a.json").read_text())
    assert before["dataset_hash"] != after["dataset_hash"]
    assert before["methods"] != after["methods"]


def test_vectors_of_ones_own_give_the_same_figures(
    benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = embedder_of("minilm")
    rows = [json.loads(line) for line in (Path(benchmark) / "corpus.jsonl").read_text().splitlines()]
    queries = [json.loads(line) for line in (Path(benchmark) / "queries.jsonl").read_text().splitlines()]
    given = {
        "vectors": model.embed_documents([f"{row['title']}\n{row['text']}" for row in rows]),
        "query-vectors": model.embed_queries([row["text"] for row in queries]),
        "trap-vectors": model.embed_queries([row["trap"] for row in queries]),
    }
    options = ["--methods", "plain,baseline-minus-trap", "--json", str(tmp_path / "figures.json")]
    assert main(["evaluate", benchmark, *options]) == 0
    expected = json.loads((tmp_path / "figures.json").read_text())["methods"]
    for name, array in given.items():
        np.save(tmp_path / f"{name}.npy", array)
        options += [f"--{name}", str(tmp_path / f"{name}.npy")]
    assert main(["evaluate", benchmark, *options]) == 0
    found = json.loads((tmp_path / "figures.json").read_text())
    assert found["methods"] == expected
    assert found["embedder"].startswith("given document vectors (SHA-256 ")
    assert found["decomposer"] == "given vectors"


def test_runs_are_measured_with_qrels_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_trec(tmp_path)
    command = ["evaluate", "--qrels", "relevant.qrels", "--excluded", "excluded.qrels", "--run", "mine.run"]
    assert main([*command, "--json", "out.json"]) == 0
    assert "mine" in capsys.readouterr().out
    found = json.loads(Path("out.json").read_text())["methods"]["mine"]
    assert (found["recall@1"], found["violation@1"], found["violation@3"], found["rr"]) == (1, 0, 1, 1)


def test_a_run_stands_beside_the_methods(
    benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_trec(tmp_path)
    command = ["evaluate", benchmark, "--methods", "plain", "--run", str(tmp_path / "mine.run")]
    assert main([*command, "--json", str(tmp_path / "out.json")]) == 0
    assert list(json.loads((tmp_path / "out.json").read_text())["methods"]) == ["plain", "mine"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["evaluate"], 2, "give a benchmark, or --qrels FILE with --run FILE"),
        (["evaluate", "nowhere"], 3, "nowhere: No such file or directory"),
        (["evaluate", "BENCHMARK", "--methods", "magic"], 2, "valid are: plain, target-only, keyword-not, bm25"),
        (["evaluate", "BENCHMARK", "--methods", "deo:fast"], 2, "wants a finite number"),
        (["evaluate", "BENCHMARK", "--decomposer", "recorded:gpt"], 2, "no decompositions recorded as 'gpt'"),
        (["evaluate", "BENCHMARK", "--query-vectors", "x.npy"], 2, "give both files"),
        (["evaluate", "BENCHMARK", "--vectors", "BENCHMARK/corpus.jsonl"], 3, "is not a file that numpy.save"),
        (["evaluate", "BENCHMARK", "--vectors", "nowhere.npy"], 3, "nowhere.npy: No such file or directory"),
        (["evaluate", "BENCHMARK", "--json", "a", "--csv", "a"], 2, "have the same file"),
        (["evaluate", "BENCHMARK", "--methods", "plain", "--run", "plain.run"], 2, "is the name of another row"),
        (["evaluate", "--qrels", "relevant.qrels", "--run", "other.run"], 3, "holds none of the queries"),
        (["evaluate", "--qrels", "relevant.qrels", "--run", "plain.run", "--methods", "deo"], 2, "no methods"),
        (["tune", "BENCHMARK", "--dev-share", "nan"], 2, "leaves one side empty"),
        (["tune", "BENCHMARK", "--max-recall-loss", "nan"], 2, "must be a finite number of at least 0"),
        (["tune", "BENCHMARK", "--seed", "-1"], 2, "must be at least 0"),
        (["failures", "BENCHMARK", "--show", "-1"], 2, "must be at least 0"),
        (["reproduce", "--excluir", "nowhere", "--boolquestions", "BENCHMARK"], 3, "nowhere: No such file"),
        (["evaluate", "BENCHMARK", "--qrels", "x"], 2, "give --run FILE, no dataset"),
        (["evaluate", "BENCHMARK", "--split", "dev"], 2, "is for BEIR, mteb, QUEST and BoolQuestions"),
        (["evaluate", "BENCHMARK", "BENCHMARK"], 2, "more than one is named 'drinks'"),
        (["evaluate", "BENCHMARK", "BENCHMARK", "--run", "plain.run"], 2, "--run: belongs to one dataset"),
        (["evaluate", "BENCHMARK", "--decomposer", "recorded:gold"], 2, "no decompositions recorded as 'gold'"),
        (["tune", "BENCHMARK", "--dev-share", "1"], 2, "leaves one side empty"),
        (["tune", "BENCHMARK", "--variant", "target-minus-trap", "--alpha", "1"], 2, "not both"),
        (["failures", "BENCHMARK", "--beta", "0"], 2, "must be above 0"),
        (["reproduce"], 3, "none of the paper's datasets is at hand"),
        (["reproduce", "--boolquestions", "BENCHMARK", "--compare-to", "word2vec"], 2, "text-embedding-3-small"),
    ],
)
def test_what_is_wrong_is_said(
    arguments: list[str],
    code: int,
    message: str,
    benchmark: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_trec(tmp_path)
    Path("plain.run").write_text(Path("mine.run").read_text())
    Path("other.run").write_text("x1 Q0 tea 1 1.0 me\n")
    assert main([part.replace("BENCHMARK", benchmark) for part in arguments]) == code
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said


def test_tune_chooses_and_reports(benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", benchmark, "--max-recall-loss", "20", "--json", str(tmp_path / "tuned.json")]) == 0
    out = capsys.readouterr().out
    assert "least Avg. V with at most 20 points of Avg. R lost, on 4 queries" in out
    assert "On the other 4 queries" in out
    found = json.loads((tmp_path / "tuned.json").read_text())
    assert found["score"] == "relational"
    assert 0 <= found["beta"] <= 5
    assert len(found["setup"]["dataset_hash"]) == 64
    assert found["after"]["avg_violation"][0] <= found["before"]["avg_violation"][0]


def test_failures_show_the_documents(benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--score", "linear", "--beta", "5", "--json", str(tmp_path / "failures.json")]
    assert main(["failures", benchmark, *options]) == 0
    out = capsys.readouterr().out
    assert "answers pushed down by linear at beta 5" in out
    found = json.loads((tmp_path / "failures.json").read_text())
    assert found["queries"] == 8
    assert sum(found["all_groups"].values()) == 8
    assert (found["score"], found["beta"]) == ("linear", 5)
    assert found["cases"]
    for case in found["cases"]:
        assert case["rank_after"] > case["rank_before"]
        assert case["answer"]["text"]


def test_failures_of_every_score(benchmark: str, tmp_path: Path) -> None:
    file = tmp_path / "failures.json"
    for options, expected in (
        (["--score", "linear"], ("linear", 1.0, 0.0, 0.5)),
        (["--score", "contrast"], ("contrast", 0.75, 0.25, 2.0)),
        (["--variant", "target-minus-trap", "--beta", "0.3"], ("linear", 0.0, 1.0, 0.3)),
    ):
        assert main(["failures", benchmark, *options, "--json", str(file)]) == 0
        report = json.loads(file.read_text())
        assert (report["score"], report["alpha"], report["gamma"], report["beta"]) == expected


def test_what_a_search_does_by_default_is_a_method(benchmark: str, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert main(["evaluate", benchmark, "--methods", "plain,contrast,esens", "--json", str(file)]) == 0
    assert list(json.loads(file.read_text())["methods"]) == ["plain", "contrast:2", "esens"]


def test_reproduce_runs_what_is_at_hand_and_says_where_the_rest_is(
    benchmark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESENS_DATA", str(tmp_path / "data"))
    write_benchmark(tmp_path / "data" / "boolquestions-not")
    assert main(["reproduce", "--write", str(tmp_path / "paper.md"), "--latex", str(tmp_path / "paper.tex")]) == 0
    assert r"\toprule" in (tmp_path / "paper.tex").read_text()
    out, err = capsys.readouterr()
    assert "excluir is not at hand: get it from https://github.com/zwh-sdu/ExcluIR" in err
    assert "minilm:int8 (ours)" in out
    said = " ".join(out.split())
    assert "compare the pattern, not the cells" in said
    assert "The paper does not have this retriever, so none of its figures stands beside ours" in said
    page = (tmp_path / "paper.md").read_text()
    assert "(published)" not in page + out
    assert "publ." not in page + out
    assert "esens reproduce --write" in page


def test_reproduce_says_that_two_retrievers_are_no_replication(
    benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "paper.md"
    command = ["reproduce", "--boolquestions", benchmark, "--compare-to", "Qwen3-Embedding-4B"]
    assert main([*command, "--write", str(page)]) == 0
    written = page.read_text()
    assert written.count("(published)") == 2  # of the one retriever that was named, for each variant
    assert "minilm:int8 is not Qwen3-Embedding-4B" in written
    assert "no replication" in written
    assert "within our intervals" not in written + capsys.readouterr().out


def test_an_embedder_on_a_server_is_asked_once_and_says_what_it_used(
    benchmark: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with embedding_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        command = ["reproduce", "--boolquestions", benchmark, "--embedder", "openai:text-embedding-3-large"]
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert "openai:text-embedding-3-large (ours)" in out
        assert "recall beside text-embedding-3-large" in out
        assert "text-embedding-3-large (published)" in out
        assert "text-embedding-3-small" not in out
        assert "published figures lie within our intervals" in " ".join(out.split())
        assert "in the paper by GPT-4o mini" in " ".join(out.split())
        assert " tokens" in err
        assert "sk-very-secret" not in out + err
        asked = len(server.asked)
        assert main(command) == 0
        assert len(server.asked) == asked


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs processes that can be killed")
def test_a_killed_run_goes_on_where_it_was(benchmark: str, tmp_path: Path) -> None:
    rows = [{"_id": str(number), "text": f"note {number} on a drink of its own"} for number in range(3000)]
    with (Path(benchmark) / "corpus.jsonl").open("a") as corpus:
        corpus.writelines(json.dumps(row) + "\n" for row in rows)
    vectors = tmp_path / "cache" / "vectors.sqlite"
    command = [sys.executable, "-m", "esens.cli.main", "evaluate", benchmark, "--methods", "plain"]
    command += ["--cache-dir", str(tmp_path / "cache")]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None and _kept(vectors) < 256:
        time.sleep(0.05)
    run.send_signal(signal.SIGKILL)
    run.wait()
    before = _kept(vectors)
    assert 256 <= before < 3016
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert _kept(vectors) > 3016
    assert list((tmp_path / "cache" / "ranks").iterdir())


def _kept(path: Path) -> int:
    import sqlite3

    if not path.exists():
        return 0
    try:
        with sqlite3.connect(path) as database:
            (count,) = database.execute("SELECT count(*) FROM vectors").fetchone()
    except sqlite3.Error:
        return 0
    return int(count)


@pytest.mark.parametrize("command", ["evaluate", "failures", "tune"])
def test_a_fold_is_measured_alone(command: str, benchmark: str, tmp_path: Path) -> None:
    sizes = []
    for fold in ("1/2", "2/2"):
        path = tmp_path / "figures.json"
        assert main([command, benchmark, "--fold", fold, "--json", str(path)]) == 0
        sizes.append(json.loads(path.read_text()).get("setup", json.loads(path.read_text()))["queries"])
    queries = Path(benchmark, "queries.jsonl").read_text().splitlines()
    assert sum(sizes) == len(queries)
    assert 0 not in sizes


@pytest.mark.parametrize("fold", ["2", "x/2", "3/2", "1/0", "0/2", "1/2/3"])
def test_a_fold_that_is_none_is_named(fold: str, benchmark: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", benchmark, "--fold", fold]) == 2
    assert "--fold" in capsys.readouterr().err


def test_runs_are_written_and_measured_again_to_the_same_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, runs = write_benchmark(tmp_path / "drinks"), tmp_path / "runs"
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    methods = ["--methods", "plain,baseline-minus-trap:0.5,esens", "--no-cache"]
    assert main(["evaluate", str(folder), *methods, "--write-runs", str(runs), "--json", str(first)]) == 0
    assert sorted(path.name for path in runs.iterdir()) == [
        "baseline-minus-trap-0.5.run",
        "esens.run",
        "excluded.qrels",
        "plain.run",
        "relevant.qrels",
    ]
    line = (runs / "baseline-minus-trap-0.5.run").read_text().splitlines()[0].split()
    assert (line[0], line[1], line[3], line[5]) == ("q0", "Q0", "1", "baseline-minus-trap:0.5")
    judged = ["--qrels", str(runs / "relevant.qrels"), "--excluded", str(runs / "excluded.qrels")]
    measured = [word for path in sorted(runs.glob("*.run")) for word in ("--run", str(path))]
    assert main(["evaluate", *judged, *measured, "--json", str(second)]) == 0, capsys.readouterr().err
    ours, theirs = (json.loads(path.read_text())["methods"] for path in (first, second))
    for name, ran in (
        ("plain", "plain"),
        ("baseline-minus-trap:0.5", "baseline-minus-trap-0.5"),
        ("esens", "esens"),
    ):
        for measure in ("avg_recall", "avg_violation", "rr", "mrr@10", "ndcg@10"):
            assert ours[name][measure] == theirs[ran][measure], (name, measure)
    assert json.loads(first.read_text())["queries_with_answer"] == 8
    assert "judged are 8 by an answer, 8 by an excluded document" in " ".join(capsys.readouterr().out.split())


def test_what_a_run_cannot_hold_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "spaced"
    write_native(folder, {"_id": "q 1", "text": "one, not two", "target": "a", "trap": "b"})
    command = ["evaluate", str(folder), "--methods", "plain", "--no-cache", "--write-runs", str(tmp_path / "runs")]
    assert main(command) != 0
    assert "'q 1' has a space in it" in capsys.readouterr().err
