import time

import pytest

import esens
from esens import Decomposition
from esens.errors import ArgumentError, UnknownSpecError

EXCLUSIONS = [
    (
        "training methods for language models, excluding reinforcement learning",
        "training methods for language models",
        ["reinforcement learning"],
    ),
    ("how to relieve pain without opioids", "how to relieve pain", ["opioids"]),
    ("ways of brewing coffee other than espresso", "ways of brewing coffee", ["espresso"]),
    ("salad dressings, but nothing with vinegar", "salad dressings", ["vinegar"]),
    ("features of programming languages, but not Java", "features of programming languages", ["Java"]),
    ("musical instruments, except the piano", "musical instruments", ["piano"]),
    ("renewable energy, not including hydropower", "renewable energy", ["hydropower"]),
    ("growing vegetables, with the exception of tomatoes", "growing vegetables", ["tomatoes"]),
    ("electric cars instead of hybrids", "electric cars", ["hybrids"]),
    ("jazz albums, but nothing by Miles Davis", "jazz albums", ["Miles Davis"]),
    # The exclusion first.
    ("Apart from hydropower, how can electricity be made?", "how can electricity be made?", ["hydropower"]),
    (
        "Besides Eva Marie Saint, who were the other actors in the film?",
        "who were the actors in the film?",
        ["Eva Marie Saint"],
    ),
    ("Leaving out MongoDB and Redis, what is a good database?", "what is a good database?", ["MongoDB", "Redis"]),
    (
        "In addition to Juliet Ibrahim, please tell me about Sonia Ibrahim.",
        "please tell me about Sonia Ibrahim.",
        ["Juliet Ibrahim"],
    ),
    ("I don't want tomatoes: what else can I sow?", "what can I sow?", ["tomatoes"]),
    # In the middle.
    ("Which languages, with the exception of Java, could I learn?", "Which languages could I learn?", ["Java"]),
    ("Which presidents besides Lincoln were assassinated?", "Which presidents were assassinated?", ["Lincoln"]),
    ("what other side effects besides nausea does it have", "what side effects does it have", ["nausea"]),
    ("cities in Italy (excluding Rome)", "cities in Italy", ["Rome"]),
    ("the theory—excluding proofs—of groups", "the theory of groups", ["proofs"]),
    ("tea, without milk, with lemon", "tea with lemon", ["milk"]),
    ("the other woman film, excluding reviews", "the other woman film", ["reviews"]),
    # A sentence of its own.
    (
        "Who was Sir Patrick Hepburn? Please exclude any information about Luffness Castle.",
        "Who was Sir Patrick Hepburn?",
        ["Luffness Castle"],
    ),
    # The wrapper goes, an apposition stays.
    (
        "suburbs of Christie Downs, but without including any information about Fernhill, New South Wales?",
        "suburbs of Christie Downs?",
        ["Fernhill, New South Wales"],
    ),
    (
        "Can you introduce Stern without mentioning the forger Konrad Kujau?",
        "Can you introduce Stern?",
        ["Konrad Kujau"],
    ),
    (
        "the 39 Clues series, avoiding any spoilers from The Maze of Bones",
        "the 39 Clues series",
        ["The Maze of Bones"],
    ),
    # Lists, and what only looks like one.
    ("genes in rodents excluding mouse, rat and hamster", "genes in rodents", ["mouse", "rat", "hamster"]),
    ("European cities, not including Rome or Vienna", "European cities", ["Rome", "Vienna"]),
    (
        "strep throat, excluding antibiotic choices and whether to consult a doctor",
        "strep throat",
        ["antibiotic choices and whether to consult a doctor"],
    ),
    # Quoted titles.
    (
        'Besides "Leo & Liz in Beverly Hills", what movies did he make?',
        "what movies did he make?",
        ["Leo & Liz in Beverly Hills"],
    ),
    ("albums by AC/DC besides “Highway to Hell”", "albums by AC/DC", ["Highway to Hell"]),
    # Several exclusions.
    (
        "jazz albums, excluding live recordings, but not by Miles Davis",
        "jazz albums",
        ["live recordings", "Miles Davis"],
    ),
    # What people type into a search box.
    ("jaguar -car", "jaguar", ["car"]),
    ('jaguar -"sports car" -film', "jaguar", ["sports car", "film"]),
    ("python NOT snake", "python", ["snake"]),
    ("jaguar without spots -car", "jaguar", ["spots", "car"]),
]

