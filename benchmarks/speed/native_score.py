"""Whether an engine evaluates the score itself, or gives candidates that esens scores: what each takes and finds.

.venv/bin/python benchmarks/speed/native_score.py --write
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import numpy as np
import psycopg
from engines import QUERIES, K, World, _ratio, filled, world
from measure import Claim, in_turn, report, table

from esens import Contrast, MemoryIndex, Searcher
from esens.index import Index
from esens.search.native import NATIVE_ENGINES, TextInput, native_request

sys.path.insert(0, str(Path(__file__).parents[2]))  # the tests know how to start a PostgreSQL

COUNT, ROUNDS = 20_000, 7
SCORER = Contrast(naming=0, spare_mentions=False)  # no engine reads words
CANDIDATES = Contrast().candidates
DEPTHS = (CANDIDATES, 200, 1000)


def statements(made: World, depth: int) -> list[str]:
    """Return the statement of every query, its vectors in it."""
    texts = SCORER.texts("query", "target", ("trap",))
    every = []
    for number in range(QUERIES):
        names = {"query": "query", "target": "target", "trap_1": "trap"}
        inputs = {name: TextInput(made.texts[f"{text} {number}"].tolist()) for name, text in names.items()}
        request = native_request(SCORER, texts, inputs=inputs, collection="native", k=K, candidates=depth)
        every.append(NATIVE_ENGINES["pgvector"](request))
    return every


def evaluate_natively(link: "psycopg.Connection", written: Sequence[str], effort: int) -> list[list[str]]:
    found = []
    for statement in written:
        with link.transaction(), link.pipeline():
            link.execute("SELECT set_config('hnsw.ef_search', %s, true)", [str(effort)])
            cursor = link.execute(statement)
        found.append([id_ for id_, _ in cursor.fetchall()])
    return found


def search(index: Index, made: World, **options: object) -> list[list[str]]:
    searcher = Searcher(index, embedder=made.embed)
    pairs = zip(made.queries, made.split, strict=True)
    return [
        list(searcher.search(query, k=K, decomposition=split, **options).ids)  # type: ignore[call-overload]
        for query, split in pairs
    ]


def recall(found: Sequence[Sequence[str]], exact: Sequence[Sequence[str]]) -> str:
    return f"{np.mean([len({*a} & {*b}) / K for a, b in zip(found, exact, strict=True)]):.3f}"


def main() -> None:
    from tests.postgres import postgres_server, programs

    made = world(COUNT)
    exact = search(MemoryIndex(made.documents, made.vectors), made, score=SCORER)
    programs_here = programs()
    if programs_here is None:
        sys.exit("there is no PostgreSQL here")
    with ExitStack() as stack:
        server = stack.enter_context(postgres_server(programs_here))
        index = filled(f"{server}?table=native", made)
        link = stack.enter_context(psycopg.connect(server, autocommit=True))
        link.execute("CREATE INDEX ON native USING hnsw (vector vector_cosine_ops)")  # the statement's distance
        link.execute("ANALYZE native")
        ways: dict[str, Callable[[], list[list[str]]]] = {
            "plain": partial(search, index, made, beta=0),
            "candidates, scored by esens": partial(search, index, made, score=SCORER),
        }
        for depth in DEPTHS:
            written = statements(made, depth)
            ways[f"one statement, {depth:,} neighbours"] = partial(evaluate_natively, link, written, depth)
        timings = in_turn(ways, rounds=ROUNDS, repeats=1)
        rows = [
            [name, _ratio(timings[name], timings["plain"]), recall(way(), exact) if name != "plain" else "–"]
            for name, way in ways.items()
        ]
        index.close()
    body = (
        f"PostgreSQL with HNSW, {COUNT:,} made-up clustered vectors of 384 dimensions, {QUERIES} queries, "
        f"k = {K}, contrast without words, which an engine does not read. The statement is that of `esens "
        "explain-query`, with the vectors in it: it gives ids and scores alone, normalised over its candidates. "
        f"By candidates, {CANDIDATES} neighbours of query and target come with their raw scores, and "
        "results with reasons. Ratios to a plain search through esens; recall@10 is the share of the oracle's top "
        "10 by the same score.\n\n" + table(["", "time / plain", "recall@10"], rows)
    )
    rival = "a plain search through esens"
    claims = [
        Claim.ratio(f"PostgreSQL: {name}", timing, timings["plain"], rival)
        for name, timing in timings.items()
        if name != "plain"
    ]
    report("native_score", "Whether an engine evaluates the score itself", body, claims)


if __name__ == "__main__":
    main()
