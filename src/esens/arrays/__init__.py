"""What rooms share about arrays: unit vectors, the scan, ranks."""
