"""How long it takes to start: importing, and asking the command line for help."""

import subprocess
import sys
from collections.abc import Callable

from measure import Claim, in_turn, report, table


def run(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def main() -> None:
    contestants = {
        "python, nothing": run("-c", "pass"),
        "import numpy": run("-c", "import numpy"),
        "import esens": run("-c", "import esens"),
        "esens --help": run("-m", "esens.cli.main", "--help"),
        "esens decompose QUERY": run("-m", "esens.cli.main", "decompose", "tea without milk", "--json"),
    }
    timings = in_turn(contestants, rounds=15, repeats=3)
    numpy = timings["import numpy"]
    rows = []
    for name, timing in timings.items():
        ratio, low, high = timing.ratio(numpy)
        rows.append([name, f"{timing.median:.0f}", f"{ratio:.2f}", f"{low:.2f} to {high:.2f}"])
    beyond = timings["import esens"].median - numpy.median
    head = f"A new process each. `import esens` takes {beyond:.0f} ms beyond numpy. Aim: under 150 ms."
    claims = [
        Claim.ratio("`import esens`", timings["import esens"], numpy, "`import numpy`"),
        Claim("`import esens` beyond numpy", beyond, None, "–", "ms", aim=150),
    ]
    body = f"{head}\n\n{table(['', 'ms', 'ratio to import numpy', '95 %'], rows)}"
    report("start", "Start", body, claims)


if __name__ == "__main__":
    main()
