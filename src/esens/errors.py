"""What can go wrong, said for people: what is wrong, where, and what to do.

EsensError
├── ArgumentError        an argument has a value that makes no sense      (also a ValueError)
│   └── UnknownSpecError     a spec such as "minilm" that names nothing we have
├── DecomposerError      a language model, or its cache, cannot be used as it is set up
├── EngineError          an index, or the server that keeps it, cannot be opened, read or written
├── EmbedderError        an embedding server does not answer, or it or the cache of vectors cannot be used
├── InputError           a file, or a row in it, cannot be read
├── MissingExtraError    an optional package is not installed             (also an ImportError)
├── ModelError           a model's files are absent, or not the ones we know
└── VerifierError        a verifier, or a server that reranks, cannot be used as it is set up

TruncatedTextWarning     a text is longer than the model reads
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from esens.messages import mask_spec, message, quoted


class EsensError(Exception):
    """The root of everything this package raises on purpose.

    Its message is safe to print: what it quotes holds no escape sequences and no marks that turn the direction of
    writing, and is not longer than people read.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(message(text))

    def __reduce__(self) -> tuple[Any, ...]:
        # Python would call the class with the message alone, which is not how most of these are made.
        return _as_it_was, (type(self), self.args, self.__dict__)


class ArgumentError(EsensError, ValueError):
    """An argument has a value that makes no sense; ``argument`` names it."""

    def __init__(self, argument: str, problem: str) -> None:
        super().__init__(f"{argument}: {problem}")
        self.argument = argument
        self.problem = problem


class UnknownSpecError(ArgumentError):
    """A spec names no part that we have; ``valid`` lists those we do."""

    def __init__(self, argument: str, spec: object, valid: Iterable[str]) -> None:
        self.spec = mask_spec(spec) if isinstance(spec, str) else spec
        self.valid = tuple(valid)
        super().__init__(argument, f"unknown spec {quoted(self.spec)}; valid are: {', '.join(self.valid)}")


class DecomposerError(EsensError):
    """A language model, or the cache of its answers, cannot be used as it is set up."""


class EmbedderError(EsensError):
    """An embedding server gives no vectors, or it or the cache of vectors cannot be used as it is set up."""


class EngineError(EsensError):
    """An index, or the server that keeps it, cannot be opened, read or written; ``index`` names it, masked."""

    def __init__(self, index: str, problem: str) -> None:
        super().__init__(f"{index}: {problem}")
        self.index = index
        self.problem = problem


class InputError(EsensError):
    """A file, or a row in it, cannot be read; ``path`` and ``line`` say where, or ``row`` if it has no lines."""

    def __init__(self, path: str | Path, problem: str, *, line: int | None = None, row: int | None = None) -> None:
        place = f", line {line}" if line is not None else f", row {row}" if row is not None else ""
        super().__init__(f"{mask_spec(str(path))}{place}: {problem}")  # a spec that is wrong looks like a path
        self.path = str(path)
        self.line = line
        self.row = row


class MissingExtraError(EsensError, ImportError):
    """An optional package is not installed; ``extra`` names the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f'{package} is not installed. Install it with: pip install "esens[{extra}]"')
        self.package = package
        self.extra = extra


class ModelError(EsensError):
    """A model's files are absent, or are not the ones that were expected."""


class VerifierError(EsensError):
    """A verifier, or a server that reranks, cannot be used as it is set up."""


def _as_it_was(kind: type[EsensError], args: tuple[object, ...], state: dict[str, object]) -> EsensError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class TruncatedTextWarning(UserWarning):
    """A text is longer than the model reads, so its end does not count. As safe to print as an error is."""

    def __init__(self, text: str = "") -> None:
        super().__init__(message(text))
