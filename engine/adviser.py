"""Between the protocols and whoever searches: opening book, tablebases, limited strength.

An `Adviser` asks a searcher in the protocol's stead. It may answer without a search, ask for less than
was wanted, or choose among what was found.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

import chess

from engine.books.known_moves import KnownMoves
from engine.books.opening_book import OpeningBook
from engine.books.tablebase import Tablebase
from engine.levels.handicap import Handicap
from engine.levels.ladder import Level
from engine.limits import Info, Limits, Result, Score, Searcher

Listener: TypeAlias = Callable[[Info], None]

_BORROWED: Final = ("MultiPV", "Threads")  # options of the searcher that a level sets for itself


class Adviser:
    """Takes the options that searchers do not know, and all questions to a searcher."""

    def __init__(self, say: Callable[[str], None] = lambda text: None) -> None:
        """`say` gets remarks for the user."""
        self.handicap = Handicap()
        self._book = OpeningBook()
        self._tables = Tablebase(say)
        self._say = say
        self._analysing = False
        self._seed = 0  # 0: another one for each game
        self._wanted = dict.fromkeys(_BORROWED, 1)
        self._set = dict(self._wanted)
        self._searcher: Searcher | None = None
        self.new_game()

    def configure(self, name: str, value: int | bool | str) -> str | None:
        """Take an option between searches; returns a message for the user, or None."""
        if name in _BORROWED:
            self._wanted[name] = self._set[name] = int(value)
        elif name == "UCI_AnalyseMode":
            self._analysing = bool(value)
        elif name == "Random Seed":
            self._seed = int(value)
            self.new_game()
        else:
            self.handicap.configure(name, value)
            self._tables.configure(name, value)
            return self._book.configure(name, value)
        return None

    def wait(self, seconds: float) -> None:
        """Wait until what the options name has been read, but not longer than that."""
        self._tables.wait(seconds)

    def new_game(self) -> None:
        """Other moods and book moves, unless the seed is fixed."""
        self._mood = str(self._seed or secrets.randbits(64))
        self.handicap.reseed(self._mood)

    def search(
        self,
        searcher: Searcher,
        board: chess.Board,
        limits: Limits,
        on_info: Listener,
        started: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Result:
        """As `Searcher.search`, by `searcher`, which has been armed and has all options itself.

        `stopped` tells whether it has been stopped since.
        """
        if searcher is not self._searcher:
            self._searcher, self._set = searcher, dict(self._wanted)
        playing = not self._is_analysis(limits)
        if playing and (result := self._book_move(board, limits, on_info)):
            return result
        level = self.handicap.level if playing else None
        if level:
            return self._search_weakly(searcher, level, board, limits, on_info, started)
        self._lend(searcher, self._wanted)
        knowledge = self._tables.look(board, limits, stopped)
        if not knowledge:
            return searcher.search(board, limits, on_info, started)
        names = limits.search_moves
        wanted = [move for move in knowledge.grades if not names or move.uci() in names]
        known = KnownMoves(
            board, knowledge, wanted or list(knowledge.grades), self._wanted["MultiPV"]
        )
        limits = replace(limits, search_moves=tuple(move.uci() for move in known.moves))
        result = searcher.search(board, limits, known.tell(on_info), started)
        return known.settle(result, on_info) if playing else result

    def _is_analysis(self, limits: Limits) -> bool:
        """True if somebody wants to know rather than to play."""
        return self._analysing or limits.infinite or limits.mate is not None

    def _book_move(self, board: chess.Board, limits: Limits, on_info: Listener) -> Result | None:
        """The answer of the opening book, if it has one that is asked for."""
        if complaint := self._book.complaint(board):
            self._say(complaint)
        found = self._book.move(board, self._mood)
        if not found or (limits.search_moves and found.best.uci() not in limits.search_moves):
            return None
        self._say(f"book move {found.best.uci()}, weight {found.weight} of {found.total}")
        line = (found.best, found.ponder) if found.ponder else (found.best,)
        info = Info(1, len(line), 1, Score(centipawns=0), "", 1, 1, 0, 0, 0, line)
        on_info(info)
        return Result(found.best, found.ponder, info)

    def _search_weakly(
        self,
        searcher: Searcher,
        level: Level,
        board: chess.Board,
        limits: Limits,
        on_info: Listener,
        started: float | None,
    ) -> Result:
        """Search as little as the level says, and play what it likes."""
        wanted = self._wanted["MultiPV"]
        self._lend(searcher, {"MultiPV": max(wanted, level.lines), "Threads": 1})
        limits = replace(limits, nodes=min(limits.nodes or level.nodes, level.nodes))
        lines: list[Info] = []

        def listen(info: Info) -> None:
            if info.multipv == 1:
                lines.clear()
            lines.append(info)

        result = searcher.search(board, limits, listen, started)
        if not lines:  # the first depth, which a level wants to be whole, was too much
            result = searcher.search(board, replace(limits, nodes=None, depth=1), listen, started)
        lines = [line for line in lines if line.pv]
        if not lines:
            return result
        chosen = self.handicap.choose(level, board, lines)
        lines.remove(chosen)
        for number, line in enumerate([chosen, *lines][:wanted], 1):
            on_info(replace(line, multipv=number))
        return Result(chosen.pv[0], chosen.pv[1] if len(chosen.pv) > 1 else None, chosen)

    def _lend(self, searcher: Searcher, values: dict[str, int]) -> None:
        """See to it that these options of the searcher have these values."""
        for name, value in values.items():
            if self._set[name] != value:
                searcher.configure(name, value)
                self._set[name] = value
