"""Documents become an index, or files of vectors."""

from esens.indexing.writer import build_index as build_index
