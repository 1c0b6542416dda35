"""The prompt that a model expects before a query, for models known by their name."""

# The sentence that these models were trained to read before the queries of a web search, to the letter.
_QWEN3_TASK = "Given a web search query, retrieve relevant passages that answer the query"
_BY_NAME = {"qwen3-embedding": f"Instruct: {_QWEN3_TASK}\nQuery:"}


def query_prompt_of(model: str) -> str:
    """Return what stands before a query for this model; for most of them that is nothing."""
    name = model.lower()
    return next((prompt for part, prompt in _BY_NAME.items() if part in name), "")
