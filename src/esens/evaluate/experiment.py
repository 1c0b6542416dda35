"""An experiment: a dataset, split and embedded once, then ranked by any method and at any beta.

dataset → decompositions → vectors → ranks → measures, each step kept by what produced it.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from esens.decompose import DEFAULT_DECOMPOSER, Decomposer, decompose_all, decomposer_of
from esens.embed import DEFAULT_EMBEDDER, Embedder, EmbedderLike, embedder_of
from esens.embed.corpus import Progress, embed_corpus, text_scorer
from esens.embed.identity import identify
from esens.errors import ArgumentError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.datasets.trec import Run
from esens.evaluate.measures import PLACE_KS, Measures
from esens.evaluate.methods import METHODS
from esens.evaluate.methods.base import FusesWords, HasStage, LeavesOut, Method, RanksByScorer, ReadsTexts
from esens.evaluate.methods.scorer import ScorerMethod
from esens.evaluate.ranks.corpus_evidence import CorpusEvidence
from esens.evaluate.ranks.frontier import GRID, frontier
from esens.evaluate.ranks.matmul import Corpus
from esens.evaluate.ranks.query_vectors import QueryVectors, embed_queries
from esens.evaluate.ranks.rank_cache import Key, Ranks, Store, code_hash, hash_of
from esens.evaluate.ranks.ranking import method_ranks, method_runs
from esens.evaluate.ranks.shipped_search import ShippedSearch, TextScorers
from esens.evaluate.results import Setup
from esens.index import ScannableIndex
from esens.score.base import Scorer
from esens.score.linear import Linear
from esens.search.options import SCORERS
from esens.types import Decomposition, Exclusion

Documents = npt.NDArray[np.floating] | ScannableIndex
# Shows how far a stage has come: given its name, a context that gives a progress.
Watch = Callable[[str], AbstractContextManager[Progress | None]]

RECORDED = "recorded:"
GOLD = "gold"
"""What a person's splits are recorded as."""
_HASH_LENGTH = 12


def unwatched(_stage: str) -> AbstractContextManager[Progress | None]:
    """Show nothing."""
    return nullcontext()


