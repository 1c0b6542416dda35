"""A document, and how it is read from what people have: texts, mappings, tables of rows."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from esens.errors import ArgumentError
from esens.messages import quoted
from esens.strict_json import DEEPEST, MOST_BITS

ID_FIELDS = ("id", "_id")
TEXT_FIELDS = (
    "text",
    "page_content",
    "content",
    "contents",
    "body",
    "document",
    "chunk",
    "description",
    "abstract",
)
"""Where the text of a row may stand that somebody else has named; the first of them that is there."""
TITLE_FIELDS = ("title", "name")
"""Where its title may stand, likewise."""

PASSAGE_MARK = "esens:passage"
"""The field of stored metadata that says which passage a document is."""
PASSAGE_SIGN = "#"
"""What stands in the id of a passage between that of its document and its number."""
_PASSAGE_FIELDS = ("passage_of", "passage", "passages")  # by which earlier versions of esens said so
_MARKS = (PASSAGE_MARK, "passage_of")
_KINDS = "a string, a mapping with a 'text', an esens.Document, or a hit"
_HASH_LENGTH = 20  # of an id that is made of the content: 80 bits, so that no two of a billion are the same
_PLAIN_TYPES = frozenset({str, float, bool, type(None)})
_USUAL = 2**64
_ROWS_AT_ONCE = 1024  # of a table that is turned into rows


class Passage(NamedTuple):
    """Which part of which document: the number of this one, from 1, and how many there are."""

    of: str
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class Document:
    """Something to be found. What its title says counts as much as its text."""

    id: str
    text: str
    title: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    passage: Passage | None = None
    """Which passage this is of a longer document; ``passages_of`` says so, and no field of a row can."""

    def __post_init__(self) -> None:
        for name, text in (("id", self.id), ("text", self.text), ("title", self.title)):
            if problem := _text_problem(text):
                raise ArgumentError(f"document {quoted(self.id)}", f"{name} {problem}")
        metadata: object = self.metadata
        if type(metadata) is not dict and not isinstance(metadata, Mapping):
            kind = type(metadata).__name__
            raise ArgumentError(f"document {quoted(self.id)}", f"metadata must be a mapping, got {kind}")
        # Filters compare plain values, and indexes write them: numpy's would match nothing, and become texts.
        if not all(map(_is_plain, metadata.values())):
            object.__setattr__(self, "metadata", self._plain_metadata(metadata))

    def _plain_metadata(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return {name: _plain(value, DEEPEST) for name, value in metadata.items()}
        except _MetadataError as error:
            raise ArgumentError(f"document {quoted(self.id)}", f"its metadata {error}") from None

    def copy(self) -> "Document":
        """Return a document of the caller's own, metadata and all; what was checked once is not checked again."""
        copied, metadata = object.__new__(Document), self.metadata
        is_flat = not metadata or all(map(_is_plain, metadata.values()))
        for name in ("id", "text", "title", "passage"):
            object.__setattr__(copied, name, getattr(self, name))
        object.__setattr__(copied, "metadata", {**metadata} if is_flat else deepcopy(metadata))
        return copied

    @property
    def content(self) -> str:
        """What is embedded: the title above the text, or the text alone."""
        return f"{self.title}\n{self.text}" if self.title else self.text

    @property
    def whole_id(self) -> str:
        """The id of the document that this is, or is a passage of."""
        return self.passage.of if self.passage else self.id

    @property
    def content_hash(self) -> str:
        """A hash of title, text and metadata: the id of a document without one where a number would not do."""
        metadata = sorted(((str(name), value) for name, value in self.metadata.items()), key=lambda item: item[0])
        content = json.dumps([self.title, self.text, metadata], skipkeys=True, default=str)
        return hashlib.sha256(content.encode()).hexdigest()[:_HASH_LENGTH]

    @classmethod
    def of(
        cls, value: "DocumentSource", *, position: int | str, argument: str = "documents", hash_ids: bool = False
    ) -> "Document":
        """Read a document from what people have.

        Without an id, its position is its id; with ``hash_ids``, the hash of its content.
        """
        if isinstance(value, Document):
            return value
        if isinstance(value, str):
            document = cls(str(position), value)
            return replace(document, id=document.content_hash) if hash_ids else document
        if isinstance(value, Mapping):
            document = cls._of_mapping(value, position, f"{argument}[{position}]")
            return replace(document, id=document.content_hash) if hash_ids and not _ids_of(value) else document
        if isinstance(held := getattr(value, "document", None), Document):
            return held
        raise ArgumentError(f"{argument}[{position}]", f"expected {_KINDS}, got {type(value).__name__}")

    @classmethod
    def _of_mapping(cls, fields: Mapping[str, Any], position: int | str, argument: str) -> "Document":
        text_field = _text_field(fields)
        if text_field is None:
            names = ", ".join(map(str, fields)) or "none"
            usual = f"'{TEXT_FIELDS[0]}' (or {', '.join(TEXT_FIELDS[1:])})"
            remedy = "Rename the one that holds the text or, of a file, name it: --text-field, Fields(text=…)"
            raise ArgumentError(argument, f"needs a string under {usual}; its fields are: {names}. {remedy}")
        ids = _ids_of(fields)
        # A mapping under "metadata" is the metadata; any other field joins it that is not read otherwise.
        nested = fields.get("metadata")
        metadata = dict(nested) if isinstance(nested, Mapping) else {}
        title_field = next((name for name in TITLE_FIELDS if isinstance(fields.get(name), str)), "title")
        read = {*ID_FIELDS, text_field, title_field} | ({"metadata"} if isinstance(nested, Mapping) else set())
        metadata |= {str(name): value for name, value in fields.items() if name not in read}
        id_ = _id_text(ids[0], argument) if ids else str(position)
        title: Any = None if title_field == text_field else fields.get(title_field)
        return cls(id_, fields[text_field], "" if _is_nothing(title) else title, metadata)


