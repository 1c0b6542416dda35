"""Benchmarks as people have them, a file a form: whatever the files, what comes out is a Dataset."""

from esens.evaluate.datasets.read import read_dataset as read_dataset
from esens.evaluate.datasets.trec import Qrels as Qrels
from esens.evaluate.datasets.trec import Run as Run
from esens.evaluate.datasets.trec import dataset_of_qrels as dataset_of_qrels
from esens.evaluate.datasets.trec import qrels_lines as qrels_lines
from esens.evaluate.datasets.trec import read_qrels as read_qrels
from esens.evaluate.datasets.trec import read_run as read_run
from esens.evaluate.datasets.trec import run_lines as run_lines
