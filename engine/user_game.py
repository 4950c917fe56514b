"""One game between the user and the engine: turns, clock, result and PGN."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import chess
import chess.pgn

from boomslang.engine.chess_clock import ChessClock, Control
from boomslang.engine.notation.pgn_writer import format_pgn as in_pgn

_ENDINGS: Final = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "nobody can win",
    chess.Termination.THREEFOLD_REPETITION: "threefold repetition",
    chess.Termination.FIFTY_MOVES: "fifty moves without capture or pawn move",
}
_RESULTS: Final = {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}


def outcome_on(board: chess.Board) -> chess.Outcome | None:
    """The end that a game has reached; draws need no claim, but what a next move could claim is none yet."""
    if outcome := board.outcome():
        return outcome
    if board.is_repetition(3):
        return chess.Outcome(chess.Termination.THREEFOLD_REPETITION, None)
    return chess.Outcome(chess.Termination.FIFTY_MOVES, None) if board.is_fifty_moves() else None


class IllegalMoveError(ValueError):
    """Not a legal move; the message is the reason."""


class AmbiguousMoveError(IllegalMoveError):
    """A promotion without the piece to promote to."""

    def __init__(self, text: str, board: chess.Board, example: chess.Move) -> None:
        """`example` is the move with one of the pieces; `squares` are origin and target, like a7a8."""
        bare = board.san(example).partition("=")[0]
        *most, last = (f"{bare}={letter}" for letter in "QRBN")
        super().__init__(f"{text}: which piece? Type {', '.join(most)} or {last}")
        self.squares = example.uci()[:4]


class UserGame:
    """The board, the players, the clock and the result."""

    def __init__(self, board: chess.Board, person: chess.Color, control: Control | None) -> None:
        self.board = board
        self.person = person
        self.clock = ChessClock(control) if control else None
        self.result: str | None = None  # set if the game ended off the board
        self.reason = ""
        self._too_late = False  # the last move exceeded the time and was not made
        self._began = datetime.datetime.now()

    @property
    def is_persons_turn(self) -> bool:
        """True if the user is to move."""
        return self.board.turn == self.person

    def read(self, text: str) -> chess.Move:
        """The legal move that was typed, in SAN or UCI notation; raises IllegalMoveError.

        The letter of a piece, or the O of castling, may be in lower case.
        """
        castling = text.lower().startswith("o-o")
        careless = text.upper() if castling else text[:1].upper() + text[1:]
        understood = False
        for read, spelling in (
            (self.board.parse_san, text),
            (self.board.parse_uci, text.lower()),
            (self.board.parse_san, careless),
        ):
            try:
                if move := read(spelling):
                    return move
                raise IllegalMoveError("passing is not allowed in chess")
            except chess.AmbiguousMoveError:
                raise IllegalMoveError(
                    f"{text}: which one? Name the file or the rank too"
                ) from None
            except chess.IllegalMoveError:
                understood = True
            except chess.InvalidMoveError:
                pass
        if queening := self._queening(text.rstrip("+#!?=")):
            raise AmbiguousMoveError(text, self.board, queening)
        if not understood:
            raise IllegalMoveError(f"{text} is not a move or command; type help for help")
        why = ": your king is in check" if self.board.is_check() else ""
        raise IllegalMoveError(f"{text} is not legal here{why}")

    def _queening(self, text: str) -> chess.Move | None:
        """The move with a promotion to a queen added; None if that is not legal."""
        for read, spelling in (
            (self.board.parse_san, f"{text}=Q"),
            (self.board.parse_uci, f"{text.lower()}q"),
        ):
            with suppress(ValueError):
                return read(spelling)
        return None

    def play(self, move: chess.Move, seconds: float) -> bool:
        """Make a legal move after `seconds` of thought; False if it comes too late and loses instead."""
        if self.runs_out(seconds):
            return False
        self.board.push(move)
        return True

    def runs_out(self, seconds: float) -> bool:
        """Deduct the time of a move; True if it exceeds the remaining time, which ends the game."""
        mover = self.board.turn
        if self.clock is None or self.clock.spend(mover, seconds):
            return False
        self._too_late = True
        if self.board.has_insufficient_material(not mover):
            self.end(None, "the time is over, but nobody can win")
        else:
            self.end(not mover, f"{chess.COLOR_NAMES[mover].capitalize()} lost on time")
        return True

    def undo(self) -> int:
        """Take back to the user's last turn; returns the number of plies taken back.

        A move that exceeded the time counts as a move, and the clocks are reset to before it.
        """
        turns = [self.board.turn]  # by the number of moves taken back
        for _ in self.board.move_stack:
            turns.append(not turns[-1])
        if self._too_late:
            turns.insert(0, self.board.turn)
        count = next((n for n, turn in enumerate(turns) if n and turn == self.person), 0)
        self._take_back(count)
        return count

    def back_to(self, ply: int) -> None:
        """Take back everything after a ply, including the result."""
        self._take_back(len(self.board.move_stack) - ply + self._too_late)
        self.result, self.reason = None, ""

    def _take_back(self, count: int) -> None:
        for _ in range(count):
            if self.clock:
                self.clock.undo()
            if self._too_late:
                self._too_late = False
            else:
                self.board.pop()
        if count:
            self.result, self.reason = None, ""

    def end(self, winner: chess.Color | None, reason: str) -> None:
        """End the game other than by the rules on the board."""
        self.result, self.reason = _RESULTS[winner], reason

    def outcome(self) -> tuple[str, str] | None:
        """Result and reason when the game is over; draws need no claim."""
        if self.result:
            return self.result, self.reason
        outcome = outcome_on(self.board)
        if outcome is None:
            return None
        return _RESULTS[outcome.winner], _ENDINGS.get(outcome.termination, "draw")

    def pgn(self, engine: str) -> str:
        """The game as PGN; `engine` is the name of the engine in it."""
        names = {self.person: "Human", not self.person: engine}
        return f"{in_pgn(self.to_pgn('Game in a terminal', names))}\n"

    def to_pgn(self, event: str, names: Mapping[chess.Color, str]) -> chess.pgn.Game:
        """The game with its headers, to be printed as PGN; `names` are the players by colour."""
        game = chess.pgn.Game.from_board(self.board)
        ended = self.outcome()
        game.headers["Event"] = event
        game.headers["Site"] = "?"
        game.headers["Date"] = self._began.strftime("%Y.%m.%d")
        game.headers["Time"] = self._began.strftime("%H:%M:%S")
        game.headers["White"], game.headers["Black"] = names[chess.WHITE], names[chess.BLACK]
        game.headers["Result"] = ended[0] if ended else "*"
        if self.clock:
            game.headers["TimeControl"] = self.clock.control.tag()
        if ended and self.result:
            game.end().comment = self.reason
        return game
