"""Checks of Python, its packages, the processor, the network and the kernel cache."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Final

from boomslang.core.jit.cache import ENVIRONMENT
from boomslang.core.system.threads import usable_processors

OK: Final = "ok"
NOTE: Final = "note"  # works, but could be better
BAD: Final = "BAD"  # does not work


@dataclass(frozen=True, slots=True)
class Finding:
    """A line for the user, and one with the remedy (empty if none is needed)."""

    verdict: str  # OK, NOTE or BAD
    text: str
    remedy: str = ""


_OLDEST: Final = (3, 11)
_PACKAGES: Final = (
    *("numba", "llvmlite", "numpy", "chess", "filelock", "platformdirs", "rich", "aiohttp"),
)
_REINSTALL: Final = "run make in the clone, or: pipx reinstall boomslang-chess"


def python() -> Iterator[Finding]:
    """The interpreter."""
    bits = 64 if sys.maxsize > 2**32 else 32
    text = f"{platform.python_implementation()} {platform.python_version()}, {bits} bits"
    if sys.version_info < _OLDEST:
        yield Finding(BAD, text, "install Python 3.11 or newer")
    elif bits == 32 or platform.python_implementation() != "CPython":
        yield Finding(BAD, text, "install a 64-bit CPython; Numba needs it")
    else:
        yield Finding(OK, text)


def packages() -> Iterator[Finding]:
    """The required packages: installed and importable; `pip check` compares their versions."""
    versions = []
    for name in _PACKAGES:
        try:
            version = metadata.version(name)
            import_module(name)
        except metadata.PackageNotFoundError:
            yield Finding(BAD, f"{name} is missing", _REINSTALL)
        except Exception as problem:
            first_line = str(problem).partition("\n")[0]
            yield Finding(BAD, f"{name} does not load: {first_line}", _REINSTALL)
        else:
            versions.append(f"{name} {version}")
    yield Finding(OK if versions else BAD, ", ".join(versions) or "no packages")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        yield Finding(
            BAD, "NUMBA_DISABLE_JIT is set: the engine is a hundred times slower", "unset it"
        )


def processor() -> Iterator[Finding]:
    """Instructions, cores and memory."""
    from boomslang.core.jit import jit
    from boomslang.core.jit.memory import largest_table

    cores = usable_processors()
    text = f"{jit.cpu_name()}, {cores} core{'s' * (cores != 1)}, Hash up to {largest_table()} MB"
    if jit.cpu_has_fast_pext():
        yield Finding(OK, f"processor: {text}, attacks by PEXT")
    else:
        yield Finding(OK, f"processor: {text}, attacks by magic numbers (no fast PEXT here)")


def network() -> Iterator[Finding]:
    """The built-in network."""
    from boomslang.eval.network.file import SHIPPED, load_shipped

    try:
        load_shipped()
    except ValueError as problem:
        yield Finding(
            BAD, f"network: {problem}; using the classical evaluation instead", _REINSTALL
        )
    else:
        yield Finding(OK, f"network: {SHIPPED}")


def kernels() -> Iterator[Finding]:
    """The cache of compiled kernels."""
    from boomslang.cli.doctor.warmup_command import import_common
    from boomslang.core.jit import jit

    import_common()
    yield from _shipped_kernels()
    cache = jit.kernel_cache()
    if cache.folder is None:
        yield Finding(
            BAD,
            f"{cache.remark}; every start recompiles the kernels",
            remedy_for_cache(cache.problem),
        )
        return
    names = jit.kernel_names()
    missing = jit.missing_kernels()
    where = f"kernels: {len(names) - len(missing)} of {len(names)} compiled, in {cache.folder}"
    free = shutil.disk_usage(cache.folder).free >> 20
    if missing and free < _ROOM:
        yield Finding(
            BAD,
            f"{where}, and {free} MB are left on that disk",
            f"free {_ROOM} MB, or {other_folder()}; then run boomslang warmup",
        )
    elif missing:
        yield Finding(NOTE, where, "run boomslang warmup, so that the first start is fast")
    else:
        yield Finding(OK, where)


def _shipped_kernels() -> Iterator[Finding]:
    """Those that the wheel carries, if it does."""
    from boomslang.core.jit import jit, shipped

    carried = shipped.read_versions()
    here = shipped.present_versions(
        **{name: metadata.version(name) for name in carried if name != "python"}
    )
    other = [
        f"{name} {carried[name]}, here {here[name]}"
        for name in carried
        if carried[name] != here[name]
    ]
    if jit.SHIPPED_LEVEL:
        yield Finding(OK, f"kernels of the wheel: used, for {jit.SHIPPED_LEVEL}")
    elif other:
        text = f"kernels of the wheel: not used, they are for {'; '.join(other)}"
        yield Finding(NOTE, text, "nothing: they are compiled here once")
    elif carried:
        text = "kernels of the wheel: not used, this processor is better served by its own"
        yield Finding(OK, text)


_ROOM: Final = 50  # megabytes for all kernels and what is written on the way


def remedy_for_cache(problem: OSError | None) -> str:
    """How to have a folder that can be used."""
    if problem and problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"free {_ROOM} MB on the disk of {problem.filename}, or {other_folder()}"
    return other_folder()


def other_folder() -> str:
    """How to have another folder for the kernels, one of the user's own."""
    if os.environ.get(ENVIRONMENT):
        return f"run: unset {ENVIRONMENT}"
    return f"set {ENVIRONMENT} to a folder of your own, in a place where only you may write"
