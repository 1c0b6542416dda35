"""A folder of pages: what is read, and what they say."""

import os
from pathlib import Path

import pytest

import esens
from esens import Document
from esens.errors import ArgumentError, InputError
from esens.ingest import Fields, read_rows
from esens.ingest.html import read_html


def _pages(folder: Path, **pages: str | bytes) -> Path:
    for name, content in pages.items():
        stem, _, ending = name.rpartition("_")
        path = folder / f"{stem.replace('__', '/')}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def _one(folder: Path, **page: str | bytes) -> Document:
    (document,) = esens.read_documents(_pages(folder, **page))
    return document


def test_every_page_is_a_document_sorted_by_path(tmp_path: Path) -> None:
    _pages(
        tmp_path, b_txt="B", a__z_md="# Zed\nz", a__b__c_html="<h1>C</h1>c", a_txt="A", tea_HTM="<p>Tea", x_pdf="x"
    )
    _pages(tmp_path, **{"a-b_txt": "A-B"})
    rows = read_rows(tmp_path)
    documents = [row.document for row in rows]
    ids = [document.id for document in documents]
    assert ids == sorted(ids) == ["a-b.txt", "a.txt", "a/b/c.html", "a/z.md", "b.txt", "tea.HTM"]
    assert documents[2] == Document("a/b/c.html", "C\n\nc", "C", {"path": "a/b/c.html"})
    assert [document.title for document in documents] == ["a-b", "a", "C", "Zed", "b", "tea"]
    assert rows.ignored == 1
    assert rows.fraction == 1


def test_hidden_files_links_to_folders_and_pipes_are_left_out(tmp_path: Path) -> None:
    _pages(tmp_path, a_txt="A", sub__b_txt="B")
    _pages(tmp_path, **{".git__x_txt": "x", ".hidden_txt": "x"})
    (tmp_path / "sub" / "round").symlink_to(tmp_path)
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    rows = read_rows(tmp_path)
    assert [row.document.id for row in rows] == ["a.txt", "link.txt", "sub/b.txt"]
    assert rows.ignored == 0


def test_pages_that_cannot_be_read_are_bad(tmp_path: Path) -> None:
    _pages(
        tmp_path, a_txt="A", empty_txt=" \n", latin_txt=b"caf\xe9", bare_html="<title>T</title><script>x</script>"
    )
    _pages(tmp_path, unknown_html=b"<meta charset=klingon><p>x", false_html=b"<meta charset='ascii'><p>caf\xe9")
    _pages(tmp_path, only_md="---\ntitle: T\n---\n")
    (tmp_path / "loop.txt").symlink_to(tmp_path / "loop.txt")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere")
    bad: list[InputError] = []
    rows = read_rows(tmp_path, on_bad="skip", report=bad.append)
    assert [row.document.id for row in rows] == ["a.txt"]
    problems = {Path(error.path).name: str(error).split(": ", 1)[1] for error in bad}
    assert problems == {
        "bare.html": "holds no text",
        "empty.txt": "is empty",
        "false.html": "is not ASCII, though it says so; save it as UTF-8 and try again",
        "gone.md": "No such file or directory",
        "latin.txt": "is not UTF-8; save it as UTF-8 and try again",
        "loop.txt": "Too many levels of symbolic links",
        "only.md": "holds no text",
        "unknown.html": "says that its charset is 'klingon', which is unknown; save it as UTF-8 and try again",
    }
    assert (rows.bad, rows.fraction) == (8, 1)
    with pytest.raises(InputError, match=r"bare\.html: holds no text"):
        list(read_rows(tmp_path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_inside_that_may_not_be_read_is_bad(tmp_path: Path) -> None:
    _pages(tmp_path, a_txt="A", closed__b_txt="B")
    (tmp_path / "closed").chmod(0)
    bad: list[InputError] = []
    assert len(list(read_rows(tmp_path, on_bad="skip", report=bad.append))) == 1
    (tmp_path / "closed").chmod(0o700)
    assert [error.path for error in bad] == [str(tmp_path / "closed")]


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("text\n\n## Second ##\n# First", "Second"),
        ("```sh\n# a comment\n```\n# Title", "Title"),
        ("~~~\n```\n# a comment\n~~~\n# Title", "Title"),
        ("#hashtag\n####### seven", "page"),
        ("no heading", "page"),
        ("# C#\ntext", "C"),
        ("#\n# Title", "Title"),
    ],
)
def test_the_first_heading_is_the_title_of_markdown(tmp_path: Path, content: str, title: str) -> None:
    document = _one(tmp_path, page_md=content)
    assert (document.title, document.text) == (title, content)


