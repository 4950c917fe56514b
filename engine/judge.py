"""By which evaluation a search judges: the network that ships, another one, or the classical evaluation.

A network that cannot be used is never taken: what has judged so far goes on, and the user is told. Where
not even the one that ships can be read the classical evaluation judges.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine import bridge
from engine.constants import I
from engine.search.evaluation import evaluate
from engine.search.state import SearchState
from engine.system.files import shown
from engine.system.jit import load_kernels
from eval.network.file import read, shipped

if TYPE_CHECKING:
    from eval.classical.trace import Trace
    from eval.network.trace import NetworkTrace

FILE: Final = "EvalFile"
KIND: Final = "Evaluation"
OPTIONS: Final = frozenset({FILE, KIND})


class Judge:
    """The options about the evaluation of one search, and what it is made of.

    `remark` is one line for the user, empty while all is well.
    """

    def __init__(self, search: SearchState) -> None:
        """`search` is a SEARCH record as `bridge.new_search` makes it."""
        self._search = search
        self._classical = False  # wanted
        self._network: Any = None  # a NETWORK record; None: the installation is broken
        self.remark = ""
        try:
            self._network = shipped()
        except ValueError as problem:
            self.remark = f"error: {problem}; the classical evaluation judges"

    def configure(self, name: str, value: str) -> tuple[bool, str | None]:
        """Take an option; returns whether judgements change with it, and a message for the user."""
        if name == FILE:
            return self._take(value)
        self._classical = value == "classical"
        if self._classical or self._network is not None:
            return self._settle(), None
        return self._settle(), "error: there is no network to judge by, name one as EvalFile"

    def explain(self, classical: bool = False) -> Trace | NetworkTrace:
        """The evaluation of the position at the root in parts; the `classical` one if asked for.

        It must not be in check.
        """
        if classical or self._search.classical:
            from eval.classical import trace as of_terms

            load_kernels()  # most players never need this one
            return of_terms.trace(self._search.rules, self._search.position[0])
        from eval.network import trace as of_network

        load_kernels()
        score = int(evaluate(self._search, I(0)))
        return of_network.trace(self._network, self._search.rules, self._search.position[0], score)

    def _take(self, path: str) -> tuple[bool, str | None]:
        """Take the network of a file, or the one that ships if there is no name."""
        try:
            network = read(Path(path).expanduser())[0] if path else shipped()
        except (RuntimeError, ValueError) as problem:  # the first where nobody knows what ~ is
            stays = "classical evaluation" if self._network is None else "network in use"
            return False, f"error: no other network: {problem}; the {stays} stays"
        if self._network is not None and network.tobytes() == self._network.tobytes():
            return False, None
        self._network = network
        idle = "; the classical evaluation judges" if self._classical else ""
        return self._settle(), f"network {shown(path)}{idle}" if path else None

    def _settle(self) -> bool:
        """Let the search judge as it should; True if it has not done so before."""
        before = int(self._search.classical), int(self._search.network)
        self._search.classical = int(self._classical or self._network is None)
        if self._network is not None:
            bridge.set_network(self._search, self._network)
        return before != (int(self._search.classical), int(self._search.network))
