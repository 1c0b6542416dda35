"""Queries in the languages of engines: as people get them, and what they come to where an engine runs here."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.postgres import fresh_table

from esens import Contrast, Document, Linear, MemoryIndex, Relational
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors, unit_rows
from esens.errors import ArgumentError
from esens.index import prepare_index
from esens.score.base import QueryTexts, RawScores, Scorer
from esens.score.normalise import Scores
from esens.search.native import NATIVE_ENGINES, NativeRequest, TextInput, native_request, text_names
from esens.search.native.formula import Operation
from esens.search.native.qdrant import body_of

GOLDEN = Path(__file__).parent / "golden"
SIZE, DIMENSION, K = 120, 8, 15
SCORERS: dict[str, Scorer] = {
    "linear": Linear(),
    "target-minus-trap": Linear(variant="target-minus-trap"),
    "both": Linear(alpha=0.75, gamma=0.25, beta=0.3),
    "contrast": Contrast(),
}
TRAPS = {"one": ("a",), "two": ("a", "b")}


def _rows(count: int, seed: int) -> Vectors:
    return unit_rows(np.random.default_rng(seed).standard_normal((count, DIMENSION)) + 0.5)


def _request(
    scorer: Scorer, traps: tuple[str, ...], collection: str = "documents"
) -> tuple[NativeRequest, Scores]:
    """Return a request over the whole corpus, and what esens scores each document."""
    texts = scorer.texts("q", "t", traps)
    rows, documents = _rows(len(texts.flat()), 1), _rows(SIZE, 2)
    scores = scan(documents, rows)
    raw = RawScores.of(texts, scores)
    ranges = MemoryIndex([Document(str(at), "") for at in range(SIZE)], documents).score_ranges(rows)
    inputs = [TextInput(row.tolist(), over) for row, over in zip(rows, ranges, strict=True)]
    named = dict(zip(text_names(texts), inputs, strict=True))
    request = native_request(scorer, texts, inputs=named, collection=collection, k=K, candidates=SIZE)
    return request, scorer.terms(raw, raw.ranges()).score


@pytest.mark.parametrize("name", ["linear", "contrast"])
@pytest.mark.parametrize("engine", NATIVE_ENGINES)
def test_it_is_what_people_got_before(engine: str, name: str) -> None:
    written = NATIVE_ENGINES[engine](native_request(SCORERS[name], SCORERS[name].texts("q", "t", ("a",))))
    golden = GOLDEN / f"{engine}-{name}.txt"
    if os.environ.get("ESENS_WRITE_GOLDEN"):
        golden.write_text(written, encoding="utf-8")
    assert written == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("traps", TRAPS)
@pytest.mark.parametrize("name", SCORERS)
@pytest.mark.parametrize("engine", NATIVE_ENGINES)
def test_vectors_and_ranges_take_the_place_of_all_placeholders(engine: str, name: str, traps: str) -> None:
    request, _ = _request(SCORERS[name], TRAPS[traps])
    written = NATIVE_ENGINES[engine](request)
    assert "<vector" not in written
    assert "cosine of" not in written
    assert all(str(number) in written for number in request.inputs["trap_1"].vector or ())
    if engine in ("qdrant", "elasticsearch", "opensearch"):
        json.loads(written.partition("\n")[2])


def _value(formula: float | str | Operation, raw: dict[str, float], limits: dict[str, float]) -> float:
    """Evaluate a formula as it is meant."""
    if isinstance(formula, str):
        return raw[formula]
    if not isinstance(formula, Operation):
        return formula
    text = str(formula.operands[0])
    if formula.name in ("share", "nearness"):
        top = limits[f"{text}_{'high' if formula.name == 'share' else 'second'}"]
        return (raw[text] - limits[f"{text}_low"]) / (top - limits[f"{text}_low"])
    left, right = (_value(operand, raw, limits) for operand in formula.operands)
    values = {"+": left + right, "-": left - right, "*": left * right, "above": float(left > right)}
    return {**values, "max": max(left, right), "min": min(left, right)}[formula.name]


@given(st.sampled_from(list(SCORERS)), st.floats(0.1, 4), st.lists(st.floats(0.1, 1), min_size=1, max_size=3))
def test_a_formula_is_the_score_without_words(name: str, beta: float, weights: list[float]) -> None:
    given_scorer = SCORERS[name]
    scorer: Scorer = (
        Linear(beta=beta, alpha=given_scorer.alpha, gamma=given_scorer.gamma)
        if isinstance(given_scorer, Linear)
        else Contrast(beta=beta)
    )
    texts = scorer.texts("q", "t", tuple("abc"[: len(weights)]))._replace(weights=tuple(weights))
    scores = scan(_rows(SIZE, 3), _rows(len(texts.flat()), 4))
    raw, names = RawScores.of(texts, scores), text_names(texts)
    ranges = raw.ranges()
    flat = [over for over in (ranges.query, ranges.target, *ranges.traps) if over is not None]
    inputs = {name: TextInput(None, over) for name, over in zip(names, flat, strict=True)}
    request = native_request(scorer, texts, inputs=inputs)
    for column, score in enumerate(scorer.terms(raw, ranges).score):
        values = {name: float(row[column]) for name, row in zip(names, scores, strict=True)}
        assert _value(request.formula, values, request.limits()) == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize("traps", TRAPS)
@pytest.mark.parametrize("name", SCORERS)
def test_qdrant_ranks_by_the_score(name: str, traps: str) -> None:
    qdrant = pytest.importorskip("qdrant_client")
    request, scores = _request(SCORERS[name], TRAPS[traps])
    models, client = qdrant.models, qdrant.QdrantClient(":memory:")
    vectors = {"vector": models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)}
    client.create_collection("documents", vectors_config=vectors)
    points = [models.PointStruct(id=at, vector={"vector": row.tolist()}) for at, row in enumerate(_rows(SIZE, 2))]
    client.upsert("documents", points)
    body = models.QueryRequest.model_validate(body_of(request))
    hits = client.query_points("documents", body.query, prefetch=body.prefetch, limit=body.limit).points
    client.close()
    _check(scores, [(hit.id, hit.score) for hit in hits])


@pytest.mark.parametrize("traps", TRAPS)
@pytest.mark.parametrize("name", SCORERS)
def test_postgresql_ranks_by_the_score(request: pytest.FixtureRequest, name: str, traps: str) -> None:
    spec = fresh_table(request)
    psycopg = pytest.importorskip("psycopg")
    server, _, table = spec.partition("?table=")
    with prepare_index(spec, dimension=DIMENSION) as index:  # type: ignore[attr-defined]
        index.upsert([Document(str(at), "") for at in range(SIZE)], _rows(SIZE, 2))
    asked, scores = _request(SCORERS[name], TRAPS[traps], table)
    blank = {name: TextInput() for name in asked.inputs}
    vectors = [f"'{list(text.vector or ())}'" for text in asked.inputs.values()]
    statement = NATIVE_ENGINES["pgvector"](
        native_request(SCORERS[name], SCORERS[name].texts("q", "t", TRAPS[traps]), inputs=blank, collection=table,
                       k=K, candidates=SIZE)
    )  # fmt: skip
    with psycopg.connect(server) as link:
        _check(scores, link.execute(NATIVE_ENGINES["pgvector"](asked)).fetchall())
        link.execute(f"PREPARE best ({', '.join(['vector'] * len(vectors))}) AS {statement}")
        _check(scores, link.execute(f"EXECUTE best ({', '.join(vectors)})").fetchall())


def _check(scores: Scores, hits: list[tuple[str | int, float]]) -> None:
    assert len(hits) == K
    assert [score for _, score in hits] == pytest.approx(np.sort(scores)[::-1][:K].tolist(), abs=1e-5)
    assert [scores[int(id_)] for id_, _ in hits] == pytest.approx([score for _, score in hits], abs=1e-5)


def test_what_has_no_formula_is_said() -> None:
    texts = QueryTexts("q", "t", ("a",))
    with pytest.raises(
        ArgumentError, match=r'"relational" reads the texts of documents.*choose contrast or linear'
    ):
        native_request(Relational(), texts)
    with pytest.raises(ArgumentError, match="query: excludes nothing"):
        native_request(Linear(), QueryTexts("q"))
    for argument in ("collection", "field"):
        with pytest.raises(ArgumentError, match=f"{argument}: may have letters"):
            native_request(Linear(), QueryTexts("q", None, ("a",)), **{argument: 'x"; DROP'})  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="candidates"):
        native_request(Linear(), QueryTexts("q", None, ("a",)), candidates=0)
