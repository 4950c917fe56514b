"""Other engines as processes: how they start and search, and what becomes of those that fail."""

from __future__ import annotations

import asyncio
import gc
import itertools
import logging
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import chess
import chess.engine
import pytest

from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.other_engines import engine_process
from boomslang.engine.other_engines.engine_connection import (
    EngineCommand,
    EngineMoveError,
    EngineProcessError,
    EngineSilentError,
    handle_engine_errors,
)
from boomslang.engine.other_engines.engine_process import EngineProcess, own_engine
from tests.support.process import living
from tests.support.real_engines import real_engine

Result = TypeVar("Result")

# Answers as its manners say; each start adds a line to a file beside it.
UCI_ENGINE = """\
import os, subprocess, sys, time
with open(__file__ + ".starts", "a") as file:
    print(os.getpid(), file=file)
starts = len(open(__file__ + ".starts").readlines())
print("some remark", file=sys.stderr, flush=True)
def go(): GO
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        UCI
        print("option name Hash type spin default 1 min 1 max 64")
        print("option name File type string default\\noption name Odd type check default true\\nuciok")
    elif word == "isready":
        READY
    elif word == "setoption":
        print("info string", "error:" if "nosuch" in line else "", line.strip())
    elif word == "go":
        go()
    elif word == "quit":
        break
    sys.stdout.flush()
"""
ENDLESS = Limits(infinite=True)
GOOD = 'print("info depth 2 nodes 9 score cp 7 pv g1f3 e7e5\\nbestmove g1f3")'
CECP_ENGINE = """\
import sys
fed = False
for line in sys.stdin:
    word, *rest = line.split()
    if word == "protover":
        print('feature ping=1 setboard=SETBOARD usermove=1 myname="Old One" memory=1 done=1')
    elif word == "ping":
        print("pong", *rest)
    elif word == "analyze":
        for depth in range(1, 20):
            print(depth, 10 * depth, 1, 100 * depth, "e2e4 e7e5")
    elif word == "go":
        print("3 15 1 100 d2d4")
        print("White (1) : My move is : d2d4" if SETBOARD else "move d2d4")
    print(word, *rest, file=sys.stderr, flush=True)
    sys.stdout.flush()
"""


def uci_engine(
    folder: Path,
    go: str = GOOD,
    options: Mapping[str, str] | None = None,
    ready: str = 'print("readyok")',
    uci: str = "pass",
) -> EngineCommand:
    script = folder / "engine.py"
    text = UCI_ENGINE.replace("GO", go).replace("READY", ready).replace("UCI", uci)
    script.write_text(text, "utf-8")
    return EngineCommand((sys.executable, str(script)), options or {})


def using(process: EngineProcess, work: Callable[[], Awaitable[Result]]) -> Result:
    async def use() -> Result:
        try:
            async with asyncio.timeout(60):
                return await work()
        finally:
            await process.close()

    return asyncio.run(use())


def searched(process: EngineProcess, limit: Limits, **given: Any) -> tuple[Any, list[Info]]:
    heard: list[Info] = []
    board = given.pop("board", chess.Board())
    move = using(process, lambda: process.search(board, limit, heard.append, **given))
    return move, heard


def test_options_are_set_and_lines_are_received(tmp_path: Path) -> None:
    process = EngineProcess(
        uci_engine(tmp_path, options={"hash": "2", "odd": "False"}), {"Hash": 9, "Threads": 9}
    )

    async def work() -> tuple[Any, Any]:
        protocol: Any = await process.start()
        answer = await process.play(chess.Board(), Limits(nodes=1))
        size = protocol.target_config["hash"]
        assert protocol.config["Odd"] is False
        # More than it takes, and a line more than it can show.
        await process.search(
            chess.Board(), Limits(nodes=1, multipv=2), lambda _: None, options={"Hash": 999}
        )
        return answer, (size, protocol.config["Hash"])

    answer, sizes = using(process, work)
    assert answer.best.uci() == "g1f3" and sizes == ("2", 64)
    assert answer.info.score.centipawns == 7 and answer.info.depth == 2


