"""The words that exclude, as data."""

# Say on their own that what follows is not wanted.
CUES = (
    r"to the exclusion of",
    r"with the exception of",
    r"excluding",
    r"(?<!try )except(?:ing)?(?: for)?(?! (?:clause|block|statement|finally))",
    r"other than",
    r"besides",
    r"apart from",
    r"aside from",
    r"not including",
    r"not counting",
    r"not to mention",
    r"nothing about",
    r"(?:but |(?<=, ))nothing (?:about|with|on|from|by|like|in)",
    r"but not(?: about| on)?",
    r"leaving (?:out|aside)",
    r"disregarding",
    r"omitting",
    r"avoiding(?= (?:any |all )?(?:mention|reference|detail|information|discuss|spoiler))",
    r"please (?:do not|don['’]t) (?:mention|include|provide|discuss|give)",
    r"(?:i|we) (?:do not|don['’]t) want(?! to\b)",
)

# Exclude in a request ("pain relief without opioids") and state a fact elsewhere ("mice without a thymus are …").
WEAK_CUES = (r"without", r"unlike", r"instead of", r"rather than", r"but no")

# Exclude only where they open a sentence ("In addition to Juliet, who …") or a clause ("…, and exclude …").
LEADING_CUES = (
    r"in addition to",
    r"ignoring",
    r"exclude",
    r"avoid(?= (?:any |all )?(?:mention|reference|detail|information|discuss|spoiler))",
    r"(?:do not|don['’]t) (?:mention|include|provide|discuss|give)",
)
CLAUSE_OPENERS = ("and", "but", "please", "you", ",", ":")

# After these, "without" speaks of an absence that is the topic itself: "how to survive without water".
ABSENCE = ("or", "live", "living", "survive", "surviving", "happens", "cope", "sleep", "go")

# Compare two things instead of excluding one: "why use Rust instead of C++?"
COMPARING = r"(?:why|should|is|are|when|whether)\b"

# Not a thing that can be excluded: "other than that", "without further ado".
NO_TRAPS = frozenset(
    {"that", "this", "it", "these", "those", "further ado", "ado", "obvious", "doubt", "question", "fail"}
)

# What people put between the cue and the thing itself: "without including any information about X".
WRAPPERS = (
    r"(?:including|mentioning|considering|discussing|introducing|providing|involving|using|counting|regarding)",
    r"(?:bringing up|referring to|focusing on|talking about|taking into account|touching on|going into)",
    r"(?:any|all|some|specific|further|other) ",
    r"(?:the )?(?:mention|information|info|detail|reference|discussion|connection|content|data|spoiler|relation)s?"
    r" (?:of|about|on|to|with|from|for|regarding|concerning|relat(?:ed|ing) to|between)",
    r"(?:anything|everything|those|ones|things)(?: (?:about|with|on|of|from|related to|relating to|regarding))?",
    r"(?:related|relating|connected) (?:to|with)",
    r"(?:the|an?) ",
)

# Open the wanted part after an exclusion that came first: "Apart from X, what …".
QUESTION_WORDS = r"what|which|who|whom|whose|when|where|why|how"
CLAUSE_WORDS = (
    r"is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|"
    r"please|tell|list|give|name|find|show|describe|provide|introduce|explain|i|we|you"
)

# Where the wanted part goes on after an exclusion in the middle: "presidents besides Lincoln were …".
VERBS = r"is|are|was|were|do|does|did|can|could|would|will|should|has|have|had"

# Left hanging where an exclusion was cut out.
DANGLING = ("but", "and", "while", "also", "please", "or", "though", "yet", "can you", "could you")

# Say nothing of what is wanted when they stand alone: "What else?"
EMPTY_WORDS = frozenset(
    {"a", "an", "the", "how", "to", "what", "which", "who", "whom", "whose", "when", "where", "why", "is", "are"}
    | {"was", "were", "do", "does", "did", "can", "could", "there", "any", "anything", "something", "some"}
    | {"else", "other", "it", "that", "this", "i", "you", "me", "tell", "give", "show", "list"}
)
