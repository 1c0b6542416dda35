"""What Lance raises, as errors that say what is wrong and what to do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from esens.errors import EngineError, EsensError
from esens.index.uri import IndexURI
from esens.text.redact import redact

_SOURCE = re.compile(r",? ?(?:/|[A-Z]:\\)\S*\.rs:\d+(:\d+)?|, location: Location \{[^}]*\}(, backtrace: \w+)?")
_PANIC = "PanicException"  # of Rust, which cannot be imported
_ADVICE = (
    ("No space left", "the disk is full: make room and try again"),
    ("File too large", "a file would grow beyond what this process may write: raise that limit (ulimit -f)"),
    ("Quota exceeded", "your quota is used up: make room and try again"),
    ("Read-only file system", "it is on a disk that cannot be written: copy it to another"),
    ("Permission denied", "this user may not write there: change the folder's permissions, or copy it"),
    ("Operation not permitted", "this user may not write there: change the folder's permissions, or copy it"),
)


@contextmanager
def lance_errors(uri: IndexURI, problem: str) -> Iterator[None]:
    """Raise whatever Lance raises as an EngineError with this problem, and advice where there is any."""
    try:
        yield
    except EsensError:
        raise
    except BaseException as error:
        # Lance panics over some damage, and such an exception is none of Exception.
        is_panic = type(error).__name__ == _PANIC
        if not is_panic and not isinstance(error, (OSError, RuntimeError, ValueError)):
            raise
        message = _SOURCE.sub("", str(error)) or type(error).__name__
        message = f"Lance panicked: {message}" if is_panic else message
        advice = next((f"; {advice}" for sign, advice in _ADVICE if sign in message), "")
        raise EngineError(str(uri), f"{problem}{advice} ({redact(message)})") from None
