"""The engine as an opponent of limited strength, and its hints."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import chess

from boomslang.cli.play.my_level import MyLevel
from boomslang.engine.chess_clock import ChessClock
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.engine import Engine
from boomslang.engine.levels.ladder import FULL_SKILL, TIME_OPTION
from boomslang.engine.levels.oversight import OPTION, Oversights
from boomslang.engine.limits import Info, Limits, Result

_HASH_MB: Final = 32
_HINT: Final = Limits(movetime=1000)


class EngineOpponent:
    """Plays at a level. Kernels must be loaded (`engine.driver.searcher.load`)."""

    def __init__(
        self, level: int | MyLevel, seconds: float, like: Mapping[str, str] | None = None
    ) -> None:
        """Without a clock it thinks at most `seconds` per move; `like` are the options of LikeSettings."""
        self._like = like or {}
        self._seconds = seconds
        self.oversights = Oversights()
        self._asked = chess.Board()  # the position of the last search
        self._engine = Engine(self._hear, Hash=_HASH_MB)
        self._engine.set_option(OPTION, True)
        self._engine.set_option(TIME_OPTION, True)
        self._consultant: Engine | None = None  # for hints; its table must not help the level
        self._thread = ThreadPoolExecutor(1, "search")
        self.set_level(level)

    def set_level(self, level: int | MyLevel) -> None:
        """Set the level; see `cli.play.my_level`."""
        self.my_level = level if isinstance(level, MyLevel) else None
        self.level = level = level.level if isinstance(level, MyLevel) else level
        is_elo = level > FULL_SKILL
        self._engine.set_option("UCI_LimitStrength", is_elo)
        self._engine.set_option("UCI_Elo" if is_elo else "Skill Level", level)
        for name, value in self._like.items():  # full strength is nobody's
            self._engine.set_option(name, "" if level == FULL_SKILL else value)

    def new_game(self) -> None:
        """Clear the state of the last game; the user's own level may have changed by it."""
        if self.my_level:
            self.set_level(self.my_level)
        self._engine.new_game()

    def choose(self, board: chess.Board, clock: ChessClock | None) -> Result:
        """The engine's move; Ctrl-C makes it move at once."""
        if clock is None:
            limits = Limits(movetime=round(self._seconds * 1000))
        else:
            white, black = (max(round(clock.left(side) * 1000), 1) for side in chess.COLORS)
            more = round(clock.control.increment * 1000)
            limits = Limits(
                white_time=white, black_time=black, white_increment=more, black_increment=more
            )
        self.oversights.forget(board)
        return self._search(self._engine, board, limits)

    def advise(self, board: chess.Board) -> Info:
        """The best move at full strength."""
        if self._consultant is None:
            self._consultant = Engine(_ignore, Hash=_HASH_MB)
        info = self._search(self._consultant, board, _HINT).info
        if info is None:
            raise ValueError("there is no legal move")
        return info

    def _hear(self, remark: str) -> None:
        self.oversights.note(self._asked, remark)

    def _search(self, engine: Engine, board: chess.Board, limits: Limits) -> Result:
        """Search on a thread, so that Ctrl-C need not wait for a kernel. EOFError: end the game."""
        engine.set_position(board)
        self._asked = board.copy()
        task = SearchTask(limits, time.monotonic())  # can be stopped before the thread has begun it
        future = self._thread.submit(engine.go, task)
        try:
            return future.result()
        except KeyboardInterrupt:
            task.stop()
            return future.result()
        except EOFError:
            task.stop()
            raise


def _ignore(remark: str) -> None:
    """Ignore the remarks of the engine."""
