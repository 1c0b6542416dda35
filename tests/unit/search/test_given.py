"""What a caller excludes beside the words of a query: by example, by text, by metadata; each with a weight."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.words import Counting, by_words

from esens import Document, Example, Exclusion, Searcher, build_index, rerank
from esens.errors import ArgumentError
from esens.testing import EngineDouble

KINDS = ("beef ragù", "beef mince", "basil pesto", "salmon cream", "basil tomato", "olives capers", "walnut sage")
SHAPES = ("penne", "fusilli", "farfalle", "rigatoni")
DOCUMENTS = [
    Document(
        f"{shape}-{kind.split()[1]}", f"pasta {shape} with {kind}", metadata={"year": 2010 + at, "shape": shape}
    )
    for at, (shape, kind) in enumerate((shape, kind) for shape in SHAPES for kind in KINDS)
]
BEEF = {document.id for document in DOCUMENTS if "beef" in document.text}
QUERY = "pasta"
_NOTES = [f"pasta with {', '.join(f'{letter}{word}' for word in range(6))}" for letter in "abcdefghijklmnopq"]


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher.from_documents(DOCUMENTS, embedder=by_words)


def _places(searcher: Searcher, **options: Any) -> dict[str, int]:
    return {hit.id: hit.rank for hit in searcher.search(QUERY, k=len(DOCUMENTS), **options)}


def test_an_example_goes_and_what_is_like_it_falls(searcher: Searcher) -> None:
    results = searcher.search(QUERY, k=len(DOCUMENTS), exclude=["penne-ragù"])
    plain, now = _places(searcher), {hit.id: hit.rank for hit in results}
    assert now["penne-ragù"] == max(now.values())
    others = BEEF - {"penne-ragù"}
    assert sum(now[id_] for id_ in others) > sum(plain[id_] for id_ in others)
    (example,) = results.decomposition.exclusions
    assert (example.text, example.relation, example.example) == (
        "pasta penne with beef ragù",
        "like",
        "penne-ragù",
    )
    assert "is the example itself" in str(next(hit for hit in results if hit.id == "penne-ragù").explanation)


@pytest.mark.parametrize("count", [2, 9, 10, 11, 20])
def test_a_copy_of_an_example_goes_among_few_as_among_many(count: int) -> None:
    few = DOCUMENTS[:count]
    searcher = Searcher.from_documents(few, embedder=by_words)
    for one in (few[1].id, Document("of mine", few[1].text), by_words([few[1].text])[0]):
        assert searcher.search(QUERY, k=count, exclude=[one]).ids[-1] == few[1].id
        assert few[1].id not in searcher.search(QUERY, k=count, exclude=[one], mode="hard").ids


@pytest.mark.parametrize("score", ["relational", "contrast", "linear"])
def test_every_score_takes_examples(searcher: Searcher, score: str) -> None:
    assert _places(searcher, exclude=["penne-ragù"], score=score)["penne-ragù"] > len(DOCUMENTS) // 2


def test_an_id_an_example_a_document_and_its_vector_are_the_same(searcher: Searcher) -> None:
    by_id = _places(searcher, exclude=["penne-ragù"])
    assert _places(searcher, exclude="penne-ragù") == by_id
    assert _places(searcher, exclude=[Example("penne-ragù")]) == by_id
    assert _places(searcher, exclude=[DOCUMENTS[0]]) == by_id
    assert _places(searcher, exclude=[by_words([DOCUMENTS[0].text])[0]]) == by_id
    assert _places(searcher, exclude=[Example(by_words([DOCUMENTS[0].text])[0].tolist())]) == by_id


def test_hard_leaves_the_example_out_and_says_so(searcher: Searcher) -> None:
    results = searcher.search(QUERY, k=len(DOCUMENTS), exclude=["penne-ragù"], mode="hard")
    assert "penne-ragù" not in results.ids
    assert "the example itself" in str(results)


@given(st.integers(0, 10_000), st.integers(12, 30))
@example(188, 30)  # the line through few documents is steep, and one far from the query seemed a copy
def test_hard_leaves_out_no_document_that_is_half_unlike_the_example(seed: int, count: int) -> None:
    vectors = np.random.default_rng(seed).standard_normal((count, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    documents = [Document(str(at), f"note {at}") for at in range(count)]
    searcher = Searcher.from_documents(documents, vectors=vectors, embedder=by_words)
    results = searcher.search("note", k=count, exclude=["0"], mode="hard")
    assert "0" not in results.ids
    assert {str(at) for at in np.flatnonzero(vectors @ vectors[0] < 0.5)} <= set(results.ids)


def test_among_a_few_documents_a_copy_of_the_example_is_left_out() -> None:
    notes = [Document(str(at), text) for at, text in enumerate(_NOTES)]
    copy = Document("copy", _NOTES[0] + " again")
    searcher = Searcher.from_documents([*notes, copy], embedder=by_words)
    results = searcher.search("pasta for dinner", k=20, exclude=["0"], mode="hard")
    assert {hit.id for hit in results.removed} == {"0", "copy"}


@given(st.sampled_from([document.id for document in DOCUMENTS]))
def test_an_example_without_weight_changes_nothing(id_: str) -> None:
    searcher = Searcher.from_documents(DOCUMENTS, embedder=by_words)
    assert _places(searcher, exclude=[Example(id_, weight=0)]) == _places(searcher)


@given(st.sampled_from([document.id for document in DOCUMENTS]), st.sampled_from([0.2, 0.5, 1.0]))
def test_no_document_gains_by_an_example(id_: str, weight: float) -> None:
    searcher = Searcher.from_documents(DOCUMENTS, embedder=by_words)
    for hit in searcher.search(QUERY, k=len(DOCUMENTS), exclude=[Example(id_, weight)]):
        assert hit.score <= hit.explanation.query_similarity + 1e-6
        assert (hit.explanation.penalty_share or 0) <= weight + 1e-9


def test_nothing_excluded_is_plain_retrieval_bit_for_bit(searcher: Searcher) -> None:
    plain, empty = searcher.search(QUERY), searcher.search(QUERY, exclude=[])
    assert [(hit.id, hit.score) for hit in empty] == [(hit.id, hit.score) for hit in plain]
    assert empty.scoring.is_plain


def test_examples_are_not_embedded() -> None:
    counting = Counting()
    searcher = Searcher.from_documents(DOCUMENTS, embedder=counting)
    counting.documents.clear()
    searcher.search(QUERY, exclude=["penne-ragù", "sage"])
    assert counting.queries == [QUERY, "sage"]
    assert counting.documents == []


def test_texts_and_exclusions_stand_beside_those_of_the_query(searcher: Searcher) -> None:
    query = "pasta without basil"
    results = searcher.search(
        query, k=len(DOCUMENTS), mode="hard", exclude=["salmon", Exclusion("capers", "has", weight=0.5)]
    )
    assert results.decomposition.traps == ("basil", "salmon", "capers")
    assert "given" not in results.decomposition.reason
    assert "given beside it" in searcher.search(QUERY, exclude=["salmon"]).decomposition.reason
    assert not any(word in hit.text for hit in results for word in ("basil", "salmon"))
    capers = [hit for hit in results if "capers" in hit.text]
    assert len(capers) == len(SHAPES)
    assert {hit.explanation.penalty_share for hit in capers} == {0.5}


@given(st.integers(2009, 2040), st.sampled_from(["=", "<", ">="]))
def test_a_filter_rules_out_all_that_fulfil_it_and_nothing_else(year: int, op: str) -> None:
    searcher = Searcher.from_documents(DOCUMENTS, embedder=by_words)
    excluded, negated = {"year": {op: year}}, {"not": {"year": {op: year}}}
    assert _places(searcher, exclude=[excluded]) == _places(searcher, where=negated)
    both = {"shape": "penne"}
    assert _places(searcher, exclude=[excluded], where=both) == _places(searcher, where=[both, negated])


def test_the_named_field_tells_when_a_document_is_from(searcher: Searcher) -> None:
    results = searcher.search("pasta not from 2015", k=len(DOCUMENTS), mode="hard", evidence_fields=["year"])
    years = [hit.metadata["year"] for hit in results]
    assert 2015 not in years
    assert len(years) == len(DOCUMENTS) - 1
    (removed,) = [hit for hit in results.removed if hit.metadata["year"] == 2015]
    assert removed.explanation.evidence is not None
    assert removed.explanation.evidence.quote == "year: 2015"


def test_another_year_lifts_nobody(searcher: Searcher) -> None:
    """Those that are not from 2015 stand as in a search for pasta: no word of theirs answers the query."""
    k = len(DOCUMENTS)
    wanted = [id_ for id_ in searcher.search("pasta", k=k).ids if id_ != _from(2015)]
    kept = searcher.search("pasta not from 2015", k=k, mode="hard", evidence_fields=["year"])
    by_relevance = sorted(kept, key=lambda hit: (-(hit.explanation.target_similarity or 0), wanted.index(hit.id)))
    assert [hit.id for hit in kept] == [hit.id for hit in by_relevance]


def _from(year: int) -> str:
    return next(document.id for document in DOCUMENTS if document.metadata["year"] == year)


def test_whoever_has_the_excluded_in_another_field_is_told_of_it() -> None:
    documents = [
        Document("shining", "A hotel in winter goes mad.", metadata={"author": "Stephen King", "year": 1977}),
        Document("carrie", "A girl moves things.", metadata={"author": "Stephen King", "year": 1974}),
        Document("dracula", "A count comes to town.", metadata={"author": "Bram Stoker", "year": 1897}),
    ]
    searcher = Searcher.from_documents(documents, embedder=by_words)
    note = searcher.search("horror not by Stephen King").note
    assert note == (
        "The field 'author' of 2 results names what is excluded, and does not count: only texts do. "
        "To have it count, name it: evidence_fields=['author'], or --evidence-field author."
    )
    named = searcher.search("horror not by Stephen King", evidence_fields=["author"], mode="hard")
    assert (named.ids, named.note) == (("dracula",), "")
    assert "The field 'year' of 2 results" in searcher.search("horror not from the seventies").note
    assert searcher.search("horror", k=3).note == ""
    assert searcher.search("horror not by Stephen King", score="linear").note == ""


def test_a_field_of_one_exclusion_is_asked_instead_of_the_text() -> None:
    documents = [
        Document("a", "Films of 2020, looked back at", metadata={"year": 2021}),
        Document("b", "Films to remember", metadata={"year": 2020}),
        Document("c", "Films without a year"),
    ]
    searcher = Searcher.from_documents(documents, embedder=by_words)
    excluded = Exclusion("2020", field="year")
    assert set(searcher.search("films", exclude=[excluded], mode="hard").ids) == {"a", "c"}
    lighter = searcher.search("films", exclude=[Exclusion("2020", field="year", weight=0.4)])
    shares = {hit.id: hit.explanation.penalty_share for hit in lighter}
    assert shares == {"a": 0.0, "b": 0.4, "c": 0.0}


def test_an_engine_and_an_index_with_passages(tmp_path: Path) -> None:
    engine = Searcher(
        EngineDouble(DOCUMENTS, by_words([document.text for document in DOCUMENTS])), embedder=by_words
    )
    assert "penne-ragù" not in engine.search(QUERY, k=5, exclude=["penne-ragù"], mode="hard").ids
    long = Document("long", " ".join(f"Pasta with beef ragù, number {number}." for number in range(200)))
    build_index([long, *DOCUMENTS], str(tmp_path / "a.lance"), embedder=by_words, words=40, overlap=0)
    with Searcher(str(tmp_path / "a.lance"), embedder=by_words) as searcher:
        assert searcher.search("pasta beef", k=3).ids[0] == "long"
        results = searcher.search("pasta beef", k=3, exclude=["long"], mode="hard")
    assert "long" not in results.ids
    assert results.decomposition.exclusions[0].example == "long"


class TestReranking:
    def test_examples_are_candidates(self) -> None:
        results = rerank(QUERY, DOCUMENTS, exclude=["penne-ragù"], embedder=by_words, mode="hard")
        assert "penne-ragù" not in results.ids

    def test_vectors_that_were_given_are_used(self) -> None:
        counting = Counting()
        vectors = by_words([document.text for document in DOCUMENTS])
        results = rerank(QUERY, DOCUMENTS, exclude=["penne-ragù"], embedder=counting, vectors=vectors)
        assert counting.documents == []
        assert results.ids == rerank(QUERY, DOCUMENTS, exclude=["penne-ragù"], embedder=by_words).ids

    def test_filters_drop_candidates_with_their_vectors_and_scores(self) -> None:
        vectors = by_words([document.text for document in DOCUMENTS])
        scores = np.linspace(1, 0, len(DOCUMENTS))
        results = rerank(
            QUERY, DOCUMENTS, exclude=[{"shape": "penne"}], vectors=vectors, scores=scores, embedder=by_words
        )
        assert results.ids == tuple(document.id for document in DOCUMENTS[len(KINDS) :])

    def test_with_scores_and_an_example(self) -> None:
        scores = np.linspace(1, 0, len(DOCUMENTS))
        results = rerank(QUERY, DOCUMENTS, exclude=["penne-ragù"], scores=scores, embedder=by_words)
        ranks = {hit.id: hit.rank for hit in results}
        assert results.ids[0] != "penne-ragù"  # which the other retriever had first
        assert ranks["penne-ragù"] == max(ranks.values())


@pytest.mark.parametrize(
    ("exclude", "problem"),
    [
        ([np.ones(3)], "dimension 3"),
        ([1.0, 2.0], r"exclude=\[vector\]"),
        ([None], "expected texts, ids"),
        ([[]], "expected texts, ids"),
        (5, "expected a list"),
        ([Example("nobody")], "no document with the id 'nobody'"),
        ([Exclusion("x", "like")], "Example"),
        ([np.full(64, np.nan)], "NaN"),
        ([" "], "says something"),
        ([np.zeros(64)], "all zeros"),
        ([{"year": {"~": 3}}], "^exclude: "),
    ],
    ids=[
        "dimension",
        "bare vector",
        "none",
        "empty",
        "number",
        "nobody",
        "like",
        "nan",
        "blank",
        "zeros",
        "filter",
    ],
)
def test_what_makes_no_sense_says_so(searcher: Searcher, exclude: Any, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        searcher.search(QUERY, exclude=exclude)


@pytest.mark.parametrize("fields", [5, [None], [""]])
def test_fields_are_names(searcher: Searcher, fields: Any) -> None:
    with pytest.raises(ArgumentError, match="names of metadata fields"):
        searcher.search(QUERY, evidence_fields=fields)


@pytest.mark.parametrize("weight", [-1, 2, float("nan"), "1"])
def test_a_weight_is_from_0_to_1(weight: Any) -> None:
    with pytest.raises(ArgumentError, match="from 0 to 1"):
        Example("a", weight)


def test_an_explanation_of_an_example_says_what_is_so(searcher: Searcher) -> None:
    results = searcher.search(QUERY, k=len(DOCUMENTS), exclude=["penne-ragù"])
    for hit in results:
        is_like = "unusually near to “pasta penne" in str(hit.explanation) or "the example itself" in str(
            hit.explanation
        )
        assert is_like == bool(hit.explanation.penalty_share)
        assert "not about" not in str(hit.explanation)


class TestFields:
    """A filter that names a field that no document has rules out nothing: somebody should know."""

    @pytest.mark.parametrize(
        "options",
        [
            {"exclude": [{"yaer": {"<": 2020}}]},
            {"exclude": [{"or": [{"yaer": 2020}, {"shape": "penne"}]}]},
            {"exclude": [Exclusion("2015", field="yaer")]},
            {"evidence_fields": ["yaer"]},
            {"where": {"yaer": 2020}},
        ],
        ids=["filter", "group", "exclusion", "evidence", "where"],
    )
    def test_a_field_that_no_document_has_is_told_with_those_that_exist(
        self, searcher: Searcher, options: dict[str, Any]
    ) -> None:
        query = "pasta not from 2015"
        results = searcher.search(query, k=3, **options)
        told = "None of the 28 documents nearest to the query has the field 'yaer'; their fields are: shape, year."
        assert told in results.note
        over_an_engine = Searcher(
            EngineDouble(DOCUMENTS, by_words([document.text for document in DOCUMENTS])), embedder=by_words
        )
        assert told in over_an_engine.search(query, k=3, **options).note

    def test_a_field_that_all_found_documents_lack_is_none_of_those(self) -> None:
        documents = [Document("a", "pasta", metadata={"sold_out": True}), Document("b", "pasta with basil")]
        searcher = Searcher.from_documents(documents, embedder=by_words)
        results = searcher.search("pasta", exclude=[{"sold_out": True}])
        assert results.ids == ("b",)
        assert results.note == ""

    def test_candidates_without_the_field(self) -> None:
        results = rerank(QUERY, DOCUMENTS, exclude=[{"yaer": 2020}], embedder=by_words)
        assert "has the field 'yaer'; their fields are: shape, year." in results.note
        assert rerank(QUERY, DOCUMENTS, exclude=[{"year": 2020}], embedder=by_words).note == ""

    def test_documents_without_metadata(self) -> None:
        searcher = Searcher.from_documents(["pasta with basil"], embedder=by_words)
        assert (
            "has the field 'yaer'; they have no metadata at all."
            in searcher.search("pasta", exclude=[{"yaer": 1}]).note
        )


class TestFiltersAreShown:
    def test_a_filter_alone_is_no_plain_retrieval_to_a_reader(self, searcher: Searcher) -> None:
        results = searcher.search(QUERY, k=3, exclude=[{"year": {"<": 2020}}, {"shape": ["penne", "fusilli"]}])
        assert results.ruled_out == ("year < 2020", "shape in penne, fusilli")
        assert results.to_dict()["ruled_out"] == ["year < 2020", "shape in penne, fusilli"]
        assert "excluded year < 2020 | shape in penne, fusilli" in str(results)
        assert "nothing is excluded" not in str(results)
        assert "nothing else is excluded: plain retrieval" in str(results)

    def test_beside_words_both_are_shown(self, searcher: Searcher) -> None:
        results = searcher.search("pasta without basil", k=3, exclude=[{"year": {"<": 2020}}])
        assert "basil (documents that have it) | year < 2020" in str(results)

    def test_an_id_is_no_metadata(self, searcher: Searcher) -> None:
        with pytest.raises(ArgumentError, match=r"an id is no metadata to filter by; .*exclude=\['9'\]"):
            searcher.search(QUERY, exclude=[{"id": "9"}])
        with pytest.raises(ArgumentError, match="an id is a text"):
            searcher.search(QUERY, exclude=[9])  # type: ignore[list-item]

    def test_nothing_is_ruled_out_by_where(self, searcher: Searcher) -> None:
        assert searcher.search(QUERY, k=3, where={"year": 2020}).ruled_out == ()

    def test_of_candidates(self) -> None:
        assert rerank(QUERY, DOCUMENTS, exclude=[{"year": 2020}], embedder=by_words).ruled_out == ("year = 2020",)


def test_the_repr_of_an_exclusion_shows_what_is_not_usual() -> None:
    assert repr(Exclusion("vinegar", "has")) == "Exclusion(text='vinegar', relation='has')"
    assert repr(Exclusion("2020", weight=0.5, field="year")) == (
        "Exclusion(text='2020', relation='open', weight=0.5, field='year')"
    )
    assert repr(Exclusion("dog", is_literal=True)).endswith("is_literal=True)")


def test_an_id_that_no_document_has_is_noticed() -> None:
    documents = [Document(f"doc-{number}", f"pasta {kind}") for number, kind in enumerate(KINDS)]
    searcher = Searcher.from_documents(documents, embedder=by_words)
    note = "No document has the id 'doc-99': it was excluded as a word."
    assert searcher.search(QUERY, exclude=["doc-99"]).note == note
    for text in ("doc-1", "vinegar", "covid-19", "2020"):
        assert searcher.search(QUERY, exclude=[text]).note == ""
