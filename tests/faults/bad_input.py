"""Bad input through the library and the commands: thousands of generated cases, each either fine or refused.

``run(cases, seed)`` tries so many and says of every failure which it is; to see one again:
``python -m tests.faults.bad_input --seed S --only N``. A case is made of the seed and its number alone, so a run
of more cases begins with those of a smaller one. It needs no server and no model, connects to nothing but closed
ports of this machine, and writes nowhere but below a temporary folder.

A case is *fine* if it returns, *refused* if it raises an EsensError (a command: ends with an exit code of 2 to 6).
Anything else is a failure: another exception, more than ``SECONDS``, a message or an output that steers a
terminal, shows a password or is longer than a message may be, JSON that is none, a score that is not finite.
"""

import argparse
import io
import json
import math
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import unicodedata
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from gzip import compress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import esens
from esens import Contrast, Decomposition, Document, Linear, Results, Searcher
from esens.cli.main import main
from esens.errors import EsensError
from esens.ingest import FORMATS, Fields, Limits, passages_of, read_rows
from esens.messages import LONGEST_MESSAGE
from tests.faults.hostile import SECRET, Hostile
from tests.faults.record import CLEAR_ERROR, FINE, RAW, TOO_SLOW, UNFIT, FaultRecord, in_time
from tests.onnx_models import write_model

SECONDS = 20.0
"""What a case may take, in the time of its own thread; one that goes on for three times that is stopped."""
_DOCUMENTS = (
    {"id": "a", "text": "green tea", "year": 2001},
    {"id": "b", "text": "tea with milk", "year": 1999},
    {"id": "c", "text": "coffee", "tags": ["hot"]},
)
_TURNING = ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
_LIMITS = Limits(row_bytes=50_000)


class WrongOutputError(Exception):
    """What was returned or said is not as it should be."""


def run(cases: int, seed: int = 0, *, only: int | None = None) -> FaultRecord:
    """Try so many cases, or only that of one number, and return what became of them."""
    record = FaultRecord("bad input", seed)
    with tempfile.TemporaryDirectory() as name, _quiet(), chdir(name):
        model = write_model(Path(name, "model"))
        for number in in_time(cases) if only is None else [only]:
            kind = tuple(KINDS)[number % len(KINDS)]
            folder = Path(name, "some", "where", str(number))  # two steps up are still in here
            folder.mkdir(parents=True)
            with chdir(folder):  # where a name that is no path leads to
                outcome, problem = _try(KINDS[kind], Hostile(f"{seed}:{number}"), Place(folder, model))
            shutil.rmtree(folder, ignore_errors=True)
            record.add(outcome, f"seed {seed}, case {number} ({kind}): {problem}")
    return record


@dataclass(frozen=True, slots=True)
class Place:
    """Where a case may write, and a small model that loads at once."""

    folder: Path
    model: Path

    def write(self, name: str, content: bytes) -> str:
        path = self.folder / name
        path.write_bytes(content)
        return str(path)


Kind = Callable[[Hostile, Place], str]
"""Tries one case; returns FINE or CLEAR_ERROR."""


def _try(kind: Kind, hostile: Hostile, place: Place) -> tuple[str, str]:
    start = time.thread_time()
    problem = ""
    try:
        with _stopped_after(3 * SECONDS):
            outcome = kind(hostile, place)
    except EsensError as error:
        problem = _message_problem(str(error))
        outcome = UNFIT if problem else CLEAR_ERROR
    except WrongOutputError as error:
        outcome, problem = UNFIT, str(error)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        outcome, problem = RAW, _where(error)
    seconds = time.thread_time() - start
    return (TOO_SLOW, f"{seconds:.0f} s") if seconds > SECONDS and not problem else (outcome, problem)