@dataclass(frozen=True)
class Experiment:
    """A dataset with its decompositions and vectors: all that ranking needs."""

    dataset: Dataset
    decompositions: tuple[Decomposition, ...]
    corpus: Corpus
    query_vectors: QueryVectors
    setup: Setup
    vectors_hash: str | None
    """Of the documents' vectors; None where they are in an index, whose content nobody can vouch for."""
    store: Store | None = None
    watch: Watch = unwatched
    model: Callable[[], Embedder] | None = None
    """Loads the embedder; None where only vectors are known, and no text can be compared."""
    place_ks: tuple[int, ...] = PLACE_KS

    @classmethod
    def prepare(
        cls,
        dataset: Dataset,
        *,
        embedder: EmbedderLike = DEFAULT_EMBEDDER,
        decomposer: str | Decomposer = DEFAULT_DECOMPOSER,
        documents: Documents | None = None,
        query_vectors: QueryVectors | None = None,
        store: Store | None = None,
        watch: Watch = unwatched,
        place_ks: tuple[int, ...] = PLACE_KS,
    ) -> "Experiment":
        """Split and embed a dataset.

        ``documents`` (a matrix in the corpus's order, or an index) and ``query_vectors`` spare the embedding of
        documents and of queries; with the latter nothing is split, so that traps have no text. The decomposer may
        be ``recorded:NAME``, for decompositions that the dataset brings along (``recorded:gold``, a person's);
        queries without are then left out. ``place_ks`` are the numbers of first places that are looked at, where
        queries have several wanted and several excluded documents.
        """
        if not dataset.corpus:
            raise ArgumentError("dataset", f"{dataset.name} has no documents to rank, only queries")
        if not len(dataset.gold.query):
            problem = f"no query has a judged document in {dataset.name}, so there is nothing to measure"
            raise ArgumentError("dataset", ". ".join((problem, *dataset.notes)))
        dataset, decompositions = _split(dataset, decomposer, query_vectors, watch)
        model = cache(lambda: embedder_of(embedder))  # loaded only if there is something to embed
        embedder_id = ", ".join(_makers(model, documents, query_vectors))
        matrix, queries = _vectors(dataset, decompositions, model, documents, query_vectors, watch)
        corpus = Corpus(matrix)
        _check_sizes(dataset, corpus, queries)
        setup = Setup(
            dataset=dataset.name,
            dataset_hash=dataset.hash,
            queries=len(dataset.queries),
            documents=len(dataset.corpus),
            queries_with_answer=dataset.queries_with_answer,
            queries_with_excluded=dataset.queries_with_excluded,
            embedder=embedder_id,
            decomposer=_name_of(decomposer) if query_vectors is None else "given vectors",
            queries_with_trap=int(np.count_nonzero(np.diff(queries.first))),
            version=version("esens"),
            notes=(*dataset.notes, *_notes(dataset, decompositions, has_traps=len(queries.traps) > 0)),
        )
        vectors_hash = hash_of(matrix) if isinstance(matrix, np.ndarray) and store is not None else None
        loads = model if query_vectors is None else None
        return cls(dataset, decompositions, corpus, queries, setup, vectors_hash, store, watch, loads, place_ks)

    @cached_property
    def measures(self) -> Measures:
        """What ranks of this dataset are worth."""
        return Measures.of(self.dataset, self.place_ks)

    @cached_property
    def evidence(self) -> CorpusEvidence:
        """What the documents' words say of what each query excludes."""
        return CorpusEvidence(self.dataset.corpus, self.decompositions, self.query_vectors, self._text_scorers)

    @cached_property
    def search(self) -> ShippedSearch | None:
        """The search that is shipped, over this corpus; None where texts cannot be compared."""
        if self._text_scorers is None:
            return None
        return ShippedSearch(self.dataset, self.decompositions, self.query_vectors, self._text_scorers)

    @property
    def _text_scorers(self) -> TextScorers | None:
        return None if self.model is None else partial(text_scorer, self.model())

    def sweep(self, scorer: Scorer, betas: npt.NDArray[np.floating]) -> Ranks:
        """Return the ranks of the judged documents by a scorer at every beta (a column each)."""
        if isinstance(scorer, Linear):  # whose ranks at all betas come from one look
            return self.frontier(alpha=scorer.alpha, gamma=scorer.gamma, betas=betas)
        record: Any = scorer
        methods = [ScorerMethod(replace(record, beta=float(beta))) for beta in betas]
        ranks = self.ranks(methods)
        return np.stack([ranks[method.name] for method in methods], axis=1)

    def frontier(self, *, alpha: float = 1.0, gamma: float = 0.0, betas: npt.NDArray[np.floating] = GRID) -> Ranks:
        """Return the ranks of the judged documents at every beta."""
        key = {"frontier": f"{alpha!r} {gamma!r}", "betas": hash_of(np.asarray(betas, float))}
        cached = self._cached(key)
        if cached is not None:
            return cached
        with self.watch("ranking at every beta") as progress:
            ranks = frontier(
                self.corpus,
                self.query_vectors,
                self.dataset.gold,
                betas,
                alpha=alpha,
                gamma=gamma,
                progress=progress,
            )
        self._cache(key, ranks)
        return ranks

    def ranks(self, methods: Sequence[Method]) -> dict[str, Ranks]:
        """Return the ranks of the judged documents by each method."""
        keys = {method.name: self._method_key(method) for method in methods}
        cached = {name: self._cached(key) for name, key in keys.items()}
        missing = [method for method in methods if cached[method.name] is None]
        computed: dict[str, Ranks] = {}
        if missing:
            with self.watch("ranking by every method") as progress:
                computed = method_ranks(
                    missing,
                    self.dataset,
                    self.corpus,
                    self.query_vectors,
                    self.evidence,
                    progress,
                    search=self.search,
                )
        for name, ranks in computed.items():
            self._cache(keys[name], ranks)
        return {name: computed[name] if ranks is None else ranks for name, ranks in cached.items()}

    def runs(self, methods: Sequence[Method], depth: int) -> dict[str, Run]:
        """Return the first documents of every query by each method, as TREC's tools read them."""
        parts = (self.dataset, self.corpus, self.query_vectors, self.evidence)
        return dict(method_runs(methods, *parts, depth, search=self.search))

    def _method_key(self, method: Method) -> Key | None:
        """Return what ranks by a method depend on beside vectors and gold.

        Of a method that is not ours only the name is known, which says too little to cache anything by.
        """
        if isinstance(method, ReadsTexts):
            is_ours = type(method) in METHODS.values()
            return (
                {"method": method.name, "dataset": self.dataset.hash, "library": method.library}
                if is_ours
                else None
            )
        if isinstance(method, HasStage):  # of other models nobody knows here whether they are still the same
            return None
        if isinstance(method, RanksByScorer):
            key = self._scorer_key(method.scorer)
            if key is None or not isinstance(method, FusesWords):
                return key
            return {**key, "hybrid": repr(method.hybrid), "library": method.library}
        if type(method) not in METHODS.values():
            return None
        key = {"method": method.name}
        return key | _texts_key(self.dataset, self.decompositions) if isinstance(method, LeavesOut) else key

    def _scorer_key(self, scorer: Scorer) -> Key | None:
        if type(scorer) not in SCORERS.values():
            return None
        key = {"scorer": repr(scorer)}
        if scorer.is_linear:  # so no text is read
            return key
        key |= _texts_key(self.dataset, self.decompositions)
        if self.model is not None:
            key |= {"embedder": identify(self.model()).hash}
            return key if key["embedder"] else None
        return key

    def _cached(self, key: Key | None) -> Ranks | None:
        if self.store is None or self.vectors_hash is None or key is None:
            return None
        return self.store.get(self._whole(key))

    def _cache(self, key: Key | None, ranks: Ranks) -> None:
        if self.store is not None and self.vectors_hash is not None and key is not None:
            self.store.put(self._whole(key), ranks)

    def _whole(self, key: Key) -> Key:
        return {**self._inputs, **key}

    @cached_property
    def _inputs(self) -> dict[str, str]:
        return {
            "documents": str(self.vectors_hash),
            "queries": _hash_of_queries(self.query_vectors),
            "gold": hash_of(*self.dataset.gold),
            "code": code_hash(),
            "numpy": np.__version__,
            "simsimd": version("simsimd"),
        }


