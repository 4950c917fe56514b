"""A process that compiles kernels for another one, see `core.jit.compile_pool`.

It reads the names of kernels from standard input, compiles each into the cache, and answers with the name.
However the other process ends, this one's input ends with it, and then it ends too.
"""

from __future__ import annotations

import gc
import importlib
import os
import queue
import signal
import sys
import threading


def _main() -> None:
    """The argument: the folder to import from."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # to the group: they are for the other process
        if number := getattr(signal, name, None):
            signal.signal(number, signal.SIG_IGN)
    gc.disable()  # compiling creates many objects and no garbage
    sys.path.insert(0, sys.argv[1])
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(asked,), daemon=True).start()

    from boomslang.core.jit import jit

    os.write(1, b"ready\n")
    while True:
        name = asked.get()
        importlib.import_module(name.rpartition(".")[0])
        if not jit.compile_kernel(name):
            os._exit(1)  # nothing can be kept
        os.write(1, f"{name}\n".encode())


def _read(asked: queue.SimpleQueue[str]) -> None:
    """Pass names on, and end the process with its input, whatever it is doing."""
    for line in sys.stdin:
        asked.put(line.rstrip("\n"))
    os._exit(0)


if __name__ == "__main__":
    _main()
