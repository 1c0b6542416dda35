"""The methods to compare, one small file each. A method is named by a short spec: ``plain``, ``subtract:0.4``."""

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from esens.errors import ArgumentError, UnknownSpecError
from esens.evaluate.methods.anti_rrf import AntiReciprocalRankFusion
from esens.evaluate.methods.base import Method
from esens.evaluate.methods.bm25 import BM25
from esens.evaluate.methods.contrast import ContrastAlone, DefaultSearch, HardSearch
from esens.evaluate.methods.deo import DirectEmbeddingOptimization
from esens.evaluate.methods.hybrid import ExclusionHybrid, ExclusionRankFusion, PlainHybrid, PlainRankFusion
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

METHODS: Mapping[str, type[Any]] = {
    "plain": Plain,
    "target-only": TargetOnly,
    "keyword-not": KeywordNot,
    "bm25": BM25,
    "rrf": ReciprocalRankFusion,
    "anti-rrf": AntiReciprocalRankFusion,
    "subtract": Subtract,
    "negative-mean": NegativeMean,
    "move-away": MoveAway,
    "orthogonal": Orthogonal,
    "sum-scores": SumScores,
    "best-score": BestScore,
    "deo": DirectEmbeddingOptimization,
    "itlr": LogicalProduct,
    "baseline-minus-trap": BaselineMinusTrap,
    "target-minus-trap": TargetMinusTrap,
    "contrast": ContrastAlone,
    "esens": DefaultSearch,
    "esens-hard": HardSearch,
    "hybrid": PlainHybrid,
    "hybrid-rrf": PlainRankFusion,
    "esens-hybrid": ExclusionHybrid,
    "esens-hybrid-rrf": ExclusionRankFusion,
}
"""Every method by its name. What is after the colon of a spec is the one field that a method may have."""

DEFAULT_METHODS = tuple(name for name, kind in METHODS.items() if not issubclass(kind, PlainHybrid))
"""The rows of a comparison, in their order, each with the parameter that it has by default.

Two legs are compared with two legs, so those methods are rows only where they are named.
"""


def methods_of(specs: str) -> tuple[Method, ...]:
    """Return the methods that a list of specs such as ``plain,subtract:0.4,deo`` names, each once."""
    return tuple(dict.fromkeys(method_of(spec) for spec in specs.split(",")))


def method_of(spec: str) -> Method:
    """Return the method that a spec names; without a colon its parameter is the default."""
    name, colon, value = spec.strip().partition(":")
    if name not in METHODS:
        raise UnknownSpecError("method", spec, map(_form, METHODS))
    kind, parameter = METHODS[name], _parameter(name)
    if colon and not parameter:
        raise ArgumentError("method", f"{name} has no parameter, got {spec.strip()!r}")
    method: Method = kind(_number(f"{name}:{parameter.upper()}", value)) if colon else kind()
    return method


def _parameter(name: str) -> str:
    return "".join(field.name for field in fields(METHODS[name]))


def _form(name: str) -> str:
    parameter = _parameter(name)
    return f"{name}[:{parameter.upper()}]" if parameter else name


def _number(form: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise ArgumentError("method", f"{form} wants a finite number of at least 0, got {value!r}")
    return number + 0.0  # so that −0 is 0
