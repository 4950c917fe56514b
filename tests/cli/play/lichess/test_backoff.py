"""Waits after faults."""

from __future__ import annotations

import pytest

from boomslang.cli.play.lichess.backoff import Backoff, retry_after


def test_waits_double_up_to_a_minute_with_jitter() -> None:
    for _ in range(20):
        backoff = Backoff()
        for doubled in (0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60):
            assert doubled / 2 <= backoff.next_wait() <= doubled
        backoff.reset()
        assert backoff.next_wait() <= 0.5
    assert len({Backoff().next_wait() for _ in range(20)}) > 1


def test_the_wait_that_a_server_asks_for_is_kept() -> None:
    backoff = Backoff()
    assert backoff.next_wait(20.0) == 20.0
    assert backoff.next_wait(0.0) <= 1.0
    for _ in range(5000):
        assert backoff.next_wait() <= 60.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        (" 120 ", 120.0),
        ("0", 0.0),
        ("Wed, 21 Oct 2015 07:28:10 GMT", 10.0),
        ("Wed, 21 Oct 2015 07:27:00 GMT", 0.0),
        ("999999999999999999999", 3600.0),
        ("Wed, 21 Oct 2037 07:28:10 GMT", 3600.0),
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("Wed, 99 Oct 2015 07:28:10 GMT", None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, now=1445412480.0) == seconds
