"""A small corpus on a dozen subjects, and queries that exclude a part of one.

Each subject has four sibling topics. Every document is about one topic; some mention another in passing. The
queries were selected from twice as many because the effect shows well on them: a demonstration, no measurement.
"""

import json
from dataclasses import dataclass
from importlib.resources import files

from esens.types import Document


@dataclass(frozen=True, slots=True)
class DemoQuery:
    """A query, the subject it asks about, and the topics it excludes."""

    query: str
    subject: str
    excluded: tuple[str, ...]

    def violates(self, document: Document) -> bool:
        """Whether the document is about what the query excludes."""
        return document.metadata["subject"] == self.subject and document.metadata["topic"] in self.excluded

    def answers(self, document: Document) -> bool:
        """Whether the document is about the subject, and not about what the query excludes."""
        return document.metadata["subject"] == self.subject and not self.violates(document)


def load_corpus() -> list[Document]:
    """Return the demo's documents."""
    return [Document.of(row, position=i) for i, row in enumerate(_rows("corpus.jsonl"))]


def load_queries() -> list[DemoQuery]:
    """Return the demo's queries."""
    return [DemoQuery(row["query"], row["subject"], tuple(row["excluded"])) for row in _rows("queries.jsonl")]


def _rows(name: str) -> list[dict[str, str]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
