"""The forms in which texts write a word: its plural, and the words that are made of it and mean the same.

Few of them, and only such as keep the meaning: "animated" says animation, but "buttery" says nothing of butter.
"""

from esens.text.tokens import singular

_SHORTEST_STEM = 3
# What a plural may be of, beside what ``singular`` makes of it. A form too many is no word, and is never met.
_PLURALS = (
    ("oes", "o"),
    ("ies", "ie"),
    ("ses", "se"),
    ("zes", "ze"),
    ("xes", "xe"),
    ("ches", "che"),
    ("ves", "f"),
)
# A word that ends like one of a row is also written with the other endings of that row.
_FAMILIES = (
    ("ation", "ations", "ated", "ating"),
    ("ography", "ographer", "ographers", "ographic", "ographs", "ograph"),
    ("ism", "ist", "ists"),
    ("ology", "ologist", "ologists", "ological"),
)
# Only in this direction: what is "spicy" has spice, but what has a spice need not be spicy.
_OF_ADJECTIVES = (("icy", ("ice", "ices", "iced", "iciness")), ("oozy", ("ooze",)), ("ented", ("ent", "ents")))
_SAME = {"alcohol": ("alcoholic",), "crowd": ("crowded",)}


def word_forms(word: str) -> frozenset[str]:
    """Return the forms of a word in lower case, itself among them.

    >>> sorted(word_forms("berries"))
    ['berrie', 'berries', 'berry', 'berrys']
    >>> "animated" in word_forms("animation"), "potato" in word_forms("potatoes")
    (True, True)
    """
    ones = {
        singular(word),
        *(word.removesuffix(ending) + end for ending, end in _PLURALS if word.endswith(ending)),
    }
    same = (form for one in ones for form in _SAME.get(one, ()))
    return frozenset((word, *same, *(form for one in ones for form in (*_numbers(one), *_derived(one)))))


def lacking_forms(word: str) -> frozenset[str]:
    """Return the words that say in one that the thing is not there: eggless, nondairy, unscented."""
    one = singular(word)
    return frozenset((f"{one}less", f"non{one}", f"non{word}", f"un{one}"))


def _numbers(one: str) -> tuple[str, ...]:
    if one.endswith("y"):
        return one, f"{one}s", f"{one[:-1]}ies"
    return (one, f"{one}s", f"{one}es") if one.endswith(("s", "x", "z", "ch", "sh", "o")) else (one, f"{one}s")


def _derived(one: str) -> tuple[str, ...]:
    for endings in _FAMILIES:
        for ending in endings:
            stem = one.removesuffix(ending)
            if stem != one and len(stem) >= _SHORTEST_STEM:
                return tuple(stem + other for other in endings)
    for ending, others in _OF_ADJECTIVES:
        if one.endswith(ending):
            return tuple(one.removesuffix(ending) + other for other in others)
    return ()
