"""Collections of Qdrant."""
