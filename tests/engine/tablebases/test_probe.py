"""Probes of real tables against python-chess: results and distances, en passant, cursed wins."""

from __future__ import annotations

import random

import chess
import chess.syzygy
import pytest

from boomslang.engine.tablebases.table_files import DTZ, WDL
from tests.support.syzygy import FOLDERS, Reader, random_board

pytestmark = [
    pytest.mark.skipif(not FOLDERS, reason="the tables are not here"),
    pytest.mark.jit_only,
]


def compare(positions: int, seed: int) -> dict[str, int]:
    """Compare that many positions of each table and side to move; returns what was among them."""
    import boomslang.engine.tablebases.probe  # noqa: F401
    from boomslang.core.jit.jit import load_kernels

    load_kernels()
    reader = Reader(*FOLDERS)
    dice = random.Random(seed)
    seen = {"positions": 0, "en passant": 0, "cursed": 0, "blessed": 0}
    with chess.syzygy.Tablebase() as oracle:
        for folder in FOLDERS:
            oracle.add_directory(str(folder))
        for name in reader.files.names:
            assert reader.files.open(name, WDL) and reader.files.open(name, DTZ), name
            left = {chess.WHITE: positions, chess.BLACK: positions}
            while any(left.values()):
                board = random_board(name, dice)
                if not left[board.turn]:
                    continue
                left[board.turn] -= 1
                wdl, dtz = oracle.get_wdl(board), oracle.get_dtz(board)
                assert (reader.wdl(board), reader.dtz(board)) == (wdl, dtz), board.fen()
                seen["positions"] += 1
                seen["en passant"] += board.has_legal_en_passant()
                seen["cursed"] += wdl == 1
                seen["blessed"] += wdl == -1
    assert not reader.files.problems
    return seen


def test_probes_agree_with_python_chess() -> None:
    assert compare(4, 1)["positions"] >= 8 * 35


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_probes_agree_with_python_chess() -> None:
    seen = compare(2000, 2)
    print(seen)
    assert all(seen.values())
