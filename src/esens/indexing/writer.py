"""Documents become an index: split into passages, embedded and written, a batch at a time.

A batch that is written stays written, whatever happens afterwards. Documents that the index has already, as they
are, are not embedded again; so an interrupted run goes on where it stopped when it is started again, and a run
over changed documents embeds what has changed.

While a batch is embedded, a thread writes the one before it. The index is never asked by two threads at once.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace

import numpy as np

from esens import strict_json
from esens.arrays.unit import unit_rows
from esens.documents import DocumentSource, document_values, duplicate_id
from esens.embed import DEFAULT_EMBEDDER, Embedder, EmbedderLike, embedder_of
from esens.embed.base import dimension_of
from esens.embed.corpus import embed_corpus
from esens.embed.identity import identify
from esens.embed.truncation import collect_truncated
from esens.errors import ArgumentError, EngineError
from esens.index import WritableIndex, open_index, prepare_index
from esens.index.adapter import check_compatible
from esens.index.base import Vectors
from esens.index.passages import existing_documents, is_whole, refuse_collisions, stale_ids
from esens.index.uri import IndexURI
from esens.ingest import DEFAULT_OVERLAP, DEFAULT_WORDS, DocumentRow, RowReader, SeenIds, passages_of
from esens.types import Document, EmbedderId, Progress

BATCH = 1024
"""Documents that are written at once, to begin with. A run that is killed embeds two batches again at most."""
LARGEST_BATCH = 8192
"""What that grows to while a batch takes less than :data:`SHORT` seconds: every write has a price of its own."""
SHORT = 1.0

_EQUAL = 1e-6
_SAME_IN_JSON = frozenset((str, bool, type(None)))

Passages = Sequence[DocumentRow]
"""The rows that one document is indexed as: itself, or its passages."""
DocumentLike = DocumentSource | DocumentRow


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What became of some documents in an index. Prints as one line."""

    added: int = 0
    """Documents and passages that are new."""
    changed: int = 0
    """Those whose text, title, metadata or vector is another now."""
    unchanged: int = 0
    """Those that were there already, as they are; they were not embedded again."""
    removed: int = 0
    """Passages that a document no longer has."""
    count: int = 0
    """How many documents and passages the index holds now."""
    embedder_id: EmbedderId | None = None
    """The embedder of the index's vectors, where that is known."""

    @property
    def total(self) -> int:
        """How many documents and passages came in."""
        return self.added + self.changed + self.unchanged

    def __str__(self) -> str:
        counts = {
            "added": self.added,
            "changed": self.changed,
            "unchanged": self.unchanged,
            f"passage{'' if self.removed == 1 else 's'} gone": self.removed,
        }
        what = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        embedder = f", embedded by {self.embedder_id.name}" if self.embedder_id else ""
        held = "1 document or passage" if self.count == 1 else f"{self.count:,} documents or passages"
        return f"{held} ({what}){embedder}"


def build_index(
    documents: Iterable[DocumentLike],
    to: str | os.PathLike[str],
    *,
    embedder: EmbedderLike | None = None,
    words: int | None = DEFAULT_WORDS,
    overlap: int = DEFAULT_OVERLAP,
    progress: Progress | None = None,
) -> IndexReport:
    """Write documents to the index that a spec names, and make it where it is not there yet.

    ``documents`` are texts, mappings, a DataFrame, or what ``esens.ingest.read_rows`` reads from a file.
    Documents of more than ``words`` words are split into passages, which searches fold back; None splits none.
    Rows with a vector are neither embedded nor split. Their embedder is remembered: the one that their file names,
    or one named here; both must be the same. A document without an id gets a hash of its title, text and metadata
    as its id, so that it takes nobody's place, and the same again changes nothing; a row of a file gets the path
    and its number (``docs.txt:0``). A number that is none (NaN) is not stored.
    ``progress`` is called with the number of passages embedded, and of those read so far; what is embedded is
    written a little later.
    """
    if not isinstance(to, (str, os.PathLike)):
        raise ArgumentError("to", f"expected the spec of an index, got {type(to).__name__}")
    writer: _IndexWriter | None = None
    try:
        with collect_truncated():
            for batch in _batches(_rows(documents), words, overlap):
                writer = writer or _IndexWriter.of(os.fspath(to), batch[0][0], embedder)
                writer.add(batch, progress or (lambda _done, _read: None))
        if writer is None:
            raise ArgumentError("documents", "there are none; give at least one document")
        return writer.finish()
    finally:
        if writer is not None:
            writer.close()


