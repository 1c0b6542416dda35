"""Metadata in typed columns of a Lance table, so that Lance itself evaluates filters.

A field of the metadata has a column for every kind of value that it holds: ``year:int``, ``share:float``,
``language:text``, ``open:truth``, and ``tags:texts`` and the like where the value is a list. A column is added
when its first value is written, so nobody needs to know the fields in advance, and one field may hold texts in one
document and numbers in another.

What no column can hold exactly (an integer of a hundred digits, half of a surrogate pair, a text of a whole page,
the 257th column) stays in the JSON alone. The document then names the field in its column ``untyped``, and a
filter on that field looks at the JSON of these documents.
"""

import json
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Any, NamedTuple
from urllib.parse import quote

import pyarrow as pa

from esens.index.filters import Condition, Filter, Scalar, fold_filter, kind_of, values_of

UNTYPED = "untyped"
UNTYPED_FIELD = pa.field(UNTYPED, pa.list_(pa.string()))
MAX_COLUMNS = 256
"""Typed columns of a table; with a thousand, a write takes ten times as long as with ten."""
MAX_TEXT = 1000
"""Characters of a text in a column. Nobody filters by longer ones, and they would be stored twice."""
_MAX_INT = 2**63 - 1
_TYPES = {"text": pa.string(), "int": pa.int64(), "float": pa.float64(), "truth": pa.bool_()}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_FIELD_SEPARATOR = ":"


class TypedRow(NamedTuple):
    """The metadata of one document: by field, the values of its columns; None where columns cannot hold them."""

    fields: dict[str, dict[str, Any] | None]

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> "TypedRow":
        """Take metadata that was read from JSON."""
        names = {field: column_prefix(field) for field in metadata}
        return cls({names[field]: _values_by_column(names[field], value) for field, value in metadata.items()})

    def columns(self) -> Iterator[str]:
        """Yield the columns that this document needs."""
        for values in self.fields.values():
            yield from values or ()


def column_prefix(field: str) -> str:
    """Return how the columns of a field begin: Lance allows no point in a name, and SQL no quotes.

    >>> column_prefix("année.1")
    'ann%C3%A9e%2E1'
    """
    return quote(field, safe="", errors="surrogatepass").replace(".", "%2E")


def is_typed(column: str) -> bool:
    """Whether a column is one of these."""
    return _FIELD_SEPARATOR in column


def missing_columns(rows: Iterable[TypedRow], existing: Iterable[str]) -> list[Any]:
    """Return the columns to add before these rows are written, as long as there is room for them."""
    typed = {name for name in existing if is_typed(name)}
    wanted = dict.fromkeys(name for row in rows for name in row.columns() if name not in typed)
    return [pa.field(name, column_type(name)) for name in list(wanted)[: max(0, MAX_COLUMNS - len(typed))]]


def column_type(column: str) -> Any:
    """Return the type of a typed column; None where it is none."""
    kind = column.rpartition(_FIELD_SEPARATOR)[2]
    return _TYPES.get(kind) or (pa.list_(_TYPES[kind[:-1]]) if kind[:-1] in _TYPES and kind[-1] == "s" else None)


def typed_arrays(rows: Sequence[TypedRow], columns: Collection[str]) -> dict[str, Any]:
    """Return the arrays of all these typed columns, and of ``untyped``."""
    values = {name: [None] * len(rows) for name in columns}
    untyped: list[list[str] | None] = [None] * len(rows)
    for position, row in enumerate(rows):
        for field, by_column in row.fields.items():
            if by_column is None or not by_column.keys() <= values.keys():
                untyped[position] = [*(untyped[position] or ()), field]
                continue
            for name, value in by_column.items():
                values[name][position] = value
    arrays = {name: pa.array(values[name], column_type(name)) for name in columns}
    return {**arrays, UNTYPED: pa.array(untyped, UNTYPED_FIELD.type)}


def typed_rows(batch: Any) -> list[TypedRow]:
    """Return the metadata of rows that are stored, by their columns."""
    values = (json.loads(metadata) for metadata in batch["metadata"].to_pylist())
    return [TypedRow.of(value if isinstance(value, dict) else {}) for value in values]


def index_type(column: str) -> str:
    """Return the kind of scalar index that makes filters on a typed column fast."""
    if pa.types.is_list(column_type(column)):
        return "LABEL_LIST"
    return "BITMAP" if column.endswith("truth") else "BTREE"


def filter_sql(where: Filter, columns: Collection[str]) -> str | None:
    """Return a filter in Lance's SQL, over these typed columns; None where SQL cannot say it."""
    try:
        return fold_filter(
            where,
            condition=lambda condition: _clause(condition, columns),
            all_of=_all_of,
            any_of=_any_of,
            negate=lambda clause: _Clause(clause.fails, clause.holds),
        ).holds
    except UnicodeEncodeError:  # half of a surrogate pair, which no text of SQL can hold
        return None


def fields_of(where: Filter) -> frozenset[str]:
    """Return the fields that a filter names, as columns begin."""
    return fold_filter(
        where,
        condition=lambda condition: frozenset([column_prefix(condition.field)]),
        all_of=lambda parts: frozenset().union(*parts),
        any_of=lambda parts: frozenset().union(*parts),
        negate=lambda part: part,
    )


def names_any(fields: Iterable[str]) -> str:
    """Return the SQL that holds for documents in which one of these fields is untyped."""
    return f"array_has_any({UNTYPED}, [{', '.join(_text(field) for field in sorted(fields))}])"


class _Clause(NamedTuple):
    """SQL that is true where a filter holds, and SQL that is true where it does not.

    Both, because SQL knows three truths: of a document without the field, a comparison is neither true nor false.
    """

    holds: str
    fails: str


