"""Write docs/commands.md from the parsers of the commands: ``python docs/scripts/commands.py --write``."""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from esens.cli.main import EXIT_CODES, parser

PAGE = Path(__file__).parents[1] / "commands.md"
HEAD = """\
# Commands

<!-- Written by docs/scripts/commands.py --write from the commands themselves; a test fails where it is stale. -->

`esens COMMAND --help` prints the same. `--debug`, which every command has, shows the traceback of an error.
"""


def page() -> str:
    """Return the page."""
    commands = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    summaries = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    parts = [
        HEAD,
        _table(("command", "what it does"), [(_link(name), _text(summaries[name])) for name in summaries]),
    ]
    parts += [_section(name, command) for name, command in commands.choices.items()]
    codes = re.findall(r"^ +(\d+)  (.+)$", EXIT_CODES, re.MULTILINE)
    return "\n".join([*parts, "## Exit codes\n", _table(("code", "meaning"), codes)])


def _link(name: str) -> str:
    return f"[`esens {name}`](#esens-{name})"


def _section(name: str, command: argparse.ArgumentParser) -> str:
    shown = [action for action in command._actions if action.dest not in ("help", "debug")]
    rows = [(_name(action), _text(action.help or "", action, command)) for action in shown]
    words = " ".join(filter(None, map(_usage, shown)))
    usage = f"    esens {name} {words}".rstrip()
    if any(action.option_strings for action in shown):
        usage += " [OPTIONS]"
    parts = [f"## esens {name}\n", f"{_text(command.description or '')}\n", f"{usage}\n"]
    return "\n".join([*parts, *([_table(("argument", "what it says"), rows)] if rows else [])])


def _usage(action: argparse.Action) -> str:
    """Return how an argument without a name is typed, and an option that must be there."""
    if action.option_strings:
        return f"{action.option_strings[-1]} {_value(action)}".strip() if action.required else ""
    return {"?": "[{}]", "*": "[{} …]", "+": "{} [{} …]"}.get(str(action.nargs), "{}").replace(
        "{}", _value(action)
    )


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{_value(action)}`"
    return f"`{', '.join(action.option_strings)} {_value(action)}".rstrip() + "`"


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    names = action.metavar if isinstance(action.metavar, tuple) else (action.metavar,)
    typed = " ".join(name or _choices(action) or action.dest.upper() for name in names)
    return f"{typed} …" if action.option_strings and action.nargs in ("*", "+") else typed


def _choices(action: argparse.Action) -> str:
    return "{" + ",".join(map(str, action.choices)) + "}" if action.choices else ""


def _text(text: str, action: argparse.Action | None = None, command: argparse.ArgumentParser | None = None) -> str:
    if action is not None and command is not None:
        text %= {**vars(action), "prog": command.prog}
    plain = " ".join(text.split())
    # What looks like markup in a help text is meant as it stands.
    return re.sub(r"([|*_<>\[\]\\])", r"\\\1", plain)


def _table(head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    def lines() -> Iterator[str]:
        for row in (head, ("---", "---"), *rows):
            yield f"| {row[0].replace('|', chr(92) + '|') if row[0].startswith('`') else row[0]} | {row[1]} |"

    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page():
        sys.exit("docs/commands.md is stale: run python docs/scripts/commands.py --write")
