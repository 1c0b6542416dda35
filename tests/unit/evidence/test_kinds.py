"""What counts as a kind of a thing, what does not, and whose tables say so."""

import time
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from esens.evidence import kind_tables
from esens.evidence.kind_tables import CAPITAL, EVERY_FACTS, WORDNET, facts_in, key_of
from esens.evidence.kinds import kinds_of, lookalikes_of
from esens.text.terms import terms_of
from esens.text.tokens import singular

DATA = resources.files("esens.evidence") / "data"


def _written() -> str:
    return "\n".join((DATA / name).read_text(encoding="utf-8") for name in EVERY_FACTS)


@pytest.mark.parametrize(
    ("kind", "thing"),
    [
        ("almond", "nuts"),
        ("suede", "leather"),
        ("crete", "Greece"),
        ("greek", "Greece"),
        ("cheddar", "cheese"),
        ("merlot", "red wine"),
        ("merlot", "wine"),
        ("dimethicone", "silicones"),
        ("methylparaben", "parabens"),
        ("butter", "dairy"),
        ("butter", "dairy products"),
        ("gouda", "dairy"),
        ("wheat", "gluten"),
        ("bacon", "meat"),
        ("shrimp", "seafood"),
        ("poodle", "dogs"),
        ("rifle", "a weapon"),
        ("sitcom", "comedies"),
        ("1985", "the eighties"),
        ("1985", "1980s"),
        ("norway", "Scandinavia"),
        ("oslo", "Scandinavia"),
        ("croatian", "the Balkans"),
        ("hondura", "Central America"),
        ("nigeria", "Africa"),
        ("france", "French"),
        ("scotland", "UK"),
        ("united state", "US"),
        ("united state", "American"),
        ("istanbul", "Turkey"),
        ("propranolol", "beta blockers"),
        ("sertraline", "drugs"),
        ("lisinopril", "medication"),
        ("pediatric", "children"),
        ("e mail", "email"),
        ("courgette", "zucchini"),
        ("zucchini", "courgettes"),
        ("bicycle", "bikes"),
        ("ww2", "World War II"),
        ("world war ii", "WWII"),
        ("brussels sprout", "vegetables"),  # as it is written, but for the plural
    ],
)
def test_kinds_count(kind: str, thing: str) -> None:
    assert kind in kinds_of(thing)


@pytest.mark.parametrize(
    ("name", "thing"),
    [
        ("date", "fruit"),  # mostly a day
        ("apple", "computers"),
        ("bass", "fish"),
        ("turkish", "turkey"),  # the bird, without a capital letter
        ("istanbul", "turkey"),
        ("cut", "meat"),
        ("game", "meat"),
        ("kid", "leather"),
        ("nice", "France"),
        ("tour", "France"),  # Tours
        ("alpine", "France"),  # the Alps lie in other places too
        ("roman", "Italy"),
        ("may", "months"),
        ("scotland", "England"),
        ("japan", "islands"),
        ("book", "music"),
        ("laxative", "physics"),
        ("1985", "1980"),
    ],
)
def test_what_mostly_means_something_else_is_no_kind(name: str, thing: str) -> None:
    assert name not in kinds_of(thing)


@pytest.mark.parametrize(
    "thing", ["", " ", "or", "thing", "food", "reinforcement learning", "Brent Scowcroft", "不锈钢"]
)
def test_nothing_is_known_of_what_is_no_thing_or_too_much(thing: str) -> None:
    assert kinds_of(thing) == ()
    assert lookalikes_of(thing) == ()


def test_the_parts_of_a_list_count_with_their_kinds() -> None:
    assert {"chicken", "beef", "steak"} <= set(kinds_of("chicken, beef"))
    assert {"china", "chinese", "korea"} <= set(kinds_of("China or Korea"))
    assert {"egypt", "cairo", "tunisian"} <= set(kinds_of("Egypt Morocco Tunisia etc"))
    assert "salt" not in kinds_of("salt and vinegar")  # one thing, perhaps


