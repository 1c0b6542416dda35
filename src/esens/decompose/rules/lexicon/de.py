"""German."""

from esens.decompose.rules.lexicon import NAMED, Lexicon, words

_OF = r"(?: (?:von|vom|der|des|dem|den|meiner|deren))?"
_SPEAK = (
    r"(?:zu )?(?:erwähnen|nennen|berücksichtigen|besprechen|einzubeziehen|einbeziehen|beachten|thematisieren"
    r"|einzugehen|behandeln|sprechen)"
)
_NO = r"keine?[nrsm]?"
_END = r"(?=[,.;:?!)]|$)"
# What is said of a thing that fails or of a body, not of one that is left out: "iphone kein ton", "husten kein fieber".
_FAULTS = (
    r"(?: (?:internet|ton|bild|signal|strom|netz|empfang|verbindung|sound|zugriff|anzeige|reaktion|antwort|wasser|"
    r"warmwasser|licht|saft|funktion|kontakt|appetit|hunger|lust|kraft|energie|periode|schlaf|stuhlgang|fieber|husten|"
    r"schnupfen|schmerz\w*|symptome?|beschwerden|übelkeit|durchfall|erbrechen|ausschlag|geld|zeit|job|arbeit|ausbildung|abitur|führerschein|erfahrung|"
    r"ahnung|freunde?|freundin|ende|witz|scherz|problem\w*|wunder|zufall|grund|mensch|schwein|ding|rolle|platz|"
    r"speicher\w*|berechtigung|treiber|update|display|wlan|rückmeldung|sim\w*|gerät|leistung|druck|vergleich|angst|"
    r"sorgen?|panik|gefühl|chance|einfluss|unterschied|einzig\w*|mehr|wirkung|tageslicht|deutsch)\b)"
)
# What is said of a state, behind "not".
_STATES = (
    r"(?: (?:nur|mehr|immer|alle|zu|so|sehr|ganz|schwanger|krank|müde|ausreichend|genug|möglich|sichtbar|verfügbar|da|"
    r"hier|gleich|selten|unbedingt|wirklich|ge\w+t|ge\w+en|ver\w+t|er\w+t|lieferbar|tot|gut|schlecht|vergessen|hinreichend|"
    r"weit|heute|sicher|offen|erreichbar|weil|wenn|dass|ob|als|wie|auf den)\b)"
)
_HAVE = (
    r"(?:hat|haben|hätten?|enthält|enthalten|enthielten?|braucht|brauchen|benötigt|benötigen|verwendet|verwenden|"
    r"verwendeten?|nutzt|nutzen|benutzt|benutzen|erfordert|erfordern|ist|sind|war|waren|beinhaltet|beinhalten|kommt|"
    r"kommen|stammt|stammen|spielt|spielen|macht|machen|gehört|gehören|liegt|liegen|besitzt|besitzen|einsetzt|"
    r"einsetzen|voraussetzt|voraussetzen|verursacht|verursachen|wurden?|werden|wird)"
)
_CONCERN = (
    r"(?:zusammenhäng(?:t|en)|zu tun (?:hat|haben|hatten?)|handel(?:t|n)|geht|gehen|dreht|drehen|befass(?:t|en)|"
    r"beschäftig(?:t|en)|erwähn(?:t|en)|behandel(?:t|n))"
)
# "zuckerfrei" leaves sugar out; "kostenfrei" and "barrierefrei" are words of their own.
_FREE = (
    r"(?:[\w-]+-|gluten|la[kc]tose|zucker|alkohol|fleisch|milch|ei|eier|nuss|soja|weizen|histamin|fru[kc]tose|koffein|fett|"
    r"salz|palmöl|plastik|mikroplastik|silikon|parfüm|parfum|duftstoff|werbe|werbungs|aluminium|parabenen?|tierversuchs|"
    r"getreide|hefe|lösungsmittel|schadstoff|chlor|phosphat|nikotin|tabak|gentechnik|schwefel|jod|sulfat|kalorien|"
    r"tierleid|fluorid|mineralöl|latex|leder|pestizid|purin|oxalat|cholesterin)"
)
_LESS = r"(?:beutel|kern|fleisch|zucker|ärmel|bügel|rahmen|henkel|alkohol|kalorien|naht|schnür|bart|fett)"
_NON = (
    r"(?:alkoholisch|vegan|vegetarisch|steroid|hormonell|medikamentös|chirurgisch|operativ|religiös|kommerziell|"
    r"europäisch|deutsch|amerikanisch|englisch|tierisch|chemisch|christlich|opioid|fossil|motorisiert|elektrisch)"
)

