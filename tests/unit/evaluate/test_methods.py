import sys

import numpy as np
import numpy.typing as npt
import pytest
from tests.streams import printed

from esens import Contrast, Document, Relational
from esens.errors import ArgumentError, MissingExtraError, UnknownSpecError
from esens.evaluate.methods import DEFAULT_METHODS, METHODS, method_of, methods_of
from esens.evaluate.methods.anti_rrf import AntiReciprocalRankFusion
from esens.evaluate.methods.base import (
    CombinesScores,
    LeavesOut,
    MovesQuery,
    RanksByScorer,
    ReadsTexts,
    SplitScores,
    SplitVectors,
    spec_of,
)
from esens.evaluate.methods.bm25 import BM25
from esens.evaluate.methods.contrast import ContrastAlone, DefaultSearch, HardSearch
from esens.evaluate.methods.deo import STEPS, DirectEmbeddingOptimization, gradient, loss
from esens.evaluate.methods.itlr import LogicalProduct
from esens.evaluate.methods.keyword_not import KeywordNot
from esens.evaluate.methods.linear import BaselineMinusTrap, TargetMinusTrap
from esens.evaluate.methods.move_away import MoveAway
from esens.evaluate.methods.negative_mean import NegativeMean
from esens.evaluate.methods.orthogonal import Orthogonal
from esens.evaluate.methods.plain import Plain
from esens.evaluate.methods.recommend import BestScore, SumScores
from esens.evaluate.methods.rrf import ReciprocalRankFusion
from esens.evaluate.methods.subtract import Subtract
from esens.evaluate.methods.target_only import TargetOnly
from esens.score.base import RawScores

EAST, NORTH, UP = np.eye(3, dtype=np.float32)
SLANTED = np.array([0.6, 0.8, 0], np.float32)
ASKED = SplitVectors(query=SLANTED, target=EAST, traps=NORTH[None])
RAW = SplitScores(
    query=np.array([0.9, 0.8, 0.1, 0.2]),
    target=np.array([0.3, 0.7, 0.5, 0.1]),
    traps=np.array([[0.8, 0.2, 0.6, 0.1]]),
)


def unit(*shape: int) -> npt.NDArray[np.float32]:
    rows = np.random.default_rng(sum(shape)).standard_normal(shape)
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


