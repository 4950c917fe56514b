"""Exercises in words, for the terminal and the board."""

from __future__ import annotations

from collections.abc import Sequence

import chess

from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.reasons.candidate import line_words


def count_noun(number: int, noun: str) -> str:
    """A number with its noun, "1 exercise", "2 exercises"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def number_move(board: chess.Board, move: chess.Move) -> str:
    """A move with its number, "17... Qc7"."""
    return f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san(move)}"


def move_played(exercise: Exercise) -> str:
    """The move of the game with its number; empty in a repertoire."""
    if exercise.is_repertoire:
        return ""
    board = exercise.board()
    return number_move(board, board.parse_uci(exercise.played))


def task(exercise: Exercise) -> str:
    """What is to be done, with the move of the game."""
    side = chess.COLOR_NAMES[exercise.board().turn].capitalize()
    if exercise.is_repertoire:
        return f"{side} to move: which move is in your repertoire?"
    return f"{side} to move. In the game {move_played(exercise)} was played: find a better move."


def nothing_due(exercises: Sequence[Exercise]) -> str:
    """Why none of them is asked."""
    if not exercises:
        return (
            "There are no exercises yet. Analyse your games, and add their mistakes by the command: "
            "boomslang exercises add FILE"
        )
    coming = min((exercise.due for exercise in exercises if exercise.due), default=None)
    return f"Nothing is due before {coming}." if coming else "All exercises are done."


def solution(exercise: Exercise) -> list[str]:
    """Lines: the best moves with the other right ones, and why the move of the game was wrong."""
    board = exercise.board()
    line = line_words(board, [chess.Move.from_uci(name) for name in exercise.best])
    best = f"{line}. {right_too(exercise)}".rstrip()
    return [best, why_wrong(exercise)] if exercise.reason else [best]


def why_wrong(exercise: Exercise) -> str:
    """The move of the game, and what is wrong with it if that is known."""
    return f"In the game: {move_played(exercise)}. {exercise.reason}".rstrip()


def right_too(exercise: Exercise) -> str:
    """The other right moves that the analysis has looked at; empty if there are none."""
    board = exercise.board()
    others = [board.san(move) for move in exercise.right_moves()[1:]]
    return f"Right too: {', '.join(others)}." if others else ""


def verdict(exercise: Exercise, move: chess.Move, chance: float) -> str:
    """The answer to a move, with its winning chance in percent."""
    board = exercise.board()
    san = board.san(move)
    if exercise.is_repertoire:
        is_known = exercise.accepts(chance)
        return f"Right: {san}." if is_known else f"Wrong: {san} is not in your repertoire."
    if move.uci() == exercise.best[0]:
        return f"Right: {san} is the best move."
    word = "Right" if exercise.accepts(chance) else "Wrong"
    chances = f"{chance:.1f} % winning chances, the best move {exercise.chance:.1f} %"
    return f"{word}: {san} has {chances}."


def next_time(exercise: Exercise) -> str:
    """When the exercise comes again."""
    if exercise.due is None:
        return "It is done."
    return f"It comes again on {exercise.due.isoformat()}."
