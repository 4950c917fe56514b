"""Who answers the tasks: this engine, or any other that speaks UCI."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

import chess
import chess.engine

from boomslang.cli.suites.epd import Task
from boomslang.cli.suites.outcome import Outcome, SolvedLine, failed, judge
from boomslang.engine.jobs.uci_engine import UciCommand, protocol_of, start
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.searcher import Searcher, load


@dataclass(frozen=True, slots=True)
class SolveLimit:
    """How much an engine may spend on a position; the first limit reached counts."""

    movetime: int | None = None  # milliseconds
    nodes: int | None = None
    depth: int | None = None
    threads: int = 1
    hash_mb: int = 16


class _Thinker(Protocol):
    def think(self, board: chess.Board) -> list[SolvedLine]:
        """What the engine thinks from a fresh start, the answer last; raises what goes wrong."""


def solver(
    effort: SolveLimit, other: UciCommand | None
) -> Callable[[tuple[bool, Task]], tuple[bool, Outcome]]:
    """For `engine.jobs.run`: a function of (whether the other engine is asked, task)."""
    thinkers: dict[bool, _Thinker] = {}

    def solve(item: tuple[bool, Task]) -> tuple[bool, Outcome]:
        by_other, task = item
        try:
            if by_other not in thinkers:
                asked = other if by_other else None
                thinkers[by_other] = Other(effort, asked) if asked else Own(effort)
            return by_other, judge(task, thinkers[by_other].think(task.board()))
        except Exception as problem:  # one bad position shall not cost the others
            return by_other, failed(task, f"{type(problem).__name__}: {problem}")

    return solve


class Own:
    """Boomslang, in this process."""

    def __init__(self, effort: SolveLimit) -> None:
        load()
        self._limits = Limits(movetime=effort.movetime, nodes=effort.nodes, depth=effort.depth)
        self._player = Searcher(effort.hash_mb)
        self._player.set_option("Threads", effort.threads)

    def think(self, board: chess.Board) -> list[SolvedLine]:
        """See `_Thinker`."""
        thoughts: list[SolvedLine] = []

        def note(info: Info) -> None:
            move = info.pv[0].uci()
            thoughts.append(SolvedLine(info.time, info.nodes, info.depth, move, info.score))

        self._player.new_game()
        self._player.arm()
        self._player.search(board, self._limits, note)
        return thoughts


class Other:
    """Another engine, as a process; started again when it has failed."""

    def __init__(self, effort: SolveLimit, engine: UciCommand) -> None:
        self._effort = effort
        self._engine = engine
        self._process: chess.engine.SimpleEngine | None = None

    def think(self, board: chess.Board) -> list[SolvedLine]:
        """See `_Thinker`."""
        process = self._process or self._start()
        self._process = None
        effort = self._effort
        limit = chess.engine.Limit(
            time=None if effort.movetime is None else effort.movetime / 1000,
            nodes=effort.nodes,
            depth=effort.depth,
        )
        try:
            thoughts = _follow(process, board, limit)
        except BaseException:
            process.close()
            raise
        self._process = process
        return thoughts

    def _start(self) -> chess.engine.SimpleEngine:
        return start(self._engine, {"Threads": self._effort.threads, "Hash": self._effort.hash_mb})


def _follow(
    process: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit
) -> list[SolvedLine]:
    """Let the engine think; its best lines, and its move. Raises EngineError, or TimeoutError."""
    heard: list[tuple[float, str]] = []

    def note(line: str) -> None:
        if line.startswith("info ") and " pv " in line:
            heard.append((time.monotonic(), line))

    protocol_of(process).on_line = note
    begun = time.monotonic()
    # Not `process.analysis`, in which an illegal answer is never told of.
    answer = process.play(board, limit, game=object()).move
    if answer is None:
        raise chess.engine.EngineError("no move")
    thoughts = [thought for at, line in heard if (thought := _read(line, at - begun, board))]
    last = thoughts[-1] if thoughts else SolvedLine(0, 0, 0, answer.uci(), Score(centipawns=0))
    taken = int((time.monotonic() - begun) * 1000)
    return [*thoughts, replace(last, milliseconds=taken, move=answer.uci())]


def _read(line: str, seconds: float, board: chess.Board) -> SolvedLine | None:
    """What an `info` line with `pv` says, if it is about the best move and not a mere bound."""
    words = line.split()
    told = dict(pairwise(words[: words.index("pv") + 2]))
    if told.get("multipv", "1") != "1" or "lowerbound" in words or "upperbound" in words:
        return None
    try:
        move = board.parse_uci(told["pv"]).uci()
        score = int(told.get("mate") or told.get("cp") or 0)
        return SolvedLine(
            int(seconds * 1000),
            int(told.get("nodes", 0)),
            int(told.get("depth", 0)),
            move,
            Score(mate=score) if "mate" in told else Score(centipawns=score),
        )
    except (ValueError, KeyError):
        return None  # nonsense is no thought
