"""A table of an old format gets what the new one has: typed columns of its metadata, and checksums of its rows.

Vectors and texts stay where they are: the columns are written to files of their own, and the commit that says the
format is the last. Whoever is killed before it leaves columns that nobody reads; the next writer begins anew.
"""

from collections.abc import Callable, Sequence
from typing import Any

import lance
import pyarrow as pa

from esens.index.lance.checksums import HASHED, row_checksums
from esens.index.lance.schema import CHECKSUM, CHECKSUM_FIELD, FORMAT, Description
from esens.index.lance.snapshot import matrix_of
from esens.index.lance.typed_columns import (
    UNTYPED,
    UNTYPED_FIELD,
    is_typed,
    missing_columns,
    typed_arrays,
    typed_rows,
)

_UNTYPED_FORMAT = 1


def upgrade(table: Any, description: Description) -> None:
    """Bring a table to the new format."""
    is_untyped = description.format == _UNTYPED_FORMAT
    leftovers = [name for name in table.schema.names if name == CHECKSUM or (is_untyped and _is_derived(name))]
    if leftovers:
        table.drop_columns(leftovers)
    if is_untyped:
        _add_typed_columns(table)
    _add(table, pa.schema([CHECKSUM_FIELD]), _checksums, [*HASHED, "vector"])
    table.update_schema_metadata(description._replace(format=FORMAT).to_metadata())


def _is_derived(name: str) -> bool:
    return is_typed(name) or name == UNTYPED


def _add_typed_columns(table: Any) -> None:
    columns = pa.schema([*_needed_columns(table), UNTYPED_FIELD])
    typed = [name for name in columns.names if is_typed(name)]
    _add(table, columns, lambda batch: typed_arrays(typed_rows(batch), typed), ["metadata"])


def _checksums(batch: Any) -> dict[str, Any]:
    columns = [batch[name].to_pylist() for name in HASHED]
    return {CHECKSUM: row_checksums(columns, matrix_of(batch["vector"]))}


def _add(table: Any, columns: Any, derive: Callable[[Any], dict[str, Any]], read: Sequence[str]) -> None:
    """Add columns that are derived from others, a batch at a time."""

    def derived(batch: Any) -> Any:
        return pa.RecordBatch.from_pydict(derive(batch), schema=columns)

    if table.count_rows():
        table.add_columns(lance.batch_udf(output_schema=columns)(derived), read_columns=list(read))
    else:
        table.add_columns(columns)


def _needed_columns(table: Any) -> Sequence[Any]:
    columns: list[Any] = []
    for batch in table.to_batches(columns=["metadata"]):
        columns += missing_columns(typed_rows(batch), [column.name for column in columns])
    return columns
