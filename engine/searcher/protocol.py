"""Interface between the engine and the searches that find its moves."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from boomslang.engine.limits import CurrentMove, Limits, Listener, Result

if TYPE_CHECKING:
    import chess

    from boomslang.engine.searcher.tablebase import Tablebase
    from boomslang.eval.classical.trace import Trace
    from boomslang.eval.network.trace import NetworkTrace


class SearcherProtocol(Protocol):
    """A search that finds moves. `search` runs in one thread, the rest is called from others."""

    def clear_stop(self) -> None:
        """Forget an earlier `stop`; called before a search is handed to its thread."""

    def search(
        self, board: chess.Board, limits: Limits, on_info: Listener, started: float | None = None
    ) -> Result:
        """Search until a limit or `stop`; `started` is the `time.monotonic()` of the request.

        May return early even if the limits say `wait_for_stop` or `ponder`: the caller holds the answer back.
        """

    def stop(self) -> None:
        """End the search soon; not lost if `search` has not really begun yet."""

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock starts now."""

    def current(self) -> CurrentMove | None:
        """The root move that is being searched, if known; any thread may ask during a search."""

    def new_game(self) -> None:
        """Forget everything about the last game."""

    def fresh_memory(self) -> AbstractContextManager[None]:
        """Search within it as in a new game, with a small memory, and not to remember it afterwards."""

    def use_tables(self, tables: Tablebase | None) -> None:
        """Use these tablebases from the next search on, or none."""


class CompiledSearcher(SearcherProtocol, Protocol):
    """A searcher with options, set between two searches, which can explain its evaluation.

    Setters return a message for the user or None; those about failures begin with `error: `.
    """

    def explain(self, board: chess.Board, classical: bool = False) -> Trace | NetworkTrace | None:
        """The static evaluation in parts, that in use or the `classical` one; None in check."""

    def clear(self) -> None:
        """Empty the memory."""

    def set_hash(self, megabytes: int) -> str | None:
        """Use a memory of that size, as far as possible."""

    def set_threads(self, threads: int) -> str | None:
        """Search with that many threads, as far as possible."""

    def set_node_clock(self, nodes: int) -> None:
        """Count that many nodes as a millisecond; 0: use the clock."""

    def set_network(self, path: str) -> str | None:
        """Evaluate with the network in a file; with that which ships if the path is empty."""

    def set_evaluation(self, kind: str) -> str | None:
        """Evaluate with the "network" or by the "classical" terms."""

    def set_algorithm(self, name: str) -> str | None:
        """Search by "alphabeta" or by "mcts"."""

    def set_exact(self, exact: bool) -> None:
        """Search for the minimax value without any selectivity, or as in play."""

    def set_parameters(self, values: Mapping[str, int]) -> None:
        """Set parameters of `engine.search.params` by name; raises ValueError for other names."""
