"""Rounded vectors spare work and change nothing: neither who is among the best nor any number that is shown."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from esens import Contrast, Decomposition, Document, Exclusion, Linear, MemoryIndex, Relational, Scorer, Searcher
from esens.arrays import searched
from esens.arrays.quantized import quantize, rough_scan
from esens.arrays.scan import scan
from esens.arrays.unit import Vectors, unit_rows
from esens.index import prepare_index
from esens.search import preselect, retrieve, shortlist
from esens.search.candidates import CandidateSet

DIMENSION, GROUPS = 24, 6
SPLIT = Decomposition("target", ("trap", "other trap"))
PROPERTY = Decomposition("target", exclusions=(Exclusion("trap", "has", is_decided=True),))
WORDS = ("salad", "dressing", "oil", "vinegar", "no", "trap", "target", "without", "other", "The", "cream.")
SCORERS = (
    Relational(),
    Relational(words=0.0, beta=1.0),
    Contrast(spare_mentions=False),
    Contrast(sentences=3, spare_mentions=False),
    Linear(beta=0.4),
    Linear(alpha=0.75, gamma=0.25, beta=1.5),
    Linear(beta=0.0),
    Relational(mode="hard"),
    Contrast(mode="hard", threshold=0.3, spare_mentions=False),
    Relational(mode="flag"),
)
numbers = st.floats(-1, 1, width=32) | st.sampled_from([0.0, 1.0, -1.0, 1e-3])


class World:
    """Documents in groups, some of them twice; queries near two of the groups, traps near others."""

    def __init__(self, seed: int, count: int, noise: float) -> None:
        random = np.random.default_rng(seed)
        groups = random.standard_normal((GROUPS, DIMENSION))
        vectors = groups[random.integers(0, GROUPS, count)] + noise * random.standard_normal((count, DIMENSION))
        vectors[random.integers(0, count, count // 8)] = vectors[0]
        vectors[random.integers(0, count, 3)] = 0
        self.vectors = unit_rows(vectors.astype(np.float32))
        texts = [" ".join(random.choice(WORDS, random.integers(1, 9))) for _ in range(count)]
        self.documents = [
            Document(str(at), text, text.partition(" ")[0], {"at": at}) for at, text in enumerate(texts)
        ]
        self._texts = dict(zip(("query", "target", "trap", "other trap"), groups, strict=False))
        self._texts["query"] = groups[0] + groups[1]
        self._random = random

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = [self._texts.setdefault(text, self._random.standard_normal(DIMENSION)) for text in texts]
        return np.stack(rows).astype(np.float32)

    def search(self, **options: Any) -> str:
        """Return what the second search finds: the first rounds nothing."""
        searcher = Searcher(MemoryIndex(self.documents, self.vectors), embedder=self.embed)
        for _ in range(2):
            results = searcher.search("query", **{"decomposition": SPLIT, **options})
        return results.to_json()


worlds = st.builds(World, st.integers(0, 2**16), st.integers(300, 450), st.sampled_from([0.05, 0.5, 2.0]))


@contextmanager
def preselecting(first: int = 60) -> Iterator[list[bool]]:
    """Have few documents preselected; the list says of each search whether they were."""
    was: list[bool] = []

    def noted(*given: Any) -> Any:
        few = preselect.preselected(*given)
        was.append(few is not None)
        return few

    with (
        patch.object(searched, "FEWEST", 0),
        patch.object(preselect, "_WORTH_IT", 0),
        patch.multiple(shortlist, _FIRST=first, _A_RESULT=0),
        patch.object(retrieve, "preselected", noted),
    ):
        yield was


@given(
    arrays(np.float32, st.tuples(st.integers(1, 40), st.shared(st.integers(1, 33), key="d")), elements=numbers),
    arrays(np.float32, st.tuples(st.integers(1, 4), st.shared(st.integers(1, 33), key="d")), elements=numbers),
    st.integers(1, 2),
)
@example(np.zeros((3, 5), np.float32), np.ones((1, 5), np.float32), 1)
def test_a_rounded_score_is_off_by_no_more_than_its_bound(rows: Vectors, vectors: Vectors, threads: int) -> None:
    matrix, probes = unit_rows(rows), unit_rows(vectors)
    exact = scan(matrix, probes).astype(np.float64)
    found = rough_scan(quantize(matrix, threads=threads), probes, threads=threads)
    assert (np.abs(found.raw - exact) <= found.errors[:, None]).all()


def test_the_bound_is_worth_something() -> None:
    rows = unit_rows(np.random.default_rng(0).standard_normal((5000, 384)).astype(np.float32))
    assert rough_scan(quantize(rows), rows[:2]).errors.max() < 0.03


@given(worlds, st.sampled_from(SCORERS), st.integers(0, 40), st.integers(60, 150))
def test_results_are_those_without(world: World, scorer: Scorer, k: int, first: int) -> None:
    expected = world.search(score=scorer, k=k)
    with preselecting(first):
        assert world.search(score=scorer, k=k) == expected


@given(worlds, st.sampled_from(("soft", "hard")), st.integers(1, 40), st.integers(60, 150))
def test_texts_that_deny_a_property_keep_their_places(world: World, mode: str, k: int, first: int) -> None:
    expected = world.search(decomposition=PROPERTY, mode=mode, k=k)
    with preselecting(first):
        assert world.search(decomposition=PROPERTY, mode=mode, k=k) == expected


@given(worlds, st.sampled_from(SCORERS), st.integers(1, 90))
def test_a_filter_leaves_the_same(world: World, scorer: Scorer, least: int) -> None:
    where = {"at": {">=": least}}
    expected = world.search(score=scorer, where=where)
    with preselecting():
        assert world.search(score=scorer, where=where) == expected


@given(worlds, st.integers(0, 200))
def test_an_example_of_what_is_not_wanted_leaves_the_same(world: World, at: int) -> None:
    assume(world.vectors[at].any())
    exclude = [str(at), "cream"]
    expected = world.search(exclude=exclude)
    with preselecting():
        assert world.search(exclude=exclude) == expected


@pytest.mark.parametrize("scorer", SCORERS, ids=str)
def test_few_are_looked_at_where_groups_lie_apart(scorer: Scorer) -> None:
    world = World(1, 400, 0.5)
    compared = patch.object(CandidateSet, "whole", side_effect=AssertionError)
    with preselecting(150) as was, compared as whole:
        searcher = Searcher(MemoryIndex(world.documents, world.vectors), embedder=world.embed)
        with pytest.raises(AssertionError):
            searcher.search("query", k=3, decomposition=SPLIT, score=scorer)  # the first rounds nothing
        searcher.search("query", k=3, decomposition=SPLIT, score=scorer)
    assert was == [False, True]
    assert whole.call_count == 1


def test_the_second_search_of_many_documents_says_what_the_first_said() -> None:
    world = World(5, 12_000, 1.0)
    index = MemoryIndex(world.documents, world.vectors)
    with Searcher(index, embedder=world.embed) as searcher:
        for scorer in SCORERS:
            exact = Searcher(MemoryIndex(world.documents, world.vectors), embedder=world.embed)
            both = [each.search("query", k=20, decomposition=SPLIT, score=scorer) for each in (exact, searcher)]
            assert both[0].to_json() == both[1].to_json()
    assert index.scan(world.embed(["query"])).rough is not None


def test_a_folder_is_searched_as_memory_is(tmp_path: Path) -> None:
    pytest.importorskip("lance")
    world = World(6, 400, 0.5)
    index = prepare_index(str(tmp_path / "docs.lance"), dimension=DIMENSION)
    index.upsert(world.documents, world.vectors)
    with preselecting(150) as was, Searcher(index, embedder=world.embed) as searcher:
        for where in (None, {"at": {">=": 30}}):
            for scorer in SCORERS:
                results = searcher.search("query", decomposition=SPLIT, score=scorer, where=where)
                assert results.to_json() == world.search(score=scorer, where=where)
    assert any(was)


def test_where_all_that_are_near_pay_the_others_are_looked_at() -> None:
    """Sixty copies of what is excluded are nearest to everything that is asked."""
    vectors = np.eye(8, dtype=np.float32)[[0] * 60 + [1 + at % 7 for at in range(300)]]
    texts = {
        "query": [1, 0.2, 0, 0, 0, 0, 0, 0],
        "target": [1, 0.3, 0, 0, 0, 0, 0, 0],
        "trap": [1, 0, 0, 0, 0, 0, 0, 0],
    }
    documents = [Document(str(at), f"text {at}") for at in range(360)]

    def embed(asked: Sequence[str]) -> Vectors:
        return np.array([texts[text] for text in asked], np.float32)

    def search() -> tuple[str, ...]:
        searcher = Searcher(MemoryIndex(documents, vectors), embedder=embed)
        split, score = Decomposition("target", ("trap",)), Linear(beta=3.0)
        return [searcher.search("query", k=3, decomposition=split, score=score).ids for _ in range(2)][-1]

    expected = search()
    assert not {int(id_) for id_ in expected} & set(range(60))
    with preselecting():
        assert search() == expected


def test_rounded_rows_that_seldom_spare_anything_are_given_up() -> None:
    """All documents are the same, so that each of them may be the best."""
    same = World(4, 300, 0.0)
    same.vectors[:] = same.vectors[0] + same.vectors[-1]
    matrix = MemoryIndex(same.documents, same.vectors)
    searcher = Searcher(matrix, embedder=same.embed)
    with preselecting() as was, patch.object(preselect, "_WORTH_IT", 2), patch.object(searched, "_TRIES", 3):
        for _ in range(10):
            searcher.search("query", decomposition=SPLIT)
        rounded = [matrix.scan(same.embed(["query"])).rough is not None for _ in range(3)]
    assert was == [False] * 10
    assert rounded == [False] * 3


def test_a_narrow_cone_is_rounded_by_what_lies_apart_in_it() -> None:
    random = np.random.default_rng(0)
    cone = unit_rows((5 * np.ones(384) + random.standard_normal((5000, 384))).astype(np.float32))
    assert rough_scan(quantize(cone), cone[:2]).errors.max() < 0.002


def test_a_score_that_looks_at_all_documents_gets_all() -> None:
    class ByMean(Contrast):
        """Its fit takes raw scores of all documents, and it does not say of how many it needs them."""

        fit_depth = None

    world = World(2, 300, 0.5)
    with preselecting() as was:
        world.search(score=ByMean(spare_mentions=False))
        world.search(hybrid=True)
        world.search(candidates=20)
        world.search(score=Relational(query_share=0.5))
    assert was == []


def test_rows_are_rounded_at_the_second_search_and_anew_when_they_change() -> None:
    world, rounded = World(3, 300, 0.5), []

    def noted(rows: Vectors, **options: Any) -> Any:
        rounded.append(len(rows))
        return quantize(rows, **options)

    with preselecting(), patch.object(searched, "quantize", noted):
        searcher = Searcher(MemoryIndex(world.documents, world.vectors), embedder=world.embed)
        for expected in ([], [300], [300]):
            searcher.search("query", decomposition=SPLIT)
            assert rounded == expected
        searcher.add(["another document"])
        for expected in ([300], [300, 301]):
            searcher.search("query", decomposition=SPLIT)
            assert rounded == expected
