"""Subject or property: what the cue says, and what the candidates know better."""

import pytest

from esens import Document, Exclusion
from esens.evidence.relation import CandidateSigns, ExcludedName, excluded_name, is_property
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


def _name(exclusion: str, target: str, relation: str = "about") -> ExcludedName:
    return excluded_name(Exclusion(exclusion, relation), terms_of(target))


@pytest.mark.parametrize(
    ("exclusion", "title"),
    [
        ("Dayton International", "Dayton International Airport"),
        ("Dayton International Airport", "Dayton International"),
        ("dayton international airport", "Dayton International Airport"),
        ("the Dayton International Airport", "Dayton International Airport (Ohio)"),
    ],
)
def test_of_a_name_what_the_target_says_anyway_may_be_missing(exclusion: str, title: str) -> None:
    assert _name(exclusion, "airports in Ohio").is_title_of(Document("a", "…", title))


@pytest.mark.parametrize(
    ("exclusion", "target", "title"),
    [
        ("mushrooms", "pasta", "Mushroom pasta"),
        ("chocolate", "cakes", "Chocolate cake"),
        ("red meat", "stews", "Red meat stew"),
        ("Dayton International", "airports in Ohio", "Dayton International Festival"),
        ("Dayton International", "airports in Ohio", "Airports near Dayton International"),
        ("Dayton", "airports in Ohio", "Dayton Airport"),
        ("Ohio Airport", "airports in Ohio", "Ohio"),
    ],
)
def test_a_property_in_a_title_is_no_name_of_it(exclusion: str, target: str, title: str) -> None:
    assert not _name(exclusion, target).is_title_of(Document("a", "…", title))


@pytest.mark.parametrize(
    ("exclusion", "title", "is_another"),
    [
        ("George W. Bush", "George H. W. Bush", True),
        ("George H. W. Bush", "George W. Bush", True),
        ("George W. Bush", "George Herbert Walker Bush", True),
        ("George W. Bush", "George Walker Bush", False),
        ("George W. Bush", "George W. Bush", False),
        ("George W. Bush", "George Bush", False),
        ("George Bush", "George H. W. Bush", False),
        ("George W. Bush", "Presidency of George H. W. Bush", False),
        ("Gulf of Mexico", "Gulf of California", False),
    ],
)
def test_other_initials_are_another_person(exclusion: str, title: str, is_another: bool) -> None:
    name = _name(exclusion, "presidents")
    assert name.is_another(Document("a", "…", title)) == is_another
    assert name.is_another(Document("a", f"{title} was born in June.")) == is_another


def test_what_documents_have_is_named_as_a_whole() -> None:
    title = Document("a", "…", "Woody Allen films")
    assert not _name("Woody Allen", "films", "has").is_title_of(title)
    assert _name("Woody Allen", "films").is_title_of(title)


def test_what_the_target_names_as_well_is_no_other_subject() -> None:
    assert not _name("Ann Lee", "When was Ann Lee born?").is_title_of(Document("a", "…", "Ann Lee"))


def test_a_lack_is_a_property_whatever_is_asked() -> None:
    for wanted in (CLASS, QUESTION):
        assert is_property(Exclusion("no OS", "open"), wanted, NOBODY)
        assert is_property(Exclusion("no OS", "about"), wanted, NOBODY)


@pytest.mark.parametrize(
    ("phrase", "title", "leads"),
    [
        ("its discovery by Guillermo Sapiro", "Guillermo Sapiro", True),
        ("the discoveries of Guillermo Sapiro's group", "Guillermo Sapiro", True),
        ("its place in The Law of Vacant Places", "The Law of Vacant Places", True),
        ("its place among recipes for olive oil", "Olive oil", False),  # no name
        ("its discovery by Guillermo Sapiro", "Adobe After Effects", False),
        ("its part in Adobe After Effects", "Adobe After Effects", False),  # which is wanted
        ("Sapiro and his work", "Sapiro", False),  # one word may stand for much
    ],
)
def test_a_name_that_leads_to_the_thing_is_excluded_with_it(phrase: str, title: str, leads: bool) -> None:
    wanted = terms_of("the functions of Adobe After Effects")
    name = excluded_name(Exclusion(phrase, "about"), wanted)
    assert name.leads_by(Document("a", "…", title)) == leads


@pytest.mark.parametrize(
    ("title", "is_another"),
    [("Annie (1982 film)", False), ("Annie (2014 film)", True), ("Annie", False), ("Annie (musical)", False)],
)
def test_a_namesake_of_another_year_is_another(title: str, is_another: bool) -> None:
    exclusion = Exclusion("Annie", "about", phrase="the 1982 musical movie Annie")
    name = excluded_name(exclusion, terms_of("movies of the same name"))
    assert name.is_another(Document("a", "…", title)) == is_another
