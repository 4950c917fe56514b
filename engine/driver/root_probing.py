"""What tables say of a root and its moves, and the playing out of what clock and history leave open.

Tables know neither clock nor history. But what they call a draw is one, and a win that they know can only be
lost to the clock, or to the third repetition of a position that has occurred twice. Where distances cannot
exclude both, all moves are tried until they can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import chess

from boomslang.engine.driver.root_ranking import (
    CURSED,
    DRAW,
    FIFTY,
    LOSS,
    WIN,
    Grade,
    as_played,
    order,
)

if TYPE_CHECKING:
    from boomslang.engine.search.state import SearchState
    from boomslang.engine.tablebases.table_files import TableFiles

_ROUNDING: Final = 2  # plies by which distances may differ that were both rounded
# Positions whose moves are all tried for one root, a millisecond or two each.
_MAX_POSITIONS: Final = 128


@dataclass(frozen=True, slots=True)
class KnownMove:
    """A move, and what tables say of it, which know neither clock nor history."""

    move: chess.Move
    is_final: bool  # a capture, a pawn move or a mate: neither clock nor history matter behind it
    result: int  # WIN to LOSS
    distance: int | None = None  # plies with the move, negative: lost; see `grade`
    is_rounded: bool = False


class Prober:
    """Probes outside the search; tables are opened as they are needed."""

    def __init__(self, files: TableFiles, search: SearchState, board: chess.Board) -> None:
        """Put `board` into position 0 of a SEARCH record, with which to work."""
        from boomslang.engine import bridge

        self._files = files
        self._search = search
        self._rules = search.rules
        self._probe = search.probe
        self._probe.tables = files.address
        bridge.set_castling(self._rules, board)
        bridge.to_position(self._rules, board, search.position[0])

    def set_up(self, board: chess.Board) -> Any:
        """A POSITION of a board, until the next one."""
        from boomslang.engine import bridge

        bridge.to_position(self._rules, board, self._search.position[1])
        return self._search.position[1]

    def move(self, board: chess.Board, move: chess.Move, measure: bool) -> KnownMove | None:
        """What is known of a move on that board, its distance too if that is to `measure`."""
        from boomslang.core.board.constants import U
        from boomslang.core.board.makemove import make_move
        from boomslang.engine import bridge

        child = self._search.position[1]
        self._search.position[1] = self._search.position[0]
        make_move(self._rules, child, U(bridge.from_move(move, board)))
        result = self.result(child)
        if result is None:
            return None
        sign = (result < 0) - (result > 0)
        is_zeroing = board.is_zeroing(move)
        board.push(move)
        is_mate = board.is_checkmate()
        board.pop()
        if is_mate or is_zeroing:
            plies = 1 if is_mate or abs(result) == WIN else 1 + FIFTY
            return KnownMove(move, True, -result, sign * plies)
        distance = self.distance(child) if measure else None
        if distance is None:
            return KnownMove(move, False, -result)
        return KnownMove(move, False, -result, sign - distance[0], distance[1])

    def result(self, position: Any) -> int | None:
        """The result of a POSITION, WIN to LOSS; None if it is not known."""
        from boomslang.engine.tablebases.probe import probe_wdl

        return self._until_open(partial(probe_wdl, self._rules, position, self._probe))

    def distance(self, position: Any) -> tuple[int, bool] | None:
        """Its distance and whether that is rounded, see `probe_dtz`; None if it is not known."""
        from boomslang.engine.tablebases.probe import probe_dtz

        dtz = self._until_open(partial(probe_dtz, self._rules, position, self._probe))
        return None if dtz is None else (dtz, bool(self._probe.is_rounded))

    def _until_open(self, ask: Callable[[], Any]) -> int | None:
        """What a kernel answers when all tables are open that it wants, or None."""
        from boomslang.engine.tablebases.probe_record import UNKNOWN

        unknown = int(UNKNOWN)
        while (answer := int(ask())) == unknown and self._files.open_wanted():
            pass
        return None if answer == unknown else answer


class PlayedOut:
    """Wins and draws by the fifty-move rule and by repetition, where distances alone do not tell.

    That is where a rounded distance just reaches the end of the fifty moves, or where the way to a win may
    lead over a position that has occurred twice.
    """

    def __init__(self, prober: Prober, board: chess.Board) -> None:
        self._prober = prober
        self._board = board.copy(stack=False)
        self._left = _MAX_POSITIONS
        self._known: dict[tuple[Hashable, int], int] = {}
        self._distances: dict[Hashable, tuple[int, bool]] = {}
        past, counts = board.copy(), Counter[Hashable]()
        self.has_repeated = False  # a position has come again since the last capture or pawn move
        self._twice: dict[Hashable, int] = {}  # distances of positions that must not come again
        for _ in range(min(board.halfmove_clock, len(board.move_stack)) + 1):
            key = past._transposition_key()
            counts[key] += 1
            if counts[key] == 2:
                self.has_repeated = True
                if distance := self._distance(past)[0]:
                    self._twice[key] = abs(distance)
            if past.move_stack:
                past.pop()

    def put_right(self, moves: list[KnownMove], grades: dict[chess.Move, Grade]) -> None:
        """Change `grades` by distance in place, the best first, until the value of the root is sure."""
        for known in sorted(moves, key=lambda known: order(grades[known.move]), reverse=True):
            graded = grades[known.move]
            value = None if graded.result == DRAW else self._value(known)
            if value is not None:
                graded = grades[known.move] = as_played(graded, value)
            if graded.result == WIN or (value is None and graded.result != LOSS):
                break

    def _value(self, known: KnownMove) -> int | None:
        """1, 0 or -1: what a move wins, draws or loses; None: its distance tells, or it takes too long."""
        if known.is_final or not known.distance:
            return None
        board = self._board.copy()
        board.push(known.move)
        try:
            return None if self._is_clear(board) else -self._value_of(board)
        except _TooLongError:
            return None

    def _is_clear(self, board: chess.Board) -> bool:
        """True if the distance of a position tells its value."""
        distance, is_rounded = self._distance(board)
        plies, left = abs(distance), FIFTY - board.halfmove_clock
        if plies > left or not plies:
            return True
        return plies + is_rounded <= left and all(plies < other for other in self._twice.values())

    def _value_of(self, board: chess.Board) -> int:
        """1, 0 or -1 for the side to move; raises _TooLongError."""
        distance = self._distance(board)[0]
        sign = (distance > 0) - (distance < 0)
        if self._is_clear(board):
            return sign if abs(distance) <= FIFTY - board.halfmove_clock else 0
        position_key = board._transposition_key(), board.halfmove_clock
        if position_key not in self._known:
            self._left -= 1
            if self._left < 0:
                raise _TooLongError
            self._known[position_key] = self._best(board, max(sign, 0))
        return self._known[position_key]

    def _best(self, board: chess.Board, enough: int) -> int:
        """The best value of all moves, or `enough`; moves whose value is clear come first."""
        best, open_moves = -1, list[tuple[int, chess.Move]]()
        for move in board.legal_moves:
            is_zeroing = board.is_zeroing(move)
            board.push(move)
            value = self._terminal_value(board, is_zeroing)
            if value is None and self._is_clear(board):
                value = self._value_of(board)
            if value is None:
                open_moves.append((self._distance(board)[0], move))
            else:
                best = max(best, -value)
            board.pop()
            if best >= enough:
                return best
        for _, move in sorted(open_moves, key=lambda found: found[0], reverse=True):
            board.push(move)
            best = max(best, -self._value_of(board))
            board.pop()
            if best >= enough:
                break
        return best

    def _terminal_value(self, board: chess.Board, is_zeroing: bool) -> int | None:
        """The value of a position if the last move has ended the game or what clock and history say."""
        if board.is_checkmate():
            return -1
        if is_zeroing:  # a result is worth something only within the next fifty moves
            return int((self._prober.result(self._prober.set_up(board)) or 0) / WIN)
        is_drawn = board.halfmove_clock >= FIFTY or board._transposition_key() in self._twice
        return 0 if is_drawn else None

    def _distance(self, board: chess.Board) -> tuple[int, bool]:
        key = board._transposition_key()
        if key not in self._distances:
            plies = self._prober.distance(self._prober.set_up(board))
            self._distances[key] = plies or (0, False)
        return self._distances[key]


class _TooLongError(Exception):
    """Too many moves would have to be tried."""


def is_worth(worth: int, moves: list[KnownMove]) -> bool:
    """True if the result of a position can be that of its best move.

    A quiet move takes a ply, so a win 101 plies before the next capture is cursed, and sure behind it.
    """
    best = max(move.result for move in moves)
    if best == worth or abs(worth) != CURSED or best != 2 * worth:
        return best == worth
    finals = [move.is_final for move in moves if move.result == best]
    return not any(finals) if worth > 0 else not all(finals)


def agrees(distance: int, worth: int, moves: list[KnownMove]) -> bool:
    """True if the distance of a position can be that of its best move, and goes with its result."""
    if not worth:
        return not distance
    plies = [move.distance or 0 for move in moves]
    best = min((one for one in plies if one > 0), default=0) if worth > 0 else min(plies)
    is_cursed = abs(worth) < WIN
    in_range = abs(distance) > FIFTY if is_cursed else abs(distance) <= FIFTY + _ROUNDING
    return in_range and best * worth > 0 and abs(abs(best) - abs(distance)) <= _ROUNDING
