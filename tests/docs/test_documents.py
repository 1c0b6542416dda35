"""What the documents say is true: their code runs, their commands work, their figures are the measured ones."""

import json
import re
import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
from tests.benchmark import write_benchmark, write_sets, write_trec
from tests.chat_server import Does, chat_server
from tests.docs.pages import ROOT, shows
from tests.embedding_server import embedding_server
from tests.onnx_models import write_model
from tests.postgres import fresh_table

import esens
from esens.cli.main import main, parser
from esens.evaluate.datasets import beir, boolquestions
from esens.evaluate.methods import METHODS
from esens.index import INDEX_SPECS, is_index
from esens.index.filters import matches, parse_filter
from esens.index.ranges import SAMPLE
from esens.indexing.embed_files import DEFAULT_PART_ROWS
from esens.ingest import pages as pages
from esens.ingest import sources
from esens.score import contrast
from esens.types import Document
from esens.verify import VERIFIER_SPECS
from esens.verify.scoring import DEFAULT_THRESHOLD

README = (ROOT / "README.md").read_text(encoding="utf-8")
EMBEDDERS = (ROOT / "docs" / "embedders.md").read_text(encoding="utf-8")
VERIFIERS = (ROOT / "docs" / "verifiers.md").read_text(encoding="utf-8")
INDEXES = (ROOT / "docs" / "indexes.md").read_text(encoding="utf-8")
NATIVE = (ROOT / "docs" / "engines" / "native.md").read_text(encoding="utf-8")
ENGINE = (ROOT / "docs" / "engines" / "your-own.md").read_text(encoding="utf-8")
COMPARISON = (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8")
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/**/*.md")]
)


def _blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def _commands(program: str, text: str = README) -> list[str]:
    lines = [line.split("  #")[0].strip() for block in _blocks("sh", text) for line in block.splitlines()]
    return [line for line in lines if line.startswith(program)]


def test_the_code_of_the_readme_runs_and_says_what_it_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    names: dict[str, object] = {}
    (block,) = _blocks("python")
    exec(compile(block, "README.md", "exec"), names)
    (promised,) = _blocks("text")
    assert shows(capsys.readouterr().out, promised)
    results = names["results"]
    assert isinstance(results, esens.Results)
    assert len(results) == 3
    assert not any(hit.metadata["topic"] == "reinforcement-learning" for hit in results)


def test_the_code_on_embedders_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    blocks = _blocks("python", EMBEDDERS)
    with embedding_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        (cached,) = [block for block in blocks if 'CachedEmbedder("openai:' in block]
        for block in [*blocks, cached]:
            asked = len(server.asked)
            exec(compile(block, "embedders.md", "exec"), {})
    assert asked == len(server.asked)  # the cache's second time
    assert capsys.readouterr().out.startswith("2 requests, ")


def test_the_code_and_the_commands_on_verifiers_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Path("docs.jsonl").write_text(DOCS)
    write_benchmark(Path("my-benchmark"))
    write_model(Path("my-model"), outputs={"logits": "score"})
    names: dict[str, Any] = {}
    with chat_server() as server:
        server.otherwise = _verifies_or_reranks
        for name in ("OPENAI_BASE_URL", "COHERE_BASE_URL"):
            monkeypatch.setenv(name, server.base_url)
        for block in _blocks("python", VERIFIERS):
            exec(compile(block, "verifiers.md", "exec"), names)
        assert names["results"].note == ""
        for command in _commands("esens", VERIFIERS):
            assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    assert [spec for spec in VERIFIER_SPECS if f"`{spec}`" not in VERIFIERS] == []
    assert f"From {DEFAULT_THRESHOLD:g} on" in VERIFIERS


def _verifies_or_reranks(body: dict[str, Any]) -> Does:
    if "messages" in body:
        is_of_kinds = "kinds" in body["response_format"]["json_schema"]["schema"]["properties"]
        return Does('{"kinds": []}' if is_of_kinds else '{"answer": "silent", "quote": ""}')
    scores = [{"index": at, "relevance_score": 1 / (1 + at)} for at in range(len(body["documents"]))]
    return Does(body=json.dumps({"results": scores}))


