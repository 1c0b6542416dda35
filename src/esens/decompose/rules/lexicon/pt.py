"""Portuguese, of Brazil and of Portugal."""

from esens.decompose.rules.lexicon import NAMED, Lexicon, words

_NOT = r"n[ãa]o"
_OF = r"(?: d(?:e|o|a|os|as))?"
_END = r"(?=[,.;:?!)]|$)"
# What is said of a thing that fails or of a body, not of one that is left out: "tv sem sinal", "tosse sem febre".
_FAULTS = (
    r"(?: (?:de |a |o )?(?:som|sinal|imagem|internet|conexão|conexao|rede|luz|água|agua|bateria|áudio|audio|vídeo|wifi|"
    r"febre|diarreia|vômitos?|enjoo|dor|sintomas?|tosse|apetite|menstruação|sangramento|trabalho|emprego|dinheiro|estudo|diploma|experiência|"
    r"carteira|cnh|documento|visto|tempo|vontade|resposta|acesso|serviço|espaço|cobertura|saldo|problemas?|remédio)\b)"
)
# Verbs and degrees behind "not": they deny something, and leave nothing out.
_STATES = (
    r"(?: (?:s[óo]|somente|apenas|mais|obstante|é|são|se|está|estão|esta|era|foi|há|tenho|tem|têm|temos|consigo|pode|podem|"
    r"posso(?! (?:comer|tomar|beber))|funciona|funcionam|carrega|liga|ligam|vai|vão|serve|sei|sabe|sabia|sai|vem|dá|da|dão|"
    r"faz|fazem|lhe|te|lo|nos|toca|imprime|conecta|reconhece|abre|responde|aparece|chega|previne|causa|afeta|importa|passa|"
    r"sempre|muito|tão|tao|ainda|necessariamente|disponível|grávida|assim|pago|deve|devo|deixa|existe|existem|entra|baixa|"
    r"sobe|pega|detecta|encontra|estou|quer|fala|come|dorme|para)\b)"
)
_CONCERN = (
    r"(?:falem? (?:d[eoa]s?|sobre)|tratem? (?:d[eoa]s?|sobre)|mencionem?|citem?|"
    r"tenham? (?:nada )?(?:a|que) ver com|estejam? relacionad[oa]s? (?:a|à|ao|com)|se refiram? a|sejam? sobre)"
)
_HAVE = (
    r"(?:sejam?|são|é|estejam?|tenham?|contenham?|incluam?|levem?|usem?|utilizem?|precisem?|necessitem?|exijam?|requeiram?|"
    r"dependam?|têm|tem|contém|contêm|incluem|inclui|levam?|usam?|utilizam?|precisam?|custem?|venham?|pertençam?|apareçam?|"
    r"sirvam?|causem?)"
)
_USE = r"(?:usar|utilizar|empregar|comprar|precisar(?: de| do| da| usar)?|ter que (?:usar|comprar)|adicionar|colocar|botar|pôr|gastar com)"
_NON = (
    r"(?:alco[óo]lic|açucarad|acucarad|gasos|t[óo]xic|violent|l[áa]cte|vegan|vegetarian|europe|american|brasileir|"
    r"japones|frances|ingles|juveni|asi[áa]tic|infanti|rom[âa]ntic|hormona|farmacol[óo]gic|cir[úu]rgic|invasiv|religios|"
    r"cat[óo]lic|perec[íi]ve|esteroid|picante|comercia|oficia|durón)"
)

