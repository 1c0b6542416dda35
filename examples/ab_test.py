"""A/B test: what exclusion search would change for the queries that users really ask.

    python examples/ab_test.py

A log of queries with what was clicked and what was reported as wrong is a benchmark: here it is
data/query_log.jsonl, 60 queries over the documents of esens.demo, of which 48 exclude something. It is made up,
its clicks drawn at random among the right documents, so the figures below show how to measure, and say nothing
about your search.
"""

import json
from pathlib import Path

from esens.demo import load_corpus
from esens.evaluate import Dataset, Experiment, Query, evaluation_of, methods_of

LOG = Path(__file__).parent / "data" / "query_log.jsonl"
MEASURES = {
    "recall@5": "Recall@5     share of the clicked documents among the first five",
    "recall@10": "Recall@10    share among the first ten",
    "violation@1": "Violation@1  a reported document is first",
    "violation@5": "Violation@5  a reported document is among the first five",
    "violation@10": "Violation@10 a reported document is among the first ten",
}


def read_log() -> Dataset:
    """Return the log as a benchmark: what was clicked is relevant, what was reported is excluded."""
    rows = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
    queries = tuple(
        Query(
            str(number), row["query"], relevant=dict.fromkeys(row["clicked"], 1), excluded=tuple(row["rejected"])
        )
        for number, row in enumerate(rows, 1)
    )
    return Dataset("query log", queries, tuple(load_corpus()))


def main() -> None:
    """Rank by both, and print every measure with its interval over queries."""
    experiment = Experiment.prepare(read_log())  # splits the queries and embeds everything once, for both
    methods = methods_of("plain,esens")
    evaluation = evaluation_of(experiment, methods, variants={})
    plain, ours = evaluation.methods
    setup = evaluation.setup
    print(
        f"{setup.queries} queries over {setup.documents} documents; {setup.queries_with_trap} exclude something."
    )
    print(
        "Means with 95 % bootstrap intervals over queries. About twenty documents are right for each query and two"
    )
    print("of them were clicked, so recall is low for both.\n")
    print(f"{'':64}  {'A: plain':21}  B: esens")
    for name, words in MEASURES.items():
        print(f"{words:64}  {plain.measures[name]!s:21}  {ours.measures[name]}")

    print("\nB − A on the same queries, over k = 3, 5, 7 and 9, with a paired randomisation test:")
    for name, words in {"avg_recall": "recall", "avg_violation": "violation"}.items():
        change = ours.against_plain[name]
        print(f"  {words:9}  {change.difference}, {'p < 0.001' if change.p < 0.001 else f'p = {change.p:.3f}'}")

    ranks = experiment.ranks(methods)
    excludes = [bool(split.traps) for split in experiment.decompositions]
    others = [row for row, query in enumerate(experiment.dataset.gold.query) if not excludes[query]]
    moved = sum(ranks["plain"][row] != ranks["esens"][row] for row in others)
    untouched = excludes.count(False)
    print(f"\nWhere nothing is excluded ({untouched} queries), {moved} of {len(others)} clicked documents moved.")


if __name__ == "__main__":
    main()
