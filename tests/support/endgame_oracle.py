"""The value of an ending with its clock and its history: distances, and a search of what they leave open.

Probes are those of our reader, which `test_probe` compares with python-chess: that takes up to 20 ms for one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Final

import chess

from boomslang.engine.tablebases.table_files import DTZ, WDL
from tests.support.syzygy import Reader, random_board

FIFTY: Final = 100  # plies
_WIN: Final = 2
_MAX_POSITIONS: Final = 500  # positions of a search
_HORIZON: Final = 8  # plies, without the fifty-move rule
_Key = Hashable


class TooLongError(Exception):
    """The search would take too long."""


class EndgameOracle:
    """What positions are worth, 1, 0 or -1 for the side to move, by the rules of a game that has begun.

    Tables know neither clock nor history. But a table's draw is a draw, and a table's win can only be lost to
    the clock or to the third repetition of a position that has already occurred twice. Where a distance
    cannot exclude both, all moves are tried until it can.
    """

    def __init__(self, folders: Iterable[Path], fifty: bool = True) -> None:
        self._reader = Reader(*folders)
        for name in self._reader.files.names:
            self._reader.files.open(name, WDL)
            self._reader.files.open(name, DTZ)
        self._fifty = fifty
        self._twice: dict[
            _Key, int
        ] = {}  # positions whose next occurrence is a draw, their distances
        self._known: dict[tuple[_Key, int], int] = {}
        self._distances: dict[_Key, int] = {}
        self._end = FIFTY  # the counter at which nothing is won any more
        self.searched = 0  # positions that were played out

    def value(self, board: chess.Board) -> int:
        """The value of a position that is not over; raises TooLongError."""
        return max(self.values(board).values())

    def values(self, board: chess.Board) -> dict[chess.Move, int]:
        """That of each move; raises TooLongError."""
        self._remember(board)
        board = board.copy(stack=False)
        self._end = FIFTY if self._fifty else board.halfmove_clock + _HORIZON
        return {move: self._after(board, move) for move in board.legal_moves}

    def _remember(self, board: chess.Board) -> None:
        past = board.copy()
        counts = Counter([_key(past)])
        while past.halfmove_clock and past.move_stack:
            past.pop()
            counts[_key(past)] += 1
            if counts[_key(past)] == 2:
                self._twice[_key(past)] = abs(self._reader.dtz(past) or 0)
        self._twice = {key: d for key, d in self._twice.items() if counts[key] > 1}
        self._known, self._distances = {}, {}
        self._left = _MAX_POSITIONS

    def _after(self, board: chess.Board, move: chess.Move) -> int:
        """The value of a move for who plays it."""
        zeroing = board.is_zeroing(move)
        board.push(move)
        try:
            if board.is_checkmate():
                return 1
            if zeroing:
                wdl = -(self._reader.wdl(board) or 0)
                return (wdl > 0) - (wdl < 0) if abs(wdl) == _WIN or not self._fifty else 0
            if (self._fifty and board.halfmove_clock >= FIFTY) or _key(board) in self._twice:
                return 0
            return -self._here(board)
        finally:
            board.pop()

    def _here(self, board: chess.Board) -> int:
        distance = self._distance(board)
        sign = (distance > 0) - (distance < 0)
        plies, left = abs(distance), self._end - board.halfmove_clock
        if not sign or (self._fifty and plies > left):
            return 0
        if left <= 0:
            raise TooLongError  # without that rule there is more to come
        # The distance may be a ply too short. On the way each ply makes it shorter.
        on_the_way = any(other <= plies for other in self._twice.values())
        if not on_the_way and (plies < left or not self._fifty):
            return sign
        known = _key(board), board.halfmove_clock
        if known not in self._known:
            self._left -= 1
            self.searched += 1
            if not self._left:
                raise TooLongError
            self._known[known] = 0  # a way that comes back here wins nothing
            worth = -1
            for move in sorted(board.legal_moves, key=lambda move: self._rank(board, move)):
                worth = max(worth, self._after(board, move))
                if worth == max(sign, 0):
                    break
            self._known[known] = worth
        return self._known[known]

    def _distance(self, board: chess.Board) -> int:
        key = _key(board)
        if key not in self._distances:
            self._distances[key] = self._reader.dtz(board) or 0
        return self._distances[key]

    def _rank(self, board: chess.Board, move: chess.Move) -> float:
        """The likeliest move to win first, or to hold out."""
        if board.is_zeroing(move):
            return -1.0
        board.push(move)
        distance = self._distance(board)
        board.pop()
        return -1.0 / distance if distance else 0.0


def random_history(board: chess.Board, clock: int, dice: random.Random) -> chess.Board:
    """A game with this counter in the end, whose last moves go to and fro from `board`, if there are any."""
    played = chess.Board(board.fen())
    for _ in range(dice.randrange(4)):
        there: list[chess.Move] = []
        for _ in range(2):
            last = played.copy()
            quiet = [move for move in last.legal_moves if not last.is_zeroing(move)]
            if not quiet:
                break
            there.append(dice.choice(quiet))
            played.push(there[-1])
        back = [chess.Move(move.to_square, move.from_square) for move in there]
        for move in back * (len(there) == 2):
            if move not in played.legal_moves:
                break
            played.push(move)
        if dice.random() < 0.5:  # the same again
            for move in [*there, *back]:
                if move not in played.legal_moves or played.is_zeroing(move):
                    break
                played.push(move)
    start = chess.Board(board.fen())
    start.halfmove_clock = max(0, clock - len(played.move_stack))
    for move in played.move_stack:
        start.push(move)
    return start


def random_roots(names: list[str], count: int, dice: random.Random) -> Iterable[chess.Board]:
    """Positions of these tables that go on, with counters of 90 to 100, some with repetitions behind them."""
    while count:
        board = random_board(dice.choice(names), dice)
        if not any(board.legal_moves):
            continue
        board = random_history(board, dice.randint(90, 100), dice)
        if any(board.legal_moves):
            count -= 1
            yield board


def _key(board: chess.Board) -> _Key:
    return board._transposition_key()
