"""Which language a query is in: by its script, its letters and its small words."""

import re

from esens.decompose.rules.lexicon import LANGUAGES, OTHER, words

_HANGUL = re.compile(r"[가-힣]")
_HAN = re.compile(r"[一-鿿]")
_KANA = re.compile(r"[ぁ-ゖァ-ヺ]")
# Greek to Tibetan, and scripts further on that no table reads.
_OTHER_SCRIPTS = re.compile(r"[\u0370-\u0fff\u1000-\u109f\u1200-\u137f\u1780-\u17ff]")
_SIGNS = str.maketrans(dict.fromkeys(".,;:?!¿¡()\"“”„«»'’-", " "))

# Small words, words that exclude, and what people look for most; without accents too, where people drop them.
_SMALL_WORDS = {
    "en": words(
        "the of and for with what which who how to is are was were do does did not without except other than "
        "by from but excluding besides about at you my any all that this no in on i it or an be can has have "
        "if when where why there their his her its as me your best recipes movies books songs meaning near "
        "lyrics comic serif font"
    ),
    "de": words(
        "der das die und ohne für fuer mit von vom welche welcher welches wie ich außer ausser nicht kein "
        "keine keinen keiner keinem andere anderen sind gibt es ein eine einen einem einer im zum zur auf bei "
        "aus aber statt anstatt abgesehen ausgenommen exklusive bis neben oder nach über ueber sowie wer wo "
        "warum wird wurde kann ist nichts alle den dem des gegen bitte weder noch rezept rezepte bücher filme "
        "möchte suche lass mag wenn als auch mein meine man zu glutenfreie zuckerfreie laktosefreie "
        "alkoholfreie"
    ),
    "fr": words(
        "soupe salade gateau gâteau tarte repas poulet fromage beurre sucre lait farine viande oignons oeufs œufs "
        "le les des du de une un et ou où sans pour avec dans sur quels quelles quel quelle sauf hormis "
        "excepté mais pas autres autre que à part qui comment combien est sont il elle je aux au ne lieu "
        "plutôt hors en la dehors ni mon ma mes ce cette ça c qu l n j y d recette recettes livres idées idees "
        "cadeau séries pourquoi fait plus mieux meilleurs meilleures meilleur chez être aucun aucune peut on "
        "veux voir tous toutes si faire exclu plante voiture exclue cher"
    ),
    "es": words(
        "favor series libre diferentes exento exentos exenta exentas el los las de una un y sin para con qué "
        "que cuáles cuales cuál cual cómo como excepto salvo pero del por es son aparte menos fuera al lugar "
        "otros otras quién quien dónde donde hay mi en lo no la quitando excluyendo exceptuando nada además "
        "ademas todos todas se ni o u su sus más sea sean tenga tengan está receta recetas libros peliculas "
        "películas mejores significado quiero busco dime le esta ser puede puedo poema canciones también sólo "
        "síntomas linfoma baratos móviles sobre vez"
    ),
    "pt": words(
        "filme homem isento isenta isentos isentas diferentes favor livre bom boa séries navegadores o os as "
        "um uma de do da dos das e em no na nos nas não nao sem com para por que quais qual quem onde como "
        "exceto salvo mas menos tirando fora além alem sobre mais é ou ao aos à seja sejam tenha tenham nada "
        "receita receitas livros filmes músicas musicas melhores jogos significado quero você voce eu meu "
        "minha há tem ser está nem sim isso letra dicas pode posso outros outras todos todas se só resumo "
        "sinônimo tchau excluindo excepto leve leite viver"
    ),
    "it": words(
        "il lo gli la le i un una di del della dei delle degli dello e è ed in per con su che chi non senza "
        "tranne eccetto sono come dove quali quale più anche nel nella dal dalla alla al ai cosa perché "
        "ricetta ricette migliori libri canzoni voglio cerco ma o qual quando vicino economici"
    ),
    "nl": words(
        "de het een en van voor met op bij naar welke hoe wat waar zijn ik maar ook over zonder behalve niet "
        "geen recept recepten beste uit aan om die dat deze dan niks er nog goedkope boeken te heb mijn wil"
    ),
    "pl": words(
        "bez oprócz oprocz nie ze na jest są jak jakie które który dla poza przepis przepisy najlepsze co "
        "gdzie ale lub od po się że książki filmy tanie"
    ),
    "sv": words(
        "utan förutom inte och med för på som är en ett vilka hur från men av recept bästa jag om eller i"
    ),
    "da": words(
        "uden undtagen uten unntatt ikke og med på til som er et hvilke hvordan hvor fra men af av opskrift "
        "opskrifter oppskrift jeg eller bortset det for"
    ),
    "tr": words(
        "olmayan hariç haric dışında disinda ve için icin ile bir ne nasıl nasil hangi değil degil olan tarifi "
        "tarifleri nerede ama en mi mı gibi içermeyen ucuz kitaplar"
    ),
    "id": words(
        "tanpa kecuali selain yang dan untuk dengan tidak bukan apa cara di dari ini itu bagaimana resep film "
        "buku ada atau ke"
    ),
    "vi": words("không ngoài trừ và của cho là các những nào có cách món mà với ở"),
    "ro": words(
        "fără fara și si cu este sunt pentru nu din rețete retete decât în la de dar sau ce unde mai cărți"
    ),
    "cs": words("bez kromě krome ve je jsou jak které pro ne recept recepty nejlepší kde ale mimo na nebo"),
    "fi": words("ilman paitsi ja ei on joka jotka mitä missä resepti reseptit ovat kuin tai"),
    "hu": words("nélkül kivéve és az egy nem hogyan milyen recept receptek hol van a vagy"),
}
_FOREIGN = frozenset().union(*(small for language, small in _SMALL_WORDS.items() if language != "en"))
# Letters that a language has and English has not; one alone, as in "jalapeño", tells nothing.
_LETTERS = {
    "de": re.compile("[äöüß]"),
    "fr": re.compile("[èêàçùœâîôëé]"),
    "es": re.compile("[ñ¿¡áíóúé]"),
    "pt": re.compile("[ãõçâêôáíóúé]"),
    "it": re.compile("[àèìòùé]"),
    "sv": re.compile("[åäö]"),
    "da": re.compile("[åøæ]"),
    "fi": re.compile("[äö]"),
    "pl": re.compile("[ąćęłńśźżó]"),
    "tr": re.compile("[şğıçöü]"),
    "vi": re.compile("[ơưđăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]"),
    "ro": re.compile("[șțăâîşţ]"),
    "cs": re.compile("[ěřůčšžýáíé]"),
    "hu": re.compile("[őűáéíóöúü]"),
}
# Letters and pairs of words that no other of these languages has.
_OWN = {
    "de": re.compile(r"ß|\bnicht\b"),
    # "Chalet sans sauna": between two words, and no name of letters ("open sans", "sans serif"). Whoever writes
    # that in English ("burger sans bun") means the same.
    "fr": re.compile(
        r"œ|\bqu['’]\w|^(?!(?:comic|open|noto|source|fira|gill|pt|dm|lucida|nunito|work|product|ubuntu|droid) )"
        r"[^\W\d_]{4,} sans (?!serif|ms\b|pro\b|mono\b|fonts?\b|front|undertale)[^\W\d_]{3,}(?: [^\W\d_]+)?$"
    ),
    "es": re.compile(
        r"[¿¡]|(?:as|os|a|o|ón|ores) sin \w|\w(?:el|es|ol|or|z|che) sin (?!tax)\w+(?:as|os|a|o|es)\b"
    ),
    "pt": re.compile(r"(?:as|os|a|o|ão|es) sem \w|\w(?:el|ol|or|z) sem \w+(?:as|os|a|o|es)\b"),
}
# … and endings.
_OWN_ENDS = {
    "de": ("freie", "freier", "freies", "freien", "freiem", "loser", "loses", "losen", "losem"),
    "es": ("ción",),
    "pt": ("ção", "ções", "lho", "lhos", "lha", "lhas", "nho", "nhos", "nhas", "lher", "lhor", "lhores"),
}
# Endings that many of its words have; each behind the first tells a little.
_ENDS = {
    "es": ("os", "as", "ores", "ales", "dad", "ado", "ar", "ón"),
    "pt": ("os", "as", "ores", "ais", "eis", "dade", "ado", "ar", "ão"),
    "fr": (
        "eur",
        "eurs",
        "eux",
        "euse",
        "ment",
        "aux",
        "ette",
        "elle",
        "elles",
        "ique",
        "iques",
        "oire",
        "ée",
        "ées",
    ),
    "de": ("ung", "ungen", "keit", "heit", "lich", "liche", "isch", "ische", "schaft", "chen"),
}
_SHORTEST_WORD = 5
_ENDING, _MOST_ENDINGS = 0.25, 3
_LETTER = 0.6
_SHARED_WORD, _SHARED_ENGLISH = 0.5, 0.75
_MARGIN = 0.5  # by so much another language must be ahead of English
# English has these too, in names and borrowed phrases, so one alone tells nothing: "original sin", "comic sans".
_SHARED = words(
    "come eu sean ed von series filme sin en de des el la part lieu pour est es que le mi al lo son los las "
    "del der no un die den das du au on sem sans plus man i o a e y as os do em da dos com por me si se su sea "
    "film dame comment recipe van op met over om an er ne une con non per di il in ma ai chi co na z s v w po "
    "od is are be or one many men som af av hot ve bir dan ada ke cu je if was my and fora tem ser the for at "
    "all his her its hay zu são d c l n j u et ou ni mes ce voir como para nada menos leve aux les salvo als "
    "wo bis vom it"
)


