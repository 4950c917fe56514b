"""Who thinks for the protocols: the compiled engine, and plain Python until that is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

import chess

from engine.adviser import Adviser
from engine.limits import Info, Result, Score, Searcher
from engine.textbook.fallback import TextbookPlayer
from uci import options, report
from uci.kernels import Kernels
from uci.parse import OptionCommand, Refused
from uci.position import read_move
from uci.search import Search

Listener: TypeAlias = Callable[[Info], None]

_TABLES_PATIENCE: Final = 2.0  # seconds that `isready` waits for tablebases
_GLANCE: Final = 0.02  # seconds between looks at whether the search was stopped


class Thinker:
    """Answers searches, one at a time; between them it takes options. `say` gets remarks."""

    def __init__(self, say: Callable[[str], None], kernels: Kernels) -> None:
        self.values: dict[str, options.Value] = {}  # options that were set
        self._say = say
        self._kernels = kernels
        self._textbook = TextbookPlayer()
        self._adviser = Adviser(say)
        self._searcher: Searcher = self._textbook
        self._warned = False
        self._has_waited = False  # for the kernels in this game, in vain

    def get_ready(self) -> None:
        """Wait for the kernels, but not for long."""
        self._kernels.wait_patiently()
        self._adviser.wait(_TABLES_PATIENCE)
        self._adopt_player()

    def new_game(self) -> None:
        """Forget the last one."""
        self._has_waited = False
        self._adopt_player()
        self._adviser.new_game()
        self._searcher.new_game()

    def set_option(self, command: OptionCommand) -> options.Option:
        """Set the option that a user named; raises Refused."""
        option = options.find(command.name)
        self.configure(option, option.read(command.value))
        return option

    def configure(self, option: options.Option, value: options.Value) -> None:
        """Give an option a value that suits it."""
        if option.kind != "button":
            self.values[option.name] = value
        if message := self._adviser.configure(option.name, value):
            self._say(message)
        self._configure(option.name, value)

    def is_compiled(self) -> bool:
        """True if the kernels are there; they come later the more plain Python thinks meanwhile."""
        return self._kernels.wait(0) and self._kernels.player is not None

    def loaded_player(self) -> Searcher:
        """The compiled engine, however long that takes; raises Refused if there is none."""
        self._kernels.wait()
        self._adopt_player()
        if self._kernels.player is None:
            raise Refused(f"no kernels: {self._kernels.problem}")
        return self._kernels.player

    def think(self, search: Search, board: chess.Board, on_info: Listener) -> Result:
        """The move of the engine, or else of plain Python, or else any.

        `board` has a legal move and is not changed. `on_info` hears something before every answer.
        """
        self._wait_for_kernels(search, board.turn)
        self._adopt_player()
        informed = False

        def listen(info: Info) -> None:
            nonlocal informed
            informed = True
            on_info(info)

        result = self._ask(self._searcher, search, board, listen)
        if search.overtaken and not search.stopped:
            # The kernels have come meanwhile, and the rest of the time is theirs.
            self._adopt_player()
            result = self._ask(self._searcher, search, board, listen) or result
        if result is None:
            result = self._ask(self._textbook, search, board, listen)
        if result is None:
            result = Result(next(iter(board.legal_moves)), None, None)
        if not informed and result.best:  # GUIs want to see a score before every move
            on_info(Info(1, 1, 1, Score(centipawns=0), "", 1, 1, 0, 0, 0, (result.best,)))
        return result

    def complain(self, problem: Exception) -> None:
        """Tell the user that a search broke down."""
        said = f"{type(problem).__name__} {report.quote(str(problem))}"
        self._say(f"error: the search failed: {said}")

    def _ask(
        self,
        searcher: Searcher,
        search: Search,
        board: chess.Board,
        on_info: Listener,
    ) -> Result | None:
        """What a searcher answers; None if it fails or the move is not legal.

        Plain Python is overtaken by kernels that come while there is time for them.
        """
        limits, started = search.hand_to(searcher)
        limits = replace(limits, search_moves=_legal(limits.search_moves, board))
        if self._searcher is self._textbook:
            self._kernels.when_ended(partial(self._overtake, search, board.turn))
        try:
            result = self._adviser.search(
                searcher, board.copy(), limits, on_info, started, lambda: search.stopped
            )
            if result.best is not None and board.is_legal(result.best):
                return result
            self._say(f"error: the search answered {result.best}")
        except Exception as problem:
            self.complain(problem)
        finally:
            search.take_back()
        return None

    def _overtake(self, search: Search, turn: chess.Color) -> None:
        """The kernels are there: end a search by plain Python if it would go on for long."""
        if self._kernels.player:
            search.overtake(self._textbook, turn == chess.WHITE)
        else:
            self._adopt_player()  # says that there are none

    def _wait_for_kernels(self, search: Search, turn: chess.Color) -> None:
        """Wait as long as that is likely to give a better move.

        Where a clock is running that is tried once a game, and not if they are being compiled.
        """
        patience = search.limits.patience(turn == chess.WHITE)
        is_timed = patience is not None
        if patience is None:
            patience = self._kernels.patience()
        elif self._has_waited:
            return
        until = time.monotonic() + patience
        while not search.stopped and (left := until - time.monotonic()) > 0:
            if self._kernels.wait(min(_GLANCE, left)):
                return
            if is_timed and not self._kernels.are_near:
                break
        self._has_waited = self._has_waited or is_timed

    def _adopt_player(self) -> None:
        """Change over to the compiled engine as soon as it is there."""
        if self._searcher is not self._textbook or self._warned or not self._kernels.wait(0):
            return
        if self._kernels.remark:
            self._say(self._kernels.remark)
        if self._kernels.player is None:
            self._warned = True
            self._say(f"error: no kernels, plain Python plays on: {self._kernels.problem}")
            return
        self._searcher = self._kernels.player
        for name, value in self.values.items():
            self._configure(name, value)

    def _configure(self, name: str, value: options.Value) -> None:
        """Tell the searchers about an option, and the user what the one in charge says to it."""
        message = self._searcher.configure(name, value)
        if self._searcher is not self._textbook:
            self._textbook.configure(name, value)
        if message:
            self._say(message)


def _legal(names: tuple[str, ...] | None, board: chess.Board) -> tuple[str, ...] | None:
    """The names of legal moves among `names`, spelled as the board spells; None if none is left."""
    return tuple(move.uci() for move in _readable(names or (), board)) or None


def _readable(names: tuple[str, ...], board: chess.Board) -> Iterator[chess.Move]:
    for name in names:
        with suppress(Refused):
            yield read_move(board, name, 0)
