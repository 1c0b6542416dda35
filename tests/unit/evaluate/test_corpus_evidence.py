"""What all documents say of an exclusion, from postings, is what a search reads document by document."""

import numpy as np
import pytest
from tests.words import Counting, by_words

from esens import Contrast, Decomposition, Document, MemoryIndex, Searcher
from esens.embed.corpus import text_scorer
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.experiment import Experiment
from esens.evaluate.methods import method_of
from esens.evaluate.ranks.corpus_evidence import CorpusEvidence
from esens.evaluate.ranks.query_vectors import QueryVectors
from esens.evidence.lead_match import lead_of
from esens.score.base import RawScores
from esens.text.terms import distinct_terms

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
    evidence = CorpusEvidence(CORPUS, SPLIT, queries(2))
    terms = [distinct_terms(trap, SPLIT[0].target) for trap in SPLIT[0].traps]
    each = [[lead_of(document).overlap(of_trap) for document in CORPUS] for of_trap in terms]
    assert evidence.names(0).tolist() == each
    assert each == [[1, 1, 0, 0], [0, 0, 0, 0.5]]
    assert evidence.names(1).shape == (0, 4)


def test_traps_without_texts_name_nothing_and_nothing_is_read_for_them() -> None:
    evidence = CorpusEvidence(
        CORPUS, [Decomposition("x"), Decomposition("y")], queries(2), lambda rows: text_scorer(Counting(), rows)
    )
    assert evidence.count_traps(0) == 2
    assert not evidence.names(0).any()
    assert evidence.reader(0) is None


def test_without_an_embedder_no_mention_can_be_spared() -> None:
    evidence = CorpusEvidence(CORPUS, SPLIT, queries(2))
    assert not evidence.compares_texts
    assert evidence.reader(0) is not None  # for what documents say


def test_a_mention_in_passing_is_taken_out_of_the_documents_that_pay_and_of_no_others() -> None:
    passing = Document(
        "e", "Oil is warmed with salt. Bread is dipped into it. It keeps well all year. Vinegar would do, too."
    )
    evidence = CorpusEvidence((*CORPUS, passing), SPLIT[:1], queries(2), lambda _: _alike)
    reader = evidence.reader(0)
    assert reader is not None
    raw = RawScores(np.linspace(0.1, 0.5, 5), np.linspace(0.1, 0.5, 5)[::-1].copy(), np.full((2, 5), 0.9))
    raw.traps[:, 0] = 0.1
    names = evidence.names(0)
    scorer = Contrast()
    assert (scorer.terms(raw, raw.ranges()).penalty > 0).tolist() == [False, False, True, True, True]
    spared = evidence.spare_mentions(0, scorer, raw, raw.ranges(), names, reader, (False, False))
    changed = np.argwhere(spared.traps != raw.traps).tolist()
    assert changed == [[0, 4]]  # the trap vinegar, and the document that mentions it in passing
    assert spared.traps[0, 4] == np.float32(0.2)


def _alike(texts: object) -> np.ndarray:
    assert list(texts) == ["Oil is warmed with salt. Bread is dipped into it. It keeps well all year."]  # type: ignore[call-overload]
    return np.full((4, 1), 0.2, np.float32)


@pytest.mark.parametrize("beta", [0.5, 2.5])
@pytest.mark.parametrize("name", ["contrast", "esens"])
def test_a_search_and_the_method_of_an_evaluation_agree(name: str, beta: float) -> None:
    query = Query("q", "dressing without mustard", {"b": 1}, ("d",))
    experiment = Experiment.prepare(Dataset("own", (query,), CORPUS), embedder=Counting())
    method = method_of(f"{name}:{beta}")
    ranks = experiment.ranks([method])[method.name]
    vectors = by_words([document.content for document in CORPUS])
    scorer = Contrast(beta=beta, spare_mentions=name == "esens")
    results = Searcher(MemoryIndex(CORPUS, vectors), embedder=by_words).search(query.text, score=scorer)
    by_id = {hit.id: hit.rank for hit in results}
    assert ranks.tolist() == [by_id[document] for _, document, _ in experiment.dataset.judged]
