"""Korean. The cue stands behind what it excludes, and its particle sticks to it."""

from esens.decompose.rules.lexicon import Lexicon

_OBJECT = r"(?:은|는|을|를|이|가|만|에 대해서는|에 대한 내용은|와|과)?\s*"

LEXICON = Lexicon(
    language="ko",
    triggers=frozenset(),
    leads=frozenset(),
    spaced=False,
    clear=(
        rf"…{_OBJECT}제외(?:한|하고(?:는)?|하면|하여|해서|된|할|해 ?줘|해 ?주세요)?(?=[\s,.?!]|$)",
        rf"…{_OBJECT}(?:배제(?:한|하고)|생략(?:한|하고)|빼고|뺀|빼면|빼 ?줘|빼 ?주세요)(?=[\s,.?!]|$)",
        rf"…{_OBJECT}(?:언급|포함|고려|사용)하지 (?:말고|않고|않는|않은|말아\s?줘|마|마세요)(?=[\s,.?!]|$)",
        rf"…{_OBJECT}(?:필요\s?없(?:어|어요|습니다|고)|싫(?:어|어요|고))(?=[\s,.?!]|$)",
        rf"…{_OBJECT}(?:들어가지|들어있지) 않(?:은|는|고)(?=[\s,.?!]|$)",
        r"…\s*말고(?=[\s,.?!]|$)",
        r"…\s*(?:이외에?의?|외의)(?=[\s,.?!]|$)",
        r"…(?:과|와) (?:관련\s?없는|무관한)(?=[\s,.?!]|$)",
    ),
    request=(
        r"…\s+없이(?=[\s,.?!]|$)",
        r"…(?:이|가)?\s+(?:아닌|안 들어간)(?=[\s,.?!]|$)",
        rf"…{_OBJECT}대신(?:에)?(?=[\s,.?!]|$)",
        r"…(?:이|가)\s+없는(?=[\s,.?!]|$)",
    ),
    additive=(r"…\s*외에(?:도)?(?=[\s,.?!]|$)", r"…\s*(?:뿐만 아니라)(?=[\s,.?!]|$)"),
    doubtful=(r"않…", r"아니…", r"없…", r"안\s…"),
    fixed=(
        r"국경\s?없는",
        r"이상 없다",
        r"(?:왜|어떻게) .{0,12} 아닌가",
        r"물 없이 며칠",
        r"끝(?:이)? 없(?:이|는)",
        r"틀림없이",
    ),
    suffix_start=(
        r"[,.?!]\s*|(?<=[가-힣])(?:에서|에게|에는|에|의|은|는|이|가|을|를|로|으로|한|인|하는|된|할|하고|있는|없는|중에서|중)\s+"
    ),
    fact_before=r"(?!)",
    facts=r"(?:\s*없이|(?:이|가)\s+없는)[^,]{0,60}(?:나요?|까|다|인가|ㄴ가)[?.]?$",
    comparing=r"(?:왜|어떻게|만약)|[^ ]+[은는] 왜 ",
    asking=r".",
    clause_openers=r"(?:^|[,.:;?!(])\s*$",
    wrappers=(r"(?:모든|어떤|관련된?)\s",),
    no_traps=frozenset({"그것", "이것"}),
    question_words=r"무엇|누구|어디|언제|어떤",
    clause_words=r"알려|추천|설명",
    stops="(?!)",
    conjunctions=r" 및 | 그리고 |(?<=,) ",
    others=r"()다른\s",
    other_words=r"다른|또",
    empty_words=frozenset({"알려줘", "알려", "줘", "추천", "다른"}),
)
