"""Documents become files of vectors, part by part, which an index takes as they are."""

import datetime
import json
import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.onnx_models import write_model
from tests.words import DIMENSION, Counting, by_words

from esens import Document, Searcher, errors
from esens.cli.main import main
from esens.documents import Passage
from esens.embed import embedder_of
from esens.embed.identity import identify
from esens.embed.truncation import Truncation
from esens.errors import (
    ArgumentError,
    EngineError,
    EsensError,
    InputError,
    MissingExtraError,
    TruncatedTextWarning,
)
from esens.indexing.embed_files import EmbedReport, embed_files
from esens.indexing.embed_files.output import NOTE
from esens.indexing.writer import build_index
from esens.ingest import Fields, parts_of, read_part, read_rows

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


class Words(Counting):
    name = "words"
    fingerprint = "words, version 1"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{i}", "text": f"note {i}", "n": i}) + "\n" for i in range(7)))
    return path


@pytest.fixture
def to(tmp_path: Path) -> str:
    return str(tmp_path / "vectors")


def _embed(source: Path | str, to: str, embedder: Any = None, **options: Any) -> EmbedReport:
    return embed_files(
        str(source), to, embedder=embedder or Words(), part_rows=options.pop("part_rows", 3), **options
    )


def _parts(to: str) -> list[str]:
    return sorted(path.name for path in Path(to).iterdir())


def _rows(to: str) -> list[Document]:
    return [row.document for row in read_rows(to, fields=Fields(vector="vector"))]


def test_every_part_is_a_file_that_says_what_made_it(corpus: Path, to: str) -> None:
    done = _embed(corpus, to)
    assert (done.written, done.existing, done.passages, done.read, done.bad) == (3, 0, 7, 7, 0)
    assert _parts(to) == [NOTE, "part-000000.parquet", "part-000001.parquet", "part-000002.parquet"]
    table = parquet.read_table(Path(to) / "part-000000.parquet")
    assert table.schema.names == ["id", "title", "text", "metadata", "vector"]
    assert table.schema.field("vector").type == pa.list_(pa.float32(), DIMENSION)
    assert table["metadata"].to_pylist() == ['{"n": 0}', '{"n": 1}', '{"n": 2}']
    assert np.array_equal(np.stack(table["vector"].to_numpy()), by_words(["note 0", "note 1", "note 2"]))
    assert (done.embedder_id.name, len(done.embedder_id.hash)) == ("words", 64)
    assert table.schema.metadata[b"esens.embedder"] == b"words"
    assert table.schema.metadata[b"esens.hash"].decode() == done.embedder_id.hash


def test_what_was_read_comes_back(tmp_path: Path, to: str) -> None:
    long = " ".join(f"Sentence number {i} is here." for i in range(20))
    given = [
        Document("a", "茶 and milk", "Tee", {"tags": ["x", {"y": None}], "half": "\ud800", "metadata": "inner"}),
        Document("b", long, "Long", {"year": 2001}),
    ]
    rows = [{"id": d.id, "title": d.title, "text": d.text, "metadata": dict(d.metadata)} for d in given]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = _embed(tmp_path / "docs.jsonl", to, words=50, overlap=5)
    first, *passages = _rows(to)
    assert first == given[0]
    assert [passage.id for passage in passages] == ["b#1", "b#2", "b#3"]
    assert (passages[1].metadata, passages[1].passage) == ({"year": 2001}, Passage("b", 2, 3))
    assert done.passages == 4
    assert {row.embedder_id for row in read_rows(to, fields=Fields(vector="vector"))} == {done.embedder_id}
    assert {row.embedder_id for row in read_rows(to)} == {None}  # without the vector it does not matter


def test_files_without_ids_do_not_take_each_others_place_in_an_index(tmp_path: Path) -> None:
    pytest.importorskip("lance", reason="the index on disk needs the extra lance")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "docs.txt").write_text(f"tea of {name}\n")
        _embed(tmp_path / name / "docs.txt", str(tmp_path / f"{name}-vectors"))
        rows = read_rows(tmp_path / f"{name}-vectors", fields=Fields(vector="vector"))
        count = build_index(rows, tmp_path / "my.lance").count
    assert count == 2


