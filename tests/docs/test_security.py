"""What the security page says of limits is what the code does."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from esens import Searcher
from esens.decompose.llm.decomposer import LONGEST_QUERY
from esens.decompose.rules.decomposer import decompose
from esens.embed.openai import EMBEDDING_LIMITS
from esens.index import silence
from esens.ingest import Limits
from esens.messages import LONGEST_MESSAGE
from esens.openai_client.server import LANGUAGE_MODEL_LIMITS, ServerLimits
from esens.strict_json import DEEPEST
from esens.verify.base import DEFAULT_DEADLINE, DEFAULT_RESCORED, DEFAULT_VERIFIED
from esens.verify.prompt import LONGEST_PASSAGE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def _default(of: Callable[..., Any], name: str) -> float:
    return float(inspect.signature(of).parameters[name].default)


def _limit(limits: ServerLimits, name: str) -> float:
    return float({**limits}[name])  # type: ignore[arg-type]


def _rows() -> list[tuple[str, str, str]]:
    section = PAGE.split("## Limits")[1].split("\n## ")[0]
    return re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", section, re.MULTILINE)[2:]


def _seconds(module: str, name: str) -> float:
    return float(getattr(pytest.importorskip(module), name))


def _of_postgres(name: str) -> float:
    return float(pytest.importorskip("esens.index.pgvector.server").LIMITS[name])


SIZES: list[Callable[[], float] | None] = [
    lambda: _default(decompose, "longest"),
    lambda: LONGEST_QUERY,
    lambda: Limits().row_bytes,
    lambda: Limits().unpack_ratio,
    lambda: DEEPEST,
    lambda: LONGEST_MESSAGE,
    lambda: _limit(LANGUAGE_MODEL_LIMITS, "timeout"),
    None,
    lambda: _limit(LANGUAGE_MODEL_LIMITS, "retries"),
    lambda: _limit(LANGUAGE_MODEL_LIMITS, "max_failures"),
    lambda: _limit(LANGUAGE_MODEL_LIMITS, "pause"),
    lambda: _limit(LANGUAGE_MODEL_LIMITS, "max_reply_bytes"),
    lambda: DEFAULT_VERIFIED,
    lambda: LONGEST_PASSAGE,
    lambda: DEFAULT_DEADLINE,
    lambda: DEFAULT_RESCORED,
    lambda: _limit(EMBEDDING_LIMITS, "timeout"),
    None,
    lambda: _limit(EMBEDDING_LIMITS, "retries"),
    lambda: _limit(EMBEDDING_LIMITS, "max_failures"),
    lambda: _limit(EMBEDDING_LIMITS, "pause"),
    lambda: _limit(EMBEDDING_LIMITS, "max_reply_bytes"),
    lambda: _seconds("esens.index.pgvector.server", "CONNECT_TIMEOUT"),
    lambda: _of_postgres("timeout"),
    lambda: _of_postgres("pool_timeout"),
    lambda: _of_postgres("build_timeout"),
    lambda: silence.PAUSE,
    lambda: _seconds("esens.index.qdrant.limits", "MOST_BYTES"),
]
"""What the rows of the table must say, in their order; None where it is twice the row before."""


@pytest.mark.parametrize("number", range(len(SIZES)))
def test_every_default_is_the_one_in_the_code(number: int) -> None:
    what, default, _ = _rows()[number]
    size = SIZES[number]
    assert default == ("twice that" if size is None else f"{size():,.0f}"), what


def test_every_row_is_checked() -> None:
    assert len(_rows()) == len(SIZES)


def test_every_option_of_the_table_exists() -> None:
    from esens.cli.main import parser

    told = " ".join(where for _, _, where in _rows())
    helps = "".join(
        command.format_help()
        for action in parser()._actions
        for command in (getattr(action, "choices", None) or {}).values()
        if hasattr(command, "format_help")
    )
    for option in re.findall(r"`(--[a-z-]+)`", told):
        assert option in helps
    arguments = {*ServerLimits.__annotations__, *inspect.signature(Searcher).parameters}
    engines = {"connect_timeout", "timeout", "pool_timeout", "build_timeout", "pause"}
    for name in re.findall(r"`([a-z_]+)=`", told):
        assert name in arguments | engines


def test_how_to_report_is_where_it_is_looked_for() -> None:
    assert "docs/security.md" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "docs/security.md" in (ROOT / "README.md").read_text(encoding="utf-8")
