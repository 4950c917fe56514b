"""The files of tables: found by their names, opened when they are first needed.

A file of up to a megabyte is read into memory. A larger one is mapped, read only, so that nothing is read
but what probes touch, and programs share it. A mapped file that is cut by another program takes its pages
away; a kernel that reads there ends the process, and no check can come just before. So sizes are compared
at every search and between its iterations (`close_cut`). A file that is replaced under its name, as by a
download that renames it when complete, does no harm: the old one stays until it is closed.

Kernels write into `record` while Python reads it: an array of it is copied before it is looked at, for NumPy
functions that look twice raise an exception if it changes in between.
"""

from __future__ import annotations

import errno
import math
import mmap
import os
import threading
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.position import new_record
from boomslang.core.system.files import FileError, open_file, quote_path
from boomslang.engine.tablebases.geometry import GEOMETRY, geometry, key_of, pieces_of
from boomslang.engine.tablebases.header import MAGIC, TableError, read_table
from boomslang.engine.tablebases.table_records import MAX_TABLES, SLOTS, TABLES

WDL, DTZ = MAGIC
_FIELDS: Final = {WDL: "wdl", DTZ: "dtz"}  # fields of TABLES
DAMAGED: Final = {WDL: 1, DTZ: 2}  # bits of TABLES.damaged
SMALL: Final = 1 << 20  # bytes of a file that is not mapped
_MAX_BYTES: Final = 1 << 44
_LACKS: Final = {errno.EMFILE, errno.ENFILE, errno.ENOMEM}  # that may be over at the next try
_MAX_ENTRIES: Final = 1 << 16  # per folder
_HASH: Final = 0x9E3779B97F4A7C15
_HASH_SHIFT: Final = 64 - (SLOTS.bit_length() - 1)


@dataclass
class _Open:
    """A file in use; `data` is its bytes, `mapped` is None where they were read."""

    record: Any
    data: npt.NDArray[np.uint8]
    mapped: mmap.mmap | None
    is_checked: bool  # its checksum is compared, or is about to be


