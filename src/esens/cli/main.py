"""``esens``: the commands, and what happens when one goes wrong."""

import argparse
import io
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import TextIO

from esens import __version__
from esens.cli import (
    check,
    decompose,
    delete,
    demo,
    embed,
    evaluate,
    evaluate_decomposer,
    explain_query,
    failures,
    index,
    mcp,
    reproduce,
    rerank,
    search,
    serve,
    serve_key,
    tune,
)
from esens.cli.lean_imports import import_engine
from esens.cli.output import notify
from esens.cli.parsing import CommandParser, SafeParser, named_by_option
from esens.errors import (
    ArgumentError,
    DecomposerError,
    EmbedderError,
    EngineError,
    EsensError,
    InputError,
    MissingExtraError,
    ModelError,
)
from esens.messages import mask_words

EXIT_CODES = """\
exit codes:
  0  done
  1  something unexpected went wrong
  2  the call makes no sense: an option, a value, a spec
  3  the input cannot be read: no such file, not UTF-8, a bad line
  4  a part is missing: an extra that is not installed, a model file
  5  a model's server or cache cannot be used: a wrong key, no such model, no answer, a damaged file
  6  an index cannot be used: no such collection, no answer, a wrong password, a full disk, damage
  130  interrupted"""
_CODES = (
    (ArgumentError, 2),
    (InputError, 3),
    (MissingExtraError, 4),
    (ModelError, 4),
    (DecomposerError, 5),
    (EmbedderError, 5),
    (EngineError, 6),
)


COMMANDS = (
    demo,
    index,
    embed,
    search,
    delete,
    check,
    rerank,
    decompose,
    explain_query,
    serve,
    serve_key,
    mcp,
    evaluate,
    tune,
    failures,
    reproduce,
    evaluate_decomposer,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show a sign shows another
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    options = parser().parse_args(arguments)
    options.typed = list(sys.argv[1:] if arguments is None else arguments)
    warnings.showwarning = _show_warning
    try:
        if arguments is None:
            import_engine(options)
        options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        notify("interrupted")
        return 130
    except ArgumentError as error:
        return _fail(named_by_option(error, options), _code(error), debug=options.debug)
    except EsensError as error:
        return _fail(str(error), _code(error), debug=options.debug)
    except Exception as error:  # noqa: BLE001 - the last line of defence: a person gets a sentence, not a traceback
        hint = "" if options.debug else " (--debug shows where)"
        return _fail(f"unexpected {type(error).__name__}: {error}{hint}", 1, debug=options.debug)
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser with every command in it."""
    top = SafeParser(
        prog="esens",
        description='Search that respects "but not".',
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"esens {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=CommandParser)
    for command in COMMANDS:
        sub = command.add_to(commands)
        sub.add_argument("--debug", action="store_true", help="show the traceback of an error")
        sub.set_defaults(run=command.run, parser=sub)
    return top


def _code(error: EsensError) -> int:
    return next((code for kind, code in _CODES if isinstance(error, kind)), 1)


def _fail(message: str, code: int, *, debug: bool) -> int:
    if debug:
        for line in traceback.format_exc().splitlines():
            notify(mask_words(line))
    notify(f"esens: {message}")
    return code


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    del category, filename, lineno, file, line  # where in the code it arose says nothing to a user
    notify(f"esens: {message}")


if __name__ == "__main__":
    sys.exit(main())
