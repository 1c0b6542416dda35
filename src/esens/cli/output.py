"""What a command prints: tables or JSON, and a bar while long work runs."""

import argparse
import shlex
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from esens import strict_json
from esens.errors import InputError
from esens.messages import mask_spec, message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.console import Console

    from esens.types import Results

_WORTH_A_BAR = 200


class Reportable(Protocol):
    """Anything that can be written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        ...


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add how results are shown."""
    parser.add_argument("--json", action="store_true", help="one JSON object a query, a line each")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say how sure the reading of the query is, and for every hit why it stands there",
    )


def notify(text: str) -> None:
    """Say something on standard error. Whatever it quotes, it steers no terminal and is of bounded length."""
    print(message(text), file=sys.stderr)


def print_line(text: str) -> None:
    """Print a line on standard output, as harmless as :func:`notify` does."""
    print(message(text))


def print_text(text: str) -> None:
    """Print lines as they are, which others are to read by program: no text of theirs is in them."""
    print(text, end="")


def console() -> "Console":
    """Return the console that results are printed on; a pipe gets plain text wide enough to read."""
    from rich.console import Console

    class PipedConsole(Console):
        def on_broken_pipe(self) -> None:
            """Let the command end as it does when printing without rich, instead of leaving with code 1."""
            raise BrokenPipeError

    return PipedConsole(highlight=False, width=None if sys.stdout.isatty() else 100)


def print_json(value: object) -> None:
    """Print a value as one line of JSON; where the output is not UTF-8, in ASCII, so that nothing is lost."""
    print(strict_json.dumps(value, ensure_ascii=not can_print("é✓茶")))


def can_print(signs: str) -> bool:
    """Whether standard output can show these signs."""
    try:
        signs.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def print_results(results: "Iterable[Results]", *, as_json: bool, explain: bool) -> None:
    """Print results as JSON lines or as tables."""
    if as_json:
        for ranking in results:
            print_json(ranking.to_dict())
        return
    from rich.text import Text

    from esens.text.plain import single_line

    out = console()
    for ranking in results:
        out.print(ranking)
        if explain:
            out.print(Text.assemble(("read with ", "dim"), single_line(ranking.decomposition.why)), soft_wrap=True)
            for hit in (*ranking, *ranking.removed):
                line = Text.assemble((single_line(hit.id), "bold"), f"  {single_line(str(hit.explanation))}")
                out.print(line, soft_wrap=True)
            out.print()


@contextmanager
def progress_bar(what: str) -> "Iterator[Callable[[int, int], None]]":
    """Show a bar on a terminal's standard error while long work runs; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > _WORTH_A_BAR)


def typed_command(options: argparse.Namespace) -> str:
    """Return the command that was typed, as it could be typed again."""
    return shlex.join(["esens", *map(mask_spec, options.typed)])


def write_json(options: argparse.Namespace, report: Reportable) -> None:
    """Write a report to the file that --json names, with the command that was typed."""
    if options.json:
        content = {"command": typed_command(options), **report.to_dict()}
        write_file(options.json, strict_json.dumps(content, ensure_ascii=True, indent=1) + "\n")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, and say so."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise InputError(path, f"cannot be written ({error.strerror})") from None
    notify(f"wrote {path}")
