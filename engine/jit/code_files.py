"""Where Numba finds the machine code of kernels.

Numba's own locators want to write into a folder, even to load from it, and compile a function anew if its
source file has another time. The name of a folder of the kernel cache is a hash of all sources, so copies of
both, as in the layers of a container image, need no new compilation; and a complete one may be read-only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numba
from numba.core import caching
from numba.core.runtime.nrt import rtsys

_runtime: Any = rtsys
_config: Any = numba.config  # gets its attributes at run time
_base: Any = caching


class _Locator(_base._CacheLocator):  # type: ignore[misc]
    """The place of one function in the folder that was chosen last."""

    chosen: ClassVar = Path()

    def __init__(self, func: Any, file: str) -> None:
        self._func = func
        self._folder = self.chosen
        self._py_file = file  # for Numba's warnings

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func, py_file)

    def ensure_cache_path(self) -> None:
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._folder / self._func.__module__)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self._func.__code__.co_firstlineno)


class _Implementation(_base.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: ClassVar = [_Locator]


class _FunctionCache(_base.FunctionCache):  # type: ignore[misc]
    _impl_class = _Implementation

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code of the function for a signature; None if it is not in the cache.

        Numba would first register all functions that it can compile, which takes a quarter of a start. Its
        compiler does so itself before it compiles anything.
        """
        _runtime.initialize(target_context)  # machine code calls it
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def cached_in(folder: Path, func: Any) -> Any:
    """Numba's cache of one function, in `folder` whatever the environment says of other caches."""
    _Locator.chosen = folder
    usual = getattr(_config, "CACHE_LOCATOR_CLASSES", "")
    _config.CACHE_LOCATOR_CLASSES = ""
    try:
        return _FunctionCache(func)
    finally:
        _config.CACHE_LOCATOR_CLASSES = usual
