"""Made-up evaluations that look like real ones: shares of some thousand queries, with intervals to match."""

from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from esens.evaluate.measures import AVERAGED_KS
from esens.evaluate.results import Curve, Evaluation, MethodResult, Setup
from esens.evaluate.statistics import Comparison, Interval, Intervals

QUERIES = 3452
BETAS = np.arange(101) / 100

SETUP = Setup(
    dataset="ExcluIR",
    dataset_hash="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    queries=QUERIES,
    documents=90_406,
    embedder="minilm",
    decomposer="rules",
    queries_with_trap=3301,
    version="0.1.0",
    notes=("12 queries without an answer in the corpus were left out.",),
)


def share(mean: float, queries: int = QUERIES) -> Interval:
    """Return a share with the interval it would have over so many queries."""
    half = 1.96 * float(np.sqrt(max(mean * (1 - mean), 0) / queries))
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half))


def method_result(
    name: str, recall: float, violation: float | None, *, plain: tuple[float, float] | None
) -> MethodResult:
    """Return a method of about this recall and violation, compared with plain retrieval's two."""
    measures = {"avg_recall": share(recall), "recall@1": share(recall * 0.7), "recall@5": share(recall * 1.001)}
    measures |= {"mrr@10": share(recall * 0.8), "ndcg@10": share(recall * 0.85)}
    if violation is not None:
        measures |= {"avg_violation": share(violation), "violation@5": share(violation * 0.99)}
        measures |= {
            "rr": share(1 - violation / 2),
            "first_violation": Interval(1 / (violation + 0.01), 1.0, 120.5),
        }
        found = recall * 0.7 - violation / 2
        measures["delta_r@1"] = Interval(found, found - 0.014, found + 0.014)
    return MethodResult(name, measures, _compared(recall, violation, plain) if plain else {})


def curve(variant: str = "baseline-minus-trap", start: float = 0.937, violation: float = 0.88) -> Curve:
    """Return a curve like those of the paper: recall holds and then falls, violation falls and then holds."""
    measures = {}
    for k in AVERAGED_KS:
        recall = start + 0.004 * (k - 5) - 0.16 * BETAS**4 * (1 + 0.05 * (9 - k))
        violations = (violation + 0.015 * (k - 5)) / (1 + np.exp(9 * (BETAS - 0.38))) * 1.03 + 0.03
        measures[f"recall@{k}"], measures[f"violation@{k}"] = _shares(recall), _shares(violations)
    for name in ("recall", "violation"):
        means = np.mean([measures[f"{name}@{k}"].mean for k in AVERAGED_KS], axis=0)
        measures[f"avg_{name}"] = _shares(means)
    changes = {name: found.mean - found.mean[0] for name, found in measures.items()}
    against_zero = {name: Intervals(by, by - 0.004, by + 0.004) for name, by in changes.items()}
    return Curve(variant, BETAS, measures, against_zero)


def only_at(curve: Curve, betas: list[float]) -> Curve:
    """Return the same curve, measured at a few betas."""
    kept = np.searchsorted(curve.betas, betas)
    return Curve(
        curve.variant,
        curve.betas[kept],
        {name: Intervals(*(part[kept] for part in found)) for name, found in curve.measures.items()},
    )


def _shares(means: np.ndarray) -> Intervals:
    found = [share(float(mean)) for mean in np.clip(means, 0, 1)]
    return Intervals(*(np.array(part) for part in zip(*found, strict=True)))


def _compared(recall: float, violation: float | None, plain: tuple[float, float]) -> dict[str, Comparison]:
    changes = {"avg_recall": recall - plain[0]}
    if violation is not None:
        changes["avg_violation"] = violation - plain[1]
    return {name: Comparison(Interval(by, by - 0.006, by + 0.006), _p(by)) for name, by in changes.items()}


def _p(difference: float) -> float:
    return max(0.0001, 1 - abs(difference) * 150)