def test_the_command_on_static_vectors_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (command,) = [line for line in _commands("esens", EMBEDDERS) if "wordllama" in line]
    try:
        distribution("wordllama")
    except PackageNotFoundError:
        pytest.skip("the package wordllama is not installed, or has no build for this machine")
    monkeypatch.chdir(tmp_path)
    Path("docs.jsonl").write_text('{"text": "green tea"}\n{"text": "tea with milk"}\n')
    assert main(shlex.split(command)[1:]) == 0
    assert "green tea" in capsys.readouterr().out


def test_the_engine_in_the_docs_passes_the_suite(tmp_path: Path) -> None:
    adapter, suite = _blocks("python", ENGINE)
    (tmp_path / "sqlite_index.py").write_text(adapter)
    (tmp_path / "test_sqlite_index.py").write_text(suite)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", str(tmp_path)]
    run = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout
    assert " passed" in run.stdout


def test_the_filters_in_the_docs_are_read() -> None:
    (block,) = _blocks("python", INDEXES.partition("## Filters")[2].partition("## What is exact")[0])
    names: dict[str, Any] = {}
    exec(compile(block, "indexes.md", "exec"), names)
    where = parse_filter(names["where"])
    assert matches({"language": "en", "year": 2010, "copies": 9}, where)
    assert not matches({"language": "en", "year": 2010, "copies": 3, "out_of_print": True}, where)
    assert not matches({"language": "en", "year": 1990, "genre": "noir"}, where)


def test_the_figures_on_static_vectors_are_the_measured_ones() -> None:
    results = ROOT / "benchmarks" / "results"
    (found,) = re.findall(r"(\d+) times as\sfast.*?interval\s(\d+ to \d+)", EMBEDDERS, re.DOTALL)
    assert f"| wordllama | {found[0]} | {found[1]} |" in (results / "static_vectors.md").read_text(
        encoding="utf-8"
    )
    for name, page in (("minilm", "excluir-23k.md"), ("wordllama", "excluir-23k-wordllama.md")):
        lines = (results / page).read_text(encoding="utf-8").replace("**", "").splitlines()
        measured = [
            line.split(" | ") for line in lines if line.startswith(("| plain |", "| baseline-minus-trap:0.5 |"))
        ]
        recall, recall_at_beta, order, order_at_beta = measured
        cells = [recall[1], order[1], recall_at_beta[1], recall_at_beta[3], order_at_beta[1]]
        assert f"| `{name}` | {' | '.join(cells)} |" in EMBEDDERS


DOCS = '{"id": "doc-17", "text": "lemon dressing", "year": 2001, "language": "en"}\n{"text": "vinegar dressing"}\n'


@pytest.mark.parametrize("command", [*_commands("esens", INDEXES), *_commands("esens", NATIVE)])
def test_the_commands_on_indexes_work(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Path("docs.jsonl").write_text(DOCS)
    write_benchmark(Path("my-benchmark"))
    command = _with_index(command, request)
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out


def _with_index(command: str, request: pytest.FixtureRequest) -> str:
    """Return the command over an index that is there, and make that index where the command does not."""
    words = shlex.split(command)
    at = words.index("--index") + 1 if "--index" in words else 2
    if len(words) <= at or words[1] == "index" or not is_index(words[at]):
        return command
    if words[at].startswith("postgresql"):
        words[at] = fresh_table(request)
    elif words[at].startswith("qdrant"):
        pytest.importorskip("qdrant_client")
        words[at] = "qdrant:here?collection=docs"
    assert main(["index", "docs.jsonl", "--to", words[at]]) == 0
    return shlex.join(words)


def test_the_page_on_evaluation_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("my-benchmark", "ExcluIR", "boolquestions-not"):
        write_benchmark(Path(name))
    for name in ("recipes", "films", "shop"):
        write_sets(Path(name))
    write_trec(Path())
    commands = _commands("esens", page)
    assert len(commands) == 6
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    (block,) = _blocks("python", page)
    names: dict[str, object] = {}
    exec(compile(block, "evaluation.md", "exec"), names)
    assert getattr(names["recall"], "shape", None) == (8, 201)
    for method in METHODS:
        assert re.search(rf"`{method}[:`]", page), method


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_make_targets_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^make ([\w-]+)", "\n".join(_blocks("sh", text)), re.MULTILINE))
    assert targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_page_on_indexes_names_every_engine_and_where_it_becomes_approximate() -> None:
    schemes = {spec.partition(":")[0] for spec in INDEX_SPECS if ":" in spec}
    assert [scheme for scheme in schemes if f"`{scheme}:" not in INDEXES] == []
    above = re.search(r"^ANN_ABOVE = (\S+)$", (ROOT / "src/esens/index/lance/index.py").read_text(), re.MULTILINE)
    assert above
    lance = (ROOT / "docs" / "engines" / "lance.md").read_text(encoding="utf-8")
    assert f"above {int(above[1]):,} documents" in lance
    assert f"from {SAMPLE:,} vectors" in INDEXES


def test_the_page_on_installing_names_every_extra_and_no_other() -> None:
    import tomllib

    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    there = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    for_developers = {name for name in there if name.endswith("-test")} | {"dev", "docs"}
    assert set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)) == set(there) - for_developers
    assert set(re.findall(r"\| `([\w-]+)` \|$", INDEXES, re.MULTILINE)) <= set(there)


