"""One suite for every index, the one that ships as esens.testing. A new index joins by one line in indexes.py."""

from collections.abc import Sequence
from itertools import count

import pytest
from tests.contract.indexes import INDEXES

from esens.arrays.ranges import ScoreRange
from esens.documents import Document
from esens.index.base import Index, Neighbours, Vectors
from esens.index.filters import Filter
from esens.index.memory import MemoryIndex
from esens.testing import EngineDouble, IndexConformance
from esens.testing.conformance import MakeIndex


class TestIndexes(IndexConformance):
    @pytest.fixture(scope="class", params=INDEXES)
    @classmethod
    def make_index(cls, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> MakeIndex:
        numbers = count()

        def make(documents: Sequence[Document], vectors: Vectors) -> Index:
            folder = tmp_path_factory.mktemp(f"index{next(numbers)}")
            return INDEXES[request.param](request, folder, documents, vectors)

        return make


class TestTheDoubleOfAnEngine(IndexConformance):
    @pytest.fixture(scope="class")
    @classmethod
    def make_index(cls) -> MakeIndex:
        return EngineDouble


class TestAnIndexThatIsOnlyRead(IndexConformance):
    """What is about writing is skipped, and all else holds."""

    @pytest.fixture(scope="class")
    @classmethod
    def make_index(cls) -> MakeIndex:
        return ReadOnly


class ReadOnly:
    max_neighbours: int | None = None
    embedder_id = None
    dimension = 32

    def __init__(self, documents: Sequence[Document], vectors: Vectors) -> None:
        self._index = MemoryIndex(documents, vectors)

    def nearest(
        self, vectors: Vectors, k: int, *, where: Filter | None = None, with_vectors: bool = False
    ) -> list[Neighbours]:
        return self._index.nearest(vectors, k, where=where, with_vectors=with_vectors)

    def score_ranges(self, vectors: Vectors, *, where: Filter | None = None) -> list[ScoreRange]:
        return self._index.score_ranges(vectors, where=where)

    def close(self) -> None:
        pass
