"""English."""

from esens.decompose.rules.lexicon import NAMED, Lexicon, pairs, phrases, words
from esens.decompose.rules.lexicon.en_classes import CLASSES, FRAMES
from esens.decompose.rules.lexicon.en_fragments import (
    ABOUT_IT,
    ADMITTED,
    AILMENTS,
    ALL_OF_IT,
    ALLERGIC,
    AVOIDING,
    AWAY_FROM,
    BARE_HEAD,
    BARE_THING,
    BESIDE,
    COMMENTS,
    COMPOUNDS,
    CONTRACTED_NOT,
    DISTASTE,
    FAILING,
    FAILS,
    FAULTS,
    FIGURES,
    FINITE,
    FREE_OF,
    GOES_ON_ASKING,
    GROUP,
    HOLDING,
    IN_A_PLACE,
    IRRELEVANT,
    LEAVE_OUT,
    LIKE,
    LISTED,
    LISTINGS,
    LOVE,
    MEASURES,
    MEMBERS,
    MENTION,
    MENTIONING,
    METHODS,
    NAMED_IN_SMALL,
    NEGATED,
    NO_REST,
    NO_VERB,
    NO_WHOLE,
    NON,
    OCCUPATIONS,
    OPPOSITES,
    OUTCOMES,
    PEOPLES,
    PLACES,
    PLURAL,
    PREDICATES,
    REFUSED,
    REFUSES,
    REMEDIES,
    RUNNING,
    RUNS,
    SET_IN,
    SPEAKING,
    SPEECH,
    SPOKEN_OF,
    STALLS,
    SUBSTANCES,
    SUFFERS,
    WEARY,
    WHEN,
    WISHES,
    WISHES_BEHIND,
    WITHOUT,
)

# Words that a cue may begin with; behind those of the second list only such words stand before its trigger.
FAR_LEADS = (
    "already been heard played read seen visited watched and anybody anyone anywhere everything everyone everybody everywhere as but details if in information it's let's lets my our neither nor not "
    "other provided providing putting setting so that that's to where which while who who's with yet"
)
NEAR_LEADS = (
    "a absolutely allowed also am an any are aren't be big by can can't certainly completely could definitely "
    "deliberately did do does kids children both explicitly feel from further going had hard has have having he he's huge i i'd "
    "i'm i've ideally im is isn't just kindly like make making may must need on plaese please pls "
    "potentially prefer preferably put really set she she's should specifically sure temporarily them "
    "they they're totally trying want was wasn't we we'd we're we've were weren't will won't would you "
    + SUBSTANCES
)

# One thing that is looked for, before "no" and what it is not to have, up to the end: "laptop no intel". Of a film or a
# song it may be the title, and of a thing a fault.
_WORKS = words(
    "movie film song album book novel show series game documentary drama comedy thriller music playlist"
)
_SINGLE_THING = "|".join(
    sorted(word for word in (CLASSES["product"] | CLASSES["sought"]) - _WORKS if word[-1] != "s")
)
_MISSED = "|".join(
    sorted(CLASSES["fault"] | CLASSES["symptom"] | OUTCOMES | words("focus ink input picture pictures"))
)

