"""How long to wait before the next attempt after a fault."""

from __future__ import annotations

import email.utils
import random
import time
from typing import Final

_FIRST: Final = 0.5  # seconds
_MAX_WAIT: Final = 60.0
_MAX_DOUBLINGS: Final = 16
_MAX_ASKED: Final = 3600.0  # that a server may ask for


class Backoff:
    """Waits that double from half a second to a minute, each shortened by up to a half at random.

    The random part keeps the providers of many users from returning all at once after an outage.
    """

    def __init__(self, first: float = _FIRST, longest: float = _MAX_WAIT) -> None:
        self._first = first
        self._longest = longest
        self._faults = 0

    def reset(self) -> None:
        """Begin again with the shortest wait."""
        self._faults = 0

    def next_wait(self, asked: float | None = None) -> float:
        """Seconds to wait after one more fault; at least those that the server has asked for."""
        doubled = self._first * 2.0 ** min(self._faults, _MAX_DOUBLINGS)
        self._faults += 1
        wait = min(doubled, self._longest) * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
        return max(wait, asked or 0.0)


def retry_after(header: str | None, now: float | None = None) -> float | None:
    """The seconds of a Retry-After header, a number or a date; at most an hour, None without a valid one."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        seconds = float(text[:9])
    else:
        try:
            moment = email.utils.parsedate_to_datetime(text).timestamp()
        except (ValueError, OverflowError):
            return None
        seconds = moment - (time.time() if now is None else now)
    return min(max(seconds, 0.0), _MAX_ASKED)
