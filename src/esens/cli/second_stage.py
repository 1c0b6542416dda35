"""Which models look at the first candidates once more: their options, and how they are opened."""

import argparse
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from esens.cli.output import notify
from esens.verify import DEFAULT_RESCORED, DEFAULT_VERIFIED, RELEVANCE_SPECS, RULES, VERIFIER_SPECS, verifier_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from esens.search.second_stage import SecondStage


def add_stage(parser: argparse.ArgumentParser) -> None:
    """Add the specs of the models, and how many candidates they see."""
    first, *others = VERIFIER_SPECS
    group = parser.add_argument_group(
        "models that look at the first candidates once more",
        "Servers and keys come from OPENAI_BASE_URL, or --base-url, OPENAI_API_KEY, COHERE_BASE_URL and "
        "COHERE_API_KEY.",
    )
    group.add_argument(
        "--verifier",
        default=RULES,
        metavar="SPEC",
        help=f"what reads whether documents have the excluded: {first} (default) or {' or '.join(others)}",
    )
    group.add_argument(
        "--verify",
        type=int,
        default=DEFAULT_VERIFIED,
        metavar="N",
        help=f"how many candidates it reads (default: {DEFAULT_VERIFIED})",
    )
    group.add_argument(
        "--relevance",
        metavar="SPEC",
        help="what says how relevant they are to what is wanted, instead of the embedder: "
        f"{' or '.join(RELEVANCE_SPECS)}",
    )
    group.add_argument(
        "--rescore",
        type=int,
        default=DEFAULT_RESCORED,
        metavar="N",
        help=f"how many candidates it scores (default: {DEFAULT_RESCORED})",
    )


def is_staged(options: argparse.Namespace) -> bool:
    """Whether the options name any such model."""
    return options.verifier != RULES or options.relevance is not None


@contextmanager
def open_stage(options: argparse.Namespace) -> "Iterator[SecondStage]":
    """Give the models that the options name; of a language model, say in the end what it used."""
    from esens.search.second_stage import SecondStage

    cache = options.cache / "verifications.sqlite" if options.cache else options.cache is None
    verifier = verifier_of(options.verifier, cache=cache, base_url=options.base_url)
    stage = SecondStage.of(verifier, options.verify, options.relevance, options.rescore, cache=cache)
    yield stage
    usage = getattr(stage.verifier, "usage", None)
    if stage.verifier is not None and usage is not None:
        notify(f"{stage.verifier.spec}: {usage}")


def stage_options(stage: "SecondStage") -> dict[str, Any]:
    """Return the models as ``Searcher`` and ``rerank`` take them."""
    return {
        "verifier": stage.verifier or RULES,
        "verify": stage.verify,
        "relevance": stage.relevance,
        "rescore": stage.rescore,
    }
