"""A lexicon as patterns, compiled once a language, on first use. None of them looks back over what it has read."""

import re
from functools import cache
from typing import NamedTuple

from esens.decompose.rules.lexicon import Lexicon, lexicon_of

Pattern = re.Pattern[str]
_PLACE = "…"
_INSIDE = r"[^\s,;?!，。？！](?:[^,;?!，。？！]{0,60}?[^\s,;?!，。？！])??"
_CAPITAL = re.compile(r"(?<!\\)[A-ZÄÖÜ]")
# Compiled as the table has them: in any case, or as they are written.
_ANY_CASE = [
    "contrasting",
    "denial",
    "aside",
    "embedded",
    "ranges",
    "facts",
    "restricts",
    "comparing",
    "asking",
    "finite",
    "claims",
    "suffix_start",
    "verdict_start",
    "manner",
    "condition",
    "subject",
    "stops",
    "wishes",
    "led_by_makers",
    "opening_stop",
    "modifier",
    "before_modifier",
    "others",
    "behind_name",
    "kinds",
    "prepositions",
    "about_name",
    "works",
]
_CASED = [
    "lack_told",
    "lack_measured",
    "outcome_asked",
    "complaining",
    "refusing",
    "troubled",
    "members",
    "capitalised",
    "group",
    "remark",
    "asides",
    "apart",
    "bare_head",
    "bare_thing",
    "fact_before",
    "predicate",
    "other_words",
    "kinds_behind",
    "general",
    "pronouns",
    "likened",
    "treated",
    "told_of",
    "wholes",
]
_KINDS = ("verdict", "counterpart", "clear", "rest", "request", "relative", "additive", "likely", "doubtful")


class CuePatterns(NamedTuple):
    """The cues of some kinds: most are looked for in small letters, which is fast, some in the text itself."""

    small: Pattern
    cased: Pattern

    def match(self, text: str, lower: str, start: int, end: int) -> re.Match[str] | None:
        """Return the cue that begins at a position: of the first kind, and of one kind the longest."""
        small, cased = self.small.match(lower, start, end), self.cased.match(text, start, end)
        if small is None or cased is None:
            return small or cased
        return min(small, cased, key=lambda match: (_rank(match), -match.end()))


def _rank(match: re.Match[str]) -> int:
    kind = str(match.lastgroup).partition("_")[0]
    return _KINDS.index(kind) if kind in _KINDS else 0


class LexiconPatterns(NamedTuple):
    """The patterns of one language, named as in its table."""

    lexicon: Lexicon
    counterparts: dict[str, str]
    word: Pattern
    opening: CuePatterns
    cue: CuePatterns
    about: Pattern
    about_behind: Pattern
    has: Pattern
    has_behind: Pattern
    frames: Pattern
    fixed: Pattern
    topics: Pattern
    lack_asked: Pattern
    lack_told: Pattern
    lack_measured: Pattern
    outcome_asked: Pattern
    complaining: Pattern
    refusing: Pattern
    troubled: Pattern
    members: Pattern
    capitalised: Pattern
    contrasting: Pattern
    joining: Pattern
    denial: Pattern
    remark: Pattern
    asides: Pattern
    apart: Pattern
    bare_head: Pattern
    bare_thing: Pattern
    ranges: Pattern
    aside: Pattern
    group_question: Pattern
    group: Pattern
    agreeing: tuple[Pattern, Pattern]
    embedded: Pattern
    fact_before: Pattern
    facts: Pattern
    restricts: Pattern
    comparing: Pattern
    asking: Pattern
    finite: Pattern
    claims: Pattern
    clause_opener: Pattern
    suffix_start: Pattern
    verdict_start: Pattern
    wrapper: Pattern
    referring: Pattern
    deed_denied: Pattern
    deeds: Pattern
    articles: Pattern
    question: Pattern
    request: Pattern
    bare_question: Pattern
    sentence_end: Pattern
    manner: Pattern
    condition: Pattern
    clause: Pattern
    goes_on: Pattern
    subject: Pattern
    predicate: Pattern
    stops: Pattern
    wishes: Pattern
    led_by_makers: Pattern
    opening_stop: Pattern
    modifier: Pattern
    before_modifier: Pattern
    conjunction: Pattern
    general: Pattern
    break_: Pattern
    listed: Pattern
    dangling: Pattern
    dangling_ends: frozenset[str]
    others: Pattern
    other_words: Pattern
    apposition: Pattern
    behind_name: Pattern
    dates: Pattern
    aspects: Pattern
    kinds: Pattern
    kinds_behind: Pattern
    prepositions: Pattern
    about_name: Pattern
    works: Pattern
    pronouns: Pattern
    likened: Pattern
    treated: Pattern
    told_of: Pattern
    wholes: Pattern


