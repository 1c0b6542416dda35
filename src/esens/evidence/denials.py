"""What the words around a name say of the thing: "no nuts", "nut-free" and their like deny it, others mention it.

Read word by word, from the name to the left, over what may stand between a denial and its thing: articles, verbs
of having, a list ("without soy, nuts or milk"), and one word of another kind ("no added sugar"). That is one pass
over a few words, however the text is made.
"""

import re
from itertools import pairwise

_CLAUSE = 90  # signs before a name that are looked at
_BEHIND = 40  # and behind it
_TOKEN = re.compile(r"\d+\s?%|[^\W_]+(?:['’][^\W_]+)*|[,/&]|[.;:!?()\n]")
_CLAUSE_END = frozenset(".;:!?()\n")
_CLAUSE_SIGN = re.compile(r"[.;:!?\n]")
_LIST = frozenset(
    (",", "/", "&", "or", "and", "nor", "oder", "und", "noch", "ou", "et", "ni", "o", "y", "e", "nem")
)
_BETWEEN = """
a an any the of some real extra added additional artificial actual trace traces single kind kinds type types
contain contains containing include includes including have has having use uses using used need needs require
requires cause causes react reacts respond responds accept accepts allow allows permit permits admit serve serves
offer offers take takes find see seen with from by to been be is are made provide provides provided supply
supplies sell sells stock stocks tolerate tolerates feature features involve involves come comes
se admite admiten permite permiten acepta aceptan lleva llevan tiene tienen hay contiene contienen incluye incluyen
sao tem ha leva levam contem possui possuem inclui incluem usa usam usamos aceita aceitam aceitamos
precisa precisam permite permitido permitida permitidos permitidas
von der die das den dem jede jeden le la les l de d du des un une el los las una o os as um uma
"""
_DENYING = """
no without sans minus zero nil nor neither none nothing never lacks lack lacking omit omits omitting skip skips
excluding except nix avoid avoids avoiding replace replaces replaced replacing swap swaps swapped
ohne kein keine keinen keinem keiner keinerlei weder statt anstatt anstelle ni sin sem senza nem nenhum nenhuma
nunca 0%
prohibido prohibida prohibidos prohibidas proibido proibida proibidos proibidas
"""
_MAY_STAND_BETWEEN, _DENIES = frozenset(_BETWEEN.split()), frozenset((*_DENYING.split(), "0 %"))
_PREFIX = "non"
"""Denies its own word alone: "non-steroidal drugs" are drugs, and "non-smoking, dogs welcome" has dogs."""
_NAO = "nao"
"""Denies a verb alone: a Nao robot is a robot."""
_DENYING_VERBS = frozenset(("not", "cannot", "nicht", "pas", _NAO, _PREFIX))
"""These deny what follows at once, or what is had: "do not stir the sauce" is no word about the sauce."""
_DENYING_PAIRS = frozenset((
    ("free", "of"), ("free", "from"), ("instead", "of"), ("rather", "than"), ("devoid", "of"), ("absence", "of"),
    ("unsuitable", "for"), ("hardly", "any"), ("barely", "any"), ("scarcely", "any"),
    ("lieu", "of"), ("substitute", "for"), ("alternative", "to"), ("in", "for"), ("frei", "von"),
    ("alternatives", "to"), ("substitutes", "for"), ("leave", "out"), ("leaving", "out"), ("left", "out"),
    ("hold", "the"), ("exempt", "de"), ("exempte", "de"), ("libre", "de"), ("libres", "de"),
    ("livre", "de"), ("livres", "de"), ("isento", "de"), ("isenta", "de"), ("isentos", "de"), ("isentas", "de"),
))  # fmt: skip
_PLACE_OF = {
    ("place", "of"): ("in",),
    ("lieu", "de"): ("au",),
    ("lieu", "du"): ("au",),
    ("lugar", "de"): ("en", "no", "em"),
    ("vez", "de"): ("en", "em"),
}
"""These deny behind another word alone: the birthplace of somebody denies nothing."""
_TAKING = frozenset(("take", "takes", "took", "taking"))  # the place of
# "no more than two eggs", "not only eggs": nothing is denied.
_NOTHING_DENIED = "more less fewer longer matter doubt only just wonder bake knead cook stick one idea"
_NO_DENIAL = frozenset(_NOTHING_DENIED.split())
_FREE = re.compile(r"\s?[-‐-–]?\s?(?:free|frei|less|los)\b(?!\s+(?:range|shipping|time|of charge))")
# What is not without nuts, not free of nuts, or not nut-free has some.
_NEAREST = 5
_NOT = re.compile(r"(?:^| )(?:not|never|nicht|nie|pas|\w+n['’]t)$")
_NOT_WITHOUT = re.compile(
    r"(?:^| )(?:not|never|nicht|nie|pas|\w+n['’]t) (?:free (?:of|from)|without|ohne|sans|frei von)"
    r"(?: (?:any|the|all))?$"
)
# "Dogs are not permitted", "pets cannot be accommodated", "mayonnaise has no place in it", "pool: none". A pool
# that is not heated is there, and so are nuts that cannot be excluded: what is not done with the thing tells.
_ADMITTING = (
    r"(?:us|need|requir|permitt|allow|accept|admitt|serv|offer|provid|add|contain|includ|involv|welcom|support"
    r"|accommodat|suppli|expect|tolerat|recommend|desir|want|featur|install|equipp|stock|employ|appli|charg|detect"
    r"|observ|list|mention|prescrib|advis|suggest|authori[sz]|consum|implement|invit|intend|envisag|plann|fitt)ed|built"
    r"|eaten|seen|found|there|necessary|available|welcome|brought|taken|sold|kept"
)
_NEEDLESS = re.compile(
    r"\s+(?:(?:is|are|was|were|has|have|can|may|must|will|could|should)\s+)?"
    r"(?:not|never|cannot|(?:is|are|was|were|ca|wo|could|must)n['’]t)\s+(?:(?:been|be)\s+)?"
    rf"(?:{_ADMITTING})\b"
    r"|\s+(?:is|are)\s+(?:not|no|never)\s+(?:an?\s+)?(?:must|requirement|necessity|prerequisite)s?\b"
    r"|(?:\s+[\w ]{1,24})?,?\s+but\s+not\s+(?:required|needed|necessary|essential|mandatory|compulsory)\b"
    r"|\s+(?:(?:must|should|may|can|have to|need to)\s+)(?:stay|remain|be left)\s+(?:at home|outside)\b"
    r"|\s+(?:(?:is|are|was|were|strictly|(?:can|may|must|should|has|have) (?:be|been))\s+){0,2}"
    r"(?:omitted|left out|skipped|unnecessary|avoided|excluded|prohibited|banned|forbidden|removed|unwelcome"
    r"|absent|replaced|swapped|unavailable)\b"
    r"|\s+(?:is|are|was|were)\s+(?:seldom|rarely|hardly|scarcely)\s+(?:needed|used|required|necessary)\b"
    r"|\s+(?:has|have)\s+no\b|\s*:\s*(?:none|no|0)\b|\s+off(?=\s*(?:[,.;)\n]|$))"
)
# "Hunde sind nicht erlaubt", "Frühstück ist im Preis nicht enthalten"; without accents, as texts are read.
_NEEDLESS_IN_GERMAN = re.compile(
    r"\s+(?:(?:ist|sind|war|waren|wird|werden|sei|seien|kann|konnen|darf|durfen"
    r"|hier|leider|im preis|im haus|bei uns)\s+){0,3}"
    r"(?:(?:nicht|nie)\s+(?:im preis\s+)?(?:erlaubt|gestattet|zugelassen|erwunscht|willkommen|enthalten"
    r"|inbegriffen|inklusive|inkludiert|eingeschlossen|dabei|notwendig|notig|erforderlich|vorhanden|verfugbar"
    r"|moglich|benotigt|verwendet|gebraucht|akzeptiert|aufgenommen|mitgebracht|untergebracht)|verboten|untersagt|unerwunscht|unnotig|uberflussig|fehlt|fehlen)\b"
)
# "Les chiens ne sont pas admis", "petit déjeuner non compris", "les animaux sont interdits".
_NEEDLESS_IN_FRENCH = re.compile(
    r"\s+(?:(?:(?:n['’]\s?(?:est|etait)|ne\s+(?:sont|seront|sera|etaient))\s+)?(?:pas|plus|jamais|non)\s+"
    r"(?:admis|autoris|permis|accept|inclu|compri|fourni|necessair|requis|disponibl|bienvenu|utilis|obligatoir)"
    r"|(?:(?:est|sont)\s+)?(?:strictement\s+)?(?:interdit|exclu|inutile|superflu|proscrit))\w*"
)
# "Mascotas no admitidas", "el desayuno no está incluido", "animales prohibidos"; without accents.
_NEEDLESS_IN_SPANISH = re.compile(
    r"\s+(?:no\s+(?:(?:esta|estan|es|son)\s+)?(?:admitid|permitid|incluid|aceptad|disponibl|necesari|obligatori)"
    r"|(?:(?:esta|estan|es|son)\s+)?prohibid)\w*"
)
# "Animais não são permitidos", "café da manhã não incluído"; without accents.
_NEEDLESS_IN_PORTUGUESE = re.compile(
    r"\s+(?:nao\s+(?:(?:esta|estao|e|sao)\s+)?(?:admitid|permitid|incluid|aceit|disponive|necessari|obrigatori)"
    r"|(?:(?:esta|estao|e|sao)\s+)?proibid)\w*"
)
# "Cats and dogs cannot be accommodated" denies both. A verb of one thing denies that alone: "nuts, and milk is not
# needed".
_TOGETHER = re.compile(
    r"(?:\s+(?:and|or|nor|&|und|oder|et|ou|y|o)\s+[\w-]+){1,2}"
    r"(?!\s+(?:is|was|has|does|isn['’]t|wasn['’]t|ist|wird|war|est|esta|es)\b|\s+n['’])"
)
_OPTIONAL = re.compile(
    r"\b(?:optional(?:ly)?|if desired|if you (?:like|prefer|want)|sold separately|not included|as an extra"
    r"|(?:is|are|would be) (?:a plus|an advantage|an asset|a bonus|desirable|preferred))\b"
)
# "Safe for people with nut allergies" is said of what has none, "not suitable for …" of what has some.
_ALLERGY = re.compile(r"[\s-](?:allerg|intoleran|sensitiv)\w*")
_FITTING = frozenset(("safe", "suitable", "fine", "friendly", "ok", "okay", "good", "ideal", "suited"))
_UNFITTING = frozenset(("unsafe", "unsuitable", "not", "never"))
_LISTING = re.compile(r"\b(free (?:from|of)|contains no|not contain|without|no)\s*:")  # "free from: nuts, soy"
_PLACED = re.compile(
    r"\b(on|in|off)[- ](site|room|house|street|board)\b"
)  # "no on-site parking" has one word between
# "French-speaking", "wool look", "butter substitute": like it, and not it.
_LIKENESS = re.compile(
    r"[\s-](?:substitute|alternative|replacer|look|style|like|inspired|speaking|shaped|colou?red|effect)\b"
)
_ARTICLES = frozenset(("a", "an", "any", "the"))
_COMPARING = frozenset(("unlike", "than", "resembles", "resembling", "recalls"))
_DETERMINERS = frozenset(("a", "an", "the", "any", "most", "other"))
# "Tastes like butter" compares, and "cheeses like cheddar" does not.
_SEEMING = frozenset(
    ("taste", "tastes", "look", "looks", "smell", "smells", "feel", "feels", "much", "just", "almost")
)
# "The nearest pool is two miles away."
_ELSEWHERE = frozenset(("nearest", "closest"))
_IMITATING = frozenset(("faux", "fake", "mock", "imitation", "vegan"))
# "Some cooks add vinegar", "you may add vinegar": others do, this text does not. May is a month, too. "You could
# scatter vinegar on top" is a hint, and "which could lead to ulcers" is not.
_OPTIONALLY, _HINTING, _HINTED = (
    "optionally",
    frozenset(("could", "might")),
    frozenset(("you", "one", "we", "some")),
)
_HEDGING_VERBS = frozenset(("some", "others", "can", "may", "could", "might"))
_ADDING = frozenset(("add", "adds", "use", "uses", "adding", "using", "substitute", "include", "like", "want"))
# "If you have mushrooms in the fridge, save them": the reader may, this text does not.
_SUPPOSING, _SUPPOSED = "if", frozenset(("have", "like", "prefer", "want", "find", "love"))
_CONTRAST = "but"
_ANEW = (",", _CONTRAST)
_HAVING = "with"
# "Made without perfume, contains nuts" has two verbs, and "neither contains milk nor has nuts" one denial.
_VERBS_OF_HAVING = """
contains includes has uses offers serves allows accepts made enthalt mit contient contiene contem
"""
_PRONOUNS = frozenset(("it", "them", "him"))
"""What a denial may deny alone: "without it, nuts taste of little"."""
_BEGINNING_ANEW = frozenset((_HAVING, *_VERBS_OF_HAVING.split()))
_ADDING_ON = frozenset((",", "/", "&", "and", "und", "et", "y", "e"))
# "No touchscreen, Windows 11" has two remarks. "No soy, nuts or milk" and "contains no soy, nuts" have one.
_BARE_NO = "no"
_JOINTS = _LIST - {","}
# "Neither a lift nor a ramp, free Wi-Fi": behind the comma stands another remark.
_LAST_OF_LIST = frozenset(("nor", "noch", "ni", "nem"))
_JOINT_BEHIND = re.compile(r"\s*(?:,\s*[\w-]+(?:\s[\w-]+)?\s*){0,4},?\s*(?:or|nor|and|&|/)(?![\w])")
# "No Country for Old Men by Cormac McCarthy", "… Were None by …": a title stands before its maker, and denies
# nothing of that. What was not written by somebody is another matter.
_BY, _NEVER_OF_MAKERS = "by", frozenset(("none", "nothing"))
_DEED = re.compile(r".+(?:ed|[tkvl]en|osen)|is|are|was|were|made|built|sung|led|shot|drawn|run|sold")
_NEGATIONS = "no not never none nothing nobody without neither nor cannot"
_NEGATING = frozenset(_NEGATIONS.split())
"""Where one of these stands in the clause of a name, and nothing tells what it denies, the name proves nothing."""
_CONTRACTED = ("n't", "n’t")
_DO = frozenset(("don't", "don’t", "do"))
_WHO_DOES = frozenset(("we", "they", "i"))
# "Not only nuts", "no more than two nuts"; "can't beat salted nuts" praises them.
_NOT_ALL = frozenset(("more", "less", "fewer", "only", "just", "beat", "resist", "skimp"))
# What something is made of: whoever "does not contain tree nuts" has none, and who does "not accept large dogs"
# may accept others. Nobody is told to contain something.
_CONTAINING = frozenset(("contain", "contains", "containing", "contained"))
_CONSISTING = _CONTAINING | {"use", "uses", "using", "made", "contem", "leva", "levam", "usa", "usam", "usamos"}
# "Not much sugar", "not raw eggs": some there may be.
_SOME_OF_IT = """
much many enough sufficient too such even only just all every both same other more less fewer most several whole
raw fresh frozen cooked roasted dried canned large big small excessive high so apenas muito muita muitos muitas
"""
_OF_SOME = frozenset(_SOME_OF_IT.split())
# "App does not start on Windows": what does not work is the app, and the text is about Windows.
_WORKING = re.compile(
    r"(?:run|start|work|compil|build|install|load|open|launch|connect|render|display|respond|boot|updat|sav|print|sync"
    r"|show|appear|play|log|clos|pass|scroll|resiz|shut|quit|wak)(?:e|s|es|ed|[a-z]?ing|t)?|built|shown"
)
_WHERE = frozenset(("on", "under", "in"))
# "Does not make you drowsy" says what "does not cause drowsiness" does.
_MAKING = frozenset(("make", "makes", "making", "leave", "leaves", "get", "gets"))
_WHOM = frozenset(("you", "me", "us", "them", "people", "users", "children", "patients"))
# "No nuts? Not here: hazelnuts everywhere" asks, and denies nothing; "contains nuts? No" denies. Who looks for a
# cake without nuts, or asks why it has none, takes that for granted.
_QUESTION = re.compile(
    r"[^.!?:;\n]{0,60}\?(?:\s*(?:(?P<yes>yes|ja|oui|si)"
    r"|(?:(?:sadly|unfortunately|leider)\s+)?(?P<no>no|not|none|nope|nein|non))(?!\s*\w))?"
)
_GRANTING = frozenset(("why", "looking", "searching", "want", "need", "craving", "prefer", "warum", "pourquoi"))
# Signs of Chinese and Japanese that deny what stands behind or before them; Korean denies behind the particle.
_LACK = re.compile(r"(?:no|without|ohne|keine?|sans)\s+(?P<rest>\w.*)")
_SIGNS_BEFORE = re.compile(r"(?:无|無|不含|没有|不加|非|未|免)\s?$")
_SIGNS_BEHIND = re.compile(
    r"\s?(?:なし|抜き|不使用|フリー|を?含まない|[이가은는을를]?\s?(?:없는|없이|안 ?들어간|뺀|제외))"
)
_NEEDLESS_IN_ALL = (
    _NEEDLESS,
    _NEEDLESS_IN_GERMAN,
    _NEEDLESS_IN_FRENCH,
    _NEEDLESS_IN_SPANISH,
    _NEEDLESS_IN_PORTUGUESE,
)
_DENYING_BEHIND = (_FREE, *_NEEDLESS_IN_ALL, _SIGNS_BEHIND)


