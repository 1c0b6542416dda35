"""A few of the faults of each program with esens in it; `make faults` tries more. What is wrong is noticed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.faults import integrations
from tests.faults.integrations import Case, Source, outcome_of
from tests.faults.record import CLEAR_ERROR, FINE, RAW, UNFIT, WRONG, FaultRecord

from esens.errors import ArgumentError
from esens.integrations.explained import KEY

HOSTS = (
    integrations.langchain,
    integrations.llama_index,
    integrations.haystack,
    integrations.pyterrier,
    integrations.rerankers,
)


@pytest.mark.filterwarnings("default")  # hosts warn of much that is none of ours
@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.__name__)
def test_failing_stores_and_bad_documents(host: Callable[[int, int], FaultRecord]) -> None:
    record = host(100, 7)
    if record.skipped:
        pytest.skip(record.skipped)
    assert record.failures == []
    assert record.outcomes[FINE] > 20
    assert record.outcomes[CLEAR_ERROR] > 20


GIVEN = Source("a", "tea", {"at": 1})
CASE = Case("tea", 1, (GIVEN,), failing_call=0, failing_embedder="", is_async=False, reranks=False)


def _raise(error: Exception) -> Any:
    raise error


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (lambda: [GIVEN], FINE),
        (lambda: [], FINE),
        (lambda: [GIVEN, GIVEN], WRONG),
        (lambda: [replace(GIVEN, id="b")], WRONG),
        (lambda: [replace(GIVEN, text="milk")], WRONG),
        (lambda: [replace(GIVEN, metadata={})], WRONG),
        (lambda: GIVEN.metadata.update(new=1) or [], WRONG),
        (lambda: [replace(GIVEN, metadata={**GIVEN.metadata, KEY: {"score": float("nan")}})], UNFIT),
        (lambda: _raise(KeyError("x")), RAW),
        (lambda: _raise(ArgumentError("k", "is wrong")), CLEAR_ERROR),
        (lambda: _raise(integrations.StoreError()), CLEAR_ERROR),
    ],
)
def test_what_is_wrong_is_noticed(answer: Any, outcome: str) -> None:
    try:
        assert outcome_of(lambda _case: answer, CASE)[0] == outcome
    finally:
        GIVEN.metadata.pop("new", None)
