"""How documents lie in Qdrant's payloads, and how conditions on them are put to Qdrant.

>>> Layout.of_ours().key('a "b".c')
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

from esens.errors import ArgumentError
from esens.index.filters import Condition, Filter, Scalar, fold_filter, matches, values_of
from esens.types import Document

PointId = int | str
# The point ids of our documents: Qdrant takes whole numbers and UUIDs only.
_NAMESPACE = UUID("4d3d3c0e-54b8-5b9b-9d2c-0a4f6d0c7e51")
_TEXTS = ("text", "page_content", "content", "document", "body", "chunk")
_UNSPEAKABLE = re.compile(r'["\\]')
_ESCAPED = re.compile(r'["\\%]')
_BOUNDS = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
_EXACT_IN_FLOATS = 2**53
_LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a document are in a payload.

    Without ``id`` the point's own id is the document's, without ``metadata`` all that is left is its metadata.
    In payloads of ours the names of metadata fields are escaped, because a filter cannot name all of them.
    """

    id: str
    text: str
    title: str
    metadata: str
    is_ours: bool = False

    @classmethod
    def of_ours(cls) -> "Layout":
        """Return that of the payloads we write."""
        return cls("_id", "text", "title", "metadata", is_ours=True)

    @classmethod
    def found(cls, points: Sequence[Any], options: Mapping[str, str]) -> "Layout":
        """Return that of a collection from some of its points; what ``options`` name is taken as named."""
        if not options and all(_is_ours(point) for point in points):
            return cls.of_ours()
        payloads = [point.payload or {} for point in points]
        texts = [name for name in _TEXTS if any(isinstance(payload.get(name), str) for payload in payloads)]
        id_, title = options.get("id", ""), options.get("title", "title")
        text = options.get("text") or next(iter(texts), "text")
        known = {id_, text, title, "metadata"}
        is_nested = any("metadata" in payload for payload in payloads) and all(
            isinstance(payload.get("metadata", {}), dict) and payload.keys() <= known for payload in payloads
        )
        return cls(id_, text, title, options.get("metadata", "metadata" if is_nested else ""))

    @property
    def id_paths(self) -> list[str]:
        """The paths of all that tells a document's id."""
        return [_quoted(self.id)] if self.id else []

    def document(self, point: Any) -> Document:
        """Read the document of a point."""
        payload = point.payload or {}
        return Document(
            self.id_of(point),
            _text(payload.get(self.text)),
            _text(payload.get(self.title)),
            self._metadata(payload),
        )

    def id_of(self, point: Any) -> str:
        """Return the id of the document of a point."""
        return str(point.payload.get(self.id, point.id)) if self.id and point.payload else str(point.id)

    def payload(self, document: Document) -> tuple[dict[str, Any], int]:
        """Return what we write of a document, and at most how many bytes it takes."""
        metadata = {_escaped(name): value for name, value in document.metadata.items()}
        payload = {"_id": document.id, "text": document.text, "title": document.title, "metadata": metadata}
        try:
            return payload, len(json.dumps(payload, allow_nan=False))
        except (TypeError, ValueError) as error:
            problem = f"its metadata cannot be written as JSON ({error})"
            raise ArgumentError(f"document {document.id!r}", problem) from None

    def point_id(self, id_: str) -> PointId | None:
        """Return the id of the point that holds a document, None where there can be none."""
        return our_point_id(id_) if self.is_ours else _as_point_id(id_)

    def filter(self, where: Filter | None) -> models.Filter | None:
        """Put conditions as a filter of Qdrant's."""
        if where is None:
            return None
        return fold_filter(
            where,
            condition=self._condition,
            all_of=lambda parts: models.Filter(must=parts),
            any_of=lambda parts: models.Filter(should=parts) if parts else _nothing(),
            negate=lambda part: models.Filter(must_not=[part]),
        )

    def with_ids(self, ids: Sequence[str]) -> models.Filter:
        """Return the filter of the points whose payload holds one of these ids, as a text or as a number."""
        numbers = [int(id_) for id_ in ids if isinstance(_as_point_id(id_), int) and int(id_) < _LARGEST]
        wanted = [models.MatchAny(any=list(ids)), *([models.MatchAny(any=numbers)] if numbers else [])]
        return models.Filter(should=[models.FieldCondition(key=_quoted(self.id), match=one) for one in wanted])

    def key(self, field: str) -> str:
        """Return the path of a metadata field, in Qdrant's notation."""
        if self.is_ours:
            return f"metadata.{_quoted(_escaped(field))}"
        if _UNSPEAKABLE.search(field):
            raise ArgumentError("where", f"Qdrant cannot filter by {field!r}: a quote or backslash is in its name")
        return f"{_quoted(self.metadata)}.{_quoted(field)}" if self.metadata else _quoted(field)

    def _metadata(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        if not self.metadata:
            known = (self.id, self.text, self.title)
            return {name: value for name, value in payload.items() if name not in known}
        metadata = payload.get(self.metadata)
        if not isinstance(metadata, dict):
            return {}
        return {unquote(name): value for name, value in metadata.items()} if self.is_ours else metadata

    def _condition(self, condition: Condition) -> models.Filter:
        """Put one condition: any of these must hold."""
        key, op = self.key(condition.field), "=" if condition.op == "in" else condition.op
        asked = [each for value in values_of(condition) for each in _asked(condition.field, op, value)]
        if not asked:
            return _nothing()
        return models.Filter(should=[_on(key, one) for one in asked])


def _nothing() -> models.Filter:
    """Return what nothing fulfils; an empty list would ask for nothing."""
    return models.Filter(must=[models.HasIdCondition(has_id=[])])


def our_point_id(id_: str) -> str:
    """Return the id of the point that holds a document of ours."""
    return str(uuid5(_NAMESPACE, id_))


def _asked(field: str, sign: str, value: Scalar) -> "list[models.Range | models.MatchValue]":
    if isinstance(value, bool):
        truths = (truth for truth in (False, True) if matches({field: truth}, Condition(field, sign, value)))
        return [models.MatchValue(value=truth) for truth in truths]
    if isinstance(value, str):
        if sign != "=":
            raise ArgumentError(
                "where", f"Qdrant orders numbers only, so {field!r} cannot be {sign} a text; keep it as a number"
            )
        return [models.MatchValue(value=value)]
    return [_number(sign, value)]


def _number(sign: str, value: float) -> "models.Range | models.MatchValue":
    """Return what asks for a number. Qdrant tells 2 from 2.0 in matches, not in ranges, which are of floats."""
    if sign != "=":
        return models.Range(**{_BOUNDS[sign]: value})
    if isinstance(value, int) and _EXACT_IN_FLOATS <= abs(value) < _LARGEST:
        return models.MatchValue(value=value)
    return models.Range(gte=value, lte=value)


def _on(key: str, asked: "models.Range | models.MatchValue") -> models.FieldCondition:
    name = "range" if isinstance(asked, models.Range) else "match"
    return models.FieldCondition(key=key, **{name: asked})


def _as_point_id(id_: str) -> PointId | None:
    if id_.isascii() and id_.isdecimal():
        return int(id_) if int(id_) < 2 * _LARGEST else None
    try:
        return str(UUID(id_))
    except ValueError:
        return None


def _is_ours(point: Any) -> bool:
    id_ = (point.payload or {}).get("_id")
    return isinstance(id_, str) and point.id == our_point_id(id_)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'


def _escaped(name: str) -> str:
    return _ESCAPED.sub(lambda sign: f"%{ord(sign.group()):02X}", name)
