"""Documents become an index, and are brought up to date in it."""

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event, RLock

import numpy as np
import pytest
from tests.onnx_models import write_model
from tests.words import DIMENSION, Counting, by_words

from esens import Document, Searcher
from esens.arrays.scan import scan
from esens.arrays.unit import unit_rows
from esens.documents import Passage
from esens.errors import ArgumentError, EngineError, TruncatedTextWarning
from esens.index import WritableIndex, open_writable
from esens.index.passages import delete_documents
from esens.indexing.writer import BATCH, DocumentLike, IndexReport, build_index
from esens.ingest import DocumentRow, read_rows

lance = pytest.importorskip("lance", reason="the index on disk needs the extra lance")


class Fingerprinted(Counting):
    name = "words"
    fingerprint = "words, version 1"


@pytest.fixture
def to(tmp_path: Path) -> str:
    return str(tmp_path / "my.lance")


@pytest.fixture
def embedder() -> Fingerprinted:
    return Fingerprinted()


def _counts(done: IndexReport) -> tuple[int, int, int, int]:
    return done.added, done.changed, done.unchanged, done.removed


def _opened(to: str) -> WritableIndex:
    return open_writable(to)


def _long(sentences: int, *, last: str = "end") -> str:
    return " ".join(f"Sentence number {i} says something about tea." for i in range(sentences)) + f" The {last}."


def test_documents_become_an_index_that_is_searched_with_its_own_embedder(
    to: str, embedder: Fingerprinted
) -> None:
    docs: list[DocumentLike] = [
        "salad with oil",
        {"id": "v", "text": "salad with vinegar", "kind": "sour"},
        Document("c", "cheese"),
    ]
    assert _counts(build_index(docs, to, embedder=embedder)) == (3, 0, 0, 0)
    results = Searcher(to, embedder=embedder).search("salad, no vinegar", k=2)
    assert results[0].text == "salad with oil"
    assert Searcher(to, embedder=embedder).search("salad", where={"kind": "sour"}).ids == ("v",)


def test_what_is_there_already_is_not_embedded_again(to: str, embedder: Fingerprinted) -> None:
    texts = [f"document number {i}" for i in range(50)]
    build_index(texts, to, embedder=embedder)
    embedder.documents.clear()
    assert _counts(build_index([*texts, "one more"], to, embedder=embedder)) == (1, 0, 50, 0)
    assert embedder.documents == ["one more"]


def test_documents_without_ids_take_nobodys_place(to: str, embedder: Fingerprinted) -> None:
    build_index(["alpha cats", "beta dogs"], to, embedder=embedder)
    assert _counts(build_index(["gamma birds"], to, embedder=embedder)) == (1, 0, 0, 0)
    assert _counts(build_index([{"text": "gamma birds", "year": 1}], to, embedder=embedder)) == (1, 0, 0, 0)
    texts = [hit.text for hit in Searcher(to, embedder=embedder).search("cats", k=9)]
    assert sorted(texts) == ["alpha cats", "beta dogs", "gamma birds", "gamma birds"]


def test_equal_documents_without_ids_are_one(to: str, embedder: Fingerprinted) -> None:
    row = {"text": "tea", "year": 1, "tags": ["hot"]}
    assert build_index([row, dict(reversed(row.items())), "tea", "tea"], to, embedder=embedder).count == 2
    with pytest.raises(ArgumentError, match="id 'a' stands at positions 0 and 1"):
        build_index([{"id": "a", "text": "tea"}, {"id": "a", "text": "tea"}], to, embedder=embedder)


def test_files_of_the_same_name_take_nobodys_place(to: str, embedder: Fingerprinted, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "docs.txt").write_text(f"tea of {folder}\n")
        assert build_index(read_rows(tmp_path / folder / "docs.txt"), to, embedder=embedder).added == 1
    (tmp_path / "a" / "docs.txt").write_text("milk of a\n")
    assert build_index(read_rows(tmp_path / "a" / ".." / "a" / "docs.txt"), to, embedder=embedder).changed == 1
    texts = [hit.text for hit in Searcher(to, embedder=embedder).search("tea", k=9)]
    assert sorted(texts) == ["milk of a", "tea of b"]


