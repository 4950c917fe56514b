"""Loads or compiles the kernels in the background while the protocol already answers."""

from __future__ import annotations

import gc
import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from boomslang.core.system.sanitize import quote
from boomslang.core.system.threads import reason_for

if TYPE_CHECKING:
    from boomslang.engine.driver.searcher import Searcher


class LoadingProgress(Protocol):
    """Receives the progress; `loading`: the kernels come from the cache, nothing is compiled."""

    def __call__(self, done: int, total: int, loading: bool = False) -> None:
        """`done` of `total` kernels are ready."""


Build: TypeAlias = "Callable[[LoadingProgress], tuple[Searcher | None, str]]"

DEFAULT_HASH: Final = 16  # megabytes
LOADING: Final = "getting ready, loading"  # how a remark begins
COMPILING: Final = "getting ready, slow at the first start only"
COMPILED: Final = "getting ready, done"
READY_TIMEOUT: Final = 7.0  # seconds that `isready` may wait: some GUIs give up after ten
_READY_TIMEOUT_VARIABLE: Final = "BOOMSLANG_READY_WITHIN"  # seconds instead, for patient programs
_MAX_WAIT: Final = 86_400.0  # seconds
_REMARK_INTERVAL: Final = 2.0  # seconds; doubled after each remark, up to
_MAX_REMARK_INTERVAL: Final = 16.0


