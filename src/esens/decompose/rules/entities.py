"""From the words after a cue to what is excluded: compact, freed of its wrapper, a name where there is one.

A penalty is only as sharp as the text it is measured against: "Nate Ruess" finds the excluded article, and
"any information related to the American singer Nate Ruess" finds American singers.
"""

import re

from esens.decompose.rules.lexicon.patterns import LexiconPatterns, in_small_letters
from esens.decompose.rules.quotations import is_quotation, quotations
from esens.decompose.rules.residual import without_dangling
from esens.text.whole_names import spans_of_whole_names

_WORD = re.compile(r"\w")
_PLAIN = re.compile(r"[a-z -]+")  # no name, no title, no date
_DETERMINERS = frozenset({"any", "specific", "further", "additional", "the"})
_ENDS = " ,;:.?!，。；？！、"
_LONGEST_LISTED = 3
_TOKEN = re.compile(r"\([^()]*\)|[^\s,]+|,")
_SAYS_SOMETHING = re.compile(r"\w|[^\s!-/:-@\[-`{-~\u2000-\u206f\u3000-\u303f]")
_INITIALS = re.compile(r"\b\w\.\w$")
_EXPLAINED = re.compile(r"\s*, (?:an?|the|one) ")
_POSSESSIVE = re.compile(r"['’]s?$")
_OWNED = re.compile(r"['’]s?\s")


def split_items(scope: str, patterns: LexiconPatterns, *, cue: str = "") -> tuple[str, ...]:
    """Return what the words behind a cue exclude, freed of their wrapper; a list has several items."""
    text = _without_ends(scope)
    start = _wrapped(text, patterns)
    if patterns.deed_denied.search(cue) and (deed := patterns.deeds.match(text, start)):
        start = deed.end()
    leading = f"{cue} {text[:start]}".split()[-1:]
    text = without_dangling(text[start:], patterns)
    # "neither with meat nor with nuts": what leads to the first item may be said again of the others.
    items = [item.removeprefix(f"{word} ") for word in leading or ("",) for item in _items(text, patterns)]
    # Of "Gemma Arterton and her other roles" only the name can be looked for.
    owner = _owner(_bare(items[0], patterns), patterns) if len(items) > 1 else ""
    if owner or (len(items) > 1 and _is_named(items[0], patterns)):
        others = [] if owner else items[1:]
        items = [items[0], *(item for item in others if not patterns.referring.match(item))]
    parts = ((item, _bare(item, patterns)) for item in items)
    return tuple(
        _without_ends(item) if is_quotation(_without_ends(item)) else bare
        for item, bare in parts
        if _SAYS_SOMETHING.search(bare) and bare not in patterns.lexicon.no_traps
    )


def head_entity(item: str, wanted: str, patterns: LexiconPatterns) -> str:
    """Return the name in an excluded item ("the singer Nate Ruess"), or else the whole item.

    A name that the target holds too says nothing of what is excluded: of "Tesla cars, excluding the Tesla
    Roadster's battery" the trap is not Tesla. ``wanted`` is the target in small letters.
    """
    if _PLAIN.fullmatch(item) or is_quotation(item):
        return _bare(item, patterns)
    if item[0].isupper() and _POSSESSIVE.search(item) and patterns.works.search(wanted):
        item = _POSSESSIVE.sub("", item)  # "fantasy books other than Tolkien's", but "diners other than Wendy's"
    name = _bare(_name(item, patterns), patterns)
    return _without_kind(name, patterns) if name and name.lower() not in wanted else _bare(item, patterns)


def _without_kind(name: str, patterns: LexiconPatterns) -> str:
    """Return a name without the kind behind it: "the Basenji breed"."""
    before, _, last = name.rpartition(" ")
    return before if patterns.kinds_behind.fullmatch(last) and _is_name(before, patterns) and before else name


def _wrapped(text: str, patterns: LexiconPatterns) -> int:
    """Return where the thing itself begins, behind "any information related to" and the like."""
    # In small letters, since a pattern without IGNORECASE passes over an alternative by its first letter.
    small, start = in_small_letters(text), 0
    while (wrapper := patterns.wrapper.match(small, start)) and wrapper.end() > start:
        if _is_title(text[start:], wrapper.end() - start):
            break
        start = wrapper.end()
        while start < len(text) and text[start] in _ENDS:
            start += 1
    return start


def _is_title(text: str, end: int) -> bool:
    # "The Maze of Bones" keeps its article, "the piano" and "The details of The Maze" do not.
    words = text[:end].split()
    if words[0].lower() in _DETERMINERS and text[end:].lstrip()[:1].islower():
        return False  # "Specific information related to …"
    return text[0].isupper() and (len(words) == 1 or any(word[0].isupper() for word in words[1:]))


