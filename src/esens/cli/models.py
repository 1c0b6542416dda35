"""Which models a command uses: options for the embedder and the decomposer, and how both are opened."""

import argparse
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.output import notify
from esens.decompose import (
    DECOMPOSER_SPECS,
    DEFAULT_DECOMPOSER,
    HYBRID_PREFIX,
    OPENAI_PREFIX,
    HybridDecomposer,
    decomposer_of,
    with_confidence,
)
from esens.embed import DEFAULT_EMBEDDER, EMBEDDER_SPECS
from esens.errors import ArgumentError
from esens.openai_client.server import LANGUAGE_MODEL_LIMITS, at_least, model_and_limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from esens.decompose import Decomposer
    from esens.decompose.llm.usage import ChatUsage

# Options of the command that are arguments of the decomposer.
_MODEL_OPTIONS = (
    "base_url",
    "single_trap",
    "timeout",
    "deadline",
    "retries",
    "concurrency",
    "max_failures",
    "pause",
    "cache",
)


_LIMITS = (
    ("--timeout", float, "S", f"seconds for every try (default: {LANGUAGE_MODEL_LIMITS['timeout']:g})"),
    ("--deadline", float, "S", "seconds for a query, over all tries and answers (default: twice --timeout)"),
    ("--retries", int, "N", f"tries after the first (default: {LANGUAGE_MODEL_LIMITS['retries']})"),
    ("--concurrency", int, "N", f"calls at a time (default: {LANGUAGE_MODEL_LIMITS['concurrency']})"),
    (
        "--max-failures",
        int,
        "N",
        f"queries in a row without a reply before no more are sent for a while; 0 goes on "
        f"(default: {LANGUAGE_MODEL_LIMITS['max_failures']})",
    ),
    ("--pause", float, "S", f"seconds of that while (default: {LANGUAGE_MODEL_LIMITS['pause']:g})"),
)


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
    parser.add_argument(
        "--min-confidence",
        type=float,
        default=0.0,
        metavar="C",
        help="how sure a decomposer must be of an exclusion for it to count, from 0 (the default) to 1",
    )
    group = parser.add_argument_group(
        "with --decomposer openai:MODEL",
        "Any server that speaks OpenAI's chat protocol. Its key comes from OPENAI_API_KEY, never from an option.",
    )
    group.add_argument(
        "--base-url",
        metavar="URL",
        help="the server's address, also of --verifier openai:MODEL (default: OPENAI_BASE_URL, or OpenAI)",
    )
    group.add_argument(
        "--single-trap",
        action="store_true",
        default=None,
        help="ask for the paper's two fields: all that is excluded in one text, without its relation",
    )
    for name, kind, metavar, what in _LIMITS:
        group.add_argument(name, type=kind, metavar=metavar, help=what)
    group.add_argument(
        "--price",
        type=float,
        nargs=2,
        metavar=("IN", "OUT"),
        help="what a million tokens cost, in and out: the usage then says what that comes to",
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

    The cache is the language model's own, unless the command shares it with the embedder; the server's address is
    also that of a verifier.
    """
    typed = {name: value for name in _MODEL_OPTIONS if (value := getattr(options, name)) is not None}
    spec = options.decomposer.removeprefix(HYBRID_PREFIX)
    if not spec.startswith(OPENAI_PREFIX):
        if shares_cache:
            typed.pop("cache", None)
        if getattr(options, "verifier", "").startswith(OPENAI_PREFIX):
            typed.pop("base_url", None)
        if unused := [*typed, *(["price"] if options.price else [])]:
            raise ArgumentError(unused[0], f"needs --decomposer openai:MODEL, not {options.decomposer}")
        yield _confident(options.decomposer, options)
        return
    from esens.decompose.cache import default_path
    from esens.decompose.llm.decomposer import LLMDecomposer

    for price in options.price or ():
        at_least("price", price, 0)
    if typed.get("cache"):
        typed["cache"] = options.cache / default_path().name
    name, limits = model_and_limits(spec.removeprefix(OPENAI_PREFIX), argument="decomposer")
    with closing(LLMDecomposer(name, **limits | typed)) as model:
        yield _confident(model if spec == options.decomposer else HybridDecomposer(model), options)
    cost = _cost(model.usage, *options.price) if options.price else ""
    why = " (--explain says why)" if model.usage.fallbacks else ""
    notify(f"{model.name}: {model.usage}{cost}{why}")


def _confident(decomposer: "str | Decomposer", options: argparse.Namespace) -> "str | Decomposer":
    """Return the decomposer with the least confidence that was typed; as it is where none was."""
    least = options.min_confidence
    return with_confidence(decomposer_of(decomposer), least) if least else decomposer


def _cost(usage: "ChatUsage", price_in: float, price_out: float) -> str:
    cost = (usage.input_tokens * price_in + usage.output_tokens * price_out) / 1e6
    return f", {cost:.4g} by --price"
