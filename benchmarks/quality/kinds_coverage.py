"""What the kinds of an excluded thing find beyond its own words, and how often they are wrong.

    .venv/bin/python benchmarks/quality/kinds_coverage.py ../shared/data --write

No search: of the documents that are known to have the excluded thing, and of those that are known not to have it,
how many have its words, and how many more have a kind of it. Queries at even places chose what is left out.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from setting import RESULTS, markdown

from esens.evidence import kinds
from esens.evidence.kind_tables import Facts, WordNet
from esens.text.terms import TermSet, terms_of
from esens.text.tokens import content_words, singular

HALVES = ("even places, which chose what is left out", "odd places, which chose nothing")
NO_FACTS, NO_WORDNET = Facts({}, {}, {}), WordNet([], [])
HEADER = ("set", "excluded", "its words", "WordNet", "facts", "both", "wanted", "its words", "both", "right")
INTRODUCTION = """\
Everyday sets, exclusions as a person wrote them (`traps`), denials not read. Of all pairs of a query and a
document that has what it excludes (excluded), and of those with a document that does not (wanted): the share with
all words of the thing, and the share with these or with a kind of it by WordNet's table, by the facts written
here, by both. Right: of the pairs that only a kind finds, the share that is excluded. The labels were computed
from fields and lists of words, which may resemble ours: where they do, the figures flatter.
"""


class Text(NamedTuple):
    """The terms of a document, and its words one behind the other."""

    terms: TermSet
    words: str


class Count(NamedTuple):
    """Pairs of a query and a document, those with its words, and those with only a kind, by each source."""

    pairs: int
    words: int
    wordnet: int
    facts: int
    both: int


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = ["# Kinds of the excluded thing", "", INTRODUCTION]
    for place, half in enumerate(HALVES):
        lines += [f"Queries at {half}:", "", *markdown(HEADER, rows(options.folder / "everyday", place))]
    lines += [f"Command: `.venv/bin/python benchmarks/quality/kinds_coverage.py {options.folder} --write`", ""]
    print("\n".join(lines))
    if options.write:
        (RESULTS / "kinds.md").write_text("\n".join(lines), encoding="utf-8")


def rows(folder: Path, half: int) -> Iterator[Sequence[str]]:
    """Yield what one half of the queries of every set says."""
    totals: list[tuple[Count, Count]] = []
    for path in sorted(folder.iterdir()):
        texts = {row["_id"]: _text(f"{row['title']}\n{row['text']}") for row in _read(path / "corpus.jsonl")}
        queries = _read(path / "queries.jsonl")[half::2]
        counts = [(_count(query, "excluded", texts), _count(query, "wanted", texts)) for query in queries]
        totals.append((_total(excluded for excluded, _ in counts), _total(wanted for _, wanted in counts)))
        yield _row(path.name, *totals[-1])
    yield _row("all", _total(excluded for excluded, _ in totals), _total(wanted for _, wanted in totals))


def _row(name: str, excluded: Count, wanted: Count) -> Sequence[str]:
    found = (f"{(excluded.words + more) / excluded.pairs:.3f}" for more in (0, *excluded[2:]))
    spoiled = (f"{(wanted.words + more) / wanted.pairs:.3f}" for more in (0, wanted.both))
    right = f"{excluded.both / (excluded.both + wanted.both):.3f}"
    return (name, f"{excluded.pairs:,}", *found, f"{wanted.pairs:,}", *spoiled, right)


def _count(query: Mapping[str, Any], side: str, texts: Mapping[str, Text]) -> Count:
    documents = [texts[name] for name in query[side] if name in texts]
    traps = query["traps"]
    rest = [text for text in documents if not any(own and own <= text.terms for own in map(terms_of, traps))]
    with patch.object(kinds, "facts", lambda: NO_FACTS):
        wordnet = _found(traps, rest)
    with patch.object(kinds, "wordnet", lambda: NO_WORDNET):
        facts = _found(traps, rest)
    return Count(len(documents), len(documents) - len(rest), wordnet, facts, _found(traps, rest))


def _found(traps: Sequence[str], texts: Sequence[Text]) -> int:
    """Return how many texts have a kind, what only looks like one taken out."""
    kinds.kinds_of.cache_clear()
    kinds.lookalikes_of.cache_clear()
    names = [_words(name) for trap in traps for name in kinds.kinds_of(trap)]
    lookalikes = [_words(name) for trap in traps for name in kinds.lookalikes_of(trap)]
    return sum(any(name in words for name in names) for words in _without(lookalikes, texts))


def _without(lookalikes: Sequence[str], texts: Iterable[Text]) -> Iterator[str]:
    for text in texts:
        words = text.words
        for name in lookalikes:
            words = words.replace(name, " | ")
        yield words


def _text(text: str) -> Text:
    return Text(terms_of(text), _words(text))


def _words(text: str) -> str:
    return f" {' '.join(map(singular, content_words(text)))} "


def _total(counts: Iterable[Count]) -> Count:
    return Count(*map(sum, zip(*counts, strict=True)))


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
