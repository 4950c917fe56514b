"""Analysts, which search positions: this engine or another one, with the same answers.

An `Info` of an analyst has the score as it is displayed, where 100 centipawns win half of the games, and
win, draw and loss.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

import chess

from boomslang.engine.driver.chances import as_displayed
from boomslang.engine.driver.searcher import Searcher, load
from boomslang.engine.driver.tablebase import open_tables
from boomslang.engine.limits import ExactLines, Info, Limits, Listener, Result, Score, ignore
from boomslang.engine.other_engines.engine_connection import EngineCommand, EngineProcessError
from boomslang.engine.other_engines.engine_lines import NO_EXACT_LINE
from boomslang.engine.other_engines.engine_process import EngineProcess
from boomslang.engine.other_engines.engine_runner import SHOW_WDL, EngineRunner
from boomslang.engine.search_settings import AnalysisSettings, SearchSettings

NO_WDL: Final = (0, 0, 0)  # where nothing is said
_LOG: Final = logging.getLogger("boomslang")
_ATTEMPTS: Final = 2  # at one search by another engine


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of a search, best line first. For a finished game, one line without moves."""

    lines: tuple[Info, ...]
    nodes: int  # in all searches of the position
    first_choice: str | None = None  # the best move, in UCI notation, of the first search

    @property
    def best(self) -> Info:
        """The best line."""
        return self.lines[0]

    def is_choice(self, move: str) -> bool:
        """True for the best move of the longest search and for that of the first one.

        The second one is no fault, for only a longer search sees what is wrong with it.
        """
        return move == self.first_choice or move in map(chess.Move.uci, self.best.pv[:1])

    def to_json(self) -> dict[str, Any]:
        """The form stored in a journal."""
        lines = [
            {
                "centipawns": line.score.centipawns,
                "mate": line.score.mate,
                "wdl": line.wdl or NO_WDL,
                "depth": line.depth,
                "moves": [move.uci() for move in line.pv],
            }
            for line in self.lines
        ]
        return {"lines": lines, "nodes": self.nodes, "first_choice": self.first_choice}

    @classmethod
    def from_json(cls, kept: Any) -> Evaluation:
        """The reverse of `to_json`; raises KeyError, TypeError or ValueError for anything else."""
        lines = []
        for line in kept["lines"]:
            wins, draws, losses = line["wdl"]
            pv = tuple(map(chess.Move.from_uci, line["moves"]))
            score = Score(line["centipawns"], line["mate"])
            lines.append(Info.of(score, line["depth"], pv, (wins, draws, losses)))
        if not lines:
            raise ValueError("an evaluation without a line")
        first = kept["first_choice"]
        return cls(tuple(lines), int(kept["nodes"]), None if first is None else str(first))


