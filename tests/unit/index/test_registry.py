"""Which class is behind a spec; an engine of another package joins by an entry point."""

import subprocess
import sys
from pathlib import Path

import pytest

from esens.errors import ArgumentError, EngineError
from esens.index import open_writable, prepare_index

ENGINE = '''
import numpy as np

from esens.index import BaseIndex, MemoryIndex
from esens.index.base import Neighbours
from esens.index.ranges import Sample


class ShelfIndex(BaseIndex):
    """An engine that only searches: two documents, whatever the spec says."""

    dimension = 2

    @classmethod
    def open(cls, uri):
        uri.check_options(("shelf",))
        index = cls(uri)
        index._rows = MemoryIndex([f"on {uri.option('shelf')}", "elsewhere"], np.eye(2))
        return index

    def query(self, probes, k, where, *, with_vectors):
        return self._rows.nearest(probes, k, where=where, with_vectors=with_vectors)

    def draw_sample(self, where, size):
        return Sample(np.eye(2, dtype=np.float32), 2)
'''
PROGRAM = """
import numpy as np, sys
sys.path.insert(0, {folder!r})
from esens.errors import EngineError, UnknownSpecError
from esens.index import is_index, open_index, prepare_index

assert is_index("shelf:anything") and not is_index("ledge:anything")
with open_index("shelf:anything?shelf=top") as index:
    assert repr(index) == "ShelfIndex('shelf:anything?shelf=top')"
    (near,) = index.nearest([[2.0, 1.0]], 5, with_vectors=True)
    assert [document.text for document in near.documents] == ["on top", "elsewhere"]
    assert index.score_ranges([[2.0, 1.0]])[0].is_exact
for change in (lambda: prepare_index("shelf:anything", dimension=2), lambda: open_index("ledge:x")):
    try:
        change()
    except (EngineError, UnknownSpecError) as error:
        print(error)
"""


def test_an_engine_of_another_package_joins_by_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "shelf.py").write_text(ENGINE)
    facts = tmp_path / "shelf-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: shelf\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[esens.indexes]\nshelf = shelf:ShelfIndex\n")
    program = [sys.executable, "-c", PROGRAM.format(folder=str(tmp_path))]
    run = subprocess.run(program, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    read_only, unknown = run.stdout.splitlines()
    assert "esens only searches this engine" in read_only
    assert "FOLDER.lance" in unknown
    assert "shelf:…" in unknown


def test_what_esens_only_reads_is_not_opened_to_be_written(tmp_path: Path) -> None:
    faiss = pytest.importorskip("faiss")
    faiss.write_index(faiss.IndexFlatIP(2), str(tmp_path / "v"))
    (tmp_path / "d.jsonl").write_text("")
    spec = f"faiss:{tmp_path / 'v'}?documents={tmp_path / 'd.jsonl'}"
    with pytest.raises(ArgumentError, match="cannot be written to"):
        open_writable(spec)
    with pytest.raises(EngineError, match="only"):
        prepare_index(spec, dimension=2)
