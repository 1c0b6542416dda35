"""Static vectors, for real: what they are, that they are wordllama's own, and what happens without its package."""

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.embed import Embedder, embedder_of
from esens.embed import wordllama as module
from esens.embed.base import Vectors, fingerprint_of
from esens.embed.cache import CachedEmbedder
from esens.embed.files import ModelFile, in_folder, in_packages, verified
from esens.embed.wordllama import BATCH_CHARACTERS, LEAST_CHARACTERS, PIECE_TOKENS, WordLlamaEmbedder, batches
from esens.errors import ArgumentError, MissingExtraError, ModelError

TEXTS = [
    "A cat sat on the mat.",
    "Bond yields rose.",
    "",
    "한국어와 ünïcode",
    "</s> <s>",
    "\n",
    "A cat sat on the mat.",
]


@pytest.fixture(scope="module")
def embedder() -> WordLlamaEmbedder:
    try:
        distribution("wordllama")
    except PackageNotFoundError:
        pytest.skip("the package wordllama is not installed, or has no build for this machine")
    found = embedder_of("wordllama")
    assert isinstance(found, WordLlamaEmbedder)
    return found


def test_meaning_is_near(embedder: Embedder) -> None:
    vectors = np.asarray(
        embedder.embed_documents(["A cat sat on the mat.", "A kitten rested on a rug.", "Bond yields rose."])
    )
    assert vectors.shape == (3, 256)
    assert vectors.dtype == np.float32
    assert vectors[0] @ vectors[1] > 0.3 > 0.2 > vectors[0] @ vectors[2]


_OWN = """
import sys
from importlib.metadata import distribution
import numpy as np
from wordllama import WordLlama

# It looks for its tokenizer in a folder that it does not have, and then in a cache: its own folder serves as one.
folder = distribution("wordllama").locate_file("wordllama")
model = WordLlama.load(cache_dir=str(folder), disable_download=True)
texts = np.load(sys.argv[1])
np.save(sys.argv[2], model.embed(texts.tolist(), norm=True))
"""


