"""Conditions on metadata as SQL, with the meaning that ``filters.py`` gives them. Values are always parameters."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, LiteralString

from esens.errors import ArgumentError
from esens.index.filters import Condition, Filter, Scalar, fold_filter, values_of
from esens.index.pgvector.server import Jsonb, sql

Parameters = list[Any]
Clause = tuple[sql.Composable, Parameters]

_TEXTS = ("text", "varchar")
WHOLE_NUMBERS = ("int2", "int4", "int8")
_NUMBERS = ("float8", "numeric")
_OPERATORS = {"=": sql.SQL("="), "<": sql.SQL("<"), "<=": sql.SQL("<="), ">": sql.SQL(">"), ">=": sql.SQL(">=")}
_ALWAYS: Clause = (sql.SQL("TRUE"), [])
_NEVER: Clause = (sql.SQL("FALSE"), [])
# The value fulfils, or it is a list and one of its items does. Strict: lists in lists stay lists. Texts compare by
# code points here, and values of two kinds never do.
_PATH = 'strict $ ? (@ {op} $v || @.type() == "array" && exists(@[*] ? (@ {op} $v)))'


def column(name: str) -> sql.Composable:
    """Return a column of the documents, which every statement calls ``d``."""
    return identifier("d", name)


def identifier(*names: str) -> sql.Identifier:
    """Return a quoted name for a statement with parameters, in which a percent sign is written twice."""
    return sql.Identifier(*(name.replace("%", "%%") for name in names))


def clause(where: Filter | None, fields: Mapping[str, str], metadata: sql.Composable | None) -> Clause:
    """Return a filter for columns of these names and types and one of JSON; TRUE for none."""
    if where is None:
        return _ALWAYS
    return fold_filter(
        where,
        condition=lambda condition: _clause_of(condition, fields, metadata),
        all_of=partial(_join, " AND ", _ALWAYS),
        any_of=partial(_join, " OR ", _NEVER),
        negate=_negate,
    )


def can_be_stored(value: Scalar) -> bool:
    """Whether PostgreSQL can hold it: no NUL in a text, and no half of a surrogate pair."""
    if not isinstance(value, str):
        return True
    return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _clause_of(condition: Condition, fields: Mapping[str, str], metadata: sql.Composable | None) -> Clause:
    op = "=" if condition.op == "in" else condition.op
    clauses = [_compare(condition.field, op, value, fields, metadata) for value in values_of(condition)]
    return clauses[0] if len(clauses) == 1 else _join(" OR ", _NEVER, clauses)


def _negate(clause: Clause) -> Clause:
    return sql.SQL("({} IS NOT TRUE)").format(clause[0]), clause[1]


def _join(word: LiteralString, nothing: Clause, clauses: Sequence[Clause]) -> Clause:
    if not clauses:
        return nothing
    joined = sql.SQL(word).join([clause for clause, _ in clauses])
    return sql.SQL("({})").format(joined), [value for _, values in clauses for value in values]


def _compare(
    field: str, op: str, value: Scalar, fields: Mapping[str, str], metadata: sql.Composable | None
) -> Clause:
    if not can_be_stored(field) or not can_be_stored(value):
        if op != "=":
            raise ArgumentError("where", f"PostgreSQL cannot compare with the signs in {field!r} {op} {value!r}")
        return _NEVER
    if field in fields:
        return _in_column(column(field), fields[field], op, value)
    return _in_json(metadata, field, op, value) if metadata else _NEVER


def _in_json(metadata: sql.Composable, field: str, op: str, value: Scalar) -> Clause:
    if op == "=":  # containment, because an index of type GIN can answer it
        return (
            sql.SQL("({0} @> %s OR {0} @> %s)").format(metadata),
            [Jsonb({field: value}), Jsonb({field: [value]})],
        )
    stored = sql.SQL("{} -> %s::text").format(metadata)
    clause, values = _compare_json(stored, op, value)
    return clause, [field, *values]


def _in_column(name: sql.Composable, type_: str, op: str, value: Scalar) -> Clause:
    """Compare in the column's own type where that means the same, so that its indexes can answer; else as JSON."""
    compared = sql.SQL("{} {} %s")
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if (type_ in WHOLE_NUMBERS and is_number) or (type_ == "bool" and isinstance(value, bool)):
        return compared.format(name, _OPERATORS[op]), [value]
    if type_ in _NUMBERS and is_number:  # NaN and infinity are texts in JSON
        finite = sql.SQL("({} {} %s AND abs({}) < 'Infinity')")
        return finite.format(name, _OPERATORS[op], name), [value]
    if type_ in _TEXTS and isinstance(value, str):
        by_code_point = name if op == "=" else sql.SQL('{} COLLATE "C"').format(name)
        return compared.format(by_code_point, _OPERATORS[op]), [value]
    as_json = sql.SQL("to_jsonb({})").format(name)
    if op == "=":  # a list contains its items
        return sql.SQL("{} @> %s").format(as_json), [Jsonb(value)]
    return _compare_json(as_json, op, value)


def _compare_json(stored: sql.Composable, op: str, value: Scalar) -> Clause:
    path = _PATH.replace("{op}", op)
    return sql.SQL("jsonb_path_exists({}, %s::jsonpath, %s)").format(stored), [path, Jsonb({"v": value})]
