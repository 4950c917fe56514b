"""What the server of the board tells about the first start."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from boomslang.cli.play.board import compiling
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.server import Server
from boomslang.cli.play.board.web_game import WebGame
from tests.support.process import run_python

COLD = "0 28\n12 28\n28 28\n"
STATES = [(0, 28), (12, 28), (28, 28), (0, 0)]  # compiled; or given up


def told(code: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    heard: list[tuple[int, int]] = []
    monkeypatch.setattr(compiling, "command", lambda *modules: [sys.executable, "-c", code])
    asyncio.run(compiling.compile_kernels(lambda *state: heard.append(state)))
    return heard


@pytest.mark.parametrize(
    ("said", "status", "heard"),
    [
        (COLD, 0, [(0, 28), (12, 28), (28, 28)]),
        (COLD, 1, [(0, 28), (12, 28), (0, 0)]),  # they cannot be kept: each engine compiles
        ("", 0, []),
        ("", 3, []),
    ],
)
def test_the_progress_is_heard(
    said: str, status: int, heard: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    code = f"print({said!r}, end='', flush=True); raise SystemExit({status})"
    assert told(code, monkeypatch) == heard


def test_a_command_that_does_not_start_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "command", lambda *modules: ["/nowhere"])
    asyncio.run(compiling.compile_kernels(lambda *state: None))


@pytest.mark.jit_only
@pytest.mark.parametrize("tables", ["", "/tables"])
def test_only_what_a_board_needs_is_compiled(tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def note(*modules: str) -> list[str]:
        asked.extend(modules)
        return ["/nowhere"]

    monkeypatch.setattr(compiling, "command", note)
    asyncio.run(compiling.compile_kernels(lambda *state: None, tables))
    code = (
        "import sys; from boomslang.engine.driver.precompiling import import_kernels; "
        "import_kernels(*sys.argv[1:]); from boomslang.core.jit import jit; print(*jit.kernel_names())"
    )
    names = run_python("-P", "-c", code, *asked).stdout
    assert "negamax" in names and "network.trace" in names and "classical.trace" in names
    assert "mcts" not in names and ("tablebases" in names) == bool(tables)


def test_compiling_ends_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import os, time; print(os.getpid(), 0, flush=True); time.sleep(600)"
    monkeypatch.setattr(compiling, "command", lambda *modules: [sys.executable, "-c", code])

    async def begin_and_cancel() -> int:
        heard: asyncio.Queue[int] = asyncio.Queue()
        task = asyncio.create_task(
            compiling.compile_kernels(lambda done, total: heard.put_nowait(done))
        )
        pid = await heard.get()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return pid

    with pytest.raises(ProcessLookupError):
        os.kill(asyncio.run(begin_and_cancel()), 0)


def test_pages_and_terminal_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    async def serve() -> list[object]:
        server = Server("127.0.0.1", WebGame)
        outbox = Outbox()
        server._outboxes.add(outbox)
        tell = compiling.on_terminal(server.tell_compiling)
        seen: list[object] = []
        for state in STATES:
            tell(*state)
            seen += await outbox.take()
            assert (server._compiling is None) == (state[0] == state[1])  # for later pages
        await server.close()
        return seen

    seen = asyncio.run(serve())
    assert seen == [{"is": "compiling", "done": done, "total": total} for done, total in STATES]
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("Compiling kernels: 0 of 28; until then a simple search plays")
    assert last == "The kernels are compiled: full strength from now on."
