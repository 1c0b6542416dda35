"""The words that exclude, one table for each language. A new language is a new table, not new code.

A cue is written as people write it, with … where the excluded thing stands: "excluding …", "leave … out",
"… aside". All entries are regular expressions; matching ignores case where the script has it.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

LANGUAGES = ("en", "de", "fr", "es", "pt", "zh", "ja", "ko")
# A language without a table: nothing is excluded but by signs.
OTHER = "other"
# A name, up to the "'s" of an owner: "Hilary Mantel", "the Queen of Hearts".
_PART_OF_NAME = r"[A-ZÀ-Ý](?:[\w.&-]|['’](?!s\b|\W))*"
_LINKS = r"(?:of|the|de|la|van|von|der|and|&|da|do|di|del|du|y|e|et|und) "
NAMED = rf"{_PART_OF_NAME}(?: (?:{_LINKS}){{0,2}}{_PART_OF_NAME}){{0,5}}"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything that the rules know of a language."""

    language: str
    # Every cue has one of these words; a query without any of them is not searched for cues. Empty: search always.
    triggers: frozenset[str]
    # The other words that a cue may begin with.
    leads: frozenset[str]
    # Exclude wherever they stand: "excluding …".
    clear: tuple[str, ...]
    # … or one that begins or ends like this: "non-", "n't".
    trigger_starts: tuple[str, ...] = ()
    trigger_ends: tuple[str, ...] = ()
    # Those of the leads from which only other leads lead on to the trigger: "i am not", but not "with … excluded".
    near_leads: frozenset[str] = frozenset()
    # What the words of a cue, or the first words behind it, tell of the relation: "about", documents whose subject
    # the excluded thing is; "has", documents that have it, or are of its kind. Words behind the cue come first.
    about: str = "(?!)"
    about_behind: str = "(?!)"
    has: str = "(?!)"
    has_behind: str = "(?!)"
    # Exclude in a request ("pain relief without opioids"), state a fact in a claim ("mice without a thymus are").
    request: tuple[str, ...] = ()
    # Exclude where they restrict: in a question, or behind what ``restricts`` knows ("a band that is not …").
    relative: tuple[str, ...] = ()
    restricts: str = "(?!)"
    # Exclude where they open a question ("Beyond …, what …"), or beside an "other" or "else".
    additive: tuple[str, ...] = ()
    # Exclude behind a whole, which ``wholes`` ends with: "any framework but …".
    rest: tuple[str, ...] = ()
    wholes: str = "(?!)"
    # Exclude where they open a sentence or a clause: "In addition to …, who …", "and exclude …".
    opening: tuple[str, ...] = ()
    # Exclude more often than not, and get a lower confidence: "…, not …", "no …".
    likely: tuple[str, ...] = ()
    # Say of a whole clause that it is not wanted, and where such a clause begins: "Ads are not relevant."
    verdict: tuple[str, ...] = ()
    verdict_start: str = "(?!)"
    # Deny something, but what they exclude is not clear: "which countries do not use …". Always vetoed.
    doubtful: tuple[str, ...] = ()
    # Contain a cue and exclude nothing: "last but not least", "doctors without borders".
    fixed: tuple[str, ...] = ()
    # Stand before "gluten-free bread" where the lack itself is asked about: "why is …", "what is a …".
    lack_asked: str = "(?!)"
    # … or where this stands behind it: "fat-free mass index calculator".
    lack_told: str = "(?!)"
    # … or where a cue goes on like this to the end: "without insurance statistics".
    lack_measured: str = "(?!)"
    # … or in a query that begins like this, which asks what comes of it: "what happens if you …".
    outcome_asked: str = "(?!)"
    # Cues of a complaint, and what is missed in one, where nothing is looked for: "strong smell but no leak".
    complaining: str = "(?!)"
    outcomes: frozenset[str] = frozenset()
    # Who refuses, or has seen, something behind a comma tells of trouble where the second stands before it: "my
    # cat limps, I'd rather not see a vet".
    refusing: str = "(?!)"
    troubled: str = "(?!)"
    # What must not happen on the way to what is asked for: "sauté potatoes without burning them".
    mishaps: frozenset[str] = frozenset()
    # A whole beginning that asks for things and says what they are not, up to the end of its cue: sure by itself,
    # where no rule speaks against it.
    members: str = "(?!)"
    # … and how cues begin that never end such a beginning, for a quick look.
    never_of_members: tuple[str, ...] = ()
    # Contain a cue and are mostly the topic itself, as a condition or a fault: "without a warrant", "no signal".
    topics: tuple[str, ...] = ()
    # What makes a cue state a fact: by what stands before it, and by how it goes on.
    fact_before: str = "(?!)"
    facts: str = "(?!)"
    # Queries that begin like this compare, or ask for a cause: what excludes elsewhere states a fact there.
    comparing: str = "(?!)"
    # Written with a capital inside a sentence without being part of a title: "I".
    capitalised: str = "(?!)"
    # Contrast two sides; in a sentence that asks for nothing, they state it.
    contrasting: str = "(?!)"
    # Join a cue to what stands before it: "that is not". Without them, "is not" is the verb of a claim.
    joining: str = "(?!)"
    # Where a query begins like the first, the second is a condition: "how to open a bottle without a corkscrew".
    manner: str = "(?!)"
    condition: str = "(?!)"
    # A request begins like the first; anything else with a finite verb is a claim.
    asking: str = "(?!)"
    finite: str = "(?!)"
    claims: str = "(?!)"
    # Where a thing begins that stands before its cue: "…, Rome aside".
    suffix_start: str = r"[,.;:?!(，。？！]\s*"
    # Open a clause before an opening cue.
    clause_openers: str = "(?!)"
    # Stand between the cue and the excluded thing: "any information related to".
    wrappers: tuple[str, ...] = ()
    # A cue that denies a deed ends so, and these are deeds; the thing stands behind: "don't run Windows".
    deed_denied: str = "(?!)"
    deeds: str = "(?!)"
    articles: str = "(?!)"
    # Point back at a name and say little without it: "her other roles".
    referring: str = "(?!)"
    # A pronoun that is all a cue excludes. It means the name, a group of the second or the third, that others are
    # likened to ("bands like Oasis, but not them") or that things are about, unless the query tells of somebody.
    pronouns: str = "(?!)"
    likened: str = "(?!)"
    treated: str = "(?!)"
    told_of: str = "(?!)"
    # Names that are not excluded themselves: "other than that".
    no_traps: frozenset[str] = frozenset()
    # Begin the wanted part behind an exclusion that came first, or behind one in the middle.
    question_words: str = "(?!)"
    clause_words: str = "(?!)"
    imperatives: str = "(?!)"
    # Abbreviations: their point does not end a sentence.
    abbreviations: tuple[str, ...] = ()
    goes_on: str = "(?!)"
    verbs: str = "(?!)"
    # Not before such a verb: "the man who is".
    not_subject: str = ""
    # A question that has only named its subject, and where the predicate begins: "Who else besides … played …".
    subject: str = "(?!)"
    predicate: str = "(?!)"
    # A question whose verb comes behind the exclusion, and how long a group or a name it then excludes.
    group_question: str = "(?!)"
    group: str = "(?!)"
    # A name or a group before a verb that agrees with a singular, and with a plural: "France makes", "dogs bark".
    agreeing: tuple[str, str] = ("(?!)", "(?!)")
    # What is excluded is itself a question, whose verb is not the query's: "excluding how metals are named".
    embedded: str = "(?!)"
    # Begins what is said of the excluded thing and wanted by nobody: "…, my nephew is allergic".
    aside: str = "(?!)"
    # Where a remark between commas ends: "wars, minus the two world wars, in which Italy fought".
    remark: str = "(?!)"
    # Cues of such remarks, beside the likely ones: "puberty, but not coming-of-age, films".
    asides: str = "(?!)"
    # End the excluded thing inside a sentence: "without noise cancelling under 100 dollars".
    stops: str = "(?!)"
    # What is wished for behind the comma of an excluded thing, which is no further one: "without laces, size 42".
    wishes: str = "(?!)"
    # … and what leads to makers or persons, who are listed side by side: "not by king, koontz".
    led_by_makers: str = "(?!)"
    # Ends what a cue excludes that opens the query, where nothing else does: "anything but pizza for dinner".
    opening_stop: str = "(?!)"
    # Behind a cue of the first kind, with a bare thing before it, a preposition goes on with what is wanted. The
    # third is the excluded thing up to there: "a browser other than chrome on android".
    apart: str = "(?!)"
    bare_head: str = "(?!)"
    bare_thing: str = "(?!)"
    # A cue that is part of a noun with what it excludes, and what stands before such a noun: "no fax payday loan".
    modifier: str = "(?!)"
    before_modifier: str = "(?!)"
    # Join the items of a list; what has one and is a single thing, up to its end: "between 1990 and 2000".
    conjunctions: str = "(?!)"
    # What is no item by itself at the end of a list, but a further side of what was named: "PCP use and forms".
    general: str = "(?!)"
    ranges: str = "(?!)"
    # Of a person or a work ("Simon Le Bon's career"), and kinds of both ("the song Skin"): names exclude better.
    # Small words inside a name; what begins an apposition, goes on behind a name, or gives a life's dates.
    links: frozenset[str] = frozenset()
    apposition: str = "(?!)"
    behind_name: str = "(?!)"
    dates: str = "(?!)"
    aspects: str = "(?!)"
    works: str = "(?!)"  # what somebody made, whose name is meant by "Tolkien's"
    names: bool = False  # whether a capital makes a name, as in English and not in German
    kinds: str = "(?!)"
    kinds_behind: str = "(?!)"
    prepositions: str = "(?!)"
    about_name: str = "(?!)"
    # Make no sense at the end of what is left when an exclusion is cut out.
    dangling: tuple[str, ...] = ()
    # Make no sense at the beginning of what follows it.
    leading: tuple[str, ...] = ()
    # … and of what follows an exclusion that opened the query: "anything but pizza for dinner".
    opening_leads: tuple[str, ...] = ()
    # Made sense only beside the exclusion: "what other", "who else"; the first group stays.
    others: str = "(?!)"
    # … and what one of them holds, for a quick look; by default anything may.
    others_hold: tuple[str, ...] = ("",)
    other_words: str = "(?!)"
    # Say nothing of what is wanted when they stand alone.
    empty_words: frozenset[str] = frozenset()
    # "legal" for "not illegal", and the words before the second.
    negation: str = "(?!)"
    denial: str = "(?!)"
    counterparts: tuple[tuple[str, str], ...] = ()
    # Classes of words that a model weighs; a language without them is read by vetoes alone.
    classes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    # How queries begin, by what they ask for, in the order in which they are tried; likewise weighed.
    frames: tuple[tuple[str, str], ...] = ()
    # Whether words stand apart; if not, a cue may begin and end inside what looks like one word.
    spaced: bool = True


def words(text: str) -> frozenset[str]:
    """Return the words of a text: a set that reads like a line of prose."""
    return frozenset(text.split())


def phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of a text, between commas."""
    return tuple(phrase.strip() for phrase in text.split(","))


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of opposites, written with a slash between the two and commas between the pairs."""
    return tuple(
        (word.strip(), opposite.strip()) for word, opposite in (pair.split("/") for pair in phrases(text))
    )


@cache
def lexicon_of(language: str) -> Lexicon:
    """Return the table of a language."""
    module = importlib.import_module(f"{__name__}.{language}")
    table: Lexicon = module.LEXICON
    return table
