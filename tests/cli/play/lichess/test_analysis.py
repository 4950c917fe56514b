"""The lines between engine and upload."""

from __future__ import annotations

import asyncio

import chess
import pytest

from boomslang.cli.play.lichess.work_engine import WorkAnalysis
from boomslang.engine.limits import Info, Score


async def test_silence_is_filled_and_each_upload_gets_all_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("boomslang.cli.play.lichess.work_engine.KEEP_ALIVE_EVERY", 0.05)
    analysis = WorkAnalysis()
    heard: list[bytes] = []
    lines = analysis.lines()
    assert await anext(lines) == b'{"keepalive":true}\n'
    for number in range(1000):
        analysis.add(Info(number, 0, 1, Score(centipawns=1), "", 7, 0, 0, 0, 2, ()))
    analysis.end("bestmove a2a3")
    analysis.end("bestmove b2b3")
    heard = [line async for line in lines]
    assert len(heard) == 1001 and heard[-1] == b"bestmove a2a3\n"
    assert (
        heard[-2]
        == b"info depth 999 seldepth 0 multipv 1 score cp 1 nodes 7 nps 0 hashfull 0 "
        b"tbhits 0 time 2\n"
        and analysis.sent
    )
    assert [line async for line in analysis.lines()] == heard  # once more, for another attempt


def test_a_bound_is_told_as_one_and_not_summed_up() -> None:
    analysis = WorkAnalysis()
    move = chess.Move.from_uci("e2e4")
    analysis.add(Info(5, 0, 1, Score(centipawns=900), "lowerbound", 7, 0, 0, 0, 2, (move,)))
    assert analysis.best is None and analysis.summary() == ""
    analysis.add(Info(4, 0, 1, Score(centipawns=31), "", 7, 0, 0, 0, 2, (move,)))
    analysis.add(Info(5, 0, 1, Score(mate=1), "lowerbound", 9, 0, 0, 0, 2, (move,)))
    analysis.end("bestmove e2e4")

    async def said() -> list[bytes]:
        return [line async for line in analysis.lines()]

    assert asyncio.run(said())[0].startswith(
        b"info depth 5 seldepth 0 multipv 1 score cp 900 lowerbound nodes"
    )
    assert analysis.summary() == "depth 4, nodes 7, score +0.31, best move e2e4"


def test_a_search_that_fails_after_its_lines_is_not_done() -> None:
    analysis = WorkAnalysis()
    move = chess.Move.from_uci("e2e4")
    analysis.add(Info(4, 0, 1, Score(centipawns=31), "", 7, 0, 0, 0, 2, (move,)))
    analysis.end()
    assert analysis.summary() == ""
