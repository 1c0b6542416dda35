"""What a look at a whole index finds: what was compared with what was written, and what is wrong."""

from dataclasses import dataclass
from typing import Any

from esens.types import EmbedderId

_NAMED = 10  # documents of a problem that are named in words


@dataclass(frozen=True, slots=True)
class IndexProblem:
    """Something that is wrong with an index."""

    what: str
    advice: str
    documents: tuple[str, ...] = ()
    """The ids of the documents that it is about, as far as they can be read."""

    def __str__(self) -> str:
        named = ", ".join(map(repr, self.documents[:_NAMED]))
        more = f" and {len(self.documents) - _NAMED:,} more" if len(self.documents) > _NAMED else ""
        return f"{self.what}{f': {named}{more}' if named else ''}; {self.advice}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"what": self.what, "advice": self.advice, "documents": list(self.documents)}


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """What is known of an index after every part of it was looked at that can be. Prints as a few lines."""

    index: str
    """Its spec, without secrets."""
    documents: int
    dimension: int
    embedder_id: EmbedderId | None
    checked: tuple[str, ...]
    """What was looked at."""
    unchecked: tuple[str, ...] = ()
    """What could not be, and what to do about it."""
    problems: tuple[IndexProblem, ...] = ()
    repaired: tuple[str, ...] = ()
    """What was done about problems, where somebody asked for it."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong, as far as that can be told."""
        return not self.problems

    def __str__(self) -> str:
        embedder = f", embedded by {self.embedder_id.name}" if self.embedder_id else ""
        lines = [f"{self.index}: {self.documents:,} documents or passages, dimension {self.dimension}{embedder}"]
        for name, parts in (
            ("checked", self.checked),
            ("not checked", self.unchecked),
            ("repaired", self.repaired),
            ("wrong", self.problems),
        ):
            lines += [f"{name}: {part}" for part in parts]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "index": self.index,
            "sound": self.is_sound,
            "documents": self.documents,
            "dimension": self.dimension,
            "embedder": self.embedder_id and self.embedder_id._asdict(),
            "checked": list(self.checked),
            "unchecked": list(self.unchecked),
            "repaired": list(self.repaired),
            "problems": [problem.to_dict() for problem in self.problems],
        }
