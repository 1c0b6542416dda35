"""Searches with a language model on a server that is up to no good: does search go on, in time and in memory?"""

import os
import random
import threading
import time
import tracemalloc
from contextlib import AbstractContextManager
from dataclasses import dataclass
from unittest.mock import patch

import esens
from esens import LLMDecomposer
from esens.decompose import decompose
from tests.faults.record import FINE, TOO_LARGE, TOO_SLOW, WRONG, FaultRecord, in_time
from tests.hostile_server import ABSENT, MODES, SWAPS, HostileServer, absent_server, hostile_server

# A busy machine, and the first import of the client, may take their time; three deadlines are a real fault.
_ALLOWANCE = 10.0
_MOST_MEMORY = 64 * 2**20
_SEARCHES = 10
_FAILURES_THAT_OPEN = 3
_QUERY = "green tea without milk"
_TEXTS = ("green tea", "milk", "tea with milk")


@dataclass(frozen=True)
class Case:
    """One server and how patient we are with it."""

    mode: str
    timeout: float
    deadline: float
    retries: int
    threads: int

    @property
    def most_calls(self) -> int:
        """What may go out: all tries until the breaker is open, which it never is for a server that answers."""
        if self.mode == SWAPS:
            return 2 * _SEARCHES * self.threads
        return (self.retries + 1) * (_FAILURES_THAT_OPEN + self.threads - 1)


def run(cases: int, seed: int) -> FaultRecord:
    """Try so many servers, every mode as often as any other."""
    record, chance = FaultRecord("hostile language model", seed), random.Random(seed)
    modes = sorted([*MODES, ABSENT])
    with patch.dict(os.environ, {"NO_PROXY": "127.0.0.1", "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}):
        for number in in_time(cases):
            if number % len(modes) == 0:
                chance.shuffle(modes)
            timeout = chance.uniform(0.1, 0.4)
            case = Case(
                modes[number % len(modes)],
                timeout,
                timeout * chance.uniform(0.5, 3),
                chance.randint(0, 2),
                chance.randint(1, 3),
            )
            outcome, why = _outcome(case)
            record.add(outcome, f"seed {seed}, case {number}: {why}: {case}")
    return record


def _outcome(case: Case) -> tuple[str, str]:
    with _server(case.mode) as server:
        decomposer = LLMDecomposer(
            "small",
            base_url=server.base_url,
            cache=False,
            timeout=case.timeout,
            deadline=case.deadline,
            retries=case.retries,
            max_failures=_FAILURES_THAT_OPEN,
            max_reply_bytes=2**20,
        )
        tracemalloc.start()
        begun = time.monotonic()
        try:
            problems = _search_in_threads(decomposer, case.threads)
            seconds, memory = time.monotonic() - begun, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            decomposer.close()
        if problems:
            return WRONG, problems[0]
        if len(server.requests) > case.most_calls:
            return WRONG, f"{len(server.requests)} calls"
    if seconds > 3 * case.deadline + _ALLOWANCE:
        return TOO_SLOW, f"{seconds:.1f} s"
    return (TOO_LARGE, f"{memory:,} bytes") if memory > _MOST_MEMORY else (FINE, "")


def _search_in_threads(decomposer: LLMDecomposer, threads: int) -> list[str]:
    """Search several times in each thread; return what is wrong with what came back."""
    searcher = esens.Searcher.from_documents(
        _TEXTS,
        embedder=lambda texts: [[text.count("e"), text.count("m"), 1] for text in texts],
        decomposer=decomposer,
    )
    expected = searcher.search(_QUERY, decomposition=decompose(_QUERY)).ids
    problems: list[str] = []

    def search() -> None:
        try:
            for _ in range(_SEARCHES):
                results = searcher.search(_QUERY)
                if results.ids != expected or results.decomposition.provenance.decomposer != "rules":
                    problems.append(f"{results.ids} by {results.decomposition!r}")
                if not results.decomposition.provenance.failure:
                    problems.append("nothing says that the model failed")
        except BaseException as error:  # noqa: BLE001 - whatever it is, a search must not end in it
            problems.append(repr(error))

    workers = [threading.Thread(target=search) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return problems


def _server(mode: str) -> AbstractContextManager[HostileServer]:
    return absent_server() if mode == ABSENT else hostile_server(MODES[mode], elsewhere="http://127.0.0.1:1/v1")
