"""The measures of first places: what holds of every ranking, and what a person would count in the list itself."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from esens.arrays.rank import places_of, top_k
from esens.evaluate.dataset import Gold
from esens.evaluate.measures import DENIED_KEPT, NOT_RANKED, Measures

Places = npt.NDArray[np.intp]
KS = (1, 3, 7)


class Judged(NamedTuple):
    """Queries with several documents of both kinds, by two rankings."""

    measures: Measures
    scores: npt.NDArray[np.float64]
    plain_scores: npt.NDArray[np.float64]

    @property
    def places(self) -> Places:
        return self._places(self.scores)

    @property
    def plain(self) -> Places:
        return self._places(self.plain_scores)

    def _places(self, scores: npt.NDArray[np.float64]) -> Places:
        gold = self.measures.gold
        pairs = zip(gold.query.tolist(), gold.position.tolist(), strict=True)
        return np.array([places_of(np.array([document]), scores[query])[0] for query, document in pairs])

    def all(self) -> dict[str, npt.NDArray[np.float64]]:
        return self.measures.all(self.places, self.plain)


@st.composite
def judged(draw: st.DrawFn) -> Judged:
    """Up to five queries over up to thirty documents, with many ties."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    queries, documents = draw(st.integers(1, 5)), draw(st.integers(4, 30))
    rows = []
    for query in range(queries):
        count = int(random.integers(4, documents + 1))
        wanted = int(random.integers(2, count - 1))
        chosen = random.choice(documents, count, replace=False)
        rows += [(query, document, int(number < wanted)) for number, document in enumerate(chosen)]
    gold = Gold(*np.array(rows, np.intp).T)
    denied = (gold.grade > 0) & (random.random(len(rows)) < 0.3)
    scores, plain = random.integers(0, 12, (2, queries, documents)).astype(float)
    return Judged(Measures(gold, queries, denied=denied, place_ks=KS), scores, plain)


@given(judged=judged())
def test_shares_are_what_one_counts_in_the_list(judged: Judged) -> None:
    measured, gold = judged.all(), judged.measures.gold
    for query, (scores, plain) in enumerate(zip(judged.scores, judged.plain_scores, strict=True)):
        rows = gold.query == query
        wanted = set(gold.position[rows & (gold.grade > 0)].tolist())
        excluded = set(gold.position[rows & (gold.grade == 0)].tolist())
        for k in KS:
            listed = set(top_k(scores, k).tolist())
            assert measured[f"excluded@{k}"][query, 0] == len(listed & excluded) / k
            assert measured[f"wanted@{k}"][query, 0] == len(listed & wanted) / k
            shown = set(top_k(plain, k).tolist()) & wanted
            lost = judged.measures.lost(judged.places[:, None], judged.plain, k)[query, 0]
            assert lost == len(shown - listed) / len(shown) if shown else np.isnan(lost)


@given(judged=judged())
def test_shares_are_shares_and_no_place_is_taken_twice(judged: Judged) -> None:
    measured = judged.all()
    for name, values in measured.items():
        if name.startswith(("excluded@", "wanted@", "lost@", DENIED_KEPT)):
            assert ((values >= 0) & (values <= 1)).all(), name
    for k in KS:
        assert (measured[f"excluded@{k}"] + measured[f"wanted@{k}"] <= 1 + 1e-12).all()


@given(judged=judged(), data=st.data())
def test_the_order_in_which_documents_are_judged_does_not_matter(judged: Judged, data: st.DataObject) -> None:
    gold = judged.measures.gold
    order = np.array(data.draw(st.permutations(range(len(gold.query)))), np.intp)
    order = order[np.argsort(gold.query[order], kind="stable")]
    moved = Measures(
        Gold(*(column[order] for column in gold)),
        judged.measures.queries,
        denied=judged.measures.denied[order],
        place_ks=KS,
    )
    again = moved.all(judged.places[order], judged.plain[order])
    for name, values in judged.all().items():
        np.testing.assert_allclose(again[name], values, err_msg=name)


@given(judged=judged())
def test_plain_retrieval_loses_nothing_and_leaves_all_in_their_places(judged: Judged) -> None:
    measured = judged.measures.all(judged.plain, judged.plain)
    assert all((values == 0).all() for name, values in measured.items() if name.startswith("lost@"))
    assert (measured.get(DENIED_KEPT, np.ones(1)) == 1).all()


@given(judged=judged())
def test_what_is_not_ranked_takes_no_place_and_is_lost(judged: Judged) -> None:
    measured = judged.measures.all(np.full(len(judged.places), NOT_RANKED), judged.plain)
    for k in KS:
        assert not measured[f"excluded@{k}"].any()
        assert not measured[f"wanted@{k}"].any()
        assert (measured.get(f"lost@{k}", np.ones(1)) == 1).all()


@given(scores=st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_places_are_those_of_the_sorted_list(scores: list[int]) -> None:
    array = np.array(scores, float)
    places = places_of(np.arange(len(array)), array)
    assert places[top_k(array, len(array))].tolist() == list(range(1, len(array) + 1))
