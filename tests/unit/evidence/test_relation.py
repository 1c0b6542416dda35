"""Subject or property: what the cue says, and what the candidates know better."""

import pytest

from esens import Exclusion
from esens.evidence.relation import CandidateSigns, is_property
from esens.text.terms import terms_of

CLASS, QUESTION = terms_of("red wines"), terms_of("how musical instruments are built, tuned and played")
NOBODY, SOME, MANY = (CandidateSigns(share, is_title=False) for share in (0.0, 0.1, 0.2))


@pytest.mark.parametrize("relation", ["about", "has", "open"])
@pytest.mark.parametrize("wanted", [CLASS, QUESTION], ids=["class", "question"])
class TestWhateverTheCue:
    def test_a_title_is_a_subject(self, relation: str, wanted: frozenset[str]) -> None:
        assert not is_property(Exclusion("drums", relation), wanted, CandidateSigns(0.9, is_title=True))

    def test_what_many_have_is_a_property(self, relation: str, wanted: frozenset[str]) -> None:
        assert is_property(Exclusion("drums", relation), wanted, MANY)

    def test_a_long_text_is_a_subject(self, relation: str, wanted: frozenset[str]) -> None:
        long = "the reign of the second emperor of the western provinces"
        assert not is_property(Exclusion(long, relation), wanted, MANY)

    def test_literal_words_fields_and_examples_are_properties(self, relation: str, wanted: frozenset[str]) -> None:
        assert is_property(Exclusion("drums", relation, is_literal=True), wanted, NOBODY)
        assert is_property(Exclusion("2020", relation, field="year"), wanted, NOBODY)
        assert is_property(Exclusion("a note", "like"), wanted, NOBODY)


@pytest.mark.parametrize("signs", [NOBODY, SOME], ids=["nobody", "some"])
def test_a_question_asks_for_one_answer_and_few_words_select_from_a_class(signs: CandidateSigns) -> None:
    assert not any(
        is_property(Exclusion("drums", relation), QUESTION, signs) for relation in ("about", "has", "open")
    )
    assert all(is_property(Exclusion("drums", relation), CLASS, signs) for relation in ("about", "has", "open"))
