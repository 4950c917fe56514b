"""The cache of compiled kernels between starts, and recovery from a damaged cache.

Compiling takes many seconds, loading the compiled code a fraction of one. Numba can keep machine code on
disk, but lacks three things that unattended use requires:

* Numba notices changes only in a function's own source file. Here the folder's name is a hash of all
  sources that go into kernels, of the versions and of the CPU, so any change leads to a new folder.
* A damaged file can crash the process before any exception is raised. So a manifest lists every file with
  its SHA-256, and nothing else is loaded.
* Many processes may start at once. One compiles, under a file lock; the others wait, then load.

A folder that is complete may be read-only, as in a container.

A cache is code: write access to it is permission to run programs as its user. So the folder must belong
to the user, and all folders above it to the user or root (`engine.system.permissions`). The checksums
protect against damage, not against attackers.

Nothing here imports Numba; `engine.jit.jit` is the only caller.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import threading
import time
import uuid
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from boomslang.engine.system import installation, shutdown
from boomslang.engine.system.permissions import own_folder

ENVIRONMENT: Final = "BOOMSLANG_CACHE_DIR"  # moves the cache
LOCK_SECONDS: Final = 60.0  # maximum wait for the next kernel of another process
STALE_SECONDS: Final = 60.0  # a load that has not ended by then crashed or was killed
CRASHES: Final = 3  # after this many crashed loads the cache is rebuilt
WORK_FOLDER: Final = "compiling-"  # how the names of folders that processes compile into begin
WORK_SECONDS: Final = 86_400.0  # a start removes work folders older than this
UNUSED_DAYS: Final = 30.0  # other versions' folders are removed after this
KEPT_VERSIONS: Final = 20  # all but this many are removed after a day

_LOCK_IS_FOR: Final = "Locked while a process compiles."
_ROOT: Final = Path(installation.FOLDER)
_PACKAGES: Final = ("engine", "eval", "perft")  # sources that may be compiled into a kernel
_PLAIN: Final = frozenset({"levels", "notation", "textbook"})  # plain Python, never compiled


class KernelCache:
    """One folder of compiled kernels.

    `folder` is where Numba keeps its files; None when nothing is kept, because no folder is safe
    and writable, the disk is full or another process holds the lock for too long. `remark` is one
    line for the user, empty while all is well; `problem` is why no folder could be made ready.
    `is_compiling` while kernels are put into it.
    """

    def __init__(self, home: Path | None, remark: str = "", problem: OSError | None = None) -> None:
        self.folder = home / "code" if home else None
        self.remark = remark
        self.problem = problem
        self._files: dict[str, str] = {}  # path below `folder` -> SHA-256
        self._kernels: set[str] = set()
        self._intact = True  # the manifest has its own checksum
        self.is_compiling = False
        self._keeping = threading.Lock()

    @contextlib.contextmanager
    def opened(self, kernels: Collection[str]) -> Iterator[None]:
        """Prepare the folder for loading or compiling these kernels while the block runs."""
        if self.folder is None:
            yield
        elif self._is_complete(kernels):
            with self._marked():
                yield
        else:
            with self._locked():
                waited_for = self.folder is not None and self._is_complete(kernels)
                if not waited_for:  # no other process has compiled them meanwhile
                    self._prepare_compiling()
                    with _private_files():
                        yield
                    return
            with self._marked():
                yield

    def keep(self, kernel: str) -> None:
        """Add the files that Numba wrote for `kernel` to the manifest; called after each compilation."""
        with self._keeping:  # several threads wait for processes that compile
            self._keep(kernel)

    def _keep(self, kernel: str) -> None:
        if self.folder is None or not self.is_compiling:
            return
        try:
            for path in _files_below(self.folder):
                if _belongs_to(path, kernel):
                    self._files[path.relative_to(self.folder).as_posix()] = _sha256(path)
            self._kernels.add(kernel)
            self._write_manifest()
        except OSError as problem:
            self.give_up(f"{problem.strerror or problem}")

    def lists(self, kernels: Collection[str]) -> bool:
        """True if the manifest lists all kernels; the files themselves are not checked."""
        self._read_manifest()
        return self._kernels.issuperset(kernels)

    def uncompiled(self, kernels: Iterable[str]) -> list[str]:
        """The kernels that are not in the manifest, which must have been read, in their order."""
        return [name for name in kernels if name not in self._kernels]

    def missing(self, kernels: Collection[str]) -> set[str]:
        """The kernels that a start would compile: their files are missing or damaged."""
        if self.folder is None or self._is_complete(kernels):
            return set() if self.folder else set(kernels)
        return set(kernels) if self._damaged() else set(kernels) - self._kernels

    def give_up(self, reason: str) -> None:
        """Keep nothing more in this process; kernels in the manifest stay for the next one."""
        self.folder = None
        self.remark = f"kernel cache not used: {reason}"

    def distrust(self, reason: str) -> None:
        """Give up, and make the next start rebuild the whole cache."""
        if self.folder is not None:
            with contextlib.suppress(OSError):
                self._manifest.unlink(missing_ok=True)
        self.give_up(reason)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the file lock, which the system frees when its holder dies; wait while kernels are added."""
        from filelock import FileLock  # the import takes 10 ms, and a warm start does not need it

        home = self._manifest.parent
        lock = FileLock(home / "lock", timeout=LOCK_SECONDS)
        with contextlib.ExitStack() as stack:
            while True:
                waited_from = time.time()
                try:
                    stack.enter_context(lock)
                except TimeoutError:
                    if _mtime(self._manifest) >= waited_from:  # another kernel has been compiled
                        continue
                    self.give_up("another process has been compiling for long, going on without it")
                except (OSError, NotImplementedError):
                    pass  # a file system without locks; the manifest still keeps damage out
                break
            # FileLock truncates the file whenever it requests the lock.
            with contextlib.suppress(OSError):
                _refresh(home / "lock", _LOCK_IS_FOR)
            yield
            self.is_compiling = False
            _tidy(home)
            with contextlib.suppress(OSError):
                _refresh(home / "lock", _LOCK_IS_FOR)

    @property
    def _manifest(self) -> Path:
        assert self.folder is not None  # noqa: S101 - callers have asked
        return self.folder.parent / "manifest"

    def _is_complete(self, kernels: Collection[str]) -> bool:
        """True if every kernel is listed and every file matches its checksum."""
        assert self.folder is not None  # noqa: S101
        self._read_manifest()
        return (
            self._kernels.issuperset(kernels)
            and not self._damaged()
            and len(self._unfinished_loads()) < CRASHES
        )

    def _damaged(self) -> bool:
        folder = self._manifest.parent / "code"
        return any(_sha256(folder / name) != digest for name, digest in self._files.items())

    def _unfinished_loads(self) -> list[Path]:
        before = time.time() - STALE_SECONDS
        return [path for path in self._manifest.parent.glob("loading-*") if _mtime(path) < before]

    @contextlib.contextmanager
    def _marked(self) -> Iterator[None]:
        """Leave a mark while loading, by which later starts recognise a crash of the loader."""
        home = self._manifest.parent
        mark = home / f"loading-{uuid.uuid4().hex}"
        with contextlib.suppress(OSError):
            _refresh(mark, "A start is loading kernels, or has crashed in it.")
        try:
            with shutdown.guarded(
                lambda: mark.unlink(missing_ok=True)
            ):  # a termination is no crash
                yield
        finally:
            for path in (mark, *home.glob("loading-*")):
                if path == mark or _mtime(path) < time.time() - STALE_SECONDS:
                    with contextlib.suppress(OSError):
                        path.unlink()
            _remove_work_folders(home, WORK_SECONDS)  # another process may be compiling now

    def _prepare_compiling(self) -> None:
        """Remove files that do not match the manifest; the rest need not be compiled again."""
        if self.folder is None:
            return
        crashed = self._unfinished_loads()
        if not self._intact or self._damaged() or len(crashed) >= CRASHES:
            self.remark = "kernel cache damaged, building it anew"
            self._files.clear()
            self._kernels.clear()
        try:
            for path in _files_below(self.folder):
                if path.relative_to(self.folder).as_posix() not in self._files:
                    path.unlink()
            for path in crashed:
                path.unlink()
            _remove_work_folders(self._manifest.parent, 0.0)
            self._write_manifest()
        except OSError as problem:
            self.give_up(f"{problem.strerror or problem}")
            return
        self.is_compiling = True

    def _read_manifest(self) -> None:
        """Read the files and kernels of the manifest; none if it is missing or damaged."""
        self._files.clear()
        self._kernels.clear()
        self._intact = True
        try:
            text = self._manifest.read_bytes()
        except FileNotFoundError:
            return
        except OSError:
            text = b""
        body, _, last = text.rpartition(b"sum ")
        if last != _digest(body):
            self._intact = False
            return
        for line in body.decode("utf-8").splitlines():
            kind, digest, name = line.split(" ", 2)
            if kind == "file":
                self._files[name] = digest
            else:
                self._kernels.add(name)

    def _write_manifest(self) -> None:
        lines = [f"file {digest} {name}\n" for name, digest in sorted(self._files.items())]
        lines += [f"kernel - {name}\n" for name in sorted(self._kernels)]
        body = "".join(lines).encode("utf-8")
        temporary = self._manifest.with_suffix(".new")
        temporary.write_bytes(body + b"sum " + _digest(body))
        temporary.replace(self._manifest)


