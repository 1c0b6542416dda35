"""Documents become an index: split into passages, embedded and written, a batch at a time.

A batch that is written is kept, whatever happens afterwards. Documents that the index has already, as they are,
are not embedded again; so an interrupted run goes on where it stopped when it is started again, and a run over
changed documents embeds what has changed.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from esens.arrays.unit import unit_rows
from esens.embed import DEFAULT_EMBEDDER, Embedder, embedder_of
from esens.embed.base import TextsToVectors
from esens.embed.identity import identify
from esens.errors import ArgumentError, EngineError
from esens.index import Index, WritableIndex, open_index, prepare_index
from esens.index.base import Vectors, check_compatible
from esens.index.uri import IndexURI
from esens.ingest import DEFAULT_OVERLAP, DEFAULT_WORDS, DocumentRow, RowReader, SeenIds, passages_of
from esens.search import embed_corpus
from esens.types import Document, EmbedderId

BATCH = 1024
"""Documents that are written at once: what a run that is killed may have embedded in vain."""

_MOST_PASSAGES = 100_000  # that a document is believed to have
_EQUAL = 1e-6

Passages = Sequence[DocumentRow]
"""The rows that one document is indexed as: itself, or its passages."""
DocumentLike = str | Mapping[str, Any] | Document | DocumentRow
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What became of some documents, passages counted one by one; ``removed`` are those that a document lost.

    ``count`` is how many the index holds now, and ``embedder_id`` who embedded it, where that is known.
    """

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    count: int = 0
    embedder_id: EmbedderId | None = None

    @property
    def total(self) -> int:
        """How many were given."""
        return self.added + self.changed + self.unchanged


def build_index(
    documents: Iterable[DocumentLike],
    to: str | os.PathLike[str],
    *,
    embedder: str | Embedder | TextsToVectors | None = None,
    words: int | None = DEFAULT_WORDS,
    overlap: int = DEFAULT_OVERLAP,
    progress: Progress | None = None,
) -> IndexReport:
    """Write documents to the index that a spec names, and make it where it is not there yet.

    Documents of more than ``words`` words are split into passages, which searches fold back; None splits none.
    Rows with a vector are neither embedded nor split. Their embedder is remembered: the one that their file names,
    or one named here; both must be the same. A document without an id is known by its number, so give them ids
    where more than one list goes into an index. A number that is none (NaN) is not kept.
    ``progress`` is called with the number of passages done, and of those read so far.
    """
    if isinstance(documents, (str, Mapping, Document)):
        problem = f"expected several, got one {type(documents).__name__}; esens.read_documents reads a file"
        raise ArgumentError("documents", problem)
    writer: _IndexWriter | None = None
    try:
        for batch in _batches(_rows(documents), words, overlap):
            writer = writer or _IndexWriter.of(os.fspath(to), batch[0][0], embedder)
            writer.write(batch, progress or (lambda _done, _read: None))
        if writer is None:
            raise ArgumentError("documents", "there are none; give at least one document")
        return writer.finish()
    finally:
        if writer is not None:
            writer.close()


def delete_documents(index: WritableIndex, ids: Sequence[str]) -> list[str]:
    """Remove documents, and the passages of those that were split; return the ids of those that were there."""
    known = _known(index, ids)
    gone = {id_: _indexed_as(id_, known) for id_ in dict.fromkeys(ids)}
    index.delete([one for of_one in gone.values() for one in of_one])
    return [id_ for id_, of_one in gone.items() if of_one]


def _rows(documents: Iterable[DocumentLike]) -> Iterator[DocumentRow]:
    """Yield documents as rows, and see that no id comes twice; who reads files has seen to it already."""
    if isinstance(documents, RowReader):
        yield from documents
        return
    with closing(SeenIds()) as ids:
        for position, given in enumerate(documents):
            row = given if isinstance(given, DocumentRow) else DocumentRow(Document.of(given, position=position))
            before = ids.first_place(row.document.id, str(position))
            if before is not None:
                problem = f"id {row.document.id!r} stands at positions {before} and {position}; ids must be unique"
                raise ArgumentError("documents", problem)
            yield row