@pytest.mark.parametrize("options", [{}, {"Hash": "2"}, {"File": "there"}])
def test_an_error_of_the_start_is_no_refused_option(
    options: dict[str, str], tmp_path: Path
) -> None:
    start = 'print("info string error: no book, playing without")'
    process = EngineProcess(uci_engine(tmp_path, uci=start, options=options))
    assert searched(process, Limits(nodes=1))[0].uci() == "g1f3"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"Elo": "1"}, "has no option 'Elo'; its options: Hash"),
        ({"File": "nosuch"}, "cannot start .*: error: setoption name File value nosuch"),
        ({"Hash": "x"}, "cannot set 'Hash' of .*expected integer"),
        ({"Hash": "65"}, "cannot set 'Hash' of .*at most 64"),
        ({"Odd": "no"}, "cannot set 'Odd' of .*expected true or false .*, got: 'no'"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, str], told: str, tmp_path: Path) -> None:
    process = EngineProcess(uci_engine(tmp_path, options=options))
    with pytest.raises(EngineProcessError, match=told):
        using(process, process.start)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["./nothere"], "cannot start './nothere': there is no such file"),
        (
            [
                sys.executable,
                "-c",
                "while True: print('Error (unknown command):', input(), flush=True)",
            ],
            "cannot start .*: it answers nonsense .*unknown command",
        ),
        ([sys.executable, "-c", "pass"], "it has ended without an answer to uci"),
        (
            [sys.executable, "-c", "import sys; sys.exit('no licence')"],
            r"without an answer to uci \(its last remark: no licence\)",
        ),
    ],
)
def test_programs_that_are_no_engine(words: list[str], told: str) -> None:
    process = EngineProcess(EngineCommand(tuple(words)))
    with pytest.raises(EngineProcessError, match=told):
        using(process, process.start)


def test_engines_that_are_too_slow(tmp_path: Path) -> None:
    for ready, told in (
        ("pass", r"(not ready|no answer to uci or xboard) in 0\.9 seconds"),
        ("sys.exit()", "before it was ready"),
    ):
        process = EngineProcess(
            uci_engine(tmp_path, ready=ready), start_timeout=0.9 if ready == "pass" else 60.0
        )
        with pytest.raises(EngineProcessError, match=told):
            using(process, process.start)
    sleeper = EngineCommand((sys.executable, "-c", "import time; time.sleep(60)"))
    process = EngineProcess(sleeper, start_timeout=0.2)
    with pytest.raises(EngineProcessError, match=r"no answer to uci or xboard in 0\.2 seconds"):
        using(process, process.start)


def test_an_engine_that_starts_slowly_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "_OTHER_PROTOCOL_AFTER", 0.2)
    process = EngineProcess(uci_engine(tmp_path, uci="time.sleep(2)"))
    move, _ = searched(process, Limits(depth=1))
    assert move.uci() == "g1f3"
    pids = (tmp_path / "engine.py.starts").read_text().split()
    assert len(pids) == 2  # as one that speaks CECP too
    if Path("/proc").is_dir():
        assert not set(map(int, pids)) & living().keys()


@pytest.mark.parametrize(
    ("go", "kind", "told"),
    [
        ('print("bestmove a1a8")', EngineMoveError, "illegal uci: 'a1a8'"),
        ('print("bestmove castle")', EngineMoveError, "castle"),
        ("sys.exit(3)", EngineProcessError, r"has died \(its last remark: some remark\)"),
        ("time.sleep(60)", EngineSilentError, "not answered in time"),
        (
            'sys.stdout.write("x" * (1 << 21)); sys.stdout.flush()',
            EngineProcessError,
            "without an end",
        ),
    ],
)
def test_failures_are_named(
    go: str, kind: type[Exception], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 1.0 if "sleep" in go else 40.0
    monkeypatch.setattr(engine_process, "SILENCE_TIMEOUT", seconds)
    for play in (True, False):
        process = EngineProcess(uci_engine(tmp_path, go))
        board, limit = chess.Board(), Limits(movetime=100)
        with pytest.raises(kind, match=told):
            if play:
                using(process, lambda: process.play(board, limit, timeout=seconds))  # noqa: B023
            else:
                searched(process, limit)


@pytest.mark.parametrize(
    ("go", "limit", "kind", "told"),
    [
        ("time.sleep(60)", ENDLESS, EngineSilentError, "not answered in time"),
        (
            'print("info string x", flush=True); time.sleep(60)',
            ENDLESS,
            EngineSilentError,
            "not answered in time",
        ),
        ('print("bestmove g1f3")', ENDLESS, EngineProcessError, "given no line"),
        ('print("bestmove")', Limits(depth=1), EngineMoveError, "given no move"),
    ],
)
def test_an_engine_that_says_nothing(
    go: str,
    limit: Limits,
    kind: type[Exception],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "sleep" in go:
        monkeypatch.setattr(engine_process, "SILENCE_TIMEOUT", 1.0)
    process = EngineProcess(uci_engine(tmp_path, go))
    with pytest.raises(kind, match=told):
        using(process, lambda: process.search(chess.Board(), limit, lambda info: None))


def test_an_engine_that_goes_on_after_an_early_stop_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "_STOP_TIMEOUT", 0.5)
    go = 'input(); print("info depth 1 score cp 7 pv e2e4", flush=True); time.sleep(60)'
    process = EngineProcess(uci_engine(tmp_path, go))
    stop = asyncio.Event()
    stop.set()
    with pytest.raises(EngineSilentError, match="not answered in time"):
        using(process, lambda: process.search(chess.Board(), ENDLESS, lambda info: None, stop=stop))


def test_an_engine_that_does_not_stop_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "_STOP_TIMEOUT", 0.5)
    deaf = 'print("info depth 1 score cp 7 pv e2e4", flush=True); time.sleep(60)'
    said: list[str] = []
    engine = uci_engine(tmp_path, f"exec({deaf!r} if starts == 1 else {GOOD!r})")
    process = EngineProcess(engine, report=said.append, attempts=2)

    async def work() -> chess.Move | None:
        has_begun = asyncio.Event()
        search = asyncio.create_task(
            process.search(chess.Board(), ENDLESS, lambda info: has_begun.set())
        )
        await has_begun.wait()
        search.cancel()
        # The next one waits for its end, and is given up too.
        waiting = asyncio.create_task(process.search(chess.Board(), ENDLESS, lambda info: None))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        return await process.search(chess.Board(), Limits(depth=1), lambda info: None)

    move = using(process, work)
    assert move and move.uci() == "g1f3"
    assert said == ["the engine has not answered in time; it is started again"]


