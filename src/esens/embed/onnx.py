"""Sentence embeddings on onnxruntime: masked mean of the last hidden state, at unit length. No torch."""

import warnings
from collections.abc import Iterator, Sequence
from functools import cached_property
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.embed.base import Vectors, fingerprint, hash_of
from esens.embed.files import load_tokenizer
from esens.errors import MissingExtraError, ModelError, TruncatedTextWarning

MAX_TOKENS = 256
# Padded tokens in a batch. A larger one leaves a core's cache: slower, and the runtime keeps its memory.
BATCH_TOKENS = 512


class OnnxEmbedder:
    """A model and its tokenizer, loaded."""

    def __init__(
        self, model: Path, tokenizer: Path, *, name: str, max_tokens: int = MAX_TOKENS, threads: int = 0
    ) -> None:
        """Load both files; ``threads`` 0 leaves the number to onnxruntime."""
        self.name = name
        self._files = (model, tokenizer)
        self._max_tokens = max_tokens
        self._tokenizer = load_tokenizer(tokenizer, extra="minilm")
        self._session = _load_session(model, threads)
        self._inputs = {declared.name for declared in self._session.get_inputs()}

    @classmethod
    def from_folder(cls, folder: str | Path, *, threads: int = 0) -> "OnnxEmbedder":
        """Load ``model.onnx`` (or ``onnx/model.onnx``) and ``tokenizer.json`` from a folder."""
        root = Path(folder).expanduser()
        model = next((p for p in (root / "model.onnx", root / "onnx" / "model.onnx") if p.is_file()), None)
        tokenizer = root / "tokenizer.json"
        if model is None or not tokenizer.is_file():
            raise ModelError(f"{root}: expected model.onnx (or onnx/model.onnx) and tokenizer.json there")
        return cls(model, tokenizer, name=f"onnx:{root}", threads=threads)

    @cached_property
    def fingerprint(self) -> str:
        """What made the vectors: both files, and how many tokens are read."""
        model, tokenizer = self._files
        # A large model keeps its weights beside it, in model.onnx_data or model.onnx.data.
        weights = [hash_of(path) for path in sorted(model.parent.glob(f"{escape(model.name)}*"))]
        return fingerprint("onnx", model=weights, tokenizer=hash_of(tokenizer), max_tokens=self._max_tokens)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each document."""
        return self._embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each query."""
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        tokens = [self._cut(encoded.ids) for encoded in self._tokenizer.encode_batch_fast(list(texts))]
        parts = [(batch, self._run([tokens[i] for i in batch])) for batch in batches(list(map(len, tokens)))]
        if not parts:
            return np.zeros((0, 0), np.float32)
        vectors = np.empty((len(tokens), parts[0][1].shape[1]), np.float32)
        for batch, rows in parts:
            vectors[batch] = rows
        return vectors

    def _cut(self, ids: list[int]) -> list[int]:
        if len(ids) <= self._max_tokens:
            return ids
        # No numbers in the message, so that Python shows it once and not for every batch.
        warnings.warn(
            f"some texts are longer than the {self._max_tokens} tokens that the model reads; "
            "what follows is not searched. Split long documents into passages.",
            TruncatedTextWarning,
            stacklevel=2,
        )
        return ids[: self._max_tokens - 1] + ids[-1:]

    def _run(self, batch: list[list[int]]) -> Vectors:
        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, {name: feed[name] for name in feed if name in self._inputs})[0]
        return masked_mean(hidden, mask)


def batches(lengths: Sequence[int], *, tokens: int = BATCH_TOKENS) -> Iterator[list[int]]:
    """Yield positions in batches of texts of like length, so that little padding is computed."""
    batch: list[int] = []
    for position in np.argsort(lengths, kind="stable").tolist():
        if batch and (len(batch) + 1) * lengths[position] > tokens:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def masked_mean(hidden: npt.NDArray[np.float32], mask: npt.NDArray[np.int64]) -> Vectors:
    """Return the mean of the hidden states under the mask, at unit length."""
    summed = np.matmul(mask[:, None, :].astype(np.float32), hidden)[:, 0]
    return np.asarray(summed / np.linalg.norm(summed, axis=1, keepdims=True), np.float32)


def _load_session(path: Path, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtraError("onnxruntime", "minilm") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the binding raises a class for each status code
        raise ModelError(f"{path}: onnxruntime cannot load it ({error})") from error
