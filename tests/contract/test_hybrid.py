"""Hybrid search over every index that can search by words: what is excluded stays out, whichever leg found it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests.contract.indexes import INDEXES
from tests.words import by_words

from esens import Decomposition, Document, Exclusion, Hybrid, Index, Searcher
from esens.errors import ArgumentError
from esens.index.base import word_searching
from esens.index.uri import IndexURI

BY_WORDS = ("memory", "lance", "lance-large", "pgvector", "qdrant", "faiss", "usearch")
OUR_WORDS = ("lance", "faiss", "usearch")
"""Where the words are read as in memory; engines of their own have stop words, lengths and stems of their own."""
DISHES = {
    "pesto": "Pasta with pesto of basil and pine nuts.",
    "porcini": "Pasta with mushrooms, the porcini kind, and cream.",
    "plain": "Pasta with butter. It has no mushrooms.",
    "ragu": "Pasta with a slow ragu of beef.",
    "risotto": "Risotto with mushrooms and white wine.",
    "salad": "A green salad of cucumber.",
    "soup": "Soup of mushrooms with thyme.",
    "toast": "Toast with pasta sauce, an odd breakfast.",
}
QUERY, TARGET = "pasta without mushrooms", "pasta"
WITH_MUSHROOMS = {"porcini", "risotto", "soup"}
DOCUMENTS = [Document(id_, text) for id_, text in DISHES.items()]
Open = Callable[[str], Searcher]


def _write_large(
    request: pytest.FixtureRequest, folder: Path, documents: Sequence[Document], vectors: npt.NDArray[np.float32]
) -> Index:
    """Return an index that is searched as a large one is: by the indexes of vectors and words on disk."""
    from esens.index.lance.index import LanceIndex

    uri = IndexURI.parse(f"{folder / 'large.lance'}?search=approximate")
    index = LanceIndex.prepare(uri, dimension=vectors.shape[1], embedder_id=None)
    index.upsert(documents, vectors)
    index.optimise()
    assert not index.is_scannable
    return index


FILLS = {**INDEXES, "lance-large": _write_large}


def _embed(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    return np.stack([by_words([text])[0] for text in texts])


@pytest.fixture
def over(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    def open_(name: str) -> Searcher:
        vectors = _embed([document.content for document in DOCUMENTS])
        index: Index = FILLS[name](request, tmp_path, DOCUMENTS, vectors)
        return Searcher(index, embedder=_embed)

    return open_


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
@pytest.mark.parametrize("name", BY_WORDS)
def test_nothing_excluded_comes_back_through_the_other_leg(name: str, fusion: str, over: Open) -> None:
    split = Decomposition(TARGET, exclusions=(Exclusion("mushrooms", "has"),))
    # All by words, which find what the query names and know no "without".
    hybrid = Hybrid(fusion=fusion, words=1.0)
    results = over(name).search(QUERY, k=8, hybrid=hybrid, mode="hard", decomposition=split)
    assert not WITH_MUSHROOMS & set(results.ids)
    assert {"pesto", "plain", "ragu"} <= set(results.ids[:4])
    assert WITH_MUSHROOMS & {hit.id for hit in results.removed}
    soft = over(name).search(QUERY, k=8, hybrid=hybrid, decomposition=split)
    places = {id_: place for place, id_ in enumerate(soft.ids)}
    assert places["plain"] < places["porcini"]


@pytest.mark.parametrize("name", BY_WORDS)
def test_words_find_what_vectors_do_not(name: str, over: Open) -> None:
    searcher = over(name)
    by_vectors = searcher.search("cucumber soup", k=8, hybrid=Hybrid(words=0.0))
    assert by_vectors.ids == searcher.search("cucumber soup", k=8).ids
    first, second = searcher.search("cucumber thyme", k=2, hybrid=Hybrid(words=1.0)).ids
    assert {first, second} == {"salad", "soup"}


@pytest.mark.parametrize("name", OUR_WORDS)
@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
@pytest.mark.parametrize("query", [QUERY, "pasta", "thyme"])
def test_it_is_that_of_the_oracle(name: str, fusion: str, query: str, over: Open) -> None:
    oracle, searcher = over("memory"), over(name)
    expected = oracle.search(query, k=8, hybrid=fusion)
    results = searcher.search(query, k=8, hybrid=fusion)
    assert results.ids == expected.ids
    assert [hit.score for hit in results] == pytest.approx([hit.score for hit in expected], abs=1e-6)


@pytest.mark.parametrize("name", [name for name in BY_WORDS if name not in ("memory", "lance")])
@pytest.mark.parametrize("words", [0.3, 0.8])
def test_without_an_exclusion_it_is_both_legs_fused(name: str, words: float, over: Open) -> None:
    query = "pasta wine"
    searcher = over(name)
    before = searcher.search(query, k=8)
    (matching,) = word_searching(searcher.index).matching([query], 8)
    fused = searcher.search(query, k=8, hybrid=Hybrid(words=words))
    low, high = before[-1].score, before[0].score
    by_words = dict(zip(matching.ids, matching.scores / matching.scores.max(), strict=True))
    expected = {
        hit.id: (1 - words) * hit.score + words * (low + (high - low) * by_words.get(hit.id, 0.0))
        for hit in before
    }
    assert {hit.id: hit.score for hit in fused} == pytest.approx(expected, abs=1e-6)
    after = searcher.search(query, k=8, hybrid=False)
    assert [(hit.id, hit.score) for hit in after] == [(hit.id, hit.score) for hit in before]


@pytest.mark.parametrize("name", BY_WORDS)
def test_a_filter_counts_in_both_legs(name: str, over: Open) -> None:
    results = over(name).search(QUERY, k=8, hybrid=True, where={"missing": 1})
    assert not len(results)


@pytest.mark.parametrize("name", BY_WORDS)
def test_titles_are_searched_too(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    titled = [*DOCUMENTS, Document("stew", "A winter dish.", title="Goulash of Szeged")]
    index = FILLS[name](request, tmp_path, titled, _embed([document.content for document in titled]))
    found = Searcher(index, embedder=_embed).search("goulash cucumber", k=2, hybrid=Hybrid(words=1.0))
    assert set(found.ids) == {"stew", "salad"}


@pytest.mark.parametrize("name", [name for name in BY_WORDS if name != "pgvector"])
@pytest.mark.parametrize("word", ["down", "who", "list"])
def test_words_that_name_things_are_no_stop_words(
    name: str, word: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    # PostgreSQL's English has "down" and "who" among them.
    more = [*DOCUMENTS, Document("named", f"A {word} of some kind.")]
    index = FILLS[name](request, tmp_path, more, _embed([document.content for document in more]))
    first, second = Searcher(index, embedder=_embed).search(word, k=2, hybrid=Hybrid(words=1.0))
    assert first.id == "named"
    assert first.score > second.score


@pytest.mark.parametrize("name", BY_WORDS)
@pytest.mark.parametrize("query", ["xylophone", "which of the", "?!"])
def test_without_a_word_in_common_vectors_alone_count(name: str, query: str, over: Open) -> None:
    searcher = over(name)
    assert searcher.search(query, k=8, hybrid=True).ids == searcher.search(query, k=8).ids


@pytest.mark.parametrize("name", [name for name in BY_WORDS if name not in ("faiss", "usearch")])
def test_what_is_written_later_is_found_by_its_words(name: str, over: Open) -> None:
    searcher = over(name)
    by_words = Hybrid(words=1.0)
    assert "stew" not in searcher.search("goulash", k=1, hybrid=by_words).ids
    searcher.add([Document("stew", "Goulash with paprika.")])
    assert searcher.search("goulash", k=1, hybrid=by_words).ids == ("stew",)
    searcher.delete(["stew"])
    assert "stew" not in searcher.search("goulash", k=9, hybrid=by_words).ids


def test_an_index_without_words_says_so_and_names_those_that_have_them(over: Open) -> None:
    with pytest.raises(ArgumentError, match=r"^hybrid: .* cannot be searched by words.*PostgreSQL.*Qdrant"):
        over("milvus").search(QUERY, hybrid=True)
