"""Classes of English words that tell a cue that excludes from one that does not; the model weighs them."""

from esens.decompose.rules.lexicon import words
from esens.decompose.rules.lexicon.en_fragments import SUBSTANCES


def _with_plurals(names: str) -> frozenset[str]:
    """Return these words and the plurals of those that have none yet: who wants a tour may want tours."""
    singulars = [word for word in words(names) if word[-1] != "s"]
    return words(names).union(f"{word}s" for word in singulars)


CLASSES = {
    "auxiliary": words(
        "is are was were be been am do does did has have had can could will would should may might must isn't "
        "aren't don't doesn't didn't can't won't"
    ),
    "pronoun": words("it them him her us me you that this which whom each they he she i we"),
    "asker": words("i you we one"),
    "article": words("a an the any some all"),
    "possessive": words("my your his her its their our"),
    # Stand behind a noun and its adjectives.
    "ending": words(
        "of in on at by from with for to about into over under near between as than like after before and or "
        "but nor so if when because while that which who is are was were do does did can could will would has "
        "have had please just only"
    ),
    "question": words("what which who whom whose when where why how"),
    "preposition": words(
        "of in on at by from with for to about into over under near between as than like after before"
    ),
    "conjunction": words("and or but nor so if when because while"),
    # People make, do or get something, and leave out what is mostly used for it.
    "making": words(
        "make making made cook cooking bake baking prepare preparing build building create creating brew "
        "brewing fry roast grill thicken reheat substitute replace grow use using do clean cleaning remove "
        "removing fix wash write play learn get buy order find install run start open test check treat treating "
        "relieve lose cure prevent stop"
    ),
    "means": words(
        "using adding buying cooking frying boiling soaking baking installing rooting paying taking eating "
        "drinking medication surgery tools tool drugs applying attending borrowing breaking-in bending bribing "
        "carrying cutting cracking crushing dieting digging downloading dyeing editing exercising fasting "
        "flying freezing gluing going googling grilling grinding hiring heating injecting ironing jailbreaking "
        "kneading knitting logging lifting melting microwaving mixing ordering painting peeling plugging poking "
        "pouring printing putting refrigerating registering removing renting replacing rolling running sanding "
        "screwing sewing signing smoking soldering spending squeezing steaming stretching subscribing swimming "
        "touching trading traveling unlocking upgrading visiting washing watching wearing whipping working "
        "chemicals injections therapy pills diet exercise medicine antibiotics medications"
    ),
    # What must not happen on the way: "without burning them" is asked for, and nothing is left out.
    "mishap": words(
        "burning ruining losing dying damaging breaking spilling splashing falling changing overwriting "
        "deleting clearing waiting hurting killing destroying scratching drying overcooking cracking sticking "
        "affecting crying crashing restarting rebooting logging failing melting leaking staining waking "
        "offending sounding aging annoying attracting bleeding blinding blocking boring bothering bruising "
        "bursting bumping causing choking clogging collapsing compromising confusing corrupting creating "
        "cutting disturbing dripping dropping embarrassing exploding exposing fading fainting feeling fighting "
        "forgetting freaking freezing gagging gaining getting harming hitting infringing injuring insulting "
        "interfering interrupting lagging making messing missing moving overdoing overflowing overheating "
        "panicking peeling popping raising regretting ripping rusting scaring scarring separating shaking "
        "shattering shedding shrinking slipping slowing smearing smelling smudging snapping softening spoiling "
        "spreading squashing squishing starting stinging stopping straining stretching stripping suffering "
        "sweating tangling tearing throwing touching tripping turning upsetting vomiting violating warping "
        "wasting wetting worrying wrecking"
    ),
    "state": words(
        "being having knowing owning making getting becoming looking feeling noticing asking saying telling "
        "trying seeing understanding requiring needing giving going"
    ),
    # What a thing is said to hold: "that does not contain …".
    "holding": words(
        "have has contain contains use uses need needs require requires include includes involve involves "
        "feature features come comes taste smell cost costs exceed support supports allow allows accept accepts "
        "offer offers rely depend cause causes attract produce shed bark mention observe employ employs serve "
        "serves sell sells play plays impose imposes levy charge charges tax taxes like follow follows touch "
        "touches border borders respond end ends start starts begin rhyme rhymes lay eat eats wear wears drink "
        "carry carries want wants fit hurt damage show shows last"
    ),
    "substance": words(SUBSTANCES),
    # What an "-ing" before it says the use of: training wheels, a driving licence, parking fees.
    "compounded": words(
        "wheels licence license licences licenses permit fee fees cost costs charge charges lot space spaces pool "
        "pools machine machines room rooms area areas bag bags pill pills gum oil powder soda spray paper board "
        "card cards cable cables stick sticks agent agents kit kits club session sessions class classes"
    ),
    # What people look for, as a list of documents.
    "sought": words(
        "recipe recipes movie movies film films show shows series book books novel novels song songs album "
        "albums game games laptop laptops phone phones car cars hotel hotels restaurant restaurants bar bars "
        "wine wines cake cakes soup soups salad salads dish dishes dessert desserts food foods products product "
        "articles papers documents talks site sites places cities countries islands animals plants dogs cats "
        "drinks snacks apps software tools methods ways alternatives substitute substitutes ideas options jobs "
        "loans diet comedy comedies drama dramas thriller thrillers documentary documentaries"
    ),
    # What films, series, books and music are of.
    "genre": words(
        "action adventure animated animation anime biopic biopics cartoon cartoons classical comedies comedy "
        "comic comics country crime detective detectives documentaries documentary drama dramas dystopian "
        "fantasy fiction folk gangster ghosts gore heist hip-hop history horror jazz magic martial metal murder "
        "musical musicals mysteries mystery nonfiction nudity opera parody period poetry pop rap reality rock "
        "romance romances romantic romcom satire sci-fi science sitcom sitcoms slasher sport sports spy "
        "superhero superheroes supernatural suspense teen thriller thrillers tragedy vampire vampires violence "
        "war western westerns zombie zombies"
    ),
    "people": words(
        "people person persons parents men women man woman girl girls boy boys children kids child student "
        "students patient patients visitors users someone anyone everybody citizens families applicants owners "
        "worker workers employees boss guy friend friends wife husband boyfriend girlfriend mother father baby "
        "babies"
    ),
    "wish": words(
        "want looking need recommend suggest find show list give tell prefer like love enjoy something anything "
        "please"
    ),
    # To be without something: "how long can you live without water".
    "lack": words(
        "live living survive surviving life death die born exist grow function work happen happens go going drive "
        "driving sleep sleeping walk walking swim swimming ride riding fly flying breathe breathing travel "
        "traveling travelling marry retire retiring"
    ),
    "fault": words(
        "working responding charging loading opening connecting receiving recognized found able showing turning "
        "starting sound signal power service display response problem reason idea one longer more such evidence "
        "effect matter start turn charge close open rise fit drain spin heat cool lock sync update connect "
        "print respond boot load install appear ring flush flow ignite draining closing rising printing syncing "
        "spinning heating cooling locking updating playing appearing moving running ringing eating sleeping "
        "growing blooming flowering setting pressure spark image network functioning detecting booting waking "
        "drying cooking cutting clicking dispensing displaying downloading engaging exporting filling finding "
        "firing fitting going hearing importing indexing installing latching launching lighting matching "
        "mounting popping producing pumping reading reaching recharging refreshing registering rendering "
        "reporting saving scanning scrolling seeing sending shifting shutting sticking stopping submitting "
        "supported triggering uploading verified vibrating visible voting watering installed allowed authorized "
        "permitted recognised defined set enough available findable"
    ),
    # What a query is about that asks for a cause or a cure: what it says to be lacking belongs to the case.
    "trouble": words(
        "trouble problem problems issue issues error errors fix fixing cause causes caused causing symptom "
        "symptoms normal hurt hurts pain painful itchy sick wrong broken fail fails failing failed stuck leak "
        "leaking leaks swollen swelling bleeding fever cough rash warning stopped troubleshooting diagnose "
        "diagnosis keeps won't become becomes became"
    ),
    "symptom": words(
        "fever pain dandruff rash cough swelling bleeding discharge itching headache headaches nausea vomiting "
        "period symptoms symptom bumps redness sweating dizziness fatigue infection blood vision appetite"
    ),
    "dish": words(
        "bread cake cakes pie pies cookies cookie brownies pancakes waffles muffins frosting icing sauce sauces "
        "dressing soup soups stew stews curry curries pasta pizza salad salads sandwich sandwiches burger "
        "burgers casserole risotto noodles dumplings tortillas smoothie smoothies cocktail cocktails punch "
        "drink drinks snack snacks dessert desserts breakfast dinner lunch meal meals pudding custard jam jelly "
        "syrup broth chili pickles pretzels bagels dough pastry cheesecake ice-cream sorbet candy cereal "
        "granola hummus dip marinade appetizer appetizers bars batter biscuits bolognese breads broths burrito "
        "burritos buns cannoli chowder cobbler coleslaw couscous crackers crepes crisps croissants crust "
        "cupcake cupcakes dal doughnuts donut donuts eggnog enchiladas falafel fillings flatbread fries "
        "fritters frittata fudge gazpacho gelato gravy guacamole hotdogs jerky julep kebab ketchup kimchi "
        "lasagna latte lemonade loaf macaroni macarons margarita marmalade marshmallows mayonnaise meatballs "
        "meatloaf meringue milkshake mousse muffin nachos omelette oatmeal paella pancake paste pate pesto "
        "pierogi popcorn porridge potatoes quiche ramen ravioli recipe relish roast rolls salsa samosa sausages "
        "schnitzel scones shake shakes sherbet slaw souffle stir-fry stroganoff stuffing sushi taco tacos tart "
        "tarts tea tempura tiramisu toast topping toppings truffles waffle whipped wraps yogurt"
    ),
    "product": _with_plurals(
        "loan loans mortgage insurance card cards plan plans account accounts shoes boots dress dresses jacket "
        "jackets shirt shirts pants jeans bag bags backpack sofa couch table tables chair chairs lamp lamps rug "
        "curtains bed mattress toothpaste shampoo soap deodorant lotion moisturizer sunscreen makeup lipstick "
        "perfume detergent cleaner spray paint toy toys bike bikes bicycle tent printer printers camera cameras "
        "tv tvs headphones earbuds watch watches tablet tablets case cases cable cables filter vitamins "
        "supplement supplements formula beer beers wine whiskey cream creams oil oils flights cruise cruises "
        "vacation vacations apartment apartments house houses school schools program programs course courses "
        "college colleges university job careers converter editor player browser vpn casino casinos poker bingo "
        "chat lenders rentals contacts meds medication pills bottles glasses containers cookware pan pans dog "
        "dogs breed breeds desk desks flight playlist playlists headset monitor keyboard speaker speakers "
        "wardrobe shelf shelves jumper sweater coat skirt hoodie sandals trainers gown tote wallet mug kettle "
        "toaster stroller crib music audiobook podcast ebook workout trip tour itinerary hike "
        "medicine medicines painkiller painkillers ointment trail itineraries serum balm cleanser conditioner "
        "mascara cottage villa hostel resort campsite houseplant shrub holiday audiobook couches"
    ),
    # What people do things with, and do them without where they have none.
    "tool": words(
        "machine oven microwave mixer blender processor press pan pot cooker thermometer equipment utensils "
        "plugin plugins software app apps library root wifi account phone computer pc cable charger kit scale "
        "grill grinder grater opener corkscrew juicer stove fridge freezer foil parchment bags bag containers "
        "knife drill ladder glue nails screws battery batteries electricity sim usb cd mouse keyboard remote "
        "iron detergent multimeter gps server router adapter driver camera tripod trainer gym weights needle "
        "sewing"
    ),
    # What goes into food, drink and what people put on their skin.
    "ingredient": words(
        "egg eggs milk butter sugar cream cheese wine tomato tomatoes mustard onion onions garlic coconut nut "
        "nuts peanuts almonds walnuts chicken beef pork ham meat fish shrimp shellfish seafood flour yeast "
        "vinegar alcohol bacon lard oil salt pepper spices herbs dill rice bread breadcrumbs pasta noodles "
        "gelatin corn starch cornstarch soda honey chocolate vanilla soy tofu beans lentils potatoes carrots "
        "mushrooms celery cilantro mayo mayonnaise yogurt dairy gluten wheat oats carbs fat sodium sweetener "
        "stevia msg preservatives fillers dyes sulfates parabens silicone fragrance retinol acid caffeine "
        "coffee tea raisins bananas apples lemon lime juice ginger turmeric broth stock sauce syrup molasses "
        "shortening margarine agave allspice anchovies apple aspartame asparagus avocado avocados baking banana "
        "barley basil bay beef-broth beet beets berries biscuits blueberries brandy broccoli buttermilk cabbage "
        "cacao candy canola caramel cardamom carrot cashews cauliflower cayenne cheddar cherries chickpeas "
        "chile chiles chili chips chives chocolates cinnamon clams cloves cocoa cod coriander crab cranberries "
        "cranberry crackers cucumber cucumbers cumin curry dates dressing eggplant fennel feta figs filling "
        "flax flour-tortillas fruit fruits gelatine glaze grain grains grape grapefruit grapes gravy hazelnuts "
        "hominy icing jalapeno kale ketchup lamb lecithin leek leeks lemons lentil lettuce limes liquor lobster "
        "mango marshmallow marshmallows marinade meats mint miso mozzarella mushroom noodle nutmeg oat oatmeal "
        "oils okra olive olives orange oranges oregano oyster oysters paprika parmesan parsley pastry peaches "
        "peanut pears peas pecans peppers pesto pickle pickles pineapple pistachios pomegranate popcorn potato "
        "prawns proteins pumpkin quinoa raspberries rosemary rum saffron sage salmon salsa saturated sausage "
        "sausages scallops seasoning seasonings seaweed seeds sesame sherry soya spice spinach sprinkles squash "
        "steak strawberries sugars sulfites sulphites sweeteners tahini tapioca tarragon thyme trout tuna "
        "turkey turnip vegetables vegetable veal vodka walnut wheatgerm whey whiskey worcestershire xanthan yam "
        "yolk yolks zest zucchini ammonia bleach aluminum fluoride mercury peroxide formaldehyde phthalates "
        "talc petroleum latex nickel plastic bpa lead perfume dye glitter nitrates additives chemicals "
        "pesticides hormones cornmeal batter breading roux"
    ),
    # What an offer may ask for: "loans with no credit check".
    "charge": words(
        "fee fees prescription credit check checks deposit contract fax download downloads registration degree "
        "experience appraisal purchase attorney lawyer insurance visa tax taxes cost costs charge charges "
        "signup subscription ads ad commission exam interest obligation membership commitment downpayment "
        "cosigner collateral referral survey surveys sign-up login installation account accounts adverts agent "
        "annual application background bank bill bills booking broker cap card certificate certification "
        "closing coding college consent-form cookies coupon credential credentials custody delivery diploma "
        "doctor documents down email employment ged gmat gre guarantor hidden history ielts income inspection "
        "internship investment license licence limit limits medical minimum money monthly overage paperwork "
        "passport payment payments penalty permit phone-number preregistration prepayment purchases quiz rate "
        "receipt registering requirements resume sat security shipping ssn sponsor sponsorship start-up strings "
        "tags tolls transcript transaction transfer upfront verification visas waiting warranty"
    ),
    "work of art": words(
        "lyrics song movie film book cast quotes meaning definition episode season album author wrote sings sang"
    ),
    # Say what a thing is like: "not starring …", "not from …". What fails is said otherwise: "not charging".
    "attribute": words(
        "starring containing featuring involving including narrated directed written made set based produced "
        "published located related owned by from in with for about of under like filmed released rated animated "
        "associated caused due using belonging focused"
    ),
    # Part of names and terms that exclude nothing: "non-small cell lung cancer", "toll free".
    "term": words(
        "small stick profit profits fiction disclosure resident residents linear stop renewable verbal binary "
        "hodgkin hodgkin's compete refundable conforming gender contagious issue essential invasive negotiable "
        "performing destructive stick-on sequitur grata zero null void numeric existent empty standard toll "
        "royalty hands duty tax care scot debt trouble stress worry risk carefree bug error drug crime end "
        "limit wire rest help price base use hope time home thought count reg un harm harmless pain break fear "
        "age name tooth line streak hassle wrinkle parametric fungible slip volatile metallic ferrous trivial "
        "uniform stationary blocking native hispanic recourse exempt immigrant compliant responsive negative "
        "positive significant deterministic hodgkins polar ionizing coding conductive elastic convex singular "
        "smooth overlapping equilibrium governmental aligned allergic rem traditional conventional vascular "
        "specific technical executive commercial dominant perishable taxable exclusive reactive"
    ),
    "abstract": words(
        "consent permission knowledge notice warning punishment rule experience representation love hope god "
        "fear meaning purpose reason doubt success result support help life money power job work sleep tears "
        "limits borders partners end"
    ),
    "opinion": words(
        "seen saw liked enjoyed watched thought think know said was were been ok okay good best bad great"
    ),
}

