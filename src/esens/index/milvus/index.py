"""Collections of Milvus: on a server or a cluster, or in a file by Milvus Lite.

``milvus://HOST:PORT/COLLECTION``, ``milvus+https://HOST:PORT/COLLECTION`` or ``milvus:FILE.db?collection=NAME``.
User and password stand before the host (``USER:PASSWORD@HOST``), or ``MILVUS_TOKEN`` holds them, or a token.
Options:

- ``database``: the database, where it is not the server's default;
- ``vector``, ``id``, ``text``, ``title``, ``metadata``: the fields of a collection that esens did not make.
  Without them the primary key is the id, and all that is neither text nor title is metadata;
- ``timeout``: seconds that a call may take, tries and all;
- ``pause``: seconds for which a server that gave no answer is left alone.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import SystemRandom
from typing import Any

import numpy as np

from esens.arrays.pack import pack
from esens.documents import stored_document
from esens.errors import EngineError, MissingExtraError
from esens.index.adapter import check_unit_length, closing_on_error, pages
from esens.index.base import BaseWritableIndex, Neighbours, Vectors, without_words
from esens.index.filters import Filter
from esens.index.layout import NOTE, field_options, missing_collection, note_of
from esens.index.ranges import Sample
from esens.index.silence import SilenceGuard
from esens.index.uri import IndexURI
from esens.index.words import without_stop_words
from esens.types import Document, EmbedderId

try:
    from pymilvus import MilvusClient
except ImportError:
    raise MissingExtraError("pymilvus", "milvus") from None

from esens.index.milvus.client import (
    close,
    connect,
    create_collection,
    find_vector,
    find_words,
    is_silence,
    milvus_errors,
    read_embedder,
    timeout_of,
)
from esens.index.milvus.expressions import CollectionSchema, in_list
from esens.index.milvus.marks import OUR_FIELDS, marks_expression, row_of

# Milvus finds no more neighbours in one search, and returns no more rows of one query.
_MOST_ROWS = 16_384
# A server takes requests of 64 MB.
_REQUEST_BYTES = 32_000_000
_PAGE = 1000
_FIRST_ROWS = 64
_MOST_KEYS = 1_000_000
_EF = 64
_NO_FUNCTION = (
    "Milvus, from 2.5 on, ranks by a function of BM25 that a collection is made with, and this one has none. "
    "esens makes its own without, for older servers. Make one with Function(function_type=FunctionType.BM25)"
)


class MilvusIndex(BaseWritableIndex):
    """The documents of one collection, searched by Milvus.

    What this process wrote, and what others had written when it opened the collection, is found at once; what
    others write later is found when Milvus has told all its parts of it, within a second or so. What is written
    goes in requests of up to 32 MB, and a request is stored as a whole or not at all: if a later one fails, what
    the earlier ones wrote stays. Only collections that esens made are written to.
    """

    max_neighbours = _MOST_ROWS

    def __init__(self, uri: IndexURI, client: MilvusClient, collection: str) -> None:
        """Take an open client, and a collection that is there; see :meth:`open` and :meth:`prepare`."""
        super().__init__(uri)
        self._client, self._collection, self._timeout = client, collection, timeout_of(uri)
        self._guard = SilenceGuard(uri)
        with self.translate_errors():
            description = client.describe_collection(collection, timeout=self._timeout)
            self._vector, self.dimension = find_vector(uri, description)
            index = self._describe_index()
            if client.get_load_state(collection, timeout=self._timeout)["state"].name != "Loaded":
                client.load_collection(collection, timeout=self._timeout)
        self._distance, self._index_type = index.get("metric_type", ""), index.get("index_type", "")
        self.metric = "ip" if self._distance == "IP" else "cosine"
        self.embedder_id = read_embedder(description.get("properties") or {})
        self._words = find_words(description)
        names = [field["name"] for field in description["fields"]]
        self.is_ours = sorted(names) == sorted(OUR_FIELDS)
        self._document_fields = ["id", "title", "text", "metadata"] if self.is_ours else _readable(description)
        rows = self._rows("", limit=_FIRST_ROWS, with_vectors=self._distance == "L2", is_strong=True)
        self._check_metric(rows)
        self._schema = CollectionSchema.guess(
            description, [self._without_vector(row) for row in rows], field_options(uri)
        )

    @classmethod
    def open(cls, uri: IndexURI) -> "MilvusIndex":
        """Open a collection that is there."""
        client, collection = connect(uri, is_new=False)
        with closing_on_error(lambda: close(uri, client)):
            with milvus_errors(uri):
                is_there = client.has_collection(collection, timeout=timeout_of(uri))
                others = [] if is_there else client.list_collections(timeout=timeout_of(uri))
            if not is_there:
                raise missing_collection(uri, collection, others)
            return cls(uri, client, collection)

    @classmethod
    def prepare(cls, uri: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> "MilvusIndex":
        """Open a collection to write to, or make it where it is not there yet."""
        client, collection = connect(uri, is_new=True)
        with closing_on_error(lambda: close(uri, client)):
            with milvus_errors(uri):
                if not client.has_collection(collection, timeout=timeout_of(uri)):
                    create_collection(uri, client, collection, dimension, embedder_id)
            index = cls(uri, client, collection)
            index.check_prepared(dimension, embedder_id)
            return index

    def close(self) -> None:
        """Close the connection, or the file, which no other process can open before."""
        close(self.uri, self._client)

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Raise what the client raises as an EngineError, and keep it from logging the same.

        A server that gave no answer is left alone for a while.
        """
        with milvus_errors(self.uri), self._guard.watch(is_silence):
            yield

    def __len__(self) -> int:
        """Return how many documents there are."""
        return self._count("")

    def query(self, probes: Vectors, k: int, where: Filter | None, *, with_vectors: bool) -> Sequence[Neighbours]:
        """Return the k nearest documents of every unit vector, in one request."""
        fields = [*self._document_fields, *([self._vector] if with_vectors else [])]
        return [self._neighbours(hits, with_vectors) for hits in self._search(probes, k, where, fields)]

    def matching(self, texts: Sequence[str], k: int, *, where: Filter | None = None) -> list[Neighbours]:
        """Return the k documents whose words match each text best, by the collection's own function of BM25."""
        if not self._words:
            raise without_words(self, _NO_FUNCTION)
        said = [without_stop_words(text) for text in texts]
        asked, fields = [text for text in said if text], [*self._document_fields, self._vector]
        answers = iter(self._ask(asked, self._words, {"metric_type": "BM25"}, k, where, fields) if asked else ())
        return [self._matches(next(answers) if text else []) for text in said]

    def _matches(self, hits: Sequence[Any]) -> Neighbours:
        rows = [dict(hit["entity"]) for hit in hits]
        scores = np.abs([hit["distance"] for hit in hits]).astype(np.float32)  # Milvus Lite gives them below 0
        return Neighbours.by_score([*map(self._document, rows)], scores, self.comparable(self._matrix(rows)))

    def draw_sample(self, where: Filter | None, size: int) -> Sample:
        """Return vectors of documents drawn at random: by their keys, or out of all ids where there are none."""
        expression = self._expression(where)
        count = self._count(expression)
        fields = [self._schema.fields.id, self._vector]
        if count <= size:
            rows = self._rows(expression, fields=fields)
        elif self.is_ours:
            is_drawn = f"lot < {size / count!r}"
            rows = self._rows(f"{expression} and {is_drawn}" if expression else is_drawn, fields=fields)
        else:
            ids = self._all_ids(expression)
            rows = list(self._fetch(SystemRandom().sample(ids, min(size, len(ids))), fields).values())
        return Sample(self._matrix(rows), max(count, len(rows)))

    def first_vectors(self, count: int) -> Vectors:
        """Return the vectors of the first rows in Milvus' order."""
        return self._matrix(self._rows("", fields=[self._vector], limit=count))

    def fetch_vectors(self, ids: Sequence[str]) -> dict[str, Any]:
        """Return the stored vectors of those of these documents that are there, by id."""
        rows = self._fetch(ids, [self._schema.fields.id, self._vector])
        return {id_: row[self._vector] for id_, row in rows.items()}

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        return {id_: self._document(row) for id_, row in self._fetch(ids, self._document_fields).items()}

    def write(self, documents: Sequence[Document], rows: Vectors) -> None:
        """Store documents with a vector each."""
        records = [row_of(document, row.tolist()) for document, row in zip(documents, rows, strict=True)]
        for batch in pack([_request_size(record) for record in records], _REQUEST_BYTES):
            self._client.upsert(self._collection, records[batch], timeout=self._timeout)
        self._wait_until_visible()

    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        existing = list(self._fetch(ids, ["id"]))
        for page in pages(existing, _PAGE):
            self._client.delete(self._collection, filter=in_list("id", page), timeout=self._timeout)
        self._wait_until_visible()
        return len(existing)

    def note_embedder(self, embedder_id: EmbedderId) -> None:
        """Store which embedder makes the vectors of an empty collection."""
        note = {NOTE: json.dumps(note_of(embedder_id))}
        self._client.alter_collection_properties(self._collection, note, timeout=self._timeout)

    def _wait_until_visible(self) -> None:
        """Wait until a search finds what was written; the client's own count of that misses what was deleted."""
        self._rows("", fields=[self._schema.fields.id], limit=1, is_strong=True)

    def _expression(self, where: Filter | None) -> str:
        return marks_expression(where) if self.is_ours else self._schema.expression(where)

    def _search(self, probes: Vectors, limit: int, where: Filter | None, fields: Sequence[str]) -> list[Any]:
        """Return the nearest rows of every vector, in one request."""
        params = {"params": {"ef": max(limit, _EF)}} if "HNSW" in self._index_type else {}
        params = {"metric_type": self._distance, **params}
        return self._ask(probes.tolist(), self._vector, params, limit, where, fields)

    def _ask(
        self,
        data: Sequence[Any],
        searched: str,
        params: dict[str, Any],
        limit: int,
        where: Filter | None,
        fields: Sequence[str],
    ) -> list[Any]:
        expression = self._expression(where)
        with self.translate_errors():
            answers = self._client.search(
                self._collection,
                data=list(data),
                anns_field=searched,
                filter=expression,
                limit=limit,
                output_fields=list(fields),
                search_params=params,
                timeout=self._timeout,
            )
            return [list(hits) for hits in answers]

    def _neighbours(self, hits: Sequence[Any], with_vectors: bool) -> Neighbours:
        rows = [dict(hit["entity"]) for hit in hits]
        documents = [self._document(row) for row in rows]
        return Neighbours.by_score(documents, self._scores(hits), self._matrix(rows) if with_vectors else None)

    def _document(self, row: dict[str, Any]) -> Document:
        if self.is_ours:
            return stored_document(row["id"], row["text"], row["title"], row["metadata"])
        return self._schema.document(self._without_vector(row))

    def _without_vector(self, row: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in row.items() if name != self._vector}

    def _scores(self, hits: Sequence[Any]) -> Vectors:
        scores = np.array([hit["distance"] for hit in hits], np.float64)
        if self._distance == "L2":
            scores = 1 - scores / 2  # squared distances of unit vectors, as _check_metric has seen
        return scores.astype(np.float32)

    def _matrix(self, rows: Sequence[dict[str, Any]]) -> Vectors:
        return np.array([row[self._vector] for row in rows], np.float32).reshape(len(rows), self.dimension)

    def _fetch(self, ids: Sequence[str], fields: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the rows of those of these documents that are there, by id."""
        unique = list(dict.fromkeys(ids))
        by_id: dict[str, dict[str, Any]] = {}
        for page in pages(unique, _PAGE):
            expression = self._schema.with_ids(page)
            if expression:
                by_id |= {str(row[self._schema.fields.id]): row for row in self._rows(expression, fields=fields)}
        return {id_: by_id[id_] for id_ in unique if id_ in by_id}

    def _rows(
        self,
        expression: str,
        *,
        fields: Sequence[str] | None = None,
        limit: int = _MOST_ROWS,
        with_vectors: bool = False,
        is_strong: bool = False,
    ) -> list[dict[str, Any]]:
        names = [*(self._document_fields if fields is None else fields), *([self._vector] if with_vectors else [])]
        level = {"consistency_level": "Strong"} if is_strong else {}
        with self.translate_errors():
            answer = self._client.query(
                self._collection,
                filter=expression,
                output_fields=names,
                limit=limit,
                timeout=self._timeout,
                **level,
            )
            return [dict(row) for row in answer]

    def _count(self, expression: str) -> int:
        with self.translate_errors():
            answer = self._client.query(
                self._collection, filter=expression, output_fields=["count(*)"], timeout=self._timeout
            )
            return int(answer[0]["count(*)"])

    def _all_ids(self, expression: str) -> list[str]:
        """Return the ids of the documents, of the first million where there are more."""
        name, ids = self._schema.fields.id, []
        with self.translate_errors():
            iterator = self._client.query_iterator(
                self._collection,
                batch_size=_PAGE,
                limit=_MOST_KEYS,
                filter=expression,
                output_fields=[name],
                timeout=self._timeout,
            )
            while page := iterator.next():
                ids += [str(row[name]) for row in page]
            iterator.close()
        return ids

    def _describe_index(self) -> dict[str, Any]:
        names = self._client.list_indexes(self._collection, field_name=self._vector, timeout=self._timeout)
        if not names:
            raise EngineError(
                str(self.uri), f"its vector {self._vector!r} has no index; make one, of COSINE or IP"
            )
        return dict(self._client.describe_index(self._collection, names[0], timeout=self._timeout))

    def _check_metric(self, rows: Sequence[dict[str, Any]]) -> None:
        if self._distance in ("COSINE", "IP"):
            return
        problem, advice = f"the metric of its index is {self._distance}", "make an index with COSINE or IP"
        if self._distance != "L2":
            raise EngineError(
                str(self.uri), f"{problem}, which ranks neither by cosine nor by inner product; {advice}"
            )
        check_unit_length(self.uri, [row[self._vector] for row in rows], problem, advice)


def _readable(description: Any) -> list[str]:
    """Return the fields to read: all but vectors."""
    names = [field["name"] for field in description["fields"] if "VECTOR" not in field["type"].name]
    return [*names, "$meta"] if description.get("enable_dynamic_field") else names


def _request_size(record: dict[str, Any]) -> int:
    """Return at most how many bytes a record takes in a request; what is not ASCII is longer in JSON."""
    return len(json.dumps({**record, "vector": None})) + 4 * len(record["vector"])
