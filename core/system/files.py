"""Reading and writing files named by users: bounded reads, atomic writes, one-line errors.

A file may be missing, a folder, an endless pipe or device, far too large, or not what its name says. All
files named by users are opened here. Files are written atomically: after a crash or on a full disk the
old content remains.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Final, TextIO

from boomslang.core.system.sanitize import printable
from boomslang.core.system.shutdown import run_at_end

MAX_TEXT: Final = 1 << 30  # bytes of a text file
_CHUNK: Final = 1 << 20  # bytes
_REPLACEMENTS: Final = 11  # attempts to replace a file
_REPLACE_AGAIN: Final = 0.1  # seconds between them
_MAX_NAME: Final = 120
_OPEN_ALREADY: Final = re.compile(r"-|/dev/stdin|/(?:dev|proc/self)/fd/([0-9]{1,5})")
_NOT_THERE: Final = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class FileError(ValueError):
    """A file that cannot be used; the message is one printable line with file and reason."""


def quote_path(path: Path | str) -> str:
    """A name in quotes, shortened, without characters that could forge a line or move the cursor."""
    text = str(path)
    if len(text) > _MAX_NAME:
        text = "..." + text[-_MAX_NAME:]
    return f"'{printable(text)}'"


def cannot(act: str, path: Path | str, problem: OSError) -> FileError:
    """The error that a file cannot be read, written or the like, for the reason of the system."""
    reason = (problem.strerror or str(problem)).lower()
    return FileError(f"cannot {act} {quote_path(path)}: {reason}")


def status_of(path: Path | str) -> os.stat_result | None:
    """The status of what a user has named, behind links; None if there is nothing of that name.

    Raises FileError where nobody can know, such as in a folder that may not be entered: several versions of
    Python let `Path.exists` and its like raise there, and others let them say no.
    """
    try:
        return _status_of(path)
    except OSError as problem:
        raise cannot("access", path, problem) from None


def exists(path: Path | str) -> bool:
    """True if there is something of that name; raises FileError like `status_of`."""
    return status_of(path) is not None


def is_file(path: Path | str) -> bool:
    """True for a regular file; raises FileError like `status_of`."""
    status = status_of(path)
    return status is not None and stat.S_ISREG(status.st_mode)


def is_folder(path: Path | str) -> bool:
    """True for a folder; raises FileError like `status_of`."""
    status = status_of(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def open_file(path: Path | str, largest: int) -> BinaryIO:
    """An existing regular file of at most `largest` bytes, open for reading; raises FileError."""
    try:
        _check(path, Path(path).stat(), largest)
        # Non-blocking: the file may have been replaced by a pipe since the check.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags)
        try:
            _check(path, os.fstat(descriptor), largest)
        except BaseException:
            os.close(descriptor)
            raise
        return os.fdopen(descriptor, "rb")
    except OSError as problem:
        raise cannot("read", path, problem) from None
    except FileError:
        raise
    except ValueError:  # a NUL in the name
        raise FileError(f"cannot read {quote_path(path)}: no such name") from None


def open_input(path: Path | str, largest: int) -> BinaryIO:
    """`open_file`, or what is open already: standard input as `-`, `/dev/stdin`, and pipes as `/dev/fd/N`.

    Such can be read only once. Raises FileError.
    """
    if not (number := _OPEN_ALREADY.fullmatch(str(path))):
        return open_file(path, largest)
    try:
        return os.fdopen(os.dup(int(number[1] or 0)), "rb")
    except OSError as problem:
        raise cannot("read", path, problem) from None


def is_open_already(path: Path | str) -> bool:
    """True for the names of `open_input` for what can be read only once."""
    return bool(_OPEN_ALREADY.fullmatch(str(path)))


def sha256_of(path: Path | str, largest: int) -> str:
    """The SHA-256 of a regular file of at most `largest` bytes; raises FileError."""
    digest = hashlib.sha256()
    with open_file(path, largest) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def read_file(path: Path | str, largest: int) -> bytes:
    """All of a regular file of at most `largest` bytes; raises FileError."""
    with open_file(path, largest) as file:
        try:
            data = file.read(largest + 1)
        except OSError as problem:
            raise cannot("read", path, problem) from None
    if len(data) > largest:
        raise FileError(f"{quote_path(path)} is larger than {largest} bytes")
    return data


def read_text(path: Path | str, largest: int) -> str:
    """All of a UTF-8 file; raises FileError."""
    try:
        return read_file(path, largest).removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{quote_path(path)} is not UTF-8 text") from None


def beside(path: Path, ending: str) -> Path:
    """The file of the same name with an ending more. Raises FileError for a folder without a name, as `.`."""
    if not path.name:
        raise FileError(f"cannot write {quote_path(path)}: it is a folder")
    return path.with_name(f"{path.name}.{ending}")


def check_writable(path: Path) -> None:
    """Check before the work begins that its result can be written; raises FileError."""
    try:
        folder = _resolve(path).parent
        status = _status_of(path)
        around = _status_of(folder)
    except OSError as problem:
        raise cannot("write", path, problem) from None
    if status and stat.S_ISDIR(status.st_mode):
        raise FileError(f"cannot write {quote_path(path)}: it is a folder")
    needed = [path] if status else []
    if not status or stat.S_ISREG(status.st_mode):
        needed.append(folder)
        if not around or not stat.S_ISDIR(around.st_mode):
            raise FileError(
                f"cannot write {quote_path(path)}: there is no folder {quote_path(folder)}"
            )
    if not all(os.access(place, os.W_OK) for place in needed):
        raise FileError(f"cannot write {quote_path(path)}: permission denied")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file atomically; text as `whole_text` does. Raises FileError."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_text(path: Path) -> Iterator[TextIO]:
    """`whole_file` for UTF-8 text; lone surrogates are written as escapes."""
    with whole_file(path) as file:
        text = TextIOWrapper(file, "utf-8", errors="backslashreplace", newline="\n")
        yield text
        text.detach()  # which flushes it, and leaves the file open


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write, moved into place when the block has ended without an error and all is on the disk.

    A link stays a link; a pipe or a device gets its content directly. Raises FileError.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        place = _resolve(path)
        part = _find_unused(place)
        with run_at_end(lambda: part.unlink(missing_ok=True)) as keep:
            try:
                with part.open("xb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
            except BaseException:
                part.unlink(missing_ok=True)
                raise
            move_into_place(part, place, keep)
    except OSError as problem:
        raise cannot("write", path, problem) from None


def _find_unused(place: Path) -> Path:
    """A name beside `place` that no other process uses, and no earlier result has kept."""
    names = (f".{place.name[:50]}.{os.getpid()}{end}.part" for end in ("", *range(1, 1000)))
    return next(path for path in map(place.with_name, names) if not path.exists())


def move_into_place(part: Path, place: Path, keep: Callable[[], bool] = lambda: True) -> None:
    """Rename a finished file, over an older one if there is one.

    On Windows another process, such as a virus scanner, may hold the older file for a moment, so a refusal is
    tried again for a second. Then the finished file stays where it is. Raises FileError, which names it
    if it is there and `keep` says that nothing will remove it any more, as the end of the process does.
    """
    for attempt in range(_REPLACEMENTS):
        try:
            part.replace(place)
            return
        except OSError as problem:
            if attempt + 1 == _REPLACEMENTS or not isinstance(problem, PermissionError):
                reason = (problem.strerror or str(problem)).lower()
                is_kept = keep() and part.exists()
                where_kept = f"; the result is in {quote_path(part)}" if is_kept else ""
                raise FileError(f"cannot write {quote_path(place)}: {reason}{where_kept}") from None
        time.sleep(_REPLACE_AGAIN)


@contextmanager
def sole_writer(path: Path, keep_lock: bool = False, patience: float = 0.0) -> Iterator[None]:
    """Hold the lock for writing `path` while the block runs.

    Raises FileError if another process still has it after `patience` seconds.

    The file of the lock is removed at the end. In that moment two others might both get the lock, so it must
    be kept where writers come often.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(beside(path, "lock"), timeout=patience)
    try:
        lock.acquire()
    except Timeout:
        raise FileError(f"another command is writing {quote_path(path)}") from None
    except OSError as problem:
        raise cannot("write", path, problem) from None
    if keep_lock:
        try:
            yield
        finally:
            lock.release()
        return
    name = Path(lock.lock_file)
    try:
        with run_at_end(lambda: name.unlink(missing_ok=True)):
            yield
    finally:
        lock.release()
        with suppress(OSError):  # another process may hold it by now
            name.unlink()


def _status_of(path: Path | str) -> os.stat_result | None:
    """`status_of`, which raises OSError."""
    try:
        return Path(path).stat()
    except OSError as problem:
        if problem.errno not in _NOT_THERE:
            raise
    except ValueError:  # a NUL in the name
        pass
    return None


def _resolve(path: Path) -> Path:
    """The path without links; raises OSError. Some Python versions raise RuntimeError for a link loop."""
    try:
        return path.resolve()
    except RuntimeError:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _check(path: Path | str, status: os.stat_result, largest: int) -> None:
    """Raise FileError unless `path` is a regular file of at most `largest` bytes."""
    if stat.S_ISDIR(status.st_mode):
        raise FileError(f"{quote_path(path)} is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(f"{quote_path(path)} is not a regular file")
    if status.st_size > largest:
        raise FileError(f"{quote_path(path)} is larger than {largest} bytes")


def user_file(name: str) -> Path:
    """A file in the user's folder for data of programs, `~/.local/share/boomslang` on Linux."""
    import platformdirs

    return platformdirs.user_data_path("boomslang", appauthor=False) / name
