"""Literature search over abstracts, with a record of what was screened out and the words that say why.

    python examples/literature.py
    python examples/literature.py "sleep and memory, but not in children"

A review has to say what it left out. mode="hard" leaves out what the query excludes, and keeps it in
results.removed with a quotation. The twenty abstracts of data/abstracts.jsonl are made up, so cite none of
them.
"""

import sys
from pathlib import Path

import esens

ABSTRACTS = Path(__file__).parent / "data" / "abstracts.jsonl"
QUERY = "sleep and memory consolidation, but not in rodents or flies"
WHERE = {"year": {">=": 2012}, "type": "article"}


def reference(hit: esens.Hit) -> str:
    """Return a document as a list of references has it."""
    return f"{hit.title} ({hit.metadata['year']}) [{hit.id}]"


def main(query: str) -> None:
    """Search, and print what was found, what was left out, and what a plain search would have put first."""
    searcher = esens.Searcher.from_documents(esens.read_documents(ABSTRACTS))
    plain = searcher.search(query, k=7, where=WHERE, beta=0)
    results = searcher.search(query, k=7, where=WHERE, mode="hard")
    print(f"Query:    {query}")
    print(f"Wanted:   {results.decomposition.target}")
    print(f"Excluded: {', '.join(results.decomposition.traps) or 'nothing'}")
    print("Filter:   articles since 2012")

    print("\nFirst in a plain search:")
    left_out = {hit.id for hit in results.removed}
    for hit in plain:
        print(f"  {hit.rank}. {reference(hit)}{'  <- excluded' if hit.id in left_out else ''}")
    print("\nFound:")
    for hit in results:
        print(f"  {hit.rank}. {reference(hit)}, similarity {hit.score:.2f}")
    print("\nScreened out:")
    for hit in results.removed:
        print(f"  - {reference(hit)}\n    {hit.explanation.finding}")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or QUERY)
