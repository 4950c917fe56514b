"""The cache of compiled kernels between starts, and recovery from a damaged cache.

Compiling takes many seconds, loading the compiled code a fraction of one. One folder, shared by all copies
and versions of the engine, holds one file per kernel. Its name ends with the kernel's key, a hash of all
that is compiled into it (`kernel_keys.py`): what has changed has another name, so no file is ever out of
date, and none is changed once it is there.

* A damaged file can crash the process before any exception is raised. So each begins with the SHA-256 of
  the rest and of its own name, and a file without it is compiled anew.
* A process may be killed at any moment. So a file gets its name when it is complete.
* Many processes may start at once. One compiles, under a file lock; the others wait, then load.

A folder in which no kernel is missing may be read-only, as in a container.

A cache is code: write access to it is permission to run programs as its user. So files and folder must
belong to the user, and all folders above it to the user or root (`core.system.permissions`). The
checksums protect against damage, not against attackers.

Nothing here imports Numba; `core.jit.jit` is the only caller.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import uuid
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from boomslang.core.system import shutdown
from boomslang.core.system.permissions import is_private, own_folder

ENVIRONMENT: Final = "BOOMSLANG_CACHE_DIR"  # moves the cache
LOCK_SECONDS: Final = 60.0  # maximum wait for the next kernel of another process
STALE_SECONDS: Final = 60.0  # a load that has not ended by then crashed or was killed
CRASHES: Final = 3  # after this many crashed loads of the same kernels they are compiled anew
UNUSED_DAYS: Final = 30.0  # what was not used for so long is removed
MAX_BYTES: Final = 256 << 20  # beyond it the files unused for longest are removed
DAMAGED: Final = "kernel cache damaged, compiling anew"

_LOOK_SECONDS: Final = 1.0  # between two looks at what another process has compiled
_USED_SECONDS: Final = 3600.0  # how exactly the time of a file tells its last use
_DAY: Final = 86_400.0  # seconds; what is being written, or loaded, is younger
_DIGEST: Final = 32  # bytes
_ENDING: Final = ".kernel"
_LOCK: Final = "lock"
_MARK: Final = "loading-"
_LOCK_IS_FOR: Final = "Locked while a process compiles."
_MARK_IS_FOR: Final = "A start is loading kernels, or has crashed in it."


class KernelCache:
    """The folder of compiled kernels.

    `folder` is None when nothing is kept, because no folder is safe and writable or the disk is full.
    `shipped` is a folder of the wheel, from which kernels are loaded too, and where nothing is written.
    `remark` is one line for the user, empty while all is well; `problem` is why no folder could be used.
    """

    def __init__(
        self,
        folder: Path | None,
        remark: str = "",
        problem: OSError | None = None,
        *,
        shipped: Path | None = None,
    ) -> None:
        self.folder = folder
        self.shipped = shipped
        self.remark = remark
        self.problem = problem
        self._read: dict[str, bytes] = {}  # sound, and not yet loaded
        self._bad: set[str] = set()

    def missing(self, names: Collection[str]) -> list[str]:
        """Those of the kernels that must be compiled, in their order; the others have been read."""
        return [name for name in names if not self._find(name)]

    def load(self, name: str) -> bytes | None:
        """The machine code of a kernel; None if it is missing or was damaged."""
        return self._read.pop(name) if self._find(name) else None

    def keep(self, name: str, code: bytes) -> None:
        """Write the machine code of a kernel."""
        if self.folder is None:
            return
        path = self.folder / f"{name}{_ENDING}"
        new = path.with_suffix(f".{uuid.uuid4().hex}.new")
        try:
            new.touch(0o600, exist_ok=False)
            new.write_bytes(_digest(name, code) + code)
            new.replace(path)
            self._bad.discard(name)
        except OSError as problem:
            with contextlib.suppress(OSError):
                new.unlink(missing_ok=True)
            problem.filename = str(self.folder)
            self.give_up(problem)

    def discard(self, name: str) -> None:
        """Remove the machine code of a kernel that cannot be used."""
        self.remark = DAMAGED
        self._bad.add(name)
        self._read.pop(name, None)
        if self.folder is not None:
            with contextlib.suppress(OSError):
                (self.folder / f"{name}{_ENDING}").unlink(missing_ok=True)

    def give_up(self, problem: OSError) -> None:
        """Keep nothing more in this process."""
        self.folder = None
        self.problem = problem
        reason = problem.strerror or str(problem)
        self.remark = f"kernel cache not used: {problem.filename}: {reason}"

    @contextlib.contextmanager
    def lock(self, missing: Callable[[], int]) -> Iterator[None]:
        """Hold the file lock, which the system frees when its holder dies, and tidy up at the end.

        While another process holds it, wait as long as the number of the missing kernels falls. It need not
        be held when none is missing any more: the other process may be compiling what this one does not use.
        """
        if self.folder is None:
            yield
            return
        from filelock import FileLock  # the import takes 10 ms, and a warm start does not need it

        folder = self.folder
        lock = FileLock(folder / _LOCK, timeout=_LOOK_SECONDS)
        with contextlib.ExitStack() as stack:
            before, since = missing(), time.monotonic()
            while before:
                try:
                    stack.enter_context(lock)
                except TimeoutError:
                    now = missing()
                    if now < before:
                        before, since = now, time.monotonic()
                    if time.monotonic() < since + LOCK_SECONDS:
                        continue
                except (OSError, NotImplementedError):
                    pass  # a file system without locks: work may be done twice
                break
            # FileLock empties the file whenever it requests the lock.
            _refresh(folder / _LOCK, _LOCK_IS_FOR)
            yield
            self._tidy()
            _refresh(folder / _LOCK, _LOCK_IS_FOR)

    def recover(self, names: Collection[str]) -> None:
        """Discard these kernels if loading them has crashed again and again."""
        if len(self._find_crashed_loads(names)) >= CRASHES:
            for name in names:
                self.discard(name)

    @contextlib.contextmanager
    def mark_load(self, names: Collection[str]) -> Iterator[None]:
        """Leave a mark while these are loaded, by which later starts recognise a crash of the loader."""
        if self.folder is None:
            yield
            return
        mark = self.folder / f"{_MARK}{_group(names)}-{uuid.uuid4().hex}"
        _refresh(mark, _MARK_IS_FOR)
        try:
            # A termination is no crash.
            with shutdown.run_at_end(lambda: mark.unlink(missing_ok=True)):
                yield
        finally:
            for path in (mark, *self._find_crashed_loads(names)):
                with contextlib.suppress(OSError):
                    path.unlink()

    def _find_crashed_loads(self, names: Collection[str]) -> list[Path]:
        """The marks that starts which loaded these kernels have left."""
        marks = self.folder.glob(f"{_MARK}{_group(names)}-*") if self.folder else ()
        return [path for path in marks if _mtime(path) < time.time() - STALE_SECONDS]

    def _find(self, name: str) -> bool:
        """True if the kernel is there and sound, and has been read."""
        if name in self._read:
            return True
        if name in self._bad:
            return False
        found = (self._read_from(folder, name) for folder in (self.folder, self.shipped) if folder)
        return any(found)

    def _read_from(self, folder: Path, name: str) -> bool:
        path = folder / f"{name}{_ENDING}"
        try:
            status = path.lstat()
            data = path.read_bytes()
        except FileNotFoundError:
            return False
        except OSError:
            data = b""
        code = data[_DIGEST:]
        if data[:_DIGEST] != _digest(name, code) or not is_private(path, status):
            self.discard(name)
            return False
        self._read[name] = code
        if folder == self.folder and status.st_mtime < time.time() - _USED_SECONDS:
            with contextlib.suppress(OSError):
                path.touch()
        return True

    def _tidy(self) -> None:
        """Remove what was not used for a month, and the files unused for longest if all are too large."""
        if self.folder is None:
            return
        now = time.time()
        files = sorted((_mtime(path), path) for path in self.folder.iterdir())
        size = sum(_size(path) for _, path in files)
        for used, path in files:
            if path.suffix == _ENDING:
                is_waste = size > MAX_BYTES or now - used > UNUSED_DAYS * _DAY
            else:
                is_waste = path.name != _LOCK and now - used > _DAY
            if is_waste:
                size -= _size(path)
                with contextlib.suppress(OSError):
                    path.unlink()


def prepare(shipped: Path | None = None) -> KernelCache:
    """The folder of the user's kernels, created if it is missing, and that of the wheel."""
    kept = KernelCache(None, shipped=shipped)
    try:
        folder = own_folder(base_folder() / "kernels")
        if not os.access(folder, os.W_OK) and not any(folder.glob(f"*{_ENDING}")):
            raise PermissionError(13, "not writable", str(folder))
        kept.folder = folder
    except OSError as problem:
        if problem.filename is None:
            problem.filename = str(base_folder())
        kept.give_up(problem)
    return kept


def base_folder() -> Path:
    """The folder above: BOOMSLANG_CACHE_DIR, or `boomslang` in the user's cache folder."""
    if chosen := os.environ.get(ENVIRONMENT):
        return Path(chosen).absolute()
    import platformdirs

    folder = platformdirs.user_cache_path("boomslang", appauthor=False)
    if not folder.is_absolute():  # the user has no home
        raise FileNotFoundError(2, "no home folder", str(folder))
    return folder


def _group(names: Collection[str]) -> str:
    return hashlib.sha256(" ".join(sorted(names)).encode()).hexdigest()[:16]


def _digest(name: str, code: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + code).digest()


def _refresh(path: Path, meaning: str) -> None:
    """Write what a file is for, if it is empty or missing: an empty one would look damaged."""
    with contextlib.suppress(OSError):
        if _size(path) == 0:
            path.write_text(f"{meaning}\n", "ascii")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _mtime(path: Path) -> float:
    """Time of the last change in seconds; 0 if the file does not exist."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
