"""What a search costs from the text of a query to its hits: with an exclusion, beside its plain search.

    .venv/bin/python benchmarks/speed/from_text.py ../shared/data/excluir-23k --write

``--rounds 1`` tries the script, and measures little.
"""

import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from contrast_cost import Contestants, Counting
from measure import Claim, Timing, in_turn, option, processor_clock, report, table

from esens import Contrast, Decomposition, Linear, MemoryIndex, Relational, Scorer, Searcher
from esens.decompose import decompose_all, decomposer_of
from esens.embed import Embedder, embedder_of
from esens.embed.cache import CachedEmbedder
from esens.embed.corpus import embed_corpus, embed_texts
from esens.errors import TruncatedTextWarning
from esens.evaluate import read_dataset
from esens.search.plan import plan_query

QUERIES, K = 60, 10
ROUNDS, REPEATS = 9, 1
MOST = 1.5
PLAIN, EMBED_QUERY = "plain", "embedding the query alone"
WAYS: dict[str, Scorer] = {"linear": Linear(), "contrast": Contrast(), "relational": Relational()}
TITLES = {
    "linear": "the paper's, `linear`",
    "contrast": "`contrast`",
    "relational": "**`relational`, the default**",
}
THREE = "query, target and trap"
EMBEDDED = {"linear": "query and trap", "contrast": THREE, "relational": THREE}
Texts = Mapping[str, Sequence[str]]


class Bench:
    """The product over the documents of a benchmark, whose vectors are known; of its queries nothing is."""

    def __init__(self, folder: Path) -> None:
        dataset = read_dataset(folder)
        matrix = embed_corpus(dataset.corpus, CachedEmbedder("minilm"))
        self.name = f"{folder.name}, {len(matrix):,} × {matrix.shape[1]}"
        self.index = MemoryIndex(dataset.corpus, matrix)
        self.embedder: Any = embedder_of("minilm")
        split = chosen(dataset.texts)
        self.queries = list(split)
        self.texts = {way: embedded(split, score) for way, score in WAYS.items()}
        """What is embedded by each score for each query: the query itself, and what its exclusion adds."""
        added = [text for texts in self.texts.values() for one in texts.values() for text in one[1:]]
        distinct = list(dict.fromkeys(added))
        self._vectors = dict(zip(distinct, embed_texts(distinct, self.embedder), strict=True))
        self._searcher = Searcher(self.index, embedder=self.embedder)

    def search(self, way: str, *, is_known: bool = False) -> None:
        """Search with every query, and nothing known of it; or with the vectors of what its exclusion adds."""
        kept = self._searcher._embed_queries._vectors
        for query in self.queries:
            kept.clear()
            for text in self.texts[way][query][1:] if is_known else ():
                kept.put(text, self._vectors[text])
            self._search(self._searcher, way, query)

    def embed(self, texts: Texts) -> None:
        """Embed the texts of every query together, as a search does, and do nothing with them."""
        for query in self.queries:
            embed_texts(texts[query], self.embedder)

    def contestants(self) -> Contestants:
        found: dict[str, Callable[[], object]] = {PLAIN: partial(self.search, PLAIN)}
        found[EMBED_QUERY] = partial(self.embed, {query: [query] for query in self.queries})
        for way in WAYS:
            found[way] = partial(self.search, way)
            found[f"known {way}"] = partial(self.search, way, is_known=True)
            found[EMBEDDED[way]] = partial(self.embed, self.texts[way])
        return found

    def tokens(self, way: str) -> float:
        """Return how many times the tokens of its query a search embeds."""
        texts = [text for one in self.texts[way].values() for text in one]
        return self._count(texts) / self._count(self.queries)

    def _count(self, texts: Sequence[str]) -> int:
        return sum(map(len, self.embedder._tokenize(texts, "")))

    def mentions(self, way: str) -> float:
        """Return how many documents a search embeds again, without a mention that it spares."""
        embedder: Embedder = self.embedder
        counting = Counting(embedder, embedder)
        searcher = Searcher(self.index, embedder=counting)
        for query in self.queries:
            self._search(searcher, way, query)
        return counting.texts / len(self.queries)

    def _search(self, searcher: Searcher, way: str, query: str) -> None:
        if way == PLAIN:
            searcher.search(query, k=K, beta=0)
        else:
            searcher.search(query, k=K, score=WAYS[way])


