"""The engine as an opponent: stronger or weaker, and with a hint for the person."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import chess

from engine.limits import Info, Limits, Result
from engine.player import Player
from uci.play.clock import Clock

LEVELS: Final = (20, 60, 150, 400, 1_000, 3_000, 10_000, 50_000, 250_000, None)  # nodes a move
STRONGEST: Final = len(LEVELS)
_HASH_MB: Final = 32
_HINT: Final = Limits(movetime=1000)


class Opponent:
    """Plays at a level from 1 to STRONGEST. Kernels must be loaded (`engine.player.load`)."""

    def __init__(self, level: int, seconds: float) -> None:
        """Without a clock it thinks `seconds` a move at most."""
        self.level = level
        self._seconds = seconds
        self._player = Player(_HASH_MB)
        self._adviser: Player | None = None  # its memory must not help the weaker player
        self._thread = ThreadPoolExecutor(1, "search")

    def new_game(self) -> None:
        """Forget the last one."""
        self._player.new_game()

    def choose(self, board: chess.Board, clock: Clock | None) -> Result:
        """Its move; Ctrl-C makes it move at once."""
        nodes = LEVELS[self.level - 1]
        if clock is None:
            limits = Limits(nodes=nodes, movetime=round(self._seconds * 1000))
        else:
            white, black = (max(round(clock.left(side) * 1000), 1) for side in chess.COLORS)
            more = round(clock.control.increment * 1000)
            limits = Limits(
                nodes=nodes,
                white_time=white,
                black_time=black,
                white_increment=more,
                black_increment=more,
            )
        return self._search(self._player, board, limits)

    def advise(self, board: chess.Board) -> Info:
        """What the engine would do at full strength."""
        if self._adviser is None:
            self._adviser = Player(_HASH_MB)
        info = self._search(self._adviser, board, _HINT).info
        if info is None:
            raise ValueError("there is no legal move")
        return info

    def _search(self, player: Player, board: chess.Board, limits: Limits) -> Result:
        """Search on a thread, so that Ctrl-C need not wait for a kernel."""
        player.arm()
        future = self._thread.submit(player.search, board.copy(), limits, lambda info: None)
        try:
            return future.result()
        except KeyboardInterrupt:
            player.stop()
            return future.result()
