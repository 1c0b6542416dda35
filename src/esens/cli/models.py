"""Which models a command uses: options for the embedder and the decomposer, and how both are opened."""

import argparse
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.output import notify
from esens.decompose import DECOMPOSER_SPECS, DEFAULT_DECOMPOSER, OPENAI_PREFIX
from esens.decompose.base import DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT
from esens.embed import DEFAULT_EMBEDDER, EMBEDDER_SPECS
from esens.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from esens.decompose import Decomposer

_MODEL_OPTIONS = ("base_url", "single_trap", "timeout", "concurrency", "cache")


def add_models(parser: argparse.ArgumentParser) -> None:
    """Add the specs of the models to use."""
    add_embedder(parser, default=DEFAULT_EMBEDDER)
    add_decomposer(parser)


def add_embedder(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Add the spec of the embedder; with no default, commands tell whether one was named."""
    parser.add_argument("--embedder", default=default, metavar="SPEC", help=_choices(EMBEDDER_SPECS))


def add_decomposer(parser: argparse.ArgumentParser, *, more: "Iterable[str]" = (), has_cache: bool = True) -> None:
    """Add the spec of the decomposer, what a language model needs to know, and where its answers are cached."""
    parser.add_argument(
        "--decomposer", default=DEFAULT_DECOMPOSER, metavar="SPEC", help=_choices((*DECOMPOSER_SPECS, *more))
    )
    group = parser.add_argument_group(
        "with --decomposer openai:MODEL",
        "Any server that speaks OpenAI's chat protocol. Its key comes from OPENAI_API_KEY, never from an option.",
    )
    group.add_argument(
        "--base-url", metavar="URL", help="the server's address (default: OPENAI_BASE_URL, or OpenAI)"
    )
    group.add_argument(
        "--single-trap",
        action="store_true",
        default=None,
        help="all that is excluded in one text, as in the paper",
    )
    group.add_argument(
        "--timeout", type=float, metavar="S", help=f"seconds for every try (default: {DEFAULT_TIMEOUT:g})"
    )
    group.add_argument(
        "--concurrency", type=int, metavar="N", help=f"calls at a time (default: {DEFAULT_CONCURRENCY})"
    )
    if has_cache:
        add_cache(group, "its answers")


def add_cache(parser: "argparse.ArgumentParser | argparse._ArgumentGroup", what: str) -> None:
    """Add where something is cached, and that it is not."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--cache-dir",
        dest="cache",
        type=Path,
        metavar="FOLDER",
        help=f"where {what} are cached (default: the user's cache folder)",
    )
    either.add_argument(
        "--no-cache", dest="cache", action="store_false", default=None, help="compute anew, and cache nothing"
    )


def _choices(specs: "Iterable[str]") -> str:
    first, *others = specs
    return f"{first} (default) or {' or '.join(others)}"


@contextmanager
def open_decomposer(options: argparse.Namespace, *, shares_cache: bool = False) -> "Iterator[str | Decomposer]":
    """Give the decomposer that the options ask for; of a language model, say in the end what it used.

    The cache is the language model's own, unless the command shares it with the embedder.
    """
    typed = {name: value for name in _MODEL_OPTIONS if (value := getattr(options, name)) is not None}
    if not options.decomposer.startswith(OPENAI_PREFIX):
        if shares_cache:
            typed.pop("cache", None)
        if typed:
            raise ArgumentError(next(iter(typed)), f"needs --decomposer openai:MODEL, not {options.decomposer}")
        yield options.decomposer
        return
    from esens.decompose.cache import default_path
    from esens.decompose.llm.decomposer import LLMDecomposer

    if typed.get("cache"):
        typed["cache"] = options.cache / default_path().name
    with closing(LLMDecomposer(options.decomposer.removeprefix(OPENAI_PREFIX), **typed)) as model:
        yield model
    why = " (--explain says why)" if model.usage.fallbacks else ""
    notify(f"{model.name}: {model.usage}{why}")