def _all_of(clauses: Sequence[_Clause]) -> _Clause:
    return _Clause(
        _joined(" AND ", [clause.holds for clause in clauses], "true"),
        _joined(" OR ", [clause.fails for clause in clauses], "false"),
    )


def _any_of(clauses: Sequence[_Clause]) -> _Clause:
    return _Clause(
        _joined(" OR ", [clause.holds for clause in clauses], "false"),
        _joined(" AND ", [clause.fails for clause in clauses], "true"),
    )


def _joined(sign: str, parts: Sequence[str], nothing: str) -> str:
    return f"({sign.join(parts)})" if len(parts) > 1 else "".join(parts) or nothing


def _clause(condition: Condition, columns: Collection[str]) -> _Clause:
    """Return the clause of one condition: a column of the field fulfils it."""
    prefix = column_prefix(condition.field)
    clauses = []
    for kind in _TYPES:
        for name in (f"{prefix}:{kind}", f"{prefix}:{kind}s"):
            comparison = _comparison(f"`{name}`", kind, condition, is_list=name.endswith("s"))
            if name in columns and comparison:
                clauses.append(_Clause(comparison, f"(`{name}` IS NULL OR NOT {comparison})"))
    return _any_of(clauses)


def _comparison(column: str, kind: str, condition: Condition, *, is_list: bool) -> str:
    """Return the SQL of a condition on one column; empty where no value of its type can fulfil it."""
    values = values_of(condition)
    if condition.op in ("=", "in"):
        return _equality(column, kind, values, is_list=is_list)
    (value,) = values
    if kind_of(value) == kind == "truth":  # there are two of them, so an order is a choice
        truths = [truth for truth in (False, True) if _COMPARE[condition.op](truth, value)]
        return _equality(column, kind, truths, is_list=is_list)
    op, bound = _bound(kind, condition.op, value)
    if not bound:
        return ""
    extreme = f"array_{'max' if op[0] == '>' else 'min'}({column})" if is_list else column
    return f"({extreme} {op} {bound})"


def _equality(column: str, kind: str, values: Iterable[object], *, is_list: bool) -> str:
    literals = ", ".join(dict.fromkeys(filter(None, (_literal(kind, value) for value in values))))
    if not literals:
        return ""
    return f"array_has_any({column}, [{literals}])" if is_list else f"({column} IN ({literals}))"


def _literal(kind: str, value: object) -> str:
    """Return a value as SQL writes it; empty where no value of a column of this kind can equal it."""
    match kind, kind_of(value):
        case "text", "text":
            return _text(str(value))
        case "truth", "truth":
            return str(bool(value)).lower()
        case "int" | "float", "number":
            return _number(kind, value)
    return ""


def _number(kind: str, value: Any) -> str:
    if kind == "int":
        return str(int(value)) if value == floor(value) and abs(value) <= _MAX_INT else ""
    return repr(float(value) + 0.0) if float(value) == value else ""


def _bound(kind: str, op: str, value: Scalar) -> tuple[str, str]:
    """Return an operator and a literal of the column's type that order its values as the condition does."""
    if kind in ("text", "truth") or kind_of(value) != "number":
        return op, _literal(kind, value) if kind == "text" else ""
    return _int_bound(op, value) if kind == "int" else _float_bound(op, value)


def _int_bound(op: str, value: Any) -> tuple[str, str]:
    """Return an inclusive bound of integers: they lie beyond a fraction where they lie beyond its neighbour."""
    if op[0] == ">":
        least = floor(value) + 1 if op == ">" else ceil(value)
        return ">=", str(max(least, -_MAX_INT)) if least <= _MAX_INT else ""
    most = ceil(value) - 1 if op == "<" else floor(value)
    return "<=", str(min(most, _MAX_INT)) if most >= -_MAX_INT else ""


def _float_bound(op: str, value: Any) -> tuple[str, str]:
    """Return a bound of floats: where an integer is none, that of its neighbour, which is on one side of it."""
    bound = float(value)
    if bound != value:
        op = f"{op[0]}=" if (bound > value) == (op[0] == ">") else op[0]
    return op, repr(bound + 0.0)


def _text(value: str) -> str:
    value.encode()  # raises for what SQL cannot hold
    return "'" + value.replace("'", "''") + "'"


def _values_by_column(prefix: str, value: object) -> dict[str, Any] | None:
    """Return what the columns of a field hold of a value; None where they cannot hold it exactly.

    Null, mappings and lists within a list fulfil no condition, so no column needs them.
    """
    is_list = isinstance(value, list)
    by_column: dict[str, list[Any]] = {}
    items: list[Any] = value if isinstance(value, list) else [value]
    for item in items:
        if kind_of(item) is None:
            continue
        kind = _column_kind(item)
        if kind is None:
            return None
        by_column.setdefault(f"{prefix}:{kind}{'s' * is_list}", []).append(
            float(item) + 0.0 if kind == "float" else item  # + 0.0: Lance tells -0.0 from 0.0
        )
    return dict(by_column) if is_list else {name: values[0] for name, values in by_column.items()}


def _column_kind(item: Any) -> str | None:
    """Return the kind of column that holds this text, number or truth exactly."""
    if isinstance(item, bool):
        return "truth"
    if isinstance(item, str):
        return "text" if len(item) <= MAX_TEXT and _is_encodable(item) else None
    if isinstance(item, int) and abs(item) <= _MAX_INT:
        return "int"
    try:
        return "float" if float(item) == item else None
    except OverflowError:
        return None


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
