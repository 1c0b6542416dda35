"""``--hybrid`` on the command line: over a file of documents and over the indexes that search by words."""

import json
import sys
from pathlib import Path

import pytest

from esens.cli.main import main

pytest.importorskip("bm25s", reason="words in memory need the extra hybrid")
pytest.importorskip("lance", reason="the index on disk needs the extra lance")
pytest.importorskip("qdrant_client", reason="collections of Qdrant need the extra qdrant")

GEAR = {
    "tent": "A light tent of nylon. Part TX-2241.",
    "bag": "A sleeping bag that is filled with goose down.",
    "vegan": "A sleeping bag of polyester, no down in it.",
    "blanket": "A blanket of merino wool.",
    "pegs": "Ten pegs of aluminium, which fit TX-2241.",
}
SPECS = ("docs.jsonl", "my.lance", "large.lance?search=approximate", "qdrant:q?collection=docs")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"id": id_, "text": text}) for id_, text in GEAR.items()]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
@pytest.mark.parametrize("spec", SPECS)
def test_every_index_searches_by_words(spec: str, fusion: str, capsys: pytest.CaptureFixture[str]) -> None:
    if spec != "docs.jsonl":
        assert main(["index", "docs.jsonl", "--to", spec]) == 0
        capsys.readouterr()

    def found(query: str, *options: str) -> list[str]:
        assert main(["search", spec, query, "--json", "--hybrid", "--fusion", fusion, *options]) == 0
        return [hit["id"] for hit in json.loads(capsys.readouterr().out)["hits"]]

    assert set(found("TX-2241", "-k", "2")) == {"tent", "pegs"}
    by_words = found("sleeping bag without down", "--word-share", "1", "--mode", "hard")
    assert by_words[0] == "vegan"
    assert "bag" not in by_words


@pytest.mark.usefixtures("folder")
def test_an_engine_that_ranks_words_itself_needs_no_library_of_ours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = "qdrant:q?collection=docs"
    assert main(["index", "docs.jsonl", "--to", spec]) == 0
    monkeypatch.setitem(sys.modules, "bm25s", None)
    assert main(["search", spec, "TX-2241", "--hybrid"]) == 0
    assert "pegs" in capsys.readouterr().out
    assert main(["search", "docs.jsonl", "TX-2241", "--hybrid"]) == 4
    assert 'pip install "esens[hybrid]"' in capsys.readouterr().err
