"""How the command line is parsed: queries may begin with a dash, and errors name the option that was typed."""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from esens import messages
from esens.errors import ArgumentError
from esens.messages import mask_words
from esens.search.options import option_meant

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["CommandParser"]

# Goes before an argument that argparse would take for an option. No program gets an argument with this sign in it.
_MASK = "\0"
_NUMBER = re.compile(r"-\.?\d\S*$")
# What Python calls otherwise than the command line does, and the options that may have said it.
_OPTIONS_FOR = {
    "documents": ("source",),
    "fields": ("id_field", "title_field", "text_field", "vector_field", "query_field"),
    "index": ("to", "source"),
    "method": ("methods",),
    "row_bytes": ("max_row_bytes",),
    "unpack_ratio": ("max_unpack_ratio",),
    "model": ("decomposer", "embedder"),
}


class SafeParser(argparse.ArgumentParser):
    """A parser whose errors quote what was typed without passwords and without signs that steer a terminal."""

    def error(self, message: str) -> NoReturn:
        """Leave with a message, and where all options are listed: twenty lines of them would hide it."""
        typed = message.replace(_MASK, "").replace(repr(_MASK)[1:-1], "")
        problem = messages.message(mask_words(typed))
        self.exit(2, f"{self.prog}: error: {problem}\n{self.prog} --help says what there is.\n")


class CommandParser(SafeParser):
    """The parser of one command. Where the command takes a query, "-dog food" is one, and no option."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse the arguments; return what they say, and those that nobody knows."""
        typed = list(sys.argv[1:] if args is None else args)
        takes_query = any(action.dest == "query" for action in self._actions)
        parsed, unknown = super().parse_known_args(list(self._masked(typed)) if takes_query else typed, namespace)
        for name, value in vars(parsed).items():
            setattr(parsed, name, _unmasked(value))
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(_unmasked(unknown))}{self._question(unknown[0])}")
        return parsed, unknown

    def option_named(self, argument: str, options: argparse.Namespace) -> str:
        """Return what a user typed, or would type, for an argument of a Python function."""
        names = (argument, *_OPTIONS_FOR.get(argument, ()))
        actions = [action for name in names for action in self._actions if action.dest == name]
        changed = [action for action in actions if getattr(options, action.dest, None) != action.default]
        if not actions:
            return argument
        return _name_of(changed or actions, {typed.partition("=")[0] for typed in options.typed})

    def _question(self, unknown: str) -> str:
        """Ask whether another option was meant, where that can be told."""
        strings = {_as_argument(string): string for string in self._option_string_actions}
        meant = option_meant(_as_argument(unknown.partition("=")[0]), strings) if unknown.startswith("-") else None
        return f". Did you mean {strings[meant]}?" if meant else ""

    def _masked(self, arguments: Sequence[str]) -> Iterator[str]:
        previous: str | None = None
        for position, argument in enumerate(arguments):
            if argument == "--":
                yield from arguments[position:]
                return
            yield f"{_MASK}{argument}" if self._is_text(argument, previous) else argument
            previous = argument

    def _is_text(self, argument: str, previous: str | None) -> bool:
        """Whether an argument that begins with a dash is a query, or the text behind an option that takes one."""
        is_short = len(argument) < 3 and argument.isascii()  # "-", or an option of one letter
        if not argument.startswith("-") or is_short or _NUMBER.match(argument):
            return False
        option = self._option_string_actions.get(previous or "")
        if option is not None and option.nargs is None and option.type is not None:  # it takes no text
            return False
        return not self._is_option(argument)

    def _is_option(self, argument: str) -> bool:
        name, _, _ = argument.partition("=")
        if " " in name:
            return False
        if argument.startswith("--") or f"-{name}" in self._option_string_actions:  # as known, mistyped, or short
            return True
        return name[:2] in self._option_string_actions and re.fullmatch(r"=?-?\d+", argument[2:]) is not None


def named_by_option(error: ArgumentError, options: argparse.Namespace) -> str:
    """Return the message of an error, with the option that was typed instead of Python's name for it."""
    parser: CommandParser = options.parser
    return f"{parser.option_named(error.argument, options)}: {error.problem}"


def _name_of(actions: Sequence[argparse.Action], typed: set[str]) -> str:
    """Return the option that was typed, else the first that could have been; a positional has its metavar."""
    strings = [string for action in actions for string in action.option_strings]
    if not strings:
        return str(actions[0].metavar or actions[0].dest)
    return next((string for string in strings if string in typed), strings[0])


def _as_argument(option: str) -> str:
    """Return the name that an option would have in Python."""
    return option.lstrip("-").replace("-", "_")


def _unmasked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unmasked(item) for item in value]
    return value.removeprefix(_MASK) if isinstance(value, str) else value
