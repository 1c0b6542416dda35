"""A large corpus becomes files of vectors, part by part, by one process or by many; ``esens index`` loads them."""

from esens.bulk.job import DEFAULT_PART_ROWS as DEFAULT_PART_ROWS
from esens.bulk.job import ENGINES as ENGINES
from esens.bulk.job import Embedded as Embedded
from esens.bulk.run import embed_files as embed_files
