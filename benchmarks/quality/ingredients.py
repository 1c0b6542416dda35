"""What each ingredient of the score contrast brings, and what was tried and brings nothing.

.venv/bin/python benchmarks/quality/ingredients.py ../shared/data --write
"""

import argparse
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from setting import RESULTS, SETTINGS, Ranks, by_search, markdown, prepared, reported, values

from esens import Contrast, Document
from esens.arrays.ranges import score_range
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus
from esens.errors import TruncatedTextWarning
from esens.evaluate import Experiment
from esens.evaluate.methods import methods_of
from esens.score.base import RawScores, Readings, ScoreRanges, Terms
from esens.score.normalise import Array, Scores, min_max
from esens.text.sentences import sentences_of

DEFAULT = Contrast(spare_mentions=False)


@dataclass(frozen=True)
class Variant:
    """A form of the score, under a name of its own."""

    name: str
    scorer: Contrast


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", TruncatedTextWarning)
    lines = [
        "# What each ingredient brings",
        "",
        "Each row changes one thing in the default score; those marked † also lack its guard. Avg. R / Avg. V / "
        "R@1 on the second half of "
        "excluir-23k, "
        "which chose nothing, and on boolquestions-not; all-MiniLM-L6-v2. Rows of 244 to 323 queries: a point of "
        "Avg. R is two or three of them, and most differences below two points are noise (the intervals in "
        "contrast.md are three to four points wide to each side).",
        "",
        *table(options.folder),
        f"Command: `.venv/bin/python benchmarks/quality/ingredients.py {options.folder} --write`",
        "",
    ]
    print("\n".join(lines))
    if options.write:
        (RESULTS / "ingredients.md").write_text("\n".join(lines), encoding="utf-8")


def table(folder: Path) -> Iterator[str]:
    cells: dict[str, list[str]] = {}
    for name, decomposer in SETTINGS:
        experiment = prepared(folder, name, decomposer, "minilm")
        found = experiment.ranks([Variant(label, scorer) for label, scorer in FORMS.items()])
        found |= _other_names(experiment)
        found |= _other_vectors(experiment)
        found["mentions in passing spared (what a search does)"] = experiment.ranks(methods_of("esens"))["esens"]
        found |= {
            f"and the best {n} read by sentence": by_search(experiment, "minilm", Contrast(sentences=n))
            for n in (10, 30, 100)
        }
        for label, ranks in found.items():
            means = values(experiment, ranks, reported(folder, experiment)).mean(axis=0)
            cells.setdefault(label, []).append(" / ".join(f"{mean:.3f}" for mean in means))
    heads = [f"{name}, {decomposer.removeprefix('recorded:')}" for name, decomposer in SETTINGS]
    yield from markdown(("", *heads), [(label, *row) for label, row in cells.items()])


def _near(raw: Array) -> Scores:
    """As the sides of the default are normalised: from the least to the second greatest."""
    over = score_range(raw)
    return min_max(raw, over._replace(high=over.second) if over.second > over.low else over)


def _target(raw: RawScores) -> Array:
    assert raw.target is not None
    return raw.target


@dataclass(frozen=True, kw_only=True)
class Form(Contrast):
    """The default with the contrasts computed in another way; every mention counts."""

    spare_mentions: bool = False

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        """Return the default's relevance, less what these contrasts cost at the default's beta."""
        relevance = self.alpha * min_max(raw.query, ranges.query) + self.gamma * min_max(
            _target(raw), ranges.target
        )
        sides = self.sides(raw, np.zeros(raw.traps.shape) if readings is None else readings.names)
        share = np.clip(self.beta * sides.max(axis=0), 0, 1)
        return Terms(relevance, relevance * share, sides, share)

    def sides(self, raw: RawScores, names: Scores) -> Scores:
        """Return the contrast of every document with every trap, or with all of them together; without a guard."""
        return np.stack([_near(trap) for trap in raw.traps]) - _near(_target(raw)) + self.naming * names


class TrapsAsTheyAre(Contrast):
    """As the default, but a trap is taken with what it repeats of the target."""

    @property
    def distinct_traps(self) -> bool:
        """Not here."""
        return False


class Summed(Form):
    """As the default, but a document pays for all traps together."""

    def sides(self, raw: RawScores, names: Scores) -> Scores:
        """Return the sum of what each trap costs."""
        return np.asarray(np.maximum(0, Form.sides(self, raw, names)).sum(axis=0, keepdims=True))


class Subtracted(Contrast):
    """As the default, but what is lost is a part of the whole range, not of the document's own relevance."""

    def terms(self, raw: RawScores, ranges: ScoreRanges, readings: Readings | None = None) -> Terms:
        """Return the share itself as the penalty."""
        terms = Contrast.terms(self, raw, ranges, readings)
        assert terms.penalty_share is not None
        return terms._replace(penalty=terms.penalty_share)


class Uncompared(Form):
    """As the default, but the trap is not compared with the target: whoever is near it pays."""

    def sides(self, raw: RawScores, names: Scores) -> Scores:
        """Return how near the traps are."""
        return (np.stack([_near(trap) for trap in raw.traps]) + self.naming * names) / self.beta


