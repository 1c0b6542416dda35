"""The laws hold on every machine: under every kernel of BLAS and of simsimd that this processor can run.

Which kernel computes a product depends on the processor, so that a law which rests on one fails elsewhere. Here
the kernels are chosen in child processes, which run the tests of the laws on a few examples each.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDS = {"Prescott": ("SSE3",), "Sandybridge": ("AVX",), "Haswell": ("AVX2", "FMA3"), "SkylakeX": ("AVX512F",)}
"""What a processor must have for each of OpenBLAS's kernels, from the oldest to the newest."""
THREADS = (1, 2)
SERIAL = "simsimd without SIMD"
LAWS = (
    "test_frontier.py::test_equal_documents_tie_exactly_wherever_they_stand",
    "test_frontier.py::test_every_cell_is_that_of_the_naive_loop",
    "test_frontier.py::test_tiles_and_memory_change_nothing",
    "test_laws.py::test_candidate_mode_on_the_full_corpus_is_full_mode",
    "test_laws.py::test_no_exclusion_and_no_weight_change_nothing_bit_for_bit",
    "test_laws.py::test_ranking_by_the_score_is_ranking_by_the_composed_vector",
    "test_laws.py::test_a_part_of_the_corpus_keeps_its_scores",
    "test_laws.py::test_few_pairs_score_as_many_do",
    "test_preselect.py::test_a_rounded_score_is_off_by_no_more_than_its_bound",
    "test_preselect.py::test_results_are_those_without",
    "test_contrast.py::test_a_search_is_scoring_everything_and_sorting",
    "test_same_ranks.py::test_an_evaluation_ranks_as_a_search_does[esens]",
)
"""Ties; the frontier is the loop; candidates score as the corpus does; no exclusion, no change; rounded rows."""
CHILDREN = [(core, threads) for core in NEEDS for threads in THREADS] + [(SERIAL, 1)]
_LONGEST = 120


@pytest.fixture(scope="module")
def children() -> Iterator[dict[tuple[str, int], Future[subprocess.CompletedProcess[str]]]]:
    """Children for all that can run here, as many at a time as there are cores."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1) as pool:
        yield {child: pool.submit(_run, *child) for child in CHILDREN if not _missing(child[0])}


@pytest.mark.parametrize(("kernel", "threads"), CHILDREN)
def test_the_laws_hold_under(
    kernel: str, threads: int, children: dict[tuple[str, int], Future[subprocess.CompletedProcess[str]]]
) -> None:
    if _missing(kernel):
        pytest.skip(f"this processor has no {', '.join(_missing(kernel))}")
    child = children[kernel, threads].result()
    if "not taken: " in child.stderr:
        pytest.skip(child.stderr.partition("not taken: ")[2].splitlines()[0])
    assert child.returncode == 0, child.stdout[-4000:] + child.stderr[-2000:]
    assert " passed" in child.stdout


def _missing(kernel: str) -> list[str]:
    """Return what the processor lacks for a kernel."""
    return [feature for feature in NEEDS.get(kernel, ()) if not _has(_cpu_features(), feature)]


def _cpu_features() -> dict[str, bool]:
    """Return what numpy sees of the processor."""
    features: dict[str, bool] = import_module("numpy._core._multiarray_umath").__cpu_features__
    return features


def _has(features: dict[str, bool], feature: str) -> bool:
    if feature == "AVX512F":  # numpy knows it as a part of a group, too
        return features.get("AVX512F", False) or features.get("AVX512_SKX", False) or features.get("X86_V4", False)
    return features.get(feature, False)


def _run(kernel: str, threads: int) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(threads), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment |= {"OMP_NUM_THREADS": str(threads)}
    environment |= {"ESENS_TEST_SERIAL": "1"} if kernel == SERIAL else {"OPENBLAS_CORETYPE": kernel}
    tests = [str(Path(__file__).parent / law) for law in LAWS]
    options = [
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.property.one_kernel",
        "--hypothesis-profile",
        "few",
    ]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=_LONGEST, check=False,
    )  # fmt: skip
