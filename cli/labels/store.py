"""The rows of an unfinished run, kept so that the same command goes on where it was interrupted.

They lie in FILE.part, and FILE.part.json says how many of its bytes count, and what they were made of.
When all is done FILE.part becomes FILE. Whatever ends the process, a second's work is lost at most.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from boomslang.cli.labels.positions import Item
from boomslang.engine.core.system.files import (
    FileError,
    check_writable,
    read_text,
    shown,
    sole_writer,
    write_whole,
)

_VERSION: Final = 1
_LARGEST: Final = 1 << 20  # bytes of the state
_SAVE_INTERVAL: Final = 1.0  # seconds


@dataclass(slots=True)
class LabelProgress:
    """How far a run has come."""

    items: int = 0  # of the input
    digest: str = ""  # of these items
    size: int = 0  # bytes of rows
    good: int = 0
    bad: int = 0


class LabelMarks:
    """Passes items on and keeps a digest of all that have passed."""

    def __init__(self) -> None:
        self._sum = hashlib.sha256()
        self.items = 0

    def passing(self, items: Iterator[Item]) -> Iterator[Item]:
        """The same items."""
        for item in items:
            self._sum.update(item if isinstance(item, bytes) else repr(item).encode())
            self.items += 1
            yield item

    @property
    def digest(self) -> str:
        """Of the items so far."""
        return self._sum.hexdigest()


class Store:
    """An unfinished file of rows; open it with `opened`."""

    def __init__(
        self, file: BinaryIO, state: Path, settings: dict[str, Any], done: LabelProgress
    ) -> None:
        self._file = file
        self._state = state
        self._settings = settings
        self._saved = time.monotonic()
        self.done = done
        self.is_complete = False  # set it, and the file gets its name when it is closed

    def add(self, text: str, items: int, digest: str, good: int, bad: int) -> None:
        """Append rows; so many items of the input are done by now."""
        data = text.encode("utf-8", "replace")
        self._file.write(data)
        done = self.done
        self.done = LabelProgress(
            items, digest, done.size + len(data), done.good + good, done.bad + bad
        )
        if time.monotonic() - self._saved > _SAVE_INTERVAL:
            self.save()

    def save(self) -> None:
        """Bring everything to the disk, the rows before what is said of them."""
        self._file.flush()
        os.fsync(self._file.fileno())
        told = {"version": _VERSION, "settings": self._settings, "done": asdict(self.done)}
        write_whole(self._state, json.dumps(told) + "\n")
        self._saved = time.monotonic()


@contextlib.contextmanager
def opened(path: Path, settings: dict[str, Any]) -> Iterator[Store]:
    """The store of the rows that become `path`, new or continued; raises FileError.

    What `settings` hold must be the same when it is continued.
    """
    if path.exists() and not path.is_file():
        raise FileError(f"cannot write {shown(path)}: it is not a regular file")
    part, state = path.with_name(f"{path.name}.part"), path.with_name(f"{path.name}.part.json")
    for needed in (path, part, state):
        check_writable(needed)
    try:
        with sole_writer(part):
            done = _known(part, state, settings)
            if not done.items:
                state.unlink(
                    missing_ok=True
                )  # it must never tell of rows that are not there any more
            with part.open("r+b" if done.items else "wb") as file:
                file.truncate(done.size)
                file.seek(done.size)
                store = Store(file, state, settings, done)
                try:
                    yield store
                finally:
                    store.save()
            if store.is_complete:
                part.replace(path)
                state.unlink(missing_ok=True)
    except OSError as problem:
        raise FileError(f"cannot write {shown(path)}: {problem.strerror or problem}") from None


def _known(part: Path, state: Path, settings: dict[str, Any]) -> LabelProgress:
    """How far an earlier run has come; raises FileError if it was another one."""
    if not state.exists() or not part.exists():
        return LabelProgress()
    try:
        told = json.loads(read_text(state, _LARGEST))
        done = LabelProgress(**told["done"])
        earlier = told["settings"]
        sound = told["version"] == _VERSION and part.stat().st_size >= done.size
    except FileError:
        raise
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise FileError(f"{shown(part)} is damaged; remove it to begin again")
    if earlier != settings:
        changed = sorted(name for name in settings if earlier.get(name) != settings[name])
        names = ", ".join(changed) or "settings"
        raise FileError(
            f"{shown(part)} was begun with other settings ({names}); remove it to begin again"
        )
    return done if done.items else LabelProgress()  # with no more than a head it begins anew
