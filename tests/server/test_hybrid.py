"""``hybrid`` over HTTP: every index that searches by words, and what is said of one that does not."""

from pathlib import Path
from typing import Any

import pytest
from tests.server.running import DOCUMENTS, running, searcher
from tests.words import by_words

from esens import Searcher, build_index
from esens.index.base import Neighbours, Vectors
from esens.index.memory import MemoryIndex


class WithoutWords:
    """An index as somebody may write one: it finds neighbours, and knows nothing of words."""

    embedder_id = None
    max_neighbours = None

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index
        self.dimension = index.dimension

    def nearest(self, vectors: Vectors, k: int, **options: Any) -> list[Neighbours]:
        return self._index.nearest(vectors, k, **options)

    def score_ranges(self, vectors: Vectors, **options: Any) -> Any:
        return self._index.score_ranges(vectors, **options)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("spec", ["my.lance", "large.lance?search=approximate", "qdrant:q?collection=docs"])
def test_an_index_is_searched_by_words_also_after_it_was_written_to(spec: str, tmp_path: Path) -> None:
    pytest.importorskip("qdrant_client" if spec.startswith("qdrant") else "lance")
    place = spec.replace(":", f":{tmp_path}/") if ":" in spec else str(tmp_path / spec)
    build_index(DOCUMENTS, place, embedder=by_words)
    with Searcher(place, embedder=by_words) as opened, running({"docs": opened}) as service:

        def found(query: str, **options: Any) -> list[str]:
            answer = service.post("/v1/search", {"query": query, "hybrid": True, **options})
            assert answer.status_code == 200, answer.text
            return [hit["id"] for hit in answer.json()["hits"]]

        assert found("anchovies", k=1) == ["caesar"]
        assert "vinaigrette" not in found("salad without vinegar", mode="hard", hybrid="rrf")
        assert found("salad", where={"year": {"<": 2000}}) == ["vinaigrette"]
        more = [{"id": "aioli", "text": "Garlic for a salad."}, {"id": "mayo", "text": "Garlic and vinegar."}]
        assert service.post("/v1/collections/docs/documents", {"documents": more}).status_code == 200
        assert set(found("garlic", k=2)) == {"aioli", "mayo"}
        assert found("garlic without vinegar", k=1, mode="hard") == ["aioli"]


def test_an_index_without_words_is_refused_and_the_remedy_names_those_that_have_them() -> None:
    index = searcher().index
    assert isinstance(index, MemoryIndex)
    with running({"docs": Searcher(WithoutWords(index), embedder=by_words)}) as service:
        answer = service.post("/v1/search", {"query": "tea", "hybrid": True})
        assert answer.status_code == 422
        error = answer.json()["error"]
        assert (error["code"], error["argument"]) == ("invalid_argument", "hybrid")
        assert error["message"] == "WithoutWords cannot be searched by words"
        assert error["remedy"].startswith("drop hybrid, or search what can be: an index in memory, a folder")
        assert service.post("/v1/search", {"query": "tea", "k": 2}).status_code == 200
