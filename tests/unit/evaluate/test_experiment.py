"""An experiment from texts to figures: methods, frontier, tuning, failures, and what is kept of them."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from tests.words import Counting

from esens import Contrast, Decomposition, Document, Linear, MemoryIndex, Relational, Searcher
from esens.errors import ArgumentError
from esens.evaluate.dataset import Dataset, Query
from esens.evaluate.evaluation import evaluation_of, evaluation_of_runs, evaluation_of_sets, measure
from esens.evaluate.experiment import Experiment
from esens.evaluate.failures import BOTH, MENTION, failures, mention
from esens.evaluate.measures import NOT_RANKED, Measures
from esens.evaluate.methods import DEFAULT_METHODS, METHODS, methods_of
from esens.evaluate.methods.contrast import CONTRAST_GRID
from esens.evaluate.methods.plain import Plain
from esens.evaluate.methods.scorer import ScorerMethod
from esens.evaluate.ranks import rank_cache as store_module
from esens.evaluate.ranks.rank_cache import Store, hash_of
from esens.evaluate.ranks.ranking import method_ranks, run_ranks
from esens.evaluate.tuning import tune
from esens.search.options import scorer_of
from esens.types import Provenance

DOCUMENTS = (
    Document("tea", "black tea is brewed hot", title="tea"),
    Document("coffee", "coffee is brewed hot", title="coffee"),
    Document("cocoa", "cocoa is brewed hot with milk", title="cocoa"),
    Document("juice", "juice of fruit is cold", title="juice"),
    Document("both", "tea shops also sell coffee brewed hot", title="shops"),
)
SPLIT = Decomposition("hot brewed drinks", ("coffee",))


def dataset(*extra: Query) -> Dataset:
    queries = (
        Query("1", "brewed hot drinks excluding coffee", {"tea": 1}, ("coffee",), recorded={"us": SPLIT}),
        Query("2", "shops with hot tea but not coffee", {"both": 1}, ("coffee",)),
        Query("3", "cold juice of fruit", {"juice": 1}),
        *extra,
    )
    return Dataset("drinks", queries, DOCUMENTS)


@pytest.fixture
def experiment():
    return Experiment.prepare(dataset(), embedder=Counting())


def test_every_method_ranks_every_judged_document(experiment):
    ranks = experiment.ranks(methods_of(",".join(DEFAULT_METHODS)))
    assert len(ranks) == len(DEFAULT_METHODS)
    for name, found in ranks.items():
        assert found.shape == (5,), name
        assert found.min() >= 1, name
        leaves_out = name in ("keyword-not", "esens-hard")
        assert (found[found != NOT_RANKED] if leaves_out else found).max() <= len(DOCUMENTS), name


def test_a_query_without_a_trap_is_ranked_plainly_by_all_that_see_vectors(experiment):
    ranks = experiment.ranks([m for m in methods_of(",".join(DEFAULT_METHODS)) if m.name != "bm25"])
    assert {int(found[-1]) for found in ranks.values()} == {1}


def test_the_papers_method_is_a_point_of_the_frontier(experiment):
    at = experiment.ranks(methods_of("plain,baseline-minus-trap:0.3,target-minus-trap:0.3"))
    betas = np.array([0.0, 0.3])
    assert experiment.frontier(betas=betas)[:, 0].tolist() == at["plain"].tolist()
    assert experiment.frontier(betas=betas)[:, 1].tolist() == at["baseline-minus-trap:0.3"].tolist()
    by_target = experiment.frontier(alpha=0, gamma=1, betas=betas)[:, 1]
    assert by_target.tolist() == at["target-minus-trap:0.3"].tolist()


def test_the_first_results_are_those_of_the_searchs_own_code(experiment):
    """Sentences are read again by a search and by nothing else, so ranks with them can only come from there."""
    by_sentences = ScorerMethod(Contrast(sentences=5))
    ranks = experiment.ranks([by_sentences, ScorerMethod(Contrast())])
    assert ranks[by_sentences.name].tolist() != ranks[repr(Contrast())].tolist()
    searcher = Searcher.from_documents(DOCUMENTS, embedder=Counting())
    for row, (number, document, _) in enumerate(experiment.dataset.judged):
        query = experiment.dataset.queries[number]
        results = searcher.search(query.text, k=len(DOCUMENTS), score=by_sentences.scorer)
        assert {hit.id: hit.rank for hit in results}[document] == ranks[by_sentences.name][row]


@pytest.mark.parametrize("depth", [1, 2, 4, 100])
@pytest.mark.parametrize("denied", [(), ("tea",)])
def test_behind_the_first_results_others_keep_their_ranks(experiment, denied, depth, monkeypatch):
    """Today a search and the formulas agree all the way down, so it does not matter where one ends."""
    monkeypatch.setattr("esens.evaluate.ranks.shipped_search.DEPTH", depth)
    everything = Query(
        "4", "brewed hot drinks excluding coffee", {document.id: 1 for document in DOCUMENTS}, denied=denied
    )
    again = Experiment.prepare(dataset(everything), embedder=Counting())
    searcher = Searcher.from_documents(DOCUMENTS, embedder=Counting())
    ranks = dict(
        zip((id_ for _, id_, _ in again.dataset.judged), again.ranks(methods_of("esens"))["esens"], strict=False)
    )
    results = searcher.search(everything.text, k=len(DOCUMENTS))
    assert {hit.id: hit.rank for hit in results} == {id_: int(ranks[id_]) for id_ in results.ids}


def test_a_set_of_places_gives_every_document_its_own(experiment):
    copies = tuple(Document(str(number), "tea is brewed hot") for number in range(6))
    query = Query("1", "tea brewed hot, no coffee", {"1": 1, "3": 1}, ("2", "5"), split=Decomposition("tea"))
    one = Experiment.prepare(Dataset("copies", (query,), copies), embedder=Counting(), decomposer="recorded:gold")
    assert one.decompositions == (Decomposition("tea"),)
    assert one.ranks(methods_of("plain"))["plain"].tolist() == [2, 4, 3, 6]
    run = {"1": [("5", 1.0), ("3", 1.0), ("7", 0.5)]}
    assert run_ranks(run, one.dataset).tolist() == [NOT_RANKED, 2, NOT_RANKED, 1]


def test_the_mean_of_several_sets_counts_each_the_same(experiment):
    other = Experiment.prepare(replace(dataset(), queries=dataset().queries[1:2], name="one"), embedder=Counting())
    methods = methods_of("plain,esens")
    mean = evaluation_of_sets([experiment, other], methods)
    assert [part.setup.dataset for part in mean.parts] == ["drinks", "one"]
    assert mean.setup.queries == 4
    for number, method in enumerate(mean.methods):
        parts = [part.methods[number].measures["recall@1"].mean for part in mean.parts]
        assert method.measures["recall@1"].mean == pytest.approx(np.mean(parts))
        assert "first_violation" not in method.measures


def test_small_memory_changes_no_rank(experiment):
    methods = methods_of("plain,deo,subtract,rrf")
    whole = method_ranks(
        methods, experiment.dataset, experiment.corpus, experiment.query_vectors, experiment.evidence
    )
    experiment.corpus.memory = 1
    assert {name: found.tolist() for name, found in whole.items()} == {
        name: found.tolist()
        for name, found in method_ranks(
            methods, experiment.dataset, experiment.corpus, experiment.query_vectors, experiment.evidence
        ).items()
    }


def test_an_index_serves_as_well_as_a_matrix():
    model = Counting()
    index = MemoryIndex(DOCUMENTS, model.embed_documents([document.content for document in DOCUMENTS]))
    of_index = Experiment.prepare(dataset(), embedder=model, documents=index)
    of_texts = Experiment.prepare(dataset(), embedder=model)
    assert of_index.frontier().tolist() == of_texts.frontier().tolist()
    with pytest.raises(ArgumentError, match="index keeps its own"):
        failures(of_index, beta=0.5)


def test_recorded_decompositions_leave_out_the_queries_that_have_none():
    found = Experiment.prepare(dataset(), embedder=Counting(), decomposer="recorded:us")
    assert [query.id for query in found.dataset.queries] == ["1"]
    assert found.decompositions == (SPLIT,)
    assert "2 of 3 queries have no decomposition by us" in found.setup.notes[0]
    with pytest.raises(ArgumentError, match="it has: us"):
        Experiment.prepare(dataset(), embedder=Counting(), decomposer="recorded:them")


@pytest.mark.parametrize(("documents", "match"), [(np.eye(4), "4 rows for 5 documents"), (np.zeros(5), "matrix")])
def test_vectors_that_do_not_fit_are_refused(documents, match):
    with pytest.raises(ArgumentError, match=match):
        Experiment.prepare(dataset(), embedder=Counting(), documents=documents)


def test_the_default_search_is_marked_and_has_a_curve_and_methods_say_what_they_do(experiment):
    found = evaluation_of(
        experiment, methods_of("plain,esens,contrast"), runs={"mine": experiment.ranks([Plain()])["plain"]}
    )
    assert [method.method for method in found.methods if method.is_default] == ["esens"]
    assert [bool(method.about) for method in found.methods] == [True, True, True, False]  # nobody knows of the run
    first, *paper = found.curves
    assert [curve.variant for curve in paper] == ["baseline-minus-trap", "target-minus-trap"]
    assert first.variant == "esens"
    default = found.methods[1].measures
    assert first.at(Relational().beta, "avg_violation") == default["avg_violation"]
    assert first.at(0, "avg_recall") == found.methods[0].measures["avg_recall"]  # which is plain retrieval
    assert (
        not evaluation_of_runs(experiment.dataset, {"esens": experiment.ranks([Plain()])["plain"]})
        .methods[0]
        .is_default
    )


@pytest.mark.parametrize("name", METHODS)
def test_every_method_says_in_one_line_what_it_does(name):
    first, _, rest = (METHODS[name].__doc__ or "").partition("\n")
    assert first.endswith(".")
    assert "(" not in first or ")" in first  # the line is whole
    assert "``" not in first  # nor has it signs that a report would show
    assert not rest.partition("\n")[0]


def test_an_evaluation_holds_measures_differences_and_curves(experiment):
    found = evaluation_of(experiment, methods_of("plain,baseline-minus-trap:1"))
    plain, ours = found.methods
    assert plain.against_plain == {}
    assert ours.measures["avg_violation"].mean < plain.measures["avg_violation"].mean
    assert ours.against_plain["avg_violation"].difference.mean < 0
    assert [curve.variant for curve in found.curves] == ["baseline-minus-trap", "target-minus-trap"]
    assert found.curves[0].at(1, "violation@3") == ours.measures["violation@3"]
    written = found.to_dict()
    assert written["methods"]["plain"]["avg_recall"] == pytest.approx(plain.measures["avg_recall"].mean, abs=1e-6)
    assert written["methods"]["plain"]["intervals"]["rr"] == pytest.approx(plain.measures["rr"][1:], abs=1e-6)
    assert len(written["frontier"]["baseline-minus-trap"]["recall@3"]) == 101
    assert written["dataset_hash"] == experiment.dataset.hash


def test_what_a_run_does_not_hold_is_not_ranked(experiment):
    run = {"1": [("tea", 3.0), ("cocoa", 2.0)], "2": [("both", 1.0), ("coffee", 1.0)]}
    ranks = run_ranks(run, experiment.dataset)
    assert ranks.tolist() == [1, NOT_RANKED, 1, 1, NOT_RANKED]
    (found,) = measure({"mine": ranks}, experiment.measures)
    assert found.measures["recall@10"].mean == pytest.approx(2 / 3)
    assert found.measures["violation@10"].mean == 0.5
    assert found.measures["rr"].mean == 0.5
    assert "first_violation" not in found.measures  # half of the queries have none


@pytest.mark.parametrize("seed", range(10))
def test_ir_measures_finds_the_same_in_a_run_that_stops_early(seed):
    ir_measures = pytest.importorskip("ir_measures")
    from ir_measures import RR, R, Success, nDCG

    random = np.random.default_rng(seed)
    ids = [f"d{number}" for number in range(30)]
    judged = [random.permutation(ids)[:6] for _ in range(8)]
    queries = tuple(
        Query(f"q{n}", "", {d: int(random.integers(1, 4)) for d in some[:3]}, tuple(some[3:]))
        for n, some in enumerate(judged)
    )
    run = {
        f"q{n}": [(d, float(random.random())) for d in random.permutation(ids)[: random.integers(0, 9)]]
        for n in range(7)  # the last is not in the run at all
    }
    data = Dataset("runs", queries)
    found = {name: values.mean() for name, values in Measures.of(data).all(run_ranks(run, data)).items()}
    relevant = [ir_measures.Qrel(q.id, d, g) for q in queries for d, g in q.relevant.items()]
    excluded = [ir_measures.Qrel(q.id, d, 1) for q in queries for d in q.excluded]
    listed = [ir_measures.ScoredDoc(q, d, score) for q, some in run.items() for d, score in some]
    theirs = ir_measures.calc_aggregate([RR @ 10, nDCG @ 10, R @ 5], relevant, listed)
    assert found["mrr@10"] == pytest.approx(theirs[RR @ 10])
    assert found["ndcg@10"] == pytest.approx(theirs[nDCG @ 10])
    assert found["recall@5"] == pytest.approx(theirs[R @ 5])
    assert found["violation@3"] == pytest.approx(
        ir_measures.calc_aggregate([Success @ 3], excluded, listed)[Success @ 3]
    )


def test_a_model_that_gave_no_answer_is_noted():
    def unlucky(query: str) -> Decomposition:
        return replace(SPLIT, provenance=Provenance("rules", failure="openai:x: timed out"))

    found = Experiment.prepare(dataset(), embedder=Counting(), decomposer=unlucky)
    assert "The decomposer gave no answer to 3 queries, which the rules split instead." in found.setup.notes


def test_given_query_vectors_are_not_split_again_and_named_by_their_content():
    vectors = Experiment.prepare(dataset(), embedder=Counting()).query_vectors

    def never(query: str) -> Decomposition:
        raise AssertionError(query)

    found = Experiment.prepare(dataset(), embedder=Counting(), decomposer=never, query_vectors=vectors)
    assert found.setup.decomposer == "given vectors"
    assert found.setup.embedder.startswith("counting, given query vectors (SHA-256 ")
    assert found.setup.queries_with_trap == 2


def test_without_excluded_documents_that_is_said():
    only = Dataset("plain", (Query("3", "cold juice of fruit", {"juice": 1}),), DOCUMENTS)
    assert "no violation to measure" in Experiment.prepare(only, embedder=Counting()).setup.notes[0]
    with pytest.raises(ArgumentError, match="no query has a judged document"):
        Experiment.prepare(Dataset("x", (Query("1", "tea"),), DOCUMENTS), embedder=Counting())


class TestStore:
    def test_what_was_ranked_is_not_ranked_again(self, tmp_path, monkeypatch):
        first = Experiment.prepare(dataset(), embedder=Counting(), store=Store(tmp_path))
        ranks = first.ranks(methods_of("plain,deo")), first.frontier()
        again = Experiment.prepare(dataset(), embedder=Counting(), store=Store(tmp_path))
        monkeypatch.setattr("esens.evaluate.experiment.method_ranks", None)
        monkeypatch.setattr("esens.evaluate.experiment.frontier", None)
        assert again.ranks(methods_of("plain,deo"))["deo:0.001"].tolist() == ranks[0]["deo:0.001"].tolist()
        assert again.frontier().tolist() == ranks[1].tolist()

    def test_each_variant_and_each_text_has_ranks_of_its_own(self, tmp_path):
        def prepared(data: Dataset) -> Experiment:
            return Experiment.prepare(data, embedder=Counting(), store=Store(tmp_path))

        plain = Experiment.prepare(dataset(), embedder=Counting())
        for _ in range(2):
            for alpha, gamma in ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5)):
                kept = prepared(dataset()).frontier(alpha=alpha, gamma=gamma)
                assert kept.tolist() == plain.frontier(alpha=alpha, gamma=gamma).tolist()
        reader, vectors = methods_of("bm25"), plain.query_vectors
        first = prepared(dataset()).ranks(reader)["bm25"]
        same_vectors = Counting().embed_documents([document.content for document in DOCUMENTS])
        other = Dataset("drinks", dataset().queries, (replace(DOCUMENTS[0], text="rocks"), *DOCUMENTS[1:]))
        changed = Experiment.prepare(other, documents=same_vectors, query_vectors=vectors, store=Store(tmp_path))
        again = Experiment.prepare(dataset(), documents=same_vectors, query_vectors=vectors, store=Store(tmp_path))
        assert again.ranks(reader)["bm25"].tolist() == first.tolist()
        assert changed.ranks(reader)["bm25"].tolist() != first.tolist()

    def test_a_method_that_is_not_ours_is_never_kept(self, tmp_path):
        class Mine:
            name = "mine"

            def __init__(self, weight: float) -> None:
                self.weight = weight

            def scores(self, raw):
                return self.weight * raw.query

        experiment = Experiment.prepare(dataset(), embedder=Counting(), store=Store(tmp_path))
        up, down = (experiment.ranks([Mine(weight)])["mine"].tolist() for weight in (1.0, -1.0))
        assert up != down

    @pytest.mark.parametrize("changed", ["document", "query", "gold", "decomposer", "method", "beta", "code"])
    def test_whatever_changes_nothing_old_is_used(self, changed, tmp_path, monkeypatch):
        def prepared(data: Dataset, decomposer: str = "rules") -> Experiment:
            return Experiment.prepare(data, embedder=Counting(), decomposer=decomposer, store=Store(tmp_path))

        prepared(dataset()).ranks(methods_of("subtract:0.4"))
        prepared(dataset()).frontier()
        kept = set(tmp_path.iterdir())
        data, method, betas = dataset(), "subtract:0.4", np.arange(101) / 100
        if changed == "document":
            other = Document("tea", "green tea is brewed cold", title="tea")
            data = Dataset("drinks", data.queries, (other, *DOCUMENTS[1:]))
        elif changed == "query":
            one = Query("1", "brewed cold drinks excluding coffee", {"tea": 1}, ("coffee",))
            data = Dataset("drinks", (one, *data.queries[1:]), DOCUMENTS)
        elif changed == "gold":
            data = dataset(Query("4", "juice of fruit", {"cocoa": 1}))
        elif changed == "method":
            method = "subtract:0.5"
        elif changed == "beta":
            betas = betas[:50]
        elif changed == "code":
            monkeypatch.setattr("esens.evaluate.experiment.code_hash", lambda: "another")
        experiment = prepared(data, "none" if changed == "decomposer" else "rules")
        experiment.ranks(methods_of(method))
        experiment.frontier(betas=betas)
        assert set(tmp_path.iterdir()) > kept

    def test_a_damaged_file_counts_as_nothing_kept(self, tmp_path):
        kept = Store(tmp_path)
        kept.put({"a": "b"}, np.array([1, 2], np.int32))
        found = kept.get({"a": "b"})
        assert found is not None
        assert found.tolist() == [1, 2]
        next(tmp_path.iterdir()).write_bytes(b"PK\x03\x04 cut off")
        assert kept.get({"a": "b"}) is None

    def test_the_default_folder_is_the_users_cache(self, tmp_path, monkeypatch):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert Store().folder == tmp_path / "esens" / "ranks"

    def test_arrays_of_other_shape_or_kind_hash_otherwise(self):
        arrays: list[npt.NDArray[np.generic]] = [
            np.zeros(4),
            np.zeros((2, 2)),
            np.zeros(4, np.float32),
            np.zeros(8, np.float32),
            np.zeros((0, 3)),
        ]
        assert len({hash_of(array) for array in arrays}) == len(arrays)
        assert len(store_module.code_hash()) == 64


class TestTune:
    def experiment(self) -> Experiment:
        alike = tuple(replace(dataset().queries[0], id=str(number)) for number in range(40))
        return Experiment.prepare(Dataset("many", alike, DOCUMENTS), embedder=Counting())

    @pytest.mark.parametrize("score", ["contrast", "linear"])
    def test_the_rule_decides_on_one_part_and_the_other_is_reported(self, score):
        found = tune(self.experiment(), scorer=score)
        assert found.score == score
        assert found.chosen_on == found.reported_on == 20
        assert found.rule == "least Avg. V with at most 0.5 points of Avg. R lost"
        assert found.likely == (found.beta, found.beta)  # all queries are alike, so every part chooses the same
        assert found.after["avg_violation"].mean < found.before["avg_violation"].mean
        assert found.after["avg_recall"].mean >= found.before["avg_recall"].mean - 0.005

    def test_of_equals_the_smallest_beta_is_chosen(self):
        found = tune(self.experiment(), scorer="linear", betas=np.array([0.0, 0.9, 1.0]))
        curve = self.experiment().measures.all(self.experiment().frontier(betas=np.array([0.0, 0.9, 1.0])))
        assert curve["avg_violation"][0, 1] == curve["avg_violation"][0, 2]
        assert found.beta == 0.9

    @pytest.mark.parametrize("part", [0, 1, 0.01])
    def test_a_part_that_leaves_a_side_empty_is_refused(self, part):
        with pytest.raises(ArgumentError, match="leaves one side empty"):
            tune(self.experiment(), part=part)

    def test_only_queries_with_both_documents_choose_and_report(self):
        alike = tuple(replace(dataset().queries[0], id=str(number)) for number in range(10))
        others = (
            Query("a", "tea excluding coffee", {"tea": 1}),
            Query("b", "tea excluding coffee", {}, ("coffee",)),
        )
        found = tune(Experiment.prepare(Dataset("mixed", (*others, *alike), DOCUMENTS), embedder=Counting()))
        assert found.chosen_on + found.reported_on == 10
        with pytest.raises(ArgumentError, match="both an answer and an excluded document"):
            tune(Experiment.prepare(Dataset("none", others, DOCUMENTS), embedder=Counting()))

    def test_the_weights_matter(self):
        scorers = [Linear(alpha=alpha, gamma=1 - alpha) for alpha in (1.0, 0.0)]
        found = [tune(self.experiment(), scorer=scorer) for scorer in scorers]
        assert [(one.alpha, one.gamma) for one in found] == [(1, 0), (0, 1)]
        assert found[0].before != found[1].before

    def test_by_default_it_is_the_default_search_that_is_tuned(self):
        experiment = self.experiment()
        found = tune(experiment)
        assert found == tune(experiment, scorer=Relational())
        assert Relational().beta in CONTRAST_GRID
        assert found.beta in CONTRAST_GRID  # and not in that of the paper's score, which ends at 1
        with pytest.raises(ArgumentError, match="score"):
            tune(experiment, scorer="cosine")

    def test_contrast_at_each_beta_is_its_method_and_at_zero_plain_retrieval(self):
        experiment, betas = self.experiment(), np.array([0.0, 1.0, 2.0])
        for name, scorer in (("contrast", Contrast(spare_mentions=False)), ("esens", Relational())):
            methods = methods_of(f"plain,{name}:1,{name}")
            expected = np.stack([experiment.ranks([method])[method.name] for method in methods], axis=1)
            np.testing.assert_array_equal(experiment.sweep(scorer, betas), expected)

    def test_the_papers_score_is_swept_by_the_frontier(self):
        experiment, betas = self.experiment(), np.array([0.0, 0.3, 1.0])
        swept = experiment.sweep(Linear(variant="target-minus-trap"), betas)
        np.testing.assert_array_equal(swept, experiment.frontier(alpha=0.0, gamma=1.0, betas=betas))

    @pytest.mark.parametrize(("name", "value"), [("loss", -1.0), ("loss", float("nan")), ("seed", -1)])
    def test_settings_that_make_no_sense_are_refused(self, name, value):
        with pytest.raises(ArgumentError, match=name):
            tune(self.experiment(), **{name: value})


class TestFailures:
    def test_an_answer_that_mentions_the_excluded_is_found_with_its_documents(self):
        hurt = Query("4", "brewed coffee shops but not coffee", {"both": 1}, ("coffee",))
        found = failures(Experiment.prepare(dataset(hurt), embedder=Counting()), scorer="linear", beta=3.0)
        case = next(case for case in found.cases if case.answer.id == "both")
        assert case.rank_after > case.rank_before
        assert case.excluded.id == "coffee"
        assert "sell coffee brewed" in case.mention
        assert case.group in (MENTION, BOTH)
        assert len(found.all_groups) == 3  # one of the four excludes nothing
        own, other = (Counting().embed_documents([one.content])[0] for one in (case.answer, case.excluded))
        cosine = own @ other / np.linalg.norm(own) / np.linalg.norm(other)
        assert case.similarity == pytest.approx(cosine, abs=1e-5)
        lengths = [one / np.linalg.norm(one) for one in Counting().embed_documents([d.content for d in DOCUMENTS])]
        nearer = sum(one @ own / np.linalg.norm(own) > cosine + 1e-6 for one in lengths)
        assert case.neighbour == nearer  # the answer itself is nearer, and does not count

    def test_beta_zero_hurts_nothing(self, experiment):
        with pytest.raises(ArgumentError, match="above 0"):
            failures(experiment, beta=0)

    @pytest.mark.parametrize("scorer", ["contrast", "linear", Contrast(spare_mentions=False, beta=4.0)])
    def test_every_score_can_be_looked_at(self, experiment, scorer):
        found = failures(experiment, scorer=scorer)
        assert (found.score, found.beta) == {"linear": ("linear", 0.5), "contrast": ("contrast", 2.0)}.get(
            scorer if isinstance(scorer, str) else "", ("contrast", 4.0)
        )
        assert found.to_dict()["score"] == found.score
        ranks = experiment.sweep(scorer_of(scorer), np.array([0.0, found.beta]))
        assert len(found.cases) + found.helped <= int((ranks[:, 0] != ranks[:, 1]).sum())

    @pytest.mark.parametrize(
        ("text", "name", "found"),
        [
            ("He sang with Nate  Ruess.", "nate ruess", "He sang with Nate Ruess."),
            ("He sang with Nate and Ruess.", "nate ruess", ""),
            ("category", "cat", ""),
            ("anything", "", ""),
            ("a" * 200 + " tea " + "b" * 200, "tea", "…" + "a" * 59 + " tea " + "b" * 59 + "…"),
        ],
    )
    def test_a_mention_is_the_words_in_a_row(self, text, name, found):
        assert mention(text, [name]) == found
