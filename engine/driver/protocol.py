"""Interface between the engine and the searches that find its moves."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from boomslang.engine.limits import CurrentMove, Limits, Listener, Result

if TYPE_CHECKING:
    import chess

    from boomslang.engine.driver.tablebase import Tablebase


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