def stance_at(text: str, start: int, end: int) -> str:
    """Return what a text, in small letters, says of a thing that it names from start to end.

    A question that denies is "silent".

    >>> text = "contains neither nuts nor milk, but honey; add walnuts (optional)"
    >>> [stance_at(text, text.index(name), text.index(name) + len(name)) for name in ("milk", "honey", "walnuts")]
    ['denied', 'affirmed', 'mentioned']
    """
    clause = _LISTING.sub(r"\1 ", text[max(0, start - _CLAUSE) : start])
    before = _TOKEN.findall(_PLACED.sub(r"\1\2", clause))
    stance = _stance_in_sentence(text, start, end, before)
    question = _QUESTION.match(text, end)
    if question is None:
        return stance
    if stance == "denied":
        if question["no"] and _FREE.match(text, end):
            return "affirmed"
        return "denied" if question["yes"] or not _GRANTING.isdisjoint(_clause_of(before)) else "silent"
    return "denied" if question["no"] else stance


def _stance_in_sentence(text: str, start: int, end: int, before: list[str]) -> str:
    behind = text[end : end + _BEHIND]
    if _ALLERGY.match(behind):
        return _stance_of_allergy(before)
    nearest = " ".join(before[-_NEAREST:])
    if _NOT_WITHOUT.search(nearest) or (_FREE.match(behind) and _NOT.search(nearest)):
        return "affirmed"
    if _is_denied_behind(behind) or _SIGNS_BEFORE.search(text[max(0, start - 4) : start]):
        return "denied"
    if _is_denied_before(before, behind):
        return "denied"
    return "mentioned" if _is_mentioned(before, behind) else "affirmed"


