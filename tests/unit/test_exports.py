"""The public names are a promise: a change here is a change to every user."""

import subprocess
import sys

import pytest

import esens

PUBLIC = [
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
ERRORS = [
    "ArgumentError",
    "DecomposerError",
    "EmbedderError",
    "EngineError",
    "EsensError",
    "InputError",
    "MissingExtraError",
    "ModelError",
    "TruncatedTextWarning",
    "UnknownSpecError",
    "VerifierError",
]


def test_public_names_are_these() -> None:
    assert esens.__all__ == PUBLIC
    assert sorted(PUBLIC) == PUBLIC
    assert dir(esens) == PUBLIC


def test_what_is_no_public_name_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'esens' has no attribute 'search_all'"):
        esens.search_all  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(esens, name) is not None


def test_errors_are_these_and_have_one_root() -> None:
    found = {
        name: kind
        for name, kind in vars(esens.errors).items()
        if isinstance(kind, type) and kind.__module__ == "esens.errors"
    }
    assert sorted(found) == ERRORS
    assert all(issubclass(kind, (esens.errors.EsensError, UserWarning)) for kind in found.values())


def test_functions_are_not_hidden_by_the_modules_of_their_name() -> None:
    for first in ("esens.decompose", "esens.search.reranker", "esens.cli.main"):
        script = f"import {first}, esens; print(callable(esens.decompose), callable(esens.rerank))"
        assert _printed(script) == "True True\n"


def _modules_after(statement: str) -> set[str]:
    return set(_printed(f"import sys; {statement}; print('\\n'.join(sys.modules))").split())


def _printed(script: str) -> str:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_importing_esens_loads_numpy_at_most() -> None:
    loaded = _modules_after("import esens")
    assert not loaded & {"rich", "onnxruntime", "tokenizers", "huggingface_hub", "importlib.metadata", "argparse"}
    assert not loaded & {"openai", "httpx2", "asyncio", "sqlite3", "sentence_transformers", "torch", "wordllama"}


def test_searching_a_given_matrix_needs_numpy_alone() -> None:
    loaded = _modules_after(
        "import esens; s = esens.Searcher.from_documents(['a', 'b'], vectors=[[1, 0], [0, 1]],"
        " embedder=lambda texts: [[1, 0] for _ in texts]); s.search('x')"
    )
    assert not loaded & {"rich", "onnxruntime", "tokenizers", "huggingface_hub"}


def test_help_loads_no_library_either() -> None:
    loaded = _modules_after("from esens.cli.main import parser; parser().format_help()")
    assert not loaded & {"rich", "onnxruntime", "tokenizers", "openai", "asyncio"}
