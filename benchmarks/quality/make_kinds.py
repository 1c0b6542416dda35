"""Makes the table of kinds of things that the package ships, from WordNet's own files.

    apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb wordnet
    .venv/bin/python benchmarks/quality/make_kinds.py wordnet/usr/share/wordnet --write

Which senses and names are left out, and why: docs/decisions/0015-kinds.md. The table has two parts. A line of the
first is a concept: its names as far as they count as kinds of what is above it, and the lines of what is below it.
A line of the second is a name that one may ask for, and the lines that it asks for; ^ where a capital letter does.
"""

import argparse
import gzip
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from esens.evidence.kind_tables import CAPITAL, WORDNET, key_of, name_of
from esens.text.terms import terms_of

PACKAGE = Path(__file__).parents[2] / "src/esens/evidence/data"

# WordNet sorts its concepts by subject; the numbers are those of its lexicographers' files.
ACT, ANIMAL, ARTIFACT, COGNITION, COMMUNICATION, EVENT = 4, 5, 6, 9, 10, 11
FOOD, PLACE, OBJECT, PERSON, PLANT, STATE, SUBSTANCE = 13, 15, 17, 18, 20, 26, 27
PERTAINING = 1  # adjectives such as "French"
PLACES = frozenset((PLACE, OBJECT))
OF_PLACES = PLACES | {PERTAINING, PERSON, COMMUNICATION}  # the Greek, and their language
# People exclude things, beings, places, genres, sports, illnesses; hardly quantities, shapes, motives, relations.
SUBJECTS = PLACES | {ACT, ANIMAL, ARTIFACT, COGNITION, COMMUNICATION, EVENT, FOOD, PERSON, PLANT, STATE, SUBSTANCE}
NEAR = {FOOD: PLANT, PLANT: FOOD, ANIMAL: FOOD}
LATIN = "taxonomic group"

MOST_KINDS = 250
"""Of a thing with more kinds ("vehicle") only those count whose names occur in the texts that were marked."""
TOO_MANY = 1500
"""A thing with more ("food", "animal", "structure") is no thing but a way of speaking."""
SECOND_SENSE = 0.5
"""A second sense counts if it is meant at least so often as the first, in this measure."""
ASKED_SHARE, MOST_SENSES = 0.6, 3
"""A name asks for nothing if it means too many things: less than this share of its occurrences, or more senses."""
OWN_SHARE = 0.5
"""A name counts as a kind if at least this share of its occurrences has the sense."""
SHORTEST, SHORTEST_PLACE = 3, 5
"""Short names of towns are words of something: Nice, Tours, Bath, Cork. Those of countries stand in the facts."""
# Names of people, words of every day, and peoples that are no longer where their land is.
_UNCLEAR = """
adelaide alexandria ariana bay capital centre charlotte city drone east ella english florence galera gothic
jonathan lancaster latin left lesbian limousin mobile moor murphy nancy norman north olympian olympic orange
prima queen reading right roman rosario rose salvador santiago santo scotch soledad south spartan sydney vandal
victoria west worker
"""
UNCLEAR = frozenset(_UNCLEAR.split())


