"""Search that respects "but not". These are the public names; a test pins them."""

from typing import TYPE_CHECKING

from esens import errors
from esens.decompose import Decomposer, decompose
from esens.embed import Embedder
from esens.index.memory import MemoryIndex
from esens.ingest import read_documents
from esens.rerank import Reranker, rerank
from esens.search import Searcher
from esens.types import Decomposition, Document, Explanation, Hit, Provenance, Results

if TYPE_CHECKING:
    from esens.decompose.llm import LLMDecomposer
else:

    def __getattr__(name: str) -> object:
        # Loaded on first use: few programs need it, and all of them import esens.
        if name == "LLMDecomposer":
            from esens.decompose.llm import LLMDecomposer

            return LLMDecomposer
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__version__ = "0.1.0"

__all__ = [
    "Decomposer",
    "Decomposition",
    "Document",
    "Embedder",
    "Explanation",
    "Hit",
    "LLMDecomposer",
    "MemoryIndex",
    "Provenance",
    "Reranker",
    "Results",
    "Searcher",
    "__version__",
    "decompose",
    "errors",
    "read_documents",
    "rerank",
]