def stored_metadata(document: Document) -> dict[str, Any]:
    """Return what is stored of a document beside id, title and text: its metadata, and which passage it is.

    The latter is under a name that no field of a row gets: one that has it already is stored under another.
    """
    stored = {f"{name}'" if _is_mark(name) else name: value for name, value in document.metadata.items()}
    passage = document.passage
    if passage is not None:
        if document.id != f"{passage.of}{PASSAGE_SIGN}{passage.number}":
            problem = f"is said to be passage {passage.number} of {passage.of!r}, whose id would be another"
            raise ArgumentError(f"document {document.id!r}", problem)
        stored[PASSAGE_MARK] = passage._asdict()
    elif _passage_by_fields(document.id, document.metadata):
        stored[PASSAGE_MARK] = None  # earlier versions of esens would have meant a passage by such fields
    return stored


def stored_document(
    id_: str, text: str, title: str, stored: Mapping[str, Any], *, by_fields: bool = True
) -> Document:
    """Return the document of which this is stored.

    Without a mark it is a passage if its fields say so, as earlier versions of esens wrote them: only for what
    esens wrote (``by_fields``).
    """
    if not isinstance(stored, Mapping) or not any(name.startswith(_MARKS) for name in stored):
        return Document(id_, text, title, stored)
    own = ((name, value) for name, value in stored.items() if name != PASSAGE_MARK)
    metadata = {name.removesuffix("'") if _is_mark(name) else name: value for name, value in own}
    if PASSAGE_MARK in stored:
        return Document(id_, text, title, metadata, _passage(id_, stored[PASSAGE_MARK]))
    passage = _passage_by_fields(id_, metadata) if by_fields else None
    if passage is not None:
        metadata = {name: value for name, value in metadata.items() if name not in _PASSAGE_FIELDS}
    return Document(id_, text, title, metadata, passage)


def may_be_passage(id_: str) -> bool:
    """Whether a document with this id may be a passage: theirs have a number behind a sign."""
    return PASSAGE_SIGN in id_


def _is_mark(name: object) -> bool:
    """Whether this is the name under which a passage is stored, or one of those that give way to it."""
    return isinstance(name, str) and name.rstrip("'") == PASSAGE_MARK


def _passage(id_: str, mark: object) -> Passage | None:
    """Return the passage of a mark, if it is one, and the document's id says the same."""
    if not isinstance(mark, Mapping):
        return None
    of, number, total = mark.get("of"), mark.get("number"), mark.get("total")
    if not isinstance(of, str) or type(number) is not int or id_ != f"{of}{PASSAGE_SIGN}{number}":
        return None
    return Passage(of, number, total if type(total) is int and total >= number else number)


def _passage_by_fields(id_: str, metadata: Mapping[str, Any]) -> Passage | None:
    """Return the passage that earlier versions of esens meant by these fields."""
    if _PASSAGE_FIELDS[0] not in metadata:
        return None
    of, number, total = (metadata.get(name) for name in _PASSAGE_FIELDS)
    return _passage(id_, {"of": of, "number": number, "total": total})


class DocumentHolder(Protocol):
    """What has a document, as a hit and a row of a file do."""

    @property
    def document(self) -> Document:
        """The document."""
        ...


DocumentSource = str | Mapping[str, Any] | Document | DocumentHolder
"""What a document is read from."""


def _text_field(fields: Mapping[str, Any]) -> str | None:
    """Return the field that holds the text; of a row with no other words than a title, that one."""
    text_field = next((name for name in TEXT_FIELDS if isinstance(fields.get(name), str)), None)
    if text_field is not None or any(name in fields for name in TEXT_FIELDS):
        return text_field
    texts = [name for name, value in fields.items() if isinstance(value, str) and name not in ID_FIELDS]
    return texts[0] if len(texts) == 1 and texts[0] in TITLE_FIELDS else None


def _ids_of(fields: Mapping[str, Any]) -> list[Any]:
    values = (fields.get(name) for name in ID_FIELDS)
    return [value for value in values if value is not None and not (isinstance(value, str) and not value)]


