"""Parquet as people have it."""

import datetime
import decimal
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import esens
from esens import Document
from esens.errors import ArgumentError, InputError, MissingExtraError
from esens.ingest import Fields, read_rows

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def _written(path: Path, **columns: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.table(columns), path)
    return path


def test_rows_are_documents_and_values_plain(tmp_path: Path) -> None:
    noon = datetime.datetime(2024, 5, 1, 12, 0, 0, 7)
    nanoseconds = 1_714_564_800_000_007_999  # Python counts no further than microseconds
    path = _written(
        tmp_path / "a.parquet",
        id=[7],
        title=["T"],
        text=["x"],
        nested=[{"tags": ["a", "b"], "n": 1}],
        price=[decimal.Decimal("1.50")],
        day=[datetime.date(2024, 5, 1)],
        noon=pa.array([nanoseconds], pa.timestamp("ns")),
        time=pa.array([1500], pa.time64("ns")),
        lasted=pa.array([2000], pa.duration("ns")),
        colour=pa.array(["red"]).dictionary_encode(),
        nothing=[None],
    )
    (document,) = esens.read_documents(path)
    assert document == Document(
        "7",
        "x",
        "T",
        {
            "nested": {"tags": ["a", "b"], "n": 1},
            "price": decimal.Decimal("1.50"),
            "day": datetime.date(2024, 5, 1),
            "noon": noon,
            "time": datetime.time(microsecond=1),
            "lasted": datetime.timedelta(microseconds=2),
            "colour": "red",
            "nothing": None,
        },
    )
    assert type(document.metadata["noon"]) is datetime.datetime


def test_bad_rows_have_their_number(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.parquet", key=["a", "b", None, "a", "c"], body=["x", None, "y", "z", "last"])
    bad: list[InputError] = []
    rows = read_rows(path, fields=Fields(id="key", text="body"), on_bad="skip", report=bad.append)
    assert [row.document.text for row in rows] == ["x", "last"]
    assert [str(error) for error in bad] == [
        f"{path}, row 2: needs a string under 'body', got None",
        f"{path}, row 3: needs an id under 'key', which is empty",
        f"{path}, row 4: id 'a' stands in row 1 of {path} already; ids must be unique",
    ]
    assert [(error.row, error.line) for error in bad] == [(2, None), (3, None), (4, None)]
    with pytest.raises(InputError, match="row 1: has no field 'words'; its fields are: key, body"):
        list(read_rows(path, fields=Fields(text="words")))


def test_a_text_that_is_not_utf8_is_a_bad_row(tmp_path: Path) -> None:
    column = pa.array([b"x", b"caf\xe9", b"z"], pa.binary()).cast(pa.string(), safe=False)
    bad: list[InputError] = []
    rows = read_rows(_written(tmp_path / "a.parquet", text=column), on_bad="skip", report=bad.append)
    assert [row.document.text for row in rows] == ["x", "z"]
    assert [error.row for error in bad] == [2]


@pytest.mark.parametrize(
    "kind",
    [
        pa.list_(pa.float32()),
        pa.list_(pa.float64()),
        pa.list_(pa.float32(), 2),
        pa.large_list(pa.float16()),
        pa.list_(pa.int8()),
    ],
    ids=str,
)
def test_a_column_of_lists_may_hold_the_vector(tmp_path: Path, kind: object) -> None:
    path = _written(tmp_path / "a.parquet", text=["x", "y", "z"], v=pa.array([[1, 2], None, [3, 4]], kind))
    bad: list[InputError] = []
    rows = list(read_rows(path, fields=Fields(vector="v"), on_bad="skip", report=bad.append))
    assert [row.vector.tolist() for row in rows if row.vector is not None] == [[1, 2], [3, 4]]
    assert all(row.vector is not None and row.vector.dtype == np.float32 for row in rows)
    assert [row.document.metadata for row in rows] == [{}, {}]
    assert [str(error) for error in bad] == [f"{path}, row 2: needs a list of numbers under 'v', got None"]


def test_bad_vectors(tmp_path: Path) -> None:
    column = pa.array([[1, 2], [1], [1, None], [1, float("inf")]], pa.list_(pa.float32()))
    bad: list[InputError] = []
    path = _written(tmp_path / "a.parquet", text=list("abcd"), v=column)
    assert len(list(read_rows(path, fields=Fields(vector="v"), on_bad="skip", report=bad.append))) == 1
    assert [error.row for error in bad] == [2, 3, 4]
    path = _written(tmp_path / "b.parquet", text=["x"], v=[["1", "2"]])
    with pytest.raises(InputError, match="needs a list of numbers under 'v'"):
        list(read_rows(path, fields=Fields(vector="v")))
    path = _written(tmp_path / "c.parquet", text=["x"], v=[{"values": 1}])
    with pytest.raises(InputError, match="needs a list of numbers under 'v'"):
        list(read_rows(path, fields=Fields(vector="v")))


def test_a_tensor_of_an_extension_is_a_vector(tmp_path: Path) -> None:
    storage = pa.array([[1, 2]], pa.list_(pa.float32(), 2))
    tensor = pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.float32(), [2]), storage)
    (row,) = read_rows(_written(tmp_path / "a.parquet", text=["x"], v=tensor), fields=Fields(vector="v"))
    assert row.vector is not None
    assert row.vector.tolist() == [1, 2]


