"""An index on the command line: made, searched, brought up to date, and what goes wrong."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from esens.cli.main import main

pytest.importorskip("lance", reason="the index on disk needs the extra lance")

DOCUMENTS = [
    {
        "id": "espresso",
        "title": "Espresso",
        "text": "Espresso forces hot water through ground coffee.",
        "year": 1901,
    },
    {"id": "filter", "title": "Filter", "text": "Filter coffee drips through a paper cone.", "year": 1908},
    {"id": "press", "title": "Press", "text": "A French press steeps coarse coffee grounds.", "year": 1929},
    {"id": "tea", "title": "Tea", "text": "Green tea leaves are steamed.", "year": 700},
]
QUERY = "ways of making coffee, excluding espresso"


@pytest.fixture
def docs(tmp_path: Path) -> str:
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    return str(path)


@pytest.fixture
def index(docs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    to = str(tmp_path / "my.lance")
    assert main(["index", docs, "--to", to]) == 0
    assert capsys.readouterr().out == f"{to}: 4 documents or passages (4 added), embedded by minilm:int8\n"
    return to


def _found(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [hit["id"] for hit in json.loads(capsys.readouterr().out)["hits"]]


def test_an_index_is_searched_as_its_file_is(index: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", docs, QUERY, "--json", "-k", "4"]) == 0
    of_file = capsys.readouterr().out
    assert main(["search", index, QUERY, "--json", "-k", "4"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(of_file)


def test_a_condition_leaves_what_fulfils_it(index: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    for source in (index, docs):
        assert main(["search", source, "coffee", "--json", "--where", "year>=1905", "--where", "year<1920"]) == 0
        assert _found(capsys) == ["filter"]


def test_a_bad_condition_is_said(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", index, "coffee", "--where", "year"]) == 2
    assert "where: 'year' is no condition; write FIELD=VALUE" in capsys.readouterr().err


def test_a_group_of_conditions_is_written_as_json(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    where = '{"or": ["year<1000", {"year": {">=": 1929}}]}'
    assert main(["search", index, "coffee", "--json", "--where", where]) == 0
    assert sorted(_found(capsys)) == ["press", "tea"]
    assert main(["search", index, "coffee", "--where", "year<1000 or year>=1929"]) == 2
    assert (
        """--where: 'year<1000 or year>=1929' is more than one condition; write {"or": ["""
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("command", ["index", "delete"])
def test_what_is_only_read_is_no_target(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    out = capsys.readouterr().out
    assert "FOLDER.lance" in out
    assert "faiss" not in out
    assert "usearch" not in out


@pytest.mark.parametrize("scheme", ["faiss", "usearch"])
def test_files_that_are_only_read_say_so(scheme: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(scheme)
    assert main(["delete", f"{scheme}:foo", "r1"]) == 2
    assert f"INDEX: {scheme}:foo is only read and cannot be written to; change it with" in capsys.readouterr().err
    assert main(["index", docs, "--to", f"{scheme}:foo"]) == 6
    assert f"esens searches files of {scheme} and does not write them" in capsys.readouterr().err


def test_a_second_run_does_nothing(index: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", docs, "--to", index]) == 0
    assert "4 documents or passages (4 unchanged)" in capsys.readouterr().out


def test_documents_are_removed(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["delete", index, "tea", "nobody"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{index}: 1 of 2 documents removed\n"
    assert err == "esens: not there: nobody\n"
    assert main(["delete", index, "press"]) == 0
    assert capsys.readouterr().out == f"{index}: 1 of 1 document removed\n"
    assert main(["search", index, "tea", "--json"]) == 0
    assert "tea" not in _found(capsys)


def test_another_embedder_is_an_error(index: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("wordllama")
    assert main(["search", index, "tea", "--embedder", "wordllama"]) == 2
    assert "was made with minilm:int8" in capsys.readouterr().err
    assert main(["index", docs, "--to", index, "--embedder", "wordllama"]) == 6
    assert "minilm:int8" in capsys.readouterr().err


def test_bad_rows_are_fatal_or_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs, to = tmp_path / "docs.jsonl", str(tmp_path / "my.lance")
    docs.write_text('{"text": "tea"}\nnot json\n{"text": "milk"}\n')
    assert main(["index", str(docs), "--to", to]) == 3
    assert "docs.jsonl, line 2: is not JSON" in capsys.readouterr().err
    assert not Path(to).exists()
    assert main(["index", str(docs), "--to", to, "--skip-bad"]) == 0
    out, err = capsys.readouterr()
    assert "2 documents or passages (2 added)" in out
    assert "docs.jsonl, line 2" in err
    assert "skipped 1 bad of 3 rows" in err


def test_long_documents_are_split_unless_somebody_says_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea\n\n" + "Tea is a drink that many people like. " * 20)
    for words, expected in (("0", "1 document or passage ("), ("50", "4 documents or passages (")):
        to = str(tmp_path / f"{words}.lance")
        assert main(["index", str(folder), "--to", to, "--passage-words", words, "--passage-overlap", "0"]) == 0
        assert expected in capsys.readouterr().out
        assert main(["search", to, "tea", "--json"]) == 0
        assert _found(capsys) == ["tea.md"]


@pytest.mark.parametrize("to", ["docs.csv", "mysql://me:secret@db/docs", ""])
def test_what_is_no_index_lists_what_is(docs: str, to: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", docs, "--to", to]) == 2
    err = capsys.readouterr().err
    assert "FOLDER.lance" in err
    assert "secret" not in err


def test_an_index_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", str(tmp_path / "no.lance"), "tea"]) == 6
    assert "no.lance" in capsys.readouterr().err
    assert main(["delete", str(tmp_path / "no.lance"), "tea"]) == 6


def test_options_of_files_are_not_those_of_an_index(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", index, "tea", "--text-field", "body"]) == 2
    assert "--text-field: is for files of documents; an index knows its own" in capsys.readouterr().err


def test_files_without_ids_do_not_take_each_others_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a/docs.txt", "b/docs.txt"):
        Path(name).parent.mkdir()
        Path(name).write_text(f"tea of {name}\nmilk of {name}\n")
        assert main(["index", name, "--to", "my.lance"]) == 0
    Path("a/docs.txt").write_text("coffee of a\nmilk of a/docs.txt\n")
    capsys.readouterr()
    assert main(["index", "./a/docs.txt", "--to", "my.lance"]) == 0
    assert "4 documents or passages (1 changed, 1 unchanged)" in capsys.readouterr().out
    assert main(["search", "my.lance", "tea", "--json"]) == 0
    assert sorted(_found(capsys)) == ["a/docs.txt:0", "a/docs.txt:1", "b/docs.txt:0", "b/docs.txt:1"]


def test_lines_of_standard_input_do_not_take_each_others_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    to = str(tmp_path / "my.lance")
    for lines, expected in (
        ("tea\nmilk\n", "2 documents or passages (2 added)"),
        ("rum\n", "3 documents or passages (1 added)"),
        ("rum\ntea\ntea\n", "3 documents or passages (2 unchanged)"),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        assert main(["index", "-", "--to", to]) == 0
        assert expected in capsys.readouterr().out


def test_numbers_of_a_csv_file_are_compared_as_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    csv, to = tmp_path / "c.csv", str(tmp_path / "my.lance")
    csv.write_text(
        "id,text,year,code,price,serial\n1,tea,1999,007,0.5,1e3\n2,milk,2005,012,19.90,0.12345678901234567\n"
    )
    assert main(["index", str(csv), "--to", to]) == 0
    capsys.readouterr()
    for condition, found in (
        ("year>=2000", ["2"]),
        ('code="007"', ["1"]),
        ("price<1", ["1"]),
        ("price=19.9", ["2"]),
        ('serial="1e3"', ["1"]),
        ('serial="0.12345678901234567"', ["2"]),
    ):
        assert main(["search", to, "tea", "--json", "--where", condition]) == 0
        assert _found(capsys) == found


def test_a_page_is_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "tea.md"
    page.write_text("# Tea\n\nA drink.\n\nMade of leaves.\n")
    assert main(["search", str(page), "tea", "--json"]) == 0
    assert _found(capsys) == ["tea.md"]


@pytest.mark.parametrize("spec", ["mysql://me:hunter2@db/x", "postgresq://me:hunter2@db/x?table=t"])
def test_a_mistyped_index_is_said_without_its_password(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", spec, "tea"]) == 2
    err = capsys.readouterr().err
    assert "unknown spec" in err
    assert "postgresql://" in err
    assert "hunter2" not in err


def test_a_sound_index_is_said_to_be_so(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", index]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first == f"{index}: 4 documents or passages, dimension 384, embedded by minilm:int8"
    assert others[0] == "checked: 4 documents by their checksums"
    assert main(["check", index, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["sound"], report["documents"], report["problems"]) == (True, 4, [])


def test_damage_is_named_and_mended(index: str, docs: str, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = (Path(index) / "documents.lance" / "data").iterdir()
    path.write_bytes(path.read_bytes().replace(b"paper cone", b"paper bone"))
    assert main(["search", index, "coffee"]) == 6
    assert "document 'filter' is not what was written" in capsys.readouterr().err
    assert main(["check", index]) == 6
    said = capsys.readouterr()
    assert "wrong: 1 documents are not what was written: 'filter'; esens check --repair" in said.out
    assert "things wrong with it, listed above" in said.err
    assert main(["check", index, "--json"]) == 6
    assert json.loads(capsys.readouterr().out)["problems"][0]["documents"] == ["filter"]
    assert main(["check", index, "--repair"]) == 0
    assert "repaired: 1 documents were removed: 'filter'; esens index writes them anew" in capsys.readouterr().out
    assert main(["index", docs, "--to", index]) == 0
    assert "4 documents or passages (1 added, 3 unchanged)" in capsys.readouterr().out
    assert main(["check", index]) == 0


def test_what_cannot_be_checked_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "absent.lance")]) == 6
    assert "there is no such folder" in capsys.readouterr().err
    assert main(["check", "docs.jsonl"]) == 2
    assert "unknown spec" in capsys.readouterr().err


def test_a_command_over_an_index_in_a_folder_does_without_pandas(index: str) -> None:
    pytest.importorskip("pandas", reason="where it is not installed nobody imports it")
    command = [sys.executable, "-X", "importtime", "-m", "esens.cli.main", "search", index, QUERY, "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert json.loads(done.stdout)["hits"]
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "lance" in imported
    assert "pandas.core.frame" not in imported


def test_whoever_wants_pandas_afterwards_has_it() -> None:
    pytest.importorskip("pandas", reason="it is not installed")
    script = (
        "import argparse, sys\n"
        "from esens.cli.lean_imports import import_engine\n"
        "import_engine(argparse.Namespace(source='my.lance'))\n"
        "assert 'lance' in sys.modules and 'pandas' not in sys.modules\n"
        "import pyarrow\n"
        "print(len(pyarrow.table({'a': [1, 2]}).to_pandas()), len(sys.modules['pandas'].DataFrame({'a': [1]})))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "2 1\n"


@pytest.mark.parametrize("over_index", [False, True])
def test_a_typed_value_is_a_number_and_a_text(
    over_index: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    years = {"number": 2020, "text": "2020", "other": "2019"}
    rows = [{"id": name, "text": f"tea {name}", "year": year} for name, year in years.items()]
    source = str(tmp_path / "teas.jsonl")
    Path(source).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    if over_index:
        to = str(tmp_path / "teas.lance")
        assert main(["index", source, "--to", to]) == 0
        source = to
    for option, condition, found in (
        ("--where", "year=2020", ["number", "text"]),
        ("--where", "year='2020'", ["text"]),
        ("--where", "year!=2020", ["other"]),
        ("--exclude-where", "year=2020", ["other"]),
        ("--exclude-where", "year in 2019,2020", []),
    ):
        capsys.readouterr()
        assert main(["search", source, "tea", "--json", option, condition]) == 0
        assert sorted(_found(capsys)) == found
    assert main(["search", source, "tea", "--exclude-where", "year=2020"]) == 0
    assert "excluded year = 2020\n" in capsys.readouterr().out