def lacked_by(text: str) -> str:
    """Return what is not there where an exclusion says that: the OS of "no OS". Else nothing.

    >>> lacked_by("no OS"), lacked_by("no-bake cakes"), lacked_by("Windows")
    ('OS', '', '')
    """
    match = _LACK.fullmatch(text)
    return match["rest"] if match and stance_at(text.lower(), *match.span("rest")) == "denied" else ""


def _clause_of(tokens: list[str]) -> list[str]:
    """Return the last of these words, from the last sign on that ends a clause."""
    return tokens[max((at for at, token in enumerate(tokens) if token in _CLAUSE_END), default=-1) + 1 :]


def _stance_of_allergy(before: list[str]) -> str:
    clause = _clause_of(before)
    if not _UNFITTING.isdisjoint(clause):
        return "affirmed"
    return "mentioned" if _FITTING.isdisjoint(clause) else "denied"


def _is_denied_behind(behind: str) -> bool:
    if any(pattern.match(behind) for pattern in _DENYING_BEHIND):
        return True
    together = _TOGETHER.match(behind)
    return together is not None and any(pattern.match(behind, together.end()) for pattern in _NEEDLESS_IN_ALL)


def _is_mentioned(before: list[str], behind: str) -> bool:
    """Return whether a name is only mentioned: as an option, as what others do, or to compare with."""
    remark = behind if behind.lstrip().startswith("(") else _CLAUSE_SIGN.split(behind)[0]
    if _LIKENESS.match(behind) or _OPTIONAL.search(remark):
        return True
    clause = _clause_of(before)
    if _is_compared(clause, behind) or not _IMITATING.isdisjoint(clause[-1:]):
        return True
    if not _ELSEWHERE.isdisjoint(clause[-2:]):
        return True
    if clause[-2:] in (["allergic", "to"], ["instead", "of"], ["regardless", "of"]) or _OPTIONALLY in clause:
        return True
    if not _HINTING.isdisjoint(clause) and not _HINTED.isdisjoint(clause):
        return True
    if not _ADDING.isdisjoint(clause) and not _HEDGING_VERBS.isdisjoint(clause):
        return True
    if _SUPPOSING in clause and not _SUPPOSED.isdisjoint(clause):
        return True
    return _is_in_negated_clause(clause)


