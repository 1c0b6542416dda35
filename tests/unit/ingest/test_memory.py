"""However large a file is, what is in memory is a row."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="this system does not tell how much memory a program took")
# All of the process counts, so also what SQLite keeps of the ids.
READ = """
import resource, sys
from esens.ingest import read_rows
rows = iter(read_rows(sys.argv[1]))
next(rows)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(sum(1 for _ in rows), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def _grown(path: Path, rows: int) -> float:
    """Return how many megabytes more the reading of a file took than that of its first row."""
    with path.open("w") as file:
        file.write("id,text\n" if path.suffix == ".csv" else "")
        for number in range(rows):
            row = [f"document number {number}", f"{number:012d} " * 35]
            file.write(
                json.dumps(dict(zip(("id", "text"), row, strict=True)))
                if path.suffix == ".jsonl"
                else ",".join(row)
            )
            file.write("\n")
    done = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True)
    read, grown = map(int, done.stdout.split())
    assert read >= rows - 2
    return grown / (2**20 if sys.platform == "darwin" else 2**10)


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.txt", "a"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    small, large = _grown(path, 3000), _grown(path, 60_000)
    assert path.stat().st_size > 25_000_000
    assert large < small + 6
