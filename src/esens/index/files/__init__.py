"""Index files that other libraries write, with documents beside them."""
