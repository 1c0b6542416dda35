"""German."""

from esens.decompose.rules.lexicon import Lexicon, words

_OF = r"(?: (?:von|vom|der|des|dem|den|meiner|deren))?"
_SPEAK = r"(?:zu )?(?:erwähnen|nennen|berücksichtigen|besprechen|einzubeziehen|einbeziehen|beachten)"

LEXICON = Lexicon(
    language="de",
    triggers=words(
        "ausnahme ausschluss ausklammerung ausgenommen ausgeschlossen abgesehen exklusive exkl außer ausser nicht "
        "kein keine keinen keiner keines keinem nichts ohne statt anstatt anstelle neben anders auf sondern "
        "jedoch weg weglassen"
    ),
    trigger_starts=("nicht-",),
    leads=words("mit unter aber jedoch doch bis die der das und bitte"),
    clear=(
        rf"mit (?:der )?Ausnahme{_OF} …",
        rf"unter (?:Ausschluss|Ausklammerung|Weglassung){_OF} …",
        r"abgesehen vo[nm] …",
        r"(?:einmal )?ausgenommen(?: sind| davon)? …",
        r"exkl(?:usive|\.)? …",
        r"au(?:ß|ss)er …",
        r"(?:aber|jedoch|doch|und) (?:nicht|keine?[nrsm]?|nichts(?: (?:über|mit|von|zu|aus))?) …",
        r"nichts (?:über|mit|von|zu|aus) …",
        r"ohne (?:Erwähnung|Berücksichtigung|Einbeziehung|Nennung) (?:von|der|des) …",
        rf"ohne … {_SPEAK}",
        r"nicht (?:einschließlich|inklusive|eingeschlossen) …",
        r"bitte (?:keine?[nrsm]?|nichts (?:über|mit|von|zu)) …",
    ),
    request=(
        r"ohne …",
        r"(?:an)?statt …",
        rf"anstelle{_OF} …",
        r"anders als …",
        r"bis auf …",
        r"(?:die|der|das) (?:nicht|keine?[nrsm]?) …",
    ),
    additive=(r"neben …",),
    opening=(r"… (?:ausgenommen|ausgeschlossen|(?:bitte )?weglassen)(?=[,.;:?!)]|$)",),
    likely=(
        r"(?<=, )nicht(?= (?!nur|mehr|zu|so|immer|alle)) …",
        r"(?<=, )keine?[nrsm]?(?= ) …",
        r"(?<=\w )nicht (?:der|die|das|den|von|aus) …",
        r"nicht-…(?=\s)",
        r"(?<=\w )nicht(?= (?-i:[A-ZÄÖÜ])\w+$) …",
    ),
    doubtful=(r"nicht …", r"keine?[nrsm]? …", r"nichts …"),
    fixed=(
        r"nicht nur",
        r"mann ohne (?:eigenschaften|schatten|namen|gesicht)",
        r"nicht mehr",
        r"(?:ärzte|reporter|apotheker|ingenieure) ohne grenzen",
        r"ohne (?:weiteres|zweifel|grenzen|führerschein|strom|wasser|mich|dich|ende|worte|titel|gewähr)",
        r"mit (?:oder|und) ohne",
        r"(?:an)?statt (?:oder|und)",
        r"im westen nichts neues",
        r"au(?:ß|ss)er (?:betrieb|haus|sich|atem|kraft|dienst|frage|rand)",
        r"nichts (?:zu danken|als)",
        r"nicht-?(?:linear\w*|binär\w*|raucher\w*|newtonsch\w*|euklidisch\w*|schwimmer\w*)",
        r"bis auf (?:weiteres|die knochen)",
    ),
    fact_before=r"\b(?:leben|überleben|auch|oder|geht|kann man|mit und|selbst)\s*$",
    comparing=r"(?:warum|wieso|weshalb|wie lange|darf|dürfen|kann (?:man|ich)|ist|sind|was passiert|unterschied|soll(?:te)?|wann)\b",
    asking=r"(?:welche[rsnm]?|was|wer|wen|wem|wo|wann|warum|wie|gibt|bitte|nenne?|zeige?|suche|finde|liste|erkläre?|alle|ich)\b",
    finite=r"\b(?:ist|sind|war|waren|hat|haben|wird|werden|kann|können|muss|müssen|darf)\b",
    claims=r"\w \b(?:entwickeln|zeigen|führen|erhöhen|senken|verursachen|verbessern|hemmen|fördern|bilden|leiden)\b",
    clause_openers=r"(?:^|[,.:;?!(—–]|\b(?:aber|bitte))\s*$",
    wrappers=(
        r"(?:irgendwelche[nr]?|alle[nrs]?|jegliche[nr]?|weitere[nr]?)",
        r"(?:informationen|angaben|details|hinweise|erwähnung|ergebnisse|infos)(?: (?:über|zu|zum|zur|von|auf))?",
        r"(?:über|zu|von|vom|mit|aus)",
        r"(?:der|die|das|den|dem|des|einer?|eine[nms]?)",
    ),
    articles=r"(?i:der|die|das|den|dem|des|einer?|eine[nms]?|sein(?:e[rnms]?)?|ihr(?:e[rnms]?)?) ",
    no_traps=frozenset({"das", "dem", "es", "mehr", "allem", "alles"}),
    question_words=r"welche[rsnm]?|was|wer|wen|wem|wessen|wo|wann|warum|wie|woher|wohin",
    clause_words=r"ist|sind|war|gibt|hat|haben|kann|können|bitte|nenne?|zeige?|ich|erkläre?",
    joining=r"die|der|das|aber|und",
    imperatives=r"ist|sind|war|gibt|hat|haben|kann|können|bitte|nenne?|zeige?|ich|erkläre?",
    subject=r"(?:welche[rsnm]?|wer|was)\b",
    predicate=r",\s+(?=[a-zäöü])",
    goes_on=r"mit|für",
    verbs=r"ist|sind|war|waren|hat|haben|wird|werden|kann|können",
    stops=r"\s+noch\b|\s+(?=(?:unter|bis|ab) \d)",
    conjunctions=r"und|oder|sowie|bzw\.",
    leading=("und ", "aber "),
    dangling=("aber", "und", "jedoch", "doch", "bitte", "oder", "sowie", "mit", "die", "der", "das"),
    others=r"\b(welche[rsnm]?|was|wer|wo|gibt es|alle)\s+(?:andere[nrsm]?|sonst|weitere[nrsm]?|noch)\b",
    other_words=r"\b(?:andere[nrsm]?|noch|sonst|weitere[nrsm]?|außerdem)\b",
    empty_words=words("was wer wo wie welche welcher welches alle alles es gibt noch der die das ein eine bitte"),
)
