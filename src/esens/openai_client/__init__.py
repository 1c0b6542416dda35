"""The way to a server that speaks OpenAI's protocol, for whoever asks one: a decomposer, an embedder."""