def test_metadata_is_kept_as_an_index_keeps_it(tmp_path: Path, to: str) -> None:
    day = datetime.date(2024, 5, 1)
    parquet.write_table(pa.table({"text": ["x"], "day": [day]}), tmp_path / "docs.parquet")
    _embed(tmp_path / "docs.parquet", to, words=1, overlap=0)
    assert _rows(to) == [Document(f"{tmp_path / 'docs.parquet'}:0", "x", "", {"day": "2024-05-01"})]


def test_what_was_cut_already_is_not_cut_again_and_a_row_cannot_say_that_it_was(tmp_path: Path, to: str) -> None:
    rows: list[dict[str, object]] = [
        {"id": "y", "text": "one two"},
        {"id": "z#1", "text": "three four", "passage_of": "z", "passage": 1, "passages": 1, "esens:passage": 7},
    ]
    (tmp_path / "docs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    _embed(tmp_path / "docs.jsonl", to, words=1, overlap=0)
    documents = _rows(to)
    assert [document.id for document in documents] == ["y#1", "y#2", "z#1#1", "z#1#2"]
    assert [document.passage for document in documents][2:] == [Passage("z#1", 1, 2), Passage("z#1", 2, 2)]
    own = {"passage_of": "z", "passage": 1, "passages": 1, "esens:passage": 7}
    assert documents[3].metadata == own
    _embed(Path(to), f"{to}-again", words=1, overlap=0)
    again = _rows(f"{to}-again")
    assert [(document.id, document.passage) for document in again] == [(d.id, d.passage) for d in documents]


def test_an_index_takes_the_vectors_and_folds_passages(tmp_path: Path, to: str) -> None:
    pytest.importorskip("lance", reason="the index on disk needs the extra lance")
    from esens.index import open_index

    def passages(sentences: int, name: str) -> str:
        text = " ".join(f"Sentence {i} on black tea." for i in range(sentences))
        (tmp_path / "docs.jsonl").write_text(json.dumps({"id": "long", "text": text}) + '\n{"text": "coffee"}\n')
        _embed(tmp_path / "docs.jsonl", str(tmp_path / name), words=25, overlap=0)
        return str(tmp_path / name)

    index = str(tmp_path / "my.lance")
    for folder, counts in ((passages(20, "a"), (5, 0, 0, 0)), (passages(10, "b"), (0, 2, 1, 2))):
        done = build_index(read_rows(folder, fields=Fields(vector="vector")), index)
        assert (done.added, done.changed, done.unchanged, done.removed) == counts
    assert open_index(index).embedder_id == _embed(tmp_path / "docs.jsonl", to).embedder_id
    embedder = Words()
    hits = Searcher(index, embedder=embedder).search("black tea").hits
    assert [hit.id for hit in hits] == ["long", f"{tmp_path / 'docs.jsonl'}:1"]
    assert not embedder.documents
    with pytest.raises(ArgumentError, match="the index was made with words"):
        Searcher(index)
    vectors = read_rows(tmp_path / "b", fields=Fields(vector="vector"))
    with pytest.raises(EngineError, match=r"were made by counting, not by words \(hash"):
        build_index(vectors, str(tmp_path / "other.lance"), embedder=Counting())

    class Later(Words):
        fingerprint = "words, version 2"

    vectors = read_rows(tmp_path / "b", fields=Fields(vector="vector"))
    with pytest.raises(EngineError, match=r"were made by words \(hash \w+\), not by words \(hash"):
        build_index(vectors, str(tmp_path / "later.lance"), embedder=Later())


def test_a_run_goes_on_with_the_parts_that_are_missing(corpus: Path, to: str) -> None:
    _embed(corpus, to)
    whole = {path.name: path.read_bytes() for path in Path(to).glob("part-*")}
    (Path(to) / "part-000001.parquet").unlink()
    (Path(to) / "part-000002.parquet").write_bytes(b"PAR1 torn")
    (Path(to) / ".part-0123.tmp").write_bytes(b"left by one that was killed")
    embedder = Words()
    done = _embed(corpus, to, embedder)
    assert (done.written, done.existing, done.passages) == (2, 1, 7)
    assert embedder.documents == ["note 3", "note 4", "note 5", "note 6"]
    assert {path.name: path.read_bytes() for path in Path(to).glob("part-*")} == whole
    assert _parts(to) == [NOTE, *sorted(whole)]
    assert _embed(corpus, to, embedder).written == 0
    assert len(embedder.documents) == 4


def test_an_error_leaves_whole_parts_and_nothing_else(corpus: Path, to: str) -> None:
    class Tired(Words):
        def embed_documents(self, texts: Sequence[str]) -> Any:
            if "note 4" in texts:
                raise OSError("out of breath")
            return super().embed_documents(texts)

    with pytest.raises(OSError, match="out of breath"):
        _embed(corpus, to, Tired())
    assert _parts(to) == [NOTE, "part-000000.parquet"]
    assert _embed(corpus, to).existing == 1


def test_a_run_that_is_killed_goes_on(tmp_path: Path, to: str) -> None:
    source = tmp_path / "docs.txt"
    source.write_text("".join(f"note {i}\n" for i in range(400)))
    program = """
import sys, time
from tests.unit.indexing.test_embed_files import Words, embed_files
class Slow(Words):
    def embed_documents(self, texts):
        time.sleep(0.05)
        return super().embed_documents(texts)
embed_files(sys.argv[1], sys.argv[2], embedder=Slow(), part_rows=2)
"""
    root = str(Path(__file__).parents[3])
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(source), to], env={**os.environ, "PYTHONPATH": root}
    )
    try:
        for _ in range(600):
            if len(list(Path(to).glob("part-*"))) > 5:
                break
            time.sleep(0.1)
    finally:
        child.kill()
        child.wait()
    done = _embed(source, to, part_rows=2)
    assert done.existing > 5
    assert done.written > 5
    assert [document.text for document in _rows(to)] == [f"note {i}" for i in range(400)]
    assert _parts(to)[1:] == [f"part-{i:06}.parquet" for i in range(200)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"embedder": Counting()}, "begun with another embedder: embedder was 'words' and is 'counting' now"),
        ({"words": 9}, "another passage words: passage_words was 180 and is 9 now"),
        ({"overlap": 9}, "another passage overlap"),
        ({"part_rows": 4}, "another part rows: part_rows was 3 and is 4 now"),
        ({"fields": Fields(id="n")}, "another fields"),
        ({"format": "jsonl"}, "another format"),
    ],
)
def test_a_folder_of_another_job_is_refused(options: dict[str, Any], message: str, corpus: Path, to: str) -> None:
    _embed(corpus, to)
    with pytest.raises(ArgumentError, match=message):
        _embed(corpus, to, **options)


