"""Every notebook runs from top to bottom, and shows what it was committed with."""

import re
from pathlib import Path

import pytest
from tests.docs.notebook import read, run, write

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MOST_BYTES = 150_000


def _said(outputs: list[dict[str, object]]) -> list[str]:
    """Return the texts among outputs; the last digit of a figure may differ from one processor to the next."""
    texts = ["".join(map(str, output.get("text", []))) for output in outputs]  # type: ignore[call-overload]
    return [re.sub(r"\d\.\d+", "#", text) for text in texts]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_and_shows_what_it_shows(path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra evaluate is absent")
    notebook = read(path)
    kept = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    shown = run(notebook)
    assert len(shown) > 5
    assert [list(map(sorted, outputs)) for outputs in shown] == [list(map(sorted, outputs)) for outputs in kept]
    assert list(map(_said, shown)) == list(map(_said, kept)), (
        f"python -m tests.docs.notebook {path.relative_to(ROOT)}"
    )
    pictures = [output["data"] for outputs in shown for output in outputs if "data" in output]
    assert any("<svg" in "".join(data["image/svg+xml"]) for data in pictures)
    assert path.stat().st_size < MOST_BYTES


def test_a_cell_that_fails_fails_the_notebook() -> None:
    cell = {"cell_type": "code", "source": ["1 / 0"]}
    with pytest.raises(ZeroDivisionError):
        run({"cells": [cell]})


def test_what_a_notebook_shows_is_written_into_it(tmp_path: Path) -> None:
    path = tmp_path / "x.ipynb"
    path.write_text('{"cells": [{"cell_type": "code", "source": ["print(1)\\n", "1 + 1"], "outputs": []}]}')
    write(path)
    (cell,) = read(path)["cells"]
    assert cell["outputs"][0]["text"] == ["1\n"]
    assert cell["outputs"][1]["data"] == {"text/plain": ["2"]}


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
