"""French."""

from esens.decompose.lexicon import Lexicon, words

_OF = r"(?: (?:de|du|des))?"

LEXICON = Lexicon(
    language="fr",
    triggers=words(
        "l'exception l’exception l'exclusion l’exclusion sauf hormis excepté exceptée exceptés exceptées excluant "
        "dehors hors part autre autres mais sans rien pas plutôt lieu contrairement plus outre non compris ne "
        "exclu exclue exclus excluez ignorez"
    ),
    leads=words("à en au mis mise ne n qui l"),
    clear=(
        rf"à l['’](?:exception|exclusion){_OF} …",
        r"sauf …",
        r"hormis …",
        r"except[ée]+s? …",
        r"en excluant …",
        rf"en dehors{_OF} …",
        r"(?:mise?s? )?à part …",
        r"autres? qu(?:e|['’]) …",
        rf"mais (?:pas|sans|rien sur){_OF} …",
        r"sans (?:parler|mentionner|compter|évoquer|inclure|citer|aborder|tenir compte)(?: (?:de|du|des))? …",
        r"rien (?:sur|avec|de) …",
        r"(?:ne |n['’])(?:mentionn|parl|inclu|cit|évoqu|abord)\w+ pas(?: (?:de|du|des|sur))? …",
        r"non compris …",
    ),
    request=(
        r"sans …",
        r"plutôt qu(?:e|['’]) …",
        rf"au lieu{_OF} …",
        r"contrairement (?:à|aux|au) …",
        rf"qui (?:ne |n['’])\w+ pas{_OF} …",
        r"hors …",
    ),
    additive=(rf"en plus{_OF} …", r"outre …"),
    opening=(r"(?:ignorez|excluez|oubliez) …", r"… (?:exclue?s?|exceptée?s?|mis à part)(?=[,.;?!)]|$)"),
    likely=(
        rf"(?<=, )(?:et )?pas{_OF} …",
        r"(?<=\w )pas (?:de|du|des|la|le|les) …",
        r"(?<=\w )non(?= (?-i:[A-Z])) …",
    ),
    doubtful=(r"pas …", r"non …", r"rien …", r"jamais …"),
    fixed=(
        r"sans (?:aucun )?doute",
        r"(?:médecins|reporters|avocats|pharmaciens|ingénieurs|clowns) sans fronti[èe]res",
        r"sans[- ](?:papiers|abri|fil|contact|frontières|famille|filtre|issue|suite|retour|cesse|arrêt|emploi|serif)",
        r"sauf[- ]conduit",
        r"(?:homme|femme|enfant|vie|fête|nuit) sans (?:passé|nom|voix|fin|visage)",
        r"sans (?:fin|cause réelle|gravité|danger|risque|douleur)",
        r"rien que",
        r"pas (?:cher|chère|chers|chères|de deux|de tir|de porte|à pas|mal|seulement|encore|du tout)",
        r"pas de (?:printemps|panique|problème|souci)",
        r"non à petites cellules",
        r"non (?:binaire|lucratif|seulement|stop)",
        r"hors (?:sujet|ligne|taxes|série|norme|jeu|la loi|d['’])",
        r"la faute à qui|ne me quitte pas",
    ),
    fact_before=r"\b(?:survivre|vivre|même|ou|avec|dormir|rester)\s*$|(?:\bn['’]|\bne )\w+\s*$",
    facts=r"sans [a-zéè]+er\b",
    comparing=r"(?:pourquoi|combien|est-ce|que se passe|quand|différence|peut-on|puis-je|faut-il|si)\b",
    asking=r"(?:quel(?:le)?s?|que|qui|où|comment|combien|donne[zr]?|liste[zr]?|cherche|trouve[zr]?|parle[zr]?|explique[zr]?|je)\b",
    finite=r"\b(?:est|sont|était|étaient|a|ont|sera|peut|peuvent|doit)\b",
    clause_openers=r"(?:^|[,.:;?!(—–]|\b(?:mais|et))\s*$",
    wrappers=(
        r"(?:toute?s? |aucune? |les |des |l['’])?(?:informations?|détails?|mentions?|références?|résultats?)(?: (?:sur|de|du|des|à|aux))?",
        r"(?:tout ce qui concerne|ce qui concerne|ceux|celles|celui|celle)(?: (?:de|du|des))?",
        r"(?:de la|de|du|des|le|la|les|une?|sur|aux?|à)",
        r"(?:de )?(?:d|l|qu)['’]",
    ),
    articles=r"(?:de la |de l['’]|du |des |de |d['’]|le |la |les |l['’]|une? |son |sa |ses |leurs? )",
    no_traps=frozenset({"ça", "cela", "lui", "elle", "eux"}),
    question_words=r"quel(?:le)?s?|que|qu['’]|qui|où|comment|combien|quand|pourquoi",
    clause_words=r"est|sont|y a-t-il|donne[zr]?|parle[zr]?|je|peux-tu|pouvez-vous",
    joining=r"qui|mais|et",
    imperatives=r"est|sont|y a-t-il|donne[zr]?|parle[zr]?|je|peux-tu|pouvez-vous",
    goes_on=r"avec|pour",
    verbs=r"est|sont|était|ont|peut|peuvent|respecte|respectent",
    stops=r"\s+(?=(?:à moins de|moins de|sous) \d)|\s+(?=\?)|,?\s+s['’]il (?:vous|te) plaît",
    conjunctions=r"et|ou|ni|ainsi que",
    leading=("et ", "mais "),
    dangling=("mais", "et", "ou", "qui", "avec", "s'il vous plaît"),
    others=r"\b(quel(?:le)?s?|que|qui|où|y a-t-il|d['’])\s?(?:autres?|d['’]autres?)\b|\s+d['’]autres?(?=\s)",
    other_words=r"\b(?:autres?|encore|aussi|d['’]autre)\b",
    empty_words=words("quel quels quelle quelles que qui où comment le la les un une des tout tous"),
)
