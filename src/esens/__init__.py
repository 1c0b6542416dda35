"""Search that respects "but not". These are the public names; a test pins them."""

from esens import errors
from esens.decompose import Decomposer, LLMDecomposer, decompose
from esens.embed import Embedder
from esens.index.memory import MemoryIndex
from esens.ingest import read_documents
from esens.rerank import Reranker, rerank
from esens.search import Searcher
from esens.types import Decomposition, Document, Explanation, Hit, Provenance, Results

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
