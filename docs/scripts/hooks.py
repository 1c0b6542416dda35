"""What mkdocs does beside building ``docs``: pages that stand elsewhere in the repository join the site.

Measurements, the changelog and the like keep their places, so that their links also work where the repository is
read. Here they become pages, and links to them, or from them into ``docs``, are turned to their place on the site.
"""

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
OUTSIDE = (
    "benchmarks/results/**/*.md",
    "benchmarks/results/**/*.png",
    "benchmarks/data/*.md",
    "examples/**/*.md",
    "examples/*.py",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
)
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)")


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add what stands outside of ``docs``, under the path that it has in the repository."""
    for pattern in OUTSIDE:
        for path in sorted(ROOT.glob(pattern)):
            place = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Turn links that are right in the repository into links that are right on the site."""
    folder = posixpath.dirname(_in_repository(page.file.src_uri))

    def on_site(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[1]))
        place = target.removeprefix("docs/")
        if files.get_file_from_path(place) is None:
            return found[1]
        return posixpath.relpath(place, posixpath.dirname(page.file.src_uri) or ".")

    return _LINK.sub(on_site, markdown)


def _in_repository(place: str) -> str:
    return place if (ROOT / place).exists() else f"docs/{place}"


def on_page_content(html: str, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Show names in docstrings, which are written for Sphinx, as names."""
    return re.sub(r":(?:class|func|meth|data|attr|mod):<code>[~!]?([\w.]+)</code>", r"<code>\1</code>", html)
