"""From the words after a cue to what is excluded: compact, freed of its wrapper, a name where there is one.

A penalty is only as sharp as the text it is measured against: "Nate Ruess" finds the excluded article, and
"any information related to the American singer Nate Ruess" finds American singers.
"""

import re

from esens.decompose.rules.lexicon.compiled import Compiled, in_small_letters
from esens.decompose.rules.residual import without_dangling

QUOTED = re.compile(
    r'"[^"]*"|“[^”“]*[”"]|”[^“”]*“|「[^」]*」|《[^》]*》|«[^»]*»|„[^“”]*[“”]|(?<!\w)‘[^’]*’(?!\w)|(?<!\w)\'[^\']{3,}\'(?!\w)'
)
_WORD = re.compile(r"\w")
_ENDS = " ,;:.?!，。；？！、"
_LONGEST_LISTED = 3
_TOKEN = re.compile(r"\([^()]*\)|[^\s,]+|,")
_SAYS_SOMETHING = re.compile(r"\w|[^\s!-/:-@\[-`{-~\u2000-\u206f\u3000-\u303f]")
_INITIALS = re.compile(r"\b\w\.\w$")
_POSSESSIVE = re.compile(r"['’]s?$")


def things(span: str, cues: Compiled) -> tuple[str, ...]:
    """Return what a span excludes, freed of its wrapper; a list is several things."""
    text = _without_ends(span)
    text = without_dangling(text[_wrapped(text, cues) :], cues)
    items = _items(text, cues)
    # Of "Gemma Arterton and her other roles" only the name can be looked for.
    if len(items) > 1 and _is_named(items[0], cues):
        items = [items[0], *(item for item in items[1:] if not cues.referring.match(item))]
    parts = (_bare(item, cues) for item in items)
    return tuple(p for p in parts if _SAYS_SOMETHING.search(p) and p.lower() not in cues.lexicon.no_traps)


def anchor(thing: str, target: str, cues: Compiled) -> str:
    """Return the name in an excluded thing ("the singer Nate Ruess"), or else the whole thing.

    A name that the target holds too says nothing of what is excluded: of "Tesla cars, excluding the Tesla
    Roadster's battery" the trap is not Tesla.
    """
    found = _bare(_name(thing, cues), cues)
    return found if found and found.lower() not in target.lower() else _bare(thing, cues)


def _wrapped(text: str, cues: Compiled) -> int:
    """Return where the thing itself begins, behind "any information related to" and the like."""
    # In small letters, since a pattern without IGNORECASE passes over an alternative by its first letter.
    small, start = in_small_letters(text), 0
    while (wrapper := cues.wrapper.match(small, start)) and wrapper.end() > start:
        if _is_title(text[start:], wrapper.end() - start):
            break
        start = wrapper.end()
        while start < len(text) and text[start] in _ENDS:
            start += 1
    return start


def _is_title(text: str, end: int) -> bool:
    # "The Maze of Bones" keeps its article, "the piano" and "The details of The Maze" do not.
    return text[0].isupper() and " " not in text[:end].strip()


def _items(text: str, cues: Compiled) -> list[str]:
    cuts = list(cues.listed.finditer(text))
    if not cuts:
        return [text]
    quoted = [found.span() for found in QUOTED.finditer(text)]
    cuts = [cut for cut in cuts if not any(start < cut.start() < end for start, end in quoted)]
    if not all(_is_named(item, cues) for item in _split(text, cuts)):  # "shops in Rochester, Minnesota, and …"
        cuts = [cut for cut in cuts if not _is_apposition(text, cut)]
    joined = [cut for cut in cuts if _WORD.search(cut[0]) or not cues.lexicon.spaced]
    items = _split(text, cuts)
    return items if _is_list(items, joined, cues) else [text]


def _split(text: str, cuts: "list[re.Match[str]]") -> list[str]:
    starts, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _is_apposition(text: str, comma: "re.Match[str]") -> bool:
    before = text[: comma.start()].split()
    return comma[0].strip() == "," and bool(before) and before[-1][0].isupper() and text[comma.end()].isupper()


def _is_list(items: list[str], joined: "list[re.Match[str]]", cues: Compiled) -> bool:
    if len(items) < 2 or any(not item.strip() for item in items):
        return False
    if not cues.lexicon.spaced:
        return True
    named = [_is_named(item, cues) for item in items]
    short = all(len(item.split()) <= _LONGEST_LISTED for item in items)
    if not joined:  # "Fernhill, New South Wales" is one place, "mouse, rat, hamster" are three animals
        return len(items) > 2 and short and all(item.islower() for item in items)
    if _final_name(_bare(items[-1], cues), cues) and any(_is_kind(item, cues) for item in items[:-1]):
        return False  # "actor, singer and songwriter Darren Criss" is one person
    return all(named) or short


