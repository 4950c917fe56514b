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
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1", {"lost_castling"}),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "a1b1", set()),
        ("4k3/8/8/5n2/8/8/8/4K3 b - - 0 1", "f5g7", {"retreat"}),
        ("4k3/8/8/8/6R1/8/6p1/4K3 w - - 0 1", "g4g2", {"capture"}),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", {"centre"}),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 9", "e2e4", set()),
        ("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1", "d4d5", set()),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1e2", {"king"}),
        ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "h1h8", {"check", "capture", "exchange"}),
        ("4k3/8/8/8/8/8/7P/4K2Q w - - 0 1", "h2h3", {"edge"}),
        ("4k3/8/8/8/8/8/7P/4K2Q w - - 0 1", "h1a1", {"queen"}),
        ("8/1P6/8/8/8/8/6k1/4K3 w - - 0 1", "b7b8r", {"underpromotion"}),
        ("8/1P6/8/8/8/8/6k1/4K3 w - - 0 1", "b7b8q", set()),
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


def test_any_rook_can_give_up_castling_in_chess960() -> None:
    board = chess.Board("7k/8/8/8/8/8/8/1RK1R3 w B - 0 1", chess960=True)
    moves = map(chess.Move.from_uci, ("b1a1", "e1e2", "c1b1"))
    assert [set(kinds(board, move)) for move in moves] == [{"lost_castling"}, set(), {"castling"}]


def test_a_recapture_follows_a_capture() -> None:
    board = chess.Board("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1")
    board.push_uci("e4d5")
    assert "recapture" in set(kinds(board, chess.Move.from_uci("e6d5")))


def test_styles_like_different_moves() -> None:
    board = chess.Board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 5")
    likings = [[BY_NAME[name].liking(board, move) for move in board.legal_moves] for name in STYLES]
    assert len(set(map(tuple, likings))) == len(STYLES)
