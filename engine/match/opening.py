"""The openings of a match: from a file, or random ones that the engine scores as balanced."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import chess

from boomslang.core.system.files import FileError, quote_path
from boomslang.engine.analyst import AnalysedPosition
from boomslang.engine.boards import play_randomly
from boomslang.engine.driver.searcher import Searcher, load
from boomslang.engine.games.reader import PgnReader
from boomslang.engine.labels.input_positions import is_pgn
from boomslang.engine.limits import Limits
from boomslang.engine.notation.positions import read_line, tidy
from boomslang.engine.notation.text import file_lines

MAX_PLIES: Final = 400  # plies; a longer game is a draw
_LIMITS: Final = Limits(nodes=8000, analysing=True)  # of the search that scores them
_FAIR: Final = 150  # centipawns
_BATCH: Final = 1000  # games
_MAX_OPENINGS: Final = 100_000  # openings of a file


class Opening(NamedTuple):
    """A start position, and the moves played from it."""

    fen: str
    moves: tuple[str, ...] = ()
    chess960: bool = False

    def board(self) -> chess.Board:
        """The position after the moves, which are on the move stack."""
        return AnalysedPosition(*self).board()


def read(path: Path, report: Callable[[str], None]) -> list[Opening]:
    """The openings of a file of FEN, EPD or PGN (its main lines), at most 100,000 of them.

    Invalid and finished ones are left out; `report` gets the place and the reason of each. Raises FileError
    if none is left.
    """
    openings: list[Opening] = []
    for place, opening in _of_games(path) if is_pgn(path) else _of_lines(path):
        reason = opening if isinstance(opening, str) else _why_over(opening)
        if reason:
            report(f"{path}:{place}: left out: {reason}")
        elif isinstance(opening, Opening):
            openings.append(opening)
        if len(openings) == _MAX_OPENINGS:
            break
    if not openings:
        raise FileError(f"{quote_path(path)} contains no usable opening")
    return openings


def _of_lines(path: Path) -> Iterator[tuple[str, Opening | str]]:
    """Place and opening of each line, or the reason why it is invalid."""
    for number, line in enumerate(file_lines(path), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            board = read_line(tidy(text))[0]
            yield f"{number}", Opening(board.fen(), (), board.chess960)
        except ValueError as problem:
            yield f"{number}", f"{problem}"


def _of_games(path: Path) -> Iterator[tuple[str, Opening | str]]:
    load()
    for games in PgnReader(path).batches(_BATCH):
        for index, (line, number) in enumerate(zip(games["line"], games["game"], strict=True)):
            place = f"{line}: game {number}"
            if games["odd"][index] == 2:
                yield place, games.remark(index).partition(": ")[2]
            elif not games.moves[games.offsets[index] : games.offsets[index + 1]].all():
                yield place, "a null move"
            else:
                fen = games["fen"][index] or chess.STARTING_FEN
                yield place, Opening(fen, tuple(games.uci(index)), bool(games["chess960"][index]))


def _why_over(opening: Opening) -> str:
    """The reason why the game is already over; empty if it is not."""
    over = by_rules(opening.board())
    return f"the game is over: {over[1]}" if over else ""


def by_rules(board: chess.Board) -> tuple[int, str] | None:
    """Result and reason if the game is over; repetition and fifty moves need no claim."""
    if outcome := board.outcome():
        winner = outcome.winner
        result = 0 if winner is None else 1 if winner else -1
        return result, outcome.termination.name.lower().replace("_", " ")
    if board.halfmove_clock >= 100:
        return 0, "fifty moves"
    if board.is_repetition(3):
        return 0, "repetition"
    return (0, "too long") if len(board.move_stack) >= MAX_PLIES else None


def shuffle_openings(openings: Sequence[Opening], seed: int) -> Callable[[int], Opening]:
    """The opening of each pair of games, counted from 0: all in turn, in random order."""
    order = list(openings)
    random.Random(seed).shuffle(order)  # noqa: S311
    return lambda number: order[number % len(order)]


def by_chance(seed: int) -> Callable[[int], Opening]:
    """The same with random moves that leave the position balanced. Loads the kernels."""
    load()
    searcher = Searcher(hash_mb=1)

    def find(number: int) -> Opening:
        source = random.Random(f"{seed} {number}")  # noqa: S311
        while True:
            board = chess.Board()
            play_randomly(board, source)
            if not board.is_game_over() and _is_fair(searcher, board):
                return Opening(chess.STARTING_FEN, tuple(m.uci() for m in board.move_stack))

    return find


def _is_fair(searcher: Searcher, board: chess.Board) -> bool:
    centipawns = searcher.analyse(board, _LIMITS)[0].score.centipawns
    return centipawns is not None and abs(centipawns) <= _FAIR
