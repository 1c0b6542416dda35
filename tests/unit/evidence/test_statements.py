"""What documents say of an excluded thing, and in which words."""

import time

import pytest

from esens import Document, Evidence
from esens.evidence.excluded_thing import excluded_thing
from esens.evidence.periods import years_of
from esens.evidence.statements import statement_of
from esens.text.terms import terms_of


def _said(thing: str, text: str, title: str = "", *, is_literal: bool = False) -> Evidence:
    return statement_of(Document("a", text, title), excluded_thing(thing, is_literal=is_literal))


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("mushrooms", "Slice one mushroom into the sauce."),
        ("Windows", "Laptop, no touchscreen, Windows 11"),
        ("ulcers", "It is strong, which could lead to ulcers."),
        ("gym", "Hotel by the sea, no pool, gym"),
        ("pets", "Apartment in Berlin, non-smoking, dogs on request."),
        ("e-bike", "E-bike for commuters"),
        ("electric", "E-bike for commuters"),
        ("meat", "Burger with fries"),
        ("no OS", "Laptop, no OS"),
        ("without towels", "Bring your own: there are no towels."),
        ("nuts", "Fold in a cup of chopped nuts, then bake."),
        ("nuts", "This cheese is not free of nuts."),
        ("nuts", "This cake isn't nut-free."),
        ("nuts", "Never without nuts."),
        ("lactose", "Not lactose-free milk"),
        ("Nüsse", "Der Kuchen ist nicht ohne Nüsse."),
        ("olive oil", "Warm the olive oil in a pan."),
        ("Rhône", "A red of the Cotes du Rhone."),
        ("rhone", "A red of the Côtes du RHÔNE."),
        ("pork or beef", "Brown the beef."),
        ("Celeron/Pentium/Atom chips", "Intel Pentium N4200, 4 GB"),
        ("animation", "An animated short."),
        ("photography", "A photographer shows her work."),
        ("spicy", "Full of spice and smoke."),
        ("the 80s", "A 1984 film of the Cold War."),
        ("before 1950", "Built in 1912."),
        ("onions", "Do not brown the onions."),
        ("eggs", "Add no more than two eggs."),
        ("Ben Stiller", "With Ben Stiller and Owen Wilson."),
        ("George Bush", "George W. Bush was the president."),
        ("香菇", "面条配香菇和葱"),
        ("mushrooms", "Vegetables such as mushrooms and peppers."),
        ("cheddar", "Cheeses like cheddar melt well."),
        ("nuts", "Oats without sugar and with nuts."),
        ("eggs", "Three yolks and some sugar."),
        ("nuts", "Not suitable for people with nut allergies."),
        ("eggs", "Swap sugar for eggs."),
        ("rodents", "Theta was suppressed in mice."),
        ("mouse", "Recorded in sleeping mice."),
        ("mice", "The cortex of a mouse."),
        ("bay leaf", "Simmer with two bay leaves."),
        ("knives", "A knife is in the box."),
        ("women", "A woman runs the inn."),
        ("bacteria", "Infection by a bacterium."),
        ("butter", "Rather heavier than most, with butter."),
        ("anti-inflammatories", "Non-steroidal anti-inflammatories relieve pain."),
        ("garlic", "Non-organic garlic."),
        ("Rome", "It was the meeting place of ancient Rome."),
        ("garlic", "The place of garlic in cooking."),
        ("pesticides", "Spray with a fungicide."),
        ("chemicals", "Treat it with bleach or another solvent."),
        ("the 20th century", "A novel of 1977."),
        ("19th-century buildings", "A town hall, built in 1850."),
        ("violence", "A violent thriller."),
        ("drowsy", "Causes drowsiness."),
        ("Agatha Christie", "And Then There Were None by Agatha Christie, 1939"),
        ("Sidney Sheldon", "Nothing Lasts Forever by Sidney Sheldon"),
        ("Cormac McCarthy", "No Country for Old Men by Cormac McCarthy"),
        ("Kazuo Ishiguro", "Never Let Me Go by Kazuo Ishiguro"),
        ("USA", "A road trip through Arizona."),
        ("alcohol", "Sparkling, from Alsace."),
        ("config", "The format of the configuration has changed."),
        ("data engineering", "Data Engineer, full time"),
        ("night shifts", "Shifts at night, three a week."),
        ("night shifts", "Rotating shifts including nights."),
        ("weekend work", "Work on weekends."),
        ("cortisone", "A cream with hydrocortisone."),
        ("gâteau", "Des gâteaux au chocolat."),
        ("cheese", "Pizza with fior di latte."),
        ("meat", "Turkey ham on rye."),
        ("macOS", "Fix tests not running on macOS"),
        ("Windows", "App does not start on Windows."),
        ("Windows", "The printer can't be found; it doesn't print under Windows."),
        ("Hunde", "Hunde sind erlaubt, Katzen nicht."),
        ("chiens", "Les chiens sont admis."),
        ("drowsy", "May make you drowsy."),
        ("drowsiness", "May make you drowsy."),
        ("nuts", "No nuts? Not here: hazelnuts everywhere."),
        ("nuts", "Without nuts? Hardly, with all the pecans."),
        ("nuts", "Love nuts? This one is for you."),
        ("pets", "Pets? Yes, please!"),
        ("nuts", "Nut-free kitchen? Sadly not."),
        ("nuts", "Nut-free? No."),
        ("nuts", "With raisins as well as nuts."),
        ("nuts", "It has not only the usual nuts but also seeds."),
        ("nuts", "As filling as any nut, with almonds."),
        ("nuts", "Without it, nuts taste of little."),
        ("eggs", "Almost eggless, with two eggs."),
        ("Rom", "Das Fest findet in Rom statt."),
        ("Picasso", "El lugar de nacimiento de Picasso."),
        ("pets allowed", "Well-behaved dogs are accepted."),
        ("nuts", "Made without perfume, contains nuts."),
        ("nuts", "Without milk and has nuts."),
        ("nuts", "Free from milk, made with nuts."),
        ("Aluminium", "Ohne Parfüm, enthält Aluminium."),
        ("lait", "Sans noix, contient du lait."),
        ("ads", "An ad-supported podcast."),
        ("ads", "With two adverts an hour."),
        ("repo", "The repositories have moved."),
        ("animal products such as lanolin", "With lanolin and oat milk."),
        ("animal products such as lanolin", "With animal products."),
        ("violence", "Nonviolent at first, then violence breaks out."),
        ("World War II", "Spies of WWII, and their codes."),
        ("New York City", "Ten NYC bakeries."),
        ("C++", "Our C++ developers"),
        ("C++ or C#", "C#, Azure"),
        ("C", "Embedded C."),
        ("Node.js", "A NodeJS backend"),
        (".NET", "A .NET developer"),
        ("R&B", "An R & B singer"),
        ("AC/DC", "AC/DC live in Sydney"),
        ("AT&T", "A phone by AT&T"),
        ("nuts/eggs", "Beat an egg."),
        ("black and white", "A black-and-white film"),
        ("carne", "Croquetas cremosas con jamón ibérico."),
        ("pescado", "Patata, atún y guisantes."),
        ("frutos secos", "Una tarta de almendras."),
        ("alcohol", "Con un chorrito de cerveza."),
        ("gluten", "Pan de trigo con tomate."),
        ("Schweinefleisch", "Deftiger Eintopf mit Speck."),
        ("chemical filters like octocrylene", "Octocrylene, avobenzone"),
        ("nuts", "Chop the nuts, and milk is not needed."),
        ("nuts", "Add nuts and milk is not needed."),
        ("Hunde", "Hunde und Katzen sind erlaubt, Vögel sind nicht erlaubt."),
        ("wifi", "Neither a lift nor parking, free wifi"),
        ("wifi", "Ni jardin ni parking, wifi gratuit."),
        ("WLAN", "Weder Lift noch Parkplatz, WLAN."),
        ("pool", "The pool is not heated."),
        ("wifi", "Free Wi-Fi in all rooms."),
        ("Wi-Fi", "Free wifi in all rooms."),
        ("e-scooters", "Rent an escooter at the station."),
        ("air conditioning", "Air-conditioned rooms."),
        ("driving license", "A driving licence is essential."),
        ("gray", "A grey sofa."),
        ("harbor", "Rooms at the harbour."),
        ("ads", "It contains advertising."),
        ("toxic", "Poisonous if eaten."),
        ("thorns", "Pink blooms on thorny canes."),
        ("aliens", "The extraterrestrials land."),
        ("United States", "US and China talk about tariffs."),
        ("the United Nations", "UN warns of famine."),
        ("UN", "The United Nations met."),
        ("WWII", "A history of World War Two."),
        ("World War Two", "A WWII diary."),
        ("Second World War", "A film about World War II."),
        ("coronavirus", "Covid-19 cases rise."),
        ("potatoes", "The potatoes are not peeled."),
        ("nuts", "Traces of nuts cannot be excluded."),
        ("dogs", "Dogs must not be left alone."),
        ("eggs", "The eggs should not be overcooked."),
        ("nuts", "Don't add the nuts yet."),
        ("nuts", "Don’t forget the toasted nuts."),
        ("nuts", "Don't use raw nuts."),
        ("nuts", "Who can't resist salted nuts will like it."),
        ("nuts", "You can't beat salted nuts."),
        ("J.K. Rowling", "A novel by JK Rowling"),
        ("JK Rowling", "A novel by J.K. Rowling"),
        ("jk rowling", "A novel by J. K. Rowling"),
        ("C. S. Lewis", "CS Lewis and his lion"),
        ("CS Lewis", "C.S. Lewis and his lion"),
        ("c.s. lewis", "C. S. Lewis and his lion"),
        ("J.R.R. Tolkien", "The Hobbit by JRR Tolkien"),
        ("JRR Tolkien", "The Hobbit by J. R. R. Tolkien"),
        ("George H. W. Bush", "George HW Bush was the president."),
        ("US Open", "The U.S. Open begins."),
        ("nozes", "Bolo com nozes."),
        ("nozes", "Não misture as nozes."),
        ("robots", "A Nao robot greets the guests."),
        ("nozes", "Não contém leite, contém nozes."),
        ("nozes", "Não tem só nozes, também tem mel."),
        ("nozes", "Não contém leite e contém nozes."),
        ("고기", "고기를 넣은 만두"),
        ("콩", "콩이 들어간 밥"),
    ],
)
def test_a_text_that_names_the_thing_affirms_it(thing: str, text: str) -> None:
    evidence = _said(thing, text)
    assert evidence.stance == "affirmed", evidence
    assert evidence.start is not None
    assert evidence.quote in " ".join(text.split())


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("gym", "No pool, sauna or gym."),
        ("sauna", "No pool, sauna or gym."),
        ("nuts", "Contains no soy, nuts, gluten."),
        ("vinegar", "No oil, no vinegar."),
        ("weekends", "A day clinic, weekends off."),
        ("perfume", "Face cream - Unscented"),
        ("cables", "Wireless headphones"),
        ("no OS", "Laptop with an OS"),
        ("nuts", "Contains no nuts."),
        ("C++", "Java, not C++"),
        ("carne", "Croquetas veganas"),
        ("gore", "There's hardly any gore."),
        ("degree", "A degree is not a must."),
        ("webcam", "Webcam not built in."),
        ("milk", "Neither nuts, milk nor soy."),
        ("soy", "Neither nuts, milk nor soy."),
        ("lait", "Ni œufs, ni lait, ni noix."),
        ("dogs", "Cats and dogs cannot be accommodated."),
        ("cats", "Cats and dogs cannot be accommodated."),
        ("Katzen", "Katzen und Hunde sind nicht erlaubt."),
        ("chats", "Les chats et chiens ne sont pas admis."),
        ("animaux", "Maison de village, pas d'animaux."),
        ("phones", "There are no telephones."),
        ("toxic", "The berries are not poisonous."),
        ("wifi", "There isn't any Wi-Fi."),
        ("wifi", "Wi-Fi: no"),
        ("dogs", "Dogs can't be admitted."),
        ("dogs", "Dogs must stay at home."),
        ("smoking", "Smoking won't be tolerated."),
        ("towels", "We do not provide towels."),
        ("alcohol", "They don't sell alcohol."),
        ("breakfast", "The rate does not come with breakfast."),
        ("children", "Unsuitable for children."),
        ("sugar", "Nil sugar."),
        ("nuts", "Contains: milk. Does not contain: nuts."),
        ("PhD", "PhD preferred but not required."),
        ("beeswax", "Vegan balm"),
        ("Nüsse", "Enthält keinerlei Nüsse."),
        ("Zucker", "Ungezuckert, mit Datteln"),
        ("Haustiere", "Haustiere können leider nicht aufgenommen werden."),
        ("perros", "No se admiten perros."),
        ("mascotas", "Mascotas no admitidas."),
        ("fumar", "Prohibido fumar."),
        ("nuts", "Safe for people with nut allergies."),
        ("nuts", "Free from: nuts, dairy, soy."),
        ("nuts", "Leave out the nuts for children."),
        ("nuts", "Swap the nuts for raisins."),
        ("nuts", "Hold the nuts."),
        ("dairy", "Dairy has been left out."),
        ("dairy", "For people who avoid dairy."),
        ("dairy", "Suitable for dairy-intolerant guests."),
        ("opioids", "Alternatives to opioids."),
        ("opioids", "Opioids should be avoided."),
        ("opioids", "Opioids are seldom needed."),
        ("violence", "Violence is absent."),
        ("eggs", "Replace the eggs with bananas."),
        ("eggs", "The eggs are replaced by bananas."),
        ("eggs", "Eggs replaced with bananas."),
        ("nuts", "A nut-free bar."),
        ("gluten", "Gluten free and light."),
        ("sugar", "No added sugar."),
        ("milk", "Contains neither nuts nor milk."),
        ("milk", "Made without soy, nuts or milk."),
        ("milk", "It does not contain any milk."),
        ("milk", "This cake doesn't contain milk."),
        ("touch", "A screen that does not react to touch."),
        ("touch", "A non-touch display."),
        ("fat", "0 % fat yoghurt"),
        ("fat", "0% fat yoghurt"),
        ("eggs", "An eggless cake."),
        ("scented", "An unscented cream."),
        ("alcohol", "Free of alcohol."),
        ("butter", "Use oil instead of butter."),
        ("vinegar", "Vinegar is not needed here."),
        ("Milch", "Ein Kuchen ohne Milch."),
        ("lait", "Un gâteau sans lait."),
        ("leche", "Un pastel sin leche."),
        ("香菇", "不含香菇的面条"),
        ("dogs", "Dogs are not permitted."),
        ("dogs", "Dogs are strictly prohibited."),
        ("dogs", "We do not accept dogs."),
        ("pool", "There is no swimming pool."),
        ("pool", "Pool: none"),
        ("parking", "Street parking is not available."),
        ("drowsy", "Does not make you drowsy."),
        ("drowsy", "It won't make you feel drowsy."),
        ("Hunde", "Hunde sind nicht erlaubt."),
        ("Hunde", "Hunde sind bei uns verboten."),
        ("Frühstück", "Das Frühstück ist im Preis nicht inbegriffen."),
        ("Vorkenntnisse", "Vorkenntnisse nicht nötig."),
        ("Parkplatz", "Ein Parkplatz ist leider nicht vorhanden."),
        ("chiens", "Les chiens ne sont pas admis."),
        ("petit déjeuner", "Petit déjeuner non compris."),
        ("réservation", "La réservation n'est pas nécessaire."),
        ("animaux", "Les animaux sont interdits."),
        ("breakfast", "Breakfast unavailable on Sundays."),
        ("drowsy", "Does not cause drowsiness."),
        ("Nestlé", "Chocolate that is not made by Nestlé."),
        ("Abba", "Contains no songs by Abba."),
        ("mayonnaise", "Mayonnaise has no place in it."),
        ("garlic", "It has never seen garlic."),
        ("alcohol", "A non-alcoholic drink."),
        ("peanuts", "Seeds stand in for the peanuts."),
        ("butter", "Oil takes the place of butter."),
        ("butter", "Use oil in place of the butter."),
        ("dairy", "A non-dairy spread."),
        ("clay", "The soil lacks clay."),
        ("Milch", "Enthält weder Nüsse noch Milch."),
        ("Nüsse", "Enthält weder Nüsse noch Milch."),
        ("lait", "Gâteau sans œufs, ni noix ni lait."),
        ("noix", "Un gâteau exempt de noix."),
        ("azúcar", "Postre libre de azúcar."),
        ("Rum", "Statt Rum nehmen wir Apfelsaft."),
        ("Rum", "Apfelsaft anstelle von Rum."),
        ("beurre", "De l'huile au lieu de beurre."),
        ("mantequilla", "Aceite en lugar de mantequilla."),
        ("mantequilla", "Aceite en vez de mantequilla."),
        ("nuts", "Contains nuts? No."),
        ("pets", "Pets? No, sorry."),
        ("nuts", "Is it nut-free? Yes!"),
        ("nuts", "Why are there no nuts? Because of allergies."),
        ("nuts", "Looking for a bar without nuts? Here it is, with a taste of almonds."),
        ("gluten", "Gluten-free bread"),
        ("wheat", "Gluten-free bread"),
        ("cheese", "Dairy-free cheese"),
        ("violence", "A nonviolent film"),
        ("violent", "A nonviolent film"),
        ("violence", "Nonviolence as a way of life"),
        ("alcohol", "A nonalcoholic beer"),
        ("alcohol", "An alcoholfree punch"),
        ("dairy", "A nondairy creamer"),
        ("milk", "A nondairy creamer"),
        ("dairy", "A dairyfree spread"),
        ("fat", "A nonfat yogurt"),
        ("sugar", "A sugarless gum"),
        ("sugar", "Unsweetened tea"),
        ("salt", "Unsalted butter"),
        ("drowsiness", "A nondrowsy syrup"),
        ("toxins", "Nontoxic paint"),
        ("caffeine", "Noncaffeinated tea"),
        ("politics", "A nonpolitical talk"),
        ("crowds", "An uncrowded beach"),
        ("pets allowed", "Sorry, no pets."),
        ("nuts", "Neither contains milk nor has nuts."),
        ("cash", "We do not take cash."),
        ("nuts", "Contains no milk, soy or nuts."),
        ("adverts", "An ad-free podcast."),
        ("parking", "No on-site parking."),
        ("TV", "Rooms with no in-room TV."),
        ("nuts", "It does not contain tree nuts."),
        ("nuts", "It doesn't contain tree nuts."),
        ("nuts", "It doesn’t contain any tree nuts."),
        ("nuts", "Our bars don't contain tree nuts."),
        ("nuts", "Our bars do not contain tree nuts."),
        ("nuts", "A bar that isn't made with tree nuts."),
        ("sugar", "We don't use any refined sugar."),
        ("sugar", "We do not use refined sugar."),
        ("nozes", "Não contém nozes."),
        ("leite", "Não contém nozes, soja ou leite."),
        ("leite", "Nem nozes nem leite."),
        ("açúcar", "Não leva açúcar."),
        ("açúcar", "Não usamos açúcar refinado."),
        ("glúten", "Não tem glúten."),
        ("reserva", "Não precisa de reserva."),
        ("cães", "Não são permitidos cães."),
        ("animais", "Animais não são permitidos."),
        ("fumar", "É proibido fumar."),
        ("manteiga", "Óleo em vez de manteiga."),
        ("lactose", "Bebida isenta de lactose."),
        ("nueces", "No contiene nueces."),
        ("azúcar", "No lleva azúcar."),
        ("gluten", "No tiene gluten."),
        ("noix", "Ne contient pas de noix."),
        ("noix", "Il n’y a pas de noix."),
        ("Nüsse", "Enthält keine Nüsse."),
        ("견과류", "견과류 없는 케이크"),
        ("견과류", "견과류가 안 들어간 쿠키"),
    ],
)
def test_a_text_that_denies_the_thing_says_so(thing: str, text: str) -> None:
    assert _said(thing, text).stance == "denied", _said(thing, text)


