"""Filters as expressions of Milvus, for collections that esens did not make.

Milvus has three answers: where a field is not there, neither a condition nor its negation holds. So every
condition says first that the field is there.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pymilvus import DataType

from esens.errors import ArgumentError
from esens.index.filters import Condition, Filter, Scalar, fold_filter, kind_of, values_of
from esens.index.layout import DocumentFields, guess_fields
from esens.types import Document

INT64 = 2**63
_KINDS = {
    DataType.BOOL: "truth",
    DataType.VARCHAR: "text",
    **dict.fromkeys((DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64), "whole number"),
    **dict.fromkeys((DataType.FLOAT, DataType.DOUBLE), "number"),
}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def expression_of(where: Filter | None, condition: Callable[[Condition], str], *, nothing: str) -> str:
    """Put a filter as an expression, given that of a condition and one that nothing fulfils; empty for none."""
    if where is None:
        return ""
    return fold_filter(
        where,
        condition=lambda leaf: f"({condition(leaf)})",
        all_of=lambda parts: f"({' and '.join(parts) or f'not ({nothing})'})",
        any_of=lambda parts: f"({' or '.join(parts) or nothing})",
        negate=lambda part: f"(not {part})",
    )


def quote(value: Scalar) -> str:
    """Write a value into an expression."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    return repr(value if isinstance(value, int) and abs(value) < INT64 else float(value))


def in_list(field: str, values: Sequence[Scalar]) -> str:
    """Return the expression of documents with one of these values in a field."""
    return f"{field} in [{', '.join(map(quote, values))}]"


@dataclass(frozen=True, slots=True)
class CollectionSchema:
    """The fields of a collection that is not ours.

    ``kinds`` are those of the fields of the schema, and other names are dynamic fields, if ``is_dynamic``.
    """

    fields: DocumentFields
    kinds: Mapping[str, str]
    nullable: frozenset[str]
    is_dynamic: bool

    @classmethod
    def guess(
        cls, description: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], options: Mapping[str, str]
    ) -> "CollectionSchema":
        """Return that of a collection from its description and some rows; ``options`` name fields."""
        columns = {column["name"]: column for column in description["fields"]}
        primary = next(name for name, column in columns.items() if column.get("is_primary"))
        kinds = {name: _KINDS.get(column["type"], column["type"].name) for name, column in columns.items()}
        columns_of_text = [name for name, kind in kinds.items() if kind == "text" and name != primary]
        only_text = columns_of_text if len(columns_of_text) == 1 and columns_of_text[0] != "title" else []
        fields = guess_fields(
            options,
            texts={*columns_of_text, *(name for row in rows for name in row if isinstance(row[name], str))},
            objects=[name for name, kind in kinds.items() if kind == "JSON"],
            all_fields=[name for row in rows for name in row],
            primary_key=primary,
            default_text=next(iter(only_text), "text"),
        )
        nullable = frozenset(name for name, column in columns.items() if column.get("nullable"))
        return cls(fields, kinds, nullable, bool(description.get("enable_dynamic_field")))

    def document(self, row: Mapping[str, Any]) -> Document:
        """Read the document of a row."""
        return self.fields.document(str(row[self.fields.id]), row)

    def with_ids(self, ids: Sequence[str]) -> str:
        """Return the expression of the documents with these ids; empty where there can be none."""
        if self.kinds.get(self.fields.id, "text") == "text":
            return in_list(self.fields.id, ids)
        numbers = [int(id_) for id_ in ids if re.fullmatch(r"0|-?[1-9][0-9]{0,18}", id_)]
        return in_list(self.fields.id, numbers) if numbers else ""

    def expression(self, where: Filter | None) -> str:
        """Put a filter as an expression; empty for none."""
        return expression_of(where, self._condition, nothing=self._nothing)

    @property
    def _nothing(self) -> str:
        return f"{self.fields.id} in []"

    def _condition(self, condition: Condition) -> str:
        op = "=" if condition.op == "in" else condition.op
        parts = [self._compare(condition.field, op, value) for value in values_of(condition)]
        return " or ".join(parts) or self._nothing

    def _compare(self, field: str, op: str, value: Scalar) -> str:
        kind = "JSON" if self.fields.metadata else self.kinds.get(field)
        if kind is None and not self.is_dynamic:
            raise ArgumentError("where", f"the collection has no field {field!r}; it has: {', '.join(self.kinds)}")
        if kind in ("JSON", None):
            return _in_json(*self._json_paths(field), op, value)
        comparison = (
            _in_array(field, op, value) if kind == "ARRAY" else self._in_column(field, str(kind), op, value)
        )
        return f"({field} is not null and {comparison})" if field in self.nullable else comparison

    def _in_column(self, field: str, kind: str, op: str, value: Scalar) -> str:
        if kind == "whole number" and isinstance(value, float):
            value = _as_whole(op, value)
        if kind_of(value) != ("number" if kind == "whole number" else kind):  # values of two kinds never compare
            return self._nothing
        return f"{field} {'==' if op == '=' else op} {quote(value)}"

    def _json_paths(self, field: str) -> tuple[str, str]:
        """Return how a field in JSON is named in a comparison, and in a function."""
        if self.fields.metadata:
            path = f"{self.fields.metadata}[{quote(field)}]"
            return path, path
        if field in self.kinds:
            raise ArgumentError(
                "where", f"{field!r} holds JSON; name it with ?metadata={field} to filter by its fields"
            )
        path = f"$meta[{quote(field)}]"
        is_bare = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", field)  # as an argument, Lite takes bare names only
        return path, field if is_bare else path


def _in_json(path: str, argument: str, op: str, value: Scalar) -> str:
    if op == "=":
        contains = f"json_contains({argument}, {quote(value)})"
        return f"((exists {path}) and ({path} == {quote(value)} or {contains}))"
    return f"((exists {path}) and {path} {op} {quote(value)})"


def _in_array(field: str, op: str, value: Scalar) -> str:
    if op != "=":
        raise ArgumentError(
            "where", f"Milvus does not order the items of a list, so {field!r} cannot be {op} {value!r}"
        )
    return f"array_contains({field}, {quote(value)})"


def _as_whole(op: str, value: float) -> int | str:
    """Return a whole number for which a condition on whole numbers means the same; a text where none equals it."""
    if value.is_integer():
        return int(value)
    if op in ("<", ">="):
        return math.ceil(value)
    return math.floor(value) if op in ("<=", ">") else ""
