"""Compiles kernels in several processes at once, as Numba compiles one function at a time in each.

The process that needs the kernels takes part. The others run `compile_process.py`: they put their kernels
into the cache, from which the first process loads them.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

_PROGRAM: Final = Path(__file__).with_name("compile_process.py")
_MEMORY: Final = 512 << 20  # bytes that a process needs
_MAX_PROCESSES: Final = 4  # processes: the largest kernel takes a quarter of the time
_SECONDS: Final = 36.0  # processor time
# Kernels for which another process, which first has to import Numba, comes too late.
_FEW: Final = 4


def compile_all(
    kernels: Sequence[str],
    compile_here: Callable[[str], None],
    finished: Callable[[str], None],
    *,
    alone: bool = False,
) -> None:
    """Compile the named kernels, in their order; the largest should come first.

    `compile_here(name)` compiles one in this process; `finished(name)` is called after each, in whichever
    process, on any thread, one at a time. A kernel that another process could not compile is left out.
    With `alone`, this process compiles all.
    """
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for name in kernels:
        waiting.put(name)
    one_at_a_time = threading.Lock()

    def finish(name: str) -> None:
        with one_at_a_time:
            finished(name)

    count = 1 if alone or len(kernels) <= _FEW else _processes()
    with contextlib.ExitStack() as stack:
        feeders = [stack.enter_context(_other_process(waiting, finish)) for _ in range(count - 1)]
        while not waiting.empty():
            with contextlib.suppress(queue.Empty):
                name = waiting.get_nowait()
                compile_here(name)
                finish(name)
        for feeder in feeders:
            while feeder.is_alive():
                feeder.join(0.1)  # a signal is handled in between


def expected_seconds() -> int:
    """How long it takes to compile the kernels of play, on a processor of 2021."""
    return round(_SECONDS / _processes())


def _processes() -> int:
    """How many processes may compile: by processors and free memory."""
    from boomslang.core.jit.memory import free_memory
    from boomslang.core.system.threads import usable_processors

    return max(1, min(usable_processors(), _MAX_PROCESSES, free_memory() // _MEMORY))


@contextlib.contextmanager
def _other_process(
    waiting: queue.SimpleQueue[str], finish: Callable[[str], None]
) -> Iterator[threading.Thread]:
    """A thread that lets another process compile what is waiting; both end with the block."""
    from boomslang.core.system import installation

    command = [sys.executable, "-P", str(_PROGRAM), installation.IMPORT_FOLDER]
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    processes: list[subprocess.Popen[str]] = []
    with contextlib.suppress(OSError):  # it does not start: this process compiles all
        processes.append(
            subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,  # at its end the process ends
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                creationflags=flags,
            )
        )

    def feed() -> None:
        for process in processes:
            with contextlib.suppress(OSError, ValueError):  # it has ended
                _feed(process, waiting, finish)

    thread = threading.Thread(target=feed, daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        for process in processes:
            process.kill()
        thread.join()
        for process in processes:
            process.communicate()


def _feed(
    process: subprocess.Popen[str], waiting: queue.SimpleQueue[str], finish: Callable[[str], None]
) -> None:
    """Let a process compile what is waiting, until nothing is, or it fails."""
    assert process.stdin and process.stdout  # noqa: S101
    process.stdout.readline()  # it has imported Numba
    while not waiting.empty():
        try:
            name = waiting.get_nowait()
        except queue.Empty:
            return
        process.stdin.write(f"{name}\n")
        process.stdin.flush()
        if process.stdout.readline() != f"{name}\n":
            return
        finish(name)
