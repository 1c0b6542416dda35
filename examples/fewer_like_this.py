"""Fewer like this: a reader points at a result, and the next page has fewer of its kind.

    python examples/fewer_like_this.py

No words are needed: what is excluded is a document, by its id (or a vector, as in images.py), and a weight says
how much it counts. Nothing else about the search changes. The documents are those of esens.demo.
"""

import esens
from esens.demo import load_corpus

QUERY = "historic sights in European cities"
SHOWN = 5


def show(heading: str, results: esens.Results) -> None:
    """Print each result with the city that it is about, and the place that it had before."""
    print(heading)
    for hit in results:
        was = hit.explanation.rank_before
        moved = "" if was in (None, hit.rank) else f", was {was}"
        print(f"  {hit.rank}. {hit.title} ({hit.metadata['topic']}{moved})")
    print()


def main() -> None:
    """Search, point at the first result, and leave out what is like it: gently, then fully."""
    searcher = esens.Searcher.from_documents(load_corpus())
    first = searcher.search(QUERY, k=SHOWN)
    show(QUERY, first)

    disliked = first[0]
    gently = searcher.search(QUERY, k=SHOWN, exclude=[esens.Example(disliked.id, weight=0.1)])
    show(f"somewhat fewer like “{disliked.title}”", gently)
    fully = searcher.search(QUERY, k=SHOWN, exclude=[disliked.id])
    show(f"fewer like “{disliked.title}”", fully)


if __name__ == "__main__":
    main()
