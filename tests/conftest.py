"""What all tests share: the kernels, and the markers' meaning."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from boomslang.engine.search_settings import WorkSettings
from tests.support.process import STARTUP, UciProcess
from tests.support.uci_rows import START_MOVES

# The first example may compile something, and machines are busy: no deadline for one example.
settings.register_profile("few", deadline=None, max_examples=25)
settings.register_profile("many", deadline=None)

WITHOUT_JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def pytest_configure(config: pytest.Config) -> None:
    """Many examples with the long tests only; with the JIT off, NumPy need not warn of an overflow."""
    settings.load_profile("few" if config.option.markexpr.startswith("not slow") else "many")
    if WITHOUT_JIT:
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered:RuntimeWarning")
        os.environ["PYTHONWARNINGS"] = "ignore:overflow encountered:RuntimeWarning"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Load the kernels for tests marked `jit_only`; with the JIT off, skip these, which would take hours."""
    for item in items:
        if "jit_only" in item.keywords:
            if WITHOUT_JIT:
                item.add_marker(pytest.mark.skip(reason="needs compiled kernels"))
            elif isinstance(item, pytest.Function):
                item.fixturenames.insert(0, "kernels")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test may be a coroutine, which gets an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(scope="session")
def kernels() -> None:
    """Every kernel of play, compiled or loaded from the cache once per run."""
    import boomslang.engine.driver.mcts
    import boomslang.eval.classical.trace
    import boomslang.eval.network.trace
    import boomslang.perft.count  # noqa: F401
    from boomslang.engine.driver.searcher import load

    load(None)


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is done in the process of the test, unless it asks for more: others take seconds to start."""
    monkeypatch.setattr(WorkSettings, "count", lambda self, threads=1: self.jobs or 1)


@pytest.fixture
def broken_installation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The network that ships is cut; where it lies."""
    from boomslang.eval.network import file

    path = tmp_path / "cut.net"
    path.write_bytes(file.SHIPPED.read_bytes()[:5000])
    monkeypatch.setattr(file, "SHIPPED", path)
    file.load_shipped.cache_clear()
    yield path
    file.load_shipped.cache_clear()


@pytest.fixture
def shared_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the JIT off, one set of attack tables for all tests: filling them takes seconds there."""
    if WITHOUT_JIT:
        from boomslang.engine import bridge
        from tests.support.oracle import rules

        tables = rules()
        monkeypatch.setattr(bridge, "new_rules", lambda *_: tables)


@pytest.fixture(scope="session")
def warm_uci() -> Iterator[UciProcess]:
    """One engine process for all tests of the protocol that leave it as it was."""
    with UciProcess(BOOMSLANG_READY_WITHIN=str(STARTUP)) as engine:
        engine.send("uci")
        engine.until("uciok$")
        engine.ready(2 * STARTUP)
        yield engine
        engine.send("quit")
        assert engine.wait() == 0
        assert engine.errors() == ""


@pytest.fixture
def live(warm_uci: UciProcess) -> Iterator[UciProcess]:
    """The same in a new game; afterwards nothing may be left over, and it still plays."""
    warm_uci.send("debug off", "ucinewgame", "position startpos")
    warm_uci.ready()
    yield warm_uci
    for line in ("Search Algorithm value alphabeta", "Debug Log File value "):
        warm_uci.send(f"setoption name {line}")
    warm_uci.send("stop", "position startpos")
    left = [line for line in warm_uci.ready() if line and not line.startswith("info")]
    assert left == ["readyok"]
    assert warm_uci.best("go depth 1") in START_MOVES
