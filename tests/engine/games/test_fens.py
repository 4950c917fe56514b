"""FENs of games, as python-chess writes them."""

from __future__ import annotations

import random

import chess
import chess.pgn
import pytest

from boomslang.core.jit.jit import load_kernels
from boomslang.engine.games.fens import fens_of
from boomslang.engine.games.games import read_games
from tests.support.oracle import random_game

pytestmark = pytest.mark.jit_only

STARTS = [
    "4k3/8/8/8/2p5/8/1P6/4K3 w - - 250 130",  # counts on behind what a position can hold
    "4k2r/8/8/2pP4/8/8/8/R3K3 w Qk c6 3 9",
    "8/2k5/8/8/3p4/8/2P1P3/4K3 b - - 0 5",
]


def game_of(start: chess.Board, moves: list[chess.Move]) -> str:
    board = start.copy()
    for move in moves:
        board.push(move)
    return str(chess.pgn.Game.from_board(board)) + "\n\n"


def test_fens_are_those_of_python_chess() -> None:
    load_kernels()
    games: list[str] = []
    wanted: list[str] = []
    for seed in range(40):
        board = list(random_game(seed, 120, chess960=seed % 2 == 1))[-1]
        games.append(game_of(board.root(), board.move_stack))
    for fen in STARTS:
        board = chess.Board(fen)
        source = random.Random(fen)
        moves: list[chess.Move] = []
        while len(moves) < 40 and not board.is_game_over():
            move = source.choice(list(board.legal_moves))
            if not board.is_check() and source.random() < 0.1:
                move = chess.Move.null()
            moves.append(move)
            board.push(move)
        games.append(game_of(chess.Board(fen), moves))
    found = read_games("".join(games).encode())
    assert len(found) == len(games) and not found["odd"].any()
    for index in range(len(found)):
        fen = found["fen"][index] or chess.STARTING_FEN
        board = chess.Board(fen, chess960=bool(found["chess960"][index]))
        for uci in ["", *found.uci(index)]:
            if uci:
                board.push(board.parse_uci(uci))
            wanted.append(board.fen(shredder=board.chess960, en_passant="fen"))
    assert fens_of(found) == wanted
