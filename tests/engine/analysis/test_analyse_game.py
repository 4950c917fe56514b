"""`boomslang.analyse_game`, and what it refuses."""

from __future__ import annotations

import io

import chess.pgn
import pytest

import boomslang


def read(pgn: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game
    return game


@pytest.mark.parametrize(
    ("pgn", "reason"),
    [
        ('[Variant "King of the Hill"]\n\n1. e4 e5 *', "the variant King of the Hill is not"),
        ('[Variant "Horde"]\n\n1. a5 e5 *', "the variant Horde is not supported"),
        ('[Variant "Crazyhouse"]\n\n1. e4 e5 *', "the variant Crazyhouse is not supported"),
        ('[Variant "Three-check"]\n\n1. e4 e5 *', "the variant Three-check is not supported"),
        ('[Variant "Antichess"]\n\n1. e4 e5 *', "the variant Antichess is not supported"),
        ('[Variant "Atomic"]\n\n1. e4 e5 *', "the variant Atomic is not supported"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "White has no king"),
        ('[FEN "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Rxe8 *', "is in check"),
    ],
)
def test_what_cannot_be_played_is_refused(pgn: str, reason: str) -> None:
    """As `boomslang analyse` does."""
    with pytest.raises(boomslang.CommandError, match=reason):
        boomslang.analyse_game(read(pgn), nodes=50)


@pytest.mark.jit_only
def test_ordinary_chess_by_another_name() -> None:
    game = read("1. e4 e5 *")
    game.headers["Variant"] = "Regular"  # which python-chess does not know
    assert len(boomslang.analyse_game(game, nodes=50)["moves"]) == 2
    assert game.headers["Variant"] == "Regular"


@pytest.mark.parametrize(
    ("moves", "fen", "ply"),
    [
        ("e2e5", chess.STARTING_FEN, 1),
        ("e4e5", chess.STARTING_FEN, 1),
        ("e2e4 e7e5 e1e8", chess.STARTING_FEN, 3),
        ("e2e4 d2d4", chess.STARTING_FEN, 2),
        ("e2e4 0000 e2e4", chess.STARTING_FEN, 3),
        ("f2f3 e7e5 g2g4 d8h4 a2a3", chess.STARTING_FEN, 5),
        ("e2e4 N@a3", chess.STARTING_FEN, 2),
        ("e8d8 e1g1", "4k3/8/8/8/8/8/8/4K2R b - - 0 1", 2),
    ],
)
def test_a_move_that_cannot_be_played_is_named_by_its_ply(moves: str, fen: str, ply: int) -> None:
    game = chess.pgn.Game()
    game.setup(fen)
    game.add_line(map(chess.Move.from_uci, moves.split()))
    with pytest.raises(boomslang.CommandError, match=f"ply {ply}, {moves.split()[ply - 1]}, "):
        boomslang.analyse_game(game, nodes=50)
