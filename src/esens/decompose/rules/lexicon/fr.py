"""French. A small word before a vowel loses its own: the mark and what it stood for are a wrapper."""

from esens.decompose.rules.lexicon import NAMED, Lexicon, words

_D = r"d(?:e|u|es|(?=['’]))"
_OF = rf"(?: {_D})?"
_THAN = r"qu(?:e|(?=['’]))"
_NE = r"(?:ne |n['’])"
_END = r"(?=[,.;:?!)]|\s+[?!]|$)"
# What is said of a thing that fails or of a body, not of one that is left out: "windows pas de son", "toux sans fièvre".
_FAULTS = (
    r"(?: (?:de |d['’]|du |des |la |le |l['’])?(?:son|image|signal|réseau|reseau|internet|connexion|courant|eau|chauffage|"
    r"électricité|batterie|lumière|fièvre|fievre|règles|regles|toux|douleurs?|symptômes?|symptomes?|appétit|sommeil|diarrhée|vomissements?|nausées?|saignements?|maux|"
    r"réponse|reponse|accès|place|affichage|travail|argent|permis|diplôme|temps|chance|problèmes?|souci|panique|printemps|"
    r"nouvelles?|bras|quoi|fumée|effet|différence|preuve|bouton)\b)"
)
# What is said of a state or a degree, behind "not".
_STATES = (
    r"(?: (?:cher|chère|chers|chères|trop|très|tres|plus|si|assez|encore|toujours|forcément|vraiment|seulement|que|à (?:pas|jour|vendre|louer|l['’](?:aise|heure)|la hauteur|ce point|cause|\w+er)|loin|"
    r"mal|du tout|tout à fait|enceinte|malade|possible|disponible|visible|obligatoire|reconnue?|trouvée?|compatible|"
    r"bien|bon|bonne|mieux|grave|pareil|lieu|un|une|comme|besoin)\b)"
)
_SPEAK = r"(?:parl|mentionn|évoqu|evoqu|cit|abord|inclu|trait|concern|port|contenant le mot)\w*"
_USE = r"(?:utiliser|employer|prendre|acheter|passer par|avoir besoin|mettre|ajouter|se servir|y mettre|recourir)"
_NON = (
    r"(?:alcoolis|sucr[ée]|gazeu|sal[ée]|gras|toxique|halal|violent|européen|europeen|français|francais|américain|"
    r"médicamenteu|medicamenteu|hormona|chirurgica|religieu|francophone|épic|epic|laiti|végétarien|vegan|pasteuris|"
    r"invasi|payant|commercia|marvel|disney|officie|conducteur|chimique|motoris|électrique)"
)

