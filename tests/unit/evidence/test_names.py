"""What a document is named for: the excluded thing, another one, or what is wanted."""

import pytest

from esens import Document, Exclusion
from esens.evidence.names import ExcludedName, excluded_name
from esens.text.terms import terms_of


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


def test_signs_are_a_part_of_a_name() -> None:
    language = _name("C++", "programming languages")
    assert language.is_title_of(Document("a", "…", "C++ (programming language)"))
    assert not language.is_title_of(Document("a", "…", "C# (programming language)"))
    assert language.begins(Document("a", "C++ is a language."))
    assert not language.begins(Document("a", "C is a language."))


def test_a_name_has_a_short_form() -> None:
    city = _name("New York City", "US cities")
    assert city.is_title_of(Document("a", "…", "NYC"))
    assert not city.is_title_of(Document("a", "…", "NYC Marathon"))
    assert city.begins(Document("a", "NYC never sleeps."))
    assert not city.begins(Document("a", "NYC Marathon in the rain."))


@pytest.mark.parametrize("title", ["J.K. Rowling", "J. K. Rowling", "JK Rowling", "J K Rowling"])
@pytest.mark.parametrize(
    "exclusion", ["J.K. Rowling", "J. K. Rowling", "JK Rowling", "jk rowling", "j.k. rowling"]
)
def test_initials_are_written_with_and_without_dots(exclusion: str, title: str) -> None:
    writer = _name(exclusion, "English writers")
    assert writer.is_title_of(Document("a", "…", title))
    assert writer.is_title_of(Document("a", "…", f"{title} (writer)"))
    assert writer.begins(Document("a", f"{title} was born in July."))
    assert not writer.begins(Document("a", f"{title} Award for novels"))
    assert not writer.is_another(Document("a", "…", title))
    about = excluded_name(Exclusion(f"Her friendship with {title}", "about"), terms_of("novels"))
    assert about.leads_by(Document("a", "…", exclusion))


@pytest.mark.parametrize(
    ("exclusion", "title"),
    [
        ("J.R.R. Tolkien", "JRR Tolkien"),
        ("CS Lewis", "C. S. Lewis"),
        ("A. A. Milne", "AA Milne"),
        ("AA Milne", "A.A. Milne"),
        ("George HW Bush", "George H. W. Bush"),
        ("George H. W. Bush", "George HW Bush"),
        ("US Open", "U.S. Open"),
        ("us open", "US Open"),
        ("U.S.", "U.S."),
        ("It's a Wiggly Wiggly World", "It's a Wiggly Wiggly World"),
        ("Edward G. Pitka Sr. Airport", "Edward G. Pitka Sr. Airport"),
    ],
)
def test_initials_of_two_and_three_letters(exclusion: str, title: str) -> None:
    name = _name(exclusion, "people")
    assert name.is_title_of(Document("a", "…", title))
    assert name.begins(Document("a", f"{title}, as it was."))
    assert not name.is_another(Document("a", "…", title))


@pytest.mark.parametrize(
    ("exclusion", "title"),
    [("J.K. Rowling", "J. M. Rowling"), ("JK Rowling", "Jk"), ("George W. Bush", "George HW Bush")],
)
def test_other_initials_are_no_title_of_it(exclusion: str, title: str) -> None:
    name = _name(exclusion, "people")
    assert not name.is_title_of(Document("a", "…", title))
    assert not name.begins(Document("a", f"{title} was born in June."))


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
        ("George W. Bush", "George HW Bush", True),
        ("George H. W. Bush", "George HW Bush", False),
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