def test_a_flood_of_lines_leaves_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reading is followed by a rest that is as long, except on an engine's clock."""
    flood = "os.write(1, b'info depth 1 score cp 7 pv e2e4 e7e5 g1f3\\n' * 2000)"
    process = EngineProcess(uci_engine(tmp_path, f"{flood}; {GOOD}"))
    clock = itertools.count(0.0, 0.03)  # a reading takes so many seconds, whatever the machine
    readings: list[tuple[float, bool]] = []  # its beginning, and if another may follow at once
    heard: list[Info] = []

    async def work() -> None:
        connection = await process.start()
        assert connection.transport
        pipe: Any = connection.transport.get_pipe_transport(1)
        receive = connection.pipe_data_received

        def record(fd: int, data: bytes) -> None:
            begun = time.monotonic()
            receive(fd, data)
            if fd == 1:
                readings.append((begun, pipe.is_reading()))

        monkeypatch.setattr(connection, "pipe_data_received", record)
        monkeypatch.setattr(time, "thread_time", lambda: next(clock))
        await process.play(chess.Board(), Limits(depth=1))
        assert all(goes_on for _, goes_on in readings)
        readings.clear()
        await process.search(chess.Board(), Limits(depth=1), heard.append)

    using(process, work)
    assert len(heard) == 2001 and len(readings) > 1
    assert not any(goes_on for _, goes_on in readings)
    assert all(after - begun > 0.029 for (begun, _), (after, _) in itertools.pairwise(readings))


def test_a_search_is_repeated_by_a_new_process(tmp_path: Path) -> None:
    said: list[str] = []
    engine = uci_engine(tmp_path, f"sys.exit() if starts < 3 else {GOOD}")
    process = EngineProcess(engine, report=said.append, attempts=3)
    move, heard = searched(process, Limits(depth=2))
    assert move.uci() == "g1f3" and len(heard) == 1
    assert len(said) == 2 and all("it is started again" in line for line in said)


def test_an_engine_that_dies_between_searches_is_started_again(tmp_path: Path) -> None:
    said: list[str] = []
    process = EngineProcess(uci_engine(tmp_path), report=said.append)

    async def work() -> chess.Move | None:
        connection = await process.start()
        connection.kill()
        await connection.returncode
        return await process.search(chess.Board(), Limits(depth=1), lambda info: None)

    assert using(process, work) and said == ["the engine has died; it is started again"]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_what_an_engine_has_started_ends_with_it(tmp_path: Path) -> None:
    text = "import os, time; print('info string', os.getpid(), flush=True); time.sleep(600)"
    child = f'subprocess.Popen([sys.executable, "-c", {text!r}])'
    process = EngineProcess(uci_engine(tmp_path, f"{child}; time.sleep(1); {GOOD}"))
    remarks: list[str] = []
    searched(process, Limits(depth=1), on_remark=remarks.append)
    (pid,) = map(int, filter(None, remarks))
    for _ in range(100):
        if pid not in living():
            return
        time.sleep(0.1)
    os.kill(pid, 9)
    pytest.fail("it goes on")


