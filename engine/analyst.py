"""One position searched by this engine or another one, and its result."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine
from chess.engine import Cp, Mate

from boomslang.core.system.installation import fingerprint
from boomslang.engine.driver.chances import win_draw_loss
from boomslang.engine.driver.searcher import Searcher, load
from boomslang.engine.driver.tablebase import open_tables
from boomslang.engine.limits import Info, Limits
from boomslang.engine.other_engines.engine_connection import EngineProcessError
from boomslang.engine.other_engines.engine_process import EngineProcess
from boomslang.engine.other_engines.engine_runner import SHOW_WDL, EngineRunner
from boomslang.engine.search_settings import AnalysisSettings
from boomslang.eval.network.file import load_shipped
from boomslang.eval.wdl.conversion import to_cp

_LOG: Final = logging.getLogger("boomslang")
_ATTEMPTS: Final = 2  # at one search by another engine


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """One line of an evaluation, from the view of the side to move."""

    centipawns: int | None  # displayed scale: 100 wins half of the games
    mate: int | None  # in full moves; negative: being mated, 0: is mated
    wdl: tuple[int, int, int]  # probabilities of win, draw and loss, per mille
    depth: int
    moves: tuple[str, ...]  # in UCI notation

    @property
    def score(self) -> chess.engine.Score:
        """The score as an object of python-chess."""
        return Cp(self.centipawns or 0) if self.mate is None else Mate(self.mate)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of a search, best line first. For a finished game, one line without moves."""

    lines: tuple[AnalysisLine, ...]
    nodes: int  # in all searches of the position
    first_choice: str | None = None  # the best move, in UCI notation, of the first search

    @property
    def best(self) -> AnalysisLine:
        """The best line."""
        return self.lines[0]

    def is_choice(self, move: str) -> bool:
        """True for the best move of the longest search and for that of the first one.

        The second one is no fault, for only a longer search sees what is wrong with it.
        """
        return move == self.first_choice or self.best.moves[:1] == (move,)

    def to_json(self) -> dict[str, Any]:
        """The form stored in a journal."""
        return asdict(self)

    @classmethod
    def from_json(cls, kept: Any) -> Evaluation:
        """The reverse of `to_json`; raises KeyError, TypeError or ValueError for anything else."""
        lines = tuple(
            AnalysisLine(
                line["centipawns"],
                line["mate"],
                tuple(line["wdl"]),
                line["depth"],
                tuple(line["moves"]),
            )
            for line in kept["lines"]
        )
        if not lines:
            raise ValueError("an evaluation without a line")
        first = kept["first_choice"]
        return cls(lines, int(kept["nodes"]), None if first is None else str(first))


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


@cache
def engine_key() -> str:
    """A hash of everything in the engine that an evaluation depends on: sources and network."""
    try:
        network = hashlib.sha256(load_shipped().tobytes()).hexdigest()
    except ValueError:  # the classical evaluation is used
        network = ""
    return fingerprint(f"analysis {network}")


def finished_evaluation(board: chess.Board, final: bool = False) -> Evaluation | None:
    """The evaluation of a game that is over by the rules; None if it goes on.

    In the `final` position of a game a threefold repetition and fifty quiet moves end it too.
    """
    if board.is_checkmate():
        return Evaluation((AnalysisLine(None, 0, (0, 0, 1000), 0, ()),), 0)
    claimed = final and (board.is_repetition(3) or board.is_fifty_moves())
    if claimed or board.is_game_over():
        return Evaluation((AnalysisLine(0, None, (0, 1000, 0), 0, ()),), 0)
    return None


def new_searcher(
    settings: AnalysisSettings, network: Path | None = None, classical: bool = False
) -> Searcher:
    """A searcher with these settings; loads the kernels.

    It uses the built-in network, another one, or the classical evaluation. Raises ValueError if `network` is
    not a network file.
    """
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
    return searcher


def searcher(
    settings: AnalysisSettings, network: Path | None = None, classical: bool = False
) -> Callable[[AnalysedPosition], Evaluation]:
    """A function that searches positions, each with an empty hash table; see `new_searcher`."""
    engine = (
        OtherEngine(settings).evaluate
        if settings.engine
        else partial(evaluate, new_searcher(settings, network, classical))
    )
    limits = Limits(
        depth=settings.depth,
        nodes=settings.nodes,
        movetime=settings.movetime,
        multipv=settings.multipv,
    )

    def search(position: AnalysedPosition) -> Evaluation:
        return engine(position.board(), limits, is_new_game=True)

    return search


def evaluate(
    searcher: Searcher, board: chess.Board, limits: Limits, is_new_game: bool = False
) -> Evaluation:
    """Search a position that has a legal move, with what is in the hash table unless the game is new."""
    # All lines, also of a win that tables know.
    limits = replace(limits, analysing=True)
    lines = searcher.analyse(board, limits, is_new_game=is_new_game)
    shown = tuple(_line(info, board) for info in lines)
    return Evaluation(shown, lines[0].nodes, lines[0].pv[0].uci())


class OtherEngine:
    """Another engine as a process, with the settings' options where it has them."""

    def __init__(self, settings: AnalysisSettings) -> None:
        assert settings.engine  # noqa: S101 - for the type checker
        self._by_wdl = settings.by_wdl
        usual: dict[str, Any] = {
            "Threads": settings.threads,
            "Hash": settings.hash_mb,
            SHOW_WDL: settings.by_wdl,
        }
        if settings.tables:
            usual["SyzygyPath"] = settings.tables
        self._process = EngineProcess(
            settings.engine, usual, report=_LOG.warning, attempts=_ATTEMPTS
        )
        self._runner = EngineRunner(self._process.close)
        self._game = object()

    def evaluate(self, board: chess.Board, limits: Limits, is_new_game: bool = False) -> Evaluation:
        """As the function `evaluate`. Raises EngineProcessError."""
        if is_new_game:
            self._game = object()
        found: dict[int, Info] = {}

        def record(info: Info) -> None:
            if not info.bound:
                found[info.multipv] = info

        lines = min(limits.multipv or 1, board.legal_moves.count())
        limits = replace(limits, multipv=lines)
        search = self._process.search(board, limits, record, game=self._game)
        self._runner.run(search)
        if 1 not in found:
            raise EngineProcessError("the engine has given no line with an exact score")
        shown = tuple(_line_of(found[rank], board, self._by_wdl) for rank in sorted(found))
        nodes = max(info.nodes for info in found.values())
        return Evaluation(shown, nodes, shown[0].moves[0])


def _line_of(info: Info, board: chess.Board, by_wdl: bool) -> AnalysisLine:
    """A line of another engine; its chances by Lichess's curve where it does not say them.

    Raises EngineProcessError if it has to: values by different rules are never compared.
    """
    mate, centipawns = info.score.mate, info.score.centipawns
    if by_wdl and not info.wdl and mate is None:
        raise EngineProcessError(
            f"the engine has {SHOW_WDL}, and a score without win, draw and loss; "
            f"set its option {SHOW_WDL} to false"
        )
    score = Cp(centipawns or 0) if mate is None else Mate(mate)
    moves = tuple(move.uci() for move in info.pv)
    curve = score.wdl(model="lichess")
    wdl = info.wdl or (curve.wins, curve.draws, curve.losses)
    return AnalysisLine(centipawns, mate, wdl, info.depth, moves)


def _line(info: Info, board: chess.Board) -> AnalysisLine:
    score = info.score
    return AnalysisLine(
        None if score.centipawns is None else to_cp(score.centipawns),
        score.mate,
        win_draw_loss(score, board),
        info.depth,
        tuple(move.uci() for move in info.pv),
    )