@dataclass(frozen=True, slots=True)
class AnalysedPosition:
    """A position with the part of its game that matters for repetitions."""

    fen: str  # after the last irreversible move
    moves: tuple[str, ...]  # since then, in UCI notation
    chess960: bool = False

    @classmethod
    def of(cls, board: chess.Board) -> AnalysedPosition:
        """The position on `board` with its history."""
        start = board.copy(stack=board.halfmove_clock)
        moves: list[str] = []
        while start.move_stack and len(moves) < board.halfmove_clock:
            move = start.pop()
            if not move:  # a null move resets the history
                start.push(move)
                break
            moves.append(move.uci())
        fen = start.fen(shredder=start.chess960, en_passant="fen")
        return cls(fen, tuple(reversed(moves)), board.chess960)

    def board(self) -> chess.Board:
        """The board with its history."""
        board = chess.Board(self.fen, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


def finished_evaluation(board: chess.Board, final: bool = False) -> Evaluation | None:
    """The evaluation of a game that is over by the rules; None if it goes on.

    In the `final` position of a game a threefold repetition and fifty quiet moves end it too.
    """
    if board.is_checkmate():
        return Evaluation((Info.of(Score(mate=0), wdl=(0, 0, 1000)),), 0)
    claimed = final and (board.is_repetition(3) or board.is_fifty_moves())
    if claimed or board.is_game_over():
        return Evaluation((Info.of(Score(0), wdl=(0, 1000, 0)),), 0)
    return None


class Analyst(Protocol):
    """Searches positions."""

    def analyse(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Listener = ignore,
        is_new_game: bool = True,
    ) -> Result:
        """The move in a position that has one, and the last exact line of each variation, the best first.

        There may be no such line. `on_info` hears all lines as they come, those with bounds too. What is
        remembered of other positions is forgotten if the game is new.
        """

    def stop(self) -> object:
        """End the search soon, if that can be; on any thread."""
        return None


class OwnAnalyst:
    """Boomslang in this process, with all lines, also of a win that tables know."""

    def __init__(self, searcher: Searcher) -> None:
        self.stop = searcher.stop
        self._searcher = searcher

    def analyse(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Listener = ignore,
        is_new_game: bool = True,
    ) -> Result:
        """See `Analyst`."""
        hear = on_info if on_info is ignore else lambda info: on_info(as_displayed(info, board))
        lines = self._searcher.analyse(board, limits, hear, is_new_game)
        return Result.of([as_displayed(info, board) for info in lines])


class OtherAnalyst:
    """Another engine as a process, with the settings' options where it has them."""

    def __init__(
        self,
        engine: EngineCommand,
        settings: SearchSettings,
        by_wdl: bool = False,
        attempts: int = _ATTEMPTS,
    ) -> None:
        """`by_wdl`: it must say win, draw and loss. A search whose engine fails is done `attempts` times."""
        self._by_wdl = by_wdl
        usual: dict[str, Any] = {
            "Threads": settings.threads,
            "Hash": settings.hash_mb,
            SHOW_WDL: by_wdl,
        }
        if settings.tables:
            usual["SyzygyPath"] = settings.tables
        self._process = EngineProcess(engine, usual, report=_LOG.warning, attempts=attempts)
        self._runner = EngineRunner(self._process.close)
        self._game = object()

    def analyse(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Listener = ignore,
        is_new_game: bool = True,
    ) -> Result:
        """See `Analyst`. Raises EngineProcessError."""
        if is_new_game:
            self._game = object()
        exact = ExactLines()

        def record(info: Info) -> None:
            on_info(info)
            exact.add(info)

        best = self._runner.run(self._process.search(board, limits, record, game=self._game))
        return Result(best, None, tuple(_with_chances(line, self._by_wdl) for line in exact.lines))

    def stop(self) -> None:
        """Nothing: a search of another engine ends with its limits."""


def new_analyst(
    settings: SearchSettings, network: Path | None = None, classical: bool = False
) -> Analyst:
    """The analyst of the settings; this engine loads the kernels.

    It uses the built-in network, another one, or the classical evaluation. Raises ValueError if `network` is
    not a network file.
    """
    if isinstance(settings, AnalysisSettings) and settings.engine:
        return OtherAnalyst(settings.engine, settings, settings.by_wdl)
    load()
    searcher = Searcher(settings.hash_mb)
    if network is not None:
        message = searcher.set_network(str(network))
        if message and message.startswith("error"):
            raise ValueError(message)
    searcher.set_evaluation("classical" if classical else "network")
    searcher.set_threads(settings.threads)
    if settings.tables:
        searcher.use_tables(open_tables(settings.tables))
    return OwnAnalyst(searcher)


def searcher(settings: AnalysisSettings) -> Callable[[AnalysedPosition], Evaluation]:
    """A function that searches positions, each with an empty memory; see `new_analyst`."""
    analyst = new_analyst(settings)
    return lambda position: evaluate(analyst, position.board(), settings.limits, is_new_game=True)


def evaluate(
    analyst: Analyst, board: chess.Board, limits: Limits, is_new_game: bool = False
) -> Evaluation:
    """Search a position that has a legal move, with what is remembered unless the game is new.

    Raises EngineProcessError for an engine without an exact score.
    """
    limits = replace(limits, analysing=True)
    lines = analyst.analyse(board, limits, is_new_game=is_new_game).lines
    if not lines:
        raise EngineProcessError(NO_EXACT_LINE)
    return Evaluation(lines, max(line.nodes for line in lines), lines[0].pv[0].uci())


def _with_chances(info: Info, by_wdl: bool) -> Info:
    """A line of another engine, with chances by Lichess's curve where it does not say them.

    Raises EngineProcessError if it has to: values by different rules are never compared.
    """
    if info.wdl:
        return info
    if by_wdl and info.score.mate is None:
        raise EngineProcessError(
            f"the engine has {SHOW_WDL}, and a score without win, draw and loss; "
            f"set its option {SHOW_WDL} to false"
        )
    curve = info.score.to_chess().wdl(model="lichess")
    return replace(info, wdl=(curve.wins, curve.draws, curve.losses))
