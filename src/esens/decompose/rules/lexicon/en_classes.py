"""Classes of English words that tell a cue that excludes from one that does not; the model weighs them."""

from esens.decompose.rules.lexicon import words
from esens.decompose.rules.lexicon.en_fragments import SUBSTANCES

CLASSES = {
    "auxiliary": words(
        "is are was were be been am do does did has have had can could will would should may might must isn't "
        "aren't don't doesn't didn't can't won't"
    ),
    "pronoun": words("it them him her us me you that this which whom each they he she i we"),
    "asker": words("i you we one"),
    "article": words("a an the any some all"),
    "possessive": words("my your his her its their our"),
    "question": words("what which who whom whose when where why how"),
    "preposition": words(
        "of in on at by from with for to about into over under near between as than like after before"
    ),
    "conjunction": words("and or but nor so if when because while"),
    # People make, do or get something, and leave out what is mostly used for it.
    "making": words(
        "make making made cook cooking bake baking prepare preparing build building create creating brew "
        "brewing fry roast grill thicken reheat substitute replace grow use using do clean cleaning remove "
        "removing fix wash write play learn get buy order find install run start open test check treat "
        "treating relieve lose cure prevent stop"
    ),
    "means": words(
        "using adding buying cooking frying boiling soaking baking installing rooting paying taking eating "
        "drinking medication surgery tools tool drugs"
    ),
    # What must not happen on the way: "without burning them" is asked for, and nothing is left out.
    "mishap": words(
        "burning ruining losing dying damaging breaking spilling splashing falling changing overwriting deleting "
        "clearing waiting hurting killing destroying scratching drying overcooking cracking sticking affecting "
        "crying crashing restarting rebooting logging failing melting leaking staining waking offending sounding"
    ),
    "state": words(
        "being having knowing owning making getting becoming looking feeling noticing asking saying telling "
        "trying seeing understanding requiring needing giving going"
    ),
    # What a thing is said to hold: "that does not contain …".
    "holding": words(
        "have has contain contains use uses need needs require requires include includes involve involves feature "
        "features come comes taste smell cost costs exceed support supports"
    ),
    "substance": words(SUBSTANCES),
    # What people look for, as a list of documents.
    "sought": words(
        "recipe recipes movie movies film films show shows series book books novel novels song songs album "
        "albums game games laptop laptops phone phones car cars hotel hotels restaurant restaurants bar bars "
        "wine wines cake cakes soup soups salad salads dish dishes dessert desserts food foods products "
        "product articles papers documents talks site sites places cities countries islands animals plants "
        "dogs cats drinks snacks apps software tools methods ways alternatives substitute substitutes ideas "
        "options jobs loans diet comedy comedies drama dramas thriller thrillers documentary documentaries"
    ),
    "people": words(
        "people person persons parents men women man woman girl girls boy boys children kids child student "
        "students patient patients visitors users someone anyone everybody citizens families"
    ),
    "wish": words(
        "want looking need recommend suggest find show list give tell prefer like love enjoy something "
        "anything please"
    ),
    # To be without something: "how long can you live without water".
    "lack": words(
        "live living survive surviving life death die born exist grow function work happen happens go going"
    ),
    "fault": words(
        "working responding charging loading opening connecting receiving recognized found able showing "
        "turning starting sound signal power service display response problem reason idea one longer more "
        "such evidence effect matter"
    ),
    "work of art": words(
        "lyrics song movie film book cast quotes meaning definition episode season album author wrote sings sang"
    ),
    # Say what a thing is like: "not starring …", "not from …". What fails is said otherwise: "not charging".
    "attribute": words(
        "starring containing featuring involving including narrated directed written made set based produced "
        "published located related owned by from in with for about of under like set filmed released rated "
        "animated made associated caused due using belonging focused"
    ),
    # Part of names and terms that exclude nothing: "non-small cell lung cancer", "toll free".
    "term": words(
        "small stick profit profits fiction disclosure resident residents linear stop renewable verbal binary "
        "hodgkin hodgkin's compete refundable conforming gender contagious issue essential invasive "
        "negotiable performing destructive stick-on sequitur grata zero null void numeric existent empty "
        "standard toll royalty hands duty tax care scot debt trouble stress worry risk carefree bug error "
        "drug crime end limit wire rest help price base use hope time home thought count reg un harm harmless "
        "pain break fear age name tooth line"
    ),
    "abstract": words(
        "consent permission knowledge notice warning punishment rule experience representation love hope god "
        "fear meaning purpose reason doubt success result support help life money power success job work "
        "sleep tears limits borders partners end"
    ),
    "opinion": words(
        "seen saw liked enjoyed watched thought think know said was were been ok okay good best bad great"
    ),
}

# How a query begins, by what it asks for; the first that matches counts.
FRAMES = (
    (
        "lack asked",
        r"how (?:long|far|much|many|often|fast|old)\b|what (?:happens?|would|if|could|causes?)\b|"
        r"why\b|when\b|where (?:is|are|was|were|do|does|did)\b|should\b|who\b|whose\b|was\b|were\b|"
        r"did\b|would\b|difference between\b|what does\b|what is (?:a |an |the )?(?:meaning|"
        r"definition|difference)|is (?:it )?(?:worth|legal|illegal|safe|bad|good|ok|okay|normal|"
        r"valid|true|wrong|there anywhere)\b",
    ),
    (
        "instruction",
        r"(?:so |hi,? |hello,? )?(?:how (?:to|do|does|can|could|would|should|might|did) ?(?:i|you|"
        r"we|one|someone|a person)?|how to|can (?:i|you|we|one)|could (?:i|you|we|one)|(?:is|"
        r"are) (?:it|there) (?:possible|a way|any way|ways|any good way|a good way|an easy way|any)|"
        r"(?:best|easiest|quickest|simplest|good|any|easy|better|other)? ?(?:way|ways|method|"
        r"methods|technique|techniques|trick|tricks|tips?)\b|what(?:['’]s| is| are|"
        r") (?:the )?(?:best |easiest |quickest |most common |some |good |other )*(?:way|ways|"
        r"method|methods|technique|techniques|uses))\b",
    ),
    (
        "third person",
        r"(?:can|could|do|does|is|are|will|may|has|have|must|might) (?!i\b|you\b|we\b|it\b|there\b|any\b|one\b)\w",
    ),
    ("exists", r"(?:is|are|was|were) there\b|do you (?:have|know)\b|does anyone\b|any(?:one|body)?\b"),
    ("yes or no", r"(?:can|could|do|does|is|are|will|may|has|have|must|might)\b"),
    ("thing asked", r"(?:in |on |at |for |by |of |from )?(?:what|which)\b"),
    ("told", r"(?:i|we|my|it|he|she|they|you|yes|no,|hey|hi|hello|this|that|there|if)(?:['’]\w+)?\b"),
    (
        "wish",
        r"(?:looking|need|want|recommend|suggest|find|show|list|give|tell|search|please|something|"
        r"anything|some|identify|provide)\b",
    ),
    ("activity with object", r"\w{2,}ing (?!without|with|no|not|and|or|in|on|at|to|of|from|for)\w"),
    ("activity", r"\w{2,}ing\b"),
    (
        "order",
        r"(?:make|cook|bake|use|get|run|open|remove|store|keep|saut[eé]|slow|turn|save|add|change|"
        r"create|build|write|set|buy|order|learn|play|fix|clean|send|move|copy|convert|install|"
        r"delete|flavou?r|substitute|replace|recreate|do|have|avoid|stop|start)\b",
    ),
    ("things", r""),
)
