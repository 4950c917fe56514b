"""Damaged tablebases, thousands of them: what the reader makes of each.

    python -m tests.stress.damaged_tables --tables FOLDER --count 10000

A file is damaged in one of the ways of `tests.stress.damage`, or has the bytes of another table. Then
positions are probed whose results are known, and their legal moves are ranked as at the root of a search. A
file may be refused by name, answer nothing, or answer; wrong answers are counted, and apart from them those
that the ranks of the root let pass. Each damaged file is tried twice: as the engine opens it, and without
its checksum, as files above a megabyte are opened.

Exit status 1: a probe took too long, a swapped file was used, or an answer was wrong though the checksum was
compared. A crash ends this program.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final

import chess
import chess.syzygy

import boomslang.engine.tablebases.checksum
import boomslang.engine.tablebases.probe  # noqa: F401 - kernels to load
from boomslang.engine import bridge
from boomslang.engine.driver.searcher import load
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.tablebases.table_files import SMALL, WDL, TableFiles
from tests.stress.damage import damaged
from tests.support.syzygy import Reader, random_board

MAX_SECONDS: Final = 1.0  # seconds of processor time for a file and its probes
_BOARDS: Final = 8  # for each table
_SWAPPED: Final = 100


class Truth:
    """Sound tables, and for each some positions with their results and distances."""

    def __init__(self, folders: list[Path], source: random.Random) -> None:
        self.files = sorted(path for folder in folders for path in folder.glob("*.rtb?"))
        self.boards: dict[str, list[tuple[chess.Board, int, int]]] = {}
        with chess.syzygy.Tablebase() as oracle:
            for folder in folders:
                oracle.add_directory(str(folder))
            for name in {path.stem for path in self.files}:
                known: list[tuple[chess.Board, int, int]] = []
                while len(known) < _BOARDS:
                    board = random_board(name, source)
                    if any(board.legal_moves):
                        known.append((board, oracle.probe_wdl(board), oracle.probe_dtz(board)))
                self.boards[name] = known


class Ledger:
    """Counts what became of the files."""

    def __init__(self, truth: Truth, check_up_to: int = SMALL) -> None:
        self._truth = truth
        self._check_up_to = check_up_to
        self._search = bridge.new_search()
        self.files: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.slowest = 0.0

    def add(self, path: Path, data: bytes) -> str:
        """Probe with this content for a file beside the sound others; returns what became of it."""
        with tempfile.TemporaryDirectory() as folder:
            for other in self._truth.files:
                (Path(folder) / other.name).symlink_to(other)
            (Path(folder) / path.name).unlink()
            (Path(folder) / path.name).write_bytes(data)
            begun = time.process_time()
            kind = self._probe(Path(folder), path)
            self.slowest = max(self.slowest, time.process_time() - begun)
        self.files[kind] += 1
        return kind

    def _probe(self, folder: Path, path: Path) -> str:
        boards = self._truth.boards[path.stem]
        reader = Reader(folder, check_up_to=self._check_up_to)
        if not reader.files.open(path.stem, path.suffix):
            return "refused"
        wrong = unknown = 0
        for board, wdl, dtz in boards:
            found = reader.wdl(board) if path.suffix == WDL else reader.dtz(board)
            wrong += found not in (None, wdl if path.suffix == WDL else dtz)
            unknown += found is None
        self.answers["wrong"] += wrong
        self.answers["unknown"] += unknown
        self.answers["right"] += len(boards) - wrong - unknown
        self._rank(folder, boards)
        return "wrong answers" if wrong else "no answers" if unknown else "right answers"

    def _rank(self, folder: Path, boards: list[tuple[chess.Board, int, int]]) -> None:
        """The same positions as roots."""
        tables = Tablebase(lambda remark: None)
        tables.open(str(folder))
        tables.files = TableFiles([str(folder)], self._check_up_to)
        tables.load()
        for board, wdl, _ in boards:
            ranked = tables.rank(board, None, 1, self._search)
            kind = "unknown" if ranked is None else "right" if ranked.result == wdl else "wrong"
            self.answers[f"{kind} at the root"] += 1


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=Path, nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="files (1000)")
    parser.add_argument("--largest", type=int, default=1 << 20, metavar="BYTES")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args()
    load()
    source = random.Random(arguments.seed)
    truth = Truth(arguments.tables, source)
    files = [path for path in truth.files if path.stat().st_size <= arguments.largest]

    ledger, unchecked = Ledger(truth), Ledger(truth, check_up_to=0)
    for number in range(arguments.count):
        path = source.choice(files)
        sound = path.read_bytes()
        content = damaged(sound, random.Random(f"{arguments.seed} {number}"))
        if content != sound:
            ledger.add(path, content)
            unchecked.add(path, content)
    swapped = Ledger(truth)
    for _ in range(min(_SWAPPED, arguments.count)):
        path, other = source.sample(files, 2)
        swapped.add(path, other.read_bytes())
    ledgers = {"damaged": ledger, "checksum not compared": unchecked, "swapped": swapped}
    for what, found in ledgers.items():
        print(f"{what}: files {dict(found.files)}, answers {dict(found.answers)}")
        print(f"{what}: slowest file with its probes {found.slowest:.2f} s")
    used = sum(count for kind, count in swapped.files.items() if kind != "refused")
    wrong = ledger.answers["wrong"] + ledger.answers["wrong at the root"]
    return 1 if used or wrong or max(each.slowest for each in ledgers.values()) > MAX_SECONDS else 0


if __name__ == "__main__":
    sys.exit(main())