def chosen(texts: Sequence[str]) -> dict[str, Decomposition]:
    """Return some of the queries in which the rules find an exclusion."""
    found = zip(texts, decompose_all(texts, decomposer_of("rules")), strict=True)
    excluding = [(text, split) for text, split in found if split.traps]
    picked = np.random.default_rng(0).choice(len(excluding), min(QUERIES, len(excluding)), replace=False)
    return dict(excluding[at] for at in sorted(picked.tolist()))


def embedded(split: Mapping[str, Decomposition], score: Scorer) -> dict[str, list[str]]:
    return {query: plan_query(query, one, score, k=K).embedded_texts for query, one in split.items()}


def compare(bench: Bench, timings: Mapping[str, Timing], what: str, claims: list[Claim]) -> str:
    """Return a table of one clock; enter what it says into the claims."""
    plain, alone = timings[PLAIN], timings[EMBED_QUERY]
    rows = [["plain, `beta=0`", _milliseconds(bench, plain), *["1.00"] * 5]]
    for way, title in TITLES.items():
        new, known, texts = timings[way], timings[f"known {way}"], timings[EMBEDDED[way]]
        least = Timing(plain.rounds + texts.rounds - alone.rounds)
        rival = (
            f"its plain search; the bound, with nothing but embedding {EMBEDDED[way]} added, is "
            f"{least.ratio(plain)[0]:.2f} (embedding these takes {texts.ratio(alone)[0]:.2f} of embedding the "
            f"query, for {bench.tokens(way):.2f} of its tokens)"
        )
        claim = f"search with an exclusion from text, {way}, {what}"
        claims.append(Claim.ratio(claim, new, plain, rival, aim=MOST))
        known_rival = "its plain search; the exclusion's texts are known"
        claims.append(Claim.ratio(f"{claim}, the query alone new", known, plain, known_rival, aim=MOST))
        ratios = [_ratio(one, plain) for one in (new, least, known)]
        rows.append([title, _milliseconds(bench, new), *ratios, _ratio(texts, alone), f"{bench.tokens(way):.2f}"])
    return table(["score", "ms a query", "every text new", "bound", "query new", "embedding", "tokens"], rows)


def _milliseconds(bench: Bench, timing: Timing) -> str:
    return f"{timing.median / len(bench.queries):.1f}"


def _ratio(timing: Timing, base: Timing) -> str:
    ratio, low, high = timing.ratio(base)
    return f"{ratio:.2f} ({low:.2f}–{high:.2f})"


def body(bench: Bench, rounds: int, claims: list[Claim]) -> str:
    clocks = {"time": time.perf_counter, "processor time": processor_clock()}
    head = (
        f"{len(bench.queries)} queries of {bench.name}, in which the rules find an exclusion, one after another: "
        f"the text of a query goes in, {K} hits come out of `Searcher.search`. The rules split it, "
        "all-MiniLM-L6-v2 (int8) embeds its texts, and all documents are compared. The vectors of texts that a "
        "searcher keeps are dropped before every query, so that every text is new to it; what the rules know of "
        "words, and what documents were found to say, is kept, as in a process that has run for a while.\n\n"
        "Ratios are to the same queries' plain search in the same run, with 95 % bootstrap intervals over "
        f"{rounds} rounds. The bound is a plain search to which nothing is added but embedding the texts of the "
        "exclusion. “Query new” has these texts embedded before, as where an exclusion comes again. “Embedding” "
        "is embedding all texts of a search together, as the product does, to embedding the query alone, and "
        f"“tokens” how many times its tokens they have. Aim: at most {MOST}; where the bound is above it, no work "
        "around the embedding reaches it, unless a text was embedded before."
    )
    parts = [head]
    for what, clock in clocks.items():
        timings = in_turn(bench.contestants(), rounds=rounds, repeats=REPEATS, clock=clock)
        parts += [f"## {what.capitalize()}", compare(bench, timings, what, claims)]
    counts = ", ".join(f"{bench.mentions(way):.1f} by {way}" for way in WAYS)
    parts.append(f"Documents embedded again for a query, without a mention that is spared: {counts}.")
    return "\n\n".join(parts)


def main() -> None:
    warnings.simplefilter("ignore", TruncatedTextWarning)
    claims: list[Claim] = []
    text = body(Bench(Path(sys.argv[1])), option("--rounds", ROUNDS), claims)
    report("from_text", "What a search from text costs", text, claims)


if __name__ == "__main__":
    main()