@cache
def patterns_of(language: str) -> LexiconPatterns:
    """Return the patterns of a language."""
    lexicon = lexicon_of(language)
    joins = rf"\s+(?:{lexicon.conjunctions})\s+" if lexicon.spaced else rf"(?:{lexicon.conjunctions})"
    clause = rf"{lexicon.question_words}|{lexicon.clause_words}"
    colon = rf"[:：]\s(?=(?-i:[a-z¿一-鿿])|(?:{clause})\b)"  # "Looney Tunes: Back in Action" is one name
    return LexiconPatterns(
        **{name: _re(getattr(lexicon, name)) for name in _ANY_CASE},
        **{name: _re(getattr(lexicon, name), flags=0) for name in _CASED},
        lexicon=lexicon,
        counterparts=_counterparts(lexicon),
        word=_re(r"[\w'’-]+" if lexicon.spaced else r"."),
        opening=_cues(lexicon, ("opening",)),
        cue=_cues(lexicon, _KINDS),
        about=_telling(lexicon, lexicon.about),
        about_behind=_telling(lexicon, lexicon.about_behind),
        has=_telling(lexicon, lexicon.has),
        has_behind=_telling(lexicon, lexicon.has_behind),
        # The number of the group that matched is that of the frame.
        frames=_re("|".join(f"({pattern})" for _, pattern in lexicon.frames), flags=0),
        fixed=_any(lexicon, "|".join(lexicon.fixed) or "(?!)"),
        topics=_any(lexicon, "|".join(lexicon.topics) or "(?!)"),
        lack_asked=_re(rf"(?:{lexicon.lack_asked})\s*$"),
        joining=_re(rf"(?:{lexicon.joining})\b"),
        group_question=_re(rf"(?:{lexicon.group_question})$"),
        agreeing=(_re(lexicon.agreeing[0], flags=0), _re(lexicon.agreeing[1], flags=0)),
        clause_opener=_re(lexicon.clause_openers),
        wrapper=_wrapper(lexicon),
        referring=_re(rf"(?:{lexicon.referring})\s"),
        deed_denied=_re(rf"(?:{lexicon.deed_denied})$"),
        deeds=_re(rf"(?:{lexicon.deeds})\s+(?=\w)"),
        articles=_re(rf"^(?:{lexicon.articles})", flags=0),
        question=_re(rf"[,，]\s*(?=[¿¡]?(?:{clause})\b)|{colon}"),
        request=_re(rf"[,，]\s*(?=[¿¡]?(?:{lexicon.question_words}|{lexicon.imperatives})\b)|{colon}"),
        sentence_end=_re(_sentence_end(lexicon), flags=0),
        bare_question=_re(rf"\s+(?=(?:{lexicon.question_words})\s)"),
        clause=_re(rf"[,，]\s*(?=(?:{lexicon.clause_words}|{lexicon.goes_on})\b)|{colon}"),
        goes_on=_re(rf"{lexicon.not_subject}\s+(?=(?:{lexicon.verbs})\s)", flags=0),
        conjunction=_re(joins),
        break_=_re(rf"[,;:.?!()—，。；]|{joins}"),
        listed=_re(rf"\s*[,，、]\s*(?:(?:{lexicon.conjunctions})\s+)?|{joins}"),
        dangling=_re(_dangling(lexicon)),
        dangling_ends=frozenset(phrase.split()[-1] for phrase in lexicon.dangling),
        apposition=_re(rf"\s*[,，]\s*(?=[a-z])|\s+(?=(?:{lexicon.apposition})\s)", flags=0),
        dates=_re(rf"\s*\((?:{lexicon.dates}|\w+ \d{{1,2}},? \d{{4}}|\d(?!\d{{3}} [a-z]))[^()]*\)?"),
        aspects=_re(rf"\b(?:{lexicon.aspects})\b"),
    )