@dataclass(frozen=True)
class Concept:
    """What WordNet calls a synset: names that mean the same, and what is below."""

    names: tuple[str, ...]
    subject: int
    kinds: tuple[str, ...]
    instances: tuple[str, ...]
    parts: tuple[str, ...]
    is_state: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it is a name, written with a capital letter."""
        return self.names[0][:1].isupper()


class WordNet:
    """The nouns of WordNet, and how often each of their senses was meant in the texts that its makers read."""

    def __init__(self, folder: Path) -> None:
        """Read Princeton's files as they are."""
        self.folder = folder
        self.concepts = dict(_concepts(folder / "data.noun"))
        self.senses = dict(_senses(folder / "index.noun"))
        self.below = cache(self._below)

    @cached_property
    def subjects(self) -> Mapping[str, Counter[int]]:
        """How often a word was meant in each subject; verbs and adjectives have subjects of their own."""
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for line in _lines(self.folder / "cntlist.rev"):
            sense, _, count = line.split()
            word, _, rest = sense.partition("%")
            counts[_spaced(word)][int(rest.split(":")[1])] += int(count)
        return counts

    @cached_property
    def sense_counts(self) -> Mapping[tuple[str, int], int]:
        """How often a noun was meant in its sense of a number; the first is the most frequent."""
        senses = (line.split() for line in _lines(self.folder / "cntlist.rev"))
        nouns = ((sense.partition("%")[0], number, count) for sense, number, count in senses if "%1:" in sense)
        return {(_spaced(word), int(number)): int(count) for word, number, count in nouns}

    @cached_property
    def adjectives(self) -> Mapping[str, tuple[str, ...]]:
        """The adjectives of places: French, of France."""
        adjectives: dict[str, list[str]] = defaultdict(list)
        for names, _, pointers in _records(self.folder / "data.adj"):
            for sign, concept, kind, source in pointers:
                if sign == "\\" and kind == "n" and self.concepts[concept].subject in PLACES:
                    adjectives[concept].append(names[int(source[:2], 16) - 1])
        return {concept: tuple(names) for concept, names in adjectives.items()}

    @cached_property
    def other_words(self) -> frozenset[str]:
        """Adjectives and verbs."""
        files = (self.folder / "index.adj", self.folder / "index.verb")
        return frozenset(_spaced(line.split()[0]) for file in files for line in _lines(file))

    @cached_property
    def latin(self) -> frozenset[str]:
        """Genera, families and the like."""
        return frozenset(_reach(self.senses[LATIN][0], lambda concept: self.concepts[concept].kinds))

    @cached_property
    def shared(self) -> frozenset[str]:
        """Rivers and mountains that lie in several places: the Alps are no part of France alone."""
        holders = Counter(part for concept in self.concepts.values() for part in concept.parts)
        return frozenset(part for part, count in holders.items() if count > 1 and not self.concepts[part].is_state)

    def children(self, concept: str) -> tuple[str, ...]:
        """Return what counts as a kind of a concept: of a place, what lies in it and who lives there.

        Of islands as such, Japan is none that anybody means; and of writers, no writer counts.
        """
        found = self.concepts[concept]
        lower = [*found.kinds, *(found.instances if found.subject != PERSON else ())]
        if found.subject in PLACES and found.is_name:
            lower += [part for part in found.parts if part not in self.shared]
        elif found.subject in PLACES:
            lower = [child for child in lower if not self.concepts[child].is_name]
        return tuple(child for child in lower if self.is_subject(child))

    def is_subject(self, concept: str) -> bool:
        """Return whether people may exclude it, or mean it when they exclude what is above."""
        found = self.concepts[concept]
        is_person = found.subject == PERSON and found.is_name
        return found.subject in SUBJECTS and not is_person and concept not in self.latin

    def asked(self, word: str) -> list[str]:
        """Return the one or two concepts that a word means most often; both are names, or both are not."""
        senses = self.senses[word]
        counts = [self.sense_counts.get((word, number), 0) for number, _ in enumerate(senses, 1)]
        is_second = len(senses) > 1 and 0 < counts[1] >= SECOND_SENSE * counts[0]
        is_alike = len({self.concepts[sense].is_name for sense in senses[:2]}) == 1
        meant = 2 if is_second and is_alike else 1
        is_clear = sum(counts[:meant]) >= ASKED_SHARE * sum(counts) if any(counts) else len(senses) <= MOST_SENSES
        return senses[:meant] if is_clear else []

    def kind_names(self, concept: str) -> list[str]:
        """Return the names of a concept that, in a text on anything, mostly mean it."""
        found = self.concepts[concept]
        names = [name for name in found.names if not _is_latin(name, found) and self._is_clear(name, concept)]
        return names + [name for name in self.adjectives.get(concept, ()) if self._is_adjective_clear(name)]

    def frequency(self, word: str) -> int:
        """Return how often a noun occurs in the texts that were read."""
        return sum(self.sense_counts.get((word, number), 0) for number, _ in enumerate(self.senses[word], 1))

    def is_common(self, name: str) -> bool:
        """Return whether a name occurs in the texts that were read."""
        return bool(self.subjects.get(name.casefold()))

    def _below(self, concept: str) -> tuple[str, ...]:
        return tuple(_reach(concept, self.children))

    def _is_clear(self, name: str, concept: str) -> bool:
        """Return whether a name mostly means a concept, or one that is as good as it."""
        words = {name.casefold(), key_of(name)}
        if " " in key_of(name):
            return True
        is_place = self.concepts[concept].subject in PLACES
        shortest = SHORTEST_PLACE if is_place and not self.is_common(name) else SHORTEST
        if not terms_of(name) or words & UNCLEAR or min(map(len, words)) < shortest:
            return False
        return all(self._is_mostly(word, concept) for word in words)

    def _is_mostly(self, word: str, concept: str) -> bool:
        senses = self.senses.get(word, [])
        total = sum(self.subjects[word].values()) if word in self.subjects else 0
        if total:
            own = [number for number, sense in enumerate(senses, 1) if self._is_near(sense, concept)]
            return sum(self.sense_counts.get((word, number), 0) for number in own) >= OWN_SHARE * total
        is_first = not senses or self._is_near(senses[0], concept)
        return is_first and (self.concepts[concept].is_name or word not in self.other_words)

    def _is_near(self, sense: str, concept: str) -> bool:
        """Return whether two senses of a word are as good as one: an almond is a tree and a nut."""
        here, there = self.concepts[concept], self.concepts[sense]
        return sense == concept or there.subject == NEAR.get(here.subject)

    def _is_adjective_clear(self, name: str) -> bool:
        counts = self.subjects.get(name.casefold(), Counter())
        is_long = len(name) >= SHORTEST_PLACE and name.casefold() not in UNCLEAR
        return is_long and sum(counts[number] for number in OF_PLACES) >= OWN_SHARE * counts.total()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = table(WordNet(options.folder))
    packed = gzip.compress(text.encode(), 9, mtime=0)
    concepts, names = (part.count("\n") + 1 for part in text.split("\n\n"))
    print(f"{concepts:,} concepts, {names:,} names, {len(text):,} bytes, {len(packed):,} packed")
    if options.write:
        (PACKAGE / WORDNET).write_bytes(packed)


