"""What each ingredient of the score contrast brings, and what was tried and brings nothing.

.venv/bin/python benchmarks/quality/ingredients.py ../shared/data --write
"""

import argparse
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from setting import RESULTS, SETTINGS, Ranks, by_search, markdown, prepared, reported, values

from esens import Document
from esens.embed.cache import CachedEmbedder
from esens.errors import TruncatedTextWarning
from esens.evaluate import Experiment
from esens.evaluate.methods.base import Sides
from esens.score.contrast import Contrast, Raw, contrast, reach
from esens.score.normalise import Array, Scores, min_max
from esens.search import embed_corpus
from esens.text.sentences import sentences_of

DEFAULT = Contrast()


@dataclass(frozen=True)
class Variant:
    """A form of the score, under a name of its own."""

    name: str
    score: Callable[[Sides], Scores]

    def scores_of(self, sides: Sides) -> Scores:
        """Return the score of every document."""
        return self.score(sides)


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
        found = experiment.ranks([Variant(label, score) for label, score in FORMS.items()])
        found |= _other_names(experiment)
        found |= _other_vectors(experiment)
        found["mentions in passing spared (what a search does)"] = by_search(experiment, "minilm")
        found |= {
            f"and the best {n} read by sentence": by_search(experiment, "minilm", sentences=n)
            for n in (10, 30, 100)
        }
        for label, ranks in found.items():
            means = values(experiment, ranks, reported(folder, experiment)).mean(axis=0)
            cells.setdefault(label, []).append(" / ".join(f"{mean:.3f}" for mean in means))
    heads = [f"{name}, {decomposer.removeprefix('recorded:')}" for name, decomposer in SETTINGS]
    yield from markdown(("", *heads), [(label, *row) for label, row in cells.items()])


def _default(sides: Sides, weights: Contrast = DEFAULT, traps: Array | None = None) -> Scores:
    raw = Raw(sides.raw.query, sides.raw.target, sides.own if traps is None else traps)
    return contrast(weights, raw, over=raw.extents(), names=sides.names).score


def _near(raw: Array) -> Scores:
    """As the sides of the default are normalised."""
    return min_max(raw, reach(raw))


def _priced(sides: Sides, contrasts: Array) -> Scores:
    """Return the default's relevance, less what these contrasts cost at the default's beta."""
    relevance = DEFAULT.alpha * min_max(sides.raw.query) + DEFAULT.gamma * min_max(sides.raw.target)
    return np.asarray(relevance * (1 - np.clip(DEFAULT.beta * contrasts, 0, 1)))


def _summed(sides: Sides) -> Scores:
    """As the default, but a document pays for all traps together."""
    each = np.stack([_near(trap) for trap in sides.own]) - _near(sides.raw.target)
    return _priced(sides, np.maximum(0, each + DEFAULT.naming * sides.names).sum(axis=0))


def _subtracted(sides: Sides) -> Scores:
    """As the default, but what is lost is a part of the whole range, not of the document's own relevance."""
    raw = sides.raw._replace(traps=sides.own)
    terms = contrast(DEFAULT, raw, over=raw.extents(), names=sides.names)
    return terms.relevance - terms.degree


def _uncompared(sides: Sides) -> Scores:
    """As the default, but the trap is not compared with the target: whoever is near it pays."""
    near = np.stack([_near(trap) for trap in sides.own]) + DEFAULT.naming * sides.names
    return _priced(sides, near.max(axis=0) / DEFAULT.beta)


def _by_deviation(sides: Sides) -> Scores:
    """As the default, but the sides are compared in standard deviations of their own scores over the corpus."""
    target, *traps = ((raw - raw.mean()) / raw.std() for raw in (sides.raw.target, *sides.own))
    return _priced(sides, ((np.stack(traps) - target) / 10 + DEFAULT.naming * sides.names).max(axis=0))


def _by_greatest(sides: Sides) -> Scores:
    """As the default, but the greatest score sets the scale of a side, not the second greatest."""
    each = np.stack([min_max(trap) for trap in sides.own]) - min_max(sides.raw.target)
    return _priced(sides, (each + DEFAULT.naming * sides.names).max(axis=0))


def _unguarded(sides: Sides) -> Scores:
    """As the default, but also those pay whose cosine with the trap is clearly below that with the target."""
    each = np.stack([_near(trap) for trap in sides.own]) - _near(sides.raw.target)
    return _priced(sides, (each + DEFAULT.naming * sides.names).max(axis=0))


FORMS: Mapping[str, Callable[[Sides], Scores]] = {
    "the score by itself": _default,
    "without names": lambda sides: _default(sides, Contrast(naming=0.0)),
    "traps as they are, not their own words": lambda sides: _default(sides, traps=sides.raw.traps),
    "relevance from the query alone": lambda sides: _default(sides, Contrast(alpha=1.0, gamma=0.0)),
    "relevance half from the target": lambda sides: _default(sides, Contrast(alpha=0.5, gamma=0.5)),
    "sum over traps instead of the worst †": _summed,
    "the greatest score sets the scale of a side †": _by_greatest,
    "no guard for lists that are all alike †": _unguarded,
    "subtracted from the range, not from its own relevance": _subtracted,
    "trap not compared with the target (beta 1) †": _uncompared,
    "sides in standard deviations (a tenth each) †": _by_deviation,
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
            found |= replace(experiment, dataset=dataset).ranks([Variant(label, _default)])
    else:
        ranks = experiment.ranks([Variant("x", _default)])["x"]
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
        asked, gold = self.experiment.asked, self.experiment.dataset.gold
        documents = embed_corpus(self.experiment.dataset.corpus, CachedEmbedder("minilm"))
        ranks = np.empty(len(gold.query), np.int32)
        for number in range(len(asked)):
            mine = np.flatnonzero(gold.query == number)
            scores = self._scores(documents, number)
            ranks[mine] = [1 + np.count_nonzero(scores > scores[at]) for at in gold.position[mine]]
        return ranks

    def _scores(self, documents: npt.NDArray[np.floating], number: int) -> npt.NDArray[np.floating]:
        asked, weights = self.experiment.asked, DEFAULT
        traps = asked.own[asked.traps_of(number)]
        query = documents @ asked.query[number]
        if not len(traps):
            return np.asarray(query)
        target, *own = (self._mixed(documents, vector) for vector in (asked.target[number], *traps))
        sides = np.stack(own) - target + weights.naming * self.experiment.names.shares(number)
        relevance = weights.alpha * min_max(query) + weights.gamma * min_max(documents @ asked.target[number])
        return np.asarray(relevance * (1 - np.clip(weights.beta * sides.max(axis=0), 0, 1)))

    def _mixed(self, documents: npt.NDArray[np.floating], vector: npt.NDArray[np.floating]) -> Scores:
        return (1 - self.share) * _near(documents @ vector) + self.share * _near(self.matrix @ vector)


if __name__ == "__main__":
    main()
