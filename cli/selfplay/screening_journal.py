"""The journal of `boomslang screening`: lots and results of its pairs of games, kept on the disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from boomslang.cli.match.engine_spec import OURS, described
from boomslang.cli.terminal.arguments import refusing
from boomslang.engine.core.system.files import (
    FileError,
    check_writable,
    printable,
    read_file,
    shown,
    sole_writer,
)
from boomslang.engine.search.params import TABLE
from boomslang.engine.selfplay.pentanomial import Games
from boomslang.engine.selfplay.screening import Signs, draw

_LARGEST: Final = 1 << 30  # bytes
_VERSION: Final = 1
_DEFAULTS: Final = "defaults"
_ENGINE: Final = "engine"


@dataclass(frozen=True, slots=True)
class ScreeningPlan:
    """What the games depend on: changes as they are written, a move's limit, table and seed."""

    changes: tuple[str, ...]
    nodes: int
    movetime: int | None  # milliseconds, instead of the nodes
    hash: int  # megabytes of each side
    seed: int

    def told(self) -> dict[str, Any]:
        """As JSON keeps it, with the engine that played: its numbers, and a digest of its files."""
        return {
            "version": _VERSION,
            "changes": list(self.changes),
            "nodes": self.nodes,
            "movetime": self.movetime,
            "hash": self.hash,
            "seed": self.seed,
            _DEFAULTS: {param.name: param.default for param in TABLE},
            _ENGINE: described(OURS, {}).digest,
        }

    def lot(self, pair: int) -> Signs:
        """Who has which change in a pair of games."""
        return draw(self.seed, pair, len(self.changes))


class ScreeningJournal:
    """The pairs so far, `signs` and `results` of each; open it with `opened`."""

    def __init__(self, file: BinaryIO | None, signs: list[Signs], results: list[Games]) -> None:
        self._file = file
        self.signs = signs
        self.results = results

    def add(self, signs: Signs, games: Games) -> None:
        """Keep the next pair; it is on the disk when this returns. Raises UsageError if it cannot be."""
        if self._file:
            _write(self._file, {"number": len(self.results), "signs": signs, "results": games})
        self.signs.append(signs)
        self.results.append(games)


@contextmanager
def opened(path: Path | None, plan: ScreeningPlan) -> Iterator[ScreeningJournal]:
    """The journal of a plan, new or continued; without a path nothing is kept.

    Raises FileError if the file cannot be used, is of another plan, or is being written by another
    command. What a kill has left half written at its end is cut off.
    """
    if path is None:
        yield ScreeningJournal(None, [], [])
        return
    check_writable(path)
    with sole_writer(path):
        signs, results, sound = _read(path, plan)
        with path.open("r+b" if path.exists() else "wb") as file:
            file.truncate(sound)
            file.seek(sound)
            if not sound:
                _write(file, plan.told())
            yield ScreeningJournal(file, signs, results)


def _write(file: BinaryIO, line: dict[str, Any]) -> None:
    with refusing(OSError, about=f"cannot write {shown(file.name)}: "):
        file.write(_line(line))
        file.flush()
        os.fsync(file.fileno())


def _line(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode("ascii") + b"\n"


def _read(path: Path, plan: ScreeningPlan) -> tuple[list[Signs], list[Games], int]:
    """The lots and results of a file, and the length of its whole lines in bytes."""
    lines = read_file(path, _LARGEST).splitlines(keepends=True) if path.exists() else []
    first = _line(plan.told())
    if lines and not lines[-1].endswith(b"\n") and (len(lines) > 1 or first.startswith(lines[0])):
        del lines[-1]
    if not lines:
        return [], [], 0
    _check(path, lines[0], plan)
    signs: list[Signs] = []
    results: list[Games] = []
    for number, line in enumerate(lines[1:]):
        signs.append(plan.lot(number))
        try:
            results.append(_games(json.loads(line), number, signs[-1]))
        except (ValueError, KeyError, TypeError, RecursionError):
            problem = f"{shown(path)}: line {number + 2} is damaged or out of turn"
            raise FileError(problem) from None
    return signs, results, sum(map(len, lines))


def _games(told: dict[str, Any], number: int, lot: Signs) -> Games:
    """The results of the pair of that number. Raises ValueError if the line tells of something else."""
    first, second = told["results"]
    if told["number"] != number or told["signs"] != list(lot) or not {first, second} <= {-1, 0, 1}:
        raise ValueError
    return first, second


def _check(path: Path, line: bytes, plan: ScreeningPlan) -> None:
    """Raises FileError unless the first line tells of this plan."""
    try:
        kept = json.loads(line)
    except (ValueError, RecursionError):
        kept = None
    wanted = plan.told()
    if not isinstance(kept, dict) or kept.keys() != wanted.keys():
        raise FileError(f"{shown(path)} is no journal of boomslang screening")
    for name, value in wanted.items():
        if kept[name] != value:
            raise FileError(
                f"{shown(path)}: was begun {_shown(name, kept[name])}; name another file"
            )


def _shown(name: str, value: Any) -> str:
    if name == _DEFAULTS:
        return "when the numbers of the engine were others"
    if name == _ENGINE:
        return "with another version of the engine"
    if value is None:
        return f"without {name}"
    words = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return printable(f"with {name} {words}")
