"""The one place where decomposition, embedding, index and score meet."""

from esens.embed.corpus import Progress as Progress
from esens.embed.corpus import embed_corpus as embed_corpus
from esens.embed.corpus import embed_texts as embed_texts
from esens.search.options import MODES as MODES
from esens.search.options import SCORES as SCORES
from esens.search.options import Scoring as Scoring
from esens.search.plan import Ask as Ask
from esens.search.searcher import DEFAULT_K as DEFAULT_K
from esens.search.searcher import Searcher as Searcher
from esens.search.searcher import checked_k as checked_k
