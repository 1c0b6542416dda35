"""What ``make release-check`` looks for is found: each of its checks can fail, and leaves out nothing there is."""

import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.metadata import PathDistribution, distribution
from pathlib import Path

import pytest

import esens
from esens.embed.minilm import PACKAGED_MODEL
from tests.release import contents, licences, run, smoke

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install hatchling")
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = target.glob("*.whl")
    return built


def _changed(wheel: Path, target: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    files = contents.read(wheel)
    change(files)
    path = target / wheel.name
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_the_wheel_holds_what_it_must_and_no_more(wheel: Path) -> None:
    assert contents.problems(wheel) == []
    assert f"esens-{esens.__version__}-" in wheel.name
    assert "esens/embed" in contents.listing(wheel)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda files: files.pop("esens/py.typed"), "esens/py.typed is missing"),
        (lambda files: files.update({"esens/model.onnx": b""}), "esens/model.onnx has no place here"),
        (lambda files: files.update({"tests/x.py": b""}), "tests/x.py would be installed beside esens"),
        (lambda files: files.update({"esens/x.txt": bytes(700_001)}), "esens/x.txt has 700,001 bytes"),
    ],
)
def test_a_wheel_that_lacks_or_has_something_is_refused(
    wheel: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], object], said: str
) -> None:
    (problem,) = [one for one in contents.problems(_changed(wheel, tmp_path, change)) if ".whl" not in one]
    assert problem.startswith(said)


def test_a_wheel_that_weighs_too_much_is_refused(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(contents.MOST_BYTES, ".whl", 1000)
    assert "at most 1,000 are expected" in contents.problems(wheel)[0]


def test_every_extra_is_tried_or_for_developers() -> None:
    assert set(run.EXTRAS) == set(smoke.CHECKS) | run.FOR_DEVELOPERS
    assert set(run.WITH_TORCH) | set(run.SMALL) <= set(smoke.CHECKS)


def test_a_search_that_ranks_the_excluded_high_fails_the_check() -> None:
    with pytest.raises(AssertionError):
        smoke.check_ids([smoke.EXCLUDED, "ranch", "caesar"])
    deaf = esens.Searcher.from_documents(
        smoke.DOCUMENTS, embedder=smoke.by_words, decomposer=lambda query: esens.Decomposition(query)
    )
    with pytest.raises(AssertionError):
        smoke.check(deaf)
    smoke.check(esens.Searcher.from_documents(smoke.DOCUMENTS, embedder=smoke.by_words))


def test_what_is_not_installed_or_of_another_version_fails_the_check() -> None:
    with pytest.raises(AssertionError):
        smoke.main("0.0.0", [])


def test_licences_of_what_is_installed_here_are_allowed() -> None:
    found = {name: licences.licence_of(package) for name, package in licences.closure().items()}
    assert "numpy" in found
    assert licences.refused(found) == []


def test_what_only_those_need_who_work_on_esens_is_not_among_them() -> None:
    assert distribution("import-linter")
    assert "import-linter" not in licences.closure()


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        ("License-Expression: GPL-3.0-only", "GPL-3.0-only"),
        ("Classifier: License :: OSI Approved :: GNU Affero General Public License v3", None),
        ("License: All rights reserved", "All rights reserved"),
        ("", licences.UNKNOWN),
    ],
)
def test_a_licence_that_is_not_on_the_list_is_refused(tmp_path: Path, metadata: str, licence: str | None) -> None:
    (tmp_path / "METADATA").write_text(f"Metadata-Version: 2.4\nName: x\nVersion: 1\n{metadata}\n")
    found = licences.licence_of(PathDistribution(tmp_path))
    assert licence is None or found == licence
    assert licences.refused({"x": found}) == [f"x: {found}"]


def test_the_page_of_licences_has_what_every_extra_names() -> None:
    extras = set(run.EXTRAS) - run.FOR_DEVELOPERS - set(run.WITH_TORCH)
    lines = [line for extra in extras for line in run.EXTRAS[extra] if not line.startswith("esens[")]
    names = {licences.plain_name(licences.needed(line)) for line in [*lines, *run.PROJECT["dependencies"]]}
    assert [name for name in names if f"\n| {name} | " not in PAGE] == []


def test_the_carrier_of_the_default_model_is_pinned_by_version_and_hash() -> None:
    assert [line for line in run.EXTRAS["minilm"] if not line.startswith("esens[")] == [run.MODEL_WHEEL]
    assert f"{PACKAGED_MODEL.source}=={distribution(PACKAGED_MODEL.source).version}" == run.MODEL_WHEEL
    assert PACKAGED_MODEL.path == run.MODEL_FILE
    decision = (ROOT / "docs" / "decisions" / "0012-carriers.md").read_text(encoding="utf-8")
    assert run.MODEL_WHEEL_SHA256 in decision
    assert PACKAGED_MODEL.sha256 in decision


def test_the_version_stands_in_one_place_and_the_changelog_has_it() -> None:
    assert run._version() == esens.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased, newest, *_ = [line for line in changelog.splitlines() if line.startswith("## ")]
    assert unreleased == "## Unreleased"
    assert newest.startswith(f"## {esens.__version__}")
