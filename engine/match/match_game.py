"""One game between two engine processes, with a clock and adjudication."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import chess
import chess.engine

from boomslang.core.system.sanitize import printable
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.match.opening import Opening, by_rules
from boomslang.engine.other_engines.agents import EngineMemoryError
from boomslang.engine.other_engines.engine_connection import (
    EngineMoveError,
    EngineNoMoveError,
    EngineSilentError,
)
from boomslang.engine.other_engines.engine_process import EngineProcess

_WON: Final = Score(centipawns=800)  # in both scores
_WON_PLIES: Final = 8
_EVEN: Final = 10  # centipawns
_EVEN_PLIES: Final = 16
_EVEN_FROM: Final = 80  # plies, those of the opening too
_MARGIN: Final = 0.02  # seconds of grace on the clock, for the communication
_MOVETIME_MARGIN: Final = 0.1  # seconds of grace for an agent

_TIMEOUT: Final = 20.0  # seconds of waiting beyond the allowed time
_MIN_SPEED: Final = 5000.0  # nodes/s
_DEPTH_TIMEOUT: Final = 600.0  # seconds for a search to a depth

FAILURES: Final = (OSError, ValueError, chess.engine.EngineError, subprocess.SubprocessError)
_MAX_DETAIL: Final = 300  # characters
# Losses off the board.
TIME, CRASH, STALL, MEMORY = "time", "crash", "stall", "memory"
ILLEGAL, NO_MOVE = "illegal move", "no move"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The limit of a side: one of the four. Times are in seconds."""

    nodes: int | None = None
    depth: int | None = None
    movetime: float | None = None
    clock: tuple[float, float] | None = None  # base time, and increment per move

    def over(self, odds: float) -> TimeControl:
        """The limit divided by `odds`, in whole nodes or in seconds; a depth is never divided."""
        if self.clock:
            return TimeControl(clock=(self.clock[0] / odds, self.clock[1] / odds))
        if self.movetime:
            return TimeControl(movetime=self.movetime / odds)
        if self.depth:
            return self
        return TimeControl(nodes=round((self.nodes or 1) / odds))


@dataclass(slots=True)
class MoveCost:
    """The search effort of one side in a game, over the moves of which the engine has told it."""

    nodes: int = 0
    seconds: float = 0.0
    depths: int = 0  # sum over the moves
    moves: int = 0
    least_clock: float | None = None  # seconds


@dataclass(slots=True)
class PlayedGame:
    """A game: its moves, and how it ended. `result` is 1, 0 or -1 for White.

    A reason such as `crash` may have its detail behind a colon, and `remarks` the last lines that the engine
    wrote to standard error, as the traceback of an agent. `scores` has a row for each move after the opening:
    the score for White, the depth, and the seconds left on the clock, as far as they are known.
    """

    moves: list[str]
    result: int
    reason: str
    efforts: tuple[MoveCost, MoveCost]  # White's and Black's
    scores: list[tuple[Score | None, int | None, float | None]]
    remarks: tuple[str, ...] = ()


@dataclass(slots=True)
class Referee:
    """Adjudicates games when the scores of both sides agree."""

    won: int = 0  # consecutive plies with a winning score for White, negative: for Black
    even: int = 0  # consecutive plies with a drawish score

    def adjudicate(self, white: Score | None, ply: int) -> tuple[int, str] | None:
        """The adjudicated result, if any, after the score `white` of the last move."""
        if white is None:
            self.won = self.even = 0
            return None
        side = (white >= _WON) - (white <= -_WON)
        is_even = abs(white.centipawns or 0) <= _EVEN and white.mate is None
        self.won = self.won + side if side * self.won >= 0 and side else side
        self.even = self.even + 1 if is_even and ply >= _EVEN_FROM else 0
        if abs(self.won) >= _WON_PLIES:
            return side, "both agree that it is won"
        return (0, "both agree that it is drawn") if self.even >= _EVEN_PLIES else None


