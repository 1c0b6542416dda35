"""The service: searching, reranking and splitting of queries over HTTP, for any number of indexes."""
