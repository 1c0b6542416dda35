"""Any model that sentence-transformers loads, from a folder or from the Hugging Face hub. It needs torch."""

import hashlib
import os
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from esens.embed.base import Vectors, a_row_each, at_unit_length, checked_texts, fingerprint, hash_of
from esens.embed.prompts import query_prompt_of
from esens.embed.truncation import report_truncated
from esens.errors import ArgumentError, MissingExtraError, ModelError
from esens.messages import quoted
from esens.text.redact import redact
from esens.types import check_text

DEFAULT_BATCH_SIZE = 32
_ON_HUB = re.compile(r"\w[\w.-]*(/[\w.-]+)?")
_COMMIT = re.compile(r"[0-9a-f]{40}")
# The library looks for a name without an owner here.
_USUAL_OWNER = "sentence-transformers"


class SentenceTransformersEmbedder:
    """A model, loaded.

    ``model`` is a folder, or a name on the hub, there at a ``revision``: a branch, a tag or a commit.
    ``query_prompt`` stands before every query: None takes the model's own or, where it has none, what it is known
    to want; "" is nothing. ``device`` is torch's name of one; None leaves the choice to the library.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        revision: str | None = None,
        query_prompt: str | None = None,
        device: str | None = None,
        batch_size: int = DEFAULT_BATCH_SIZE,
    ) -> None:
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise ArgumentError("batch_size", f"must be a whole number of at least 1, got {quoted(batch_size)}")
        self._batch_size = batch_size
        self.model = _checked_model(model)
        self.revision = revision
        self._loaded = _load(self.model, revision, device)
        usual = self._loaded.prompts.get("query") or query_prompt_of(self.model)
        self.query_prompt: str = usual if query_prompt is None else query_prompt
        check_text("query_prompt", self.query_prompt)

    @property
    def name(self) -> str:
        """The spec that names this embedder, and the revision where one was chosen."""
        return f"sentence-transformers:{self.model}" + (f"@{self.revision}" if self.revision else "")

    @cached_property
    def fingerprint(self) -> str:
        """What made the vectors: the hub's commit or a folder's files, and how they are used."""
        folder = Path(self.model)
        version = _hash_of_folder(folder) if folder.is_dir() else _commit(self.model, self.revision)
        return fingerprint(
            "sentence-transformers",
            model="" if folder.is_dir() else self.model,  # a folder may move
            version=version,
            query_prompt=self.query_prompt,
            prompts=self._loaded.prompts,
            max_tokens=self._loaded.max_seq_length,
            dtype=str(getattr(self._loaded, "dtype", None)),
            library=_library_version(),
        )

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each document, after the model's own prompt for documents if it has one."""
        return self._embed(texts, self._loaded.encode_document)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each query, after its prompt."""
        return self._embed(texts, self._loaded.encode_query, prompt=self.query_prompt)

    def _embed(self, texts: Sequence[str], encode: Callable[..., Any], *, prompt: str | None = None) -> Vectors:
        checked = checked_texts(texts)
        if not checked:
            return np.zeros((0, 0), np.float32)
        self._report_truncated(checked, prompt or "")
        rows = encode(checked, prompt=prompt, batch_size=self._batch_size, show_progress_bar=False)
        return at_unit_length(a_row_each(rows, len(checked)))

    def _report_truncated(self, texts: list[str], prompt: str) -> None:
        most = self._loaded.max_seq_length
        # A token is a byte at least, and two mark the ends, so that short texts need no counting.
        long = [text for text in texts if most is not None and len((prompt + text).encode()) + 2 > most]
        counts = self._token_counts([prompt + text for text in long])
        report_truncated([text for text, count in zip(long, counts, strict=True) if count > most], most or 0)

    def _token_counts(self, texts: list[str]) -> list[int]:
        tokenizer: Any = getattr(self._loaded, "tokenizer", None)
        if not texts or not hasattr(tokenizer, "model_max_length"):  # not every model has one of transformers'
            return [0] * len(texts)
        return [len(ids) for ids in tokenizer(texts, truncation=False, verbose=False)["input_ids"]]


def _checked_model(model: str | Path) -> str:
    path = Path(model).expanduser()
    if str(model) and path.is_dir():
        return str(path)
    # Refused at once: without a network the library would look for it for a minute.
    if not _ON_HUB.fullmatch(str(model)):
        raise ModelError(
            f"{str(model)!r}: no such folder, and not a name on the hub, which looks like owner/model"
        )
    return str(model)


def _load(model: str, revision: str | None, device: str | None) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise MissingExtraError("sentence-transformers", "sentence-transformers") from None
    try:
        return SentenceTransformer(model, revision=revision, device=device)
    except Exception as error:  # of many kinds: the library's, torch's, the hub's
        raise ModelError(
            f"{model}: sentence-transformers cannot load it ({redact(str(error))}). "
            "Check the name, the revision and the network, or name a folder that holds the model"
        ) from error


def _hash_of_folder(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder) for path in files]
    # What begins with a dot is not the model's: a history, a download's notes.
    lines = [f"{n} {hash_of(p)}" for n, p in zip(names, files, strict=True) if not str(n).startswith(".")]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _commit(model: str, revision: str | None) -> str:
    """Return the commit that was loaded, by where the hub's client has put its files."""
    from huggingface_hub import try_to_load_from_cache

    if revision is not None and _COMMIT.fullmatch(revision):
        return revision
    owned = model if "/" in model else f"{_USUAL_OWNER}/{model}"
    place = os.environ.get("SENTENCE_TRANSFORMERS_HOME")
    for repository in (owned, model):
        for name in ("config.json", "modules.json"):
            file = try_to_load_from_cache(repository, name, cache_dir=place, revision=revision)
            if isinstance(file, str) and _COMMIT.fullmatch(Path(file).parent.name):
                return Path(file).parent.name
    raise ModelError(f"{model}: the loaded version cannot be determined; name it with revision=COMMIT")


def _library_version() -> str:
    from importlib.metadata import version

    return version("sentence-transformers")
