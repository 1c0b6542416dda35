from dataclasses import replace

import numpy as np
import pytest

from esens.evaluate.dataset import Gold
from esens.evaluate.measures import Measures


def measures_of(
    *judged: tuple[int, int, int], queries: int | None = None, pairs: tuple[str, ...] = ()
) -> Measures:
    """Take rows of query, position and grade."""
    gold = Gold(*np.array(judged).reshape(-1, 3).T)
    return Measures(gold, queries if queries is not None else int(gold.query.max()) + 1, pairs)


def test_the_papers_case_is_whether_the_answer_and_the_excluded_are_in_the_top_k():
    found = measures_of((0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)).all(np.array([3, 8, 1, 2]))
    assert found["recall@3"].ravel().tolist() == [1, 1]
    assert found["recall@1"].ravel().tolist() == [0, 1]
    assert found["violation@7"].ravel().tolist() == [0, 1]
    assert found["avg_recall"].ravel().tolist() == [1, 1]
    assert found["avg_violation"].ravel().tolist() == [0.25, 1]
    assert found["rr"].ravel().tolist() == [1, 1]
    assert found["delta_r@1"].ravel().tolist() == [0, 1]
    assert found["mrr@10"].ravel().tolist() == [1 / 3, 1]
    assert found["first_violation"].ravel().tolist() == [8, 2]


def test_a_tie_between_answer_and_excluded_is_no_right_rank():
    found = measures_of((0, 0, 1), (0, 1, 0)).all(np.array([2, 2]))
    assert found["rr"].tolist() == [[0]]


def test_a_query_counts_only_where_something_is_judged():
    found = measures_of((0, 0, 1), (2, 0, 0), queries=3).all(np.array([1, 1]))
    assert len(found["recall@1"]) == 1
    assert len(found["violation@1"]) == 1
    assert "rr" not in found


def test_without_exclusions_there_is_no_violation():
    found = measures_of((0, 0, 1), (1, 3, 1)).all(np.array([1, 4]))
    assert not any("violation" in name or name in ("rr", "delta_r@1") for name in found)


def test_a_pair_counts_only_if_both_of_its_queries_are_right():
    judged = [(query, document, grade) for query in range(4) for document, grade in ((0, 1), (1, 0))]
    found = measures_of(*judged, pairs=("a", "b", "b", "a")).all(np.array([1, 2, 1, 2, 2, 1, 1, 2]))
    assert found["pairwise"].ravel().tolist() == [1, 0]
    assert found["rr"].ravel().tolist() == [1, 0.5]


def test_columns_are_measured_apart():
    both = measures_of((0, 0, 1), (0, 1, 0)).all(np.array([[1, 5], [2, 1]]))
    assert both["recall@3"].tolist() == [[1, 0]]
    assert both["violation@1"].tolist() == [[0, 1]]


def test_where_a_query_has_several_of_both_the_first_places_count():
    # Wanted: 0, 1 and 2, of which 2 denies the thing; excluded: 3 and 4.
    several = measures_of(*((0, document, int(document < 3)) for document in range(5)))
    several = replace(several, denied=np.array([False, False, True, False, False]), place_ks=(2, 4))
    found = several.all(np.array([1, 9, 4, 2, 3]), plain=np.array([2, 3, 4, 1, 9]))
    assert {name: found[name].item() for name in ("excluded@1", "excluded@2", "excluded@4")} == {
        "excluded@1": 0,
        "excluded@2": 0.5,
        "excluded@4": 0.5,
    }
    assert (found["wanted@2"].item(), found["wanted@4"].item()) == (0.5, 0.5)
    assert found["lost@2"].item() == 0
    assert found["lost@4"].item() == pytest.approx(1 / 3)
    assert found["denied_kept"].item() == 1
    assert several.all(np.array([1, 9, 5, 2, 3]), plain=np.array([2, 3, 4, 1, 9]))["denied_kept"].item() == 0


def test_what_is_compared_with_plain_retrieval_is_not_measured_without_it():
    found = measures_of(*((0, document, int(document < 2)) for document in range(4))).all(np.arange(1, 5))
    assert {"excluded@1", "excluded@5", "excluded@10", "wanted@5", "wanted@10"} <= found.keys()
    assert not any(name.startswith(("lost", "denied")) for name in found)


def test_one_answer_or_one_excluded_document_makes_no_places():
    for grades in ((1, 0, 0), (1, 1, 0)):
        found = measures_of(*((0, document, grade) for document, grade in enumerate(grades))).all(np.arange(1, 4))
        assert not any(name.startswith(("excluded@", "wanted@")) for name in found)


@pytest.mark.parametrize("seed", range(20))
def test_ir_measures_finds_the_same(seed):
    ir_measures = pytest.importorskip("ir_measures")
    from ir_measures import RR, R, Success, nDCG

    random = np.random.default_rng(seed)
    queries, documents = 12, 60
    rows = []
    for query in range(queries):
        some = random.choice(documents, 8, replace=False)
        grades = [*random.integers(1, 4, random.integers(1, 5)), *np.zeros(random.integers(1, 4), int)]
        rows += [(query, document, grade) for document, grade in zip(some, grades, strict=False)]
    measures = measures_of(*rows)
    scores = random.permuted(np.tile(np.arange(documents), (queries, 1)), axis=1).astype(float)  # no ties
    gold = measures.gold
    ranks = np.array(
        [1 + (scores[q] > scores[q, d]).sum() for q, d in zip(gold.query, gold.position, strict=True)]
    )
    found = {name: values.mean() for name, values in measures.all(ranks).items()}

    relevant = [ir_measures.Qrel(str(q), str(d), int(g)) for q, d, g in rows if g > 0]
    excluded = [ir_measures.Qrel(str(q), str(d), 1) for q, d, g in rows if g == 0]
    run = [ir_measures.ScoredDoc(str(q), str(d), scores[q, d]) for q in range(queries) for d in range(documents)]
    theirs = ir_measures.calc_aggregate([RR @ 10, nDCG @ 10, *(R @ k for k in (1, 3, 5, 7, 9, 10))], relevant, run)
    for k in (1, 3, 5, 7, 9, 10):
        assert found[f"recall@{k}"] == pytest.approx(theirs[R @ k])
    assert found["mrr@10"] == pytest.approx(theirs[RR @ 10])
    assert found["ndcg@10"] == pytest.approx(theirs[nDCG @ 10])
    violated = ir_measures.calc_aggregate([Success @ k for k in (1, 3, 5, 7, 9, 10)], excluded, run)
    for k in (1, 3, 5, 7, 9, 10):
        assert found[f"violation@{k}"] == pytest.approx(violated[Success @ k])
