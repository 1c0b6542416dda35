"""esens.testing: its double, and what it says where pytest is not installed."""

import subprocess
import sys

import numpy as np

from esens.testing import EngineDouble
from esens.types import Document


def test_the_double_remembers_what_was_searched_for_and_has_a_bound() -> None:
    documents = [Document(str(i), "") for i in range(5)]
    engine = EngineDouble(documents, np.eye(5), max_neighbours=3)
    assert len(engine.nearest(np.eye(5, dtype=np.float32)[:2], 4)[0].ids) == 3
    assert engine.requested_k == [[4, 4]]
    assert engine.requested_vectors[0].shape == (2, 5)
    assert not hasattr(engine, "scan")


def test_the_double_needs_no_pytest_and_the_suite_names_its_extra() -> None:
    code = (
        "import sys; sys.modules['pytest'] = None; import esens.testing as t; t.EngineDouble\n"
        "from esens.errors import MissingExtraError\n"
        "try: t.IndexConformance\n"
        "except MissingExtraError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert 'pip install "esens[testing]"' in run.stdout