def test_a_run_that_fails_goes_on_where_it_stopped(to: str, embedder: Fingerprinted) -> None:
    texts = [f"document number {i}" for i in range(BATCH + 10)]

    class Interrupted(Fingerprinted):
        def embed_documents(self, texts: object) -> np.ndarray:
            if len(self.documents) >= BATCH:
                raise KeyboardInterrupt
            return super().embed_documents(texts)  # type: ignore[arg-type]

    with pytest.raises(KeyboardInterrupt):
        build_index(texts, to, embedder=Interrupted())
    assert len(open_writable(to)) == BATCH
    assert _counts(build_index(texts, to, embedder=embedder)) == (10, 0, BATCH, 0)
    assert embedder.documents == texts[BATCH:]


def test_changed_texts_are_embedded_and_changed_metadata_are_not(to: str, embedder: Fingerprinted) -> None:
    build_index([{"id": "a", "text": "tea"}, {"id": "b", "text": "milk", "year": 1}], to, embedder=embedder)
    embedder.documents.clear()
    done = build_index(
        [{"id": "a", "text": "coffee"}, {"id": "b", "text": "milk", "year": 2}], to, embedder=embedder
    )
    assert _counts(done) == (0, 2, 0, 0)
    assert embedder.documents == ["coffee"]
    assert _opened(to).documents(["b"])["b"].metadata == {"year": 2}
    np.testing.assert_allclose(
        scan(_opened(to).vectors(["b", "a"]), unit_rows(by_words(["milk", "coffee"]))).diagonal(), 1, atol=1e-6
    )


def test_metadata_that_json_does_not_know_is_no_change(to: str, embedder: Fingerprinted) -> None:
    docs = [Document("a", "tea", metadata={"where": Path("x"), "pair": (1, 2)})]
    build_index(docs, to, embedder=embedder)
    assert _counts(build_index(docs, to, embedder=embedder)) == (0, 0, 1, 0)


def test_long_documents_become_passages_and_are_found_as_documents(to: str, embedder: Fingerprinted) -> None:
    done = build_index(
        [Document("long", _long(40, last="samovar"), "Tea"), "a short one"],
        to,
        embedder=embedder,
        words=100,
        overlap=10,
    )
    assert done.added == done.count > 3
    results = Searcher(to, embedder=embedder).search("The samovar.", k=5)
    assert results.ids[0] == "long"
    assert [hit.text for hit in results][1:] == ["a short one"]
    assert "samovar" in results[0].text
    assert results[0].title == "Tea"


def test_passages_that_a_document_no_longer_has_are_removed(to: str, embedder: Fingerprinted) -> None:
    build_index([Document("a", _long(40))], to, embedder=embedder, words=50, overlap=0)
    before = len(open_writable(to))
    done = build_index([Document("a", _long(20))], to, embedder=embedder, words=50, overlap=0)
    assert done.removed > 0
    assert done.count == before - done.removed
    left = done.count
    assert build_index([Document("a", "short now")], to, embedder=embedder).removed == left
    assert list(_opened(to).documents(["a", "a#1"])) == ["a"]
    build_index([Document("a", _long(40))], to, embedder=embedder, words=50, overlap=0)
    assert list(_opened(to).documents(["a", "a#1"])) == ["a#1"]


def test_a_run_that_fails_while_it_embeds_has_removed_nothing(to: str, embedder: Fingerprinted) -> None:
    build_index([Document("a", "short")], to, embedder=embedder)

    class Failing(Fingerprinted):
        def embed_documents(self, texts: object) -> np.ndarray:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        build_index([Document("a", _long(40))], to, embedder=Failing(), words=50, overlap=0)
    assert list(_opened(to).documents(["a", "a#1"])) == ["a"]


def test_an_id_that_is_a_passages_is_refused(to: str, embedder: Fingerprinted) -> None:
    build_index([Document("a", _long(40))], to, embedder=embedder, words=50, overlap=0)
    with pytest.raises(ArgumentError, match="'a#1' is that of a passage of 'a' and of another document"):
        build_index([Document("a#1", "another")], to, embedder=embedder)
    assert "tea" in _opened(to).documents(["a#1"])["a#1"].text


def test_a_document_is_removed_with_its_passages(to: str, embedder: Fingerprinted) -> None:
    done = build_index([Document("a", _long(40)), Document("b", "x")], to, embedder=embedder, words=50, overlap=0)
    assert done.count > 2
    assert delete_documents(_opened(to), ["a", "nobody", "a"]) == ["a"]
    assert len(_opened(to)) == 1


