"""Collections of Milvus."""
