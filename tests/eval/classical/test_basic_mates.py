"""Mates that the evaluation alone leads to, against the best defence."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Limits
from tests.support.perfect_defence import play_out
from tests.support.places import SUITES

TABLES = SUITES / "syzygy"
pytestmark = [
    pytest.mark.jit_only,
    pytest.mark.skipif(not TABLES.is_dir(), reason="no tables for the defender"),
]


@pytest.mark.parametrize(
    ("fen", "nodes"),
    [
        ("3k4/8/4BK2/3N4/8/8/8/8 w - - 0 1", 100_000),
        ("8/6r1/8/8/4k3/7K/8/Q7 w - - 0 1", 50_000),
        # More nodes must not do harm: the table then knows of mates that come too late.
        pytest.param("8/8/6k1/3B4/4K3/6N1/8/8 w - - 0 1", 200_000, marks=pytest.mark.slow),
        pytest.param("8/8/8/8/3k4/8/8/KBN5 w - - 0 1", 200_000, marks=pytest.mark.slow),
    ],
)
def test_won_within_fifty_moves(fen: str, nodes: int) -> None:
    player = Searcher(hash_mb=16)

    def think(board: chess.Board) -> chess.Move:
        player.clear_stop()
        best = player.search(board.copy(), Limits(nodes=nodes), lambda info: None).best
        assert best
        return best

    assert play_out(chess.Board(fen), think, TABLES).winner == chess.WHITE
