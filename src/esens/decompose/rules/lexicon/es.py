"""Spanish."""

from esens.decompose.rules.lexicon import NAMED, Lexicon, words

_OF = r"(?: del?)?"
_END = r"(?=[,.;:?!)]|$)"
# What is said of a thing that fails or of a body, not of one that is left out: "tv sin señal", "tos sin fiebre".
_FAULTS = (
    r"(?: (?:de |la |el )?(?:sonido|señal|imagen|internet|conexión|conexion|red|luz|agua|batería|bateria|audio|video|wifi|"
    r"fiebre|diarrea|vómitos?|vomitos?|náuseas|dolor|síntomas?|sintomas?|tos|apetito|regla|sangrado|trabajo|dinero|empleo|estudios|título|experiencia|carnet|"
    r"licencia|papeles|visa|tiempo|ganas|respuesta|acceso|servicio|espacio|cobertura|saldo|problemas?|remedio)\b)"
)
# Verbs and degrees behind "not": they deny something, and leave nothing out.
_STATES = (
    r"(?: (?:s[oó]lo|solamente|más|mas|obstante|es|son|se|está|estan|están|esta|era|fue|hay|tengo|tiene|tienen|tenemos|puedo(?! (?:comer|tomar|beber))|"
    r"puede|pueden|funciona|funcionan|carga|enciende|prende|va|van|sirve|sirven|quiere|sale|salen|viene|da|dan|hace|"
    r"hacen|sé|sabe|sabía|le|te|lo|la veo|les|nos|suena|imprime|arranca|conecta|reconoce|abre|responde|aparece|llega|"
    r"previene|causa|afecta|importa|pasa|pasarán|siempre|muy|tan|todavía|aún|necesariamente|apto|disponible|embarazada|"
    r"así|como|era|pago|debe|debo|deja|ha|he|han|existe|existen|entra|baja|sube|coge|agarra|detecta|encuentra)\b)"
)
_CONCERN = (
    r"(?:hablen? (?:de|del|sobre)|traten? (?:de|del|sobre)|vayan? (?:de|del|sobre)|mencionen?|"
    r"tengan? (?:nada )?que ver con|estén? relacionad[oa]s? con|se traten? de|se refieran? a)"
)
_HAVE = (
    r"(?:sea[ns]?|son|es|estén?|tengan?|contengan?|incluyan?|lleven?|usen?|utilicen?|necesiten?|requieran?|dependan?|empleen?|"
    r"tienen?|contienen?|incluyen?|llevan?|usan?|utilizan?|necesitan?|requieren?|cueste[ns]?|vengan?|pertenezcan?|hayan? sido|"
    r"exijan?|salgan?|aparezcan?|produzcan?|den|causen?)"
)
_USE = r"(?:usar|utilizar|emplear|comprar|necesidad de|tener que (?:usar|comprar|utilizar)|añadir|poner(?:le)?|echar(?:le)?|gastar en)"
_NON = (
    r"(?:alcohólic|alcoholic|azucarad|gaseos|tóxic|toxic|violent|lácte|lacte|vegan|vegetarian|europe|american|español|"
    r"japones|mexican|frances|ingles|juvenil|asiátic|asiatic|infantil|romántic|romantic|hormonal|farmacológic|"
    r"farmacologic|quirúrgic|quirurgic|invasiv|religios|católic|catolic|perecedr|esteroide|picante|comercial|oficial)"
)

