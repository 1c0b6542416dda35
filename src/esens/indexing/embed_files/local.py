"""One process: the input is read in order, and what is there already is read over."""

from functools import partial
from itertools import groupby

from esens.embed import Embedder
from esens.embed.truncation import collect_truncated
from esens.indexing.embed_files.job import EmbedJob, EmbedReport, Report
from esens.indexing.embed_files.output import part_path, passages_in
from esens.indexing.embed_files.part import write_part
from esens.ingest import RowReader, read_rows
from esens.types import Progress


def embed_plain(job: EmbedJob, embedder: Embedder, report: Report, progress: Progress) -> EmbedReport:
    """Make the parts that are missing, one after the other."""
    rows = read_rows(
        job.source, format=job.format, fields=job.fields, on_bad=job.on_bad, report=report, limits=job.limits
    )
    rows.identify_rows()  # the files that are made may go into one index with others
    written = existing = passages = 0
    with collect_truncated():
        for number, part in groupby(rows, lambda _row: rows.position // job.part_rows):
            path = part_path(job.to, number)
            in_file = passages_in(path)
            if in_file is None:
                passages += write_part(part, path, job, embedder, partial(_report, progress, rows, passages))
                written += 1
            else:
                passages += in_file
                existing += 1
            _report(progress, rows, passages)
    return EmbedReport(job.to, job.embedder_id, written, existing, passages, rows.read, rows.bad, rows.ignored)


def _report(progress: Progress, rows: RowReader, before: int, new: int = 0) -> None:
    # How many there are is known from how much of the input those read so far are.
    progress(before + new, round((before + new) / rows.fraction) if rows.fraction else 0)
