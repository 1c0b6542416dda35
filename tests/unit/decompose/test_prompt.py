"""What a language model is told: all the rules, the query as data, and a fingerprint of it all."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.decompose.llm import prompt
from esens.decompose.llm.prompt import SEVERAL_TRAPS, SINGLE_TRAP, Prompt, as_data, prompt_for
from esens.decompose.llm.response import read_answer

PROMPTS = pytest.mark.parametrize("told", [SEVERAL_TRAPS, SINGLE_TRAP], ids=["several", "single"])


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
    assert len(examples) == 4
    for query, answer in examples:
        read_answer(answer, json.loads(query.removeprefix("Query: ")), single_trap=told is SINGLE_TRAP)


def test_the_setting_chooses_the_form() -> None:
    assert set(prompt_for(single_trap=False).schema["properties"]) == {"target", "traps"}
    assert set(prompt_for(single_trap=True).schema["properties"]) == {"target", "trap"}


def test_the_hash_covers_all_that_shapes_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    before = SEVERAL_TRAPS.hash
    assert before != SINGLE_TRAP.hash
    assert replace(SEVERAL_TRAPS, system="other").hash != before
    assert replace(SEVERAL_TRAPS, schema={}).hash != before
    for name in ("_USER", "_REPAIR"):
        with monkeypatch.context() as patched:
            patched.setattr(prompt, name, "other {query} {problem}")
            assert SEVERAL_TRAPS.hash != before
    assert SEVERAL_TRAPS.hash == before


def test_a_changed_prompt_needs_a_new_version() -> None:
    # Answers are compared by version. If this fails, raise VERSION and write the new hashes here.
    assert (prompt.VERSION, SEVERAL_TRAPS.hash, SINGLE_TRAP.hash) == ("1", "b5c67c8c7705", "9622c2203f54")


@given(st.text())
def test_a_query_is_one_line_of_data_and_nothing_else(query: str) -> None:
    data = as_data(query)
    assert json.loads(data) == query
    assert not set("<>[]\n\r") & set(data)
    system, user = SEVERAL_TRAPS.messages(query)
    assert system == {"role": "system", "content": SEVERAL_TRAPS.system}
    assert user["content"] == f"Query to split, as a JSON string:\n{data}\n\n" + user["content"].split("\n\n")[-1]


def test_a_repair_shows_the_answer_and_what_is_wrong() -> None:
    asked = SEVERAL_TRAPS.repair("tea", "x" * 5000, 'not "JSON"')
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]
    assert asked[:2] == SEVERAL_TRAPS.messages("tea")
    assert asked[2]["content"] == "x" * 2000
    assert r'"not \"JSON\""' in asked[3]["content"]
