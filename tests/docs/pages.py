"""A page of the docs, run as a reader would: block by block, each with what it prints."""

import ast
import asyncio
import re
import shlex
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from esens.cli.main import main

ROOT = Path(__file__).parents[2]
_PROCESSORS_DIFFER = 0.015  # 8-bit products are not the same everywhere
_FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code, in which language, and the paragraph before it."""

    language: str
    code: str
    before: str


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = [(match.start(), match[2], match[3]) for match in _FENCE.finditer(text)]
    return [
        Block(language, code, text[:start].rstrip("\n").rpartition("\n\n")[2]) for start, language, code in found
    ]


def commands_of(code: str, program: str = "esens") -> list[str]:
    """Return the lines that call a program, without their comments; a line may go on behind a backslash."""
    lines = [line.split("  #")[0].strip() for line in code.replace("\\\n", "").splitlines()]
    return [line for line in lines if line.split(" ")[0] == program]


def run_page(page: Path, typed: Callable[[str], str] = str, **names: Any) -> None:
    """Run the code and the commands of a page in the current folder; what a text block shows must be printed.

    ``typed`` turns code into what can run here, such as the address of a server into that of one at hand. A block
    of JSON under "`FILE`:" is that file. ``names`` are what the page says is there already.
    """
    printed = ""
    for block in blocks_of(page):
        file = re.search(r"`([\w./-]+\.(?:jsonl?|csv|txt))`:$", block.before)
        if block.language == "text":
            assert shows(printed, block.code), (block.code, printed)
        elif block.language == "python":
            printed = _printed(partial(_run_code, typed(block.code), page.name, names))
            check_comments(block.code, names)
        elif block.language == "sh":
            printed = _printed(partial(_run_commands, typed(block.code)))
        elif file:
            Path(file[1]).parent.mkdir(parents=True, exist_ok=True)
            Path(file[1]).write_text(block.code, encoding="utf-8")


def check_comments(code: str, names: dict[str, Any]) -> int:
    """Check lines such as ``results.ids  # ('a',)``: their value is what the comment says. Return how many."""
    promised = re.findall(r"^(\w\S*(?:\(.*\))?\S*)  # ([(\[{'\"DE\d].*)$", code, re.MULTILINE)
    for expression, value in promised:
        assert repr(eval(expression, names)) == value, expression
    return len(promised)


def shows(printed: str, promised: str) -> bool:
    """Return whether a text was printed; its figures may differ as scores do from one processor to the next."""
    pattern = re.sub(r"0\\\.\d{3,}", r"(0\\.\\d{3,})", re.escape(_without_blanks(promised).strip()))
    found = re.search(pattern, _without_blanks(printed))
    figures = re.findall(r"0\.\d{3,}", promised)
    return found is not None and all(
        abs(float(one) - float(other)) <= _PROCESSORS_DIFFER
        for one, other in zip(figures, found.groups(), strict=True)
    )


def _without_blanks(text: str) -> str:
    """Return a text without blanks behind its lines, which show nowhere."""
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


def _run_code(code: str, file: str, names: dict[str, Any]) -> None:
    waits = eval(compile(code, file, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
    if waits is not None:  # it has an await, as a notebook may
        asyncio.run(waits)


def _run_commands(code: str) -> None:
    for command in commands_of(code):
        assert main(shlex.split(command)[1:]) == 0, command


def _printed(run: Callable[[], None]) -> str:
    out = StringIO()
    with redirect_stdout(out):
        run()
    return out.getvalue()
