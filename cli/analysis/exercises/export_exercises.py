"""Exercises as EPD, for test suites and other trainers, and as PGN."""

from __future__ import annotations

from collections.abc import Iterable

import chess
import chess.pgn

from boomslang.cli.analysis.exercises.exercise import Exercise
from boomslang.cli.analysis.exercises.texts import move_played
from boomslang.engine.notation.pgn_writer import format_pgn


def epd(exercises: Iterable[Exercise]) -> str:
    """One line for each, with the known right moves (bm), the wrong one of the game (am), id and origin."""
    lines = []
    for exercise in exercises:
        board = exercise.board()
        lines.append(
            board.epd(
                shredder=board.chess960,
                bm=exercise.right_moves(),
                am=[board.parse_uci(exercise.played)],
                hmvc=board.halfmove_clock,
                fmvn=board.fullmove_number,
                id=exercise.name,
                c0=" ".join(exercise.origin.split()),
            )
        )
    return "".join(f"{line}\n" for line in lines)


def pgn(exercises: Iterable[Exercise]) -> str:
    """One game for each: the position and the best line, other right moves as variations."""
    return "".join(f"{format_pgn(_game(exercise))}\n\n" for exercise in exercises)


def _game(exercise: Exercise) -> chess.pgn.Game:
    board = exercise.board()
    game = chess.pgn.Game()
    game.headers["Event"] = f"Exercise {exercise.name}"
    game.headers["White"] = "White to move" if board.turn else "?"
    game.headers["Black"] = "?" if board.turn else "Black to move"
    game.setup(board)
    game.comment = (
        f"{exercise.origin}. In the game: {move_played(exercise)}. {exercise.reason}".rstrip()
    )
    node: chess.pgn.GameNode = game
    for name in exercise.best:
        node = node.add_variation(chess.Move.from_uci(name))
    for move in exercise.right_moves()[1:]:
        game.add_variation(move)
    return game