def _id_text(value: object, argument: str) -> str:
    """Return an id as a text: numbers become texts."""
    try:
        return str(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, a list that holds itself
        problem = f"needs a text or a number for its id, got {type(value).__name__}"
        raise ArgumentError(argument, problem) from None


def _is_nothing(title: object) -> bool:
    """Whether a row has no title, as people say that: nothing at all, an empty text, false."""
    return title is None or (isinstance(title, (str, int, float, list, tuple, dict)) and not title)


def documents_of(values: Iterable[DocumentSource], *, argument: str = "documents") -> tuple[Document, ...]:
    """Read documents from a list, or from a table of pandas, polars or pyarrow; their ids must be unique."""
    rows = enumerate(document_values(values, argument=argument))
    documents = tuple(Document.of(value, position=position, argument=argument) for position, value in rows)
    first: dict[str, int] = {}
    for position, document in enumerate(documents):
        if document.id in first:
            raise duplicate_id(document, first[document.id], position, argument=argument)
        first[document.id] = position
    return documents


def distinct_documents(values: Iterable[DocumentSource]) -> tuple[int, dict[int, Document]]:
    """Return how many values there are, and the documents read from them, each by its position.

    A document without an id gets the hash of its content as its id; of equal ones there is the first.
    """
    first: dict[str, int] = {}
    documents: dict[int, Document] = {}
    count = 0
    for position, value in enumerate(document_values(values)):
        document, count = Document.of(value, position=position, hash_ids=True), position + 1
        if document.id not in first:
            first[document.id], documents[position] = position, document
        elif document.id != document.content_hash:
            raise duplicate_id(document, first[document.id], position)
    return count, documents


def duplicate_id(
    document: Document, first: int | str, second: int, *, argument: str = "documents"
) -> ArgumentError:
    """Return the error that two documents have the same id, which stand at these positions."""
    return ArgumentError(
        argument, f"id {document.id!r} stands at positions {first} and {second}; ids must be unique"
    )


def document_values(values: object, *, argument: str = "documents") -> Iterable[Any]:
    """Return what each document is to be read from, one by one; of a table, its rows as mappings."""
    if isinstance(values, (str, bytes, Mapping, Document)):
        problem = f"expected several, got one {type(values).__name__}; put it in a list"
        raise ArgumentError(argument, f"{problem}, or read a file with esens.read_documents")
    if hasattr(values, "columns") and hasattr(values, "iloc"):
        return _pandas_rows(values)
    if hasattr(values, "columns") and hasattr(values, "iter_rows"):
        return _polars_rows(values)
    if hasattr(values, "schema") and hasattr(values, "to_pylist"):
        batches = values.to_batches(_ROWS_AT_ONCE) if hasattr(values, "to_batches") else [values]
        return (row for batch in batches for row in batch.to_pylist())  # pyarrow
    if not isinstance(values, Iterable):
        kind = type(values).__name__
        raise ArgumentError(argument, f"expected documents in a list, a table or a generator, got {kind}")
    return values


def _pandas_rows(frame: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a DataFrame without the cells that are empty, which pandas fills with NaN."""
    frame = frame.reset_index() if frame.index.name in ID_FIELDS else frame
    for start in range(0, len(frame), _ROWS_AT_ONCE):
        for row in frame.iloc[start : start + _ROWS_AT_ONCE].to_dict("records"):
            yield {str(name): value for name, value in row.items() if not _is_missing(value)}


def _polars_rows(frame: Any) -> Iterator[dict[str, Any]]:
    yield from frame.iter_rows(named=True)


def _is_missing(value: object) -> bool:
    if isinstance(value, float):
        return bool(value != value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _is_plain(value: Any) -> bool:
    """Whether this needs no second look, as most values of metadata."""
    kind = type(value)
    return kind in _PLAIN_TYPES or (kind is int and -_USUAL < value < _USUAL)


class _MetadataError(Exception):
    """Metadata that cannot be stored; the text says why."""


def _plain(value: Any, levels: int) -> Any:
    """Return a value with numpy's numbers, texts, dates and arrays in it as Python's own, of so many levels."""
    if not levels:
        raise _MetadataError(f"are nested more than {DEEPEST} deep, or hold themselves")
    if isinstance(value, int):
        if value.bit_length() > MOST_BITS:
            raise _MetadataError("hold a whole number of more than 4,000 digits, which cannot be written")
        return value
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return value.astype(f"{type(value).__name__}[us]").item()  # Python counts in microseconds
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return [_plain(item, levels - 1) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item, levels - 1) for name, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_plain(item, levels - 1) for item in value)
    return value


def check_text(argument: str, text: object, *, what: str = "") -> None:
    """Raise unless this is a text, and one that can be encoded: half a surrogate pair is no character."""
    if problem := _text_problem(text):
        raise ArgumentError(argument, f"{what} {problem}" if what else problem)


def _text_problem(text: object) -> str:
    if not isinstance(text, str):
        return f"must be a string, got {type(text).__name__}"
    if text.isascii():  # as a rule, and seen faster than it is encoded
        return ""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"holds half a surrogate pair at position {error.start}, which is no character"
    return ""
