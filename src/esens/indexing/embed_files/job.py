"""What is to be done, and what was."""

from collections.abc import Callable
from dataclasses import dataclass

from esens.errors import InputError
from esens.ingest import Fields
from esens.types import EmbedderId

ENGINES = ("plain", "ray")
DEFAULT_PART_ROWS = 2048
"""Documents of a part: what a worker that is killed may have embedded in vain."""

Report = Callable[[InputError], None]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class EmbedJob:
    """All that the vectors and their files depend on. Workers get it as it is."""

    source: str
    to: str
    maker: EmbedderId
    words: int | None
    overlap: int
    part_rows: int
    format: str | None
    fields: Fields
    on_bad: str


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What became of a job: the files, and the passages in them, made in this run or there already.

    ``read``, ``bad`` and ``ignored`` are the rows and the files of the input that this run has seen.
    """

    to: str
    embedder_id: EmbedderId
    made: int = 0
    kept: int = 0
    passages: int = 0
    read: int = 0
    bad: int = 0
    ignored: int = 0
