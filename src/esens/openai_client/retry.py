"""Whether a failed try is worth another, and after how long."""

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
# Beside these every 5xx: the same request may be answered later.
_PASSING = frozenset({408, 409, 429})


def may_pass(status: int | None) -> bool:
    """Whether a failure may be over by the next try: no reply at all, a server that is busy, or one that broke."""
    return status is None or status in _PASSING or status >= 500


def pause_before_retry(number: int, *, wished: float | None, left: float, chance: float) -> float | None:
    """Return the seconds to wait before retry ``number`` (the first is 1), or None where no time is left for it.

    The server's wish is fulfilled or the try is given up; without a wish the pauses double. ``chance``, from 0 to
    1, shortens them by up to a quarter, so that callers who failed together do not come back together.
    """
    backoff = min(FIRST_PAUSE * 2.0 ** min(number - 1, 16), LONGEST_PAUSE) * (1 - chance / 4)
    pause = backoff if wished is None else wished
    return pause if pause < left else None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return for how many seconds a server asks to be left alone, by a number or a date; None for nonsense."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, ""))
        if seconds is not None:
            return seconds / unit
    try:
        date = parsedate_to_datetime(headers.get("retry-after", "")).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return max(date - time.time(), 0.0)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number >= 0 else None  # which NaN is not, either
