"""Tiny ONNX models and their tokenizer, written by hand, so that no test needs the package onnx.

A model is a table of token vectors: its hidden states are the rows of the tokens, so that a test can compute what
any pooling must give.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

WORDS = ("[PAD]", "[CLS]", "[SEP]", "[UNK]", "tea", "milk", "query", "passage", "rum", "mint")
TABLE = np.random.default_rng(0).normal(size=(len(WORDS), 4)).astype(np.float32)
_INT64, _FLOAT = 7, 1


def write_model(
    folder: Path, *, outputs: Mapping[str, str] | None = None, settings: Mapping[str, Any] = {}
) -> Path:
    """Write a folder with a model, a tokenizer, and JSON files of these names.

    ``outputs`` are what the model gives: "hidden", a vector a token, "pooled", their mean over all tokens, or
    "score", the mean of all numbers.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(_model(outputs or {"last_hidden_state": "hidden"}))
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer()))
    for name, content in settings.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def rows_of(*words: str) -> np.ndarray:
    """Return the vectors of these tokens, a row each."""
    return TABLE[[WORDS.index(word) for word in words]]


def _tokenizer() -> dict[str, Any]:
    def piece(name: str) -> dict[str, Any]:
        return {"SpecialToken": {"id": name, "type_id": 0}}

    special = {name: {"id": name, "ids": [WORDS.index(name)], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    text = {"Sequence": {"id": "A", "type_id": 0}}
    second = [{"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}]
    added = [
        {"id": i, "content": word, "special": True, "single_word": False}
        | {"lstrip": False, "rstrip": False, "normalized": False}
        for i, word in enumerate(WORDS[:4])
    ]
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [piece("[CLS]"), text, piece("[SEP]")],
            "pair": [piece("[CLS]"), text, piece("[SEP]"), *second],
            "special_tokens": special,
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {w: i for i, w in enumerate(WORDS)}, "unk_token": "[UNK]"},
    }


def _model(outputs: Mapping[str, str]) -> bytes:
    """Return a ModelProto: Gather(table, input_ids), and its mean over the tokens."""
    nodes = [_node("Gather", ["table", "input_ids"], "states")]
    declared = []
    for name, kind in outputs.items():
        if kind == "hidden":
            nodes.append(_node("Identity", ["states"], name))
            declared.append(_value(12, name, _FLOAT, ["batch", "tokens", TABLE.shape[1]]))
        else:
            over = (1,) if kind == "pooled" else (1, 2)
            axes = _field(5, _field(1, b"axes") + b"".join(_field(8, axis) for axis in over) + _field(20, 7))
            keep = _field(5, _field(1, b"keepdims") + _field(3, 0) + _field(20, 2))
            nodes.append(_node("ReduceMean", ["states"], name, axes + keep))
            declared.append(_value(12, name, _FLOAT, ["batch", TABLE.shape[1]] if kind == "pooled" else ["batch"]))
    dims = b"".join(_field(1, size) for size in TABLE.shape)
    table = _field(5, dims + _field(2, _FLOAT) + _field(8, b"table") + _field(9, TABLE.tobytes()))
    inputs = [_value(11, name, _INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask")]
    graph = b"".join([*nodes, _field(2, b"tiny"), table, *inputs, *declared])
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _field(2, 13))


def _node(kind: str, inputs: list[str], output: str, attributes: bytes = b"") -> bytes:
    names = b"".join(_field(1, name.encode()) for name in inputs) + _field(2, output.encode())
    return _field(1, names + _field(4, kind.encode()) + attributes)


def _value(field: int, name: str, type_: int, shape: list[str | int]) -> bytes:
    sizes = b"".join(
        _field(1, _field(2, size.encode()) if isinstance(size, str) else _field(1, size)) for size in shape
    )
    tensor = _field(1, type_) + _field(2, sizes)
    return _field(field, _field(1, name.encode()) + _field(2, _field(1, tensor)))


def _field(number: int, value: int | bytes) -> bytes:
    """Return a field of a protocol buffer: a number, or bytes with their length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
