"""The page's addresses: what they give, to whom, and with which headers; and the score that it computes."""

import json
import random
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.server.running import ROOT, Running, running
from tests.words import by_words

from esens import Decomposition, Document, Exclusion, Searcher
from esens.documents import Passage
from esens.errors import InputError
from esens.server.keys import new_key
from esens.server.page import POLICY, load_assets
from esens.server.service import Service
from esens.server.settings import Settings

STATIC = files("esens.server").joinpath("static")
KEY, STORED = new_key(["read"])
MOST_BYTES = 100_000
EVALUATION = {
    "dataset": "tiny",
    "queries": 3,
    "documents": 9,
    "methods": {"plain": {"avg_recall": 0.9, "avg_violation": 0.8}},
    "frontier": {
        "baseline-minus-trap": {"beta": [0.0, 0.5], "avg_recall": [0.9, 0.8], "avg_violation": [0.8, 0.3]}
    },
}


@pytest.fixture(scope="module")
def service():
    with running(examples=("salad without vinegar",), max_k=50) as state:
        yield state


@pytest.fixture(scope="module")
def guarded():
    with running(keys=(str(STORED),)) as state:
        yield state


ADDRESSES = ["/", *(f"/static/{name}" for name in sorted(load_assets()))]


@pytest.mark.parametrize("path", ADDRESSES)
def test_the_page_may_load_and_run_nothing_but_its_own_files(service: Running, path: str) -> None:
    answer = service.client.get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_file_is_kept_and_asked_for_each_time(service: Running, path: str) -> None:
    answer = service.client.get(path)
    assert answer.headers["Cache-Control"] == "no-cache"
    again = service.client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", answer.headers["ETag"])
    assert again.headers["Content-Security-Policy"] == POLICY
    head = service.client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Length"] == str(len(answer.content))


def test_files_have_their_types(service: Running) -> None:
    types = {"/": "text/html", "/static/page.js": "text/javascript", "/static/page.css": "text/css"}
    for path, media_type in {**types, "/static/icon.svg": "image/svg+xml"}.items():
        assert service.client.get(path).headers["Content-Type"].startswith(media_type)