_ENGLISH = _SMALL_WORDS["en"] - _FOREIGN
_TELLING = _FOREIGN - _SHARED - _SMALL_WORDS["en"]


def language_of(query: str) -> str:
    """Return the language of a query, or that no table reads it; English when in doubt."""
    text = query.lower()
    seen = set(text.translate(_SIGNS).split())
    if not text.isascii() and not seen & _SMALL_WORDS["en"]:  # "茶 without milk" is read in English
        for language, script in (("ko", _HANGUL), ("ja", _KANA), ("zh", _HAN), (OTHER, _OTHER_SCRIPTS)):
            if script.search(text):
                return language if language in LANGUAGES else OTHER
    if text.isascii() and not seen & _TELLING and (seen & _ENGLISH or not (seen & _FOREIGN or _owned(seen, "de"))):
        return "en"
    signs = _signs(text, seen)
    best = max(signs, key=lambda language: signs[language])  # the first, where two are equal
    if best == "en" or signs[best] < 1 or signs[best] - signs["en"] < _MARGIN:
        return "en"
    return best if best in LANGUAGES else OTHER


def _signs(text: str, seen: set[str]) -> dict[str, float]:
    """Return how much speaks for each language."""
    signs = {
        language: _weight(seen & small, _SHARED_ENGLISH if language == "en" else _SHARED_WORD)
        for language, small in _SMALL_WORDS.items()
    }
    if not text.isascii():
        for language, letters in _LETTERS.items():
            signs[language] += _LETTER * (letters.search(text) is not None)
    for language, own in _OWN.items():
        signs[language] += own.search(text) is not None or _owned(seen, language)
    for language, ends in _ENDS.items():
        found = sum(len(word) >= _SHORTEST_WORD and word.endswith(ends) for word in seen)
        signs[language] += _ENDING * min(_MOST_ENDINGS, max(0, found - 1))
    return signs


def _owned(seen: set[str], language: str) -> bool:
    ends = _OWN_ENDS.get(language, ())
    return any(word.endswith(ends) for word in seen)


def _weight(found: set[str], shared: float) -> float:
    return len(found) - (1 - shared) * len(found & _SHARED)
