"""The nouns. All of them are frozen: a caller's object is never changed, and a result can be kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from esens import strict_json
from esens.documents import Document as Document
from esens.documents import Passage as Passage
from esens.documents import check_text as check_text
from esens.documents import documents_of as documents_of
from esens.errors import ArgumentError

if TYPE_CHECKING:
    from rich.console import RenderableType

Progress = Callable[[int, int], None]
"""Called while long work runs: with what is done, and with all that there is to do."""


class EmbedderId(NamedTuple):
    """The embedder that made an index's vectors: its name, and a hash of all that they depend on."""

    name: str
    hash: str

    def is_same(self, other: "EmbedderId") -> bool:
        """Whether this is the same embedder; where one has no hash, as a plain function, names are compared."""
        return self.hash == other.hash if self.hash and other.hash else self.name == other.name

    def __str__(self) -> str:
        return f"{self.name} (hash {self.hash[:12]})" if self.hash else self.name


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who split a query, and what that took; ``failure`` says why another decomposer did not.

    ``decomposer`` is a spec ("rules", "openai:gpt-4o-mini"), or "given" where a caller knew target and traps.
    """

    decomposer: str = "given"
    prompt_version: str = ""
    prompt_hash: str = ""
    cached: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    failure: str = ""

    def __str__(self) -> str:
        prompt = f", prompt {self.prompt_version} ({self.prompt_hash})" if self.prompt_version else ""
        cached = ", from the cache" if self.cached else ""
        return f"{self.decomposer}{prompt}{cached}" + (f"; {self.failure}" if self.failure else "")


RELATIONS = ("about", "has", "open")
"""How documents stand to what is excluded: it is their subject, they have it, or the query leaves that open."""
LIKE = "like"
"""A relation that no words have: what is excluded is an example, and documents resemble it."""


@dataclass(frozen=True, slots=True, repr=False)
class Exclusion:
    """One thing that a query excludes.

    ``relation`` says which documents that rules out. "about": those whose subject it is ("excluding X", "not about
    X"). "has": those that have, contain, use or need it, are made of, by or from it, are of that kind, or date
    from then ("without X", "no X", "X-free", "not by X"). "open": the query does not tell. ``told_by`` are the
    words that told it, or the language model that did ("openai:gpt-4o-mini"). ``span`` is where the thing stood in
    the query, from its first character to behind its last, and ``weight`` how much it counts beside others.
    ``phrase`` is how the query puts it, where that says more than the name ("the American singer Nate Ruess" of
    "Nate Ruess"): the vectors of documents are compared with it, their words with ``text``.
    ``is_literal`` is for a word that no document may have, as ``-word`` asks for: whatever is said of it, and not
    its kinds. ``field`` names the field of a document's metadata that says whether it has the thing ("2020" of
    "year"), instead of its text. ``example`` is the id of the document that stands for what is excluded; such an
    exclusion has the relation "like", and comes from :class:`Example`. With ``is_decided``, somebody has decided
    the relation: "about" or "has" is then taken at its word, and documents are not asked what it should be.
    """

    text: str
    relation: str = "open"
    weight: float = 1.0
    span: tuple[int, int] | None = field(default=None, compare=False)
    told_by: str = field(default="", compare=False)
    is_literal: bool = False
    example: str = ""
    phrase: str = field(default="", compare=False)
    is_decided: bool = False
    field: str = ""

    def __repr__(self) -> str:
        """Show the thing and its relation, and of the rest what tells it from another exclusion of that thing."""
        others = ((each.name, getattr(self, each.name), each.default) for each in fields(self)[2:] if each.compare)
        rest = "".join(f", {name}={value!r}" for name, value, usual in others if value != usual)
        return f"Exclusion(text={self.text!r}, relation={self.relation!r}{rest})"

    def __post_init__(self) -> None:
        _check_says_something("exclusion", self.text)
        if self.relation not in (*RELATIONS, LIKE):
            raise ArgumentError("relation", f"must be one of {', '.join(RELATIONS)}, got {self.relation!r}")
        check_text("field", self.field)
        check_text("phrase", self.phrase)
        _check_weight(self.weight)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A document that stands for what is not wanted: fewer like this one.

    ``of`` is the id of a document of the index, a document, or a vector by the same embedder. ``weight``, from 0
    to 1, is how much it counts.
    """

    of: Any
    weight: float = 1.0

    def __post_init__(self) -> None:
        _check_weight(self.weight)


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A query split into what is wanted (target) and what is excluded (often one thing, none if nothing is).

    ``traps`` are the texts of the exclusions, in the paper's word; ``exclusions`` are the same with what is known
    of each. Give either: of plain texts, the relation is open. ``confidence`` says how sure the decomposer is of
    this reading, from 0 to 1, and ``reason`` why. Only target and traps count when two decompositions are
    compared: those are equal that exclude the same.
    """

    target: str
    traps: tuple[str, ...] = ()
    confidence: float = field(default=1.0, compare=False, repr=False)
    reason: str = field(default="", compare=False, repr=False)
    provenance: Provenance = field(default_factory=Provenance, compare=False, repr=False)
    exclusions: tuple[Exclusion, ...] = field(default=(), compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        _check_says_something("target", self.target)
        traps = _items("traps", self.traps)
        exclusions = tuple(map(_as_exclusion, _items("exclusions", self.exclusions) or traps))
        texts = tuple(exclusion.text for exclusion in exclusions)
        if traps and self.exclusions and texts != tuple(_as_exclusion(trap).text for trap in traps):
            raise ArgumentError("exclusions", f"are {texts}, and traps are {traps}; give only one of the two")
        if not _is_number(self.confidence) or not 0 <= self.confidence <= 1:
            raise ArgumentError("confidence", f"must be from 0 to 1, got {self.confidence!r}")
        object.__setattr__(self, "traps", texts)
        object.__setattr__(self, "exclusions", exclusions)

    @property
    def why(self) -> str:
        """The confidence, its reason and who says so, in one line."""
        reason = f": {self.reason}" if self.reason else ""
        return f"confidence {self.confidence:.2f}{reason} ({self.provenance})"

    def to_dict(self) -> dict[str, Any]:
        """Return everything about the decomposition as plain values."""
        return {
            "target": self.target,
            "traps": list(self.traps),
            "exclusions": [_as_dict(exclusion) for exclusion in self.exclusions],
            "confidence": self.confidence,
            "reason": self.reason,
            "provenance": _as_dict(self.provenance),
        }


def _items(argument: str, value: object) -> tuple[object, ...]:
    """Return what a caller passed as a tuple: one text, one exclusion, or several of them."""
    if isinstance(value, (str, Exclusion)):
        return (value,)
    if not isinstance(value, Iterable):
        raise ArgumentError(argument, f"must be texts, got {value!r}")
    return tuple(value)


def _as_exclusion(value: object) -> Exclusion:
    if isinstance(value, Exclusion):
        return value
    _check_says_something("traps", value)
    return Exclusion(str(value))


def _check_says_something(argument: str, text: object) -> None:
    check_text(argument, text)
    if not str(text).strip():
        raise ArgumentError(argument, "must be a text that says something, got an empty one")


def _check_weight(weight: float) -> None:
    if not _is_number(weight) or not 0 <= weight <= 1:
        raise ArgumentError("weight", f"must be from 0 to 1, got {weight!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


STANCES = ("affirmed", "denied", "mentioned", "silent")
"""What a text may say of a thing: that it is there, that it is not, its name and no more, or nothing."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a document's own words say of an excluded thing.

    ``quote`` are the words that say it, and ``start`` is where they stand in the document's content (its title, a
    line break, its text). ``kind`` is the kind of the thing that they name ("almond" of nuts), empty where they
    name the thing itself. ``told_by`` is the verifier that read them ("openai:gpt-4o-mini"), empty for the rules.
    """

    stance: str = "silent"
    quote: str = ""
    start: int | None = None
    kind: str = ""
    told_by: str = ""

    def __post_init__(self) -> None:
        if self.stance not in STANCES:
            raise ArgumentError("stance", f"must be one of {', '.join(STANCES)}, got {self.stance!r}")

    def __str__(self) -> str:
        if self.stance == "silent":
            return f"says nothing of it{self.teller}"
        kind = f", a kind of it: {self.kind}" if self.kind else ""
        return f"{self.stance}{self.words}{kind}{self.teller}"

    @property
    def words(self) -> str:
        """The quote behind a colon; nothing where a verifier has none."""
        return f": “{self.quote}”" if self.quote else ""

    @property
    def teller(self) -> str:
        """Who says so, in brackets, where that is not the rules."""
        return f" ({self.told_by})" if self.told_by else ""


SILENT = Evidence()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit stands where it stands: score = relevance − penalty, all three on the scale of plain retrieval."""

    relevance: float
    """How well the document fits what is wanted; the plain similarity where nothing is excluded."""
    penalty: float
    """What it loses for what is excluded."""
    rank_before: int | None
    """The rank that plain retrieval gives it; None where it was not looked up: an engine gives the nearest few."""
    rank_after: int
    """Its rank by this score."""
    query_similarity: float
    """The raw score of the document and the whole query."""
    trap: str | None = None
    """The exclusion that it pays for, or comes nearest to."""
    relation: str | None = None
    """How documents stand to that exclusion: "about", "has" or "open"; "like", where it is an example."""
    trap_similarity: float | None = None
    """The raw score of the document and that exclusion."""
    target_similarity: float | None = None
    """The raw score of the document and what is wanted."""
    target_nearness: float | None = None
    """The wanted side: 0 for the least similar of the scored documents, 1 for the second most."""
    trap_nearness: float | None = None
    """The excluded side, measured likewise."""
    penalty_share: float | None = None
    """The share that the document loses of what it has above the least relevant one."""
    name_overlap: float = 0.0
    """How much of the exclusion's name is in the document's title or opening."""
    is_excluded: bool = False
    """Whether the share reaches the threshold, in the modes "hard" and "flag"."""
    mention_ignored: bool = False
    """Whether the exclusion is only mentioned in passing: the excluded side is that of the text without it."""
    sentence: str | None = None
    """The sentence nearest to what is wanted, where sentences were read."""
    evidence: Evidence | None = None
    """What the document's text says of that exclusion, where it was read for a property, or by a verifier. Of a
    subject: its title or opening, where that names the exclusion and the document pays."""

    def __str__(self) -> str:
        from esens.display import explanation_line

        return explanation_line(self)

    @property
    def finding(self) -> str:
        """Why it counts as excluded or does not, in words: what its text says, or what its vector shows."""
        from esens.display import finding_of

        return finding_of(self)


