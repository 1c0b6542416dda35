"""A table of the old format, whose metadata is JSON alone, gets the typed columns of the new one.

Vectors and texts stay where they are: the columns are written to files of their own, and the commit that says the
format is the last. Whoever is killed before it leaves columns that nobody reads; the next writer begins anew.
"""

import json
from collections.abc import Sequence
from typing import Any

import lance
import pyarrow as pa

from esens.index.lance.schema import FORMAT, Description
from esens.index.lance.typed_columns import (
    UNTYPED,
    UNTYPED_FIELD,
    TypedRow,
    is_typed,
    missing_columns,
    typed_arrays,
)


def upgrade(table: Any, description: Description) -> None:
    """Bring a table to the new format."""
    leftovers = [name for name in table.schema.names if is_typed(name) or name == UNTYPED]
    if leftovers:
        table.drop_columns(leftovers)
    columns = pa.schema([*_needed_columns(table), UNTYPED_FIELD])
    typed = [name for name in columns.names if is_typed(name)]

    def derive(batch: Any) -> Any:
        return pa.RecordBatch.from_pydict(typed_arrays(_typed_rows(batch), typed), schema=columns)

    if table.count_rows():
        table.add_columns(lance.batch_udf(output_schema=columns)(derive), read_columns=["metadata"])
    else:
        table.add_columns(columns)
    table.update_schema_metadata(description._replace(format=FORMAT).to_metadata())


def _needed_columns(table: Any) -> Sequence[Any]:
    columns: list[Any] = []
    for batch in table.to_batches(columns=["metadata"]):
        columns += missing_columns(_typed_rows(batch), [column.name for column in columns])
    return columns


def _typed_rows(batch: Any) -> list[TypedRow]:
    return [TypedRow.of(json.loads(metadata)) for metadata in batch["metadata"].to_pylist()]
