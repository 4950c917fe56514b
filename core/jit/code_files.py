"""How Numba finds the machine code of one kernel in the cache, and puts it there.

Numba's own caches file code by the path of its source and by the time when that was changed, and want to
write into a folder even to load from it. `cache.py` does the filing; this says what is in a file.
"""

from __future__ import annotations

import pickle
from typing import Any

from numba.core import caching
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from boomslang.core.jit.cache import KernelCache

_runtime: Any = rtsys
_base: Any = caching
_result: Any = CompileResult
_dumps: Any = dumps


class KernelFile(_base.NullCache):  # type: ignore[misc]
    """The file of a function with one signature, in the place of Numba's cache of a function."""

    def __init__(self, kept: KernelCache, name: str) -> None:
        self._kept = kept
        self._name = name

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code as Numba's compiler would return it; None if it must compile it.

        Numba would first register all functions that it can compile, which takes a quarter of a start. Its
        compiler does so itself before it compiles anything.
        """
        code = self._kept.load(self._name)
        if code is None:
            return None
        _runtime.initialize(target_context)  # machine code calls it
        try:
            return _result._rebuild(target_context, *pickle.loads(code))  # noqa: S301
        except Exception:  # a file that was written by something else may raise anything
            self._kept.discard(self._name)
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep what has been compiled, unless it contains addresses of this process."""
        if not cres.library.has_dynamic_globals:
            self._kept.keep(self._name, _dumps(cres._reduce()))