def test_a_changed_model_or_input_is_refused(corpus: Path, to: str) -> None:
    class Other(Words):
        fingerprint = "words, version 2"

    _embed(corpus, to)
    with pytest.raises(ArgumentError, match="begun with another hash"):
        _embed(corpus, to, Other())
    corpus.write_text('{"text": "something else"}\n')
    with pytest.raises(ArgumentError, match="begun with another input; remove the folder to start again"):
        _embed(corpus, to)
    (Path(to) / NOTE).write_text("{")
    with pytest.raises(ArgumentError, match=r"_esens\.json cannot be read"):
        _embed(corpus, to)
    (Path(to) / NOTE).unlink()
    with pytest.raises(ArgumentError, match="holds files that esens embed did not write"):
        _embed(corpus, to)


def test_one_file(corpus: Path, tmp_path: Path) -> None:
    to = str(tmp_path / "new" / "vectors.parquet")
    assert (_embed(corpus, to).written, len(_rows(to))) == (1, 7)
    assert _parts(str(tmp_path / "new")) == ["vectors.parquet"]
    with pytest.raises(ArgumentError, match="is there already"):
        _embed(corpus, to)


def test_places_that_make_no_sense(corpus: Path, tmp_path: Path) -> None:
    for place in (tmp_path / "vectors", tmp_path / "vectors.parquet", tmp_path):
        with pytest.raises(ArgumentError, match="is inside"):
            _embed(tmp_path, str(place))
    (tmp_path / "taken").write_bytes(b"x")
    with pytest.raises(ArgumentError, match="is a file; name a folder"):
        _embed(corpus, str(tmp_path / "taken"))
    with pytest.raises(ArgumentError, match="engine: unknown engine 'spark'; valid are: plain, ray"):
        _embed(corpus, str(tmp_path / "v"), engine="spark")
    with pytest.raises(ArgumentError, match="part_rows: must be at least 1"):
        _embed(corpus, str(tmp_path / "v"), part_rows=0)
    with pytest.raises(ArgumentError, match="the plain engine is one process"):
        _embed(corpus, str(tmp_path / "v"), workers=2)
    assert not (tmp_path / "v").exists()


