"""Raw scores in, scores out: pure functions on arrays, each formula in a file of its own."""