def _batches(rows: Iterable[DocumentRow], words: int | None, overlap: int) -> Iterator[list[Passages]]:
    """Yield documents as the passages that they are indexed as, so many that there are about BATCH of those."""
    batch: list[Passages] = []
    for row in rows:
        batch.append(_passages(row, words, overlap))
        if sum(map(len, batch)) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class _IndexWriter:
    """An index, the embedder that makes its vectors, and what was written so far."""

    def __init__(self, address: IndexURI, index: WritableIndex, embedder: Embedder | None) -> None:
        self._address = address
        self._index = index
        self._embedder = embedder
        self._so_far = IndexReport()

    @classmethod
    def of(cls, to: str, first: DocumentRow, embedder: str | Embedder | TextsToVectors | None) -> "_IndexWriter":
        """Open or make the index; the first row says whether vectors come with the documents."""
        address = IndexURI.parse(to)
        if first.vector is not None:
            maker = _maker(first, embedder)
            return cls(address, prepare_index(to, dimension=len(first.vector), embedder_id=maker), None)
        model = embedder_of(DEFAULT_EMBEDDER if embedder is None else embedder)
        dimension = _dimension(to) or embed_corpus([first.document], model).shape[1]
        return cls(address, prepare_index(to, dimension=dimension, embedder_id=identify(model)), model)

    def write(self, batch: Sequence[Passages], progress: Progress) -> None:
        """Write what is new or has changed."""
        rows = [_as_kept(row) for passages in batch for row in passages]
        self._check(rows)
        firsts = [passages[0].document for passages in batch if _is_whole(passages)]
        known = _known(self._index, [first.whole_id for first in firsts], rows)
        _refuse_collisions(rows, known)
        fresh = self._fresh(rows, known)
        stale = [id_ for first in firsts for id_ in _lost(first, known)]
        read = self._so_far.total + len(rows)
        vectors = self._vectors(fresh, known, lambda left: progress(read - left, read)) if fresh else None
        # Embedding takes long, so it comes first. Then what goes: a run that is killed in between finds the rest
        # changed, and goes on with it.
        removed = self._index.delete(stale) if stale else 0
        if vectors is not None:
            self._index.upsert([row.document for row in fresh], vectors)
        progress(read, read)
        self._count(rows, fresh, known, removed)

    def _count(
        self,
        rows: Sequence[DocumentRow],
        fresh: Sequence[DocumentRow],
        known: Mapping[str, Document],
        removed: int,
    ) -> None:
        changed, so_far = sum(row.document.id in known for row in fresh), self._so_far
        self._so_far = replace(
            so_far,
            added=so_far.added + len(fresh) - changed,
            changed=so_far.changed + changed,
            unchanged=so_far.unchanged + len(rows) - len(fresh),
            removed=so_far.removed + removed,
        )

    def finish(self) -> IndexReport:
        """Let the index put itself in order, where it knows how to, and return what was written."""
        if optimise := getattr(self._index, "optimise", None):
            optimise()
        return replace(self._so_far, count=len(self._index), embedder_id=self._index.embedder_id)

    def close(self) -> None:
        """Let go of the index: some can be open but once."""
        _close(self._index)

    def _check(self, rows: Sequence[DocumentRow]) -> None:
        """Raise unless vectors come with all rows or with none, and are of the index's embedder and length."""
        for row in rows:
            if (row.vector is None) != (self._embedder is not None):
                problem = "has no vector, and others do" if row.vector is None else "has a vector, others do not"
                raise ArgumentError(f"document {row.document.id!r}", f"{problem}; give one to each, or to none")
            if row.vector is not None:
                maker = None if row.embedder_id is None else EmbedderId(*row.embedder_id)
                check_compatible(
                    self._address,
                    dimension=(self._index.dimension, len(row.vector)),
                    embedder_id=(self._index.embedder_id, maker),
                )

    def _fresh(self, rows: Sequence[DocumentRow], known: Mapping[str, Document]) -> list[DocumentRow]:
        """Return the rows that the index does not have as they are, the vectors given included."""
        same = [row for row in rows if _is_same(known.get(row.document.id), row.document)]
        if self._embedder is None and same:
            given = unit_rows(np.stack([row.vector for row in same if row.vector is not None]))
            kept = unit_rows(self._index.vectors([row.document.id for row in same]))
            same = [row for row, far in zip(same, np.abs(given - kept).max(axis=1), strict=True) if far <= _EQUAL]
        unchanged = {row.document.id for row in same}
        return [row for row in rows if row.document.id not in unchanged]

    def _vectors(
        self, rows: Sequence[DocumentRow], known: Mapping[str, Document], left: Callable[[int], None]
    ) -> Vectors:
        """Return a row each: the one given, the one that the same text has already, or a new one."""
        if self._embedder is None:
            return np.stack([row.vector for row in rows if row.vector is not None])
        kept = [at for at, row in enumerate(rows) if _says_the_same(known.get(row.document.id), row.document)]
        new = sorted(set(range(len(rows))) - set(kept))
        vectors = np.empty((len(rows), self._index.dimension), np.float32)
        if kept:
            vectors[kept] = self._index.vectors([rows[at].document.id for at in kept])
        if new:
            documents = [rows[at].document for at in new]
            made = embed_corpus(documents, self._embedder, lambda done, of: left(of - done))
            dimensions = (self._index.dimension, made.shape[1])
            check_compatible(self._address, dimension=dimensions, embedder_id=(None, None))
            vectors[new] = made
        return vectors