@pytest.mark.parametrize(
    "text",
    [
        "Some cooks add a splash of vinegar at the end.",
        "Unlike vinegar, it is mild.",
        "Unlike earlier dressings with vinegar, it is mild.",
        "Milder than the vinegar of the shops.",
        "Less sour than any vinegar.",
        "Vinegar (optional).",
        "If you have vinegar in the cupboard, save it for another day.",
        "You could scatter some vinegar on top.",
        "Add vinegar if you like.",
        "Not a drop of vinegar.",
        "Faux vinegar.",
        "As sour as vinegar.",
        "It is as sharp as any vinegar.",
        "As clear as a vinegar.",
        "It tastes like vinegar.",
        "A vinegar-effect glaze.",
        "Pickles keep regardless of vinegar.",
        "The nearest vinegar is sold in the next village.",
    ],
)
def test_what_is_an_option_or_a_comparison_is_a_mention(text: str) -> None:
    assert _said("vinegar", text).stance == "mentioned", _said("vinegar", text)


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("degree", "A degree is a plus."),
        ("children", "We do not cater for children."),
        ("children", "We don't cater for children."),
        ("children", "They can’t cater for children."),
        ("sugar", "It does not contain much sugar."),
        ("sugar", "It doesn't contain much sugar."),
        ("dogs", "We don't accept large dogs."),
        ("nuts", "It isn't about the nuts."),
        ("pool", "It hasn't got an outdoor pool."),
        ("Rome", "The tour doesn't go to Rome."),
    ],
)
def test_what_is_welcome_or_not_provided_for_is_a_mention(thing: str, text: str) -> None:
    assert _said(thing, text).stance == "mentioned", _said(thing, text)


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("nuts", "A doughnut, and a nutmeg."),
        ("George W. Bush", "George H. W. Bush was the president."),
        ("ham", "Hamburgers with champagne."),
        ("Will Smith", "Tim Pigott-Smith, and what you will."),
        ("George H. W. Bush", "George W. Bush was the president."),
        ("George W. Bush", "George HW Bush was the president."),
        ("J.K. Rowling", "J. M. Rowling, a baker"),
        ("JK Rowling", "J. Rowling, a baker"),
        ("Barack Obama", "Obama speaks in Cairo."),
        ("the 80s", "A 1994 film of a novel from 1984."),
        ("art", "Start of the party"),
        ("olive oil", "Fry in oil, then add the olives."),
        ("fish sauce", "A sauce for fish."),
        ("cream", "A creamy dip of cashews."),
        ("alcohol", "A bottle of sparkling mineral water."),
        ("coffee", "Pizza with fior di latte."),
        ("pork", "Turkey ham on rye."),
        ("pork", "Beef bacon and beans."),
        ("war", "A comedy on fans of Star Wars."),
        ("Art Deco Design", "Add a lamp."),
        ("carne", "Hamburguesa vegetal"),
        ("people like me", "Ask me."),
        ("movies like Titanic", "The Titanic sank."),
        ("C++", "C# developer, vitamin C"),
        ("C", "C++ developer"),
        ("R&B", "Vitamin B"),
        ("AC/DC", "Washington, DC"),
        (".NET", "A net full of fish"),
        ("black and white", "Filmed in colour, with a white dog."),
        ("black and white", "A war drama."),
        ("bed and breakfast", "Hotel with breakfast"),
        ("United States", "Tell us about it."),
        ("United States", "CONTACT US"),
        ("World War I", "A story of World War II."),
        ("hostel", "Seaview Inn"),
        ("flour", "For the floor."),
        ("George W. Bush", "The GWB is a bridge."),
        ("oil", ""),
        ("고기", "가구를 팝니다"),
        ("고기", "물고기"),
        ("콩", "콩쥐 팥쥐"),
        ("ガラス", "カラスが鳴く"),
    ],
)
def test_what_is_not_named_is_not_found(thing: str, text: str) -> None:
    assert _said(thing, text or " ").stance == "silent", _said(thing, text)


