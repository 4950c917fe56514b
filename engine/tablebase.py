"""Endgame tables for a search: the options, what they know at the root, and the tables for the kernels.

    tables = Tablebase(print)
    tables.open("/srv/syzygy")
    tables.load()
    searcher.use_tables(tables)

The files are read by the kernels of `engine.tablebases`; none is opened before it is needed. Nor is NumPy or
Numba imported before there are tables: the engine must be there without them.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import chess

from boomslang.engine.core.system.files import FileError, is_folder, shown
from boomslang.engine.errors import sparing
from boomslang.engine.limits import Limits, Result
from boomslang.engine.root_ranking import (
    FIFTY,
    WIN,
    Grade,
    Listener,
    RankedMoves,
    grade,
    grade_result,
)

if TYPE_CHECKING:
    from boomslang.engine.search.state import SearchState
    from boomslang.engine.tablebases.files import TableFiles

MOST_MEN: Final = 7
_NAMED: Final = 3  # files in a message
_NO_DEADLINE: Final = (1 << 63) - 1
_TIME_SHARE: Final = 0.1  # of the time for a move, for opening files between two iterations
_LONGEST_OPENING: Final = 0.1  # seconds
_ROUNDING: Final = 2  # plies by which distances may differ that were both rounded


class Tablebase:
    """The options about tables, and their answers. `say` gets remarks for the user."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.files: TableFiles | None = None
        self._limit = MOST_MEN
        self._depth = 1
        self._fifty = True
        self._reported = 0  # problems
        self._ended = threading.Event()  # the kernels are there, or there are none
        self._is_loaded = False

    def set_depth(self, plies: int) -> None:
        """Least depth of a node for a probe with the greatest number of men."""
        self._depth = plies

    def set_limit(self, men: int) -> None:
        """Greatest number of men on the board for a probe."""
        self._limit = men

    def set_fifty(self, counts: bool) -> None:
        """Whether the fifty-move rule counts."""
        self._fifty = counts

    def open(self, path: str) -> str | None:
        """Look for tables in the folders of a path; none if it is empty.

        Where there are none the earlier ones stay, and an error message is returned.
        """
        folders = split(path)
        files = _find(folders) if folders else None
        unread = files.unreadable[:1] if files else []
        unreadable = "".join(f"cannot read the folder {shown(folder)}" for folder in unread)
        if files and not files.count:
            reason = f": {unreadable}" if unreadable else ""
            return f"error: there are no tablebases in SyzygyPath{reason}"
        self.files = files
        self._reported = 0
        self._ended.clear()
        if files:
            self._say(f"{files.count} tablebase files, up to {files.men} men")
        if unreadable:
            self._say(f"error: {unreadable}")
        return None

    def load(self) -> None:
        """Compile the kernels that probe, or load them; any thread may call this. Games without do not."""
        try:
            if self.files:
                import boomslang.engine.tablebases.checksum
                import boomslang.engine.tablebases.probe  # noqa: F401
                from boomslang.engine.core.system.jit import load_kernels

                load_kernels()
                self._is_loaded = True
        except Exception as problem:  # whatever Numba raises
            self._say(f"error: no tablebases, for their kernels do not compile: {problem}")
        finally:
            self._ended.set()

    def wait(self, seconds: float) -> None:
        """Wait until that is done, but not longer."""
        if self.files:
            self._ended.wait(seconds)

    @property
    def men(self) -> int:
        """Greatest number of men on the board for a probe; 0: there are no tables."""
        return min(self._limit, self.files.men) if self.files and self._is_loaded else 0

    def search(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Listener,
        search: SearchState,
        lines: int,
        is_playing: bool,
        begin: Callable[[Limits, Listener], Result],
    ) -> Result:
        """What `begin` finds with this SEARCH record, with what the tables know of the root.

        `lines` are wanted. A move that `is_playing` makes progress in a won position.
        """
        ranked = None
        search.table_hits = search.table_men = 0
        if self._is_loaded:
            with sparing("the use of tablebases", partial(self._switch_off, search), self._say):
                ranked = self.rank(board, limits.search_moves, lines, search)
                self.attach(search, ranked)
        if not ranked:
            return begin(limits, on_info)
        limits = replace(limits, search_moves=tuple(move.uci() for move in ranked.moves))
        result = begin(limits, ranked.listener(on_info))
        return ranked.settle(result, on_info) if is_playing else ranked.first_shown(result)

    def _switch_off(self, search: SearchState | None = None) -> None:
        """Probe no more until tables are opened again; what a search still reads stays in memory."""
        self._is_loaded = False
        if search is not None:
            search.table_men = 0

    def rank(
        self,
        board: chess.Board,
        names: Iterable[str | chess.Move] | None,
        lines: int,
        search: SearchState,
    ) -> RankedMoves | None:
        """The legal moves of a position by the tables; None if they do not know it.

        Only those of `names`, if there are any. `search` is a SEARCH record to work with.
        """
        if chess.popcount(board.occupied) > self.men or board.clean_castling_rights():
            return None
        self.refresh()
        found = self._root(board, search)
        self.refresh()
        if not found:
            return None
        grades, hits = found
        wanted = {move: grades[move] for move in grades if not names or move.uci() in names}
        return RankedMoves(wanted or grades, lines, hits)

    def attach(self, search: SearchState, ranked: RankedMoves | None) -> None:
        """Let a search probe inside the tree, unless its root is `ranked` and needs no more."""
        done = ranked is not None and (ranked.has_distances or ranked.result <= 0)
        files = None if done else self.files
        search.table_hits = 0
        search.table_men = self.men if files else 0
        if not files or not search.table_men:
            return
        from boomslang.engine.core.system.jit import address_of
        from boomslang.engine.tablebases.probe import probe_wdl

        # With all tables there are, as in Stockfish, the depth does not matter.
        search.table_depth = self._depth if self._limit <= files.men else 0
        search.table_draw = int(self._fifty)
        search.table_probe = address_of(probe_wdl)
        search.probe.tables = files.address

    def refresh(self, deadline: int = _NO_DEADLINE) -> None:
        """Between two iterations: open what kernels have missed, close what cannot be used any more.

        That takes a tenth of the time until `deadline`, in the nanoseconds of `time.monotonic_ns`.
        """
        if self.files and self._is_loaded:
            with sparing("the use of tablebases", self._switch_off, self._say):
                self._refresh(self.files, deadline)

    def _refresh(self, files: TableFiles, deadline: int) -> None:
        files.close_cut()
        files.close_damaged()
        left = (deadline - time.monotonic_ns()) / 1e9
        files.open_wanted(min(_TIME_SHARE * left, _LONGEST_OPENING))
        problems = list(files.problems.values())
        new, self._reported = problems[self._reported :], len(problems)
        for problem in new[:_NAMED]:
            self._say(f"error: {problem}")
        if len(new) > _NAMED:
            self._say(f"error: {len(new) - _NAMED} more tablebase files cannot be used")

    def _root(
        self, board: chess.Board, search: SearchState
    ) -> tuple[dict[chess.Move, Grade], int] | None:
        """All legal moves with their grades, and the number of probes; by results if need be."""
        from boomslang.engine import bridge
        from boomslang.engine.core.board.makemove import make_move
        from boomslang.engine.core.constants import U
        from boomslang.engine.tablebases.files import DTZ, WDL

        files, name = self.files, name_of(board)
        if not files or not any(board.legal_moves):
            return None
        prober = _Prober(files, search)
        files.open(name, WDL)
        has_distances = files.open(name, DTZ)
        root = search.position[0]
        bridge.set_castling(search.rules, board)
        bridge.to_position(search.rules, board, root)
        worth = prober.result(root)
        distance = prober.distance(root) if has_distances else None
        results, distances = dict[chess.Move, int](), dict[chess.Move, tuple[int, bool]]()
        for move in board.legal_moves:
            search.position[1] = root
            child = search.position[1]
            make_move(search.rules, child, U(bridge.from_move(move, board)))
            result = prober.result(child)
            if result is None or worth is None:
                return None
            results[move] = -result
            after = self._distance_after(board, move, -result, partial(prober.distance, child))
            if after is not None:
                distances[move] = after
        if max(results.values()) != worth:
            files.close(name, WDL, "it says something else of a position than of its best move")
            return None
        hits = 1 + len(results)
        if distance is None or len(distances) < len(results):
            return {
                move: grade_result(result, self._fifty) for move, result in results.items()
            }, hits
        if not _agrees(distance[0], worth, [plies for plies, _ in distances.values()]):
            files.close(name, DTZ, "it says something else of a position than of its best move")
            return {
                move: grade_result(result, self._fifty) for move, result in results.items()
            }, hits
        repeated = has_repeated(board)
        return {
            move: grade(plies, board.halfmove_clock, rounded, repeated, self._fifty)
            for move, (plies, rounded) in distances.items()
        }, hits

    def _distance_after(
        self,
        board: chess.Board,
        move: chess.Move,
        result: int,
        probe: Callable[[], tuple[int, bool] | None],
    ) -> tuple[int, bool] | None:
        """The distance of a move, see `grade`, and whether it is rounded; None if it is not known.

        `result` is what it leads to; `probe` asks for the distance of the position after it.
        """
        sign = (result > 0) - (result < 0)
        is_zeroing = board.is_zeroing(move)
        board.push(move)
        try:
            if board.is_checkmate():
                return 1, False
            if is_zeroing:
                return sign * (1 if abs(result) == WIN else 1 + FIFTY), False
            if board.is_repetition(3) or (self._fifty and board.halfmove_clock >= FIFTY):
                return 0, False
        finally:
            board.pop()
        if not (found := probe()):
            return None
        return -found[0] + sign, found[1]