LEXICON = Lexicon(
    language="en",
    triggers=words(
        "no not non nor nothing cannot never neither without witout withot whitout except excepting exclude "
        "bar but dropped off anyone anybody anywhere mind omitted apply welcome wanted needed excludes excluded excepted exept excl besids included counted count w excluding exluding excludding excludde exclusion exclusive exception than then besides "
        "apart aside anything outside beyond top addition differ differs differed different distinct devoid "
        "independent unlike unrelated unconnected irrelevant irrespective instead rather opposed avoid avoiding "
        "refrain refraining omit omits omitting omitted disregard disregarding ignore ignoring skip skipping "
        "leave leaves leaving left out putting setting keep keeping take taken taking rule ruled ruling filter "
        "overlook overlooking steer drop forget minus sans barring save regardless free lacking already none hold remove hide relevant interest scope topic fan avoids excluded "
        "notwithstanding spare enough banned no-go allergic intolerant hate hates dislike dislikes detest detests loathe loathes despise sick tired fed bored zero 0 dont doesnt didnt isnt arent wasnt werent cant wont hasnt havent"
    ),
    trigger_starts=("non-",),
    trigger_ends=("n't", "n’t", "-free", "less"),
    leads=words(FAR_LEADS) | words(NEAR_LEADS),
    near_leads=words(NEAR_LEADS),
    about=(
        r"exc?luu?d\w*|exclusion|exclusive|excl|exc?ept\w*|exception|other th[ae]n|besid\w*|apart|aside|interested|asking|"
        r"nothing (?:is said )?(?:about|on|to do)|anything to do|to do with|about|nor (?:are|is|should)|(?:un)?related|unconnected|irrelevant|relevant|relating|connected|"
        r"linked|pertaining|tied|outside|beyond|addition|top of|already|mind|leav\w+|left|setting|putting|omit\w*|"
        rf"disregard\w*|ignor\w+|overlook\w*|skip\w*|filter|ruled?|ruling|{SPOKEN_OF}|{SPEAKING}|{ABOUT_IT}"
    ),
    about_behind=(
        r"(?:(?:those|ones|anything|everything|films|movies|books|articles|documents|papers|pages|talks|stories|results) )?"
        rf"(?:{SPOKEN_OF}|{SPEAKING}|{ABOUT_IT}|about|on the (?:topic|subject) of|regarding|concerning|related to)"
    ),
    has=(
        r"without|witout|withot|whitout|w/o(?:ut)?|no|zero|non|free|less|(?!regardless|unless)\w{3,}less|eat|drink|tolerate|allergic|intolerant|sans|lacking|minus|devoid|hold|with|contain\w*|neither|"
        r"serving|selling|offering|allowing|made (?:of|by|with|in|from)|from|by|set in|based on|written by|caused by|due to|because of|in|"
        rf"(?:that|which|who)(?:['’]s)? ?(?:(?:is|are|was|were|do|does|did|has|have|had|can)(?: not|{CONTRACTED_NOT})|not|never)|"
        rf"(?:do|does|did|has|have|had)(?: not|{CONTRACTED_NOT})"
    ),
    has_behind=(
        r"(?:published|released|recorded|filmed|written|made|born|built|produced|sold) (?:in|on|by|at|during)|"
        r"(?:contain|include|involve|feature|use|have|need|require)s?|(?:(?:those|ones|anything|everything|things|something|dishes|recipes|products|films|movies|books) )?"
        r"(?:with|containing|using|made (?:of|by|with|in|from)|by|from|in|set in|based (?:in|on)|written by|directed by|starring|featuring|"
        r"that (?:have|has|contain|use|need|require)s?)|(?:released |published |written |made |from )?"
        r"(?:after|before|since|until|between|prior to|(?:older|newer|later|earlier|younger|more recent) than)"
        r"|(?:(?:any|one|anything) of )?(?:his|hers|theirs)(?! [a-z])"
    ),
    clear=(
        r"(?:remove|drop|hide) (?:everything|anything|all)(?: (?:of|from|by|about|with))? …",
        r"to the exclusion of …",
        r"with the (?:sole |only |notable |possible )?(?:exception|exclusion) of …",
        r"exc?luu?d{1,2}ing …",
        r"exc?ept(?:ing)?(?: for| from| that(?= being\b| [^,]{1,80}, (?:what|which|who)\b))? …",
        r"(?<=, )but for …",
        r"but (?:definitely |preferably |please )?not (?:about|regarding|concerning|specific to) …",
        r"not interested in …",
        r"other th[ae]n …",
        r"beside?s …",
        r"excl\.? …",
        r"(?<=, )regardless of …",
        rf"(?:that|which|who) {NEGATED} about …",
        r"not having (?:anything )?to do with …",
        r"apart f(?:ro|or)m …",
        r"aside (?:from|of) …",
        rf"(?:{WITHOUT}|not|never|nor|neither)(?: any| further| specifically| explicitly| even| at all)? {SPEAKING} …",
        rf"{WITHOUT}(?: any| all| giving| providing| using| revealing)* {ABOUT_IT} …",
        rf"(?:but|and)(?: let['’]?s)? not (?:to )?{MENTION} …",
        rf"{WITHOUT} {MENTION} …",
        rf"{WITHOUT} taking … into (?:account|consideration)",
        rf"(?:but |and |so |it['’]s )(?:it |we |i )?(?:please )?{NEGATED}(?: it)? (?:allowed to )?{MENTION} …",
        r"not to mention …",
        r"(?:(?:that|which) )?(?:ha(?:ve|s|d|ving) |with )?nothing to do with …",
        rf"(?:(?:that|which) )?{NEGATED} have (?:anything )?to do with …",
        r"nothing (?:is said )?about …",
        r"(?:but |and |preferably |ideally |(?<=, ))nothing (?:with|on|from|by|like|in|related to|made of|containing|involving|that has (?:anything )?to do with|(?!compared|needed|required|gained)[a-z]+ed (?:with|by|from|in)) …",
        r"(?:(?:from|by|with|in) )?(?:any|every)(?:thing|body|one|where) (?:but|except)(?! not\b| no\b) …",
        r"(?:(?:and|but|so) )?(?:please )?(?:(?<=, )|(?<=nd )|(?<=ut )|(?<=so )|(?<=se )|(?<=[.;!] ))spare (?:me|us)(?: from)?(?= (?:the|any|all|your|more)\b) …",
        r"(?:prefer|rather|like|want) not to (?:see|have|get|hear|read)(?: about)? …",
        r"(?:as long as|so long as|provided|providing)(?: that)? (?:it|they)(?:['’]s|['’]re| is| are| do| does|)(?: not|n['’]?t) …",
        rf"(?:you (?:can|could|may|should)|feel free to|(?:i['’]d|i would) (?:like|prefer|rather) you(?: to)?) (?:left out|{LEAVE_OUT}) …",
        r"(?:leaving|setting|putting) (?:out|aside) …",
        r"(?:leaving|setting|putting|keeping|leave|keep) … (?:out of (?:it|this)|out|aside)(?=[,.;:?!]|$)",
        r"disregarding …",
        r"while (?:potentially |deliberately |specifically )?(?:overlooking|ignoring|omitting|skipping|avoiding) …",
        r"omitting …",
        r"ruling out …",
        r"(?:that|which|but)(?: specifically| explicitly)? (?:excludes?|omits?|leaves? out|avoids?) …",
        r"(?:with|containing|contain|using|(?:that|which) (?:discuss|mention|cover|involve|include|feature|use|need|require|contain)s?) neither …",
        r"(?<=, )neither …",
        r"(?:leave|keep) … off(?: the list)?(?=[,.;?!]|$)",
        r"if (?:we|you) (?:rule out|exclude|ignore|leave out|disregard|(?:do not|don['’]t) (?:consider|count|include)) …",
        r"excludes …",
        r"nor (?:are|is|do|does|should)(?: documents| articles)? …",
        rf"(?:please|kindly|let['’]?s|make sure to|making sure to|be sure to|want to|like to|prefer to|but)"
        rf"(?: please| plaese| pls| also| temporarily| specifically| explicitly| completely)* {LEAVE_OUT} …",
        r"(?:and|while)(?: also| temporarily| specifically| explicitly)? (?:exclude|omit|leave out|disregard) …",
        r"(?:and|while) ignor(?:e|ing)(?= (?:the |any |all )?(?:details|information|mention|references?|facts?|part)) …",
        rf"(?:please|kindly) (?:do not|don['’]?t) ?{MENTION} …",
        rf"(?:sure |want |trying |prefer |allowed |need )(?:not to|to not|never to) {MENTION} …",
        rf"never {MENTION} …",
        rf"not (?:allowed|permitted|supposed) to {MENTION} …",
        rf"(?:can|could|would|will) you (?:please )?not {MENTION} …",
        r"(?:i['’]?m|i am|we['’]?re|we are) not (?:interested in|looking for|asking (?:about|for)|after) …",
        r"(?:i|we) (?:do not|don['’]?t|did not|didn['’]?t) (?:want|need|care for|like)(?! (?:more|less|fewer) than| (?:how|when|what|why|the way)\b)"
        r"(?: to (?:know|see|hear|read|learn|get)(?: about| of)?(?= \w))?(?! to\b| (?:anybody|anyone|people|him|her|them|you|it) \w) …",
        r"(?:i['’]?d|i would|we['’]?d) rather not (?:have|see|use|get|hear about|read about) …",
        r"(?<=, )(?:but |and )?(?:really |just |definitely )?(?:do not|don['’]?t) want(?! to\b| (?:anybody|anyone|people|him|her|them|you|it|this|that|my|more|less)\b) …",
        rf"(?:avoid(?:ing)?|refrain(?:ing)? from){SPEECH} …",
        rf"(?:avoid(?:ing)?|refrain(?:ing)? from) {SPEAKING} …",
        r"refrain(?:ing)? from …",
        r"(?:but|while) avoid(?:ing)? …",
        r"(?<=, )avoid(?:ing)? …",
        r"(?:(?:that|which) )?(?:are |is |was |were )?(?:unrelated|unconnected|irrelevant) to …",
        r"(?:(?:that|which|but) (?:are |is |was |were ))?not (?:related|relating|connected|linked|relevant|pertaining|tied)"
        r" (?:to|with) …",
        r"save for …",
        r"as opposed to …",
        r"exclusive of …",
        rf"(?:with whom |but |and |with |making |make )?no (?:other |further |more )?{ABOUT_IT} …",
        r"with … (?<!be )(?:excluded|omitted|left out|ruled out|taken out)",
    ),
    request=(
        rf"(?=(?:(?:{FREE_OF}) (?:and|or|&) )?(?:{FREE_OF})-free (?!and\b|or\b|vs\b|versus\b)[a-z])…-free(?![\w-])",
        rf"(?=(?:(?:{FREE_OF}) (?:and|or|&) )?(?:{FREE_OF}) free (?!and\b|or\b|of\b|from\b|is\b|in\b|vs\b|versus\b)[a-z])… free(?![\w-])",
        r"but (?:definitely |certainly |preferably |please |absolutely |really |also )?not(?: on)? …",
        rf"{WITHOUT} …",
        r"unlike …",
        r"instead of …",
        r"rather than …",
        r"but (?:please |preferably |definitely )?no …",
        r"(?:(?:that|which) (?:is |are ))?(?:completely |totally )?(?:free of|free from|devoid of) …",
        r"(?:that|which) (?:is |are |was |were )(?:different|distinct|independent) (?:from|of) …",
        r"(?:that|which) differ(?:s|ed)? from …",
        rf"(?:that|which|who) (?:are|were|do|have)(?: not|{CONTRACTED_NOT}) …",
        r"regardless of …",
        r"irrespective of …",
        r"outside of(?= (?:his|her|its|their) ) …",
        r"that … (?:do|does|did|has|have|had|is|was|were)(?: not|n['’]t) \w+(?=[?.]?$)",
        rf"(?:but|yet) {NEGATED} …",
        rf"{NEGATED} {MENTION} …",
        rf"{NEGATED} (?:due to|caused by|related to|linked to|because of) …",
        rf"where … (?:is|are|was|were)(?: not|{CONTRACTED_NOT}) {ADMITTED}",
        rf"where (?:no|neither) … (?:is|are|was|were) {ADMITTED}",
        rf"(?:who|that)(?:['’]s|['’]re| is| are) {ALLERGIC} …",
    ),
    relative=(
        rf"(?:that|which|who)(?: (?:is|was|do|does|did|has|have|had)(?: not|{CONTRACTED_NOT})|['’]s not) …",
    ),
    restricts=r"(?:s|people|something|anything|someone)\s*$|\b(?:an?|any|some|one)\s+(?:[\w-]+\s+){1,3}$",
    additive=(
        r"in addition to …",
        r"on top of …",
        r"beyond …",
        r"outside(?: of)? …",
        r"(?:different|distinct|independent) (?:from|of) …",
    ),
    rest=(
        rf"but(?= (?:the )?(?:(?-i:[A-Z][\w&])|(?!{NO_REST}|{PREDICATES})[a-z]{{3,}}(?:$|[,.?!]| (?:for|in|near|under|to|on|from|at|with|or|and)\b))) …",
    ),
    wholes=rf"\b(?:any|every|each)(?: of the)?(?: [\w'’-]+){{0,2}} (?!{NO_WHOLE})[\w'’-]+ $|\ball(?: of)?(?: the| my| his| her| their)?(?: [\w'’-]+){{0,3}} [\w'’-]+[^s\W]s $",
    opening=(
        r"spare (?:me|us)(?: from)?(?= (?:the|any|all|your|more)\b[^,.;:?!]{1,60}[,.;:!] \w) …",
        rf"enough (?:with|of){GOES_ON_ASKING} …",
        r"ignoring …",
        r"(?:barring|regardless of)(?= [^,?]{1,80}, (?:what|which|who|where|how|when|why)\b) …",
        r"in addition to(?= [^?]{1,200}, (?:what|which|who|where|can you|could you)\b[^?]{0,40}\b(?:other|else|another)\b) …",
        r"if not(?= [^,]{1,60},) …",
        r"(?:potentially )?overlooking …",
        r"skipping …",
        r"minus(?= [^,.:?!]{1,60}[,:]) …",
        r"nothing (?:on|about|with|from|by) …",
        r"(?<=[?!] )(?:not|no) …",
        r"(?<=[a-z]{3}\. )(?:not|no) …",
        rf"let['’]?s not {MENTION} …",
        rf"(?:{DISTASTE}){REFUSED}(?= [^.?!,]{{1,60}}[.,;!] (?!what (?:should|can|could|do) (?:i|we) do\b)(?:[^.]{{0,60}}\b(?:recommend|suggest|looking for|show|find)\b|{WISHES})) …",
        rf"(?<=, )(?:but |and |as |since |because )?(?:{DISTASTE}){REFUSED}(?= [^.,;:?!]{{1,40}}[.!]?$) …",
        rf"(?:also |and )?{LEAVE_OUT}:? …",
        r"never mind(?= [^,]{1,60},) …",
        r"no(?= [^,.:]{1,60}[.:] \w) …",
        r"neither(?= [^,:]{1,40} nor [^,:]{1,40}[,:]) …",
        rf"avoid(?:ing)?{SPEECH} …",
        rf"(?:do not|don['’]?t) ?(?:{MENTION}|(?:use|add|put in)(?= (?!it\b|them\b|this\b|that\b))) …",
        r"(?:i|we)(?: have|['’]ve)? already (?:know|covered|have|read|seen|tried|discussed|heard)(?: about)? …",
        r"(?<=[,?.!] )already (?:read|seen|watched|played|heard|visited|been to)(?= (?!it\b|them\b|this\b|that\b|about\b|how\b|what\b)) …",
        r"(?<=[,?.!] )(?:(?:i|we)(?: have|['’]ve) )?(?:read|seen|watched|played|heard|visited|been to) … already(?=[.,;!]|$| so\b)",
        r"(?:keep|leave|take) … (?:out of (?:it|this)|out|aside)(?=[,.;:?!]|$)",
        rf"{SUFFERS} {ALLERGIC}(?= [^.,;:?!]{{1,60}}[.,;:!] {WISHES}) …",
        rf"(?<=, ){SUFFERS} {ALLERGIC} …",
        rf"{SUFFERS} (?=(?:{FREE_OF}) )… intolerant(?=[.,;:!] {WISHES}|[.!]?$)",
        rf"(?:{REFUSES}|{SUFFERS} (?:{WEARY}|{AVOIDING})){REFUSED}(?:{GOES_ON_ASKING}|(?= [^.,;:?!]{{1,60}}[.,;:!] {WISHES})) …",
        rf"(?<=, )(?:but |and |as |since |because )?(?:{REFUSES}|{SUFFERS} (?:{WEARY}|{AVOIDING})){REFUSED}(?= [^.,;:?!]{{1,40}}[.!]?$) …",
        rf"(?<=[.;!] ){SUFFERS} {ALLERGIC} …",
        r"(?:excluding|exclude|omitting|omit) … from(?= [^,?]+$)",
        r"… (?:aside|excluded|excepted|notwithstanding|ruled out|left out|not included|not counted|does(?: not|n['’]t) count|do(?: not|n['’]t) count|not (?:welcome|wanted|needed)|need not apply|omitted|(?:is|are) (?:out|off the table|banned|a (?:hard |big |definite )?no(?:-go)?)|(?:is|are) not to be (?:covered|included|mentioned)|should (?:not be (?:included|covered|mentioned|listed|part of (?:the|your) (?:answer|list))|be (?:dropped|excluded|left out|omitted)))(?=[,.;?!)]|$)",
    ),
    likely=(
        r"(?<=, )(?:and |but )?not(?= (?!(?:only|just|even|all|every|necessarily|sure|yet|always|so|to|be|\w+ing)\b)) …",
        r"(?<=,)not(?= [a-z]) …",
        r"(?<=\()(?:not|no) …",
        r"just not …",
        r"(?<=s )not too(?= [a-z]+[.!?]*$) …",
        r"(?<=s )not (?:requiring|needing|containing|using|involving|including|featuring|starring) …",
        r"(?<=[a-z] )not (?:serving|selling|offering) …",
        r"(?:but |(?<=, ))nothing(?: too)?(?= [a-z]+(?: though| please)?[.!?]*$) …",
        r"(?<=ing, )not(?= \w+ing\b) …",
        r"(?<=, )never(?= (?-i:[A-Z])) …",
        r"and not(?: (?:about|on|from|by|in|for))?(?= (?:the|an?|any|their|his|her|its|my|(?-i:[A-Z])|[\"“])) …",
        r"(?<!why )(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!am )"
        r"not (?:the|from|by|about|due to|because of|made (?:of|by|with|in)|set in|based on|written by|caused by|associated with) …",
        rf"(?<=s )not(?= (?!{PREDICATES})[a-z]+(?: [a-z]+)?(?:$| under| below| near)) …",
        r"(?<=, )no more(?= (?!than\b)) …",
        rf"(?<=, )no(?= (?!{FAULTS})) …",
        rf"(?<=s )no(?= (?!{FAULTS})[a-z]+(?: [a-z]+)?(?: please)?$) …",
        r"(?<=s )with no …",
        r"with (?:zero|0)(?= (?!(?:status|exit|stars?|points?|degrees?|rows?|results?|values?|or|and|to)\b)[a-z]) …",
        r"outside of(?= (?!town|work|school|us|uk)\w+$| (?-i:[A-Z])[\w ]{0,40}$) …",
        r"(?<=\w )minus …",
        r"barring …",
        rf"non[- ](?=(?:{'|'.join(COMPOUNDS)})(?![\w-]))…(?:{'|'.join(f'(?<={name})' for name in COMPOUNDS)})(?=[\s,.?!)]|$)",
        rf"non-(?=(?-i:[A-Z][a-z])|(?:{NON}|{PEOPLES})\b)…(?=\s)",
        rf"non (?=(?:{NON}|{PEOPLES})\b)…(?=\s)",
        rf"(?<=\w )not(?= (?!{PREDICATES})[a-z0-9]+$) …",
        r"(?<=s, )bar(?= (?:the )?[\w ]{1,40}s$) …",
    ),
    verdict=(
        rf"… (?:(?:is|are|was|were)(?: also)?(?: |(?=n['’]t))|not )(?:{IRRELEVANT})"
        r"(?=[,.;:?!)]|$| to | here| even| as | since| because| unless| for )",
    ),
    verdict_start=r"(?:^|[.?!;:](?=\s)|,? (?:but|while|whereas|however,?)(?= )|, and(?= )|[)—])\s*(?:however,?|also,?|note that)?\s*",
    doubtful=(
        r"(?:(?:that|which|who) )?(?:with|has|have|had|having|contain|contains|containing|needs?|requires?|uses?) no …",
        r"(?:(?:that|which|who) )?(?:is|are|was|were|has|have|contains?|with|using)? ?neither …",
        r"(?:hold|skip|minus|lacking|avoid(?:ing|s)?|outside(?: of)?|sans) …",
        r"(?:trying|want|like|prefer|going|need) to avoid …",
        r"none (?:of|with|by|from|about|for|in|containing|starring|(?:set|based|made|filmed|written) (?:in|on|by)) …",
        r"(?:not|n['’]t) (?:really |a |an |much of a |a (?:big|huge) )?(?:fan of|into|keen on|fond of) …",
        r"non[- ]…(?=[\s,.?!)]|$)(?! (?:related|based|specific|approved|bearing)\b)",
        r"(?=\w+-free)…-free(?![\w-])",
        rf"(?=(?:(?:{FREE_OF}) (?:and|or|&) )?(?:{SUBSTANCES.replace(' ', '|')}) free)… free(?![\w-]| of\b| from\b)",
        r"(?=(?:egg|meat|flour|sugar|crust|dairy|yeast|bone|seed|sleeve|strap|fat|gluten|oil)less)…less(?![\w-])",
        r"lacking …",
        rf"{NEGATED} …",
        r"never …",
        r"not …",
        r"no …",
        r"nothing …",
        r"neither …",
    ),
    fixed=(
        # Who asks how two things differ wants both.
        r"(?:how (?:do|does|did|is|are|was|were)|what makes) [^,.?]{1,80} (?:differ(?:s|ent)?|distinct) from",
        # How a program is told to pass over something: "exclude files from git".
        r"(?:exclude|omit|ignore|skip) (?:[\w*.-]+ )?(?:files?|folders?|director(?:y|ies)|paths?|columns?|fields?|rows?|urls?|tests?|node_modules)"
        r" (?:from|in)(?: \w+){1,3}$",
        # What is called by the step that it does not need: "no bake cheesecake".
        r"no[- ](?:knead|bake|cook|churn|boil|fuss|mess|sew|drill|dig|till|mow|iron|rinse|code|tie|show|slip|stick|scratch|crease)(?= [a-z])",
        # What it would be like: "a world without oil".
        r"^(?:a|the|one|my|our)? ?(?:world|day|week|month|year|life|future|society|summer|winter|christmas) without (?:an? |the )?[\w-]+$",
        # Names and titles, which people type in lower case.
        r"(?:doctors|reporters|engineers|lawyers|teachers|clowns|artists|musicians|singers|rabbis|architects|botanists"
        r"|journalists|translators|scientists|librarians|writers|veterinarians|electricians) without borders",
        r"(?:life|imprisonment|sentence|prison) without (?:the possibility of )?parole",
        r"rebels? without an? (?:cause|pause)",
        r"(?:man|men|woman|women|girl|boy) without (?:a |an )?(?:past|country|hats|women|men|face|fear|talent|name|qualities|shadow|faces?)",
        r"(?:with or )?without (?:you|me|us|her|him|them|remorse|a trace|warning|limits|walls|fail|doubt|question|further"
        r" ado|cause|prejudice|merit|notice|sanctuary|strings|borders|end|exception|delay|issue|recourse|reserve|a paddle)",
        r"(?:a |the )?(?:day|days|year|world|house|home|land|city|river|life|love|marriage|sex|wedding|work|time|people|"
        r"family|nation|state|party|god|religion|language|history|school|children|mother|father) without (?:a |an |the )?\w+"
        r"(?= (?:movie|film|book|novel|song|lyrics|album|cast|plot|summary|quotes|author|trailer|meaning|definition|review|band)\b)",
        r"(?:taxation|innocence|justice|order|peace|war|music|deliverance) without (?:representation|borders|words|frontiers|end|tears)",
        r"(?:step(?:ping|ped|s)?|liv(?:e|es|ing|ed)|gr[eo]w(?:ing|n)? up|fall(?:ing|s)?|drift(?:ing|ed)?|moved?|stand(?:s|ing)?|sets?|"
        r"tell|break(?:ing)?|kept?|stay(?:ing|ed)?|turn(?:ing|ed)?|far|spread) (?:aside|apart) from",
        r"non[- ]alcoholic (?:fatty|steato)\w*",
        r"besides (?:vs|or|meaning)|i before e except after c|why not|(?:(?<!what can i )(?<!what could i )(?<!what can you )(?<!what to )use|using|meaning of) (?:besides|except|unlike|without|rather than)",
        r"non[- ](?:hodgkin|euclidean|newtonian|abelian|gaap|gaussian|markovian|hermitian|archimedean)\w*",
        r"no (?:country for old men|time to die|way home|way out|man['’]?s (?:land|sky)|strings attached|doubt|fly|entry(?! fee)|"
        r"show|game no life|role modelz|scrubs|woman no cry|brainer|kidding|pain no gain|place like|contest|child left)\b",
        r"no taxation without representation|dr\.? no\b|no (?:frills|reservations|ifs|holds barred|buts)\b",
        # What something is compared with, what is asked for itself, and conditions.
        r"(?:vs|versus)\.? non[- ]\w+",
        # How others do without something is asked about, not wished for: "how do plants grow without sunlight".
        r"how (?:(?:do|does) (?!(?:i|you|we|one|people|someone|a person)\b)|did )[^,.?!]{1,60}? (?:without|w/o|with no)",
        # … and so is whether things without something are this or that: "is bread without salt typical of Tuscany".
        r"^(?:is|are|was|were|does|do) (?!(?:there|it|i|you|we|one|any|anyone|people|someone|other|these|those)\b)(?:[\w'’-]+ ){1,3}"
        r"(?:without|w/o|with no) (?:an? |the |any )?(?!\w+ing\b)[\w-]+(?= [a-z])",
        r"except(?: for)? (?:what|which) \w+",
        r"when (?:excluding|omitting|ignoring|skipping)|(?:if|when) (?:i|you|we) want to (?:avoid|skip|exclude|omit|ignore)",
        r"if not (?:exists?|email)",
        r"nothing (?:works?|helps?|happens|happened|comes|shows|plays|prints|appears|changes|\w+ed)\b",
        # Who says what a thing is, not what else, asks for nothing: "bats are mammals, not birds".
        r"^(?!(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|i|we|my|our|there|it|this|that|find|show|give|list|recommend|suggest|tell|looking|need|want)\b)"
        r"(?:(?!(?:that|which|who|where|when)\b)[\w'’-]+ ){1,4}(?:is|are|was|were) (?:[\w'’-]+ ){0,5}[\w'’-]+, not",
        r"(?:hands|toll|royalty|duty|scot)[- ]free",
        r"right,? but not (?:the|an) obligation|close but no cigar|with (?:and|or) without|not without|more often than not|minus (?:operator|function|minus)",
        r"(?:last|least) but not (?:the )?least|but not (?:forgotten|out|broken|limited)|between (?:except|besides|without|unlike)",
        r"(?:sets?|tells?|stands?|keeps?|kept|told)\b[^,]{1,40} apart from",
        r"nothing but|everything but the (?:girl|bagel|kitchen)",
        r"\w+[- ]free (?:vs|versus)\b",
        r"not (?:necessarily|picky|sure)\b",
        r"(?:do not|don['’]?t) (?:have (?:an? |any )?(?:preference|idea|clue|problem)|care|mind|know|understand)\b",
        r"(?:days|weeks|hours|months|years) without(?= \w)",
        r"no\. ?#?\d",
        r"(?:but )?not (?:a single|one (?:single )?)(?= \w)",
        r"without (?:looking|cheating|googling|peeking)\b(?! for)",
        r"not only",
        r"not just",
        r"not to mention that",
        r"to be or not to be",
        r"(?:why|whether|or|if|how come|maybe|perhaps|certainly|definitely|of course|hopefully|better|not) not(?= ?[,.?!]|$| to\b)",
        r"or not",
        r"not (?:like us|afraid|alone|today|tonight|a love song|another teen movie|your average|dead yet|okay|ok)",
        r"(?:i )?(?:can['’]?t|cannot|couldn['’]?t) help but",
        r"other than (?:honorable|honourable|that|this|dishonorable|\d+|zero|null|one)",
        r"except (?:one|him|her|me|them|us|if|when|after|that(?! [^,]{1,80}, (?:what|which|who)\b)(?! being\b))",
        r"all (?:else|other things) (?:being )?equal",
        r"(?:house|item|model|order|serial|phone|roll|account|part|flight|chapter|symphony|concerto|op|opus|chanel|number) no\b",
        r"yes(?: and| or|/)? no",
        r"(?<!\w)(?:five|ten|one|two|three|four|six|seven|eight|nine|\d+(?:\.\d+)?|x|a|n) minus",
        r"minus (?:one|sign|symbol|button|infinity|zero|\d|points?|tide|key)",
        r"(?:bar|cross|class|mitz?vah|code|chart|graph|exam|stool|none|snack|salad|tool|task|menu|nav|scroll|space) bar",
        r"bar (?:exam|code|chart|graph|stool|none|mitzvah|near|in|menu|with|at|for|and|of|on|charts?|soap|height)",
        r"(?:comic|open|noto|source|fira|gill|pt|dm|lucida|nunito|work|product|ubuntu|plus jakarta|droid) sans",
        r"sans[- ]serif|sans undertale|sans frontieres",
        r"except(?:ion)? (?:clause|block|statement|finally|handling|keyword|operator|in python|in sql)",
        r"try except",
        r"(?:union|minus|intersect|sql) except",
        r"free of (?:charge|cost)|free from home|for free of",
        r"(?:in addition|on top|beyond|outside) (?:to|of)? ?(?:that|this|these|it|or|vs)",
        r"beyond (?:reasonable doubt|repair|belief|meat|burger|the sea|compare|good and evil|redemption)",
        r"outside (?:the box|of my control|lands|in)",
        r"on top of (?:the (?:world|mountain|hill|stairs|cake)|spaghetti|old smokey|it all|mount)",
        r"unlike (?:charges|poles|terms|signs|button|fractions|denominators)",
        r"(?:never|not) (?:have i ever|again|mind(?! [^,]{0,60},)|say never|ending|gonna|let me go|been kissed|enough|too late|give up)",
        r"(?:does|do|did|is|are|was|were) not (?:equal|exist|matter|work|respond|open|load|start|boot|turn)",
        r"instead of (?:it|that|this|them)",
        r"rather than (?:it|that|this|them|sooner|later)",
        r"never(?:theless|land|more|ending|winter)",
        r"regardless of (?:whether|how|what|who|where|when|race|age|gender|cost)",
        r"(?:or|and) besides$",
        # A complaint: what is said to be missing belongs to the case.
        rf"(?:{AILMENTS})\b(?:(?!{REMEDIES})[^.;?!]){{0,40}}\b(?:no|without|not) (?:any )?(?:{AILMENTS})\b",
        r"with no (?:water |oil |fuel )?(?:pressure|spark|signal|sound|power|picture|heat|image|response|suction|dial tone)"
        r"(?=[.?!]*$|,? (?:what|why|how|but|and|when|after)\b)",
        # What works here and fails there; what else is missing of a thing that fails.
        r"(?:works?|working|worked|runs?|opens?|loads?|plays?|connects?|charges?|turns? on|powers? on|prints?|fine|appears?|seems?|"
        r"shows?(?: up)?|listed|installed|enabled|connected|detected|says|knows|tells|mentions|states)\b[^,.;?!]{0,40}? "
        r"but (?:not|no|(?:does|do|did|is|will|can)(?: not|n['’]?t)|won['’]?t)",
        rf"(?:{RUNS})(?: \w+)? but (?:still )?(?:not|no|nothing|never|(?:does|do|did|is|will|can)(?: not|n['’]?t)|won['’]?t)",
        rf"(?:{STALLS})[^.;?!]{{0,40}}?[,;]? (?:but |and )?no [\w ]{{1,20}}?(?:,? (?:and )?no\b)?",
        # What grows or runs, and what is there in plenty or in order, before a "but" that says what is missing.
        rf"(?:{RUNNING}|^(?:lots|plenty|loads|tons|heaps) of [^,.;?!]{{1,30}}?|^(?:[\w'’-]+ ){{1,3}}(?:on|off|full|fine|normal|ok|okay|lit|healthy|pregnant)) "
        r"but (?:still )?no(?:thing)?",
        # … and what should have come of what bears its name: "grass seed but no grass".
        r"(?<!like )(?P<own>[a-z]{4,}?)(?:e?s)? (?:[\w'’-]+ ){0,4}but (?:still )?no (?P=own)(?:e?s)?(?=[.,;?!]|$)",
        # What does not show.
        r"no (?:[\w'’-]+ ){1,2}(?:shown|showing|displayed|displaying|found|returned|received|detected|appearing|appears|visible|"
        r"coming(?: out| up| through)?|recorded|loaded)(?=[.,;?!]|$)",
        r"but not in (?:sync|focus|tune|order|stock|range|season)(?=[.,;?!]|$)",
        # What is asked for is the saying itself.
        r"no [^,.;?!]{1,30}? (?:idiom|meaning|saying|proverb|phrase)(?: meaning| origin)?(?=[.?!]|$)",
        # The terms of a shop.
        r"(?:shipping|delivery|returns?|pick-?up),? (?:(?:with|and) )?no (?:min(?:imum)?|code|coupon|fee|charge|catch)",
        r"no min(?:imum)? (?:order|purchase|spend)(?:ing)?",
        r"no (?:questions asked|catch|purchase necessary|refunds?)(?![\w-])",
    ),
    members=(
        rf"(?:which|what(?! (?:to|if|do|does|did|happens|is|are|was|were|can|could|should|would)\b)) (?:[\w'’&/-]+ ){{2,24}}?but "
        rf"(?:is|are|was|were)(?: not|{CONTRACTED_NOT})(?= (?!{FAILING}))|"
        r"(?:(?:(?:what|which) (?:are|were)(?: some| the| all| any| good| examples of| other)?|"
        r"(?:find|list|show|name|give|recommend|suggest|tell|search|looking|what|which|any|some)(?: me| us| for| about)?) )?"
        rf"(?:(?!{FINITE})[\w'’&/-]+,? ){{0,10}}?"
        rf"(?:[\w'’-]+ (?:that|which|who) (?:(?:are|were)(?: not|{CONTRACTED_NOT})(?= (?!{FAILING}))"
        rf"|(?:do not|don['’]?t|will not|won['’]?t)(?= {HOLDING})|(?:can ?not|can['’]?t)(?= be (?:found|bought|used|made|seen|grown|eaten)\b))|[\w'’-]+[^s\W]s where [^,.?!]{{1,40}}? (?:is|are)(?: not|{CONTRACTED_NOT}) {ADMITTED}"
        rf"|[\w'’-]+[^s\W]s not(?= {SET_IN}))"
        rf"|(?:what|which)(?: [\w-]+){{0,2}} [\w-]+[^s\W]s (?:in [\w-]+ |of [\w-]+ )?"
        rf"(?:(?:have|contain|need|require|use) no(?![\w-])|(?:(?:do|did)(?: not|{CONTRACTED_NOT}))(?= (?!{FAILS}))"
        rf"|are(?: not|{CONTRACTED_NOT})(?= (?!{FAILING})))"
        # "I need a hotel that doesn't charge for wifi"
        rf"|(?:i['’]?m |i |we |we['’]re )?(?:need|want|looking for|find|recommend|suggest|show)(?: me| us)? an? {LISTED}{{1,8}}?"
        rf"(?:that|which) (?:does not|doesn['’]?t)(?= {HOLDING})"
        # "date picker that doesn't depend on jquery"
        rf"|(?!(?:an?|the|my|our|this|that|his|her|your|one) ){LISTED}{{1,7}}?(?:that|which) (?:does not|doesn['’]?t)(?= {HOLDING})"
        # "painkiller that is not an opioid"
        rf"|(?!(?:an?|the|my|our|this|that|his|her|your|one) ){LISTED}{{1,7}}?(?:(?:that|which) (?:is not|isn['’]?t)|that['’]?s not)"
        rf"(?= (?:an? |the )?(?!{FAILING}|{PREDICATES}|mine\b|yours\b)[\w'’-]+(?: [\w'’-]+){{0,3}}$)"
        # "jobs not at google", "flights to oslo not with ryanair"
        rf"|(?!(?:my|our|his|her|your) )(?:{MEMBERS}|{LISTED}{{0,3}}?(?:{OCCUPATIONS}) (?:in [\w-]+ )?)not(?= {AWAY_FROM})"
        # "internship not in berlin", "flat not in the city centre"
        rf"|{LISTED}{{0,3}}?(?:{OCCUPATIONS}|{PLACES}) not(?= {IN_A_PLACE})"
        # "laptop no intel"
        rf"|{LISTED}{{0,3}}?(?:{_SINGLE_THING}) no(?= (?!{FAULTS}|(?:{_MISSED})\b)[a-z]+(?: (?!{FAILING}|(?:{_MISSED})\b)[a-z]+)?$)"
        # "low back pain management avoiding opioids", "how to lose weight avoiding surgery"
        rf"|{LISTED}{{0,6}}?(?:{METHODS}) avoiding(?! (?:{AILMENTS})\b)|how to {LISTED}{{1,6}}?avoiding(?= (?:{'|'.join(sorted(CLASSES['means']))})\b)"
        # "orchids of Myanmar but not of India", "mammals of Asia not in Japan", "films not after 2000".
        rf"|(?:(?:what|which) are (?:some |the )?|(?:find|list|show|name)(?: me)? )?{MEMBERS}(?:(?:that|which|who) (?:are|is|were|was) "
        rf"(?:also |both )?{LISTED}{{1,10}}?){{0,2}}(?:but (?:not|(?:is|are|was|were)(?: not|{CONTRACTED_NOT}))(?= (?!as\b|a single|{PREDICATES}[.?!]*$))|not(?= (?:{SET_IN}|{WHEN}|{PLURAL} of\b)))"
        rf"|{LISTED}{{1,8}}?(?:not(?= {WHEN})|neither(?= [^,.?!]{{1,40}} nor ))"
        # "cabin in Tuscany not on a farm", "parking in Bristol not at the airport"
        rf"|{LISTED}{{0,3}}?(?:{PLACES}) (?:to rent |for rent |for sale )?(?:(?:in|near|around|at|by|on|for|under|with|outside) {LISTED}{{1,4}}?)?not(?= (?:{BESIDE}) (?:(?:an?|the|my) (?!{LISTINGS})|[a-z-]+[^s\W]s(?:$|,)))"
        # "how to make lactose free mashed potatoes", but not what fails, or a figure.
        rf"|(?![^?]{{0,120}}\b(?:{FIGURES})\b)(?:(?:how (?:to|do i|do you|can i|can you)|where (?:can i|to|do i)|is there|are there) "
        rf"(?:make|cook|bake|prepare|get|find|buy|an?|any|some) )?(?:(?!{FINITE})[\w'’&/-]+,? ){{0,5}}?"
        rf"(?:(?:{FREE_OF}) (?:and|or|&) )?(?:{FREE_OF})[- ]free(?= (?!and\b|or\b|is\b)[a-z])"
    ),
    never_of_members=(
        "without",
        "w/o",
        "with ",
        "instead",
        "rather",
        "never",
        "non",
        "unlike",
        "outside",
    ),
    lack_asked=(
        r"(?:what(?:['’]s| is| does| makes| happens)|(?:why|when|how (?:come|is|are|was|were|much|many|long|often|does|did|"
        r"do(?! (?:i|you|we|one)\b)))\b[^,]{0,80}?|(?:is|are|was|were|does|do|did|can|should|will)|(?:is|are) it "
        r"(?:better|good|bad|healthy|safe|worth|ok|okay)\b[^,]{0,60}?|[^,]{0,40}?(?:benefits?|advantages?|disadvantages|risks?|dangers?|"
        r"side effects|history|meaning|definition|pros and cons) of)(?: (?:an?|the|all|most|eating|drinking|following))*"
    ),
    lack_told=rf"\b(?:{FIGURES})\b",
    lack_measured=rf"(?:{WITHOUT}|with no|avoiding|who (?:do not|don['’]?t) have) [^,.;?!]{{1,60}}? (?:{MEASURES})(?: (?:in|of|by|for|and) [^,.;?!]{{1,40}})?[.?!]*$",
    outcome_asked=r"(?:so |and |but )?what(?:['’]s)? (?:happens?|happened|(?:would|will|could|can|might|does) happen|if)\b",
    complaining=r"(?:(?<=, )|but (?:still )?)no\b",
    outcomes=OUTCOMES,
    refusing=rf"(?<=, )(?:but |and |as |since |because )?(?:(?:really |just |definitely )?(?:do not|don['’]?t) want|already|(?:(?:i|we)(?: have|['’]ve) )?(?:read|seen|watched|played|heard|visited|been to)|{DISTASTE})\b",
    troubled=r"^(?!(?:i|we)(?:['’]\w+| am| are| would)? (?:need|want|looking|like|love|enjoy|search|plan|prefer))(?:(?:my|our|his|her|their|he|she|they|i|we|it|got|lost|was)\b|\w+ed\b)|\b(?<!for )(?<!with )(?<!from )(?<!to )(?<!near )(?<!in )(?<!of )(?:my|our|his|her|their|keeps|broken?)\b",
    mishaps=CLASSES["mishap"] - CLASSES["means"],
    # What may be the topic itself: a condition, a fault, what is there or is not.
    topics=(
        r"without (?:an? |the |any )?(?:trial|warrant|charges?|bail|body|licen[cs]e|permit|will|lawyer|attorney|passcode|password|"
        r"degree|diploma|visa|passport|id|consent|permission|aura|complications?|replacement|representation|parole|possibility|"
        r"registration|leave|consideration|intent|precedent|headache|contrast|training wheels|reason|damage)\b",
        r"no (?:experience|money|credit|degree|wifi|job|symptoms|prior|history|apparent|obvious|reason|warning)\b",
        r"no (?:one|more|longer|less|later|sooner|matter|problem|idea|reason|such|other|fewer|greater|need|sign|"
        r"good|love|game no life|role modelz|scrubs|woman no cry|smoking|parking|sound|signal|power|space|service|response|"
        r"display|video|connection|internet|picture|audio|access|module|file|worries|offense|comment|evidence|"
        r"significant|effect|difference|association|known|longer|brainer|kidding|pain no gain|place like|"
        r"fault|contest|deal|child left|end|return|fear|mercy|exit|regrets|limits?|name|face|code|make ?up)\b",
        r"(?<!that )(?<!which )(?<!who )(?:there (?:is|are|was|were)|has|have|had|is|are|was|were|with little or|little to|in|or|yes|say|saying|says|"
        r"of|by|shows?|showed|had|got|gets?|if|why|plays?|make|makes|made|take|takes|poses?|leave|leaves) no(?= \w)",
        r"(?:not|(?:is|are|was|were|do|does)n['’]t) (?:really|quite|exactly|necessarily|at all|yet|anymore|any more|again|guilty|applicable|available)",
        r"(?:how|where|when) to (?:exclude|omit|ignore|skip|avoid|disregard|leave out|filter out|rule out)",
        r"(?:regex|grep|rsync|glob|gitignore|tsconfig|eslint)\b[^,]{0,60}\b(?:except|excluding|exclude|"
        r"without|but not|not|minus|other than)",
        r"(?:select|delete|remove|copy|match|keep|replace) (?:all|every|everything|any)\b[^,]{0,40} (?:except|but|excluding)",
    ),
    fact_before=(
        r"\b(?:or|live|lives|living|lived|survive|survives|surviving|happens|happen|cope|sleep|sleeping|go|goes|going|gone|"
        r"left|born|even|die|dies|died|do|does|doing|done|function|functions|possible|work|works|exist|exists|be|being|"
        r"only|if|when|impossible|can|cannot|meaning of|called|titled|named|about|been)\s*$"
    ),
    manner=r"(?:how|ways? to|what to do|can|\w+ing)\b",
    condition=r"without an? |with no ",
    facts=(
        r"(?:without|unlike|instead of|rather than) (?:it|them|him|her|us|me|you|that|this|which|whom|each other|through)\b"
        r"|without (?!using|involving|anything|something|everything|giving|providing|revealing|taking|learning|getting into)"
        r"[a-z]{2,}ing\b"
        r"|(?<=ing )(?:rather than|instead of) \w+ing\b"
        r"|without [^,]{0,60}\b(?:meaning|definition|lyrics|idiom|synonyms?)$"
        r"|without [^,]{0,60},\s*\w+ would\b"
    ),
    comparing=r"(?:why|should|when (?:do|to|should|is|are)|(?:is|are|was|were|am|has|have|did|will)(?! there (?:any|other|some|a)\b)(?! (?-i:[A-Z]))|whether|if|does|do|how (?:to tell|to know|come|long|is|are|was|were|(?:do|does|did)(?! (?:i|you|we|one)\b))|can (?:i|we|you (?!please|tell|give|list|name|provide|recommend|explain|describe|introduce|share|suggest|find|show|help|discuss|identify|summari|compare|outline|elaborate|talk|briefly|also|kindly))|"
    r"difference|differences|pros|benefits? of|advantages? of|reasons?|because|what (?:makes|(?:did|do|does|can|should) \w+(?: \w+)? use|happens|if|would|is the "
    r"(?:difference|meaning|point|effect))|meaning|define|definition)\b",
    asking=r"(?:(?:and|but|so|ok|hi|hello|hey|please|kindly|also|now|then)\b,?\s*)*(?:what|which|who|whom|whose|when|where|why|"
    r"how|is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|may|tell|list|give|name|find|show|describe|"
    r"provide|introduce|explain|recommend|suggest|search|look|looking|need|want|i|i['’]?m|i['’]?d|we|help|get|share|discuss|"
    r"summari[sz]e|compare|outline|identify|mention|write|talk|let|let['’]?s|information|info|details|to|make|add|return|"
    r"navigate|select|buy|order|upvote|open|spare|enough|"
    r"only)\b",
    finite=r"\b(?=[acdhimsw])(?<!\bto )(?<!that )(?<!which )(?<!who )(?<!\bi )(?<!you )(?<!they )(?<!we )(?:is|are|was|were|has|have|had|does|do|did|will|may|might|can|cannot|could|would|should|must|isn['’]t|"
    r"aren['’]t|doesn['’]t|don['’]t|didn['’]t|wasn['’]t|can['’]t)\b",
    claims=(
        r"\w \b(?:(?:show|produce|decrease|reduce|mount|suppress|inhibit|promote|lead|improve|prevent|induce|develop|exhibit"
        r"|require|enhance|impair|affect|regulate|protect|correlate|provide|contain|express|mediate|contribute|activate|occur|remain"
        r"|become|make|bind|suffer|fail|resist|predict|raise|decline|accumulate|rise|grow|die|survive|respond|depend|vary"
        r"|alter|disrupt|confer|modulate|encode|serve|suggest|indicate|demonstrate|explain|receive|undergo"
        r"|achieve|gain|lose|exist|arise|persist|migrate|proliferate|differentiate|degrade|secrete|stimulate|facilitate|maintain"
        r"|recover|tolerate|exceed|outperform|perform|believe|think|say|know|feel|seem|appear|tend|eat|live)s?"
        r"|drives|forms|acts|shows|needs|wants|likes|helps|causes|triggers|increases|plays|results|works|uses|takes|gets|gives|goes|comes|means|displays|influences|has)\b"
        r"|(?:(?-i:[A-Z])\w+|\b(?:he|she|it|they)) (?:also |later |then )?(?:(?-i:[a-z]+ed)|wrote|won|made|became|led|took|sang|ran|held|gave|came|went|built|sold)\b"
    ),
    clause_openers=r"(?:^|[,.:;?!(—–/\"”，]| -|\b(?:but|please|kindly|let['’]?s))\s*$",
    wrappers=(
        r"(?:documents|papers|articles|results|pages|passages|items|recipes|content) (?:that )?(?:mentioning|mention|about|on|dealing with|focus(?:ing)? on|talk(?:ing)? about|cover(?:ing)?|use|using|contain(?:ing)?|discuss(?:ing)?)",
        MENTIONING,
        MENTION,
        r"(?:caused|associated|affiliated|owned|related|connected|linked|made|written|covered|discussed) (?:by|with|to|in)",
        rf"(?:any|all(?! {ALL_OF_IT})|some|specific|further|other|additional|such|certain|just|only|specifically|explicitly|especially|also) ",
        r"(?:the )?(?:personal |specific |other |additional |related |relevant |background |biographical |detailed )?"
        r"(?:mention|information|infor|info|detail|reference|discussion|connection|content|data|spoiler|relation|fact|"
        r"aspect|topic|result|document|article|page|stuff|material|insight|context|focus|regard|emphasis|knowledge|story|"
        r"situation|case|issue|question|association|link|tie|matter|element)s?(?: or (?:information|details?|references?))?"
        r" (?:of|about|on|to|with|from|for|regarding|concerning|surrounding|involving|specific to|relat(?:ed|ing) to|pertaining to|connected to|"
        r"associated with|dealing with|between|that (?:is|are) related to)",
        r"(?:anything|everything|those|ones|things|that|something|what|stuff|people|works)"
        r"(?: (?:about|with|on|of|from|by|in|for|(?:is |are )?(?:related|relating|connected|linked) (?:to|with)|regarding|"
        r"to do with|concerning|involving|that (?:is|are|was|were)|like|such as))",
        r"(?:those|ones|anything|everything|things|something)(?: (?:that|which|who)(?= [a-z]))?",
        r"(?:that|which)(?= (?:need|take|require|involve|contain|use|cost|include|have|feature|rely|depend|come|taste|make|last)s?\b|has\b)",
        r"(?:who|that|which) (?:is|are|was|were)",
        r"(?:related|relating|connected|linked|pertaining) (?:to|with)",
        r"(?:have|has|had|contain|contains|containing|use|uses|using|need|needs|needing|require|requires|requiring|include|includes|involve|"
        r"serve|sell|allow|offer|accept|permit|serving(?! as\b)|selling|allowing|offering|permitting|made (?:of|from|with)|"
        r"star|starring|narrated by|directed by|written by|made by|set in|rely on|come with|come from|taste of|taste like|"
        r"make (?:me|you|us)|adding|added|having to use|having to|the flavou?r of|the taste of|the smell of|a lot of|lots of|too much)",
        # "not in ear" names a kind of headphones.
        r"(?:(?:in|on)(?! ears?\b)|at|near|via|close to|next to|inside|during|under|(?:a )?part of|"
        r"be(?= (?:found|bought|used|made|seen|grown|eaten)\b))",
        r"(?:me|with|about|of|or|for|to|by|from|regarding|concerning|from being|being|having|him and|her and|them and|allowed to|that (?:being|having))",
        r"(?:the fact that|the likes of|the use of|the word|the term|the name|the name of|the topic of|the subject of)",
        # "the us" is a country, and "us" stands in any text.
        r"(?:the(?! us\b)|an?) ",
    ),
    deed_denied=rf"\b(?:(?:do|does|did|will)(?: not|{CONTRACTED_NOT})|won['’]?t)",
    deeds=(
        r"run(?: on)?|play|cause|emit|burn|support|produce|speak|eat|drink|wear|cost|attract|employ|treat|teach|cover|"
        r"depend on|sync to|smell of|smell like|take place in|work with|come in|end in|belong to|consist of|focus on"
    ),
    suffix_start=r"[,.;:?!(–—]\s*| - ",
    articles=r"(?:the(?! us$)|an?|any) |(?:its|their|his|her|my|your|our) ",
    pronouns=(
        r"\s+(?:(?:any|anything|one|ones|those|something|the ones) )?(?:(?:sung|written|directed|performed|played|made|painted|recorded|produced) )?"
        r"(?:(?:by|from|with|featuring|starring|of|about) )?(?:him|her|them|it|he|she|they|his|hers|theirs)"
        r"(?: (?:own|himself|herself|themselves|itself|personally|specifically|though|please))*"
        r"(?=[.,;:?!)]|$| (?:for|from|in|on|under|since|to)\b)"
    ),
    likened=rf"{LIKE}(?:the )?({NAMED})|{LIKE}(?:the )?({NAMED_IN_SMALL})['’]?s?,? (?:ones )?$|({NAMED})(?:(?:['’]s?)? style|-(?:style|like|esque|inspired))\b|{LOVE}({NAMED})(?=[^,.;!?]*[,.;!?] )",
    treated=rf"\b(?:about|of|on) (?:the )?({NAMED})",
    told_of=r"(?:he|she|they|it|you|my|your|his|her|everyone|everybody|nobody|people)\b",
    referring=r"his|her|its|their|(?:any )?(?:other|related|events connected)",
    no_traps=words(
        "there here inside outside upstairs downstairs everywhere anywhere nowhere elsewhere yet now then anymore again ever "
        "that this it these those them ado obvious doubt question fail one ones all everything anything a the others other "
        "him her his hers theirs he she they you me us himself herself itself themselves so exception exceptions issue issues problem problems"
    )
    | {"further ado"},
    question_words=r"what|which|who|whom|whose|when|where|why|how",
    clause_words=(
        r"i['’]m|i['’]ve|i['’]d|is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|"
        r"please(?=\s+\w)|tell|list|give|name|find|show|describe|provide|introduce|explain|i|we|you|recommend|suggest|"
        r"summari[sz]e|discuss|compare|outline|share|write|identify|search|get|help|talk"
    ),
    imperatives=(
        r"please(?=\s+\w)|tell|list|give|name|find|show|describe|provide|introduce|explain|i|we|you|can you|could you|"
        r"recommend|suggest|summari[sz]e|discuss|compare|outline|share|write|identify|search|get|help|talk"
    ),
    goes_on=r"with|for|(?:what|which|who|where)\s+(?:other|else)",
    not_subject=r"(?<!that)(?<!which)(?<!who)(?<!those)(?<!ones)(?<!\bI)(?<!\byou)(?<!\bwe)(?<!\bit)(?<!\bhe)(?<!\bshe)(?<!\bthey)",
    capitalised=r"(?:I|We)\b",
    contrasting=r"rather than|instead of|unlike|as opposed to",
    joining=r"i|we|i['’]?d|we['’]?d|would|already|(?:do not|don['’]?t) want\b|that|which|who|where|but|and|as long as|so long as|provided|providing|my|our|he|she|they|(?:the )?(?:kids|children)|(?:do not|don['’]?t) (?:mention|include|use|add|put in)\b",
    group_question=r"(?:do|does|did|can|could|will|would) (?:any |some |all |the |other )*[\w-]+(?: [\w-]+)?",
    group=r"\s*(?:(?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*)*|(?:[a-z-]+ )?[a-z]{2,}s)(?: (?:and|or) (?:[A-Z][\w-]*|[a-z]{2,}s))*(?= [a-z])",
    agreeing=(
        rf"{GROUP}(?= (?!{NO_VERB})[a-z]+[a-rt-z]s \w)",
        rf"{GROUP}(?= (?!{NO_VERB})[a-z]+[a-rt-z] \w)",
    ),
    embedded=r"\s*(?:[a-z]+ ){0,2}(?:how|whether|why)\b",
    aside=r"[,;]\s*(?=(?:my|he|she|they|it|it['’]s|he['’]s|she['’]s|they['’]re|since|because|as|so that|thanks)\b"
    rf"|{COMMENTS})",
    remark=r"(?<=[a-z]),\s+(?=(?:in which|in|on|at|to|of|that|who|which|near|with|for|from|under|published|made|released|since)\s)",
    verbs=r"(?:(?:I|you|we) )?(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had)",
    subject=r"(?:who|what|which|whose|have|has|had|did|do|does|is|are|was|were)\b(?! there\b)",
    predicate=r"(?:,\s+(?![^,]{1,60}, (?:and|or)\b)(?=(?!and\b|or\b|an?\b|the\b|who\b|which\b|in\b|of\b|one\b|also\b|with\b)[a-z])"
    r"|\s+(?=(?:[a-z]{2,}ed|stars|acts|plays?|wrote|won|made|led|took|became|sang|ran|held|got|gave|came|went|is|are|was|were|"
    r"has|have|had|do|does|did|can|could|would|will|should)\s))",
    opening_stop=r"\s[–—-]\s|\s(?=(?:for|near|under|around) \w|ranked\b)",
    apart=r"other th[ae]n|beside?s|exc?ept(?:ing)?(?: for)?|apart f(?:ro|or)m|aside from",
    bare_head=BARE_HEAD,
    bare_thing=BARE_THING,
    modifier=r"no [\w-]+(?: (?:card|checks?|fees?|exams?|added|down|required|needed|history|tests?))?(?= \w)",
    before_modifier=r"(?:^|\b(?:for|an?|the|my|your|with))$",
    # A parenthesis ends it, but not one that says which is meant: "Dark (TV series)".
    asides="but not",
    stops=r"\s+(?=\((?!(?-i:[A-Z\d])|[\w ]{0,20}\b(?:film|series|song|album|band|singer|comics|game|novel|painting)\)))|(?<=\d{4}) (?=(?:on|about)\b)| (?=(?:free|just|only(?! *[.?!]*$)|over \d+|but)\b)| (?=(?:but|and) with\b|with \d)| (?=and (?:lots|plenty) of\b)| (?=(?:under|below|over|above|around|less than|more than|cheaper than|up to|near) (?:[$€£]?\d|me\b|my\b))"
    r"| (?=(?:in|from) (?:the )?(?:inquiry|question|answer|explanation|response|reply|description|discussion|your answer)\b)"
    r"|,? (?:so none of (?:that|those|it|them)|so(?: please)?|please|thanks|thank you|though|lol|at all|if possible|for now|this time|itself|himself|herself|themselves|plz|pls|either|(?-i:again)|anymore|any more|in (?:it|them))(?: all)?(?=[.?! ]*$)|,? (?=(?:and|but) (?:what|which|who|how|where|when|why)\b)"
    r"|(?<=ing) (?:it|them)(?=[.,?!]|$)| (?=and (?:also|create|move|copy|delete|tell|take|print)\b)"
    r"| (?=for (?:(?:(?-i:my)|your|our|men|women|kids|children|boys|girls|adults|beginners|dogs|cats)\b|an? \w+[.?! ]*$))",
    wishes=WISHES_BEHIND,
    led_by_makers=r"\b(?:by|from|starring|featuring|via) (?!(?:the )?\d)",
    conjunctions=r"and|or|nor|and/or|as well as|along with",
    general=r"(?:forms|types|kinds|sorts|effects|uses|methods|causes|symptoms|features|properties|traits|characteristics|benefits|risks|"
    r"requirements|procedures|processes|functions|origins|details|terms|aspects|issues|factors|definitions|examples|impacts|consequences)",
    ranges=r"\bbetween \S+(?: \S+)? and \S+|\b[12]\d{3} (?:or|and) (?:before|earlier|older|after|later|newer)\b",
    names=True,
    links=words(
        "of the de la le les van der den von du del da di y e och and & in at to for on a with from et un una no v. vs. their"
    ),
    apposition=r"who|which|whose|in which",
    behind_name=r"in|on|from|as|at|during|for|based|located|by|that|under|with|about|when|where|being",
    dates=r"born|b\.|née|died",
    abbreviations=phrases("St, Dr, Mr, vs, No, Jr, Sr, Lt, Mrs, Rep, Gov, Sen, Col, Gen, Sgt, Inc, Ltd"),
    aspects=(
        r"career|careers|role|roles|life|lives|work|works|music|background|personal|involvement|position|positions|"
        r"contributions?|family|style|history|death|birth|biography|achievements?|accomplishments?|characters?|"
        r"performances?|participation|influence|impact|relationship|connection|association|awards?|films?|movies?|"
        r"songs?|albums?|books?|novels?|discography|filmography|education|marriage|wife|husband|children|childhood|"
        r"playing|acting|tenure|time|status|reputation|legacy|views?|political|musical|professional|early|concert|"
        r"portrayal|construction|collaborations?|collection|ownership|presidency|heritage|treated|honou?r|title|sponsor|"
        r"serving|being|having|playing|editing|venues?|related|relating|such as|like|including|his|her|its|their|"
        r"proximity|match|matches|rivalry|friendship|show|projects?|plays?|information|details|story|appearance|victory|win|loss|season|debut"
    ),
    works=(
        r"\b(?:films?|movies?|songs?|albums?|books?|novels?|stories|poems?|poetry|plays|paintings?|sculptures?|photographs?|essays?|"
        r"biographies|symphon(?:y|ies)|concertos?|operas?|speeches|theor(?:y|ies)|music)\b"
    ),
    kinds=(
        r"film|movie|documentary|song|single|album|mixtape|soundtrack|book|autobiography|memoir|novel|play|musical|opera|series|show|sitcom|game|band|group|magazine|newspaper|"
        r"fictional|famous|former|late|nearby|poem|painting|episode|comic|manga|anime|ship|train|company|team|city|town|village|river|genus|species|breed|label|"
        r"resort|hotel|airline|airport|station|school|college|university|club|museum|theat(?:re|er)|brand|barn|model|star|"
        r"executive|ace|ceo|heavyweight|aircraft|device|landmark|friend|wife|son|personality|candidate|studio|host|official|lord|king|queen|prince|princess|general|judge|chef|coach|artist|poet|duo|trio|rapper|guru|called|named|titled|"
        r"drama|comedy|cartoon|franchise|country|state|island|mountain|lake|district|suburb|party|movement|"
        r"(?!under|over|after|other|their|never|near)\w{2,}(?:er|or|ist|ian|ess|man|woman|eur)"
    ),
    kinds_behind=r"breed|genus|species|plants?|magazine|newspaper|album|band|series|franchise|brand",  # "the Basenji breed"
    # What leads from an aspect to a name, and from anything: "height of", "participating in".
    about_name=r".*\b(?:of(?: the)?|(?:done|made|held|written|played) by)|(?:\w+ing|\w+ed|born|made|done)\b.*",
    prepositions=r"involving|featuring|starring|of|in|with|by|from|about|for|to|at|on|like|as|such as|the|including|under|over|against|between",
    leading=("and ", "but "),
    opening_leads=("for ",),
    dangling=phrases(
        "but, and, while, also, please, or, though, yet, can you, could you, would you, i, you, that, which, who, "
        "with, just, specifically, those, ones, make sure, making sure, be sure, let's, but please, it's, is, are, "
        "was, were, that is, that are, there is, there are, there's, there’s, especially, then, even, should, to, only, focusing on aspects, aspects, "
        "particularly, keeping in mind that, ideally, preferably, where, thats, that's, whos, who's, made of, made from, made out of"
    ),
    others=r"\b(what|which|who|where|any|some|of|in|by|about|there|list|name|recommend|find|me|(?:are|were|is|was) the|"
    r"with|from|has|have|for) ?(?:other|else)\b(?! (?:than|woman|women|side\b(?! effect)|hand|day|guys))",
    others_hold=("other", "else"),
    other_words=r"\b(?:other|others|else|another|different|additional|more)\b",
    empty_words=words(
        "a an the how to what which who whom whose when where why is are was were do does did can could there any "
        "anything something some of else other it that this i you me tell give show list one ones please for about "
        "in on and but everything everyone all nothing us"
    ),
    denial=r"(?:n['’]?t|\bnot)(?=\s+$)",
    negation=r"(?:(?:that|which|who) )?(?:(?:is|are|was|were)(?: not|n['’]?t)|not) (?!(?:allowed|permitted) to\b)",
    counterparts=pairs(OPPOSITES),
    classes=CLASSES,
    frames=FRAMES,
)
