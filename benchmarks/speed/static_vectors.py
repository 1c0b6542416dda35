"""Throughput of static vectors, wordllama, beside the default embedder, minilm, on the same texts."""

from functools import partial

from embedding import TEXTS, texts
from measure import Claim, in_turn, report, table

from esens.embed import embedder_of

ROUNDS = 7


def main() -> None:
    corpus = texts()
    embedders = [embedder_of("minilm"), embedder_of("wordllama")]
    contestants = {embedder.name: partial(embedder.embed_documents, corpus) for embedder in embedders}
    timings = in_turn(contestants, rounds=ROUNDS, repeats=1)
    base = next(iter(timings.values()))
    rows = []
    for name, timing in timings.items():
        ratio, low, high = base.ratio(timing)
        rows.append([name, f"{ratio:.0f}", f"{low:.0f} to {high:.0f}"])
    head = f"{TEXTS} texts of 1 to 4 notes of the demo corpus, both models loaded before."
    claim = Claim("static vectors, speed of embedding", ratio, (low, high), "the default embedder, minilm")
    body = f"{head}\n\n{table(['', 'speed-up', '95 %'], rows)}"
    report("static_vectors", "Static vectors", body, [claim._replace(is_most=False)])


if __name__ == "__main__":
    main()