def test_a_part_is_embedded_and_written_in_pieces(
    tmp_path: Path, to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from esens.indexing.embed_files import part

    monkeypatch.setattr(part, "_AT_ONCE", 10)
    (tmp_path / "docs.txt").write_text("".join(f"note {i}\n" for i in range(25)))
    told: list[tuple[int, int]] = []
    _embed(tmp_path / "docs.txt", to, part_rows=100, progress=lambda *now: told.append(now))
    assert parquet.ParquetFile(Path(to) / "part-000000.parquet").num_row_groups == 3
    assert [document.text for document in _rows(to)] == [f"note {i}" for i in range(25)]
    assert [done for done, _ in told] == [10, 20, 25, 25]
    assert told[-1] == (25, 25)


def test_bad_rows_count_in_the_parts_and_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], to: str
) -> None:
    (tmp_path / "docs.jsonl").write_text('{"text": "a"}\n{\n{"text": "b"}\n{"text": "c"}\n')
    source = str(tmp_path / "docs.jsonl")
    assert main(["embed", source, "--to", to, "--part-rows", "2"]) == 3
    assert "docs.jsonl, line 2: is not JSON" in capsys.readouterr().err
    assert main(["embed", source, "--to", to, "--part-rows", "2", "--skip-bad"]) == 0
    printed = capsys.readouterr()
    assert printed.err.endswith("esens: skipped 1 bad of 4 rows\n")
    assert printed.out == f"{to}: 3 documents and passages in 2 files, embedded by minilm:int8\n"
    assert [document.id for document in _rows(to)] == [f"{source}:{number}" for number in (0, 2, 3)]
    assert [parquet.read_metadata(path).num_rows for path in sorted(Path(to).glob("part-*"))] == [1, 2]
    assert main(["embed", source, "--to", to, "--part-rows", "2", "--skip-bad"]) == 0
    assert "in 2 files (2 were there already)" in capsys.readouterr().out
    to_single = f"{to}-single"
    (tmp_path / "docs.jsonl").write_text('{"text": "a"}\n')
    for there in ("", " (1 was there already)"):
        assert main(["embed", source, "--to", to_single]) == 0
        expected = f"{to_single}: 1 document or passage in 1 file{there}, embedded by minilm:int8\n"
        assert capsys.readouterr().out == expected


def test_the_command_splits_as_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], to: str) -> None:
    (tmp_path / "docs.txt").write_text("one two three four five six seven eight nine ten\n")
    source = str(tmp_path / "docs.txt")
    assert main(["embed", source, "--to", to, "--passage-words", "4"]) == 0
    assert [document.text for document in _rows(to)][:2] == ["one two three four", "four five six seven"]
    assert main(["embed", source, "--to", f"{to}0", "--passage-words", "0"]) == 0
    assert len(_rows(f"{to}0")) == 1


def test_ray_wants_parquet_a_folder_a_spec_and_its_package(
    corpus: Path, to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ArgumentError, match=r"ray reads Parquet.*docs\.jsonl is something else"):
        embed_files(str(corpus), to, embedder="minilm", engine="ray")
    with pytest.raises(ArgumentError, match="several workers write several files"):
        embed_files(str(corpus), f"{to}.parquet", engine="ray")
    with pytest.raises(ArgumentError, match="name it by a spec"):
        _embed(corpus, to, engine="ray")
    with pytest.raises(ArgumentError, match="workers: must be at least 1"):
        _embed(corpus, to, engine="ray", workers=0)
    with pytest.raises(InputError, match="No such file"):
        embed_files(str(tmp_path / "no.parquet"), to, embedder="minilm", engine="ray")
    parquet.write_table(pa.table({"text": ["x"]}), tmp_path / "docs.parquet")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"esens\[ray\]"):
        embed_files(str(tmp_path / "docs.parquet"), to, embedder="minilm", engine="ray")
    assert not Path(to).exists()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"esens\[parquet\]"):
        _embed(corpus, to)


