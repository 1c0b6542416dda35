import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import esens
from esens import Decomposition
from esens.decompose.rules.decomposer import scoped_cues
from esens.decompose.rules.lexicon import LANGUAGES
from esens.decompose.rules.lexicon.patterns import patterns_of
from esens.decompose.rules.query_text import QueryText
from esens.errors import ArgumentError, UnknownSpecError
from esens.evaluate.decomposers import builtin_negatives, token_f1

EXCLUSIONS = [
    (
        "training methods for language models, excluding reinforcement learning",
        "training methods for language models",
        ["reinforcement learning"],
    ),
    ("how to relieve pain without opioids", "how to relieve pain", ["opioids"]),
    ("family hotel not adults only", "family hotel", ["adults"]),
    ("lip balm no beeswax", "lip balm", ["beeswax"]),
    ("podcasts without swearing", "podcasts", ["swearing"]),
    ("hikes without scrambling", "hikes", ["scrambling"]),
    ("serum not containing retinol", "serum", ["retinol"]),
    ("houseplants not toxic to cats", "houseplants non-toxic to cats", ["toxic to cats"]),
    ("walks where no dogs are allowed", "walks", ["dogs"]),
    ("clubs where no alcohol is served", "clubs", ["alcohol"]),
    ("chalet sans sauna", "chalet", ["sauna"]),
    ("location sans animaux", "location", ["animaux"]),
    ("Suppe nicht mit Kokosmilch", "Suppe", ["Kokosmilch"]),
    ("films not in black and white", "films", ["black and white"]),
    ("music without rock and roll and jazz", "music", ["rock and roll", "jazz"]),
    ("remote developer not php, no react", "remote developer", ["php", "react"]),
    ("On top of ibuprofen, what other drugs are NSAIDs?", "what drugs are NSAIDs?", ["ibuprofen"]),
    ("hotel where there's no pool", "hotel", ["pool"]),
    ("internship not in berlin", "internship", ["berlin"]),
    ("bike without training wheels", "bike", ["training wheels"]),
    ("job without driving licence", "job", ["driving licence"]),
    ("ways of brewing coffee other than espresso", "ways of brewing coffee", ["espresso"]),
    ("salad dressings, but nothing with vinegar", "salad dressings", ["vinegar"]),
    ("features of programming languages, but not Java", "features of programming languages", ["Java"]),
    ("musical instruments, except the piano", "musical instruments", ["piano"]),
    ("renewable energy, not including hydropower", "renewable energy", ["hydropower"]),
    ("growing vegetables, with the exception of tomatoes", "growing vegetables", ["tomatoes"]),
    ("electric cars instead of hybrids", "electric cars", ["hybrids"]),
    ("jazz albums, but nothing by Miles Davis", "jazz albums", ["Miles Davis"]),
    # Where the wanted part goes on.
    ("cars other than SUVs for a family", "cars for a family", ["SUVs"]),
    ("no fax payday loan", "payday loan", ["fax"]),
    ("no credit card car rentals in maryland", "car rentals in maryland", ["credit card"]),
    ("pickle suggestions (i.e. no dill) for sandwiches", "pickle suggestions for sandwiches", ["dill"]),
    ("How can I unlock a phone without rooting it?", "How can I unlock a phone?", ["rooting"]),
    (
        "What jobs went to India? Outsourcing to countries besides India is not relevant.",
        "What jobs went to India?",
        ["Outsourcing to countries besides India"],
    ),
    ("films by Fincher, except Seven (1995 film)", "films by Fincher", ["Seven (1995 film)"]),
    ('Who else acted in it besides Ada Kane, who starred in the series "Kin"?', "Who acted in it?", ["Ada Kane"]),
    ("beers not too bitter", "beers", ["bitter"]),
    ("jobs not requiring a degree", "jobs", ["degree"]),
    ("place to eat not serving alcohol", "place to eat", ["alcohol"]),
    ("shop not selling fur", "shop", ["fur"]),
    ("hotel not allowing dogs", "hotel", ["dogs"]),
    ("puzzle game not requiring an account", "puzzle game", ["account"]),
    ("films, nothing directed by Nolan", "films", ["Nolan"]),
    ("wine for vegans, nothing fined with egg white", "wine for vegans", ["egg white"]),
    ("pastel sin nueces", "pastel", ["nueces"]),
    ("hoteles sin piscina", "hoteles", ["piscina"]),
    ("pastel sem nozes", "pastel", ["nozes"]),
    ("Filme nicht von 2019 bis 2020", "Filme", ["2019 bis 2020"]),
    ("songs not from 1990 or earlier", "songs", ["1990 or earlier"]),
    ("cooking, not baking", "cooking", ["baking"]),
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
    ("Barring surgery, what helps a bad knee?", "what helps a bad knee?", ["surgery"]),
    ("Regardless of the war, how did trade grow?", "how did trade grow?", ["war"]),
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
    # The forms of the request itself.
    ("hotels in Rome, not the airport ones", "hotels in Rome", ["airport"]),
    ("jaguar (not the car)", "jaguar", ["car"]),
    ("museums in Paris minus the Louvre", "museums in Paris", ["Louvre"]),
    ("pasta recipes, no dairy", "pasta recipes", ["dairy"]),
    ("non-European countries with a monarchy", "countries with a monarchy", ["European"]),
    ("causes of hair loss that are not genetic", "causes of hair loss", ["genetic"]),
    ("life of Marie Curie, nothing about her Nobel prizes", "life of Marie Curie", ["Nobel prizes"]),
    ("fever in adults with malaria ruled out", "fever in adults", ["malaria"]),
    ("Rome aside, which cities have a metro?", "which cities have a metro?", ["Rome"]),
    ("crime novels, leaving Agatha Christie out", "crime novels", ["Agatha Christie"]),
    ("planets to the exclusion of Pluto", "planets", ["Pluto"]),
    ("Tell me about Andorra, and do not mention skiing.", "Tell me about Andorra", ["skiing"]),
    ("solar power, never mentioning Tesla", "solar power", ["Tesla"]),
    (
        "What did Klaus direct, regardless of his role in Fitzcarraldo?",
        "What did Klaus direct?",
        ["Fitzcarraldo"],
    ),
    ("What other films in addition to Jaws did he make?", "What films did he make?", ["Jaws"]),
    ("Beyond Jaws, what else did Spielberg direct?", "what did Spielberg direct?", ["Jaws"]),
    ("cough remedies unrelated to honey", "cough remedies", ["honey"]),
    # As people type them.
    ("Can I make risotto without wine?", "Can I make risotto?", ["wine"]),
    ("how to open a bottle without a corkscrew", "how to open a bottle", ["corkscrew"]),
    ("laptops that do not have a fan", "laptops", ["fan"]),
    ("which mba programs don't require the gmat", "which mba programs", ["gmat"]),
    ("sugar free cookies", "cookies", ["sugar"]),
    ("sugar-free gum", "gum", ["sugar"]),
    ("non dairy ice cream", "ice cream", ["dairy"]),
    ("protein bars no soy no stevia", "protein bars", ["soy", "stevia"]),
    ("hotels with no pool, bar, or gym", "hotels", ["pool", "bar", "gym"]),
    ("80s pop songs. No Madonna.", "80s pop songs.", ["Madonna"]),
    ("wine that is neither red nor white", "wine", ["red", "white"]),
    ("soups, not tomato", "soups", ["tomato"]),
    ("tacos, hold the cilantro", "tacos", ["cilantro"]),
    ("Not a fan of war movies. Recommend some comedies", "Recommend some comedies", ["war movies"]),
    ("What are pyramid schemes? Theories are not relevant.", "What are pyramid schemes?", ["Theories"]),
    ("Do animals other than humans dream?", "Do animals dream?", ["humans"]),
    ("articles not from 2020 on climate change", "articles on climate change", ["2020"]),
    ("books for boys, nothing about dinosaurs, he has enough of them", "books for boys", ["dinosaurs"]),
    ("bands like the Who, except the Kinks", "bands like the Who", ["Kinks"]),
    ("things to do other than hiking", "things to do", ["hiking"]),
    ("leave politics out of it: news about science", "news about science", ["politics"]),
    # A name says it better than the words around it.
    ("songs, excluding those by the American singer Nate Ruess", "songs", ["Nate Ruess"]),
    ("rock bands, besides Simon Le Bon's early work", "rock bands", ["Simon Le Bon"]),
    ('1990s films, except for the drama "Heat"', "1990s films", ["Heat"]),
    ("astronauts excluding Bertalan Farkas, the first Hungarian in space", "astronauts", ["Bertalan Farkas"]),
    ("beers, excluding any information about Annie Johnson's achievements or career", "beers", ["Annie Johnson"]),
    ("Who founded it? Please exclude Specific information related to Ada Kane.", "Who founded it?", ["Ada Kane"]),
    ("characters voiced by Dheran, not counting the fictional Dooku", "characters voiced by Dheran", ["Dooku"]),
    # … but not where the target holds it as well.
    ("Tesla cars, excluding the battery of Tesla", "Tesla cars", ["battery of Tesla"]),
    # A denied word turns into its counterpart.
    ("which drugs are not illegal in Utah", "which drugs are legal in Utah", ["illegal in Utah"]),
    ("plants that aren't toxic to cats", "plants that are non-toxic to cats", ["toxic to cats"]),
    # … nor where it only says where the excluded is, lest the wanted pay for it.
    ("wines except reds from Bordeaux", "wines", ["reds from Bordeaux"]),
    ("apps without ads for Android", "apps", ["ads for Android"]),
    # What follows the exclusion is wanted again.
    ("tourist attractions, excluding churches, in Rome", "tourist attractions in Rome", ["churches"]),
    ("laptops without touchscreen but with 16GB RAM", "laptops with 16GB RAM", ["touchscreen"]),
    ("songs by ABBA except for Dancing Queen, please", "songs by ABBA", ["Dancing Queen"]),
    # What is all there is does not dangle.
    ("Who besides Neil Armstrong walked on the moon?", "Who walked on the moon?", ["Neil Armstrong"]),
    ("Who, apart from Ringo Starr, played drums?", "Who played drums?", ["Ringo Starr"]),
    ("films by Spielberg, but not E.T.", "films by Spielberg", ["E.T."]),
    # Letters that change their length in small letters, and signs that are no letters.
    ("İİİ İstanbul oteller without pool", "İİİ İstanbul oteller", ["pool"]),
    ("🍕 without 🍍", "🍕", ["🍍"]),
    # Conditions of a how-to are none of a thing.
    ("hotels without a pool", "hotels", ["pool"]),
    ("How did trade change if we ignore Brexit?", "How did trade change?", ["Brexit"]),
    ("dishes with neither meat nor fish", "dishes", ["meat", "fish"]),
    (
        "headphones without noise cancelling under 100 dollars",
        "headphones under 100 dollars",
        ["noise cancelling"],
    ),
    ("wars, minus the world wars, in which Italy fought", "wars in which Italy fought", ["world wars"]),
    ("Who else besides Roy Dotrice played in the series?", "Who played in the series?", ["Roy Dotrice"]),
    # Who cannot have something says it without a word that excludes.
    ("I'm allergic to peanuts, recommend a snack", "recommend a snack", ["peanuts"]),
    ("snacks, I'm allergic to peanuts", "snacks", ["peanuts"]),
    ("a sandwich for my son who is allergic to nuts", "a sandwich for my son", ["nuts"]),
    ("my dog is allergic to chicken, what food should I buy", "what food should I buy", ["chicken"]),
    ("breakfast ideas, my daughter is allergic to eggs", "breakfast ideas", ["eggs"]),
    ("I'm lactose intolerant, suggest desserts", "suggest desserts", ["lactose"]),
    ("I can't eat gluten, what snacks are there?", "what snacks are there?", ["gluten"]),
    ("lunch ideas, we don't eat pork", "lunch ideas", ["pork"]),
    # What things have not, or where they may not be.
    ("a chair that has no arms", "a chair", ["arms"]),
    ("chairs that have no arms", "chairs", ["arms"]),
    ("what fruits have no seeds?", "what fruits?", ["seeds"]),
    ("which cookies have no nuts?", "which cookies?", ["nuts"]),
    ("campsites where dogs aren't allowed", "campsites", ["dogs"]),
    ("countries where English is not spoken", "countries", ["English"]),
    ("phones from anyone but Apple", "phones", ["Apple"]),
    ("books by anyone but Stephen King", "books", ["Stephen King"]),
    # What leads to the first of several is said again of the others.
    ("meals neither with meat nor with nuts", "meals", ["meat", "nuts"]),
    ("concertos not by Bach or by Mozart", "concertos", ["Bach", "Mozart"]),
    # Before a noun: what stands before it stays, and joints between two of them go.
    ("dairy-free and gluten-free cake", "cake", ["dairy", "gluten"]),
    ("egg and dairy-free cake", "cake", ["egg", "dairy"]),
    ("cakes and gluten-free cookies", "cakes and cookies", ["gluten"]),
    ("what are good sugar-free candies", "what are good candies", ["sugar"]),
    (
        "Except that Drakar och Demoner, what other games are there?",
        "what games are there?",
        ["Drakar och Demoner"],
    ),
    ("Can you list artists, but it's not allowed to mention Ada Kane?", "Can you list artists?", ["Ada Kane"]),
    ("Which roles did he play, but we don't include Luke Handley?", "Which roles did he play?", ["Luke Handley"]),
    # A list of things, and what its members are not.
    ("temples not in Southeast Asia please", "temples", ["Southeast Asia"]),
    ("birds of Africa that are not birds of Asia", "birds of Africa", ["Asia"]),
    ("Trees of Canada that are not found in the United States", "Trees of Canada", ["found in the United States"]),
    ("snakes that are not venomous", "snakes that are non-venomous", ["venomous"]),
    ("novels set in England that are not set in London", "novels set in England", ["London"]),
    # What people type into a search box.
    ("mercury -planet -freddie toxicity", "mercury toxicity", ["planet", "freddie"]),
    ("saturn AND NOT (car OR console)", "saturn", ["car", "console"]),
    ("cold war history -site:example.org", "cold war history", ["site:example.org"]),
    ("jaguar -car", "jaguar", ["car"]),
    ('jaguar -"sports car" -film', "jaguar", ["sports car", "film"]),
    ("python NOT snake", "python", ["snake"]),
    ("jaguar without spots -car", "jaguar", ["spots", "car"]),
    # A list says what its members are not, whatever the cue.
    ("trips neither to Spain nor to Italy", "trips", ["Spain", "Italy"]),
    ("which birds do not fly", "which birds", ["fly"]),
    ("What snakes in Florida are not venomous?", "What snakes in Florida are non-venomous?", ["venomous"]),
    ("Mammals of Asia not in Japan", "Mammals of Asia", ["Japan"]),
    ("Orchids of Myanmar but not Flora of India", "Orchids of Myanmar", ["Flora of India"]),
    ("bats that are also found in Peru but not Chile", "bats that are also found in Peru", ["Chile"]),
    ("Aquatic reptiles that are not prehistoric.", "Aquatic reptiles", ["prehistoric"]),
    ("Trees of Ohio that can't be found in the United Kingdom", "Trees of Ohio", ["found in the United Kingdom"]),
    (
        "Novels set in schools excluding American children's novels",
        "Novels set in schools",
        ["American children's novels"],
    ),
    ("satire, but not slapstick, films", "satire films", ["slapstick"]),
    ("phones under 300 that are not from Samsung", "phones under 300", ["Samsung"]),
    # Of dates.
    ("films not after 2000", "films", ["after 2000"]),
    ("novels by women not before 1990", "novels by women", ["before 1990"]),
    ("cars not older than five years", "cars", ["older than five years"]),
    ("songs not between 1990 and 2000", "songs", ["between 1990 and 2000"]),
    # Of a single thing, as of several.
    ("medicine without ibuprofen", "medicine", ["ibuprofen"]),
    ("laptop no nvidia", "laptop", ["nvidia"]),
    ("keyboard no numpad", "keyboard", ["numpad"]),
    ("car no automatic", "car", ["automatic"]),
    ("bike no rust", "bike", ["rust"]),
    ("hotel no casino", "hotel", ["casino"]),
]