def table(wordnet: WordNet) -> str:
    """Return the table: what may be asked for, and all that is below it."""
    lines = {concept: _line(wordnet, concept) for concept in wordnet.concepts if _is_fit(wordnet, concept)}
    asked = _asked(wordnet, lines)
    used = sorted(
        {lower for concepts in asked.values() for concept in concepts for lower in _lines_below(lines, concept)}
    )
    number = {concept: str(place) for place, concept in enumerate(used)}
    concepts = [
        "\t".join((";".join(lines[concept].names), " ".join(number[lower] for lower in lines[concept].below)))
        for concept in used
    ]
    names = sorted("\t".join((name, " ".join(map(number.__getitem__, below)))) for name, below in asked.items())
    return "\n".join((*concepts, "", *names))


@dataclass(frozen=True)
class Line:
    """A concept as the table has it."""

    names: tuple[str, ...]
    below: tuple[str, ...]


def _is_fit(wordnet: WordNet, concept: str) -> bool:
    return wordnet.is_subject(concept) and len(wordnet.below(concept)) <= TOO_MANY


def _line(wordnet: WordNet, concept: str) -> Line:
    """Return the line of a concept; one with very many kinds names the common ones itself."""
    names, below = wordnet.kind_names(concept), wordnet.below(concept)
    if len(below) <= MOST_KINDS:
        return Line(_distinct(names), wordnet.children(concept))
    common = (name for lower in below[1:] for name in wordnet.kind_names(lower) if wordnet.is_common(name))
    return Line(_distinct((*names, *common)), ())