class KernelLoader:
    """Imports and compiles, or loads, the engine on a thread of its own.

    `say` receives a line when compiling begins, and now and then while that or loading lasts; `build` does
    the work. `searcher`, `remark` and `problem` mean nothing before `wait` returns True; then there is either
    what `build` returned or a problem. In the engine's own process the garbage collector ignores the loaded
    objects. `has_clock` is False where searches wait for all kernels that they need. For the kernels of a
    `parent`'s engine that come later, `isready` waits no longer than it would wait for the parent's.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        build: Build | None = None,
        is_own_process: bool = True,
        has_clock: bool = True,
        parent: KernelLoader | None = None,
    ) -> None:
        self.has_clock = has_clock
        self.searcher: Searcher | None = None
        self.remark = ""
        self.problem = ""
        self.say = say
        self._build = build or build_searcher
        self._is_own_process = is_own_process
        self._parent = parent or self
        # Guards all that follows; `stop_waiting` wakes those who wait for children too.
        self._changed: threading.Condition = parent._changed if parent else threading.Condition()
        self._ended = False
        self._waiting_stopped = False
        self._compiling = False
        self._has_compiled = False
        self._begun = False
        self._interval = _REMARK_INTERVAL
        self._next_remark = 0.0
        self._last_done = -1
        self._seconds = ""  # that compiling takes
        self._give_up_at: float | None = None
        self._callbacks: list[Callable[[], None]] = []

    def start(self) -> None:
        """Begin, unless that has been done."""
        with self._changed:
            begun, self._begun = self._begun, True
        if begun:
            return
        try:
            threading.Thread(target=self._load, name="kernels", daemon=True).start()
        except RuntimeError as problem:  # there are no threads left
            self._end(problem)

    def wait(self, seconds: float | None = None, given_up: Callable[[], bool] = bool) -> bool:
        """Wait for the end, but not longer than that, nor once `given_up` is true; True if it has come.

        Who changes what `given_up` looks at calls `wake`.
        """
        self.start()
        with self._changed:
            self._changed.wait_for(lambda: self._ended or given_up(), seconds)
            return self._ended

    def wait_until_ready(self) -> bool:
        """Wait for the end, but no longer than `remaining_wait`, and not after `stop_waiting`."""
        return self.wait(self.remaining_wait(), lambda: self.is_waiting_stopped)

    def wake(self) -> None:
        """Let all that wait look again whether they have given up."""
        with self._changed:
            self._changed.notify_all()

    def tell_compiled(self, what: str = "full strength") -> None:
        """Say once, if kernels had to be compiled, what begins now."""
        if self._has_compiled:
            self._has_compiled = False
            self.say(f"{COMPILED}: {what} from now on")

    def stop_waiting(self) -> None:
        """End all waiting that can do without kernels, because the input has ended."""
        self._waiting_stopped = True
        self.wake()

    @property
    def is_waiting_stopped(self) -> bool:
        """True after `stop_waiting`."""
        return self._parent._waiting_stopped

    @property
    def are_near(self) -> bool:
        """False if the kernels are being compiled, which takes too long for a running clock."""
        return not self._compiling

    def remaining_wait(self) -> float:
        """Seconds that `isready` may still wait, counted from the first call."""
        if self._parent is not self:
            return self._parent.remaining_wait()
        now = time.monotonic()
        if self._give_up_at is None:
            self._give_up_at = now + self._ready_within()
        return 0.0 if self._waiting_stopped else max(0.0, self._give_up_at - now)

    def call_at_end(self, callback: Callable[[], None]) -> None:
        """Call `callback` at the end, on any thread; at once if loading has ended."""
        with self._changed:
            if not self._ended:
                self._callbacks.append(callback)
                return
        callback()

    def _load(self) -> None:
        self._next_remark = time.monotonic() + _REMARK_INTERVAL
        if self._is_own_process:  # a library leaves its caller's objects alone
            gc.disable()  # the imports create many objects and no garbage
        try:
            self.searcher, self.remark = self._build(self._progress)
        except BaseException as problem:  # a module may even say SystemExit
            self._end(problem)
        finally:
            if self._is_own_process:
                gc.freeze()  # and they stay: a collection in the middle of a search passes them by
                gc.enable()
            self._end()

    def _end(self, problem: BaseException | None = None) -> None:
        if problem:
            self.problem = reason_for(problem)
        with self._changed:
            self._ended = True
            self._changed.notify_all()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def _progress(self, done: int, total: int, loading: bool = False) -> None:
        now = time.monotonic()
        if not loading and not self._has_compiled:
            self._has_compiled, self._next_remark = True, now
            from boomslang.core.jit.compile_pool import expected_seconds

            self._seconds = f", some {expected_seconds()} s" if not done else ""
        if now >= self._next_remark and done != self._last_done:
            self._last_done = done
            self._next_remark = now + self._interval
            self._interval = min(2 * self._interval, _MAX_REMARK_INTERVAL)
            how = LOADING if loading else f"{COMPILING}{self._seconds}"
            self.say(f"{how}: {done} of {total} kernels")
        self._compiling = not loading  # last: who waits no longer answers after the remark
        self.wake()

    def _ready_within(self) -> float:
        """READY_TIMEOUT, or the seconds in the environment variable."""
        given_seconds = os.environ.get(_READY_TIMEOUT_VARIABLE, "")
        if not given_seconds.strip():
            return READY_TIMEOUT
        try:
            seconds = float(given_seconds)
        except ValueError:
            seconds = math.nan
        if math.isnan(seconds):
            self.say(
                f"error: {_READY_TIMEOUT_VARIABLE} is a number of seconds, and not {quote(given_seconds)};"
                f" isready waits for {READY_TIMEOUT:g}"
            )
            return READY_TIMEOUT
        return min(max(0.0, seconds), _MAX_WAIT)


def build_searcher(progress: LoadingProgress, modules: Sequence[str] = ()) -> tuple[Searcher, str]:
    """The compiled searcher, and a remark about network or kernel cache (empty without a problem).

    The kernels of `modules` are loaded too.
    """
    import chess

    import boomslang.engine.textbook.fallback  # noqa: F401 - it plays meanwhile, so it comes first
    from boomslang.core.jit import jit
    from boomslang.engine.driver import precompiling
    from boomslang.engine.driver.searcher import Searcher, load
    from boomslang.engine.limits import Limits

    precompiling.import_kernels(*modules)
    precompiling.compile_missing(progress, *modules)
    load(lambda done, total: progress(done, total, loading=not jit.is_compiling()))
    searcher = Searcher(hash_mb=1)
    # The first call of a kernel makes Numba look at its arguments for some 30 ms; no clock runs yet.
    searcher.analyse(chess.Board(), Limits(depth=1))
    searcher.new_game()
    searcher.set_hash(DEFAULT_HASH)
    return searcher, searcher.remark or jit.kernel_cache().remark


def log_remark(remark: str) -> None:
    """Log errors and the long first start as warnings, all else as information."""
    import logging

    is_warning = remark.startswith(("error: ", COMPILING, COMPILED))
    level = logging.WARNING if is_warning else logging.INFO
    logging.getLogger("boomslang").log(level, "%s", remark)


_LATE_TIMEOUT: Final = 2.0  # seconds for kernels that need not be compiled


class LateKernels(KernelLoader):
    """The kernels of modules that most games never need; `parent` has those of play."""

    def __init__(
        self,
        what: str,
        parent: KernelLoader,
        *modules: str,
        then: Callable[[], Any] = bool,
    ) -> None:
        """`what` they are for, in words. Without a clock `refusal` waits until they are there.

        `made` is what `then` returns, which is called last.
        """
        super().__init__(parent.say, self._build_more, False, parent.has_clock, parent)
        self._what = what
        self._modules = modules
        self._then = then
        self.made: Any = None
        self._is_pending = False

    def refusal(self) -> str | None:
        """Why what they are for cannot be chosen, or not yet; None if it can."""
        self._is_pending = self.has_clock and not self.wait(
            _LATE_TIMEOUT, lambda: not self.are_near
        )
        if self._is_pending:
            return f"{self._what} is not ready, alpha-beta plays until it is"
        self.wait()
        if self.problem:
            return f"error: no {self._what}: {self.problem}"
        self.tell_compiled(self._what)
        return None

    def is_due(self, waits: bool = False) -> bool:
        """True if what could not be chosen yet can be now, or as soon as `isready` waits."""
        if not self._is_pending:
            return False
        return self.wait_until_ready() if waits else self.wait(0)

    def _build_more(self, progress: LoadingProgress) -> tuple[None, str]:
        from boomslang.core.jit import jit
        from boomslang.engine.driver import precompiling

        precompiling.import_kernels(*self._modules)
        precompiling.compile_missing(progress, *self._modules)
        jit.load_kernels(lambda done, total: progress(done, total, loading=not jit.is_compiling()))
        self.made = self._then()
        return None, ""
