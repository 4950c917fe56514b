"""Who thinks: plain Python until the kernels are there, or where they cannot be."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable

import pytest

from boomslang.engine.driver.loading import KernelLoader, LoadingProgress
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Limits
from boomslang.uci import parse
from tests.support.uci_conversation import Conversation, Puppet
from tests.support.uci_rows import MATE_IN_ONE


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


def count_waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds of every wait for kernels from now on."""
    waits: list[float] = []
    wait = KernelLoader.wait

    def count(
        self: KernelLoader, seconds: float | None = None, given_up: Callable[[], bool] = bool
    ) -> bool:
        assert seconds is not None
        waits.append(0.0 if given_up() else seconds)
        return wait(self, seconds, given_up)

    monkeypatch.setattr(KernelLoader, "wait", count)
    return waits


@pytest.mark.parametrize(
    "go",
    [
        "go wtime 4000 btime 4000",
        "go wtime 800 btime 800 winc 1000 binc 1000",
        "go wtime 500 btime 500 movestogo 1",
        "go movetime 100",
    ],
)
def test_the_wait_for_kernels_is_short_and_comes_once_a_game(
    go: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = parse.go(go.split()[1:]).share(True)
    assert share is not None
    gui = Conversation(gate=threading.Event())
    waits = count_waits(monkeypatch)
    for game in range(2):
        gui.send("ucinewgame")
        for number in range(3):
            waits.clear()
            gui.send("position startpos", go)
            gui.until("bestmove")
            if number:
                assert sum(waits) == 0, (game, number)
            else:
                assert 0 < sum(waits) <= share / 4 + 1e-6


def test_kernels_that_are_being_compiled_are_not_waited_for_on_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def build(progress: LoadingProgress) -> tuple[Searcher, str]:
        progress(0, 22)
        begun.set()
        assert gate.wait(30)
        raise OSError("nothing works")

    begun, gate = threading.Event(), threading.Event()
    gui = Conversation(build)
    gui.loop.kernels.start()
    assert begun.wait(30)
    gui.send("d")
    gui.until("Checkers")  # what the board needs has been imported
    waits = count_waits(monkeypatch)
    gui.send("go movetime 20000")
    gui.until("info depth 1 ")
    assert sum(waits) < 0.1  # one look; a second would have been waited
    gui.send("stop")
    gui.until("bestmove")
    gate.set()


@pytest.mark.parametrize(
    "go",
    ["go depth 40", "go nodes 1000000000", "go mate 20", "go movetime 60000", "go ponder movetime 9",
     "go wtime 900000 btime 900000", "go infinite"],
)  # fmt: skip
def test_kernels_that_come_in_time_have_the_rest_of_it(
    go: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 0.0)
    gate = threading.Event()
    gui = Conversation(gate=gate)
    gui.send("position startpos", go)
    gui.until("info depth 2 ")
    gate.set()
    assert gui.puppet.at_work.wait(30)
    gui.send("stop")
    gui.until("bestmove")
    assert len([line for line in gui.rest() if line.startswith("bestmove")]) == 0


def test_kernels_that_come_late_in_a_move_wait_for_the_next() -> None:
    search = SearchTask(Limits(movetime=1000), time.monotonic() - 0.6)
    plain, player = Puppet(), Puppet()
    search.attach(plain)
    search.preempt(plain, white=True)
    assert not search.preempted
    search = SearchTask(Limits(movetime=1000), time.monotonic())
    search.attach(plain)
    search.preempt(player, white=True)  # another one is at work
    assert not search.preempted
    search.preempt(plain, white=True)
    assert search.preempted


@pytest.mark.parametrize(
    "line",
    [
        "go wtime 1 btime 1",
        "go wtime 500 btime 500",
        "go wtime 20000 btime 20000",
        "go movetime 1",
        "go infinite\nstop",
        "go depth 2",
        "go ponder wtime 50 btime 50\nstop",
    ],
)
def test_no_move_without_a_search(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the biggest capture, which would be the first guess, hangs a knight."""
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 0.0)
    gui = Conversation(gate=threading.Event())
    gui.send("position startpos moves g1f3 b8c6 b1c3 g8f6", *line.split("\n"))
    told = gui.until("bestmove")
    assert told[-1].split()[1] not in ("f3e5", "f3d4", "c3d5", "c3b5")
    nodes = [int(found[1]) for text in told if (found := re.search(r" nodes (\d+)", text))]
    assert nodes and nodes[-1] > 1


def test_several_lines_before_the_kernels_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 0.0)
    gui = Conversation(gate=threading.Event())
    gui.send("setoption name MultiPV value 3", "position startpos", "go wtime 60000 btime 60000")
    told = gui.until("bestmove")
    last = [line.split() for line in told[-4:-1]]
    assert [words[words.index("multipv") + 1] for words in last] == ["1", "2", "3"]
    first = [words[words.index("pv") + 1] for words in last]
    assert len(set(first)) == 3 and told[-1].split()[1] == first[0]


def test_only_the_word_infinite_holds_the_answer_of_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 0.0)
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

    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 0.0)
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
    gui.until("info depth [2-9] ")
    gui.send("isready")
    assert not any(line.startswith("bestmove") for line in gui.until("readyok"))
    gui.send("stop")
    assert gui.until("bestmove")[-1] != "bestmove (none)"
