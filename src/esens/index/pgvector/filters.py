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
_SIGNS = {"=": sql.SQL("="), "<": sql.SQL("<"), "<=": sql.SQL("<="), ">": sql.SQL(">"), ">=": sql.SQL(">=")}
_ALWAYS: Clause = (sql.SQL("TRUE"), [])
_NEVER: Clause = (sql.SQL("FALSE"), [])
# The value fulfils, or it is a list and one of its items does. Strict: lists in lists stay lists. Texts compare by
# code points here, and values of two kinds never do.
_PATH = 'strict $ ? (@ {sign} $v || @.type() == "array" && exists(@[*] ? (@ {sign} $v)))'


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
        condition=lambda condition: _holds(condition, fields, metadata),
        all_of=partial(_joined, " AND ", _ALWAYS),
        any_of=partial(_joined, " OR ", _NEVER),
        negate=_negated,
    )


def can_be_stored(value: Scalar) -> bool:
    """Whether PostgreSQL can hold it: no NUL in a text, and no half of a surrogate pair."""
    if not isinstance(value, str):
        return True
    return "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)


def _holds(condition: Condition, fields: Mapping[str, str], metadata: sql.Composable | None) -> Clause:
    op = "=" if condition.op == "in" else condition.op
    clauses = [_compared_with(condition.field, op, value, fields, metadata) for value in values_of(condition)]
    return clauses[0] if len(clauses) == 1 else _joined(" OR ", _NEVER, clauses)


def _negated(clause: Clause) -> Clause:
    return sql.SQL("({} IS NOT TRUE)").format(clause[0]), clause[1]


def _joined(word: LiteralString, nothing: Clause, clauses: Sequence[Clause]) -> Clause:
    if not clauses:
        return nothing
    joined = sql.SQL(word).join([clause for clause, _ in clauses])
    return sql.SQL("({})").format(joined), [value for _, values in clauses for value in values]


def _compared_with(
    field: str, sign: str, value: Scalar, fields: Mapping[str, str], metadata: sql.Composable | None
) -> Clause:
    if not can_be_stored(field) or not can_be_stored(value):
        if sign != "=":
            raise ArgumentError("where", f"PostgreSQL cannot compare with the signs in {field!r} {sign} {value!r}")
        return _NEVER
    if field in fields:
        return _in_column(column(field), fields[field], sign, value)
    return _in_json(metadata, field, sign, value) if metadata else _NEVER


def _in_json(metadata: sql.Composable, field: str, sign: str, value: Scalar) -> Clause:
    if sign == "=":  # containment, because an index of type GIN can answer it
        return (
            sql.SQL("({0} @> %s OR {0} @> %s)").format(metadata),
            [Jsonb({field: value}), Jsonb({field: [value]})],
        )
    found = sql.SQL("{} -> %s::text").format(metadata)
    clause, values = _compared(found, sign, value)
    return clause, [field, *values]


def _in_column(name: sql.Composable, type_: str, sign: str, value: Scalar) -> Clause:
    """Compare in the column's own type where that means the same, so that its indexes can answer; else as JSON."""
    compared = sql.SQL("{} {} %s")
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if (type_ in WHOLE_NUMBERS and is_number) or (type_ == "bool" and isinstance(value, bool)):
        return compared.format(name, _SIGNS[sign]), [value]
    if type_ in _NUMBERS and is_number:  # NaN and infinity are texts in JSON
        finite = sql.SQL("({} {} %s AND abs({}) < 'Infinity')")
        return finite.format(name, _SIGNS[sign], name), [value]
    if type_ in _TEXTS and isinstance(value, str):
        by_code_point = name if sign == "=" else sql.SQL('{} COLLATE "C"').format(name)
        return compared.format(by_code_point, _SIGNS[sign]), [value]
    as_json = sql.SQL("to_jsonb({})").format(name)
    if sign == "=":  # a list contains its items
        return sql.SQL("{} @> %s").format(as_json), [Jsonb(value)]
    return _compared(as_json, sign, value)


def _compared(found: sql.Composable, sign: str, value: Scalar) -> Clause:
    path = _PATH.replace("{sign}", sign)
    return sql.SQL("jsonb_path_exists({}, %s::jsonpath, %s)").format(found), [path, Jsonb({"v": value})]
