"""Collections of Milvus: on a server or a cluster, or in a file by Milvus Lite.

``milvus://HOST:PORT/COLLECTION``, ``milvus+https://HOST:PORT/COLLECTION`` or ``milvus:FILE.db?collection=NAME``.
User and password stand before the host (``USER:PASSWORD@HOST``), or ``MILVUS_TOKEN`` holds them, or a token.
Options:

- ``database``: the database, where it is not the server's default;
- ``vector``, ``id``, ``text``, ``title``, ``metadata``: the fields of a collection that esens did not make.
  Without them the primary key is the id, and all that is neither text nor title is metadata;
- ``timeout``: seconds that a call may take, tries and all.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import SystemRandom
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange
from esens.arrays.unit import a_row_a_document, not_there, unit_rows
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.adapter import check_compatible
from esens.index.base import Closing, Neighbours, Vectors
from esens.index.collection import (
    no_collection,
    not_ours,
    parts,
    timeout_of,
)
from esens.index.filters import Filter
from esens.index.ranges import SAMPLE, TOP, Sample, Samples, estimate_ranges
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId, documents_of

try:
    from pymilvus import MilvusClient
except ImportError:
    raise MissingExtraError("pymilvus", "milvus") from None

from esens.index.milvus.client import (
    FIELDS,
    close,
    closing_on_error,
    connected,
    create,
    made_by_of,
    properties_of,
    told,
    vector_of,
)
from esens.index.milvus.fields import OURS, Layout, marked, one_of, row_of

_MOST_NEIGHBOURS = 16_384
"""Milvus finds no more in one search, and returns no more rows of one query."""
# A server takes requests of 64 MB.
_REQUEST_BYTES = 32_000_000
_PAGE = 1000
_LOOKED_AT = 64
_MOST_KEYS = 1_000_000
_UNIT = 1e-3
_EF = 64
_DOCUMENT = ["id", "title", "text", "metadata"]


class MilvusIndex(Closing):
    """The documents of one collection, searched by Milvus.

    Raw scores are cosines, or inner products with the query at unit length where the collection's metric is IP.
    What this process wrote, and what others had written when it opened the collection, is found at once; what
    others write later is found when Milvus has told all its parts of it, within a second or so. What is written
    goes in requests of up to 32 MB, and a request is kept as a whole or not at all: if a later one fails, what the
    earlier ones wrote stays. Only collections that esens made are written to.
    """

    def __init__(self, address: IndexURI, client: MilvusClient, collection: str) -> None:
        """Take an open client, and a collection that is there; see :meth:`open` and :meth:`prepare`."""
        self._address, self._client, self._collection = address, client, collection
        self._timeout = timeout_of(address)
        with self._told():
            described = client.describe_collection(collection, timeout=self._timeout)
            self._vector, self.dimension = vector_of(address, described)
            index = self._described_index()
            if client.get_load_state(collection, timeout=self._timeout)["state"].name != "Loaded":
                client.load_collection(collection, timeout=self._timeout)
        self._metric, self._kind = index.get("metric_type", ""), index.get("index_type", "")
        self._embedder_id = made_by_of(described.get("properties") or {})
        fields = [field["name"] for field in described["fields"]]
        self._is_ours = sorted(fields) == sorted(OURS)
        self._wanted = _DOCUMENT if self._is_ours else _wanted(described)
        rows = self._queried("", limit=_LOOKED_AT, with_vectors=self._metric == "L2", is_strong=True)
        self._check_metric(rows)
        options = {name: address.option(name) for name in FIELDS if address.option(name)}
        looked_at = [{name: row[name] for name in row if name != self._vector} for row in rows]
        self._layout = Layout.found(described, looked_at, options)
        self._samples = Samples()

    @classmethod
    def open(cls, address: IndexURI) -> "MilvusIndex":
        """Open a collection that is there."""
        client, collection = connected(address, is_new=False)
        with closing_on_error(address, client):
            with told(address):
                is_there = client.has_collection(collection, timeout=timeout_of(address))
                others = [] if is_there else client.list_collections(timeout=timeout_of(address))
            if not is_there:
                raise no_collection(address, collection, others)
            return cls(address, client, collection)

    @classmethod
    def prepare(cls, address: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> "MilvusIndex":
        """Open a collection to write to, or make it where it is not there yet."""
        client, collection = connected(address, is_new=True)
        with closing_on_error(address, client):
            with told(address):
                if not client.has_collection(collection, timeout=timeout_of(address)):
                    create(address, client, collection, dimension, embedder_id)
            index = cls(address, client, collection)
            index._check_prepared(dimension, embedder_id)
            return index

    def __repr__(self) -> str:
        return f"MilvusIndex({str(self._address)!r})"

    max_neighbours = _MOST_NEIGHBOURS

    def close(self) -> None:
        """Close the connection, or the file, which no other process can open before."""
        close(self._address, self._client)

    @property
    def embedder_id(self) -> EmbedderId | None:
        """The embedder that made the vectors, where the collection's properties say so."""
        return self._embedder_id

    def __len__(self) -> int:
        """Return how many documents there are."""
        return self._count("")

    def nearest(
        self, vectors: Vectors, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each); equal scores in the order of their ids."""
        asked = self._asked(vectors)
        fields = [*self._wanted, *([self._vector] if with_vectors else [])]
        found = self._searched(asked, self._at_most(k), where, fields)
        return [self._neighbours(hits, with_vectors) for hits in found]

    def score_ranges(self, vectors: Vectors, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return how far the raw scores of every vector reach, as estimated from a sample of the documents."""
        asked = self._asked(vectors)
        found = self._searched(asked, TOP, where, [self._layout.id])
        nearest = [(np.sort(self._scores(hits))[::-1]) for hits in found]
        return estimate_ranges(asked, nearest, *self._sample(where))

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these documents as they are compared, a row each; each must be there."""
        found = self._found(ids, [self._layout.id, self._vector])
        for id_ in ids:
            if id_ not in found:
                raise not_there(id_)
        return self._rows([found[id_] for id_ in ids])

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        return {id_: self._document(row) for id_, row in self._found(ids, self._wanted).items()}

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        self._check_ours()
        given = documents_of(documents)
        rows = a_row_a_document(vectors, len(given), dimension=self.dimension)
        written = [row_of(document, row.tolist()) for document, row in zip(given, rows, strict=True)]
        with self._changing():
            for part in parts([_size(row) for row in written], _REQUEST_BYTES):
                self._client.upsert(self._collection, written[part], timeout=self._timeout)

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        self._check_ours()
        there = list(self._found(ids, ["id"]))
        with self._changing():
            for page in _pages(there):
                self._client.delete(self._collection, filter=one_of("id", page), timeout=self._timeout)
        return len(there)

    def _sample(self, where: Filter | None) -> Sample:
        return self._samples.of(where, self._drawn)

    def _told(self) -> Any:
        return told(self._address)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        try:
            with self._told():
                yield
            # Until what was written is found. The client keeps count of that itself, but misses what was deleted.
            self._queried("", fields=[self._layout.id], limit=1, is_strong=True)
        finally:  # where a later request failed, an earlier one has changed the documents
            self._samples.forget()

    def _asked(self, vectors: npt.ArrayLike) -> Vectors:
        return unit_rows(vectors, argument="query vectors", dimension=self.dimension)

    def _expression(self, where: Filter | None) -> str:
        return marked(where) if self._is_ours else self._layout.expression(where)

    def _at_most(self, k: int) -> int:
        if k <= _MOST_NEIGHBOURS:
            return k
        if len(self) > _MOST_NEIGHBOURS:
            raise ArgumentError("k", f"Milvus finds at most {_MOST_NEIGHBOURS:,} neighbours at a time, got {k:,}")
        return _MOST_NEIGHBOURS

    def _searched(self, asked: Vectors, limit: int, where: Filter | None, fields: Sequence[str]) -> list[Any]:
        """Return the nearest rows of every vector, in one request."""
        if limit < 1 or not len(asked):
            return [[] for _ in asked]
        params = {"params": {"ef": max(limit, _EF)}} if "HNSW" in self._kind else {}
        expression = self._expression(where)
        with self._told():
            found = self._client.search(
                self._collection,
                data=asked.tolist(),
                anns_field=self._vector,
                filter=expression,
                limit=limit,
                output_fields=list(fields),
                search_params={"metric_type": self._metric, **params},
                timeout=self._timeout,
            )
            return [list(hits) for hits in found]

    def _neighbours(self, hits: Sequence[Any], with_vectors: bool) -> Neighbours:
        rows = [dict(hit["entity"]) for hit in hits]
        documents, scores = [self._document(row) for row in rows], self._scores(hits)
        order = sorted(range(len(rows)), key=lambda at: (-scores[at], documents[at].id))
        vectors = self._rows([rows[at] for at in order]) if with_vectors else None
        return Neighbours(tuple(documents[at] for at in order), scores[order], vectors)

    def _document(self, row: dict[str, Any]) -> Document:
        if self._is_ours:
            return Document(row["id"], row["text"], row["title"], row["metadata"])
        return self._layout.document({name: value for name, value in row.items() if name != self._vector})

    def _scores(self, hits: Sequence[Any]) -> Vectors:
        scores = np.array([hit["distance"] for hit in hits], np.float64)
        if self._metric == "L2":
            scores = 1 - scores / 2  # squared distances of unit vectors, as _check_metric has seen
        return scores.astype(np.float32)

    def _rows(self, rows: Sequence[dict[str, Any]]) -> Vectors:
        vectors = np.array([row[self._vector] for row in rows], np.float32).reshape(len(rows), self.dimension)
        return vectors if self._metric == "IP" else unit_rows(vectors)

    def _found(self, ids: Sequence[str], fields: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the rows of those of these documents that are there, by id."""
        wanted = list(dict.fromkeys(ids))
        by_id: dict[str, dict[str, Any]] = {}
        for page in _pages(wanted):
            expression = self._layout.with_ids(page)
            if expression:
                by_id |= {str(row[self._layout.id]): row for row in self._queried(expression, fields=fields)}
        return {id_: by_id[id_] for id_ in wanted if id_ in by_id}

    def _queried(
        self,
        expression: str,
        *,
        fields: Sequence[str] | None = None,
        limit: int = _MOST_NEIGHBOURS,
        with_vectors: bool = False,
        is_strong: bool = False,
    ) -> list[dict[str, Any]]:
        wanted = [*(self._wanted if fields is None else fields), *([self._vector] if with_vectors else [])]
        level = {"consistency_level": "Strong"} if is_strong else {}
        with self._told():
            found = self._client.query(
                self._collection,
                filter=expression,
                output_fields=wanted,
                limit=limit,
                timeout=self._timeout,
                **level,
            )
            return [dict(row) for row in found]

    def _count(self, expression: str) -> int:
        with self._told():
            found = self._client.query(
                self._collection, filter=expression, output_fields=["count(*)"], timeout=self._timeout
            )
            return int(found[0]["count(*)"])

    def _drawn(self, where: Filter | None) -> Sample:
        expression = self._expression(where)
        count = self._count(expression)
        fields = [self._layout.id, self._vector]
        if count <= SAMPLE:
            rows = self._queried(expression, fields=fields)
        elif self._is_ours:
            drawn = f"lot < {SAMPLE / count!r}"
            rows = self._queried(f"{expression} and {drawn}" if expression else drawn, fields=fields)
        else:
            keys = self._keys(expression)
            chosen = SystemRandom().sample(keys, min(SAMPLE, len(keys)))
            rows = [
                row for page in _pages(chosen) for row in self._queried(self._layout.with_ids(page), fields=fields)
            ]
        return Sample(self._rows(rows), max(count, len(rows)))

    def _keys(self, expression: str) -> list[str]:
        """Return the ids of the documents, of the first million where there are more."""
        keys: list[str] = []
        with self._told():
            rows = self._client.query_iterator(
                self._collection,
                batch_size=_PAGE,
                limit=_MOST_KEYS,
                filter=expression,
                output_fields=[self._layout.id],
                timeout=self._timeout,
            )
            while page := rows.next():
                keys += [str(row[self._layout.id]) for row in page]
            rows.close()
        return keys

    def _described_index(self) -> dict[str, Any]:
        names = self._client.list_indexes(self._collection, field_name=self._vector, timeout=self._timeout)
        if not names:
            raise EngineError(
                str(self._address), f"its vector {self._vector!r} has no index; make one, of COSINE or IP"
            )
        return dict(self._client.describe_index(self._collection, names[0], timeout=self._timeout))

    def _check_metric(self, rows: Sequence[dict[str, Any]]) -> None:
        if self._metric in ("COSINE", "IP"):
            return
        problem = f"the metric of its index is {self._metric}, which ranks neither by cosine nor by inner product"
        if self._metric == "L2":
            if all(abs(np.linalg.norm(row[self._vector]) - 1) < _UNIT for row in rows):
                return
            problem += ", for its vectors are not of unit length"
        raise EngineError(str(self._address), f"{problem}; make an index with COSINE or IP")

    def _check_prepared(self, dimension: int, embedder_id: EmbedderId | None) -> None:
        check_compatible(
            self._address, dimension=(self.dimension, dimension), embedder_id=(self._embedder_id, embedder_id)
        )
        self._check_ours()
        if embedder_id and not self._embedder_id and not len(self):
            with self._told():
                self._client.alter_collection_properties(
                    self._collection, properties_of(embedder_id), timeout=self._timeout
                )
            self._embedder_id = embedder_id

    def _check_ours(self) -> None:
        if not self._is_ours:
            raise not_ours(self._address)


def _wanted(described: Any) -> list[str]:
    """Return the fields to read: all but vectors."""
    names = [field["name"] for field in described["fields"] if "VECTOR" not in field["type"].name]
    return [*names, "$meta"] if described.get("enable_dynamic_field") else names


def _size(row: dict[str, Any]) -> int:
    """Return at most how many bytes a row takes in a request; what is not ASCII is longer in JSON."""
    return len(json.dumps({**row, "vector": None})) + 4 * len(row["vector"])


def _pages(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _PAGE] for start in range(0, len(ids), _PAGE))
