"""An everyday set of Debian's programs: texts by their packagers, labels by who tagged them, neither by us.

.venv/bin/python benchmarks/quality/debian_programs.py FOLDER/programs/debian
.venv/bin/python benchmarks/quality/everyday.py FOLDER/programs --write

Debian describes each of its packages in a few sentences and tags many of them: what they are for, work with, are
made with. So a tag says what a program must not be, and its description is what a search reads. Needs apt, which
fetches the lists into a folder of its own. The queries (benchmarks/data) are ours, written before any was tried.
"""

import argparse
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

QUERIES = Path(__file__).parents[1] / "data" / "debian-programs.jsonl"
FEWEST = 5
"""As many wanted and as many excluded programs as a query needs."""


@dataclass(frozen=True)
class Program:
    name: str
    description: str
    tags: frozenset[str]


@dataclass(frozen=True)
class LabelledQuery:
    """A query, its split as a person would make it, and the tags that decide."""

    text: str
    target: str
    trap: str
    required: frozenset[str]
    """Tags that a program must have, all of them."""
    excluded: frozenset[str]
    """Tags of which it must have none."""
    facet: str
    """What a wanted program must be tagged in, so that somebody looked."""
    words: re.Pattern[str]
    """A program that says one of these and is not tagged so counts as neither."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where corpus.jsonl and queries.jsonl are written")
    folder: Path = parser.parse_args().folder
    programs = tuple(debian_programs())
    queries = tuple(labelled_queries())
    rows = [row for number, query in enumerate(queries) if (row := labelled(number, query, programs))]
    folder.mkdir(parents=True, exist_ok=True)
    _write(
        folder / "corpus.jsonl",
        ({"_id": each.name, "title": each.name, "text": each.description} for each in programs),
    )
    _write(folder / "queries.jsonl", rows)
    print(f"{len(programs)} programs; {len(rows)} of {len(queries)} queries have {FEWEST} wanted and excluded")


def debian_programs() -> Iterator[Program]:
    """Return the tagged programs of the Debian that this machine gets its packages from, each description once."""
    lists = _package_lists()
    descriptions = {
        fields["Description-md5"]: fields["Description-en"] for fields in lists if "Description-en" in fields
    }
    seen = set()
    for fields in lists:
        tags = frozenset(fields.get("Tag", "").replace("\n", " ").replace(",", " ").split())
        description = descriptions.get(fields.get("Description-md5", ""))
        if "role::program" in tags and description and description not in seen:
            seen.add(description)
            summary, _, rest = description.partition("\n")
            yield Program(
                fields["Package"], f"{summary}. {' '.join(re.sub(r'^[.]$', '', rest, flags=re.M).split())}", tags
            )


def labelled_queries() -> Iterator[LabelledQuery]:
    for line in QUERIES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        required, excluded = frozenset(row.pop("required")), frozenset(row.pop("excluded"))
        words = re.compile(rf"(?i)\b(?:{row.pop('words')})")
        yield LabelledQuery(**row, required=required, excluded=excluded, words=words)


def labelled(number: int, query: LabelledQuery, programs: Sequence[Program]) -> dict[str, object] | None:
    """Return the query with its wanted, excluded and unclear programs; None where there are too few."""
    judged: dict[str, list[str]] = {"wanted": [], "excluded": [], "unclear": []}
    for program in programs:
        if query.required <= program.tags:
            judged[_judgement(program, query)].append(program.name)
    if min(len(judged["wanted"]), len(judged["excluded"])) < FEWEST:
        return None
    row = {"_id": f"debian-{number:03}", "text": query.text, "target": query.target, "traps": [query.trap]}
    return {**row, **judged, "denied": [], "kind": query.facet}


def _judgement(program: Program, query: LabelledQuery) -> str:
    if query.excluded & program.tags:
        return "excluded"
    looked_at = any(tag.startswith(f"{query.facet}::") for tag in program.tags)
    names_it = query.words.search(f"{program.name} {program.description}")
    return "wanted" if looked_at and not names_it else "unclear"


def _package_lists() -> list[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        lists = Path(folder, "lists")
        (lists / "partial").mkdir(parents=True)
        own = (f"Dir::State={folder}", f"Dir::Cache={folder}", "Dir::State::status=/dev/null")
        settings = (*own, "Acquire::Languages=en", "APT::Sandbox::User=root")
        subprocess.run(["apt-get", "update", "--quiet", *(f"-o{each}" for each in settings)], check=True)
        named = re.compile("_main_.*(Packages|Translation-en)")
        texts = [_unpacked(file) for file in sorted(lists.iterdir()) if named.search(file.name)]
    return [_fields(paragraph) for text in texts for paragraph in text.split("\n\n") if paragraph.strip()]


def _unpacked(file: Path) -> str:
    command = ["/usr/lib/apt/apt-helper", "cat-file", str(file)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _fields(paragraph: str) -> dict[str, str]:
    """Read a paragraph of "Name: value" lines, whose values go on in lines that begin with a blank."""
    pairs = re.findall(r"^(\S+):[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.MULTILINE)
    return {name: re.sub(r"\n[ \t]", "\n", value) for name, value in pairs}


def _write(path: Path, rows: Iterable[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
