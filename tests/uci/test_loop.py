from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest

from boomslang.engine.driver.loading import KernelLoader, LateKernels
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.limits import Result
from tests.support.uci_conversation import Conversation, Puppet

FIRST = next(iter(chess.Board().legal_moves)).uci()
INFO = r"info depth 1 seldepth 1 multipv 1 score cp -?\d+ nodes \d+ nps \d+ hashfull 0 tbhits 0 time \d+ pv"


@pytest.fixture
def gui() -> Conversation:
    return Conversation()


@pytest.mark.parametrize("go", ["go", "go infinite", "go movetime 1000", "go wtime 9 btime 9"])
def test_stop_in_the_same_breath_as_go_is_not_lost(gui: Conversation, go: str) -> None:
    gui.send(go, "stop", "stop")
    gui.until("bestmove")
    assert gui.rest() == []


def test_ponderhit_makes_it_an_ordinary_search(gui: Conversation) -> None:
    gui.send("go ponder movetime 1000")
    assert gui.puppet.at_work.wait(30)
    gui.send("ponderhit", "ponderhit")
    gui.until("bestmove")
    assert gui.puppet.asked[0].ponder
    assert gui.puppet.calls.count("ponderhit") == 1


def test_ponderhit_after_the_search_has_ended_releases_the_answer(gui: Conversation) -> None:
    gui.send("go ponder depth 1")
    gui.until(INFO)
    gui.send("ponderhit")
    gui.until("bestmove")


def test_ponderhit_before_the_search_begins_is_not_lost() -> None:
    gate = threading.Event()
    gui = Conversation(gate=gate)
    gui.send("isready", "go ponder depth 1", "ponderhit")
    gate.set()
    gui.until("bestmove")
    assert not gui.puppet.asked[0].ponder


def test_time_counts_from_readyok_if_that_was_still_to_come() -> None:
    gate = threading.Event()
    gui = Conversation(gate=gate)
    gui.send("isready", "go depth 1")
    opened = time.monotonic()
    gate.set()
    gui.until("bestmove")
    gui.send("go depth 1")
    sent = time.monotonic()
    gui.until("bestmove")
    first, second = gui.puppet.started
    assert first and second and opened < first < second < sent


def test_options_wait_for_the_end_of_the_search(gui: Conversation) -> None:
    gui.send("isready", "go infinite", "setoption name Hash value 32")
    assert gui.puppet.at_work.wait(30)
    gui.send("isready")
    assert "set_hash 32" not in gui.puppet.calls
    gui.send("stop")
    gui.until("bestmove")
    gui.rest()
    assert gui.puppet.calls[-1] == "set_hash 32"