def _where(error: BaseException) -> str:
    last = [frame for frame in traceback.extract_tb(error.__traceback__) if "esens" in frame.filename][-1:]
    place = "".join(f" at {Path(frame.filename).name}:{frame.lineno}" for frame in last)
    return f"{type(error).__name__}: {str(error)[:100]!r}{place}"


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Raise a TimeoutError after so many seconds, where the system and the thread allow it."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"stopped after {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# What is checked of everything that comes back.


def _message_problem(text: str) -> str:
    if _steers(text):
        return f"a message that steers a terminal: {text[:100]!r}"
    if len(text) > LONGEST_MESSAGE * 4:  # escapes are longer than signs
        return f"a message of {len(text):,} signs"
    return f"a password in {text[:200]!r}" if SECRET in text else ""


def _steers(text: str) -> bool:
    """Whether a text has signs that a terminal obeys or nobody sees, beside line ends."""
    return any(
        unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(sign) in _TURNING
        for sign in set(text) - {"\n"}
    )


def _check_results(results: Results) -> str:
    for hit in (*results, *results.removed):
        numbers = (hit.score, hit.explanation.relevance, hit.explanation.penalty)
        if not all(map(math.isfinite, numbers)):
            raise WrongOutputError(f"scores that are not finite: {numbers}")
    _check_json(results.to_json())
    if _steers(str(results)):
        raise WrongOutputError("a table that steers a terminal")
    return FINE


def _check_json(text: str) -> None:
    def refuse(name: str) -> None:
        raise WrongOutputError(f"{name} is no JSON")

    json.loads(text, parse_constant=refuse)
    if _steers(text):
        raise WrongOutputError("JSON that steers a terminal")


def embed(texts: Sequence[str]) -> Any:
    """Embed texts: any texts, at once, and the same one always alike."""
    seeds = [zlib.crc32(text[:1000].encode("utf-8", "replace")) for text in texts]
    return np.array([np.random.default_rng(seed).normal(size=8) for seed in seeds], np.float32)


def _searcher(documents: Any = _DOCUMENTS) -> Searcher:
    return Searcher.from_documents(documents, embedder=embed)


# The kinds of cases.


def _documents(hostile: Hostile, _: Place) -> str:
    rows: Any = [hostile.row() for _ in range(hostile.random.randint(0, 4))]
    rows = hostile.value() if hostile.random.random() < 0.1 else rows
    return _check_results(_searcher(rows).search("tea without milk"))


def _metadata(hostile: Hostile, place: Place) -> str:
    document = Document("a", "tea", metadata=hostile.value() if hostile.random.random() < 0.2 else {
        hostile.key(): hostile.value() for _ in range(3)
    })  # fmt: skip
    searcher = _searcher([document, *_DOCUMENTS[1:]])
    _check_results(searcher.search("tea", where=hostile.choice(None, {"year": 1999}, "tags=hot")))
    if find_spec("lance") is not None and hostile.random.random() < 0.3:
        to = str(place.folder / "docs.lance")
        esens.build_index([document], to, embedder=embed)
        with Searcher(to, embedder=embed) as over_index:
            return _check_results(over_index.search("tea"))
    return FINE


def _texts(hostile: Hostile, _: Place) -> str:
    document = Document(hostile.text(), hostile.text(), hostile.text())
    words = hostile.choice(1, 5, 180)
    passages = passages_of(document, words=words, overlap=min(words - 1, hostile.choice(0, 3)))
    score = hostile.choice("contrast", "linear", Contrast(sentences=3), Contrast(mode="hard"))
    return _check_results(_searcher([document, *passages[:3]][len(passages) > 1 :]).search("tea", score=score))


def _queries(hostile: Hostile, _: Place) -> str:
    query = hostile.query()
    decomposition = esens.decompose(query)
    _check_json(json.dumps(decomposition.to_dict()))
    return _check_results(_searcher().search(query, mode=hostile.choice(None, "soft", "hard", "flag")))


def _options(hostile: Hostile, _: Place) -> str:
    names = ("k", "score", "beta", "mode", "decomposition", "where", hostile.choice("top_k", "depth", "x"))
    options: dict[str, Any] = {"k": hostile.choice(0, 1, 3, 10**9), "mode": hostile.choice(None, "soft", "hard")}
    if hostile.random.random() < 0.6:
        options[hostile.choice(*names)] = hostile.value()
    if hostile.random.random() < 0.4:
        weights = {
            hostile.choice("alpha", "beta", "gamma"): hostile.number() for _ in range(hostile.random.randint(1, 3))
        }
        options |= {"score": hostile.choice(Linear, Contrast)(**weights), "mode": None}
    if hostile.random.random() < 0.2:
        options["decomposition"] = Decomposition(hostile.value(), (hostile.text(),))
    results = _searcher().search("tea without milk", **options)
    return _check_results(results)


def _filters(hostile: Hostile, _: Place) -> str:
    op = hostile.choice("=", "!=", "<", ">=", " in ", " not in ", "==", "")
    text = (
        f"{hostile.choice('year', 'tags', hostile.text())}{op}{hostile.choice(hostile.text(), '2000', '[' * 5000)}"
    )
    group = {hostile.choice("or", "and", "not", "year"): hostile.choice(text, [text, text], hostile.value())}
    where = hostile.choice(text, [text, group], group, _as_json(group), hostile.value())
    return _check_results(_searcher().search("tea", where=where))


def _as_json(value: Any) -> str:
    try:
        return json.dumps(value, default=str)
    except (ValueError, RecursionError, TypeError):  # JSON has no words for it
        return "{"


def _vectors(hostile: Hostile, _: Place) -> str:
    vectors = hostile.vectors(3) if hostile.random.random() < 0.6 else None
    scores = [hostile.number() for _ in range(3)] if hostile.random.random() < 0.6 else None
    score = hostile.choice("linear", "contrast")
    return _check_results(
        esens.rerank("tea without milk", _DOCUMENTS, vectors=vectors, scores=scores, score=score, embedder=embed)
    )


def _embedders(hostile: Hostile, _: Place) -> str:
    answer = hostile.vectors(3)
    searcher = Searcher.from_documents(
        _DOCUMENTS, embedder=lambda texts: answer if len(texts) == 3 else embed(texts)
    )
    return _check_results(searcher.search("tea without milk"))


def _rows(hostile: Hostile, place: Place) -> str:
    rows = [hostile.row() for _ in range(3)]
    content = hostile.choice(
        lambda: "\n".join(json.dumps(row, default=str, skipkeys=True) for row in rows).encode(errors="replace"),
        lambda: json.dumps(rows, default=str, skipkeys=True).encode(errors="replace"),
        lambda: b"id,text\n" + hostile.content(),
        lambda: b'{"text": "' + hostile.content() + b'"}\n',
        lambda: b'{"text": "tea", "v": ' + b"[" * hostile.choice(1, 100, 10_000) + b"\n",
        hostile.content,
    )
    try:
        written = content()
    except (ValueError, RecursionError, TypeError):  # a row that JSON has no words for
        written = hostile.content()
    path = place.write(hostile.choice("a.jsonl", "a.json", "a.csv", "a.tsv", "a.txt", "a"), written)
    fields = (
        Fields(**{hostile.choice("id", "title", "text", "vector"): "v"})
        if hostile.random.random() < 0.2
        else Fields()
    )
    how = {"format": hostile.choice(None, None, *FORMATS), "fields": fields, "limits": _LIMITS}
    problems: list[EsensError] = []
    rows_read = list(read_rows(path, on_bad="skip", report=problems.append, **how))
    for problem in (*problems,):
        if wrong := _message_problem(str(problem)):
            raise WrongOutputError(wrong)
    return _check_results(_searcher([row.document for row in rows_read][:5]).search("tea"))


def _files(hostile: Hostile, place: Place) -> str:
    ending = hostile.choice(".txt", ".md", ".html", ".htm", ".jsonl.gz", ".txt.gz", ".parquet", ".json", "")
    content = hostile.content()
    if ending in (".html", ".htm") and hostile.random.random() < 0.7:
        tags = (
            "<p>",
            "<nav>",
            "</nav>",
            "<h1>",
            "<title>",
            "<!--",
            "-->",
            "<a ",
            "<script>",
            "</p",
            "&#",
            "x",
            '="',
            ">",
        )
        content = "".join(hostile.random.choices(tags, k=hostile.choice(5, 5_000))).encode()
    if ending.endswith(".gz") and hostile.random.random() < 0.7:
        content = compress(content * hostile.choice(1, 1, 1_000))[: hostile.choice(None, None, 30)]
    path = place.write(f"page{ending}", content)
    name = hostile.choice(path, path, str(place.folder), hostile.text(), "x" * 5000 + ending, f"a\0b{ending}")
    documents = esens.read_documents(name, limits=_LIMITS, on_bad=hostile.choice("stop", "skip"))
    return _check_results(_searcher(documents[:5]).search("tea"))


_SPECS = (
    "{}:/me:{}@127.0.0.1:1/x?table=t", "{}:me:{}@127.0.0.1:1/x", "{}//me:{}@127.0.0.1:1/x", "{}:///me:{}@x/y",
    "{}://me:{}/x@127.0.0.1:1/docs", "{}://me:{}@[127.0.0.1/x", "{}://me:a?{}@127.0.0.1/x", "{}://me:{}@127.0.0.1:port/x",
    "{}://127.0.0.1:1?pass={}", "{}:?key={}", "host=x {}=1 password={}", "{} ://me:{}@x/y",
)  # fmt: skip


def _specs(hostile: Hostile, _: Place) -> str:
    schemes = (
        "postgresql",
        "postgres",
        "qdrant",
        "qdrant+https",
        "milvus",
        "lance",
        "faiss",
        "usearch",
        "mysql",
        "http",
        "",
    )
    shape = hostile.choice(*_SPECS).format(hostile.choice(*schemes), SECRET)
    spec = hostile.choice(shape, shape, shape, hostile.text(), f"{hostile.text()}.lance", hostile.value())
    use = hostile.choice(
        lambda: Searcher(spec, embedder=embed),
        lambda: esens.build_index(_DOCUMENTS[:1], spec, embedder=embed),
        lambda: esens.read_documents(spec),
        lambda: _searcher().search("tea") and Searcher.from_documents(_DOCUMENTS, embedder=spec),
        lambda: esens.decompose("tea", decomposer=spec),
    )
    use()
    return FINE


def _commands(hostile: Hostile, place: Place) -> str:
    rows = [hostile.row() if hostile.random.random() < 0.5 else row for row in _DOCUMENTS]
    try:
        content = "\n".join(json.dumps(row, default=str, skipkeys=True) for row in rows).encode(errors="replace")
    except (ValueError, RecursionError, TypeError):
        content = hostile.content()
    files = (place.write("docs.jsonl", content), place.write("page.html", hostile.content()))
    source = hostile.choice(*files, files[0], str(place.folder), "-", hostile.text(), "missing")
    query, embedder = hostile.query(), ["--embedder", f"onnx:{place.model}"]
    spec = hostile.choice(*_SPECS).format(hostile.choice("postgresql", "qdrant", "milvus", "x"), SECRET)
    arguments = hostile.choice(
        ["search", source, query, *embedder],
        ["search", source, query, "--json", *embedder],
        ["search", source, query, "--explain", "--skip-bad", *embedder],
        ["search", spec, query, *embedder],
        ["rerank", source, query, "--json", *embedder],
        ["rerank", source, query, "--scores", hostile.choice("year", hostile.text()), *embedder],
        ["decompose", query, hostile.choice("--json", "--explain")],
        ["decompose", source],
        ["index", source, "--to", hostile.choice(str(place.folder / "my.lance"), spec, hostile.text()), *embedder],
        ["embed", source, "--to", str(place.folder / "vectors"), *embedder],
        ["delete", hostile.choice(spec, str(place.folder / "no.lance")), hostile.text()],
        ["evaluate", hostile.choice(source, str(place.folder)), *embedder],
    )
    names = (
        "--where",
        "--k",
        "-k",
        "--beta",
        "--mode",
        "--target",
        "--trap",
        "--format",
        "--max-row-bytes",
        "--x",
    )
    for _ in range(hostile.choice(0, 0, 1, 2)):
        arguments += [hostile.choice(*names), str(hostile.choice(hostile.text(), "1", "nan", "1e308", "-1"))]
    if hostile.random.random() < 0.1:
        arguments.append("--debug")
    return _command([argument.replace("\0", "") for argument in arguments], content)


def _command(arguments: list[str], content: bytes) -> str:
    """Run a command, and check what it prints."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "replace", newline="\n") for _ in range(2))
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(content))
    show = warnings.showwarning
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.stdin, warnings.showwarning = stdin, show
    printed = [_printed(stream) for stream in (out, err)]
    for text in printed:
        problem = next(filter(None, map(_message_problem, text.splitlines())), "") if text is printed[1] else ""
        problem = problem or ("what steers a terminal" if _steers(text) else "")
        if problem:
            raise WrongOutputError(f"{arguments[0]}: {problem}")
    if code not in (0, 2, 3, 4, 5, 6):
        raise WrongOutputError(f"{arguments[0]} ended with {code}: {printed[1].strip()[-300:]!r}")
    if "--json" in arguments and not code:
        for line in printed[0].splitlines():
            _check_json(line)
    return CLEAR_ERROR if code else FINE


def _printed(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined, no-any-return]


KINDS: Mapping[str, Kind] = {
    "documents": _documents,
    "metadata": _metadata,
    "texts": _texts,
    "queries": _queries,
    "options": _options,
    "filters": _filters,
    "vectors": _vectors,
    "embedders": _embedders,
    "rows": _rows,
    "files": _files,
    "specs": _specs,
    "commands": _commands,
    "commands 2": _commands,
}
"""What is tried, in turn. Commands come twice: most ways lead through them."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, required=True, help="the number of the case")
    typed = parser.parse_args()
    record = run(1, typed.seed, only=typed.only)
    print(dict(record.outcomes), *record.failures)  # noqa: T201 - a command
