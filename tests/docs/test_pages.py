"""Every page of the docs runs: what is new here, what needs more of a world in tests of its own."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.benchmark import write_benchmark
from tests.chat_server import chat_server
from tests.docs.pages import ROOT, blocks_of, run_page
from tests.postgres import fresh_table

DOCS = ROOT / "docs"
HERE = (
    "start.md",
    "how-it-works.md",
    "choosing.md",
    "choosing-a-decomposer.md",
    "own-data.md",
    "limits.md",
    "hybrid.md",
    "engines/memory.md",
)
# Addresses of servers on a page, and what stands for them here.
SERVERS: dict[str, tuple[str, str, Callable[[pytest.FixtureRequest], str]]] = {
    "engines/lance.md": ("lance", "my.lance", lambda request: "my.lance"),
    "engines/postgresql.md": ("psycopg", "postgresql://me@localhost/shop?table=docs", fresh_table),
    "engines/qdrant.md": (
        "qdrant_client",
        "qdrant://localhost:6333/docs",
        lambda request: "qdrant:here?collection=docs",
    ),
    "engines/milvus.md": (
        "milvus_lite",
        "milvus://localhost:19530/docs",
        lambda request: "milvus:here.db?collection=docs",
    ),
}
# Pages that other tests run, because they need a model server, a service, or another environment.
ELSEWHERE = {
    "bigger.md": "tests/docs/test_documents.py",
    "datasets.md": "tests/docs/test_pages.py",
    "decomposition.md": "tests/docs/test_pages.py",
    "deploy.md": "tests/docs/test_deploy.py",
    "embedders.md": "tests/docs/test_documents.py",
    "engines/faiss-usearch.md": "tests/docs/test_pages.py",
    "engines/native.md": "tests/docs/test_documents.py",
    "engines/your-own.md": "tests/docs/test_documents.py",
    "evaluation.md": "tests/docs/test_documents.py",
    "frameworks/haystack.md": "tests/integrations/haystack/test_haystack.py",
    "frameworks/langchain.md": "tests/integrations/langchain/test_langchain.py",
    "frameworks/llama-index.md": "tests/integrations/llama_index/test_llama_index.py",
    "frameworks/mteb.md": "tests/integrations/mteb/test_mteb.py",
    "frameworks/pyterrier.md": "tests/integrations/pyterrier/test_pyterrier.py",
    "frameworks/rerankers.md": "tests/integrations/rerankers/test_rerankers.py",
    "indexes.md": "tests/docs/test_documents.py",
    "mcp.md": "tests/server/test_mcp.py",
    "reading.md": "tests/docs/test_documents.py",
    "reproducing.md": "tests/docs/test_pages.py",
    "scores.md": "tests/docs/test_documents.py",
    "service.md": "tests/server/test_docs.py",
    "verifiers.md": "tests/docs/test_documents.py",
}
# Nothing of ours is in these: they install.
NOTHING_TO_RUN = ("install.md",)
DOCUMENTS = """\
{"id": "doc-17", "text": "lemon dressing", "year": 2001}
{"id": "doc-18", "text": "a salad dressing with vinegar", "year": 2010}
{"id": "doc-19", "text": "a salad dressing of tahini", "year": 2020}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with what the pages say is there, in which they run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("docs.jsonl").write_text(DOCUMENTS)
    write_benchmark(Path("my-benchmark"))
    return tmp_path


@pytest.mark.parametrize("page", HERE)
def test_the_page_runs_and_prints_what_it_shows(page: str, folder: Path) -> None:
    if page in ("start.md",):
        pytest.importorskip("lance", reason="the index on disk needs the extra lance")
    if page == "hybrid.md":
        pytest.importorskip("qdrant_client", reason="it shows how a collection of Qdrant's gets an index of words")
    if page == "own-data.md":
        pytest.importorskip("wordllama", reason="wordllama is not installed, or has no build for this machine")
    run_page(DOCS / page)


@pytest.mark.parametrize("page", SERVERS)
def test_the_page_on_an_engine_runs(page: str, folder: Path, request: pytest.FixtureRequest) -> None:
    package, address, spec = SERVERS[page]
    pytest.importorskip(package)
    here = spec(request)
    run_page(DOCS / page, lambda code: code.replace(address, here))


def test_the_page_on_faiss_runs(folder: Path) -> None:
    pytest.importorskip("faiss")
    from esens.demo import load_corpus
    from esens.embed import embedder_of

    documents = load_corpus()
    vectors = np.asarray(embedder_of("minilm").embed_documents([document.text for document in documents]))
    run_page(DOCS / "engines/faiss-usearch.md", vectors=vectors.astype(np.float32), documents=documents)


def test_the_page_on_decomposition_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    Path("queries.txt").write_text("tea without milk\n")
    with chat_server() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        run_page(DOCS / "decomposition.md")
    assert server.queries == ["tea without milk"]  # once: the answer is kept


def test_the_page_on_datasets_runs(folder: Path) -> None:
    write_benchmark(Path("excluir"))
    Path("run.txt").write_text("q1 Q0 a 1 2.0 me\n")
    for name in ("qrels.txt", "excluded.txt"):
        Path(name).write_text(f"q1 0 {name[0]} 1\n")
    run_page(DOCS / "datasets.md")


def test_the_page_on_reproducing_runs(folder: Path) -> None:
    for name in ("ExcluIR", "boolquestions-not"):
        write_benchmark(Path(name))
    run_page(DOCS / "reproducing.md")


def test_every_page_with_code_is_run_somewhere() -> None:
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if _has_code(path)}
    assert pages == {*HERE, *SERVERS, *ELSEWHERE, *NOTHING_TO_RUN}


@pytest.mark.parametrize("page", ELSEWHERE)
def test_the_test_that_runs_a_page_reads_it(page: str) -> None:
    test = (ROOT / ELSEWHERE[page]).read_text(encoding="utf-8")
    title = (DOCS / page).read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    assert Path(page).name in test or f'run_section("{title}"' in test


def _has_code(page: Path) -> bool:
    return any(block.language in ("python", "sh") for block in blocks_of(page))
