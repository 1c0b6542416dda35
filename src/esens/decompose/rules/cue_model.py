"""How likely a cue excludes something: a logistic model over what can be seen of it, trained on queries of people.

The weights are a file in this package; benchmarks/quality/train_cue_model.py trains them and says on what. A
language without weights is read by the vetoes of its table alone.
"""

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from esens.decompose.rules.features import features_of
from esens.decompose.rules.query_text import Cue, QueryText
from esens.decompose.rules.vetoes import VetoRule


class CueModel(NamedTuple):
    """The weight of each feature, and what the sum of all is shifted by; features without a weight say nothing."""

    weights: dict[str, float]
    family_weights: dict[str, dict[str, float]]
    """For each family of cues the weight of a feature, together with what it weighs beside this family."""
    shift: float
    threshold: float
    """From this probability on a cue counts as one that excludes."""

    @classmethod
    def of(cls, weights: dict[str, float], shift: float, threshold: float) -> "CueModel":
        """Sort the weights of features that count together with a family of cues ("feature & family")."""
        families: dict[str, dict[str, float]] = defaultdict(weights.copy)
        for name, weight in weights.items():
            feature, _, family = name.rpartition(" & ")
            if feature:
                families[family][feature] = weights.get(feature, 0.0) + weight
        return cls(weights, families, shift, threshold)

    def probability(self, query: QueryText, cue: Cue, doubts: Sequence[VetoRule]) -> float:
        """Return how likely a cue excludes something, with the rules that speak against it."""
        family, alone, shared = features_of(query, cue, doubts)
        beside = self.family_weights.get(family, self.weights)
        logit = sum(filter(None, map(self.weights.get, alone)), self.shift)
        logit += sum(filter(None, map(beside.get, shared)))
        return 1 / (1 + math.exp(-logit))


@cache
def cue_model(language: str) -> CueModel | None:
    """Return the model of a language; None where there is none."""
    file = resources.files(__package__) / "weights" / f"{language}.json"
    if not file.is_file():
        return None
    stored = json.loads(file.read_text(encoding="utf-8"))
    return CueModel.of(stored["weights"], stored["shift"], stored["threshold"])
