"""What goes in and what comes out, as types. They are the OpenAPI description, and unknown fields are refused.

How much of something a request may hold is a setting of the service, so ``service.py`` checks it and not these.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from esens.types import Decomposition, Document, Example, Exclusion, Explanation, Provenance

Weight = Annotated[float, Field(ge=0, le=1)]
Where = str | dict[str, Any] | list[str | dict[str, Any]]
FilterText = Annotated[
    Where,
    Field(
        description="Only documents whose metadata fulfil conditions.",
        examples=[{"year": {">=": 2000}}, ["year>=2000", "language in en,de"]],
    ),
]


class Request(BaseModel):
    """What every request has in common: types are not bent, and a field that nobody reads is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class NamedExclusion(Request):
    """A thing that is excluded."""

    text: str
    relation: Literal["about", "has", "open"] = "open"
    weight: Weight = 1.0

    def read(self) -> Exclusion:
        """Return it as the library has it."""
        return Exclusion(self.text, self.relation, self.weight)


class ExcludedExample(Request):
    """A document of the collection, by its id: fewer like it."""

    example: str
    weight: Weight = 1.0

    def read(self) -> Example:
        """Return it as the library has it."""
        return Example(self.example, self.weight)


class ExcludedFilter(Request):
    """Conditions on the metadata that no document may fulfil."""

    where: dict[str, Any]

    def read(self) -> dict[str, Any]:
        """Return it as the library has it."""
        return self.where


def _kind(value: object) -> str:
    """Return which kind of exclusion a value is meant to be, so that errors are about that kind alone."""
    if not isinstance(value, dict):
        return "<word>"
    return "<example>" if "example" in value else "<filter>" if "where" in value else "<thing>"


Exclude = Annotated[
    Annotated[str, Tag("<word>")]
    | Annotated[NamedExclusion, Tag("<thing>")]
    | Annotated[ExcludedExample, Tag("<example>")]
    | Annotated[ExcludedFilter, Tag("<filter>")],
    Discriminator(_kind),
]


class SplitQuery(Request):
    """What is wanted and what is excluded, from a caller who knows."""

    target: str
    exclusions: list[str | NamedExclusion] = []

    def read(self) -> Decomposition:
        """Return it as the library has it."""
        exclusions = [item if isinstance(item, str) else item.read() for item in self.exclusions]
        return Decomposition(self.target, tuple(exclusions))  # type: ignore[arg-type]


class RankingOptions(Request):
    """What decides the ranking, as for ``Searcher.search``."""

    score: Literal["relational", "contrast", "linear"] | None = None
    beta: float | None = Field(None, description="How strongly exclusions count; 0 is plain retrieval.")
    mode: Literal["soft", "hard", "flag"] | None = None
    decomposition: SplitQuery | None = None
    exclude: list[Exclude] = []
    evidence_fields: list[str] = []

    def options(self) -> dict[str, Any]:
        """Return these as keywords of the library's functions."""
        return {
            "score": self.score,
            "beta": self.beta,
            "mode": self.mode,
            "exclude": [item if isinstance(item, str) else item.read() for item in self.exclude] or None,
            "evidence_fields": self.evidence_fields,
        }


class SearchRequest(RankingOptions):
    """A query to a collection."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "salad dressings, but nothing with vinegar", "k": 5}]}
    )

    query: str
    collection: str | None = Field(None, description="The first collection of the service where there is none.")
    k: int = Field(10, ge=1)
    where: FilterText | None = None


class RerankRequest(RankingOptions):
    """A query and candidates, in the shape of Cohere's and Jina's endpoints."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "query": "coffee other than espresso",
                    "documents": ["Espresso is brewed under pressure.", "Filter coffee drips through paper."],
                    "top_n": 2,
                }
            ]
        }
    )

    query: str
    documents: list[str | dict[str, Any]] = Field(
        description="Texts, or objects with a text under `text`, perhaps a `title`; the rest are metadata."
    )
    top_n: int | None = Field(None, ge=1)
    return_documents: bool = False
    model: str | None = Field(
        None, description="Accepted for the sake of clients; the service has one of its own."
    )
    scores: list[float] | None = Field(None, description="The retriever's own scores, one a document.")


class DecomposeRequest(Request):
    """A query to be split."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "pain relief without opioids"}]})

    query: str


class DocumentItem(Request):
    """A document to be written. Without an id it gets a hash of its content as one."""

    id: str | int | None = None
    text: str
    title: str = ""
    metadata: dict[str, Any] = {}

    def read(self) -> Document:
        """Return it as the library has it."""
        source = {"text": self.text, "title": self.title, "metadata": self.metadata}
        return Document.of(source if self.id is None else source | {"id": self.id}, position=0, hash_ids=True)


class WriteRequest(Request):
    """Documents that are added, or take the place of those with the same id."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"documents": [{"id": "ranch", "text": "Buttermilk and herbs.", "metadata": {"year": 2020}}]}
            ]
        }
    )

    documents: list[DocumentItem]


class PassageAnswer(BaseModel):
    """Which passage of a longer document was found."""

    of: str
    number: int
    total: int


class HitAnswer(BaseModel):
    """A document of the results, and why it stands where it stands."""

    rank: int
    id: str
    score: float
    title: str
    text: str
    metadata: dict[str, Any]
    passage: PassageAnswer | None = None
    explanation: Explanation


class SplitAnswer(BaseModel):
    """How a query was read."""

    query: str
    target: str
    traps: list[str]
    exclusions: list[Exclusion]
    confidence: float
    reason: str
    provenance: Provenance


class SearchAnswer(SplitAnswer):
    """The hits of a query, best first; ``removed`` are those that the mode "hard" left out."""

    scoring: dict[str, Any]
    note: str
    hits: list[HitAnswer]
    removed: list[HitAnswer]


class RerankedAnswer(BaseModel):
    """A candidate by its position in the request. The score is from 0 to 1, or on the scale of ``scores``."""

    index: int
    relevance_score: float
    document: dict[str, Any] | None = None


class RerankAnswer(BaseModel):
    """Candidates, best first."""

    id: str
    results: list[RerankedAnswer]
    meta: dict[str, Any]


class WriteAnswer(BaseModel):
    """How many documents and passages are stored now, in answer to this request."""

    written: int


class DeleteAnswer(BaseModel):
    """How many of the documents were there."""

    deleted: int


class CollectionAnswer(BaseModel):
    """A collection."""

    name: str
    is_default: bool
    is_writable: bool


class CollectionsAnswer(BaseModel):
    """The collections of the service."""

    collections: list[CollectionAnswer]


class StateAnswer(BaseModel):
    """Whether the service is there."""

    status: Literal["ok", "ready"]


class ProblemAnswer(BaseModel):
    """What went wrong."""

    code: str
    message: str
    argument: str | None
    remedy: str


class ErrorAnswer(BaseModel):
    """The shape of every error."""

    error: ProblemAnswer
