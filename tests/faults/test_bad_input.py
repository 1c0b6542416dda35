"""Five hundred bad inputs; `make faults` tries thousands."""

from tests.faults.bad_input import KINDS, run


def test_no_input_is_anything_but_fine_or_refused() -> None:
    report = run(500, seed=7)
    assert report.tried == 500
    assert not report.failures, str(report)
    assert {kind.kind for kind in report.kinds} == set(KINDS)
    assert sum(kind.fine for kind in report.kinds) > 50  # what is always refused tries nothing
    assert sum(kind.refused for kind in report.kinds) > 50
