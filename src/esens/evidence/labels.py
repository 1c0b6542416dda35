"""Labels that say in one word what a thing lacks: what is vegan has no milk, and what is decaf no caffeine."""

_MEAT = "meat poultry chicken turkey duck beef pork veal lamb bacon ham sausage fish seafood shellfish gelatin"
_DAIRY = "dairy milk cheese butter cream yogurt yoghurt lactose whey"
_MEAT_ABROAD = """
fleisch wurst fisch schinken speck rind schwein huhn viande poisson porc poulet jambon volaille boeuf bœuf
carne pescado cerdo pollo jamon
"""
_NOT_VEGAN_ABROAD = (
    f"{_MEAT_ABROAD} milch kase sahne joghurt ei honig lait fromage beurre oeuf œuf miel laktose "
    "leche queso huevo lacteo mantequilla nata"
)
_VEGAN = f"{_MEAT} {_DAIRY} egg honey beeswax lanolin animal {_NOT_VEGAN_ABROAD}"
_VEGETARIAN = f"{_MEAT} animal {_MEAT_ABROAD}"
_VEGETARIAN_LABELS = """
vegetarian veggie vegetarisch vegetarische vegetarischer vegetarisches vegetarien vegetarienne
"""
_LABELS = {
    **dict.fromkeys(("vegan", "vegane", "veganer", "veganes", "vegetalien", "vegetalienne"), _VEGAN),
    **dict.fromkeys(_VEGETARIAN_LABELS.split(), _VEGETARIAN),
    **dict.fromkeys(("vegano", "vegana", "veganos", "veganas"), _VEGAN),
    **dict.fromkeys(("vegetariano", "vegetariana", "vegetarianos", "vegetarianas"), _VEGETARIAN),
    "decaf": "caffeine",
    "decaffeinated": "caffeine",
    "unsweetened": "sugar sweetener",
    "flourless": "flour",
    **dict.fromkeys(("ungezuckert", "ungezuckerte", "ungezuckerter", "ungezuckertes"), "zucker"),
    **dict.fromkeys(("ungesalzen", "ungesalzene", "ungesalzener", "ungesalzenes"), "salz"),
    **dict.fromkeys(("unparfumiert", "unparfumierte", "unparfumiertes"), "parfum duft duftstoff"),
    "unscented": "perfume fragrance scent parfum",
    "wireless": "cable cord wire",
    "cordless": "cable cord wire",
    "instrumental": "vocal singing lyric",
    "meatless": "meat poultry chicken turkey beef pork veal lamb bacon ham",
}
_LACKED_BY = {label: frozenset(things.split()) for label, things in _LABELS.items()}
LABELS = frozenset(_LABELS)


def labels_without(thing: str) -> frozenset[str]:
    """Return the labels of what lacks a thing, given its word in the singular.

    >>> "vegan" in labels_without("milk"), "vegan" in labels_without("nut")
    (True, False)
    """
    return frozenset(label for label, things in _LACKED_BY.items() if thing in things)
