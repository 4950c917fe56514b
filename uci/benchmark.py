"""The command `bench`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import chess

from boomslang.core.system.files import FileError, read_text
from boomslang.core.system.sanitize import quote
from boomslang.engine.driver import bench as engine_bench
from boomslang.engine.driver.bench import Look
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Limits
from boomslang.engine.notation.position_setup import from_fen
from boomslang.engine.options import find
from boomslang.uci.parse import BenchCommand

Write = Callable[[str], None]

_MAX_FILE: Final = 1 << 24  # bytes
_MAX_POSITIONS: Final = 100_000


def bench(
    command: BenchCommand,
    search: SearchTask,
    game: Searcher | None,
    current: chess.Board | None,
    write: Write,
) -> None:
    """Run the command until it ends or is stopped; raises CommandError. Kernels must be loaded.

    It evaluates as `game` does: by its network, or by the classical evaluation.
    """
    if current is not None:
        boards = [current]
    elif command.positions == "default":
        boards = [chess.Board(fen) for fen in engine_bench.POSITIONS]
    else:
        boards = _read(command.positions)
    look = _look(command, search, game)
    engine_bench.measure(boards, look, write)


def _look(command: BenchCommand, search: SearchTask, game: Searcher | None) -> Look:
    if command.kind == "perft":
        return lambda board: _count(board, command.limit or 4, search)
    size = (1, 1) if command.kind == "eval" else (command.hash_mb, command.threads)
    searcher = _new_searcher(game, *size)
    if command.kind == "eval":

        def evaluate(board: chess.Board) -> tuple[int, str] | None:
            if search.stopped:
                return None
            trace = searcher.explain(board)
            return 1, "in check" if trace is None else f"{trace.score / 100:+.2f}"

        return evaluate
    limit = command.limit or engine_bench.DEPTH
    limits = {
        "depth": Limits(depth=limit),
        "nodes": Limits(nodes=limit),
        "movetime": Limits(movetime=limit),
    }[command.kind]

    def look(board: chess.Board) -> tuple[int, str] | None:
        return _search(searcher, board, limits, search)

    return look


def _count(board: chess.Board, depth: int, search: SearchTask) -> tuple[int, str] | None:
    from boomslang.perft.count import MAX_DEPTH
    from boomslang.perft.divide import PerftStoppedError, divide

    try:
        counts = divide(board, min(depth, MAX_DEPTH), stopped=lambda: search.stopped)
    except PerftStoppedError:
        return None
    return sum(number for _, number in counts), f"{depth} plies"


def _search(
    searcher: Searcher, board: chess.Board, limits: Limits, search: SearchTask
) -> tuple[int, str] | None:
    search.attach(searcher)
    try:
        lines = searcher.analyse(board, limits)
    finally:
        search.detach()
    return None if search.stopped else engine_bench.outcome_of(lines)


def _new_searcher(game: Searcher | None, hash_mb: int, threads: int) -> Searcher:
    """A new searcher, which leaves the table of the game alone and evaluates as `game` does."""
    searcher = Searcher(hash_mb=1)
    if isinstance(game, Searcher):
        searcher.evaluate_like(game)
    searcher.set_hash(min(hash_mb, find("Hash").highest))
    searcher.set_threads(min(threads, find("Threads").highest))
    return searcher


def _read(path: str) -> list[chess.Board]:
    """The positions of a file with one FEN or EPD on each line; raises CommandError."""
    boards = []
    try:
        for number, line in enumerate(read_text(path, _MAX_FILE).split("\n"), 1):
            fields = line.split(";")[0].split()
            if not fields or fields[0].startswith("#"):
                continue
            counted = len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit()
            try:
                boards.append(from_fen(" ".join(fields[: 6 if counted else 4]), False))
            except CommandError as problem:
                raise CommandError(f"bench: line {number} of {quote(path)}: {problem}") from None
            if len(boards) > _MAX_POSITIONS:
                raise CommandError(f"bench: more than {_MAX_POSITIONS} positions in {quote(path)}")
    except FileError as problem:
        raise CommandError(f"bench: {problem}") from None
    if not boards:
        raise CommandError(f"bench: no positions in {quote(path)}")
    return boards
