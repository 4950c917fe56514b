"""What needs the board: positions, options and searches, one after the other on a thread."""

from __future__ import annotations

import time

import chess

from engine.limits import Current, Info
from uci import about, evaluation, report
from uci.kernels import Kernels
from uci.output import Output
from uci.parse import BenchCommand, OptionCommand, PositionCommand, Refused, SpeedtestCommand
from uci.position import Positions
from uci.search import Search
from uci.telling import Telling, Watch
from uci.thinker import Thinker


class Game:
    """The state of the conversation."""

    def __init__(self, output: Output, kernels: Kernels) -> None:
        self._output = output
        self._thinker = Thinker(output.say, kernels)
        self._positions = Positions()
        self._watch = Watch()
        self._position: PositionCommand | None = PositionCommand(None, ())  # None: it was refused
        self._board = chess.Board()
        self._ready_at = 0.0  # time.monotonic() of the last `readyok`

    # The commands of the protocol

    def ready(self) -> None:
        """`isready`."""
        self._thinker.get_ready()
        self._output.line("readyok")
        self._ready_at = time.monotonic()

    def new_game(self) -> None:
        """`ucinewgame`."""
        self._thinker.new_game()

    def set_position(self, command: PositionCommand) -> None:
        """`position`; a bad one is refused as a whole, and there is no position until a good one."""
        self._position = None
        chess960 = bool(self._thinker.values.get("UCI_Chess960", False))
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
        option = self._thinker.set_option(command)
        if option.name == "UCI_Chess960" and self._position:
            self.set_position(self._position)
        elif option.name == "UCI_Opponent" and (opponent := self._thinker.values[option.name]):
            self._output.say(report.opponent(str(opponent)))

    def search(self, search: Search) -> None:
        """`go`: think, and answer exactly once, whatever happens.

        Time counts from when the command was read; but if `isready` was still unanswered, from `readyok`.
        """
        search.begin_after(self._ready_at)
        answer = "" if search.limits.perft else report.NO_MOVE
        try:
            if search.limits.perft:
                self._perft(search, search.limits.perft)
            else:
                answer = self._answer(search)
        except Refused as problem:
            self._output.say(f"error: {problem}")
        except Exception as problem:
            self._thinker.complain(problem)
        finally:
            if not search.answerable.is_set():
                self._output.flush()
                search.answerable.wait()
            if answer:
                self._output.line(answer)
            search.finished.set()

    # Commands for people

    def show(self) -> None:
        """`d`: the board."""
        self._output.line(report.board_picture(self._sound_board()))

    def evaluate(self, classical: bool) -> None:
        """`eval`: the static evaluation in parts; that in use, or the `classical` one."""
        from engine.player import Player

        board = self._sound_board()
        player = self._thinker.loaded_player()
        assert isinstance(player, Player)  # noqa: S101 - Kernels has made it
        trace = player.explain(board, classical)
        self._output.line(evaluation.table(board, trace) if trace else evaluation.IN_CHECK)

    def flip(self) -> None:
        """`flip`: the same position with the colours exchanged."""
        board = self._sound_board().mirror()
        self.set_position(PositionCommand(board.fen(shredder=board.chess960), ()))

    def tell_versions(self) -> None:
        """`compiler`: what the kernels are compiled by, and for."""
        self._output.line(about.compiler())

    def bench(self, command: BenchCommand, search: Search) -> None:
        """`bench`: a fixed search over fixed positions, until `stop`."""
        from uci import benchmark

        with search.finished_in_the_end():
            self._thinker.loaded_player()
            board = self._sound_board() if command.positions == "current" else None
            benchmark.bench(command, search, board, self._output.line)

    def speedtest(self, command: SpeedtestCommand, search: Search) -> None:
        """`speedtest`: how fast the search is on all processors, until `stop`."""
        from uci import benchmark

        with search.finished_in_the_end():
            self._thinker.loaded_player()
            benchmark.speedtest(command, search, self._output.line)

    # Thinking

    def _answer(self, search: Search) -> str:
        """The `bestmove` line."""
        board = self._sound_board()
        if not any(board.legal_moves):
            self._output.line(report.over_line(board))
            return report.NO_MOVE
        judged = board if self._thinker.values.get("UCI_ShowWDL") else None

        def tell(news: Info | Current) -> None:
            if isinstance(news, Info):
                self._output.news(report.info_line(news, judged))
            else:
                self._output.news(report.current(news))

        with Telling(tell, search.current, self._output.flush, self._watch) as telling:
            result = self._thinker.think(search, board, telling.line)
        return report.bestmove_line(board, result)

    def _perft(self, search: Search, depth: int) -> None:
        """`go perft`: no bestmove follows."""
        from perft.count import MAX_DEPTH
        from perft.divide import Stopped, divide, divide_lines

        board = self._sound_board()
        self._thinker.loaded_player()
        try:
            counts = divide(board, min(depth, MAX_DEPTH), stopped=lambda: search.stopped)
        except Stopped:
            raise Refused("perft was stopped") from None
        self._output.line("\n".join(divide_lines(counts)))

    def _sound_board(self) -> chess.Board:
        if self._position is None:
            raise Refused("there is no position, for the last one was refused")
        return self._board.copy()
