"""The rank of every judged document: by every method, at every beta, kept by what it came from."""
