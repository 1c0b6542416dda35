"""A hundred writers of an index in a folder are killed. It takes minutes, so ``make test`` leaves it out:

.venv/bin/python -m pytest tests/slow
"""

from pathlib import Path

import pytest

pytest.importorskip("lance")

from tests.killing import kill_again_and_again


def test_a_hundred_killed_writers_lose_nothing(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "index.lance", 100, seed=1)