def prepare(stamp: str) -> KernelCache:
    """Create the folder for these sources, this installation path and `stamp` (versions and CPU)."""
    try:
        home = own_folder(base_folder() / fingerprint(stamp))
        _own_code(own_folder(home / "code"))
        try:
            _refresh(home / "used", "The time of this file is the last use of the folder.")
            if not os.access(home / "code", os.W_OK):
                raise PermissionError(13, "not writable", str(home))
        except OSError:
            if _is_empty(home / "manifest"):  # nor has anyone compiled there before
                raise
    except OSError as problem:
        if problem.filename is None:  # while writing
            problem.filename = str(base_folder())
        reason = problem.strerror or str(problem)
        return KernelCache(None, f"kernel cache not used: {problem.filename}: {reason}", problem)
    return KernelCache(home)


def _own_code(folder: Path) -> None:
    """Remove all files of machine code if another user may write to any of them."""
    if os.name != "nt" and any(
        status.st_mode & 0o022 or status.st_uid not in (0, os.geteuid())
        for status in map(Path.lstat, folder.rglob("*"))
        if not stat.S_ISLNK(status.st_mode)
    ):
        shutil.rmtree(folder)
        own_folder(folder)


@contextlib.contextmanager
def _private_files() -> Iterator[None]:
    """Files written in this block are accessible only to the user."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def base_folder() -> Path:
    """The parent of all cache folders: BOOMSLANG_CACHE_DIR, or `boomslang` in the user's cache folder."""
    if chosen := os.environ.get(ENVIRONMENT):
        return Path(chosen).absolute()
    import platformdirs

    folder = platformdirs.user_cache_path("boomslang", appauthor=False)
    if not folder.is_absolute():  # the user has no home
        raise FileNotFoundError(2, "no home folder", str(folder))
    return folder


