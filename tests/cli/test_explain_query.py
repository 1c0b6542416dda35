"""``esens explain-query``: what it prints, and what it says when that makes no sense."""

import json
from pathlib import Path

import numpy as np
import pytest

from esens.cli.main import main
from esens.search.native import NATIVE_ENGINES

QUERY = "pain relief without opioids"


@pytest.mark.parametrize("engine", NATIVE_ENGINES)
def test_the_texts_are_named_beside_the_query(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-query", "--engine", engine, "--collection", "shop.docs", "--field", "v", QUERY]) == 0
    printed = capsys.readouterr()
    score, *texts = printed.err.splitlines()
    assert "contrast" in score
    assert texts == [f"query: {QUERY}", "target: pain relief", "trap 1: opioids"]
    assert "docs" in printed.out


def test_vectors_and_ranges_are_those_of_an_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("lance")
    (tmp_path / "docs.jsonl").write_text(
        "".join(f'{{"text": "{text}"}}\n' for text in ("aspirin", "opioids", "tea"))
    )
    spec = f"{tmp_path / 'my.lance'}"
    assert main(["index", str(tmp_path / "docs.jsonl"), "--to", spec]) == 0
    capsys.readouterr()
    assert main(["explain-query", "--engine", "qdrant", "--index", spec, "--score", "linear", QUERY]) == 0
    body = json.loads(capsys.readouterr().out.partition("\n")[2])
    query, trap = (np.array(part["query"]) for part in body["prefetch"])
    limits = body["query"]["defaults"]
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-5)
    assert limits["esens_trap_1_high"] > limits["esens_trap_1_second"] >= limits["esens_trap_1_low"]
    assert query.shape == trap.shape


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["pain relief"], "excludes nothing"),
        ([QUERY, "--score", "relational"], "reads the texts of documents"),
        ([QUERY, "--field", "a'b"], "--field: may have letters"),
        ([QUERY, "--candidates", "0"], "--candidates"),
        ([QUERY, "--beta", "-1"], "--beta"),
        ([QUERY, "-k", "-1"], "-k"),
    ],
)
def test_what_makes_no_sense_is_said(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain-query", "--engine", "vespa", *arguments]) == 2
    assert problem in capsys.readouterr().err