def test_kinds_count_and_are_named() -> None:
    evidence = _said("nuts", "Scatter the almonds over the cake.")
    assert (evidence.stance, evidence.kind) == ("affirmed", "almonds")
    assert "almonds" in evidence.quote


def test_what_is_said_of_the_thing_counts_for_more_than_a_kind() -> None:
    assert _said("nuts", "Nut-free. Tastes like almond cake with almonds.").stance == "denied"
    assert _said("nuts", "Almond-free cake with walnuts.").kind == "walnuts"


def test_a_lookalike_that_denies_the_thing_speaks_of_itself_alone() -> None:
    assert _said("gluten", "A loaf.", "Gluten-free bread").stance == "denied"
    assert (
        _said("gluten", "Sift the flour. Use gluten-free flour for guests, and wheat noodles.", "Stew").stance
        == "affirmed"
    )


def test_a_title_speaks_for_the_whole() -> None:
    assert _said("dairy", "Pour the dairy into a pan.", "Dairy-free cake").stance == "denied"
    assert _said("mushrooms", "Slice and fry.", "Mushroom soup").stance == "affirmed"


def test_a_label_in_the_title_denies_what_it_rules_out() -> None:
    assert _said("dairy", "Mix the butter and sugar.", "Vegan cake").stance == "denied"
    assert _said("meat", "Fry the sausages.", "Vegetarian breakfast").stance == "denied"
    assert _said("dairy", "Butter and flour. For a vegan cake, take oil.", "Cake").stance == "affirmed"
    assert _said("eggs", "Two eggs.", "Cake, not vegan").stance == "affirmed"


