"""How documents lie in Qdrant's payloads, and how filters are put to Qdrant.

>>> PayloadLayout.of_esens().key('a "b".c')
'metadata."a %22b%22.c"'
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote
from uuid import UUID, uuid5

from qdrant_client import models

from esens.documents import stored_document
from esens.errors import ArgumentError
from esens.index.filters import Condition, Filter, Scalar, fold_filter, matches, values_of
from esens.index.layout import DocumentFields, guess_fields, json_metadata
from esens.types import Document

PointId = int | str
# The point ids of esens' documents: Qdrant takes whole numbers and UUIDs only.
_NAMESPACE = UUID("4d3d3c0e-54b8-5b9b-9d2c-0a4f6d0c7e51")
_UNQUOTABLE = re.compile(r'["\\]')
_ESCAPED = re.compile(r'["\\%]')
_BOUNDS = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
_EXACT_IN_FLOATS = 2**53
_LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class PayloadLayout:
    """Where the parts of a document are in a payload. Without a field for it, the point's own id is the id.

    In payloads that esens wrote the names of metadata fields are escaped: a filter cannot name all of them.
    """

    fields: DocumentFields
    is_ours: bool = False

    @classmethod
    def of_esens(cls) -> "PayloadLayout":
        """Return that of the payloads that esens writes."""
        return cls(DocumentFields("_id", "text", "title", "metadata"), is_ours=True)

    @classmethod
    def guess(cls, points: Sequence[Any], options: Mapping[str, str]) -> "PayloadLayout":
        """Return that of a collection from some of its points; fields that ``options`` name are taken as named."""
        if not options and all(_is_ours(point) for point in points):
            return cls.of_esens()
        payloads = [point.payload or {} for point in points]
        names = list(dict.fromkeys(name for payload in payloads for name in payload))
        values = {name: [payload[name] for payload in payloads if name in payload] for name in names}
        texts = [name for name in names if any(isinstance(value, str) for value in values[name])]
        objects = [name for name in names if all(isinstance(value, dict) for value in values[name])]
        return cls(guess_fields(options, texts=texts, objects=objects, all_fields=names))

    @property
    def id_paths(self) -> list[str]:
        """The paths of all that tells a document's id."""
        return [_quote(self.fields.id)] if self.fields.id else []

    @property
    def word_paths(self) -> list[str]:
        """The paths of what is searched by words."""
        return [_quote(self.fields.text), _quote(self.fields.title)]

    def document(self, point: Any) -> Document:
        """Read the document of a point."""
        document = self.fields.document(self.id_of(point), point.payload or {})
        if not self.is_ours:
            return document
        metadata = {unquote(name): value for name, value in document.metadata.items()}
        return stored_document(document.id, document.text, document.title, metadata)

    def id_of(self, point: Any) -> str:
        """Return the id of the document of a point."""
        field = self.fields.id
        return str(point.payload.get(field, point.id)) if field and point.payload else str(point.id)

    def payload(self, document: Document) -> tuple[dict[str, Any], int]:
        """Return what esens writes of a document, and at most how many bytes it takes."""
        metadata = {_escape(name): value for name, value in json_metadata(document).items()}
        payload = {"_id": document.id, "text": document.text, "title": document.title, "metadata": metadata}
        return payload, len(json.dumps(payload))

    def point_id(self, id_: str) -> PointId | None:
        """Return the id of the point that holds a document, None where there can be none."""
        return esens_point_id(id_) if self.is_ours else _as_point_id(id_)

    def filter(self, where: Filter | None) -> models.Filter | None:
        """Put a filter as one of Qdrant's."""
        if where is None:
            return None
        return fold_filter(
            where,
            condition=self._condition,
            all_of=lambda parts: models.Filter(must=parts),
            any_of=_any_of,
            negate=lambda part: models.Filter(must_not=[part]),
        )

    def with_ids(self, ids: Sequence[str]) -> models.Filter:
        """Return the filter of the points whose payload holds one of these ids, as a text or as a number."""
        numbers = [int(id_) for id_ in ids if isinstance(_as_point_id(id_), int) and int(id_) < _LARGEST]
        lists: list[list[Any]] = [list(ids), numbers] if numbers else [list(ids)]
        key = _quote(self.fields.id)
        return _any_of([models.FieldCondition(key=key, match=models.MatchAny(any=values)) for values in lists])

    def key(self, field: str) -> str:
        """Return the path of a metadata field, in Qdrant's notation."""
        if self.is_ours:
            return f"metadata.{_quote(_escape(field))}"
        if _UNQUOTABLE.search(field):
            raise ArgumentError("where", f"Qdrant cannot filter by {field!r}: a quote or backslash is in its name")
        parent = self.fields.metadata
        return f"{_quote(parent)}.{_quote(field)}" if parent else _quote(field)

    def _condition(self, condition: Condition) -> models.Filter:
        key, op = self.key(condition.field), "=" if condition.op == "in" else condition.op
        options = [match for value in values_of(condition) for match in _matches(condition.field, op, value)]
        return _any_of([_on(key, match) for match in options])


def esens_point_id(id_: str) -> str:
    """Return the id of the point that holds a document that esens wrote."""
    return str(uuid5(_NAMESPACE, id_))


def _any_of(parts: Sequence[Any]) -> models.Filter:
    if not parts:  # nothing fulfils it; an empty list would ask for nothing
        return models.Filter(must=[models.HasIdCondition(has_id=[])])
    return models.Filter(should=list(parts))


def _matches(field: str, op: str, value: Scalar) -> "list[models.Range | models.MatchValue]":
    """Return what a field must match: one of these."""
    if isinstance(value, bool):
        truths = (truth for truth in (False, True) if matches({field: truth}, Condition(field, op, value)))
        return [models.MatchValue(value=truth) for truth in truths]
    if isinstance(value, str):
        if op != "=":
            raise ArgumentError(
                "where", f"Qdrant orders numbers only, so {field!r} cannot be {op} a text; store it as a number"
            )
        return [models.MatchValue(value=value)]
    if op != "=" and isinstance(value, int) and abs(value) >= _EXACT_IN_FLOATS:
        problem = f"Qdrant orders whole numbers up to {_EXACT_IN_FLOATS - 1:,}; {value:,} is beyond that"
        raise ArgumentError("where", f"{problem}, and {field!r} can only be = to it")
    return [_match_number(op, value)]


def _match_number(op: str, value: float) -> "models.Range | models.MatchValue":
    """Return what matches a number. Qdrant tells 2 from 2.0 in matches, not in ranges, which are of floats."""
    if op != "=":
        return models.Range(**{_BOUNDS[op]: value})
    if isinstance(value, int) and _EXACT_IN_FLOATS <= abs(value) < _LARGEST:
        return models.MatchValue(value=value)
    return models.Range(gte=value, lte=value)


def _on(key: str, match: "models.Range | models.MatchValue") -> models.FieldCondition:
    return models.FieldCondition(key=key, **{"range" if isinstance(match, models.Range) else "match": match})


def _as_point_id(id_: str) -> PointId | None:
    if id_.isascii() and id_.isdecimal():
        return int(id_) if int(id_) < 2 * _LARGEST else None
    try:
        return str(UUID(id_))
    except ValueError:
        return None


def _is_ours(point: Any) -> bool:
    id_ = (point.payload or {}).get("_id")
    return isinstance(id_, str) and point.id == esens_point_id(id_)


def _quote(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'


def _escape(name: str) -> str:
    return _ESCAPED.sub(lambda match: f"%{ord(match.group()):02X}", name)
