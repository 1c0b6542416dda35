"""Five hundred bad inputs; `make faults` tries thousands."""

from tests.faults.bad_input import run
from tests.faults.record import CLEAR_ERROR, FINE


def test_no_input_is_anything_but_fine_or_refused() -> None:
    record = run(500, seed=7)
    assert record.failures == []
    assert record.cases == 500
    assert record.outcomes[FINE] > 50  # what is always refused tries nothing
    assert record.outcomes[CLEAR_ERROR] > 50