def test_the_signs_of_a_literal_name_are_a_part_of_it() -> None:
    assert _said("C++", "No C++ here", is_literal=True).stance == "affirmed"
    assert _said("C++", "C# and vitamin C", is_literal=True).stance == "silent"


def test_a_literal_word_is_ruled_out_whatever_is_said_of_it() -> None:
    assert _said("dog", "No dog ever eats it.", is_literal=True).stance == "affirmed"
    assert _said("dog", "A poodle.", is_literal=True).stance == "silent"
    assert _said("miles davis", "By Miles  Davis himself.", is_literal=True).stance == "affirmed"


def test_quotes_stand_where_they_say() -> None:
    document = Document("a", "Heat the oil, and then add many finely sliced mushrooms to the pan.", "Soup")
    evidence = statement_of(document, excluded_thing("mushrooms"))
    assert evidence.start is not None
    assert document.content[evidence.start :].startswith("mushrooms")


def test_periods_are_years() -> None:
    assert years_of("2010 or later")[0] == "2010"
    assert years_of("after 2010")[0] == "2011"
    assert years_of("the 2000s")[-1] == "2000s"
    assert years_of("eighty mushrooms") == ()
    assert years_of("the 20th century")[::99] == years_of("the twentieth century")[::99] == ("1900", "1999")
    assert years_of("nineteenth-century novels")[0] == "1800"
    assert years_of("the 3rd century") == years_of("20th Century Fox") == years_of("before the 20th century") == ()
    ranges = (
        "between 1990 and 1992",
        "from 1990 to 1992",
        "1990 to 1992",
        "1990–1992",
        "1990 through 1992",
        "1990 bis 1992",
    )
    assert {years_of(text) for text in (*ranges, "made 1990 until 1992")} == {("1990", "1991", "1992")}
    assert years_of("since 2010")[0] == years_of("2010 onwards")[0] == years_of("from 2010")[0] == "2010"
    assert years_of("2010 or before")[-1] == years_of("up to 2010")[-1] == "2010"
    assert years_of("before the year 2010")[-1] == "2009"
    assert years_of("1990–1992") == years_of("between 1992 and 1990")


