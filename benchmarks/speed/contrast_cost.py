"""What contrast and relational cost beside the paper's score and plain retrieval; and what sentences cost.

.venv/bin/python benchmarks/speed/contrast_cost.py ../shared/data/excluir-23k --write
"""

import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from exact_search import DIMENSION, ROWS, corpus
from measure import Claim, Timing, in_turn, report, table

from esens import Contrast, Decomposition, Document, Linear, MemoryIndex, Results, Scorer, Searcher
from esens.arrays.rank import top_k
from esens.arrays.scan import cores
from esens.decompose import decompose_all, decomposer_of
from esens.demo import load_corpus
from esens.embed import Embedder, embedder_of
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus, embed_texts
from esens.errors import TruncatedTextWarning
from esens.evaluate import read_dataset
from esens.evidence.lead_match import lead_of
from esens.score.base import RawScores
from esens.search.plan import QueryPlan, plan_query
from esens.text.sentences import sentences_of

K, DEPTH, SENTENCES = 10, 50, 30  # the depth of candidate_depth.md
QUERIES, DOCUMENTS, NAMED = 12, 100, 16
ROUNDS, REPEATS = 12, 3
INDEXING_ROUNDS, READING_ROUNDS = 7, 5
PLAIN = "plain: `search(…, beta=0)`"
CONTRAST = 'contrast: `search(…, score="contrast")`'
DEFAULT = "**relational, the default: `search(…)`**"

Contestants = dict[str, Callable[[], object]]


@dataclass(frozen=True)
class Bench:
    """Queries that exclude something, over documents; every vector is known before."""

    name: str
    index: MemoryIndex
    searcher: Searcher
    plans: Sequence[QueryPlan]
    vectors: Mapping[str, np.ndarray]

    @classmethod
    def of(
        cls,
        name: str,
        documents: Sequence[Document],
        matrix: np.ndarray,
        split: Mapping[str, Decomposition],
        embed: Callable[[Sequence[str]], np.ndarray],
    ) -> "Bench":
        plans = [plan_query(query, one, Contrast(), k=K) for query, one in split.items()]
        needed = (text for plan in plans for text in (*plan.texts.flat(), *plan.decomposition.traps))
        texts = list(dict.fromkeys(needed))
        vectors = dict(zip(texts, embed(texts), strict=True))

        def known(texts: Sequence[str]) -> np.ndarray:
            # What a search reads beside these are documents without their mentions of what is excluded.
            if any(text not in vectors for text in texts):
                return embed(texts)
            return np.stack([vectors[text] for text in texts])

        index = MemoryIndex(documents, matrix)
        return cls(name, index, Searcher(index, embedder=known), plans, vectors)

    def search(self, score: Scorer | str | None = None, beta: float | None = None) -> list[Results]:
        queries, split = [plan.query for plan in self.plans], [plan.decomposition for plan in self.plans]
        return self.searcher.search(queries, k=K, decomposition=split, score=score, beta=beta)

    def raw_scores(self) -> list[RawScores]:
        rows = [np.stack([self.vectors[text] for text in plan.texts.flat()]) for plan in self.plans]
        scans = [self.index.scan(texts) for texts in rows]
        raw = [scan.raw if scan.rough is None else scan.rough.raw for scan in scans]
        return [RawScores.of(plan.texts, scores) for plan, scores in zip(self.plans, raw, strict=True)]

    def contestants(self) -> Contestants:
        """Return the searches, and the parts that the last of them is made of."""
        raw = self.raw_scores()
        nearest = [top_k(one.query, NAMED).tolist() for one in raw]

        def bounds() -> None:
            for one in raw:
                top_k(Contrast().terms(one, one.ranges()).score, NAMED)

        lookup = self.index.scan(next(iter(self.vectors.values()))[None]).lookup

        def names() -> None:
            for plan, positions in zip(self.plans, nearest, strict=True):
                leads = [lead_of(document) for document in lookup(positions)]
                _ = [[lead.overlap(terms) for lead in leads] for terms in plan.trap_terms]

        return {
            PLAIN: partial(self.search, beta=0),
            'the paper\'s, query and trap: `search(…, score="linear")`': partial(self.search, score="linear"),
            "the paper's, query, target and trap: `search(…, score=Linear(alpha=0.75, gamma=0.25))`": partial(
                self.search, score=Linear(alpha=0.75, gamma=0.25)
            ),
            f"contrast, of {DEPTH} neighbours each: `search(…, score=Contrast(depth={DEPTH}))`": partial(
                self.search, score=Contrast(depth=DEPTH)
            ),
            "contrast, every mention counted: `search(…, score=Contrast(spare_mentions=False))`": partial(
                self.search, score=Contrast(spare_mentions=False)
            ),
            CONTRAST: partial(self.search, score="contrast"),
            DEFAULT: self.search,
            "of which raw scores of three vectors, rounded": self.raw_scores,
            "of which normalising, and the best by their bounds": bounds,
            f"of which names of {NAMED} candidates": names,
        }


