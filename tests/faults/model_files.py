"""Files of models with one bit flipped, or cut, or longer by a byte: each must be refused before it is loaded."""

import random
import tempfile
from pathlib import Path

from esens.embed import minilm, wordllama
from esens.embed.files import ModelFile, in_folder, in_packages
from esens.errors import ModelError
from tests.faults.record import CLEAR_ERROR, WRONG, FaultRecord, in_time


def run(cases: int, seed: int) -> FaultRecord:
    """Tamper so many times with the files that are installed, each as often as any other."""
    record, chance = FaultRecord("tampered model files", seed), random.Random(seed)
    files = _installed()
    with tempfile.TemporaryDirectory() as folder:
        for number in in_time(cases):
            path, file = files[number % len(files)]
            tamper = chance.choice((_flip, _flip, _flip, _cut, _append))
            content = bytearray(path.read_bytes())
            tamper(content, chance)
            copy = Path(folder) / f"{number}-{path.name}"
            copy.write_bytes(content)
            outcome, why = _outcome(copy, file)
            copy.unlink()
            record.add(outcome, f"seed {seed}, case {number}: {file.path} after {tamper.__name__}: {why}")
    return record


def _installed() -> list[tuple[Path, ModelFile]]:
    packaged = [minilm.PACKAGED_MODEL, wordllama.VECTORS, wordllama.TOKENIZER]
    found = [(path, file) for file in packaged if (path := in_packages(file)) is not None]
    return [(minilm.tokenizer(), minilm.TOKENIZER), *found]


def _outcome(copy: Path, file: ModelFile) -> tuple[str, str]:
    try:
        in_folder(copy, file)
    except ModelError as error:
        return (CLEAR_ERROR if "damaged or another one" in str(error) else WRONG), str(error)
    return WRONG, "loaded"


def _flip(content: bytearray, chance: random.Random) -> None:
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


def _append(content: bytearray, chance: random.Random) -> None:
    content.append(chance.randrange(256))