@pytest.mark.parametrize(("plural", "kind"), [("potatoes", "potato"), ("cheeses", "cheese"), ("knives", "dagger")])
def test_plurals_of_every_form_ask(plural: str, kind: str) -> None:
    assert kind in kinds_of(plural)


@pytest.mark.parametrize("name", ["cookies", "potatoes", "cheeses"])
def test_a_kind_is_found_in_the_plural_as_singular_makes_it(name: str) -> None:
    things = {"cookies": "gluten", "potatoes": "vegetables", "cheeses": "dairy"}
    assert singular(name) in kinds_of(things[name])


def test_lookalikes_have_the_word_and_are_none() -> None:
    assert {"coconut milk", "peanut butter", "cream of tartar"} <= set(lookalikes_of("dairy"))
    assert "faux leather" in lookalikes_of("leather")
    assert not set(lookalikes_of("dairy")) & set(kinds_of("dairy"))


def test_what_looks_like_one_kind_may_be_another() -> None:
    assert {"turkey ham", "beef bacon"} <= set(lookalikes_of("pork"))
    assert {"turkey ham", "beef bacon"}.isdisjoint(lookalikes_of("meat"))
    assert "almond milk" in lookalikes_of("milk")
    assert "almond milk" not in lookalikes_of("allergens")
    assert "dairy free milk" in lookalikes_of("dairy")


@pytest.mark.parametrize("thing", ["nuts", "Europe", "dairy", "wine", "animal products"])
def test_names_are_spelled_as_terms_are_and_are_not_the_thing_itself(thing: str) -> None:
    names = kinds_of(thing)
    assert len(set(names)) == len(names)
    for name in names:
        assert name == name.casefold()
        assert terms_of(name)
        assert not terms_of(thing) <= terms_of(name)


def test_every_line_of_the_facts_is_read_once_and_every_sum_has_parts() -> None:
    text = _written()
    written = [line for line in text.replace("\n  ", " ").splitlines() if line and not line.startswith("#")]
    facts = facts_in(text)
    assert len(facts) == len(written)
    signs = [(key_of(thing), thing.startswith(CAPITAL), sign.replace(":", "=")) for thing, sign, _ in facts]
    assert len(set(signs)) == len(signs)
    for thing, _, names in facts:
        assert all(names), thing
        assert all(kinds_of(name[:-1]) for name in names if name.endswith("+")), thing


def test_the_tables_are_small_and_quickly_read() -> None:
    assert len((DATA / WORDNET).read_bytes()) < 700_000
    seconds = []
    for _ in range(5):
        kind_tables.wordnet.cache_clear()
        kind_tables.facts.cache_clear()
        kinds_of.cache_clear()
        start = time.process_time()
        kinds_of("nuts")
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.2  # 0.04 where it was written


def test_the_licence_of_wordnet_stands_beside_its_table() -> None:
    notice = (DATA / "NOTICE").read_text(encoding="utf-8")
    assert WORDNET in notice
    assert "WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved." in notice
    assert "Permission to use, copy, modify and distribute" in notice
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "src/esens/evidence/data/NOTICE" in project["license-files"]


def test_the_keys_of_a_table_made_at_once_are_those_of_its_names_one_by_one() -> None:
    text = _written()
    things, keys, wider = kind_tables.facts()
    named = {key_of(other) for _, sign, others in facts_in(text) if sign == "~" for other in others}
    kinds = {key_of(kind) for thing in things.values() for kind in thing.kinds}
    spelled = [
        (key.startswith(CAPITAL), key.removeprefix(CAPITAL), thing.spelling) for key, thing in things.items()
    ]
    assert all(key == key_of(spelling) for _, key, spelling in spelled)
    assert {spelling for is_capital, _, spelling in spelled if is_capital} >= {"Turkey"}
    assert set(keys) == named
    assert set(wider) == named | kinds


def test_what_is_known_by_another_name_is_known() -> None:
    assert "sarajevo" in kinds_of("Bosnia")
    assert {"arizona", "ohio", "brooklyn"} <= set(kinds_of("the United States"))
    assert {"georgia", "america", "manchester", "continental"}.isdisjoint(kinds_of("USA"))
