import pytest

from esens.errors import ArgumentError, UnknownSpecError
from esens.index import is_index, open_index
from esens.index.uri import IndexURI


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("my.lance", ("", "", "my.lance")),
        ("./a folder/my.lance", ("", "", "./a folder/my.lance")),
        ("C:\\\\my.lance", ("", "", "C:\\\\my.lance")),
        ("faiss:/x/y.index?documents=d.jsonl", ("faiss", "", "/x/y.index")),
        ("qdrant://h:6333/c", ("qdrant", "h:6333", "c")),
        ("postgresql://u:p@[::1]:5432/my%20db?table=t", ("postgresql", "u:p@[::1]:5432", "my db")),
    ],
)
def test_a_spec_is_read(spec: str, parts: tuple[str, str, str]) -> None:
    address = IndexURI.parse(spec)
    assert (address.scheme, address.server, address.path) == parts


@pytest.mark.parametrize(
    "spec",
    [
        "postgresql://me:hunter2@db/shop?table=docs",
        "milvus://root:hunter2@host:19530/docs?x=1",
        "qdrant://host/docs?api_key=hunter2&vector=v",
        "qdrant://host/docs?api-key=hunter2&vector=v",
        "postgresql://db/shop?pass%77ord=hunter2",
        "milvus+https://hunter2@host/docs?x=1",
        "postgresql://db/shop?table=docs&password=hunter2",
        "postgresql://me:hun%40ter2@db/shop?table=docs",
    ],
)
def test_a_password_never_shows(spec: str) -> None:
    address = IndexURI.parse(spec)
    assert "ter2" not in f"{address} {address!r}"
    with pytest.raises(ArgumentError) as raised:
        address.check_options(())
    assert "ter2" not in str(raised.value)


@pytest.mark.parametrize("sign", "?#")
def test_a_password_that_would_be_torn_apart_is_refused_unseen(sign: str) -> None:
    with pytest.raises(ArgumentError, match=r"\? or # in a user's name or password as %3F or %23") as raised:
        IndexURI.parse(f"postgresql://me:hun{sign}ter2@db/shop?table=docs")
    assert "ter2" not in str(raised.value)


@pytest.mark.parametrize(
    "spec", ["milvus://root:hunter2/x@host:1/docs", "postgresql://me:hun/ter2:x@ter2@db/shop?table=docs"]
)
def test_a_password_with_a_slash_is_refused_unseen(spec: str) -> None:
    with pytest.raises(ArgumentError, match=r":\*\*\*@.*a / in a user's name or password as %2F") as raised:
        IndexURI.parse(spec)
    assert "ter2" not in str(raised.value)


def test_what_is_no_address_is_said_unseen() -> None:
    with pytest.raises(ArgumentError, match="%3F"):
        IndexURI.parse("milvus://me:a/b?c@host/docs")
    with pytest.raises(ArgumentError, match="is no address") as raised:
        IndexURI.parse("postgresql://me:hunter2@[bad/shop?table=docs")
    assert "ter2" not in str(raised.value)


def test_a_plus_is_a_plus() -> None:
    assert IndexURI.parse("faiss:c++/x?documents=c++/d.jsonl").options == {"documents": "c++/d.jsonl"}


def test_an_index_is_told_from_a_file_of_documents() -> None:
    for spec in ("my.lance", "my.lance/", "postgresql://db/x?table=t", "qdrant://h/c", "milvus:f.db", "faiss:x"):
        assert is_index(spec)
    for spec in ("docs.jsonl", "-", "folder", "http://x/y", "C:\\\\docs.csv"):
        assert not is_index(spec)


def test_an_unknown_spec_lists_the_valid_ones() -> None:
    with pytest.raises(UnknownSpecError, match=r"mysql://me:\*\*\*@db/x.*FOLDER\.lance.*postgresql"):
        open_index("mysql://me:secret@db/x")
