"""Threads around a search: what waits for its end, what is refused inside it, and that none is left."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from boomslang.core.jit import jit
from boomslang.core.system.threads import SOON
from boomslang.engine import bridge
from boomslang.engine.driver import alphabeta
from boomslang.engine.driver.loading import KernelLoader
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.engine import Engine
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Info, Limits, Result
from boomslang.engine.search.deepening import deepen
from boomslang.engine.search.parallel import HelperThreads
from tests.support.syzygy import FOLDERS
from tests.support.uci_conversation import Puppet

FEN = "8/1k6/2p5/3r4/8/3B1P2/4P3/4K3 w - - 0 1"
PATH = ";".join(map(str, FOLDERS))

pytestmark = pytest.mark.jit_only


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(lambda remark: None, Hash=1, Threads=2, SyzygyPath=PATH) as engine:
        engine.set_position(FEN)
        yield engine


class Searching:
    """A search without a limit on another thread, from its first line on."""

    def __init__(self, engine: Engine, act: Callable[[], object] = lambda: None) -> None:
        self.result: Result | None = None
        self._act = act
        self._engine = engine
        self._begun = threading.Event()
        self.thread = threading.Thread(target=self._search, daemon=True)
        self.thread.start()
        assert self._begun.wait(60)

    def _search(self) -> None:
        self.result = self._engine.go(Limits(infinite=True), self._listen)

    def _listen(self, info: Info) -> None:
        if not self._begun.is_set():
            self._begun.set()
            self._act()


def helpers() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("search ")]


def test_what_an_evaluation_needs_is_loaded_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.evaluate()
    loads: list[object] = []
    monkeypatch.setattr(jit, "load_kernels", loads.append)
    assert engine.evaluate() and not loads


def test_closing_ends_the_search_first(engine: Engine) -> None:
    searching = Searching(engine)
    engine.close()
    assert engine.tablebase.files is None and not helpers()
    searching.thread.join(60)
    assert searching.result and searching.result.best


def test_closing_in_a_listener_ends_the_search(engine: Engine) -> None:
    searching = Searching(engine, engine.close)
    searching.thread.join(60)
    assert searching.result and searching.result.best and not helpers()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_process_forked_during_a_search_is_told_so(engine: Engine) -> None:
    """Its copy of the engine waits for a thread that only the parent has."""
    searching = Searching(engine)
    child = os.fork()
    if not child:
        told = 1
        try:
            with engine:
                engine.go(Limits(depth=1))
        except CommandError as problem:
            engine.close()
            told = 0 if "forked" in str(problem) else 2
        finally:
            os._exit(told)
    assert os.waitpid(child, 0)[1] == 0
    engine.stop()
    searching.thread.join()
    assert engine.go(Limits(depth=1)).best


@pytest.mark.parametrize("name", ["SyzygyPath", "Threads", "EvalFile"])
def test_options_wait_for_the_end_of_a_search(engine: Engine, name: str) -> None:
    searching = Searching(engine)
    setting = threading.Thread(target=engine.set_option, args=(name, 1 * (name == "Threads") or ""))
    setting.start()
    setting.join(0.1)
    assert setting.is_alive() and searching.thread.is_alive()
    engine.stop()
    setting.join(60)
    searching.thread.join(60)
    assert not setting.is_alive() and searching.result


@pytest.mark.parametrize(
    "act",
    [
        lambda engine: engine.set_option("SyzygyPath", ""),
        lambda engine: engine.set_option("Hash", 2),
        lambda engine: engine.go(Limits(depth=1)),
        lambda engine: engine.evaluate(),
        lambda engine: engine.new_game(),
    ],
)
def test_a_listener_is_refused_what_must_wait(
    engine: Engine, act: Callable[[Engine], object]
) -> None:
    with pytest.raises(CommandError, match="in on_info"):
        engine.go(Limits(depth=5), lambda info: (act(engine), None)[1])
    assert engine.go(Limits(depth=2)).best


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_an_interrupt_ends_a_kernel_too(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[bool] = []

    def deaf(search: Any, *others: Any) -> Iterator[Any]:
        """Hears no signal in its last step, unless that is done on the main thread."""
        deeper = deepen(search, *others)
        yield next(deeper)
        time.sleep(2 * SOON)
        yield next(deeper)
        os.kill(os.getpid(), signal.SIGINT)
        until = time.monotonic() + 60
        while not search.stop and time.monotonic() < until:
            time.sleep(0.001)
        stopped.append(bool(search.stop))

    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        context.setattr(alphabeta, "deepen", deaf)
        engine.go(Limits(infinite=True))
    assert stopped == [True] and not helpers()
    assert engine.go(Limits(depth=2)).best


def test_an_interrupt_while_helpers_end_leaves_none(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, stopped = HelperThreads.stop, 0

    def interrupted(self: HelperThreads) -> object:
        nonlocal stopped
        stopped += 1
        if stopped == 1:  # a second Ctrl-C, before anything has been ended
            raise KeyboardInterrupt
        return stop(self)

    def interrupt(info: Info) -> None:
        assert helpers()
        raise KeyboardInterrupt

    monkeypatch.setattr(HelperThreads, "stop", interrupted)
    with pytest.raises(KeyboardInterrupt):
        engine.go(Limits(infinite=True), interrupt)
    assert not helpers()


def test_an_interrupt_while_helpers_begin_leaves_none(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def interrupted(self: threading.Thread) -> None:
        if not self.name.startswith("search "):
            start(self)
            return
        with monkeypatch.context() as context:  # the thread runs, but is not waited for

            def interrupt(*waited: object) -> bool:
                raise KeyboardInterrupt

            context.setattr(vars(self)["_started"], "wait", interrupt)
            start(self)

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        engine.go(Limits(infinite=True))
    assert not helpers()


@pytest.mark.parametrize("comes", [True, False])
def test_isready_waits_for_the_kernels_of_tables_within_its_bound(
    comes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "KQvK.rtbw").touch()
    gate = threading.Event()

    def load(self: Tablebase, aside: bool = False) -> None:
        if aside:
            threading.Thread(target=load, args=(self,)).start()
            return
        assert gate.wait(60)
        self._ended.set()

    monkeypatch.setattr(Tablebase, "load", load)
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 60.0 if comes else 0.1)
    monkeypatch.setattr("boomslang.engine.engine._TABLES_TIMEOUT", 0.1)
    said: list[str] = []
    puppet: Any = Puppet()
    loader = KernelLoader(said.append, lambda progress: (puppet, ""), is_own_process=False)
    engine = Engine(said.append, loader)
    engine.wait_for_kernels()
    engine.set_option("SyzygyPath", str(tmp_path))
    if comes:
        threading.Timer(0.3, gate.set).start()
    engine.get_ready()
    assert gate.is_set() == comes
    search = bridge.new_search()
    engine.tablebase.attach(chess.Board(FEN), Limits(), search)
    engine.tablebase.detach(search)
    assert any("goes without tables" in line for line in said) != comes
    gate.set()


def test_kernels_come_into_use_between_searches_whoever_waits_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("boomslang.engine.driver.loading.READY_TIMEOUT", 0.1)
    gate, inside, leave = threading.Event(), threading.Event(), threading.Event()
    puppet: Any = Puppet()

    def build(progress: object) -> tuple[Any, str]:
        assert gate.wait(60)
        return puppet, ""

    def listen(info: Info) -> None:
        inside.set()
        assert leave.wait(60)

    loader = KernelLoader(lambda text: None, build, is_own_process=False)
    with Engine(lambda remark: None, loader) as engine:
        engine.set_option("Hash", 5)
        search = threading.Thread(target=engine.go, args=(Limits(depth=1), listen))
        search.start()
        assert inside.wait(60)
        waiting = [
            threading.Thread(target=engine.evaluate),
            threading.Thread(target=engine.get_ready),
        ]
        for thread in waiting:
            thread.start()
        gate.set()
        assert loader.wait(60)
        for thread in waiting:
            thread.join(0.2)  # a search of plain Python is at work
        assert not puppet.calls and all(thread.is_alive() for thread in waiting)
        leave.set()
        for thread in [search, *waiting]:
            thread.join(60)
        assert puppet.calls.count("set_hash 5") == 1


def test_that_there_are_no_kernels_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(progress: object) -> tuple[None, str]:
        raise OSError("nothing works")

    said: list[str] = []
    loader = KernelLoader(said.append, build, is_own_process=False)
    meeting = threading.Barrier(2)
    engine = Engine(said.append, loader)
    assert loader.wait(60)
    wait = loader.wait

    def meet(seconds: float | None = None, *given_up: Callable[[], bool]) -> bool:
        """Two threads see at once that the kernels are due, if they may."""
        with contextlib.suppress(threading.BrokenBarrierError):
            meeting.wait(0.2)
        return wait(seconds, *given_up)

    monkeypatch.setattr(loader, "wait", meet)
    task = SearchTask(Limits(depth=1), 0.0)
    threads = [
        threading.Thread(target=engine.get_ready),
        threading.Thread(target=engine._preempt, args=(task, chess.WHITE)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    engine.go(Limits(depth=1))
    assert sum("no kernels" in line for line in said) == 1


def test_tables_that_are_opened_while_others_end_are_waited_for(tmp_path: Path) -> None:
    (tmp_path / "KQvK.rtbw").touch()
    said: list[str] = []
    tables = Tablebase(said.append)

    class Late(threading.Event):
        """What the call for earlier tables tells comes when others have just been opened."""

        def set(self) -> None:
            if not tables.files:
                tables.open(str(tmp_path))
            super().set()

    tables._ended = Late()
    tables.open(str(tmp_path))
    tables.open("")
    tables.load()  # that of the first tables
    if not tables.files:
        tables.open(str(tmp_path))
    search = bridge.new_search()
    tables.attach(chess.Board(FEN), Limits(), search)
    tables.detach(search)
    assert any("goes without tables" in line for line in said)
    tables.load()
    tables.wait(60)
    assert tables.piece_count
