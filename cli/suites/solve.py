"""Who answers the tasks: this engine, or any other that speaks UCI."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Protocol, cast

import chess
import chess.engine

from boomslang.cli.suites.epd import Task
from boomslang.cli.suites.outcome import Outcome, SolvedLine, failed, judge
from boomslang.cli.terminal.programs import hush_log
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.searcher import Searcher, load

_PATIENCE: Final = 60.0  # seconds for `uciok`, or for thinking longer than it should


@dataclass(frozen=True, slots=True)
class SolveLimit:
    """How much an engine may spend on a position; the first limit reached counts."""

    movetime: int | None = None  # milliseconds
    nodes: int | None = None
    depth: int | None = None
    threads: int = 1
    hash_mb: int = 16


@dataclass(frozen=True, slots=True)
class OtherEngineSolver:
    """A program that speaks UCI."""

    command: tuple[str, ...]
    options: Mapping[str, str]


class _Thinker(Protocol):
    def think(self, board: chess.Board) -> list[SolvedLine]:
        """What the engine thinks from a fresh start, the answer last; raises what goes wrong."""


def solver(
    effort: SolveLimit, other: OtherEngineSolver | None
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


class _Noting(chess.engine.UciProtocol):
    """Keeps the lines of thinking, with the time at which they came."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[float, str]] = []

    def line_received(self, line: str) -> None:
        """Called for each line of the engine."""
        if line.startswith("info ") and " pv " in line:
            self.heard.append((time.monotonic(), line))
        super().line_received(line)


class Other:
    """Another engine, as a process; started again when it has failed."""

    def __init__(self, effort: SolveLimit, engine: OtherEngineSolver) -> None:
        hush_log()
        self._effort = effort
        self._described = engine
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
        process = start(self._described)
        try:
            wanted = {"Threads": self._effort.threads, "Hash": self._effort.hash_mb}
            given = {name.lower() for name in self._described.options}
            process.configure(
                {
                    name: value
                    for name, value in wanted.items()
                    if name in process.options and name.lower() not in given
                }
            )
        except BaseException:
            process.close()
            raise
        return process


def start(engine: OtherEngineSolver) -> chess.engine.SimpleEngine:
    """The process of another engine with its options set; raises OSError or EngineError."""
    try:
        process = chess.engine.SimpleEngine.popen(_Noting, list(engine.command), timeout=_PATIENCE)
    except TimeoutError:
        raise chess.engine.EngineError("it does not answer to `uci`") from None
    try:
        process.configure(dict(engine.options))
    except BaseException:
        process.close()
        raise
    return process


def _follow(
    process: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit
) -> list[SolvedLine]:
    """Let the engine think; its best lines, and its move. Raises EngineError, or TimeoutError."""
    protocol = cast("_Noting", process.protocol)
    protocol.heard.clear()
    begun = time.monotonic()
    # Not `process.analysis`, in which an illegal answer is never told of.
    answer = process.play(board, limit, game=object()).move
    if answer is None:
        raise chess.engine.EngineError("no move")
    thoughts = [
        thought for at, line in protocol.heard if (thought := _read(line, at - begun, board))
    ]
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
