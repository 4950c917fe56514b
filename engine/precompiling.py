"""Compiles kernels that are not kept yet in a process of its own, so that a game goes on undisturbed.

Numba compiles in Python: in our own process plain Python would get no more than half of a processor to
play with meanwhile, however many there are, and each answer would wait for its turn. The other process
puts the kernels into the cache, and we load them from there. It is this file, run as a program.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable


def import_kernels() -> None:
    """Import all that play and `go perft` need compiled."""
    import boomslang.engine.searcher
    import boomslang.perft.count  # noqa: F401 - that shall not compile on the clock either


def compile_missing(progress: Callable[[int, int], None]) -> None:
    """Have the imported kernels compiled and kept, unless they are; `progress(done, total)` as it goes.

    Where that fails, or nothing can be kept, they are still to be compiled by whoever loads them.
    """
    from boomslang.engine.core.system import installation, jit

    names = jit.kernel_names()
    kept = jit.kernel_cache()
    if kept.folder is None or kept.lists(names):
        return
    progress(0, len(names))
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    try:
        with subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", __file__, installation.IMPORT_FOLDER],
            stdin=subprocess.PIPE,  # at its end the other process knows that we are gone
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


def _main() -> None:
    """The other process: compile, tell how far it is, and end when nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who has started us
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    gc.disable()  # compiling makes a lot of objects and no rubbish
    sys.path.insert(0, sys.argv[1])

    from boomslang.engine.core.system import jit

    def tell(done: int, total: int) -> None:
        if jit.kernel_cache().folder is None:
            os._exit(1)  # nothing is kept, so nobody has any use for it
        os.write(1, f"{done} {total}\n".encode())

    import_kernels()
    jit.load_kernels(tell)
    os._exit(0)


def _leave_with_parent() -> None:
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    _main()
