"""Other engines that say nothing, name no move or leave too early: no wait is long, and none is silent."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import chess
import pytest

from boomslang.engine.limits import Limits
from boomslang.engine.other_engines import engine_connection, engine_process
from boomslang.engine.other_engines.engine_connection import (
    EngineCommand,
    EngineNoMoveError,
    EngineProcessError,
)
from boomslang.engine.other_engines.engine_process import EngineProcess
from tests.engine.other_engines.test_engine_process import (
    CECP_ENGINE,
    GOOD,
    searched,
    uci_engine,
    using,
)

SLEEPER = EngineCommand((sys.executable, "-c", "import time; time.sleep(600)"))


@pytest.mark.parametrize("word", ["(none)", "0000", "NULL", ""])
def test_no_move_is_no_resignation_by_uci(word: str, tmp_path: Path) -> None:
    process = EngineProcess(uci_engine(tmp_path, f'print("bestmove {word}")'))
    board, limit = chess.Board(), Limits(depth=1)
    with pytest.raises(EngineNoMoveError, match="given no move"):
        using(process, lambda: process.play(board, limit))
    with pytest.raises(EngineNoMoveError, match="given no move"):
        searched(process, limit)


@pytest.mark.parametrize("error", [EngineProcessError("dead", ["why"]), EngineNoMoveError()])
def test_failures_come_back_from_other_processes(error: EngineProcessError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert type(again) is type(error) and str(again) == str(error)
    assert again.remarks == error.remarks


@pytest.mark.parametrize(
    ("answer", "resigns"),
    [("resign", True), ("0-1 {White resigns}", True), ("0-1", False), ("move @@@@", False)],
)
def test_only_a_resignation_resigns_by_cecp(
    answer: str, resigns: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "_OTHER_PROTOCOL_AFTER", 0.2)
    script = tmp_path / "engine.py"
    said = CECP_ENGINE.replace('"White (1) : My move is : d2d4"', repr(answer))
    script.write_text(said.replace("SETBOARD", "1"))
    process = EngineProcess(EngineCommand((sys.executable, str(script))))

    async def play() -> Any:
        limit = Limits(white_time=3000, black_time=2000)
        return (await process.play(chess.Board(), limit, game=1)).best

    if resigns:
        assert using(process, play) is None
    else:
        with pytest.raises(EngineNoMoveError):
            using(process, play)


def test_only_boomslang_has_the_time_to_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is started as, once it has said its name."""
    monkeypatch.setattr(engine_process, "_OTHER_PROTOCOL_AFTER", 0.2)
    monkeypatch.setattr(engine_process, "COMPILING_TIMEOUT", 0.7)
    for name, start, told in (
        ("Boomslang 9", 60.0, r"not ready in 0\.7 seconds"),
        ("Other", 1.1, r"(not ready|no answer to uci or xboard) in 1\.1 seconds"),
    ):
        engine = uci_engine(tmp_path, ready="pass", uci=f'print("id name {name}")')
        process = EngineProcess(engine, start_timeout=start)
        with pytest.raises(EngineProcessError, match=told):
            using(process, process.start)


@pytest.mark.parametrize("hears", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_whoever_waits_is_told_what_for(
    hears: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_connection, "_REMARK_AFTER", 0.3)
    monkeypatch.setattr(engine_process, "SILENCE_TIMEOUT", 1.0)
    monkeypatch.setattr(engine_process, "_STOP_TIMEOUT", 0.3)
    told: list[str] = []
    report = told.append if hears else None
    process = EngineProcess(SLEEPER, start_timeout=0.9, report=report)
    with pytest.raises(EngineProcessError, match="cannot start"):
        using(process, process.start)
    process = EngineProcess(uci_engine(tmp_path, "time.sleep(600)"), report=report)
    with pytest.raises(EngineProcessError, match="not answered in time"):
        searched(process, Limits(depth=3))
    talker = 'print("info depth 1 score cp 1 pv e2e4", flush=True); time.sleep(0.6); ' + GOOD
    process = EngineProcess(uci_engine(tmp_path, talker), report=report)
    assert searched(process, Limits(depth=3))[0]
    said = told if hears else caplog.messages
    waits = [text for text in said if "to be ready" not in text]
    assert "waiting for" in said[0] and Path(sys.executable).name in said[0]
    assert waits == ["waiting for a line of the engine"]  # and not of one that has said something


@pytest.mark.parametrize("seconds", [0.0, 0.003, 0.01, 0.05])
def test_an_engine_that_leaves_after_its_move_costs_no_minute(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end may be noticed before the next search begins, meanwhile, or when it has begun."""
    for name in ("SILENCE_TIMEOUT", "START_TIMEOUT"):
        monkeypatch.setattr(engine_process, name, 1e6)  # none of the waits may last that long
    leaver = f"exec({GOOD!r}); sys.stdout.flush(); time.sleep({seconds}); os._exit(0)"
    process = EngineProcess(uci_engine(tmp_path, leaver), attempts=9)

    async def work() -> list[chess.Move | None]:
        return [
            await process.search(chess.Board(), Limits(depth=1), lambda info: None, game=object())
            for _ in range(6)
        ]

    assert len([move for move in using(process, work) if move]) == 6
