"""Subject or property: what the cue says, and what the candidates know better."""

import pytest

from esens import Exclusion
from esens.evidence.relation import CandidateSigns, is_property
from esens.text.terms import terms_of

CLASS, QUESTION = terms_of("red wines"), terms_of("how musical instruments are built, tuned and played")


def _signs(share: float, *, is_title: bool = False) -> CandidateSigns:
    return CandidateSigns(lambda: share, is_title)


NOBODY, SOME, MANY = map(_signs, (0.0, 0.1, 0.2))


@pytest.mark.parametrize("relation", ["about", "has", "open"])
@pytest.mark.parametrize("wanted", [CLASS, QUESTION], ids=["class", "question"])
class TestWhateverTheCue:
    def test_a_title_is_a_subject(self, relation: str, wanted: frozenset[str]) -> None:
        assert not is_property(Exclusion("drums", relation), wanted, _signs(0.9, is_title=True))

    def test_what_many_have_is_a_property(self, relation: str, wanted: frozenset[str]) -> None:
        assert is_property(Exclusion("drums", relation), wanted, MANY)

    def test_a_long_text_is_a_subject(self, relation: str, wanted: frozenset[str]) -> None:
        long = "the reign of the second emperor of the western provinces"
        assert not is_property(Exclusion(long, relation), wanted, MANY)

    def test_literal_words_fields_and_examples_are_properties(self, relation: str, wanted: frozenset[str]) -> None:
        assert is_property(Exclusion("drums", relation, is_literal=True), wanted, NOBODY)
        assert is_property(Exclusion("2020", relation, field="year"), wanted, NOBODY)
        assert is_property(Exclusion("a note", "like"), wanted, NOBODY)


def test_who_has_decided_the_relation_is_taken_at_their_word() -> None:
    for wanted in (CLASS, QUESTION):
        for signs in (MANY, NOBODY, CandidateSigns(lambda: 0.9, is_title=True)):
            assert is_property(Exclusion("drums", "has", is_decided=True), wanted, signs)
            assert not is_property(Exclusion("drums", "about", is_decided=True), wanted, signs)
            open_one = Exclusion("drums", is_decided=True)
            assert is_property(open_one, wanted, signs) == is_property(Exclusion("drums"), wanted, signs)


@pytest.mark.parametrize("signs", [NOBODY, SOME], ids=["nobody", "some"])
def test_a_question_asks_for_one_answer_and_few_words_select_from_a_class(signs: CandidateSigns) -> None:
    assert not any(
        is_property(Exclusion("drums", relation), QUESTION, signs) for relation in ("about", "has", "open")
    )
    assert all(is_property(Exclusion("drums", relation), CLASS, signs) for relation in ("about", "has", "open"))


@pytest.mark.parametrize("relation", ["has", "open"])
def test_a_place_that_has_parts_is_a_property_though_a_document_bears_its_name(relation: str) -> None:
    titled = _signs(0.0, is_title=True)
    assert is_property(Exclusion("Africa", relation), terms_of("dramas"), titled)
    assert not is_property(Exclusion("Africa", relation), QUESTION, titled)
    assert not is_property(Exclusion("Africa", "about"), terms_of("dramas"), titled)
    assert not is_property(Exclusion("Zorblax", relation), terms_of("dramas"), titled)


def test_a_list_is_as_long_as_its_longest_part() -> None:
    wanted = terms_of("moisturizer")
    assert is_property(Exclusion("honey, beeswax, lanolin or other animal stuff"), wanted, NOBODY)
    assert is_property(Exclusion("peanuts/almonds/walnuts/cashews/pecans", "has"), wanted, NOBODY)
    long = "the reign of the second emperor, the western provinces"
    assert not is_property(Exclusion(long), wanted, NOBODY)


def test_documents_are_not_read_where_the_words_of_the_query_decide() -> None:
    unread = CandidateSigns(lambda: pytest.fail("read"), is_title=False)
    assert is_property(Exclusion("drums", "has"), CLASS, unread)
    assert is_property(Exclusion("drums", is_literal=True), QUESTION, unread)
    assert not is_property(Exclusion("drums"), QUESTION, unread._replace(is_title=True))


def test_a_lack_is_a_property_whatever_is_asked() -> None:
    for wanted in (CLASS, QUESTION):
        assert is_property(Exclusion("no OS", "open"), wanted, NOBODY)
        assert is_property(Exclusion("no OS", "about"), wanted, NOBODY)
