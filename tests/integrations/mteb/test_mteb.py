"""Tasks of mteb with esens as the model, offline: their own code, over local files."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.benchmark_files import shared_benchmark, write_jsonl
from tests.integrations.section import run_section
from tests.words import by_words

import esens
from esens.errors import ArgumentError
from esens.evaluate.datasets import read_dataset

os.environ["HF_HUB_OFFLINE"] = "1"
pytest.importorskip("mteb", reason="mteb is not installed; make test-integrations brings it")

import mteb
from mteb.models.models_protocols import SearchProtocol

from esens.integrations.mteb import EsensSearchModel, local_task

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
)

PAIRS = [
    {"id": "a", "q1": "green tea", "q2": "tea that is not green", "doc1": "green tea", "doc2": "black tea"},
    {"id": "b", "q1": "milk", "q2": "coffee without milk", "doc1": "coffee with milk", "doc2": "coffee"},
]
LIMIT = [("Ada", "She likes quokkas and tea."), ("Ben", "He likes quokkas."), ("Cleo", "She likes tea.")]


def _nevir(folder: Path) -> Path:
    write_jsonl(folder / "pairs.jsonl", PAIRS)
    return folder


def _limit(folder: Path) -> Path:
    write_jsonl(folder / "corpus.jsonl", [{"_id": name, "title": "", "text": text} for name, text in LIMIT])
    write_jsonl(folder / "queries.jsonl", [{"_id": "q", "text": "who likes quokkas?"}])
    rows = [{"query-id": "q", "corpus-id": name, "score": 1} for name in ("Ada", "Ben")]
    write_jsonl(folder / "qrels.jsonl", rows)
    return folder


def _scores(model: Any, task: Any) -> dict[str, Any]:
    result = mteb.evaluate(model, task, cache=None, co2_tracker=False, show_progress_bar=False)
    (scores,) = result.task_results[0].scores["test"]
    return dict(scores)


def test_it_is_a_model_that_searches() -> None:
    model = EsensSearchModel({"embedder": by_words}, {"mode": "hard"})
    assert isinstance(model, SearchProtocol)
    meta = model.mteb_model_meta
    assert meta.name.startswith("esens/")
    assert meta.experiment_kwargs["mode"] == "hard"
    with pytest.raises(ArgumentError, match="corpus: is not indexed"):
        model.search([], top_k=1)


def test_nevir_ranks_the_two_documents_of_each_pair(tmp_path: Path) -> None:
    task = local_task(mteb.get_task("NevIR"), _nevir(tmp_path / "nevir"))
    split = task.dataset["default"]["test"]
    assert split["queries"]["id"][:2] == ["0_q1", "0_q2"]
    assert split["top_ranked"]["0_q1"] == ["a-doc1", "a-doc2"]
    scores = _scores(EsensSearchModel({"embedder": by_words}), task)
    plain = _scores(
        EsensSearchModel({"embedder": by_words}, {"beta": 0}),
        local_task(mteb.get_task("NevIR"), tmp_path / "nevir"),
    )
    assert scores["main_score"] == scores["paired_accuracy"]
    assert scores["paired_accuracy"] > plain["paired_accuracy"]


def test_a_task_of_limit(tmp_path: Path) -> None:
    task = local_task(mteb.get_task("LIMITSmallRetrieval"), _limit(tmp_path / "limit"))
    scores = _scores(EsensSearchModel({"embedder": by_words}), task)
    assert scores["recall_at_2"] == scores["main_score"] == 1
    assert task.dataset["default"]["test"]["top_ranked"] is None


def test_an_instruction_is_read_with_the_query() -> None:
    model = EsensSearchModel({"embedder": by_words}, {"mode": "hard"})
    model.index([{"id": "a", "text": "green tea"}, {"id": "b", "title": "Assam", "text": "black tea"}])
    plain = model.search([{"id": "q", "text": "tea"}], top_k=2)
    told = model.search([{"id": "q", "text": "tea", "instruction": "excluding green tea"}], top_k=2)
    assert set(plain["q"]) == {"a", "b"}
    assert list(told["q"]) == ["b"]
    assert model.search([{"id": "q", "text": "tea"}], top_k=2, top_ranked={"q": ["a"]})["q"].keys() == {"a"}


def test_a_hundred_pairs_of_nevir_as_shared_give_the_figure_of_our_own_reranking(tmp_path: Path) -> None:
    """The same pairs, by mteb's code and by ours: the paired accuracy is one number."""
    pairs = (shared_benchmark("nevir") / "pairs.jsonl").read_text(encoding="utf-8").splitlines()[:100]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(pairs), encoding="utf-8")
    dataset, task = read_dataset(path), local_task(mteb.get_task("NevIR"), path)
    scores = _scores(EsensSearchModel({"embedder": by_words}), task)
    right = {}
    corpus = {document.id: document for document in dataset.corpus}
    reranker = esens.Reranker(embedder=by_words)
    for query in dataset.queries:
        both = [corpus[id_] for id_ in (*query.relevant, *query.excluded)]
        best = max(
            reranker.rerank(query.text, both), key=lambda hit: (hit.score, hit.id)
        )  # as trec_eval breaks ties
        right[query.id] = best.id in query.relevant
    names = {query.pair for query in dataset.queries}
    ours = sum(right[f"{pair}-q1"] and right[f"{pair}-q2"] for pair in names) / len(names)
    assert 0 < scores["paired_accuracy"] == pytest.approx(ours)


def test_the_code_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _nevir(tmp_path / "my-nevir")
    run_section("mteb")
