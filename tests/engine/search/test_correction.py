"""Correction history: written where it will be read."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Info, Limits

pytestmark = pytest.mark.jit_only

MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
WITHOUT_PAWNS = "8/8/4k3/2n5/4r3/8/3RK3/3R4 w - - 0 1"
NOISE = 9999


def nodes(weight: int, noise: int = 0, fen: str = MIDDLEGAME) -> tuple[int, bool, bool]:
    """What a search costs, and whether it writes, where so much has been learnt before."""
    player = Searcher(hash_mb=4)
    player.set_parameters({"correction_weight": weight})
    learnt = (player._search.correction, player._search.correction_move)
    for table in learnt:
        table.fill(noise)
    infos: list[Info] = []
    player.clear_stop()
    player.search(chess.Board(fen), Limits(depth=7), infos.append)
    by_position, by_move = ((table != noise).any() for table in learnt)
    return infos[-1].nodes, bool(by_position), bool(by_move)


def test_with_a_weight_corrections_are_read_and_written() -> None:
    assert nodes(100)[1:] == (True, True)
    assert nodes(100, NOISE)[0] != nodes(100)[0]


def test_without_a_weight_they_are_neither() -> None:
    assert nodes(0) == nodes(0, NOISE)
    assert nodes(0)[1:] == (False, False)


def test_without_pawns_they_are_neither() -> None:
    assert nodes(100, fen=WITHOUT_PAWNS) == nodes(100, NOISE, WITHOUT_PAWNS)
    assert nodes(100, fen=WITHOUT_PAWNS)[1:] == (False, False)
