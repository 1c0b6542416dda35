"""The map of the source in CONTRIBUTING.md is complete, and everything it names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "esens"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAP = CONTRIBUTING.partition("## The house\n")[2].partition("\n## ")[0]
PATHS = {name for name in re.findall(r"`([\w./]+)`", MAP) if "/" in name or name.endswith(".py")}
DEFINITIONS = re.findall(r"`([\w./]+\.py)` \(`(\w+)`\)", MAP)


def _folders() -> set[str]:
    files = [path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    folders = {path.parent.relative_to(SOURCE) for path in files}
    return {f"{folder.as_posix()}/" for folder in folders} - {"./"}


def test_the_map_names_every_folder_and_every_module_at_the_top() -> None:
    assert sorted(_folders() - PATHS) == []
    assert sorted({path.name for path in SOURCE.glob("*.py")} - PATHS) == []


@pytest.mark.parametrize("path", sorted(PATHS))
def test_everything_that_the_map_names_is_there(path: str) -> None:
    place = next((folder / path for folder in (SOURCE, ROOT) if (folder / path).exists()), None)
    assert place is not None
    assert place.is_dir() == path.endswith("/")


@pytest.mark.parametrize(("path", "name"), DEFINITIONS)
def test_what_the_map_says_stands_in_a_file_stands_there(path: str, name: str) -> None:
    file = next(folder / path for folder in (SOURCE, ROOT) if (folder / path).exists())
    text = file.read_text(encoding="utf-8")
    assert re.search(rf"^\s*(?:class|def) {name}\b|^(?: {{4}})?{name}\b[^=\n]*=", text, re.MULTILINE)


def test_the_map_answers_the_three_questions_of_a_newcomer() -> None:
    for question in ("equation 1", "an engine", "a cue"):
        (line,) = [line for line in MAP.splitlines() if line.startswith("|") and question in line.split("|")[1]]
        assert re.search(r"`[\w./]+\.py` \(`\w+`\)", line)
