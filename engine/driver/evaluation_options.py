"""Which evaluation a search uses: the network that ships, another one, or the classical evaluation.

A network that cannot be read is refused with a message, and the evaluation in use stays. If not even the
network that ships can be read, the classical evaluation is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from boomslang.core.board.constants import I
from boomslang.core.jit.jit import load_kernels
from boomslang.core.system.files import quote_path
from boomslang.engine import bridge
from boomslang.engine.search.evaluation import evaluate
from boomslang.engine.search.state import SearchState
from boomslang.eval.network.file import load_shipped, read
from boomslang.eval.network.shape import Network

if TYPE_CHECKING:
    from boomslang.eval.classical.trace import Trace
    from boomslang.eval.network.trace import NetworkTrace


class EvaluationOptions:
    """The options about the evaluation of one search.

    `remark` is one line for the user about a broken installation, else empty.
    """

    def __init__(self, search: SearchState) -> None:
        """`search` is a SEARCH record as `bridge.new_search` makes it."""
        self._search = search
        self._classical = False  # wanted
        self._network: Any = None  # a NETWORK record; None: the installation is broken
        self.remark = ""
        try:
            self._network = load_shipped()
        except ValueError as problem:
            self.remark = f"error: {problem}; the classical evaluation is used"

    def choose(self, kind: str) -> tuple[bool, str | None]:
        """Evaluate by "network" or "classical"; returns whether that changes, and a message."""
        self._classical = kind == "classical"
        if self._classical or self._network is not None:
            return self._settle(), None
        return self._settle(), "error: there is no network to evaluate with, name one as EvalFile"

    def follow(self, other: EvaluationOptions) -> bool:
        """Evaluate as another search does; returns whether that changes."""
        self._classical, self._network = other._classical, other._network
        return self._settle()

    def explain(self, classical: bool = False) -> Trace | NetworkTrace:
        """The evaluation of the position at the root in parts; the `classical` one if asked for.

        It must not be in check.
        """
        if classical or self._search.classical:
            from boomslang.eval.classical import trace as of_terms

            load_kernels()  # most players never need this one
            return of_terms.trace(self._search.rules, self._search.position[0])
        from boomslang.eval.network import trace as of_network

        load_kernels()
        score = int(evaluate(self._search, I(0)))
        return of_network.trace(self._network, self._search.rules, self._search.position[0], score)

    def take(self, path: str) -> tuple[bool, str | None]:
        """Take the network of a file, or the one that ships if there is no name; returns as `choose`."""
        try:
            network = read(Path(path).expanduser())[0] if path else load_shipped()
        except (RuntimeError, ValueError) as problem:  # RuntimeError: ~ has no meaning here
            stays = "classical evaluation" if self._network is None else "network in use"
            return False, f"error: no other network: {problem}; the {stays} stays"
        if self._network is not None and network.tobytes() == self._network.tobytes():
            return False, None
        idle = "; the classical evaluation is used" if self._classical else ""
        return self.use(network), f"network {quote_path(path)}{idle}" if path else None

    def use(self, network: Network) -> bool:
        """Take a NETWORK record; returns whether the evaluation changes."""
        self._network = network
        return self._settle()

    def _settle(self) -> bool:
        """Set the evaluation of the search; True if it has not done so before."""
        before = int(self._search.classical), int(self._search.network)
        self._search.classical = int(self._classical or self._network is None)
        if self._network is not None:
            bridge.set_network(self._search, self._network)
        return before != (int(self._search.classical), int(self._search.network))
