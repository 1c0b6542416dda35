"""How patient a client is: the same keyword arguments for each of the four."""

from collections.abc import Callable
from typing import Any

import pytest

from esens import LLMDecomposer, OpenAIEmbedder
from esens.errors import ArgumentError
from esens.openai_client.server import ServerLimits
from esens.verify.cohere import CohereReranker
from esens.verify.llm import LLMVerifier

pytest.importorskip("openai")

ADDRESS = "http://127.0.0.1:9/v1"
CLIENTS: list[Callable[..., Any]] = [LLMDecomposer, OpenAIEmbedder, LLMVerifier, CohereReranker]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("name", ServerLimits.__annotations__)
def test_every_client_takes_and_checks_every_limit(client: Callable[..., Any], name: str) -> None:
    client("model", base_url=ADDRESS, **{name: 7})
    with pytest.raises(ArgumentError, match=f"^{name}: must be a number of at least"):
        client("model", base_url=ADDRESS, **{name: -1})


@pytest.mark.parametrize("client", CLIENTS)
def test_a_limit_that_is_none_is_told_which_there_are(client: Callable[..., Any]) -> None:
    with pytest.raises(ArgumentError, match=r"^time_out: is no option\. Limits of a server are: timeout, "):
        client("model", base_url=ADDRESS, time_out=7)
