"""A cross-encoder on onnxruntime: query and text are read together, and one number says how relevant the text is.

Pairs are scored one by one. In a model whose activations are quantised on the fly, a score depends on what else is
in its batch, and results must repeat.
"""

import math
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from esens.embed.files import load_tokenizer
from esens.embed.model_folder import read_settings
from esens.embed.onnx import checked_inputs, load_session, model_files
from esens.errors import ModelError
from esens.verify.base import DEFAULT_DEADLINE, NoScoresError

_LONGEST = 512
"""Tokens of a pair, where the folder allows more: what such models were trained on."""
_HUB_FILES = ("onnx/model.onnx", "model.onnx", "*.json")


class CrossEncoder:
    """A model and its tokenizer, loaded from a folder: ``model.onnx`` or ``onnx/model.onnx``, ``tokenizer.json``.

    Where there is no such folder, the name is one of the Hugging Face hub, and its files are downloaded once.
    """

    def __init__(self, folder: str | Path, *, threads: int = 0, deadline: float = DEFAULT_DEADLINE) -> None:
        root = Path(folder).expanduser()
        if not root.exists() and str(folder).count("/") == 1:
            root = _from_hub(str(folder))
        self._model, tokenizer = model_files(root)
        self.spec = f"cross-encoder:{folder}"
        self.deadline = deadline
        self._tokenizer = load_tokenizer(tokenizer, extra="minilm")
        self._tokenizer.enable_truncation(min(_LONGEST, read_settings(root).max_tokens))
        self._session = load_session(self._model, threads)
        self._inputs = checked_inputs(self._session, self._model)
        self._output = self._session.get_outputs()[0].name

    def scores(self, query: str, texts: Sequence[str], *, ends: float) -> list[float]:
        """Return a score from 0 to 1 for each text."""
        scores: list[float] = []
        for text in texts:
            if time.monotonic() > ends:
                raise NoScoresError(f"{len(scores)} of {len(texts)} texts were read within {self.deadline:g} s")
            scores.append(self._score(query, text))
        return scores

    def _score(self, query: str, text: str) -> float:
        pair = self._tokenizer.encode(query, text)
        ids = np.array([pair.ids], np.int64)
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([pair.type_ids], np.int64),
            "position_ids": np.arange(ids.shape[1])[None],
        }
        try:
            (output,) = self._session.run([self._output], {name: feed[name] for name in self._inputs})
        except Exception as error:  # the binding raises a class for each status code
            raise ModelError(f"{self._model}: onnxruntime cannot run it ({error})") from error
        if output.size != 1:
            raise ModelError(f"{self._model}: gives {output.size} numbers for a pair; a cross-encoder gives one")
        return 1 / (1 + math.exp(-float(output.item())))


def _from_hub(name: str) -> Path:
    try:
        import huggingface_hub as hub
    except ImportError:
        raise ModelError(f"{name}: there is no such folder, and without huggingface_hub no download") from None
    try:
        return Path(hub.snapshot_download(name, allow_patterns=list(_HUB_FILES)))
    except Exception as error:  # the hub's own, and those of whichever HTTP client it uses
        raise ModelError(f"{name}: there is no such folder, and the hub did not give it ({error})") from error
