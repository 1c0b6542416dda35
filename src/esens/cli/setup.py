"""What the commands that measure have in common: a dataset, its vectors, and where work is kept."""

import argparse
import json
import shlex
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from esens.cli.options import add_parts, decomposer, progress_bar
from esens.errors import ArgumentError, InputError
from esens.score.linear import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt

    from esens.embed import Embedder
    from esens.evaluate.dataset import Dataset
    from esens.evaluate.experiment import Experiment
    from esens.evaluate.ranks.query_vectors import QueryVectors
    from esens.evaluate.ranks.rank_cache import Store


class Written(Protocol):
    """Anything that can be written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        ...


def add_dataset(parser: argparse.ArgumentParser, *, is_optional: bool = False) -> None:
    """Add the dataset, and how it is read."""
    parser.add_argument(
        "dataset",
        metavar="DATASET",
        nargs="?" if is_optional else None,
        help="a folder or file in a format of docs/datasets.md: ExcluIR, BoolQuestions, NevIR, BEIR, native JSONL",
    )
    parser.add_argument("--split", help="of a BEIR folder (default: test)")
    parser.add_argument("--excluded", type=Path, metavar="FILE", help="qrels of the excluded documents")
    parser.add_argument(
        "--fold",
        metavar="I/N",
        help="only every N-th query, beginning with the I-th: choose on 1/2, report on 2/2",
    )


def add_making(parser: argparse.ArgumentParser) -> None:
    """Add what vectors and decompositions are made with, or given, and where they are kept."""
    add_parts(parser, more_decomposers=("recorded:NAME, which the dataset brings along",))
    given = parser.add_argument_group(
        "vectors of your own, instead of an embedder", "Rows in the dataset's order."
    )
    given.add_argument("--vectors", type=Path, metavar="FILE.npy", help="of the documents; mapped, not loaded")
    given.add_argument("--query-vectors", type=Path, metavar="FILE.npy", help="of the queries")
    given.add_argument("--target-vectors", type=Path, metavar="FILE.npy", help="of their targets")
    given.add_argument("--trap-vectors", type=Path, metavar="FILE.npy", help="of their traps; zeros where none")
    add_keeping(parser)


def add_keeping(parser: argparse.ArgumentParser) -> None:
    """Add where vectors and ranks are kept."""
    keeping = parser.add_mutually_exclusive_group()
    keeping.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="where vectors and ranks are kept, so that a run goes on where it was stopped (default: the user's "
        "cache folder)",
    )
    keeping.add_argument("--keep-nothing", action="store_true", help="compute all of it anew")


def add_weights(parser: argparse.ArgumentParser) -> None:
    """Add which positive weights the score has."""
    parser.add_argument("--variant", choices=VARIANTS, help="what counts as wanted: the query, or its target")
    parser.add_argument("--alpha", type=float, help="free weight of the query, instead of a variant")
    parser.add_argument("--gamma", type=float, help="free weight of the target, instead of a variant")


def weights(options: argparse.Namespace) -> tuple[float, float]:
    """Return alpha and gamma."""
    from esens.score.linear import Weights

    found = Weights.of(variant=options.variant, alpha=options.alpha, gamma=options.gamma, beta=0.0)
    return found.alpha, found.gamma


def read(options: argparse.Namespace) -> "Dataset":
    """Read the dataset that the options name."""
    from esens.evaluate.datasets import read_dataset

    dataset = read_dataset(options.dataset, split=options.split, excluded=options.excluded)
    return dataset if options.fold is None else _fold(dataset, options.fold)


def _fold(dataset: "Dataset", fold: str) -> "Dataset":
    try:
        number, folds = map(int, fold.split("/"))
    except ValueError:
        raise ArgumentError("--fold", f"wants two whole numbers such as 1/2, got {fold!r}") from None
    try:
        return dataset.fold(number, folds)
    except ArgumentError as error:
        raise ArgumentError("--fold", error.problem) from None


def prepared(options: argparse.Namespace, dataset: "Dataset") -> "Experiment":
    """Return the dataset, split and embedded as the options say."""
    from esens.evaluate.experiment import RECORDED, Experiment

    asked = _asked(options)
    documents = _array(options.vectors) if options.vectors else None
    is_recorded = options.decomposer.startswith(RECORDED)
    with (
        nullcontext(options.decomposer) if is_recorded else decomposer(options) as chosen,
        embedder(options) if documents is None or asked is None else nullcontext(options.embedder) as model,
    ):
        return Experiment.prepare(
            dataset,
            embedder=model,
            decomposer=chosen,
            documents=documents,
            asked=asked,
            store=_store(options),
            watch=progress_bar,
        )


@contextmanager
def embedder(options: argparse.Namespace) -> "Iterator[Embedder]":
    """Give the embedder, keeping its vectors where it can be told from others; in the end say what it used."""
    from esens.embed import embedder_of
    from esens.embed.base import fingerprint_of
    from esens.embed.cache import CachedEmbedder

    model = embedder_of(options.embedder)
    if options.keep_nothing or fingerprint_of(model) is None:
        yield model
    else:
        yield CachedEmbedder(model, options.keep / "vectors.sqlite" if options.keep else None)
    usage = getattr(model, "usage", None)
    if usage is not None:
        print(f"{model.name}: {usage}", file=sys.stderr)


def command(options: argparse.Namespace) -> str:
    """Return the command that was typed, as it could be typed again."""
    return shlex.join(["esens", *options.typed])


def write_json(options: argparse.Namespace, found: "Written") -> None:
    """Write what was found to the file that --json names, with the command that found it."""
    if options.json:
        write(options.json, json.dumps({"command": command(options), **found.to_dict()}, indent=1) + "\n")


def write(path: Path, content: str | bytes) -> None:
    """Write a file, and say so."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise InputError(path, f"cannot be written ({error.strerror})") from None
    print(f"wrote {path}", file=sys.stderr)


def _store(options: argparse.Namespace) -> "Store | None":
    from esens.evaluate.ranks.rank_cache import Store

    return None if options.keep_nothing else Store(options.keep / "ranks" if options.keep else None)


def _asked(options: argparse.Namespace) -> "QueryVectors | None":
    from esens.evaluate.ranks.query_vectors import QueryVectors

    given = (options.query_vectors, options.target_vectors, options.trap_vectors)
    if not any(given):
        return None
    if options.query_vectors is None or options.trap_vectors is None:
        raise ArgumentError("--query-vectors", "vectors of queries and of traps come together; give both files")
    return QueryVectors.of(*(_array(path) if path else None for path in given))  # type: ignore[arg-type]


def _array(path: Path) -> "npt.NDArray[np.floating]":
    import numpy as np

    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from None
    except (ValueError, EOFError):
        raise InputError(path, "is not a file that numpy.save wrote") from None
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind != "f":
        raise InputError(path, "must hold one matrix of floats, a row a text, as numpy.save writes it")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
