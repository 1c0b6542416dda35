"""The connection to a server that speaks OpenAI's protocol, for decomposers and embedders."""