def _split(
    dataset: Dataset, decomposer: str | Decomposer, query_vectors: QueryVectors | None, watch: Watch
) -> tuple[Dataset, tuple[Decomposition, ...]]:
    if query_vectors is not None:
        return dataset, tuple(Decomposition(text) for text in dataset.texts)
    if isinstance(decomposer, str) and decomposer.startswith(RECORDED):
        return _with_record(dataset, decomposer.removeprefix(RECORDED))
    with watch("splitting queries") as progress:
        return dataset, tuple(decompose_all(dataset.texts, decomposer_of(decomposer), progress))


def _vectors(
    dataset: Dataset,
    decompositions: Sequence[Decomposition],
    model: Callable[[], Embedder],
    documents: Documents | None,
    query_vectors: QueryVectors | None,
    watch: Watch,
) -> tuple[Documents, QueryVectors]:
    """Return what is given, and embed what is not."""
    if documents is None:
        with watch("embedding documents") as progress:
            documents = embed_corpus(dataset.corpus, model(), progress)
    if query_vectors is None:
        with watch("embedding queries") as progress:
            query_vectors = embed_queries(dataset.texts, decompositions, model(), progress)
    return documents, query_vectors


def _makers(
    model: Callable[[], Embedder], documents: Documents | None, query_vectors: QueryVectors | None
) -> Iterator[str]:
    """Name what vectors come from: a model by its name, arrays by their content."""
    if documents is None or query_vectors is None:
        yield model().name
    if isinstance(documents, np.ndarray):
        yield f"given document vectors (SHA-256 {hash_of(documents)[:_HASH_LENGTH]})"
    elif documents is not None:
        yield "the vectors of a given index"
    if query_vectors is not None:
        yield f"given query vectors (SHA-256 {_hash_of_queries(query_vectors)[:_HASH_LENGTH]})"