def _is_compared(clause: list[str], behind: str) -> bool:
    """Return whether something is compared with what is named: "than", "tastes like", "Like Rome, Lisbon …"."""
    since_comma = clause[max((at for at, word in enumerate(clause) if word == ","), default=-1) + 1 :]
    bare = clause[:-1] if clause and clause[-1] in _DETERMINERS else clause
    if "unlike" in since_comma or not _COMPARING.isdisjoint(bare[-1:]):
        return True
    if clause == ["like"] and behind.startswith(","):
        return True
    while clause[-1:] and clause[-1] in _ARTICLES:  # "as filling as any steak"
        clause = clause[:-1]
    if clause[-1:] == ["like"]:
        return not _SEEMING.isdisjoint(clause[-2:-1])
    return clause[-1:] == ["as"] and clause[-3:-2] == ["as"] and clause[-2] != "well"


def _is_in_negated_clause(clause: list[str]) -> bool:
    """Return whether a negation stands before a name since the last comma; "do not" tells what to do with it.

    "We do not cater for children" tells nobody what to do.
    """
    part = clause[max((at for at, token in enumerate(clause) if token in _ANEW), default=-1) + 1 :]
    if part[-1:] == [_BY] and not _DEED.fullmatch("".join(part[-2:-1])):
        return False
    if any(_begins_anew(*pair) for pair in pairwise(part)):
        return False
    if not _WHERE.isdisjoint(part[-1:]) and any(map(_is_failing, part, part[1:])):
        return False
    negations = [
        at
        for at, token in enumerate(part)
        if (token in _NEGATING or token.endswith(_CONTRACTED)) and _NOT_ALL.isdisjoint(part[at + 1 : at + 2])
    ]
    return any(not _is_instruction(part, at) for at in negations)