NO_EXCLUSION = [
    "open sans alternatives",
    "comic sans download",
    "dormir sans oreiller",
    "Low-fat diets without calorie restriction produce weight loss in women",
    "Handy verbindet nicht mit WLAN",
    "history of the Roman Empire",
    "laptop no sound",
    "keyboard no response",
    "car no heat",
    "phone no caller id",
    "hotel no show",
    "exclude files from git",
    "no bake cheesecake",
    "no drill curtain rods",
    "a world without oil",
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
    "gcc -Wall -Wextra",
    "grep -A2",
    "jvm options -Xmx2g",
    "compiler flag -O2",
    "freezer -18C",
    "website not offering refund",
    "mortal sin definition",
    "novel sin city",
    "cigarettes sin taxes",
    "Get-ChildItem -Recurse",
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
    # The lack itself is asked about.
    "what is a gluten-free diet",
    "why are gluten-free foods expensive?",
    "is sugar-free gum bad for you",
    "do sugar-free drinks cause weight gain",
    "benefits of a gluten-free diet",
    "sugar-free vs regular soda",
    "how do I know if I am allergic to cats?",
    "I'm allergic to cats, what are the symptoms?",
    # A complaint.
    "itchy scalp, but no dandruff",
    "sore throat but no fever",
    "espresso machine with no pressure",
    "what should I do if my team lead does not share?",
    # How long, how sure, which number.
    "what happens after three days without food",
    "gift card no. 1234567",
    "projections that preserve area, but not necessarily distance",
    # The terms of a shop.
    "free shipping no minimum",
    # Idioms.
    "without further ado, tell me about tea",
    "Other than that, what is new?",
    "why is there nothing in space",
    "there is nothing like a good book",
    "why I don't want to work",
    # Claims, however clear the word.
    "All subjects except controls received the drug.",
    "Dogs, unlike cats, are pack animals.",
    "Mortality, excluding suicide, is higher in men.",
    "he is anything but ordinary",
    "What sets Rome apart from Athens",
    "why is my computer NOT responding",
    # Nothing would be left to look for.
    "What else besides aspirin thins blood?",
    "excluding reinforcement learning",
    "-word",
    # How others do without something, figures, comparisons, and the terms of a shop.
    "how do plants grow without sunlight",
    "how did people refrigerate food without electricity",
    "fat-free mass index calculator",
    "resistant vs non-resistant starch",
    "same day delivery no minimum",
    "no minimum order free shipping",
]


