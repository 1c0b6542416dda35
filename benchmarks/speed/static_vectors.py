"""Throughput of static vectors, wordllama, beside the default embedder, minilm, on the same texts."""

from functools import partial

from embedding import TEXTS, texts
from measure import in_turn, report, table

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
    report("static_vectors", "Static vectors", f"{head}\n\n{table(['', 'speed-up', '95 %'], rows)}")


if __name__ == "__main__":
    main()
