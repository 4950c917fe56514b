"""Loads what the option `Search Algorithm` needs, while the game goes on."""

from __future__ import annotations

from boomslang.engine.driver.loading import KernelLoader, build_more

_TIMEOUT = 2.0  # seconds for kernels that need not be compiled


class AlgorithmLoader:
    """The kernels of Monte Carlo tree search, which most games never need.

    `kernels` are those of alpha-beta. Without a clock a choice lasts until they are there.
    """

    def __init__(self, kernels: KernelLoader) -> None:
        self._kernels = KernelLoader(
            kernels.say,
            build_more("boomslang.engine.driver.mcts"),
            is_own_process=False,
            has_clock=kernels.has_clock,
            parent=kernels,
        )
        self._is_pending = False

    def refusal(self, name: str) -> str | None:
        """Why the algorithm cannot be chosen, or not yet; None if it can.

        None is also the answer for one that `is_due`.
        """
        self._is_pending = False
        if name != "mcts":
            return None
        if not self._kernels.has_clock:
            self._kernels.wait()
        elif not self._kernels.wait_unless_compiling(_TIMEOUT):
            self._is_pending = True
            return "Monte Carlo tree search is not ready, alpha-beta plays until it is"
        if self._kernels.problem:
            return f"error: no Monte Carlo tree search: {self._kernels.problem}"
        self._kernels.tell_compiled("Monte Carlo tree search")
        return None

    def is_due(self, waits: bool = False) -> bool:
        """True if the algorithm that could not be chosen is ready now, or as soon as `isready` waits."""
        if not self._is_pending:
            return False
        return self._kernels.wait_until_ready() if waits else self._kernels.wait(0)
