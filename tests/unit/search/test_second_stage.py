"""Models that look at the first candidates once more: a verifier, and a relevance model."""

from collections.abc import Sequence

import pytest
from tests.verifiers import NamesKinds, Says, Scores
from tests.words import by_words

import esens
from esens import Decomposition, Document, Exclusion, Relational, Reranker, Searcher
from esens.errors import ArgumentError
from esens.testing import EngineDouble
from esens.verify import Verification
from esens.verify.base import Pair

CAKES = [
    Document("plain", "Cake of flour and eggs. Bake it.", "Plain cake"),
    Document("krokant", "Cake of flour and krokant. Bake it.", "Crunchy cake"),
    Document("walnut", "Cake with walnuts. Bake it.", "Walnut cake"),
    Document("free", "Cake, nut-free. Bake it.", "Nut-free cake"),
    Document("bread", "Bread of flour and water. Bake it slowly, and for long.", "Bread"),
    Document("nuts", "Nuts grow on trees. Walnuts do.", "Trees"),
]
QUERY = "cake without nuts"
AIRPORTS = [
    Document("dayton", "Dayton has an airport in Ohio.", "Dayton International Airport"),
    Document("columbus", "Columbus has an airport in Ohio. It is larger than Dayton International.", "Columbus"),
    Document("akron", "Akron has an airport in Ohio.", "Akron"),
    Document("texas", "Texas is not in Ohio.", "Texas"),
]
ABOUT = Decomposition("airports in Ohio", exclusions=(Exclusion("Dayton International Airport", "about"),))


def _searcher(verifier: object = "rules", **options: object) -> Searcher:
    return Searcher.from_documents(CAKES, embedder=by_words, verifier=verifier, **options)  # type: ignore[arg-type]


def test_what_it_says_takes_the_place_of_what_the_rules_read() -> None:
    stances = {"krokant": "affirmed", "walnut": "mentioned", "free": "silent", "plain": "denied"}
    results = _searcher(Says(stances)).search(QUERY, k=6)
    said = {hit.id: hit.explanation.evidence for hit in results}
    assert {id_: each.stance for id_, each in said.items() if each is not None} == {
        **stances,
        "bread": "silent",
        "nuts": "affirmed",
    }
    assert {id_ for id_, each in said.items() if each is not None and each.told_by == "says"} == set(stances)
    shares = {hit.id: hit.explanation.penalty_share for hit in results}
    assert shares["krokant"] == 1
    assert shares["walnut"] == shares["plain"] == 0
    crunchy = next(hit for hit in results if hit.id == "krokant")
    assert "it has “nuts”: “Cake of flour and krokant” (says)" in str(crunchy.explanation)
    assert results.note == ""


def test_kinds_that_a_model_names_are_read_by_the_rules_in_every_document() -> None:
    namer = NamesKinds({"nuts": ["krokant"]})
    results = _searcher(namer, verify=1).search(QUERY, k=6, mode="hard")
    left_out = {hit.id: hit.explanation.evidence for hit in results.removed}
    assert "krokant" in left_out
    assert "krokant" not in results.ids
    assert left_out["krokant"] is not None
    assert left_out["krokant"].kind == "krokant"
    assert namer.things == ["nuts"]
    assert "krokant" in _searcher().search(QUERY, k=6, mode="hard").ids


def test_no_kinds_are_asked_for_of_what_is_a_word_a_subject_or_nothing() -> None:
    namer = NamesKinds({})
    searcher = _searcher(namer)
    searcher.search("cake -nuts", k=3)
    searcher.search("cake", k=3)
    searcher.search(QUERY, k=3, beta=0)
    Searcher.from_documents(AIRPORTS, embedder=by_words, verifier=namer).search("airports", decomposition=ABOUT)
    assert namer.things == []


def test_a_model_that_names_no_kinds_leaves_the_tables_and_says_why() -> None:
    results = _searcher(NamesKinds({}, failure="out of order")).search(QUERY, k=3)
    assert results.ids == _searcher().search(QUERY, k=3).ids
    assert "did not name kinds of all that is excluded (out of order)" in results.note


def test_it_is_asked_once_for_all_and_for_the_first_few() -> None:
    verifier = Says({})
    results = _searcher(verifier, verify=3).search(QUERY, k=2)
    assert results.ids == _searcher().search(QUERY, k=2).ids
    ((*pairs,),) = verifier.calls
    assert len(pairs) == 3
    assert {exclusion for exclusion, _ in pairs} == {Exclusion("nuts", "has")}


def test_of_several_exclusions_each_is_asked_and_a_literal_one_is_not() -> None:
    verifier = Says({})
    split = Decomposition(
        "cake",
        exclusions=(Exclusion("nuts", "has"), Exclusion("eggs", "has"), Exclusion("slowly", is_literal=True)),
    )
    _searcher(verifier, verify=4).search("cake", decomposition=split, k=3)
    ((*pairs,),) = verifier.calls
    assert len(pairs) == 8
    assert {exclusion.text for exclusion, _ in pairs} == {"nuts", "eggs"}


