"""Who judges, as a GUI meets it: the options EvalFile and Evaluation, and `eval`."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from boomslang.engine.driver.loading import Build, LoadingProgress, build_searcher
from boomslang.engine.driver.searcher import Searcher
from boomslang.eval.network.file import write
from tests.support.networks import random_network
from tests.support.process import UciProcess
from tests.support.uci_conversation import Conversation

pytestmark = pytest.mark.jit_only

OF_NETWORK = "What each piece is worth to the network"
OF_TERMS = "Term "
ERROR = "info string error: "
FINAL = r"Final evaluation       ([+-]\d+\.\d\d) \(white side\)$"


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may need more than the seven seconds of `isready`; `eval` is not plain Python's."""
    monkeypatch.setenv("BOOMSLANG_READY_WITHIN", "100")


@pytest.fixture
def engine(live: UciProcess) -> Iterator[UciProcess]:
    """The warm engine, which gets its usual evaluation back in the end."""
    yield live
    live.send("setoption name EvalFile value <empty>", "setoption name Evaluation value network")
    live.ready()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other network.net"
    write(path, random_network(7), {})
    return path


def set_option(engine: UciProcess, rest: str) -> list[str]:
    """What is said to an option."""
    engine.send("position startpos", f"setoption name {rest}")  # after which a search is no more
    return engine.ready()[:-1]


def test_a_bench_evaluates_as_the_options_say(engine: UciProcess, other: Path) -> None:
    def bench() -> str:
        engine.send("bench 1 1 3")
        lines = engine.until("Nodes/second")
        return next(line for line in lines if line.startswith("Nodes searched"))

    shipped = bench()
    set_option(engine, f"EvalFile value {other}")
    random = bench()
    set_option(engine, "Evaluation value classical")
    classical = bench()
    assert len({shipped, random, classical}) == 3
    set_option(engine, "Evaluation value network")
    other.unlink()  # it is in memory
    assert bench() == random


def test_the_evaluation_is_printed_in_parts(engine: UciProcess) -> None:
    for command, first in (("eval", OF_NETWORK), ("eval classical", OF_TERMS)):
        engine.send(command)
        *lines, last, empty, _ = engine.ready()
        assert lines[0].startswith(first) and re.match(FINAL, last)
        assert empty == ""  # as after Stockfish's
    engine.send("setoption name Evaluation value classical", "eval")
    assert engine.ready()[0].startswith(OF_TERMS)
    engine.send("eval everything")
    assert "eval: nothing may follow" in engine.until(ERROR)[-1]
    assert engine.ready() == ["Final evaluation: none", "", "readyok"]
    engine.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "eval")
    assert engine.ready() == ["Final evaluation: none (in check)", "readyok"]


def gated(gate: threading.Event) -> Build:
    """The real engine, but not before the gate opens."""

    def build(progress: LoadingProgress) -> tuple[Searcher, str]:
        assert gate.wait(60)
        return build_searcher(progress)

    return build


def test_options_that_come_before_the_kernels(other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 0.0)
    gate = threading.Event()
    gui = Conversation(gated(gate))
    gui.send(f"setoption name EvalFile value {other.with_name('none')}")
    gui.send("setoption name Evaluation value classical")
    gui.send(f"setoption name EvalFile value {other}", "position startpos")
    assert gui.ask() == []
    gate.set()
    assert gui.loop.kernels.wait(60)
    told = gui.ask()
    refused, taken = told
    assert refused.startswith(f"{ERROR}no other network") and taken.startswith(
        "info string network '"
    )
    assert gui.ask("eval")[0].startswith(OF_TERMS)
    assert gui.ask("setoption name Evaluation value network", "eval")[0].startswith(OF_NETWORK)


def test_a_bad_file_before_the_kernels_leaves_the_one_before_it(
    other: Path, tmp_path: Path
) -> None:
    gate = threading.Event()
    gui = Conversation(gated(gate))
    gui.send(f"setoption name EvalFile value {other}", f"setoption name EvalFile value {tmp_path}")
    gate.set()
    taken, refused = gui.ask("position startpos")
    assert taken.startswith("info string network '")
    assert refused.startswith(ERROR) and refused.endswith("the network in use stays")
    engine = gui.loop._on_thread._engine
    assert engine.value_of("EvalFile") == str(other)
    assert gui.ask(f"setoption name EvalFile value {other}") == []  # no other than that in use


@pytest.mark.usefixtures("patient")
def test_a_broken_installation_is_reported_once(broken_installation: Path) -> None:
    gui = Conversation(build_searcher)
    told = gui.ask("position startpos")
    assert len(told) == 1 and told[0].startswith(ERROR)
    assert told[0].endswith("cut.net' is damaged; the classical evaluation is used")
    gui.send("go depth 5")
    lines = gui.until("bestmove ") + gui.ask("eval")
    assert any(line.startswith("bestmove ") for line in lines)
    assert not any(line.startswith(ERROR) for line in lines)
    assert any(line.startswith(OF_TERMS) for line in lines)
    assert gui.ask("ucinewgame") == []
