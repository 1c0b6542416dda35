import os
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from esens.embed import Embedder, embedder_of

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # read on import


class Remembering:
    """The embedded default, which embeds no text twice: the demo's corpus is searched by many programs here."""

    name = "minilm"

    def __init__(self) -> None:
        self._model: Embedder = embedder_of("minilm")
        self._known: dict[tuple[str, str], npt.NDArray[np.float32]] = {}

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self._embed("document", texts, self._model.embed_documents)

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self._embed("query", texts, self._model.embed_queries)

    def _embed(
        self, kind: str, texts: Sequence[str], embed: Callable[[Sequence[str]], npt.ArrayLike]
    ) -> npt.NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if (kind, text) not in self._known]
        for text, row in zip(new, np.asarray(embed(new), np.float32) if new else (), strict=True):
            self._known[kind, text] = row
        return np.stack([self._known[kind, text] for text in texts])


@pytest.fixture(scope="session")
def minilm() -> Remembering:
    return Remembering()
