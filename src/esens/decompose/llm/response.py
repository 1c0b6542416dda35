"""What a language model wrote, read and checked: an Answer, or a refusal that says what is wrong.

An answer may only rearrange what its query says. That keeps a model from adding what it knows or makes up, and it
bounds what a hostile query can bring about to its own target and traps.
"""

import json
import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from esens.decompose.llm.grounding import token_overlap
from esens.decompose.llm.sides import is_confirmed, loss, misplacement
from esens.decompose.rules import decomposer as rules
from esens.decompose.rules.lexicon.language import language_of
from esens.errors import ArgumentError
from esens.text.tokens import content_words
from esens.types import RELATIONS, Exclusion, check_text

MOST_EXCLUSIONS = 20
# Beyond the query's own length: a target or trap in other words may be a little longer.
_ROOM = 40
_LONGEST_ANSWER = 20_000
# How much of a text must stand in the query. A target repeats it; a trap may name a counterpart.
_TARGET_OVERLAP = 2 / 3
_TRAP_OVERLAP = 1 / 2
# How much of the query must come back in target and traps: the rest is "please", "tell me" and the like. Where
# nothing is excluded there is less to leave out; whatever else is missing was an exclusion, and got lost.
_QUERY_OVERLAP = 1 / 5
_QUERY_OVERLAP_WITHOUT_TRAPS = 1 / 2

_THOUGHTS = re.compile(r"\A(?:\s*<think>.*?|[^{]*?)</think>", re.DOTALL)
_FENCE = re.compile(r"\A```\w*\s+(.*?)\s*```\Z", re.DOTALL)
# "non-alcoholic beer" is the name of what is wanted, and "alcoholic beer" is not.
_DENYING = r"(?:non|un|in|im|il|ir|dis)[- ]?"
# In lower case only: "Without a Trace" is a title.
_EXCLUDING = re.compile(r"(?:not|no|without|excluding|except|other than|instead of|rather than|but not)\s")


class AnswerError(Exception):
    """An answer that cannot be used; its text says why, to the model as to people."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model made of a query; ``is_confirmed`` where the rules see the same side excluded."""

    target: str
    exclusions: tuple[Exclusion, ...] = ()
    is_confirmed: bool = field(default=True, compare=False)

    @property
    def traps(self) -> tuple[str, ...]:
        """The texts of what is excluded."""
        return tuple(exclusion.text for exclusion in self.exclusions)


def read_answer(text: str, query: str, *, single_trap: bool) -> Answer:
    """Return the answer that a model wrote for this query, if it is one."""
    fields = parse_object(text)
    _check_fields("", fields, {"target", "trap" if single_trap else "exclusions"})
    target = _check_text_field("target", fields["target"], query)
    if not target:
        raise AnswerError('"target" is empty; repeat the whole query if nothing else is left to look for')
    exclusions = (
        _single_exclusion(fields["trap"], query) if single_trap else _check_exclusions(fields["exclusions"], query)
    )
    answer = Answer(target, exclusions)
    language, by_rules = language_of(query), rules.decompose(query)
    _check_against_query(answer, query, language)
    problem = (
        misplacement(answer.target, answer.traps, by_rules, language=language)
        if answer.traps
        else loss(answer.target, query, language=language)
    )
    if problem:
        raise AnswerError(problem)
    return replace(answer, is_confirmed=is_confirmed(answer.traps, by_rules, language=language))


def parse_object(text: str) -> dict[str, Any]:
    """Return the JSON object that a model wrote, whatever it thought aloud before."""
    if len(text) > _LONGEST_ANSWER:
        raise AnswerError(f"it has {len(text):,} characters; a short JSON object was asked for")
    bare = _THOUGHTS.sub("", text).strip()
    if not bare:
        raise AnswerError("it is empty")
    fenced = _FENCE.match(bare)
    try:
        answer = json.loads(fenced[1] if fenced else bare)
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"it is not JSON ({error})") from None
    if not isinstance(answer, dict):
        raise AnswerError(f"it must be a JSON object, not {_json_type(answer)}")
    return answer


def _single_exclusion(value: object, query: str) -> tuple[Exclusion, ...]:
    """Return the paper's trap, which has no relation."""
    text = _check_text_field("trap", value, query)
    return (_exclusion(text, "open", query),) if text else ()


