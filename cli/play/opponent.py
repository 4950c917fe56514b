"""The engine as an opponent: stronger or weaker, and with a hint for the person."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

import chess

from cli.play.clock import Clock
from engine.adviser import Adviser
from engine.levels.ladder import FULL_SKILL
from engine.limits import Info, Limits, Result
from engine.player import Player

_HASH_MB: Final = 32
_HINT: Final = Limits(movetime=1000)


class Opponent:
    """Plays at a level. Kernels must be loaded (`engine.player.load`)."""

    def __init__(self, level: int, seconds: float) -> None:
        """Without a clock it thinks `seconds` a move at most."""
        self._seconds = seconds
        self._player = Player(_HASH_MB)
        self._adviser = Adviser()
        self._consultant: Player | None = None  # its memory must not help the weaker player
        self._thread = ThreadPoolExecutor(1, "search")
        self.set_level(level)

    def set_level(self, level: int) -> None:
        """Play at a level from now on; see `cli.play.levels`."""
        self.level = level
        is_elo = level > FULL_SKILL
        self._adviser.configure("UCI_LimitStrength", is_elo)
        self._adviser.configure("UCI_Elo" if is_elo else "Skill Level", level)

    def new_game(self) -> None:
        """Forget the last one."""
        self._player.new_game()
        self._adviser.new_game()

    def choose(self, board: chess.Board, clock: Clock | None) -> Result:
        """Its move; Ctrl-C makes it move at once."""
        if clock is None:
            limits = Limits(movetime=round(self._seconds * 1000))
        else:
            white, black = (max(round(clock.left(side) * 1000), 1) for side in chess.COLORS)
            more = round(clock.control.increment * 1000)
            limits = Limits(
                white_time=white, black_time=black, white_increment=more, black_increment=more
            )
        return self._search(self._adviser, self._player, board, limits)

    def advise(self, board: chess.Board) -> Info:
        """What the engine would do at full strength."""
        if self._consultant is None:
            self._consultant = Player(_HASH_MB)
        info = self._search(Adviser(), self._consultant, board, _HINT).info
        if info is None:
            raise ValueError("there is no legal move")
        return info

    def _search(
        self, adviser: Adviser, player: Player, board: chess.Board, limits: Limits
    ) -> Result:
        """Search on a thread, so that Ctrl-C need not wait for a kernel. EOFError: all is to end."""
        player.arm()
        search = partial(adviser.search, player, board.copy(), limits, lambda info: None)
        future = self._thread.submit(search)
        try:
            return future.result()
        except KeyboardInterrupt:
            player.stop()
            return future.result()
        except EOFError:
            player.stop()
            raise
