"""What reading documents adds to a warm search: processor time a query, the least of several rounds in one run.

.venv/bin/python benchmarks/quality/evidence_cost.py ../shared/data/excluir-23k
"""

import argparse
import time
from pathlib import Path

from setting import searcher_over

from esens import Contrast, Relational, Scorer, decompose
from esens.evaluate import read_dataset

SCORES: dict[str, Scorer] = {
    "no word is read": Contrast(alpha=0.5, gamma=0.5, naming=0, spare_mentions=False),
    "names and statements": Relational(words=0),
    "and the words of what is wanted: the default": Relational(),
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("--rounds", type=int, default=4, help="the first warms up, and does not count")
    options = parser.parse_args()
    dataset = read_dataset(options.dataset)
    searcher, splits = searcher_over(options.embedder, dataset.corpus), decompose(list(dataset.texts))
    least = dict.fromkeys(SCORES, float("inf"))
    for number in range(options.rounds):
        for name, score in SCORES.items():
            start = time.process_time()
            searcher.search(list(dataset.texts), decomposition=splits, k=10, score=score)
            spent = (time.process_time() - start) / len(dataset.texts)
            least[name] = min(least[name], spent if number else float("inf"))
    print(*(f"{name}: {1000 * spent:.2f} ms a query" for name, spent in least.items()), sep="\n")


if __name__ == "__main__":
    main()
