"""A cross-encoder from a folder, with a tiny model made on the spot; tests/models has a real one."""

import math
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.onnx_models import rows_of, write_model

from esens.errors import ModelError
from esens.types import Document, Exclusion
from esens.verify import NoScoresError, relevance_of, verifier_of
from esens.verify.cross_encoder import CrossEncoder

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
OUTPUTS = {"logits": "score"}


def _soon() -> float:
    return time.monotonic() + 5


def _expected(*tokens: str) -> float:
    return 1 / (1 + math.exp(-float(rows_of(*tokens).mean())))


def test_query_and_text_are_read_together_and_pair_by_pair(tmp_path: Path) -> None:
    folder = write_model(tmp_path, outputs=OUTPUTS)
    model = relevance_of(f"cross-encoder:{folder}")
    assert model is not None
    together = model.scores("tea", ["milk", "rum mint"], ends=_soon())
    wanted = [
        _expected("[CLS]", "tea", "[SEP]", "milk", "[SEP]"),
        _expected("[CLS]", "tea", "[SEP]", "rum", "mint", "[SEP]"),
    ]
    np.testing.assert_allclose(together, wanted, rtol=1e-6)
    assert [model.scores("tea", [text], ends=_soon())[0] for text in ("milk", "rum mint")] == together
    assert model.scores("tea", [], ends=_soon()) == []


def test_a_long_text_is_cut(tmp_path: Path) -> None:
    settings = {"config.json": {"max_position_embeddings": 8}}
    model = CrossEncoder(write_model(tmp_path, outputs=OUTPUTS, settings=settings))
    (score,) = model.scores("tea", ["milk " * 100], ends=_soon())
    assert score == pytest.approx(_expected("[CLS]", "tea", "[SEP]", *["milk"] * 4, "[SEP]"))


def test_it_ends_in_time(tmp_path: Path) -> None:
    model = CrossEncoder(write_model(tmp_path, outputs=OUTPUTS), deadline=7)
    with pytest.raises(NoScoresError, match="0 of 2 texts were read within 7 s"):
        model.scores("tea", ["milk", "rum"], ends=time.monotonic() - 1)


def test_the_spec_of_a_verifier_has_a_threshold(tmp_path: Path) -> None:
    folder = write_model(tmp_path, outputs=OUTPUTS)
    pair = (Exclusion("tea", "has"), Document("1", "milk"))
    for threshold, stance in ((0, "affirmed"), (1, None)):
        verifier = verifier_of(f"cross-encoder:{folder}?threshold={threshold}")
        assert verifier is not None
        assert verifier.spec == f"cross-encoder:{folder}"
        (said,) = verifier.verify([pair]).evidence
        assert (said and said.stance) == stance


@pytest.mark.parametrize(
    ("outputs", "why"), [({"x": "pooled"}, "gives 4 numbers for a pair"), ({"x": "hidden"}, "numbers for a pair")]
)
def test_a_model_that_gives_no_single_number_is_none(outputs: dict[str, str], why: str, tmp_path: Path) -> None:
    model = CrossEncoder(write_model(tmp_path, outputs=outputs))
    with pytest.raises(ModelError, match=why):
        model.scores("tea", ["milk"], ends=_soon())


def test_a_name_of_the_hub_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def download(name: str, *, allow_patterns: list[str]) -> str:
        asked.append((name, allow_patterns))
        if name == "org/gone":
            raise OSError("offline")
        return str(write_model(tmp_path, outputs=OUTPUTS))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(snapshot_download=download))
    assert CrossEncoder("org/model").spec == "cross-encoder:org/model"
    assert "onnx/model.onnx" in asked[0][1]
    with pytest.raises(
        ModelError, match=r"org/gone: there is no such folder, and the hub did not give it \(offline\)"
    ):
        CrossEncoder("org/gone")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModelError, match="without huggingface_hub"):
        CrossEncoder("org/model2")
    with pytest.raises(ModelError, match="there is no such folder"):
        CrossEncoder("nowhere")
