"""Who thinks: plain Python until the kernels are there, or where they cannot be."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from engine.limits import Searcher
from tests.support.uci_conversation import Conversation
from tests.support.uci_rows import MATE_IN_ONE, START_MOVES
from uci.kernels import Kernels


def test_plain_python_plays_until_the_kernels_are_there() -> None:
    gate = threading.Event()
    gui = Conversation(gate=gate)
    gui.send(f"position fen {MATE_IN_ONE}", "d")
    gui.until("Fen")  # what the board needs has been imported
    gui.send("go movetime 400")
    assert gui.until("bestmove")[-1] == "bestmove a1a8"
    assert not gui.puppet.asked
    gate.set()
    gui.ask()
    gui.send("position startpos", "go depth 1")
    gui.until("bestmove")
    assert gui.puppet.asked


@pytest.mark.parametrize(
    ("said", "seconds"), [(None, 7.0), ("600", 600.0), ("0", 0.0), ("-1", 0.0), ("soon", 7.0)]
)
def test_who_starts_the_engine_says_how_long_isready_may_wait(
    said: str | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOOMSLANG_READY_WITHIN", raising=False)
    if said is not None:
        monkeypatch.setenv("BOOMSLANG_READY_WITHIN", said)
    kernels = Kernels(lambda line: None)
    first, later = kernels.patience(), kernels.patience()
    assert later <= first == pytest.approx(seconds)


def test_an_analysis_is_taken_over_by_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uci.kernels.READY_WITHIN", 0.0)
    gate = threading.Event()
    gui = Conversation(gate=gate)
    gui.send("go infinite")
    gui.until("info depth 2 ")
    gate.set()
    assert gui.puppet.at_work.wait(30)
    gui.send("stop")
    assert gui.until("bestmove")[-1] == f"bestmove {START_MOVES[0]}"
    assert gui.rest() == []


def test_only_the_word_infinite_holds_the_answer_of_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("uci.kernels.READY_WITHIN", 0.0)
    gate = threading.Event()
    gui = Conversation(gate=gate)
    for go in ("go", "go searchmoves a1a8"):
        gui.send(f"position fen {MATE_IN_ONE}", go)
        assert gui.until("bestmove")[-1] == "bestmove a1a8"
    gui.send(f"position fen {MATE_IN_ONE}", "go infinite")
    gui.until("info depth .* mate 1 ")
    gui.send("isready")
    assert not any(line.startswith("bestmove") for line in gui.until("readyok"))
    gui.send("stop")
    assert gui.until("bestmove")[-1] == "bestmove a1a8"
    assert not gui.puppet.asked
    gate.set()


@pytest.mark.parametrize("go", ["go", "go infinite"])
@pytest.mark.parametrize("late", [False, True])
def test_without_kernels_plain_python_thinks_on(
    go: str, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(progress: Callable[[int, int], None]) -> tuple[Searcher, str]:
        assert gate.wait(30)
        raise OSError("nothing works")

    monkeypatch.setattr("uci.kernels.READY_WITHIN", 0.0)
    gate = threading.Event()
    gui = Conversation(build)
    if late:
        gui.send(go)
        gui.until("info depth 1 ")
        gate.set()
        gui.until("info string error: no kernels")
    else:
        gate.set()
        assert gui.loop.kernels.wait(30)
        gui.send(go)
    gui.until("info depth 2 ")
    gui.send("isready")
    assert not any(line.startswith("bestmove") for line in gui.until("readyok"))
    gui.send("stop")
    assert gui.until("bestmove")[-1] != "bestmove (none)"