class ByDeviation(Form):
    """As the default, but the sides are compared in standard deviations of their own scores over the corpus."""

    def sides(self, raw: RawScores, names: Scores) -> Scores:
        """Return the difference of the deviations, a tenth of it."""
        target, *traps = ((scores - scores.mean()) / scores.std() for scores in (_target(raw), *raw.traps))
        return np.asarray((np.stack(traps) - target) / 10 + self.naming * names, np.float64)


class ByGreatest(Form):
    """As the default, but the greatest score sets the scale of a side, not the second greatest."""

    def sides(self, raw: RawScores, names: Scores) -> Scores:
        """Return the difference of the normalised scores."""
        return np.stack([min_max(trap) for trap in raw.traps]) - min_max(_target(raw)) + self.naming * names


FORMS: Mapping[str, Contrast] = {
    "the score by itself": DEFAULT,
    "without names": replace(DEFAULT, naming=0.0),
    "traps as they are, not their own words": TrapsAsTheyAre(spare_mentions=False),
    "relevance from the query alone": replace(DEFAULT, alpha=1.0, gamma=0.0),
    "relevance half from the target": replace(DEFAULT, alpha=0.5, gamma=0.5),
    "sum over traps instead of the worst †": Summed(),
    "the greatest score sets the scale of a side †": ByGreatest(),
    "no guard for lists that are all alike †": Form(),
    "subtracted from the range, not from its own relevance": Subtracted(spare_mentions=False),
    "trap not compared with the target (beta 1) †": Uncompared(),
    "sides in standard deviations (a tenth each) †": ByDeviation(),
}


def _other_names(experiment: Experiment) -> dict[str, Ranks]:
    """Return the ranks with names from titles only, or from openings only."""
    corpus = experiment.dataset.corpus
    found: dict[str, Ranks] = {}
    if any(document.title for document in corpus):
        for label, change in (
            ("names from the title only", lambda document: replace(document, text=".")),
            ("names from the opening only", lambda document: replace(document, title="")),
        ):
            dataset = replace(experiment.dataset, corpus=tuple(map(change, corpus)))
            found |= replace(experiment, dataset=dataset).ranks([Variant(label, DEFAULT)])
    else:
        ranks = experiment.ranks([Variant("x", DEFAULT)])["x"]
        found = {"names from the title only": experiment.ranks([Variant("x", FORMS["without names"])])["x"]}
        found["names from the opening only"] = ranks
    return found


def _other_vectors(experiment: Experiment) -> dict[str, Ranks]:
    """Return the ranks where the sides are compared also by vectors of titles or first sentences."""
    model = CachedEmbedder("minilm")
    corpus = experiment.dataset.corpus
    leads = embed_corpus([Document(d.id, d.title or sentences_of(d.text)[0]) for d in corpus], model)
    firsts = embed_corpus([Document(d.id, sentences_of(d.text)[0]) for d in corpus], model)
    found = {}
    for label, matrix in (("title", leads), ("first sentence", firsts)):
        for share in (0.3, 0.6):
            form = _Mixed(f"{share:g} of the sides from the {label}'s vector †", matrix, share, experiment)
            found[form.name] = form.ranks()
    return found


@dataclass(frozen=True)
class _Mixed:
    """The default with both sides mixed from the document's vector and another one of its."""

    name: str
    matrix: npt.NDArray[np.floating]
    share: float
    experiment: Experiment

    def ranks(self) -> Ranks:
        """Return the rank of every judged document."""
        asked, gold = self.experiment.query_vectors, self.experiment.dataset.gold
        documents = embed_corpus(self.experiment.dataset.corpus, CachedEmbedder("minilm"))
        ranks = np.empty(len(gold.query), np.int32)
        for number in range(len(asked)):
            mine = np.flatnonzero(gold.query == number)
            scores = self._scores(documents, number)
            ranks[mine] = [1 + np.count_nonzero(scores > scores[at]) for at in gold.position[mine]]
        return ranks

    def _scores(self, documents: npt.NDArray[np.floating], number: int) -> npt.NDArray[np.floating]:
        asked, weights = self.experiment.query_vectors, DEFAULT
        traps = asked.distinct[asked.traps_of(number)]
        query = documents @ asked.query[number]
        if not len(traps):
            return np.asarray(query)
        target, *own = (self._mixed(documents, vector) for vector in (asked.target[number], *traps))
        sides = np.stack(own) - target + weights.naming * self.experiment.evidence.names(number)
        relevance = weights.alpha * min_max(query) + weights.gamma * min_max(documents @ asked.target[number])
        return np.asarray(relevance * (1 - np.clip(weights.beta * sides.max(axis=0), 0, 1)))

    def _mixed(self, documents: npt.NDArray[np.floating], vector: npt.NDArray[np.floating]) -> Scores:
        return (1 - self.share) * _near(documents @ vector) + self.share * _near(self.matrix @ vector)


if __name__ == "__main__":
    main()