def _name_of(decomposer: str | Decomposer) -> str:
    return decomposer if isinstance(decomposer, str) else getattr(decomposer, "name", "given")


def _with_record(dataset: Dataset, name: str) -> tuple[Dataset, tuple[Decomposition, ...]]:
    """Return the queries whose decomposition by this name the dataset brings along, and those."""
    recorded_queries = tuple(query for query in dataset.queries if _record(query, name) is not None)
    if not recorded_queries:
        names = sorted({name for query in dataset.queries for name in query.recorded})
        names += [GOLD] if any(query.split for query in dataset.queries) else []
        has = f"it has: {', '.join(names)}" if names else "it has none"
        raise ArgumentError("decomposer", f"{dataset.name} has no decompositions recorded as {name!r}; {has}")
    left_out = len(dataset.queries) - len(recorded_queries)
    note = f"{left_out} of {len(dataset.queries)} queries have no decomposition by {name} and are left out."
    notes = (*dataset.notes, note) if left_out else dataset.notes
    splits = tuple(split for query in recorded_queries if (split := _record(query, name)) is not None)
    return replace(dataset, queries=recorded_queries, notes=notes), splits


def _record(query: Query, name: str) -> Decomposition | None:
    """Return how a query is recorded to be split; a person's split is the gold one."""
    return query.recorded.get(name, query.split if name == GOLD else None)


def _notes(dataset: Dataset, decompositions: Sequence[Decomposition], *, has_traps: bool) -> Iterator[str]:
    fallbacks = sum(bool(split.provenance.failure) for split in decompositions)
    if fallbacks:
        yield f"The decomposer gave no answer to {fallbacks} queries, which the rules split instead."
    if not any(split.traps for split in decompositions) and has_traps:
        yield "The traps have no texts, so the score contrast has no names to go by."
    if not any(query.excluded for query in dataset.queries):
        yield "No query has an excluded document, so there is no violation to measure."


def _hash_of_queries(query_vectors: QueryVectors) -> str:
    return hash_of(
        query_vectors.query, query_vectors.target, query_vectors.traps, query_vectors.first, query_vectors.distinct
    )


def _check_sizes(dataset: Dataset, corpus: Corpus, query_vectors: QueryVectors) -> None:
    if len(corpus) != len(dataset.corpus):
        raise ArgumentError(
            "document vectors", f"{len(corpus)} rows for {len(dataset.corpus)} documents; give one each, in order"
        )
    if len(query_vectors) != len(dataset.queries):
        raise ArgumentError(
            "query vectors",
            f"{len(query_vectors)} rows for {len(dataset.queries)} queries; give one each, in order",
        )


def _texts_key(dataset: Dataset, decompositions: Sequence[Decomposition]) -> dict[str, str]:
    """Return what words depend on: the documents' texts, and the decompositions."""
    split = json.dumps([[split.target, list(map(_exclusion_key, split.exclusions))] for split in decompositions])
    return {"dataset": dataset.hash, "decompositions": hashlib.sha256(split.encode()).hexdigest()}


def _exclusion_key(exclusion: Exclusion) -> list[object]:
    return [exclusion.text, exclusion.relation, exclusion.weight, exclusion.is_literal]
