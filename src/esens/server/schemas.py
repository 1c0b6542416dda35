"""What goes in and what comes out, as types. They are the OpenAPI description, and unknown fields are refused.

How much of something a request may hold is a setting of the service, so ``service.py`` checks it and not these.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from esens.types import Decomposition, Document, Example, Exclusion, Explanation, Loss, Provenance

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
    """A thing that is excluded, with what an answer said of it, where it came from one."""

    text: str
    relation: Literal["about", "has", "open"] = "open"
    weight: Weight = 1.0
    is_decided: bool = Field(
        False, description="Take the relation at its word; else documents may show that it is the other."
    )
    is_literal: bool = Field(False, description="The word itself rules a document out, whatever is said of it.")
    phrase: str = Field("", description="How the query puts it, where that says more than the name.")
    field: str = Field("", description="The field of the metadata that says it, in the place of the text.")

    def read(self) -> Exclusion:
        """Return it as the library has it."""
        return Exclusion(**self.model_dump())


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
    hybrid: bool | Literal["weighted", "rrf"] = Field(
        False, description="Whether words count beside vectors, by BM25; true fuses both by a weighted sum."
    )
    candidates: int = Field(
        0,
        ge=0,
        description="So many of the documents nearest to what is wanted, and of those nearest to the query, come "
        "beside the hits, with the terms of their scores: to be ranked at any beta without asking again.",
        examples=[100],
    )


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


class CandidateAnswer(BaseModel):
    """A document that may be a hit, with the terms of its score."""

    id: str
    title: str
    text: str
    metadata: dict[str, Any]
    passage: PassageAnswer | None = None
    rank_before: int | None = Field(description="Its rank in plain retrieval.")
    query_similarity: float = Field(description="What plain retrieval ranks by, and beta 0.")
    relevance: float
    losses: list[Loss] = Field(
        description="For each exclusion. The share of its relevance that a document loses is the greatest of "
        "fixed + min(most, max(0, beta·slope))."
    )


class CandidatesAnswer(BaseModel):
    """Candidates in corpus order. Each scores low + unit·(relevance − relevance·share), whatever beta is."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "low": -0.1,
                    "unit": 0.66,
                    "threshold": 0.7,
                    "ceiling": 0.25,
                    "relations": ["has"],
                    "documents": [
                        {
                            "id": "vinaigrette",
                            "title": "Vinaigrette",
                            "text": "Oil and vinegar for a salad.",
                            "metadata": {"year": 1999},
                            "rank_before": 1,
                            "query_similarity": 0.55,
                            "relevance": 0.9,
                            "losses": [
                                {
                                    "fixed": 1.0,
                                    "slope": 0.0,
                                    "most": 0.6,
                                    "name_overlap": 0.0,
                                    "evidence": {
                                        "stance": "affirmed",
                                        "quote": "Oil and vinegar for a salad.",
                                        "start": 12,
                                        "kind": "",
                                        "told_by": "",
                                    },
                                }
                            ],
                        }
                    ],
                }
            ]
        }
    )

    low: float
    unit: float
    threshold: float = Field(description="The share from which on a document counts as excluded.")
    ceiling: float | None = Field(description="What no other document has as relevance less what it loses.")
    relations: list[Literal["about", "has", "open", "like"]] = Field(
        description="How documents stand to each exclusion, as it was read."
    )
    documents: list[CandidateAnswer]


class SearchAnswer(SplitAnswer):
    """The hits of a query, best first; ``removed`` are those that the mode "hard" left out.

    ``candidates`` are there where they were asked for and something is excluded.
    """

    scoring: dict[str, Any]
    note: str
    ruled_out: list[str]
    hits: list[HitAnswer]
    removed: list[HitAnswer]
    candidates: CandidatesAnswer | None = None


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
    """The collections of the service, and what a page needs to offer them."""

    collections: list[CollectionAnswer]
    examples: list[str] = Field(description="Queries to try in the first collection.")
    max_k: int = Field(description="The most results, or candidates, of a search.")
    has_evaluation: bool = Field(description="Whether GET /v1/evaluation has figures.")


class FrontierAnswer(BaseModel):
    """One choice of weights over all betas; the other fields are measures, with an entry a beta each."""

    model_config = ConfigDict(extra="allow")

    beta: list[float]
    intervals: dict[str, list[list[float]]] = {}


class EvaluationAnswer(BaseModel):
    """What ``esens evaluate --json`` wrote: measures of methods, and of the paper's score at every beta."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "dataset": "my-benchmark",
                    "queries": 249,
                    "documents": 23635,
                    "methods": {"plain": {"avg_recall": 0.928, "avg_violation": 0.833}},
                    "frontier": {
                        "baseline-minus-trap": {
                            "beta": [0.0, 0.3],
                            "avg_recall": [0.928, 0.935],
                            "avg_violation": [0.833, 0.582],
                        }
                    },
                }
            ]
        },
    )

    dataset: str
    queries: int
    documents: int
    methods: dict[str, dict[str, Any]]
    frontier: dict[str, FrontierAnswer] = {}


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