def test_the_vectors_are_those_of_wordllama_itself(embedder: WordLlamaEmbedder, tmp_path: Path) -> None:
    # In a process of its own: importing wordllama changes how the whole program logs.
    texts = [text for text in TEXTS if text] + ["word " * 3000]  # for an empty text it returns NaN
    np.save(tmp_path / "texts.npy", np.array(texts))
    command = [sys.executable, "-c", _OWN, str(tmp_path / "texts.npy"), str(tmp_path / "vectors.npy")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "ModuleNotFoundError" in done.stderr:
        pytest.skip("wordllama is installed without what it needs itself")
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(embedder.embed_documents(texts), np.load(tmp_path / "vectors.npy"), atol=1e-6)


def test_a_text_has_one_vector_whatever_stands_beside_it(embedder: WordLlamaEmbedder) -> None:
    together = embedder.embed_documents(TEXTS)
    alone = np.concatenate([embedder.embed_documents([text]) for text in TEXTS])
    assert together.tobytes() == alone.tobytes() == embedder.embed_queries(TEXTS).tobytes()
    np.testing.assert_array_equal(together[0], together[-1])


def test_many_texts_are_those_of_their_batches(
    embedder: WordLlamaEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = embedder.embed_documents(TEXTS)
    monkeypatch.setattr(module, "BATCH_CHARACTERS", 2 * LEAST_CHARACTERS)
    assert len(list(batches(list(map(len, TEXTS))))) == 4
    assert embedder.embed_documents(TEXTS).tobytes() == at_once.tobytes()


@given(text=st.text())
def test_every_text_is_at_unit_length_and_an_empty_one_is_zeros(embedder: WordLlamaEmbedder, text: str) -> None:
    (row,) = embedder.embed_queries([text])
    assert np.linalg.norm(row) == pytest.approx(1 if text else 0, abs=1e-6)


def test_an_empty_text_is_found_by_nothing(embedder: WordLlamaEmbedder) -> None:
    empty, other = embedder.embed_documents(["", "tea"])
    assert empty @ other == 0


def test_no_texts_are_no_vectors(embedder: WordLlamaEmbedder) -> None:
    assert embedder.embed_documents([]).shape == (0, 256)


def test_the_end_of_a_long_text_counts_as_much_as_its_beginning(embedder: WordLlamaEmbedder) -> None:
    words = 2 * PIECE_TOKENS
    one, other = embedder.embed_documents(["cat " * words + "dog " * words, "dog " * words + "cat " * words])
    assert one @ other > 0.9999
    cat, dog = embedder.embed_documents(["cat " * words, "dog " * words])
    assert one @ cat == pytest.approx(one @ dog, abs=0.15)
    assert max(one @ cat, one @ dog) < 0.95


def test_what_is_no_text_is_named(embedder: WordLlamaEmbedder) -> None:
    with pytest.raises(ArgumentError, match=r"texts\[1\]: "):
        embedder.embed_documents(["tea", "\ud800"])


@given(st.lists(st.integers(0, 2 * BATCH_CHARACTERS), max_size=30))
def test_batches_hold_every_text_once_in_order_within_bounds(lengths: list[int]) -> None:
    made = [range(*batch.indices(len(lengths))) for batch in batches(lengths)]
    assert [position for batch in made for position in batch] == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or sum(max(lengths[i], LEAST_CHARACTERS) for i in batch) <= BATCH_CHARACTERS


def test_texts_without_a_character_do_not_make_a_batch_without_end() -> None:
    most = BATCH_CHARACTERS // LEAST_CHARACTERS
    assert list(batches([0] * (most + 1))) == [slice(0, most), slice(most, most + 1)]


# The files, and what happens without them.


def test_the_package_is_read_and_never_imported(embedder: Embedder) -> None:
    script = (
        "import sys, esens; esens.Searcher.from_documents(['x'], embedder='wordllama').search('x'); "
        "print(*{'wordllama', 'safetensors', 'toml', 'requests', 'onnxruntime'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("file", [module.VECTORS, module.TOKENIZER], ids=["vectors", "tokenizer"])
def test_a_file_with_another_hash_is_refused(file: ModelFile, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"not the file")
    line = rf'other: its hash is .*, expected {file.sha256[:12]}… of wordllama.*install --force-reinstall "esens'
    with pytest.raises(ModelError, match=line):
        in_folder(other, file)


def test_the_tokenizer_may_have_the_line_ends_of_windows(embedder: WordLlamaEmbedder, tmp_path: Path) -> None:
    vectors, tokenizer = embedder._files
    lines = tokenizer.read_bytes().replace(b"\r\n", b"\n")
    (tmp_path / "windows.json").write_bytes(lines.replace(b"\n", b"\r\n"))
    (tmp_path / "others.json").write_bytes(lines)
    for name in ("windows.json", "others.json"):
        same = WordLlamaEmbedder(vectors, verified(tmp_path / name, module.TOKENIZER, repair=""))
        assert same.embed_queries(TEXTS).tobytes() == embedder.embed_queries(TEXTS).tobytes()


def test_a_package_without_its_file_is_named(embedder: Embedder) -> None:
    line = r'package wordllama has no file nowhere.*pip install --force-reinstall "esens\[wordllama\]"'
    with pytest.raises(ModelError, match=line):
        in_packages(replace(module.VECTORS, path="nowhere"))


def test_without_the_package_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VECTORS", "TOKENIZER"):
        monkeypatch.setattr(module, name, replace(getattr(module, name), source="esens-no-such-package"))
    with pytest.raises(MissingExtraError, match=r'^wordllama is not installed.*pip install "esens\[wordllama\]"$'):
        module.wordllama.__wrapped__()


def test_without_tokenizers_one_line_says_how_to_get_it(
    embedder: WordLlamaEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r'tokenizers is not .*pip install "esens\[wordllama\]"'):
        WordLlamaEmbedder(*embedder._files)


def test_the_extra_brings_what_the_embedder_looks_for() -> None:
    required = [
        line for line in distribution("esens").requires or [] if "wordllama" in line.partition("extra ==")[2]
    ]
    assert any(line.startswith(f"{module.VECTORS.source}==") for line in required)
    assert any(line.startswith("tokenizers") for line in required)


# What the vectors depend on.


def test_the_fingerprint_is_of_both_files(embedder: WordLlamaEmbedder, tmp_path: Path) -> None:
    found = fingerprint_of(embedder)
    assert found is not None
    assert module.VECTORS.sha256 in found
    assert any(known in found for known in (module.TOKENIZER.sha256, *module.TOKENIZER.also))
    vectors, tokenizer = embedder._files
    (tmp_path / "tokenizer.json").write_bytes(tokenizer.read_bytes() + b"\n")
    (tmp_path / "vectors.safetensors").write_bytes(vectors.read_bytes() + b"\n")
    for other in (
        WordLlamaEmbedder(vectors, tmp_path / "tokenizer.json"),
        WordLlamaEmbedder(tmp_path / "vectors.safetensors", tokenizer),
    ):
        assert other.fingerprint != found


def test_kept_vectors_come_back_bit_for_bit(embedder: WordLlamaEmbedder, tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    made: list[Vectors] = [CachedEmbedder("wordllama", path).embed_documents(TEXTS) for _ in range(2)]
    assert made[0].tobytes() == made[1].tobytes() == embedder.embed_documents(TEXTS).tobytes()


def test_a_text_has_one_vector_as_query_and_as_document(embedder: WordLlamaEmbedder) -> None:
    texts = ["", "pasta without mushrooms", *TEXTS[:3]]
    assert embedder.embed_queries(texts).tolist() == embedder.embed_documents(texts).tolist()