@pytest.mark.parametrize("query", ["cake", "cake with nuts"])
def test_where_nothing_is_excluded_nobody_is_asked(query: str) -> None:
    verifier = Says({"plain": "affirmed"})
    assert _searcher(verifier).search(query) == _searcher().search(query)
    _searcher(verifier).search(QUERY, beta=0)
    assert verifier.calls == []


def test_hard_leaves_out_what_it_affirms_and_lists_its_quote() -> None:
    results = _searcher(Says({"krokant": "affirmed"})).search(QUERY, k=5, mode="hard")
    assert "krokant" not in results.ids
    (hit,) = [hit for hit in results.removed if hit.id == "krokant"]
    assert hit.explanation.evidence is not None
    assert hit.explanation.evidence.quote == "Cake of flour and krokant"
    assert hit.explanation.finding == "has “nuts”: “Cake of flour and krokant” (says)"
    assert "krokant" in _searcher().search(QUERY, k=5, mode="hard").ids
    assert "(says)" in str(results)


def test_flag_marks_it() -> None:
    results = _searcher(Says({"krokant": "affirmed"}), verify=6).search(QUERY, k=6, mode="flag")
    assert [hit.id for hit in results if hit.explanation.is_excluded] == [
        hit.id for hit in results if hit.id in ("krokant", "walnut", "nuts")
    ]
    assert results.ids == _searcher().search(QUERY, beta=0, k=6).ids


def test_of_a_subject_it_says_who_is_about_it_and_nobody_else_pays() -> None:
    def found(verifier: object) -> esens.Results:
        searcher = Searcher.from_documents(AIRPORTS, embedder=by_words, verifier=verifier)  # type: ignore[arg-type]
        return searcher.search("airports in Ohio", decomposition=ABOUT, k=4)

    verifier = Says({"dayton": "mentioned", "columbus": "affirmed"})
    by_id = {hit.id: hit for hit in found(verifier)}
    assert by_id["dayton"].explanation.penalty_share == 0
    assert by_id["columbus"].explanation.penalty_share == 1
    assert str(by_id["dayton"].explanation).endswith("it is not about “Dayton International Airport” (says)")
    assert "it is about “Dayton International Airport”: “Columbus has" in str(by_id["columbus"].explanation)
    assert {hit.id for hit in found("rules") if hit.explanation.penalty_share == 1} == {"dayton"}
    assert {exclusion.relation for pairs in verifier.calls for exclusion, _ in pairs} == {"about"}


def test_what_it_spares_is_found_among_the_best() -> None:
    # Without a penalty "dayton" is the best; by its vector and its title it loses all.
    searcher = Searcher.from_documents(AIRPORTS, embedder=by_words, verifier=Says({"dayton": "silent"}))
    (hit,) = searcher.search("airport in Ohio Dayton", decomposition=ABOUT, k=1)
    assert hit.id == "dayton"


def test_a_failure_is_noted_and_the_rules_stay() -> None:
    results = _searcher(Says({}, failure="no connection")).search(QUERY, k=6)
    assert results.note == "says could not verify all that it was asked (no connection); the rules did the rest."
    assert [hit.id for hit in results] == [hit.id for hit in _searcher().search(QUERY, k=6)]
    assert results.note in str(results)


def test_a_score_that_reads_no_statements_asks_nobody_and_says_so() -> None:
    verifier = Says({})
    results = _searcher(verifier).search(QUERY, score="linear")
    assert verifier.calls == []
    assert results.note == "says was not asked: the score linear reads no statements."


def test_an_engine_that_is_looked_into_again_and_again_has_the_same_bound() -> None:
    documents = [Document(str(number), f"cake number {number} with nuts") for number in range(300)]
    verifier = Says({})
    index = EngineDouble(documents, by_words([document.content for document in documents]))
    searcher = Searcher(index, embedder=by_words, verifier=verifier, verify=5)
    searcher.search(QUERY, k=10, mode="hard")
    assert len(verifier.asked) == 5


def test_a_verifier_that_answers_for_others_is_an_error() -> None:
    class Short(Says):
        def verify(self, pairs: Sequence[Pair]) -> Verification:
            return super().verify(pairs[:1])

    with pytest.raises(ArgumentError, match="says must answer for each of 6 pairs, not 1"):
        _searcher(Short({})).search(QUERY)


@pytest.mark.parametrize("option", ["verify", "rescore"])
def test_depths_are_counts(option: str) -> None:
    with pytest.raises(ArgumentError, match=option):
        _searcher(**{option: 0})


def test_a_reranker_takes_a_verifier_too() -> None:
    verifier = Says({"krokant": "affirmed"})
    ranked = Reranker(embedder=by_words, verifier=verifier).rerank(QUERY, CAKES, mode="hard")
    assert "krokant" not in ranked.ids
    assert esens.rerank(QUERY, CAKES, embedder=by_words, verifier=verifier, mode="hard") == ranked