@pytest.mark.parametrize(("query", "target", "traps"), EXCLUSIONS)
def test_what_is_excluded_is_found(query: str, target: str, traps: list[str]) -> None:
    assert esens.decompose(query) == Decomposition(target, tuple(traps))


@pytest.mark.parametrize(
    ("query", "target", "trap"),
    [
        ("shoes -Nike", "shoes", "Nike"),
        ("laptop –intel", "laptop", "intel"),
        ("shoes −Nike", "shoes", "Nike"),
        ("developer jobs -C++", "developer jobs", "C++"),
        ("music -R&B", "music", "R&B"),
        ("cafe -Wi-Fi", "cafe", "Wi-Fi"),
        ("presidents -Bush", "presidents", "Bush"),
        ("python web frameworks -Django", "python web frameworks", "Django"),
        ("chairs -IKEA", "chairs", "IKEA"),
        ("rock bands -U2", "rock bands", "U2"),
        ("graphics card -rtx3060", "graphics card", "rtx3060"),
        ("phone -5G", "phone", "5G"),
        ("wine -“red wine”", "wine", "red wine"),
        ('suits -"made in Italy"', "suits", "made in Italy"),
        ('hotels -"island of Mallorca"', "hotels", "island of Mallorca"),
    ],
)
def test_what_has_a_minus_is_taken_at_its_word(query: str, target: str, trap: str) -> None:
    split = esens.decompose(query)
    assert (split.target, split.traps) == (target, (trap,))
    assert split.exclusions[0].is_literal


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
        # Many cues, of every kind.
        *(
            cue * (8000 // len(cue))
            for cue in ("not ", "不", "a aside, ", "without x, ", "man without ", "가 없는 ", "NOT ")
        ),
    ],
    ids=["words", "spaces", "commas", "dashes", "not", "不", "aside", "without", "weak", "없는", "NOT"],
)
def test_a_hostile_query_costs_no_more_than_its_length(query: str) -> None:
    def seconds(text: str) -> float:
        start = time.thread_time()
        esens.decompose(text)
        return time.thread_time() - start

    # Eight times the text may take eight times as long; with the square of it, it would be sixty-four.
    eighth = min(seconds(query[-len(query) // 8 :]) for _ in range(3))
    assert min(seconds(query) for _ in range(3)) < 30 * max(eighth, 1e-3)


def test_scifact_excludes_nothing(scifact: tuple[list[dict[str, str]], list[str]]) -> None:
    assert [query for query in scifact[1] if esens.decompose(query).traps] == []


DATA = Path(__file__).parents[2] / "data"


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def test_most_written_exclusions_are_found_and_named() -> None:
    rows = _lines("exclusions.jsonl")
    split = esens.decompose([row["text"] for row in rows])
    f1 = [token_f1(" ".join(d.traps), " ".join(row["traps"])) for row, d in zip(rows, split, strict=True)]
    assert sum(bool(d.traps) for d in split) / len(rows) > 0.88
    assert sum(f1) / len(rows) > 0.84


@pytest.mark.parametrize(
    ("name", "found", "invented"),
    [
        # Kinds that the rules misread (found 15 of 30, invented 9 of 30) were written down, then mended by kind.
        ("kinds_of_queries.jsonl", 28, 0),
        # Written after that, of other kinds, and nothing was mended to them at first: 11 and 4.
        ("kinds_of_queries_later.jsonl", 14, 1),
        # Pronouns, "any … but …", "not" before a place, what is spared, and what works but does not do: 13 and 7.
        ("kinds_of_queries_third.jsonl", 28, 0),
        # Written when those had been mended: 14 and 5.
        ("kinds_of_queries_fourth.jsonl", 15, 1),
        # Made up without a look at the rules: 54 of 60 and 5 of 60. Their kinds were mended, so that they no
        # longer tell how often the rules err. They never train the model, and neither do the next.
        ("kinds_of_queries_fifth.jsonl", 58, 2),
        # Written when those had been mended, and nothing was mended to them: 16 and 3 of 20; 12 and 8 before.
        ("kinds_of_queries_sixth.jsonl", 16, 3),
    ],
)
def test_kinds_of_queries_are_read_no_worse_than_they_were(name: str, found: int, invented: int) -> None:
    rows = _lines(name)
    split = [(row["excludes"], bool(esens.decompose(row["text"]).traps)) for row in rows]
    assert sum(excludes for excludes, _ in split) == len(rows) / 2
    assert split.count((True, True)) >= found
    assert split.count((False, True)) <= invented


@pytest.mark.parametrize(
    ("query", "target", "traps"),
    [
        ("I can't stand olives, what pizza should I order", "what pizza should I order", ["olives"]),
        ("pasta salad, my wife doesn't like olives", "pasta salad", ["olives"]),
        ("we're tired of Rome, weekend trips in Italy", "weekend trips in Italy", ["Rome"]),
        ("I'm trying to avoid sugar, what cereal is good", "what cereal is good", ["sugar"]),
        ("curry, don't use coconut milk", "curry", ["coconut milk"]),
        ("anyone but Nolan for science fiction", "science fiction", ["Nolan"]),
        ("lemonade w/out sugar", "lemonade", ["sugar"]),
        ("birthday cake !nuts !chocolate", "birthday cake", ["nuts", "chocolate"]),
        ("I need a gym that doesn't require a contract", "I need a gym", ["contract"]),
    ],
)
def test_what_people_refuse_is_excluded(query: str, target: str, traps: list[str]) -> None:
    assert esens.decompose(query) == Decomposition(target, tuple(traps))


@pytest.mark.parametrize(
    "query",
    [
        "I hate spiders, how do I get rid of them",
        "my dog hates fireworks, what can I do",
        "I can't stand my boss, what should I say",
        "css !important not applied",
        "!w tuna",
        "is soup without salt bland",
        "homes without air conditioning statistics",
        "bluetooth works on my phone but not on my laptop",
        "melt chocolate without burning it",
        "an old phone, don't use it often",
    ],
)
def test_a_complaint_or_a_lack_that_is_asked_about_excludes_nothing(query: str) -> None:
    assert esens.decompose(query) == Decomposition(query)


@pytest.mark.parametrize(
    ("query", "target", "trap", "relation"),
    [
        # Who never thought of leaving him out would have typed all the rest: the likeness is what is wanted.
        (
            "Action films in the style of Tom Cruise, but not him",
            "Action films in the style of Tom Cruise",
            "Tom Cruise",
            "open",
        ),
        ("songs like Adele's, just not by her", "songs like Adele's", "Adele", "has"),
        ("books similar to Tolkien's but not his", "books similar to Tolkien's", "Tolkien", "has"),
        ("anything like the Beatles, but not them", "anything like the Beatles", "Beatles", "open"),
        ("comedians like bill burr but not him", "comedians like bill burr", "bill burr", "open"),
        ("Hitchcock-style thrillers but none of his", "Hitchcock-style thrillers", "Hitchcock", "has"),
        ("biographies of Churchill, but not by him", "biographies of Churchill", "Churchill", "has"),
        ("covers of Bob Dylan songs not by him", "covers of Bob Dylan songs", "Bob Dylan", "has"),
        ("bands like Oasis, not them though, for a party", "bands like Oasis for a party", "Oasis", "open"),
        ("singers like Amy Winehouse other than her", "singers like Amy Winehouse", "Amy Winehouse", "about"),
        ("I loved Emma Cline, novels but nothing by her", "I loved Emma Cline, novels", "Emma Cline", "has"),
    ],
)
def test_a_pronoun_excludes_the_name_that_others_are_likened_to(
    query: str, target: str, trap: str, relation: str
) -> None:
    split = esens.decompose(query)
    (exclusion,) = split.exclusions
    assert (split.target, exclusion.text, exclusion.relation) == (target, trap, relation)
    assert exclusion.span is not None
    assert query[slice(*exclusion.span)] == trap


@pytest.mark.parametrize(
    "query",
    [
        "I told him but not her",
        "I told Anna but not her",
        "I like Tom but not him",
        "photos of Anna but not him",
        "she looks like Anna but not her",
        "why does my cat like Ben but not them",
        "girls who like Tom but not him",
        "my boss treats me like Tom but not them",
        "the keys are mine but not his",
    ],
)
def test_a_pronoun_that_means_no_such_name_excludes_nothing(query: str) -> None:
    assert esens.decompose(query) == Decomposition(query)


@pytest.mark.parametrize(
    ("query", "target", "traps"),
    [
        ("any framework but React", "any framework", ["React"]),
        ("all European countries but Switzerland", "all European countries", ["Switzerland"]),
        ("did every president but Washington have a party", "did every president have a party", ["Washington"]),
        ("any meat but pork for a barbecue", "any meat for a barbecue", ["pork"]),
        ("apartment in Berlin not on the ground floor", "apartment in Berlin", ["ground floor"]),
        ("walks near bath not on roads", "walks near bath", ["roads"]),
        ("spare us the drama, best reality shows", "best reality shows", ["drama"]),
        ("comedy films and please spare me the toilet humor", "comedy films", ["toilet humor"]),
        ("vegan cake, coconut is a hard no", "vegan cake", ["coconut"]),
        ("trips from Rome provided they don't involve a bus", "trips from Rome", ["bus"]),
        ("snacks that won't cause cavities", "snacks", ["cavities"]),
        ("fantasy books other than Tolkien's", "fantasy books", ["Tolkien"]),
        ("burger chains other than McDonald's", "burger chains", ["McDonald's"]),
    ],
)
def test_what_is_taken_from_a_whole_or_a_wish_is_excluded(query: str, target: str, traps: list[str]) -> None:
    assert esens.decompose(query) == Decomposition(target, tuple(traps))


@pytest.mark.parametrize(
    "query",
    [
        "any good but cheap laptop",
        "all inclusive but cheap hotels",
        "I tried all creams but nothing helps",
        "every day but coffee makes me sick",
        "all but one of the lights work",
        "restaurant in rome not on the list",
        "spare me the mercy ep 1",
        "enough of the rain, when will it stop",
        "engine cranks but no spark",
        "messages delivered but not read",
        "parcel shipped but no tracking number",
        "laptop starts but no display",
        "the label says cotton but not how much",
    ],
)
def test_words_that_take_away_elsewhere_exclude_nothing(query: str) -> None:
    assert esens.decompose(query) == Decomposition(query)


def test_the_language_can_be_given() -> None:
    assert esens.decompose("Salat ohne Essig", decomposer="rules:de").traps == ("Essig",)
    assert esens.decompose("salad without vinegar", decomposer="rules:de").traps == ()
    with pytest.raises(UnknownSpecError, match="rules:en, rules:de"):
        esens.decompose("x", decomposer="rules:xx")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cue_is_reached_by_its_triggers(language: str) -> None:
    """The words that let the rules skip a query must not let them skip an exclusion."""
    patterns = patterns_of(language)
    blind = patterns._replace(lexicon=replace(patterns.lexicon, triggers=frozenset(), leads=frozenset()))
    texts = [row["text"] for row in _lines("exclusions.jsonl")] + [query for query, *_ in EXCLUSIONS]
    texts += [row["text"] for row in _lines("languages.jsonl") if row["language"] == language]
    texts += [row["text"] for path in DATA.glob("kinds_of_queries*.jsonl") for row in _lines(path.name)]
    for text in texts:
        assert scoped_cues(QueryText(text, patterns)) == scoped_cues(QueryText(text, blind))


@pytest.mark.parametrize(
    ("query", "confidence", "reason"),
    [
        ("green tea", 1.0, "no word in it excludes anything"),
        ("tea, excluding green tea", 0.95, "“excluding” says what is to be left out"),
        ("the film The Man Without a Past", 0.9, "“Without”: stands in a title"),
        ('the song "Without You"', 0.9, "“Without”: stands in quotation marks"),
        ("life without parole", 0.9, "“without”: belongs to a fixed phrase"),
        ("What else besides aspirin thins blood?", 0.6, "nothing would be left to look for"),
        ("java frameworks -Spring", 0.6, "“-Spring”: may be an operator or an option"),
        ("фильмы без насилия", 0.6, "its language has no table"),
    ],
)
def test_a_reading_says_how_sure_it_is_and_why(query: str, confidence: float, reason: str) -> None:
    split = esens.decompose(query)
    assert split.confidence == confidence
    assert reason in split.reason
    assert str(split.provenance) == "rules"


@pytest.mark.parametrize(
    ("query", "least", "reason"),
    [
        ("tea without milk", 0.8, "“without” says in a request"),
        ("jaguar (not the car)", 0.6, "“not” mostly says"),
        ("Vitamin D does not prevent asthma", 0.8, "“does not”: states a fact"),
        ("Can trees grow without sunlight?", 0.6, "“without”: "),
    ],
)
def test_where_a_cue_is_weighed_the_confidence_is_how_likely_the_reading_is(
    query: str, least: float, reason: str
) -> None:
    split = esens.decompose(query)
    assert least <= split.confidence < 1
    assert reason in split.reason


@pytest.mark.parametrize(
    ("query", "relation", "told_by"),
    [
        ("films by Tarantino, excluding Kill Bill", "about", "excluding"),
        ("bears other than polar bears", "about", "other than"),
        ("talks, but nothing about climate change", "about", "nothing about"),
        ("What are pyramid schemes? Theories are not relevant.", "about", "are not relevant"),
        ("pasta without mushrooms", "has", "without"),
        ("sugar-free gum", "has", "sugar-free"),
        ("cookies that don't contain nuts", "has", "that don't contain"),
        ("films that are not comedies", "has", "that are not"),
        ("churches, but not in Italy", "has", "but not in"),
        ("salads, excluding those with nuts", "has", "excluding those with"),
        ("jaguar -car", "open", ""),
        ("languages, but not Java", "open", ""),
    ],
)
def test_the_words_tell_the_relation_to_documents(query: str, relation: str, told_by: str) -> None:
    (exclusion,) = esens.decompose(query).exclusions
    assert (exclusion.relation, exclusion.told_by) == (relation, told_by)


@pytest.mark.parametrize(
    "query", ["pasta without mushrooms", "pasta\n  without   wild\tmushrooms ", "tea  -milk -sugar"]
)
def test_an_exclusion_knows_where_it_stood(query: str) -> None:
    for exclusion in esens.decompose(query).exclusions:
        assert exclusion.span is not None
        assert " ".join(query[slice(*exclusion.span)].split()) == exclusion.text


@pytest.mark.parametrize(
    "query",
    ['tea -" "', 'tea NOT " "', "tea NOT ( )", 'tea -"!"', 'tea -"\u200b"', 'tea -"\u3164"'],
)
def test_an_operator_without_an_operand_excludes_nothing(query: str) -> None:
    assert esens.decompose(query) == Decomposition(query)


def test_an_empty_operand_takes_nothing_from_the_others() -> None:
    assert esens.decompose('tea -milk -" "') == Decomposition("tea", ("milk",))
    assert esens.decompose("tea NOT (milk OR )").traps == ("milk",)
    assert esens.decompose("convertible laptop -hp -dell") == Decomposition("convertible laptop", ("hp", "dell"))


def test_of_a_very_long_query_the_beginning_is_read_and_nothing_is_lost() -> None:
    query = "tea without milk. " + "A biscuit would be nice, too. " * 2000
    split = esens.decompose(query)
    assert split.traps == ("milk",)
    assert split.target.count("biscuit") == 2000
    assert "only the first 8,192" in split.reason
    behind = esens.decompose("green tea " * 1000 + "without milk")
    assert behind.traps == ()
    assert behind.confidence < 1


SHAPES = [
    " NOT green",
    "„",
    " -abc",
    '"a", "b" and ',
    "«",
    "「",
    "《",
    "‘",
    "without aa, bb, ",
    "Not The ",
    "茶",
    "no x ",
    "non ",
    "x-free ",
    "not ",
    "(",
    "a aside, ",
    "a are not relevant. ",
    "that is not ",
    "neither a nor b ",
    "but no ",
    "'a ",
    "不",
    "dairy free ",
    "none of ",
    "A ",
    "가 없는 ",
    "i hate tea, ",
    "my a and i can't eat ",
    "is a without b ",
    "with zero ",
    "!tea ",
    "works but not ",
    "won't start, no ",
    " other than a b for",
    "grass but no ",
    ", already read ",
    ", seen x already",
    "non science fiction ",
    ", i'd rather not have ",
]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_holds_the_process(shape: str) -> None:
    """What is read of 100,000 characters is bounded, so half a second is generous; some took minutes once."""
    query = ("tea" + shape * (100_000 // len(shape)))[:100_000] + "!"
    start = time.thread_time()
    esens.decompose(query)
    assert time.thread_time() - start < 2.0


def test_little_on_the_list_of_our_own_is_invented() -> None:
    """Written here, in part by another idea of what excludes; benchmarks/results/cue_model.md has what counts."""
    texts = builtin_negatives().texts
    wrong = [text for text, split in zip(texts, esens.decompose(texts), strict=True) if split.traps]
    assert len(texts) >= 150
    assert len(wrong) / len(texts) < 0.04


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


@pytest.mark.parametrize(
    ("query", "target", "traps"),
    [
        ("Which country besides France makes champagne?", "Which country makes champagne?", ("France",)),
        ("which animals other than humans use tools?", "which animals use tools?", ("humans",)),
        (
            "which bands besides Metallica and Slayer play thrash",
            "which bands play thrash",
            ("Metallica", "Slayer"),
        ),
        ('Which film other than "Ex Machina," shows robots?', "Which film shows robots?", ("Ex Machina",)),
        ("Which brands other than Toyota cars", "Which brands", ("Toyota cars",)),
        ("salad without onions and with tomatoes", "salad with tomatoes", ("onions",)),
        ("laptops that don't run Windows", "laptops", ("Windows",)),
        ("films that do not take place in New York", "films", ("New York",)),
        ("hotel with no pool and with parking", "hotel with parking", ("pool",)),
        ("what shoes other than sneakers for running", "what shoes for running", ("sneakers",)),
        # A bare thing ends before a preposition that what is wanted has not had yet …
        ("cough remedies other than honey for toddlers", "cough remedies for toddlers", ("honey",)),
        ("islands besides malta in the mediterranean", "islands in the mediterranean", ("malta",)),
        ("an email app apart from Outlook on windows", "an email app on windows", ("Outlook",)),
        ("what can I use except bleach on grout", "what can I use on grout", ("bleach",)),
        ("fillings besides ham or cheese for sandwiches", "fillings for sandwiches", ("ham", "cheese")),
        ("something other than toast for breakfast", "something for breakfast", ("toast",)),
        # … and goes on where it is a name, a kind of what is wanted, or the preposition has been there before.
        ("museums other than the Museum of Art in Basel", "museums", ("Museum of Art in Basel",)),
        ("novels except novels on war", "novels", ("novels on war",)),
        ("bars in Kyoto other than izakayas in Gion", "bars in Kyoto", ("izakayas in Gion",)),
        ("degrees besides degrees in law", "degrees", ("degrees in law",)),
        (
            "What methods measure work time excluding calculations based on hours, weeks, or months?",
            "What methods measure work time?",
            ("calculations based on hours, weeks, or months",),
        ),
        (
            "What traits define metalloids, excluding how alkali metals are identified?",
            "What traits define metalloids?",
            ("how alkali metals are identified",),
        ),
        (
            "Which theatrical genre emerged because of tax breaks but isn't Avanspettacolo?",
            "Which theatrical genre emerged because of tax breaks?",
            ("Avanspettacolo",),
        ),
    ],
)
def test_what_is_excluded_ends_where_the_question_goes_on(query: str, target: str, traps: tuple[str, ...]) -> None:
    assert esens.decompose(query) == Decomposition(target, traps)


@pytest.mark.parametrize(
    "query",
    [
        "How does granite differ from marble?",
        "what makes rum different from whisky",
        "how is tea different from coffee",
        "what laptop shows a light but is not charging",
    ],
)
def test_who_asks_how_things_differ_or_why_one_fails_excludes_nothing(query: str) -> None:
    assert esens.decompose(query).traps == ()


@pytest.mark.parametrize(
    "query",
    [
        # What comes of a lack is asked, not left out.
        "what happens when you wash wool without soap",
        "what would happen if I fried an egg without oil",
        # What should have come of something, and did not.
        "orchid blooming but no new leaves",
        "lemon seeds but still no lemons",
        "puddle under sink but no leak",
        "plenty of clicks but no orders",
        "water bill doubled, no leak",
        "radiator on but no warmth",
        "dashboard loads, no rows returned",
        "lips move but not in sync",
        "all hat but no cattle meaning",
        # A bare adverb names nothing.
        "opened the fridge, nothing there",
        "unlocked the safe, nothing inside",
        "commuters avoiding motorways statistics",
    ],
)
def test_a_complaint_and_a_question_of_what_comes_of_it_exclude_nothing(query: str) -> None:
    assert esens.decompose(query).traps == ()


@pytest.mark.parametrize(
    ("query", "trap"),
    [
        ("chocolate cake but no nuts", "nuts"),
        ("games like chess but no chess", "chess"),
        ("sales jobs but no cold calls", "cold calls"),
        ("water bottle but no straw", "straw"),
    ],
)
def test_a_wish_in_the_words_of_a_complaint_still_excludes(query: str, trap: str) -> None:
    assert esens.decompose(query).traps == (trap,)


@pytest.mark.parametrize(
    ("query", "target", "traps"),
    [
        # What people would rather not have, beside what they look for.
        ("bedside lamp, but I'd rather not have plastic", "bedside lamp", ("plastic",)),
        ("running jacket, don't want a hood", "running jacket", ("hood",)),
        ("not fond of operas, what to hear in Vienna", "what to hear in Vienna", ("operas",)),
        ("would rather skip museums, what to do in Oslo", "what to do in Oslo", ("museums",)),
        ("phone recommendations, not a big fan of Samsung", "phone recommendations", ("Samsung",)),
        # What they have seen already; to say it again leaves out no more.
        ("fantasy novels, already read Eragon", "fantasy novels", ("Eragon",)),
        ("any war films? already seen the Rambo ones so leave those out", "any war films?", ("Rambo",)),
        ("spy films, watched all the Bond ones already", "spy films", ("Bond",)),
        # What a thing that is asked for does not need.
        ("photo gallery plugin that doesn't rely on flash", "photo gallery plugin", ("flash",)),
        ("budget app that doesn't sync to a bank", "budget app", ("bank",)),
        ("knee arthritis treatment avoiding steroids", "knee arthritis treatment", ("steroids",)),
        ("how to sleep better avoiding pills", "how to sleep better", ("pills",)),
        # A comment asks for nothing.
        ("songs by Abba that aren't Waterloo, I'm really tired of it", "songs by Abba", ("Waterloo",)),
        ("cake recipes no eggs, we ran out", "cake recipes", ("eggs",)),
        ("vampire films, no Twilight ones, seen them all", "vampire films", ("Twilight",)),
        # A trap is a thing.
        ("toys excluding anything that needs batteries", "toys", ("batteries",)),
        ("hikes except those that take all day", "hikes", ("take all day",)),
        (
            "effects of tea excluding green tea benefits and uses",
            "effects of tea",
            ("green tea benefits and uses",),
        ),
        (
            "What shapes dunes excluding how sand and wind speed are measured?",
            "What shapes dunes?",
            ("how sand and wind speed are measured",),
        ),
        ("non science fiction films", "films", ("science fiction",)),
        ("non-hip hop dance classes", "dance classes", ("hip hop",)),
    ],
)
def test_wishes_in_passing_are_found_and_named(query: str, target: str, traps: tuple[str, ...]) -> None:
    assert esens.decompose(query) == Decomposition(target, traps)


@pytest.mark.parametrize(
    "query",
    [
        "my dog limps, I'd rather not see a vet",
        "tablet keeps freezing, already watched the tutorial",
        "broke up with her, don't want pity",
        "not a fan of my boss, what should i do",
        "scanner that doesn't connect to wifi",
        "stretches avoiding back pain",
    ],
)
def test_who_tells_of_trouble_leaves_out_nothing(query: str) -> None:
    assert esens.decompose(query).traps == ()


@pytest.mark.parametrize(
    ("query", "target", "traps"),
    [
        ("dishes without tomato, vegetarian", "dishes vegetarian", ("tomato",)),
        ("shoes without laces, size 42", "shoes size 42", ("laces",)),
        ("hotel without pool, cheap", "hotel cheap", ("pool",)),
        ("jackets without a hood, red, size m", "jackets red, size m", ("hood",)),
        ("trousers without pockets, linen", "trousers linen", ("pockets",)),
        ("laptops except apple, lightweight", "laptops lightweight", ("apple",)),
        ("lamps without a dimmer, white or black", "lamps white or black", ("dimmer",)),
        ("soup without cream, dairy or nuts, easy", "soup easy", ("cream", "dairy", "nuts")),
        ("something that's not from 2019, boots", "something boots", ("2019",)),
        ("hotels in Paris without breakfast, Montmartre", "hotels in Paris Montmartre", ("breakfast",)),
    ],
)
def test_behind_the_comma_of_an_excluded_thing_stands_another_wish(
    query: str, target: str, traps: tuple[str, ...]
) -> None:
    assert esens.decompose(query) == Decomposition(target, traps)


@pytest.mark.parametrize(
    ("query", "target", "traps"),
    [
        ("dishes without soy, nuts or milk", "dishes", ("soy", "nuts", "milk")),
        ("laptops excluding acer, hp", "laptops", ("acer", "hp")),
        ("recipes without nuts, eggs", "recipes", ("nuts", "eggs")),
        ("films without violence, gore", "films", ("violence", "gore")),
        ("novels not by stephen king, dean koontz", "novels", ("stephen king", "dean koontz")),
        ("bands except green day, pink floyd", "bands", ("green day", "pink floyd")),
        ("wall paint excluding red, green or blue", "wall paint", ("red", "green", "blue")),
        ("towns except Rochester, Minnesota", "towns", ("Rochester, Minnesota",)),
    ],
)
def test_a_list_of_excluded_things_goes_on_behind_its_commas(
    query: str, target: str, traps: tuple[str, ...]
) -> None:
    assert esens.decompose(query) == Decomposition(target, traps)


@pytest.mark.parametrize(
    ("query", "target", "traps"),
    [
        ("hotels in rome not near termini", "hotels in rome", ("termini",)),
        ("flights not via dubai", "flights", ("dubai",)),
        ("quick dinner, not pasta again", "quick dinner", ("pasta",)),
        ("science fiction not part of a series", "science fiction", ("series",)),
        ("headphones not in ear", "headphones", ("in ear",)),
        ("beach holiday that isn't all inclusive", "beach holiday", ("all inclusive",)),
        ("novels not set in the us", "novels", ("the us",)),
        ("Urlaub am Meer, aber nicht an der Nordsee", "Urlaub am Meer", ("Nordsee",)),
    ],
)
def test_a_trap_is_named_as_texts_name_it(query: str, target: str, traps: tuple[str, ...]) -> None:
    assert esens.decompose(query) == Decomposition(target, traps)


@pytest.mark.parametrize(
    ("query", "target"),
    [
        ("jobs where i dont need german", "jobs"),
        ("board game thats not monopoly", "board game"),
        ("toothpaste that's free of fluoride", "toothpaste"),
        ("laptops [no hp]", "laptops"),
        ("bags made of anything except leather", "bags"),
        (
            "Which bands was Phil Collins a member of, besides Genesis?",
            "Which bands was Phil Collins a member of?",
        ),
    ],
)
def test_what_led_to_the_exclusion_goes_with_it(query: str, target: str) -> None:
    assert esens.decompose(query).target == target


@pytest.mark.parametrize(
    ("query", "target", "trap"),
    [
        ("painkiller that is not an opioid", "painkiller", "opioid"),
        ("phone that isn't a samsung", "phone", "samsung"),
        ("login problem that's not saml", "login problem", "saml"),
        ("keyboard no rgb", "keyboard", "rgb"),
        ("jobs not at google", "jobs", "google"),
        ("software engineer not at amazon", "software engineer", "amazon"),
        ("flights to nyc not with ryanair", "flights to nyc", "ryanair"),
        ("flat not on the ground floor", "flat", "ground floor"),
        ("Laptop nicht von Apple", "Laptop", "Apple"),
        ("urlaub nicht in spanien", "urlaub", "spanien"),
        ("hotel kein pool", "hotel", "pool"),
        ("wohnung nicht im erdgeschoss", "wohnung", "erdgeschoss"),
        ("vacances en espagne mais pas à majorque", "vacances en espagne", "majorque"),
    ],
)
def test_what_one_thing_is_not_excludes_as_of_several(query: str, target: str, trap: str) -> None:
    assert esens.decompose(query) == Decomposition(target, (trap,))


@pytest.mark.parametrize(
    "query",
    [
        "file that is not found",
        "door that isn't closing",
        "lights not at full brightness",
        "printer no ink",
        "car no start",
        "my photos not at icloud",
        "printer not on the network",
        "Drucker nicht im Netzwerk",
        "Laptop startet nicht im Winter",
        "handy kein netz",
        "le train mais pas à l'heure",
    ],
)
def test_what_fails_in_the_same_words_excludes_nothing(query: str) -> None:
    assert esens.decompose(query).traps == ()
