import pytest

from esens import Document
from esens.documents import Passage
from esens.errors import ArgumentError
from esens.ingest import passages_of
from esens.text.sentences import sentence_starts


def _cut(text: str, words: int, overlap: int = 0) -> list[str]:
    return [passage.text for passage in passages_of(Document("d", text), words=words, overlap=overlap)]


def test_a_short_document_stays_itself() -> None:
    document = Document("d", " three words here ", "T")
    assert passages_of(document, words=3, overlap=0) == [document]
    assert passages_of(document, words=3, overlap=0)[0] is document
    assert len(passages_of(document, words=2, overlap=0)) == 2


def test_a_passage_has_the_title_and_says_what_it_is_a_part_of() -> None:
    document = Document("d", "The first sentence here. The second sentence here.", "T", {"year": 1})
    first, second = passages_of(document, words=4, overlap=0)
    assert first == Document("d#1", "The first sentence here.", "T", {"year": 1}, Passage("d", 1, 2))
    assert (second.id, second.passage) == ("d#2", Passage("d", 2, 2))
    assert document.metadata == {"year": 1}


def test_the_end_of_a_paragraph_is_better_than_that_of_a_sentence() -> None:
    text = "One two three four. Five six seven eight.\n\nNine ten eleven twelve. One two three four."
    assert _cut(text, 12) == text.split("\n\n")
    # A line break alone ends a sentence, no paragraph.
    assert _cut(text.replace("\n\n", "\n"), 12)[0].endswith("Nine ten eleven twelve.")


def test_a_paragraph_that_would_leave_most_of_the_room_is_not_preferred() -> None:
    text = "A very short paragraph.\n\nFive six seven eight nine. Ten eleven twelve thirteen. Fourteen fifteen."
    assert _cut(text, 9)[0] == "A very short paragraph.\n\nFive six seven eight nine."


def test_a_heading_goes_with_what_follows() -> None:
    text = "This paragraph has just six words.\n\n# Tea\n\nThis paragraph has just six words."
    assert _cut(text, 8) == ["This paragraph has just six words.", "# Tea\n\nThis paragraph has just six words."]


def test_whole_sentences_are_repeated() -> None:
    text = "Alpha beta gamma delta. Epsilon zeta eta. Theta iota kappa lambda. Omicron pi rho sigma."
    assert _cut(text, 11, 4)[1] == "Theta iota kappa lambda. Omicron pi rho sigma."
    assert _cut(text, 12, 8)[1].startswith("Epsilon zeta eta. Theta")


def test_of_a_sentence_too_long_to_be_repeated_its_last_words_are() -> None:
    text = "One two three four five six seven eight nine ten. Alpha beta gamma delta epsilon zeta."
    assert _cut(text, 10, 3)[1] == "eight nine ten. Alpha beta gamma delta epsilon zeta."


def test_what_is_repeated_leaves_room_for_the_next_sentence() -> None:
    text = "Alpha beta gamma delta. Epsilon zeta eta theta. One two three four five six seven eight nine."
    assert _cut(text, 10, 4)[1] == "theta. One two three four five six seven eight nine."


def test_a_sentence_as_long_as_a_passage_is_one() -> None:
    long = "Alpha beta gamma delta epsilon zeta."
    assert _cut(f"One two three four. {long} {long}", 6, 3) == ["One two three four.", long, long]


def test_a_passage_is_never_wholly_in_the_next() -> None:
    text = "One two three four. Alpha beta gamma delta epsilon zeta eta theta."
    assert _cut(text, 6, 5)[:2] == ["One two three four.", "two three four. Alpha beta gamma"]


def test_the_rest_is_not_cut_if_it_fits() -> None:
    rest = "Alpha beta gamma delta.\n\nEpsilon zeta."
    assert _cut(f"One two three four five six. {rest}", 6) == ["One two three four five six.", rest]


def test_a_sentence_longer_than_a_passage_is_cut_between_words() -> None:
    text = "one two three four five six seven"
    assert _cut(text, 3) == ["one two three", "four five six", "seven"]
    assert _cut(text, 3, 1) == ["one two three", "three four five", "five six seven"]


@pytest.mark.parametrize("sign", ["醋", "す", "ก", "𠮷"])
def test_where_no_spaces_are_written_a_sign_is_a_word(sign: str) -> None:
    assert [len(text) for text in _cut(sign * 10, 4)] == [4, 4, 2]


def test_signs_are_cut_at_sentences_and_keep_their_marks() -> None:
    first, second = "醋是酸的调味品，很常见的东西。", "酱油是咸的调味品，也常见。"
    assert _cut(first + second, 15) == [first, second]
    assert _cut("กำกิน" * 2, 3)[0] == "กำกิ"  # the vowel above stays with its sign
    assert _cut("「醋」「油」", 1) == ["「醋」", "「油」"]


def test_data_without_spaces_is_cut_at_last() -> None:
    assert [len(text) for text in _cut("x" * 250, 1)] == [100, 100, 50]


@pytest.mark.parametrize("piece", ["“", " \n", "a ", "a. ", "。", "A.\n\n", "「醋"])
def test_no_text_takes_longer_than_its_length(piece: str) -> None:
    text = piece * (600_000 // len(piece))  # minutes, if every place were looked at from every other
    assert "".join("".join(_cut(text, 1000)).split()) == "".join(text.split())


@pytest.mark.parametrize(("words", "overlap"), [(0, 0), (-1, 0), (10, 10), (10, -1)])
def test_limits_that_make_no_sense_are_named(words: int, overlap: int) -> None:
    with pytest.raises(ArgumentError, match="words" if words < 1 else "overlap"):
        passages_of(Document("d", "x"), words=words, overlap=overlap)


def test_a_quote_belongs_to_the_sentence_that_it_ends() -> None:
    text = 'Nobody there said "no." Somebody said so (with joy!) Then they left.'
    assert [text[start:][:8] for start in sentence_starts(text)] == ["Nobody t", "Somebody", "Then the"]