def opened(path: str) -> Tablebase:
    """The tables in the folders of a path, ready; damaged ones are left out without a word."""
    tables = Tablebase(lambda remark: None)
    tables.open(path)
    tables.load()
    return tables


class _Prober:
    """Probes outside the search; tables are opened as they are needed."""

    def __init__(self, files: TableFiles, search: SearchState) -> None:
        self._files = files
        self._rules = search.rules
        self._probe = search.probe
        self._probe.tables = files.address

    def result(self, position: Any) -> int | None:
        """The result of a POSITION, WIN to LOSS; None if it is not known."""
        from boomslang.engine.tablebases.probe import probe_wdl

        return self._until_open(partial(probe_wdl, self._rules, position, self._probe))

    def distance(self, position: Any) -> tuple[int, bool] | None:
        """Its distance and whether that is rounded, see `probe_dtz`; None if it is not known."""
        from boomslang.engine.tablebases.probe import probe_dtz

        found = self._until_open(partial(probe_dtz, self._rules, position, self._probe))
        return None if found is None else (found, bool(self._probe.is_rounded))

    def _until_open(self, ask: Callable[[], Any]) -> int | None:
        """What a kernel answers when all tables are open that it wants, or None."""
        from boomslang.engine.tablebases.probe_record import UNKNOWN

        unknown = int(UNKNOWN)
        while (found := int(ask())) == unknown and self._files.open_wanted():
            pass
        return None if found == unknown else found


