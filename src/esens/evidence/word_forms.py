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
    ("ses", "sis"),
    ("zes", "ze"),
    ("xes", "xe"),
    ("ches", "che"),
    ("ves", "f"),
)
# Plurals that no ending tells, by the singular: "caves" are no cafes.
_IRREGULAR = {
    "mouse": "mice",
    "louse": "lice",
    "goose": "geese",
    "foot": "feet",
    "tooth": "teeth",
    "man": "men",
    "woman": "women",
    "child": "children",
    "ox": "oxen",
    "bacterium": "bacteria",
    "fungus": "fungi",
    "larva": "larvae",
    "alga": "algae",
    "cactus": "cacti",
    "leaf": "leaves",
    "loaf": "loaves",
    "calf": "calves",
    "wolf": "wolves",
    "knife": "knives",
    "wife": "wives",
    "ad": "ads",  # too short for ``singular``
    "tv": "tvs",
    "shelf": "shelves",
    "thief": "thieves",
}
_SINGULAR_OF = {plural: base for base, plural in _IRREGULAR.items()}
# A word that ends like one of a row is also written with the other endings of that row.
_FAMILIES = (
    ("ation", "ations", "ated", "ating"),
    ("ography", "ographer", "ographers", "ographic", "ographs", "ograph"),
    ("ism", "ist", "ists"),
    ("ology", "ologist", "ologists", "ological"),
    ("neering", "neer", "neers"),
)
# Only in this direction: what is "spicy" has spice, but what has a spice need not be spicy; what is violent has
# violence. A drowsiness is found by "drowsy".
_DIRECTED = (
    ("icy", ("ice", "ices", "iced", "iciness")),
    ("oozy", ("ooze",)),
    ("ented", ("ent", "ents")),
    ("ence", ("ent", "ently")),
    ("y", ("iness",)),
)
_SAME: dict[str, tuple[str, ...]] = {
    "alcohol": ("alcoholic",),
    "crowd": ("crowded",),
    "caffeine": ("caffeinated",),
    "toxin": ("toxic",),
    "politic": ("political",),  # as ``singular`` makes it of politics
    "religion": ("religious",),
    "drowsiness": ("drowsy",),
    "dizziness": ("dizzy",),
    # What is "buttery" need not have butter; these have it.
    "thorn": ("thorny",),
    "noise": ("noisy",),
    "gore": ("gory",),
    "mud": ("muddy",),
    "sand": ("sandy",),
    "hill": ("hilly",),
    "dust": ("dusty",),
    "fat": ("fatty",),
    "poison": ("poisonous",),
    "mountain": ("mountainous",),
}
# What people write short, and texts in full; the other way round as well.
_SHORT_AND_FULL = (
    ("config", "configuration"),
    ("repo", "repository"),
    ("auth", "authentication"),
    ("admin", "administrator"),
    ("info", "information"),
    ("lab", "laboratory"),
    ("exam", "examination"),
    ("fridge", "refrigerator"),
    ("ad", "advert", "advertisement"),
    ("photo", "photograph"),
    ("tv", "television"),
    ("phone", "telephone"),
)
_SAME |= {word: tuple(other for other in same if other != word) for same in _SHORT_AND_FULL for word in same}
# British and American spellings, by how a word ends, and whole words that no ending tells.
_ENDS_SPELLED = (("our", "or"), ("tre", "ter"), ("bre", "ber"), ("ise", "ize"), ("yse", "yze"), ("logue", "log"))
_SPELLED = (
    ("grey", "gray"),
    ("licence", "license"),
    ("defence", "defense"),
    ("tyre", "tire"),
    ("aluminium", "aluminum"),
    ("jewellery", "jewelry"),
    ("programme", "program"),
    ("pyjama", "pajama"),
    ("plough", "plow"),
    ("doughnut", "donut"),
    ("yoghurt", "yogurt"),
    ("whisky", "whiskey"),
    ("moustache", "mustache"),
    ("travelling", "traveling"),
    ("sulphate", "sulfate"),
    ("sulphite", "sulfite"),
    ("oestrogen", "estrogen"),
    ("storey", "story"),
)
_SPELLED_OTHERWISE = {one: other for pair in _SPELLED for one, other in (pair, pair[::-1])}
del _SPELLED_OTHERWISE["story"]  # mostly it is told
_FEWEST_BEFORE_END = 3


def word_forms(word: str) -> frozenset[str]:
    """Return the forms of a word in lower case, itself among them.

    >>> sorted(word_forms("berries"))
    ['berrie', 'berries', 'berriness', 'berry', 'berrys']
    >>> "analyses" in word_forms("analysis"), "diagnosis" in word_forms("diagnoses")
    (True, True)
    >>> "animated" in word_forms("animation"), "potato" in word_forms("potatoes"), "mouse" in word_forms("mice")
    (True, True, True)
    """
    bases = {
        _SINGULAR_OF.get(word) or (word if word.endswith("sis") else singular(word)),
        *(word.removesuffix(ending) + end for ending, end in _PLURALS if word.endswith(ending)),
    }
    bases.update([_otherwise_spelled(base) for base in bases])
    same = (form for base in bases for other in _SAME.get(base, ()) for form in _numbers(other))
    return frozenset((word, *same, *(form for base in bases for form in (*_numbers(base), *_derived(base)))))


def lacking_forms(word: str) -> frozenset[str]:
    """Return the words that say in one that the thing is not there: eggless, sugarfree, unsalted, nonviolent.

    >>> {"nondairy", "dairyfree"} <= lacking_forms("dairy"), "nonviolent" in lacking_forms("violence")
    (True, True)
    """
    base = singular(word)
    forms = {f"non{form}" for form in (base, word, *_derived(base), *_SAME.get(base, ()))}
    participle = f"un{base}d" if base.endswith("e") else f"un{base}ed"
    return frozenset((*forms, f"{base}less", f"{base}free", f"un{base}", participle))


def _otherwise_spelled(base: str) -> str:
    """Return how a word is written on the other side of the Atlantic, or the word itself.

    >>> [_otherwise_spelled(word) for word in ("harbour", "theater", "grey", "four", "pool")]
    ['harbor', 'theatre', 'gray', 'four', 'pool']
    """
    if other := _SPELLED_OTHERWISE.get(base):
        return other
    for british, american in _ENDS_SPELLED:
        for end, other in ((british, american), (american, british)):
            if base.endswith(end) and len(base) >= _FEWEST_BEFORE_END + len(end):
                return base.removesuffix(end) + other
    return base


def _numbers(base: str) -> tuple[str, ...]:
    if base in _IRREGULAR:
        return base, _IRREGULAR[base], f"{base}s"
    if base.endswith("y"):
        return base, f"{base}s", f"{base[:-1]}ies"
    if base.endswith("sis"):
        return base, f"{base[:-2]}es"
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base, f"{base}s", f"{base}es"
    if base.endswith(("eau", "eu")):  # bureaux, and what is French
        return base, f"{base}s", f"{base}x"
    return base, f"{base}s"


def _derived(base: str) -> tuple[str, ...]:
    for endings in _FAMILIES:
        for ending in endings:
            stem = base.removesuffix(ending)
            if stem != base and len(stem) >= _SHORTEST_STEM:
                return tuple(stem + other for other in endings)
    for ending, others in _DIRECTED:
        if base.endswith(ending):
            return tuple(base.removesuffix(ending) + other for other in others)
    return ()
