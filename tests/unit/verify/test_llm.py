"""The verifier that asks a language model, against a real server on loopback that behaves and misbehaves."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.chat_server import Body, ChatServer, Does, chat_server, query_of
from tests.hostile_server import MODES, absent_server, hostile_server

from esens.errors import ArgumentError, VerifierError
from esens.types import SILENT, Document, Evidence, Exclusion
from esens.verify import NamedKinds, verifier_of
from esens.verify.kinds_prompt import MOST_KINDS
from esens.verify.llm import LLMVerifier
from esens.verify.prompt import LONGEST_PASSAGE

NUTS = Exclusion("nuts", "has")
OATS = Document("oats", "Oats and honey.\nContains no nuts.")
PLAIN = Document("plain", "A cake of flour and eggs.")
KEY = "sk-very-secret-0123456789"

Make = Callable[..., LLMVerifier]


def says(stance: str, quote: str = "") -> str:
    return json.dumps({"answer": stance, "quote": quote})


def pair_of(body: Body) -> tuple[str, str]:
    """Return the excluded thing and the passage as a model would find them."""
    lines = body["messages"][1]["content"].split("\n")
    return str(json.loads(lines[1])), str(json.loads(lines[3]))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    with chat_server() as state:
        state.otherwise = lambda _: Does(says("silent"))
        yield state


@pytest.fixture
def make(server: ChatServer) -> Iterator[Make]:
    made: list[LLMVerifier] = []

    def maker(**settings: Any) -> LLMVerifier:
        usual: dict[str, Any] = {"base_url": server.base_url, "cache": False, "retries": 0}
        made.append(LLMVerifier("small", **usual | settings))
        return made[-1]

    yield maker
    for one in made:
        one.close()


def test_it_sees_exclusion_and_passage_and_its_answer_is_evidence(server: ChatServer, make: Make) -> None:
    server.otherwise = lambda body: Does(
        says("denied", "contains  no nuts") if "Oats" in str(body) else says("silent")
    )
    found = make().verify([(NUTS, OATS), (NUTS, PLAIN)])
    assert found.failure == ""
    assert found.evidence == [Evidence("denied", "Contains no nuts", 16), SILENT]
    assert sorted(map(pair_of, server.asked)) == [("nuts", PLAIN.content), ("nuts", OATS.content)]
    schema = server.asked[0]["response_format"]["json_schema"]
    assert schema["name"] == "verification"
    assert server.asked[0]["temperature"] == 0


def test_a_subject_is_asked_for_in_other_words_than_a_property(server: ChatServer, make: Make) -> None:
    make().verify([(NUTS, OATS), (Exclusion("nuts", "about"), OATS)])
    systems = {body["messages"][0]["content"] for body in server.asked}
    assert len(systems) == 2
    assert all(
        "nuts" not in system.replace('"nut-free", "without nuts", "contains no nuts"', "") for system in systems
    )


@pytest.mark.parametrize(
    "content",
    [
        says("denied", "free of every nut"),
        says("denied"),
        says("affirmed", "Oats and honey. " * 40),
        says("perhaps", "Oats"),
        '{"answer": "silent"}',
        '{"answer": "silent", "quote": 7}',
        '{"answer": ["silent"], "quote": ""}',
        "[]",
        "no",
        "",
        "{" * 5000,
    ],
)
def test_what_is_no_answer_or_quotes_what_is_not_there_is_not_believed(
    content: str, server: ChatServer, make: Make
) -> None:
    server.script = [Does(content)]
    verifier = make(cache=True)
    found = verifier.verify([(NUTS, OATS)])
    assert found.evidence == [None]
    assert found.failure.startswith("an answer was not believed: ")
    assert verifier.usage.fallbacks == 1
    assert verifier.verify([(NUTS, OATS)]).evidence == [SILENT]  # nothing of it was cached
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("does", "why"),
    [
        (Does(status=500, message="out of order"), "HTTP 500: out of order"),
        (Does(status=429, message="slow down"), "HTTP 429"),
        (Does(body="{}"), "not a chat completion"),
        (Does(body="[" * 3_500), "not a chat completion"),
        (Does(says("silent"), wait=1), "timed out after 0.2 s"),
        (Does(says("silent"), drips=True), "timed out after 0.2 s"),
        (Does(resets=True), "no connection"),
        (Does(refusal="I must not", content=None), "refused: I must not"),
        (Does(body="x" * 5000), "longer than 4,000 bytes"),
    ],
)
def test_a_server_that_misbehaves_leaves_it_to_the_rules(
    does: Does, why: str, server: ChatServer, make: Make
) -> None:
    server.script = [does]
    is_slow = does.wait or does.drips
    found = make(timeout=0.2 if is_slow else 10, max_reply_bytes=4000).verify([(NUTS, OATS)])
    assert found.evidence == [None]
    assert why in found.failure


@pytest.mark.parametrize("mode", ["hangs", "drips headers", "endless body", "gzip bomb", "redirects", "not HTTP"])
def test_a_hostile_server_costs_one_bounded_wait(mode: str, make: Make) -> None:
    with hostile_server(MODES[mode]) as hostile:
        began = time.monotonic()
        found = make(base_url=hostile.base_url, timeout=0.3, deadline=0.6, max_reply_bytes=2**16).verify(
            [(NUTS, Document(str(number), f"text {number}")) for number in range(20)]
        )
    assert found.evidence == [None] * 20
    assert found.failure
    assert time.monotonic() - began < 5


def test_a_server_that_is_gone_is_left_alone(make: Make) -> None:
    with absent_server() as absent:
        verifier = make(base_url=absent.base_url, concurrency=1)
        found = verifier.verify([(NUTS, OATS), (NUTS, PLAIN)])
    assert found.evidence == [None, None]
    assert "no call for another" in found.failure
    assert "no connection" in found.failure


def test_the_breaker_bounds_calls_to_a_server_that_breaks(server: ChatServer, make: Make) -> None:
    server.otherwise = lambda _: Does(status=500, message="out of order")
    verifier = make(concurrency=1, max_failures=3)
    pairs = [(NUTS, Document(str(number), f"text {number}")) for number in range(20)]
    assert verifier.verify(pairs).evidence == [None] * 20
    assert verifier.verify(pairs).evidence == [None] * 20
    assert len(server.asked) == 3


def test_one_deadline_is_over_all_passages(server: ChatServer, make: Make) -> None:
    server.otherwise = lambda _: Does(says("silent"), wait=0.3)
    began = time.monotonic()
    pairs = [(NUTS, Document(str(number), f"text {number}")) for number in range(20)]
    found = make(concurrency=2, timeout=1, deadline=0.7).verify(pairs)
    assert time.monotonic() - began < 4
    assert found.evidence.count(SILENT) <= 4
    assert "no reply within 0.7 s" in found.failure


def test_answers_are_cached_by_model_exclusion_relation_and_passage(server: ChatServer, make: Make) -> None:
    pairs = [(NUTS, OATS), (Exclusion("nuts", "about"), OATS), (Exclusion("milk", "has"), OATS), (NUTS, PLAIN)]
    first = make(cache=True)
    assert first.verify(pairs).evidence == [SILENT] * 4
    assert len(server.asked) == 4
    second = make(cache=True)
    again = [*pairs, (NUTS, Document("another id", OATS.text))]
    assert second.verify(again).evidence == [SILENT] * 5
    assert len(server.asked) == 4
    assert second.usage.cached == 4  # equal pairs are one
    assert KEY not in str(second)


def test_equal_pairs_are_asked_once(server: ChatServer, make: Make) -> None:
    assert make().verify([(NUTS, OATS)] * 5).evidence == [SILENT] * 5
    assert len(server.asked) == 1


def test_kinds_of_things_are_named_once_and_kept(server: ChatServer, make: Make) -> None:
    server.otherwise = lambda body: Does(
        json.dumps({"kinds": ["almond", "walnut"] if query_of(body) == "nuts" else []})
    )
    assert make(cache=True).name_kinds(["nuts", "milk", "nuts"]) == NamedKinds(
        [("almond", "walnut"), (), ("almond", "walnut")]
    )
    assert len(server.asked) == 2
    again = make(cache=True)
    assert again.name_kinds(["nuts"]).kinds == [("almond", "walnut")]
    assert len(server.asked) == 2
    assert again.usage.cached == 1


@pytest.mark.parametrize(
    "content", ['{"kinds": "almond"}', '{"kinds": [7]}', '{"names": []}', "almond, walnut", ""]
)
def test_what_names_no_kinds_is_not_believed(content: str, server: ChatServer, make: Make) -> None:
    server.script = [Does(content)]
    found = make().name_kinds(["nuts"])
    assert found.kinds == [()]
    assert found.failure.startswith("an answer was not believed: ")


def test_names_that_are_none_are_left_out(server: ChatServer, make: Make) -> None:
    names = ["almond", " pine  nut ", "almond", "", "100", "x" * 50, "what some of them are called"]
    server.script = [Does(json.dumps({"kinds": [*names, *(f"nut of kind {number}" for number in range(99))]}))]
    (kinds,) = make().name_kinds(["nuts"]).kinds
    assert kinds[:3] == ("almond", "pine nut", "nut of kind 0")
    assert len(kinds) == MOST_KINDS


def test_of_a_passage_that_is_cut_silence_about_a_property_is_no_opinion(server: ChatServer, make: Make) -> None:
    long = Document("long", "x " * LONGEST_PASSAGE)
    assert make().verify([(NUTS, long), (Exclusion("nuts", "about"), long)]).evidence == [None, SILENT]
    assert max(len(pair_of(body)[1]) for body in server.asked) == LONGEST_PASSAGE


def test_a_key_that_is_wrong_is_an_error_that_does_not_show_it(server: ChatServer, make: Make) -> None:
    server.script = [Does(status=401, message=f"bad key {KEY}")]
    with pytest.raises(VerifierError, match="check OPENAI_API_KEY") as raised:
        make(api_key=KEY).verify([(NUTS, OATS)])
    assert KEY not in str(raised.value)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_the_spec_has_the_decomposers_grammar(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    verifier = verifier_of("openai:small?timeout=5&retries=0")
    assert isinstance(verifier, LLMVerifier)
    assert verifier.spec == "openai:small"
    assert verifier.verify([(NUTS, OATS)]).evidence == [SILENT]
    verifier.close()
    with pytest.raises(ArgumentError, match="unknown option 'speed'"):
        verifier_of("openai:small?speed=5")
