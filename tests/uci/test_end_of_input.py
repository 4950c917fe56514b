"""Words that are piped in: what was asked before the end of the input, or before `quit`, is answered."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from boomslang.uci.cecp.loop import CecpLoop
from boomslang.uci.loop import ANSWER_TIMEOUT, UciLoop
from tests.support.cecp_conversation import CecpConversation
from tests.support.places import ROOT
from tests.support.process import STARTUP, UciProcess, living, run_python
from tests.support.uci_conversation import Conversation

EXIT_TIMEOUT = (
    5.0  # seconds after the program that has started the engine; a tenth of one if all is idle
)

# What is piped in, and the end of what is answered.
ASKED = {
    "isready": ("isready", "readyok"),
    "a search": ("isready\ngo depth 3", "bestmove [a-h]"),
    "a time": ("position startpos\ngo movetime 300", "bestmove [a-h]"),
    "a clock": ("go wtime 2000 btime 2000", "bestmove [a-h]"),
    "infinite": ("go infinite", "bestmove [a-h]"),
    "ponder": ("go ponder wtime 2000 btime 2000", "bestmove [a-h]"),
    "two searches": ("go movetime 100\ngo movetime 100", "bestmove [a-h]"),
    "no legal move": (
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 9",
        r"bestmove \(none",
    ),
    "a board": ("position startpos moves e2e4\nd", "Legal moves: 20"),
    "compiler": ("compiler", "Kernels"),
    "a move": ("xboard\nnew\nst 0.3\ngo", "move [a-h]"),
    "a reply": ("xboard\nsd 2\nusermove e2e4\nmemory 8", "move [a-h]"),
    "ping": ("xboard\nprotover 2\nnew\nping 77", "pong 77"),
    "ping behind a move": ("xboard\nst 0.3\ngo\nping 78", "pong 78"),
    "an unfinished line": ("isready\nisrea", "info string error: unknown command"),
}
# The kernels are needed for these, so an empty cache makes them wait for half a minute.
COMPILED = {
    "an evaluation": ("eval", "Final evaluation"),
    "perft": ("go perft 3", "Nodes searched: 8902"),
    "perft before a position": ("perft 3\nposition startpos moves e2e4", "Nodes searched: 8902"),
    "bench": ("bench 1", r"Nodes/second"),
}


def children_of(process: subprocess.Popen[bytes]) -> list[int]:
    """Processes that this one has started and that still run."""
    return [child for child, (parent, _) in living().items() if parent == process.pid]


def wait_for_end(processes: list[int]) -> None:
    until = time.monotonic() + EXIT_TIMEOUT
    while left := set(processes) & living().keys():
        assert time.monotonic() < until, left
        time.sleep(0.05)


def pipe(words: str, **environment: str) -> list[str]:
    """The lines that are answered to words from a pipe."""
    run = run_python("-m", "cli", given=words, variables=environment)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.splitlines()


@pytest.mark.jit_only
@pytest.mark.parametrize("end", ["", "\nquit\n"])
def test_with_kernels(end: str) -> None:
    """The last search is what the end comes upon."""
    words, answers = zip(*COMPILED.values(), ASKED["a time"], strict=True)
    told = pipe("\n".join(words) + end)
    for answer in answers:
        assert any(re.match(answer, line) for line in told), (answer, told)


@pytest.mark.jit_only
@pytest.mark.parametrize(
    ("asked", "end"),
    [
        ("a search", "\nquit\n"),
        pytest.param("infinite", "", marks=pytest.mark.slow),
        pytest.param("a move", "\nquit", marks=pytest.mark.slow),
    ],
)
def test_with_an_empty_cache(asked: str, end: str, tmp_path: Path) -> None:
    words, answer = ASKED[asked]
    told = pipe(words + end, BOOMSLANG_CACHE_DIR=str(tmp_path), BOOMSLANG_READY_WITHIN="0.2")
    assert any(re.match(answer, line) for line in told)


@pytest.mark.parametrize("quits", [False, True])
@pytest.mark.parametrize("asked", ASKED)
def test_before_the_kernels_are_there(
    asked: str, quits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 0.2)
    words, answer = ASKED[asked]
    gui: Conversation
    front: UciLoop | CecpLoop
    if words.startswith("xboard"):
        gui = cecp = CecpConversation(threading.Event())
        front = cecp.reader
    else:
        gui = Conversation(gate=threading.Event())
        front = gui.loop
    gui.send(*words.split("\n"))
    if not quits:
        front.finish()
    front.leave()
    told = gui.rest()
    assert any(re.match(answer, line) for line in told), told
    assert sum(line.startswith("bestmove") for line in told) == words.count("go ")


@pytest.mark.parametrize("word", ["isready", "go depth 5", "go wtime 100 btime 100", "d"])
def test_quit_does_not_wait_for_kernels(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer does not wait for kernels any more, however long `isready` may wait for them."""
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 3600.0)
    gui = Conversation(gate=threading.Event())
    gui.send("uci", "d")
    gui.until("Checkers")  # what the board needs has been imported
    gui.send(word)
    started = time.monotonic()
    gui.loop.leave()
    assert time.monotonic() - started < ANSWER_TIMEOUT
    assert [line for line in gui.rest() if re.match("readyok|bestmove [a-h]|Legal moves", line)]


@pytest.mark.jit_only
@pytest.mark.skipif(not hasattr(select, "poll"), reason="the system does not tell who listens")
@pytest.mark.parametrize(
    ("busy", "cold"),
    [
        pytest.param("uci\nisready", True, marks=pytest.mark.slow),
        *(("uci\ngo depth 60", True), ("uci\ngo depth 60", False)),
        pytest.param("uci\neval\nbench 30", False, marks=pytest.mark.slow),
        *(("xboard\nst 100\ngo", False), ("uci\ngo perft 7\nquit", False)),
    ],
)
def test_a_killed_gui_leaves_no_process(busy: str, cold: bool, tmp_path: Path) -> None:
    variables = {"BOOMSLANG_READY_WITHIN": "600"}
    if cold:
        variables["BOOMSLANG_CACHE_DIR"] = str(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-m", "cli"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | variables,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(busy.encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline()  # Python has started
        time.sleep(0.5)
        children = children_of(process)
        process.stdin.close()
        process.stdout.close()
        try:
            assert process.wait(EXIT_TIMEOUT) == 0
        finally:
            process.kill()
        assert process.stderr.read() == b""
    wait_for_end(children)


@pytest.mark.jit_only
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
def test_compiling_processes_end_with_the_engine(tmp_path: Path) -> None:
    with UciProcess(BOOMSLANG_CACHE_DIR=str(tmp_path)) as engine:
        engine.send("uci")
        until = time.monotonic() + STARTUP
        while not (children := children_of(engine.process)) and time.monotonic() < until:
            time.sleep(0.05)
        assert children
        engine.send("go movetime 50")
        engine.until("bestmove")
        engine.process.kill()
        engine.wait()
    wait_for_end(children)
