"""What a wheel and a source distribution must hold, may hold, and may weigh."""

import tarfile
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

MOST_BYTES = {".whl": 2_500_000, ".gz": 6_000_000}
"""Of the archives themselves: 1.7 and 3.6 MB when this was written, most of it tables of kinds and a tokenizer."""
MOST_BYTES_OF_A_FILE = 700_000

IN_WHEEL = (
    "esens/py.typed",
    "esens/embed/data/minilm-tokenizer.json",
    "esens/embed/data/NOTICE",
    "esens/evidence/data/wordnet-kinds.txt.gz",
    "esens/evidence/data/everyday-kinds.txt",
    "esens/evidence/data/NOTICE",
    "esens/decompose/rules/weights/en.json",
    "esens/demo/corpus.jsonl",
    "esens/demo/queries.jsonl",
    "esens/evaluate/data/published.csv",
    "esens/evaluate/report/page.css",
    "esens/server/static/index.html",
)
IN_SDIST = (
    *(f"src/{name}" for name in IN_WHEEL),
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "CITATION.cff",
    "Makefile",
    "tests/release/run.py",
)
# What has no place in either: other people's data, caches, weights, environments.
_FOREIGN = ("__pycache__", ".venv", ".pytest_cache", ".hypothesis", ".git/", "shared/")
_FOREIGN_ENDS = (".pyc", ".onnx", ".safetensors", ".gguf", ".npy", ".lance", ".parquet", ".so")


def read(archive: Path) -> dict[str, bytes]:
    """Return the files of a wheel, or of a source distribution without its top folder, by their names."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/")}
    with tarfile.open(archive) as source:
        members = [member for member in source.getmembers() if member.isfile()]
        read = {member.name.partition("/")[2]: source.extractfile(member) for member in members}
        return {name: file.read() for name, file in read.items() if file is not None}


def problems(archive: Path) -> list[str]:
    """Return what is wrong with a wheel or a source distribution."""
    return [*_size(archive), *_problems_of(read(archive), is_wheel=archive.suffix == ".whl")]


def _size(archive: Path) -> list[str]:
    size, most = archive.stat().st_size, MOST_BYTES[archive.suffix]
    return [f"{archive.name} has {size:,} bytes; at most {most:,} are expected"] if size > most else []


def _problems_of(files: Mapping[str, bytes], *, is_wheel: bool) -> list[str]:
    found = [f"{name} is missing" for name in (IN_WHEEL if is_wheel else IN_SDIST) if name not in files]
    for name, content in files.items():
        if any(part in name for part in _FOREIGN) or name.endswith(_FOREIGN_ENDS):
            found.append(f"{name} has no place here")
        if len(content) > MOST_BYTES_OF_A_FILE:
            found.append(f"{name} has {len(content):,} bytes; at most {MOST_BYTES_OF_A_FILE:,} are expected")
        if is_wheel and not name.startswith("esens/") and ".dist-info/" not in name:
            found.append(f"{name} would be installed beside esens")
    return found


def listing(archive: Path) -> str:
    """Return the folders of an archive with their files and bytes, unpacked."""
    files: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for name, content in read(archive).items():
        folder = "/".join(name.split("/")[:2]) if "/" in name else "."
        files[folder] += 1
        sizes[folder] += len(content)
    rows = [f"  {files[folder]:5,} files {sizes[folder]:10,} bytes  {folder}" for folder in sorted(files)]
    head = f"{archive.name}: {archive.stat().st_size:,} bytes, {sum(files.values()):,} files"
    return "\n".join([head, *rows])
