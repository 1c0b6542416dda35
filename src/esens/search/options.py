"""What a caller may choose: the score, its weights, and what becomes of what is excluded."""

from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np

from esens.errors import ArgumentError
from esens.score import linear as linears
from esens.score.contrast import Contrast
from esens.score.linear import Weights

SCORES = ("contrast", "linear")
MODES = ("soft", "hard", "flag")
DEFAULT_SCORE, DEFAULT_MODE = "contrast", "soft"
DEFAULT_THRESHOLD = 0.7
"""The degree from which on a document counts as excluded; see benchmarks/results/contrast.md, "Threshold"."""


class Options(TypedDict, total=False):
    """The keywords that search and rerank have in common."""

    score: str | None
    mode: str
    threshold: float | None
    beta: float | None
    variant: str | None
    alpha: float | None
    gamma: float | None
    depth: int | None
    sentences: int
    spare_mentions: bool | None


@dataclass(frozen=True, slots=True)
class Scoring:
    """A score with its weights, and the mode.

    ``depth`` bounds which documents can be found; with None all can. ``sentences`` is how many of the best are
    read sentence by sentence, and ``spare_mentions`` whether mentions in passing are left out of account.
    """

    weights: Weights | Contrast
    mode: str = DEFAULT_MODE
    threshold: float = DEFAULT_THRESHOLD
    depth: int | None = None
    sentences: int = 0
    spare_mentions: bool | None = None

    @classmethod
    def read(cls, options: Options, *, spare_mentions: bool) -> "Scoring":
        """Read the options of a call; one that does not exist is named, with those that do.

        Mentions are spared, unless the options say, where the caller's embedder is known to embed documents.
        """
        unknown = [name for name in options if name not in Options.__annotations__]
        if unknown:
            raise ArgumentError(unknown[0], f"is no option; valid are: {', '.join(Options.__annotations__)}")
        scoring = cls.of(**options)
        return scoring if scoring.spare_mentions is not None else replace(scoring, spare_mentions=spare_mentions)

    @classmethod
    def of(
        cls,
        *,
        score: str | None = None,
        mode: str = DEFAULT_MODE,
        threshold: float | None = None,
        beta: float | None = None,
        variant: str | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        depth: int | None = None,
        sentences: int = 0,
        spare_mentions: bool | None = None,
    ) -> "Scoring":
        """Read the options. A variant is the paper's, so naming one asks for the paper's score."""
        default = DEFAULT_SCORE if variant is None else "linear"
        name = default if score is None else score
        _check_choice("score", name, SCORES)
        _check_choice("mode", mode, MODES)
        if name == "linear":
            _refuse(
                'is of the score "contrast"; the paper\'s "linear" does not have it',
                mode=mode != DEFAULT_MODE,
                threshold=threshold is not None,
                depth=depth is not None,
                sentences=sentences != 0,
                spare_mentions=spare_mentions is not None,
            )
            return cls(_linear(beta=beta, variant=variant, alpha=alpha, gamma=gamma))
        if variant is not None:
            raise ArgumentError("variant", 'is of the score "linear"; "contrast" has alpha and gamma')
        if mode == "flag":
            _refuse("changes the order, which flag keeps", depth=depth is not None, sentences=sentences != 0)
        return cls(
            _contrast(alpha, gamma, beta),
            mode,
            _threshold(threshold, mode),
            None if depth is None else _count("depth", depth, least=1),
            _count("sentences", sentences, least=0),
            spare_mentions,
        )

    @property
    def score(self) -> str:
        """The name of the score."""
        return "contrast" if isinstance(self.weights, Contrast) else "linear"

    @property
    def is_plain(self) -> bool:
        """Whether the exclusion has no weight, so that this is plain retrieval whatever a query excludes."""
        w = self.weights
        if isinstance(w, Contrast):
            return w.beta == 0
        return w.beta == 0 and (w.gamma == 0 or w.alpha == 0)


def _refuse(why: str, **given: bool) -> None:
    for name, is_given in given.items():
        if is_given:
            raise ArgumentError(name, why)


def _linear(*, beta: float | None, variant: str | None, alpha: float | None, gamma: float | None) -> Weights:
    beta = linears.DEFAULT_BETA if beta is None else beta
    return Weights.of(variant=variant, alpha=alpha, gamma=gamma, beta=beta)


def _contrast(alpha: float | None, gamma: float | None, beta: float | None) -> Contrast:
    given = {"alpha": alpha, "gamma": gamma, "beta": beta}
    return Contrast(**{name: value for name, value in given.items() if value is not None})


def _threshold(value: float | None, mode: str) -> float:
    if value is None:
        return DEFAULT_THRESHOLD
    if mode == "soft":
        raise ArgumentError("threshold", 'is where the modes "hard" and "flag" draw the line; "soft" has none')
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float, np.floating, np.integer))
        or not 0 < value <= 1
    ):
        raise ArgumentError("threshold", f"must be a number above 0 and at most 1, got {value!r}")
    return float(value)


def _count(argument: str, value: object, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ArgumentError(argument, f"must be a whole number of at least {least}, got {value!r}")
    return int(value)


def _check_choice(argument: str, value: object, valid: tuple[str, ...]) -> None:
    if value not in valid:
        raise ArgumentError(argument, f"unknown {argument} {value!r}; valid are: {', '.join(valid)}")
