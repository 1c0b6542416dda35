"""A server that gave no answer is left alone for a while."""

import pytest

from esens.errors import ArgumentError, EngineError
from esens.index.silence import SilenceGuard
from esens.index.uri import IndexURI


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def guard(clock: Clock) -> SilenceGuard:
    return SilenceGuard(IndexURI.parse("qdrant://me:secret@host/docs?pause=7"), clock)


def _ask(guard: SilenceGuard, error: Exception | None = None) -> None:
    with guard.watch(lambda raised: isinstance(raised, TimeoutError)):
        if error is not None:
            raise error


def _fall_silent(guard: SilenceGuard) -> None:
    with pytest.raises(TimeoutError):
        _ask(guard, TimeoutError())


def test_who_asks_during_the_pause_is_refused_at_once(guard: SilenceGuard, clock: Clock) -> None:
    _fall_silent(guard)
    clock.now += 3
    with pytest.raises(EngineError, match=r"gave no answer 3 s ago, so it is not asked again for 4 s") as refused:
        _ask(guard)
    assert "secret" not in str(refused.value)


def test_after_the_pause_one_tries_and_the_others_wait_for_what_it_learns(
    guard: SilenceGuard, clock: Clock
) -> None:
    _fall_silent(guard)
    clock.now += 7
    with guard.watch(lambda _: False), pytest.raises(EngineError, match="gave no answer"):
        _ask(guard)
    _ask(guard)


def test_a_second_silence_begins_another_pause(guard: SilenceGuard, clock: Clock) -> None:
    _fall_silent(guard)
    clock.now += 8
    _fall_silent(guard)
    clock.now += 6
    with pytest.raises(EngineError, match="6 s ago"):
        _ask(guard)


def test_an_error_is_an_answer(guard: SilenceGuard, clock: Clock) -> None:
    with pytest.raises(ValueError, match="no"):
        _ask(guard, ValueError("no"))
    _ask(guard)
    _fall_silent(guard)
    clock.now += 8
    with pytest.raises(ValueError, match="no"):
        _ask(guard, ValueError("no"))
    _ask(guard)


def test_the_pause_is_whole_seconds() -> None:
    with pytest.raises(ArgumentError, match="pause must be whole seconds"):
        SilenceGuard(IndexURI.parse("qdrant://host/docs?pause=0"))