def _is_instruction(tokens: list[str], at: int) -> bool:
    """Return whether the "not" or "don't" there tells the reader what to do."""
    do = at - 1 if tokens[at] == "not" else at
    if do < 0 or tokens[do] not in _DO or not _CONTAINING.isdisjoint(tokens[at + 1 : at + 2]):
        return False
    return do == 0 or tokens[do - 1] not in _WHO_DOES


def _begins_anew(token: str, behind: str) -> bool:
    """Return whether what is denied ends between these words, and a verb says what there is."""
    return token in _ADDING_ON and behind in _BEGINNING_ANEW


def _is_failing(word: str, following: str) -> bool:
    is_negation = word in _NEGATING or word.endswith(_CONTRACTED)
    return is_negation and _WORKING.fullmatch(following) is not None


def _is_denied_before(tokens: list[str], after: str) -> bool:
    other = ""  # word that may stand between
    follows_separator = False
    behind = ""
    for at in range(len(tokens) - 1, -1, -1):
        token = tokens[at]
        if (
            token in _PRONOUNS
            or _ends_denial(token, behind)
            or (token == _BARE_NO and _is_remark(tokens, at, after))
            or (token in _LAST_OF_LIST and "," in tokens[at + 1 :])
        ):
            return False
        if token in _DENYING_VERBS or token.endswith(_CONTRACTED):
            return not other or _denies_having(tokens, at, other)
        if (token in _DENIES and behind not in _NO_DENIAL) or _is_denying_pair(tokens, at):
            # "without cooking the onions" denies the cooking
            is_deed = behind.endswith("ing") and behind not in _MAY_STAND_BETWEEN
            return not (is_deed and other and not token.startswith("no"))
        if (token in _LIST and behind == _HAVING) or _begins_anew(token, behind):
            return False  # "without sugar and with nuts" begins anew
        if token in _LIST:
            follows_separator = True
        elif follows_separator:
            follows_separator = False
        elif token not in _MAY_STAND_BETWEEN and not _is_causing(tokens, at):
            if other:
                return False
            other = token
        behind = token
    return False


