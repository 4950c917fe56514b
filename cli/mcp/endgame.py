"""What tablebases know of an ending."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.cli.mcp.bounded_searcher import BoundedSearcher
from boomslang.cli.mcp.reading import RefusalError, over_words
from boomslang.cli.mcp.words import count, head, side
from boomslang.engine.driver.root_ranking import (
    BLESSED,
    CURSED,
    DRAW,
    LOSS,
    WIN,
    Grade,
    RankedMoves,
)

_MAX_MOVES: Final = 30  # that are named
_RESULTS: Final = {
    WIN: "{own} wins",
    CURSED: "a draw by the fifty-move rule, else {own} would win",
    DRAW: "a draw",
    BLESSED: "a draw by the fifty-move rule, else {other} would win",
    LOSS: "{other} wins",
}


def endgame(searcher: BoundedSearcher, board: chess.Board) -> str:
    """Result, distance, and the moves that keep the result. Raises RefusalError where no table has it."""
    if over := over_words(board):
        raise RefusalError(f"the game is over: {over}")
    if searcher.tables is None:
        raise RefusalError(
            "no tablebases: the user can start `boomslang mcp --tables FOLDERS` with Syzygy files; "
            "`analyse` searches without"
        )
    pieces, most = chess.popcount(board.occupied), searcher.tables.piece_count
    if pieces > most:
        raise RefusalError(f"{pieces} pieces are on the board, and the tables have up to {most}")
    if board.clean_castling_rights():
        raise RefusalError("tablebases have no positions with castling rights")
    if not (ranked := searcher.rank(board)):
        raise RefusalError("no table for these pieces is there, or it cannot be read")
    return "\n".join([*head(board), *_lines(board, ranked)])


def _lines(board: chess.Board, ranked: RankedMoves) -> Iterator[str]:
    own, other = side(board.turn), side(not board.turn)
    grades = ranked.grades
    best = next(iter(grades.values()))
    yield f"Result: {_RESULTS[ranked.result].format(own=own, other=other)}{_distance(best)}."
    keep = [move for move, grade in grades.items() if grade.result == ranked.result]
    named = ", ".join(f"{board.san(move)}{_plies(grades[move])}" for move in keep[:_MAX_MOVES])
    more = f" and {len(keep) - _MAX_MOVES} more" if len(keep) > _MAX_MOVES else ""
    all_of_them = (
        f"all {len(keep)} legal moves"
        if len(keep) == len(grades)
        else f"{len(keep)} of {len(grades)}"
    )
    yield f"Moves that keep it ({all_of_them}), the best first: {named}{more}."
    yield (
        "Distances are plies to the next capture, pawn move or mate (DTZ), the move included; "
        "clock and repetitions count."
    )


def _distance(best: Grade) -> str:
    if not best.plies:
        return ""
    return f", the next capture, pawn move or mate comes within {count(best.plies, 'ply', 'plies')}"


def _plies(grade: Grade) -> str:
    return f" ({grade.plies})" if grade.plies else ""
