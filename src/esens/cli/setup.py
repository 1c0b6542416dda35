"""How an experiment is prepared: the benchmark, the models or the caller's vectors, and where work is kept."""

import argparse
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from esens.cli.models import add_cache, add_decomposer, add_embedder, open_decomposer
from esens.cli.output import notify, progress_bar
from esens.embed import DEFAULT_EMBEDDER
from esens.errors import ArgumentError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt

    from esens.embed import Embedder
    from esens.evaluate.dataset import Dataset
    from esens.evaluate.experiment import Experiment
    from esens.evaluate.ranks.query_vectors import QueryVectors
    from esens.evaluate.ranks.rank_cache import Store


def add_dataset(parser: argparse.ArgumentParser, *, nargs: str | None = None) -> None:
    """Add the dataset, or as many as ``nargs`` says, and how they are read."""
    parser.add_argument(
        "dataset",
        metavar="DATASET",
        nargs=nargs,
        help="a folder or file as in docs/datasets.md: ExcluIR, BoolQuestions, NevIR, QUEST, BEIR, mteb, JSONL",
    )
    parser.add_argument(
        "--split", help="the split of a folder (default: test), or a question type of BoolQuestions (not)"
    )
    parser.add_argument("--excluded", type=Path, metavar="FILE", help="qrels of the excluded documents")
    parser.add_argument(
        "--fold",
        metavar="I/N",
        help="only every N-th query, beginning with the I-th: choose on 1/2, report on 2/2",
    )


def add_experiment(parser: argparse.ArgumentParser) -> None:
    """Add the models, or the vectors that take their place, and where vectors and ranks are kept."""
    add_embedder(parser, default=DEFAULT_EMBEDDER)
    add_decomposer(
        parser,
        more=("recorded:NAME, which the dataset brings along (recorded:gold, a person's)",),
        has_cache=False,
    )
    vectors = parser.add_argument_group(
        "vectors of your own, instead of an embedder", "Rows in the dataset's order."
    )
    vectors.add_argument(
        "--vectors", type=Path, metavar="FILE.npy", help="vectors of the documents; mapped, not loaded"
    )
    vectors.add_argument("--query-vectors", type=Path, metavar="FILE.npy", help="vectors of the queries")
    vectors.add_argument("--target-vectors", type=Path, metavar="FILE.npy", help="vectors of the targets")
    vectors.add_argument(
        "--trap-vectors", type=Path, metavar="FILE.npy", help="vectors of the traps; zeros where there is none"
    )
    add_cache(parser, "vectors, ranks and a language model's answers")


def read_benchmark(options: argparse.Namespace, path: str | None = None) -> "Dataset":
    """Read the dataset that the options name, or the one of several at this path."""
    from esens.evaluate.datasets import read_dataset

    dataset = read_dataset(
        options.dataset if path is None else path, split=options.split, excluded=options.excluded
    )
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


def prepare_experiment(options: argparse.Namespace, dataset: "Dataset") -> "Experiment":
    """Return the dataset, split and embedded as the options say."""
    from esens.evaluate.experiment import RECORDED, Experiment
    from esens.evaluate.measures import PLACE_KS

    query_vectors = _query_vectors(options)
    documents = _array(options.vectors) if options.vectors else None
    needs_embedder = documents is None or query_vectors is None
    is_recorded = options.decomposer.startswith(RECORDED)
    with (
        nullcontext(options.decomposer) if is_recorded else open_decomposer(options, shares_cache=True) as chosen,
        open_embedder(options) if needs_embedder else nullcontext(options.embedder) as model,
    ):
        return Experiment.prepare(
            dataset,
            embedder=model,
            decomposer=chosen,
            documents=documents,
            query_vectors=query_vectors,
            store=_store(options),
            watch=progress_bar,
            place_ks=getattr(options, "place_ks", None) or PLACE_KS,
        )


@contextmanager
def open_embedder(options: argparse.Namespace) -> "Iterator[Embedder]":
    """Give the embedder, keeping its vectors where it can be told from others; in the end say what it used."""
    from esens.embed import embedder_of
    from esens.embed.base import fingerprint_of
    from esens.embed.cache import CachedEmbedder

    model = embedder_of(options.embedder)
    if options.cache is False or fingerprint_of(model) is None:
        yield model
    else:
        yield CachedEmbedder(model, options.cache / "vectors.sqlite" if options.cache else None)
    usage = getattr(model, "usage", None)
    if usage is not None:
        notify(f"{model.name}: {usage}")


def _store(options: argparse.Namespace) -> "Store | None":
    from esens.evaluate.ranks.rank_cache import Store

    return None if options.cache is False else Store(options.cache / "ranks" if options.cache else None)


def _query_vectors(options: argparse.Namespace) -> "QueryVectors | None":
    from esens.evaluate.ranks.query_vectors import QueryVectors

    paths = (options.query_vectors, options.target_vectors, options.trap_vectors)
    if not any(paths):
        return None
    if options.query_vectors is None or options.trap_vectors is None:
        raise ArgumentError("--query-vectors", "vectors of queries and of traps come together; give both files")
    return QueryVectors.of(*(_array(path) if path else None for path in paths))  # type: ignore[arg-type]


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
