import pickle
import unicodedata
import warnings

import pytest

from esens.errors import (
    ArgumentError,
    EngineError,
    EsensError,
    InputError,
    TruncatedTextWarning,
    UnknownSpecError,
)
from esens.messages import LONGEST_MESSAGE, escape_json, mask_spec, message, printable
from esens.text.redact import redact

HOSTILE = "\x1b]2;PWNED\x07 \x9b31m \u202etxt.exe\u2066 \u200b \u2028 \r\n \x00 \ud800 \U000e0041"


def test_every_sign_that_steers_or_hides_is_written_as_an_escape() -> None:
    signs = [chr(code) for code in range(0x110000)]
    hidden = [sign for sign in signs if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp")]
    turning = ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
    hidden += [sign for sign in signs if unicodedata.bidirectional(sign) in turning]
    hidden += ["\u200e", "\u200f", "\u061c"]
    for sign in hidden:
        assert printable(sign).isascii()
        assert printable(sign).isprintable()


def test_words_of_every_language_stay_as_they_are() -> None:
    for text in ("Thé glacé", "茶　と牛乳", "شاي", "चाय", "tea\xa0time", "🍵️", "{'a': 1}"):
        assert message(text) == text


@pytest.mark.parametrize(
    "error",
    [
        EsensError(HOSTILE),
        ArgumentError("where", HOSTILE),
        UnknownSpecError("index", HOSTILE, [HOSTILE]),
        EngineError(HOSTILE, HOSTILE),
        InputError(HOSTILE, HOSTILE, line=3),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_error_steers_a_terminal(error: EsensError) -> None:
    assert str(error).isprintable()
    assert "PWNED" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_no_warning_steers_a_terminal() -> None:
    with pytest.warns(TruncatedTextWarning) as caught:
        warnings.warn(HOSTILE, TruncatedTextWarning, stacklevel=1)
    assert str(caught[0].message).isprintable()


@pytest.mark.parametrize("part", [slice(None), slice(-1), slice(1, None), slice(24), slice(-20, None)])
def test_a_key_that_a_server_repeats_in_part_is_masked(part: slice) -> None:
    key = "Zq4nW8xK2mPd6RtY0vLs9BhJ3gFa"
    shown = redact(f"invalid credentials {key[part]} given", key=key)
    assert shown == "invalid credentials *** given"


@pytest.mark.parametrize("key", ["x", "e", "none", "local"])
def test_a_key_too_short_for_a_secret_leaves_words_whole(key: str) -> None:
    text = "Expecting value: localhost is non-existent, line 1 column 1"
    assert redact(text, key=key) == text


@pytest.mark.parametrize("text", ["HTTP 401: {key}", "{key} is wrong", "({key})", "a={key},b"])
def test_a_short_key_is_masked_as_a_word(text: str) -> None:
    assert redact(text.format(key="local"), key="local") == text.format(key="***")


def test_a_long_message_keeps_its_beginning_and_its_end() -> None:
    text = f"line 3: its fields are: {'field, ' * 100_000}; name another"
    shown = str(InputError("x.jsonl", text))
    assert len(shown) < LONGEST_MESSAGE + 100
    assert shown.startswith("x.jsonl: line 3: its fields are: field, ")
    assert "signs left out" in shown
    assert shown.endswith("; name another")


def test_json_says_the_same_without_them() -> None:
    import json

    text = json.dumps(HOSTILE, ensure_ascii=False)
    assert escape_json(text).isprintable()
    assert json.loads(escape_json(text)) == HOSTILE


@pytest.mark.parametrize(
    "spec",
    [
        "milvus://root:SECRET/x@host:1/docs",
        "postgresql:/u:SECRET@h/db?table=t",
        "postgresql:u:SECRET@h/db?table=t",
        "postgresql//u:SECRET@h/db?table=t",
        "postgresql:///u:SECRET@h/db",
        "POSTGRESQL://u:SECRET@h/db",
        " postgresql://u:SECRET@h/db",
        "postgresql;//u:SECRET@h/db",
        "qdrant:/u:SECRET@h/c",
        "milvus:/u:SECRET@h/c",
        "u:SECRET@h/db",
        "//u:SECRET@h/db",
        "milvus+https://SECRET@host/docs",
        "postgresql:/me:a?SECRET@db/x?table=t",
        "postgresql:/me:a?b=SECRET@db/x?table=t",
        "postgresql://h/db?table=t&pass=SECRET",
        "postgresql://h/db?table=t&pwd=SECRET",
        "postgresql://h/db?pass%77ord=SECRET",
        "qdrant://h/c?key=SECRET",
        "qdrant://h/c?x=1&api-key=SECRET",
        "host=h password=SECRET",
        "host=h password = 'a SECRET' user=u",
    ],
)
def test_no_password_shows_in_a_spec_however_it_is_written(spec: str) -> None:
    assert "SECRET" not in mask_spec(spec)
    assert "SECRET" not in str(InputError(spec, "No such file or directory"))
    assert "SECRET" not in str(UnknownSpecError("index", spec, ("FOLDER.lance",)))


@pytest.mark.parametrize(
    "path",
    ["docs.jsonl", "/home/me@work/docs.jsonl", "C:\\Users\\me@work\\x.csv", "me@work.lance", "a=1/key=2/x.pq"],
)
def test_a_path_is_shown_as_it_is(path: str) -> None:
    assert mask_spec(path) == path