class Counting:
    """An embedder that counts the documents it is given, and asks a second one for them."""

    def __init__(self, queries: Embedder, documents: Embedder) -> None:
        self.name, self.texts = queries.name, 0
        self._queries, self._documents = queries, documents

    def embed_documents(self, texts: Sequence[str]) -> npt.ArrayLike:
        self.texts += len(texts)
        return self._documents.embed_documents(texts)

    def embed_queries(self, texts: Sequence[str]) -> npt.ArrayLike:
        return self._queries.embed_queries(texts)


def made_up() -> Bench:
    """Return one query over made-up vectors, whose documents have the titles of the demo's, over and over."""
    matrix, texts = corpus()
    notes = load_corpus()
    documents = [
        Document(str(i), notes[i % len(notes)].text, f"{notes[i % len(notes)].title} {i // len(notes)}")
        for i in range(ROWS)
    ]
    split = {"query": Decomposition("target", ("trap",))}
    name = f"{ROWS:,} × {DIMENSION} (made-up, clustered), one query"
    return Bench.of(name, documents, matrix, split, lambda names: np.stack([texts[name] for name in names]))


def real(folder: Path) -> Bench:
    """Return the first queries of a benchmark that exclude something, over all of its documents."""
    dataset, embedder = read_dataset(folder), CachedEmbedder("minilm")
    found = zip(dataset.texts, decompose_all(dataset.texts, decomposer_of("rules")), strict=True)
    split = dict([(text, one) for text, one in found if len(one.traps) == 1][:QUERIES])
    matrix = embed_corpus(dataset.corpus, embedder)
    name = f"{folder.name}, {len(matrix):,} × {matrix.shape[1]}, {len(split)} queries a run"
    return Bench.of(name, dataset.corpus, matrix, split, partial(embed_texts, embedder=embedder))


def ratios(timings: Mapping[str, Timing]) -> list[list[str]]:
    base = next(iter(timings.values()))
    found = []
    for name, timing in timings.items():
        ratio, low, high = timing.ratio(base)
        found.append([name, f"{ratio:.2f}", f"{low:.2f} to {high:.2f}"])
    return found


def exact(bench: Bench, claims: list[Claim]) -> str:
    timings = in_turn(bench.contestants(), rounds=ROUNDS, repeats=REPEATS)
    claim = f"exact search with an exclusion, {bench.name}"
    claims.append(Claim.ratio(claim, timings[DEFAULT], timings[PLAIN], "plain search through esens"))
    added = (timings[DEFAULT].median - timings[CONTRAST].median) / len(bench.plans)
    note = f"What texts say costs {added:.1f} ms a query here: the default beside contrast, which does not ask."
    return f"### {bench.name}\n\n{table(['', 'ratio', '95 %'], ratios(timings))}\n\n{note}"


