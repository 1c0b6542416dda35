"""Rows one by one, from whatever people have, in constant memory however large it is.

A source finds things, and a row is what becomes of one: a document, and a vector where a field holds it. What
cannot become one is a bad row, and the caller says whether it ends the reading.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from esens.documents import stored_document
from esens.errors import ArgumentError, InputError
from esens.ingest.fields import Fields, document_of, vector_of
from esens.ingest.limits import Limits
from esens.ingest.parts import Part, PartRows
from esens.ingest.record import RawRecord, RecordSource
from esens.ingest.seen_ids import SeenIds
from esens.ingest.sources import source_of
from esens.messages import quoted
from esens.types import Document

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ON_BAD = ("stop", "skip")


def read_rows(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word for it
    fields: Fields = Fields(),  # noqa: B008 - frozen
    on_bad: str = "stop",
    report: Callable[[InputError], None] | None = None,
    allow_empty: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> "RowReader":
    """Return the rows of a file, a folder or standard input (``-``), to be read once, one by one.

    The format is recognised by the name or by the first line. A bad row is raised as an error that says where it
    stands; with ``on_bad="skip"`` that error goes to ``report``, and the reading goes on. A row without a text is
    bad unless ``allow_empty``. The id of a row without one is its number; see ``RowReader.identify_rows``. A row
    that is longer than the ``limits`` allow is bad, and no more of it is read into memory.
    """
    bad, records = _handler(on_bad, report), source_of(source, format, fields, limits=limits)
    return RowReader(str(source), records, fields, bad, allow_empty=allow_empty)


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document, and its vector where a field with vectors was named."""

    document: Document
    vector: "npt.NDArray[np.float32] | None" = None
    embedder_id: tuple[str, str] | None = None
    """The name and the hash of the embedder that made the vector, where the file says so."""


def read_part(
    part: Part,
    *,
    fields: Fields = Fields(),  # noqa: B008 - frozen
    on_bad: str = "stop",
    report: Callable[[InputError], None] | None = None,
) -> "RowReader":
    """Return the rows of a part of Parquet files, as :func:`read_rows` returns those of all; there may be none.

    They are identified by the path of the whole, see ``RowReader.identify_rows``.
    """
    rows = RowReader(
        part.name, PartRows(part), fields, _handler(on_bad, report), allow_empty=False, may_be_none=True
    )
    rows.identify_rows()
    return rows


class RowReader:
    """The rows of an input. Iterate once; ``read``, ``bad``, ``ignored`` and ``fraction`` say how far it is.

    ``read`` counts the rows yielded, ``bad`` those skipped, ``ignored`` the files of a folder with other endings.
    ``position`` is that of the row yielded last, the first being 0 and the bad ones counted, too.
    """

    def __init__(
        self,
        name: str,
        source: RecordSource,
        fields: Fields,
        bad: Callable[[InputError], None],
        *,
        allow_empty: bool,
        may_be_none: bool = False,
    ) -> None:
        self.read = 0
        self.bad = 0
        self.position = -1
        self._name = name
        self._source = source
        self._fields = fields
        self._bad = bad
        self._allow_empty = allow_empty
        self._may_be_none = may_be_none
        self._id_prefix = ""
        self._hash_ids = False
        self._is_begun = False
        self._first_vector: tuple[int, str] | None = None

    @property
    def fraction(self) -> float | None:
        """How much of the input is read, from 0 to 1; None where that is unknown, as for standard input."""
        return self._source.fraction

    @property
    def ignored(self) -> int:
        """How many files of a folder were left out because of their endings; known from the first row on."""
        return self._source.ignored

    def identify_rows(self) -> None:
        """Give rows without an id one that rows of other inputs do not have, before the first is read.

        It is the path as it was named, and the number in the file (``data/docs.txt:7``). A pipe has no name: there
        it is a hash of the content, and of equal rows there is one.
        """
        path = Path(self._name)
        self._hash_ids = not (path.is_file() or path.is_dir())
        self._id_prefix = f"{Path(os.path.normpath(path)).as_posix()}:"

    def __iter__(self) -> Iterator[DocumentRow]:
        if self._is_begun:
            raise ArgumentError("reading", "an input is read once; call read_rows again for another time")
        self._is_begun = True
        return self._rows()

    def _rows(self) -> Iterator[DocumentRow]:
        with closing(SeenIds()) as ids, closing(self._source) as source:
            for record in source:
                row = record if isinstance(record, InputError) else self._row(record, ids)
                if isinstance(row, InputError):
                    self.bad += 1
                    self._bad(row)
                elif row is not None:
                    self.read += 1
                    yield row
        if not self.read and not self._may_be_none:
            skipped = f": {self.bad} bad rows were skipped, and there is no other" if self.bad else ""
            raise InputError(self._name, f"holds no documents{skipped}")

    def _row(self, record: RawRecord, ids: SeenIds) -> DocumentRow | InputError | None:
        """Return a row, or why it is bad; None for one without an id that stood before."""
        try:
            # Bad rows are numbered, too: when one is corrected later, the ids of the others stay the same.
            position = self.read + self.bad if record.position is None else record.position
            place = f"{self._id_prefix}{position}"
            document = document_of(record.value, self._fields, place, hash_ids=self._hash_ids)
            if record.embedder_id:  # a file that esens wrote: it says which rows are passages
                document = stored_document(document.id, document.text, document.title, document.metadata)
            if not self._allow_empty and not document.content.strip():
                raise ArgumentError("row", "has neither a text nor a title")
            vector = self._vector(record)
        except ArgumentError as error:
            return record.bad(error.problem)
        if (before := ids.first_place(document.id, record.place)) is not None:
            if self._hash_ids and document.id == document.content_hash:
                return None
            return record.bad(f"id {document.id!r} stands {before} already; ids must be unique")
        if vector is not None and self._first_vector is None:
            self._first_vector = (len(vector), record.place)
        self.position = position
        return DocumentRow(document, vector, record.embedder_id if vector is not None else None)

    def _vector(self, record: RawRecord) -> "npt.NDArray[np.float32] | None":
        if self._fields.vector is None:
            return None
        vector = vector_of(record.value, self._fields.vector)
        if self._first_vector is not None and len(vector) != self._first_vector[0]:
            length, place = self._first_vector
            problem = f"its vector has {len(vector)} numbers, but the first one, {place}, has {length}"
            raise ArgumentError("row", problem)
        return vector


def _handler(on_bad: str, report: Callable[[InputError], None] | None) -> Callable[[InputError], None]:
    if on_bad not in ON_BAD:
        raise ArgumentError("on_bad", f"must be {' or '.join(map(repr, ON_BAD))}, got {quoted(on_bad)}")
    return _raise if on_bad == "stop" else report or (lambda _: None)


def _raise(error: InputError) -> None:
    raise error
