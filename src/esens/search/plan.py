"""One query, read and ready to be scored: which texts it needs, and what their raw scores mean."""

from collections.abc import Sequence
from dataclasses import dataclass

from esens.decompose import Decomposer, checked_query, decomposed
from esens.errors import ArgumentError
from esens.evidence import own_words
from esens.score.contrast import Contrast
from esens.search.contrasted import contrasted
from esens.search.hits import Found, linear_hits, plain_hits
from esens.search.judge import Read
from esens.search.options import Scoring
from esens.search.passages import folded, has_passages
from esens.search.scored import Scored
from esens.types import Decomposition, Results

_MORE_PASSAGES = 3


@dataclass(frozen=True, slots=True)
class Ask:
    """A query, how it is split, and how it is scored."""

    query: str
    decomposition: Decomposition
    scoring: Scoring

    @classmethod
    def of(
        cls,
        query: str,
        decomposition: Decomposition | Sequence[Decomposition] | None,
        decomposer: Decomposer,
        scoring: Scoring,
    ) -> "Ask":
        """Read a query; what is already decomposed is not decomposed again."""
        checked_query(query)
        if decomposition is None:
            return cls(query, decomposed([query], decomposer)[0], scoring)
        if not isinstance(decomposition, Decomposition):
            raise ArgumentError("decomposition", f"expected a Decomposition, got {type(decomposition).__name__}")
        return cls(query, decomposition, scoring)

    @property
    def is_plain(self) -> bool:
        """Whether this is plain retrieval: nothing is excluded, or the exclusion has no weight."""
        return not self.decomposition.traps or self.scoring.is_plain

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts to embed, and no more than are needed: the query, then the target, then the traps."""
        if self.is_plain:
            return (self._plain_text,)
        traps, weights = self.decomposition.traps, self.scoring.weights
        if isinstance(weights, Contrast):
            own = (own_words(trap, self.decomposition.target) for trap in traps)
            return (self.query, self.decomposition.target, *own)
        target = (self.decomposition.target,) if weights.gamma else ()
        return (self.query, *target, *(traps if weights.beta else ()))

    @property
    def _plain_text(self) -> str:
        # "target-minus-trap" at beta 0 is plain retrieval of the target, as in the paper's sweep.
        only_target = self.decomposition.traps and self.scoring.weights.alpha == 0
        return self.decomposition.target if only_target else self.query

    def results(self, scored: Scored, k: int, read: Read) -> Results:
        """Return the k best documents, given the raw scores of this ask's texts, a row each.

        ``read`` scores texts that are no documents: sentences, and what is left of one without its mentions.
        """
        found, scoring = self._folded(scored, k, read), self.scoring
        return Results(
            query=self.query,
            decomposition=self.decomposition,
            hits=found.hits,
            alpha=scoring.weights.alpha,
            gamma=scoring.weights.gamma,
            beta=scoring.weights.beta,
            score=scoring.score,
            mode=scoring.mode,
            removed=found.removed,
            threshold=None if scoring.mode == "soft" else scoring.threshold,
        )

    def _folded(self, scored: Scored, k: int, read: Read) -> Found:
        """Return k documents, of those that were split into passages the best one."""
        wanted = k
        while True:
            found = self._found(scored, wanted, read)
            if not has_passages((*found.hits, *found.removed), scored):
                return found
            hits = folded(found.hits, scored, k)
            if len(hits) == k or len(found.hits) < wanted:
                return Found(hits, folded(found.removed, scored, len(found.removed), without=hits))
            wanted *= _MORE_PASSAGES

    def _found(self, scored: Scored, k: int, read: Read) -> Found:
        if self.is_plain:
            return Found(plain_hits(scored, k))
        weights = self.scoring.weights
        if isinstance(weights, Contrast):
            return contrasted(weights, self.scoring, self.decomposition, scored, k, read)
        return Found(linear_hits(weights, self.decomposition.traps, scored, k))
