"""Memory of an agent: recall everything except these tags, this run, and what was superseded.

    python examples/agent_memory.py

What is known for certain stands in metadata, and is ruled out by filters, which are strict: tags, the run that
a note comes from (its own notes are in the agent's context already), whether it was superseded. What is only
said in words is ruled out by exclusions: "but nothing about staging". Here the notes are in memory;
Searcher("memory.lance") keeps them.
"""

from collections.abc import Sequence

import esens

NOTES = [  # id, run, tags, text
    ("n1", "run-1", ["deploy"], "Deploys go out on Tuesdays at ten, after the smoke tests have passed."),
    ("n2", "run-1", ["deploy", "staging"], "On staging a deploy starts by itself with every merge."),
    ("n3", "run-1", ["deploy", "secret"], "The deploy token is kept in the vault under ops/deploy."),
    ("n4", "run-2", ["deploy"], "To roll back a deploy, run the pipeline again with the tag of the last release."),
    ("n5", "run-2", ["people"], "Mara approves production deploys; Jon stands in for her in August."),
    ("n6", "run-2", ["deploy", "guess"], "Perhaps deploys fail at noon because the backup runs then."),
    ("n7", "run-2", ["style"], "Commit messages are plain sentences that say why."),
    (
        "n8",
        "run-3",
        ["deploy"],
        "The staging cluster has half the memory, so a big deploy can pass there and fail later.",
    ),
    ("n9", "run-3", ["deploy"], "A deploy that fails twice is stopped, and somebody is called."),
]


class Memory:
    """Notes that can be recalled, and superseded by newer ones."""

    def __init__(self) -> None:
        self._notes: dict[str, esens.Document] = {}
        self._searcher: esens.Searcher | None = None

    def remember(self, id_: str, run: str, tags: Sequence[str], text: str, supersedes: str | None = None) -> None:
        """Keep a note. The one that it supersedes stays, and says that it is old."""
        changed = [esens.Document(id_, text, metadata={"run": run, "tags": list(tags), "superseded": False})]
        if supersedes:
            old = self._notes[supersedes]
            changed.append(esens.Document(old.id, old.text, metadata={**old.metadata, "superseded": True}))
        self._notes.update((note.id, note) for note in changed)
        if self._searcher is None:
            self._searcher = esens.Searcher.from_documents(changed)
        else:
            self._searcher.add(changed)

    def recall(self, query: str, *, run: str, without_tags: Sequence[str] = (), k: int = 4) -> esens.Results:
        """Return notes of other runs that hold, have none of these tags, and nothing that the query excludes."""
        filters: list[dict[str, object]] = [{"run": run}, {"superseded": True}, {"tags": list(without_tags)}]
        assert self._searcher is not None, "nothing has been remembered yet"
        return self._searcher.search(query, k=k, mode="hard", exclude=filters)


def show(results: esens.Results) -> None:
    """Print what was recalled, and what the words of the query ruled out."""
    print(results.query)
    for rule in results.ruled_out:
        print(f"  ruled out by filter: {rule}")
    for hit in results:
        print(f"  {hit.id} {hit.metadata['run']}: {hit.text}")
    for hit in results.removed:
        print(f"  left out: {hit.id}, which {hit.explanation.finding}")
    print()


def main() -> None:
    """Fill a memory, supersede a note, and recall."""
    memory = Memory()
    for id_, run, tags, text in NOTES:
        memory.remember(id_, run, tags, text)
    memory.remember("n10", "run-2", ["deploy"], "Deploys now go out on Thursdays at ten.", supersedes="n1")

    show(memory.recall("how and when do we deploy?", run="run-3", without_tags=["secret", "guess"]))
    show(
        memory.recall("how and when do we deploy? but nothing about staging", run="run-4", without_tags=["secret"])
    )


if __name__ == "__main__":
    main()
