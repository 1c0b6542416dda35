"""Pipelines and experiments of PyTerrier with esens in them, offline. Nothing here starts Java: Terrier would."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.benchmark import write_benchmark
from tests.benchmark_files import write_excluir, write_jsonl
from tests.integrations.section import run_section
from tests.integrations.teas import PLAIN, QUERY, TEXTS
from tests.words import by_words

import esens
from esens.demo import load_corpus
from esens.embed import Embedder
from esens.errors import ArgumentError
from esens.integrations.explained import KEY

pytest.importorskip("pyterrier", reason="pyterrier is not installed; make test-integrations brings it")

import pandas as pd
import pyterrier as pt
import pyterrier.testing
from pyterrier.measures import RR, Success

from esens.integrations.pyterrier import EsensDataset, EsensTransformer

CORPUS: list[Any] = [{"id": f"d{at}", "text": text, "at": at} for at, text in enumerate(TEXTS)]
TOPICS = pd.DataFrame([("1", QUERY), ("2", PLAIN)], columns=["qid", "query"])


def _searcher() -> esens.Searcher:
    return esens.Searcher.from_documents(CORPUS, embedder=by_words)


def _results() -> pd.DataFrame:
    """Return what another retriever gives: every document, in the order of the corpus."""
    rows = [
        (qid, query, f"d{at}", text, 9.0 - at, at, "kept")
        for qid, query in TOPICS.itertuples(index=False)
        for at, text in enumerate(TEXTS)
    ]
    return pd.DataFrame(rows, columns=["qid", "query", "docno", "text", "score", "rank", "mine"])


# PyTerrier's own suite, of both uses. It reports by warnings, which are errors here.


@pytest.fixture(autouse=True, scope="module")
def no_reports() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PT_TEST_TRANSFORMER_REPORTS", "0")
        yield


class TestReranks(pyterrier.testing.TransformerTestCase):
    @staticmethod
    def get_transformer() -> EsensTransformer:
        return EsensTransformer(models={"embedder": by_words})


class TestRetrievesToo(pyterrier.testing.TransformerTestCase):
    @staticmethod
    def get_transformer() -> EsensTransformer:
        return EsensTransformer(_searcher())


def test_it_says_what_it_takes_and_gives() -> None:
    reranker, both = EsensTransformer(models={"embedder": by_words}), EsensTransformer(_searcher())
    reranked = ["qid", "query", "docno", "text"]
    assert pt.inspect.transformer_inputs(reranker) == [reranked]
    assert pt.inspect.transformer_inputs(both) == [reranked, ["qid", "query"]]
    given = pt.inspect.transformer_outputs(reranker, [*reranked, "mine"])
    assert set(given) == {*reranked, "mine", "score", "rank", KEY}
    assert set(pt.inspect.transformer_outputs(both, ["qid", "query"])) == set(both(TOPICS).columns)
    with pytest.raises(pt.validate.InputValidationError, match="does not match required columns"):
        reranker(TOPICS)


def test_retrieval() -> None:
    found = EsensTransformer(_searcher(), k=2)(TOPICS)
    excluding, plain = (found[found.qid == qid] for qid in ("1", "2"))
    assert set(excluding.docno) == {"d1", "d2"}
    assert list(excluding["rank"]) == [0, 1]
    assert [row["at"] for row in excluding.metadata] == [int(docno[1:]) for docno in excluding.docno]
    assert excluding[KEY].iloc[0]["traps"] == ["green tea"]
    assert tuple(plain.docno) == _searcher().search(PLAIN, k=2).ids


def test_results_are_reranked_and_without_an_exclusion_they_stay() -> None:
    given = _results()
    before = given.copy(deep=True)
    found = EsensTransformer(models={"embedder": by_words})(given)
    pd.testing.assert_frame_equal(given, before)
    excluding, plain = (found[found.qid == qid] for qid in ("1", "2"))
    assert set(excluding.docno[:2]) == {"d1", "d2"}
    assert list(excluding["rank"]) == list(range(len(TEXTS)))
    assert set(found.mine) == {"kept"}
    assert list(excluding.score) == sorted(excluding.score, reverse=True)
    json.dumps(list(excluding[KEY]))
    own = given[given.qid == "2"].reset_index(drop=True)
    pd.testing.assert_frame_equal(plain.drop(columns=KEY).reset_index(drop=True), own)
    assert plain[KEY].isna().all()
    hard = EsensTransformer(models={"embedder": by_words}, options={"mode": "hard"})(given[given.qid == "1"])
    assert not {"d0", "d4"} & set(hard.docno)
    unscored = EsensTransformer(models={"embedder": by_words})(given.drop(columns=["score", "rank"]))
    assert list(unscored[unscored.qid == "2"]["rank"]) == list(range(len(TEXTS)))


def test_pipelines_and_experiments(tmp_path: Path) -> None:
    dataset = pt.get_dataset(f"esens:{write_benchmark(tmp_path / 'drinks')}")
    corpus = list(dataset.get_corpus_iter(verbose=False))
    searcher = esens.Searcher.from_documents(
        [{"id": row["docno"], "title": row["title"], "text": row["text"]} for row in corpus], embedder=by_words
    )
    plain = EsensTransformer(searcher, options={"beta": 0})
    retrieve = EsensTransformer(searcher)
    reranked = (plain % 8) >> EsensTransformer(models={"embedder": by_words})
    table = pt.Experiment(
        [plain, retrieve, reranked],
        dataset.get_topics(),
        dataset.get_qrels(),
        [RR, Success @ 1],
        names=["plain", "esens", "reranked"],
    ).set_index("name")
    violation = pt.Experiment(
        [plain, retrieve, reranked],
        dataset.get_topics(),
        dataset.get_qrels("excluded"),
        [Success @ 1],
        names=["plain", "esens", "reranked"],
    ).set_index("name")
    assert table["RR"]["esens"] > table["RR"]["plain"]
    assert table["Success@1"]["reranked"] >= table["Success@1"]["plain"]
    assert violation["Success@1"]["esens"] < violation["Success@1"]["plain"]
    assert "jnius" not in sys.modules


CORPUS_FILE = [{"_id": "a", "text": "oolong"}, {"_id": "b", "text": "mead"}]


def _excluir(folder: Path) -> Path:
    row = {"ExcluQ": "drinks other than tea", "index": [0, 1], "question0": "drinks"}
    return write_excluir(folder, ["Oolong\nA tea.", "Mead\nA drink."], row)


def _nevir(folder: Path) -> Path:
    write_jsonl(folder / "pairs.jsonl", [{"id": "p", "q1": "tea", "q2": "no tea", "doc1": "tea", "doc2": "none"}])
    return folder / "pairs.jsonl"


def _neg_constraint(folder: Path) -> Path:
    write_jsonl(folder / "corpus.jsonl", CORPUS_FILE)
    write_jsonl(folder / "queries.jsonl", [{"_id": "q", "text": "drinks, not oolong"}])
    (folder / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\tb\t1\n")
    return folder


def _boolquestions(folder: Path) -> Path:
    row = {"question_type": "not", "question": "drinks, not tea", "positive": "mead", "negative": "tea"}
    write_jsonl(folder / "rows.jsonl", [row])
    return folder


def _quest(folder: Path) -> Path:
    write_jsonl(folder / "documents.jsonl", [{"title": "Mead", "text": "A drink."}, {"title": "Tea", "text": "x"}])
    original = "<mark>Drinks</mark> that are not <mark>Teas</mark>"
    write_jsonl(folder / "test.jsonl", [{"query": "no teas", "docs": ["Mead"], "original_query": original}])
    return folder


@pytest.mark.parametrize(
    ("write", "qid", "answer", "excluded"),
    [
        (_excluir, "0", "1", "0"),
        (_nevir, "p-q1", "p-doc1", "p-doc2"),
        (_neg_constraint, "q", "b", None),
        (_boolquestions, "0", "0", "1"),
        (_quest, "0", "Mead", None),
    ],
)
def test_datasets_are_read_from_files(
    write: Any, qid: str, answer: str, excluded: str | None, tmp_path: Path
) -> None:
    dataset = pt.get_dataset(f"esens:{write(tmp_path / 'set')}")
    assert dataset.get_topics().qid[0] == qid
    assert dataset.get_qrels().to_dict("records")[0] == {"qid": qid, "docno": answer, "label": 1}
    without = dataset.get_qrels("excluded")
    assert list(without.docno[:1]) == ([] if excluded is None else [excluded])
    corpus = list(dataset.get_corpus_iter(verbose=False))
    assert answer in [row["docno"] for row in corpus]
    assert set(corpus[0]) == {"docno", "title", "text"}


def test_splits_are_passed_on(tmp_path: Path) -> None:
    folder = _neg_constraint(tmp_path / "set")
    (folder / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\n")
    dataset = pt.get_dataset(f"esens:{folder}", split="dev")
    assert list(dataset.get_qrels().docno) == ["a"]


def test_what_a_dataset_does_not_have_is_said(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="not found in provider 'esens'"):
        pt.get_dataset("esens:/no/such/folder")
    dataset = EsensDataset(str(write_benchmark(tmp_path / "drinks")))
    with pytest.raises(ArgumentError, match="variant: 'dev' is not known; there is 'excluded'"):
        dataset.get_qrels("dev")
    with pytest.raises(ArgumentError, match="models: are those of the Searcher already"):
        EsensTransformer(_searcher(), models={"embedder": by_words})


def test_the_code_of_the_page_runs(minilm: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_benchmark(tmp_path / "my-benchmark")
    minilm.embed_documents([each.content for each in load_corpus()])
    run_section("PyTerrier", searcher=esens.Searcher.from_documents(load_corpus(), embedder=minilm))


@pytest.mark.parametrize("score", [float("nan"), "high", {"a": 1}, float("inf"), 10**400, 1j])
def test_a_score_that_is_no_number_is_named(score: Any) -> None:
    table = _results().drop(columns="rank").astype({"score": object})
    table.at[8, "score"] = score  # of a query that excludes nothing
    with pytest.raises(ArgumentError, match="score"):
        EsensTransformer(models={"embedder": by_words})(table)
    ranked = _results().astype({"score": object})
    ranked.at[8, "score"] = score  # with ranks there is nothing to be done
    assert len(EsensTransformer(models={"embedder": by_words})(ranked)) == len(ranked)
