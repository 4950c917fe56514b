"""What needs the board: positions, options and searches, one after the other on a thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeAlias

import chess

from engine.limits import Info, Limits, Result, Score, Searcher
from engine.textbook.fallback import TextbookPlayer
from uci import options, report
from uci.kernels import Kernels
from uci.output import Output
from uci.parse import OptionCommand, PositionCommand, Refused
from uci.position import Positions, read_move
from uci.search import Search

Listener: TypeAlias = Callable[[Info], None]

_GLANCE: Final = 0.02  # seconds between looks at whether the search was stopped
_LONGEST_PATIENCE: Final = 1.0  # seconds of a move's time that may be spent on waiting for kernels


class Game:
    """The state of the conversation. Until the kernels are there, plain Python plays."""

    def __init__(self, output: Output, kernels: Kernels) -> None:
        self._output = output
        self._kernels = kernels
        self._textbook = TextbookPlayer()
        self._searcher: Searcher = self._textbook
        self._warned = False
        self._positions = Positions()
        self._values: dict[str, options.Value] = {}  # options that were set
        self._position: PositionCommand | None = PositionCommand(None, ())  # None: it was refused
        self._board = chess.Board()

    # The commands of the protocol

    def ready(self) -> None:
        """`isready`: wait for the kernels, but not for long."""
        self._kernels.wait(self._kernels.patience())
        self._adopt_player()
        self._output.line("readyok")

    def new_game(self) -> None:
        """`ucinewgame`."""
        self._adopt_player()
        self._searcher.new_game()

    def set_position(self, command: PositionCommand) -> None:
        """`position`; a bad one is refused as a whole, and there is no position until a good one."""
        self._position = None
        chess960 = bool(self._values.get("UCI_Chess960", False))
        try:
            self._board = self._positions.set_up(command, chess960)
        except Refused as problem:
            raise Refused(f"position refused: {problem}") from None
        self._position = command

    def refuse_position(self) -> None:
        """A `position` command that says nothing sensible."""
        self._position = None

    def set_option(self, command: OptionCommand) -> None:
        """`setoption`; raises Refused."""
        option = options.find(command.name)
        value = option.read(command.value)
        if option.kind != "button":
            self._values[option.name] = value
        self._configure(option.name, value)
        if option.name == "UCI_Chess960" and self._position:
            self.set_position(self._position)

    def search(self, search: Search) -> None:
        """`go`: think, and answer exactly once, whatever happens."""
        answer = "" if search.limits.perft else report.NO_MOVE
        try:
            if search.limits.perft:
                self._perft(search.limits.perft)
            else:
                answer = self._answer(search)
        except Refused as problem:
            self._output.say(f"error: {problem}")
        except Exception as problem:
            self._complain("the search failed", problem)
        finally:
            search.answerable.wait()
            if answer:
                self._output.line(answer)
            search.finished.set()

    # Commands for people

    def show(self) -> None:
        """`d`: the board."""
        self._output.line(report.board_picture(self._sound_board()))

    def evaluate(self) -> None:
        """`eval`: the static evaluation."""
        from engine.player import Player

        board = self._sound_board()
        player = self._loaded_player()
        assert isinstance(player, Player)  # noqa: S101 - Kernels has made it
        self._output.line(player.describe(board))

    def bench(self, depth: int | None) -> None:
        """`bench`: a fixed search over fixed positions."""
        from engine import bench

        self._loaded_player()
        bench.run(bench.DEPTH if depth is None else depth, write=self._output.line)

    # Thinking

    def _answer(self, search: Search) -> str:
        """The `bestmove` line."""
        board = self._sound_board()
        if not any(board.legal_moves):
            self._output.line(report.over_line(board))
            return report.NO_MOVE
        self._wait_for_kernels(search)
        self._adopt_player()
        return report.bestmove_line(board, self._think(search, board))

    def _think(self, search: Search, board: chess.Board) -> Result:
        """The move of the engine, or else of plain Python, or else any."""
        informed = False

        def on_info(info: Info) -> None:
            nonlocal informed
            informed = True
            self._output.line(report.info_line(info))

        result = self._ask(self._searcher, search, board, on_info)
        if self._searcher is self._textbook and search.limits.infinite and not search.stopped:
            # An analysis that began before the kernels were there deserves them.
            self._adopt_player()
            if self._searcher is not self._textbook:
                result = self._ask(self._searcher, search, board, on_info) or result
        if result is None:
            result = self._ask(self._textbook, search, board, on_info)
        if result is None:
            result = Result(next(iter(board.legal_moves)), None, None)
        if not informed and result.best:  # GUIs want to see a score before every move
            line = Info(1, 1, 1, Score(centipawns=0), "", 1, 1, 0, 0, 0, (result.best,))
            self._output.line(report.info_line(line))
        return result

    def _ask(
        self, searcher: Searcher, search: Search, board: chess.Board, on_info: Listener
    ) -> Result | None:
        """What a searcher answers; None if it fails or the move is not legal."""
        limits, started = search.hand_to(searcher)
        limits = replace(limits, search_moves=_legal(limits.search_moves, board))
        if searcher is self._textbook and limits.infinite:
            self._kernels.when_ended(search.interrupt)
        try:
            result = searcher.search(board.copy(), limits, on_info, started)
            if result.best is not None and board.is_legal(result.best):
                return result
            self._output.say(f"error: the search answered {result.best}")
        except Exception as problem:
            self._complain("the search failed", problem)
        finally:
            search.take_back()
        return None

    def _perft(self, depth: int) -> None:
        """`go perft`: no bestmove follows."""
        from perft.count import MAX_DEPTH
        from perft.divide import divide, divide_lines

        board = self._sound_board()
        self._loaded_player()
        self._output.line("\n".join(divide_lines(divide(board, min(depth, MAX_DEPTH)))))

    # The player and its options

    def _wait_for_kernels(self, search: Search) -> None:
        """Wait as long as that is likely to give a better move."""
        patience = _patience(search.limits, self._board.turn)
        until = time.monotonic() + (self._kernels.patience() if patience is None else patience)
        while not self._kernels.wait(_GLANCE) and not search.stopped and time.monotonic() < until:
            pass

    def _adopt_player(self) -> None:
        """Change over to the compiled engine as soon as it is there."""
        if self._searcher is not self._textbook or self._warned or not self._kernels.wait(0):
            return
        if self._kernels.remark:
            self._output.say(self._kernels.remark)
        if self._kernels.player is None:
            self._warned = True
            self._output.say(f"error: no kernels, plain Python plays on: {self._kernels.problem}")
            return
        self._searcher = self._kernels.player
        for name, value in self._values.items():
            self._configure(name, value)

    def _configure(self, name: str, value: options.Value) -> None:
        """Tell the searchers about an option, and the user what the one in charge says to it."""
        message = self._searcher.configure(name, value)
        if self._searcher is not self._textbook:
            self._textbook.configure(name, value)
        if message:
            self._output.say(message)

    def _loaded_player(self) -> Searcher:
        """The compiled engine, however long that takes; raises Refused if there is none."""
        self._kernels.wait()
        self._adopt_player()
        if self._kernels.player is None:
            raise Refused(f"no kernels: {self._kernels.problem}")
        return self._kernels.player

    def _sound_board(self) -> chess.Board:
        if self._position is None:
            raise Refused("there is no position, for the last one was refused")
        return self._board.copy()

    def _complain(self, what: str, problem: Exception) -> None:
        self._output.say(f"error: {what}: {type(problem).__name__} {report.quote(str(problem))}")


def _legal(names: tuple[str, ...] | None, board: chess.Board) -> tuple[str, ...] | None:
    """The names of legal moves among `names`, spelled as the board spells; None if none is left."""
    return tuple(move.uci() for move in _readable(names or (), board)) or None


def _readable(names: tuple[str, ...], board: chess.Board) -> Iterator[chess.Move]:
    for name in names:
        with suppress(Refused):
            yield read_move(board, name, 0)


def _patience(limits: Limits, turn: chess.Color) -> float | None:
    """Seconds that may go by before the search begins; None where no clock is running."""
    if limits.movetime is not None:
        return min(_LONGEST_PATIENCE, limits.movetime / 4000)
    clock = limits.white_time if turn == chess.WHITE else limits.black_time
    return None if clock is None else min(_LONGEST_PATIENCE, clock / 30_000)
