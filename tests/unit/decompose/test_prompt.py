"""What a language model is told: all the rules, the query as data, and a fingerprint of it all."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.decompose.llm import prompt
from esens.decompose.llm.prompt import EXCLUSIONS, SINGLE_TRAP, Prompt, as_data, prompt_for
from esens.decompose.llm.response import read_answer
from esens.types import RELATIONS

PROMPTS = pytest.mark.parametrize("told", [EXCLUSIONS, SINGLE_TRAP], ids=["exclusions", "single trap"])


@PROMPTS
@pytest.mark.parametrize(
    "rule",
    [
        "nothing wanted is missed",  # the target keeps recall
        "few words that find the unwanted documents and no others",  # the trap is compact and precise
        "a person, organisation, work, place",  # named entities first
        "without the words that exclude it",  # wrappers are stripped from the trap
        "No exclusion stays in it",  # and from the target
        "unless the negation is the usual name",
        "Do not go broader",  # broad anchors are avoided
        "write the opposite if it is obvious",  # contrasts use the counterpart
        "only if the query excludes, rejects, contrasts or exempts nothing",  # when the trap is empty
        "no facts or names from elsewhere",  # nothing from outside the query
        "exactly these two fields",
    ],
)
def test_the_prompt_carries_every_rule(told: Prompt, rule: str) -> None:
    assert rule in told.system


@PROMPTS
def test_the_examples_would_be_accepted(told: Prompt) -> None:
    lines = told.system.splitlines()
    examples = [(line, lines[number + 1]) for number, line in enumerate(lines) if line.startswith("Query: ")]
    assert len(examples) >= 4
    for query, answer in examples:
        read_answer(answer, json.loads(query.removeprefix("Query: ")), single_trap=told is SINGLE_TRAP)


def test_the_setting_chooses_the_form() -> None:
    assert set(prompt_for(single_trap=False).schema["properties"]) == {"target", "exclusions"}
    assert set(prompt_for(single_trap=True).schema["properties"]) == {"target", "trap"}


def test_the_hash_covers_all_that_shapes_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    before = EXCLUSIONS.hash
    assert before != SINGLE_TRAP.hash
    assert replace(EXCLUSIONS, version="other").hash != before
    assert replace(EXCLUSIONS, system="other").hash != before
    assert replace(EXCLUSIONS, schema={}).hash != before
    for name in ("_USER", "_REPAIR"):
        with monkeypatch.context() as patched:
            patched.setattr(prompt, name, "other {query} {problem}")
            assert EXCLUSIONS.hash != before
    assert EXCLUSIONS.hash == before


def test_a_changed_prompt_needs_a_new_version() -> None:
    # Answers are compared by version. If this fails, raise that prompt's version and write the new hash here.
    assert (EXCLUSIONS.version, EXCLUSIONS.hash) == ("2", "d29cbf0e9cde")
    assert (SINGLE_TRAP.version, SINGLE_TRAP.hash) == ("1", "e87d24956cc6")


@pytest.mark.parametrize("relation", RELATIONS)
def test_the_prompt_and_its_schema_know_every_relation(relation: str) -> None:
    assert f'- "{relation}": ' in EXCLUSIONS.system
    assert EXCLUSIONS.schema["properties"]["exclusions"]["items"]["properties"]["relation"]["enum"] == list(
        RELATIONS
    )
    assert "relation" not in json.dumps(SINGLE_TRAP.schema)  # the paper has none


@given(st.text())
def test_a_query_is_one_line_of_data_and_nothing_else(query: str) -> None:
    data = as_data(query)
    assert json.loads(data) == query
    assert not set("<>[]\n\r") & set(data)
    system, user = EXCLUSIONS.messages(query)
    assert system == {"role": "system", "content": EXCLUSIONS.system}
    assert user["content"] == f"Query to split, as a JSON string:\n{data}\n\n" + user["content"].split("\n\n")[-1]


def test_a_repair_shows_the_answer_and_what_is_wrong() -> None:
    asked = EXCLUSIONS.repair("tea", "x" * 5000, 'not "JSON"')
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]
    assert asked[:2] == EXCLUSIONS.messages("tea")
    assert asked[2]["content"] == "x" * 2000
    assert r'"not \"JSON\""' in asked[3]["content"]
