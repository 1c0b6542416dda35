"""Many processes, on one machine or on many: Ray Data hands out the parts, and each worker makes its own.

A worker reads its rows of the Parquet files itself, and writes its file itself: neither texts nor vectors travel
between processes. Ray's reader does not say in which row of a file a document stands, and chooses itself where to
cut; here the parts are those of the plain engine, so the vectors are the same to the last bit.
"""

import logging
import os
import pickle
import socket
import sys
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from esens.arrays.scan import cores
from esens.embed import Embedder, embedder_of
from esens.embed.identity import identify
from esens.embed.truncation import Truncation, collect_truncated
from esens.errors import ArgumentError, EsensError, InputError, MissingExtraError, ModelError
from esens.indexing.embed_files.job import EmbedJob, EmbedReport, Report
from esens.indexing.embed_files.output import part_path, passages_in
from esens.indexing.embed_files.part import write_part
from esens.ingest import Part, parts_of, read_part
from esens.ingest.parquet import ParquetFiles
from esens.ingest.sources import source_of
from esens.types import Progress

_BLOCKS = 10_000  # the most that Ray manages well; with more parts, several share a block
_SECONDS_TO_ANSWER = 10
_STORE = 2**27  # bytes; nothing but names of parts and counts is in it
# Ray turns 127.0.0.1 into an address that others reach, unless this says that there are no others.
_CLUSTERS = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
_SETTINGS = {
    _CLUSTERS: "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_worker_niceness": "0",  # the same priority as the plain engine has
}


def sliced(job: EmbedJob) -> tuple[list[Part], int]:
    """Return the parts of a job's input, and how many files of a folder were left out."""
    if not isinstance(source_of(job.source, job.format, job.fields), ParquetFiles):
        raise ArgumentError(
            "engine",
            f"ray reads Parquet, of which every worker can take a part, and {job.source} is something else; "
            "write it as Parquet first, or use the plain engine",
        )
    if not Path(job.source).exists():
        raise InputError(job.source, "No such file or directory")
    _ray()
    return parts_of(job.source, job.part_rows, job.fields)


def embed_on_ray(
    job: EmbedJob,
    spec: str,
    parts: Sequence[Part],
    ignored: int,
    workers: int | None,
    report: Report,
    progress: Progress,
) -> EmbedReport:
    """Make the parts that are missing, several at a time."""
    in_files = {part.number: passages_in(part_path(job.to, part.number)) for part in parts}
    existing = [passages for passages in in_files.values() if passages is not None]
    done = EmbedReport(job.to, job.embedder_id, existing=len(existing), passages=sum(existing), ignored=ignored)
    missing = [part for part in parts if in_files[part.number] is None]
    truncation = Truncation()
    with closing(_part_results(job, spec, missing, workers)) as results:  # whatever happens, Ray is shut down
        for result in results:
            _pass_on(result, report)
            truncation += result.truncation
            done = _add(done, result)
            progress(done.passages, round(done.passages * len(parts) / (done.written + done.existing or 1)))
    truncation.warn()
    if not done.passages:
        raise InputError(
            job.source, f"holds no documents: {done.bad} bad rows were skipped, and there is no other"
        )
    return done


def _pass_on(result: "_PartResult", report: Report) -> None:
    """Report, warn and raise here what a worker met there."""
    for error in result.bad:
        report(error)
    for message, kind in result.warnings:
        warnings.warn(message, kind, stacklevel=2)
    if result.failure is not None:
        raise result.failure


def _add(done: EmbedReport, result: "_PartResult") -> EmbedReport:
    return replace(
        done,
        written=done.written + bool(result.passages),
        passages=done.passages + result.passages,
        read=done.read + result.read,
        bad=done.bad + len(result.bad),
    )


@dataclass(frozen=True, slots=True)
class _PartResult:
    """What a worker says of a part."""

    passages: int
    read: int
    bad: list[InputError]
    warnings: list[tuple[str, type[Warning]]]
    truncation: Truncation
    failure: EsensError | None


def _part_results(job: EmbedJob, spec: str, parts: Sequence[Part], workers: int | None) -> Generator[_PartResult]:
    """Yield what became of the parts, in their order."""
    if not parts:
        return
    with _cluster(workers) as ray:
        nodes = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
        size, threads = _shares(nodes, workers)
        data = ray.data.from_items(
            [{"part": pickle.dumps(part)} for part in parts], override_num_blocks=min(len(parts), _BLOCKS)
        ).map_batches(
            _Worker,
            fn_constructor_args=(job, spec, threads, str(Path.cwd())),
            batch_size=1,
            batch_format="pyarrow",
            num_cpus=threads,
            # One is made, and one waits. If more did, other workers would have nothing to do in the end.
            compute=ray.data.ActorPoolStrategy(size=min(size, len(parts)), max_tasks_in_flight_per_actor=2),
        )
        data.context.execution_options.preserve_order = True
        data.context.enable_progress_bars = False
        try:
            for row in data.iter_rows():
                yield pickle.loads(row["result"])  # noqa: S301 - a worker of ours has written it
        except ray.exceptions.RayError as error:
            why = str(error).strip().splitlines()[-1]
            raise EsensError(f"Ray gave up ({why}); start again, and it goes on with what is missing") from error