def _split(row: DocumentRow, words: int | None, overlap: int) -> Passages:
    """Return a row as the rows that it is indexed as; one with a vector stays as it is."""
    if words is None or row.vector is not None:
        return (row,)
    return [DocumentRow(passage) for passage in passages_of(row.document, words=words, overlap=overlap)]


def _rows(documents: Iterable[DocumentLike]) -> Iterator[DocumentRow]:
    """Yield documents as rows, and raise where an id comes twice; equal documents without an id are one.

    A reader of files has checked that already.
    """
    if isinstance(documents, RowReader):
        documents.identify_rows()
        yield from documents
        return
    with closing(SeenIds()) as ids:
        for position, value in enumerate(document_values(documents)):
            row = value if isinstance(value, DocumentRow) else _row(value, position)
            before = ids.first_place(row.document.id, str(position))
            if before is None:
                yield row
            elif row.document.id != row.document.content_hash:
                raise duplicate_id(row.document, before, position)


def _row(value: DocumentSource, position: int) -> DocumentRow:
    return DocumentRow(Document.of(value, position=position, hash_ids=True))


def _batches(rows: Iterable[DocumentRow], words: int | None, overlap: int) -> Iterator[list[Passages]]:
    """Yield documents as the passages that they are indexed as: about BATCH of those, more where that is quick."""
    batch: list[Passages] = []
    size, enough = 0, BATCH
    for row in rows:
        passages = _split(row, words, overlap)
        batch.append(passages)
        size += len(passages)
        if size >= enough:
            began = time.monotonic()
            yield batch
            batch, size = [], 0
            if time.monotonic() - began < SHORT:
                enough = min(2 * enough, LARGEST_BATCH)
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class _Batch:
    """What becomes of some rows: what goes, and what is written with which vectors."""

    rows: Sequence[DocumentRow]
    fresh: Sequence[DocumentRow]
    existing: Mapping[str, Document]
    stale: Sequence[str]
    stored: Mapping[str, Vectors]
    """Vectors of fresh rows that need not be embedded, by id."""
    vectors: Vectors | None = None

    @property
    def documents(self) -> list[Document]:
        return [row.document for row in self.rows]


