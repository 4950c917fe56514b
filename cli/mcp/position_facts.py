"""What is known of a position without a search: by the rules alone, and by tablebases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import chess

from boomslang.cli.mcp.reading import RefusalError, over_words
from boomslang.cli.mcp.results import Answer, Data
from boomslang.cli.mcp.words import count, head, head_data, side
from boomslang.engine.analysis.reasons.exchange import winnable_on
from boomslang.engine.analysis.reasons.material import join_words, list_pieces
from boomslang.engine.driver.root_ranking import BLESSED, CURSED, DRAW, LOSS, WIN
from boomslang.engine.levels.piece_values import balance

if TYPE_CHECKING:  # it imports Numba
    from boomslang.cli.mcp.bounded_searcher import BoundedSearcher

_ORDER: Final = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
_MAX_MOVES: Final = 30  # that are named
_RESULTS: Final = {
    WIN: "{own} wins",
    CURSED: "a draw by the fifty-move rule, else {own} would win",
    DRAW: "a draw",
    BLESSED: "a draw by the fifty-move rule, else {other} would win",
    LOSS: "{other} wins",
}


def describe(board: chess.Board) -> Answer:
    """Turn, check, legal moves, material, pieces that hang, castling rights, draws to claim."""
    hanging = [square for _, found in _winnable(board) for square in found]
    facts = {
        "checkers": [*map(chess.square_name, board.checkers())],
        "legal_moves": sorted(map(board.san, board.legal_moves)),
        "white_ahead": balance(board, chess.WHITE),
        "hanging": [chess.square_name(square) for square in hanging],
        "castling": board.castling_xfen() or None,
    }
    return Answer("\n".join(_lines(board, facts)), head_data(board) | facts)


def _lines(board: chess.Board, facts: Data) -> Iterator[str]:
    yield from head(board)
    if board.is_check():
        places = join_words([_piece(board, square) for square in board.checkers()])
        yield f"{side(board.turn)} is in check from the {places}."
    moves = facts["legal_moves"]
    yield f"{len(moves)} legal moves: {', '.join(moves)}." if moves else "There is no legal move."
    for colour in chess.COLORS:
        kinds = [kind for kind in _ORDER for _ in board.pieces(kind, colour)]
        yield f"{side(colour)}: king{f', {list_pieces(kinds)}' if kinds else ''}."
    points = facts["white_ahead"]
    ahead = side(points > 0)
    yield (
        f"Material: {ahead} is {count(abs(points), 'point', 'points')} ahead."
        if points
        else "Material is equal."
    )
    yield from _hanging(board)
    if facts["castling"]:
        yield f"Castling rights: {facts['castling']}."


def _hanging(board: chess.Board) -> Iterator[str]:
    for colour, squares in _winnable(board):
        names = [_piece(board, square) for square in squares]
        can = "can win" if colour == board.turn else "threatens to win"
        if names:
            yield (
                f"By captures on one square {side(colour)} {can} the {join_words(names)}; "
                "what happens elsewhere is not looked at."
            )


def _winnable(board: chess.Board) -> Iterator[tuple[chess.Color, list[chess.Square]]]:
    """The squares on which each side to move would win material by captures, even after all recaptures."""
    for colour in (board.turn, not board.turn):
        to_take = board.copy(stack=False)
        if colour != board.turn:
            if board.is_check():
                continue
            to_take.push(chess.Move.null())
        others = chess.scan_reversed(board.occupied_co[not colour] & ~board.kings)
        yield colour, [square for square in others if winnable_on(to_take, square)]


def _piece(board: chess.Board, square: chess.Square) -> str:
    name = chess.piece_name(board.piece_type_at(square) or chess.PAWN)
    return f"{name} on {chess.square_name(square)}"


def endgame(searcher: BoundedSearcher, board: chess.Board) -> Answer:
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
    own, other = side(board.turn), side(not board.turn)
    grades = ranked.grades
    best = next(iter(grades.values()))
    keep = [move for move, grade in grades.items() if grade.result == ranked.result]
    found = head_data(board) | {
        "winner": {WIN: own, LOSS: other}.get(ranked.result),
        "result": _RESULTS[ranked.result].format(own=own, other=other),
        "plies": best.plies or None,
        "keeping": [
            {"san": board.san(move), "uci": move.uci(), "plies": grades[move].plies or None}
            for move in keep[:_MAX_MOVES]
        ],
        "keeping_count": len(keep),
        "legal_count": len(grades),
    }
    return Answer("\n".join([*head(board), *_table_lines(found)]), found)


def _table_lines(found: Data) -> Iterator[str]:
    number, legal = found["keeping_count"], found["legal_count"]
    yield f"Result: {found['result']}{_distance(found['plies'])}."
    named = ", ".join(f"{each['san']}{_plies(each['plies'])}" for each in found["keeping"])
    more = f" and {number - _MAX_MOVES} more" if number > _MAX_MOVES else ""
    all_of_them = f"all {number} legal moves" if number == legal else f"{number} of {legal}"
    yield f"Moves that keep it ({all_of_them}), the best first: {named}{more}."
    yield (
        "Distances are plies to the next capture, pawn move or mate (DTZ), the move included; "
        "clock and repetitions count."
    )


def _distance(plies: int | None) -> str:
    if not plies:
        return ""
    return f", the next capture, pawn move or mate comes within {count(plies, 'ply', 'plies')}"


def _plies(plies: int | None) -> str:
    return f" ({plies})" if plies else ""
