"""Faults of an index in a folder, by the dozen. It takes minutes, so ``make test`` leaves it out."""

from collections.abc import Callable

import pytest

pytest.importorskip("lance")

from tests.faults import damage, writers
from tests.faults.record import FaultRecord

FAULTS = {
    writers.indexing: 60,
    writers.upserting: 30,
    writers.deleting: 30,
    writers.two_writers: 15,
    writers.disk_full: 15,
    damage.lance: 300,
    damage.lance_data: 300,
    damage.faiss: 100,
    damage.usearch: 100,
}


@pytest.mark.parametrize(("fault", "cases"), FAULTS.items(), ids=[fault.__name__ for fault in FAULTS])
def test_nothing_is_lost_and_nothing_is_silently_wrong(
    fault: Callable[[int, int], FaultRecord], cases: int
) -> None:
    record = fault(cases, 5)
    assert record.cases == cases
    assert record.bad == 0, record.failures
