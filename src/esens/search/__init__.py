"""The one place where decomposition, embedding, index, evidence and score meet."""

from esens.search.options import DEFAULT_K as DEFAULT_K
from esens.search.options import SCORES as SCORES
from esens.search.searcher import Searcher as Searcher
