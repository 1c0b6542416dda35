"""Spanish."""

from esens.decompose.lexicon import Lexicon, words

_OF = r"(?: del?)?"

LEXICON = Lexicon(
    language="es",
    triggers=words(
        "excepción exclusión excepto salvo excluyendo quitando exceptuando exceptuada exceptuado descartando ignorando aparte pero sin "
        "nada no menos lugar vez diferencia además fuera excluido excluida excluidos excluidas ni incluir"
    ),
    leads=words("a con en que por"),
    clear=(
        rf"(?:a|con) (?:la )?(?:excepción|exclusión){_OF} …",
        r"excepto …",
        r"salvo …",
        r"(?:excluyendo|quitando|exceptuad[oa]s?|exceptuando|descartando|ignorando)(?: a)? …",
        rf"aparte{_OF} …",
        rf"pero (?:no|sin|nada){_OF} …",
        r"sin (?:mencionar|incluir|contar|hablar de|considerar|nombrar|tener en cuenta)(?: a)? …",
        r"nada (?:de|sobre|con) …",
        r"que no (?:sea[ns]?|son|es|esté[n]?|tengan?|contengan?|incluyan?|lleven?|usen?|hablen? de|traten? de) …",
        r"no (?:relacionad|vinculad)[oa]s? con …",
        r"no quiero(?: nada (?:de|sobre|con))? …",
        r"no (?:menciones|incluyas|hables de|me hables de) …",
        r"sin incluir …",
    ),
    request=(
        r"sin …",
        rf"en (?:lugar|vez){_OF} …",
        rf"a diferencia{_OF} …",
        r"por fuera de …",
    ),
    additive=(rf"además{_OF} …", rf"fuera{_OF} …"),
    opening=(r"… (?:excluid[oa]s?|aparte|exceptuad[oa]s?)(?=[,.;?!)]|$)",),
    likely=(r"menos …", r"(?<=, )(?:y )?no(?= (?!sólo|solo|más|obstante|es|son|se)) …"),
    doubtful=(r"no …", r"nada …", r"nunca …"),
    fixed=(
        r"sin (?:embargo|duda|fronteras|sentido|querer|falta|parar|fin|techo|ley|city|remedio|cita|causa|ánimo|fines)",
        r"\d+ menos",
        r"no s[oó]lo",
        r"(?:hombre|mujer|niño|vida|cara) sin (?:rostro|nombre|pasado|fin|cabeza)",
        r"no obstante",
        r"(?:más o|al|por lo|ni más ni|ni|cada vez|mucho|nada) menos",
        r"menos (?:de|que|mal)",
        r"fuera de (?:juego|serie|control|servicio|lugar|línea)",
        r"nada de nada",
        r"en lugar de (?:ello|eso)",
        r"además de eso",
    ),
    fact_before=r"\b(?:vivir|sobrevivir|incluso|con o|dormir|aun|hasta)\s*$",
    facts=r"sin [a-zé]+(?:ar|er|ir)\b",
    comparing=r"¿?(?:por qué|cómo|qué pasa|cu[aá]nto tiempo|puedo|se puede|es|son|diferencia|debo|si|cuándo)\b",
    asking=r"¿?(?:qué|cuál(?:es)?|quién(?:es)?|dónde|cómo|dame|dime|lista|busca|busco|háblame|explica|recomi[eé]nda|quiero|todos|todas)",
    finite=r"\b(?:es|son|era|eran|está|están|ha|han|tiene|tienen|puede|pueden|debe)\b",
    clause_openers=r"(?:^|[,.:;?!(—–]|\b(?:pero|y))\s*$",
    wrappers=(
        r"(?:ningun[oa]?|tod[oa]s?|cualquier)",
        r"(?:la )?(?:información|detalles?|datos|menciones|referencias?|resultados?)(?: (?:sobre|de|del|a|al))?",
        r"(?:los|las|el|la) (?:de|del)",
        r"(?:del?|el|la|los|las|un|una|al|sobre|que sean?)",
    ),
    articles=r"(?:el|la|los|las|un|una|unos|unas|del|su|sus|al?) ",
    no_traps=frozenset({"eso", "esto", "ello", "él", "ella"}),
    question_words=r"qu[eé]|cuál(?:es)?|quién(?:es)?|dónde|cómo|cuándo|cuánt[oa]s?",
    clause_words=r"es|son|hay|dame|dime|puedes|podrías|quiero|háblame",
    joining=r"que|pero|y",
    imperatives=r"es|son|hay|dame|dime|puedes|podrías|quiero|háblame",
    goes_on=r"con|para",
    verbs=r"es|son|era|fue|fueron|ha|han|tiene|tienen|puede",
    stops=r"\s+(?=(?:por menos de|menos de|por debajo de) [€$]?\d)",
    conjunctions=r"y|e|o|u|ni",
    leading=("y ", "pero "),
    dangling=("pero", "y", "o", "que", "con", "por favor"),
    others=r"\b(qué|cuáles|quién(?:es)?|dónde|hay|algún|alguna|de)\s+(?:otr[oa]s?|más)\b",
    other_words=r"\b(?:otr[oa]s?|más|también)\b|¿",
    empty_words=words("qué cuál cuáles quién dónde cómo el la los las un una todo todos todas hay"),
)