MARKED = re.compile(r"<!-- (?:first (\d) columns of )?rows of (\S+) -->\n+((?:\|.*\n)+)")


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "comparison.md"], ids=lambda page: page.name)
def test_the_figures_of_tables_are_the_measured_ones(page: Path) -> None:
    marked = MARKED.findall(page.read_text(encoding="utf-8"))
    assert marked
    for columns, path, table in marked:
        measured = [_cells(row, columns) for row in (ROOT / path).read_text(encoding="utf-8").splitlines()]
        assert [row for row in table.splitlines() if _cells(row) not in measured] == []


def _cells(row: str, columns: str = "") -> list[str]:
    return row.strip("| ").split(" | ")[: int(columns) if columns else None]


def test_the_sentences_with_figures_are_the_measured_ones() -> None:
    headline = _measured("contrast.md", "## Headline")
    first = " ".join(README.split("\n![")[0].split())
    figures = [round(100 * float(headline[method][2].split()[0])) for method in ("plain", "esens")]
    assert (
        f"on the benchmark ExcluIR, for {figures[0]} of 100 queries. With esens it does for {figures[1]}," in first
    )
    home = " ".join((ROOT / "docs" / "index.md").read_text(encoding="utf-8").split())
    assert f"for {figures[0]} of 100 queries the excluded document is among the first results" in home
    assert f"with esens for {figures[1]}," in home


def test_the_table_of_properties_has_the_measured_figures() -> None:
    rows = re.findall(r"^\| (\S+) \| (\.\d+) \| (\.\d+) \| (\.\d+) \| (\.\d+) \|$", README, re.MULTILINE)
    assert [method for method, *_ in rows] == ["plain", "keyword-not", "target-only", "itlr", "esens"]
    everyday, programs = (_measured(page, "## With the rules' splits") for page in ("everyday.md", "programs.md"))
    for method, *figures in rows:
        cells = [page[method][column] for page in (everyday, programs) for column in (3, 4)]
        assert figures == [re.sub(r"\\\*", "", cell).split()[0] for cell in cells]


def _measured(page: str, heading: str) -> dict[str, list[str]]:
    """Return the first table below a heading of a page of results, a row a method."""
    section = (ROOT / "benchmarks" / "results" / page).read_text(encoding="utf-8").partition(f"{heading}\n")[2]
    table = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert table
    return {cells[0].removesuffix(" (default)"): cells for cells in map(_cells, table[0].splitlines())}


def test_the_rows_of_the_headline_are_those_that_its_command_prints() -> None:
    script = (ROOT / "benchmarks/quality/contrast.py").read_text(encoding="utf-8")
    listed = re.search(r"^HEADLINE = \((.*?)^\)", script, re.MULTILINE | re.DOTALL)
    names = re.search(r'^OURS, READ = "(.*)", "(.*)"$', script, re.MULTILINE)
    assert listed
    assert names
    (table,) = (table for _, path, table in MARKED.findall(COMPARISON) if path.endswith("/contrast.md"))
    rows = [_cells(row)[0] for row in table.splitlines()[2:]]
    assert rows == [*re.findall(r'"(.*?)"', listed[1]), *names.groups()]


