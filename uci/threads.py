"""Threads that can recurse as deep as a search does."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Final, NoReturn

_STACK: Final = 64 << 20  # bytes; some systems give half a megabyte


def start_thread(work: Callable[[], None], name: str) -> None:
    """Run `work` on a thread that does not keep the process alive."""
    before = threading.stack_size(_STACK)
    threading.Thread(target=work, name=name, daemon=True).start()
    threading.stack_size(before)


def leave(status: int) -> NoReturn:
    """End the process at once: a kernel or a compiler that is at work cannot be interrupted."""
    os._exit(status)