class _Worker:
    """A process that has loaded the embedder once, and makes one part after the other."""

    def __init__(self, job: EmbedJob, spec: str, threads: int, folder: str) -> None:
        os.environ["RAYON_NUM_THREADS"] = str(threads)  # the tokenizer's
        with suppress(OSError):  # another machine may not have it; then paths from there cannot be meant
            os.chdir(folder)
        self._job = job
        self._spec = spec
        self._threads = threads
        self._embedder: Embedder | None = None

    def __call__(self, parts: Any) -> Any:
        """Make the parts in a table, and return a table with what became of them."""
        import pyarrow

        results = [self._embed(pickle.loads(part)) for part in parts["part"].to_pylist()]  # noqa: S301 - our own
        return pyarrow.table({"result": [pickle.dumps(result) for result in results]})

    def _embed(self, part: Part) -> _PartResult:
        bad: list[InputError] = []
        rows = read_part(part, fields=self._job.fields, on_bad=self._job.on_bad, report=bad.append)
        passages, failure = 0, None
        with warnings.catch_warnings(record=True) as caught, collect_truncated(warn=False) as truncated:
            warnings.simplefilter("default")
            try:
                passages = write_part(rows, part_path(self._job.to, part.number), self._job, self._loaded())
            except EsensError as error:  # raised by the caller: Ray would wrap it in pages of its own text
                failure = error
        messages = list({str(warning.message): warning.category for warning in caught}.items())
        return _PartResult(passages, rows.read, bad, messages, truncated.total, failure)

    def _loaded(self) -> Embedder:
        if self._embedder is None:
            self._embedder = embedder_of(self._spec, threads=self._threads)
            loaded = identify(self._embedder)
            if not loaded.is_same(self._job.embedder_id):
                raise ModelError(
                    f"a worker has another {self._spec}: {loaded}, not {self._job.embedder_id}; put the same on "
                    "all machines"
                )
        return self._embedder


def _shares(nodes: Sequence[int], workers: int | None) -> tuple[int, int]:
    """Return how many workers there are, and how many cores each has to itself.

    >>> _shares([8], None), _shares([8], 2), _shares([8, 8], 3)
    ((8, 1), (2, 4), (3, 4))
    """
    wanted = workers or sum(nodes)
    if wanted > sum(nodes):
        raise ArgumentError("workers", f"the cluster has {sum(nodes)} cores; name at most as many workers")
    # A worker does not reach from one machine to the next.
    return wanted, max(share for share in range(1, max(nodes) + 1) if sum(n // share for n in nodes) >= wanted)


@contextmanager
def _cluster(workers: int | None) -> Iterator[Any]:
    """Give Ray: the cluster that the program is part of, the one that RAY_ADDRESS names, or one of our own."""
    ray = _ray()
    if ray.is_initialized():
        yield ray
        return
    try:
        _start(ray, os.environ.get("RAY_ADDRESS"), workers)
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # what matters is raised
        yield ray
    finally:
        ray.shutdown()


def _ray() -> Any:
    """Return the package, which reads its settings when it is imported."""
    if not os.environ.get("RAY_ADDRESS") and "ray" not in sys.modules:
        for name, value in _SETTINGS.items():
            os.environ.setdefault(name, value)
    try:
        import ray
        import ray.data
    except ImportError:
        raise MissingExtraError("ray", "ray") from None
    return ray


def _start(ray: Any, address: str | None, workers: int | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    if not address:
        if os.environ.get(_CLUSTERS) != "0":
            problem = "Ray was imported already, and would listen on the network"
            raise ArgumentError("engine", f"{problem}; call ray.init() before, with settings of your choice")
        with _without_stderr():
            ray.init(
                address="local",  # and not one that happens to run here
                num_cpus=max(cores(), workers or 1),
                object_store_memory=_STORE,
                include_dashboard=False,
                _node_ip_address="127.0.0.1",
                **quiet,
            )
        return
    try:
        _knock(address)
        ray.init(address=address, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        problem = f"no Ray cluster can be reached at {address} ({str(error).strip().splitlines()[0]})"
        raise ArgumentError("RAY_ADDRESS", problem) from None


def _knock(address: str) -> None:
    """Raise OSError where no server listens: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():  # and not, say, "auto"
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS_TO_ANSWER).close()


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Silence standard error, also that of the processes below Python: Ray prints there when it starts."""
    sys.stderr.flush()
    stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nowhere)