def _items(text: str, patterns: LexiconPatterns) -> list[str]:
    cuts = _cuts(text, patterns)
    items = _split(text, cuts)
    has_joint = any(_WORD.search(cut[0]) for cut in cuts)
    return items if cuts and _is_list(items, has_joint, patterns) else [text]


def _cuts(text: str, patterns: LexiconPatterns) -> "list[re.Match[str]]":
    """Return the commas and conjunctions where a list may be cut: not in a title or before an apposition."""
    cuts = list(patterns.listed.finditer(text))
    if not cuts:
        return []
    ranges = (match.span() for match in patterns.ranges.finditer(text))
    whole = [*quotations(text), *ranges, *spans_of_whole_names(text)]
    cuts = [cut for cut in cuts if not any(start < cut.start() < end for start, end in whole)]
    if all(_is_named(item, patterns) for item in _split(text, cuts)):
        return cuts
    return [cut for cut in cuts if not _is_apposition(text, cut)]  # "shops in Rochester, Minnesota, and …"


def _split(text: str, cuts: "list[re.Match[str]]") -> list[str]:
    starts, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _is_apposition(text: str, comma: "re.Match[str]") -> bool:
    before = text[: comma.start()].split()
    return comma[0].strip() == "," and bool(before) and before[-1][0].isupper() and text[comma.end()].isupper()


def _is_list(items: list[str], has_joint: bool, patterns: LexiconPatterns) -> bool:
    """Whether these are several things; a joint is an "and" or its like between two of them."""
    if len(items) < 2 or any(not item.strip() for item in items):
        return False
    if not patterns.lexicon.spaced:
        return True
    is_short = all(len(item.split()) <= _LONGEST_LISTED for item in items)
    if not has_joint:  # "Fernhill, New South Wales" is one place, "acer, hp" are two makers
        return is_short and all(item.islower() for item in items)
    if _names_single_person(items, patterns) or _ends_with_a_side(items, patterns):
        return False
    return is_short or all(_is_named(item, patterns) for item in items)


def _ends_with_a_side(items: list[str], patterns: LexiconPatterns) -> bool:
    """Whether the last item says nothing by itself, and is said of the one before: "illicit PCP use and forms"."""
    return " " in items[-2].strip() and patterns.general.fullmatch(items[-1].strip()) is not None


def _names_single_person(items: list[str], patterns: LexiconPatterns) -> bool:
    """Whether kinds lead to one name: "actor, singer and songwriter Darren Criss"."""
    items = [item for item in items if not patterns.referring.match(item)] or items
    last = _bare(items[-1], patterns)
    return bool(_final_name(last, patterns)) and any(_is_kind(item, patterns) for item in items[:-1])


def _is_named(item: str, patterns: LexiconPatterns) -> bool:
    bare = _bare(item, patterns)
    if quotations(bare):
        return True
    return bool(_final_name(bare, patterns)) or (bare[:1].isupper() and _is_name(bare, patterns))


def _is_kind(item: str, patterns: LexiconPatterns) -> bool:
    return patterns.kinds.fullmatch(item.split()[-1]) is not None and not _final_name(item, patterns)


def _is_name(text: str, patterns: LexiconPatterns) -> bool:
    return all(word[0].isupper() or word[0].isdigit() or word in patterns.lexicon.links for word in text.split())


def _name(phrase: str, patterns: LexiconPatterns) -> str:
    """Return the quoted title or the proper name that a phrase leads to."""
    phrase = patterns.dates.sub("", phrase)
    head = patterns.apposition.split(phrase, maxsplit=1)[0]
    head = head if head == phrase or _is_named(head, patterns) or _is_explained(phrase, len(head)) else phrase
    if quoted := quotations(head):
        start, end = quoted[0]
        return head[start + 1 : end - 1].strip(_ENDS) or phrase
    if not patterns.lexicon.names:
        return phrase
    return (
        _owner(head, patterns)
        or _first_name(head, patterns)
        or _final_name(head, patterns)
        or _inner_name(head, patterns)
        or head
    )


def _is_explained(phrase: str, end: int) -> bool:
    """Whether a name of any kind ends here, and what it is follows: "Mappia racemosa, a plant of …"."""
    return phrase[0].isupper() and _EXPLAINED.match(phrase, end) is not None


