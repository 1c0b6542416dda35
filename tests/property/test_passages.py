"""What must hold for every text that is cut into passages."""

from hypothesis import given
from hypothesis import strategies as st

from esens import Document
from esens.documents import Passage
from esens.ingest import passages_of
from esens.ingest.passages import _WORD, _CutPoints

_PIECES = (
    "word ",
    "Word",
    "end. ",
    "No. ",
    'he said "no." ',
    "\n",
    "\n\n",
    " ",
    "醋",
    "。",
    "「",
    "」",
    "กำ",
    "—",
    "3.5 ",
    "é",
)
texts = st.lists(st.sampled_from(_PIECES), max_size=120).map("".join) | st.text(max_size=200)
limits = st.integers(1, 20).flatmap(lambda words: st.tuples(st.just(words), st.integers(0, words - 1)))


def _count(text: str) -> int:
    return len(_WORD.findall(text))


def _signs(text: str) -> str:
    return "".join(text.split())


@given(texts, limits)
def test_nothing_is_lost_and_nothing_is_too_long(text: str, limit: tuple[int, int]) -> None:
    words, overlap = limit
    for repeated in (0, overlap):
        passages = passages_of(Document("d", text), words=words, overlap=repeated)
        assert all(passage.text in text for passage in passages)
        assert all(_count(passage.text) <= words for passage in passages)
        if not repeated:
            assert _signs("".join(passage.text for passage in passages)) == _signs(text)


@given(st.lists(st.sampled_from((" ", ". ", "\n\n", "。")), max_size=120), limits)
def test_each_passage_goes_on_where_the_one_before_ends_or_sooner(gaps: list[str], limit: tuple[int, int]) -> None:
    words, overlap = limit
    text = "".join(f"W{number}w{gap}" for number, gap in enumerate(gaps))  # every word once, so places are known
    covered = 0
    for passage in passages_of(Document("d", text), words=words, overlap=overlap):
        begin = text.index(passage.text)
        assert not text[covered:begin].strip()
        covered = begin + len(passage.text)
    assert not text[covered:].strip()


@given(texts, limits)
def test_passages_are_numbered_and_keep_what_the_document_has(text: str, limit: tuple[int, int]) -> None:
    words, overlap = limit
    document = Document("d", text, "T", {"year": 1})
    passages = passages_of(document, words=words, overlap=overlap)
    if _count(text) <= words:
        assert passages[0] is document
        assert len(passages) == 1
        return
    assert len(passages) > 1
    for number, passage in enumerate(passages, start=1):
        assert (passage.id, passage.title) == (f"d#{number}", "T")
        assert passage.passage == Passage("d", number, len(passages))
        assert passage.metadata == {"year": 1}


@given(texts, limits)
def test_a_passage_ends_inside_a_sentence_only_if_that_is_too_long(text: str, limit: tuple[int, int]) -> None:
    words, overlap = limit
    spans = [found.span() for found in _WORD.finditer(text)]
    places = _CutPoints.of(text, spans)
    if len(spans) <= words:
        return
    before, last_begin = 0, -1
    for begin, end in places.cuts(words, overlap):
        assert begin <= before < end <= begin + words
        assert last_begin < begin
        last_begin = begin
        assert before - begin <= overlap
        before = end
        if end not in places.sentences:
            start = max((place for place in places.sentences if place < end), default=0)
            assert min(place for place in places.sentences if place > end) - start > words


@given(st.text(alphabet="ab .\n", max_size=200), limits)
def test_no_word_is_cut(text: str, limit: tuple[int, int]) -> None:
    words, overlap = limit
    whole = set(text.split())
    for passage in passages_of(Document("d", text), words=words, overlap=overlap):
        assert set(passage.text.split()) <= whole
