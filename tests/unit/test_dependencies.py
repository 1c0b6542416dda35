"""What the source imports is declared, so that an extra brings all that it needs by itself."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Extras of another package, by which it comes; and what packages that are not installed here are called.
INSIDE = {"psycopg-pool": "psycopg", "llama-index": "llama-index-core", "haystack": "haystack-ai"}


def _imported() -> dict[str, set[str]]:
    """Return the modules that are imported from elsewhere, and the files that do so."""
    modules: dict[str, set[str]] = {}
    for path in sorted((ROOT / "src" / "esens").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for name in names:
                modules.setdefault(name.partition(".")[0], set()).add(str(path.relative_to(ROOT)))
    return {name: files for name, files in modules.items() if name not in {*sys.stdlib_module_names, "esens"}}


def _declared() -> set[str]:
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for name, more in extras.items() if name != "dev" for line in more)]
    return {re.split(r"[\[<>=!;~ ]", line)[0].lower().replace("_", "-") for line in lines}


def test_every_package_that_is_imported_is_declared() -> None:
    imported, declared, distributions = _imported(), _declared(), packages_distributions()
    assert {"numpy", "httpx", "httpx2", "grpc"} <= set(imported)  # or this test looks in the wrong place
    missing = {}
    for module, files in imported.items():
        names = {name.lower().replace("_", "-") for name in distributions.get(module, [module])}
        if not {INSIDE.get(name, name) for name in names} & declared:
            missing[module] = files
    assert not missing
