"""A job is put together, given to an engine, and tidied up after."""

import sys

from esens.embed import DEFAULT_EMBEDDER, EmbedderLike, embedder_of
from esens.embed.identity import identify
from esens.errors import ArgumentError, InputError, MissingExtraError
from esens.indexing.embed_files.job import DEFAULT_PART_ROWS, ENGINES, EmbedJob, EmbedReport, Report
from esens.indexing.embed_files.local import embed_plain
from esens.indexing.embed_files.output import is_file, prepare, tidy
from esens.ingest import DEFAULT_OVERLAP, DEFAULT_WORDS, Fields, Limits
from esens.messages import quoted
from esens.types import Progress


def embed_files(
    source: str,
    to: str,
    *,
    embedder: EmbedderLike = DEFAULT_EMBEDDER,
    engine: str = "plain",
    workers: int | None = None,
    words: int | None = DEFAULT_WORDS,
    overlap: int = DEFAULT_OVERLAP,
    part_rows: int = DEFAULT_PART_ROWS,
    format: str | None = None,  # noqa: A002 - the word for it
    fields: Fields = Fields(),  # noqa: B008 - frozen
    on_bad: str = "stop",
    limits: Limits = Limits(),  # noqa: B008 - frozen
    report: Report | None = None,
    progress: Progress | None = None,
) -> EmbedReport:
    """Write the documents of a file or a folder with their vectors to a folder of Parquet files, or to one.

    A folder that an earlier run of the same job has begun is finished. ``engine`` "ray" makes several parts at a
    time, by so many ``workers`` or as many as there are cores. Splitting and reading are as in ``build_index`` and
    ``read_rows``; ``progress`` is called with the number of passages done, and of those that there may be.
    """
    _check(engine, workers, part_rows, to, embedder)
    model = embedder_of(embedder)
    rows = sys.maxsize if is_file(to) else part_rows
    job = EmbedJob(source, to, identify(model), words, overlap, rows, format, fields, on_bad, limits)
    on_bad_row, on_progress = report or (lambda _: None), progress or (lambda _done, _of: None)
    if engine == "ray":
        from esens.indexing.embed_files.with_ray import embed_on_ray, sliced

        parts, ignored = sliced(job)
        _prepare(job)
        done = embed_on_ray(job, str(embedder), parts, ignored, workers, on_bad_row, on_progress)
    else:
        _prepare(job)
        done = embed_plain(job, model, on_bad_row, on_progress)
    tidy(job)
    return done


def _prepare(job: EmbedJob) -> None:
    try:
        prepare(job)
    except OSError as error:  # a name that is too long, a folder that nobody may write to
        raise InputError(error.filename or job.to, error.strerror or "cannot be written") from None


def _check(engine: str, workers: int | None, part_rows: int, to: str, embedder: object) -> None:
    try:
        import pyarrow  # noqa: F401 - all output is Parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet") from None
    if engine not in ENGINES:
        raise ArgumentError("engine", f"unknown engine {quoted(engine)}; valid are: {', '.join(ENGINES)}")
    if part_rows < 1:
        raise ArgumentError("part_rows", f"must be at least 1, got {part_rows}")
    if engine == "plain":
        if workers is not None:
            raise ArgumentError("workers", "the plain engine is one process; name the engine ray for more")
        return
    if workers is not None and workers < 1:
        raise ArgumentError("workers", f"must be at least 1, got {workers}")
    if is_file(to):
        raise ArgumentError("to", f"several workers write several files; name a folder, not {to}")
    if not isinstance(embedder, str):
        raise ArgumentError("embedder", "every worker loads its own; name it by a spec, such as minilm")