LEXICON = Lexicon(
    language="de",
    triggers=words(
        "ausnahme ausschluss ausklammerung weglassung verzicht ausgenommen ausgeschlossen abgesehen exklusive exkl außer "
        "ausser nicht kein keine keinen keiner keines keinem nichts nix ohne statt anstatt anstelle neben anders andere "
        "anderer anderen anderes als auf weder frei lass lasst lassen lasse weg weglassen auslassen ausschließen "
        "ausschliessen ausklammern ignorieren überspringen rauslassen meiden vermeiden ignoriere ignorier vermeide meide "
        "streiche streich überspringe verschone erspar erspare verzichte verzichten uninteressant irrelevant tabu unwichtig "
        "egal zählt kenne"
    ),
    trigger_starts=("nicht-",),
    trigger_ends=tuple(f"{stem}{end}" for stem in ("frei", "los") for end in ("", "e", "er", "es", "en", "em")),
    leads=words(
        "mit unter aber jedoch doch bis die der das welche welcher welches und bitte ich wir mag will möchte nur bloß "
        "bloss es damit gemeint in bin ist sind muss kann interessiert interessieren brauche brauch"
    ),
    about=(
        r"ausnahme|ausschluss|ausklammerung|weglassung|abgesehen|ausgenommen|ausgeschlossen|exkl\w*|au(?:ß|ss)er|"
        r"bis auf|neben|andere\w* als|als|nichts (?:\w+ )?(?:über|zu|zum|zur)|mit .+ zu tun|zusammenhäng\w+|handel(?:t|n)|"
        r"geht|gehen|dreh(?:t|en)|befass\w+|beschäftig\w+|erwähn\w+|nennen|berücksichtig\w+|besprechen|einbeziehen|"
        r"einzubeziehen|beachten|thematisieren|behandel\w+|weglassen|auslassen|lass\w*|ignorier\w+|überspring\w*|"
        r"ausklammern|ausschlie(?:ß|ss)en|rauslassen|streiche?|relevant|irrelevant|uninteressant|unwichtig|interessier\w+|"
        r"egal|zählt|kenne|gemeint|meine|um|eingeschlossen|einschließlich|einzugehen|sprechen"
    ),
    about_behind=r"(?:(?:solche|welche|alles|texte|artikel|bücher|filme|beiträge) )?(?:über|zum thema|rund um)",
    has=(
        r"ohne|keine?[nrsm]?|frei|[\w-]+freie?[nrsm]?|\w+lose?[nrsm]?|nichts|nix|von|vom|aus|mit|in|weder|verzicht\w*|"
        r"(?:die|der|das|welche\w?) nicht|nicht-\S+|nicht \w+e[nrsm]?(?=$)"
    ),
    has_behind=r"(?:(?:solche|welche|alles|was|etwas|die|den(?:en)?) )?(?:mit|von|vom|aus)",
    clear=(
        rf"mit (?:der |einziger |alleiniger )?Ausnahme{_OF} …",
        rf"unter (?:Ausschluss|Ausklammerung|Weglassung){_OF} …",
        r"unter Verzicht auf …",
        r"abgesehen vo[nm] …",
        r"(?:einmal )?ausgenommen(?: sind| davon)? …",
        r"exkl(?:usive|\.)? …",
        r"au(?:ß|ss)er …",
        r"andere[nrsm]? als …",
        rf"(?:aber|jedoch|doch) (?:bitte |möglichst |auf keinen fall |eben )?(?:nicht|{_NO}|nichts(?: (?:über|mit|von|zu|aus))?) …",
        r"(?:(?:die|das|der|was) )?nichts mit … zu tun (?:hat|haben|hatten?)",
        r"(?:(?:ich|wir) (?:will|wollen|möchten?) )?nichts (?:über|von) … (?:lesen|hören|wissen|sehen)(?![\w-])",
        r"nichts (?:über|mit|von|zu|aus|zum Thema) …",
        r"ohne (?:Erwähnung|Berücksichtigung|Einbeziehung|Nennung) (?:von|der|des) …",
        rf"ohne (?:auf |über |von )?… {_SPEAK}",
        r"nicht (?:einschließlich|inklusive|eingeschlossen) …",
        rf"bitte (?:auch )?(?:{_NO}|nichts(?: (?:über|mit|von|zu|aus))?|nicht (?:die|das|den|der|von|aus|mit)) …",
        rf"(?:ich|wir) (?:mag|mögen|will|wollen|möchten?|esse|essen|trinken?|vertragen?|brauchen?|suchen?|haben?) (?:aber |allerdings |jedoch |bitte |da )?(?:{_NO}|nichts (?:mit|aus|von|über|zu)) …",
        rf"(?:ich )?(?:mag|will|möchte) (?:aber )?{_NO} …",
        rf"(?:ich )?mag … (?:gar |überhaupt )?nicht{_END}",
        r"(?:ich )?bin kein (?:großer )?Fan vo[nm] …",
        rf"(?:nur|bloß|bloss) (?:bitte )?(?:nicht|{_NO}|nichts (?:mit|von|aus|über)) …",
        r"es geht (?:mir |uns )?(?:dabei |hier )?nicht um …",
        r"(?:damit )?meine (?:ich )?nicht …",
        r"gemeint (?:ist|sind) nicht …",
        r"in den(?:en|) es nicht um … geht",
        rf"(?:die|der|das|welche[rs]?) (?:sich )?nicht (?:mit|von|um|über) … {_CONCERN}",
        r"(?:mit )?weder …",
        r"nix (?:mit|von|über|aus) …",
    ),
    request=(
        rf"(?:die|der|das|welche[rs]?) (?:{_NO}|nicht) … {_HAVE}{_END}",
        r"(?:die|der|das|welche[rs]?) ohne … (?:auskommt|auskommen)",
        r"ohne … (?:auskommt|auskommen|auszukommen)",
        r"ohne … zu (?:benutzen|verwenden|nutzen|brauchen|kaufen|nehmen)",
        r"(?:die|der|das) frei von … (?:ist|sind)",
        r"(?<!kosten )frei von …",
        r"ohne …",
        r"(?:an)?statt …",
        rf"anstelle{_OF} …",
        r"anders als …",
        r"bis auf …",
        rf"(?:die|der|das|welche[rs]?) (?:nicht|{_NO}) …",
        rf"und (?:bitte )?(?:nicht|{_NO}|nichts (?:über|mit|von|zu|aus)) …",
        rf"(?=[\w-]{{4,40}}freie?[nrsm]?\b)(?={_FREE}-?frei)…-?freie?[nrsm]?(?![\w-])",
        rf"(?={_LESS}lose?[nrsm]?\b)…lose?[nrsm]?(?![\w-])",
    ),
    additive=(r"neben …", r"als(?= (?:die |der |das |den )?(?-i:[A-ZÄÖÜ])) …"),
    opening=(
        rf"(?:lass(?:e|t|en Sie)?) (?:bitte )?… (?:bitte )?(?:weg|raus|aus|außen vor|beiseite|außer acht){_END}",
        rf"… (?:ausgenommen|ausgeschlossen|(?:bitte )?(?:weglassen|auslassen|ausschlie(?:ß|ss)en|ausklammern|ignorieren|überspringen|rauslassen)|bitte (?:ver)?meiden){_END}",
        rf"… (?:ist|sind) (?:hier |dabei |für mich )?(?:nicht (?:relevant|wichtig|gemeint|gewünscht|gefragt|nötig|von Interesse|interessant)|irrelevant|uninteressant|unwichtig|tabu|egal){_END}",
        rf"… (?:interessier(?:t|en) (?:mich|uns) (?:nicht|weniger)|brauche? ich nicht|muss nicht sein|kann weg|zählt nicht|zählen nicht|mag ich nicht|kenne ich (?:schon|bereits)){_END}",
        r"(?:ignoriere?|vermeide|meide|streiche?|überspringe?)(?:n Sie)?(?: bitte)? …",
        r"(?:verschone? mich mit|erspare? mir) …",
        r"verzichten?(?: Sie|t)?(?: bitte)? auf …",
        rf"(?<=[.?!] ){_NO} …",
        r"(?<=[.?!] )nicht …",
        r"(?<=[.?!] )ohne …",
        rf"{_NO}(?= [^,.:]{{1,60}}[,:] (?:was|welche\w?|wie|wo|wer)\b) …",
    ),
    likely=(
        r"(?<!t )nicht (?!nur\b)… sondern(?! auch)",
        r"(?<=, )nicht …",
        rf"(?<=, )(?:und )?{_NO}(?= ) …",
        r"(?<=, )nichts(?= (?:zu )?(?-i:[A-ZÄÖÜ])) …",
        r"(?<=\()(?:nicht|keine?[nrsm]?) …",
        r"(?<=\w )(?<!t )nicht (?:der|die|das|den|von|vom|aus) …",
        # Where something is not to be; a verb before it says that it fails: "startet nicht im Winter".
        r"(?<=\w )(?<!t )(?<!te )nicht(?= (?:in|im|auf|an|am|bei|nach)(?: der| dem| den)? [\w-]+$) …",
        rf"nicht[- ](?={_NON}\w* \w)…(?=\s)",
        r"nicht-…(?=\s)",
        r"(?<=\w )(?<!t )nicht(?= (?-i:[A-ZÄÖÜ])\w+$) …",
        # What a thing is not to be made of: "Suppe nicht mit Kokosmilch". A verb before it says that it fails.
        r"(?<=\w )(?<!t )(?<!te )nicht(?= (?:mit|aus|von|vom) (?-i:[A-ZÄÖÜ])[\w-]+$) …",
        rf"(?:(?<=[elnops] )|(?<=er )|(?<=ub )){_NO}(?= [\w-]+(?: [\w-]+)?(?:$| kein| bitte| unter)) …",
    ),
    doubtful=(r"nicht …", rf"{_NO} …", r"nichts …", r"nix …"),
    fixed=(
        rf"(?:(?:aber|jedoch|doch|und|nur|bloß|bitte) )?(?:{_NO}{_FAULTS}|nicht{_STATES})",
        r"nicht nur",
        r"mann ohne (?:eigenschaften|schatten|namen|gesicht)",
        r"(?:mädchen|frau|junge|kind|leben|tag|welt|haus|land|sommer|liebe|zeit) ohne (?:namen|gesicht|schatten|gnade|hände|sonne|hüter|ende|morgen)",
        r"nicht mehr",
        r"(?:ärzte|reporter|apotheker|ingenieure|anwälte|tierärzte|lehrer|clowns) ohne grenzen",
        r"ohne (?:weiteres|zweifel|grenzen|führerschein|strom|wasser|mich|dich|uns|ende|worte|titel|gewähr|befund|dass|"
        r"rücksicht|umwege|ausbildung|abschluss|abitur|schufa\w*|vertrag|termin|grund|kündigungsfrist|visum|pass|tüv|"
        r"versicherung|helm|sattel|genehmigung|testament|trauschein|studium|ausweis|scheiß|quatsch|spaß|sinn|zusammenhang)\b",
        r"mit (?:oder|und|/) ohne",
        r"(?:an)?statt (?:oder|und)",
        r"(?:findet|fand|finden|fanden)\b[^?,]{0,38} statt",
        r"im westen nichts neues",
        r"nichts (?:zu danken|als|wie|neues|für ungut|desto)",
        r"viel lärm um nichts|von nichts kommt nichts",
        r"au(?:ß|ss)er (?:betrieb|haus|sich|atem|kraft|dienst|frage|rand|kontrolle|reichweite|gefecht|acht|der reihe)",
        r"nicht-?(?:linear\w*|binär\w*|raucher\w*|newtonsch\w*|euklidisch\w*|schwimmer\w*|kleinzellig\w*|hodgkin\w*|regierungs\w*|"
        r"veranlagungs\w*|angriffs\w*|wissen\w*|alkoholische (?:fettleber|steato)\w*)",
        r"nicht (?:kleinzellig\w*|binär\w*|linear\w*|alkoholische (?:fettleber|steato)\w*)",
        r"bis auf (?:weiteres|die knochen|eins|null)",
        r"weder (?:noch|fisch noch fleisch)",
        r"(?:mehr|weniger|besser|schlechter|größer|kleiner|höher|niedriger|schneller|langsamer|billiger|günstiger|teurer|"
        r"älter|jünger|früher|später|länger|kürzer|eher|sowohl|so\w*|noch \w+er|nichts|anders) als",
        r"(?:husten|schnupfen|fieber|kopfschmerzen|bauchschmerzen|halsschmerzen|schmerzen|übelkeit|schwindel|ausschlag|"
        r"juckreiz|durchfall|schwellung|periode|test|bluthochdruck)\b[^.?!]{0,30}(?: (?:aber|und|jedoch|doch))? (?:keine?[nrsm]?|nicht)\b",
        r"(?:wlan|router|drucker|handy|iphone|laptop|auto|monitor|tv|fernseher|heizung|waschmaschine|windows|pc)\b"
        r"(?:(?! d(?:ie|as|er|en)\b)[^.,?!]){0,30}(?: (?:aber|und|jedoch|doch))? nicht\b(?! (?:vo[nm]|aus) \w)",
        r"(?:lass|lasst|lassen) (?:mich|uns|los|dich|sich|es|das|sie|ihn)\b",
        r"kein(?:e[nrsm]?)? (?:problem|ahnung|lust|panik|angst|ding|bock|wunder|einhorn|pardon|ohrhasen|zeit zu sterben|"
        r"ort ohne dich|mensch|schwein|kommentar|thema|sorge|ursache)\b",
        r"(?:wenn|falls|obwohl|weil|da|trotz|als) keine?[nrsm]?",
        r"(?:aber|jedoch|doch) nicht (?:der|die|das|den) (?:pflicht|\w+ste[nrs]?)\b",
        r"kein sex ist auch keine lösung",
        r"(?:sorgen|arbeits|obdach|wert|end|makel|kabel|draht|kosten|steuer|straf|rost|fehler|barriere|schmerz|stress)(?:frei|los)\w*",
    ),
    fact_before=(
        # People, times and what life is made of: they live without something, and that is what is asked about.
        r"(?<!für )(?<!mit )\b(?:mensch|menschen|frau|frauen|mann|männer|kind|mutter|mütter|vater|väter|familien?|paare?|leute|schüler|schülerin|"
        r"nacht|nächte|ein sommer|ein winter|liebe|krieg|freiheit|frieden|arbeit|schule|alltag|zukunft|trotz pille|"
        r"pille|nicht|leben|überleben|auch|oder|geht|kann man|mit und|selbst|fahren|autofahren|schlafen|arbeiten|reisen|laufen|"
        r"joggen|duschen|wohnen|parken|fliegen|aufwachsen|heiraten|husten|fieber|kopfschmerzen|bauchschmerzen|schmerzen|"
        r"halsschmerzen|ausschlag|juckreiz|durchfall|übelkeit|schwindel|schwellung|migräne|kündigung|entlassung|glück|"
        r"moral|demokratie|gesellschaft|leben|eltern|kinder|welt|tag|jahr|woche|ehe|beziehung|kindheit|wachsen|existieren|"
        r"gewinnen|bremsen|periode|eisprung|schwanger|schwangerschaft|wachstum|feuer|erkältung|epilepsie)\s*$"
    ),
    facts=(
        r"ohne [^,.?!]{1,40} (?:film|buch|lied|songtext|liedtext|bedeutung|zusammenfassung|interpretation|roman|hörbuch|inhaltsangabe|zitat)\s*$|"
        r"ohne (?:[\w-]+ ){0,3}?(?:zu (?!benutzen|verwenden|nutzen|brauchen|kaufen|nehmen|erwähnen|nennen)\w+en|\w+zu\w+en)\b"
        r"|ohne [^,.?!]{1,40} (?:leben|überleben|wachsen|existieren|auskommen müssen|schlafen|fahren|sterben|gültig|erlaubt|strafbar)\b"
    ),
    comparing=(
        r"(?:warum|wieso|weshalb|wie lange|darf|dürfen|ist|sind|was passiert|was wäre|was kostet es|unterschied|soll(?:te)?|"
        r"wann|wenn|kann (?:man|ich)(?![^?]{0,60} (?:machen|kochen|backen|zubereiten|herstellen|bauen|ersetzen|reinigen)\b)|"
        r"können (?!sie mir|wir)|gibt es (?:ein )?leben)\b"
    ),
    asking=(
        r"(?:welche[rsnm]?|was|wer|wen|wem|wo|wann|warum|wie|gibt|bitte|nenne?|zeige?|suche?|finde|liste|erkläre?|alle|ich|"
        r"wir|empfiehl|empfehle|empfehlt|brauche?|erzähle?|gib|hat|habt|kann|könn\w+|kennst|möchte|zeig|schreib|hilf)\b"
    ),
    finite=(
        r"\b(?:ist|sind|war|waren|hat|haben|wird|werden|kann|können|muss|müssen|darf|lädt|geht|startet|funktioniert|läuft|"
        r"zeigt|erkennt|reagiert|verbindet|blinkt|leuchtet|druckt|springt|riecht|klingt|bleibt|macht|tut|habe|findet)\b"
    ),
    claims=r"\w \b(?:entwickeln|zeigen|führen|erhöhen|senken|verursachen|verbessern|hemmen|fördern|bilden|leiden|wachsen|schützt|schützen|hilft|helfen|führt|senkt|erhöht)\b",
    clause_openers=r"(?:^|[,.:;?!(—–]|\b(?:aber|bitte|und))\s*$",
    wrappers=(
        r"(?:irgendwelche[nr]?|alle[nrsm]?|jegliche[nr]?|weitere[nr]?|bitte|solche[nr]?|jede[nrm]?)",
        r"(?:der |die |das |den |dem )?(?:informationen|angaben|details|hinweise|erwähnung|ergebnisse|infos|treffer|artikel|texte|beiträge|bücher|filme)(?: (?:über|zu|zum|zur|von|auf|mit|aus))",
        r"(?:die|den|denen|das|dem|alles|was|etwas) (?:mit|von|vom|aus|über)",
        r"(?:über|zu|zum|zur|von|vom|mit|aus|in|im|ins|an|am|ans|bei|beim|auf|aufs|nach|für|um)",
        r"(?:der|die|das|den|dem|des|einer?|eine[nms]?)",
    ),
    articles=r"(?i:der|die|das|den|dem|des|einer?|eine[nms]?|sein(?:e[rnms]?)?|ihr(?:e[rnms]?)?|keine?[nrsm]?) ",
    pronouns=r"\s+(?:von |mit )?(?:ihm|ihr|ihnen|ihn|er|sie|seine[nmrs]?|ihre[nmrs]?)(?: selbst)?(?=[.,;:?!)]|$)",
    likened=rf"(?:[wW]ie|(?i:im Stil(?:e)?|in der Art|nach Art)(?: von)?|[aà] la) (?:(?:die|der|den|das|dem|jene|jenen)(?: von)? )?({NAMED})",
    treated=rf"(?i:über) ({NAMED})",
    no_traps=frozenset(
        {"das", "dem", "es", "mehr", "allem", "alles", "was", "und", "so", "mich", "dich", "sich", "auch", "immer"}
        | words("ihm ihr ihnen ihn er sie seine seinen ihre ihren")
    ),
    question_words=r"welche[rsnm]?|was|wer|wen|wem|wessen|wo|wann|warum|wie|woher|wohin",
    clause_words=r"ist|sind|war|gibt|hat|haben|kann|können|bitte|nenne?|zeige?|ich|erkläre?|empfiehl|suche",
    joining=r"die|der|das|aber|und|welche[rs]?",
    imperatives=r"ist|sind|war|gibt|hat|haben|kann|können|bitte|nenne?|zeige?|ich|erkläre?|empfiehl|suche",
    subject=r"(?:welche[rsnm]?|wer|was)\b",
    predicate=r",\s+(?=[a-zäöü])",
    goes_on=r"mit|für|aber mit",
    verbs=r"ist|sind|war|waren|hat|haben|wird|werden|kann|können",
    stops=(
        r"\s+noch\b(?=\s*[?.!]|\s*$|\s+(?:ge|be|ver|er|ent)\w+|\s+(?:gibt|zu|in|im|am|auf|für|bei|als)\b)"
        r"|\s+(?=(?:unter|ab|über) \d)|(?<![12]\d{3})\s+(?=bis \d)|\s+(?=in (?:der|meiner|unserer) Nähe\b)|\s+(?=aber mit\b)"
        r"|(?<!giftig)(?<!schädlich)(?<!geeignet)(?<!gefährlich)(?<!ausgelegt)\s+(?=für )"
        r"|\s+(?=(?:kostenlos|gratis|günstig|kaufen|online|selber|selbst|test|vergleich|einfach|schnell)\b)"
        r"|,? (?:bitte|danke|lg|vielen dank)(?=[.?! ]*$)|,\s+(?=(?:davon|das|die|den) (?:hat|habe|haben|hatte|kenne|kennen)\b)"
        r"|\s+(?=(?-i:machen|kochen|backen|zubereiten|herstellen|bauen|ersetzen|reinigen|öffnen|entfernen|lernen|sehen|lesen)\b)"
    ),
    conjunctions=r"und|oder|sowie|bzw\.|noch|und auch",
    leading=("und ", "aber ", "sondern "),
    dangling=(
        "aber",
        "und",
        "jedoch",
        "doch",
        "bitte",
        "oder",
        "sowie",
        "mit",
        "die",
        "der",
        "das",
        "aber bitte",
        "nur",
        "ich",
        "welche",
    ),
    others=r"\b(welche[rsnm]?|was|wer|wo|gibt es|alle|eine?)\s+(?:andere[nrsm]?|sonst|weitere[nrsm]?|noch)\b|\b()andere[nrsm]? (?=\w)",
    other_words=r"\b(?:andere[nrsm]?|noch|sonst|weitere[nrsm]?|außerdem)\b",
    empty_words=words(
        "was wer wo wie welche welcher welches alle alles es gibt noch der die das ein eine bitte ich wir und kann man"
    ),
)