def _denies_having(tokens: list[str], at: int, other: str) -> bool:
    """Return whether a "not" denies, with a word between, what something is made of: "contain tree nuts"."""
    consists = tokens[at + 1] in _CONSISTING and other not in _OF_SOME
    return consists and not _is_instruction(tokens, at)


def _is_remark(tokens: list[str], at: int, after: str) -> bool:
    """Return whether a "no" denies the thing before the comma alone, and what follows is another remark."""
    opens = at == 0 or tokens[at - 1] == "," or tokens[at - 1] in _CLAUSE_END
    listed = tokens[at + 1 :]
    is_listed = "," in listed and _JOINTS.isdisjoint(listed) and _JOINT_BEHIND.match(after) is None
    return opens and is_listed


def _is_causing(tokens: list[str], at: int) -> bool:
    """Return whether a word is one of "make you", or of the "feel" behind it."""
    if tokens[at] == "feel":
        at -= 1
    first = at if tokens[at] in _MAKING else at - 1
    return first >= 0 and tokens[first] in _MAKING and not _WHOM.isdisjoint(tokens[first + 1 : first + 2])


def _ends_denial(token: str, behind: str) -> bool:
    """Return whether nothing before these two words denies what follows."""
    is_title = behind == _BY and token in _NEVER_OF_MAKERS
    is_of_another = token == _PREFIX and behind != ""
    is_name = token == _NAO and behind == ""
    is_end = token in _CLAUSE_END or token == _CONTRAST
    return is_end or behind in _NO_DENIAL or is_title or is_of_another or is_name


def _is_denying_pair(tokens: list[str], at: int) -> bool:
    """Return whether a word and the next one deny; "the meeting place of Rome" does not."""
    pair = tuple(tokens[at : at + 2])
    if pair in _PLACE_OF:
        return (at > 0 and tokens[at - 1] in _PLACE_OF[pair]) or (at > 1 and tokens[at - 2] in _TAKING)
    return pair in _DENYING_PAIRS
