"""The circuit breaker: what it must do whatever happens, with a clock that the test sets."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from esens.circuit_breaker import CircuitBreaker

PAUSE = 10
# What happens, and whole seconds that pass: their sums are exact.
EVENTS = st.lists(
    st.sampled_from(["admit", "succeed", "fail", "gone"]) | st.integers(0, 2 * PAUSE), min_size=1, max_size=60
)


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def _fail(breaker: CircuitBreaker, clock: Clock, *, is_gone: bool = False, began: float | None = None) -> None:
    breaker.fail("it broke", began=clock.now if began is None else began, is_gone=is_gone)


@given(EVENTS, st.integers(1, 4))
def test_an_open_breaker_lets_one_call_out_a_pause(events: list[str | int], max_failures: int) -> None:
    clock = Clock()
    breaker = CircuitBreaker(max_failures, PAUSE, clock)
    in_a_row, last = 0, float("-inf")
    for event in events:
        if isinstance(event, int):
            clock.now += event
        elif event == "admit":
            is_open = in_a_row >= max_failures
            wait = breaker.admit()
            assert 0 <= wait <= PAUSE
            assert (wait == 0) == (not is_open or clock.now - last >= PAUSE)
            last = clock.now if is_open and wait == 0 else last
        elif event == "succeed":
            breaker.succeed()
            in_a_row = 0
        else:
            clock.now += 1  # a call takes time, so that this one began after the last success
            _fail(breaker, clock, is_gone=event == "gone")
            in_a_row = max(in_a_row + 1, max_failures if event == "gone" else 0)
            last = clock.now
        assert breaker.is_open == (in_a_row >= max_failures)


@given(EVENTS)
def test_0_failures_never_open_it(events: list[str | int]) -> None:
    clock = Clock()
    breaker = CircuitBreaker(0, PAUSE, clock)
    for event in events:
        if isinstance(event, int):
            clock.now += event
        elif event in ("fail", "gone"):
            _fail(breaker, clock, is_gone=event == "gone")
        assert breaker.admit() == 0


def test_a_call_that_never_ends_keeps_others_back_for_one_pause() -> None:
    clock = Clock()
    breaker = CircuitBreaker(1, PAUSE, clock)
    _fail(breaker, clock)
    clock.now += PAUSE
    assert breaker.admit() == 0  # and nothing is heard of it
    clock.now += 1
    assert breaker.admit() == PAUSE - 1
    clock.now += PAUSE - 1
    assert breaker.admit() == 0


def test_a_server_that_answers_others_meanwhile_is_slow_and_not_gone() -> None:
    clock = Clock()
    breaker = CircuitBreaker(3, PAUSE, clock)
    began = clock.now
    clock.now += 1
    breaker.succeed()
    clock.now += 1
    _fail(breaker, clock, is_gone=True, began=began)
    assert not breaker.is_open
    _fail(breaker, clock, is_gone=True)
    assert breaker.is_open
