"""PostgreSQL with pgvector: one statement, which also finds the ranges over the candidates."""

from esens.search.native.formula import Words, write_formula
from esens.search.native.request import NativeRequest

_WORDS: Words = {
    "text": lambda name: name,
    "share": lambda name: f"coalesce(({name} - {name}_low) / nullif({name}_high - {name}_low, 0), 0)",
    "nearness": lambda name: f"coalesce(({name} - {name}_low) / nullif({name}_second - {name}_low, 0), 0)",
    "max": lambda left, right: f"greatest({left}, {right})",
    "min": lambda left, right: f"least({left}, {right})",
    "above": lambda left, right: f"CASE WHEN {left} > {right} THEN 1 ELSE 0 END",
}
_STATEMENT = """\
WITH candidates AS (
{nearest}
), cosines AS MATERIALIZED (
  SELECT id,
         {cosines}
  FROM {table} JOIN candidates USING (id)
), ranges AS (
  SELECT {limits}
  FROM cosines
)
SELECT id,
       {score} AS score
FROM cosines CROSS JOIN ranges
ORDER BY score DESC, id LIMIT {k};
"""


def render(request: NativeRequest) -> str:
    """Return the statement; without vectors, with a parameter for each text in their order."""
    table, field = _quoted(request.collection), _quoted(request.field)
    vectors = {name: _vector(request, at, name) for at, name in enumerate(request.inputs, start=1)}
    nearest = "\n  UNION\n".join(
        f"  (SELECT id FROM {table} ORDER BY {field} <=> {vectors[name]} LIMIT {request.candidates})"  # noqa: S608 - only printed, names quoted
        for name in request.probes
    )
    cosines = ",\n         ".join(f"1 - ({field} <=> {vector}) AS {name}" for name, vector in vectors.items())
    limits = ",\n         ".join(_limits(name) for name in vectors)
    return _STATEMENT.format(
        nearest=nearest,
        cosines=cosines,
        table=table,
        limits=limits,
        score=write_formula(request.formula, _WORDS),
        k=request.k,
    )


def _limits(name: str) -> str:
    # The second greatest says nothing where it is the least as well.
    second = f"coalesce(nullif((array_agg({name} ORDER BY {name} DESC))[2], min({name})), max({name}))"
    return f"min({name}) AS {name}_low, max({name}) AS {name}_high, {second} AS {name}_second"


def _vector(request: NativeRequest, number: int, name: str) -> str:
    vector = request.inputs[name].vector
    return f"${number}::vector" if vector is None else f"'[{','.join(map(repr, vector))}]'::vector"


def _quoted(name: str) -> str:
    """Return a name, with its schema if it has one, as an identifier."""
    parts = [part.replace('"', '""') for part in name.split(".")]
    return ".".join(f'"{part}"' for part in parts)