async def play(
    engines: tuple[EngineProcess, EngineProcess],
    opening: Opening,
    paces: tuple[TimeControl, TimeControl],
    adjudicated: bool = True,
) -> PlayedGame:
    """Play a game from an opening; White is the first of the two, each with a time control.

    Agents begin it in new processes, and what remembers games where they are to be reproducible.
    """
    board = opening.board()
    efforts = MoveCost(), MoveCost()
    scores: list[tuple[Score | None, int | None, float | None]] = []
    clocks = [pace.clock[0] if pace.clock else 0.0 for pace in paces]
    referee, key = Referee(), object()
    remarks: tuple[str, ...] = ()
    ended = by_rules(board)
    for engine, pace in zip(engines, paces, strict=True):
        if engine.command.is_agent or (engine.remembers and (pace.nodes or pace.depth)):
            await engine.close()
    while ended is None:
        side = 0 if board.turn else 1
        pace = paces[side]
        loss = -1 if board.turn else 1
        try:
            await engines[side].start()
            limits, longest = _limits(pace, paces, clocks), _longest(pace, clocks[side])
            begun = time.monotonic()
            answer = await engines[side].play(board, limits, game=key, timeout=longest)
            taken = time.monotonic() - begun
        except FAILURES as problem:
            ended = loss, _failure(problem)
            remarks = getattr(problem, "remarks", ())
            break
        _record(efforts[side], answer.info, taken)
        if pace.clock:
            clocks[side] -= taken
            least = efforts[side].least_clock
            efforts[side].least_clock = min(clocks[side], clocks[side] if least is None else least)
            if clocks[side] < -_MARGIN:
                ended = loss, TIME
                break
            clocks[side] = max(clocks[side], 0.0) + pace.clock[1]
        elif engines[side].command.is_agent and taken > (pace.movetime or 0) + _MOVETIME_MARGIN:
            ended = loss, TIME
            break
        if not answer.best:
            ended = loss, "resigned"
            break
        left = round(clocks[side], 3) if pace.clock else None
        info = answer.info
        score = (info.score if board.turn else -info.score) if info else None
        scores.append((score, info.depth if info else None, left))
        board.push(answer.best)
        ended = by_rules(board)
        if adjudicated and not ended:
            ended = referee.adjudicate(score, len(board.move_stack))
    result, reason = ended
    moves = [move.uci() for move in board.move_stack]
    return PlayedGame(moves, result, reason, efforts, scores, remarks)


def _failure(problem: Exception) -> str:
    """The kind of a failure and, behind a colon, its detail."""
    kinds = {
        EngineSilentError: STALL,
        EngineNoMoveError: NO_MOVE,
        EngineMoveError: ILLEGAL,
        EngineMemoryError: MEMORY,
    }
    kind = next((kinds[each] for each in kinds if isinstance(problem, each)), CRASH)
    return f"{kind}: {printable(str(problem))[:_MAX_DETAIL]}"


def _longest(pace: TimeControl, left: float) -> float:
    """Seconds until an engine counts as stalled; `left` is the time on its clock."""
    if pace.clock:
        return left + _TIMEOUT
    deep = _DEPTH_TIMEOUT if pace.depth else 0.0
    return (pace.movetime or 0.0) + (pace.nodes or 0) / _MIN_SPEED + deep + _TIMEOUT


def _limits(pace: TimeControl, paces: Sequence[TimeControl], clocks: Sequence[float]) -> Limits:
    white, black = paces
    if not (white.clock and black.clock):
        movetime = None if pace.movetime is None else _milliseconds(pace.movetime)
        return Limits(nodes=pace.nodes, movetime=movetime, depth=pace.depth)
    return Limits(
        white_time=max(_milliseconds(clocks[0]), 1),
        black_time=max(_milliseconds(clocks[1]), 1),
        white_increment=_milliseconds(white.clock[1]),
        black_increment=_milliseconds(black.clock[1]),
    )


def _milliseconds(seconds: float) -> int:
    return round(1000 * seconds)


def _record(effort: MoveCost, info: Info | None, taken: float) -> None:
    if info:
        effort.nodes += info.nodes
        effort.seconds += taken
        effort.depths += info.depth
        effort.moves += 1