def _asked(wordnet: WordNet, lines: Mapping[str, Line]) -> dict[str, list[str]]:
    """Return what each name asks for."""
    asked: dict[str, list[str]] = {}
    for word, senses in _one_each(wordnet).items():
        common = wordnet.asked(word)
        if not all(concept in lines for concept in common):
            common = []
        places = [concept for concept in senses if _is_place_named(wordnet.concepts[concept], word)][:1]
        if wordnet.is_common(word) or any(lines[concept].below for concept in common):
            _add(asked, key_of(word), common, lines)
        if places != common[:1]:
            _add(asked, CAPITAL + key_of(word), [place for place in places if place in lines], lines)
    for concept, adjectives in wordnet.adjectives.items():
        for word in adjectives:
            if concept in lines:
                _add(asked, key_of(word), [concept], lines)
    return asked


def _one_each(wordnet: WordNet) -> Mapping[str, list[str]]:
    """Return the words that ask; of those that fall together, as physics and physic, the more frequent one."""
    words = sorted(wordnet.senses, key=wordnet.frequency)
    return {word: wordnet.senses[word] for word in {key_of(word): word for word in words}.values()}


def _add(asked: dict[str, list[str]], name: str, concepts: list[str], lines: Mapping[str, Line]) -> None:
    """Note what a name asks for, if there are kinds that its own words do not find."""
    own = terms_of(name)
    names = (kind for concept in concepts for lower in _lines_below(lines, concept) for kind in lines[lower].names)
    if own and any(not own <= terms_of(kind) for kind in names):
        asked[name] = list(dict.fromkeys((*asked.get(name, ()), *concepts)))


def _lines_below(lines: Mapping[str, Line], concept: str) -> list[str]:
    return _reach(concept, lambda higher: lines[higher].below)


def _reach(concept: str, children: Callable[[str], Iterable[str]]) -> list[str]:
    """Return a concept and all that is below it, the nearest first."""
    seen, todo = {concept}, [concept]
    for higher in todo:
        lower = [child for child in dict.fromkeys(children(higher)) if child not in seen]
        seen.update(lower)
        todo += lower
    return todo


def _is_latin(name: str, concept: Concept) -> bool:
    """Return whether it is the Latin name of a living being that has an English one."""
    is_living = concept.subject in (PLANT, ANIMAL)
    return is_living and name[:1].isupper() and any(other[:1].islower() for other in concept.names)


def _is_place_named(concept: Concept, word: str) -> bool:
    return concept.subject in PLACES and any(
        name.casefold() == word and name[:1].isupper() for name in concept.names
    )


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(name_of, names))))


def _concepts(file: Path) -> Iterator[tuple[str, Concept]]:
    offsets = [line[:8] for line in _lines(file)]
    states: set[str] = set()
    concepts: dict[str, Concept] = {}
    for offset, (names, subject, pointers) in zip(offsets, _records(file), strict=True):
        below: dict[str, list[str]] = {"~": [], "~i": [], "%p": [], "%m": []}
        for sign, concept, kind, _ in pointers:
            if sign in below and kind == "n":
                below[sign].append(concept)
        states.update(below["~i"] if {"country", "state"} & set(names) else ())
        kinds, instances = tuple(below["~"]), tuple(below["~i"])
        concepts[offset] = Concept(names, subject, kinds, instances, (*below["%p"], *below["%m"]))
    for offset, found in concepts.items():
        yield offset, replace(found, is_state=offset in states)


def _records(file: Path) -> Iterator[tuple[tuple[str, ...], int, list[tuple[str, ...]]]]:
    """Yield names, subject and pointers of each line; wndb(5WN) describes the format."""
    for line in _lines(file):
        fields = line.partition(" | ")[0].split()
        behind = 4 + 2 * int(fields[3], 16)
        names = tuple(_spaced(name.partition("(")[0]) for name in fields[4:behind:2])
        count = int(fields[behind])
        yield names, int(fields[1]), [tuple(fields[behind + 1 + 4 * i : behind + 5 + 4 * i]) for i in range(count)]


def _senses(file: Path) -> Iterator[tuple[str, list[str]]]:
    for line in _lines(file):
        fields = line.split()
        yield _spaced(fields[0]), fields[-int(fields[2]) :]


def _lines(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("  ")]  # the licence stands above


def _spaced(name: str) -> str:
    return name.replace("_", " ")


if __name__ == "__main__":
    main()
