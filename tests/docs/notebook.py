"""Run a notebook from top to bottom as Jupyter does, but without Jupyter, which is forty packages.

``python -m tests.docs.notebook notebooks/start.ipynb`` writes what came out into it. There are no magics in it: a
cell is Python, and its last expression is shown, as a picture where it has one.
"""

import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

Output = dict[str, Any]


def read(path: Path) -> dict[str, Any]:
    """Return the notebook."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def run(notebook: dict[str, Any]) -> list[list[Output]]:
    """Run the cells of code in one namespace, and return what each shows."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [_run("".join(cell["source"]), names, number) for number, cell in enumerate(cells, start=1)]


def _run(source: str, names: dict[str, Any], number: int) -> list[Output]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        shown = None
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[Output] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if shown is not None:
        outputs.append(
            {"data": _data(shown), "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        )
    return outputs


def _data(shown: Any) -> dict[str, list[str]]:
    if hasattr(shown, "_repr_svg_"):
        return {"image/svg+xml": _lines(shown._repr_svg_())}
    return {"text/plain": _lines(repr(shown))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def write(path: Path) -> None:
    """Run the notebook, and keep what it shows."""
    notebook = read(path)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(cells, run(notebook), strict=True), start=1):
        cell["outputs"], cell["execution_count"] = outputs, number
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
