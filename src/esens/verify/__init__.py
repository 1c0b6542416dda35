"""Exclusion and document in, what the document says of it out: by a model, where the rules are not enough."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from esens.errors import ArgumentError, UnknownSpecError
from esens.openai_client.server import model_and_limits
from esens.verify.base import DEFAULT_RESCORED as DEFAULT_RESCORED
from esens.verify.base import DEFAULT_VERIFIED as DEFAULT_VERIFIED
from esens.verify.base import KindNamer as KindNamer
from esens.verify.base import NamedKinds as NamedKinds
from esens.verify.base import NoScoresError as NoScoresError
from esens.verify.base import RelevanceModel as RelevanceModel
from esens.verify.base import Verification as Verification
from esens.verify.base import Verifier as Verifier

RULES = "rules"
RELEVANCE_SPECS = ("cross-encoder:FOLDER_OR_MODEL", "cohere:MODEL")
VERIFIER_SPECS = (RULES, "openai:MODEL", *RELEVANCE_SPECS)


def verifier_of(
    spec: str | Verifier | None, *, cache: bool | Path = True, base_url: str | None = None
) -> Verifier | None:
    """Return the verifier that a spec names; None for the rules, which need no other.

    What scores relevance takes a threshold: ``cross-encoder:FOLDER?threshold=0.3``. ``cache`` is True for a file
    of a server's answers at the usual place, a path, or False. ``base_url`` is the address of the server of a
    language model, where that is not OPENAI_BASE_URL.
    """
    if spec is None or spec == RULES:
        return None
    if isinstance(spec, str):
        scheme, _, named = spec.partition(":")
        if scheme == "openai" and named:
            from esens.verify.llm import LLMVerifier

            model, limits = model_and_limits(named, argument="verifier")
            return LLMVerifier(model, base_url=base_url, cache=cache, **limits)
        from esens.verify.scoring import ScoringVerifier

        bare, threshold = _threshold(spec)
        return ScoringVerifier(_load(bare, "verifier", VERIFIER_SPECS, cache), **threshold)
    if not isinstance(spec, Verifier):
        raise ArgumentError("verifier", f"expected a spec or an object with spec and verify, got {_kind(spec)}")
    return spec


def relevance_of(spec: str | RelevanceModel | None, *, cache: bool | Path = True) -> RelevanceModel | None:
    """Return the relevance model that a spec names, or the model itself."""
    if isinstance(spec, str):
        return _load(spec, "relevance", RELEVANCE_SPECS, cache)
    if spec is not None and not isinstance(spec, RelevanceModel):
        raise ArgumentError(
            "relevance", f"expected a spec or an object with spec, deadline and scores, got {_kind(spec)}"
        )
    return spec


def _load(spec: str, argument: str, valid: tuple[str, ...], cache: bool | Path) -> RelevanceModel:
    scheme, _, named = spec.partition(":")
    if scheme == "cross-encoder" and named:
        from esens.verify.cross_encoder import CrossEncoder

        return CrossEncoder(named)
    if scheme == "cohere" and named:
        from esens.verify.cohere import CohereReranker

        model, limits = model_and_limits(named, argument=argument)
        return CohereReranker(model, cache=cache, **limits)
    raise UnknownSpecError(argument, spec, valid)


def _threshold(spec: str) -> tuple[str, dict[str, Any]]:
    """Return a spec without its threshold, and that."""
    bare, _, query = spec.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    threshold = options.pop("threshold", None)
    if threshold is None:
        return spec, {}
    try:
        return bare + (f"?{urlencode(options)}" if options else ""), {"threshold": float(threshold)}
    except ValueError:
        raise ArgumentError("verifier", f"threshold must be a number, got {threshold!r}") from None


def _kind(value: object) -> str:
    return type(value).__name__
