"""The rules with a language model behind them, and a least confidence."""

import asyncio
from collections.abc import Sequence

import pytest

import esens
from esens import Decomposition, Searcher
from esens.decompose import HybridDecomposer, adecompose, decomposer_of, is_remote, with_confidence
from esens.errors import ArgumentError

SURE, UNSURE = "tea, excluding green tea", "What else besides aspirin thins blood?"


class Model:
    def __init__(self) -> None:
        self.queries: list[str] = []

    def __call__(self, query: str, /) -> Decomposition:
        self.queries.append(query)
        return Decomposition("what thins blood", ("aspirin",))


def test_the_model_is_asked_only_where_the_rules_are_not_sure() -> None:
    model = Model()
    hybrid = HybridDecomposer(model)
    first, second, third = esens.decompose([SURE, UNSURE, "green tea"], decomposer=hybrid)
    assert model.queries == [UNSURE]
    assert hybrid.asked == 1
    assert (first.traps, second.traps, third.traps) == (("green tea",), ("aspirin",), ())
    assert str(first.provenance) == "rules"


@pytest.mark.parametrize(
    "query",
    [
        "Who in the family of Sergio Mattarella is a politician besides himself?",  # names nothing
        "no load mutual fund investor",  # nothing would be left
        "ricette senza zucchero",  # a language without a table
    ],
)
def test_the_model_is_asked_where_a_negation_has_no_place(query: str) -> None:
    model = Model()
    HybridDecomposer(model)(query)
    assert model.queries == [query]


class AwaitedModel(Model):
    async def adecompose(self, query: str, /) -> Decomposition:
        return self(query)


@pytest.mark.parametrize("model", [Model(), AwaitedModel()])
@pytest.mark.parametrize("least", [0.0, 0.9])
@pytest.mark.parametrize("query", [SURE, UNSURE, "green tea"])
def test_awaited_it_says_the_same(model: Model, least: float, query: str) -> None:
    decomposer = with_confidence(HybridDecomposer(model), least)
    assert asyncio.run(adecompose(query, decomposer)) == esens.decompose(query, decomposer=decomposer)


def test_what_waits_for_a_server_is_known_also_behind_a_least_confidence() -> None:
    for remote in (AwaitedModel(), HybridDecomposer(Model())):
        assert is_remote(remote)
        assert is_remote(with_confidence(remote, 0.5))
    for local in (decomposer_of("rules"), Model()):
        assert not is_remote(local)
        assert not is_remote(with_confidence(local, 0.5))


def test_awaited_a_bad_query_or_answer_is_an_error_too() -> None:
    class Wrong(AwaitedModel):
        async def adecompose(self, query: str, /) -> Decomposition:
            return "tea"  # type: ignore[return-value]

    for query in ("", 3):
        with pytest.raises(ArgumentError, match="query"):
            asyncio.run(adecompose(query, AwaitedModel()))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="must return a Decomposition"):
        asyncio.run(adecompose("tea", Wrong()))


def test_at_threshold_0_nothing_is_asked_and_at_1_all_that_has_a_doubt() -> None:
    never, often = HybridDecomposer(Model(), threshold=0), HybridDecomposer(Model(), threshold=1)
    for hybrid in (never, often):
        esens.decompose([SURE, UNSURE, "green tea"], decomposer=hybrid)
    assert (never.asked, often.asked) == (0, 2)
    with pytest.raises(ArgumentError, match="threshold"):
        HybridDecomposer(Model(), threshold=2)


def test_a_spec_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    hybrid = decomposer_of("hybrid:openai:gpt-4o-mini?retries=0")
    assert isinstance(hybrid, HybridDecomposer)
    hybrid.close()


def test_exclusions_below_the_least_confidence_do_not_count_and_the_reason_says_so() -> None:
    split = esens.decompose(SURE)
    assert split.confidence == 0.95
    whole = esens.decompose(SURE, min_confidence=0.96)
    assert whole == Decomposition(SURE)
    assert "not sure enough that it excludes “green tea” (0.95, 0.96 is the least)" in whole.reason
    assert esens.decompose(SURE, min_confidence=0.95) == split
    with pytest.raises(ArgumentError, match="min_confidence"):
        esens.decompose(SURE, min_confidence=1.5)


def test_a_searcher_has_one_too() -> None:
    docs = ["green tea", "black tea", "coffee"]
    vectors = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]]
    doubting = Searcher.from_documents(docs, vectors=vectors, embedder=_flat, min_confidence=0.96)
    assert doubting.search(SURE).decomposition.traps == ()
    assert Searcher.from_documents(docs, vectors=vectors, embedder=_flat).search(SURE).decomposition.traps


def _flat(texts: Sequence[str]) -> list[list[float]]:
    return [[1.0, 0.5]] * len(texts)
