"""Compiles the kernels that are not in the cache in a second process, so that a game goes on undisturbed.

Numba compiles in Python: in the engine's own process plain Python would get at most half of a processor
to play with, however many there are, and each answer would wait for its turn. The second process writes
the kernels to the cache, and the engine loads them from there. It runs this file as a program.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Final

# The modules by which an evaluation is shown in parts.
EXPLANATIONS: Final = ("boomslang.eval.classical.trace", "boomslang.eval.network.trace")
PEOPLE: Final = "boomslang.engine.people.model"  # by which levels play
PERSON: Final = "boomslang.engine.people.person"


def import_kernels(*modules: str) -> None:
    """Import everything that play and these modules need compiled."""
    import boomslang.engine.driver.searcher  # noqa: F401

    for module in modules:
        importlib.import_module(module)


def compile_missing(progress: Callable[[int, int], None], *modules: str) -> None:
    """Compile the kernels of `import_kernels(*modules)` into the cache, unless they are there.

    Calls `progress(done, total)`. If it fails, or there is no cache, loading compiles them.
    """
    from boomslang.core.jit import jit

    if jit.kernel_cache().folder is None or not (missing := jit.missing_kernels()):
        return
    total = len(jit.kernel_names())
    progress(total - len(missing), total)
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    try:
        with subprocess.Popen(  # noqa: S603
            command(*modules),
            stdin=subprocess.PIPE,  # at its end the second process ends too
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=flags,
        ) as process:
            assert process.stdout  # noqa: S101
            for line in process.stdout:
                done, total = map(int, line.split())
                progress(done, total)
    except (OSError, ValueError):
        return


def command(*modules: str) -> list[str]:
    """The command that compiles what is missing: its lines are the kernels done and their number.

    It ends when its input does, and fails if nothing can be kept.
    """
    from boomslang.core.system import installation

    return [sys.executable, "-P", __file__, installation.IMPORT_FOLDER, *modules]


def _main() -> None:
    """The second process: compile, print the progress, and end with the engine."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the engine
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    gc.disable()  # compiling creates many objects and no garbage
    sys.path.insert(0, sys.argv[1])

    from boomslang.core.jit import jit

    def report(done: int, total: int) -> None:
        if jit.kernel_cache().folder is None:
            os._exit(1)  # nothing can be kept
        os.write(1, f"{done} {total}\n".encode())

    import_kernels(*sys.argv[2:])
    if jit.missing_kernels():
        jit.load_kernels(report)
    os._exit(0)


def _leave_with_parent() -> None:
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    _main()
