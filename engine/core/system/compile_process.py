"""A process that compiles kernels for another one, see `engine.core.system.compile_pool`.

It reads the names of kernels from standard input, compiles each into a folder, and answers with the name.
"""

from __future__ import annotations

import gc
import importlib
import os
import queue
import signal
import sys
import threading
from pathlib import Path


def _main() -> None:
    """The arguments: the folder to import from, and the folder to compile into."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the other process
    gc.disable()  # compiling creates many objects and no garbage
    sys.path.insert(0, sys.argv[1])
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(asked,), daemon=True).start()

    from boomslang.engine.core.system import jit

    os.write(1, b"ready\n")
    while True:
        name = asked.get()
        importlib.import_module(name.rpartition(".")[0])
        jit.compile_into(Path(sys.argv[2]), name)
        os.write(1, f"{name}\n".encode())


def _read(asked: queue.SimpleQueue[str]) -> None:
    """Pass names on, and end the process with its input, whatever it is doing."""
    for line in sys.stdin:
        asked.put(line.rstrip("\n"))
    os._exit(0)


if __name__ == "__main__":
    _main()
