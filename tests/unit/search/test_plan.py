"""What of an exclusion is embedded: as the query puts it, while words are looked through for its name."""

from esens import Contrast, Decomposition, Exclusion, Linear, Relational, decompose
from esens.search.plan import compared_traps, plan_query
from esens.text.terms import terms_of

QUERY = "What are Zeca Baleiro's achievements, excluding information about the American singer Nate Ruess?"


def test_the_rules_keep_how_the_query_puts_it_beside_the_name() -> None:
    (exclusion,) = decompose(QUERY).exclusions
    assert exclusion.text == "Nate Ruess"
    assert exclusion.phrase == "American singer Nate Ruess"


def test_where_the_query_says_no_more_than_the_name_there_is_no_phrase() -> None:
    assert decompose("pasta without mushrooms").exclusions[0].phrase == ""
    assert decompose('tea -"green tea"').exclusions[0].phrase == ""


def test_vectors_are_compared_with_the_phrase_and_words_with_the_name() -> None:
    split = decompose(QUERY)
    for scorer in (Relational(), Contrast()):
        plan = plan_query(QUERY, split, scorer, k=5)
        assert plan.texts.traps == ("American singer Nate Ruess",)
        assert plan.trap_terms == (terms_of("Nate Ruess"),)


def test_the_papers_score_goes_by_the_trap_alone() -> None:
    assert plan_query(QUERY, decompose(QUERY), Linear(), k=5).texts.traps == ("Nate Ruess",)


def test_a_phrase_that_repeats_the_target_is_compared_without_it() -> None:
    exclusion = Exclusion("Brent Scowcroft", phrase="members of the board such as Brent Scowcroft")
    assert compared_traps(Decomposition("members of the board", (), exclusions=(exclusion,))) == (
        "Brent Scowcroft",
    )
