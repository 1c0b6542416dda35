"""Whether a try is worth another: laws over all numbers, and what servers write into Retry-After."""

import math
import time
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.openai_client.retry import FIRST_PAUSE, LONGEST_PAUSE, may_pass, pause_before_retry, retry_after

NUMBERS = st.floats(allow_nan=False)


@given(st.integers(1, 10**6), st.none() | st.floats(0), NUMBERS, st.floats(0, 1))
def test_a_pause_never_outlasts_the_time_that_is_left(
    number: int, wished: float | None, left: float, chance: float
) -> None:
    pause = pause_before_retry(number, wished=wished, left=left, chance=chance)
    if pause is None:
        assert (FIRST_PAUSE * 0.75 if wished is None else wished) >= left or left <= LONGEST_PAUSE
    else:
        assert 0 <= pause < left
        assert pause == wished or FIRST_PAUSE * 0.75 <= pause <= LONGEST_PAUSE


def test_pauses_double_up_to_a_limit() -> None:
    pauses = [pause_before_retry(number, wished=None, left=math.inf, chance=0) for number in range(1, 8)]
    assert pauses == [0.5, 1, 2, 4, 8, 8, 8]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "5"}, 5),
        ({"retry-after": "0.7"}, 0.7),
        ({"retry-after": "60", "retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "inf"}, math.inf),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Fri, 99 Foo 9999 99:99:99 GMT"}, None),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0),
    ],
)
def test_what_servers_write(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_is_read() -> None:
    seconds = retry_after({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert seconds is not None
    assert 50 < seconds <= 101


@given(st.text())
def test_any_text_is_a_number_of_seconds_or_none(text: str) -> None:
    seconds = retry_after({"retry-after": text})
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize(
    ("status", "expected"),
    [(None, True), (408, True), (429, True), (500, True), (503, True), (200, False), (307, False), (400, False)],
)
def test_what_may_pass(status: int | None, expected: bool) -> None:
    assert may_pass(status) == expected