def _length(text: str) -> float:
    return len(text) / 100


def test_relevance_is_the_models_and_the_exclusion_ours() -> None:
    model = Scores(_length)
    results = _searcher(relevance=model).search(QUERY, k=6)
    assert model.asked[0][0] == "cake"
    assert sorted(model.asked[0][1]) == sorted(document.content for document in CAKES)
    spared = [hit for hit in results if hit.explanation.evidence and hit.explanation.evidence.stance == "silent"]
    assert [hit.score for hit in spared] == pytest.approx([_length(hit.document.content) for hit in spared])
    assert [hit.id for hit in spared] == sorted(
        (hit.id for hit in spared), key=lambda id_: -next(len(d.content) for d in CAKES if d.id == id_)
    )
    assert {hit.id for hit in results[-2:]} == {"walnut", "nuts"}


def test_where_nothing_is_excluded_the_order_is_the_models() -> None:
    model = Scores(_length)
    results = _searcher(relevance=model).search("cake", k=4)
    by_length = sorted(CAKES, key=lambda document: -len(document.content))[:4]
    assert [(hit.id, hit.score) for hit in results] == [(each.id, _length(each.content)) for each in by_length]
    assert [query for query, _ in model.asked] == ["cake"]


def test_only_the_first_few_are_scored() -> None:
    model = Scores(_length)
    results = _searcher(relevance=model, rescore=2).search(QUERY, k=3)
    assert [len(texts) for _, texts in model.asked] == [3]
    assert len(results) == 3
    plain = _searcher().search("cake", k=3)
    assert {hit.id for hit in results} == {hit.id for hit in plain}


def test_without_scores_relevance_stays_the_embedders_and_a_note_says_so() -> None:
    results = _searcher(relevance=Scores(None)).search(QUERY)
    assert results.note == "scores gave no scores (out of order), so relevance is the embedder's."
    assert [(hit.id, hit.score) for hit in results] == [(hit.id, hit.score) for hit in _searcher().search(QUERY)]


def test_a_model_that_gives_no_finite_numbers_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="relevance: scores must give a finite score for each of 6 texts"):
        _searcher(relevance=Scores(lambda _: float("nan"))).search(QUERY)


def test_sentences_are_for_the_embedder() -> None:
    with pytest.raises(ArgumentError, match="sentences: are compared by the embedder"):
        _searcher(relevance=Scores(_length)).search(QUERY, score=Relational(sentences=3))


@pytest.mark.parametrize(
    ("score", "mode"),
    [
        ("linear", None),
        *((score, mode) for score in ("relational", "contrast") for mode in ("soft", "hard", "flag")),
    ],
)
def test_every_score_and_mode_goes_with_it(score: str, mode: str | None) -> None:
    searcher = _searcher(Says({"plain": "affirmed"}), relevance=Scores(_length))
    results = searcher.search(QUERY, score=score, k=6, mode=mode)
    scores = [hit.score for hit in results]
    assert scores == sorted(scores, reverse=True)


def test_a_reranker_takes_a_relevance_model_and_another_retrievers_scores() -> None:
    model = Scores(_length)
    ranked = esens.rerank("cake", CAKES, embedder=by_words, relevance=model)
    assert ranked.ids == tuple(each.id for each in sorted(CAKES, key=lambda each: -len(each.content)))
    few = esens.rerank("cake", CAKES, scores=[1, 2, 3, 4, 5, 6], relevance=model, rescore=2, k=2)
    assert set(few.ids) == {"bread", "nuts"}  # the retriever's first two, and no embedder is loaded
    assert esens.rerank("cake", [], embedder=by_words, relevance=model).ids == ()


def test_no_documents_no_question() -> None:
    verifier, model = Says({}), Scores(_length)
    assert esens.rerank(QUERY, [], embedder=by_words, verifier=verifier, relevance=model).ids == ()
    assert verifier.calls == []


def test_examples_and_fields_are_no_matter_of_reading() -> None:
    verifier = Says({})
    _searcher(verifier).search("cake", k=2, exclude=["walnut", Exclusion("2020", field="year")])
    assert verifier.asked == []
    _searcher(verifier).search("cake", k=2, exclude=["walnut", "flour"])
    assert {exclusion.text for pairs in verifier.calls for exclusion, _ in pairs} == {"flour"}


@pytest.mark.parametrize("answer", [[], None, Verification(["affirmed"] * 6)], ids=["list", "none", "texts"])  # type: ignore[list-item]
def test_an_answer_of_another_kind_says_what_is_expected(answer: object) -> None:
    class Wrong(Says):
        def verify(self, pairs: Sequence[Pair]) -> Verification:
            return answer  # type: ignore[return-value]

    with pytest.raises(
        ArgumentError, match=r"says must (?:return an esens\.verify\.Verification|answer with esens)"
    ):
        _searcher(Wrong({})).search(QUERY, k=2)
    with pytest.raises(ArgumentError, match="must be one of affirmed"):
        esens.Evidence("maybe")
