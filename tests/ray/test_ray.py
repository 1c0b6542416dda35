"""The engine ray makes what the plain one makes: on a cluster of its own, and on one that is there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from esens.cli.main import main
from esens.demo import load_corpus
from esens.embed import embedder_of
from esens.embed.corpus import embed_corpus
from esens.errors import ArgumentError, InputError, ModelError, TruncatedTextWarning
from esens.indexing.embed_files import EmbedReport, embed_files
from esens.indexing.embed_files.job import EmbedJob
from esens.indexing.embed_files.with_ray import _cluster, _part_results, embed_on_ray
from esens.ingest import Fields, parts_of, read_rows
from esens.types import EmbedderId

# Not imported here: who starts it says how it is set up.
if find_spec("ray") is None:
    pytest.skip("needs the extra ray: make test-ray", allow_module_level=True)
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
# Ray warns of what it does itself, and leaves sockets to the end of the process.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """One cluster for all: starting one takes longer than most of what is tested."""
    with _cluster(2) as started:
        yield started


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's documents in two files, one with small row groups."""
    folder = tmp_path_factory.mktemp("corpus") / "docs"
    folder.mkdir()
    rows = [{"id": d.id, "title": d.title, "text": d.text, "metadata": dict(d.metadata)} for d in load_corpus()]
    parquet.write_table(pa.Table.from_pylist(rows[:201]), folder / "a.parquet", row_group_size=20)
    parquet.write_table(pa.Table.from_pylist(rows[201:]), folder / "b.parquet")
    return folder


def _embed(source: Path, to: Path, workers: int | None = None, **options: Any) -> EmbedReport:
    engine = "plain" if workers is None else "ray"
    return embed_files(str(source), str(to), engine=engine, workers=workers, **options)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


@pytest.mark.parametrize("embedder", ["minilm", "wordllama"])
def test_the_files_are_those_of_the_plain_engine_to_the_last_bit(
    embedder: str, ray: Any, corpus: Path, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"embedder": embedder, "words": 30, "overlap": 5, "part_rows": 60}
    plain = _embed(corpus, tmp_path / "plain", **options)
    assert plain.written == 6
    assert plain.passages > plain.read == len(load_corpus())
    for workers in (1, 2):
        done = _embed(corpus, tmp_path / str(workers), workers, **options)
        assert (done.written, done.passages, done.read) == (plain.written, plain.passages, plain.read)
        assert _files(tmp_path / str(workers)) == _files(tmp_path / "plain")
    assert (tmp_path / "1" / "_esens.json").read_bytes() == (tmp_path / "plain" / "_esens.json").read_bytes()


@pytest.mark.parametrize(("embedder", "rounding"), [("minilm", 1e-6), ("wordllama", 0)])
def test_they_are_those_of_embedding_all_at_once(
    embedder: str, rounding: float, ray: Any, corpus: Path, tmp_path: Path
) -> None:
    _embed(corpus, tmp_path / "out", 2, embedder=embedder, part_rows=50)
    rows = list(read_rows(tmp_path / "out", fields=Fields(vector="vector")))
    found = np.stack([row.vector for row in rows if row.vector is not None])
    expected = embed_corpus([row.document for row in rows], embedder_of(embedder))
    # Sums of floats depend on how much padding is in a batch, and a static vector on nothing but its text.
    assert np.abs(found - expected).max() <= rounding


