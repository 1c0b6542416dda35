"""A part: documents are split into passages, embedded, and written to one Parquet file."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from esens import strict_json
from esens.documents import stored_metadata
from esens.embed import Embedder
from esens.embed.corpus import embed_corpus
from esens.index.base import Vectors
from esens.indexing.embed_files.job import EmbedJob
from esens.ingest import DocumentRow, passages_of
from esens.ingest.parquet import EMBEDDER_KEY, HASH_KEY
from esens.storage.atomic import write_atomically
from esens.types import Document, EmbedderId

_AT_ONCE = 1024  # passages embedded and written at once: a part of long documents must not fill the memory


def write_part(
    rows: Iterable[DocumentRow],
    path: Path,
    job: EmbedJob,
    embedder: Embedder,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write the passages of these documents and their vectors to a file; return how many there are.

    Without any, no file is written. ``progress`` is called with the number of passages embedded so far.
    """
    passages = (passage for row in rows for passage in _passages(row.document, job))
    first = next(passages, None)
    if first is None:
        return 0
    written = 0

    def embedded(done: int, _of: int) -> None:
        if progress is not None:
            progress(written + done)

    with write_atomically(path) as stream, _PartFile(stream) as writer:
        for batch in _batches(chain([first], passages)):
            writer.write(_table(batch, embed_corpus(batch, embedder, embedded), job.embedder_id))
            written += len(batch)
    return written


def _passages(document: Document, job: EmbedJob) -> Sequence[Document]:
    if job.words is None:
        return (document,)
    return passages_of(document, words=job.words, overlap=job.overlap)


def _batches(passages: Iterator[Document]) -> Iterator[list[Document]]:
    while batch := list(islice(passages, _AT_ONCE)):
        yield batch


def _table(passages: Sequence[Document], vectors: Vectors, embedder_id: EmbedderId) -> Any:
    import pyarrow as arrow

    numbers = arrow.array(vectors.ravel(), arrow.float32())
    columns = {
        "id": arrow.array([passage.id for passage in passages], arrow.string()),
        "title": arrow.array([passage.title for passage in passages], arrow.string()),
        "text": arrow.array([passage.text for passage in passages], arrow.string()),
        "metadata": arrow.array(map(_json, passages), arrow.string()),
        "vector": arrow.FixedSizeListArray.from_arrays(numbers, vectors.shape[1]),
    }
    return arrow.table(columns).replace_schema_metadata(
        {EMBEDDER_KEY: embedder_id.name.encode(), HASH_KEY: embedder_id.hash.encode()}
    )


def _json(passage: Document) -> str:
    # A text, since the fields differ from row to row; what JSON does not know becomes its str, as in an index.
    return strict_json.dumps(stored_metadata(passage), ensure_ascii=True)


class _PartFile:
    """A Parquet file whose first table says what its columns are."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._file: Any = None

    def __enter__(self) -> "_PartFile":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, table: Any) -> None:
        """Write rows; without a dictionary, because the numbers of vectors are hardly ever equal."""
        from pyarrow.parquet import ParquetWriter

        if self._file is None:
            self._file = ParquetWriter(self._stream, table.schema, compression="zstd", use_dictionary=False)
        self._file.write_table(table)
