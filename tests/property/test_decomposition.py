"""What holds for every query, whatever it says."""

from hypothesis import given
from hypothesis import strategies as st

from esens import Decomposition, decompose
from esens.decompose.rules.lexicon import LANGUAGES, lexicon_of

CUES = [
    "without",
    "except for",
    "but not",
    "other than",
    "-tea",
    "NOT tea",
    "not",
    "no",
    "aside",
    "leaving",
    "out",
    "ohne",
]
WORDS = [
    "tea",
    "milk",
    "Rome",
    "which",
    "what",
    "is",
    "are",
    "films",
    '"',
    ",",
    "?",
    ".",
    "(",
    ")",
    "and",
    "the",
    "茶",
    "茶，除了",
]
queries = st.lists(st.sampled_from(CUES + WORDS), min_size=1, max_size=14).map(" ".join)
anything = st.text(alphabet=st.characters(codec="utf-8"), max_size=200).filter(lambda text: bool(text.strip()))


@given(queries | anything)
def test_a_query_is_split_into_texts_that_say_something(query: str) -> None:
    split = decompose(query)
    assert split.target.strip()
    assert all(trap.strip() for trap in split.traps)
    assert len(set(split.traps)) == len(split.traps)
    assert 0 < split.confidence <= 1
    assert split.reason


@given(queries | anything)
def test_what_excludes_nothing_stays_as_it_is(query: str) -> None:
    split = decompose(query)
    assert split.traps or split == Decomposition(query)


@given(queries | anything)
def test_nothing_comes_from_outside_the_query(query: str) -> None:
    split = decompose(query)
    said = "".join(query.split())
    assert all("".join(trap.split()) in said for trap in split.traps)


@given(queries)
def test_blanks_do_not_matter(query: str) -> None:
    spaced = query.replace(" ", " \n ")
    split, again = decompose(query), decompose(spaced)
    assert again.traps == split.traps
    assert again.target == split.target or not split.traps


@given(
    st.lists(st.sampled_from(["tea", "milk", "rome", "films", "history", "museum", "42"]), min_size=1).map(
        " ".join
    )
)
def test_without_a_word_that_excludes_there_is_no_doubt(query: str) -> None:
    split = decompose(query)
    assert split == Decomposition(query)
    assert split.confidence == 1


@given(queries | anything, st.sampled_from(LANGUAGES))
def test_every_table_reads_every_query(query: str, language: str) -> None:
    assert lexicon_of(language).language == language
    assert decompose(query, decomposer=f"rules:{language}").target.strip()
