"""The command that tries all faults: what it counts, what it says, and that it ends."""

import sys
from pathlib import Path

import pytest

from tests.faults.record import CLEAR_ERROR, LOST, RAW, TOO_SLOW, FaultRecord
from tests.faults.run import PARTS, Trial, main, read_record


def test_it_tries_a_part_prints_a_table_and_writes_it_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "faults.md"
    assert main(["--only", "model-files", "--scale", "0.02", "--seed", "3", "--write", str(page)]) == 0
    assert "tampered model files" in capsys.readouterr().out
    written = page.read_text()
    assert "| tampered model files | 4 | 0 | 4 | 0 | 0 |" in written
    assert "--scale 0.02 --seed 3" in written
    assert "Nothing failed." in written


def test_a_part_that_crashes_is_a_failure() -> None:
    command = [sys.executable, "-c", "import os, sys; sys.stderr.write('alas'); sys.stderr.flush(); os.abort()"]
    record = read_record(command, FaultRecord("crash", 0), 60)
    assert record.outcomes == {RAW: 1}
    assert "alas" in record.failures[0]


def test_a_part_that_does_not_end_is_a_failure() -> None:
    record = read_record([sys.executable, "-c", "import time; time.sleep(600)"], FaultRecord("sleep", 0), 1)
    assert record.outcomes == {TOO_SLOW: 1}


def test_what_is_lost_makes_the_command_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def try_part(name: str, planned: int, seed: int, seconds: float) -> Trial:
        record = FaultRecord("a fault", seed)
        record.add(CLEAR_ERROR)
        record.add(LOST, "seed 0, case 1: [bold]d7")
        return Trial(name, record, planned, 0.0)

    monkeypatch.setattr("tests.faults.run.try_part", try_part)
    assert main(["--only", "upserting"]) == 1
    out = capsys.readouterr().out
    assert "2 of 100" in out
    assert "acknowledged and lost: seed 0, case 1: [bold]d7" in out


def test_what_is_not_installed_is_skipped_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def try_part(name: str, planned: int, seed: int, seconds: float) -> Trial:
        record = FaultRecord("LangChain: failing stores", seed, skipped="LangChain is not installed")
        return Trial(name, record, planned, 0.0)

    monkeypatch.setattr("tests.faults.run.try_part", try_part)
    page = tmp_path / "faults.md"
    assert main(["--only", "langchain", "--write", str(page)]) == 0
    assert "langchain: LangChain is not installed" in capsys.readouterr().out
    assert "| LangChain: failing stores | not installed | – |" in page.read_text()


def test_no_part_begins_when_the_time_is_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--minutes", "0"]) == 1
    assert capsys.readouterr().out.count("not tried, the time is up") == len(PARTS)