def test_parts_of_parquet_read_apart_are_the_rows_read_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, ids in (("a", list("abcdefg")), ("c", [None, "b", "h"]), ("d", list("ijk"))):
        table = pa.table({"_id": pa.array(ids, pa.string()), "text": [f"{name} {n}" for n in range(len(ids))]})
        parquet.write_table(table, folder / f"{name}.parquet", row_group_size=2)
    (folder / "b.parquet").write_bytes(b"broken")
    (folder / "log.csv").write_bytes(b"x")
    bad: list[InputError] = []
    rows = read_rows(folder, on_bad="skip", report=bad.append)
    rows.identify_rows()
    expected = [(rows.position, row.document) for row in rows]
    assert [position for position, _ in expected] == [0, 1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13]
    assert [document.id for _, document in expected][7:9] == [f"{folder}:8", "h"]
    for size in (1, 2, 3, 5, 100):
        parts, ignored = parts_of(folder, size, Fields())
        again: list[InputError] = []
        found = []
        for part in parts:
            reading = read_part(part, on_bad="skip", report=again.append)
            here = [(reading.position, row.document) for row in reading]
            assert {position // size for position, _ in here} <= {part.number}
            found += here
        assert found == expected
        assert list(map(str, again)) == list(map(str, bad))
        assert ignored == 1
    with pytest.raises(InputError, match="is not a Parquet file"):
        parts_of(folder / "b.parquet", 2, Fields())


def test_a_file_torn_inside_ends_the_reading_and_in_a_folder_is_skipped(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    texts = [np.random.default_rng(i).bytes(30).hex() for i in range(2000)]
    parquet.write_table(pa.table({"text": texts}), folder / "a.parquet")
    content = bytearray((folder / "a.parquet").read_bytes())
    content[2000:4000] = b"\xff" * 2000
    (folder / "a.parquet").write_bytes(content)
    parts, _ = parts_of(folder / "a.parquet", 3000, Fields())
    with pytest.raises(InputError, match="is not a Parquet file that can be read"):
        list(read_part(parts[0], on_bad="skip"))
    bad: list[InputError] = []
    parts, _ = parts_of(folder, 3000, Fields())
    list(read_part(parts[0], on_bad="skip", report=bad.append))
    assert len(bad) == 1
    parquet.write_table(pa.table({"id": texts, "text": texts}), folder / "a.parquet", use_dictionary=False)
    content = bytearray((folder / "a.parquet").read_bytes())
    content[2000:4000] = b"\xff" * 2000  # among the ids, which are read first of all
    (folder / "a.parquet").write_bytes(content)
    assert len(parts_of(folder, 3000, Fields())[0]) == 1


def test_ids_are_told_by_the_field_that_was_chosen(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"id": ["x", "x"], "key": ["1", "2"], "text": ["s", "t"]}), path)

    def repeated(fields: Fields) -> list[str]:
        parts, _ = parts_of(path, 10, fields)
        return [problem for part in parts for problem in part.repeated.values()]

    assert repeated(Fields(id="key")) == []
    assert repeated(Fields(text="id")) == []
    parquet.write_table(pa.table({"key": [None, "0"], "text": ["s", "t"]}), tmp_path / "b.parquet")
    parts, _ = parts_of(tmp_path / "b.parquet", 10, Fields(id="key"))
    assert parts[0].repeated == {}  # the first has no id at all, not even its number
    assert repeated(Fields()) == [f"id 'x' stands in row 1 of {path} already; ids must be unique"]