def test_rows_with_vectors_are_not_embedded(to: str) -> None:
    rows = [DocumentRow(Document(str(i), _long(60)), by_words([f"text {i}"])[0]) for i in range(3)]
    done = build_index(rows, to)
    assert done.count == 3
    assert _opened(to).dimension == DIMENSION
    assert done.embedder_id is None
    assert _opened(to).nearest(by_words(["text 2"]), 1)[0].ids == ("2",)


def test_passages_made_elsewhere_do_not_remove_each_other(to: str) -> None:
    def rows(numbers: range) -> list[DocumentRow]:
        made = (Document(f"a#{i}", "x", passage=Passage("a", i, 5)) for i in numbers)
        return [DocumentRow(document, by_words(["x"])[0]) for document in made]

    build_index(rows(range(1, 4)), to)
    assert build_index(rows(range(4, 6)), to).removed == 0
    assert len(_opened(to)) == 5


def test_another_embedder_cannot_write_to_it(to: str, embedder: Fingerprinted) -> None:
    build_index(["tea"], to, embedder=embedder)

    class Other(Fingerprinted):
        name = "others"
        fingerprint = "others, version 1"

    with pytest.raises(EngineError, match=r"words.*others"):
        build_index(["milk"], to, embedder=Other())
    assert len(_opened(to)) == 1


def test_no_documents_make_no_index(to: str, embedder: Fingerprinted) -> None:
    with pytest.raises(ArgumentError, match="there are none"):
        build_index([], to, embedder=embedder)
    assert not Path(to).exists()


def test_progress_counts_what_is_done_and_read(to: str, embedder: Fingerprinted) -> None:
    seen: list[tuple[int, int]] = []
    build_index(
        [f"text {i}" for i in range(BATCH + 300)], to, embedder=embedder, progress=lambda *n: seen.append(n)
    )
    done = [one for one, _ in seen]
    assert done == sorted(done)
    assert done[-1] == BATCH + 300
    assert {read for _, read in seen} == {BATCH, BATCH + 300}
    assert len(seen) > 8


def test_a_changed_title_is_embedded_anew(to: str, embedder: Fingerprinted) -> None:
    build_index([Document("a", "text", "tea")], to, embedder=embedder)
    embedder.documents.clear()
    build_index([Document("a", "text", "milk")], to, embedder=embedder)
    assert embedder.documents == ["milk\ntext"]


def test_true_is_another_value_than_1(to: str, embedder: Fingerprinted) -> None:
    build_index([Document("a", "tea", metadata={"ok": 1})], to, embedder=embedder)
    assert build_index([Document("a", "tea", metadata={"ok": True})], to, embedder=embedder).changed == 1


def test_a_number_that_is_none_is_not_kept(to: str, embedder: Fingerprinted) -> None:
    docs = [Document("a", "tea", metadata={"share": float("nan"), "most": float("inf")})]
    build_index(docs, to, embedder=embedder)
    assert _opened(to).documents(["a"])["a"].metadata == {"share": None, "most": "Infinity"}
    assert build_index(docs, to, embedder=embedder).unchanged == 1


def test_one_id_twice_is_an_error_however_far_apart(to: str, embedder: Fingerprinted) -> None:
    docs = [Document("a", "tea"), *(Document(str(i), "x") for i in range(BATCH + 10)), Document("a", "milk")]
    with pytest.raises(ArgumentError, match=f"'a' stands at positions 0 and {BATCH + 11}"):
        build_index(docs, to, embedder=embedder)
    assert _opened(to).documents(["a"])["a"].text == "tea"


def test_a_document_with_the_id_of_a_passage_beside_it_is_refused(to: str, embedder: Fingerprinted) -> None:
    docs = [Document("a", _long(40)), Document("a#1", "another")]
    with pytest.raises(ArgumentError, match="'a#1' is that of a passage of 'a' and of another document"):
        build_index(docs, to, embedder=embedder, words=50, overlap=0)


def test_fields_that_only_look_like_a_passages_are_metadata(to: str, embedder: Fingerprinted) -> None:
    docs = [{"id": f"e{i}", "text": "salad", "passage_of": "zzz", "passage": 1} for i in range(2)]
    build_index(docs, to, embedder=embedder)
    assert sorted(Searcher(to, embedder=embedder).search("salad").ids) == ["e0", "e1"]
    assert delete_documents(_opened(to), ["zzz", "e0"]) == ["e0"]