PLAIN = (0.937, 0.879)
METHODS: Mapping[str, tuple[float, float]] = {
    "linear:0.3": (0.9369, 0.5502),
    "linear:0.5": (0.9259, 0.2514),
    "subtract:0.4": (0.921, 0.49),
    "project": (0.887, 0.36),
    "filter:0.6": (0.905, 0.31),
    "target only": (0.902, 0.412),
    "bm25": (0.861, 0.823),
    "rocchio:0.5": (0.9305, 0.66),
}

EVALUATION = Evaluation(
    SETUP,
    (
        method_result("plain", *PLAIN, plain=None),
        *(method_result(name, *found, plain=PLAIN) for name, found in METHODS.items()),
    ),
    (curve(), curve("target-minus-trap", 0.915, 0.45)),
)

OUTLIER = "anti-rrf:60"
WITH_DEFAULT = Evaluation(
    SETUP,
    (
        *EVALUATION.methods,
        method_result(OUTLIER, 0.181, 0.08, plain=PLAIN),
        replace(method_result("esens", 0.931, 0.2, plain=PLAIN), about="The default search.", is_default=True),
    ),
    (curve("esens", 0.94, 0.8), *EVALUATION.curves),
)
"""As the command makes it: with the default search, and with a method that finds next to nothing."""

WITHOUT_EXCLUSIONS = Evaluation(
    SETUP,
    (method_result("plain", 0.8, None, plain=None), method_result("linear:0.3", 0.799, None, plain=(0.8, 0.0))),
)
PAIRS_ONLY = Evaluation(
    SETUP,
    (
        MethodResult("plain", {"pairwise": share(0.18, 1383)}),
        MethodResult("linear:0.3", {"pairwise": share(0.31, 1383)}),
    ),
)
ONE_METHOD = Evaluation(SETUP, EVALUATION.methods[:1])


def _of_places(name: str, excluded: float, wanted: float, *, compared: bool = True) -> MethodResult:
    measures = {"excluded@1": share(excluded, 320), "denied_kept": share(0.7, 24)}
    for k in (5, 10):
        measures |= {
            f"excluded@{k}": share(excluded, 320),
            f"wanted@{k}": share(wanted, 320),
            f"lost@{k}": share(0.1),
        }
    by = Comparison(Interval(-0.1, -0.12, -0.08), 0.0001)
    return MethodResult(
        name, measures, dict.fromkeys(("excluded@1", "excluded@5", "wanted@10"), by) if compared else {}
    )


PLACES = Evaluation(
    SETUP, (_of_places("plain", 0.36, 0.18, compared=False), _of_places("target-only", 0.21, 0.48))
)
SEVERAL = replace(PLACES, parts=(PLACES, replace(PLACES, setup=replace(SETUP, dataset="recipes"))))

EVIL = "<script>alert('|')</script> & \\_{$%#~^}* [x] `y` 茶"
EMPTY = Evaluation(SETUP, ())
NO_CURVES = replace(EVALUATION, curves=())
NO_METHODS = replace(EVALUATION, methods=())
ONE_BETA = replace(EVALUATION, curves=(only_at(curve(), [0.3]),))
NAMED_BY_ENEMIES = Evaluation(
    replace(SETUP, dataset=EVIL, embedder=EVIL, decomposer=EVIL, notes=(EVIL,)),
    (method_result(EVIL, 0.9, 0.5, plain=None), method_result(EVIL * 3, 0.8, 0.4, plain=PLAIN)),
    (curve(EVIL),),
)
ALL = {
    "usual": EVALUATION,
    "with the default": WITH_DEFAULT,
    "no curves": NO_CURVES,
    "no methods": NO_METHODS,
    "no exclusions": WITHOUT_EXCLUSIONS,
    "pairs": PAIRS_ONLY,
    "one method": ONE_METHOD,
    "one beta": ONE_BETA,
    "enemies": NAMED_BY_ENEMIES,
    "nothing": EMPTY,
    "places": PLACES,
    "several sets": SEVERAL,
}

every_evaluation = pytest.mark.parametrize("evaluation", ALL.values(), ids=ALL.keys())
needs_matplotlib = pytest.mark.skipif(find_spec("matplotlib") is None, reason="the extra evaluate is absent")
