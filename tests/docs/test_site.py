"""The documentation site: what is generated is fresh, lists are complete, the check of its pages finds things."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.docs.pages import ROOT

import esens

DOCS = ROOT / "docs"


def script(name: str) -> ModuleType:
    """Return a script of the docs as a module: they stand in no package."""
    spec = spec_from_file_location(name, DOCS / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_of_the_commands_is_fresh() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert page == script("commands").page(), "run python docs/scripts/commands.py --write"


def test_the_pictures_are_fresh() -> None:
    for name, draw in script("pictures").PICTURES.items():
        picture = (DOCS / "images" / name).read_text(encoding="utf-8")
        assert picture == draw(), "run python docs/scripts/pictures.py --write"


def test_the_page_on_python_names_every_public_name_and_no_other() -> None:
    named = re.findall(r"^::: esens\.(\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted([*named, "__version__"]) == sorted(esens.__all__)


def _pages(entry: Any) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    parts = entry.values() if isinstance(entry, dict) else entry
    return [page for part in parts for page in _pages(part)]


def test_the_navigation_leads_to_every_page() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install -e '.[serve-test]'")
    listed = _pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    assert len(listed) == len(set(listed))
    there = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    apart = {page for page in there if re.match(r"decisions/\d", page)}  # decisions/index.md lists them
    assert set(listed) == (there - apart) | {"CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md"}


@pytest.mark.parametrize(
    ("page", "pages"),
    [("measurements.md", "benchmarks/results/*.md"), ("decisions/index.md", "docs/decisions/0*.md")],
)
def test_lists_of_pages_are_complete(page: str, pages: str) -> None:
    file = DOCS / page
    linked = re.findall(r"\]\(([^)#]+)\)", file.read_text(encoding="utf-8"))
    assert set(ROOT.glob(pages)) <= {(file.parent / link).resolve() for link in linked}


def test_decisions_are_listed_by_their_titles() -> None:
    listed = dict(
        re.findall(r"^- \[(.+)\]\((.+)\)$", (DOCS / "decisions/index.md").read_text("utf-8"), re.MULTILINE)
    )
    for title, name in listed.items():
        assert (DOCS / "decisions" / name).read_text(encoding="utf-8").startswith(f"# {title}\n")


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("a.html", '<script src="https://elsewhere.example/x.js"></script>', "loads https://elsewhere"),
        ("a.html", '<link rel="preconnect" href="https://fonts.example">', "from elsewhere"),
        ("a.html", '<link rel="stylesheet" href="//elsewhere.example/x.css">', "from elsewhere"),
        ("a.html", '<img srcset="here.png 1x, http://elsewhere.example/y.png 2x">', "y.png from elsewhere"),
        ("a.html", "<style>@import 'https://elsewhere.example/x.css'</style>", "from elsewhere"),
        ("a.html", '<p style="background: url(https://elsewhere.example/x.png)">', "from elsewhere"),
        ("a.css", "@font-face { src: url('https://fonts.example/x.woff') }", "from elsewhere"),
        ("a.svg", '<svg><image href="https://elsewhere.example/x.png"/></svg>', "from elsewhere"),
        ("a.html", '<img src="gone.png">', "which is not there"),
        (
            "a.html",
            '<a href="https://elsewhere.example">a link</a><link rel="canonical" href="https://e.example">',
            "",
        ),
        ("a.html", '<img src="here.png"><img src="data:image/png;base64,AA=="><script>1</script>', ""),
    ],
)
def test_the_check_of_the_site_finds_what_pages_load(file: str, text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "here.png").touch()
    (tmp_path / file).write_text(text)
    found = list(script("check_site").problems(tmp_path))
    assert told in "\n".join(found)
    assert bool(found) == bool(told)
