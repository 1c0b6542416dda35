"""What the English table is made of: pieces of patterns that several cues share, and opposites."""

from esens.decompose.rules.lexicon import words

CONTRACTED_NOT = r"n['’]?t"  # isn't, isn’t, isnt
NEGATED = (
    rf"(?:(?:do|does|did|is|are|was|were|has|have|had|could|should|would|must|may|need|will)(?: not|{CONTRACTED_NOT})"
    r"|can ?not|can['’]?t|won['’]?t)"
)
# What somebody says of documents that do not count: "Editorials are not relevant."
IRRELEVANT = (
    r"(?:not|n['’]t) (?:considered |deemed )?(?:(?:at all |directly )?relevant|of (?:any )?interest|what (?:i|we)(?:['’]m| am|['’]re| are)? "
    r"(?:want|need|looking for|after|interested in))|irrelevant|(?:out|off)[- ](?:of[- ]scope|topic)|outside the scope"
)
# To speak of something, as people put it when they ask for silence about it.
MENTION = (
    r"(?:mention|include|involve|discuss|consider|cover|cite|quote|reference|contain|feature|provide|give|introduce"
    r"|describe|list|count|reveal|return|show|refer to|talk about|speak about|focus (?:only |solely )?on|touch (?:up)?on"
    r"|bring up|take into account|rely on|deal with|belong to|relate to|pertain to|go into|concern|compare(?: it)? (?:to|with))"
)
# … without what a thing is said to hold: "that does not contain nuts".
SPOKEN_OF = MENTION.replace("contain|feature|", "").replace("include|involve|", "")
MENTIONING = (
    r"(?:mentioning|including|involving|discussing|considering|covering|citing|quoting|referencing|containing|featuring"
    r"|providing|giving|introducing|describing|listing|counting|revealing|returning|showing|referring to|talking about"
    r"|speaking about|focusing (?:only |solely )?on|touching (?:up)?on|bringing up|taking into account|relying on"
    r"|dealing with|relating to|pertaining to|going into|concerning|regarding|comparing(?: it)? (?:to|with)|using"
    r"|addressing|looking at|delving into|taking (?:any )?account of|making (?:any )?reference to|having|repeating)"
)
# Of these the negated form always asks for silence; "not giving up" and "not using" do not.
SPEAKING = (
    r"(?:mentioning|including|involving|discussing|considering|covering|citing|quoting|referencing|featuring|introducing|"
    r"describing|listing|counting|revealing|referring to|talking about|speaking about|focusing (?:only |solely )?on|"
    r"touching (?:up)?on|bringing up|taking into account|relying on|dealing with|relating to|pertaining to|going into|"
    r"concerning|regarding|comparing|addressing|delving into|giving away|repeating|naming|adding|making (?:any )?(?:mention|references?))"
)
ABOUT_IT = (
    r"(?:(?:the )?(?:personal |specific |other |further |more )?(?:mentions?|information|info|details?|references?|discussions?|"
    r"spoilers?|talk|sign|regard|focus|emphasis|content|explanations?|descriptions?|coverage)"
    r"(?: whatsoever| at all)? (?:of|about|on|to|from|for|related to|relating to|regarding|concerning))"
)
LEAVE_OUT = (
    r"(?:exc?lud{1,2}e|omit|leave (?:out|aside)|disregard|ignore|skip|rule out|keep out|filter out|overlook|refrain from|avoid"
    r"|steer clear of|drop|forget(?: about)?)"
)
# Who cannot have something or will not, and what such a person then asks for: "I hate nuts, recommend a snack".
SPEAKERS = r"(?:i|we|he|she|they|(?:my|our) [\w-]+|(?:the )?(?:kids|children)|(?:my|our) [\w-]+ and i)"
SUFFERS = (
    r"(?:(?:but|and|as|since|because) )?(?:i['’]?m|i am|we['’]?re|we are|(?:he|she)(?:['’]s| is)|they(?:['’]re| are)"
    r"|(?:my|our) [\w-]+(?:['’]s| is| are))"
)
ALLERGIC = r"(?:(?:very|severely|really|highly|deathly|also) )?(?:allergic to|intolerant (?:to|of))"
WEARY = r"(?:(?:so|really|a bit|quite) )?(?:sick(?: and tired)? of|tired of|fed up with|bored (?:of|with))"
AVOIDING = r"(?:trying to avoid|avoiding|trying to cut out|staying away from)"
REFUSES = (
    rf"{SPEAKERS} (?:(?:really|absolutely|just|both|all) )?(?:hates?|dislikes?|detests?|loathes?|despises?|(?:can['’]?t|cannot|can not) "
    r"(?:stand|have|eat|drink|tolerate)|(?:don['’]?t|do not|doesn['’]?t|does not|won['’]?t|will not) "
    r"(?:eat|drink|like|tolerate|touch))"
)
# … and who says so without a subject, or only by taste: "not keen on musicals", "would rather skip the museums".
DISTASTE = (
    r"(?:(?:i['’]?m|i am|we['’]?re|we are) )?not (?:really |that |too |so )?(?:(?:an? )?(?:big |huge |great |real )?fan of|much of an? fan of|"
    r"into|keen on|fond of)|(?:(?:i|we|i['’]?d|we['’]?d|i would|we would|would|['’]d) )?rather (?:avoid|skip|"
    r"not (?:have|see|use|get|hear about|read about|watch|eat|drink|play|visit|do|stay(?: in| at)?|be(?: in| at)?|go to))"
)
# What such a person names: not a deed, a person or something that happened, and what follows asks neither why nor
# what to do about it.
REFUSED = (
    r"(?! (?:how|when|what|why|that|to|it|him|her|them|you|this|my|me|his|their|our|your|being|having|people|the way)\b)"
    r"(?= [^.,;:?!]{1,40}(?<! ))"
)
GOES_ON_ASKING = (
    r"(?= [^.,;:?!]{1,40}[.,;:!] (?!(?:but|and|so|because|since|as|or|how|why|when|is|are|am|was|does|do|did|will|would|it|"
    r"he|she|they|that|this|i|we|who|what (?:is|are|was|were|do|does|did|if|causes?|happens|would|helps?|to do|"
    r"(?:should|can|could) (?:i|we) do)|should i|can i get)\b)(?![^.?!]{0,100}\b(?:it|they|them|this|that)\b)\w+ \w)"
)
WISHES = r"(?:please |so |can you |could you )?(?:recommend|suggest|find|show|give|list|need|want|looking|i need|i want|i['’]m looking|which|any|what (?:should|can|could|else)|what (?!is|are|was|were|do|does|did|if|causes?|happens|would|symptoms?)\w+)\b"
# What a part behind a comma is that says what else is wanted: a measure, where and for whom, or what it is like.
WISHES_BEHIND = (
    r"(?:(?:very|really|quite|fairly|pretty|not too|nice and|preferably|ideally|maybe|also|but|and|must be|should be) )*"
    r"(?:[$€£]?\d|(?:size|under|over|below|above|around|about|less than|more than|up to|at least|at most|between|max|maximum|min|minimum|"
    r"for|in|on|near|with|at|from|to|made|suitable|ready|serves|rated|released|published|set|based|starring|directed|written|available|"
    r"something|must|should|needs?|want|just|only|extra|plus|lots of|plenty of|low|high|easy|free)\b"
    r"|(?:cheap(?:er)?|inexpensive|budget|quick|fast|simple|healthy|light|lightweight|heavy|vegan|vegetarian|kosher|halal|organic|spicy|mild|"
    r"sweet|savou?ry|hot|cold|warm|fresh|crispy|creamy|small|big|large|tiny|compact|medium|short|long|tall|wide|slim|thin|thick|new|old|"
    r"modern|classic|vintage|used|second[- ]?hand|black|white|red|blue|green|yellow|brown|gr[ae]y|pink|purple|beige|quiet|calm|relaxing|"
    r"co[sz]y|funny|sad|scary|dark|happy|romantic|good|great|nice|decent|cute|elegant|stylish|sturdy|strong|soft|central|remote|full[- ]time|"
    r"part[- ]time|unisex|(?:wo)?mens|(?:wo)?men['’]s|kids|adult|beginner|"
    r"(?!vegetable|cable|table|olive|seed|weed)[a-z]{2,}(?:able|ible|ful|ous|ive|less|proof|ed))(?=$| (?:and|or|but|with|for|in|on|to|under|enough|please)\b)"  # "pink floyd" is no colour
    r"|[\w-]+[- ](?:free|friendly|proof|style|only)\b)"
)
# What somebody says of the excluded thing, or of the day, and asks nothing by it: "no yeast, I ran out".
COMMENTS = (
    r"(?:i['’]?m|i am|we['’]?re|we are) (?:\w+ )?(?:sick|tired|bored|fed up|over|done|allergic|intolerant|afraid|scared|out of|leaving|in a hurry)\b"
    r"|(?:i|we)(?:['’]ve| have)? (?:just |already |really |only |never )?(?:ran|run out|hate|dislike|can['’]?t|cannot|don['’]?t|do not|didn['’]?t|leave|"
    r"arrive|fly|seen|read|watched|heard|had|tried|know|forgot|lost|broke|find (?:it|them|that))\b"
    r"|(?:already )?(?:seen|read|watched|heard|had|tried|done|played|know|been there|ran out|run out|hate|can['’]?t stand)\b(?: (?:them|it|those|that|all|enough)\b|[.!]?$)"
)
# What others are likened to, or what the asker loves and wants more of: "in the style of …", "I loved …".
LIKE = (
    r"\b(?:(?<![iI] )(?<!ou )(?<!e )(?<!ey )(?<!who )(?<!uld )(?<!n['’]t )(?<!ont )(?<!not )(?<!ple )(?<!lly )[lL]ike|(?i:similar to|akin to|resembling|reminiscent of|"
    r"comparable to|inspired by|influenced by|[aà] la|(?:in|with|along) the (?:style|vein|spirit|manner|mou?ld|tradition|fashion|"
    r"footsteps|sound|tone|vibe|feel|lines) of|as \w+ as)) "
)
LOVE = r"\b(?:[iI]|[wW]e)(?:['’]ve| have)? (?:(?:really|just|absolutely|also) )?(?:loved?|liked?|enjoy(?:ed)?|adored?|read|watched|finished)(?: (?:all of|all|everything by))? (?:the )?"
NAMED_IN_SMALL = (
    r"(?!(?:him|hers?|his|them|theirs?|that|this|these|those|it|its|me|my|mine|yours?|you|us|an?|the|what|when|how|to|in|on|for|some|any|all)\b)"
    r"[a-z][\w-]*(?: [a-z][\w-]*){0,3}?"
)
# What is said of those who may not come, and of what is not there: "where dogs aren't allowed".
ADMITTED = r"(?:allowed|permitted|welcome|admitted|accepted|required|needed|included|used|served|sold|spoken|offered)(?![\w-])"
WITHOUT = r"(?:without|witout|withot|whitout|w/o(?:ut)?)"
# What is said of a thing that fails, not of one that is left out: "airpods not connecting", "windows no sound".
PREDICATES = (
    r"(?:\w+ing|\w+ed|in|on|at|found|equal|null|exists?|able|available|valid|visible|safe|good|bad|enough|there|here|so|too|"
    r"as|only|just|yet|all|always|even|to|be|been|null|true|false|sent|shown|set|built|heard|known|the|a|an|hot|cold|clear|"
    r"from|by|about|made|idiom|meaning|lyrics|movie|song|book|quotes?|both|it|this|that|vs|welcome|\w+(?:able|ible|ive|ful|ous|ent|ly))\b"
)
FAULTS = (
    r"(?:sound|signal|power|space|service|response|display|video|connection|internet|picture|audio|access|such|more|longer|"
    r"one|good|idea|problem|matter|less|later|sooner|fewer|other|doubt|need|reason|evidence|effect|difference|man|stack|"
    r"supported|module|file|match|matches|results?|data|thanks|thank|way|wonder|pain|worries|but|not|idiom|meaning|lyrics|movie|song|book|quotes?|cast|\w+ly)\b"
)
STALLS = (
    r"(?:won['’]?t|will not|wouldn['’]?t|doesn['’]?t|does not|don['’]?t|can['’]?t|cannot|not|stopped) (?:turn(?:ing)?|start(?:ing)?|boot|charg(?:e|ing)|"
    r"open|connect(?:ing)?|work(?:ing)?|load(?:ing)?|print(?:ing)?|spin|drain(?:ing)?|heat(?:ing)?|cool(?:ing)?|ring|ignite|crank|update|respond(?:ing)?|"
    r"sync|power|run(?:ning)?|show(?:ing)?)\b"
)
# What works, or was done, before a "but" that says what fails: "engine cranks but no spark", "sent but not received".
RUNS = (
    r"cranks|vibrates|fills|spins|clicks|blinks|flashes|hums|buzzes|beeps|starts|turns(?: over)?|heats|idles|blows|pass(?:es)?|compiles|"
    r"downloads|saves|syncs|sends|pairs|boots up|lights up|powers up|sent|delivered|received|uploaded|downloaded|taken|paid|charged|"
    r"submitted|accepted|posted|saved|deducted|debited|ordered|shipped|dispatched|completed|verified|synced|paired|updated|copied|"
    r"scheduled|booked|confirmed|processed|refunded|transferred|logged in|signed in|plugged in|turned on"
)
RUNNING = (
    r"(?:flowering|blooming|blossoming|budding|fruiting|sprouting|growing|ovulating|spinning|charging|blinking|flashing|clicking|humming|"
    r"buzzing|beeping|cranking|idling|heating|cooling|pumping|ringing|blowing)"
)
# What people miss who complain, and nobody looks for: "lots of clicks, no sales".
OUTCOMES = words(
    "sales growth leak leaks leakage clog clogs blockage reply replies responses answer answers conversions clicks bookings "
    "improvement progress change changes luck success pregnancy ovulation flow drip interviews offers blooms buds sprouts "
    "seedlings germination roots"
)
# Where a thing is to be, and what people look for there.
BESIDE = r"on|near|at|in|above|below|by|next to|close to|inside|beside|behind|under|over|along|facing|opposite"
LISTINGS = r"(?:(?:up)?right|correct|same|list|map|market|menu|app|website|site|system|radar|internet|news)\b"
PLACES = (
    r"(?:apartment|flat|house|home|cottage|cabin|villa|room|hotel|hostel|motel|b&b|airbnb|campsite|campground|camping|parking|restaurant|cafe|café|"
    r"pub|bar|gym|pool|beach|hike|walk|trail|park|playground|school|office|shop|store|venue|seat|picnic spot|lodge|studio)s?"
)
# A whole ends with a noun, and what is taken from it is none of these: "any good but cheap laptop".
NO_WHOLE = (
    r"(?:good|cheap|small|big|nice|great|new|old|easy|simple|free|fast|quick|light|strong|long|short|real|day|time|idea|luck|sense|way|"
    r"week|night|month|year|\w+(?:able|ible|ful|ous|ive|ed|ly))\b"
)
NO_REST = (
    r"(?:not|no|nor|also|only|still|with|without|when|why|how|what|which|who|where|because|since|after|before|can|cannot|will|would|could|"
    r"should|does|did|are|was|were|has|have|had|you|she|they|her|his|him|them|our|your|its|their|this|these|those|there|then|now|never|nothing|none|"
    r"some|most|many|more|less|very|cheap|easy|nice|great|better|small|affordable|mostly|one|two|three)\b"
)
# What is said to be free of: "sugar free". Other words before "free" are names of their own: "toll free".
SUBSTANCES = (
    "acid ad additive alcohol allergen aluminium aluminum ammonia animal bpa caffeine carb cholesterol cookie corn "
    "cream cruelty dairy drm dust egg eggs fat filler flour fluoride fragrance gelatin gluten gmo grain hormone "
    "lactose latex lead meat microplastic milk mold msg nickel nicotine nitrate nut nuts oil palm paraben parabens "
    "peanut perfume pesticide phosphate phthalate plastic pork potato preservative rice salt seed shellfish silicone "
    "smoke soap sodium soy soya starch sugar sulfate sulfates sulphate sulfite tobacco toxin wheat yeast "
    "cotton down feather formaldehyde fur garlic leather metal onion pfas polyester pvc rubber sls suede vinyl "
    "wool zinc"
)
# Of these "X-free" says what is to be left out whatever stands beside it; "smoke-free" may be what is asked about.
FREE_OF = "|".join(
    word
    for word in SUBSTANCES.split()
    if word
    not in ("ad", "acid", "cookie", "cruelty", "down", "drm", "dust", "fat", "lead", "metal", "smoke", "soap")
)
# What people complain of, and what they take against it, without side effects.
AILMENTS = (
    r"(?:itchy|sore|swollen|stiff|painful|aching|runny|dry) \w+|fever|pain|dandruff|rash|cough|chills|swelling|bleeding|"
    r"discharge|itching|headaches?|migraines?|nausea|vomiting|diarrh(?:o?ea)|symptoms?|bumps|redness|sweating|dizziness|"
    r"fatigue|cramps?|(?:missed|late) period|period|congestion|sneezing|numbness|tingling|heartburn|bloating|itch|infection|"
    r"abnormalit(?:y|ies)|(?:obvious|known|clear) (?:cause|reason)|injury"
)
REMEDIES = r"\b(?:relie|remed|medic|treat|cure|drug|pill|cream|tablet|therap|supplement|for\b)"
# "non-dairy" leaves dairy out; "non-profit" and "non-linear" are names of their own.
NON = (
    r"dairy|alcoholic|vegan|vegetarian|meat|gluten|sugar|gmo|opioid|steroidal|surgical|medical|technical|academic|political|"
    r"religious|commercial|prescription|drug|hormonal|human|native|local|electric|digital|wood|plastic|leather|fried|spicy|violent|seafood"
)
# Two words that are one thing: "non science fiction" leaves science fiction out.
COMPOUNDS = (
    "science fiction",
    "sci fi",
    "hip hop",
    "heavy metal",
    "true crime",
    "martial arts",
    "video game",
    "real estate",
    "ice cream",
    "olive oil",
    "palm oil",
    "soy milk",
    "cow milk",
    "red meat",
    "fossil fuel",
    "credit card",
    "stainless steel",
    "fast food",
    "open source",
    "solid state",
    "african american",
    "asian american",
    "latin american",
    "native american",
    "north american",
    "south american",
    "south asian",
    "east asian",
    "middle eastern",
)
# Words of which "all" is a part: "not all inclusive" leaves out what is all inclusive.
ALL_OF_IT = r"(?:inclusive|purpose|season|seasons|weather|terrain|mountain|wheel|natural|male|female|girls|boys|in one|day|night|you can)\b"
PEOPLES = (
    r"(?:[a-z]{2,}(?:ian|ean|ican|ish|ese)|african|american|asian|german|indian|korean|mexican|french|dutch|greek|european|"
    r"western|eastern|us|uk)s?"
)
# A verb that makes a sentence of what would else be a list; what fails or compares; what things are said to hold.
FINITE = r"(?:is|are|was|were|am|has|have|had|does|do|did|will|may|might|can|cannot|could|would|should|must|how|why|when|where|that|which|who)\b"
FIGURES = (
    r"trouble|problems?|issues?|rise|fail\w*|become\w*|content|calories|calculator|index|price|cost|vs|versus|meaning|definition|"
    r"explained|study|studies|effects?|benefits?|risks?|healthy|unhealthy|history|shelf life|market|industry|statistics|"
    r"nutrition facts|side effects|expir\w+|ph level"
)
# What is asked of those who lack something, behind the name of what they lack: "adults without insurance statistics".
MEASURES = (
    r"statistics|stats|percentage|percent|rates?|prevalence|incidence|problems|issues|pros and cons|disadvantages|advantages|risks?|"
    r"symptoms|causes|effects|consequences|penalty|fine|punishment|laws?|prognosis|life expectancy|life ?span|survival|"
    r"outcomes?|map|shelf life|demographics|history|meaning|definition|explained|quotes?|list and why|and why|how common"
)
FAILING = (
    r"\w+ing\b|(?:\w+ed|found|able|available|visible|there|here)[.?!]*$|(?:only|just|even|all|yet|so|too|very|necessarily|always|really|"
    r"able|allowed|supposed|sure|ready|due|meant|going|\w+er|more|less) "
)
# What a list is of, by its first words: "birds of Peru", "flora of Sri Lanka". Words of a list, one at a time.
LISTED = rf"(?:(?!{FINITE})[\w'’&/-]+,? )"
PLURAL = r"(?:[\w'’-]{2,}[^s\W]s|flora|fauna|fish|people|women|men|children|wildlife|cattle)"
MEMBERS = rf"{LISTED}{{0,5}}?{PLURAL},? (?:(?:of|from|to|in|by|about|on|for|with|set|based|found|published|shot|made|written) {LISTED}{{1,8}}?)?"
# What is wanted without a verb of its own, or by somebody who asks for it: "what can i use", "are there any moons".
BARE_HEAD = (
    r"(?:(?:what|which|where|how|who)(?: else)? (?:(?:can|could|should|do|would) (?:i|you|we|one|people)|to) |(?:are|is) there |"
    r"(?:what|which)(?: (?:are|is))? |(?:can|could) (?:i|you|we|anyone) |do you (?:know|have) )?"
    rf"{LISTED}{{1,8}}"
)
# Nouns that say little without what their preposition brings: "books on tape", "reasons for leaving".
_NEEDS_MORE = (
    r"(?:those|these|ones?|that|this|it|them|things?|stuff|people|persons?|women|men|children|films?|movies?|books?|novels?|songs?|albums?|"
    r"papers?|articles?|stud(?:y|ies)|courses?|class(?:es)?|degrees?|jobs?|roles?|works?|words?|places?|events?|shops?|stores?|hotels?|"
    r"restaurants?|houses?|homes?|trips?|flights?|trains?|tickets?|tours?|reasons?|effects?|impacts?|causes?|tax(?:es)?|changes?|"
    r"increases?|reviews?|information|details?|data|use|uses|life|time|interest|experience|methods?|rules?|laws?|advice|tips|"
    r"notes|lessons|music|reports?|treatments?|cures?|payments?|costs?|fees?|money|support|demand|need|search|looking|being|having|\w+ing)"
)
_SMALL = (
    r"(?!(?:the|his|her|its|their|my|our|your|any|all|some|what|how|when|why|is|are|was|were|of|to|in|on|at|by|for|from|with|"
    r"about|and|or|but|not|no|near|during|as|who|which|he|she|they|i|you|we)\b)[a-z][a-z'’-]+"
)
_HEAD = rf"(?!{_NEEDS_MORE}\b){_SMALL}"
BARE_THING = (
    rf"\s*(?:an? )?(?:(?:{_SMALL} ){{0,2}}?(?P<head>{_HEAD})(?: (?:and|or) (?:{_SMALL} )?{_HEAD})?"
    r"|(?P<name>[A-Z][\w.+#&-]*(?: [A-Z][\w.+#&-]*){0,2})(?! \w+ (?:the |an? )?[A-Z\d\"“]))"
    r"(?= (?P<preposition>for|in|on|at|during|near) \w)"
)
# The rest of "which states do not …" is no exclusion where something fails: "which pages do not load".
FAILS = r"(?:work|load|open|start|show|boot|appear|respond|connect|display|exist|match|know|understand|like|seem|matter)\b"
WHEN = (
    r"(?:(?:from|made|released|published|written|built|recorded|shot|set|dated) )?(?:after|before|since|until|between|prior to|"
    r"(?:later|earlier|older|newer|younger|more recent) than) (?:the )?(?:\w+ )?(?:\d|an?\b|one|two|three|four|five|six|seven|eight|nine|"
    r"ten|twenty|thirty|forty|fifty)"
)
SET_IN = (
    r"(?:from|by|about|under|near|starring|featuring|containing|using|including|requiring|involving|(?:set|based|located|found) "
    r"(?:in|on)|(?:native|endemic|related) to|of(?! course)|(?:written|directed|made|produced|narrated) (?:by|in|of|with)|"
    r"in(?! (?:sync|place|use|order|range|scope|stock|service|focus|the list|my|your|another)\b))\b"
)
# Where, with whom or by what way something is not to be, up to the end: "not at google", "not via dubai".
AWAY_FROM = (
    r"(?:at|with|via|through) (?!(?:all|home|work|risk|fault|least|once|first|night|rest|it|me|us|him|her|them|this|that|my|your|full|maximum|normal|(?:the )?(?:right|same|correct))\b)"
    r"[\w'’-]+(?: [\w'’-]+){0,2}$"
)
# "Not in" a state or a shop's terms is a fault, and no place.
IN_A_PLACE = (
    r"in (?!(?:sync|place|use|order|range|scope|stock|service|focus|business|demand|danger|trouble|season|session|operation|"
    r"person|time|charge|ground|bounds|need|it|them|there|here|this|that|my|your|our|another|the (?:list|map|right|same))\b)"
    r"(?:the )?[\w'’-]+(?: [\w'’-]+)?$"
)
OCCUPATIONS = r"job|engineer|developer|programmer|designer|manager|analyst|nurse|teacher|driver|assistant|accountant|position|role|internship|apprenticeship|vacancy"
HOLDING = (
    r"(?:have|contain|use|need|require|include|involve|feature|cost|exceed|support|allow|accept|rely|depend|shed|bark|sync to|run on|"
    r"charge(?= (?:for|extra|an?|any|hidden|fees?|more|interest)\b)|mention|come with|come from|taste of|taste like|make (?:me|you|us)|cause)\b"
)
# What can be done or planned in several ways, of which some are to be avoided: "routes avoiding tolls".
METHODS = (
    r"(?:management|treatments?|therap(?:y|ies)|relief|remed(?:y|ies)|routes?|directions|itinerar(?:y|ies)|trips?|drives?|diets?|menus?|meals?|"
    r"recipes?|dishes|snacks?|workouts?|routines?|skin ?care|care|methods?|options?)"
)
SPEECH = r"(?=(?: any| all| specific)*(?: mention| reference| detail| information| info| discuss| spoiler|thing))"
# Adjectives and their opposites: "not illegal" wants the legal, and the other way round.
OPPOSITES = (
    "legal / illegal, essential / non-essential, harmful / harmless, stable / unstable, magnetic / "
    "non-magnetic, deductible / non-deductible, allowed / forbidden, permitted / prohibited, paid / unpaid, "
    "present / absent, won / lost, safe / unsafe, healthy / unhealthy, successful / unsuccessful, common / "
    "uncommon, toxic / non-toxic, poisonous / non-poisonous, venomous / non-venomous, contagious / "
    "non-contagious, alive / dead, edible / inedible, reversible / irreversible, renewable / non-renewable, "
    "available / unavailable, vegetarian / non-vegetarian, alcoholic / non-alcoholic, public / private, "
    "married / unmarried, religious / secular, military / civilian, domestic / foreign, flammable / "
    "non-flammable, processed / unprocessed, permanent / temporary, invasive / non-invasive, expensive / "
    "cheap, wireless / wired, indoor / outdoor"
)

# A name, a quotation or several things: what a question excludes of the group that it asks about.
_LISTED_NAME = r"[A-Z][\w.&-]*(?: (?:(?:of|the|de|and|or|&) )?[A-Z][\w.&-]*)*"
_PLURAL_NOUN = r"(?!(?:does|has|was|is|its|this)\b)[a-z]{2,}(?<!s)s"
_SEVERAL = rf"(?:[a-z-]+ )?{_PLURAL_NOUN}(?: (?:and|or) (?:[a-z-]+ )?{_PLURAL_NOUN})*"
GROUP = rf"\s*(?:[\"“][^\"”]+[\"”]|{_LISTED_NAME}|{_SEVERAL})"
# No verbs, though they may stand where one is looked for.
NO_VERB = (
    r"(?:[a-z]+ed|made|written|born|held|an?|the|and|or|nor|but|as|to|of|in|on|at|by|for|from|with|without|about|near|over|under|between|during|after|before|"
    r"than|that|which|who|whose|when|where|while|if|also|only|like|such|via|per|inside|around|against|into|because|since)\b"
)
