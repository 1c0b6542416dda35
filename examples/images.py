"""Images by precomputed vectors: documents without a word of text, and vectors that you bring.

    python examples/images.py

A model such as CLIP puts images and texts into one space. esens needs the images' vectors, and a function that
gives texts theirs. Both are made up here, so that nothing has to be downloaded: every scene or thing is a
direction, an image is the sum of what it shows plus noise, and a text the sum of what it names. With a real
model, exchange `embed_texts` and `image_vectors`; nothing else changes.
"""

from collections.abc import Sequence

import numpy as np

import esens

THINGS = ["beach", "mountain", "city", "people", "dog", "boat", "night", "snow"]
DIMENSION, NOISE = 64, 0.08
_random = np.random.default_rng(0)
DIRECTIONS = {thing: _random.standard_normal(DIMENSION) / np.sqrt(DIMENSION) for thing in THINGS}
# What each of 210 images shows. The search does not know it: it sees file names and vectors.
SHOWN = [
    (scene, *others)
    for scene in ("beach", "mountain", "city")
    for others in (("people",), ("dog",), ("people", "dog"), ("boat",), ("people", "boat"), ("night",), ("snow",))
    for _ in range(10)
]


def image_vectors() -> np.ndarray:
    """Return a vector an image, as an image model would."""
    clean = [sum(DIRECTIONS[thing] for thing in shown) / np.sqrt(len(shown)) for shown in SHOWN]
    return np.array(clean) + NOISE * _random.standard_normal((len(SHOWN), DIMENSION))


def embed_texts(texts: Sequence[str]) -> np.ndarray:
    """Return a vector a text, as the model's side for texts would."""
    named = [[thing for thing in THINGS if thing in text.lower()] for text in texts]
    return np.array([sum((DIRECTIONS[thing] for thing in things), np.zeros(DIMENSION)) for things in named])


def show(heading: str, results: esens.Results) -> None:
    """Print the files, and what each shows."""
    print(heading)
    for hit in results:
        print(f"  {hit.rank}. {hit.id:14} {', '.join(SHOWN[hit.metadata['number']])}")
    print()


def main() -> None:
    """Search by words, by words with an exclusion, and away from an image."""
    documents = [
        esens.Document(f"IMG_{1000 + number}.jpg", "", metadata={"number": number}) for number in range(len(SHOWN))
    ]
    vectors = image_vectors()
    searcher = esens.Searcher.from_documents(documents, vectors=vectors, embedder=embed_texts)
    query = "photos of a dog on a beach, without people"
    show(f"{query}: plain search", searcher.search(query, k=5, beta=0))
    show(f"{query}: esens", searcher.search(query, k=5))

    first = searcher.search("photos of a city", k=5)
    show("photos of a city", first)
    disliked = vectors[
        first[0].metadata["number"]
    ]  # the vector of any image will do, also of one that is not here
    show(
        f"photos of a city, fewer like {first[0].id}",
        searcher.search("photos of a city", k=5, exclude=[esens.Example(disliked)]),
    )


if __name__ == "__main__":
    main()
