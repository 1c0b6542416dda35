"""What is to be done, and what was."""

from collections.abc import Callable
from dataclasses import dataclass, field

from esens.errors import InputError
from esens.ingest import Fields, Limits
from esens.types import EmbedderId

ENGINES = ("plain", "ray")
DEFAULT_PART_ROWS = 2048
"""Documents of a part: what has to be embedded again, at most, after a worker was killed."""

Report = Callable[[InputError], None]


@dataclass(frozen=True, slots=True)
class EmbedJob:
    """All that the vectors and their files depend on. Workers get it as it is."""

    source: str
    to: str
    embedder_id: EmbedderId
    words: int | None
    overlap: int
    part_rows: int
    format: str | None
    fields: Fields
    on_bad: str
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What became of a job."""

    to: str
    embedder_id: EmbedderId
    written: int = 0
    """Files that this run has written."""
    existing: int = 0
    """Files of an earlier run of the same job, which stay as they are."""
    passages: int = 0
    """Documents and passages in all of these files."""
    read: int = 0
    """Rows of the input that this run has read."""
    bad: int = 0
    """Rows that it has skipped."""
    ignored: int = 0
    """Files of a folder that it has left out because of their endings."""