@pytest.mark.parametrize("setboard", [0, 1])
def test_an_engine_by_cecp(setboard: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "_OTHER_PROTOCOL_AFTER", 0.2)
    script = tmp_path / "engine.py"
    script.write_text(CECP_ENGINE.replace("SETBOARD", str(setboard)))
    command = EngineCommand((sys.executable, str(script)))
    process = EngineProcess(command, {"Hash": 8})
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

    async def work() -> list[Any]:
        heard: list[Info] = []
        limit = Limits(nodes=450)
        move = await process.search(chess.Board(fen), limit, heard.append)
        answer = await process.play(chess.Board(), Limits(white_time=3000, black_time=2000), game=1)
        connection = await process.start()
        remarks, pid = list(connection.remarks), process.pid
        # All lines of that depth and none of the next, whenever they come.
        whole: list[Info] = []
        await process.search(chess.Board(), Limits(depth=3), whole.append, game=2)
        assert [info.depth for info in whole] == [1, 2, 3]
        assert process.pid != pid  # so that nothing is remembered of another game
        return [move, heard, answer, connection.id["name"], remarks]

    move, heard, answer, name, remarks = using(process, work)
    assert name == "Old One"
    assert move.uci() == "e2e4" and heard[-1].nodes == 500 and len(heard) == 5
    assert answer.best.uci() == "d2d4" and answer.info.score.centipawns == 15
    if setboard:
        assert f"setboard {fen}" in remarks
    else:
        assert {"#", "Pe2", "Ke1", "c", "Ke8", "."} <= set(remarks)


def test_castling_is_written_as_on_the_board(tmp_path: Path) -> None:
    """Also by an engine without Chess960, whose castling is that of ordinary chess."""
    go = 'print("info depth 1 score cp 5 pv e1g1 e8e7\\nbestmove e1g1")'
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess960=True)
    move, heard = searched(EngineProcess(uci_engine(tmp_path, go)), Limits(depth=1), board=board)
    assert [move.uci(), *map(chess.Move.uci, heard[0].pv)] == ["e1h1", "e1h1", "e8e7"]


def test_an_engine_without_a_limit_of_nodes_is_stopped_at_it(tmp_path: Path) -> None:
    lines = "\\n".join(f"info depth {d} nodes {4000 * d} score cp {d} pv e2e4" for d in range(1, 9))
    go = f'print("{lines}\\nbestmove d2d4")'
    process = EngineProcess(uci_engine(tmp_path, go))
    move, heard = searched(process, Limits(nodes=10_000))
    assert [info.nodes for info in heard] == [4000, 8000, 12_000]
    assert move.uci() == "e2e4"  # and not what it said later


@pytest.mark.parametrize(
    "words",
    [
        ("stockfish",),
        pytest.param(("ethereal-chess",), marks=pytest.mark.slow),
        pytest.param(("toga2",), marks=pytest.mark.slow),
        pytest.param(("fairymax",), marks=pytest.mark.slow),
        pytest.param(("gnuchess", "-x"), marks=pytest.mark.slow),
    ],
)
def test_real_engines_search_the_same_twice(words: tuple[str, ...]) -> None:
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3")
    results = []
    for _ in range(2):
        process = EngineProcess(EngineCommand(real_engine(*words)), {"Hash": 4, "Threads": 1})
        move, heard = searched(process, Limits(nodes=20_000), board=board)
        lines = [(info.depth, info.pv, info.score) for info in heard]
        results.append((move, lines))
        assert board.is_legal(move) and lines
        assert lines[-1][2] > Score(500)  # mate in one
    assert results[0] == results[1]


@pytest.mark.parametrize("problem", [chess.engine.EngineTerminatedError(), MemoryError()])
async def test_only_the_end_of_an_engine_is_kept_silent(
    problem: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR, "asyncio")  # commands that ran before may have silenced it
    asyncio.get_running_loop().set_exception_handler(handle_engine_errors)
    asyncio.get_running_loop().create_future().set_exception(problem)
    gc.collect()
    assert bool(caplog.records) == isinstance(problem, MemoryError)


@pytest.mark.jit_only
def test_a_search_that_is_given_up_while_it_begins_does_not_spoil_the_next() -> None:
    said: list[str] = []
    engine = EngineProcess(own_engine(), report=said.append)

    async def run() -> chess.Move | None:
        board, game = chess.Board(), object()
        for number in range(6):
            search = asyncio.create_task(
                engine.search(board, ENDLESS, lambda info: None, game=object())
            )
            while number == 0 and engine.pid is None:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.01 * number)
            search.cancel()
            await asyncio.gather(search, return_exceptions=True)
        return await engine.search(board, Limits(depth=3), lambda info: None, game=game)

    assert using(engine, run) and said == []
