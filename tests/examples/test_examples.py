"""Every example runs offline, and prints what a reader is meant to see."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))
README = (EXAMPLES / "README.md").read_text(encoding="utf-8")
# Whoever asks for anything outside comes to a port on which nobody listens.
NOWHERE = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")


def _printed(program: str, *arguments: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI")}
    run = subprocess.run(
        [sys.executable, f"examples/{program}.py", *arguments],
        cwd=ROOT,
        env={**env, **NOWHERE, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout


def test_the_page_has_every_program_and_its_command() -> None:
    commands = re.findall(r"`\.venv/bin/python examples/(\w+)\.py`", README)
    assert sorted(commands) == PROGRAMS
    assert [name for name in PROGRAMS if f"test_{name}" not in globals()] == []


@pytest.mark.parametrize("program", [*PROGRAMS, "stub_model"])
def test_each_is_short(program: str) -> None:
    assert len((EXAMPLES / f"{program}.py").read_text(encoding="utf-8").splitlines()) <= 85


def test_rag() -> None:
    pytest.importorskip("openai", reason="the extra openai is not installed")
    excluding, plain_question = re.split(r"^Question: ", _printed("rag"), flags=re.MULTILINE)[1:]
    plain, ours = _answers(excluding)
    opioid = re.compile(r"opioid|morphine|codeine|fentanyl", re.IGNORECASE)
    assert len(plain) == len(ours) == 3
    assert any(map(opioid.search, plain))
    assert not any(map(opioid.search, ours))
    assert "kept out: Morphine at the Mu Receptor" in excluding
    plain, ours = _answers(plain_question)
    assert plain == ours
    assert len(plain) == 3
    assert "excluded: nothing" in plain_question


def _answers(block: str) -> tuple[list[str], list[str]]:
    plain, ours = block.split("Answer from esens:")
    return re.findall(r"^- .*", plain, re.MULTILINE), re.findall(r"^- .*", ours, re.MULTILINE)


def test_rag_with_a_server_that_is_named() -> None:
    pytest.importorskip("openai", reason="the extra openai is not installed")
    from tests.chat_server import Does, chat_server

    with chat_server() as server:
        server.otherwise = lambda _body: Does("An answer.")
        env = {**os.environ, "NO_PROXY": "127.0.0.1", "OPENAI_API_KEY": "a key"}
        command = [sys.executable, "examples/rag.py", server.base_url, "a-model"]
        run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        assert run.stdout.count("An answer.") == 4
        assert {body["model"] for body in server.asked} == {"a-model"}
        assert {headers["authorization"] for headers in server.headers} == {"Bearer a key"}


def test_shop() -> None:
    first, second = _printed("shop").split("\n\n")[:2]
    assert "excluded: Nike, a brand: a filter" in first
    assert "excluded: leather, a property" in first
    assert "excluded: trail running, a subject" in second
    for block in (first, second):
        found = re.findall(r"^ +\d+\. (.*)", block, re.MULTILINE)
        assert len(found) == 6
        assert not any(line.startswith("Nike") for line in found)
        assert not any(re.search(r"suede|leather (?:upper|toe)", line) for line in found)
        assert any(line.startswith("Saucony Ride") for line in found)  # "no leather anywhere"
        assert "left out: Asics Heritage Runner: has “suede”, a kind of leather" in block
        assert all(int(price) <= 140 for price in re.findall(r", (\d+) €", block))
    assert "trail running shoe" in " ".join(re.findall(r"^ +\d+\. (.*)", first, re.MULTILINE))
    assert "trail running shoe" not in " ".join(re.findall(r"^ +\d+\. (.*)", second, re.MULTILINE))
    assert re.search(r"\d\. Puma Velocity.*Lighter than the Nike Pegasus", second)  # a mention is no Nike


def test_literature() -> None:
    printed = _printed("literature")
    plain, found, screened = (
        re.findall(r"\[(a\d+)\]", part) for part in re.split(r"\n(?:First in|Found|Screened)", printed)[1:]
    )
    animals = {"a02", "a04", "a07", "a10", "a13", "a15", "a19"}
    too_old_or_review = {"a02", "a08", "a09"}
    assert len(plain) == len(found) == 7
    assert len(animals.intersection(plain)) >= 4
    assert not animals.intersection(found)
    assert {*screened} == animals - too_old_or_review
    assert not too_old_or_review.intersection([*plain, *found])
    assert "a06" in found  # "unlike earlier work in rodents"
    assert "has “mice”, a kind of rodents" in printed
    assert "vocabulary in preschool children" in _printed("literature", "sleep and memory, but not in children")


def test_fewer_like_this() -> None:
    first, somewhat, fewer = _printed("fewer_like_this").strip().split("\n\n")
    counts = [block.count("(lisbon") for block in (first, somewhat, fewer)]
    assert counts[0] >= 3
    assert counts[2] == 0
    assert "1. Viewpoints on Seven Hills" in first
    assert "1. Viewpoints on Seven Hills" not in somewhat
    assert "Viewpoints on Seven Hills (" not in fewer


def test_ab_test() -> None:
    printed = _printed("ab_test")
    assert printed.startswith("60 queries over 330 documents; 48 exclude something.")
    rows = re.findall(
        r"^(\w+@\d+) .*?  (1?\.\d+) \((1?\.\d+)–(1?\.\d+)\) +(1?\.\d+) \((1?\.\d+)–(1?\.\d+)\)", printed, re.M
    )
    figures = {name: [float(figure) for figure in rest] for name, *rest in rows}
    assert list(figures) == ["Recall@5", "Recall@10", "Violation@1", "Violation@5", "Violation@10"]
    for plain, low, high, ours, our_low, our_high in figures.values():
        assert low <= plain <= high
        assert our_low <= ours <= our_high
    assert figures["Violation@5"][5] < figures["Violation@5"][1]  # the intervals do not touch
    assert figures["Recall@10"][3] >= figures["Recall@10"][0]
    assert "Where nothing is excluded (12 queries), 0 of 24 clicked documents moved." in printed


def test_images() -> None:
    plain, ours, city, fewer = _printed("images").strip().split("\n\n")
    assert [line.split("  ")[-1].strip() for line in _results(plain)] == ["beach, people, dog"] * 5
    assert [line.split("  ")[-1].strip() for line in _results(ours)] == ["beach, dog"] * 5
    assert _results(city)[0].endswith("city, night")
    assert not any("night" in line for line in _results(fewer))
    assert all("city" in line for line in _results(fewer))


def _results(block: str) -> list[str]:
    return re.findall(r"^ +\d\. (.*)", block, re.MULTILINE)


def test_agent_memory() -> None:
    first, second = _printed("agent_memory").strip().split("\n\n")
    recalled = [re.findall(r"^  (n\d+) (run-\d)", block, re.MULTILINE) for block in (first, second)]
    assert recalled[0][0] == ("n10", "run-2")
    assert {"n10", "n4", "n5"} <= {id_ for id_, _ in recalled[0]}
    assert not {"n1", "n3", "n6"} & {id_ for id_, _ in recalled[0]}  # superseded, secret, a guess
    assert not any(run == "run-3" for _, run in recalled[0])
    assert any(run == "run-3" for _, run in recalled[1])  # another run asks
    assert not {"n1", "n2", "n3", "n8"} & {id_ for id_, _ in recalled[1]}
    assert re.findall(r"left out: (n\d+), which has “staging”", second) == ["n2", "n8"]