def test_a_folder_as_spark_writes_it(tmp_path: Path) -> None:
    _written(tmp_path / "part-1.parquet", id=[3], text=["z"])
    _written(tmp_path / "part-0.parquet", id=[1, 2], text=["x", "y"])
    _written(tmp_path / "_temporary" / "part-0.parquet", id=[4], text=["not finished"])
    for name in ("_SUCCESS", ".part-0.parquet.crc", "log.csv"):
        (tmp_path / name).write_bytes(b"x")
    rows = read_rows(tmp_path)
    assert [(row.document.text, rows.fraction) for row in rows] == [("x", 0.25), ("y", 0.5), ("z", 1)]
    assert rows.ignored == 1


def test_in_a_folder_a_broken_file_is_skipped_and_ids_are_unique(tmp_path: Path) -> None:
    first = _written(tmp_path / "a.parquet", id=[1], text=["x"])
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and so on")
    third = _written(tmp_path / "c.parquet", id=[1, 2], text=["again", "y"])
    bad: list[InputError] = []
    rows = read_rows(tmp_path, on_bad="skip", report=bad.append)
    assert [row.document.text for row in rows] == ["x", "y"]
    assert "b.parquet: is not a Parquet file that can be read" in str(bad[0])
    assert str(bad[1]) == f"{third}, row 1: id '1' stands in row 1 of {first} already; ids must be unique"
    with pytest.raises(InputError, match=r"b\.parquet"):
        list(read_rows(tmp_path))


def test_what_is_no_parquet_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"")
    with pytest.raises(InputError, match="is not a Parquet file that can be read"):
        list(read_rows(tmp_path / "a.parquet", on_bad="skip"))
    with pytest.raises(InputError, match=r"nothing\.parquet: No such file or directory$"):
        list(read_rows(tmp_path / "nothing.parquet"))
    with pytest.raises(InputError, match="holds no documents"):
        list(read_rows(_written(tmp_path / "b.parquet", text=pa.array([], pa.string()))))
    with pytest.raises(ArgumentError, match="not read from standard input"):
        read_rows("-", format="parquet")


def test_a_file_that_is_torn_inside_is_said(tmp_path: Path) -> None:
    texts = [f"{np.random.default_rng(i).bytes(30).hex()}" for i in range(2000)]
    path = _written(tmp_path / "a.parquet", text=texts)
    content = bytearray(path.read_bytes())
    content[2000:4000] = b"\xff" * 2000
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a Parquet file that can be read"):
        list(read_rows(path))


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"esens\[parquet\]"):
        read_rows(tmp_path / "a.parquet")


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        texts = [np.random.default_rng(row).bytes(500).hex() for row in range(rows)]
        parquet.write_table(
            pa.table({"text": texts}), tmp_path / "a.parquet", row_group_size=rows
        )  # one large group
        del texts
        highest = 0
        tracemalloc.start()
        for number, _ in enumerate(read_rows(tmp_path / "a.parquet")):
            if number % 100 == 0:
                highest = max(highest, pa.total_allocated_bytes())
        python = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest + python

    small, large = peak(3000), peak(30_000)
    assert (tmp_path / "a.parquet").stat().st_size > 15_000_000
    assert large < small + 4_000_000
