"""Answers from documents (RAG) whose context holds nothing that the question excludes.

    python examples/rag.py

Every question is asked twice of the same model: with the passages of a plain vector search, and with those of
esens. The model is a stub on this machine (stub_model.py) that repeats what its context says, so this needs no
key and no network. With a model of yours: OPENAI_API_KEY=… python examples/rag.py https://api.openai.com/v1
gpt-4o-mini
"""

import os
import sys
from contextlib import nullcontext

import openai

import esens
from esens.demo import load_corpus
from stub_model import stub_model

QUESTIONS = [
    "What helps against strong pain, but without opioids?",
    "What helps against strong pain?",
]
INSTRUCTIONS = "Answer from the passages alone, and name the number of the passage that you took each fact from."


def context_of(results: esens.Results) -> str:
    """Return the passages as a model reads them: one a line, numbered."""
    return "\n".join(f"[{hit.rank}] {hit.text}" for hit in results)


def ask(client: openai.OpenAI, model: str, question: str, results: esens.Results) -> str:
    """Return the model's answer to a question, from the passages that a search found."""
    prompt = f"{INSTRUCTIONS}\n\n{context_of(results)}\n\nQuestion: {question}"
    reply = client.chat.completions.create(model=model, messages=[{"role": "user", "content": prompt}])
    return reply.choices[0].message.content or ""


def main(base_url: str | None, model: str) -> None:
    """Ask every question with both contexts."""
    searcher = esens.Searcher.from_documents(load_corpus())  # 330 short documents on twelve subjects
    with nullcontext(base_url) if base_url else stub_model() as url:
        client = openai.OpenAI(
            base_url=url,
            api_key=os.environ.get("OPENAI_API_KEY", "none"),
            http_client=openai.DefaultHttpxClient(trust_env=base_url is not None),  # no proxy leads to the stub
        )
        for question in QUESTIONS:
            plain = searcher.search(question, k=3, beta=0)  # the exclusion has no weight: any vector search
            ours = searcher.search(question, k=3, mode="hard")  # "hard" leaves out what is excluded
            print(f"Question: {question}")
            print(f"  excluded: {', '.join(ours.decomposition.traps) or 'nothing'}")
            print(f"\nAnswer from a plain search:\n{ask(client, model, question, plain)}")
            print(f"\nAnswer from esens:\n{ask(client, model, question, ours)}")
            for hit in (hit for hit in ours.removed if hit.id in plain.ids):
                print(f"  kept out: {hit.title}, which {hit.explanation.finding}")
            print()
        client.close()


if __name__ == "__main__":
    main(*sys.argv[1:3]) if len(sys.argv) > 2 else main(None, "stub")