def test_front_matter_is_not_text(tmp_path: Path) -> None:
    content = '---\r\ntitle: "Green tea"\r\nyear: 2024\r\ntags:\r\n  - a\r\n---\r\n# Heading\r\ntext\r\n'
    document = _one(tmp_path, page_md=content)
    assert document == Document("page.md", "# Heading\ntext", "Green tea", {"year": "2024", "path": "page.md"})
    (tmp_path / "page.md").unlink()
    assert _one(tmp_path, b_md="---\nname: x\n...\ntext").text == "text"


@pytest.mark.parametrize(
    "content", ["---\nA line is drawn above\n---\nand below", "---\nkey: but no end", "x\n---\na: b\n---"]
)
def test_what_only_looks_like_front_matter_stays(tmp_path: Path, content: str) -> None:
    assert _one(tmp_path, page_md=content).text == content


@pytest.mark.parametrize(
    ("page", "title", "text"),
    [
        ("<title>A\n &amp; b</title><h1>H</h1>x", "A & b", "H\n\nx"),
        ("<h1></h1><h1>The <i>first</i></h1><h1>Second</h1>", "The first", "The first\n\nSecond"),
        ("<title></title><svg><title>icon</title></svg>x", "icon", "x"),
        ("<title>T</title><svg><title>icon</title></svg>x", "T", "x"),
        ("<p>one\n  <b>two</b>three&nbsp;&lt;four&gt;</p><p>five", "", "one twothree <four>\n\nfive"),
        ("a<br>b<br/>c<hr>d", "", "a\nb\nc\n\nd"),
        ("<ul><li>a<li>b</ul>c", "", "a\nb\n\nc"),
        ("<ul>\n<li>a</li>\n\n<li>b</li>\fc</ul>", "", "a\nb\nc"),
        ("<table><tr><th>n<th>m<tr><td>1</td><td>2</td></tr></table>", "", "n m\n1 2"),
        ("<script>if (1<2) '</p>'</script><style>p{}</style>x<noscript>no</noscript>", "", "x"),
        ("<nav><ul><li>menu</ul></nav><template><p>t</template>x", "", "x"),
        ("<nav><script>1</nav>x", "", ""),
        ("<nav><template>t</nav>x", "", "x"),
        ("<nav/>x<!-- not seen -->y", "", "xy"),
        ("<title>T</title><body><nav><a>menu</a><main><p>The text.</p></main></body>", "T", "The text."),
        ("<nav><a>menu</a><article>The text.</article></nav>x", "", "The text.\n\nx"),
        ("<title>T</title><body><nav><a>menu</a><p>The text.</p></body>", "T", "menu\n\nThe text."),
        ("<p>a</p><nav>menu</nav><p>b</p><nav>menu<p>c", "", "a\n\nb\n\nmenu\n\nc"),
        ("<noscript><p>The text.", "", "The text."),
        ("<nav>a<noscript>b</nav>x", "", "x"),
        ("<nav><h1>Site</h1></nav><h1>Page</h1>x", "Page", "Page\n\nx"),
        ("</nav></title>x", "", "x"),
        ("x < y & z", "", "x < y & z"),
        ("<div>\n\n<div>\n<p>a</p>\n</div></div>", "", "a"),
    ],
)
def test_html_says_what_a_reader_sees(page: str, title: str, text: str) -> None:
    assert read_html(page) == (title, text)


@pytest.mark.parametrize(
    "content",
    [
        "<p>café".encode(),
        "\ufeff<p>café".encode(),
        "<p>café".encode("utf-16"),
        '<meta charset="windows-1252"><p>café'.encode("cp1252"),
        '<META http-equiv="Content-Type" content="text/html; charset=ISO-8859-1"><p>café'.encode("latin-1"),
        '<meta charset="utf-16"><p>café'.encode(),
        '\ufeff<meta charset="latin-1"><p>café'.encode(),
    ],
)
def test_the_charset_is_the_one_that_is_declared(tmp_path: Path, content: bytes) -> None:
    assert _one(tmp_path, page_html=content).text == "café"


def test_a_folder_without_pages_or_with_too_much_is_said(tmp_path: Path) -> None:
    _pages(tmp_path, data_bin="x")
    with pytest.raises(InputError, match=r"is a directory without any file that ends in \.txt, \.md"):
        list(read_rows(tmp_path))
    _pages(tmp_path, a_md="x", a_parquet="x")
    with pytest.raises(ArgumentError, match="holds both Parquet files and pages"):
        read_rows(tmp_path)
    assert [row.document.id for row in read_rows(tmp_path, format="folder")] == ["a.md"]
    with pytest.raises(ArgumentError, match="is a directory, and jsonl is read from one file"):
        read_rows(tmp_path, format="jsonl")
    with pytest.raises(ArgumentError, match="no fields to choose from"):
        read_rows(tmp_path, format="folder", fields=Fields(text="body"))
