"""Little address space (`ulimit -v`), for which OpenBLAS, inside NumPy, ends the whole process."""

from __future__ import annotations

import mmap
import os
import sys
from typing import Final

_LIBRARY: Final = "numpy"
_NEEDED: Final = 96 << 20  # bytes of it; measured: 83 MB with one thread
_THREADS: Final = "OPENBLAS_NUM_THREADS"


def guard() -> None:
    """Let the import of NumPy raise MemoryError where its libraries could not be loaded.

    OpenBLAS calls exit() if it cannot reserve its buffers, or sends an interrupt if it cannot start its
    threads. Does nothing where address space is not limited.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    if any(resource.getrlimit(kind)[0] != resource.RLIM_INFINITY for kind in kinds):
        os.environ.setdefault(_THREADS, "1")
        sys.meta_path.insert(0, _Guard())


class _Guard:
    """A finder that finds nothing, but is asked first."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Called by `import`; raises MemoryError."""
        if name != _LIBRARY:
            return
        try:
            mmap.mmap(-1, _NEEDED).close()
        except OSError:
            raise MemoryError from None
