"""A large corpus becomes files of vectors, part by part, by one process or by many; ``esens index`` loads them."""

from esens.indexing.embed_files.job import DEFAULT_PART_ROWS as DEFAULT_PART_ROWS
from esens.indexing.embed_files.job import ENGINES as ENGINES
from esens.indexing.embed_files.job import EmbedReport as EmbedReport
from esens.indexing.embed_files.run import embed_files as embed_files