def test_another_dimension_is_said(to: str, embedder: Fingerprinted) -> None:
    build_index(["tea"], to, embedder=embedder)

    class Shorter(Fingerprinted):
        def embed_documents(self, texts: object) -> np.ndarray:
            return super().embed_documents(texts)[:, :8]  # type: ignore[arg-type]

    with pytest.raises(EngineError, match="its vectors have dimension 64, not 8"):
        build_index(["tea", "milk"], to, embedder=Shorter())


def test_another_vector_for_the_same_document_is_written(to: str) -> None:
    row = DocumentRow(Document("a", "tea"), by_words(["tea"])[0])
    build_index([row], to)
    assert build_index([row], to).unchanged == 1
    assert build_index([DocumentRow(row.document, by_words(["milk"])[0])], to).changed == 1
    np.testing.assert_allclose(scan(_opened(to).vectors(["a"]), unit_rows(by_words(["milk"]))), 1, atol=1e-6)


def test_vectors_come_with_all_rows_or_with_none(to: str, embedder: Fingerprinted) -> None:
    with_vector, without = (
        DocumentRow(Document("a", "tea"), by_words(["tea"])[0]),
        DocumentRow(Document("b", "milk")),
    )
    with pytest.raises(ArgumentError, match="document 'b': has no vector, and others do"):
        build_index([with_vector, without], to)
    with pytest.raises(ArgumentError, match="document 'a': has a vector, others do not"):
        build_index([without, with_vector], to, embedder=embedder)
    with pytest.raises(EngineError, match="its vectors have dimension 64, not 3"):
        build_index([with_vector, DocumentRow(Document("c", "x"), np.ones(3, np.float32))], to)


def test_a_function_is_known_by_its_name(to: str) -> None:
    build_index(["tea"], to, embedder=by_words)
    with pytest.raises(EngineError, match=r"were made by by_words, not by .*<lambda>; use the same"):
        build_index(["milk"], to, embedder=lambda texts: by_words(texts))


def test_a_path_of_python_is_a_spec_and_a_text_is_not_many_documents(tmp_path: Path) -> None:
    build_index(["tea"], tmp_path / "x.lance", embedder=by_words)
    assert Searcher(tmp_path / "x.lance", embedder=by_words).search("tea")[0].text == "tea"
    with pytest.raises(ArgumentError, match=r"or read a file with esens\.read_documents"):
        build_index("docs.jsonl", tmp_path / "y.lance")


def test_a_first_passage_goes_last(to: str, embedder: Fingerprinted) -> None:
    build_index([Document("a", _long(40))], to, embedder=embedder, words=50, overlap=0)
    index = _opened(to)
    asked: list[list[str]] = []
    delete_documents(type("Index", (), {"documents": index.documents, "delete": asked.append})(), ["a"])
    assert asked[0][-1] == "a#1"


def test_every_document_is_embedded_once(to: str, embedder: Fingerprinted) -> None:
    texts = [f"document number {i}" for i in range(BATCH + 5)]
    build_index(texts, to, embedder=embedder)
    assert sorted(embedder.documents) == sorted(texts)


