"""Search that respects "but not". These are the public names; a test pins them."""

from typing import TYPE_CHECKING

from esens import errors
from esens.decompose import Decomposer, decompose
from esens.embed import Embedder
from esens.index import check_index
from esens.index.base import BaseIndex, Index
from esens.index.memory import MemoryIndex
from esens.ingest import read_documents
from esens.score.base import Scorer
from esens.score.contrast import Contrast
from esens.score.hybrid import Hybrid
from esens.score.linear import Linear
from esens.score.relational import Relational
from esens.search import Searcher
from esens.search.reranker import Reranker, rerank
from esens.types import (
    Decomposition,
    Document,
    Evidence,
    Example,
    Exclusion,
    Explanation,
    Hit,
    Provenance,
    Results,
    Scoring,
)

if TYPE_CHECKING:
    from esens.decompose.llm.decomposer import LLMDecomposer
    from esens.embed.cache import CachedEmbedder
    from esens.embed.openai import OpenAIEmbedder
    from esens.embed.sentence_transformers import SentenceTransformersEmbedder
    from esens.indexing.writer import IndexReport, build_index
else:
    # Loaded on first use: few programs need them, and all of them import esens.
    _LATER = {
        "CachedEmbedder": "esens.embed.cache",
        "IndexReport": "esens.indexing.writer",
        "LLMDecomposer": "esens.decompose.llm.decomposer",
        "OpenAIEmbedder": "esens.embed.openai",
        "SentenceTransformersEmbedder": "esens.embed.sentence_transformers",
        "build_index": "esens.indexing.writer",
    }

    def __getattr__(name: str) -> object:
        if name in _LATER:
            from importlib import import_module

            return getattr(import_module(_LATER[name]), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


__version__ = "0.2.0"

__all__ = [
    "BaseIndex",
    "CachedEmbedder",
    "Contrast",
    "Decomposer",
    "Decomposition",
    "Document",
    "Embedder",
    "Evidence",
    "Example",
    "Exclusion",
    "Explanation",
    "Hit",
    "Hybrid",
    "Index",
    "IndexReport",
    "LLMDecomposer",
    "Linear",
    "MemoryIndex",
    "OpenAIEmbedder",
    "Provenance",
    "Relational",
    "Reranker",
    "Results",
    "Scorer",
    "Scoring",
    "Searcher",
    "SentenceTransformersEmbedder",
    "__version__",
    "build_index",
    "check_index",
    "decompose",
    "errors",
    "read_documents",
    "rerank",
]