def fingerprint(stamp: str) -> str:
    """The name of a cache folder: a hash of everything that compiled code depends on.

    That is `stamp`, the path of the installation (Numba files its code by path), Numba's environment
    variables, and every source file of the packages with kernels.
    """
    digest = hashlib.sha256(f"{stamp}\0{_ROOT}\0".encode(errors="replace"))
    for name, value in sorted(os.environ.items()):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            digest.update(f"{name}={value}\0".encode(errors="replace"))
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*.py")):
            if not _PLAIN.intersection(path.parts):
                digest.update(
                    f"{path.relative_to(_ROOT).as_posix()}\0".encode() + path.read_bytes()
                )
    return digest.hexdigest()[:24]


def _belongs_to(path: Path, kernel: str) -> bool:
    """True if a file is Numba's of that kernel: module.function-line.*, complete."""
    base = path.name.rpartition("-")[0]
    plain = "." + kernel.replace("<", "").replace(">", "")
    return bool(base) and ".tmp." not in path.name and plain.endswith(f".{base}")


def _tidy(home: Path) -> None:
    """Remove other versions' folders: those unused for a month, and beyond a number the oldest."""
    now = time.time()
    with contextlib.suppress(OSError):
        names = [path for path in home.parent.iterdir() if re.fullmatch("[0-9a-f]{24}", path.name)]
        ages = sorted(
            (now - _mtime(path / "used"), path) for path in names if not path.is_symlink()
        )
        for rank, (age, folder) in enumerate(ages):
            days = age / 86400
            if folder != home and (days > UNUSED_DAYS or (days > 1 and rank >= KEPT_VERSIONS)):
                shutil.rmtree(folder, ignore_errors=True)


def _remove_work_folders(home: Path, seconds: float) -> None:
    """Remove folders that killed processes have left, of at least this age."""
    for path in home.glob(f"{WORK_FOLDER}*"):
        if time.time() - _mtime(path) >= seconds:
            shutil.rmtree(path, ignore_errors=True)


def _refresh(path: Path, meaning: str) -> None:
    """Set the time of a file to now. Its text says what it is for, as an empty file would look damaged."""
    if _is_empty(path):
        path.write_text(f"{meaning}\n", "ascii")
    else:
        path.touch()


def _is_empty(path: Path) -> bool:
    """True if the file is empty or missing."""
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _sha256(path: Path) -> str:
    """Checksum of a file; empty, which matches no checksum, if it cannot be read."""
    try:
        return _digest(path.read_bytes()).decode()
    except (OSError, ValueError):
        return ""


def _mtime(path: Path) -> float:
    """Time of the last change in seconds; 0 if the file does not exist."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