def _find(folders: tuple[str, ...]) -> TableFiles:
    from boomslang.engine.tablebases.files import SMALL, TableFiles

    return TableFiles(folders, SMALL)


def split(path: str) -> tuple[str, ...]:
    """The folders of a path: separated by semicolons, and by colons where no path has one."""
    with suppress(FileError):  # it is no single folder
        if path.strip() and is_folder(path.strip()):
            return (path.strip(),)
    if os.pathsep == ":":
        path = path.replace(":", ";")
    return tuple(part.strip() for part in path.split(";") if part.strip())


def name_of(board: chess.Board) -> str:
    """The name of the table of a position, such as KRPvKR, White's pieces first."""
    white, black = (
        "".join(
            letter * len(board.pieces(piece, colour))
            for piece, letter in zip(range(6, 0, -1), "KQRBNP", strict=True)
        )
        for colour in (chess.WHITE, chess.BLACK)
    )
    return f"{white}v{black}"


def has_repeated(board: chess.Board) -> bool:
    """True if some position has come again since the last capture or pawn move."""
    earlier, seen = board.copy(), set[tuple[object, ...]]()
    for _ in range(min(board.halfmove_clock, len(board.move_stack)) + 1):
        # Without pawn moves and captures kings and pieces tell positions apart.
        kinds = (earlier.knights, earlier.bishops, earlier.rooks, earlier.queens, earlier.kings)
        key = (earlier.turn, earlier.occupied_co[chess.WHITE], earlier.occupied, *kinds)
        if key in seen:
            return True
        seen.add(key)
        if earlier.move_stack:
            earlier.pop()
    return False


def _agrees(distance: int, worth: int, moves: list[int]) -> bool:
    """True if the distance of a position can be that of its best move, and goes with its result."""
    if not worth:
        return not distance
    best = min((plies for plies in moves if plies > 0), default=0) if worth > 0 else min(moves)
    is_cursed = abs(worth) < WIN
    in_range = abs(distance) > FIFTY if is_cursed else abs(distance) <= FIFTY + _ROUNDING
    return in_range and best * worth > 0 and abs(abs(best) - abs(distance)) <= _ROUNDING
