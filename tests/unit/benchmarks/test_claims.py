"""Claims about speed: kept whole, told plainly, and a regression is one only beyond its interval."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks" / "speed"))
import measure
import page


def _claim(figure: float, interval: tuple[float, float] | None = None, **more: Any) -> measure.Claim:
    return measure.Claim("search", figure, interval, "plain search", **more)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (_claim(1.2, (1.0, 1.4)), ""),
        (_claim(1.2, (1.0, 1.4), aim=1.3), "yes"),
        (_claim(1.2, (1.0, 1.4), aim=1.1), "no, within noise"),
        (_claim(1.2, (1.15, 1.4), aim=1.1), "**no**"),
        (_claim(1.2, None, aim=1.1), "**no**"),
        (_claim(0.9, (0.8, 1.0), aim=0.95, is_most=False), "no, within noise"),
        (_claim(0.97, (0.96, 1.0), aim=0.95, is_most=False), "yes"),
    ],
)
def test_whether_an_aim_is_met_is_said_plainly(claim: measure.Claim, said: str) -> None:
    assert page.verdict(claim) == said


@pytest.mark.parametrize(("interval", "is_worse"), [((1.0, 9.0), False), ((3.1, 9.0), True), ((2.9, 3.2), False)])
def test_a_ratio_is_worse_only_where_all_of_its_interval_is(interval: tuple[float, float], is_worse: bool) -> None:
    small = pytest.importorskip("small", reason="it needs the engines that it measures")
    assert small.is_worse(_claim(5, interval, aim=3)) is is_worse


def test_a_record_comes_back_as_it_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, quick = (measure.Timing(np.array(rounds)) for rounds in ([2.0, 2.2, 2.4], [1.0, 1.1, 1.0]))
    claims = [measure.Claim.ratio("search", slow, quick, "plain", aim=2.5), _claim(3, unit="MiB")]
    monkeypatch.setattr(measure, "RESULTS", tmp_path)
    monkeypatch.setattr(sys, "argv", [str(Path(measure.__file__).with_name("start.py")), "--write"])
    measure.report("made_up", "Made up", "A page.", claims)
    record = measure.Record.read(tmp_path / "made_up.json")
    assert record.claims == claims
    assert record.command == ".venv/bin/python benchmarks/speed/start.py --write"
    assert {"processor", "cores", "kernel", "python", "numpy", "esens"} <= record.machine.keys()
    assert record.command in (tmp_path / "made_up.md").read_text(encoding="utf-8")


def test_the_page_is_made_of_what_the_scripts_have_kept() -> None:
    records = page.records()
    assert page.PAGE.read_text(encoding="utf-8") == page.page(records)
    kept = [json.loads(path.read_text(encoding="utf-8")) for path in measure.RESULTS.glob("*.json")]
    assert sum(len(one["claims"]) for one in kept) == sum(len(record.claims) for record in records.values()) > 0
