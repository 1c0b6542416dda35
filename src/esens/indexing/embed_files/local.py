"""One process: the input is read in order, and what is there already is read over."""

from functools import partial
from itertools import groupby

from esens.embed import Embedder
from esens.indexing.embed_files.job import EmbedJob, EmbedReport, Progress, Report
from esens.indexing.embed_files.output import part_path, passages_there
from esens.indexing.embed_files.part import write_part
from esens.ingest import RowReader, read_rows


def embed_plain(job: EmbedJob, embedder: Embedder, report: Report, progress: Progress) -> EmbedReport:
    """Make the parts that are missing, one after the other."""
    rows = read_rows(job.source, format=job.format, fields=job.fields, on_bad=job.on_bad, report=report)
    made = kept = passages = 0
    for number, part in groupby(rows, lambda _row: rows.position // job.part_rows):
        path = part_path(job.to, number)
        there = passages_there(path)
        if there is None:
            passages += write_part(part, path, job, embedder, partial(_tell, progress, rows, passages))
            made += 1
        else:
            passages += there
            kept += 1
        _tell(progress, rows, passages)
    return EmbedReport(job.to, job.maker, made, kept, passages, rows.read, rows.bad, rows.ignored)


def _tell(progress: Progress, rows: RowReader, before: int, new: int = 0) -> None:
    # How many there are is known from how much of the input those read so far are.
    progress(before + new, round((before + new) / rows.fraction) if rows.fraction else 0)
