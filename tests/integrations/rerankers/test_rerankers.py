"""Programs that call a reranker, with ours in its place; and another reranker as a stage before ours."""

import asyncio
import json
from typing import Any

import pytest
from tests.chat_server import Does, chat_server
from tests.integrations.section import run_section
from tests.words import by_words

from esens.embed import Embedder
from esens.errors import ArgumentError
from esens.integrations.explained import KEY
from esens.integrations.rerankers import DropInReranker, RankedDocuments

QUERY = "black tea, excluding green tea"
DOCS = ["green tea, black tea, green tea", "black tea from Assam", "coffee", "steamed green tea"]


def _ranker(**options: Any) -> DropInReranker:
    return DropInReranker({"embedder": by_words}, options)


def test_documents_come_back_ranked_with_ids_scores_and_reasons() -> None:
    results = _ranker().rank(QUERY, DOCS, doc_ids=["a", "b", "c", "d"])
    assert results[0].doc_id == "b"
    assert results.top_k(1)[0].text == "black tea from Assam"
    assert [each.rank for each in results] == [1, 2, 3, 4]
    assert results.get_score_by_docid("b") == results[0].score == max(each.score for each in results)
    assert results.get_result_by_docid("z") is None
    assert results.get_score_by_docid("z") is None
    assert results[0].metadata[KEY]["traps"] == ["green tea"]
    assert [each.doc_id for each in _ranker(mode="hard").rank(QUERY, DOCS)] == [1, 2]
    assert results.results_count() == len(results) == 4


def test_ids_and_metadata_are_kept_and_nothing_given_is_changed() -> None:
    class Given:
        text, doc_id, metadata = "black tea", 7, {"year": 1999}

    metadata = [{"title": "Oolong"}]
    (found,) = _ranker().rank(QUERY, Given())
    assert (found.doc_id, found.metadata["year"]) == (7, 1999)
    assert Given.metadata == {"year": 1999}
    (titled,) = _ranker().rank(QUERY, ["black tea"], metadata=metadata)
    assert titled.metadata["title"] == "Oolong"
    assert metadata == [{"title": "Oolong"}]
    assert _ranker().rank(QUERY, []).results == []


def test_without_an_exclusion_the_embedder_judges() -> None:
    assert _ranker().rank("coffee", DOCS)[0].doc_id == 2


def test_it_does_not_block() -> None:
    results = asyncio.run(_ranker().rank_async(QUERY, DOCS))
    assert [each.doc_id for each in results] == [each.doc_id for each in _ranker().rank(QUERY, DOCS)]


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ArgumentError, match="doc_ids: 1 for 4 documents"):
        _ranker().rank(QUERY, DOCS, doc_ids=["a"])
    with pytest.raises(ArgumentError, match=r"docs\[0\]: expected a text"):
        _ranker().rank(QUERY, [3])


def test_it_has_what_the_package_has() -> None:
    reason = "rerankers is not installed; make test-integrations brings it"
    results = pytest.importorskip("rerankers.results", reason=reason)
    documents = pytest.importorskip("rerankers.documents", reason=reason)
    ours = _ranker().rank(QUERY, [documents.Document(text, doc_id=at) for at, text in enumerate(DOCS)])
    theirs = results.RankedResults(
        [results.Result(documents.Document(each.text, each.doc_id), each.score, each.rank) for each in ours],
        QUERY,
        has_scores=True,
    )
    public = {name for name in dir(theirs) if not name.startswith("_")}
    assert public <= {name for name in dir(ours) if not name.startswith("_")}
    assert [each.doc_id for each in theirs.top_k(2)] == [each.doc_id for each in ours.top_k(2)]
    for name in ("document", "score", "rank", "text", "doc_id", "metadata"):
        assert hasattr(ours[0], name)
        assert hasattr(theirs[0], name)


def _by_length(body: dict[str, Any]) -> Does:
    scores = [{"index": at, "relevance_score": len(text) / 100} for at, text in enumerate(body["documents"])]
    return Does(body=json.dumps({"results": scores}))


def test_another_reranker_comes_before_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    pytest.importorskip("openai")
    with chat_server() as server:
        server.otherwise = _by_length
        monkeypatch.setenv("COHERE_BASE_URL", server.base_url)
        staged = DropInReranker({"embedder": by_words, "relevance": "cohere:rerank-v3.5"})
        plain: RankedDocuments = staged.rank("tea", DOCS)
        excluding = staged.rank(QUERY, DOCS)
    lengths = [len(each.text) for each in plain]
    assert lengths == sorted(lengths, reverse=True)  # its order, where nothing is excluded
    assert excluding[0].text == "black tea from Assam"  # the longest is about green tea


def test_the_code_of_the_page_runs(minilm: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    pytest.importorskip("openai")
    with chat_server() as server:
        server.otherwise = _by_length
        monkeypatch.setenv("COHERE_BASE_URL", server.base_url)
        names = run_section("Whatever calls a reranker")
    assert len(names["staged"]) == 2
