"""What rooms share about texts: tokens, sentences, one line for people, no secrets."""