@pytest.mark.parametrize("name", ["none.js", "..%2fpage.py", "%2e%2e/page.py", "", "sub/page.js", "PAGE.JS"])
def test_a_file_that_is_not_there_is_refused_in_the_usual_shape(service: Running, name: str) -> None:
    answer = service.client.get(f"/static/{name}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


def test_the_page_is_only_read(service: Running) -> None:
    for path in ("/", "/static/page.js"):
        answer = service.client.post(path)
        assert answer.status_code == 405
        assert answer.json()["error"]["code"] == "method_not_allowed"


def test_the_page_needs_no_key_and_what_it_shows_does(guarded: Running) -> None:
    for path in ADDRESSES:
        assert guarded.client.get(path).status_code == guarded.client.head(path).status_code == 200
        assert guarded.client.post(path).status_code == 401
    for path in ("/v1/collections", "/v1/evaluation"):
        assert guarded.client.get(path).status_code == 401
        assert guarded.client.get(path, headers={"Authorization": f"Bearer {KEY}"}).status_code in (200, 404)


def test_the_page_is_not_the_answer_to_another_name(service: Running) -> None:
    assert service.client.get("/", headers={"Host": "evil.example"}).status_code == 421


def test_the_page_learns_what_there_is(service: Running) -> None:
    answer = service.client.get("/v1/collections").json()
    assert [each["name"] for each in answer["collections"]] == ["salads"]
    assert answer["examples"] == ["salad without vinegar"]
    assert (answer["max_k"], answer["has_evaluation"]) == (50, False)


def test_the_page_is_small_and_in_the_package() -> None:
    assert sum(len(asset.content) for asset in load_assets().values()) < MOST_BYTES
    assert {"index.html", "page.js", "page.css", "score.js"} <= load_assets().keys()


def test_the_wheel_has_the_page(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = {Path(name).name for name in zipfile.ZipFile(wheel).namelist() if "/server/static/" in name}
    assert names == set(load_assets())


def test_nothing_in_the_files_loads_from_elsewhere_or_makes_markup_of_text() -> None:
    for name, asset in load_assets().items():
        text = asset.content.decode()
        assert set(re.findall(r"https?://[^\"'\s)]*", text)) <= {"http://www.w3.org/2000/svg"}, name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
        if name.endswith(".html"):
            assert not re.search(r"\bstyle=|\son\w+=|<style|<script>", text)


def test_a_request_of_candidates_is_that_of_the_library_and_bounded(service: Running) -> None:
    query: dict[str, Any] = {"query": "salad dressings without vinegar", "candidates": 3}
    answer = service.post("/v1/search", query).json()
    searcher = service.service.searchers["salads"]
    assert answer == json.loads(searcher.search(query["query"], candidates=3).to_json())
    assert 3 <= len(answer["candidates"]["documents"]) <= 4
    refused = service.post("/v1/search", {**query, "candidates": 51})
    assert (refused.status_code, refused.json()["error"]["argument"]) == (422, "candidates")
    linear = service.post("/v1/search", {**query, "score": "linear"})
    assert (linear.status_code, linear.json()["error"]["argument"]) == (422, "candidates")
    assert "candidates" not in service.post("/v1/search", {"query": "salad", "candidates": 3}).json()


def test_an_exclusion_of_an_answer_can_be_sent_back(service: Running) -> None:
    split: dict[str, Any] = {
        "target": "salad",
        "exclusions": [
            {
                "text": "egg",
                "relation": "about",
                "is_decided": True,
                "is_literal": False,
                "phrase": "the egg",
                "field": "",
            }
        ],
    }
    answer = service.post("/v1/search", {"query": "salad", "decomposition": split, "candidates": 4}).json()
    assert answer["candidates"]["relations"] == ["about"]
    assert {**answer["exclusions"][0], **split["exclusions"][0]} == answer["exclusions"][0]
    long = {"target": "salad", "exclusions": [{"text": "egg", "phrase": "x" * 4001}]}
    assert service.post("/v1/search", {"query": "salad", "decomposition": long}).status_code == 422


# ---- the evaluation


def test_an_evaluation_is_given_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(EVALUATION))
    with running(evaluation=str(path)) as state:
        assert state.client.get("/v1/evaluation").json() == EVALUATION
        assert state.client.get("/v1/collections").json()["has_evaluation"] is True


def test_without_an_evaluation_it_is_said_how_to_have_one(service: Running) -> None:
    answer = service.client.get("/v1/evaluation")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_evaluation"
    assert "esens evaluate" in answer.json()["error"]["remedy"]


@pytest.mark.parametrize("content", [None, "", "[]", '{"dataset": "x"}', '{"dataset": NaN}'])
def test_a_file_that_is_no_evaluation_is_said_at_the_start(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "run.json"
    if content is not None:
        path.write_text(content)
    searcher = Searcher.from_documents(["tea"], embedder=by_words)
    with pytest.raises(InputError, match=r"run\.json"):
        Service({"tea": searcher}, Settings(evaluation=str(path)))


# ---- the score in JavaScript

WORDS = ["salad", "oil", "vinegar", "herbs", "egg", "cheese", "tea", "milk", "lemon", "bread", "soup", "rice"]
QUERIES = [
    "salad without vinegar",
    "tea but not milk",
    "bread and soup except rice, without egg",
    "how do I make a good soup of rice and herbs at home, excluding lemon water",
    "salad -cheese",
]
SCRIPT = """
import { readFileSync } from "node:fs";
const { rank } = await import(process.argv[2]);
const cases = JSON.parse(readFileSync(0, "utf8"));
const brief = ({ document, score, rank, share }) => [document.id, score, rank, share];
console.log(JSON.stringify(cases.map(([candidates, options]) => {
  const { best, removed, isSettled } = rank(candidates, options);
  return { best: best.map(brief), removed: removed.map(({ document }) => document.id), isSettled };
})));
"""


def _corpus(seed: int, *, split: bool) -> list[Document]:
    draw = random.Random(seed)
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(2, 9))) for _ in range(60)]
    texts += [f"contains no {draw.choice(WORDS)}, and {draw.choice(WORDS)}" for _ in range(10)]
    if not split:
        return [Document(str(at), text, draw.choice(["", *WORDS])) for at, text in enumerate(texts)]
    return [
        Document(f"{at // 2}-{at % 2}", text, passage=Passage(str(at // 2), at % 2, 2))
        for at, text in enumerate(texts)
    ]


def _cases() -> list[tuple[Any, dict[str, Any], Any]]:
    """Searches by the library, with what a page needs to do the same."""
    cases = []
    for seed, split in ((1, False), (2, False), (3, True)):
        searcher = Searcher.from_documents(_corpus(seed, split=split), embedder=by_words)
        for query in QUERIES:
            forced = Decomposition(
                "soup", exclusions=(Exclusion("rice", "about", 0.5), Exclusion("egg", "has", 0.3))
            )
            for split_query in (None, forced):
                found = searcher.search(query, candidates=70, decomposition=split_query)
                sent = json.loads(found.to_json())["candidates"]
                for beta, mode in (
                    (0.0, "soft"),
                    (0.4, "soft"),
                    (2.0, "soft"),
                    (3.7, "hard"),
                    (1.1, "hard"),
                    (2.0, "flag"),
                ):
                    options: dict[str, Any] = {"beta": beta, "mode": mode, "k": 10}
                    results = searcher.search(query, decomposition=split_query, **options)
                    cases.append((sent, options, results))
    return cases


def test_javascript_scores_as_python_does_to_the_last_bit(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed; the browser's tests compare the two as well")
    module = tmp_path / "score.mjs"
    module.write_bytes(STATIC.joinpath("score.js").read_bytes())
    (tmp_path / "run.mjs").write_text(SCRIPT)
    cases = _cases()
    given = json.dumps([[sent, options] for sent, options, _ in cases])
    done = subprocess.run(
        [node, str(tmp_path / "run.mjs"), module.as_uri()], input=given, capture_output=True, text=True, check=True
    )
    for (sent, options, results), got in zip(cases, json.loads(done.stdout), strict=True):
        assert got["isSettled"]
        assert [row[:3] for row in got["best"]] == [[hit.id, hit.score, hit.rank] for hit in results]
        if options["beta"]:
            shares = [hit.explanation.penalty_share for hit in results]
            np.testing.assert_array_equal([row[3] for row in got["best"]], shares)
        if "passage" not in sent["documents"][0]:  # of passages, Python looks as deep as passages go
            assert got["removed"] == [hit.id for hit in results.removed]
