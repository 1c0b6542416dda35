"""A model's files: where they are on this machine, and whether they are the ones we know."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from esens.embed.base import hash_of
from esens.errors import MissingExtraError, ModelError


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file: where it stands in its package or repository, the hash it must have, the extra that brings it."""

    source: str
    path: str
    sha256: str
    extra: str
    # Hashes of the same content in another form, as of a text whose lines end as they do on Windows.
    also: tuple[str, ...] = ()

    @property
    def remedy(self) -> str:
        """The command that gets the file."""
        return f'pip install "esens[{self.extra}]"'

    @property
    def repair(self) -> str:
        """The command that gets the file of a package anew: pip leaves alone what it takes for installed."""
        return f'pip install --force-reinstall "esens[{self.extra}]"'


def in_packages(file: ModelFile) -> Path | None:
    """Return the file inside an installed package, or None where the package is not installed.

    The package is not imported: it is there for its data.
    """
    try:
        path = Path(str(distribution(file.source).locate_file(file.path)))
    except PackageNotFoundError:
        return None
    return in_folder(path, file)


def in_folder(path: Path, file: ModelFile) -> Path:
    """Return the path of a package's file, if it is there and the one we know."""
    if not path.is_file():
        raise ModelError(f"package {file.source} has no file {file.path}. Install it again: {file.repair}")
    return verified(path, file, repair=f"Install it again: {file.repair}")


def verified(path: Path, file: ModelFile, *, repair: str) -> Path:
    """Return the path if the file's hash is the expected one."""
    digest = hash_of(path)
    if digest not in (file.sha256, *file.also):
        raise ModelError(
            f"{path}: its hash is {digest[:12]}…, expected {file.sha256[:12]}… of {file.source}; "
            f"the file is damaged or another one. {repair}"
        )
    return path


def load_tokenizer(path: Path, *, extra: str) -> Any:
    """Return a tokenizer that neither pads nor cuts."""
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtraError("tokenizers", extra) from None
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the binding raises plain Exception
        raise ModelError(f"{path}: not a tokenizer file ({error})") from error
    # The file may ask for padding and for another length; the embedder does both itself.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
