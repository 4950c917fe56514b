"""Games in the format of `eval.training.files`, written and read by slow and simple code."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import chess

from engine import bridge
from engine.constants import NO_SQUARE
from eval.training.files import game_bytes, write_header
from tests.support.oracle import moves_of, position_of, start_of


class Written(NamedTuple):
    """What a game file shall hold: the moves from a start, and scores of those after the random ones.

    `better` has the best move of each ply at which another one was played.
    """

    arrays: tuple[int, int]
    moves: tuple[chess.Move, ...]
    random: int
    scores: tuple[int, ...]
    result: int
    better: Mapping[int, chess.Move] = MappingProxyType({})

    def boards(self) -> Iterator[tuple[chess.Board, chess.Move]]:
        """The same board before each move, and the best move there."""
        board = start_of(*self.arrays)
        for ply, move in enumerate(self.moves):
            yield board, self.better.get(ply, move)
            board.push(move)


def random_written(seed: int, plies: int = 150) -> Written:
    """A game of random moves, lively ones preferred, from random arrays or the ordinary one."""
    source = random.Random(seed)
    arrays = (518, 518) if seed % 3 == 0 else (source.randrange(960), source.randrange(960))
    board = start_of(*arrays)
    moves: list[chess.Move] = []
    better = {}
    while len(moves) < plies and (legal := list(board.legal_moves)):
        lively = [move for move in legal if is_lively(board, move)]
        if len(moves) > 9 and len(legal) > 1 and source.random() < 0.1:
            better[len(moves)], move = source.sample(legal, 2)
        else:
            move = source.choice(lively if lively and source.random() < 0.5 else legal)
        moves.append(move)
        board.push(move)
    first = source.randint(0, min(9, len(moves)))
    extreme = (-32767, 32767, 32000, 0, 63, -64, 64, 8191, -8192)
    scores = [
        source.choice(extreme) if source.random() < 0.2 else source.randint(-1600, 1600)
        for _ in moves[first:]
    ]
    return Written(arrays, tuple(moves), first, tuple(scores), source.randrange(3), better)


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
        change = game.scores[ply - game.random] - last
        last += change
        folded = 2 * change if change >= 0 else -2 * change - 1
        while folded >= 128:
            body.append(folded % 128 + 128)
            folded //= 128
        body.append(folded)
        if ply in game.better:
            body.append(listed.index(bridge.from_move(game.moves[ply], board)))
        white, black = (board.occupied_co[colour] for colour in chess.COLORS)
        mixed = (white ^ bits) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 31 ^ black) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mark = mixed >> 48
    return bytes(body), mark


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


def check_record(record: Any, board: chess.Board, move: chess.Move) -> None:
    """Assert that a RECORD is what the board is, before the move."""
    squares = [square for square in chess.SQUARES if int(record["occupied"]) >> square & 1]
    pieces = {
        square: chess.Piece((code := _code(record, number)) % 6 + 1, code < 6)
        for number, square in enumerate(squares)
    }
    assert pieces == board.piece_map()
    assert bool(record["side"]) == (board.turn == chess.BLACK)
    assert int(record["castling"]) == int(position_of(board).castling)
    ep = board.ep_square if board.has_legal_en_passant() else int(NO_SQUARE)
    assert int(record["ep"]) == ep
    assert int(record["halfmoves"]) == board.halfmove_clock
    assert int(record["ply"]) == board.ply()
    assert int(record["move"]) == bridge.from_move(move, board)
    assert bool(int(record["traits"]) & 1) == board.is_check()
    noisy = board.is_capture(move) and not board.is_castling(move)
    assert bool(int(record["traits"]) & 2) == (noisy or bool(move.promotion))


def _code(record: Any, number: int) -> int:
    return int(record["pieces"][number // 2]) >> 4 * (number % 2) & 15
