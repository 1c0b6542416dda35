"""Static vectors of the package wordllama (256 dimensions): a text is the mean of its tokens' vectors.

No network of neurons is run, so it is fast, reads texts of any length, and is blind to the order of tokens. The
package is read as data and never imported; its two files have to be the ones we know.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from esens.arrays.pack import pack
from esens.embed.base import Vectors, at_unit_length, checked_texts, fingerprint, hash_of
from esens.embed.files import ModelFile, in_packages, load_tokenizer
from esens.errors import MissingExtraError

VECTORS = ModelFile(
    "wordllama",
    "wordllama/weights/l2_supercat_256.safetensors",
    "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    extra="wordllama",
)
TOKENIZER = ModelFile(
    "wordllama",
    "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
    "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
    extra="wordllama",
    also=("cbcf4290c0a54f900359efb45bac46a0ec237de45fcc4c64314d5d4ac17c26da",),  # in the package for Windows
)
# Characters given to the tokenizer at once, unless one text is longer; it returns some 30 bytes for each.
BATCH_CHARACTERS = 2**18
# What a text counts for at least, so that there are not too many rows in a batch either.
LEAST_CHARACTERS = 256
# Tokens whose vectors are summed at once. A long text is summed in pieces, so that 4 MB are enough.
PIECE_TOKENS = 4096


@cache
def wordllama() -> "WordLlamaEmbedder":
    """Return the embedder, loaded once a process."""
    vectors, tokenizer = in_packages(VECTORS), in_packages(TOKENIZER)
    if vectors is None or tokenizer is None:
        raise MissingExtraError("wordllama", VECTORS.extra)
    return WordLlamaEmbedder(vectors, tokenizer)


class WordLlamaEmbedder:
    """A vector for each token, and the tokenizer."""

    name = "wordllama"
    has_many_callers = True

    def __init__(self, vectors: Path, tokenizer: Path) -> None:
        self._files = (vectors, tokenizer)
        self._tokenizer = load_tokenizer(tokenizer, extra=VECTORS.extra)
        self._halves = read_vectors(vectors)
        self.dimension: int = self._halves.shape[1]

    @cached_property
    def fingerprint(self) -> str:
        """What made the vectors: both files."""
        vectors, tokenizer = map(hash_of, self._files)
        return fingerprint(self.name, vectors=vectors, tokenizer=tokenizer)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each document; zeros for one without tokens, which is an empty one."""
        return self._embed(texts, self._vectors)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each query; zeros for one without tokens, which is an empty one."""
        # Of so few tokens, those alone are made wider: a program that only searches need not wait for all.
        return self._embed(texts, self._halves)

    @cached_property
    def _vectors(self) -> Vectors:
        # Made wider once: doing it for every text takes longer than the sum.
        return np.asarray(self._halves, np.float32)

    def _embed(self, texts: Sequence[str], vectors: npt.NDArray[np.floating]) -> Vectors:
        checked = checked_texts(texts)
        rows = np.empty((len(checked), self.dimension), np.float32)
        for batch in batches(list(map(len, checked))):
            # Without the mark of a text's beginning, as wordllama does it.
            encoded = self._tokenizer.encode_batch_fast(checked[batch], add_special_tokens=False)
            rows[batch] = at_unit_length(np.stack([_sum(text.ids, vectors) for text in encoded]))
        return rows


def _sum(ids: list[int], vectors: npt.NDArray[np.floating]) -> Vectors:
    """Return the sum of the tokens' vectors; at unit length it is what their mean would be.

    Each text by itself: several times faster than ``np.add.reduceat`` over many, and a text's vector then
    depends on nothing else, to the last bit.
    """
    total = np.zeros(vectors.shape[1], np.float32)
    for start in range(0, len(ids), PIECE_TOKENS):
        piece = vectors.take(ids[start : start + PIECE_TOKENS], axis=0)
        total += piece.astype(np.float32, copy=False).sum(axis=0)
    return total


def batches(lengths: Sequence[int]) -> Iterator[slice]:
    """Return runs of texts that follow each other, up to so many characters; a longer text stands alone."""
    return pack([max(length, LEAST_CHARACTERS) for length in lengths], BATCH_CHARACTERS)


def read_vectors(path: Path) -> npt.NDArray[np.float16]:
    """Return the one matrix of a safetensors file: a header's length, the header in JSON, and the numbers."""
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        matrix = json.loads(stream.read(length))["embedding.weight"]
    start = 8 + length + matrix["data_offsets"][0]
    # The pinned file holds 16-bit floats.
    return np.memmap(path, "<f2", mode="r", offset=start, shape=tuple(matrix["shape"]))
