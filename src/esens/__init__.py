"""Search that respects "but not".

The public names, and nothing else. They are imported on first use, so ``import esens`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from esens import errors as errors
    from esens.decompose import Decomposer as Decomposer
    from esens.decompose import decompose as decompose
    from esens.embed import Embedder as Embedder
    from esens.index.memory import MemoryIndex as MemoryIndex
    from esens.ingest import read_documents as read_documents
    from esens.rerank import Reranker as Reranker
    from esens.rerank import rerank as rerank
    from esens.search import Searcher as Searcher
    from esens.types import Decomposition as Decomposition
    from esens.types import Document as Document
    from esens.types import Explanation as Explanation
    from esens.types import Hit as Hit
    from esens.types import Results as Results

_HOME = {
    "Decomposer": "esens.decompose",
    "Decomposition": "esens.types",
    "Document": "esens.types",
    "Embedder": "esens.embed",
    "Explanation": "esens.types",
    "Hit": "esens.types",
    "MemoryIndex": "esens.index.memory",
    "Reranker": "esens.rerank",
    "Results": "esens.types",
    "Searcher": "esens.search",
    "decompose": "esens.decompose",
    "errors": "esens.errors",
    "read_documents": "esens.ingest",
    "rerank": "esens.rerank",
}

__all__ = [
    "Decomposer",
    "Decomposition",
    "Document",
    "Embedder",
    "Explanation",
    "Hit",
    "MemoryIndex",
    "Reranker",
    "Results",
    "Searcher",
    "__version__",
    "decompose",
    "errors",
    "read_documents",
    "rerank",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'esens' has no attribute {name!r}")
    module = import_module(_HOME[name])
    value = module if name == "errors" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
