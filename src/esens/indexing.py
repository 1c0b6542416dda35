"""Documents become an index: split into passages, embedded and written, a batch at a time.

A batch that is written is kept, whatever happens afterwards. Documents that the index has already, as they are,
are not embedded again; so an interrupted run goes on where it stopped when it is started again, and a run over
changed documents embeds what has changed.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from esens.embed import DEFAULT_EMBEDDER, Embedder, embedder_of
from esens.embed.base import TextsToVectors
from esens.errors import ArgumentError, EngineError
from esens.index import MadeBy, WritableIndex, open_index, prepare_index
from esens.index.base import Vectors
from esens.ingest import DEFAULT_OVERLAP, DEFAULT_WORDS, Row, passages_of
from esens.search import embed_corpus
from esens.search.made_by import is_same, made_by
from esens.types import Document

BATCH = 1024
"""Documents that are written at once: what a run that is killed may have embedded in vain."""

Passages = Sequence[Row]
"""The rows that one document is indexed as: itself, or its passages."""
Source = str | Mapping[str, Any] | Document | Row
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Indexed:
    """What became of some documents, passages counted one by one; ``removed`` are those that a document lost."""

    index: WritableIndex
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0

    @property
    def total(self) -> int:
        """How many were given."""
        return self.added + self.changed + self.unchanged


def build_index(
    documents: Iterable[Source],
    to: str,
    *,
    embedder: str | Embedder | TextsToVectors | None = None,
    words: int | None = DEFAULT_WORDS,
    overlap: int = DEFAULT_OVERLAP,
    progress: Progress | None = None,
) -> Indexed:
    """Write documents to the index that a spec names, and make it where it is not there yet.

    Documents of more than ``words`` words are split into passages, which searches fold back; None splits none.
    Rows with a vector are neither embedded nor split. Their embedder is remembered: the one that their file names,
    or one named here; both must be the same.
    ``progress`` is called with the number of passages done, and of those read so far.
    """
    writer: _Writer | None = None
    for batch in batches_of(documents, words, overlap):
        writer = writer or _Writer.of(to, batch[0][0], embedder)
        writer.write(batch, progress or (lambda _done, _read: None))
    if writer is None:
        raise ArgumentError("documents", "there are none; give at least one document")
    return writer.finish()


def batches_of(documents: Iterable[Source], words: int | None, overlap: int) -> Iterator[list[Passages]]:
    """Yield documents as the passages that they are indexed as, so many that there are about BATCH of those."""
    batch: list[Passages] = []
    for position, given in enumerate(documents):
        batch.append(_passages(_row(given, position), words, overlap))
        if sum(map(len, batch)) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def delete_documents(index: WritableIndex, ids: Sequence[str]) -> int:
    """Remove documents, and the passages of those that were split; return how many documents were there."""
    known = _known(index, ids)
    gone = [_indexed_as(id_, known) for id_ in dict.fromkeys(ids)]
    index.delete([one for of_one in gone for one in of_one])
    return sum(map(bool, gone))


class _Writer:
    """An index, the embedder that makes its vectors, and what was written so far."""

    def __init__(self, index: WritableIndex, embedder: Embedder | None) -> None:
        self._index = index
        self._embedder = embedder
        self._so_far = Indexed(index)

    @classmethod
    def of(cls, to: str, first: Row, embedder: str | Embedder | TextsToVectors | None) -> "_Writer":
        """Open or make the index; the first row says whether vectors come with the documents."""
        if first.vector is not None:
            maker = _maker(first, embedder)
            return cls(prepare_index(to, dimension=len(first.vector), made_by=maker), None)
        model = embedder_of(DEFAULT_EMBEDDER if embedder is None else embedder)
        dimension = _dimension(to) or embed_corpus([first.document], model).shape[1]
        return cls(prepare_index(to, dimension=dimension, made_by=made_by(model)), model)

    def write(self, batch: Sequence[Passages], progress: Progress) -> None:
        """Write what is new or has changed."""
        rows = [_as_kept(row) for passages in batch for row in passages]
        _refuse_other_makers(rows, self._index.made_by)
        whole = {
            _document_id(passages[0].document): passages[0].document for passages in batch if _is_whole(passages)
        }
        known = _known(self._index, whole, rows)
        _refuse_collisions(rows, known)
        fresh = [row for row in rows if known.get(row.document.id) != row.document]
        stale = {id_ for document in whole for id_ in _indexed_as(document, known)}
        stale -= {id_ for document, first in whole.items() for id_ in _indexed_as(document, {first.id: first})}
        read = self._so_far.total + len(rows)
        vectors = self._vectors(fresh, known, lambda left: progress(read - left, read)) if fresh else None
        # Embedding takes long, so it comes first. Then what goes: a run that is killed in between finds the rest
        # changed, and goes on with it.
        removed = self._index.delete(sorted(stale)) if stale else 0
        if vectors is not None:
            self._index.upsert([row.document for row in fresh], vectors)
        progress(read, read)
        changed = sum(row.document.id in known for row in fresh)
        self._so_far = replace(
            self._so_far,
            added=self._so_far.added + len(fresh) - changed,
            changed=self._so_far.changed + changed,
            unchanged=self._so_far.unchanged + len(rows) - len(fresh),
            removed=self._so_far.removed + removed,
        )

    def finish(self) -> Indexed:
        """Let the index put itself in order, where it knows how to, and return what was written."""
        optimise = getattr(self._index, "optimise", None)
        if optimise is not None:
            optimise()
        return self._so_far

    def _vectors(self, rows: Sequence[Row], known: Mapping[str, Document], left: Callable[[int], None]) -> Vectors:
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
            vectors[new] = embed_corpus(documents, self._embedder, lambda done, of: left(of - done))
        return vectors


def _dimension(to: str) -> int | None:
    """Return the dimension of an index that is there, so that no text need be embedded to know it."""
    try:
        index = open_index(to)
    except EngineError:  # if it is more than not being there, who makes it will say
        return None
    close = getattr(index, "close", None)
    try:
        return index.dimension
    finally:
        if close is not None:
            close()


def _maker(first: Row, embedder: str | Embedder | TextsToVectors | None) -> MadeBy | None:
    """Return the embedder that made the vectors that come with the documents, as far as anybody says so."""
    named = None if embedder is None else made_by(embedder_of(embedder))
    return named or (MadeBy(*first.made_by) if first.made_by else None)


def _refuse_other_makers(rows: Iterable[Row], maker: MadeBy | None) -> None:
    for row in rows:
        if row.made_by is not None and maker is not None and not is_same(MadeBy(*row.made_by), maker):
            raise ArgumentError(
                "embedder",
                f"the vector of document {row.document.id!r} was made by {row.made_by[0]} (hash "
                f"{row.made_by[1][:12]}), and the index is for those of {maker.name} (hash {maker.hash[:12]})",
            )


def _row(given: Source, position: int) -> Row:
    return given if isinstance(given, Row) else Row(Document.of(given, position=position))


def _passages(row: Row, words: int | None, overlap: int) -> Passages:
    if words is None or row.vector is not None or "passage_of" in row.document.metadata:
        return (row,)
    return [Row(passage) for passage in passages_of(row.document, words=words, overlap=overlap)]


def _as_kept(row: Row) -> Row:
    """Return a row with its metadata as an index gives it back: what JSON does not know as its ``str``."""
    metadata = json.loads(json.dumps(dict(row.document.metadata), ensure_ascii=False, default=str))
    return replace(row, document=replace(row.document, metadata=metadata))


def _known(index: WritableIndex, documents: Iterable[str], rows: Iterable[Row] = ()) -> Mapping[str, Document]:
    """Return what the index has of these: a document is there under its own id, or as passages from 1 on."""
    ids = [id_ for document in documents for id_ in (document, f"{document}#1")]
    return index.documents(list(dict.fromkeys([*ids, *(row.document.id for row in rows)])))


def _indexed_as(id_: str, known: Mapping[str, Document]) -> list[str]:
    """Return the ids under which the index has a document."""
    alone = [id_] if id_ in known else []
    first = known.get(f"{id_}#1")
    if first is None or first.metadata.get("passage_of") != id_:
        return alone
    return [*alone, *(f"{id_}#{number}" for number in range(1, int(first.metadata["passages"]) + 1))]


def _document_id(document: Document) -> str:
    return str(document.metadata.get("passage_of") or document.id)


def _is_whole(passages: Passages) -> bool:
    """Whether these say all that there is of a document: a first passage does, too, for it counts the others."""
    first = passages[0].document
    counts = isinstance(first.metadata.get("passages"), int) and first.id == f"{_document_id(first)}#1"
    return "passage_of" not in first.metadata or counts


def _says_the_same(known: Document | None, document: Document) -> bool:
    return known is not None and known.content == document.content


def _refuse_collisions(rows: Iterable[Row], known: Mapping[str, Document]) -> None:
    for row in rows:
        there = known.get(row.document.id)
        if there is not None and _document_id(there) != _document_id(row.document):
            raise ArgumentError(
                "documents",
                f"the id {row.document.id!r} is that of a passage of {_document_id(there)!r} and of another "
                "document; give that one another id",
            )
