"""Games in the format of `engine.learning.data.game_files`, written and read by slow and simple code."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import chess

from boomslang.core.board.constants import NO_SQUARE
from boomslang.engine import bridge
from boomslang.engine.learning.data.game_files import game_bytes, write_header
from tests.support.oracle import moves_of, position_of, start_of


class Written(NamedTuple):
    """What a game file shall hold: the moves from a start, and scores of those after the random ones.

    `better` has the best move of each ply at which another one was played. `sidelines` has, by ply, the moves
    of a sideline, the best move where it ends and the score there.
    """

    arrays: tuple[int, int]
    moves: tuple[chess.Move, ...]
    random: int
    scores: tuple[int, ...]
    result: int
    better: Mapping[int, chess.Move] = MappingProxyType({})
    sidelines: Mapping[int, tuple[tuple[chess.Move, ...], chess.Move, int]] = MappingProxyType({})

    def boards(self) -> Iterator[tuple[chess.Board, chess.Move]]:
        """The same board before each move, and the best move there."""
        board = start_of(*self.arrays)
        for ply, move in enumerate(self.moves):
            yield board, self.better.get(ply, move)
            board.push(move)


def random_written(seed: int, plies: int = 150) -> Written:
    """A game of random moves, lively ones preferred, from random arrays or the ordinary one."""
    source, beside = random.Random(seed), random.Random(~seed)
    arrays = (518, 518) if seed % 3 == 0 else (source.randrange(960), source.randrange(960))
    board = start_of(*arrays)
    moves: list[chess.Move] = []
    better = {}
    sidelines = {}
    while len(moves) < plies and (legal := list(board.legal_moves)):
        lively = [move for move in legal if is_lively(board, move)]
        if len(moves) > 9 and len(legal) > 1 and source.random() < 0.1:
            better[len(moves)], move = source.sample(legal, 2)
        else:
            move = source.choice(lively if lively and source.random() < 0.5 else legal)
        if len(moves) > 9 and beside.random() < 0.2:
            sidelines[len(moves)] = _random_sideline(board, beside)
        moves.append(move)
        board.push(move)
    first = source.randint(0, min(9, len(moves)))
    extreme = (-32767, 32767, 32000, 0, 63, -64, 64, 8191, -8192)
    scores = [
        source.choice(extreme) if source.random() < 0.2 else source.randint(-1600, 1600)
        for _ in moves[first:]
    ]
    result = source.randrange(3)
    kept = {ply: line for ply, line in sidelines.items() if line}
    return Written(arrays, tuple(moves), first, tuple(scores), result, better, kept)


def _random_sideline(
    board: chess.Board, source: random.Random
) -> tuple[tuple[chess.Move, ...], chess.Move, int] | None:
    """Some moves, the best one where they end and a score, or None if they end the game."""
    board = board.copy()
    moves = []
    for _ in range(source.randint(1, 6)):
        if legal := list(board.legal_moves):
            moves.append(source.choice(legal))
            board.push(moves[-1])
    legal = list(board.legal_moves)
    return (tuple(moves), source.choice(legal), source.randint(-1600, 1600)) if legal else None


def is_lively(board: chess.Board, move: chess.Move) -> bool:
    """True for what is rare and must not be forgotten."""
    return board.is_castling(move) or board.is_en_passant(move) or bool(move.promotion)


def body_of(game: Written) -> tuple[bytes, int]:
    """The bytes of the moves and scores, and the mark of the end."""
    body, mark, last = bytearray(), 0, 0
    for ply, (board, move) in enumerate(game.boards()):
        listed, bits = moves_of(position_of(board)), bridge.from_move(move, board)
        if ply in game.better:
            body.append(255)
        body.append(listed.index(bits))
        if ply < game.random:
            continue
        body += _score_bytes(game.scores[ply - game.random] - last)
        last = game.scores[ply - game.random]
        if ply in game.better:
            body.append(listed.index(bridge.from_move(game.moves[ply], board)))
        if ply in game.sidelines:
            body += _sideline_bytes(board.copy(), *game.sidelines[ply], last)
        white, black = (board.occupied_co[colour] for colour in chess.COLORS)
        mixed = (white ^ bits) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 31 ^ black) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mark = mixed >> 48
    return bytes(body), mark


def _score_bytes(change: int) -> bytes:
    folded = 2 * change if change >= 0 else -2 * change - 1
    written = bytearray()
    while folded >= 128:
        written.append(folded % 128 + 128)
        folded //= 128
    written.append(folded)
    return bytes(written)


def _sideline_bytes(
    board: chess.Board, moves: tuple[chess.Move, ...], best: chess.Move, score: int, last: int
) -> bytes:
    written = bytearray([254, len(moves)])
    for move in (*moves, best):
        written.append(moves_of(position_of(board)).index(bridge.from_move(move, board)))
        board.push(move)
    return bytes(written) + _score_bytes(score - last)


def bytes_of(number: int, game: Written, **changed: Any) -> bytes:
    """The game as number `number` of a file, with some fields as they should not be."""
    body, mark = body_of(game)
    fields: dict[str, Any] = {
        "plies": len(game.moves),
        "random": game.random,
        "arrays": game.arrays,
        "mark": mark,
        "result": game.result,
    }
    return game_bytes(number, changed.pop("body", body), **(fields | changed))


def write_games(path: Path, games: Sequence[bytes], **header: Any) -> None:
    """A file of games as `bytes_of` makes them."""
    with path.open("wb") as file:
        write_header(file, {"seed": 1} | header)
        file.writelines(games)


def check_record(record: Any, board: chess.Board, move: chess.Move, ply: int | None = None) -> None:
    """Assert that a RECORD is what the board is, before the move; at `ply`, if not at that of the board."""
    assert int(record["ply"]) == (board.ply() if ply is None else ply)
    squares = [square for square in chess.SQUARES if int(record["occupied"]) >> square & 1]
    pieces = {
        square: chess.Piece(code % 6 + 1, code < 6)
        for square, code in zip(squares, codes(record), strict=True)
    }
    assert pieces == board.piece_map()
    assert bool(record["side"]) == (board.turn == chess.BLACK)
    assert int(record["castling"]) == int(position_of(board).castling)
    ep = board.ep_square if board.has_legal_en_passant() else int(NO_SQUARE)
    assert int(record["ep"]) == ep
    assert int(record["halfmoves"]) == board.halfmove_clock
    assert int(record["move"]) == bridge.from_move(move, board)
    assert bool(int(record["traits"]) & 1) == board.is_check()
    noisy = board.is_capture(move) and not board.is_castling(move)
    assert bool(int(record["traits"]) & 2) == (noisy or bool(move.promotion))


def codes(record: Any) -> list[int]:
    """The pieces of a RECORD from square a1 on, 0 to 5 White's."""
    count = int(record["occupied"]).bit_count()
    return [int(record["pieces"][number // 2]) >> 4 * (number % 2) & 15 for number in range(count)]