def in_small_letters(text: str) -> str:
    """Return the text in small letters, as long as it was: "İ" would turn into two."""
    small = text.lower()
    return (
        small if len(small) == len(text) else "".join(s if len(s := sign.lower()) == 1 else sign for sign in text)
    )


def _re(pattern: str, *, flags: int = re.IGNORECASE) -> Pattern:
    return re.compile(pattern, flags)


def _telling(lexicon: Lexicon, pattern: str) -> Pattern:
    return _re(rf"(?<!\w)(?:{pattern})(?!\w)" if lexicon.spaced else rf"(?:{pattern})")


def _any(lexicon: Lexicon, pattern: str) -> Pattern:
    # Matched against small letters: without IGNORECASE an alternative is passed over by its first letter.
    return re.compile(rf"(?:{pattern})(?!\w)" if lexicon.spaced else rf"(?:{pattern})")


def _cues(lexicon: Lexicon, kinds: tuple[str, ...]) -> CuePatterns:
    """Return the patterns of all cues of these kinds."""
    tables = [(kind, _table(lexicon, kind)) for kind in kinds]
    small = [(kind, [cue for cue in table if not _CAPITAL.search(cue)]) for kind, table in tables]
    cased = [(kind, [cue for cue in table if _CAPITAL.search(cue)]) for kind, table in tables]
    return CuePatterns(re.compile(_any_cue(lexicon, small)), re.compile(_any_cue(lexicon, cased), re.IGNORECASE))


def _any_cue(lexicon: Lexicon, tables: list[tuple[str, list[str]]]) -> str:
    """Return one pattern for all cues; the name of the group that matched says its kind and its form.

    ``clear`` stands before what it excludes, ``clear_after`` behind it, and the group ``clear_around_3`` is itself
    the excluded part.
    """
    alternatives: list[str] = ["(?!)"]
    for kind, table in tables:
        cues = [cue.split(_PLACE) for cue in table]
        around = [(before, behind) for before, behind in cues if before and behind]
        alternatives += [
            rf"{before}" + rf"(?P<{kind}_around_{number}>{_INSIDE})" + behind
            for number, (before, behind) in enumerate(around)
        ]
        if after := [behind.strip() for before, behind in cues if not before]:
            alternatives.append(f"(?P<{kind}_after>{'|'.join(after)})")
        if first := [before.strip() for before, behind in cues if not behind]:
            end = r"(?![\w-])" if lexicon.spaced else ""
            alternatives.append(f"(?P<{kind}>(?:{'|'.join(first)}){end})")
    start = r"(?<![\w-])" if lexicon.spaced else ""
    return rf"{start}(?:{'|'.join(alternatives)})"


def _table(lexicon: Lexicon, kind: str) -> tuple[str, ...]:
    if kind != "counterpart":
        table: tuple[str, ...] = getattr(lexicon, kind)
        return table
    opposites = "|".join(_counterparts(lexicon))
    return (f"{lexicon.negation}(?:{opposites}) {_PLACE}",) if opposites else ()


def _counterparts(lexicon: Lexicon) -> dict[str, str]:
    return {word: opposite for pair in lexicon.counterparts for word, opposite in (pair, pair[::-1])}


def _dangling(lexicon: Lexicon) -> str:
    words = "|".join(map(re.escape, sorted(lexicon.dangling, key=len, reverse=True))) or "(?!)"
    word = rf"(?<![\w'’])(?:{words})(?![\w'’])" if lexicon.spaced else f"(?:{words})"
    return rf"(?:[\s,;:–—(（，、；：-]|{word})+$"


def _sentence_end(lexicon: Lexicon) -> str:
    """Return the pattern of a sentence's end; the point of "Mrs." or of an initial is none."""
    words = "".join(rf"(?<!\b{word}\.)" for word in lexicon.abbreviations)
    return rf'[?!—。？！；]|;(?<!&amp;)|\.(?=\s*$|\s+[A-Z"“]|(?<=[a-z]{{4}}\.)\s+[a-z]{{3}})(?<!\b\w\.){words}'


def _wrapper(lexicon: Lexicon) -> Pattern:
    end = r"\s+|(?<=[\s'’])" if lexicon.spaced else r"\s*"
    return re.compile(f"(?:{'|'.join(lexicon.wrappers) or '(?!)'})(?:{end})")