def indexing(documents: Sequence[Document], embedder: Embedder) -> str:
    """Time what could be embedded beside each document, and count the vectors that it leaves."""
    picked = np.random.default_rng(0).choice(len(documents), min(DOCUMENTS, len(documents)), replace=False)
    sample = [documents[at] for at in picked]
    split = [sentences_of(document.text) for document in sample]
    texts = {
        "the documents": [document.content for document in sample],
        "all of their sentences": [sentence for one in split for sentence in one],
        "their first sentences": [one[0] for one in split],
        "their titles": [document.title or one[0] for document, one in zip(sample, split, strict=True)],
    }
    contestants: Contestants = {name: partial(embedder.embed_documents, some) for name, some in texts.items()}
    rows = ratios(in_turn(contestants, rounds=INDEXING_ROUNDS, repeats=1))
    everywhere = sum(len(sentences_of(document.text)) for document in documents) / len(documents)
    counts = ["1.00", f"{everywhere:.2f}", "1.00", "1.00"]
    return table(
        ["embedded", "time", "95 %", "vectors a document"],
        [[*row, count] for row, count in zip(rows, counts, strict=True)],
    )


def reading(bench: Bench, embedder: Embedder) -> str:
    """Time searches that embed their own texts, with and without the sentences of the best documents."""
    with tempfile.TemporaryDirectory() as folder:
        kept = CachedEmbedder(embedder, Path(folder) / "vectors.sqlite")
        fresh, cached = Counting(embedder, embedder), Counting(embedder, kept)
        queries, split = [plan.query for plan in bench.plans], [plan.decomposition for plan in bench.plans]

        def one_by_one(model: Embedder, score: Scorer | None = None, beta: float | None = None) -> None:
            searcher = Searcher(bench.searcher.index, embedder=model)
            for query, decomposition in zip(queries, split, strict=True):
                searcher.search(query, k=K, decomposition=decomposition, score=score, beta=beta)

        by_sentence = Contrast(sentences=SENTENCES)
        one_by_one(cached, by_sentence)
        a_query = cached.texts / len(queries)
        contestants: Contestants = {
            DEFAULT: partial(one_by_one, fresh),
            PLAIN: partial(one_by_one, fresh, beta=0),
            f"`search(…, score=Contrast(sentences={SENTENCES}))`": partial(one_by_one, fresh, by_sentence),
            f"`search(…, score=Contrast(sentences={SENTENCES}))`, all sentences in a `CachedEmbedder`": partial(
                one_by_one, cached, by_sentence
            ),
        }
        rows = ratios(in_turn(contestants, rounds=READING_ROUNDS, repeats=1))
    note = f"Sentences read of the {SENTENCES} best documents: {a_query:.0f} a query."
    return f"{table(['', 'ratio', '95 %'], rows)}\n\n{note}"


def body(folder: Path, claims: list[Claim]) -> str:
    bench, embedder = real(folder), embedder_of("minilm")
    documents = read_dataset(folder).corpus
    return "\n\n".join(
        [
            "## Exact top 10",
            f"Vectors of the queries are given; {cores()} threads. Plain retrieval scores one vector, the "
            "paper's score two, contrast and relational three. The parts were timed on their own; "
            "the default also embeds the texts without a mention that it spares. Aim: about 2 where every "
            "mention counts.",
            exact(bench, claims),
            exact(made_up(), claims),
            "## More vectors at indexing time",
            f"{DOCUMENTS} documents of {folder.name}, embedded by all-MiniLM-L6-v2 (int8), nothing cached; "
            f"vectors a document over all {len(documents):,}.",
            indexing(documents, embedder),
            "## Sentences of the best documents alone",
            f"{len(bench.plans)} queries of {folder.name}, one after another, exact search included, and the "
            "embedding of all that a search needs: query, target and trap (plain: the query), and the sentences.",
            reading(bench, embedder),
        ]
    )


def main() -> None:
    warnings.simplefilter("ignore", TruncatedTextWarning)
    claims: list[Claim] = []
    text = body(Path(sys.argv[1]), claims)
    report("contrast_cost", "What the scores contrast and relational cost", text, claims)


if __name__ == "__main__":
    main()