def _check_exclusions(value: object, query: str) -> tuple[Exclusion, ...]:
    if not isinstance(value, list):
        raise AnswerError(f'"exclusions" must be a list of objects, not {_json_type(value)}')
    if len(value) > MOST_EXCLUSIONS:
        raise AnswerError(f'"exclusions" has {len(value)} entries; {MOST_EXCLUSIONS} are the most')
    exclusions: dict[str, Exclusion] = {}
    for number, item in enumerate(value):
        name = f"exclusions[{number}]"
        if not isinstance(item, dict):
            raise AnswerError(f'"{name}" must be an object, not {_json_type(item)}')
        _check_fields(name, item, {"text", "relation"})
        text = _check_text_field(f"{name}.text", item["text"], query)
        relation = _check_relation(f"{name}.relation", item["relation"])
        if text:
            exclusions.setdefault(text, _exclusion(text, relation, query))
    return tuple(exclusions.values())


def _check_relation(field: str, value: object) -> str:
    # Refused like any wrong field, not read as "open": the schema lists all three, so whoever writes a fourth does
    # not keep to the form, and "open" would say that the query does not tell, which nobody said.
    if not isinstance(value, str) or value not in RELATIONS:
        choices = ", ".join(f'"{relation}"' for relation in RELATIONS)
        written = f'"{value[:40]}"' if isinstance(value, str) else _json_type(value)
        raise AnswerError(f'"{field}" must be one of {choices}, not {written}')
    return value


def _exclusion(text: str, relation: str, query: str) -> Exclusion:
    """Return an exclusion with its place in the query, where the text stands there once and as it is."""
    start = query.find(text) if query.count(text) == 1 else -1
    return Exclusion(text, relation, span=(start, start + len(text)) if start >= 0 else None)


def _check_fields(name: str, fields: dict[str, Any], expected: set[str]) -> None:
    if set(fields) != expected:
        where = f'of "{name}" ' if name else ""
        names = _field_names(set(fields)) or "none"
        raise AnswerError(f"the fields {where}must be exactly {_field_names(expected)}, found {names}")


def _check_text_field(field: str, value: object, query: str) -> str:
    if not isinstance(value, str):
        raise AnswerError(f'"{field}" must be a string, not {_json_type(value)}')
    try:
        check_text(field, value)
    except ArgumentError as error:
        raise AnswerError(str(error)) from None
    text = " ".join(value.split())
    if len(text) > len(query) + _ROOM:
        raise AnswerError(f'"{field}" has {len(text):,} characters, more than the query; take only what it says')
    return text


def _check_against_query(answer: Answer, query: str, language: str) -> None:
    overlap = partial(token_overlap, language=language)
    if content_words(query) and overlap(answer.target, query) < _TARGET_OVERLAP:
        raise AnswerError(f'"target" is {answer.target!r}, which the query does not say; use its own words')
    for trap in answer.traps:
        _check_trap(trap, answer.target)
        if overlap(trap, query) < _TRAP_OVERLAP:
            raise AnswerError(f"the trap {trap!r} is not from the query; use its own words, or the plain opposite")
    denied = all(re.search(_DENYING + re.escape(trap), answer.target, re.IGNORECASE) for trap in answer.traps)
    if answer.traps and answer.target == " ".join(query.split()) and not denied:
        raise AnswerError('"target" is the whole query; take out the words for what is not wanted')
    least = _QUERY_OVERLAP if answer.traps else _QUERY_OVERLAP_WITHOUT_TRAPS
    if content_words(query) and overlap(query, " ".join((answer.target, *answer.traps))) < least:
        raise AnswerError("too much of the query is in neither target nor trap; place all that describes either")


def _check_trap(trap: str, target: str) -> None:
    if _EXCLUDING.match(trap):
        raise AnswerError(f"the trap {trap!r} still holds the word that excludes; write the unwanted thing alone")
    if trap.casefold() == target.casefold():
        raise AnswerError(f'{trap!r} is both "target" and trap; nothing can be wanted and unwanted at once')


def _field_names(fields: set[str]) -> str:
    return " and ".join(f'"{field[:40]}"' for field in sorted(fields)[:MOST_EXCLUSIONS])


def _json_type(value: object) -> str:
    kinds = (
        (bool, "true or false"),
        (str, "a string"),
        (list, "a list"),
        (dict, "an object"),
        (type(None), "null"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "a number")
