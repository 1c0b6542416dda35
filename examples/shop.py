"""Shop search: what shoppers rule out, by filters where the shop has a field for it, and by its texts elsewhere.

    python examples/shop.py

A brand is a field, so an excluded brand becomes a filter, which is strict. Leather stands in no field: esens
reads the descriptions, knows that suede is leather, and that "no leather anywhere" is none. Trail running is
what some shoes are for. Price and size are filters as in any shop. The eighteen shoes of data/shoes.jsonl are
made up.
"""

from pathlib import Path

import esens

SHOES = list(esens.read_documents(Path(__file__).parent / "data" / "shoes.jsonl"))
BRANDS = {shoe.metadata["brand"].lower(): shoe.metadata["brand"] for shoe in SHOES}
KINDS = {"has": "a property", "about": "a subject"}
QUERIES = [
    "running shoes, not Nike, no leather",
    "running shoes, not Nike, no leather, excluding trail running",
]
IN_STOCK = {"sizes": 42, "price": {"<=": 140}}


def search(searcher: esens.Searcher, query: str) -> esens.Results:
    """Split a query, make filters of the brands that it excludes, and search by what remains."""
    split = esens.decompose(query)
    brands = [BRANDS[one.text.lower()] for one in split.exclusions if one.text.lower() in BRANDS]
    others = tuple(one for one in split.exclusions if one.text.lower() not in BRANDS)
    print(f"{query}\n  wanted:   {split.target}")
    for brand in brands:
        print(f"  excluded: {brand}, a brand: a filter")
    for one in others:
        print(f"  excluded: {one.text}, {KINDS[one.relation]}")
    return searcher.search(
        query,
        k=6,
        mode="hard",  # left out, not only ranked down
        decomposition=esens.Decomposition(split.target, exclusions=others),
        exclude=[{"brand": brands}] if brands else None,
        where=IN_STOCK,
    )


def main() -> None:
    """Show what is found, and what is not and why."""
    searcher = esens.Searcher.from_documents(SHOES)
    for query in QUERIES:
        results = search(searcher, query)
        print("  in size 42, up to 140 €:")
        for hit in results:
            print(f"    {hit.rank}. {hit.title}, {hit.metadata['price']} €. {hit.text}")
        for hit in results.removed:
            print(f"    left out: {hit.title}: {hit.explanation.finding}")
        print()


if __name__ == "__main__":
    main()
