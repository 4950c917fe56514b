"""What a style likes about a move."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.levels.ladder import STYLES
from boomslang.engine.levels.style import BY_NAME, kinds


@pytest.mark.parametrize(
    ("fen", "move", "wanted"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", {"castling"}),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "h1h8", {"check"}),
        ("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1", "d4d5", set()),
        ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "h1h8", {"check", "exchange"}),
        ("6k1/8/8/8/6P1/8/8/4K3 w - - 0 1", "g4g5", {"storm"}),
        ("6k1/8/8/8/1P6/8/8/4K3 w - - 0 1", "b4b5", set()),
        ("6k1/8/8/8/6N1/8/8/4K3 w - - 0 1", "g4e5", set()),
        ("6k1/8/8/4N3/8/8/8/4K3 w - - 0 1", "e5g6", {"attack"}),
        ("4k3/8/3p4/8/8/8/2P5/4K1R1 w - - 0 20", "g1g5", set()),
        ("4k3/8/3p4/8/8/8/2P5/4K1R1 w - - 0 20", "c2c4", set()),
        ("4k3/8/5p2/8/8/8/2P5/4K1R1 w - - 0 20", "g1g5", {"offer"}),
        ("4k3/8/8/3p4/8/8/2P5/4K3 w - - 0 20", "c2c4", {"offer"}),
        ("4k3/8/8/3p4/8/8/2P5/4K3 w - - 0 2", "c2c4", {"offer", "gambit"}),
    ],
)
def test_the_kinds_of_a_move(fen: str, move: str, wanted: set[str]) -> None:
    assert set(kinds(chess.Board(fen), chess.Move.from_uci(move))) == wanted


def test_styles_like_different_moves() -> None:
    board = chess.Board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 5")
    likings = [[BY_NAME[name].liking(board, move) for move in board.legal_moves] for name in STYLES]
    assert len(set(map(tuple, likings))) == len(STYLES)