def _dimension(to: str) -> int | None:
    """Return the dimension of an index that is there, so that no text need be embedded to know it."""
    try:
        index = open_index(to)
    except EngineError:  # if it is more than not being there, who makes it will say
        return None
    try:
        return index.dimension
    finally:
        _close(index)


def _close(index: Index) -> None:
    index.close()


def _maker(first: DocumentRow, embedder: str | Embedder | TextsToVectors | None) -> EmbedderId | None:
    """Return the embedder that made the vectors that come with the documents, as far as anybody says so."""
    named = None if embedder is None else identify(embedder_of(embedder))
    return named or (EmbedderId(*first.embedder_id) if first.embedder_id else None)


def _passages(row: DocumentRow, words: int | None, overlap: int) -> Passages:
    if words is None or row.vector is not None or row.document.passage:
        return (row,)
    return [DocumentRow(passage) for passage in passages_of(row.document, words=words, overlap=overlap)]


def _as_kept(row: DocumentRow) -> DocumentRow:
    """Return a row with its metadata as an index gives it back: what JSON does not know as its ``str``."""
    text = json.dumps(dict(row.document.metadata), ensure_ascii=False, default=str)
    metadata = json.loads(text, parse_constant=lambda name: None if name == "NaN" else name)
    return replace(row, document=replace(row.document, metadata=metadata))


def _known(
    index: WritableIndex, documents: Iterable[str], rows: Iterable[DocumentRow] = ()
) -> Mapping[str, Document]:
    """Return what the index has of these: a document is there under its own id, or as passages from 1 on."""
    ids = [id_ for document in documents for id_ in (document, f"{document}#1")]
    return index.documents(list(dict.fromkeys([*ids, *(row.document.id for row in rows)])))


def _lost(first: Document, known: Mapping[str, Document]) -> list[str]:
    """Return what the index has of a document, given by itself or by its first passage, and should no longer."""
    now = set(_indexed_as(first.whole_id, {first.id: first}))
    return [id_ for id_ in _indexed_as(first.whole_id, known) if id_ not in now]


def _indexed_as(id_: str, known: Mapping[str, Document]) -> list[str]:
    """Return the ids under which the index has a document; the first passage, which counts the others, last."""
    alone = [id_] if id_ in known else []
    first = known.get(f"{id_}#1")
    if first is None or first.passage is None or first.passage.of != id_:
        return alone
    return [*(f"{id_}#{number}" for number in range(min(first.passage.total, _MOST_PASSAGES), 0, -1)), *alone]


def _is_whole(passages: Passages) -> bool:
    """Whether these say all that there is of a document: a first passage does, too, for it counts the others."""
    passage = passages[0].document.passage
    return passage is None or passage.number == 1


def _is_same(known: Document | None, document: Document) -> bool:
    """Whether the index has a document as it is; as JSON, for 1 equals true in Python."""
    return known is not None and _written(known) == _written(document)


def _written(document: Document) -> str:
    return json.dumps([document.title, document.text, dict(document.metadata)], sort_keys=True)


def _says_the_same(known: Document | None, document: Document) -> bool:
    return known is not None and known.content == document.content


def _refuse_collisions(rows: Sequence[DocumentRow], known: Mapping[str, Document]) -> None:
    """Raise where a document has the id of another's passage, in the index or among those to be written."""
    there = dict(known)
    for row in rows:
        document, other = row.document, there.get(row.document.id)
        if other is not None and other.whole_id != document.whole_id:
            whole = other.whole_id if other.passage else document.whole_id
            raise ArgumentError(
                "documents",
                f"the id {document.id!r} is that of a passage of {whole!r} and of another document; give that "
                "one another id",
            )
        there[document.id] = document
