"""Whatever a caller passes, the error is one of ours and names the argument."""

import io
import json
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.words import by_words

import esens
from esens import Contrast, Document, Linear, Results, Searcher
from esens.cli.main import main
from esens.errors import ArgumentError, EsensError, InputError
from esens.index.filters import Not, parse_filter
from esens.ingest import passages_of, read_rows
from esens.score.base import Terms

DOCUMENTS = [{"id": "a", "text": "green tea"}, {"id": "b", "text": "tea with milk"}, {"id": "c", "text": "coffee"}]
QUERY = "tea without milk"
BAD: Any = 1.5  # of a type that nothing here takes


def _searcher() -> Searcher:
    return Searcher.from_documents(DOCUMENTS, embedder=by_words)


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def _circle() -> dict[str, Any]:
    circle: dict[str, Any] = {}
    circle["self"] = circle
    return circle


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: esens.build_index(None, "x.lance"), "documents"),  # type: ignore[arg-type]
        (lambda: esens.build_index(5, "x.lance"), "documents"),  # type: ignore[arg-type]
        (lambda: esens.build_index(DOCUMENTS, None), "to"),  # type: ignore[arg-type]
        (lambda: esens.build_index(DOCUMENTS, b"x.lance"), "to"),  # type: ignore[arg-type]
        (lambda: esens.read_documents(None), "documents"),  # type: ignore[arg-type]
        (lambda: read_rows("x.jsonl", fields=5), "fields"),  # type: ignore[arg-type]
        (lambda: passages_of(Document("a", "b"), words="x"), "words"),  # type: ignore[arg-type]
        (lambda: passages_of(Document("a", "b"), overlap=None), "overlap"),  # type: ignore[arg-type]
        (lambda: _searcher().delete(5), "ids"),  # type: ignore[arg-type]
        (lambda: Searcher.from_documents(DOCUMENTS, vectors=[[10**400, 1]] * 3, embedder=by_words), "vectors"),
        (lambda: Searcher.from_documents(DOCUMENTS, embedder=lambda t: [[10**400, 1]] * len(t)), "embedder"),
        (lambda: esens.rerank(QUERY, DOCUMENTS, scores=[10**400, 1, 1], embedder=by_words), "scores"),
        (lambda: esens.rerank(QUERY, DOCUMENTS, scores=[5e-324, 0, 1e-320], embedder=by_words), "scores"),
        (lambda: _searcher().search(QUERY, where=_nested(5000)), "where"),
        (lambda: _searcher().search(QUERY, where='{"not":' * 5000), "where"),
        (lambda: Linear(beta=1e308), "beta"),
        (lambda: Linear(alpha=5e-324), "alpha"),
        (lambda: Linear(gamma=10**400), "gamma"),
        (lambda: Contrast(alpha=5e-324, gamma=1e-200), "alpha"),
        (lambda: Contrast(naming=1e308), "naming"),
    ],
)
def test_the_error_names_the_argument(call: Callable[[], object], argument: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        call()
    assert raised.value.argument == argument


@pytest.mark.parametrize(
    "metadata",
    [_circle(), {"a": _nested(10_000)}, {"a": _nested(101)}, {"a": {"b": 10**5000}}, {"a": 10**5000}],
    ids=["circle", "deep", "just too deep", "large, inside", "large"],
)
def test_metadata_that_nothing_can_store_are_refused_with_the_documents_id(metadata: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=r"document 'a': its metadata (are nested more than 100|hold a whole)"):
        Document("a", "tea", metadata=metadata)


def test_metadata_that_can_be_stored_are_json(tmp_path: Path) -> None:
    pytest.importorskip("lance")
    metadata = {("a", 1): 2, "deep": _nested(99), "large": 10**4000, "n": math.nan, "surrogate": "\ud800"}
    rows = [{"id": "a", "text": "tea", "metadata": metadata}]
    found = Searcher.from_documents(rows, embedder=by_words).search("tea")
    stored = json.loads(found.to_json(), parse_constant=pytest.fail)["hits"][0]["metadata"]
    assert stored == {"('a', 1)": 2, "deep": _nested(99), "large": 10**4000, "n": None, "surrogate": "\ud800"}


def test_a_filter_is_as_deep_as_every_engine_translates() -> None:
    where: Any = {"year": 2000}
    for _ in range(99):
        where = {"not": where}
    assert isinstance(parse_filter(where), Not)
    with pytest.raises(ArgumentError, match="where: groups are nested more than 100 deep"):
        parse_filter({"not": where})
    brackets = _searcher().search(QUERY, where="a=" + "[" * 4000)  # a text like any other, which no document has
    assert len(brackets) == 0


def _numbers(results: Results) -> list[float]:
    return [
        number for hit in results for number in (hit.score, hit.explanation.relevance, hit.explanation.penalty)
    ]


@pytest.mark.parametrize("scores", [None, [1e100, -1e100, 0], [1e-100, 0, 0], [3.0, 2.0, 1.0]])
@pytest.mark.parametrize(
    "score",
    [
        *(
            Linear(beta=b, alpha=a, gamma=g)
            for b in (5e-324, 1e-100, 1e100)
            for a in (1e-100, 1e100)
            for g in (0, 1e100)
        ),
        Contrast(beta=1e100, naming=1e100, alpha=1e-100, gamma=1e-100),
        Contrast(beta=1e-100, alpha=1e100, gamma=1e100),
    ],
)
def test_scores_are_finite_whatever_the_weights(scores: list[float] | None, score: Linear | Contrast) -> None:
    results = esens.rerank(QUERY, DOCUMENTS, scores=scores, score=score, embedder=by_words)
    assert len(results) == 3
    assert all(map(math.isfinite, _numbers(results)))


class _NaN(Linear):
    def terms(self, *arguments: Any, **options: Any) -> Terms:
        terms = super().terms(*arguments, **options)
        return terms._replace(relevance=np.full_like(terms.relevance, np.nan))


def test_a_score_of_ones_own_that_gives_nan_is_an_error() -> None:
    with pytest.raises(ArgumentError, match='score: "linear" gives NaN or infinity'):  # it searched for ever
        _searcher().search(QUERY, score=_NaN())


class MyError(Exception):
    pass


def test_an_exception_of_the_callers_own_embedder_or_decomposer_is_the_callers() -> None:
    def broken(_: object) -> Any:
        raise MyError("no more memory on the graphics card")

    with pytest.raises(MyError):
        Searcher.from_documents(DOCUMENTS, embedder=broken)
    with pytest.raises(MyError):
        esens.decompose(QUERY, decomposer=broken)
    with pytest.raises(MyError):
        Searcher.from_documents(DOCUMENTS, embedder=by_words, decomposer=broken).search(QUERY)


def _to_nowhere(texts: Sequence[str]) -> Any:
    return np.ones((len(texts), 3))


@pytest.mark.parametrize("name", ["a\0b", "tea \ud800", "x" * 5000])
def test_what_is_no_name_of_a_folder_is_no_index(name: str, tmp_path: Path) -> None:
    pytest.importorskip("lance")
    spec = f"{tmp_path}/{name}.lance"
    for call in (
        lambda: Searcher(spec, embedder=by_words),
        lambda: esens.build_index(["tea"], spec, embedder=by_words),
    ):
        with pytest.raises(EsensError):
            call()


@pytest.mark.parametrize("query", ["「" * 250, "x" * 300])
def test_a_query_that_is_no_name_of_a_file_is_a_query(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decompose", query]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("path", ["x" * 5000, "x" * 5000 + ".jsonl", "x" * 5000 + ".html", "a\0b", "a\0b.html"])
def test_a_name_that_no_file_has_is_an_input_error(path: str) -> None:
    with pytest.raises(InputError):
        esens.read_documents(path)
    with pytest.raises(EsensError):
        Searcher(f"{path}.lance", embedder=_to_nowhere)
    assert main(["search", path.replace("\0", "\\"), "tea"]) == 3


@pytest.mark.skipif(os.name == "nt", reason="paths are shorter there")
def test_a_folder_may_be_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    depth = 1200
    monkeypatch.chdir(tmp_path)
    for _ in range(depth):
        Path("d").mkdir()
        os.chdir("d")
    Path("tea.txt").write_text("green tea")
    try:
        (document,) = esens.read_documents(tmp_path)
        assert document.id == "d/" * depth + "tea.txt"
    finally:  # what removes pytest's folders would call itself too often
        Path("tea.txt").unlink()
        for _ in range(depth):
            os.chdir("..")
            Path("d").rmdir()


def test_line_ends_of_old_macs_are_no_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (b"tea\rmilk\n", b"t" * 200_000 + b"\n"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert len(esens.read_documents("-")) == 1
    assert "unexpected" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: esens.check_index(BAD), "spec"),
        (lambda: esens.check_index("faiss:a\0?documents=b"), "null character"),
        (lambda: esens.MemoryIndex(["a"], [[1.0, 2.0]]).nearest([[1.0, 2.0]], BAD), "k"),
        (lambda: esens.MemoryIndex(["a"], [[1.0, 2.0]]).nearest([[1.0, 2.0]], -1), "k"),
    ],
)
def test_what_an_index_is_asked_is_checked(call: Callable[[], object], named: str) -> None:
    with pytest.raises(ArgumentError, match=named):
        call()