def test_metadata_that_is_a_json_object_in_parquet_is_read_as_one(tmp_path: Path) -> None:
    texts = ['{"year": 2001}', "plain words", "[1]", '{"broken"', None, "[" * 100_000]
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"text": list("abcdef"), "metadata": texts, "other": ['{"a": 1}'] * 6}), path)
    found = [row.document.metadata for row in read_rows(path)]
    assert found[0] == {"year": 2001, "other": '{"a": 1}'}
    assert [metadata["metadata"] for metadata in found[1:]] == texts[1:]


def test_errors_survive_the_way_from_a_worker() -> None:
    given: list[EsensError] = [
        InputError("a.parquet", "is bad", row=7),
        ArgumentError("embedder", "is not one"),
        MissingExtraError("ray", "ray"),
        errors.UnknownSpecError("embedder", "x", ["minilm"]),
        errors.EngineError("docs.lance", "is gone"),
        errors.ModelError("another one"),
    ]
    for error in given:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


@pytest.mark.parametrize(
    ("nodes", "workers", "shares"),
    [([2], None, (2, 1)), ([2], 1, (1, 2)), ([8, 4], 3, (3, 4)), ([8, 8], 3, (3, 4)), ([0, 4], None, (4, 1))],
)
def test_workers_share_the_cores(nodes: list[int], workers: int | None, shares: tuple[int, int]) -> None:
    from esens.indexing.embed_files.with_ray import _shares

    assert _shares(nodes, workers) == shares


def test_a_cluster_that_is_not_there_is_said_at_once() -> None:
    from esens.indexing.embed_files.with_ray import _knock, _start

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        _knock(f"127.0.0.1:{port}")
        _knock(f"ray://127.0.0.1:{port}")
    _knock("auto")
    with pytest.raises(ArgumentError, match=rf"RAY_ADDRESS: no Ray cluster can be reached at 127\.0\.0\.1:{port}"):
        _start(None, f"127.0.0.1:{port}", None)


def test_more_workers_than_cores_are_refused() -> None:
    from esens.indexing.embed_files.with_ray import _shares

    with pytest.raises(ArgumentError, match="the cluster has 6 cores"):
        _shares([4, 2], 7)


def test_long_texts_are_named_once_for_all_parts(tmp_path: Path, to: str) -> None:
    folder = write_model(tmp_path / "model", settings={"sentence_bert_config.json": {"max_seq_length": 4}})
    (tmp_path / "docs.txt").write_text("tea milk rum\n" * 5)
    with pytest.warns(TruncatedTextWarning) as heard:
        embed_files(str(tmp_path / "docs.txt"), to, embedder=f"onnx:{folder}", part_rows=2)
    (warning,) = heard
    assert str(warning.message).startswith(
        "5 of 5 texts are longer than the 4 tokens that the model reads: "
        + ", ".join(f"{tmp_path / 'docs.txt'}:{number}" for number in range(3))
        + ", …"
    )


def test_a_worker_says_what_it_has_cut_and_leaves_the_warning_to_who_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from esens.indexing.embed_files.job import EmbedJob
    from esens.indexing.embed_files.with_ray import _Worker

    monkeypatch.setenv("RAYON_NUM_THREADS", "1")
    monkeypatch.chdir(tmp_path)
    folder = write_model(tmp_path / "model", settings={"sentence_bert_config.json": {"max_seq_length": 4}})
    spec = f"onnx:{folder}"
    parquet.write_table(pa.table({"text": ["tea", "tea milk rum", "rum milk tea"]}), tmp_path / "docs.parquet")
    (tmp_path / "out").mkdir()
    parts, _ = parts_of(tmp_path / "docs.parquet", 2, Fields())
    job = EmbedJob(
        str(tmp_path / "docs.parquet"), "out", identify(embedder_of(spec)), None, 0, 2, None, Fields(), "stop"
    )
    table = _Worker(job, spec, 1, str(tmp_path))(pa.table({"part": [pickle.dumps(part) for part in parts]}))
    results = [pickle.loads(result) for result in table["result"].to_pylist()]
    total = sum((result.truncation for result in results), Truncation())
    assert (total.count, total.total, total.max_tokens) == (2, 3, 4)
    assert total.ids == tuple(f"{tmp_path / 'docs.parquet'}:{number}" for number in (1, 2))
    assert [(result.passages, result.warnings, result.failure) for result in results] == [
        (2, [], None),
        (1, [], None),
    ]
