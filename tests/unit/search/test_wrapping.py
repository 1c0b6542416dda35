"""What a retriever that is not ours is asked, and what becomes of its answers."""

import asyncio

import pytest

import esens
from esens.search.reranker import Reranker
from esens.search.wrapping import excludes, merged, retriever_queries

QUERY = "black tea, excluding green tea"


def test_what_is_wanted_is_asked_for_beside_the_query_only_where_something_is_excluded() -> None:
    assert retriever_queries(QUERY, esens.decompose(QUERY)) == (QUERY, "black tea")
    assert retriever_queries("black tea", esens.decompose("black tea")) == ("black tea",)
    same = esens.Decomposition("tea", ("milk",))
    assert retriever_queries("tea", same) == ("tea",)


def test_each_thing_is_found_once_in_the_order_of_its_first_place() -> None:
    assert merged([["b", "a"], ["c", "a", "d"], []], str) == ["b", "a", "c", "d"]
    assert merged([], str) == []


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [(QUERY, {}, True), ("tea", {}, False), ("tea", {"exclude": ["milk"]}, True), ("tea", {"exclude": []}, False)],
)
def test_what_is_given_beside_a_query_counts(query: str, options: dict[str, object], expected: bool) -> None:
    assert excludes(esens.decompose(query), options) is expected


def test_a_reranker_says_how_it_splits() -> None:
    reranker = Reranker()
    assert reranker.decompose(QUERY) == esens.Decomposition("black tea", ("green tea",))
    assert asyncio.run(reranker.adecompose(QUERY)) == reranker.decompose(QUERY)
    reranker.close()
