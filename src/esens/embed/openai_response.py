"""What an embeddings server replied: read, checked, and in the order of the texts."""

import base64
import json
from dataclasses import dataclass

import numpy as np

from esens.embed.base import Vectors
from esens.openai_client.server import token_count


class ResponseError(Exception):
    """A reply that cannot be used; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class EmbeddingResponse:
    """A row a text, and the tokens that were read for them."""

    rows: Vectors
    tokens: int = 0


def read_response(body: str, texts: int) -> EmbeddingResponse:
    """Return the vectors of so many texts from a reply's body."""
    try:
        response = json.loads(body)
        data = list(response["data"])
        numbers = [item.get("index") for item in data]
        values = [item["embedding"] for item in data]
        tokens = token_count((response.get("usage") or {}).get("prompt_tokens"))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        raise ResponseError("it is not a list of embeddings") from None
    if len(data) != texts:
        raise ResponseError(f"it holds {len(data)} embeddings for {texts} texts")
    order = _order(numbers)
    return EmbeddingResponse(_rows([values[place] for place in order]), tokens)


def _order(numbers: list[object]) -> list[int]:
    """Return where the embedding of each text stands; a server that numbers none sends them in order."""
    if all(number is None for number in numbers):
        return list(range(len(numbers)))
    places = {number: place for place, number in enumerate(numbers) if type(number) is int}
    if sorted(places) != list(range(len(numbers))):
        raise ResponseError(f"its embeddings are not numbered from 0 to {len(numbers) - 1}, each once")
    return [places[number] for number in range(len(numbers))]


def _rows(values: list[object]) -> Vectors:
    rows = [_row(value, number) for number, value in enumerate(values)]
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ResponseError(
                f"embedding {number} has {len(row)} dimensions, and embedding 0 has {len(rows[0])}"
            )
        if not np.isfinite(row).all():
            raise ResponseError(f"embedding {number} holds NaN or infinity")
    return np.stack(rows)


def _row(value: object, number: int) -> Vectors:
    """Return one embedding: floats, or their bytes in base64, little end first."""
    try:
        if isinstance(value, str):
            row = np.frombuffer(base64.b64decode(value, validate=True), "<f4").astype(np.float32)
        else:
            with np.errstate(over="ignore"):  # refused below, as infinity
                row = np.asarray(value, np.float64).astype(np.float32)
    except (ValueError, TypeError, OverflowError):
        raise ResponseError(f"embedding {number} is not a list of numbers") from None
    if row.ndim != 1 or not len(row):
        raise ResponseError(f"embedding {number} is not a list of numbers")
    return row
