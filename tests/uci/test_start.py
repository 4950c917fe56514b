"""The start, options, and commands beside the game by UCI."""

from __future__ import annotations

import re

import pytest

from tests.support.process import UciProcess
from tests.support.uci_rows import START_MOVES

pytestmark = pytest.mark.jit_only

# What GUIs, bots and match runners look for by name: the rest of the declaration, as a pattern.
STANDARD_OPTIONS = {
    "Hash": r"spin default 16 min 1 max \d{4,}",
    "Threads": r"spin default 1 min 1 max 1024",
    "Clear Hash": "button",
    "Ponder": "check default false",
    "MultiPV": "spin default 1 min 1 max 256",
    "Move Overhead": r"spin default \d+ min 0 max 5000",
    "nodestime": "spin default 0 min 0 max 10000",
    "Skill Level": "spin default 20 min 0 max 20",
    "UCI_LimitStrength": "check default false",
    "Human Time": "check default false",
    "UCI_Elo": r"spin default \d+ min \d+ max \d+",
    "OwnBook": "check default false",
    "BookFile": "string default <empty>",
    "SyzygyPath": "string default <empty>",
    "SyzygyProbeDepth": "spin default 1 min 1 max 100",
    "SyzygyProbeLimit": "spin default 7 min 0 max 7",
    "Syzygy50MoveRule": "check default true",
    "UCI_Chess960": "check default false",
    "UCI_ShowWDL": "check default false",
    "UCI_AnalyseMode": "check default false",
    "UCI_Opponent": "string default <empty>",
    "UCI_EngineAbout": r"string default Boomslang \d.*",
}


@pytest.fixture(scope="module")
def greeting() -> list[str]:
    """What a fresh process without arguments says to `uci`, with `quit` in the same packet."""
    with UciProcess() as engine:
        engine.send_bytes(b"uci\nquit\n")
        assert engine.wait() == 0
        lines = engine.rest()
        assert engine.errors() == ""
    return lines


def test_nothing_comes_before_the_answer_to_uci(greeting: list[str]) -> None:
    assert greeting[0].startswith("id name ")
    assert greeting[-1] == "uciok" and greeting.count("uciok") == 1


def test_nothing_but_options_is_declared(greeting: list[str]) -> None:
    options = [line for line in greeting if line.startswith("option ")]
    assert [line for line in greeting if line][2:] == [*options, "uciok"]


@pytest.mark.parametrize("name", STANDARD_OPTIONS)
def test_the_standard_options_are_declared(greeting: list[str], name: str) -> None:
    start = f"option name {name} type "
    (line,) = [line for line in greeting if line.startswith(start)]
    assert re.fullmatch(STANDARD_OPTIONS[name], line.removeprefix(start))


def test_options_may_come_before_uci_and_between_new_game_and_ready(live: UciProcess) -> None:
    with UciProcess() as engine:
        engine.send("setoption name Hash value 8", "uci")
        assert engine.until("uciok")[0].startswith("id name")
    for _ in range(2):
        live.send("ucinewgame", "setoption name UCI_Opponent value <empty>")
        assert live.ready() == ["readyok"]


def test_memory_that_is_not_there_is_not_taken(live: UciProcess) -> None:
    live.send("setoption name Hash value 131072")
    lines = live.ready()
    assert all(re.match("info string .*(memory|MB)|readyok", line) for line in lines)
    assert live.best("go depth 2") in START_MOVES
    live.send("setoption name Hash value 16")
    assert live.ready() == ["readyok"]


HARMLESS = {
    "debug": b"debug on\ndebug off\ndebug\n",
    "register": b"register later\nregister name Stefan MK code 4359874324\n",
    "unknown words before a command": b"joho debug on\n",
    "blanks and tabs": b"\n  \n\t\n\tucinewgame \t\n",
    "CRLF": b"position startpos moves e2e4\r\nposition startpos\r\n",
    "remarks": b"# position startpos moves e2e5\n#go infinite\n",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_lines_are_obeyed_in_silence(live: UciProcess, name: str) -> None:
    live.send_bytes(HARMLESS[name])
    assert live.ready() == ["readyok"]
