"""Perft suites: files of positions with known counts, and checks against them.

A line is `FEN ;D1 20 ;D2 400 ...`; empty lines and lines that start with `#` are skipped. Chess960
positions are recognised by castling rights written as file letters, or by kings and rooks that
ordinary chess cannot castle with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import chess

from boomslang.core.system.files import read_text
from boomslang.core.system.threads import in_threads
from boomslang.engine.notation.positions import board_of
from boomslang.perft.count import MAX_DEPTH
from boomslang.perft.divide import PerftCounter

STANDARD = Path(__file__).with_name("standard.epd")

_COUNT = re.compile(r"D([0-9]{1,2})\s+([0-9]{1,18})")
_MAX_BYTES = 64 << 20  # bytes


class SuiteError(ValueError):
    """A suite file that cannot be read; the message names file and line."""


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """One position of a suite with its known counts by depth."""

    place: str  # file:line
    fen: str
    chess960: bool
    counts: dict[int, int]

    def board(self) -> chess.Board:
        """The position on a new board."""
        return chess.Board(self.fen, chess960=self.chess960)


@dataclass(frozen=True, slots=True)
class Check:
    """One checked count of an entry: `found` should equal `expected`."""

    entry: SuiteEntry
    depth: int
    expected: int
    found: int

    @property
    def right(self) -> bool:
        """True if our count agrees with the suite's."""
        return self.found == self.expected


def parse_line(line: str, place: str = "") -> SuiteEntry:
    """Read one line of a suite. Raises SuiteError with `place` in front."""
    fen, *fields = (part.strip() for part in line.split(";"))
    counts = {}
    for part in fields:
        match = _COUNT.fullmatch(part)
        if not match or not 1 <= int(match[1]) <= MAX_DEPTH:
            raise SuiteError(f"{place}: expected 'D<depth> <count>', found '{part}'")
        counts[int(match[1])] = int(match[2])
    if not counts:
        raise SuiteError(f"{place}: no counts after the position, as in 'FEN ;D1 20'")
    try:
        # Suites contain unreachable positions; only those that cannot be counted are refused.
        board = board_of(fen)
    except ValueError as error:
        raise SuiteError(f"{place}: {error}") from None
    return SuiteEntry(place, fen, board.chess960, counts)


def read_suite(path: Path) -> list[SuiteEntry]:
    """All entries of a file. Raises SuiteError, or FileError if it cannot be read."""
    return [
        parse_line(line, f"{path}:{number}")
        for number, line in enumerate(read_text(path, _MAX_BYTES).split("\n"), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]


def plan(
    entries: Iterable[SuiteEntry], max_nodes: int | None = None
) -> list[tuple[SuiteEntry, int]]:
    """The (entry, depth) pairs to check: every count, or those of at most `max_nodes`."""
    return [
        (entry, depth)
        for entry in entries
        for depth, nodes in sorted(entry.counts.items())
        if max_nodes is None or nodes <= max_nodes
    ]


def run_suite(
    work: Iterable[tuple[SuiteEntry, int]],
    threads: int = 1,
    on_check: Callable[[Check], None] | None = None,
) -> list[Check]:
    """Count everything in `work`, each count on one thread; `on_check` sees each result at once.

    `on_check` is called from the worker threads.
    """
    jobs = list(work)
    results: list[Check | None] = [None] * len(jobs)
    ticket = count()  # next() on it is atomic, so it hands out the jobs

    def check(counter: PerftCounter) -> None:
        while (number := next(ticket)) < len(jobs):
            entry, depth = jobs[number]
            nodes = counter.count(entry.board(), depth)
            results[number] = result = Check(entry, depth, entry.counts[depth], nodes)
            if on_check:
                on_check(result)

    in_threads(check, [PerftCounter() for _ in range(threads)])
    return [result for result in results if result]
