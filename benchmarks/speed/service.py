"""What an exclusion costs over HTTP, what HTTP costs, and how long requests take below and above the possible.

.venv/bin/python benchmarks/speed/service.py --write
"""

import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from loopback import Reply, all_at_once, at_rate
from measure import Claim, Timing, processor_clock, report, table

from esens import Document, Searcher, decompose
from esens.arrays.searched import SearchedRows
from esens.demo import load_corpus, load_queries
from esens.embed import embedder_of
from esens.embed.onnx import OnnxEmbedder
from esens.evidence import statements
from esens.index import prepare_index
from esens.index.lance.snapshot import LanceSnapshot
from esens.search.evidence import EvidenceReader
from esens.server.settings import Settings

COUNT, SPREAD = 20_000, 0.5
CONNECTIONS, ROUNDS, REQUESTS = 8, 9, 48
SECONDS, LOAD_ROUNDS = 5.0, 5
OK, BUSY = 200, 503
LEAST = 0.8
"""The share of a plain search's requests a second that one with an exclusion should reach."""
WAYS: dict[str, dict[str, Any]] = {
    "relational, the default": {},
    "contrast": {"score": "contrast"},
    "linear": {"score": "linear"},
}
STAGES: dict[str, tuple[type, str]] = {
    "embedding texts": (OnnxEmbedder, "embed_queries"),
    "comparing rounded vectors": (SearchedRows, "rough_scan"),
    "comparing vectors": (SearchedRows, "scan"),
    "documents": (LanceSnapshot, "documents"),
    "reading what they say": (EvidenceReader, "_statement"),
}
UNREAD = "the default, documents read for the first time"
_number = itertools.count(1)


class Load(NamedTuple):
    """What became of the requests of one round, and how long it took until the last was answered."""

    replies: list[Reply]
    seconds: float

    @property
    def served(self) -> list[float]:
        assert {reply.status for reply in self.replies} <= {OK, BUSY}
        return [reply.milliseconds for reply in self.replies if reply.status == OK]

    @property
    def pace(self) -> float:
        return len(self.served) / self.seconds

    @property
    def p50(self) -> float:
        return float(np.percentile(self.served, 50))

    @property
    def p99(self) -> float:
        return float(np.percentile(self.served, 99))

    @property
    def bound(self) -> float:
        """Milliseconds that all the places which a search may have, running or waiting, take at this pace."""
        return 1000 * (Settings().threads + Settings().queue) / self.pace


def queries() -> tuple[list[str], list[str]]:
    """Return the demo's queries, and what remains of them without what they exclude."""
    excluding = [query.query for query in load_queries()]
    return excluding, [decompose(text).target for text in excluding]


def fresh(texts: list[str]) -> list[str]:
    """Return queries that nobody has sent before: the vectors of query and target are not known."""
    return [f"{next(_number)} {text}" for text in texts]


def fill(spec: str) -> None:
    """Write the demo's notes again and again, each with a vector of its own near the note's."""
    notes = load_corpus()
    vectors = np.asarray(embedder_of("minilm").embed_documents([note.content for note in notes]), np.float32)
    random = np.random.default_rng(0)
    picks = random.integers(0, len(notes), COUNT)
    noise = random.standard_normal((COUNT, vectors.shape[1])).astype(np.float32)
    near = vectors[picks] + SPREAD * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    documents = [Document(f"d{at:06}", notes[pick].text, notes[pick].title) for at, pick in enumerate(picks)]
    index: Any = prepare_index(spec, dimension=vectors.shape[1])
    for start in range(0, COUNT, 2000):
        index.upsert(documents[start : start + 2000], near[start : start + 2000])
    index.optimise()
    index.close()


@contextmanager
def serving(spec: str) -> Iterator[str]:
    """Run ``esens serve`` with its defaults in a process of its own."""
    typed = [sys.executable, "-m", "esens.cli.main", "serve", spec, "--port", "0", "--embedder", "minilm"]
    with tempfile.NamedTemporaryFile("w") as log:
        process = subprocess.Popen(typed, stderr=log)
        try:
            while "\n" not in (shown := Path(log.name).read_text(encoding="utf-8")):
                if process.poll() is not None:
                    sys.exit(f"the service did not start: {shown}")
                time.sleep(0.1)
            yield f"{json.loads(shown.partition(chr(10))[0])['url']}/v1/search"
        finally:
            process.terminate()
            process.wait(60)


def over_http(url: str, texts: Callable[[], list[str]], **options: Any) -> None:
    replies = all_at_once(url, [{"query": text, **options} for text in texts()], CONNECTIONS)
    assert {reply.status for reply in replies} == {OK}


def in_process(pool: ThreadPoolExecutor, searcher: Searcher, texts: Callable[[], list[str]]) -> None:
    assert all(map(len, pool.map(searcher.search, texts())))


