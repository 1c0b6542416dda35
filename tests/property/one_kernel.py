"""A plugin of pytest for a child process: it computes with the kernels that it was started for, and no others.

``OPENBLAS_CORETYPE`` names those of BLAS; with ``ESENS_TEST_SERIAL`` simsimd has those without SIMD alone.
The profile "few" tries laws on a few examples, the same ones every time.
"""

import ctypes
import os
from pathlib import Path

import hypothesis
import numpy as np
import pytest
import simsimd

hypothesis.settings.register_profile("few", deadline=None, max_examples=10, derandomize=True, database=None)

_OTHER_NAMES = {"Prescott": "katmai"}
"""Without kernels for older processors OpenBLAS has those of Prescott for all of them, and names the oldest."""


def pytest_configure() -> None:
    """End the run unless the kernels are those that it is about."""
    wanted = os.environ.get("OPENBLAS_CORETYPE", "")
    if os.environ.get("ESENS_TEST_SERIAL"):
        _disable_simd()
    elif wanted and (taken := _blas_kernel()) not in (wanted.casefold(), _OTHER_NAMES.get(wanted)):
        pytest.exit(f"not taken: numpy computes with {taken or 'another BLAS'}, not with {wanted}", returncode=0)


def _disable_simd() -> None:
    for capability, is_on in simsimd.get_capabilities().items():
        if is_on and capability != "serial":
            simsimd.disable_capability(capability)
    left = [name for name, is_on in simsimd.get_capabilities().items() if is_on]
    if left != ["serial"]:
        pytest.exit(f"not taken: simsimd goes on with {', '.join(left)}", returncode=0)


def _blas_kernel() -> str:
    """Return which of its kernels numpy's OpenBLAS took; empty where numpy has another BLAS."""
    packages = Path(np.__file__).parents[1]
    for library in sorted((packages / "numpy.libs").glob("*openblas*")):
        core_name = getattr(ctypes.CDLL(str(library)), "scipy_openblas_get_corename64_", None)
        if core_name is not None:
            core_name.restype = ctypes.c_char_p
            return str(core_name().decode()).casefold()
    return ""