def test_what_one_engine_has_begun_the_other_ends(ray: Any, corpus: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"embedder": "wordllama", "part_rows": 40}
    _embed(corpus, tmp_path / "a", **options)
    whole = _files(tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    for name in list(whole)[::2]:
        (tmp_path / "b" / name).unlink()
    done = _embed(corpus, tmp_path / "b", 2, **options)
    assert (done.written, done.existing, done.passages) == (5, 4, len(load_corpus()))
    assert _files(tmp_path / "b") == whole
    (tmp_path / "b" / "part-000003.parquet").unlink()
    assert _embed(corpus, tmp_path / "b", **options).written == 1
    assert _files(tmp_path / "b") == whole
    assert _embed(corpus, tmp_path / "b", 2, **options).written == 0
    with pytest.raises(ArgumentError, match="begun with another embedder"):
        _embed(corpus, tmp_path / "b", 2, part_rows=40)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    folder = tmp_path / "damaged"
    folder.mkdir()
    parquet.write_table(pa.table({"id": list("abcde"), "text": ["x", "", "y", "z", "w"]}), folder / "a.parquet")
    (folder / "b.parquet").write_bytes(b"no Parquet")
    parquet.write_table(pa.table({"id": list("fgah"), "text": ["r", None, "s", "t"]}), folder / "c.parquet")
    return folder


def test_bad_rows_are_told_as_the_plain_engine_tells_them(ray: Any, damaged: Path, tmp_path: Path) -> None:
    told: dict[str, list[str]] = {"plain": [], "ray": []}
    done = {}
    for name, workers in (("plain", None), ("ray", 2)):
        done[name] = _embed(
            damaged,
            tmp_path / name,
            workers,
            embedder="wordllama",
            part_rows=2,
            on_bad="skip",
            report=lambda error, name=name: told[name].append(str(error)),
        )
    assert len(told["plain"]) == 4
    assert told["ray"] == told["plain"]
    assert (done["ray"].read, done["ray"].bad) == (done["plain"].read, done["plain"].bad) == (6, 4)
    assert _files(tmp_path / "ray") == _files(tmp_path / "plain")


def test_a_cluster_of_our_own_is_gone_after_an_error(damaged: Path, tmp_path: Path) -> None:
    done = _command(damaged, tmp_path / "out", "--part-rows", "1")
    assert done.returncode == 3
    assert done.stderr == f"esens: {damaged / 'a.parquet'}, row 2: has neither a text nor a title\n"


def test_a_bad_row_ends_the_job_unless_skipped(ray: Any, damaged: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.parquet, row 2: has neither a text nor a title"):
        _embed(damaged, tmp_path / "out", 2, embedder="wordllama", part_rows=1)
    parquet.write_table(pa.table({"text": ["", " "]}), tmp_path / "empty.parquet")
    with pytest.raises(InputError, match="holds no documents: 2 bad rows were skipped"):
        _embed(tmp_path / "empty.parquet", tmp_path / "none", 1, embedder="wordllama", part_rows=1, on_bad="skip")


def test_what_a_worker_warns_of_is_heard(ray: Any, tmp_path: Path) -> None:
    parquet.write_table(pa.table({"text": ["tea " * 400, "milk " * 400]}), tmp_path / "a.parquet")
    with pytest.warns(TruncatedTextWarning, match="longer than the 256 tokens") as heard:
        _embed(tmp_path / "a.parquet", tmp_path / "out", 1, words=None)
    assert len(heard) == 1


def test_a_worker_with_another_model_is_an_error(ray: Any, corpus: Path, tmp_path: Path) -> None:
    other = EmbedderId("wordllama", "0" * 64)
    job = EmbedJob(str(corpus), str(tmp_path), other, 180, 30, 500, None, Fields(), "stop")
    parts, _ = parts_of(corpus, 500, Fields())
    with pytest.raises(ModelError, match="a worker has another wordllama"):
        embed_on_ray(job, "wordllama", parts, 0, 1, lambda _: None, lambda _done, _of: None)
    assert not list(tmp_path.glob("part-*"))


def test_no_parts_need_no_workers() -> None:
    job = EmbedJob("", "", EmbedderId("", ""), None, 0, 1, None, Fields(), "stop")
    assert list(_part_results(job, "minilm", [], 2)) == []


def test_workers_keep_to_their_cores_and_the_cluster_to_this_machine(ray: Any) -> None:
    (node,) = ray.nodes()
    assert node["NodeManagerAddress"] == "127.0.0.1"
    assert node["Resources"]["CPU"] >= 2
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"


def _command(corpus: Path, to: Path, *more: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = ["embed", str(corpus), "--to", str(to), "--engine", "ray", "--embedder", "wordllama", *more]
    return subprocess.run(
        [sys.executable, "-m", "esens.cli.main", *command],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_who_has_imported_ray_starts_it(corpus: Path, tmp_path: Path) -> None:
    program = f"""
import ray
from esens.indexing.embed_files import embed_files
embed_files({str(corpus)!r}, {str(tmp_path / "out")!r}, embedder="wordllama", engine="ray")
"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert "Ray was imported already, and would listen on the network; call ray.init() before" in done.stderr


def test_the_command_starts_a_cluster_and_is_quiet(corpus: Path, tmp_path: Path) -> None:
    done = _command(corpus, tmp_path / "out", "--workers", "2", "--part-rows", "100")
    assert done.stderr == ""
    assert done.stdout == f"{tmp_path / 'out'}: 330 documents and passages in 4 files, embedded by wordllama\n"
    assert done.returncode == 0


def test_the_command_of_the_page_works(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bigger.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (command,) = re.findall(r"^esens (embed .* --engine ray .*)$", page, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "bigger.md", "exec"), {})
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out in page


def test_the_command_joins_the_cluster_that_is_named(ray: Any, corpus: Path, tmp_path: Path) -> None:
    address = ray.get_runtime_context().gcs_address
    done = _command(corpus, tmp_path / "out", "--workers", "2", RAY_ADDRESS=address)
    assert done.returncode == 0, done.stderr
    done = _command(corpus, tmp_path / "more", "--workers", "99", RAY_ADDRESS=address)
    assert done.returncode == 2
    assert "name at most as many workers" in done.stderr
    assert ray.is_initialized()
