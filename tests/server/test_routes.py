"""The service answers what the library answers."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.running import DOCUMENTS, Running, running, searcher

import esens
from esens import Searcher
from esens.types import Document, Example, Exclusion

QUERY = "salad dressings without vinegar"


@pytest.fixture(scope="module")
def service():
    with running(
        {"salads": searcher(), "other": Searcher.from_documents(["tea"], embedder=lambda t: [[1.0]] * len(t))}
    ) as state:
        yield state


WORDS = st.sampled_from(
    ["salad", "tea", "without vinegar", "but not egg", "herbs", "-water", "nothing with cheese"]
)


@settings(max_examples=15)
@given(
    query=st.lists(WORDS, min_size=1, max_size=4).map(" ".join),
    k=st.integers(1, 6),
    mode=st.sampled_from([None, "soft", "hard", "flag"]),
    score=st.sampled_from([None, "relational", "contrast", "linear"]),
    hybrid=st.sampled_from([False, True, "rrf"]),
)
def test_a_search_is_that_of_the_library(
    service: Running, query: str, k: int, mode: str | None, score: str | None, hybrid: bool | str
) -> None:
    options: dict[str, Any] = {"k": k, "mode": mode, "score": score, "hybrid": hybrid}
    if score == "linear":  # which has no modes
        options["mode"] = None
    answer = service.post("/v1/search", {"query": query, **options})
    assert answer.status_code == 200
    assert answer.json() == json.loads(service.service.searchers["salads"].search(query, **options).to_json())


@pytest.mark.parametrize(
    ("exclude", "meant"),
    [
        ("ranch", "ranch"),
        ({"text": "egg", "relation": "has", "weight": 0.5}, Exclusion("egg", "has", 0.5)),
        ({"example": "tea"}, Example("tea")),
        ({"where": {"year": 1999}}, {"year": 1999}),
    ],
)
def test_exclusions_come_as_texts_things_examples_and_filters(service: Running, exclude: Any, meant: Any) -> None:
    answer = service.post("/v1/search", {"query": "salad", "exclude": [exclude]}).json()
    assert answer == json.loads(service.service.searchers["salads"].search("salad", exclude=[meant]).to_json())


def test_what_the_caller_knows_is_not_split_again(service: Running) -> None:
    body = {"query": QUERY, "decomposition": {"target": "salad", "exclusions": ["egg", {"text": "tea"}]}}
    answer = service.post("/v1/search", body).json()
    assert (answer["target"], answer["traps"]) == ("salad", ["egg", "tea"])


def test_filters_hold(service: Running) -> None:
    for where in ({"year": {">=": 2005}}, "year>=2005", ["year>=2005"]):
        answer = service.post("/v1/search", {"query": "salad", "where": where}).json()
        assert {hit["id"] for hit in answer["hits"]} == {"ranch", "caesar", "tea"}


def test_collections_are_named_and_the_first_is_the_default(service: Running) -> None:
    entries = service.client.get("/v1/collections").json()["collections"]
    assert [(entry["name"], entry["is_default"]) for entry in entries] == [("salads", True), ("other", False)]
    assert service.post("/v1/search", {"query": "x", "collection": "other"}).json()["hits"][0]["text"] == "tea"
    answer = service.post("/v1/search", {"query": "x", "collection": "third"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_collection")


def test_a_query_is_split_as_by_the_library(service: Running) -> None:
    answer = service.post("/v1/decompose", {"query": "pain relief without opioids"}).json()
    assert answer == {
        "query": "pain relief without opioids",
        **json.loads(json.dumps(esens.decompose("pain relief without opioids").to_dict())),
    }


@pytest.mark.parametrize("path", ["/v1/rerank", "/v2/rerank"])
def test_reranking_orders_by_position_and_keeps_scores_within_0_and_1(service: Running, path: str) -> None:
    documents = [str(document["text"]) for document in DOCUMENTS]
    answer = service.post(path, {"query": QUERY, "documents": documents, "model": "any", "top_n": 3}).json()
    results = answer["results"]
    assert len(results) == 3
    assert answer["id"]
    assert answer["meta"]["traps"] == ["vinegar"]
    assert all(0 <= result["relevance_score"] <= 1 for result in results)
    assert [result["relevance_score"] for result in results] == sorted(
        (result["relevance_score"] for result in results), reverse=True
    )
    expected = service.service._reranker.rerank(QUERY, documents, k=3)
    assert [result["index"] for result in results] == [int(hit.id) for hit in expected]


def test_reranked_documents_come_back_as_they_were_sent(service: Running) -> None:
    documents = ["tea", {"text": "salad", "id": "twice"}, {"text": "egg", "id": "twice", "title": "Egg"}]
    body = {"query": "salad", "documents": documents, "return_documents": True}
    results = service.post("/v1/rerank", body).json()["results"]
    sent = [{"text": "tea"}, *documents[1:]]
    assert all(result["document"] == sent[result["index"]] for result in results)
    assert service.post("/v1/rerank", {"query": "salad", "documents": []}).json()["results"] == []


def test_scores_of_another_retriever_stay_on_their_scale(service: Running) -> None:
    body = {"query": "salad", "documents": ["tea", "egg", "salad"], "scores": [12.5, 3, -40]}
    results = service.post("/v1/rerank", body).json()["results"]
    assert [(result["index"], result["relevance_score"]) for result in results] == [(0, 12.5), (1, 3), (2, -40)]


def test_documents_are_written_searched_and_deleted() -> None:
    with running() as service:
        text = " ".join(f"word{number}" for number in range(400))
        documents = [
            {"id": "long", "text": text},
            {"id": 7, "text": "seven", "metadata": {"year": 7}},
            {"text": "nameless"},
        ]
        path = "/v1/collections/salads/documents"
        assert service.post(path, {"documents": documents}).json() == {"written": 5}  # the long one in passages
        answer = service.post("/v1/search", {"query": " ".join(text.split()[300:]), "k": 1}).json()
        assert answer["hits"][0]["passage"]["of"] == "long"
        assert service.post("/v1/search", {"query": "seven", "k": 1}).json()["hits"][0]["metadata"] == {"year": 7}
        assert service.client.delete(path, params={"id": ["long", "7", "absent"]}).json() == {"deleted": 2}
        assert len(service.service.searchers["salads"].index) == len(DOCUMENTS) + 1  # type: ignore[arg-type]


def test_an_index_that_is_only_read_says_so(tmp_path: Path) -> None:
    faiss = pytest.importorskip("faiss")
    import numpy as np

    index = faiss.IndexFlatIP(2)
    index.add(np.eye(2, dtype=np.float32))
    faiss.write_index(index, str(tmp_path / "my.faiss"))
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "text": "tea"}\n{"id": "b", "text": "egg"}\n')
    spec = f"faiss:{tmp_path}/my.faiss?documents={tmp_path}/docs.jsonl"
    with (
        Searcher(spec, embedder=lambda texts: [[1.0, 0.0]] * len(texts)) as read_only,
        running({"files": read_only}) as service,
    ):
        answer = service.post("/v1/collections/files/documents", {"documents": [{"text": "x"}]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "read_only")
        assert service.post("/v1/search", {"query": "tea"}).json()["hits"][0]["id"] == "a"


def test_state_and_counts_are_there(service: Running) -> None:
    assert service.client.get("/health").json() == {"status": "ok"}
    assert service.client.get("/ready").json() == {"status": "ready"}
    service.post("/v1/search", {"query": "tea"})
    text = service.client.get("/metrics").text
    assert 'esens_requests_total{route="/v1/search",status="200"}' in text
    assert 'esens_request_seconds_bucket{route="/v1/search",le="+Inf"}' in text
    assert 'esens_lane_calls{lane="search"} 0' in text


def test_the_examples_of_the_description_work(service: Running) -> None:
    description = service.client.get("/openapi.json").json()
    tried = 0
    for path, methods in description["paths"].items():
        body = methods.get("post", {}).get("requestBody")
        if body is not None:
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            for example in description["components"]["schemas"][name]["examples"]:
                assert service.post(path.replace("{name}", "salads"), example).status_code == 200
                tried += 1
    assert tried >= 5


def test_documents_read_as_the_library_reads_them() -> None:
    from esens.server.schemas import DocumentItem

    assert DocumentItem(id=3, text="a").read() == Document("3", "a")
    assert DocumentItem(text="a").read().id == DocumentItem(text="a").read().content_hash
