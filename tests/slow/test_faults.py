"""Every fault of ``make faults``, a fifth of its cases. It takes minutes, so ``make test`` leaves it out."""

import pytest

pytest.importorskip("lance")

from tests.faults.run import PARTS, try_part


@pytest.mark.parametrize("name", PARTS)
def test_nothing_is_lost_and_nothing_is_silently_wrong(name: str) -> None:
    cases = PARTS[name][1] // 5
    record = try_part(name, cases, seed=5, seconds=600).record
    if record.skipped:
        pytest.skip(record.skipped)
    assert record.failures == []
    assert record.cases == cases