class Times(NamedTuple):
    """What the same rounds of requests took by the clock, and of all processors, client and service."""

    clock: Timing
    processors: Timing


def both_clocks(contestants: dict[str, Callable[[], object]]) -> dict[str, Times]:
    """Time every contestant in every round by two clocks; the first round warms up."""
    rounds: dict[str, list[tuple[float, float]]] = {name: [] for name in contestants}
    processors = processor_clock()
    for number in range(ROUNDS + 1):
        for name, run in contestants.items():
            start = time.perf_counter(), processors()
            run()
            if number:
                rounds[name].append((1000 * (time.perf_counter() - start[0]), 1000 * (processors() - start[1])))
    return {name: Times(*map(Timing, np.array(values).T)) for name, values in rounds.items()}


def throughput(url: str, searcher: Searcher, claims: list[Claim]) -> tuple[str, float]:
    """Return the table of requests a second, and how many of the default kind can be sustained."""
    excluding, plain = queries()
    with ThreadPoolExecutor(Settings().threads) as pool:
        library = partial(in_process, pool, searcher)
        contestants: dict[str, Callable[[], object]] = {
            "plain": partial(over_http, url, lambda: plain),
            **{way: partial(over_http, url, lambda: excluding, **options) for way, options in WAYS.items()},
            "plain, fresh": partial(over_http, url, lambda: fresh(plain)),
            "relational, fresh": partial(over_http, url, lambda: fresh(excluding)),
            "plain, library": partial(library, lambda: plain),
            "relational, library": partial(library, lambda: excluding),
            "plain, fresh, library": partial(library, lambda: fresh(plain)),
            "relational, fresh, library": partial(library, lambda: fresh(excluding)),
        }
        times = both_clocks(contestants)
    default = next(iter(WAYS))
    for way in WAYS:
        for name, at in (("by the clock", 0), ("by processors", 1)):
            figure, *interval = times["plain"][at].ratio(times[way][at])
            claim = f"the service: requests a second that exclude something, {way}, {name}"
            rival = "requests that exclude nothing, to the same service"
            claims.append(Claim(claim, figure, (interval[0], interval[1]), rival, "share", LEAST, is_most=False))
    rows = [
        _row("nothing excluded", times, "plain", None, "plain, library"),
        _row(default, times, default, "plain", "relational, library"),
        *(_row(way, times, way, "plain", None) for way in WAYS if way != default),
        _row("nothing excluded, unknown texts", times, "plain, fresh", None, "plain, fresh, library"),
        _row(
            f"{default}, unknown texts", times, "relational, fresh", "plain, fresh", "relational, fresh, library"
        ),
    ]
    header = [
        "searches",
        "requests a second",
        "to nothing excluded",
        "the same by processors",
        "to the library in process",
        "the same by processors",
    ]
    return table(header, rows), 1000 * REQUESTS / times[default].clock.median


def _row(name: str, times: dict[str, Times], own: str, plain: str | None, library: str | None) -> list[str]:
    pace = f"{1000 * REQUESTS / times[own].clock.median:.0f}"
    return [name, pace, *_ratios(times, own, plain), *_ratios(times, own, library)]


def _ratios(times: dict[str, Times], own: str, base: str | None) -> list[str]:
    """Return requests a second to those of another kind, by either clock."""
    if base is None:
        return ["", ""]
    ratios = (theirs.ratio(ours) for theirs, ours in zip(times[base], times[own], strict=True))
    return [f"{ratio:.2f} ({low:.2f}–{high:.2f})" for ratio, low, high in ratios]


def stages(searcher: Searcher) -> str:
    """Return the table of what processors do for a search, in milliseconds: the least of some rounds."""
    excluding, plain = queries()
    searches: dict[str, Callable[[], list[str]]] = {
        "nothing excluded": lambda: plain,
        "the default": lambda: excluding,
        UNREAD: lambda: excluding,
        "nothing excluded, unknown texts": lambda: fresh(plain),
        "the default, unknown texts": lambda: fresh(excluding),
    }
    rows = []
    for name, texts in searches.items():
        forget = statements._remembered.cache_clear if name == UNREAD else None
        whole, parts = min((_stages(searcher, texts(), forget) for _ in range(ROUNDS)), key=lambda found: found[0])
        found = [whole, *parts, whole - sum(parts)]
        rows.append([name, *(f"{1000 * part / REQUESTS:.2f}" for part in found)])
    return table(["searches", "all", *STAGES, "the rest"], rows)


def _stages(
    searcher: Searcher, texts: list[str], forget: Callable[[], None] | None = None
) -> tuple[float, list[float]]:
    """Return the seconds of searches one after another, and those of every stage."""
    with _watched() as seconds:
        started = time.process_time()
        for text in texts:
            if forget is not None:
                forget()
            searcher.search(text)
        return time.process_time() - started, list(seconds.values())


