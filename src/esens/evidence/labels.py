"""Labels that say in one word what a thing lacks: what is vegan has no milk, and what is decaf no caffeine."""

_MEAT = "meat poultry chicken turkey duck beef pork veal lamb bacon ham sausage fish seafood shellfish gelatin"
_DAIRY = "dairy milk cheese butter cream yogurt yoghurt lactose whey"
_LABELS = {
    "vegan": f"{_MEAT} {_DAIRY} egg honey animal",
    "vegetarian": f"{_MEAT} animal",
    "veggie": f"{_MEAT} animal",
    "decaf": "caffeine",
    "decaffeinated": "caffeine",
    "unsweetened": "sugar sweetener",
    "flourless": "flour",
}
_LACKED_BY = {label: frozenset(things.split()) for label, things in _LABELS.items()}
LABELS = frozenset(_LABELS)


def labels_without(thing: str) -> frozenset[str]:
    """Return the labels of what lacks a thing, given its word in the singular.

    >>> sorted(labels_without("milk"))
    ['vegan']
    """
    return frozenset(label for label, things in _LACKED_BY.items() if thing in things)
