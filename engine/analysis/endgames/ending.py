"""One ending that is practised: its position, and the answer to each move of the user."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import chess

from boomslang.engine.analysis.endgames.judge import EndingJudge, MoveJudgement, value_at_end
from boomslang.engine.analysis.endgames.kinds import BY_NAME, EndingKind, Task
from boomslang.engine.analysis.endgames.positions import DRAW_MOVES, is_reached, new_position
from boomslang.engine.analysis.exercises.texts import number_move
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.notation.positions import board_of
from boomslang.engine.user_game import UserGame

_MAX_DRAWN: Final = 3  # plies of a line that leads to a draw


@dataclass(frozen=True, slots=True)
class Ending:
    """A position of a kind, in which the user is to move."""

    name: str  # what its kind is called
    fen: str
    by_tables: bool

    @property
    def kind(self) -> EndingKind:
        """Its kind."""
        return BY_NAME[self.name]

    def task(self) -> str:
        """What is to be done, and who judges."""
        board = board_of(self.fen)
        side = chess.COLOR_NAMES[board.turn].capitalize()
        aim = "win" if self.kind.task == Task.WIN else f"hold the draw for {DRAW_MOVES} moves"
        judge = "tablebases judge" if self.by_tables else "no table has it, so the engine judges"
        return f"{side} to move: {aim} ({judge})."


@dataclass(frozen=True, slots=True)
class Response:
    """What becomes of a move: kept with a reply, kept at the end of the ending, or taken back.

    If it is taken back and the ending is over, no move would have kept the result.
    """

    is_kept: bool
    text: str
    reply: chess.Move | None = None
    is_over: bool = False
    lost_plies: int = 0  # by which a move that wins without pawns is slower than the best


def begin(judge: EndingJudge, kind: EndingKind, fen: str = "") -> Ending:
    """An ending from that position if it is still worth what the task says, else from a new one.

    Raises NoPositionError.
    """
    board = board_of(fen) if fen else None
    if board is None or value_at_end(board) is not None or judge.value(board) != kind.task:
        board = new_position(kind, judge, random.Random())  # noqa: S311 - the position
    return Ending(kind.name, board.fen(), judge.grades(board) is not None)


def respond(judge: EndingJudge, kind: EndingKind, board: chess.Board, move: chess.Move) -> Response:
    """The answer to a legal move of the user; `board` is before it, with the moves since the ending began."""
    judgement = judge.judge(board, move)
    after = board.copy()
    after.push(move)
    if judgement.value < kind.task:
        line = judge.line(after)[: _MAX_DRAWN if judgement.value == 0 else None]
        text = _refutation(board, [move, *line], judgement)
        # The engine may have been wrong before, above all about the fiftieth move.
        is_gone = judge.judge(board, judge.reply(board)).value < kind.task
        if is_gone:
            text += f" No move seems to keep the {_result(kind)} any more."
        return Response(False, text, is_over=is_gone)
    text, lost = _praise(kind, board, move, judgement)
    if is_reached(kind, after, move):
        return Response(True, f"{text} {_success(kind, after)}", None, True, lost)
    reply = judge.reply(after)
    after.push(reply)
    end = value_at_end(after)
    if end is not None and end < kind.task:  # the engine was wrong about the move
        proof = MoveJudgement(end, None, None, None)
        return Response(False, _refutation(board, [move, reply], proof))
    if end is not None:
        text = f"{text} {_success(kind, after)}"
    return Response(True, text, reply, end is not None, lost)


def hint(judge: EndingJudge, board: chess.Board) -> str:
    """The best move in words."""
    return f"Best is {number_move(board, judge.reply(board))}."


def _result(kind: EndingKind) -> str:
    return "win" if kind.task == Task.WIN else "draw"


def plies_words(number: int) -> str:
    """For example "1 ply", "2 plies"."""
    return f"{number} pl{'ies' if number > 1 else 'y'}"


def _success(kind: EndingKind, board: chess.Board) -> str:
    ended = UserGame(board, board.turn, None).outcome()
    result = "Won" if kind.task == Task.WIN else "Drawn"
    return f"{result}: {ended[1]}." if ended else f"{result}, as far as this ending goes."


def _praise(
    kind: EndingKind, board: chess.Board, move: chess.Move, known: MoveJudgement
) -> tuple[str, int]:
    """Words about a move that keeps the result, and the plies that it loses if that is measured."""
    san = number_move(board, move)
    if kind.task == Task.DRAW or board.pawns or known.plies is None or known.quickest is None:
        return f"{san} {_hedge(known)}keeps the {_result(kind)}.", 0
    lost = max(known.plies - known.quickest, 0)
    if lost and known.best:
        best, plies = board.san(known.best), plies_words(lost)
        return f"{san} keeps the win; {best} reaches a capture or mate {plies} sooner.", lost
    return f"{san} is the quickest.", 0


def _hedge(judgement: MoveJudgement) -> str:
    return "" if judgement.is_proved else "probably "


def _refutation(board: chess.Board, moves: list[chess.Move], known: MoveJudgement) -> str:
    """Why a move is wrong, with the line that shows it."""
    after = board.copy()
    for move in moves:
        after.push(move)
    ended = UserGame(after, after.turn, None).outcome()
    end = f", {ended[1]}" if ended else ""
    fault = _hedge(known) + ("loses" if known.value < 0 else "gives the win away")
    if known.is_cursed and not ended:  # an end names its rule itself
        fault = f"{fault} by the fifty-move rule"
    return f"{number_move(board, moves[0])} {fault}: {line_words(board, moves)}{end}."
