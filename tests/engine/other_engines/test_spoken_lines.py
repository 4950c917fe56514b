"""Searches by other engines: which of their lines count, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import chess

from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.other_engines.engine_process import EngineProcess
from tests.engine.other_engines.test_engine_process import searched, uci_engine, using


def test_a_line_is_cut_before_an_illegal_move_and_that_is_said_once(tmp_path: Path) -> None:
    go = 'print("info depth 2 score cp 7 pv g1f3 e7e5 a1a8 h2h4\\nbestmove g1f3")'
    said: list[str] = []
    process = EngineProcess(uci_engine(tmp_path, go), report=said.append)
    heard: list[Info] = []

    async def work() -> None:
        for _ in range(2):
            await process.search(chess.Board(), Limits(depth=2), heard.append)

    using(process, work)
    assert [" ".join(map(chess.Move.uci, info.pv)) for info in heard] == ["g1f3 e7e5"] * 2
    assert said == ["a line of the engine is cut before a move that is not legal: a1a8 h2h4"]


def test_a_line_that_is_no_utf_8_is_read(tmp_path: Path) -> None:
    go = "os.write(1, b'info depth 2 score cp 7 pv g1f3 \\xff\\nbestmove g1f3 \\xe9\\n')"
    move, heard = searched(EngineProcess(uci_engine(tmp_path, go)), Limits(depth=2))
    assert move.uci() == "g1f3" and heard[0].score == Score(7)
