"""One implementation of each score: an evaluation ranks as a search does, document by document."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.words import by_words

from esens import Contrast, Decomposition, Document, Hybrid, Linear, Relational, Results, Scorer, Searcher
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.experiment import Experiment
from esens.evaluate.measures import NOT_RANKED
from esens.evaluate.methods import METHODS, method_of
from esens.evaluate.methods.base import FusesWords, Method, RanksByScorer
from esens.evaluate.methods.scorer import ScorerMethod
from esens.search.evidence import MENTION_TEXTS

WORDS = ("lemon", "oil", "salt", "bread", "garlic", "butter", "cellar", "autumn", "market", "kitchen")
NAMES = ("vinegar", "polar bear", "mustard seed", "white vinegar", "bear")
TARGETS = ("dressing", "lemon dressing for bread", "kitchen of the market", "white bread")
SENTENCES = (
    "The {a} is mixed with {b} and left alone.",
    "In {a} people look for {b} before noon.",
    "Some say that {name} would do as well.",
    "It was sold beside {name} and {a} for years.",
    "This {a} is a kind of {name} from abroad.",
    "All about {name}\n",
    "{name} and {a} are known everywhere.",
)
PASSING = "Then {name}, more {name} and again {name} would do."
TITLES = ("", "{a}", "{a} and {b}", "{name}", "{a} without {name}", "{name} of the {a}")
METHODS_OF_BOTH = [name for name, kind in METHODS.items() if name == "plain" or isinstance(kind(), RanksByScorer)]


class Embedder:
    """By words, where no vectors are given; every text is embedded once, for laws are tried on many worlds."""

    name = "words"

    def __init__(self, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        self._vectors = vectors

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.stack([self._vectors[text] if self._vectors else _vector(text) for text in texts])

    embed_queries = embed_documents


@cache
def _vector(text: str) -> npt.NDArray[np.float32]:
    return np.asarray(by_words([text])[0])


class World(NamedTuple):
    """Documents with words, and a query of which target and traps are known."""

    documents: tuple[Document, ...]
    query: str
    decomposition: Decomposition
    vectors: Mapping[str, npt.NDArray[np.float32]] = MappingProxyType({})

    def searched(self, k: int, scorer: Scorer) -> Results:
        return self.searcher().search(self.query, k=k, score=scorer, decomposition=self.decomposition)

    def searcher(self) -> Searcher:
        return Searcher.from_documents(self.documents, embedder=Embedder(self.vectors))

    def ranks(self, method: Method) -> dict[str, int]:
        """The rank of every document in an evaluation, in which every document is judged."""
        query = Query("q", self.query, {document.id: 1 for document in self.documents})
        experiment = Experiment.prepare(
            Dataset("world", (query,), self.documents),
            embedder=Embedder(self.vectors),
            decomposer=lambda _: self.decomposition,
        )
        judged = [document for _, document, _ in experiment.dataset.judged]
        return dict(zip(judged, experiment.ranks([method])[method.name].tolist(), strict=True))


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Up to 12 different documents, and copies of them; a seed is drawn, and it chooses the words."""
    random = Random(draw(st.integers(0, 2**32 - 1)))
    names = random.sample(NAMES, draw(st.integers(0, 3)))
    target = random.choice(TARGETS)

    def filled(template: str) -> str:
        name = random.choice(names or NAMES)
        # A part of a name is no mention of it, and names a document in part.
        name = random.choice([name, name, name, name.split()[-1]])
        return template.format(a=random.choice(WORDS), b=random.choice(WORDS), name=name)

    def document(number: int) -> Document:
        kind, title = random.choice(("passing", "passing", "wanted", "any")), filled(random.choice(TITLES))
        templates = random.choices(SENTENCES, k=random.randint(1, 6))
        if kind == "passing":  # three sentences of something else, and then the name more than once
            title, templates = random.choice(("", "autumn")), [*random.choices(SENTENCES[:2], k=3), PASSING]
        text = " ".join(filled(template).capitalize() for template in templates)
        return Document(str(number), f"{text} The best {target} is there." if kind == "wanted" else text, title)

    different = [document(number) for number in range(draw(st.integers(1, 12)))]
    copied = enumerate(random.choices(different, k=draw(st.integers(0, 28))))
    documents = [*different, *(replace(document, id=f"copy {number}") for number, document in copied)]
    random.shuffle(documents)
    traps = tuple(random.choice((name, name, f"{target} such as {name}")) for name in names)
    query = f"{target} {random.choice(WORDS)} but not {' or '.join(names)}"
    return World(tuple(documents), query, Decomposition(target, traps))


