"""How documents lie in the fields of a Milvus collection, and how conditions on them are put to Milvus.

Milvus compares what is in a JSON field by rules that differ from version to version: some take true for 1, some
leave out documents without the field where it must not equal something. So beside its metadata a document of ours
has marks: a hash of every field and value, and the least and greatest number and text of every field. Whether one
is among them means the same everywhere.

>>> marks_of({"kind": "a", "tags": ["x", 1]}).keys()
dict_keys(['is', 'low', 'high'])
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from pymilvus import DataType

from esens.errors import ArgumentError
from esens.index.filters import Condition, Filter, Scalar, fold_filter, kind_of, matches, values_of
from esens.types import Document

# Milvus takes no more in a text, nor in JSON. On the server these are bytes, in Lite letters.
MOST_BYTES = 65_535
OURS = ("id", "title", "text", "metadata", "marks", "lot", "vector")
NOTHING = 'json_contains(marks["is"], "")'  # no mark is empty
_TEXTS = ("text", "page_content", "content", "document", "body", "chunk")
_INT64 = 2**63
_ORDERED = ("number", "text")
_ORDERED_LETTERS = 100
_LAST = "\U0010ffff"
_KINDS = {
    DataType.BOOL: "truth",
    DataType.VARCHAR: "text",
    **dict.fromkeys((DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64), "whole number"),
    **dict.fromkeys((DataType.FLOAT, DataType.DOUBLE), "number"),
}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def row_of(document: Document, vector: Sequence[float]) -> dict[str, Any]:
    """Return what we write of a document; raise where a part of it does not fit."""
    texts = {"id": document.id, "title": document.title, "text": document.text}
    sizes = {name: len(text.encode()) for name, text in texts.items()}
    sizes["metadata"] = _json_bytes(document)
    kept = {"metadata": dict(document.metadata), "marks": marks_of(document.metadata)}
    sizes["metadata with all their marks"] = len(json.dumps(kept["marks"]))
    for name, size in sizes.items():
        if size > MOST_BYTES:
            raise ArgumentError(
                f"document {document.id!r}",
                f"its {name} take {size:,} bytes, and Milvus {MOST_BYTES:,} at most; split the document",
            )
    return {**texts, **kept, "lot": lot_of(document.id), "vector": vector}


def marks_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the marks of a document: what it equals, and what it is at least and at most."""
    equal: set[str] = set()
    low: dict[str, Any] = {}
    high: dict[str, Any] = {}
    for field, found in metadata.items():
        for item in found if isinstance(found, (list, tuple)) else (found,):
            kind = kind_of(item)
            if kind:
                equal.add(_mark(field, item))
            if kind in _ORDERED:
                key = _hash(field, kind)
                low[key] = min(low.get(key, _bound(item)), _bound(item))
                high[key] = max(high.get(key, _bound(item)), _bound(item))
    return {"is": sorted(equal), "low": low, "high": high}


def lot_of(id_: str) -> float:
    """Return a number from 0 to 1 by which documents are drawn; it says nothing of what they hold."""
    return int(_hash(id_)[:13], 16) / 16**13


def marked(where: Filter | None) -> str:
    """Put a filter of documents of ours as an expression; empty for none."""
    return _expression(where, _by_marks, NOTHING)


def _expression(where: Filter | None, condition: Callable[[Condition], str], nothing: str) -> str:
    if where is None:
        return ""
    return fold_filter(
        where,
        condition=lambda each: f"({condition(each)})",
        all_of=lambda parts: f"({' and '.join(parts)})" if parts else f"(not ({nothing}))",
        any_of=lambda parts: f"({' or '.join(parts) or nothing})",
        negate=lambda part: f"(not {part})",
    )