@contextmanager
def _watched() -> Iterator[dict[str, float]]:
    """Take the time of every stage while this lasts."""
    seconds = dict.fromkeys(STAGES, 0.0)
    originals = {stage: getattr(*place) for stage, place in STAGES.items()}

    def timed(stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            started = time.process_time()
            try:
                return function(*arguments, **options)
            finally:
                seconds[stage] += time.process_time() - started

        return call

    for stage, (owner, name) in STAGES.items():
        setattr(owner, name, timed(stage, originals[stage]))
    try:
        yield seconds
    finally:
        for stage, (owner, name) in STAGES.items():
            setattr(owner, name, originals[stage])


def under_load(url: str, sustained: float, claims: list[Claim]) -> str:
    """Return the table of how long requests take at half and at twice the rate that can be sustained."""
    bodies = itertools.cycle({"query": text} for text in queries()[0])
    rates = {"half": sustained / 2, "twice": sustained * 2}
    rounds: dict[str, list[Load]] = {name: [] for name in rates}
    for seed in range(LOAD_ROUNDS):
        for name, rate in rates.items():
            started = time.perf_counter()
            replies = at_rate(url, bodies, rate, SECONDS, seed)
            rounds[name].append(Load(replies, time.perf_counter() - started))
    header = [
        "rate",
        "served a second",
        "refused (503)",
        "p50, ms",
        "p99, ms",
        "p99 to the bound",
        "95 %",
        "p99 of a refusal, ms",
    ]
    rows = []
    for name, loads in rounds.items():
        p50, p99, bound = (
            Timing(np.array([getattr(load, figure) for load in loads])) for figure in ("p50", "p99", "bound")
        )
        ratio, low, high = p99.ratio(bound)
        claim = f"the service at {name} of what it can serve: p99"
        claims.append(Claim(claim, ratio, (low, high), "the time that all places of the queue take"))
        refused = [reply.milliseconds for load in loads for reply in load.replies if reply.status == BUSY]
        rows.append([
            f"{name} ({rates[name]:.0f} a second)",
            f"{np.median([load.pace for load in loads]):.0f}",
            f"{len(refused) / sum(len(load.replies) for load in loads):.0%}",
            f"{p50.median:.0f}",
            f"{p99.median:.0f}",
            f"{ratio:.2f}",
            f"{low:.2f} to {high:.2f}",
            f"{np.percentile(refused, 99):.0f}" if refused else "",
        ])  # fmt: skip
    return table(header, rows)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        spec = str(Path(folder, "bench.lance"))
        fill(spec)
        with serving(spec) as url, Searcher(spec, embedder="minilm") as searcher:
            claims: list[Claim] = []
            requests, sustained = throughput(url, searcher, claims)
            shares = stages(searcher)
            latencies = under_load(url, sustained, claims)
    report("service", "The service", _page(requests, shares, latencies), claims)


def _page(requests: str, shares: str, latencies: str) -> str:
    settings = Settings()
    return f"""\
{COUNT:,} documents in a folder of Lance (the demo's notes again and again, each with a vector of its own near the
note's), all-MiniLM-L6-v2, the demo's {REQUESTS} queries, each of which excludes one thing, k = 10; `esens serve`
with its defaults ({settings.threads} threads, a queue of {settings.queue}) in a process of its own, {CONNECTIONS}
connections, client and service on the same cores. Nothing excluded: the same queries without their exclusions.
Vectors of texts are known from before; in the rows of unknown texts, query and target are new every time, and only
the excluded is known, and the documents that were read last are in memory, as they are in a service that has run
for a while, and so is what they say of what is excluded. In process: `Searcher.search` on as many threads. Ratios
of requests a second, medians of {ROUNDS} rounds in turn, with 95 % bootstrap intervals over rounds: by the clock,
which others on the machine disturb, and by what all processors did for client and service. Aim: {LEAST} of the
requests that exclude nothing.

{requests}

## Where the time goes

Milliseconds of processors, of a search in process, one after another.

{shares}

That is the bound, too. A search with an exclusion compares three vectors with every document where a plain one
compares one, reads the query for what it excludes, and looks at the words of some sixty documents; a plain one
gives back the first ten unread. What HTTP takes is the same for both.

## Below and above what can be served

Searches that exclude something, at random moments, at half and at twice the requests a second of the second row
above; {LOAD_ROUNDS} rounds of {SECONDS:g} s each. Times count from the moment at which a request should have been
sent. The bound is what the {settings.threads + settings.queue} places that a search may have, running or waiting,
take at the pace of the same round: whoever comes when all are taken is refused. That is all that can be waited for
in the service; the rest is what the client itself, on the same cores, comes too late to send or to read.

{latencies}"""


if __name__ == "__main__":
    main()
