"""Whether the words around a name deny the thing: "no nuts", "nut-free", "contains neither nuts nor milk".

Read word by word, from the name to the left, over what may stand between a denial and its thing: articles, verbs
of having, a list ("without soy, nuts or milk"), and one word of another kind ("no added sugar"). That is one pass
over a few words, however the text is made.
"""

import re

_CLAUSE = 90  # signs before a name that are looked at
_BEHIND = 40  # and behind it
_TOKEN = re.compile(r"\d+\s?%|[^\W_]+(?:['’][^\W_]+)*|[,/&]|[.;:!?()\n]")
_CLAUSE_END = frozenset(".;:!?()\n")
_LIST = frozenset((",", "/", "&", "or", "and", "nor", "oder", "und", "ou", "et", "o", "y", "e"))
_BETWEEN = """
a an any the of some real extra added additional artificial actual trace traces single kind kinds type types
contain contains containing include includes including have has having use uses using used need needs require
requires react reacts respond responds with from to been be is are made
der die das den dem jede jeden le la les de du des un une el los las una o os as um uma
"""
_DENYING = """
no without sans minus zero non nor neither lacks lack lacking omit omits omitting skip skips excluding except nix
ohne kein keine keinen keinem keiner sin sem senza 0%
"""
_MAY_STAND_BETWEEN, _DENIES = frozenset(_BETWEEN.split()), frozenset((*_DENYING.split(), "0 %"))
_DENYING_VERBS = frozenset(("not", "never", "cannot", "nicht", "pas"))
"""These deny what follows at once, or what is had: "do not stir the sauce" is no word about the sauce."""
_DENYING_PAIRS = frozenset((
    ("free", "of"), ("free", "from"), ("instead", "of"), ("rather", "than"), ("devoid", "of"), ("absence", "of"),
    ("place", "of"), ("lieu", "of"), ("substitute", "for"), ("alternative", "to"), ("frei", "von"),
))  # fmt: skip
# "no more than two eggs", "not only eggs": nothing is denied.
_NOTHING_DENIED = "more less fewer longer matter doubt only just wonder bake knead cook stick one idea"
_NO_DENIAL = frozenset(_NOTHING_DENIED.split())
_FREE = re.compile(r"\s?[-‐-–]?\s?(?:free|frei|less|los)\b(?!\s+(?:range|shipping|time|of charge))")
_OPTIONAL = re.compile(r"[\s,(]*(?:optional|if desired|if you like|substitute|alternative|replacer)\b")
_NEEDLESS = re.compile(
    r"\s+(?:(?:is|are|was|were)(?:\s+not|n['’]t)\s+(?:\w+\s+)?(?:needed|required|necessary|used|included|added|allowed)"
    r"|(?:is|are|can be|may be|was|were)\s+(?:omitted|left out|skipped|unnecessary|avoided|excluded))\b"
)
_COMPARING = frozenset(("like", "unlike", "than", "resembles", "resembling", "recalls"))
# "Some cooks add vinegar", "you may add vinegar": others do, this text does not.
_HEDGING = frozenset(("some", "others", "optionally", "may", "might", "could", "can"))
# Signs of Chinese and Japanese that deny what stands behind or before them; Korean denies behind the particle.
_SIGNS_BEFORE = re.compile(r"(?:无|無|不含|没有|不加|非|未|免)\s?$")
_SIGNS_BEHIND = re.compile(
    r"\s?(?:なし|抜き|不使用|フリー|を?含まない|[이가은는을를]?\s?(?:없는|없이|안 ?들어간|뺀|제외))"
)


def is_denied(text: str, start: int, end: int) -> bool:
    """Return whether the text, in small letters, denies what is named from start to end.

    >>> text = "contains neither nuts nor milk, but no added sugar"
    >>> [is_denied(text, text.index(name), text.index(name) + len(name)) for name in ("nuts", "milk", "sugar")]
    [True, True, True]
    >>> is_denied("do not overcook the mushrooms", 20, 29)
    False
    """
    behind = text[end : end + _BEHIND]
    if (
        _FREE.match(behind)
        or _NEEDLESS.match(behind)
        or _SIGNS_BEHIND.match(behind)
        or _SIGNS_BEFORE.search(text[max(0, start - 4) : start])
    ):
        return True
    return _is_denied_before(_TOKEN.findall(text[max(0, start - _CLAUSE) : start]))


def is_mention(text: str, start: int, end: int) -> bool:
    """Return whether a name is only mentioned: as an option, as what others do, or to compare with.

    >>> is_mention("walnuts (optional)", 0, 7), is_mention("creamier than butter", 14, 20)
    (True, True)
    """
    if _OPTIONAL.match(text[end : end + _BEHIND]):
        return True
    before = _TOKEN.findall(text[max(0, start - _CLAUSE) : start])
    clause = before[max((at for at, token in enumerate(before) if token in _CLAUSE_END), default=-1) + 1 :]
    is_compared = not _COMPARING.isdisjoint(clause[-1:]) or clause[-2:-1] == ["unlike"]
    has_verb = "add" in clause or "use" in clause or "adding" in clause or "using" in clause
    return is_compared or (has_verb and not _HEDGING.isdisjoint(clause))


def _is_denied_before(tokens: list[str]) -> bool:
    others = 0
    follows_separator = False
    behind = ""
    for token in reversed(tokens):
        if token in _CLAUSE_END or behind in _NO_DENIAL:
            return False
        if token in _DENYING_VERBS or token.endswith(("n't", "n’t")):
            return not others
        if (token in _DENIES and behind not in _NO_DENIAL) or (token, behind) in _DENYING_PAIRS:
            return True
        if token in _LIST:
            follows_separator = True
        elif follows_separator:
            follows_separator = False
        elif token not in _MAY_STAND_BETWEEN:
            others += 1
            if others > 1 or token.endswith("ing"):
                return False
        behind = token
    return False
