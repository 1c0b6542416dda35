"""What esens writes of a document to Milvus, and how filters are put to its own collections.

Milvus compares what is in a JSON field by rules that differ from version to version: some take true for 1, none
orders the items of a list. So beside its metadata a document has marks: a hash of every field and value, and the
least and greatest number and text of every field. Whether a mark is there means the same everywhere. The metadata
themselves stay plain JSON, by which other programs can filter.

>>> marks_of({"kind": "a", "tags": ["x", 1]}).keys()
dict_keys(['is', 'low', 'high'])
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from esens.errors import ArgumentError
from esens.index.filters import Condition, Filter, Scalar, kind_of, matches, values_of
from esens.index.layout import json_metadata
from esens.index.milvus.expressions import INT64, expression_of, quote
from esens.types import Document

# Milvus takes no more in a text, nor in JSON. On the server these are bytes, in Lite letters.
MOST_BYTES = 65_535
OUR_FIELDS = ("id", "title", "text", "metadata", "marks", "lot", "vector")
_NOTHING = 'json_contains(marks["is"], "")'  # no mark is empty
_ORDERED = ("number", "text")
_ORDERED_LETTERS = 100
_LAST = "\U0010ffff"


def row_of(document: Document, vector: Sequence[float]) -> dict[str, Any]:
    """Return what esens writes of a document; raise where a part of it does not fit."""
    texts = {"id": document.id, "title": document.title, "text": document.text}
    sizes = {name: len(text.encode()) for name, text in texts.items()}
    metadata = json_metadata(document)
    sizes["metadata"] = _json_bytes(document.id, metadata)
    objects = {"metadata": metadata, "marks": marks_of(metadata)}
    sizes["metadata with all their marks"] = len(json.dumps(objects["marks"]))
    for name, size in sizes.items():
        if size > MOST_BYTES:
            raise ArgumentError(
                f"document {document.id!r}",
                f"its {name} take {size:,} bytes, and Milvus {MOST_BYTES:,} at most; split the document",
            )
    return {**texts, **objects, "lot": sample_key(document.id), "vector": vector}


def marks_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the marks of a document: what it equals, and what it is at least and at most."""
    equal: set[str] = set()
    low: dict[str, Any] = {}
    high: dict[str, Any] = {}
    for field, value in metadata.items():
        for item in value if isinstance(value, (list, tuple)) else (value,):
            kind = kind_of(item)
            if kind:
                equal.add(_mark(field, item))
            if kind in _ORDERED:
                key = _hash(field, kind)
                low[key] = min(low.get(key, _bound(item)), _bound(item))
                high[key] = max(high.get(key, _bound(item)), _bound(item))
    return {"is": sorted(equal), "low": low, "high": high}


def sample_key(id_: str) -> float:
    """Return a number from 0 to 1 by which documents are drawn; it says nothing of what they hold."""
    return int(_hash(id_)[:13], 16) / 16**13


def marks_expression(where: Filter | None) -> str:
    """Put a filter of documents that esens wrote as an expression; empty for none."""
    return expression_of(where, _by_marks, nothing=_NOTHING)


def _by_marks(condition: Condition) -> str:
    field, op = condition.field, condition.op
    if op in ("=", "in"):
        return _has_any([_mark(field, value) for value in values_of(condition)])
    (value,) = values_of(condition)
    kind = kind_of(value)
    if kind == "truth":
        truths = (truth for truth in (False, True) if matches({field: truth}, condition))
        return _has_any([_mark(field, truth) for truth in truths])
    if isinstance(value, str) and len(value) > _ORDERED_LETTERS:
        raise ArgumentError(
            "where", f"texts are ordered by {_ORDERED_LETTERS} characters; {field!r} asks for more"
        )
    bound = "low" if op in ("<", "<=") else "high"
    path = f'marks["{bound}"]["{_hash(field, str(kind))}"]'
    return f"(exists {path}) and {path} {op} {quote(value)}"  # a server would read: exists (… and …)


def _has_any(marks: Sequence[str]) -> str:
    return f'json_contains_any(marks["is"], [{", ".join(map(quote, marks))}])' if marks else _NOTHING


def _mark(field: str, value: Scalar) -> str:
    # Numbers that are equal are written the same: 2 and 2.0.
    is_whole = isinstance(value, float) and value.is_integer()
    return _hash(field, str(kind_of(value)), str(int(value) if is_whole else value))


def _hash(*parts: str) -> str:
    return blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def _bound(value: Any) -> Any:
    """Return what stands for a value where values are ordered.

    The beginning of a long text does, with the last of all characters behind it: so it comes after whatever it
    begins with, as the text itself does.
    """
    return value[:_ORDERED_LETTERS] + _LAST if isinstance(value, str) and len(value) > _ORDERED_LETTERS else value


def _json_bytes(id_: str, metadata: Mapping[str, Any]) -> int:
    text = json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
    try:
        json.loads(text, parse_int=_check_int64)
        return len(text.encode())
    except ValueError as error:
        problem = f"its metadata cannot be written as JSON for Milvus ({error})"
        raise ArgumentError(f"document {id_!r}", problem) from None


def _check_int64(digits: str) -> int:
    if abs(int(digits)) >= INT64:
        raise ValueError(f"{digits} has more than 64 bits")
    return int(digits)
