"""The nouns. All of them are frozen: a caller's object is never changed, and a result can be kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
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


@dataclass(frozen=True, slots=True)
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
    exclusion has the relation "like", and comes from :class:`Example`.
    """

    text: str
    relation: str = "open"
    weight: float = field(default=1.0, repr=False)
    span: tuple[int, int] | None = field(default=None, compare=False, repr=False)
    told_by: str = field(default="", compare=False, repr=False)
    is_literal: bool = field(default=False, repr=False)
    example: str = field(default="", repr=False)
    phrase: str = field(default="", compare=False, repr=False)
    field: str = field(default="", repr=False)

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
            "exclusions": [asdict(exclusion) for exclusion in self.exclusions],
            "confidence": self.confidence,
            "reason": self.reason,
            "provenance": asdict(self.provenance),
        }


def _items(argument: str, given: object) -> tuple[object, ...]:
    """Return what a caller passed as a tuple: one text, one exclusion, or several of them."""
    if isinstance(given, (str, Exclusion)):
        return (given,)
    if not isinstance(given, Iterable):
        raise ArgumentError(argument, f"must be texts, got {given!r}")
    return tuple(given)


def _as_exclusion(given: object) -> Exclusion:
    if isinstance(given, Exclusion):
        return given
    _check_says_something("traps", given)
    return Exclusion(str(given))


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
    """What the document's text says of that exclusion, where it was read for a property, or by a verifier."""

    def __str__(self) -> str:
        if self.trap is None:
            return f"{self._move}: relevance {self.relevance:.3f}, no penalty"
        if self.penalty_share is None:
            return f"{self._move}: relevance {self.relevance:.3f}{self._linear}"
        price = self._contrast if self.evidence is None else self._property
        return f"{self._move}: relevance {self.relevance:.3f}{price}"

    @property
    def _move(self) -> str:
        if self.is_excluded:
            return f"excluded, rank {self.rank_before} in plain retrieval"
        if self.rank_before is None:
            return f"rank {self.rank_after}"
        if self.rank_after == self.rank_before:
            return f"rank {self.rank_after}, as before"
        return f"rank {self.rank_before} → {self.rank_after}"

    @property
    def _linear(self) -> str:
        return (
            f" − penalty {self.penalty:.3f} (similarity {self.query_similarity:.3f} to the query, "
            f"{self.trap_similarity:.3f} to “{self.trap}”)"
        )

    @property
    def finding(self) -> str:
        """Why it counts as excluded or does not, in words: what its text says, or what its vector shows."""
        if self.trap is None:
            return "nothing is excluded"
        if self.evidence is None:
            return f"about “{self.trap}”" if self.penalty_share else f"not about “{self.trap}”"
        if self.relation == LIKE:
            return self._likeness
        if self.evidence.stance == "mentioned":
            return f"only mentions “{self.evidence.kind or self.trap}”{self.evidence.words}{self.evidence.teller}"
        if self.evidence.stance == "silent":
            near = f"nearer to “{self.trap}” than others so near to what is wanted"
            return near if self.penalty_share else f"its text says nothing of “{self.trap}”"
        kind = f", a kind of {self.trap}" if self.evidence.kind else ""
        affirms = "has" if self.relation == "has" else "is about"
        verb = "says it lacks" if self.evidence.stance == "denied" else affirms
        return f"{verb} “{self.evidence.kind or self.trap}”{kind}{self.evidence.words}{self.evidence.teller}"

    @property
    def _likeness(self) -> str:
        if self.evidence is not None and self.evidence.stance == "affirmed":
            return f"the example itself, “{self.trap}”"
        if self.penalty_share:
            return f"nearer to “{self.trap}” than others so near to what is wanted"
        return f"not like “{self.trap}”"

    @property
    def _property(self) -> str:
        """What the text says, or what is taken from the vectors where it says nothing."""
        stance = "silent" if self.evidence is None else self.evidence.stance
        if self.evidence is not None and self.relation not in ("has", LIKE) and stance != "affirmed":
            return f"{self._loss}; it is not about “{self.trap}”{self.evidence.teller}"
        loss = self._loss if self.penalty or not self.penalty_share else f", would lose {self.penalty_share:.0%}"
        says_something = stance != "silent" and self.relation != LIKE
        is_by_vector = bool(self.penalty_share) or self.relation == LIKE
        subject = "it " if says_something else "it is " if is_by_vector else ""
        return f"{loss}; {subject}{self.finding}"

    @property
    def _contrast(self) -> str:
        """Both sides, and the share of the relevance that they cost, or would cost: "flag" takes nothing."""
        ignored = ", a mention in passing not counted" if self.mention_ignored else ""
        sentence = f"; its best sentence: {self.sentence}" if self.sentence else ""
        return (
            f"{self._loss} (nearness {self.target_nearness:.2f} to what is wanted, "
            f"{self.trap_nearness:.2f} to “{self.trap}”{self._naming}{ignored}{self._doubt}){sentence}"
        )

    @property
    def _loss(self) -> str:
        if not self.penalty_share:
            return ", no penalty"
        share = f"{max(self.penalty_share, 0.01):.0%}"
        if self.penalty:
            return f" − penalty {self.penalty:.3f}, {share} of what it has above the least relevant document"
        return f", {share} about what is excluded"

    @property
    def _doubt(self) -> str:
        """Why a document that is nearer to the excluded side pays nothing: by its cosines it is not."""
        is_nearer = (self.trap_nearness or 0.0) > (self.target_nearness or 0.0)
        return ", but not by its cosines" if is_nearer and not self.penalty_share else ""

    @property
    def _naming(self) -> str:
        if self.name_overlap == 1:
            return ", which its title or opening names"
        return f", {self.name_overlap:.0%} of whose name is in its title or opening" if self.name_overlap else ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document of the results, its score, and why.

    The score is on the scale of plain retrieval, whether or not the query excludes something: the similarity at
    which a document would stand there if nothing were excluded. A cut-off can therefore be written once.
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
            "explanation": asdict(self.explanation),
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
    ``note`` says what a reader should know of how they were searched for; as a rule nothing.
    """

    query: str
    decomposition: Decomposition
    hits: tuple[Hit, ...]
    scoring: Scoring
    removed: tuple[Hit, ...] = ()
    note: str = ""

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
            "hits": self.to_dicts(),
            "removed": [hit.to_dict() for hit in self.removed],
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
