"""What a style likes about a move, and the arrays of the fit, which must choose as a level does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import chess
import pytest

from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.levels.ladder import STYLES, level_of_elo
from boomslang.engine.levels.style import BY_NAME, kinds
from tests.stress.level_model import Positions
from tests.stress.level_store import sight_of


@pytest.mark.parametrize(
    ("fen", "move", "wanted"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", {"castling"}),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h8", {"check"}),
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


def test_a_recapture_follows_a_capture() -> None:
    board = chess.Board("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1")
    board.push_uci("e4d5")
    assert "recapture" in set(kinds(board, chess.Move.from_uci("e6d5")))


def test_styles_like_different_moves() -> None:
    board = chess.Board("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 5")
    likings = [[BY_NAME[name].liking(board, move) for move in board.legal_moves] for name in STYLES]
    assert len(set(map(tuple, likings))) == len(STYLES)


def test_the_model_of_the_fit_chooses_as_a_level_does() -> None:
    row: dict[str, Any] = {
        "fen": "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1",
        "last": [],
        "first": {"b5c7": 60, "e1d2": 20, "e1e2": -10, "b5a7": -400},
        "lines": [
            [600, None, ["b5c7", "e8d7", "c7a8"]],
            [-140, None, ["e1d2", "a8a5"]],
            [-150, None, ["e1e2", "a8a5"]],
            [-500, None, ["b5a7", "a8a7"]],
        ],
    }
    level, handicap, sight = level_of_elo(1000), Handicap(), sight_of(row)
    (modelled,) = Positions.of([row] * 1, BY_NAME["balanced"]).chances(level)
    many = Positions.of([row] * 300, BY_NAME["balanced"]).chances(level).mean(0)
    chosen = Counter[str]()
    for game in range(1000):
        handicap.reseed(str(game))
        chosen[handicap.choose(level, sight).pv[0].uci()] += 1
    assert modelled.sum() == pytest.approx(1)
    for chance, (_, _, line) in zip(many, row["lines"], strict=True):
        assert chance == pytest.approx(chosen[line[0]] / 1000, abs=0.06)