def test_an_embedder_that_says_its_dimension_needs_the_index_opened_once(
    to: str, embedder: Fingerprinted, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_index(["tea"], to, embedder=embedder)
    embedder.dimension = DIMENSION  # type: ignore[attr-defined]
    monkeypatch.setattr("esens.indexing.writer.open_index", None)  # calling it would fail
    assert _counts(build_index(["tea", "milk"], to, embedder=embedder)) == (1, 0, 1, 0)
    assert embedder.documents == ["tea", "milk"]


def test_a_dimension_that_is_not_the_vectors_is_an_error(to: str, embedder: Fingerprinted) -> None:
    embedder.dimension = DIMENSION + 1  # type: ignore[attr-defined]
    with pytest.raises(EngineError, match=f"have dimension {DIMENSION + 1}, not {DIMENSION}"):
        build_index(["tea"], to, embedder=embedder)


def test_long_texts_are_named_once_for_the_whole_run(to: str, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model", settings={"sentence_bert_config.json": {"max_seq_length": 4}})
    docs = [{"id": f"d{i}", "text": "tea milk rum" if i < 5 else "tea"} for i in range(BATCH + 5)]
    docs.append({"id": "last", "text": "rum milk tea"})
    with pytest.warns(TruncatedTextWarning) as heard:
        build_index(docs, to, embedder=f"onnx:{folder}")
    (warning,) = heard
    assert str(warning.message).startswith(
        "6 of 1,030 texts are longer than the 4 tokens that the model reads: d0, d1"
    )


def test_the_report_prints_as_a_line(to: str, embedder: Fingerprinted) -> None:
    assert str(build_index(["tea"], to, embedder=embedder)) == "1 document or passage (1 added), embedded by words"
    done = build_index(["tea", "milk"], to, embedder=embedder)
    assert str(done) == "2 documents or passages (1 added, 1 unchanged), embedded by words"


def test_a_document_cannot_remove_or_impersonate_another(to: str, embedder: Fingerprinted) -> None:
    build_index([{"id": "bank", "text": "call us at 1"}], to, embedder=embedder)
    forged = {"id": "bank#1", "text": "call us at 2", "passage_of": "bank", "passage": 1, "passages": 1}
    done = build_index([forged], to, embedder=embedder)
    assert _counts(done) == (1, 0, 0, 0)
    results = Searcher(to, embedder=embedder).search("call us", k=5)
    assert {hit.id: hit.text for hit in results} == {"bank": "call us at 1", "bank#1": "call us at 2"}
    own = {"passage_of": "bank", "passage": 1, "passages": 1}
    assert _opened(to).documents(["bank#1"])["bank#1"].metadata == own
    assert build_index([forged], to, embedder=embedder).unchanged == 1
    assert Searcher(to, embedder=embedder).search("call us", where={"passage_of": "bank"}).ids == ("bank#1",)
    assert delete_documents(_opened(to), ["bank"]) == ["bank"]
    assert list(_opened(to).documents(["bank", "bank#1"])) == ["bank#1"]


def test_nor_in_memory_or_by_adding() -> None:
    forged = {"id": "bank#1", "text": "call us at 2", "passage_of": "bank", "passage": 1, "passages": 1}
    searcher = Searcher.from_documents([{"id": "bank", "text": "call us at 1"}, forged], embedder=by_words)
    assert sorted(searcher.search("call us").ids) == ["bank", "bank#1"]
    searcher.add([forged])
    assert sorted(searcher.search("call us").ids) == ["bank", "bank#1"]


def test_passages_of_a_row_with_such_fields_keep_them(to: str, embedder: Fingerprinted) -> None:
    own = {"passage_of": "the river", "passage": 7, "passages": ["x"], "esens:passage": {"of": "bank"}}
    build_index([{"id": "a", "text": _long(40), **own}], to, embedder=embedder, words=50, overlap=0)
    (hit,) = Searcher(to, embedder=embedder).search("tea", k=9)
    assert (hit.id, hit.metadata) == ("a", own)
    assert hit.document.passage is not None
    assert hit.document.passage.of == "a"


def test_passages_that_an_earlier_version_wrote_are_still_passages(to: str, embedder: Fingerprinted) -> None:
    build_index([Document("a", _long(40))], to, embedder=embedder, words=50, overlap=0)
    table = lance.dataset(Path(to) / "documents.lance")
    total = len(_opened(to))
    for number in range(1, total + 1):  # as they were marked before
        marked = {"passage_of": "a", "passage": number, "passages": total}
        table.update({"metadata": f"'{json.dumps(marked)}'", "checksum": "NULL"}, where=f"id = 'a#{number}'")
    assert _opened(to).documents(["a#2"])["a#2"].passage == Passage("a", 2, total)
    assert Searcher(to, embedder=embedder).search("tea").ids == ("a",)
    assert build_index([Document("a", _long(40))], to, embedder=embedder, words=50, overlap=0).unchanged == total
    assert delete_documents(_opened(to), ["a"]) == ["a"]
    assert len(_opened(to)) == 0


def test_a_disk_that_gets_full_leaves_what_was_written_and_says_so(
    to: str, embedder: Fingerprinted, monkeypatch: pytest.MonkeyPatch
) -> None:
    from esens.index.lance.index import LanceIndex

    upsert, calls = LanceIndex.upsert, iter(range(9))

    def full_at_the_third(index: LanceIndex, *batch: object) -> None:
        if next(calls) == 2:
            raise EngineError(to, "nothing was written; the disk is full: make room and try again")
        upsert(index, *batch)  # type: ignore[arg-type]

    texts = [f"document number {number}" for number in range(3 * BATCH)]
    with monkeypatch.context() as patch:
        patch.setattr("esens.indexing.writer.LARGEST_BATCH", BATCH)
        patch.setattr(LanceIndex, "upsert", full_at_the_third)
        with pytest.raises(EngineError) as raised:
            build_index(texts, to, embedder=embedder)
    assert str(raised.value) == (
        f"{to}: nothing was written; the disk is full: make room and try again. This is of the last batch: the "
        f"{2 * BATCH:,} documents and passages before it are in the index, and the same again goes on from there"
    )
    assert _counts(build_index(texts, to, embedder=embedder)) == (BATCH, 0, 2 * BATCH, 0)


def test_a_batch_is_written_while_the_next_is_embedded(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from esens.index.lance.index import LanceIndex

    upsert, is_writing, is_embedding = LanceIndex.upsert, Event(), Event()

    def write(index: LanceIndex, *batch: object) -> None:
        is_writing.set()
        assert is_embedding.wait(20)
        upsert(index, *batch)  # type: ignore[arg-type]

    class Waiting(Fingerprinted):
        def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
            if len(self.documents) >= BATCH:
                assert is_writing.wait(20)
                is_embedding.set()
            return super().embed_documents(texts)

    monkeypatch.setattr(LanceIndex, "upsert", write)
    assert build_index([f"document {n}" for n in range(BATCH + 5)], to, embedder=Waiting()).count == BATCH + 5


def test_an_index_is_never_asked_by_two_threads_at_once(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from esens.index.lance.index import LanceIndex

    using = RLock()
    for name in ("upsert", "documents", "delete", "vectors", "optimise"):
        method = getattr(LanceIndex, name)

        def alone(*arguments: object, method: object = method) -> object:
            assert using.acquire(blocking=False)
            try:
                return method(*arguments)  # type: ignore[operator]
            finally:
                using.release()

        monkeypatch.setattr(LanceIndex, name, alone)
    _set_batches(monkeypatch, 40, 40)
    texts = [Document(f"d{n}", f"document {n}") for n in range(200)]
    assert build_index(texts, to, embedder=Fingerprinted()).count == 200
    again = [Document(f"d{n}", f"document {n}", metadata={"n": n}) for n in range(200)]
    assert build_index(again, to, embedder=Fingerprinted()).changed == 200


def _set_batches(monkeypatch: pytest.MonkeyPatch, first: int, largest: int) -> None:
    monkeypatch.setattr("esens.indexing.writer.BATCH", first)
    monkeypatch.setattr("esens.indexing.writer.LARGEST_BATCH", largest)


def test_what_was_embedded_is_written_where_reading_fails_afterwards(to: str, embedder: Fingerprinted) -> None:
    def documents() -> Iterator[str]:
        yield from (f"document {n}" for n in range(BATCH))
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        build_index(documents(), to, embedder=embedder)
    assert len(open_writable(to)) == BATCH


def test_an_id_that_is_a_passages_of_the_batch_before_is_refused(to: str, embedder: Fingerprinted) -> None:
    documents = [Document("a", _long(40)), *(Document(f"d{n}", "tea") for n in range(BATCH)), Document("a#2", "x")]
    with pytest.raises(ArgumentError, match="that of a passage of 'a'"):
        build_index(documents, to, embedder=embedder, words=50, overlap=0)


@pytest.mark.parametrize("largest", [100, 400])
@pytest.mark.parametrize("callers", [1, 2, 4])
def test_an_index_holds_the_same_whatever_the_number_of_threads_and_the_size_of_a_batch(
    to: str, callers: int, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Uneven(Fingerprinted):
        """Takes longer for some parts, so that they are not done in the order in which they began."""

        has_many_callers = True

        def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
            time.sleep(0.004 * (len(texts[0]) % 3))
            return super().embed_documents(texts)

    monkeypatch.setattr("esens.embed.corpus.cores", lambda: callers)
    monkeypatch.setattr("esens.embed.corpus._EMBEDDED_AT_ONCE", 16)
    _set_batches(monkeypatch, 100, largest)
    documents = [Document(f"d{n}", f"tea {'milk ' * (n % 3)}{n}") for n in range(777)]
    build_index(documents, to, embedder=Uneven())
    index, ids = open_writable(to), [document.id for document in documents]
    stored = index.documents(ids)
    assert [stored[id_] for id_ in ids] == documents
    rows = index.vectors(ids)
    assert np.array_equal(rows, unit_rows(by_words([document.content for document in documents])))
    assert [one.id for one in index.nearest(rows[:1] * 0, 10)[0].documents] == ids[:10]