LEXICON = Lexicon(
    language="fr",
    triggers=words(
        "l'exception l’exception exception l'exclusion l’exclusion sauf hormis excepté exceptée exceptés exceptées excluant "
        "dehors hors part autre autres mais sans rien pas plutôt plutot lieu place contrairement plus outre non compris ne "
        "exclu exclue exclus exclues exclure excluez ignorez ignore oubliez oublie évite évitez éviter évitant laisse laissez "
        "laissant enlève enlevez retire retirez saute sautez ni aucun aucune exempt exempte exempts exemptes dépourvu "
        "dépourvue dépourvus dépourvues dénué dénués abstraction différent différente différents différentes jamais "
        "inutile eviter evite evitez"
    ),
    trigger_starts=("n'", "n’", "non-"),
    leads=words(
        "à a en au mis mise ne qui que l je j'aime j’aime j'ai j’ai on nous tu mais et avec surtout merci il ils elle elles sont "
        "est c'est c’est dont"
    ),
    about=(
        r"exception|l['’]exception|l['’]exclusion|exclusion|sauf|hormis|except\S+|excl\S+|dehors|à part|a part|autres?|"
        r"autre chose|hors|outre|en plus|rien (?:sur|à voir|a voir)|à voir|a voir|rapport|lien|liée?s?|compris|abstraction|"
        rf"intéress\S+|pertinent\S*|{_SPEAK}|compter|citer|tenir compte|laiss\S+|oubli\S+|ignor\S+|retire\S*|"
        r"enlève\S*|saut\S+|sujet|quitter|considérer"
    ),
    about_behind=r"(?:(?:ceux|celles|ce|films|livres|articles|documents|tout) )?(?:sur|à propos de|au sujet de|qui parlent? d|concernant|traitant)",
    has=(
        rf"sans|aucune?|ni|non|exempte?s?|dépourvue?s?|dénuée?s?|rien (?:de|avec|d)|pas d(?:e|u|es)?|{_NE}\S+ pas|"
        rf"{_NE}\S+ (?:jamais|ni)|qui \S+ pas|(?:aime|veux|veut|mange|supporte|bois|cherche)\S* pas|par"
    ),
    has_behind=r"(?:(?:ceux|celles|ce|celui|celle|tout|tous|toutes) (?:qui )?)?(?:avec|d(?:e|u|es) (?=[A-Z])|contenant|utilisant|à base d|par|venant d|fait)",
    clear=(
        rf"à l['’](?:exception|exclusion){_OF} …",
        rf"(?:exception|abstraction) faite{_OF} …",
        r"sauf …",
        r"hormis …",
        r"except[ée]+s? …",
        r"en (?:excluant|évitant|laissant de côté) …",
        rf"en dehors{_OF} …",
        r"(?:mise?s? )?[àa] part …",
        rf"autres? (?:chose )?{_THAN} …",
        r"mais (?:surtout |si possible |plutôt )?(?:pas|sans|rien sur|rien avec|aucune?)(?: (?:de|du|des|d(?=['’])|par))? …",
        rf"sans (?:parler|mentionner|compter|évoquer|inclure|citer|aborder|tenir compte|considérer){_OF} …",
        r"sans (?:rapport|lien|aucun rapport|aucun lien) avec …",
        rf"(?:qui )?{_NE}(?:a|ont|ait|aient|ayant) (?:rien|aucun rapport) (?:à|a) voir avec …",
        r"(?:qui )?(?:a|ont) rien (?:à|a) voir avec …",
        r"rien (?:à|a) voir avec …",
        r"rien (?:sur|avec|d(?=['’])|de) …",
        rf"(?:qui )?{_NE}{_SPEAK} pas(?: (?:de|du|des|sur|d(?=['’])))? …",
        r"(?:qui )?(?:(?:ne sont|n['’]est|n['’]étant|ne soient) )?pas (?:liée?s?|relatifs?|relatives?) (?:à|au|aux) …",
        r"non (?:liée?s?|relati\S+) (?:à|au|aux) …",
        r"non compris …",
        rf"surtout pas{_OF} …",
        rf"pas (?:très |trop |vraiment )?fan{_OF} …",
    ),
    request=(
        rf"sans {_USE}{_OF} …",
        r"sans …",
        rf"plut[ôo]t {_THAN} …",
        rf"au lieu{_OF} …",
        rf"à la place{_OF} …",
        r"contrairement (?:à|aux|au) …",
        rf"qui {_NE}(?:\w+ pas|\w+ jamais|(?:est|sont|soit|soient) pas)(?: (?:fait|écrit|basé)e?s? (?:de|par|sur|avec|en))?{_OF} …",
        rf"qui (?:contient|contiennent|utilise|utilisent|a|ont|soit|soient|est|sont|demande|demandent|nécessite|nécessitent|coûte) pas{_OF} …",
        rf"{_NE}\w+ant pas{_OF} …",
        rf"(?:je|on|nous) {_NE}(?:veux|veut|voulons|mange|mangeons|bois|boit|supporte|supportons|cherche|souhaite|aime|aimons|tolère|digère|ai|a) pas{_OF}(?! (?:savoir|faire|être|avoir)\b) …",
        rf"(?:j['’]aime|je (?:veux|mange|supporte|bois)|on (?:mange|veut)) pas{_OF} …",
        r"et (?:surtout )?pas(?: (?:de|du|des|par|d(?=['’])))? …",
        rf"(?:exempt|dépourvu|dénué)e?s?{_OF} …",
        r"(?:qui (?:n['’](?:a|ont)|ne \w+) |avec |sans )?ni …",
        r"hors …",
    ),
    additive=(rf"en plus{_OF} …", r"outre …", rf"différente?s?{_OF} …"),
    opening=(
        r"(?:ignore|exclu[st]?|oublie|évite|evite|enlève|enleve|retire|saute)z?(?: s['’]il (?:te|vous) plaît)? …",
        r"(?:excluez|exclure|éviter|eviter) …",
        r"(?:laisse|laisse[rz]) (?:tomber|de côté) …",
        rf"laisse[rz]? … (?:de côté|de cote|tomber){_END}",
        rf"… (?:exclue?s?|exceptée?s?|mise?s? à part|hors sujet|à éviter|non comprise?s?){_END}",
        rf"… {_NE}(?:m['’]intéresse(?:nt)?|nous intéresse(?:nt)?) pas{_END}",
        rf"… (?:ne m['’]intéressent?|m['’]intéressent?|m['’]interessent?) pas{_END}",
        rf"… (?:n['’]est|ne sont|n['’]a|est|sont) pas (?:pertinente?s?|utiles?|nécessaires?|concernée?s?|d['’]intérêt|le sujet){_END}",
        rf"(?<=[.?!] )pas{_OF} …",
        r"(?<=[.?!] )(?:rien (?:sur|avec|de)|aucune?|sans) …",
        r"pas (?:de |d['’])(?= ?[^,.:]{1,60}[,:] (?:que|quel\w*|comment|où)\b) …",
    ),
    likely=(
        rf"(?<=, )(?:et )?pas{_OF} …",
        rf"(?<=\()(?:pas|non){_OF} …",
        r"(?<=s )pas (?:la|le|les) …",
        rf"(?<=s )pas(?= (?:de |d['’]|du |des |par )){_OF} …",
        rf"pas(?= (?:de |d['’]|du |des )[^,.;?!]{{1,40}} (?:svp|stp|merci|s['’]il)){_OF} …",
        r"(?<=, )aucune? …",
        r"(?<=s )aucune?(?= [\w-]+$) …",
        rf"non[- ](?={_NON}\w*)…(?=[\s,.;?!]|$)",
        r"(?<=\w )non(?= (?-i:[A-Z])) …",
    ),
    doubtful=(r"pas …", r"non …", r"rien …", r"jamais …", r"aucune? …"),
    fixed=(
        rf"(?:(?:mais|et|surtout) )?(?:pas{_STATES}|(?:pas|sans|aucune?){_FAULTS})",
        r"sans (?:aucun )?doute",
        r"(?:médecins|reporters|avocats|pharmaciens|ingénieurs|clowns|vétérinaires|aviation|électriciens) sans fronti[èe]res",
        r"(?:comic|open|noto|source|fira|gill|pt|dm|lucida|nunito|work|droid|ubuntu) sans",
        r"sans[- ](?:papiers|abris?|fil|contact|frontières|famille|filtre|issue|suite|retour|cesse|arrêt|emploi|serif|"
        r"permis|avocat|diplôme|diplome|bac|préavis|motif|contrat|visa|passeport|assurance|ordonnance|domicile|nouvelles?|"
        r"raison|succès|dent|gêne|gene|faute|faim ni loi|foi ni loi|queue ni tête|plus attendre|hésiter|le savoir|lendemain|"
        r"toi|moi|eux|elle|lui|vous|nous|fin|cause réelle|gravité|danger|risque|douleur|apport|experience|expérience|voix|"
        r"condition|équivoque|précédent|égal|titre|visage|cœur|coeur|limites?|détour)\b",
        r"sauf[- ](?:conduit|si|que|quand|erreur|indication contraire|votre respect)",
        r"(?:homme|femme|enfant|vie|fête|nuit|jour|monde|ville|amour|histoire|fille) sans (?:passé|nom|voix|fin|visage|ombre|tête|lendemain|histoires?)",
        r"rien que|rien ne va plus|rien à (?:déclarer|faire|perdre)|de rien",
        r"pas (?:cher|chère|chers|chères|de deux|de tir|de porte|de tir|à pas|mal|seulement|encore|du tout|de vis|de géant|japonais\w*|de calais)",
        r"pas de (?:printemps|panique|problème|souci|quartier|vagues?|bras pas de chocolat)",
        r"non à petites cellules",
        r"non[- ](?:binaires?|lucratif|seulement|stop|lieu|fumeurs?|dits?|sens|recevoir|voyants?|valeur|droit|hodgkin\w*|assistance|respect|paiement|retour|conformité)",
        r"lymphome non",
        r"hors[- ](?:sujet|ligne|taxes|série|norme|jeu|la loi|d['’]\w+|bord|service|saison|piste|contrat|champ|gel|forfait|de prix|du commun|tout)",
        r"mais pas (?:l[ea] |l['’])?(?:obligation|meilleure?s?|pire|plus \w+|idéal)\b",
        r"sans \w+ ni loi",
        r"la faute à qui|ne me quitte pas|n['’]oublie(?:z|r)? (?:pas|jamais)",
        r"ni (?:oui ni non|vu ni connu|plus ni moins|fait ni à faire|queue ni tête|putes ni soumises|chaud ni froid|une ni deux)",
        r"(?:à|a) part (?:entière|entiere|égale|ça|cela)|chambre à part|faire chambre",
        r"autre(?:s)? que (?:ce|moi|toi)\b",
        r"avec (?:ou|et) sans",
        r"(?:toux|fièvre|fievre|rhume|maux|mal|nausées?|vertiges?|douleurs?|boutons|éruption|démangeaisons|règles|retard|test)\b"
        r"[^.?!]{0,30}(?:mais )?(?:sans|pas|aucune?|ne|n['’])",
        r"(?:téléphone|telephone|iphone|ordinateur|pc|imprimante|wifi|box|télé|tv|écran|voiture|chaudière|lave-linge|windows|"
        r"machine)\b(?:(?! qui\b)[^.,?!]){0,30}(?:mais )?(?:pas|ne|n['’])",
        r"(?:si|quand|parce que|car|puisque) (?:je|on|il|elle|tu|nous|vous)\b[^,]{0,20} pas",
    ),
    fact_before=(
        # People, times and what life is made of: they live without something, and that is what is asked about.
        r"(?<!pour )(?<!pour les )(?<!cadeau )(?<!avec )\b(?:hommes?|femmes?|filles?|garçons?|enfants?|mères?|pères?|familles?|couples?|gens|personnes?|élèves|étudiants?|"
        r"nuits?|guerre|liberté|paix|travail|entreprise|quotidien|avenir|enceinte|survivre|vivre|même|ou|avec|dormir|rester|conduire|rouler|voyager|travailler|grandir|mourir|partir|courir|"
        r"marcher|toux|fièvre|douleurs?|mal|licenciement|rupture|amour|monde|société|démocratie|morale|parents?|famille|"
        r"enfance|vie|journée|jour|année|divorce|pousser|exister|bonheur|grossesse|perte|nausées?|vertiges?|"
        r"migraine|crise|retard|école)\s*$|(?:\bn['’]|\bne )\w+\s*$"
    ),
    facts=(
        r"sans [^,.?!]{1,40} (?:film|livre|paroles|chanson|résumé|resume|roman|signification|définition|citation|distribution)\s*$|"
        rf"sans (?!{_USE}|fer\b|mer\b|papier|acier|gibier|levier|clavier|escalier|collier|tablier)[a-zéèêç]+(?:er|ir)\b"
        r"|sans (?:boire|prendre|perdre|vendre|faire|dire|lire|mettre|vivre|attendre|avoir|savoir|pouvoir|voir|être)\b"
        r"|sans (?:se |s['’]|le |la |les |y |en |lui |que )\w+"
    ),
    comparing=(
        r"(?:pourquoi|combien|que se passe|quand|différence|faut-il|si|doit-on|dois-je|a-t-on le droit|ai-je le droit|"
        r"que faire (?:si|quand)|(?:est-ce|peut-on|puis-je|on peut|peux-t)(?![^?]{0,40}\b(?:faire|préparer|cuisiner|réaliser|remplacer)\b))\b"
    ),
    asking=(
        r"(?:quel(?:le)?s?|que|qui|où|comment|combien|donne[zr]?|liste[zr]?|cherche|trouve[zr]?|parle[zr]?|explique[zr]?|je|"
        r"j['’]\w+|on|nous|conseille[zr]?|recommande[zr]?|propose[zr]?|montre[zr]?|idées?|une idée|peux-tu|pouvez-vous|tous|toutes|raconte[zr]?)\b"
    ),
    finite=(
        r"\b(?:est|sont|était|étaient|a|ont|sera|peut|peuvent|doit|s['’]allume|marche|fonctionne|charge|démarre|imprime|"
        r"reconnaît|répond|empêche|provoque|se connecte|affiche|connecte|détecte)\b"
    ),
    claims=r"\w \b(?:développent|montrent|augmentent|réduisent|provoquent|améliorent|empêchent|protège|protègent|causent|souffrent|vivent)\b",
    clause_openers=r"(?:^|[,.:;?!(—–]|\b(?:mais|et|merci d['’]))\s*$",
    wrappers=(
        r"(?:toute?s? |aucune? |les |des |l['’])?(?:informations?|infos|détails?|mentions?|références?|résultats?|articles|livres|films)(?: (?:sur|de|du|des|à|aux))",
        r"(?:tout ce qui concerne|ce qui concerne|ceux|celles|celui|celle)(?: (?:de|du|des|avec|sur|qui (?:ont|sont|contiennent)|d(?=['’])))?",
        r"(?:tout|tous|toutes|surtout)(?= )",
        r"(?:de la|de|du|des|le|la|les|une?|sur|aux?|à|avec|par|en|chez|dans)",
        r"(?:de )?(?:d|l|qu)?['’]",
    ),
    articles=r"(?:de la |de l['’]|du |des |de |d['’]|le |la |les |l['’]|une? |son |sa |ses |leurs? |aucune? )",
    pronouns=r"\s+(?:d['’]|de |par |avec )?(?:lui|elles?|eux|les? siens?|les? siennes?)(?:-mêmes?)?(?=[.,;:?!)]|$)",
    likened=rf"(?i:comme|(?:similaires?|semblables?) (?:à|aux)|dans (?:le style|l['’]esprit|la veine) (?:de|d['’]|des)|à la manière (?:de|d['’])) ?(?:(?:les?|la|ceux de|celles de) )?({NAMED})",
    treated=rf"(?i:sur) ({NAMED})",
    no_traps=frozenset(
        {"ça", "cela", "lui", "elle", "eux", "elles", "moi", "toi", "tout", "plus", "ce", "rien", "y"}
    ),
    question_words=r"quel(?:le)?s?|que|qu['’]|qui|où|comment|combien|quand|pourquoi",
    clause_words=r"est|sont|y a-t-il|donne[zr]?|parle[zr]?|je|peux-tu|pouvez-vous",
    joining=r"qui|mais|et",
    imperatives=r"est|sont|y a-t-il|donne[zr]?|parle[zr]?|je|peux-tu|pouvez-vous",
    subject=r"(?:quel(?:le)?s?|qui|combien)\b",
    predicate=(
        r",\s+(?=[a-zéèêà])|\s+(?=(?:est|sont|a|ont|peut|peuvent|respecte|respectent|permet|permettent|propose|proposent|utilise|"
        r"utilisent|fait|font|offre|offrent|existent?|parle|parlent|possède|possèdent|vend|vendent)\s)"
    ),
    goes_on=r"avec|pour|mais avec",
    verbs=r"est|sont|était|ont|peut|peuvent|respecte|respectent",
    stops=(
        r"\s+(?=(?:à moins de|moins de|sous|à partir de|dès) \d)|\s+(?=\?)|,?\s+s['’]il (?:vous|te) pla[iî]t|,?\s+(?:svp|stp|merci|please)(?=[.?! ]*$)"
        r"|(?<!toxique)(?<!toxiques)(?<!nocif)(?<!nocifs)(?<!dangereux)(?<!dangereuses)(?<!dangereuse)(?<!mauvais)\s+(?=pour )"
        r"|\s+(?=(?:faciles?|rapides?|gratuite?s?|en ligne|pas chers?|pas chères?|moelleux|thermomix|avis)\b)"
        r"|\s+(?=(?:mais avec|près de (?:chez|moi)|autour de moi)\b)|,\s+(?=(?:il|elle|ils|elles|j['’]en|on) (?:en )?(?:a|ai|ont|est|sont)\b)"
    ),
    conjunctions=r"et|ou|ni|ainsi que|et/ou",
    leading=("et ", "mais "),
    dangling=("mais", "et", "ou", "qui", "avec", "s'il vous plaît", "surtout", "svp", "merci", "c'est"),
    others=r"\b(quel(?:le)?s?|que|qui|où|y a-t-il|d['’])\s?(?:autres?|d['’]autres?)\b|\s+d['’]autres?(?=\s)",
    other_words=r"\b(?:autres?|encore|aussi|d['’]autre)\b",
    empty_words=words("quel quels quelle quelles que qui où comment le la les un une des tout tous toutes je"),
)
