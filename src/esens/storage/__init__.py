"""What rooms share about files: caches, locks, files that appear whole or not at all."""