@dataclass(frozen=True, slots=True)
class Hit:
    """A document of the results, its score, and why.

    The score is on the scale of plain retrieval, whether or not the query excludes something: about what the
    document would score in a plain search for what is wanted, less what it loses. A cut-off is written once.
    """

    document: Document
    score: float
    explanation: Explanation

    @property
    def rank(self) -> int:
        """One more than the number of documents that score higher; equal scores share a rank."""
        return self.explanation.rank_after

    @property
    def id(self) -> str:
        """The document's id."""
        return self.document.id

    @property
    def title(self) -> str:
        """The document's title."""
        return self.document.title

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.text

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The document's metadata."""
        return self.document.metadata

    def to_dict(self) -> dict[str, Any]:
        """Return everything about the hit as plain values."""
        return {
            "rank": self.rank,
            "id": self.id,
            "score": self.score,
            "title": self.title,
            "text": self.text,
            "metadata": dict(self.metadata),
            **({"passage": passage._asdict()} if (passage := self.document.passage) else {}),
            "explanation": _as_dict(self.explanation),
        }


@dataclass(frozen=True, slots=True)
class Loss:
    """What a document loses for one exclusion, at any beta.

    Of its relevance that is the share ``fixed`` + min(``most``, max(0, beta · ``slope``)): what its words say
    costs at any beta, what its vector shows with beta.
    """

    fixed: float
    slope: float
    most: float
    name_overlap: float = 0.0
    """How much of the exclusion's name is in the document's title or opening."""
    evidence: Evidence | None = None
    """What the document's text says of the exclusion, where it was read for a property, or by a verifier."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that may be a hit, with the terms of its score: by them it can be ranked at any beta."""

    document: Document
    rank_before: int | None
    """The rank that plain retrieval gives it; None where it was not looked up."""
    query_similarity: float
    """The raw score of the document and the whole query: what plain retrieval ranks by."""
    relevance: float
    """How well it fits what is wanted, as the score has it: the least relevant document has 0."""
    losses: tuple[Loss, ...]
    """For each exclusion; the greatest share counts."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "id": self.document.id,
            "title": self.document.title,
            "text": self.document.text,
            "metadata": dict(self.document.metadata),
            **({"passage": passage._asdict()} if (passage := self.document.passage) else {}),
            "rank_before": self.rank_before,
            "query_similarity": self.query_similarity,
            "relevance": self.relevance,
            "losses": [_as_dict(loss) for loss in self.losses],
        }


@dataclass(frozen=True, slots=True)
class Candidates:
    """The documents nearest to what is wanted and to the query, in corpus order, to be ranked at any beta.

    A document scores low + unit · (relevance − relevance · share), where share is the greatest of its losses;
    equal scores stay in this order, and of passages of one document the best counts. Beta 0 is plain retrieval.
    """

    low: float
    unit: float
    threshold: float
    """The share from which on a document counts as excluded."""
    ceiling: float | None
    """What no other document has as relevance − relevance · share, at any beta; None where there is no other."""
    relations: tuple[str, ...]
    """How documents stand to each exclusion, as it was read: "has", "about", "open" or "like"."""
    documents: tuple[Candidate, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain values."""
        return {
            "low": self.low,
            "unit": self.unit,
            "threshold": self.threshold,
            "ceiling": self.ceiling,
            "relations": list(self.relations),
            "documents": [document.to_dict() for document in self.documents],
        }


