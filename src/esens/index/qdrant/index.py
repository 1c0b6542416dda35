"""Collections of Qdrant: on a server, or in a folder or in memory by the client itself.

``qdrant://HOST:PORT/COLLECTION``, ``qdrant+https://HOST:PORT/COLLECTION``, ``qdrant:FOLDER?collection=COLLECTION``
or ``qdrant::memory:?collection=COLLECTION``. The key is read from ``QDRANT_API_KEY``. Options:

- ``vector``: the name of the vector, where a point has several;
- ``id``, ``text``, ``title``, ``metadata``: the payload fields of a collection that esens did not make. Without
  ``id`` the point's id is the document's, without ``metadata`` the rest of the payload is its metadata;
- ``timeout``: seconds that a request may take; ``grpc``: true, or the port of that protocol, to use it.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.arrays.ranges import ScoreRange
from esens.arrays.unit import a_row_a_document, not_there, unit_rows
from esens.errors import EngineError, MissingExtraError
from esens.index.base import Closing, Neighbours, Vectors, check_compatible
from esens.index.collection import (
    no_collection,
    not_ours,
    parts,
)
from esens.index.filters import Filter
from esens.index.ranges import SAMPLE, TOP, Sample, Samples, estimate_ranges
from esens.index.uri import IndexURI
from esens.types import Document, EmbedderId, documents_of

try:
    from qdrant_client import QdrantClient, models
except ImportError:
    raise MissingExtraError("qdrant-client", "qdrant") from None

from esens.index.qdrant.client import (
    FIELDS,
    MEMORY,
    closing_on_error,
    connected,
    create,
    made_by_of,
    metadata_of,
    told,
    vector_of,
)
from esens.index.qdrant.payload import Layout

# A server takes requests of 32 MB; a number takes up to 24 bytes in JSON.
_REQUEST_BYTES = 16_000_000
_NUMBER_BYTES = 24
_PAGE = 1000
_LOOKED_AT = 64
# More neighbours than this are found by comparing with every vector: a graph is made for few.
_MOST_BY_GRAPH = 1000
_EF_OF_TOP = 32
_UNIT = 1e-3


class QdrantIndex(Closing):
    """The documents of one collection, searched by Qdrant.

    Raw scores are cosines, or inner products with the query at unit length where the collection's distance is Dot.
    What is written goes in requests of up to 16 MB, and a request is kept as a whole or not at all: if a later one
    fails, what the earlier ones wrote stays. Only collections that esens made, or empty ones, are written to.
    """

    def __init__(self, address: IndexURI, client: QdrantClient, collection: str) -> None:
        """Take an open client, and a collection that is there; see :meth:`open` and :meth:`prepare`."""
        self._address, self._client, self._collection = address, client, collection
        with self._told():
            config = client.get_collection(collection).config
        self._name, params = vector_of(address, config.params.vectors)
        self.dimension: int = params.size
        self._distance = params.distance
        self._embedder_id = made_by_of(config.metadata)
        self._is_local = not address.server
        points = self._some_points()
        self._check_distance(points)
        options = {name: address.option(name) for name in FIELDS if address.option(name)}
        self._layout = Layout.found(points, options)
        self._samples = Samples()

    @classmethod
    def open(cls, address: IndexURI) -> "QdrantIndex":
        """Open a collection that is there."""
        client, collection = connected(address, is_new=False)
        with closing_on_error(client):
            with told(address):
                is_there = client.collection_exists(collection)
                others = [] if is_there else [one.name for one in client.get_collections().collections]
            if not is_there:
                raise no_collection(address, collection, others)
            return cls(address, client, collection)

    @classmethod
    def prepare(cls, address: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> "QdrantIndex":
        """Open a collection to write to, or make it where it is not there yet."""
        is_new_folder = not address.server and address.path != MEMORY and not Path(address.path).exists()
        client, collection = connected(address, is_new=True)
        with closing_on_error(client):
            try:
                with told(address):
                    if not client.collection_exists(collection):
                        create(client, collection, address.option("vector"), dimension, embedder_id)
            except EngineError:
                if is_new_folder:
                    client.close()
                    shutil.rmtree(address.path, ignore_errors=True)
                raise
            index = cls(address, client, collection)
            index._check_prepared(dimension, embedder_id)
            return index

    def __repr__(self) -> str:
        return f"QdrantIndex({str(self._address)!r})"

    max_neighbours: int | None = None

    def close(self) -> None:
        """Close the connection, or the folder, which nobody else can open before."""
        self._client.close()

    @property
    def embedder_id(self) -> EmbedderId | None:
        """The embedder that made the vectors, where the collection's metadata say so (Qdrant 1.16 or newer)."""
        return self._embedder_id

    def __len__(self) -> int:
        """Return how many documents there are."""
        with self._told():
            return int(self._client.count(self._collection, exact=True).count)

    def nearest(
        self, vectors: Vectors, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        """Return the k nearest documents of every vector (a row each); equal scores in the order of their ids."""
        asked = self._asked(vectors)
        found = self._queried(asked, k, where, with_payload=True, with_vectors=with_vectors)
        return [self._neighbours(points, with_vectors) for points in found]

    def score_ranges(self, vectors: Vectors, *, where: Filter | None = None) -> list[ScoreRange]:
        """Return how far the raw scores of every vector reach, as estimated from a sample of the documents."""
        asked = self._asked(vectors)
        found = self._queried(asked, TOP, where, effort=_EF_OF_TOP)
        nearest = [(np.sort(self._scores(points))[::-1]) for points in found]
        return estimate_ranges(asked, nearest, *self._sample(where))

    def vectors(self, ids: Sequence[str]) -> Vectors:
        """Return the vectors of these documents as they are compared, a row each; each must be there."""
        found = self._points(ids, with_vectors=True)
        for id_ in ids:
            if id_ not in found:
                raise not_there(id_)
        return self._rows([found[id_] for id_ in ids])

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        return {id_: self._layout.document(point) for id_, point in self._points(ids).items()}

    def upsert(self, documents: Sequence[Document], vectors: npt.ArrayLike) -> None:
        """Add documents, a row of the matrix each; one whose id is there already takes its place."""
        self._check_ours()
        given = documents_of(documents)
        rows = a_row_a_document(vectors, len(given), dimension=self.dimension)
        written = [self._layout.payload(document) for document in given]
        points = [
            models.PointStruct(id=self._layout.point_id(payload["_id"]), vector=self._stored(row), payload=payload)
            for (payload, _), row in zip(written, rows, strict=True)
        ]
        sizes = [size + _NUMBER_BYTES * self.dimension for _, size in written]
        with self._changing():
            for part in parts(sizes, _REQUEST_BYTES):
                self._client.upsert(self._collection, points[part], wait=True)

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        self._check_ours()
        there = [point.id for point in self._points(ids).values()]
        if there:
            with self._changing():
                self._client.delete(self._collection, models.PointIdsList(points=there), wait=True)
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
        finally:  # where a later request failed, an earlier one has changed the documents
            self._samples.forget()

    def _asked(self, vectors: npt.ArrayLike) -> Vectors:
        return unit_rows(vectors, argument="query vectors", dimension=self.dimension)

    def _queried(
        self,
        asked: Vectors,
        limit: int,
        where: Filter | None,
        *,
        with_payload: bool = False,
        with_vectors: bool = False,
        effort: int | None = None,
    ) -> list[Any]:
        """Return the nearest points of every vector, in one request."""
        if limit < 1 or not len(asked):
            return [[] for _ in asked]
        options = {
            "using": self._name or None,
            "limit": limit,
            "with_payload": with_payload,
        }
        params, filter_ = self._search_params(limit, effort), self._layout.filter(where)
        vector = self._wanted() if with_vectors else False
        with self._told():
            if len(asked) == 1:
                found = self._client.query_points(
                    self._collection,
                    asked[0].tolist(),
                    query_filter=filter_,
                    search_params=params,
                    with_vectors=vector,
                    **options,
                )
                return [found.points]
            requests = [
                models.QueryRequest(
                    query=row.tolist(), filter=filter_, params=params, with_vector=vector, **options
                )
                for row in asked
            ]
            return [one.points for one in self._client.query_batch_points(self._collection, requests)]

    def _search_params(self, limit: int, effort: int | None) -> models.SearchParams | None:
        if self._is_local:  # it compares with every vector, and warns of settings that it does not know
            return None
        if limit > _MOST_BY_GRAPH:
            return models.SearchParams(exact=True)
        return models.SearchParams(hnsw_ef=effort) if effort else None

    def _neighbours(self, points: Sequence[Any], with_vectors: bool) -> Neighbours:
        documents, scores = [self._layout.document(point) for point in points], self._scores(points)
        order = sorted(range(len(points)), key=lambda at: (-scores[at], documents[at].id))
        rows = self._rows([points[at] for at in order]) if with_vectors else None
        return Neighbours(tuple(documents[at] for at in order), scores[order], rows)

    def _scores(self, points: Sequence[Any]) -> Vectors:
        scores = np.array([point.score for point in points], np.float64)
        if self._distance == models.Distance.EUCLID:
            scores = 1 - scores**2 / 2  # of unit vectors, as _check_distance has seen
        return scores.astype(np.float32)

    def _rows(self, points: Sequence[Any]) -> Vectors:
        vectors = [self._vector(point) for point in points]
        rows = np.array(vectors, np.float32).reshape(len(points), self.dimension)
        return rows if self._distance == models.Distance.DOT else unit_rows(rows)

    def _vector(self, point: Any) -> Any:
        return point.vector.get(self._name) if isinstance(point.vector, dict) else point.vector

    def _stored(self, row: Vectors) -> Any:
        return {self._name: row.tolist()} if self._name else row.tolist()

    def _wanted(self) -> Any:
        return [self._name] if self._name else True

    def _points(self, ids: Sequence[str], *, with_vectors: bool = False) -> dict[str, Any]:
        """Return the points of those of these documents that are there, by the id of the document."""
        wanted = list(dict.fromkeys(ids))
        asked: dict[str, Any] = {"with_payload": True, "with_vectors": False}
        if with_vectors:
            asked = {"with_payload": self._layout.id_paths or False, "with_vectors": self._wanted()}
        if self._layout.id and not self._layout.is_ours:
            found = list(self._scrolled(self._layout.with_ids(wanted), asked)) if wanted else []
        else:
            at = [point for point in map(self._layout.point_id, wanted) if point is not None]
            found = []
            with self._told():
                for start in range(0, len(at), _PAGE):
                    found += self._client.retrieve(self._collection, at[start : start + _PAGE], **asked)
        kept = (point for point in found if not with_vectors or self._vector(point) is not None)
        by_id = {self._layout.id_of(point): point for point in kept}
        return {id_: by_id[id_] for id_ in wanted if id_ in by_id}

    def _scrolled(self, filter_: models.Filter, asked: dict[str, Any]) -> Iterator[Any]:
        offset = None
        while True:
            with self._told():
                points, offset = self._client.scroll(
                    self._collection, filter_, limit=_PAGE, offset=offset, **asked
                )
            yield from points
            if offset is None:
                return

    def _drawn(self, where: Filter | None) -> Sample:
        with self._told():
            found = self._client.query_points(
                self._collection,
                models.SampleQuery(sample=models.Sample.RANDOM),
                query_filter=self._layout.filter(where),
                limit=SAMPLE,
                with_payload=False,
                with_vectors=self._wanted(),
            )
        rows = self._rows([point for point in found.points if self._vector(point) is not None])
        # A sample that is not full holds every document. How many there are beside a full one makes no difference.
        return Sample(rows, len(rows) if len(found.points) < SAMPLE else SAMPLE + 1)

    def _some_points(self) -> list[Any]:
        is_length_asked = self._distance == models.Distance.EUCLID
        with self._told():
            points, _ = self._client.scroll(
                self._collection, limit=_LOOKED_AT, with_vectors=self._wanted() if is_length_asked else False
            )
        return list(points)

    def _check_distance(self, points: Sequence[Any]) -> None:
        if self._distance in (models.Distance.COSINE, models.Distance.DOT):
            return
        problem = (
            f"the collection's distance is {self._distance.value}, which ranks neither by cosine nor by product"
        )
        if self._distance == models.Distance.EUCLID:
            lengths = [np.linalg.norm(row) for row in map(self._vector, points) if row is not None]
            if all(abs(length - 1) < _UNIT for length in lengths):
                return
            problem += ", for its vectors are not of unit length"
        raise EngineError(str(self._address), f"{problem}; make one with Cosine or Dot")

    def _check_prepared(self, dimension: int, embedder_id: EmbedderId | None) -> None:
        check_compatible(
            self._address, dimension=(self.dimension, dimension), embedder_id=(self._embedder_id, embedder_id)
        )
        self._check_ours()
        if embedder_id and not self._embedder_id and not len(self):
            with self._told():
                self._client.update_collection(self._collection, metadata=metadata_of(embedder_id))
            self._embedder_id = embedder_id

    def _check_ours(self) -> None:
        if not self._layout.is_ours:
            raise not_ours(self._address)