def quoted(value: Scalar) -> str:
    """Write a value into an expression."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    return repr(value if isinstance(value, int) and abs(value) < _INT64 else float(value))


def one_of(field: str, values: Sequence[Scalar]) -> str:
    """Return the expression of documents with one of these values in a field."""
    return f"{field} in [{', '.join(map(quoted, values))}]"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a document are in a collection that is not ours.

    Without ``metadata`` every field that is left is metadata. ``kinds`` are those of the fields of the schema, and
    other names are dynamic fields, if ``is_dynamic``.
    """

    id: str
    text: str
    title: str
    metadata: str
    kinds: Mapping[str, str]
    is_dynamic: bool

    @classmethod
    def found(
        cls, described: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], options: Mapping[str, str]
    ) -> "Layout":
        """Return that of a collection from its schema and some rows; what ``options`` name is taken as named."""
        fields = {field["name"]: field for field in described["fields"]}
        primary = next(name for name, field in fields.items() if field.get("is_primary"))
        kinds = {name: _KINDS.get(field["type"], field["type"].name) for name, field in fields.items()}
        texts = [name for name, kind in kinds.items() if kind == "text" and name != primary]
        named = [name for name in _TEXTS if name in texts or any(isinstance(row.get(name), str) for row in rows)]
        only = texts if len(texts) == 1 and texts != ["title"] else []
        id_, title = options.get("id", primary), options.get("title", "title")
        text = options.get("text") or next(iter([*named, *only]), "text")
        left = {name for row in rows for name in row} - {id_, primary, text, title}
        is_nested = kinds.get("metadata") == "JSON" and left <= {"metadata"}
        is_dynamic = bool(described.get("enable_dynamic_field"))
        metadata = options.get("metadata", "metadata" if is_nested else "")
        return cls(id_, text, title, metadata, kinds, is_dynamic)

    def document(self, row: Mapping[str, Any]) -> Document:
        """Read the document of a row."""
        return Document(
            str(row[self.id]), _text(row.get(self.text)), _text(row.get(self.title)), self._metadata(row)
        )

    def with_ids(self, ids: Sequence[str]) -> str:
        """Return the expression of the documents with these ids; empty where there can be none."""
        if self.kinds.get(self.id, "text") == "text":
            return one_of(self.id, ids)
        numbers = [int(id_) for id_ in ids if re.fullmatch(r"0|-?[1-9][0-9]{0,18}", id_)]
        return one_of(self.id, numbers) if numbers else ""

    def expression(self, where: Filter | None) -> str:
        """Put conditions as an expression."""
        return _expression(where, self._condition, f"{self.id} in []")

    def _metadata(self, row: Mapping[str, Any]) -> dict[str, Any]:
        if self.metadata:
            found = row.get(self.metadata)
            return dict(found) if isinstance(found, Mapping) else {}
        known = (self.id, self.text, self.title)
        return {name: value for name, value in row.items() if name not in known}

    def _condition(self, condition: Condition) -> str:
        op = "=" if condition.op == "in" else condition.op
        parts = [self._compared(condition.field, op, value) for value in values_of(condition)]
        return " or ".join(parts) or f"{self.id} in []"

    def _compared(self, field: str, sign: str, value: Scalar) -> str:
        kind = "JSON" if self.metadata else self.kinds.get(field)
        if kind is None and not self.is_dynamic:
            raise ArgumentError("where", f"the collection has no field {field!r}; it has: {', '.join(self.kinds)}")
        if kind == "ARRAY":
            return _in_array(field, sign, value)
        if kind in ("JSON", None):
            return _in_json(*self._paths(field), sign, value)
        is_whole = kind == "whole number"
        if is_whole and isinstance(value, float):
            value = _whole(sign, value)
        if kind_of(value) != ("number" if is_whole else kind):  # nothing equals what is of another kind
            return f"{self.id} in []"
        return f"{field} {'==' if sign == '=' else sign} {quoted(value)}"

    def _paths(self, field: str) -> tuple[str, str]:
        """Return how a field in JSON is named in a comparison, and in a function."""
        if self.metadata:
            path = f"{self.metadata}[{quoted(field)}]"
            return path, path
        if field in self.kinds:
            raise ArgumentError(
                "where", f"{field!r} holds JSON; name it with ?metadata={field} to filter by its fields"
            )
        path = f"$meta[{quoted(field)}]"
        return path, field if re.fullmatch(
            r"[A-Za-z_][A-Za-z0-9_]*", field
        ) else path  # Lite knows bare names only


def _in_json(path: str, argument: str, sign: str, value: Scalar) -> str:
    # What is not there is neither fulfilled nor its negation, unless it is said to be not there.
    if sign == "=":
        contains = f"json_contains({argument}, {quoted(value)})"
        return f"(exists {path} and ({path} == {quoted(value)} or {contains}))"
    return f"(exists {path} and {path} {sign} {quoted(value)})"


def _in_array(field: str, sign: str, value: Scalar) -> str:
    if sign != "=":
        raise ArgumentError(
            "where", f"Milvus does not order the items of a list, so {field!r} cannot be {sign} {value!r}"
        )
    return f"array_contains({field}, {quoted(value)})"


def _by_marks(condition: Condition) -> str:
    field, sign = condition.field, condition.op
    if sign in ("=", "in"):
        return _marked_one_of([_mark(field, each) for each in values_of(condition)])
    (value,) = values_of(condition)
    kind = kind_of(value)
    if kind == "truth":
        truths = (truth for truth in (False, True) if matches({field: truth}, condition))
        return _marked_one_of([_mark(field, truth) for truth in truths])
    if isinstance(value, str) and len(value) > _ORDERED_LETTERS:
        raise ArgumentError(
            "where", f"texts are ordered by {_ORDERED_LETTERS} characters; {field!r} asks for more"
        )
    bound = "low" if sign in ("<", "<=") else "high"
    path = f'marks["{bound}"]["{_hash(field, str(kind))}"]'
    return f"exists {path} and {path} {sign} {quoted(value)}"


def _marked_one_of(marks: Sequence[str]) -> str:
    if not marks:
        return NOTHING
    return f'json_contains_any(marks["is"], [{", ".join(map(quoted, marks))}])'


def _mark(field: str, value: Scalar) -> str:
    kind = str(kind_of(value))
    # Numbers that are equal are written the same: 2 and 2.0.
    whole = isinstance(value, float) and value.is_integer()
    return _hash(field, kind, str(int(value) if whole else value))


def _hash(*parts: str) -> str:
    return blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def _whole(sign: str, value: float) -> int | str:
    """Return a whole number for which a condition on whole numbers means the same; a text where none equals it."""
    if value.is_integer():
        return int(value)
    if sign in ("<", ">="):
        return math.ceil(value)
    return math.floor(value) if sign in ("<=", ">") else ""


def _bound(value: Any) -> Any:
    """Return what stands for a value where values are ordered.

    The beginning of a long text does, with the last of all characters behind it: so it comes after whatever it
    begins with, as the text itself does.
    """
    return value[:_ORDERED_LETTERS] + _LAST if isinstance(value, str) and len(value) > _ORDERED_LETTERS else value


def _json_bytes(document: Document) -> int:
    try:
        text = json.dumps(document.metadata, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        json.loads(text, parse_int=_int64)
    except (TypeError, ValueError) as error:
        problem = f"its metadata cannot be written as JSON for Milvus ({error})"
        raise ArgumentError(f"document {document.id!r}", problem) from None
    return len(text.encode())


def _int64(digits: str) -> int:
    number = int(digits)
    if abs(number) >= _INT64:
        raise ValueError(f"{digits} has more than 64 bits")
    return number


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