LEXICON = Lexicon(
    language="pt",
    triggers=words(
        "exceção excecao excepção exclusão exclusao exceto excepto salvo excluindo tirando excetuando descartando ignorando "
        "omitindo evitando deixando parte mas sem nada não nao menos lugar vez invés inves diferente diferentes contrário além "
        "alem fora excluído excluída excluídos excluídas nem evite evita evitem evitar ignore ignora ignorar exclua exclui "
        "excluir omita omite esqueça esquece esqueca tire tira tirar retire retira descarte descarta deixe deixa deixar livre "
        "livres isento isenta isentos isentas nenhum nenhuma outro outra outros outras pule pula dispenso"
    ),
    leads=words("a à com em ao que por e ou eu sou mais só mas tampouco"),
    about=(
        r"exce[çc][ãa]o|excepção|exclus[ãa]o|exceto|excepto|salvo|exclu\w+|excetu\w+|tir\w+|descart\w+|ignor\w+|omit\w+|"
        r"à parte|a parte|deix\w+|fora|al[ée]m|menos|nada sobre|sobre|ver com|relacionad\w+|ligad\w+|relação|falem? d\w+|"
        r"fale d\w+|falar d\w+|tratem?|mencion\w+|cit\w+|contar|considerar|levar em conta|incluir|inclua|interessam?|"
        r"relevantes?|contam?|esque[çc]\w+|refiram?|pul[ae]|outr[oa]s? que|diferentes?"
    ),
    about_behind=r"(?:(?:os|as|o|a|tudo|livros|filmes|artigos|documentos) (?:que )?)?(?:sobre|a respeito d\w|relacionad\w+ [aàc]\w*|falam? d\w|tratam? d\w)",
    has=(
        rf"sem|nem|nenhuma?|nada(?: d[eoa]s?| com)?|livres?|isent\w+|que {_NOT} \w+|{_NOT} (?:levem?|contenham?|tenham?)|"
        rf"{_NOT} d[eoa]s?|{_NOT} por|{_NOT} [\wáéíóúâêôãõç]+s?(?=$)|{_NOT} quero|{_NOT} gosto|{_NOT} como|{_NOT} comemos|{_NOT} suporto|{_NOT} posso comer|"
        rf"{_NOT} bebo|mas {_NOT} (?:d[eoa]s?|por|com)"
    ),
    has_behind=r"(?:(?:os|as|o|a|tudo|algo) (?:que )?)?(?:com|contenham?|feit[oa]s? (?:de|por|com|em)|d[eoa]s?|por|lev\w+|tenham?|têm|tem)",
    clear=(
        rf"(?:a|à|com) (?:a )?(?:única )?(?:exce[çc][ãa]o|excepção|exclus[ãa]o){_OF} …",
        r"exceto(?: por)? …",
        r"excepto …",
        r"salvo …",
        r"(?:excluindo|tirando|excetuando|descartando|ignorando|omitindo) …",
        r"evitando …",
        r"deixando (?:de fora|de lado|à parte) …",
        r"deixando … (?:de fora|de lado|à parte)",
        rf"[àa] parte{_OF} …",
        r"fora(?! d[eoa]s? (?:casa|jogo|controle|série|hora|comum|padrão|ar)\b)(?= (?:os?|as?) ) …",
        rf"mas (?:por favor )?(?:que {_NOT} (?:sejam?|levem?|tenham?|contenham?|usem?)|{_NOT}|sem|nada|nenhuma?){_OF} …",
        r"sem (?:mencionar|incluir|contar|falar d[eoa]s?|considerar|citar|levar em conta) …",
        r"sem (?:nenhuma )?(?:relação|ligação) com …",
        r"nada (?:d[eoa]s?|sobre|com|a ver com|que ver com|relacionado (?:a|à|ao|com)) …",
        rf"(?:e )?que {_NOT} {_CONCERN} …",
        rf"(?:e )?que {_NOT} {_HAVE}(?: (?:nada|feit[oa]s?|escrit[oa]s?|basead[oa]s?|dirigid[oa]s?))?(?: (?:d[eoa]s?|com|por|em|n[oa]s?|pel[oa]s?))? …",
        rf"{_NOT} (?:relacionad|ligad|vinculad)[oa]s? (?:a|à|ao|aos|às|com) …",
        rf"{_NOT} (?:mencione|inclua|cite|fale d[eoa]s?|me fale d[eoa]s?|recomende|coloque|me recomende) …",
        r"outr[oa]s? que não …",
    ),
    request=(
        rf"sem {_USE} …",
        r"sem ser(?: (?:d[eoa]s?|em|n[oa]s?|com))? …",
        r"sem …",
        rf"(?:em|no) (?:lugar|vez){_OF} …",
        rf"ao (?:inv[ée]s|contrário){_OF} …",
        r"diferentes? d[eoa]s?(?= (?-i:[A-Z])) …",
        rf"(?:eu )?{_NOT} quero(?: nada (?:d[eoa]s?|sobre|com))?(?: (?:que leve|que tenha|que seja|ver|ler))?(?! (?:ir|ser|ter|fazer|estar|trabalhar)\b) …",
        rf"(?:eu )?{_NOT} (?:gosto d[eoa]s?|como|comemos|bebo|bebemos|suporto|curto|posso (?:comer|tomar|beber)) …",
        rf"{_NOT} sou (?:muito )?fã d[eoa]s? …",
        rf"que {_NOT} (?!devem|podem|costumam|sabem|querem|parecem|vão|estão|foram)\w+[ae]m …",
        r"(?:livre|isent[oa])s? d[eoa]s? …",
        rf"e (?:{_NOT}|sem|nada de) …",
        r"(?:com |sem )?nem(?= [^,.;?!]{1,40} nem ) …",
    ),
    relative=(rf"que {_NOT} (?!deve|pode|costuma|sabe|quer|parece|está|foi|se|me|te|lhe)\w+[ae] …",),
    restricts=r"\b(?:uma?|alguma?|algo|alguém)\s+(?:[\w-]+\s+){0,4}$",
    additive=(rf"al[ée]m{_OF} …", rf"fora{_OF} …"),
    opening=(
        r"(?:evit[ea]m?|evitar|ignor[ea]|ignorar|exclu[ai]|excluir|omit[ae]|esque[çc][ae]|esquece|tir[ea]|tirar|retir[ea]|descart[ea]|pul[ea]|dispenso)(?: por favor)? …",
        r"deix[ea] (?:de fora|de lado|fora) …",
        rf"deix[ea]r? … (?:de fora|de lado|fora){_END}",
        rf"… (?:excluíd[oa]s?|à parte|não incluíd[oa]s?){_END}",
        rf"… {_NOT} (?:me interessam?|nos interessam?|interessam?|é relevante|são relevantes|contam?|precisam?|é necessári[oa]|vale|valem){_END}",
        rf"(?<=[.?!] )(?:{_NOT}(?! (?:quero|gosto|me|nos|como|comemos|bebo|suporto|posso|sou|inclua|mencione|fale|recomende|curto))|sem|nenhuma?|nada d[eoa]s?) …",
    ),
    likely=(
        r"menos …",
        rf"(?<=, )(?:e )?{_NOT} …",
        r"(?<=, )nada(?= \w+$) …",
        rf"(?<=\()(?:{_NOT}|sem) …",
        rf"(?<=\w ){_NOT} (?:d[eoa]s?|por)(?= (?-i:[A-ZÁÉÍÓÚ])) …",
        rf"{_NOT}[- ](?={_NON}\w*)…(?=[\s,.;?!]|$)",
        r"(?<=, )nenhuma? …",
    ),
    doubtful=(rf"{_NOT} …", r"nada …", r"nunca …", r"nem …"),
    fixed=(
        r"de menos para",
        rf"(?:(?:mas|e) )?(?:{_NOT}{_STATES}|(?:sem|nada|nenhuma?|{_NOT}){_FAULTS})",
        r"sem (?:dúvida|duvida|fronteiras|sentido|querer|falta|parar|fim|fins|teto|terra|lei|remédio|causa|mais|cessar|papel|"
        r"habilitação|habilitacao|carteira|cnh|contrato|diploma|experiência|experiencia|dinheiro|visto|passaporte|avisar|"
        r"seguro|testamento|medo|ti|mim|você|voce|ele|ela|nós|limites|limite|filtro|precedentes|rosto|nome|palavras|rumo|volta|"
        r"receita médica|rastro|anestesia|motivo|razão|aviso prévio|aviso|fôlego|noção|querer|destino|justa causa|perdão|lenço|"
        r"pé nem cabeça|eira nem beira|advogado|registro|entrada|juros|vergonha)\b",
        r"\d+ menos",
        r"não só|nao so|não apenas|não somente",
        r"(?:homem|mulher|menino|menina|vida|cara|cidade|mundo|amor|noite|dia|história|cavaleiro|mula|anos) sem (?:rosto|nome|passado|fim|cabeça|alma|você|lei|sombra|amor|limites|volta)",
        r"(?:médicos|medicos|repórteres|arquitetos|palhaços|veterinários|engenheiros|farmacêuticos|movimento dos trabalhadores) sem",
        r"(?:mais ou|ao|pelo|pelos|nem mais nem|nem|cada vez|muito|nada|a|pouco|ainda) menos",
        r"menos (?:de|que|do|é mais|um|uma|zero|\d)",
        r"fora d[eoa]s? (?:jogo|série|serie|controle|serviço|lugar|linha|prazo|si|casa|rota|ar|estoque|comum|lei|hora|padrão|caixa)",
        r"fora (?:temer|bolsonaro|lula|da caridade)",
        r"vida (?:além|fora) d[eoa]",
        r"nada de nada|nada (?:a|que) ver(?! com)|nada mais|de nada|nada (?:será|a declarar|como|ortodoxa)",
        r"(?:em vez|ao invés) (?:disso|de ou)",
        r"(?:além|alem|à parte) (?:disso|disto|do mais|mar|da vida|do horizonte|da alma)",
        rf"{_NOT}[- ](?:hodgkin|binári\w*|linear\w*|governamenta\w*|identificad\w*|alinhad\w*|ficção|fumante\w*|verbal|pequenas células|me (?:deixe|toque|quitte))",
        rf"por {_NOT} |{_NOT} mais|se {_NOT}|a {_NOT} ser|como {_NOT}|ser ou {_NOT}|{_NOT} (?:te|se|lhe) \w+|quem {_NOT}\b|{_NOT} olhe para cima",
        r"mas n[ãa]o (?:a |o )?(?:obrigação|obrigacao|melhor|pior|ideal|importa)\b",
        r"com (?:ou|e) sem",
        r"(?:tosse|febre|gripe|náuseas?|enjoo|tontura|dor(?:es)?|coceira|menstruação|atraso|teste|inchaço|diarreia)\b"
        r"[^.?!]{0,30}(?:mas )?(?:sem|n[ãa]o|nada)",
        r"(?:celular|telefone|iphone|computador|notebook|pc|impressora|wifi|roteador|tv|televisão|tela|carro|moto|máquina|"
        r"geladeira|chuveiro|windows)\b(?:(?! que\b)[^.,?!]){0,30}(?:mas )?n[ãa]o",
        rf"(?:se|quando|porque|embora) (?:\w+ )?{_NOT}\b",
        r"nem (?:sempre|todo\w*|pensar|vem|aí|te conto|fede nem cheira|que a vaca tussa)",
        r"livre de (?:impostos|culpa|risco)|livre d[eo] (?:frete)",
    ),
    fact_before=(
        # People, times and what life is made of: they live without something, and that is what is asked about.
        r"(?<!para )(?<!pra )(?<!com )\b(?:homens?|homem|mulher(?:es)?|meninos?|meninas?|famílias?|casais|casal|gente|pessoas?|alunos|estudantes|noites?|"
        r"guerra|liberdade|paz|empresa|futuro|grávida|empreender|viver|sobreviver|mesmo|até|com ou|dormir|viajar|dirigir|conduzir|trabalhar|crescer|existir|respirar|correr|"
        r"caminhar|andar|morrer|estar|ficar|tosse|febre|dor|dores|enjoo|tontura|gripe|demissão|divórcio|vida|amor|mundo|"
        r"sociedade|democracia|moral|ética|pais|filhos|dia|dias|ano|anos|meses|infância|casamento|felicidade|gravidez|emigrar|"
        r"enxaqueca|atraso|crise|passar|casar|morar|mães?|crianças)\s*$"
    ),
    facts=(
        r"sem [^,.?!]{1,40} (?:filme|letra|livro|resumo|música|musica|documentário|significado|elenco|frase|poema|desenho)\s*$|"
        rf"sem (?!{_USE}|ser\b|açúcar|acucar|açucar|mar\b|bar\b|mulher|lugar|colar|celular|militar|prazer|talher|par\b|calcanhar)[a-zéíçãõê]+(?:ar|er|ir|or)(?:-se|-lo|-la)?\b"
        r"|sem que\b|sem se \w+"
    ),
    comparing=(
        r"(?:por ?qu[eê]|o que acontece|quanto tempo|diferença|diferenca|devo|se|quando|quanto|é legal|é possível|é seguro|é crime|"
        r"é normal|é obrigatório|é verdade|(?:posso|pode|podemos|dá para|da pra|dá pra|tem como)(?![^?]{0,40}\b(?:fazer|preparar|cozinhar|assar|substituir)\b))\b"
    ),
    asking=(
        r"(?:o que|que|quais|qual|quem|onde|como|me (?:dê|da|fale|indique|mostre|recomende|conte)|diga|liste|lista|busco|procuro|procure|"
        r"fale|explique|recomende|indique|sugira|mostre|quero|queria|preciso|gostaria|todos|todas|alguém|algum|alguma|há|existe|tem|posso|pode|conte|eu)\b"
    ),
    finite=(
        r"\b(?:é|são|era|eram|está|estão|tem|têm|pode|podem|deve|carrega|liga|funciona|toca|imprime|conecta|reconhece|"
        r"responde|aparece|sai|previne|causa|aumenta|reduz|protege|sente|desenvolvem|apresentam)\b"
    ),
    clause_openers=r"(?:^|[,.:;?!(—–]|\b(?:mas|e|por favor))\s*$",
    wrappers=(
        r"(?:nenhuma?|tod[oa]s?|qualquer|por favor)",
        r"(?:a |as |os |o )?(?:informação|informações|informacoes|detalhes?|dados|menções|referências?|resultados?|livros|filmes|artigos)(?: (?:sobre|d[eoa]s?|a|ao))",
        r"(?:os|as|o|a|algo) (?:d[eoa]s?|que (?:seja|leve|tenha|contenha)m?)(?: (?:de|com))?",
        r"(?:d[eoa]s?|os?|as?|um|uma|uns|umas|aos?|à|às|sobre|que sejam?|com|por|em|n[oa]s?|pel[oa]s?)",
    ),
    articles=r"(?:os?|as?|um|uma|uns|umas|d[eoa]s?|seus?|suas?|aos?|nenhuma?) ",
    pronouns=r"\s+(?:de |com |por )?(?:d?ele|d?ela|d?eles|d?elas)(?: mesm[oa]s?)?(?=[.,;:?!)]|$)",
    likened=rf"(?i:como|(?:semelhantes?|parecid[oa]s?) (?:a|à|ao|com)|no estilo d[eoa]s?|ao estilo d[eoa]s?) (?:(?:os|as|o|a)(?: d[eoa]s?)? )?({NAMED})",
    treated=rf"(?i:sobre) ({NAMED})",
    no_traps=frozenset(
        {
            "isso",
            "isto",
            "ele",
            "ela",
            "eles",
            "elas",
            "dele",
            "dela",
            "deles",
            "delas",
            "nada",
            "tudo",
            "mais",
            "mim",
            "ti",
            "você",
            "muito",
            "tanto",
            "bem",
            "tão",
        }
    ),
    question_words=r"o que|que|quais|qual|quem|onde|como|quando|quant[oa]s?",
    clause_words=r"é|são|há|me|diga|pode|poderia|quero|fale|recomende|indique",
    joining=r"que|mas|e",
    imperatives=r"é|são|há|me|diga|pode|poderia|quero|fale|recomende|indique",
    subject=r"(?:o que|que|quais|qual|quem)\b",
    predicate=(
        r",\s+(?=[a-záéíóúãõç])|\s+(?=(?:é|são|tem|têm|foi|foram|pode|podem|usa|usam|oferece|oferecem|respeita|respeitam|"
        r"permite|permitem|existem?|vive|vivem)\s)"
    ),
    goes_on=r"com|para|mas com",
    verbs=r"é|são|era|foi|foram|tem|têm|pode",
    stops=(
        r"\s+(?=(?:por menos de|menos de|abaixo de|até|a partir de) (?:R\$ ?|€)?\d)|,?\s+por favor(?=[.?! ]*$)|,?\s+(?:obrigad[oa]|pfv|pf|por fa)(?=[.?! ]*$)"
        r"|(?<!tóxicas)(?<!tóxicos)(?<!tóxico)(?<!tóxica)(?<!perigosos)(?<!perigosas)(?<!nocivos)(?<!mal)(?<!venenosas)\s+(?=(?:para|pra) )"
        r"|\s+(?=(?:f[áa]cil|f[áa]ceis|r[áa]pid[oa]s?|gr[áa]tis|caseir[oa]s?|barat[oa]s?|simples|online|em português|perto de mim|mas com|fit|fofinho)\b)"
        r"|(?<!os)(?<!as)(?<!\bo)\s+(?=que (?:respeit|permit|funcion|serv|oferec)\w+)"
        r"|,\s+(?=(?:já|ele|ela|eu|esses|essas) (?:já )?(?:tem|tenho|conheço|vi|li|são)\b)"
    ),
    conjunctions=r"e|ou|nem|e/ou",
    leading=("e ", "mas "),
    dangling=("mas", "e", "ou", "que", "com", "por favor", "mas que", "e que", "são", "é", "eu"),
    others=r"\b(que|quais|quem|onde|há|algum|alguma|existem|tem|de)\s+(?:outr[oa]s?|mais)\b|\bmais()(?= (?:ele|ela|ele)? ?\w+(?:ou|eu|iu)\b)",
    other_words=r"\b(?:outr[oa]s?|mais|também)\b|\?",
    empty_words=words("que quais qual quem onde como o a os as um uma tudo todos todas há tem"),
)
