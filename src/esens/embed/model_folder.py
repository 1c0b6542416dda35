"""What a model's folder says about its use, in the files that sentence-transformers writes beside the weights.

- ``modules.json``: what follows the transformer. Pooling and Normalize are done here, others are not.
- ``1_Pooling/config.json``: how the tokens' vectors become one.
- ``sentence_bert_config.json``: how many tokens are read, and whether capitals count.
- ``config_sentence_transformers.json``: what stands before a query, and before a document.
- ``tokenizer_config.json`` and ``config.json``: how many tokens there may be, where the above do not say.

A folder without any of them is a model of the most common kind: the mean over 256 tokens, nothing before a text.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from esens.embed.pooling import POOLS
from esens.errors import ModelError

MAX_TOKENS = 256
_LONGEST = 2**20  # tokenizers write 10^30 for "any length"
_MODULES, _POOLING = "modules.json", "1_Pooling"
_PROMPTS = "config_sentence_transformers.json"
# Old versions of sentence-transformers name this file after the kind of model.
_TRANSFORMER = "sentence_*_config.json"
_FLAG = "pooling_mode_"
# The modules whose work is done here: the model itself, its pooling, and unit length.
_SUPPORTED = ("Transformer", "Pooling", "Normalize")
_ADVICE = "Load it with sentence-transformers:FOLDER, or export it with its modules inside model.onnx"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model is used."""

    pooling: str = "mean"
    max_tokens: int = MAX_TOKENS
    query_prefix: str = ""
    document_prefix: str = ""
    lowercase: bool = False
    unsupported: tuple[str, ...] = ()
    """What the files ask for after the transformer that nothing here computes, each with the file that says so."""

    def check(self) -> None:
        """Raise where the files ask for what is not computed here."""
        if self.unsupported:
            raise ModelError(f"{self.unsupported[0]}. {_ADVICE}")

    @property
    def changes(self) -> dict[str, object]:
        """What is not as in a folder without settings, the number of tokens apart: for the fingerprint."""
        plain = ModelSettings()
        names = ("pooling", "query_prefix", "document_prefix", "lowercase")
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(plain, name)}


def read_settings(folder: Path) -> ModelSettings:
    """Return what the files of a folder say; what they do not say is as usual."""
    modules = {_kind(module): str(module.get("path", "")) for module in _read_list(folder / _MODULES)}
    pooling_file = folder / modules.get("Pooling", _POOLING) / "config.json"
    pooling = _read_object(pooling_file)
    mode = _pooling_mode(pooling)
    transformer = _transformer_settings(folder, modules.get("Transformer", ""))
    query_prefix, document_prefix = _prefixes(folder / _PROMPTS)
    unsupported = []
    if others := [kind for kind in modules if kind not in _SUPPORTED]:
        problem = f"after its transformer the model has {', '.join(others)}, which esens does not compute"
        unsupported.append(f"{folder / _MODULES}: {problem}")
    if mode not in POOLS:
        unsupported.append(f"{pooling_file}: pooling is {mode or 'none'}, and esens pools by {' or '.join(POOLS)}")
    if (query_prefix or document_prefix) and pooling.get("include_prompt") is False:
        unsupported.append(f"{pooling_file}: include_prompt is false, and esens pools the prompt with the text")
    return ModelSettings(
        pooling=mode,
        max_tokens=_max_tokens(folder, transformer),
        query_prefix=query_prefix,
        document_prefix=document_prefix,
        lowercase=transformer.get("do_lower_case") is True,
        unsupported=tuple(unsupported),
    )


def _kind(module: dict[str, Any]) -> str:
    """Return the class of a module without the package, which has changed between versions."""
    return str(module.get("type", "")).rpartition(".")[2]


def _pooling_mode(config: dict[str, Any]) -> str:
    """Return the mode, or several joined by +; newer files name it, older ones have a flag for each."""
    if not config:
        return "mean"
    name = config.get("pooling_mode")
    modes = _split_modes(name) if name else [_mode_of(flag) for flag in config if _is_set(config, flag)]
    return "+".join(modes)


def _split_modes(name: object) -> list[str]:
    return [str(mode) for mode in name] if isinstance(name, list) else str(name).split("+")


def _is_set(config: dict[str, Any], flag: str) -> bool:
    return flag.startswith(_FLAG) and config[flag] is True


def _mode_of(flag: str) -> str:
    """Return a mode by its short name: ``cls`` for ``pooling_mode_cls_token``."""
    mode = flag.removeprefix(_FLAG)
    short = mode.removesuffix("_tokens").removesuffix("_token")
    return mode if mode in POOLS else short


def _transformer_settings(folder: Path, transformer: str) -> dict[str, Any]:
    """Return the settings of the transformer: in its own folder where the model has one for each module."""
    files = [file for root in (folder / transformer, folder) for file in sorted(root.glob(_TRANSFORMER))]
    return _read_object(files[0]) if files else {}


def _max_tokens(folder: Path, transformer: dict[str, Any]) -> int:
    chosen = transformer.get("max_seq_length")
    if _is_length(chosen):
        return int(chosen)
    limits = [
        _read_object(folder / "tokenizer_config.json").get("model_max_length"),
        _read_object(folder / "config.json").get("max_position_embeddings"),
    ]
    return min((int(limit) for limit in limits if _is_length(limit)), default=MAX_TOKENS)


def _is_length(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= _LONGEST


def _prefixes(file: Path) -> tuple[str, str]:
    """Return what stands before a query and before a document, as sentence-transformers chooses it."""
    config = _read_object(file)
    prompts = config.get("prompts") or {}
    if not isinstance(prompts, dict) or not all(isinstance(prompt, str) for prompt in prompts.values()):
        raise ModelError(f"{file}: its prompts are not texts")
    usual: str = prompts.get(str(config.get("default_prompt_name")), "")
    document = next((prompts[name] for name in ("document", "passage", "corpus") if name in prompts), usual)
    return str(prompts.get("query", usual)), document


def _read_object(file: Path) -> dict[str, Any]:
    value = _read_json(file, {})
    if not isinstance(value, dict):
        raise ModelError(f"{file}: expected a JSON object")
    return value


def _read_list(file: Path) -> list[dict[str, Any]]:
    value = _read_json(file, [])
    if not isinstance(value, list) or not all(isinstance(module, dict) for module in value):
        raise ModelError(f"{file}: expected a JSON list of objects")
    return value


def _read_json(file: Path, absent: Any) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return absent
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{file}: cannot be read ({error})") from error
