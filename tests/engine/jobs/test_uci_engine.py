"""Other UCI engines as processes: how they start, and why one does not."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import chess
import chess.engine
import pytest

from boomslang.engine.jobs import uci_engine
from boomslang.engine.jobs.uci_engine import UciCommand, UciEngineError, protocol_of, start

ENGINE = """\
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("option name Hash type spin default 1 min 1 max 64\\nuciok")
    elif word == "isready":
        READY
    elif word == "setoption":
        print("info string", line.strip())
    elif word == "go":
        print("bestmove g1f3")
    elif word == "quit":
        break
    sys.stdout.flush()
"""


def engine(folder: Path, options: Mapping[str, str], ready: str = 'print("readyok")') -> UciCommand:
    script = folder / "engine.py"
    script.write_text(ENGINE.replace("READY", ready), "utf-8")
    return UciCommand((sys.executable, str(script)), options)


def test_options_are_set_and_lines_are_received(tmp_path: Path) -> None:
    heard: list[str] = []
    with closing(start(engine(tmp_path, {"hash": "2"}), {"Hash": 9, "Threads": 9})) as process:
        protocol_of(process).on_line = heard.append
        limit = chess.engine.Limit(nodes=1)
        assert process.play(chess.Board(), limit).move == chess.Move.from_uci("g1f3")
        assert process.protocol.target_config["hash"] == "2"  # type: ignore[attr-defined]
    assert heard[-1] == "bestmove g1f3"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"Elo": "1"}, "has no option 'Elo'; its options: Hash"),
        ({"Hash": "x"}, "cannot set 'Hash' of .*expected integer"),
        ({"Hash": "65"}, "cannot set 'Hash' of .*at most 64"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, str], told: str, tmp_path: Path) -> None:
    with pytest.raises(UciEngineError, match=told):
        start(engine(tmp_path, options))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["./nothere"], "cannot start './nothere': there is no such file"),
        ([sys.executable, "-c", "pass"], "it has ended without an answer to uci"),
    ],
)
def test_programs_that_are_no_engine(words: list[str], told: str) -> None:
    with pytest.raises(UciEngineError, match=told):
        start(UciCommand(tuple(words)))


def test_engines_that_are_too_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UciEngineError, match=r"not ready in 0\.2 seconds"):
        start(engine(tmp_path, {}, ready="pass"), ready_within=0.2)
    with pytest.raises(UciEngineError, match="it has ended before it was ready"):
        start(engine(tmp_path, {}, ready="sys.exit()"))
    monkeypatch.setattr(uci_engine, "TIMEOUT", 0.2)
    with pytest.raises(UciEngineError, match=r"no answer to uci in 0\.2 seconds"):
        start(UciCommand((sys.executable, "-c", "import time; time.sleep(60)")))