@dataclass(frozen=True, slots=True)
class Scoring:
    """By which score documents were ranked, with which parameters."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)
    is_plain: bool = False
    """Whether that came to plain retrieval: nothing is excluded, or what is excluded has no weight."""

    @property
    def mode(self) -> str:
        """What became of the excluded: "soft", "hard" or "flag"."""
        return str(self.parameters.get("mode", "soft"))


@dataclass(frozen=True, slots=True)
class Results(Sequence[Hit]):
    """The hits of one query, best first. Prints as a table.

    ``removed`` are the documents that the mode "hard" left out of the first k of plain retrieval, and why.
    ``note`` says what a reader should know of how they were searched for; as a rule nothing. ``candidates`` are
    there where they were asked for and something is excluded. ``ruled_out`` are the conditions on metadata that
    none of them may fulfil, as ``exclude=`` gave them.
    """

    query: str
    decomposition: Decomposition
    hits: tuple[Hit, ...]
    scoring: Scoring
    removed: tuple[Hit, ...] = ()
    note: str = ""
    candidates: Candidates | None = field(default=None, repr=False)
    ruled_out: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    @overload
    def __getitem__(self, index: int) -> Hit: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...

    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the documents, best first."""
        return tuple(hit.id for hit in self.hits)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one plain dict a hit."""
        return [hit.to_dict() for hit in self.hits]

    def to_dict(self) -> dict[str, Any]:
        """Return the query, its decomposition, how it was scored, the hits and the removed as plain values."""
        return {
            "query": self.query,
            **self.decomposition.to_dict(),
            "scoring": {"name": self.scoring.name, **self.scoring.parameters},
            "note": self.note,
            "ruled_out": list(self.ruled_out),
            "hits": self.to_dicts(),
            "removed": [hit.to_dict() for hit in self.removed],
            **({"candidates": self.candidates.to_dict()} if self.candidates else {}),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return :meth:`to_dict` as JSON; metadata that JSON does not know is written as text, NaN as null."""
        return strict_json.dumps(self.to_dict(), indent=indent)

    def __rich__(self) -> "RenderableType":
        from esens.display import results_table

        return results_table(self)

    def __str__(self) -> str:
        from esens.display import as_text

        return as_text(self)


def _as_dict(record: Any) -> dict[str, Any]:
    """Return a record and those within it as mappings. Their values cannot change, so they are not copied."""
    values = ((name, getattr(record, name)) for name in record.__slots__)
    return {name: _as_dict(value) if isinstance(value, Evidence) else value for name, value in values}