class TableFiles:
    """The tables in some folders. `record` is what kernels find them by, and lives as long as this.

    Any thread may call the methods. Who lets a kernel probe keeps this object until the kernel has returned.
    """

    def __init__(self, folders: Sequence[str], check_up_to: int = 0) -> None:
        """Look for files; nothing is opened. The first folder that has a file counts.

        The checksums of files of up to `check_up_to` bytes are compared; that takes loaded kernels.
        """
        self._check_up_to = check_up_to
        self.record = new_record(TABLES)
        for name in GEOMETRY.names or ():
            self.record.geometry[name] = geometry()[name]
        self.unreadable: list[str] = []  # folders
        self.paths: dict[str, dict[str, Path]] = {WDL: {}, DTZ: {}}  # by suffix and name
        self.problems: dict[Path, str] = {}  # files that are not used any more, and why
        for folder in folders:
            self._find(folder)
        self.names = sorted(self.paths[WDL].keys() | self.paths[DTZ].keys())[:MAX_TABLES]
        self.piece_count = max((len(name) - 1 for name in self.paths[WDL]), default=0)
        self._open: dict[Path, _Open] = {}
        self._closed: list[_Open] = []
        self._unsound: list[Path] = []  # found by a check in the background
        self._lock = threading.RLock()  # for all that changes what is open
        self._told = 0  # problems
        for number, name in enumerate(self.names):
            pieces = pieces_of(name)
            if pieces:
                self._enter(number, *pieces)

    @property
    def address(self) -> int:
        """That of `record`."""
        return _address(self.record)

    @property
    def count(self) -> int:
        """Files found."""
        return sum(map(len, self.paths.values()))

    def open_wanted(self, seconds: float = math.inf) -> bool:
        """Open the WDL files that kernels have missed; True if there is a new one.

        When `seconds` have gone by the rest waits for the next call.
        """
        until = time.monotonic() + seconds
        is_new = False
        for number in np.flatnonzero(self.record.wanted.copy()).tolist():
            if time.monotonic() >= until:
                break
            self.record.wanted[number] = 0
            is_new = self.open(self.names[number], WDL) or is_new
        return is_new

    def hide(self) -> None:
        """Let kernels find no table until it is asked for again, as if none had ever been opened."""
        with self._lock:
            self.record.wdl[:] = self.record.dtz[:] = self.record.wanted[:] = 0

    def check(self, name: str, suffix: str) -> bool:
        """Whether a table can be used; it is closed again, as there may be more than a process may open."""
        with self._lock:
            file = self.open(name, suffix)
            if self._open.pop(self.paths[suffix][name], None):
                self.record[_FIELDS[suffix]][self.names.index(name)] = 0
            return file

    def open(self, name: str, suffix: str) -> bool:
        """Open a table unless it is open; False if there is none that can be used.

        `name` may be that of the opposite colours, such as KvKQ. A file for which memory or descriptors are
        lacking is tried again at the next call.
        """
        name = name if name in self.names else "v".join(reversed(name.split("v")))
        path = self.paths[suffix].get(name)
        with self._lock:
            if path is None or path in self.problems:
                return False
            file = self._open.get(path) or self._read(path, name, suffix)
            if file:
                self._open[path] = file
                self.record[_FIELDS[suffix]][self.names.index(name)] = _address(file.record)
            return file is not None

    def _read(self, path: Path, name: str, suffix: str) -> _Open | None:
        """A table to use; None, and mostly a problem noted, if it cannot be used."""
        pieces = pieces_of(name)
        try:
            data, mapped = _read(path)
            if pieces is None:
                raise TableError("no table has this name")
            record = read_table(data, suffix, *pieces)
            is_checked = len(data) <= self._check_up_to
            if is_checked and not _is_sound(data):
                raise TableError("its checksum is wrong")
            _advise(mapped)
            return _Open(record, data, mapped, is_checked)
        except FileError as problem:
            if not _is_a_lack(problem.__context__):
                self.problems[path] = str(problem)
        except OSError as problem:
            if not _is_a_lack(problem):
                self.problems[path] = (
                    f"cannot read {quote_path(path)}: {problem.strerror or problem}"
                )
        except ValueError as problem:
            self.problems[path] = f"{quote_path(path)} is no {name} table, or damaged: {problem}"
        return None

    def close_cut(self) -> None:
        """Use no mapped file any more that has another size than before."""
        for path, opened in list(self._open.items()):
            if opened.mapped and _size(opened.mapped) != len(opened.data):
                self._close(path, "its size has changed")

    def close_damaged(self) -> None:
        """Use no file any more in which a kernel has met damage, or whose checksum was found wrong."""
        for number in np.flatnonzero(self.record.damaged.copy()).tolist():
            bits = int(self.record.damaged[number])
            self.record.damaged[number] = 0
            for suffix, bit in DAMAGED.items():
                if bits & bit and (path := self.paths[suffix].get(self.names[number])):
                    self._close(path, "it is damaged")
        while self._unsound:
            self._close(self._unsound.pop(), "its checksum is wrong")

    def suspect(self, names: Collection[str]) -> None:
        """Compare the checksums of the open tables of that material on a thread, unless that was done."""
        names = {*names, *("v".join(reversed(name.split("v"))) for name in names)}
        with self._lock:
            doubtful = {
                path: opened
                for path, opened in self._open.items()
                if path.stem in names and not opened.is_checked
            }
            for opened in doubtful.values():
                opened.is_checked = True

        def compare() -> None:
            self._unsound += [path for path, it in doubtful.items() if not _is_sound(it.data)]

        if doubtful:
            threading.Thread(target=compare, name="checksums", daemon=True).start()

    def new_problems(self) -> list[str]:
        """What has become of files since the last call."""
        with self._lock:
            problems = list(self.problems.values())
            new, self._told = problems[self._told :], len(problems)
            return new

    def _close(self, path: Path, reason: str) -> None:
        with self._lock:
            if opened := self._open.pop(path, None):
                self._closed.append(opened)  # a helper thread may be reading it
                self.record[_FIELDS[path.suffix]][self.names.index(path.stem)] = 0
            self.problems.setdefault(path, f"{quote_path(path)} is not used: {reason}")

    def _find(self, folder: str) -> None:
        try:
            with os.scandir(folder) as entries:
                for entry, _ in zip(entries, range(_MAX_ENTRIES), strict=False):
                    path = Path(entry.path)
                    if path.suffix in self.paths and pieces_of(path.stem):
                        self.paths[path.suffix].setdefault(path.stem, path)
        except (OSError, ValueError):
            self.unreadable.append(folder)

    def _enter(self, number: int, white: list[int], black: list[int]) -> None:
        """Let kernels find a table by the pieces of either colour."""
        for swapped, pieces in enumerate(((white, black), (black, white))):
            key = key_of(*pieces)
            slot = (key * _HASH & (1 << 64) - 1) >> _HASH_SHIFT
            while self.record.material[slot] not in (0, key):
                slot = (slot + 1) % SLOTS
            if not self.record.material[slot]:
                self.record.material[slot] = key
                self.record.number[slot] = number
                self.record.is_swapped[slot] = swapped


def _read(path: Path) -> tuple[npt.NDArray[np.uint8], mmap.mmap | None]:
    """The bytes of a file, and where they are mapped; raises FileError, OSError or ValueError."""
    with open_file(path, _MAX_BYTES) as file:
        size = os.fstat(file.fileno()).st_size
        if size <= SMALL:
            data = file.read(SMALL + 1)
            if len(data) != size:
                raise TableError("its size has changed")
            return np.frombuffer(data, np.uint8), None
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return np.frombuffer(mapped, np.uint8), mapped


def _advise(mapped: mmap.mmap | None) -> None:
    """Let the system read no more of a file than what probes touch."""
    if mapped:
        with suppress(AttributeError, OSError):  # not on Windows
            mapped.madvise(mmap.MADV_RANDOM)


def _is_a_lack(problem: BaseException | None) -> bool:
    return isinstance(problem, OSError) and problem.errno in _LACKS


def _is_sound(data: npt.NDArray[np.uint8]) -> bool:
    from boomslang.engine.tablebases.checksum import is_sound  # kernels that few need

    return is_sound(data)


def _size(mapped: mmap.mmap) -> int:
    try:
        return mapped.size()
    except OSError:
        return -1


def _address(record: Any) -> int:
    """Where a record lies in memory."""
    return int(record.__array_interface__["data"][0])