def _first_name(phrase: str, patterns: LexiconPatterns) -> str:
    """Return the name at the beginning of a description: "Count Dooku from the Star Wars series".

    Where every word that counts has a capital it is one name: "Basketball at the 2014 Asian Games".
    """
    words = phrase.split()
    end = next((i for i, word in enumerate(words) if not word[0].isupper()), 0)
    behind = words[end:]
    if end < 1 or (end < 2 and words[0].endswith("s")) or not patterns.behind_name.fullmatch(behind[0]):
        return ""
    if end < 2 and (_is_name(" ".join(behind), patterns) or patterns.conjunction.search(phrase)):
        return ""
    return " ".join(words[:end])


def _owner(phrase: str, patterns: LexiconPatterns) -> str:
    """Return whose it is: of "Simon Le Bon's early work" the full name, of "McDonald's fries" nothing."""
    tokens = _TOKEN.findall(phrase)
    owner = next((i for i, token in enumerate(tokens) if _POSSESSIVE.search(token)), None)
    if owner is None or not (phrase[0].isupper() and tokens[owner][0].isupper()):
        return ""  # "American children's novels" are nobody's
    behind = " ".join(tokens[owner + 1 :])
    if not behind or behind[0].isupper() or not (owner or patterns.aspects.search(behind)):
        return ""
    name = _POSSESSIVE.sub("", " ".join(tokens[: owner + 1]))
    return _final_name(name, patterns) or name


def _final_name(phrase: str, patterns: LexiconPatterns) -> str:
    """Return the name at the end of a description: "American singer Nate Ruess", "awards related to BJ Kang"."""
    tokens = list(_TOKEN.finditer(phrase))
    first = _final_name_start([token[0] for token in tokens], patterns)
    if first == 0:
        return ""
    start = tokens[first].start()
    is_after_comma = tokens[first - 1][0] == ","
    return phrase[start:] if _leads_to_name(phrase[:start].rstrip(" ,"), is_after_comma, patterns) else ""


def _inner_name(phrase: str, patterns: LexiconPatterns) -> str:
    """Return the first name that a description is about: "involvement with the Lahore Qalandars in the League"."""
    words = phrase.split()
    first = next((i for i, word in enumerate(words) if word[0].isupper()), 0)
    if (
        first < (1 if patterns.kinds.fullmatch(words[0]) else 2)
        or patterns.conjunction.search(phrase)
        or _OWNED.search(phrase)
    ):
        return ""  # more is meant than the name
    if not _leads_to_name(" ".join(words[:first]), False, patterns):
        return ""
    if _is_name(" ".join(words[first:]), patterns):
        return " ".join(words[first:])
    end = next((i for i in range(first, len(words)) if not words[i][0].isupper()), len(words))
    is_adjective = end == first + 1 < len(words) and not patterns.behind_name.fullmatch(words[end])
    return "" if is_adjective else " ".join(words[first:end])  # "the career of French novelists"


def _final_name_start(tokens: list[str], patterns: LexiconPatterns) -> int:
    """Return at which token the name begins that ends a description; 0 where there is none, or nothing else."""
    kind_behind = len(tokens) > 1 and patterns.kinds_behind.fullmatch(tokens[-1]) is not None
    first = end = len(tokens) - kind_behind
    for i in range(end - 1, -1, -1):
        token = tokens[i]
        if token[0].isupper() or (token[0].isdigit() and first > i):
            first = i
        elif token.lower() not in patterns.lexicon.links and token[0] not in ",(":
            break
    return first if any(token[0].isupper() for token in tokens[first:end]) else 0


def _leads_to_name(before: str, is_after_comma: bool, patterns: LexiconPatterns) -> bool:
    """Whether what stands before a name says that the name is meant."""
    leading = before.split()[-1] if before else ""
    if patterns.kinds.fullmatch(leading):
        return True
    if not before.islower():
        return False
    if is_after_comma:  # "the team's mascot, Stomper"
        return True
    # "height of Momhil Sar" and "awards related to BJ Kang" are about the name, "churches in Rome" is not.
    if leading == before and leading.endswith("ing"):  # "founding Cohmad Securities"
        return True
    is_about = patterns.about_name.fullmatch(before) or patterns.aspects.search(before)
    return bool(patterns.prepositions.fullmatch(leading) and is_about)


def _bare(item: str, patterns: LexiconPatterns) -> str:
    item = _without_ends(item)
    if is_quotation(item):
        item = _without_ends(item[1:-1])
    item = item.strip('"“”') if item.count('"') == 1 or item[:1] in "“”" else item
    article = patterns.articles.match(item) if patterns.lexicon.spaced else None
    return item[article.end() :] if article else item


def _without_ends(item: str) -> str:
    bare = item.strip(_ENDS)
    return f"{bare}." if _INITIALS.search(bare) and f"{bare}." in item else bare  # "E.T." keeps its point
