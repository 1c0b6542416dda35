"""Sentence embeddings on onnxruntime, without torch: tokens in, one vector of unit length a text out."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np

from esens.arrays.scan import cores
from esens.embed.base import Vectors, at_unit_length, fingerprint, hash_of
from esens.embed.files import load_tokenizer
from esens.embed.model_folder import ModelSettings, read_settings
from esens.embed.pooling import POOLS
from esens.embed.truncation import report_truncated
from esens.errors import MissingExtraError, ModelError

# Padded tokens in a batch. A larger one leaves a core's cache: slower, and the runtime keeps its memory.
BATCH_TOKENS = 512
# What a run costs beside its tokens, in tokens: more padding than that is not worth the run that it spares.
RUN_TOKENS = 5
_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
# What exporters call the vector of a whole text, where they write it beside those of the tokens.
_SENTENCE_OUTPUT = "sentence_embedding"
# Without it the library writes an id of the machine into the home folder, and reports to its maker.
_NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"


class OnnxEmbedder:
    """A model and its tokenizer, loaded; ``settings`` say how they are used."""

    def __init__(
        self,
        model: Path,
        tokenizer: Path,
        *,
        name: str,
        settings: ModelSettings = ModelSettings(),  # noqa: B008 - frozen
        threads: int = 0,
    ) -> None:
        """Load both files; ``threads`` 0 leaves the number to onnxruntime."""
        self.name = name
        self.settings = settings
        self._files = (model, tokenizer)
        self._threads = threads or cores()
        self._tokenizer = load_tokenizer(tokenizer, extra="minilm")
        self._session = load_session(model, threads)
        self.has_many_callers = threads == 0  # whoever bounds the threads has other processes to share cores with
        self._inputs = checked_inputs(self._session, model)
        self._output, shape = _choose_output(self._session)
        self._is_pooled = self._output == _SENTENCE_OUTPUT or len(shape) == 2
        self.dimension: int | None = shape[-1] if shape and isinstance(shape[-1], int) else None

    @classmethod
    def from_folder(cls, folder: str | Path, *, threads: int = 0) -> "OnnxEmbedder":
        """Load ``model.onnx`` (or ``onnx/model.onnx``) and ``tokenizer.json``, to be used as the folder says."""
        root = Path(folder).expanduser()
        model, tokenizer = model_files(root)
        settings = read_settings(root)
        embedder = cls(model, tokenizer, name=f"onnx:{root}", settings=settings, threads=threads)
        if not embedder._is_pooled:  # otherwise the model computes its modules itself
            settings.check()
        return embedder

    @cached_property
    def fingerprint(self) -> str:
        """What made the vectors: both files, how many tokens are read, the pooling and what stands before a text.

        Settings that are the usual ones do not stand in it, so that vectors made before they were read stay valid.
        """
        model, tokenizer = self._files
        # A large model keeps its weights beside it, in model.onnx_data or model.onnx.data.
        weights = [hash_of(path) for path in sorted(model.parent.glob(f"{escape(model.name)}*"))]
        return fingerprint(
            "onnx",
            model=weights,
            tokenizer=hash_of(tokenizer),
            max_tokens=self.settings.max_tokens,
            **self.settings.changes,
        )

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each document."""
        return self._embed(texts, self.settings.document_prefix)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each query."""
        return self._embed(texts, self.settings.query_prefix)

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        tokens = self._tokenize(texts, prefix)
        runs = list(batches(list(map(len, tokens))))
        if not runs:
            return np.zeros((0, 0), np.float32)
        parts = self._run_all([[tokens[i] for i in batch] for batch in runs])
        vectors = np.empty((len(tokens), parts[0].shape[1]), np.float32)
        for batch, rows in zip(runs, parts, strict=True):
            vectors[batch] = rows
        return vectors

    def _run_all(self, batches: list[list[list[int]]]) -> list[Vectors]:
        """Run batches, shortest first; those of a few short texts side by side.

        A short text does not fill two cores, so query, target and trap share them better than each would.
        """
        if len(batches) == 1 or self._threads == 1 or sum(map(_size, batches)) > BATCH_TOKENS:
            return [self._run(batch) for batch in batches]
        *shorter, longest = batches
        pending = [(_pool().submit(self._run, batch), batch) for batch in reversed(shorter)]
        parts = [self._run(longest)]
        # What has not begun is done here: others may be waiting for the same threads.
        parts += [self._run(batch) if future.cancel() else future.result() for future, batch in pending]
        return parts[::-1]

    def _tokenize(self, texts: Sequence[str], prefix: str) -> list[list[int]]:
        """Return the tokens of each text, as many as the model reads."""
        read = [prefix + text for text in texts]
        encodings = self._tokenizer.encode_batch_fast(
            [t.lower() for t in read] if self.settings.lowercase else read
        )
        most = self.settings.max_tokens
        report_truncated([text for text, e in zip(texts, encodings, strict=True) if len(e.ids) > most], most)
        return [_cut(encoding, most) for encoding in encodings]

    def _run(self, batch: list[list[int]]) -> Vectors:
        ids = np.zeros((len(batch), max(1, *map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        positions = np.broadcast_to(np.arange(ids.shape[1]), ids.shape)
        feed = dict(zip(_INPUTS, (ids, mask, np.zeros_like(ids), positions), strict=True))
        try:
            (output,) = self._session.run([self._output], {name: feed[name] for name in self._inputs})
        except Exception as error:  # the binding raises a class for each status code
            raise ModelError(
                f"{self._files[0]}: onnxruntime cannot run it ({error}). Check that the model and its tokenizer "
                f"belong together, and that it reads {self.settings.max_tokens} tokens"
            ) from error
        hidden = np.asarray(output, np.float32)
        if hidden.ndim == 2:
            return at_unit_length(hidden)
        pooled = POOLS[self.settings.pooling](hidden, mask)
        return at_unit_length(np.where(mask.any(axis=1, keepdims=True), pooled, np.float32(0)))


def batches(lengths: Sequence[int], *, tokens: int = BATCH_TOKENS) -> Iterator[list[int]]:
    """Yield positions in batches of texts of like length, so that little padding is computed.

    Padding costs as much as what is said, so a query, its target and its trap are run one by one.
    """
    batch: list[int] = []
    for position in np.argsort(lengths, kind="stable").tolist():
        length = lengths[position]
        if batch:
            padding = len(batch) * (length - lengths[batch[-1]])
            if padding > RUN_TOKENS or (len(batch) + 1) * length > tokens:
                yield batch
                batch = []
        batch.append(position)
    if batch:
        yield batch


def _size(batch: Sequence[Sequence[int]]) -> int:
    return len(batch) * max(map(len, batch))


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="esens-embed")


if hasattr(os, "register_at_fork"):  # a child has none of its parent's threads; it makes a pool of its own
    os.register_at_fork(after_in_child=_pool.cache_clear)


def _cut(encoding: Any, most: int) -> list[int]:
    """Return at most so many tokens; the one that marks the end of a text stays the last."""
    ids: list[int] = encoding.ids
    if len(ids) <= most:
        return ids
    return ids[: most - 1] + ids[-1:] if encoding.special_tokens_mask[-1] else ids[:most]


def model_files(root: Path) -> tuple[Path, Path]:
    """Return the model and the tokenizer of a folder."""
    model = next((p for p in (root / "model.onnx", root / "onnx" / "model.onnx") if p.is_file()), None)
    tokenizer = root / "tokenizer.json"
    if model is None or not tokenizer.is_file():
        gone = "" if root.exists() else ", and there is no such folder; name the one where the model is now"
        raise ModelError(f"{root}: expected model.onnx (or onnx/model.onnx) and tokenizer.json there{gone}")
    return model, tokenizer


def checked_inputs(session: Any, model: Path) -> list[str]:
    """Return the names of what a model reads, if it is one of texts."""
    names = [declared.name for declared in session.get_inputs()]
    unknown = [name for name in names if name not in _INPUTS]
    if unknown or "input_ids" not in names:
        raise ModelError(
            f"{model}: a model of texts reads {', '.join(_INPUTS)}, and this one reads {', '.join(names)}; "
            "export it again for feature extraction"
        )
    return names


def _choose_output(session: Any) -> tuple[str, list[int | str | None]]:
    """Return the output that holds the vectors, and its shape as far as the model says it."""
    shapes = {declared.name: list(declared.shape or ()) for declared in session.get_outputs()}
    name = _SENTENCE_OUTPUT if _SENTENCE_OUTPUT in shapes else next(iter(shapes))
    return name, shapes[name]


def load_session(path: Path, threads: int) -> Any:
    """Return a model that onnxruntime has loaded; ``threads`` 0 leaves the number to it."""
    os.environ.setdefault(_NO_TELEMETRY, "1")  # read when the library is loaded, not later
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtraError("onnxruntime", "minilm") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    # Threads that wait do not spin: they would take the core that a scan, or another search, needs meanwhile.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the binding raises a class for each status code
        raise ModelError(f"{path}: onnxruntime cannot load it ({error})") from error
