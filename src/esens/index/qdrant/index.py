"""Collections of Qdrant: on a server, or in a folder or in memory by the client itself.

``qdrant://HOST:PORT/COLLECTION``, ``qdrant+https://HOST:PORT/COLLECTION``, ``qdrant:FOLDER?collection=COLLECTION``
or ``qdrant::memory:?collection=COLLECTION``. The key is read from ``QDRANT_API_KEY``. Options:

- ``vector``: the name of the vector, where a point has several;
- ``id``, ``text``, ``title``, ``metadata``: the payload fields of a collection that esens did not make. Without
  ``id`` the point's id is the document's, without ``metadata`` the rest of the payload is its metadata;
- ``timeout``: seconds that a request may take; ``pause``: for how many a server that gave no answer is left alone;
  ``grpc``: true, or the port of that protocol, to use it;
- ``trusted``: yes, to open a folder that esens did not make for this user; see ``folder.py``.
"""

import shutil
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from esens.arrays.pack import pack
from esens.errors import ArgumentError, EngineError, MissingExtraError
from esens.index.adapter import check_unit_length, closing_on_error, engine_errors, pages
from esens.index.base import ENGINE_CHECKS, BaseWritableIndex, Neighbours, Vectors, without_words
from esens.index.check import IndexCheck, IndexProblem
from esens.index.filters import Filter
from esens.index.layout import NOTE, field_options, missing_collection, note_of
from esens.index.ranges import Sample
from esens.index.silence import SilenceGuard
from esens.index.uri import IndexURI
from esens.index.words import BM25_B, BM25_K1, without_stop_words
from esens.types import Document, EmbedderId

try:
    from qdrant_client import models
except ImportError:
    raise MissingExtraError("qdrant-client", "qdrant") from None

from esens.index.qdrant.client import (
    ERRORS,
    MEMORY,
    connect,
    create_collection,
    find_vector,
    is_silence,
    read_embedder,
    refusal_of,
)
from esens.index.qdrant.payload import PayloadLayout

# A server takes requests of 32 MB; a number takes up to 24 bytes in JSON.
_REQUEST_BYTES = 16_000_000
_NUMBER_BYTES = 24
_PAGE = 1000
_BM25 = models.Bm25Scoring(bm25=models.Bm25Params(k=BM25_K1, b=BM25_B))
_NO_TEXT_INDEX = (
    "Qdrant, from 1.20 on, ranks by text indexes with scoring, and this one says: {}. Make one with "
    'client.create_payload_index(COLLECTION, "{}", models.TextIndexParams(type="text", scoring=True))'
)
_FIRST_POINTS = 64
# More neighbours than this are found by comparing with every vector: a graph is made for few.
_MOST_BY_GRAPH = 1000