LEXICON = Lexicon(
    language="es",
    triggers=words(
        "excepción excepcion exclusión exclusion excepto salvo excluyendo quitando exceptuando exceptuada exceptuado "
        "exceptuados exceptuadas descartando ignorando omitiendo evitando dejando aparte pero sin nada no menos lugar vez "
        "diferencia además ademas fuera excluido excluida excluidos excluidas ni incluir evita evitar eviten evite ignora "
        "ignore ignorar excluye excluir omite omitir olvida olvídate olvidate quita quitar descarta descartar deja dejar libre "
        "libres exento exenta exentos exentas carente carentes ajeno ajenos ajena ajenas distinto distinta distintos distintas "
        "diferente diferentes allá ningún ninguna ninguno salta saltar saltate"
    ),
    leads=words("a con en que por y o soy más mas tampoco"),
    about=(
        r"excepci[oó]n|exclusi[oó]n|exceptuad\w+|exceptuando|excepto|salvo|excluy\w+|excluid\w+|excluir|quit\w+|distint\w+|diferent\w+|descart\w+|"
        r"ignor\w+|omit\w+|aparte|dejando|deja|dejar|fuera|además|ademas|menos|nada sobre|sobre|que ver|relacionad\w+|"
        r"vinculad\w+|relación|relacion|ajen\w+|hablen? de|hablen? del|hables|hablar de|traten?|vayan?|mencion\w+|contar|"
        r"considerar|nombrar|tener en cuenta|menciones|incluyas|interesan?|relevantes?|cuentan?|olvíd\w+|olvid\w+|refieran?|"
        r"salta\w*|incluir"
    ),
    about_behind=r"(?:(?:los|las|lo|el|la|todo|libros|películas|artículos|documentos) (?:que )?)?(?:sobre|acerca de|relacionad\w+ con|hablan? de|tratan? de)",
    has=(
        r"sin|ni|ningun[oa]?|ningún|nada(?: de| con)?|libres?|exent\w+|carentes?|que no \w+|no (?:lleven?|contengan?|"
        r"tengan?)|no de|no del|no por|no [\wáéíóúñ]+s?(?=$)|no quiero|no me gustan?|no como|no comemos|no soporto|no puedo comer|"
        r"no bebo|pero no (?:de|por|con)"
    ),
    has_behind=r"(?:(?:los|las|lo|el|la|todo|algo) (?:que )?)?(?:con|contengan?|hech[oa]s? (?:de|por|con|en)|del?|por|llev\w+|tengan?|tienen?)",
    clear=(
        rf"(?:a|con) (?:la )?(?:única )?(?:excepci[oó]n|exclusi[oó]n){_OF} …",
        r"excepto(?: por)? …",
        r"salvo …",
        r"(?:excluyendo|quitando|exceptuad[oa]s?|exceptuando|descartando|ignorando|omitiendo)(?: a)? …",
        r"evitando …",
        r"dejando (?:fuera|de lado|aparte)(?: a)? …",
        r"dejando … (?:fuera|de lado|aparte)",
        rf"aparte{_OF} …",
        rf"pero (?:por favor )?(?:que no (?:sea[ns]?|lleven?|tengan?|contengan?|usen?)|no|sin|nada){_OF} …",
        rf"pero tampoco{_OF} …",
        r"sin (?:mencionar|incluir|contar|hablar de|considerar|nombrar|tener en cuenta)(?: a)? …",
        r"sin (?:ninguna )?relaci[oó]n con …",
        r"nada (?:de|del|sobre|con|que ver con|relacionado con) …",
        rf"(?:y )?que no {_CONCERN} …",
        rf"(?:y )?que no {_HAVE}(?: (?:nada|hech[oa]s?|escrit[oa]s?|basad[oa]s?|dirigid[oa]s?))?(?: (?:del?|con|por|en))? …",
        r"no (?:relacionad|vinculad)[oa]s? con …",
        r"no (?:menciones|incluyas|hables de|me hables de|me recomiendes|pongas|recomiendes)(?: a)? …",
        r"ajen[oa]s? (?:a|al) …",
    ),
    request=(
        rf"sin {_USE} …",
        r"sin ser(?: (?:del?|en|con))? …",
        r"sin …",
        rf"en (?:lugar|vez){_OF} …",
        rf"a diferencia{_OF} …",
        r"por fuera de …",
        r"no quiero(?: nada (?:de|sobre|con))?(?: (?:que lleve|que tenga|que sea|ver|leer))?(?! (?:ir|ser|tener|hacer|estar|trabajar)\b) …",
        r"no (?:me gustan?|como|comemos|bebo|bebemos|soporto|soportamos|puedo (?:comer|tomar|beber)) …",
        r"no soy (?:muy )?fan(?:átic[oa])? (?:del?) …",
        r"que no (?!deben|pueden|suelen|saben|quieren|parecen|van|están|han)\w+[ae]n …",
        r"(?:libre|exent[oa]|carente)s? de …",
        r"(?<!\bson )(?<!\bes )(?:distint[oa]s?|diferentes?) (?:del?|al?)(?= (?-i:[A-Z])) …",
        r"y (?:no|sin|nada de) …",
        r"(?:con |sin )?ni(?= [^,.;?!]{1,40} ni ) …",
    ),
    relative=(r"que no (?!debe|puede|suele|sabe|quiere|parece|está|ha|se|me|te|le)\w+[ae] …",),
    restricts=r"\b(?:una?|alg[uú]na?|algo|alguien)\s+(?:[\w-]+\s+){0,4}$",
    additive=(
        rf"además{_OF} …",
        rf"ademas{_OF} …",
        rf"fuera{_OF} …",
        r"m[aá]s all[aá] del? …",
    ),
    opening=(
        r"(?:evit[ae]n?|evitar|ignor[ae]|ignorar|excluye|excluir|omit[ea]|omitir|quita|quitar|descarta|descartar|salta|saltar|saltate)(?: por favor)?(?: a)? …",
        r"olv[ií]date? del? …",
        r"deja(?:r)? (?:fuera|de lado|aparte)(?: a)? …",
        rf"deja(?:r)? … (?:fuera|de lado|aparte){_END}",
        rf"… (?:excluid[oa]s?|aparte|exceptuad[oa]s?|no incluid[oa]s?){_END}",
        rf"… no (?:me interesan?|nos interesan?|es relevante|son relevantes|cuentan?|hace falta|hacen falta|es necesari[oa]|me sirven?){_END}",
        r"(?<=[.?!] )(?:no(?! (?:quiero|me|nos|como|comemos|bebo|soporto|puedo|soy|incluyas|menciones|hables|recomiendes|relacion\w+))|sin|ning[uú]na?|ning[uú]n) …",
        r"no(?= [^,.:]{1,40}[.:] ¿?\w)(?! \w+[oae]\b) …",
    ),
    likely=(
        r"menos …",
        r"(?<=, )(?:y )?no …",
        r"(?<=, )nada(?= \w+$) …",
        r"(?<=\()(?:no|sin) …",
        r"(?<=\w )no (?:del?|por)(?= (?-i:[A-ZÁÉÍÓÚ])) …",
        rf"no[- ](?={_NON}\w*)…(?=[\s,.;?!]|$)",
        r"(?<=, )ning[uú]na? …",
    ),
    doubtful=(r"no …", r"nada …", r"nunca …", r"ni …"),
    fixed=(
        r"de menos para",
        rf"(?:(?:pero|y) )?(?:no{_STATES}|(?:sin|nada|ning[uú]na?|no){_FAULTS})",
        r"sin (?:embargo|duda|fronteras|sentido|querer|falta|parar|fin|fines|techo|ley|city|remedio|cita|causa|ánimo|animo|más|mas|"
        r"cesar|papeles|licencia|carnet|contrato|título|titulo|experiencia|estudios|dinero|trabajo|visa|pasaporte|avisar|"
        r"seguro|testamento|miedo|ti|mí|mi|él|ella|nosotros|límites|límite|filtro|precedentes|tregua|tetas no hay paraíso|"
        r"rostro|nombre|palabras|rumbo|retorno|receta médica|rastro|anestesia|motivo|razón|aviso)\b",
        r"\d+ menos",
        r"no s[oó]lo",
        r"(?:hombre|mujer|niño|niña|vida|cara|ciudad|mundo|amor|noche|día|historia) sin (?:rostro|nombre|pasado|fin|cabeza|alma|ti|ley|sombra|amor|límites)",
        r"(?:médicos|medicos|reporteros|arquitectos|bomberos|payasos|veterinarios|ingenieros|farmacéuticos) sin",
        r"no obstante",
        r"(?:más o|mas o|al|por lo|ni más ni|ni mas ni|ni|cada vez|mucho|nada|echar de|echo de|poco|aún|ni mucho) menos",
        r"menos (?:de|que|mal|es más|es mas|uno|cero|\d)",
        r"fuera de (?:juego|serie|control|servicio|lugar|línea|linea|plazo|sí|casa|cobertura|rango|temporada|combate|stock)",
        r"vida (?:más allá|mas alla|fuera) de",
        r"nada de nada|nada que ver|nada más|de nada|nada menos",
        r"en lugar de (?:ello|eso)",
        r"(?:además|ademas|aparte) de (?:eso|ello|esto)",
        r"no (?:hodgkin|binari\w*|linea\w*|es país|gubernamental\w*|identificad\w*|alinead\w*|ficción|ficcion|retornable\w*|fungible\w*|alcohólic\w* fatty)",
        r"por no (?:hablar|decir)|no más|no mas|si no|a no ser|cómo no|como no|que no\b(?= (?:cunda|se note|te ))|no (?:te|se) \w+",
        r"pero no (?:la |el |lo )?(?:obligación|obligacion|mejor|peor|ideal|importa)\b",
        r"con (?:o|y) sin",
        r"(?:tos|fiebre|gripe|náuseas|nauseas|mareos?|dolor(?:es)?|sarpullido|picor|picazón|regla|retraso|test|hinchazón|diarrea)\b"
        r"[^.?!]{0,30}(?:pero )?(?:sin|no|nada)",
        r"(?:celular|móvil|movil|teléfono|telefono|iphone|computadora|ordenador|laptop|pc|impresora|wifi|router|tv|televisor|"
        r"tele|pantalla|coche|carro|lavadora|nevera|calentador|windows)\b(?:(?! que\b)[^.,?!]){0,30}(?:pero )?no",
        r"(?:si|cuando|porque|aunque) (?:\w+ )?no\b",
        r"ni (?:fu ni fa|modo|idea|una|siquiera|hablar|contigo ni sin ti)",
        r"libre de (?:impuestos|cargas|culpa|riesgo)",
    ),
    fact_before=(
        # People, times and what life is made of: they live without something, and that is what is asked about.
        r"(?<!para )(?<!con )\b(?:hombres?|mujer(?:es)?|niñ[oa]s?|madres?|familias?|parejas?|gente|personas?|alumnos|estudiantes|noches?|"
        r"guerra|libertad|paz|empresa|futuro|pueblos?|embarazada|emprender|vivir|sobrevivir|incluso|con o|dormir|aun|hasta|viajar|conducir|manejar|trabajar|crecer|existir|respirar|"
        r"correr|caminar|morir|estar|quedarse|tos|fiebre|dolor|dolores|náuseas|mareos?|gripe|despido|divorcio|vida|amor|mundo|"
        r"sociedad|democracia|moral|ética|padres|hijos|día|dia|año|infancia|matrimonio|felicidad|embarazo|emigrar|"
        r"años|días|meses|migraña|retraso|crisis|aprobar|graduarse|casarse)\s*$"
    ),
    facts=(
        r"sin [^,.?!]{1,40} (?:película|pelicula|letra|libro|resumen|canción|cancion|documental|significado|reparto|frase|poema|novela)\s*$|"
        rf"sin (?!{_USE}|ser\b|azucar|mar\b|bar\b|mujer|collar|hogar|militar|placer|lugar|pilar|yogur|paladar|calamar)[a-zéíñ]+(?:ar|er|ir|ír)(?:se|lo|la|los|las|le|me|te)?\b"
        r"|sin que\b"
    ),
    comparing=(
        r"¿?(?:por qu[eé]|qu[eé] pasa|cu[aá]nto tiempo|diferencia|debo|si|cu[aá]ndo|cu[aá]nto|es legal|es posible|es seguro|"
        r"es malo|es bueno|es obligatorio|son|qu[eé] sucede|qu[eé] ocurre|es verdad|"
        r"(?:puedo|se puede|podemos|puede)(?![^?]{0,40}\b(?:hacer|preparar|cocinar|hornear|sustituir)\b))\b"
    ),
    asking=(
        r"¿?(?:qu[eé]|cu[aá]l(?:es)?|qui[eé]n(?:es)?|d[oó]nde|c[oó]mo|dame|dime|lista|busca|busco|háblame|hablame|explica|"
        r"recomi[eé]nda\w*|quiero|quisiera|necesito|me gustaría|todos|todas|sugi[eé]reme|ens[eé]ñame|mu[eé]strame|cu[eé]ntame|alguien|alg[uú]n|hay|puedo|se puede)"
    ),
    finite=(
        r"\b(?:es|son|era|eran|está|están|ha|han|tiene|tienen|puede|pueden|debe|carga|enciende|prende|funciona|suena|imprime|"
        r"arranca|conecta|reconoce|responde|aparece|sale|previene|causa|aumenta|reduce|protege|siente)\b"
    ),
    clause_openers=r"(?:^|[,.:;?!(—–]|\b(?:pero|y|por favor))\s*$",
    wrappers=(
        r"(?:ning[uú]n[oa]?|tod[oa]s?|cualquier|por favor)",
        r"(?:la |las |los |el )?(?:información|informacion|detalles?|datos|menciones|referencias?|resultados?|libros|películas|artículos)(?: (?:sobre|de|del|a|al))",
        r"(?:los|las|el|la|lo|algo) (?:de|del|que (?:sea|lleve|tenga|contenga)n?)(?: (?:de|con))?",
        r"(?:del?|el|la|los|las|un|una|unos|unas|al?|sobre|que sean?|con|por|en)",
    ),
    articles=r"(?:el|la|los|las|un|una|unos|unas|del|su|sus|al?|ning[uú]na?|ning[uú]n) ",
    pronouns=r"\s+(?:a |de |con |por )?(?:él|ellas?|ellos|suy[oa]s?)(?: mism[oa]s?)?(?=[.,;:?!)]|$)",
    likened=rf"(?i:como|(?:similar(?:es)?|parecid[oa]s?) a|al estilo de|en la línea de) (?:(?:los|las|el|la)(?: de)? )?({NAMED})",
    treated=rf"(?i:sobre) ({NAMED})",
    no_traps=frozenset(
        {
            "eso",
            "esto",
            "ello",
            "él",
            "ella",
            "ellos",
            "ellas",
            "suyo",
            "suyos",
            "suya",
            "suyas",
            "nada",
            "todo",
            "más",
            "mí",
            "ti",
            "mucho",
            "tanto",
            "bien",
            "tan",
        }
    ),
    question_words=r"qu[eé]|cu[aá]l(?:es)?|qui[eé]n(?:es)?|d[oó]nde|c[oó]mo|cu[aá]ndo|cu[aá]nt[oa]s?",
    clause_words=r"es|son|hay|dame|dime|puedes|podrías|quiero|háblame|recomi[eé]nda\w*",
    joining=r"que|pero|y",
    imperatives=r"es|son|hay|dame|dime|puedes|podrías|quiero|háblame|recomi[eé]nda\w*",
    subject=r"¿?(?:qu[eé]|cu[aá]l(?:es)?|qui[eé]n(?:es)?)\b",
    predicate=(
        r",\s+(?=[a-záéíóú])|\s+(?=(?:es|son|tiene|tienen|ha|han|fue|fueron|puede|pueden|usa|usan|ofrece|ofrecen|respeta|"
        r"respetan|permite|permiten|existen?|vive|viven)\s)"
    ),
    goes_on=r"con|para|pero con",
    verbs=r"es|son|era|fue|fueron|ha|han|tiene|tienen|puede",
    stops=(
        r"\s+(?=(?:por menos de|menos de|por debajo de|de menos de|a partir de) [€$]?\d)|,?\s+por fa(?:vor)?(?=[.?! ]*$)|,?\s+gracias(?=[.?! ]*$)"
        r"|(?<!tóxicas)(?<!tóxicos)(?<!tóxico)(?<!tóxica)(?<!peligrosos)(?<!peligrosas)(?<!nocivos)(?<!malo)(?<!dañinos)\s+(?=para )"
        r"|\s+(?=(?:f[aá]cil(?:es)?|r[aá]pid[oa]s?|gratis|caser[oa]s?|barat[oa]s?|online|en español|cerca de (?:mí|mi)|pero con)\b)"
        r"|(?<!los)(?<!las)(?<!lo)\s+(?=que (?:respet|permit|funcion|sirv|ofrec)\w+)"
        r"|,\s+(?=(?:ya|tiene|tengo|me|le|lo|los|la|las) (?:\w+ )?(?:tengo|tiene|conozco|he|ha|vi|le[ií]|gustan?)\b)"
    ),
    conjunctions=r"y|e|o|u|ni|y/o",
    leading=("y ", "pero "),
    dangling=("pero", "y", "o", "que", "con", "por favor", "pero que", "y que", "son", "es"),
    others=r"\b(qué|que|cuáles|cuales|quién(?:es)?|dónde|hay|algún|alguna|de)\s+(?:otr[oa]s?|más)\b",
    other_words=r"\b(?:otr[oa]s?|más|también)\b|¿",
    empty_words=words("qué que cuál cuáles quién dónde cómo el la los las un una todo todos todas hay"),
)