class _IndexWriter:
    """An index, the embedder that makes its vectors, and what was written so far."""

    def __init__(
        self,
        address: IndexURI,
        index: WritableIndex,
        embedder: Embedder | None,
        first_vector: tuple[str, Vectors] | None = None,
    ) -> None:
        """Take them; ``first_vector`` is a text that was embedded already, to know its length, and its vector."""
        self._address = address
        self._index = index
        self._embedder = embedder
        self._first_vector = first_vector
        self._report = IndexReport()
        self._embedded: _Batch | None = None  # and not written yet
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="esens-write")

    @classmethod
    def of(cls, to: str, first: DocumentRow, embedder: EmbedderLike | None) -> "_IndexWriter":
        """Open or make the index; the first row says whether vectors come with the documents."""
        address = IndexURI.parse(to)
        if first.vector is not None:
            embedder_id = _embedder_id_of(first, embedder)
            return cls(address, prepare_index(to, dimension=len(first.vector), embedder_id=embedder_id), None)
        model = embedder_of(DEFAULT_EMBEDDER if embedder is None else embedder)
        first_vector = None
        dimension = dimension_of(model) or _existing_dimension(to)
        if dimension is None:
            rows = embed_corpus([first.document], model)
            first_vector, dimension = (first.document.content, rows[0]), rows.shape[1]
        index = prepare_index(to, dimension=dimension, embedder_id=identify(model))
        return cls(address, index, model, first_vector)

    def add(self, batch: Sequence[Passages], progress: Progress) -> None:
        """Embed what is new or has changed, while what was embedded before is written."""
        with self._saying_what_stays():
            looked_up = self._look_up([_as_stored(row) for passages in batch for row in passages], batch)
        before, self._embedded = self._embedded, None
        read = self._report.total + len(looked_up.rows) + (len(before.rows) if before else 0)
        writing = self._thread.submit(self._write, before) if before else None
        try:
            vectors = None
            if looked_up.fresh:
                vectors = self._vectors(
                    looked_up.fresh, looked_up.stored, lambda left: progress(read - left, read)
                )
        finally:
            if writing is not None:
                writing.result()
        progress(read, read)
        self._embedded = replace(looked_up, vectors=vectors)

    def _look_up(self, rows: Sequence[DocumentRow], batch: Sequence[Passages]) -> _Batch:
        """Return what is to be done with some rows; those that were embedded before are as good as written."""
        self._check(rows)
        documents = [row.document for row in rows]
        firsts = [passages[0].document for passages in batch if is_whole(passages[0].document)]
        existing = existing_documents(self._index, [first.whole_id for first in firsts], documents)
        before = self._embedded.documents if self._embedded else []
        refuse_collisions(documents, {**existing, **{document.id: document for document in before}})
        stale = [id_ for first in firsts for id_ in stale_ids(first, existing)] if existing else []
        fresh = self._fresh(rows, existing)
        return _Batch(rows, fresh, existing, stale, self._stored(fresh, existing))

    def _write(self, batch: _Batch) -> None:
        with self._saying_what_stays():
            # What goes comes first: a run that is killed in between finds the rest changed, and goes on with it.
            removed = self._index.delete(batch.stale) if batch.stale else 0
            if batch.vectors is not None:
                self._index.upsert([row.document for row in batch.fresh], batch.vectors)
        self._count(batch.rows, batch.fresh, batch.existing, removed)

    @contextmanager
    def _saying_what_stays(self) -> Iterator[None]:
        """Where a batch cannot be written, say that those before it are."""
        try:
            yield
        except EngineError as error:
            if not self._report.total:
                raise
            done = f"the {self._report.total:,} documents and passages before it are in the index"
            problem = f"{error.problem}. This is of the last batch: {done}, and the same again goes on from there"
            raise EngineError(error.index, problem) from None

    def _count(
        self,
        rows: Sequence[DocumentRow],
        fresh: Sequence[DocumentRow],
        existing: Mapping[str, Document],
        removed: int,
    ) -> None:
        changed, before = sum(row.document.id in existing for row in fresh), self._report
        self._report = replace(
            before,
            added=before.added + len(fresh) - changed,
            changed=before.changed + changed,
            unchanged=before.unchanged + len(rows) - len(fresh),
            removed=before.removed + removed,
        )

    def finish(self) -> IndexReport:
        """Let the index put itself in order, where it knows how to, and return what was written."""
        self._write_embedded()
        if optimise := getattr(self._index, "optimise", None):
            optimise()
        return replace(self._report, count=len(self._index), embedder_id=self._index.embedder_id)

    def close(self) -> None:
        """Write what was embedded, also where something else went wrong, and close the index."""
        try:
            self._write_embedded()
        finally:
            self._thread.shutdown()
            self._index.close()  # some can be open but once

    def _write_embedded(self) -> None:
        batch, self._embedded = self._embedded, None
        if batch is not None:
            self._write(batch)

    def _check(self, rows: Sequence[DocumentRow]) -> None:
        """Raise unless vectors come with all rows or with none, and are of the index's embedder and length."""
        for row in rows:
            if (row.vector is None) != (self._embedder is not None):
                problem = "has no vector, and others do" if row.vector is None else "has a vector, others do not"
                raise ArgumentError(f"document {row.document.id!r}", f"{problem}; give one to each, or to none")
            if row.vector is not None:
                embedder_id = None if row.embedder_id is None else EmbedderId(*row.embedder_id)
                check_compatible(
                    self._address,
                    dimension=(self._index.dimension, len(row.vector)),
                    embedder_id=(self._index.embedder_id, embedder_id),
                )

    def _fresh(self, rows: Sequence[DocumentRow], existing: Mapping[str, Document]) -> list[DocumentRow]:
        """Return the rows that the index does not have as they are, vectors that come with them included."""
        same = [row for row in rows if _is_same(existing.get(row.document.id), row.document)]
        if self._embedder is None and same:
            vectors = unit_rows(np.stack([row.vector for row in same if row.vector is not None]))
            stored = unit_rows(self._index.vectors([row.document.id for row in same]))
            distances = np.abs(vectors - stored).max(axis=1)
            same = [row for row, distance in zip(same, distances, strict=True) if distance <= _EQUAL]
        unchanged = {row.document.id for row in same}
        return [row for row in rows if row.document.id not in unchanged]

    def _stored(self, fresh: Sequence[DocumentRow], existing: Mapping[str, Document]) -> dict[str, Vectors]:
        """Return the vectors that the index has of the same texts already, by id."""
        if self._embedder is None:
            return {}
        documents = [row.document for row in fresh]
        ids = [each.id for each in documents if _has_same_text(existing.get(each.id), each)]
        return dict(zip(ids, self._index.vectors(ids), strict=True)) if ids else {}

    def _vectors(
        self, rows: Sequence[DocumentRow], stored: Mapping[str, Vectors], left: Callable[[int], None]
    ) -> Vectors:
        """Return a row each: the one that came with it, the one that the same text has already, or a new one."""
        if self._embedder is None:
            return np.stack([row.vector for row in rows if row.vector is not None])
        vectors = np.empty((len(rows), self._index.dimension), np.float32)
        new = []
        for at, row in enumerate(rows):
            if (vector := stored.get(row.document.id)) is None:
                new.append(at)
            else:
                vectors[at] = vector
        if new and self._first_vector is not None and rows[new[0]].document.content == self._first_vector[0]:
            vectors[new.pop(0)] = self._first_vector[1]
        self._first_vector = None
        if new:
            documents = [rows[at].document for at in new]
            embedded = embed_corpus(documents, self._embedder, lambda done, of: left(of - done))
            dimensions = (self._index.dimension, embedded.shape[1])
            check_compatible(self._address, dimension=dimensions, embedder_id=(None, None))
            vectors[new] = embedded
        return vectors