class QdrantIndex(BaseWritableIndex):
    """The documents of one collection, searched by Qdrant.

    What is written goes in requests of up to 16 MB, and a request is stored as a whole or not at all: if a later
    one fails, what the earlier ones wrote stays. Only collections that esens made, or empty ones, are written to.
    """

    errors = ERRORS

    def __init__(self, uri: IndexURI, client: Any, collection: str) -> None:
        """Take an open client, and a collection that is there; see :meth:`open` and :meth:`prepare`."""
        super().__init__(uri)
        self._client, self._collection = client, collection
        self._closing = weakref.finalize(self, client.close)  # also at exit, where the client itself is too late
        self._guard = SilenceGuard(uri)
        with self.translate_errors():
            config = client.get_collection(collection).config
        self._vector_name, params = find_vector(uri, config.params.vectors)
        self._distance = params.distance
        self.dimension = params.size
        self.metric = "ip" if params.distance == models.Distance.DOT else "cosine"
        self.embedder_id = read_embedder(config.metadata)
        points = self._first_points(_FIRST_POINTS, with_vectors=params.distance == models.Distance.EUCLID)
        self._check_distance(points)
        self._layout = PayloadLayout.guess(points, field_options(uri))
        self.is_ours = self._layout.is_ours
        self._word_paths: list[str] = []

    @classmethod
    def open(cls, uri: IndexURI) -> "QdrantIndex":
        """Open a collection that is there."""
        client, collection = connect(uri, is_new=False)
        with closing_on_error(client.close):
            with engine_errors(uri, ERRORS):
                is_there = client.collection_exists(collection)
                others = [] if is_there else [other.name for other in client.get_collections().collections]
            if not is_there:
                raise missing_collection(uri, collection, others)
            return cls(uri, client, collection)

    @classmethod
    def prepare(cls, uri: IndexURI, *, dimension: int, embedder_id: EmbedderId | None) -> "QdrantIndex":
        """Open a collection to write to, or make it where it is not there yet."""
        is_new_folder = not uri.server and uri.path != MEMORY and not Path(uri.path).exists()
        client, collection = connect(uri, is_new=True)
        with closing_on_error(client.close):
            try:
                with engine_errors(uri, ERRORS):
                    if not client.collection_exists(collection):
                        create_collection(client, collection, uri.option("vector"), dimension, embedder_id)
            except EngineError:
                if is_new_folder:
                    client.close()
                    shutil.rmtree(uri.path, ignore_errors=True)
                raise
            index = cls(uri, client, collection)
            index.check_prepared(dimension, embedder_id)
            return index

    def close(self) -> None:
        """Close the connection, or the folder, which nobody else can open before."""
        self._closing()

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Raise what the client raises as an EngineError; a silent server is left alone for a while."""
        with super().translate_errors(), self._guard.watch(is_silence):
            yield

    def __len__(self) -> int:
        """Return how many documents there are."""
        with self.translate_errors():
            return int(self._client.count(self._collection, exact=True).count)

    def query(self, probes: Vectors, k: int, where: Filter | None, *, with_vectors: bool) -> Sequence[Neighbours]:
        """Return the k nearest documents of every unit vector, in one request."""
        answers = self._search(probes, k, where, with_vectors=with_vectors)
        return [self._neighbours(points, with_vectors) for points in answers]

    def matching(self, texts: Sequence[str], k: int, *, where: Filter | None = None) -> list[Neighbours]:
        """Return the k documents whose words match each text best, by Qdrant's BM25 of text and title."""
        paths, said = self._ranked_paths(), [without_stop_words(text) for text in texts]
        requests = [self._word_request(text, path, k, where) for text in said if text for path in paths]
        with self.translate_errors():
            answers = iter(self._client.query_batch_points(self._collection, requests) if requests else ())
        by_text = [[next(answers).points for _ in paths] if text else [] for text in said]
        return [self._summed(points, k) for points in by_text]

    def _ranked_paths(self) -> list[str]:
        """Return the fields that Qdrant ranks by words, found out once; ArgumentError where it ranks none."""
        if not self._word_paths:
            refusals = {path: self._refusal(path) for path in self._layout.word_paths}
            self._word_paths = [path for path, refusal in refusals.items() if not refusal]
            if not self._word_paths:
                path, refusal = next(iter(refusals.items()))
                raise without_words(self, _NO_TEXT_INDEX.format(refusal, path))
        return self._word_paths

    def _refusal(self, path: str) -> str:
        """Return why Qdrant does not rank by the words of a field; nothing where it does."""
        with self.translate_errors():
            try:
                self._client.query_batch_points(self._collection, [self._word_request("a", path, 1, None)])
            except Exception as error:
                if refusal := refusal_of(error):
                    return refusal
                raise
        return ""

    def _word_request(self, text: str, path: str, k: int, where: Filter | None) -> models.QueryRequest:
        # What has no vector is not there, however well its words match.
        conditions: list[Any] = [models.HasVectorCondition(has_vector=self._vector_name)]
        return models.QueryRequest(
            query=models.TextQuery(text=models.TextQueryInput(query=text, scoring=_BM25)),
            using=path,
            filter=models.Filter(must=conditions + [each for each in (self._layout.filter(where),) if each]),
            limit=k,
            with_payload=True,
            with_vector=self._vector_selector(),
        )

    def _summed(self, answers: Sequence[Sequence[Any]], k: int) -> Neighbours:
        """Return the points of several fields, each once, by the sum of their scores."""
        points, scores = {}, Counter[Any]()
        for point in (point for answer in answers for point in answer):
            points[point.id] = point
            scores[point.id] += point.score
        documents = [self._layout.document(point) for point in points.values()]
        values = np.array([scores[id_] for id_ in points], np.float32)
        return Neighbours.by_score(documents, values, self.comparable(self._rows(list(points.values()))), k)

    def draw_sample(self, where: Filter | None, size: int) -> Sample:
        """Return vectors of documents drawn at random."""
        with self.translate_errors():
            answer = self._client.query_points(
                self._collection,
                models.SampleQuery(sample=models.Sample.RANDOM),
                query_filter=self._layout.filter(where),
                limit=size,
                with_payload=False,
                with_vectors=self._vector_selector(),
            )
        rows = self._rows([point for point in answer.points if self._vector(point) is not None])
        # A sample that is not full holds every document. How many there are beside a full one makes no difference.
        return Sample(rows, len(rows) if len(answer.points) < size else size + 1)

    def first_vectors(self, count: int) -> Vectors:
        """Return the vectors of the first points in Qdrant's order."""
        points = self._first_points(count, with_vectors=True)
        return self._rows([point for point in points if self._vector(point) is not None])

    def fetch_vectors(self, ids: Sequence[str]) -> dict[str, Any]:
        """Return the stored vectors of those of these documents that are there, by id."""
        points = self._points(ids, with_payload=self._layout.id_paths or False, with_vectors=True)
        return {id_: vector for id_, point in points.items() if (vector := self._vector(point)) is not None}

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of these documents that are there, by id."""
        return {id_: self._layout.document(point) for id_, point in self._points(ids).items()}

    def write(self, documents: Sequence[Document], rows: Vectors) -> None:
        """Store documents with a vector each."""
        payloads = [self._layout.payload(document) for document in documents]
        points = [
            models.PointStruct(
                id=self._layout.point_id(payload["_id"]),
                vector={self._vector_name: row.tolist()} if self._vector_name else row.tolist(),
                payload=payload,
            )
            for (payload, _), row in zip(payloads, rows, strict=True)
        ]
        sizes = [size + _NUMBER_BYTES * self.dimension for _, size in payloads]
        for batch in pack(sizes, _REQUEST_BYTES):
            self._client.upsert(self._collection, points[batch], wait=True)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents; return how many were there."""
        point_ids = [point.id for point in self._points(ids).values()]
        if point_ids:
            self._client.delete(self._collection, models.PointIdsList(points=point_ids), wait=True)
        return len(point_ids)

    def note_embedder(self, embedder_id: EmbedderId) -> None:
        """Store which embedder makes the vectors of an empty collection."""
        self._client.update_collection(self._collection, metadata={NOTE: note_of(embedder_id)})

    def check(self) -> IndexCheck:
        """Look at every point: what no search could return."""
        without_vector, unreadable = [], []
        for point in self._scroll(None, {"with_payload": True, "with_vectors": self._vector_selector()}):
            vector = self._vector(point)
            if vector is None or not np.isfinite(np.asarray(vector, np.float64)).all():
                without_vector.append(self._layout.id_of(point))
            if not _is_readable(self._layout, point):
                unreadable.append(str(point.id))
        problems = (
            IndexProblem("points have no vector to search", "write them anew", tuple(without_vector)),
            IndexProblem("payloads cannot be read", "write them anew", tuple(unreadable)),
        )
        return IndexCheck(
            str(self.uri),
            len(self),
            self.dimension,
            self.embedder_id,
            ("every point: its payload and its vector",),
            (ENGINE_CHECKS,),
            tuple(problem for problem in problems if problem.documents),
        )

    def _search(self, probes: Vectors, limit: int, where: Filter | None, *, with_vectors: bool) -> list[Any]:
        """Return the nearest points of every vector, in one request."""
        options = {"using": self._vector_name or None, "limit": limit, "with_payload": True}
        params, filter_ = self._search_params(limit), self._layout.filter(where)
        selector = self._vector_selector() if with_vectors else False
        with self.translate_errors():
            if len(probes) == 1:
                answer = self._client.query_points(
                    self._collection,
                    probes[0].tolist(),
                    query_filter=filter_,
                    search_params=params,
                    with_vectors=selector,
                    **options,
                )
                return [answer.points]
            requests = [
                models.QueryRequest(
                    query=probe.tolist(), filter=filter_, params=params, with_vector=selector, **options
                )
                for probe in probes
            ]
            return [answer.points for answer in self._client.query_batch_points(self._collection, requests)]

    def _search_params(self, limit: int) -> models.SearchParams | None:
        if not self.uri.server:  # the client compares with every vector, and warns of settings it does not have
            return None
        return models.SearchParams(exact=True) if limit > _MOST_BY_GRAPH else None

    def _neighbours(self, points: Sequence[Any], with_vectors: bool) -> Neighbours:
        documents = [self._layout.document(point) for point in points]
        return Neighbours.by_score(documents, self._scores(points), self._rows(points) if with_vectors else None)

    def _scores(self, points: Sequence[Any]) -> Vectors:
        scores = np.array([point.score for point in points], np.float64)
        if self._distance == models.Distance.EUCLID:
            scores = 1 - scores**2 / 2  # of unit vectors, as _check_distance has seen
        return scores.astype(np.float32)

    def _rows(self, points: Sequence[Any]) -> Vectors:
        return np.array([self._vector(point) for point in points], np.float32).reshape(-1, self.dimension)

    def _vector(self, point: Any) -> Any:
        return point.vector.get(self._vector_name) if isinstance(point.vector, dict) else point.vector

    def _vector_selector(self) -> Any:
        return [self._vector_name] if self._vector_name else True

    def _points(
        self, ids: Sequence[str], *, with_payload: Any = True, with_vectors: bool = False
    ) -> dict[str, Any]:
        """Return the points of those of these documents that are there, by the id of the document."""
        unique = list(dict.fromkeys(ids))
        selector = self._vector_selector() if with_vectors else False
        options = {"with_payload": with_payload, "with_vectors": selector}
        if self._layout.fields.id and not self._layout.is_ours:
            points = list(self._scroll(self._layout.with_ids(unique), options)) if unique else []
        else:
            points = self._retrieve(unique, options)
        by_id = {self._layout.id_of(point): point for point in points}
        return {id_: by_id[id_] for id_ in unique if id_ in by_id}

    def _retrieve(self, ids: Sequence[str], options: dict[str, Any]) -> list[Any]:
        point_ids: Any = [point_id for id_ in ids if (point_id := self._layout.point_id(id_)) is not None]
        points: list[Any] = []
        with self.translate_errors():
            for page in pages(point_ids, _PAGE):
                points += self._client.retrieve(self._collection, page, **options)
        return points

    def _scroll(self, filter_: models.Filter | None, options: dict[str, Any]) -> Iterator[Any]:
        offset = None
        while True:
            with self.translate_errors():
                points, offset = self._client.scroll(
                    self._collection, filter_, limit=_PAGE, offset=offset, **options
                )
            yield from points
            if offset is None:
                return

    def _first_points(self, count: int, *, with_vectors: bool) -> list[Any]:
        selector = self._vector_selector() if with_vectors else False
        with self.translate_errors():
            points, _ = self._client.scroll(self._collection, limit=count, with_vectors=selector)
        return list(points)

    def _check_distance(self, points: Sequence[Any]) -> None:
        if self._distance in (models.Distance.COSINE, models.Distance.DOT):
            return
        problem = f"the collection's distance is {self._distance.value}"
        advice = "make one with Cosine or Dot"
        if self._distance != models.Distance.EUCLID:
            raise EngineError(
                str(self.uri), f"{problem}, which ranks neither by cosine nor by inner product; {advice}"
            )
        vectors = [vector for point in points if (vector := self._vector(point)) is not None]
        check_unit_length(self.uri, vectors, problem, advice)


def _is_readable(layout: PayloadLayout, point: Any) -> bool:
    try:
        layout.document(point)
    except ArgumentError:
        return False
    return True
