"""Steps and other work on threads of their own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from boomslang.core.system.threads import SOON, in_threads, interruptible


def slow_steps() -> Iterator[threading.Thread]:
    yield threading.current_thread()
    time.sleep(2 * SOON)
    yield threading.current_thread()
    yield threading.current_thread()


def test_steps_move_to_another_thread_when_they_take_long() -> None:
    begun, long, late = interruptible(slow_steps(), pytest.fail)
    assert begun is long is threading.main_thread() is not late


def test_without_threads_the_work_is_done_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert set(interruptible(slow_steps(), pytest.fail)) == {threading.main_thread()}
    assert in_threads(abs, [-1, 2]) == [1, 2]
    with pytest.raises(ValueError, match="invalid literal"):
        in_threads(int, ["1", "x"])
