"""A few of the faults of each kind, with a seed; `run` tries as many as one likes."""

from tests.faults import model_files, model_servers
from tests.faults.record import CLEAR_ERROR, FINE


def test_search_goes_on_with_a_hostile_language_model() -> None:
    record = model_servers.run(cases=6, seed=7)
    assert record.failures == []
    assert record.outcomes == {FINE: 6}


def test_tampered_model_files_are_refused() -> None:
    record = model_files.run(cases=8, seed=7)
    assert record.failures == []
    assert record.outcomes == {CLEAR_ERROR: 8}