def test_what_follows_an_answer_at_once_is_answered_before_readyok(
    gui: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = gui.loop.output.line

    def line_and_reply(text: str) -> None:
        line(text)
        if text.startswith("bestmove"):
            gui.send("d", "isready")

    monkeypatch.setattr(gui.loop.output, "line", line_and_reply)
    gui.send("go depth 1")
    assert any(answer.startswith("Fen: ") for answer in gui.until("readyok"))


@pytest.mark.parametrize("ending", ["stop", "quit"])
def test_a_wait_for_the_kernels_of_tables_ends_by_command(
    gui: Conversation, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait, is_waiting = Tablebase.wait, threading.Event()

    def noted(tables: Tablebase, *arguments: Any) -> None:
        is_waiting.set()
        wait(tables, *arguments)

    monkeypatch.setattr(Tablebase, "wait", noted)
    monkeypatch.setattr(Tablebase, "load", lambda tables, aside: None)  # they take for ever
    monkeypatch.setenv("BOOMSLANG_READY_WITHIN", "600")
    (tmp_path / "KQvK.rtbw").touch()
    assert gui.loop.kernels.wait(30)
    gui.send(f"setoption name SyzygyPath value {tmp_path}", "go infinite")
    assert is_waiting.wait(30)
    if ending == "stop":
        gui.send("stop")
        gui.until("bestmove")
        gui.send("isready")
    gui.loop.leave()
    gui.until("readyok" if ending == "stop" else "bestmove")


@pytest.mark.parametrize("command", ["position startpos", "ucinewgame"])
def test_other_commands_end_the_search_first(gui: Conversation, command: str) -> None:
    gui.send("go infinite", command, "isready")
    assert any(line.startswith("bestmove") for line in gui.until("readyok"))


def test_many_commands_in_a_search_give_one_answer_each(gui: Conversation) -> None:
    gui.send("go infinite", "ponderhit", "isready")
    assert gui.until("readyok") == ["readyok"]
    gui.send("isready", "position startpos moves e2e4", "setoption name Hash value 4")
    gui.send("ucinewgame", "isready", "stop", "go depth 1", "go infinite", "position startpos")
    lines = gui.rest()
    assert sum(line.startswith("bestmove") for line in lines) == 3
    assert lines.count("readyok") == 2


def test_a_position_line_that_is_too_long_is_refused(gui: Conversation) -> None:
    gui.loop.execute(b"position startpos moves e2e4", whole=False)
    gui.send("go depth 1")
    assert gui.until("bestmove")[-1] == "bestmove (none)"


def test_options_set_before_the_kernels_are_there_are_remembered() -> None:
    gate = threading.Event()
    gui = Conversation(gate=gate)
    gui.send("setoption name hash value 64", "setoption name Move  Overhead value 7")
    assert gui.rest() == []
    gate.set()
    assert gui.ask("setoption name Threads value 4") == ["info string 2 threads will do"]
    assert gui.puppet.calls == ["set_hash 64", "set_threads 4"]
    gui.send("go depth 1")
    gui.until("bestmove")
    assert gui.puppet.asked[0].overhead == 7


def test_chess960_changes_the_spelling_also_of_the_position_on_the_board(gui: Conversation) -> None:
    gui.puppet.answers = lambda board: Result(
        next(move for move in board.legal_moves if board.is_castling(move)), None
    )
    gui.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "go depth 1")
    assert gui.until("bestmove")[-1] == "bestmove e1g1"
    gui.send("setoption name UCI_Chess960 value true", "go depth 1")
    assert gui.until("bestmove")[-1] == "bestmove e1h1"


def test_a_score_precedes_every_bestmove(gui: Conversation) -> None:
    gui.puppet.answers = lambda board: Result(next(iter(board.legal_moves)), None)
    gui.send("go depth 1")
    assert gui.until("bestmove")[-2].endswith(f"pv {FIRST}")


@pytest.mark.parametrize(
    "fault",
    [ValueError("a\nbestmove a1a1"), Result(None, None), Result(chess.Move.from_uci("e2e5"), None)],
    ids=["an exception", "no move", "an illegal move"],
)
def test_a_search_that_fails_is_replaced(gui: Conversation, fault: Exception | Result) -> None:
    if isinstance(fault, Result):
        gui.puppet.answers = lambda board: fault
    else:
        gui.puppet.problem = fault
    gui.send("position startpos", "isready", "go depth 1")
    lines = gui.until("bestmove")
    assert lines[1].startswith("info string error: the search ")
    assert chess.Move.from_uci(lines[-1].split()[1]) in chess.Board().legal_moves


def test_without_kernels_plain_python_plays_and_says_so_once() -> None:
    def fail(progress: Callable[[int, int], None]) -> tuple[Any, str]:
        raise RuntimeError("no compiler")

    gui = Conversation(fail)
    (told,) = gui.ask()
    assert told.startswith("info string error: no kernels, plain Python plays on: RuntimeError")
    assert "'no compiler'" in told
    gui.send("go depth 2", "isready", "go perft 1")
    assert sum("no compiler" in line for line in gui.rest()) == 1  # only `go perft` again


def test_a_remark_about_the_cache_is_passed_on() -> None:
    gui = Conversation(remark="kernel cache not used: no home")
    assert gui.ask() == ["info string kernel cache not used: no home"]
    assert gui.ask() == []


def test_compiling_is_reported_only_after_uci(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0.0, 1.5)
    monkeypatch.setattr("boomslang.engine.driver.loading.time.monotonic", lambda: next(clock))
    half, greeted = threading.Event(), threading.Event()

    def build(progress: Callable[[int, int], None]) -> tuple[Any, str]:
        for done in range(4):
            progress(done, 8)
        half.set()
        assert greeted.wait(30)
        for done in range(4, 8):
            progress(done, 8)
        return Puppet(), ""

    gui = Conversation()
    kernels = KernelLoader(gui.loop.compiling, build)
    kernels.start()
    assert half.wait(30)
    assert gui.rest() == []
    gui.send("uci")
    gui.until("uciok")
    greeted.set()
    assert kernels.wait(30)
    lines = gui.rest()
    assert lines and all(line.startswith("info string getting ready") for line in lines)


def test_compiling_is_reported_to_those_who_leave_out_uci() -> None:
    gui = Conversation()
    gui.loop.compiling("too early")
    gui.ask("position startpos")
    gui.loop.compiling("in time")
    assert gui.rest() == ["info string in time"]


def test_the_algorithm_changes_when_its_kernels_are_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled = threading.Event()

    def build(self: LateKernels, progress: Callable[[int, int], None]) -> tuple[None, str]:
        progress(25, 28)
        assert compiled.wait(30)
        return None, ""

    monkeypatch.setenv("BOOMSLANG_READY_WITHIN", "0")
    monkeypatch.setattr(LateKernels, "_build_more", build)
    gui = Conversation()
    gui.ask()
    told = gui.ask("setoption name Search Algorithm value mcts")
    assert "info string getting ready, slow at the first start only: 25 of 28 kernels" in told
    assert "info string Monte Carlo tree search is not ready, alpha-beta plays until it is" in told
    gui.send("go depth 1")
    assert gui.until("bestmove")
    assert "set_algorithm mcts" not in gui.puppet.calls
    compiled.set()
    assert gui.loop._on_thread._engine._mcts.wait(30)
    gui.send("go depth 1")
    assert "info string getting ready, done" in "".join(gui.until("bestmove"))
    assert gui.puppet.calls[-3:] == ["set_algorithm mcts", "arm", "search"]
    assert gui.ask("setoption name Search Algorithm value alphabeta") == []
    assert gui.puppet.calls[-1] == "set_algorithm alphabeta"


def test_quit_ends_the_loop_and_the_search(gui: Conversation) -> None:
    gui.say_all("uci", "go infinite", "quit", "d")
    said = gui.rest()
    assert "uciok" in said
    assert sum(line.startswith("bestmove") for line in said) == 1
    assert not any(line.startswith("Fen") for line in said)


def test_options_of_the_other_protocol_are_unknown() -> None:
    gui = Conversation()
    told = gui.ask("uci", "setoption name Resign Below value 100")
    assert told[-1] == "info string error: unknown option 'Resign Below'"
    assert not any("Resign" in line for line in told[:-1])
