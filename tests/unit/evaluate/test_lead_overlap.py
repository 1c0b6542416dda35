"""Names of a whole corpus, from postings, are those that a search reads document by document."""

import numpy as np
import pytest
from tests.words import Counting, by_words

from esens import Decomposition, Document, MemoryIndex, Searcher
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.experiment import Experiment
from esens.evaluate.methods import method_of
from esens.evaluate.ranks.lead_overlap import NamesOfQueries
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.evidence.lead_match import Names
from esens.evidence.trap_terms import own_name

CORPUS = (
    Document("a", "made of grapes and aged in oak", "Red wine vinegar"),
    Document("b", "vinegar and oil are whisked for a dressing"),
    Document("c", "lemon and oil are whisked for a dressing", "Dressing without vinegar"),
    Document("d", "mustard is ground and mixed with wine", "Mustard"),
)
SPLIT = (Decomposition("dressing", ("vinegar", "mustard of Dijon")), Decomposition("dressing"))


def queries(count: int) -> QueryVectors:
    rows = np.eye(count, 4, dtype=np.float32)
    traps = np.full((2, 4), 0.5, np.float32)
    return QueryVectors(rows, rows, traps, np.array([0, 2, 2]), traps)


def test_postings_give_what_reading_every_document_gives() -> None:
    named = NamesOfQueries(CORPUS, SPLIT, queries(2))
    things = [own_name(trap, SPLIT[0].target) for trap in SPLIT[0].traps]
    each = Names(lambda positions: [CORPUS[i] for i in positions]).shares(things, range(4))
    np.testing.assert_array_equal(named.shares(0), each)
    assert each.tolist() == [[1, 1, 0, 0], [0, 0, 0, 0.5]]
    assert named.shares(1).shape == (0, 4)


def test_traps_without_texts_name_nothing() -> None:
    named = NamesOfQueries(CORPUS, [Decomposition("x"), Decomposition("y")], queries(2))
    assert named.count(0) == 2
    assert not named.shares(0).any()


@pytest.mark.parametrize("beta", [0.5, 2.5])
def test_a_search_and_the_method_of_an_evaluation_agree(beta: float) -> None:
    query = Query("q", "dressing without mustard", {"b": 1}, ("d",))
    experiment = Experiment.prepare(Dataset("own", (query,), CORPUS), embedder=Counting())
    method = method_of(f"contrast:{beta}")
    ranks = experiment.ranks([method])[method.name]
    vectors = by_words([document.content for document in CORPUS])
    found = Searcher(MemoryIndex(CORPUS, vectors), embedder=by_words).search(query.text, beta=beta)
    by_id = {hit.id: hit.rank for hit in found}
    assert ranks.tolist() == [by_id[document] for _, document, _ in experiment.dataset.judged]
