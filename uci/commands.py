"""The UCI commands that need the board or the engine, executed one after the other on a thread."""

from __future__ import annotations

import time
from dataclasses import replace

from boomslang.core.system.sanitize import quote
from boomslang.engine.driver.chances import as_displayed
from boomslang.engine.driver.loading import KernelLoader
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import CurrentMove, Info
from boomslang.engine.notation.position_setup import legal_names
from boomslang.engine.options import UCI, find
from boomslang.uci import about, evaluation_table, formatting
from boomslang.uci.output import Output
from boomslang.uci.parse import (
    BenchCommand,
    OptionCommand,
    PositionCommand,
)
from boomslang.uci.protocol_engine import ProtocolEngine


class UciCommands:
    """Passes commands to an engine and writes its answers. All methods are jobs of the search thread."""

    def __init__(self, output: Output, kernels: KernelLoader) -> None:
        self._output = output
        self._engine = ProtocolEngine(output.say, kernels)
        self._reports_timing = False
        self._ready_at = 0.0  # time.monotonic() of the last `readyok`

    # The commands of the protocol

    def ready(self) -> None:
        """`isready`."""
        self._engine.get_ready()
        self._output.line("readyok")
        self._ready_at = time.monotonic()

    def new_game(self) -> None:
        """`ucinewgame`."""
        self._engine.new_game()

    def set_position(self, command: PositionCommand) -> None:
        """`position`; after an invalid one there is no position until a valid one is set."""
        self._engine.set_position(command.fen, command.moves)

    def refuse_position(self) -> None:
        """Handle an unparsable `position` command: there is no position after it."""
        self._engine.refuse_position()

    def set_option(self, command: OptionCommand) -> None:
        """`setoption`; raises CommandError."""
        if UCI not in find(command.name).protocols:
            raise CommandError(f"unknown option {quote(command.name)}")
        option = find(command.name)
        if option.name == "Debug Log File":
            self._output.log.open(str(option.read(command.value)))
        self._engine.set_option(option.name, command.value)
        if option.name == "UCI_Opponent" and (opponent := self._engine.value_of(option.name)):
            self._output.say(formatting.opponent(str(opponent)))

    def search(self, task: SearchTask) -> None:
        """`go`: always answers exactly once.

        Time counts from the arrival of the command, or from `readyok` if `isready` was still unanswered then.
        """
        task.begin_after(self._ready_at)
        depth = task.limits.perft
        answer = formatting.NO_COUNT if depth else formatting.NO_MOVE
        try:
            answer = self._perft(task, depth) if depth else self._answer(task)
        except CommandError as problem:
            self._output.say(f"error: {problem}")
        except Exception as problem:
            self._engine.report_failure(problem)
        finally:
            if not task.answerable.is_set():
                self._output.flush()
                task.answerable.wait()
            task.finished.set()  # first: what is sent after `bestmove` finds no search at work
            self._output.line(answer)

    def debug(self, wanted: bool) -> None:
        """`debug on` and `debug off`."""
        self._reports_timing = wanted

    # Commands for people

    def show(self) -> None:
        """`d`: the board."""
        self._output.line(formatting.board_picture(self._engine.board))

    def evaluate(self, classical: bool) -> None:
        """`eval`: the static evaluation by parts; that in use, or the `classical` one."""
        board = self._engine.board
        self._wait_for_kernels()
        trace = self._engine.evaluate(classical)
        text = f"{evaluation_table.table(board, trace)}\n" if trace else evaluation_table.IN_CHECK
        self._output.line(text)  # wrappers read on to that empty line

    def flip(self) -> None:
        """`flip`: exchange the colours of the position."""
        board = self._engine.board.mirror()
        self._engine.set_position(board.fen(shredder=board.chess960))

    def show_versions(self) -> None:
        """`compiler`: the compiler of the kernels, and the processor."""
        self._output.line(about.compiler())

    def bench(self, command: BenchCommand, task: SearchTask) -> None:
        """`bench`: a fixed search over fixed positions, until `stop`."""
        from boomslang.uci import benchmark

        with task.finish_at_end():
            self._wait_for_kernels()
            board = self._engine.board if command.positions == "current" else None
            benchmark.bench(command, task, self._engine.compiled_searcher, board, self._output.line)

    # How

    def _answer(self, task: SearchTask) -> str:
        board = self._engine.board
        if not any(board.legal_moves):
            self._output.line(formatting.over_line(board))
            return formatting.NO_MOVE
        # Those that cannot be played are passed over, as by other engines.
        if task.limits.search_moves is not None:
            moves = legal_names(board, task.limits.search_moves)
            task.limits = replace(task.limits, search_moves=moves)
        with_wdl = bool(self._engine.value_of("UCI_ShowWDL"))

        def send(news: Info | CurrentMove) -> None:
            if isinstance(news, Info):
                shown = as_displayed(news, board)
                self._output.news(formatting.info_line(shown, with_wdl))
            else:
                self._output.news(formatting.current(news))

        with self._output.stream(send, task.current) as stream:
            result = self._engine.go(task, stream.line)
        if self._reports_timing and result.timing:
            self._output.say(result.timing)
        return formatting.bestmove_line(board, result)

    def _perft(self, task: SearchTask, depth: int) -> str:
        from boomslang.perft.count import MAX_DEPTH
        from boomslang.perft.divide import PerftStoppedError, divide, divide_lines

        board = self._engine.board
        self._wait_for_kernels()
        try:
            counts = divide(board, min(depth, MAX_DEPTH), stopped=lambda: task.stopped)
        except PerftStoppedError:
            raise CommandError("perft was stopped") from None
        # Wrappers of Stockfish read on to the empty line at the end.
        return "\n".join([*divide_lines(counts), ""])

    def _wait_for_kernels(self) -> None:
        """Wait until the kernels are loaded; raises CommandError if that fails."""
        try:
            self._engine.wait_for_kernels()
        except RuntimeError as problem:
            raise CommandError(str(problem)) from None