def direction(vector: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    return np.asarray(vector / np.linalg.norm(vector), np.float64)


def test_plain_is_the_querys_own_scores() -> None:
    assert Plain().scores(RAW).tolist() == RAW.query.tolist()


def test_linear_is_the_papers_score_in_both_variants() -> None:
    query, target, trap = (RAW.query - 0.1) / 0.8, (RAW.target - 0.1) / 0.6, (RAW.traps[0] - 0.1) / 0.7
    raw = RawScores(*RAW)
    baseline, by_target = BaselineMinusTrap(0.3).scorer, TargetMinusTrap(0.3).scorer
    np.testing.assert_allclose(baseline.terms(raw, raw.ranges()).score, query - 0.3 * trap)
    np.testing.assert_allclose(by_target.terms(raw, raw.ranges()).score, target - 0.3 * trap)


def test_ours_are_the_scores_of_a_search() -> None:
    assert ContrastAlone(1.5).scorer == Contrast(beta=1.5, spare_mentions=False)
    assert DefaultSearch().scorer == Relational()
    assert (DefaultSearch().name, DefaultSearch(1.5).name) == ("esens", "esens:1.5")


def test_rank_fusion_adds_reciprocal_ranks() -> None:
    by_hand = [1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 64 + 1 / 62, 1 / 63 + 1 / 64]
    np.testing.assert_allclose(ReciprocalRankFusion().scores(RAW), by_hand)


def test_anti_fusion_subtracts_those_of_every_trap() -> None:
    by_hand = np.array([1 / 11 - 1 / 11, 1 / 12 - 1 / 13, 1 / 14 - 1 / 12, 1 / 13 - 1 / 14])
    np.testing.assert_allclose(AntiReciprocalRankFusion(10).scores(RAW), by_hand, atol=1e-15)
    twice = SplitScores(RAW.query, RAW.target, np.concatenate([RAW.traps, RAW.traps]))
    by_hand -= 1 / (10 + np.array([1, 3, 2, 4]))
    np.testing.assert_allclose(AntiReciprocalRankFusion(10).scores(twice), by_hand, atol=1e-15)


def test_subtraction_subtracts_every_trap() -> None:
    np.testing.assert_allclose(Subtract(0.5).vector(ASKED), [0.6, 0.3, 0], atol=1e-7)
    several = SplitVectors(SLANTED, EAST, np.stack([NORTH, UP]))
    np.testing.assert_allclose(Subtract(0.5).vector(several), [0.6, 0.3, -0.5], atol=1e-7)


def test_the_negative_mean_is_of_the_target_and_the_traps() -> None:
    several = SplitVectors(SLANTED, EAST, np.stack([NORTH, UP]))
    np.testing.assert_allclose(NegativeMean(0.5).vector(several), [0.5, -0.25, -0.25])
    from_query = SplitVectors(SLANTED, SLANTED, several.traps)
    np.testing.assert_allclose(
        direction(NegativeMean(0.5).vector(from_query)), direction(Subtract(0.5).vector(several)), atol=1e-7
    )


def test_moving_away_is_half_the_force_along_the_difference() -> None:
    several = SplitVectors(SLANTED, EAST, np.stack([NORTH, UP]))
    np.testing.assert_allclose(MoveAway(1).vector(several), [0.6 + 0.3, 0.8 + 0.15, -0.25], atol=1e-7)
    as_subtraction = Subtract(0.5 / 2.5).vector(ASKED)
    np.testing.assert_allclose(direction(MoveAway(0.5).vector(ASKED)), direction(as_subtraction), atol=1e-7)


def test_what_is_left_is_orthogonal_to_every_trap_and_nothing_else_is_gone() -> None:
    query, *traps = unit(4, 12)
    asked = SplitVectors(query, query, np.stack([*traps, traps[0]]))
    left = Orthogonal().vector(asked)
    np.testing.assert_allclose(asked.traps @ left, 0, atol=1e-7)
    basis = np.linalg.qr(np.stack(traps).T.astype(np.float64))[0]
    np.testing.assert_allclose(left, query - basis @ (basis.T @ query), atol=1e-7)


def test_summed_scores_are_positives_minus_negatives() -> None:
    np.testing.assert_allclose(SumScores().scores(RAW), [0.4, 1.3, 0, 0.2], atol=1e-15)


def test_the_best_score_is_the_nearest_examples() -> None:
    raw = SplitScores(
        np.array([0.5, 0.2, -0.5, 0.3]), np.array([0.1, 0.3, -0.6, 0.3]), np.array([[0.4, 1, -0.8, 0.3]])
    )
    by_hand = [(1 + 0.5 / 1.5) / 2, -(1 + 1 / 2) / 2, (1 - 0.5 / 1.5) / 2, -(1 + 0.3 / 1.3) / 2]
    np.testing.assert_allclose(BestScore().scores(raw), by_hand)


def test_qdrant_says_the_same() -> None:
    qdrant = pytest.importorskip("qdrant_client", reason="compares with Qdrant's own client where it is installed")
    models, client = qdrant.models, qdrant.QdrantClient(":memory:")
    documents, (query, target, *traps) = unit(40, 8), unit(4, 8)
    client.create_collection("c", vectors_config=models.VectorParams(size=8, distance=models.Distance.COSINE))
    client.upsert("c", [models.PointStruct(id=i, vector=v.tolist()) for i, v in enumerate(documents)])
    raw = SplitScores(documents @ query, documents @ target, np.stack(traps) @ documents.T)
    for method in (SumScores(), BestScore()):
        found = client.query_points(
            "c",
            query=models.RecommendQuery(
                recommend=models.RecommendInput(
                    positive=[query.tolist(), target.tolist()],
                    negative=[trap.tolist() for trap in traps],
                    strategy=models.RecommendStrategy(method.name.replace("-", "_")),
                )
            ),
            limit=len(documents),
        ).points
        theirs = {point.id: point.score for point in found}
        np.testing.assert_allclose(method.scores(raw), [theirs[i] for i in range(len(documents))], atol=1e-6)


def test_the_gradient_is_that_of_the_loss() -> None:
    vector, query, target, *traps = unit(5, 6)
    asked, at = SplitVectors(query, target, np.stack(traps)), vector.astype(np.float64)
    tiny = 1e-5 * np.eye(6)
    differences = [(loss(at + step, asked) - loss(at - step, asked)) / 2e-5 for step in tiny]
    np.testing.assert_allclose(gradient(at, asked), differences, atol=1e-6)


def test_optimisation_goes_down_the_loss_and_by_no_more_than_its_steps() -> None:
    query, target, *traps = unit(4, 6)
    asked = SplitVectors(query, target, np.stack(traps))
    moved = DirectEmbeddingOptimization(0.01).vector(asked)
    assert loss(moved, asked) < loss(query.astype(np.float64), asked)
    # While the slope keeps its sign, a step of Adam is as long as the rate in every dimension.
    assert np.abs(moved - query).max() <= 0.01 * STEPS * 1.01
    first = DirectEmbeddingOptimization(1e-6).vector(asked) - query
    downhill = -np.sign(gradient(query.astype(np.float64), asked))
    np.testing.assert_allclose(first, 1e-6 * STEPS * downhill, rtol=1e-3)


def test_the_losss_minimum_is_where_the_docstring_says() -> None:
    query, target, trap = unit(3, 6)
    asked = SplitVectors(query, target, trap[None])
    minimum = query + 5 * (target.astype(np.float64) - trap)
    np.testing.assert_allclose(gradient(minimum, asked), 0, atol=1e-6)


CORPUS = [
    Document("0", "The harbour is closed in winter."),
    Document("1", "Violins are made of maple and spruce.", title="Violin"),
    Document("2", "A cello is larger than a violin."),
]


def test_bm25_ranks_first_what_holds_the_words() -> None:
    scores = BM25().over(CORPUS)("instruments other than the violin")
    assert scores.dtype == np.float64
    assert scores.argmax() == 2
    assert scores[0] == 0 < scores[1]


def test_bm25_is_the_formula() -> None:
    # Lucene's idf and saturation; lengths are without the stop words is, in, the, a, are, of, and.
    lengths, found = np.array([3, 5, 4]), np.array([0, 1, 1])
    idf = np.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    by_hand = idf * found / (found + 1.5 * (1 - 0.75 + 0.75 * lengths / lengths.mean()))
    np.testing.assert_allclose(BM25().over(CORPUS)("violin"), by_hand)


@pytest.mark.parametrize("query", ["", "the", "xylophone"])
def test_bm25_of_no_known_word_is_zero(query: str) -> None:
    assert BM25().over(CORPUS)(query).tolist() == [0, 0, 0]
    assert BM25().over([Document("0", "the"), Document("1", "")])(query).tolist() == [0, 0]


def test_bm25_is_silent(capfd: pytest.CaptureFixture[str]) -> None:
    BM25().over(CORPUS)("violin")
    assert printed(capfd) == ""


def test_a_missing_extra_gives_the_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(MissingExtraError, match=r'bm25s is not installed.*pip install "esens\[hybrid\]"'):
        BM25().over(CORPUS)


def test_target_only_searches_with_the_target() -> None:
    assert TargetOnly().vector(ASKED).tolist() == EAST.tolist()


def test_itlr_is_the_truth_of_target_and_not_trap() -> None:
    assert LogicalProduct().scores(RAW) == pytest.approx([0.06, 0.56, 0.2, 0.09])
    two = RAW._replace(traps=np.array([[0.8, 0.2, 0.6, 0.1], [0.5, -0.3, 0.0, 1.0]]))
    assert LogicalProduct().scores(two) == pytest.approx([0.03, 0.56, 0.2, 0.0])


def test_keyword_not_drops_what_contains_the_words_and_nothing_else() -> None:
    texts = ("Wine VINEGAR, aged.", "Vinegars of all kinds", "red wine and vinegar", "a red  wine-vinegar", "")
    contain = KeywordNot().leaves_out([Document(str(number), text, "On") for number, text in enumerate(texts)])
    assert contain(["vinegar"]).tolist() == [True, False, True, True, False]
    assert contain(["wine vinegar"]).tolist() == [True, False, False, True, False]
    assert contain(["vinegars", "RED wine"]).tolist() == [False, True, True, True, False]
    assert not contain(["…"]).any()
    assert not contain([]).any()


def test_hard_search_is_the_default_in_that_mode() -> None:
    assert HardSearch().scorer == Relational(mode="hard")
    assert (HardSearch().name, HardSearch(1.5).name) == ("esens-hard", "esens-hard:1.5")


@pytest.mark.parametrize("spec", DEFAULT_METHODS)
def test_every_method_has_a_name_that_finds_it_and_one_protocol(spec: str) -> None:
    method = method_of(spec)
    assert method.name.partition(":")[0] == spec
    assert method_of(method.name) == method
    kinds = (MovesQuery, CombinesScores, RanksByScorer, ReadsTexts, LeavesOut)
    assert sum(isinstance(method, kind) for kind in kinds) == 1


def test_specs_are_read() -> None:
    assert methods_of("plain, subtract:0.4,deo:0.01,subtract") == (
        Plain(),
        Subtract(0.4),
        DirectEmbeddingOptimization(0.01),
    )
    assert method_of("baseline-minus-trap:0") == BaselineMinusTrap(0)
    assert method_of("rrf:-0").name == "rrf:0"


def test_a_name_keeps_every_digit() -> None:
    assert [spec_of("x", value) for value in (0.4, 60.0, 1, 0.1 + 0.2)] == [
        "x:0.4",
        "x:60",
        "x:1",
        "x:0.30000000000000004",
    ]


@pytest.mark.parametrize("spec", ["", "other", "Plain", "plain;bm25", ":0.4"])
def test_an_unknown_method_lists_the_valid_ones(spec: str) -> None:
    with pytest.raises(
        UnknownSpecError, match=r"plain, target-only, keyword-not, bm25, rrf\[:K\].*subtract\[:WEIGHT\]"
    ) as raised:
        methods_of(spec)
    assert len(raised.value.valid) == len(METHODS)


@pytest.mark.parametrize("value", ["", "x", "-0.1", "nan", "inf", "1e999"])
def test_a_parameter_is_a_finite_number_of_at_least_zero(value: str) -> None:
    with pytest.raises(ArgumentError, match=r"subtract:WEIGHT wants a finite number of at least 0"):
        method_of(f"subtract:{value}")


@pytest.mark.parametrize("spec", ["plain:1", "orthogonal:", "bm25:1.2"])
def test_a_method_without_a_parameter_takes_none(spec: str) -> None:
    with pytest.raises(ArgumentError, match="has no parameter"):
        method_of(spec)