def _assert_same_ranks(world: World, method: Method, scorer: Scorer) -> None:
    ranks, searcher = world.ranks(method), world.searcher()
    # What "hard" leaves out has no rank. A stable sort: equal ranks keep corpus order.
    in_order = sorted((id_ for id_, rank in ranks.items() if rank != NOT_RANKED), key=ranks.__getitem__)
    count = len(ranks)
    for k in range(count + 1) if count <= 8 else (0, 1, 2, 3, 5, 10, count // 2, count - 1, count, count + 1):
        hits = searcher.search(
            world.query, k=k, score=scorer, decomposition=world.decomposition, hybrid=_hybrid_of(method)
        )
        assert [(hit.id, hit.rank) for hit in hits] == [(id_, ranks[id_]) for id_ in in_order[:k]]


def _scorer_of(method: Method) -> Scorer:
    return method.scorer if isinstance(method, RanksByScorer) else Contrast(beta=0)


def _hybrid_of(method: Method) -> Hybrid | bool:
    return method.hybrid if isinstance(method, FusesWords) else False


def test_these_methods_are_those_that_both_have() -> None:
    assert METHODS_OF_BOTH == [
        "plain",
        "baseline-minus-trap",
        "target-minus-trap",
        "contrast",
        "esens",
        "esens-hard",
        "hybrid",
        "hybrid-rrf",
        "esens-hybrid",
        "esens-hybrid-rrf",
    ]


@pytest.mark.parametrize("name", METHODS_OF_BOTH)
@given(world=worlds(), beta=st.none() | st.floats(0, 5))
def test_an_evaluation_ranks_as_a_search_does(name: str, world: World, beta: float | None) -> None:
    # The parameter of hybrid search is a share.
    parameter = beta if beta is None or "hybrid" not in name else beta / 5
    method = method_of(name if parameter is None or name == "plain" else f"{name}:{parameter}")
    _assert_same_ranks(world, method, _scorer_of(method))


weights = st.sampled_from([0.0, 0.3, 1.0, 2.0])
some_contrasts = st.builds(
    Contrast,
    beta=weights,
    alpha=st.sampled_from([0.1, 1.0]),
    gamma=weights,
    naming=st.sampled_from([0.0, 0.2, 1.0]),
    spare_mentions=st.booleans(),
)
some_relationals = st.builds(
    Relational,
    beta=weights,
    gamma=st.just(0.25),
    query_share=st.sampled_from([0.0, 0.5]),
    spare_mentions=st.booleans(),
)
some_linears = st.builds(Linear, beta=weights, alpha=st.sampled_from([0.1, 1.0]), gamma=weights)


@given(world=worlds(), scorer=some_contrasts | some_relationals | some_linears)
def test_so_it_does_by_a_scorer_with_any_parameters(world: World, scorer: Contrast | Linear) -> None:
    _assert_same_ranks(world, ScorerMethod(scorer), scorer)


@pytest.mark.parametrize("spare_mentions", [True, False])
def test_where_names_have_no_weight_they_count_in_neither(spare_mentions: bool) -> None:
    # Of "named" the cosine with the trap is clearly below that with the target, and yet among the greatest.
    documents = tuple(Document(title, "text", title) for title in ("vinegar", "oil", "lemon", "salt"))
    near = {"query": [0.3, 0.2, 0.25, 0.1], "target": [0.60, 0.80, 0.81, 0.62], "vinegar": [0.45, 0.1, 0.12, 0.44]}
    known = np.array(list(near.values()), np.float32).T
    matrix = np.concatenate([known, np.sqrt(1 - np.square(known).sum(axis=1, keepdims=True))], axis=1)
    vectors = dict(zip(near, np.eye(3, 4, dtype=np.float32), strict=True))
    vectors |= {document.content: row for document, row in zip(documents, matrix, strict=True)}
    world = World(documents, "query", Decomposition("target", ("vinegar",)), vectors)
    scorer = Contrast(naming=0, spare_mentions=spare_mentions)
    _assert_same_ranks(world, ScorerMethod(scorer), scorer)


def test_the_default_search_is_the_method_esens() -> None:
    method = method_of("esens")
    assert isinstance(method, RanksByScorer)
    results = _kitchen(4).searcher().search("dressing without vinegar")
    assert results.scoring.parameters == {
        name: getattr(method.scorer, name) for name in results.scoring.parameters
    }
    assert results.scoring.name == method.scorer.name


def _kitchen(count: int) -> World:
    """Documents that mention vinegar in passing, a dressing, and one about vinegar."""
    passing = tuple(
        Document(
            f"passing {number}",
            f"It is mixed with oil for {number} minutes. Salt and garlic come at the end of it. "
            "Bread from the market is eaten with it. Then vinegar, more vinegar and again vinegar would do.",
        )
        for number in range(count)
    )
    others = (
        Document("dressing", "Dressing is mixed from lemon and oil.", "Dressing"),
        Document("lemon dressing", "Dressing of lemon keeps for a day."),
        Document("vinegar", "Vinegar keeps for years in a cellar.", "Vinegar"),
    )
    return World((*others, *passing), "dressing without vinegar", Decomposition("dressing", ("vinegar",)))


def test_mentions_in_passing_are_spared_in_both_and_that_changes_ranks() -> None:
    world = _kitchen(6)
    hits = world.searched(9, Contrast())
    assert sum(hit.explanation.mention_ignored for hit in hits) == 6
    spared, counted = world.ranks(ScorerMethod(Contrast())), world.ranks(method_of("contrast"))
    assert spared != counted
    assert spared == {hit.id: hit.rank for hit in hits}
    assert counted == {hit.id: hit.rank for hit in world.searched(9, Contrast(spare_mentions=False))}


@pytest.mark.parametrize("k", [1, 10, 60, MENTION_TEXTS + 43])
def test_only_so_many_documents_are_embedded_again_and_they_are_the_same_ones(k: int) -> None:
    world = _kitchen(MENTION_TEXTS + 40)
    ranks = world.ranks(ScorerMethod(Contrast()))
    hits = world.searched(k, Contrast())
    assert [(hit.id, hit.rank) for hit in hits] == [(hit.id, ranks[hit.id]) for hit in hits]
    ignored = sum(hit.explanation.mention_ignored for hit in hits)
    assert ignored == MENTION_TEXTS if k > MENTION_TEXTS else ignored <= k
