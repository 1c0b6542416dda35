"""What texts in German and in French say of an excluded thing."""

import pytest

from esens import Document
from esens.evidence.excluded_thing import excluded_thing
from esens.evidence.german import german_forms
from esens.evidence.statements import statement_of


def _stance(thing: str, text: str, cue: str = "ohne") -> str:
    return statement_of(Document("a", text), excluded_thing(thing, cue=cue)).stance


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("weizen", "Weizenbrot"),
        ("rosen", "Rose, weiß"),
        ("katzen", "Hier wohnt eine Katze"),
        ("wohnungen", "Kleine Wohnung"),
        ("weizen", "Nudeln aus Hartweizen"),
        ("nüsse", "Haselnusskuchen"),
        ("nüsse", "Kuchen mit gehackten Mandeln"),
        ("nüssen", "Eine Nuss"),
        ("leder", "Wildlederschuh"),
        ("kinder", "Kinderclub und Rutschenpark"),
        ("kinder", "Für Familien mit zwei Kindern"),
        ("ei", "Biskuit aus vier Eiern"),
        ("eier", "Ein Ei"),
        ("käse", "Pizza mit Mozzarella"),
        ("käse", "Käsekuchen"),
        ("alkohol", "Rotwein aus der Pfalz"),
        ("fleisch", "Rindergulasch"),
        ("hunde", "Hundehotel im Allgäu"),
        ("flug", "Inklusive Hin- und Rückflug"),
        ("malaria", "Malariaprophylaxe nötig"),
        ("parfüm", "Creme mit Duft von Rosen"),
        ("zwiebeln", "Zwiebelsuppe"),
        ("tomaten", "Eine Tomatensoße"),
    ],
)
def test_a_thing_is_found_in_compounds_forms_and_kinds(thing: str, text: str) -> None:
    assert _stance(thing, text) == "affirmed"


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("reis", "Eine Reise an die See"),
        ("reis", "Reisebüro"),
        ("reis", "Mietpreis"),
        ("ei", "Eis am Stiel"),
        ("weizen", "Buchweizenbrot"),
        ("leder", "Schuh aus Kunstleder"),
        ("leder", "Tasche in Lederoptik"),
        ("wein", "Schweinebraten"),
        ("wolle", "Pullover aus Baumwolle"),
        ("milch", "Kokosmilch"),
        ("flug", "Ein Ausflug in die Berge"),
        ("käse", "Briefmarken"),
        ("kuchen", "Ferienwohnung mit Küche"),
        ("hunde", "Hundert Zimmer"),
    ],
)
def test_what_only_looks_like_it_is_not_found(thing: str, text: str) -> None:
    assert _stance(thing, text) == "silent"


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("malaria", "Malariafreies Reservat in Südafrika"),
        ("alkohol", "Alkoholfreies Bier"),
        ("parfüm", "Creme, parfümfrei"),
        ("nüsse", "Ein nussfreier Kuchen"),
        ("eier", "Kuchen ohne Ei"),
        ("käse", "Pizza Marinara, kein Käse"),
        ("ei", "Veganer Kuchen"),
        ("fleisch", "Vegetarische Lasagne"),
    ],
)
def test_a_compound_may_deny(thing: str, text: str) -> None:
    assert _stance(thing, text) == "denied"


@pytest.mark.parametrize(
    ("thing", "text", "stance"),
    [
        ("viande", "Bœuf bourguignon", "affirmed"),
        ("viande", "Un boeuf braisé", "affirmed"),
        ("noix", "Gâteau aux noisettes", "affirmed"),
        ("noix", "Gâteau à la noix de coco", "silent"),
        ("fromage", "Une quiche au reblochon", "affirmed"),
        ("alcool", "Un verre de vin", "affirmed"),
        ("viande", "Un plat végétarien", "denied"),
        ("noix", "Gâteau sans noix", "denied"),
    ],
)
def test_kinds_in_french(thing: str, text: str, stance: str) -> None:
    assert _stance(thing, text, "sans") == stance


def test_english_things_have_no_compounds() -> None:
    assert _stance("corn", "A Cornish acorn", "without") == "silent"
    assert _stance("butter", "A butterfly", "without") == "silent"
    assert excluded_thing("wine").compounds is None


def test_a_thing_of_the_german_table_needs_no_cue() -> None:
    assert _stance("Weizen", "Weizenbrot", "") == "affirmed"


def test_forms_of_a_noun() -> None:
    assert {"nuss", "nusse"} <= german_forms("nusse")
    assert "kuche" not in german_forms("kuchen")
    assert "eis" not in german_forms("ei")
