"""What a command imports of an engine, and what it leaves out so that it starts soon."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_NAMES = ("source", "to", "index")
"""The options that may name an index."""


def import_engine(options: argparse.Namespace) -> None:
    """Import what an index in a folder needs, where the options of a command name one, without pandas.

    pyarrow's datasets import pandas where it is installed, to see that the value True is none of its arrays, and
    that takes as long as all the rest of a search. Only in a process that is all ours: in a program of somebody
    else's, pyarrow would no longer know pandas' arrays for what they are.
    """
    from esens.errors import MissingExtraError
    from esens.index import is_index
    from esens.index.uri import IndexURI

    named = (getattr(options, name, None) for name in _NAMES)
    specs = [spec for spec in named if isinstance(spec, str) and is_index(spec)]
    if any(IndexURI.parse(spec).scheme in ("", "lance") for spec in specs):
        with _without("pandas"), suppress(MissingExtraError):  # whoever opens the index says what is missing
            import esens.index.lance  # noqa: F401


class _Missing:
    """Finds a package missing."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, name: str, *_: object) -> None:
        """Raise as Python does where a package is not there."""
        if name == self._name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@contextmanager
def _without(name: str) -> Iterator[None]:
    """Let nobody import a package inside this block, unless it is imported already."""
    finder = _Missing(name)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
