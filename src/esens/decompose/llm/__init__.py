"""A query split by a language model, and its answer checked against the query."""
