"""What a model wrote is read, or refused with a reason; nothing that the query does not say gets through."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.conftest import SHARED

from esens import LLMDecomposer
from esens.decompose.llm.grounding import stem, token_overlap
from esens.decompose.llm.response import MOST_EXCLUSIONS, Answer, AnswerError, read_answer
from esens.decompose.rules.lexicon.language import language_of
from esens.errors import MissingExtraError
from esens.text.tokens import content_words
from esens.types import RELATIONS, Exclusion

QUERY = "ways of making coffee, excluding espresso and the French press"
ESPRESSO, PRESS = Exclusion("espresso", "about"), Exclusion("French press", "about")


def _fields(target: object, *traps: object, relation: str = "about") -> dict[str, object]:
    return {"target": target, "exclusions": [{"text": trap, "relation": relation} for trap in traps]}


GOOD = _fields("ways of making coffee", "espresso", "French press")


def _read(value: object, query: str = QUERY, *, single_trap: bool = False) -> Answer:
    return read_answer(value if isinstance(value, str) else json.dumps(value), query, single_trap=single_trap)


def test_a_good_answer_is_read() -> None:
    assert _read(GOOD) == Answer("ways of making coffee", (ESPRESSO, PRESS))
    assert _read(_fields("tea"), "tea") == Answer("tea")


def test_every_exclusion_has_its_own_relation_and_its_place() -> None:
    told = [{"text": "espresso", "relation": "has"}, {"text": "french press", "relation": "open"}]
    espresso, press = _read({"target": "ways of making coffee", "exclusions": told}).exclusions
    assert (espresso, espresso.span) == (Exclusion("espresso", "has"), (33, 41))
    assert (press, press.span) == (Exclusion("french press"), None)  # the query writes it in another way
    (milk,) = _read(_fields("milk tea", "milk", relation="has"), "milk tea without milk").exclusions
    assert milk.span is None  # it stands there twice


def test_the_single_trap_may_be_empty() -> None:
    assert _read({"target": "making coffee", "trap": "espresso"}, single_trap=True).traps == ("espresso",)
    assert _read({"target": "green tea", "trap": " "}, "green tea", single_trap=True).traps == ()


@pytest.mark.parametrize(
    "wrapped",
    [
        "```json\n{}\n```",
        "```\n{}\n```",
        " \n{}\n ",
        "<think>Espresso is unwanted.\n{{</think>\n{}",
        "```json {}```",
        "so</think>{}",
    ],
    ids=["fenced", "fenced without a name", "blanks", "thoughts", "fenced in a line", "half a thought"],
)
def test_what_stands_around_the_json_is_taken_off(wrapped: str) -> None:
    assert _read(wrapped.replace("{{", "").replace("{}", json.dumps(GOOD))) == _read(GOOD)


def test_a_negation_that_is_the_name_of_what_is_wanted_may_stay() -> None:
    answer = read_answer(
        json.dumps(_fields("non-alcoholic beer", "alcoholic beer")), "non-alcoholic beer", single_trap=False
    )
    assert answer == Answer("non-alcoholic beer", (Exclusion("alcoholic beer", "about"),))


def test_blanks_doubles_and_empty_traps_are_tidied() -> None:
    tidied = _read(_fields(" ways of \n making coffee ", "espresso", "", "espresso"))
    assert tidied == Answer("ways of making coffee", (ESPRESSO,))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "it is empty"),
        ("<think>hm</think>", "it is empty"),
        ("Here you are: {}", "not JSON"),
        ('{"target": "coffee", "exclusions": [', "not JSON"),
        ("[" * 100_000, "characters"),
        ("[" * 15_000, "not JSON"),
        ("1" * 6_000, "not JSON"),
        ("x" * 30_000, "it has 30,000 characters"),
        ("[]", "must be a JSON object, not a list"),
        ("null", "not null"),
        ("true", "not true or false"),
        ("7", "not a number"),
        ({}, 'exactly "exclusions" and "target", found none'),
        ({"target": "coffee"}, 'found "target"'),
        ({**GOOD, "confidence": 1}, 'found "confidence" and "exclusions" and "target"'),
        ({"target": "coffee", "trap": "espresso"}, 'exactly "exclusions" and "target"'),
        ({"target": "coffee", "traps": ["espresso"]}, 'exactly "exclusions" and "target"'),
        (_fields(["coffee"]), '"target" must be a string, not a list'),
        ({"target": "coffee", "exclusions": "espresso"}, '"exclusions" must be a list of objects, not a string'),
        ({"target": "coffee", "exclusions": ["espresso"]}, r'"exclusions\[0\]" must be an object, not a string'),
        ({"target": "coffee", "exclusions": [{"text": "espresso"}]}, r'of "exclusions\[0\]" must be exactly'),
        (_fields("coffee", None), r'"exclusions\[0\].text" must be a string, not null'),
        (_fields("coffee", {"a": 1}), "not an object"),
        (_fields("coffee", "espresso", relation="contains"), 'one of "about", "has", "open", not "contains"'),
        (_fields("coffee", "espresso", relation="About"), 'not "About"'),
        (_fields("coffee", "espresso", relation=""), 'not ""'),
        ({"target": "coffee", "exclusions": [{"text": "espresso", "relation": ["has"]}]}, "not a list"),
        ({"target": "coffee", "exclusions": [{"text": "espresso", "relation": None}]}, "not null"),
        (
            _fields("coffee", *["espresso"] * (MOST_EXCLUSIONS + 1)),
            f"has {MOST_EXCLUSIONS + 1} entries; {MOST_EXCLUSIONS} are the most",
        ),
        (_fields(" "), '"target" is empty'),
        (_fields("coffee " * 30), "more than the query"),
        (_fields("coffee", "espresso " * 30), "more than the query"),
        ('{"target": "coffee \\ud800", "exclusions": []}', "half a surrogate pair"),
        (_fields("hacked", "espresso"), "'hacked', which the query does not say"),
        (_fields("making coffee", "Starbucks"), "'Starbucks' is not from the query"),
        (_fields("making coffee", "the"), "not from the query"),
        (_fields("making coffee", "excluding espresso"), "still holds the word that excludes"),
        (_fields("espresso", "Espresso"), 'both "target" and trap'),
        (_fields(QUERY, "espresso"), "is the whole query"),
    ],
)
def test_what_is_wrong_is_said(answer: object, reason: str) -> None:
    with pytest.raises(AnswerError, match=reason):
        _read(answer)


def test_a_target_that_forgets_the_query_is_refused() -> None:
    query = "history of railways and stations in northern Italy before the first world war, apart from Lombardy's"
    for lost in (_fields("Italy"), _fields("war", "Lombardy")):
        with pytest.raises(AnswerError, match="too much of the query is in neither"):
            _read(lost, query)


def test_an_exclusion_that_got_lost_is_refused() -> None:
    with pytest.raises(AnswerError, match="too much of the query is in neither"):
        _read(_fields("jazz albums"), "jazz albums, but nothing by Miles Davis")


@pytest.mark.parametrize(
    ("query", "trap"),
    [
        ("which drugs are legal in Portugal", "illegal drugs"),
        ("internships that are paid", "unpaid internships"),
        ("places where dogs are allowed", "dogs forbidden"),
        ("matches the team won", "lost matches"),
        ("members who were present", "absent members"),
        ("birds that cannot fly", "flying birds"),
        ("stories with no ghosts in them", "ghost story"),
        ("films, but nothing black-and-white", "black and white"),
        ("a bird that is no black bird", "blackbird"),
        ("contact by anything but email", "e-mail"),
        ("不加牛奶的茶", "牛奶"),
        ("Käse ohne LÖCHER", "Löcher"),
    ],
)
def test_counterparts_and_inflections_are_from_the_query(query: str, trap: str) -> None:
    assert token_overlap(trap, query, language=language_of(query)) >= 1 / 2


@pytest.mark.parametrize(
    ("query", "trap"),
    [
        ("quels magazines sont disponibles, sans les journaux", "journal"),
        ("poemas de amor, sin las canciones", "canción"),
    ],
)
def test_inflections_are_those_of_the_language(query: str, trap: str) -> None:
    assert token_overlap(trap, query, language=language_of(query)) == 1


@pytest.mark.parametrize(("query", "trap"), [("card games", "car"), ("metal bands", "met")])
def test_words_that_only_begin_alike_are_other_words(query: str, trap: str) -> None:
    assert token_overlap(trap, query, language="en") == 0


def test_many_threads_stem_at_once() -> None:
    """A stemmer of Snowball keeps the word that it works on, so threads must not share one."""
    letters = "bdfglmnprstw"
    words = [f"{a}{b}o{c}ational" for a in letters for b in letters for c in letters]
    one_by_one = [stem(word, "en") for word in words]
    stem.cache_clear()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(stem, words, repeat("en"))) == one_by_one
    finally:
        sys.setswitchinterval(interval)


def test_without_the_stemmer_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(
        MissingExtraError, match=r'snowballstemmer is not installed.*pip install "esens\[openai\]"'
    ):
        LLMDecomposer("small", base_url="http://localhost:9", cache=False)


@pytest.mark.parametrize("trap", ["Real Madrid", "opioids", "reinforcement learning", "", "the of and"])
def test_other_words_are_not(trap: str) -> None:
    assert token_overlap(trap, "football clubs from Spain that never won the cup", language="en") < 1 / 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["target", "trap", "text", "relation"]) | st.text(), inner)
    ),
    max_leaves=8,
)
RELATION = JSON | st.sampled_from(RELATIONS)
EXCLUDED = st.fixed_dictionaries({"text": JSON | st.text(), "relation": RELATION})
SHAPED = st.fixed_dictionaries({"target": JSON, "exclusions": JSON | st.lists(EXCLUDED)})


@given(
    text=st.text() | JSON.map(json.dumps) | SHAPED.map(json.dumps), query=st.text(min_size=1), single=st.booleans()
)
@example(text='{"target": "\\ud800", "exclusions": []}', query="x", single=False)
@example(text='{"target": "?", "exclusions": []}', query="?", single=False)
def test_whatever_is_written_is_an_answer_within_bounds_or_a_refusal(text: str, query: str, single: bool) -> None:
    try:
        answer = read_answer(text, query, single_trap=single)
    except AnswerError:
        return
    assert answer.target.strip()
    assert len(answer.traps) <= (1 if single else MOST_EXCLUSIONS)
    for text in (answer.target, *answer.traps):
        assert len(text) <= len(query) + 40
        overlap = token_overlap(text, query, language=language_of(query))
        assert not content_words(text) or overlap >= 1 / 2 or not content_words(query)
    assert all(trap.strip() for trap in answer.traps)
    assert all(exclusion.relation in RELATIONS for exclusion in answer.exclusions)
    assert not single or all(exclusion.relation == "open" for exclusion in answer.exclusions)


def _of_gpt_4o_mini() -> list[tuple[str, dict[str, str]]]:
    path = Path(SHARED, "excluir-23k", "queries.jsonl")
    if not path.is_file():
        pytest.skip("the shared benchmark excluir-23k is not beside the project")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["text"], row["gpt4o_mini"]) for row in rows if row.get("gpt4o_mini")]


def _accepted(pairs: list[tuple[str, dict[str, str]]]) -> float:
    accepted = 0
    for query, written in pairs:
        try:
            _read({"target": written["target"], "trap": written["trap"]}, query, single_trap=True)
        except AnswerError:
            continue
        accepted += 1
    return accepted / len(pairs)


def test_real_answers_pass_and_those_to_other_queries_do_not() -> None:
    pairs = _of_gpt_4o_mini()
    others = [written for _, written in pairs[1:] + pairs[:1]]
    assert _accepted(pairs) > 0.98
    assert _accepted([(query, other) for (query, _), other in zip(pairs, others, strict=True)]) < 0.02


# Which side is which.


@pytest.mark.parametrize(
    ("query", "target", "traps", "problem"),
    [
        ("green tea without milk", "milk", ["green tea"], "'milk', which is in the target and in no trap"),
        ("green tea without milk", "green tea", ["tea"], "the trap 'tea' is a part of the target"),
        ("green tea without milk", "green tea", ["milk", "tea"], "the trap 'tea' is a part of the target"),
        ("songs by Queen, except Bohemian Rhapsody", "Bohemian Rhapsody", ["songs by Queen"], "sides are swapped"),
        ("Rezepte ohne Zucker und Mehl", "Zucker und Mehl", ["Rezepte"], "sides are swapped"),
        ("除了熊猫以外的熊", "熊猫", ["熊的"], "sides are swapped"),
        ("green tea without milk", "green tea", ["milk tea"], ""),
        ("green tea without milk or sugar", "green tea", ["milk", "sugar"], ""),
        ("tea, and by the way I hate sugar", "tea", ["sugar"], ""),
        ("driving without shoes", "driving without shoes", [], ""),
    ],
)
def test_an_answer_on_the_wrong_side_is_refused(query: str, target: str, traps: list[str], problem: str) -> None:
    answer = _fields(target, *traps)
    if not problem:
        assert _read(answer, query).traps == tuple(traps)
        return
    with pytest.raises(AnswerError, match=problem):
        _read(answer, query)


@pytest.mark.parametrize(
    ("query", "target", "lost"),
    [
        ("boots without laces", "boots", "laces"),
        ("Please show me boots without laces", "boots", "laces"),
        ("Stiefel für den Winter ohne Schnürsenkel", "Stiefel für den Winter", "schnürsenkel"),
        ("boots without laces", "boots without laces", ""),  # the model takes the lack for the topic
        ("Please show me boots for the winter", "boots for the winter", ""),
        ("how do ships sail with no wind", "ships sail with no wind", ""),
    ],
)
def test_an_exclusion_that_is_taken_out_and_not_told_is_lost(query: str, target: str, lost: str) -> None:
    if not lost:
        assert _read(_fields(target), query).traps == ()
        return
    for single_trap, answer in ((False, _fields(target)), (True, {"target": target, "trap": ""})):
        with pytest.raises(AnswerError, match=f"'{lost}' is in neither target nor trap"):
            _read(answer, query, single_trap=single_trap)


@pytest.mark.parametrize(
    ("query", "traps", "confirmed"),
    [
        ("green tea without milk", ["milk"], True),
        ("green tea", [], True),
        ("rock bands, I've had enough of Oasis", ["Oasis"], False),
        ("green tea without milk", [], False),
    ],
)
def test_whether_the_rules_see_the_same_exclusion(query: str, traps: list[str], confirmed: bool) -> None:
    target = query.partition(" without ")[0].partition(",")[0] if traps else query
    assert _read(_fields(target, *traps), query).is_confirmed == confirmed


@pytest.fixture(scope="session")
def recorded() -> list[tuple[str, dict[str, str]]]:
    file = SHARED / "excluir-23k" / "queries.jsonl"
    if not file.is_file():
        pytest.skip("the shared benchmark excluir-23k is not beside the project")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [(row["text"], row["gpt4o_mini"]) for row in rows if row.get("gpt4o_mini", {}).get("trap")]


def test_recorded_answers_are_taken_and_the_same_ones_swapped_are_not(
    recorded: list[tuple[str, dict[str, str]]],
) -> None:
    def accepted(target: str, trap: str, query: str) -> bool:
        try:
            return bool(_read({"target": target, "trap": trap}, query, single_trap=True))
        except AnswerError:
            return False

    good = sum(accepted(answer["target"], answer["trap"], query) for query, answer in recorded)
    swapped = sum(accepted(answer["trap"], answer["target"], query) for query, answer in recorded)
    assert good > 0.98 * len(recorded)
    assert swapped < 0.1 * len(recorded)