def _is_named(item: str, cues: Compiled) -> bool:
    bare = _bare(item, cues)
    if QUOTED.search(bare):
        return True
    return bool(_final_name(bare, cues)) or (bare[:1].isupper() and _is_name(bare, cues))


def _is_kind(item: str, cues: Compiled) -> bool:
    return cues.kinds.fullmatch(item.split()[-1]) is not None and not _final_name(item, cues)


def _is_name(text: str, cues: Compiled) -> bool:
    return all(word[0].isupper() or word[0].isdigit() or word in cues.lexicon.links for word in text.split())


def _name(thing: str, cues: Compiled) -> str:
    """Return the quoted title or the proper name that a phrase leads to."""
    thing = cues.dates.sub("", thing)
    title = QUOTED.search(thing)
    if title:
        return title[0][1:-1].strip(_ENDS) or thing
    if not cues.lexicon.names:
        return thing
    head = cues.apposition.split(thing, maxsplit=1)[0]
    head = head if head == thing or _is_named(head, cues) else thing
    return _owner(head, cues) or _first_name(head, cues) or _final_name(head, cues) or head


def _first_name(thing: str, cues: Compiled) -> str:
    """Return the name at the beginning of a description: "Count Dooku from the Star Wars series".

    Where every word that counts has a capital it is one name: "Basketball at the 2014 Asian Games".
    """
    words = thing.split()
    end = next((i for i, word in enumerate(words) if not word[0].isupper()), 0)
    behind = words[end:]
    if end < 2 or not cues.behind_name.fullmatch(behind[0]) or _is_name(" ".join(behind), cues):
        return ""
    return " ".join(words[:end])


def _owner(thing: str, cues: Compiled) -> str:
    """Return whose it is: of "Simon Le Bon's early work" the full name, of "McDonald's fries" nothing."""
    tokens = _TOKEN.findall(thing)
    owner = next((i for i, token in enumerate(tokens) if _POSSESSIVE.search(token)), None)
    if owner is None or not thing[0].isupper():
        return ""
    behind = " ".join(tokens[owner + 1 :])
    if not behind or behind[0].isupper() or not (owner or cues.aspects.search(behind)):
        return ""
    return _POSSESSIVE.sub("", " ".join(tokens[: owner + 1]))


def _final_name(thing: str, cues: Compiled) -> str:
    """Return the name at the end of a description: "American singer Nate Ruess", "awards related to BJ Kang"."""
    tokens = list(_TOKEN.finditer(thing))
    kind_behind = len(tokens) > 1 and cues.kinds.fullmatch(tokens[-1][0]) is not None  # "the Basenji breed"
    first = end = len(tokens) - kind_behind
    for i in range(end - 1, -1, -1):
        word = tokens[i][0]
        if word[0].isupper() or (word[0].isdigit() and first > i):
            first = i
        elif word.lower() not in cues.lexicon.links and word[0] not in ",(":
            break
    if not any(token[0][0].isupper() for token in tokens[first:end]):
        return ""
    if first in (0, end):
        return ""
    name, before = thing[tokens[first].start() :], thing[: tokens[first].start()].rstrip(" ,")
    leading = before.split()[-1] if before else ""
    if cues.kinds.fullmatch(leading):
        return name
    if tokens[first - 1][0] == ",":  # "the team's mascot, Stomper"
        return name if before.islower() else ""
    # "height of Momhil Sar" and "awards related to BJ Kang" are about the name, "churches in Rome" is not.
    leads = cues.prepositions.fullmatch(leading) and (
        cues.about_name.fullmatch(before) or cues.aspects.search(before)
    )
    return name if leads and before.islower() else ""


def _bare(item: str, cues: Compiled) -> str:
    item = _without_ends(item)
    if QUOTED.fullmatch(item):
        item = _without_ends(item[1:-1])
    item = item.strip('"“”') if item.count('"') == 1 or item[:1] in "“”" else item
    return cues.articles.sub("", item) if cues.lexicon.spaced else item


def _without_ends(item: str) -> str:
    bare = item.strip(_ENDS)
    return f"{bare}." if _INITIALS.search(bare) and f"{bare}." in item else bare  # "E.T." keeps its point
