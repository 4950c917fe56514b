"""A conversation with the protocol loop inside this process, with a searcher that does as it is told."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import chess

from boomslang.engine.driver.loading import Build, KernelLoader
from boomslang.engine.limits import CurrentMove, Info, Limits, Result, Score
from boomslang.uci.line_reader import MAX_LINE
from boomslang.uci.loop import UciLoop
from boomslang.uci.output import Output

TIMEOUT = 30.0  # seconds; only a hang takes so long


class Puppet:
    """Plays the first legal move: at once if there is a depth, else when it is stopped."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.asked: list[Limits] = []
        self.started: list[float | None] = []
        self.boards: list[chess.Board] = []
        self.problem: Exception | None = None
        self.looks_at: CurrentMove | None = None
        self.tables: object = "as before"
        self.answers: Callable[[chess.Board], Result] = self._first_move
        self.at_work = threading.Event()
        self.begun = 0  # searches that have set it
        self._end = threading.Event()

    def clear_stop(self) -> None:
        self.calls.append("arm")
        self._end.clear()

    def search(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Callable[[Info], None],
        started: float | None = None,
    ) -> Result:
        self.calls.append("search")
        self.asked.append(limits)
        self.started.append(started)
        self.boards.append(board)
        self.at_work.set()
        self.begun += 1
        if self.problem:
            raise self.problem
        if limits.depth is None:
            self._end.wait(TIMEOUT)  # no longer: a test that ends meanwhile leaves nobody at work
        result = self.answers(board)
        if result.info:
            on_info(result.info)
        return result

    def _first_move(self, board: chess.Board) -> Result:
        best = next(iter(board.legal_moves))
        return Result.of([Info(1, 1, 1, Score(centipawns=7), "", 20, 20, 0, 0, 1, (best,))])

    def stop(self) -> None:
        self._end.set()

    def ponderhit(self) -> None:
        self.calls.append("ponderhit")
        self._end.set()

    def current(self) -> CurrentMove | None:
        return self.looks_at

    def fresh_memory(self) -> AbstractContextManager[None]:
        self.calls.append("apart")
        return nullcontext()

    def rest(self, *move: object) -> None:
        self.calls.append("rest")

    def use_tables(self, tables: object) -> None:
        self.tables = tables

    def explain(self, board: chess.Board, classical: bool = False) -> None:
        self.calls.append("explain")

    def new_game(self) -> None:
        self.calls.append("new_game")

    def clear(self) -> None:
        self.calls.append("clear")

    def __getattr__(self, name: str) -> Callable[[object], str | None]:
        """Whatever an option sets in a search."""
        if not name.startswith("set_"):
            raise AttributeError(name)

        def setter(value: object) -> str | None:
            self.calls.append(f"{name} {value}")
            return "2 threads will do" if name == "set_threads" else None

        return setter


class Conversation:
    """Lines in, lines out; ends when the test does."""

    def __init__(
        self, build: Build | None = None, gate: threading.Event | None = None, remark: str = ""
    ) -> None:
        """The puppet comes when the gate opens; `build` may do something else instead."""
        self.puppet = Puppet()
        self._gate = gate
        self._remark = remark
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        output = Output(self._write, lambda: None)
        self.loop = UciLoop(output, KernelLoader(output.say, build or self._build))

    def _build(self, progress: Callable[[int, int], None]) -> tuple[Any, str]:
        assert self._gate is None or self._gate.wait(TIMEOUT)
        return self.puppet, self._remark

    def _write(self, data: bytes) -> None:
        for line in data.decode("ascii").removesuffix("\n").split("\n"):
            self._lines.put(line)

    def send(self, *lines: str) -> None:
        for line in lines:
            self.loop.execute(line.encode(), len(line) <= MAX_LINE)

    def say_all(self, *lines: str) -> None:
        """All that a GUI ever says."""
        all(self.loop.execute(line.encode()) for line in lines)
        self.loop.leave()

    def ask(self, *lines: str) -> list[str]:
        """All that is answered to these lines, up to an additional `readyok`."""
        self.send(*lines, "isready")
        return self.until("readyok$")[:-1]

    def until(self, pattern: str) -> list[str]:
        seen: list[str] = []
        while not seen or not re.match(pattern, seen[-1]):
            try:
                seen.append(self._lines.get(timeout=TIMEOUT))
            except queue.Empty:
                raise AssertionError(f"no {pattern!r} after {seen[-10:]}") from None
        return seen

    def rest(self) -> list[str]:
        """What has been said and not been read."""
        assert self.loop.wait_idle(TIMEOUT) and self.loop.output.drain(TIMEOUT)
        lines = []
        while not self._lines.empty():
            lines.append(self._lines.get())
        return lines