NO_EXCLUSION = [
    "history of the Roman Empire",
    "Vitamin D does not prevent asthma",
    "songs about not giving up",
    "To Kill a Mockingbird",
    "Without You (album)",
    "Not Like Us",
    "no-code tools",
    "The Man Without a Past",
    "non-small cell lung cancer",
    "Mice without IFN-γ or its receptor are resistant to EAM.",
    "LDL cholesterol has no involvement in cardiovascular disease.",
    "how to avoid heart disease",
    "COVID-19 vaccines",
    "state-of-the-art models",
    'who wrote "Anything but Ordinary without You"?',
    "temperatures of -5 degrees",
    # Operators stand at the end; these are the topic itself.
    "what is a NOT gate",
    "SQL NOT NULL constraint",
    "what does rm -rf do",
    "gcc -Wall",
    'the song "life -without- parole"',
    "how to exclude outliers in R",
    "python try except finally",
    "how to avoid mention of salary in interviews",
    # The absence is what is asked about.
    "how to survive without water",
    "songs with or without you",
    "Without Rome, how would Europe have developed?",
    # Comparisons.
    "why use Rust instead of C++?",
    "should I learn Rust rather than Go",
    "why are mammals unlike reptiles",
    # Idioms.
    "without further ado, tell me about tea",
    "Other than that, what is new?",
    "why is there nothing in space",
    "there is nothing like a good book",
    "why I don't want to work",
    # Nothing would be left to look for.
    "What else besides aspirin thins blood?",
    "excluding reinforcement learning",
    "-word",
]


@pytest.mark.parametrize(("query", "target", "traps"), EXCLUSIONS)
def test_what_is_excluded_is_found(query: str, target: str, traps: list[str]) -> None:
    assert esens.decompose(query) == Decomposition(target, tuple(traps))


@pytest.mark.parametrize("query", NO_EXCLUSION)
def test_nothing_is_invented(query: str) -> None:
    assert esens.decompose(query) == Decomposition(query)


@pytest.mark.parametrize(
    "query",
    [
        "but " * 20000 + "x without y",
        "a" + " " * 50000 + "b without c",
        "," * 50000 + "b without c",
        "x -" * 30000,
    ],
    ids=["words", "spaces", "commas", "dashes"],
)
def test_a_hostile_query_costs_no_more_than_its_length(query: str) -> None:
    def seconds(text: str) -> float:
        start = time.perf_counter()
        esens.decompose(text)
        return time.perf_counter() - start

    # Eight times the text may take eight times as long; with the square of it, it would be sixty-four.
    eighth = min(seconds(query[-len(query) // 8 :]) for _ in range(3))
    assert min(seconds(query) for _ in range(3)) < 30 * max(eighth, 1e-3)


def test_scifact_excludes_nothing(scifact: tuple[list[dict[str, str]], list[str]]) -> None:
    assert [query for query in scifact[1] if esens.decompose(query).traps] == []


@pytest.mark.parametrize("query", ["", "  \n", None, 5])
def test_an_empty_query_is_refused(query: object) -> None:
    with pytest.raises(ArgumentError, match="query"):
        esens.decompose(query)  # type: ignore[call-overload]


def test_the_decomposer_is_named_by_a_spec_or_given() -> None:
    assert esens.decompose("tea, excluding green tea", decomposer="none") == Decomposition(
        "tea, excluding green tea"
    )
    assert esens.decompose("x", decomposer=lambda query: Decomposition(query, ("y",))).traps == ("y",)
    with pytest.raises(UnknownSpecError, match="valid are: rules, none"):
        esens.decompose("x", decomposer="ruels")
    with pytest.raises(ArgumentError, match="decomposer"):
        esens.decompose("x", decomposer=5)  # type: ignore[call-overload]


def test_several_queries_are_decomposed_in_order_and_reported() -> None:
    seen = []
    split = esens.decompose(["tea", "tea without milk"], progress=lambda done, total: seen.append((done, total)))
    assert split == [Decomposition("tea"), Decomposition("tea", ("milk",))]
    assert seen == [(1, 2), (2, 2)]