# How a query begins, by what it asks for; the first that matches counts.
FRAMES = (
    (
        "lack asked",
        r"how (?:long|far|much|many|often|fast|old)\b|what (?:happens?|would|if|could|causes?)\b|"
        r"what (?:should|do|can|could) (?:i|we|you) (?:do|say)\b|what to do\b|"
        r"why\b|when\b|where (?:is|are|was|were|do|does|did)\b|should\b|who\b|whose\b|was\b|were\b|"
        r"did\b|would\b|difference between\b|what does\b|what is (?:a |an |the )?(?:meaning|"
        r"definition|difference)|is (?:it )?(?:worth|legal|illegal|safe|bad|good|ok|okay|normal|"
        r"valid|true|wrong|there anywhere)\b",
    ),
    (
        "instruction",
        r"(?:so |hi,? |hello,? )?(?:how (?:to|do|does|can|could|would|should|might|did) ?(?:i|you|"
        r"we|one|someone|a person)?|how to|can (?:i|you|we|one)|could (?:i|you|we|one)|(?:is|"
        r"are) (?:it|there) (?:possible|a way|any way|ways|any good way|a good way|an easy way|any)|"
        r"(?:best|easiest|quickest|simplest|good|any|easy|better|other)? ?(?:way|ways|method|"
        r"methods|technique|techniques|trick|tricks|tips?)\b|what(?:['’]s| is| are|"
        r") (?:the )?(?:best |easiest |quickest |most common |some |good |other )*(?:way|ways|"
        r"method|methods|technique|techniques|uses))\b",
    ),
    (
        "third person",
        r"(?:can|could|do|does|is|are|will|may|has|have|must|might) (?!i\b|you\b|we\b|it\b|there\b|any\b|one\b)\w",
    ),
    ("exists", r"(?:is|are|was|were) there\b|do you (?:have|know)\b|does anyone\b|any(?:one|body)?\b"),
    ("yes or no", r"(?:can|could|do|does|is|are|will|may|has|have|must|might)\b"),
    ("thing asked", r"(?:in |on |at |for |by |of |from )?(?:what|which)\b"),
    ("told", r"(?:i|we|my|it|he|she|they|you|yes|no,|hey|hi|hello|this|that|there|if)(?:['’]\w+)?\b"),
    (
        "wish",
        r"(?:looking|need|want|recommend|suggest|find|show|list|give|tell|search|please|something|"
        r"anything|some|identify|provide)\b",
    ),
    ("activity with object", r"\w{2,}ing (?!without|with|no|not|and|or|in|on|at|to|of|from|for)\w"),
    ("activity", r"\w{2,}ing\b"),
    (
        "order",
        r"(?:make|cook|bake|use|get|run|open|remove|store|keep|saut[eé]|slow|turn|save|add|change|"
        r"create|build|write|set|buy|order|learn|play|fix|clean|send|move|copy|convert|install|"
        r"delete|flavou?r|substitute|replace|recreate|do|have|avoid|stop|start)\b",
    ),
    ("things", r""),
)
