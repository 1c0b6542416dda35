"""A small corpus on a dozen subjects, and queries that exclude a part of one.

Each subject has four sibling topics. Every document is about one topic; some mention another in passing. Every
subject is asked about in one way, without each of its topics in turn, so that no query is there for its outcome.
Corpus and queries were written here: a demonstration, no measurement.
"""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from esens.types import Document


@dataclass(frozen=True, slots=True)
class DemoQuery:
    """A query, the subject it asks about, and the topic it excludes."""

    query: str
    subject: str
    excluded: str

    def violates(self, document: Document) -> bool:
        """Whether the document is about what the query excludes."""
        return bool(document.metadata["subject"] == self.subject and document.metadata["topic"] == self.excluded)

    def answers(self, document: Document) -> bool:
        """Whether the document is about the subject, and not about what the query excludes."""
        return document.metadata["subject"] == self.subject and not self.violates(document)


def load_corpus() -> list[Document]:
    """Return the demo's documents."""
    return [Document.of(row, position=i) for i, row in enumerate(_rows("corpus.jsonl"))]


def load_queries() -> list[DemoQuery]:
    """Return the demo's queries: of every subject, one without each of its topics."""
    return [
        DemoQuery(row["query"].replace("{excluded}", name), row["subject"], topic)
        for row in _rows("queries.jsonl")
        for topic, name in row["names"].items()
    ]


def _rows(name: str) -> list[dict[str, Any]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