def test_the_readme_is_about_one_screen_and_leads_to_the_rest() -> None:
    assert len(README.splitlines()) < 100
    assert README.index("make demo") < README.index("```python") < README.index("| works with |")
    assert "docs/index.md" in README


def test_the_readme_counts_the_demo_right() -> None:
    from esens.demo import load_corpus, load_queries

    assert f"{len(load_corpus())} short documents" in README
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"corpus of {len(load_corpus())} documents" in changelog
    assert f"{len(load_queries())} queries" in changelog


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_citation_has_the_version() -> None:
    assert f"version: {esens.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_documents_of_every_form_that_the_readme_names_are_read() -> None:
    assert [Document.of(value, position=0).text for value in ("x", {"text": "x"}, Document("1", "x"))] == ["x"] * 3


def test_the_page_on_datasets_names_every_column_and_file_that_is_read() -> None:
    page = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")
    names = [name for several in boolquestions.COLUMNS.values() for name in several]
    names += [name.format(split="test") for name in beir.EXCLUDED]
    assert [name for name in names if not re.search(rf"`(qrels/)?{re.escape(name)}`", page)] == []


def test_the_page_on_scores_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "scores.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for block in _blocks("python", page):
        exec(compile(block, "scores.md", "exec"), names)
    soft, hard, flag, paper = (names[name] for name in ("soft", "hard", "flag", "paper"))
    for results in (soft, hard, flag, paper):
        assert isinstance(results, esens.Results)
        assert len(results) == 3
    assert isinstance(hard, esens.Results)
    assert hard.removed
    assert f"{contrast.DEFAULT_THRESHOLD:g} by default" in page
    assert f"at {contrast.DEFAULT_BETA:g}, the default" in page
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    write_benchmark(Path("my-benchmark"))
    commands = _commands("esens", page)
    assert len(commands) == 2
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err


def test_the_page_on_reading_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    Path("docs.csv").write_text("text\nlemon dressing\nvinegar dressing\n")
    Path("recipes.jsonl").write_text('{"key": "a", "name": "Lemon", "body": "lemon dressing"}\n')
    Path("damaged.jsonl").write_text('{"text": "lemon dressing"}\n{"text":\n')
    Path("pages").mkdir()
    Path("pages", "lemon.md").write_text("# Lemon\n\nlemon dressing\n")
    commands = _commands("esens", page)
    assert len(commands) == 4
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    capsys.readouterr()
    for block in _blocks("python", page):
        exec(compile(block, "reading.md", "exec"), {})
    assert capsys.readouterr().out == "a Lemon 100%\n1 0\n"
    for ending in (*sources._SUFFIXES, *pages.ENDINGS):
        assert f"`{ending}`" in page or ending == ".text"


def test_the_page_on_larger_corpora_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("lance", reason="the index on disk needs the extra lance")
    page = (ROOT / "docs" / "bigger.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for block in _blocks("python", page):
        exec(compile(block, "bigger.md", "exec"), {})
    commands = _commands("esens", page)
    for command in commands:
        parser().parse_args(shlex.split(command)[1:])
    # With Ray it is run by tests/ray; and servers are tested where they can be had.
    here = [command.replace(" --engine ray --workers 2", "") for command in commands if "://" not in command]
    wanted = [command for command in here if "qdrant" not in command and "milvus" not in command]
    assert [command.split()[1] for command in wanted] == ["embed", "index", "search"]
    for command in wanted:
        assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out
    for block in _blocks("text", page):
        assert block in printed
    assert f"{DEFAULT_PART_ROWS} a\npart by default" in page
    measured = (ROOT / "benchmarks" / "results" / "ray_workers.md").read_text(encoding="utf-8").splitlines()
    figures = page.partition("## How fast")[2].splitlines()
    assert [row for row in figures if row.startswith("|")] == [row for row in measured if row.startswith("|")]