def _existing_dimension(to: str) -> int | None:
    """Return the dimension of an index that is there, so that no text need be embedded to know it."""
    try:
        index = open_index(to)
    except EngineError:  # not there yet, or a problem that prepare_index will raise
        return None
    try:
        return index.dimension
    finally:
        index.close()


def _embedder_id_of(first: DocumentRow, embedder: EmbedderLike | None) -> EmbedderId | None:
    """Return the embedder of the vectors that come with the documents, as far as anybody says so."""
    if embedder is not None:
        return identify(embedder_of(embedder))
    return EmbedderId(*first.embedder_id) if first.embedder_id else None


def _as_stored(row: DocumentRow) -> DocumentRow:
    """Return a row with its metadata as an index gives it back: what JSON does not know as its ``str``."""
    if all(type(name) is str and type(value) in _SAME_IN_JSON for name, value in row.document.metadata.items()):
        return row
    metadata = json.loads(strict_json.dumps(dict(row.document.metadata)))
    return replace(row, document=replace(row.document, metadata=metadata))


def _is_same(stored: Document | None, document: Document) -> bool:
    """Whether the index has a document as it is; as JSON, for 1 equals true in Python."""
    return stored is not None and _as_json(stored) == _as_json(document)


def _as_json(document: Document) -> str:
    return json.dumps([document.title, document.text, dict(document.metadata), document.passage], sort_keys=True)


def _has_same_text(stored: Document | None, document: Document) -> bool:
    return stored is not None and stored.content == document.content
