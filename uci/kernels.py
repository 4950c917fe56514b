"""Getting the compiled engine ready while the protocol already answers."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from uci import options

if TYPE_CHECKING:
    from engine.limits import Searcher

Build: TypeAlias = "Callable[[Callable[[int, int], None]], tuple[Searcher, str]]"

READY_WITHIN: Final = 7.0  # seconds that `isready` may wait: some GUIs give up after ten
_WAIT_AS_LONG: Final = (
    "BOOMSLANG_READY_WITHIN"  # seconds instead of these, for who does not give up
)
_REMARK_INTERVAL: Final = 2.0  # seconds


class Kernels:
    """Imports and compiles, or loads, the engine on a thread of its own.

    `say` gets a line now and then while that takes long; `build` does the work. Of `player`,
    `remark` and `problem` nothing is known before `wait` returns True; then there is a player, or a
    problem.
    """

    def __init__(self, say: Callable[[str], None], build: Build | None = None) -> None:
        self.player: Searcher | None = None
        self.remark = ""
        self.problem = ""
        self._say = say
        self._build = build or build_player
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._begun = False
        self._next_remark = 0.0
        self._give_up_at: float | None = None
        self._callbacks: list[Callable[[], None]] = []

    def start(self) -> None:
        """Begin, unless that has been done."""
        with self._lock:
            begun, self._begun = self._begun, True
        if not begun:
            threading.Thread(target=self._load, name="kernels", daemon=True).start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, but not longer than that; True if it has come."""
        self.start()
        return self._ended.wait(seconds)

    def patience(self) -> float:
        """Seconds that `isready` may wait: all of them at the first call, what is left of them later."""
        now = time.monotonic()
        if self._give_up_at is None:
            self._give_up_at = now + _ready_within()
        return max(0.0, self._give_up_at - now)

    def when_ended(self, callback: Callable[[], None]) -> None:
        """Have `callback` called at the end, on any thread; at once if that has come."""
        with self._lock:
            if not self._ended.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def _load(self) -> None:
        self._next_remark = time.monotonic() + _REMARK_INTERVAL
        gc.disable()  # the imports make a lot of objects and no rubbish
        try:
            self.player, self.remark = self._build(self._progress)
        except Exception as problem:
            self.problem = f"{type(problem).__name__}: {problem}"
        finally:
            gc.freeze()  # and they stay: a collection in the middle of a search shall pass them by
            gc.enable()
            with self._lock:
                self._ended.set()
            for callback in self._callbacks:
                callback()

    def _progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now >= self._next_remark:
            self._next_remark = now + _REMARK_INTERVAL
            self._say(f"getting ready, slow at the first start only: {done} of {total} kernels")


def _ready_within() -> float:
    """READY_WITHIN, unless whoever has started this process says otherwise."""
    with contextlib.suppress(ValueError):
        return max(0.0, float(os.environ.get(_WAIT_AS_LONG, READY_WITHIN)))
    return READY_WITHIN


def build_player(progress: Callable[[int, int], None]) -> tuple[Searcher, str]:
    """The compiled engine, and a remark about network or kernel cache (empty if all is well)."""
    import chess

    import perft.count  # noqa: F401 - `go perft` shall not compile on the clock either
    from engine.limits import Limits
    from engine.player import Player, load
    from engine.system import jit

    load(progress)
    player = Player(hash_mb=1)
    # The first call of a kernel makes Numba look at its arguments for some 30 ms; no clock runs yet.
    player.search(chess.Board(), Limits(depth=1), lambda info: None)
    player.new_game()
    player.configure("Hash", options.find("Hash").default)
    return player, player.remark or jit.kernel_cache().remark
