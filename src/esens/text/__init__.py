"""What several packages need of texts: tokens, sentences, a single line for people, no secrets."""