def test_a_kind_that_the_target_names_is_no_sign_of_the_thing() -> None:
    """Of "cocktails without alcohol": every cocktail is wanted, and only what is in it tells."""
    soft, hard = Document("a", "A cocktail of juice and soda."), Document("b", "A cocktail of juice and vodka.")
    assert statement_of(soft, excluded_thing("alcohol")).stance == "affirmed"
    thing = excluded_thing("alcohol", wanted=terms_of("cocktails"))
    assert statement_of(soft, thing).stance == "silent"
    assert statement_of(hard, thing).stance == "affirmed"


@pytest.mark.parametrize(
    "text",
    [
        "no " * 30_000,
        "no nuts, " * 10_000,
        "nuts " * 20_000,
        "not " * 25_000 + "nuts",
        "n" * 100_000,
        "-" * 100_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    thing = excluded_thing("nuts or milk")
    start = time.process_time()
    statement_of(Document("a", text), thing)
    assert time.process_time() - start < 1.0


def test_who_is_like_it_is_not_it() -> None:
    assert _said("Rome", "Like Rome, Lisbon is said to stand on seven hills.").stance == "mentioned"
    assert _said("Rome", "Cities like Rome, Athens and Cairo.").stance == "affirmed"


def test_a_name_that_a_text_repeats_denies_nothing() -> None:
    film = "Batteries Not Included is a 1987 film about small spaceships."
    assert _said("the eighties", film, "Batteries Not Included").stance == "affirmed"
    assert (
        _said("nuts", "Cake without nuts is a cake of oats. Add almonds.", "Cake without nuts").stance == "denied"
    )


def test_a_title_is_quoted_by_itself() -> None:
    assert (
        _said("mustard", "Mustard contains mucilage.", "Mustard as an emulsifier").quote
        == "Mustard as an emulsifier"
    )


def test_another_name_of_the_thing_denies_it_where_no_kind_is_affirmed() -> None:
    assert _said("kids tv", "A kingdom strangely devoid of children.").stance == "mentioned"
    assert _said("alcohol", "A punch without booze.").stance == "denied"
    assert _said("alcohol", "A punch without booze, with red wine.").kind == "red wine"


def test_who_denies_what_it_is_a_kind_of_denies_it() -> None:
    assert _said("cheese", "A pizza, dairy-free.").stance == "denied"
    assert _said("cream", "Tomatoes and basil.", "Dairy-free cream of tomato soup").stance == "denied"
    assert _said("wheat", "Stir the flour mixture.", "Gluten-free pancakes").stance == "denied"
    assert _said("Crete", "No flights to Greece.").stance == "denied"
    assert _said("cheese", "Dairy aisle.").stance == "silent"
    assert _said("cheese", "Free of dairy, but grated cheese is on top.").stance == "affirmed"
    assert _said("alcoholic", "An alcohol-free cocktail.").stance == "denied"


def test_may_is_a_month_and_no_doubt() -> None:
    assert _said("2020", "A comedy released in May 2020.").stance == "affirmed"
    assert _said("Berlin", "Event in May, Berlin.").stance == "affirmed"
    assert _said("nuts", "Cookies; may contain traces of nuts.").stance == "affirmed"
    assert _said("vinegar", "You may add vinegar.").stance == "mentioned"


def test_a_label_speaks_for_all_where_it_stands_alone() -> None:
    assert _said("dairy", "Penne with garlic. Vegan.", "Penne").stance == "denied"
    assert _said("dairy", "Penne with garlic. This dish is vegan.", "Penne").stance == "denied"
    assert _said("dairy", "For a vegan penne, leave it out.", "Penne").stance == "silent"
    assert _said("dairy", "Penne; can be made vegan.").stance == "silent"


def test_a_language_is_no_place() -> None:
    job = Document("a", "A job in Berlin, in English.")
    for cue in ("without", "i dont need", "not in"):
        assert statement_of(job, excluded_thing("German", cue=cue)).stance == "silent"
    assert statement_of(job, excluded_thing("German")).stance == "affirmed"
    assert statement_of(job, excluded_thing("Germany", cue="without")).stance == "affirmed"
    assert statement_of(Document("a", "Fluent German."), excluded_thing("german", cue="without")).stance == (
        "affirmed"
    )
