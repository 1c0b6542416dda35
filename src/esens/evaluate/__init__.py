"""How good a search with exclusions is: benchmarks, methods side by side, measures with intervals, reports.

A dataset is read, prepared once (split and embedded), then evaluated, tuned on, or searched for failures::

    dataset = read_dataset("my-benchmark")
    experiment = Experiment.prepare(dataset, embedder="minilm", decomposer="rules")
    evaluation = evaluation_of(experiment, methods_of("plain,deo,baseline-minus-trap:0.3"))
"""

from esens.evaluate.dataset import Dataset as Dataset
from esens.evaluate.dataset import Query as Query
from esens.evaluate.datasets import read_dataset as read_dataset
from esens.evaluate.evaluation import evaluation_of as evaluation_of
from esens.evaluate.experiment import Experiment as Experiment
from esens.evaluate.failures import failures as failures
from esens.evaluate.methods import methods_of as methods_of
from esens.evaluate.ranks.rank_cache import Store as Store
from esens.evaluate.tuning import tune as tune
