"""A small benchmark on disk: drinks, and queries that leave one of them out."""

import json
from itertools import pairwise
from pathlib import Path

DRINKS = ("tea", "coffee", "cocoa", "juice", "beer", "wine", "cider", "mead")


def write_benchmark(folder: Path) -> Path:
    """Write the form of ``queries.jsonl`` and ``corpus.jsonl``; each query has an answer and an excluded drink."""
    folder.mkdir(parents=True, exist_ok=True)
    others = [*DRINKS[1:], DRINKS[0]]
    corpus = [
        {"_id": name, "title": name, "text": f"A note on {name}, a drink that people like."} for name in DRINKS
    ]
    corpus += [
        {"_id": f"{a}-{b}", "title": f"{a} house", "text": f"A house for {a}, which also sells {b}."}
        for a, b in zip(DRINKS, others, strict=True)
    ]
    queries = [
        {"_id": f"q{number}", "text": f"a note on a drink like {a}, but not {b}", "target": a, "trap": b}
        for number, (a, b) in enumerate(zip(DRINKS, others, strict=True))
    ]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def write_trec(folder: Path) -> None:
    """Write qrels of the answers and of the excluded, and a run that ranks them."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs = list(enumerate(zip(DRINKS, [*DRINKS[1:], DRINKS[0]], strict=True)))
    (folder / "relevant.qrels").write_text("".join(f"q{number} 0 {a} 1\n" for number, (a, _) in pairs))
    (folder / "excluded.qrels").write_text("".join(f"q{number} 0 {b} 1\n" for number, (_, b) in pairs))
    ranked = ((number, document, 9 - place) for number, two in pairs for place, document in enumerate(two))
    (folder / "mine.run").write_text("".join(f"q{n} Q0 {d} {10 - score} {score} me\n" for n, d, score in ranked))


def write_sets(folder: Path) -> Path:
    """Write a set in which queries have several wanted and several excluded documents, and a person's splits."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus = [
        {
            "_id": f"{drink}-{with_}",
            "title": f"{drink} with {with_}",
            "text": f"A cup of {drink}, and {with_} in it.",
        }
        for drink in DRINKS[:3]
        for with_ in ("milk", "lemon", "sugar", "honey")
    ]
    corpus += [
        {"_id": f"{drink}-no-{with_}", "title": f"{drink} drink", "text": f"A cup of {drink} without {with_}."}
        for drink in DRINKS[:3]
        for with_ in ("milk", "sugar")
    ]
    queries = [
        {
            "_id": f"{drink}-{trap}",
            "text": f"a cup of {drink} without {trap}",
            "target": f"a cup of {drink}",
            "traps": [trap],
            "wanted": [row["_id"] for row in corpus if _has(row, drink) and not _has(row, f"and {trap}")],
            "excluded": [row["_id"] for row in corpus if _has(row, f"{drink}, and {trap}")] + [f"{other}-{trap}"],
            "denied": [f"{drink}-no-{trap}"],
            "unclear": [f"{other}-no-{trap}"],
            "kind": "ingredient",
        }
        for drink, other in pairwise(DRINKS[:3])
        for trap in ("milk", "sugar")
    ]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def _has(row: dict[str, str], words: str) -> bool:
    return f" {words}" in row["text"]
