"""Loads what the option `Search Algorithm` needs, while the game goes on."""

from __future__ import annotations

from collections.abc import Callable

from boomslang.engine.searcher.loading import KernelLoader, build_more

_TIMEOUT = 2.0  # seconds for kernels that need not be compiled


class AlgorithmLoader:
    """The kernels of Monte Carlo tree search, which most games never need.

    `say` receives the progress of compiling. With `waits` a choice lasts until they are there.
    """

    def __init__(self, say: Callable[[str], None], waits: bool) -> None:
        self._kernels = KernelLoader(
            say, build_more("boomslang.engine.searcher.mcts"), is_own_process=False
        )
        self._waits = waits
        self._is_pending = False

    def refusal(self, name: str) -> str | None:
        """Why the algorithm cannot be chosen, or not yet; None if it can.

        None is also the answer for one that `is_due`.
        """
        self._is_pending = False
        if name != "mcts":
            return None
        if self._waits:
            self._kernels.wait()
        elif not self._kernels.wait_unless_compiling(_TIMEOUT):
            self._is_pending = True
            return "Monte Carlo tree search is not ready, alpha-beta plays until it is"
        if self._kernels.problem:
            return f"error: no Monte Carlo tree search: {self._kernels.problem}"
        self._kernels.tell_compiled("Monte Carlo tree search")
        return None

    def is_due(self, seconds: float = 0.0) -> bool:
        """True if the algorithm that could not be chosen is ready now, or in so many seconds."""
        return self._is_pending and self._kernels.wait(seconds)
