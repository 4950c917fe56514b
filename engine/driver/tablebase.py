"""Endgame tables for a search: the options, what they know at the root, and the tables for the kernels.

    tables = Tablebase(print)
    tables.open("/srv/syzygy")
    tables.load()
    searcher.use_tables(tables)

The files are read by the kernels of `engine.tablebases`; none is opened before it is needed. Nor is NumPy or
Numba imported before there are tables: the engine must be there without them. In the tree,
`engine/search/tb_bounds.py` probes.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import chess

from boomslang.core.system.files import FileError, is_folder, quote_path
from boomslang.engine.driver.root_probing import KnownMove, PlayedOut, Prober, agrees, is_worth
from boomslang.engine.driver.root_ranking import (
    DRAW,
    FIFTY,
    Grade,
    RankedMoves,
    grade,
    grade_result,
)
from boomslang.engine.errors import sparing
from boomslang.engine.limits import Limits

if TYPE_CHECKING:
    from boomslang.engine.search.state import SearchState
    from boomslang.engine.tablebases.table_files import TableFiles

MAX_PIECES: Final = 7
_NAMED: Final = 3  # files in a message
_POLL_INTERVAL: Final = 0.02  # seconds between looks at whether a wait was given up
_TIME_SHARE: Final = 0.1  # share of the time for a move, for opening files between two iterations
_MAX_OPENING: Final = 0.1  # seconds
_IMPOSSIBLE: Final = (  # in these a king may be taken, or a place has no number
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
)


class Tablebase:
    """The options about tables, and their answers. `say` gets remarks for the user.

    `repeats`: the answers of a search depend on nothing but its position and its limits, not on what was
    searched before, as long as the files are sound and no clock ends it.
    """

    def __init__(self, say: Callable[[str], None], repeats: bool = False) -> None:
        self._say = say
        self._repeats = repeats
        self.files: TableFiles | None = None
        self._limit = MAX_PIECES
        self._depth = 1
        self._fifty = True
        self._ended = threading.Event()  # the kernels are there, or there are none
        self._is_loaded = False

    def set_depth(self, plies: int) -> None:
        """Least depth of a node for a probe with the greatest number of pieces."""
        self._depth = plies

    def set_limit(self, piece_count: int) -> None:
        """Greatest number of pieces on the board for a probe."""
        self._limit = piece_count

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
        unreadable = "".join(f"cannot read the folder {quote_path(folder)}" for folder in unread)
        if files and not files.count:
            reason = f": {unreadable}" if unreadable else ""
            return f"error: there are no tablebases in SyzygyPath{reason}"
        self.files = files
        if not self._is_loaded:
            self._ended.clear()
        if files:
            self._say(f"{files.count} tablebase files, up to {files.piece_count} pieces")
        if unreadable:
            self._say(f"error: {unreadable}")
        return None

    def load(self, aside: bool = False) -> None:
        """Compile the kernels that probe, or load them, perhaps on another thread; any may call this."""
        if aside:
            threading.Thread(target=self.load, name="tables", daemon=True).start()
            return
        if not self.files:  # those that are opened later have a call of their own, which must end
            return
        try:
            import boomslang.engine.tablebases.checksum
            import boomslang.engine.tablebases.probe  # noqa: F401
            from boomslang.core.jit.jit import load_kernels

            load_kernels()
            self._is_loaded = True
        except Exception as problem:  # whatever Numba raises
            self._say(f"error: no tablebases, for their kernels do not compile: {problem}")
        finally:
            self._ended.set()

    def wait(self, seconds: float, given_up: Callable[[], bool] = lambda: False) -> None:
        """Wait until that is done, but not longer, nor once `given_up` is true."""
        until = time.monotonic() + seconds
        while self.files and not given_up() and (left := until - time.monotonic()) > 0:
            if self._ended.wait(min(_POLL_INTERVAL, left)):
                return

    @property
    def piece_count(self) -> int:
        """Greatest number of pieces on the board for a probe; 0: there are no tables."""
        return min(self._limit, self.files.piece_count) if self.files and self._is_loaded else 0

    def attach(self, board: chess.Board, limits: Limits, search: SearchState) -> RankedMoves | None:
        """Let a SEARCH record own the tables and probe them; returns what they know of the root.

        To be followed by `detach`. Tables that fail are switched off, and the search goes on without.
        """
        if self.files and not self._ended.is_set():
            self._say("the kernels of tablebases are not ready, this search goes without tables")
        ranked = None
        search.tb_hits = 0
        if self._is_loaded:
            with sparing("the use of tablebases", partial(self._switch_off, search), self._say):
                if self.files and self._repeats:
                    self.files.hide()
                ranked = self.rank(board, limits.search_moves, limits.multipv or 1, search)
                self._let_probe_inside(board, search, ranked)
        return ranked

    def detach(self, search: SearchState) -> None:
        """After a search, let its SEARCH record own no tables."""
        _let_probe(search, None)

    def _switch_off(self, search: SearchState) -> None:
        """Probe no more until tables are opened again; what a search still reads stays in memory."""
        self._is_loaded = False
        search.tb_pieces = 0

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
        files = self._files_for(board)
        if (
            not files
            or chess.popcount(board.occupied) > self.piece_count
            or board.clean_castling_rights()
        ):
            return None
        self._refresh(files)
        graded_root = self._root(files, board, search)
        self._refresh(files)
        if not graded_root:
            return None
        grades, hits = graded_root
        wanted_grades = {move: grades[move] for move in grades if not names or move.uci() in names}
        return RankedMoves(wanted_grades or grades, lines, hits)

    def refresh(self, search: SearchState, deadline: int) -> None:
        """Between two iterations: open what kernels have missed, close what cannot be used any more.

        That takes a tenth of the time until `deadline`, in the nanoseconds of `time.monotonic_ns`.
        """
        if (files := tables_of(search)) and self._is_loaded:
            with sparing("the use of tablebases", partial(self._switch_off, search), self._say):
                self._refresh(files, (deadline - time.monotonic_ns()) / 1e9)

    def _refresh(self, files: TableFiles, seconds: float = math.inf) -> None:
        files.close_cut()
        files.close_damaged()
        longest = math.inf if self._repeats else _MAX_OPENING
        files.open_wanted(min(_TIME_SHARE * seconds, longest))
        new = files.new_problems()
        for problem in new[:_NAMED]:
            self._say(f"error: {problem}")
        if len(new) > _NAMED:
            self._say(f"error: {len(new) - _NAMED} more tablebase files cannot be used")

    def _files_for(self, board: chess.Board) -> TableFiles | None:
        """The tables, if kernels may look for a position and what follows it."""
        return None if not self.piece_count or board.status() & _IMPOSSIBLE else self.files

    def _let_probe_inside(
        self, board: chess.Board, search: SearchState, ranked: RankedMoves | None
    ) -> None:
        """Let a search probe inside the tree, unless its root is `ranked` and needs no more."""
        search.tb_hits = 0
        done = ranked is not None and (ranked.has_distances or ranked.result <= 0)
        files = None if done else self._files_for(board)
        _let_probe(search, files)
        if not files:
            return
        from boomslang.core.jit.jit import address_of
        from boomslang.engine.tablebases.probe import probe_wdl

        # With all tables there are, as in Stockfish, the depth does not matter.
        search.tb_depth = self._depth if self._limit <= files.piece_count else 0
        search.tb_draw = int(self._fifty)
        search.tb_probe = address_of(probe_wdl)
        search.tb_pieces = min(self._limit, files.piece_count)

    def _root(
        self, files: TableFiles, board: chess.Board, search: SearchState
    ) -> tuple[dict[chess.Move, Grade], int] | None:
        """All legal moves with their grades, and the number of probes; by results if need be.

        Values of the tables, which know neither clock nor history, are compared with each other. Only
        then are the moves graded, by the clock and the history too.
        """
        from boomslang.engine.tablebases.table_files import DTZ, WDL

        if not any(board.legal_moves):
            return None
        name = name_of(board)
        files.open(name, WDL)
        has_distances = files.open(name, DTZ)
        prober = Prober(files, search, board)
        worth = prober.result(search.position[0])
        distance = prober.distance(search.position[0]) if has_distances else None
        moves = [prober.move(board, move, distance is not None) for move in board.legal_moves]
        if worth is None or None in moves:
            return None
        known_moves = [move for move in moves if move is not None]
        if not is_worth(worth, known_moves):
            files.suspect(_names_near(board))
            return None
        has_distances = distance is not None and all(
            move.distance is not None for move in known_moves
        )
        if distance and has_distances and not agrees(distance[0], worth, known_moves):
            files.suspect(_names_near(board))
            has_distances = False
        played = PlayedOut(prober, board)
        grades, best = dict[chess.Move, Grade](), max(move.result for move in known_moves)
        for found in known_moves:
            if self._draws(board, found):
                grades[found.move] = Grade(DRAW, 0, 0)
            elif has_distances and found.distance is not None:
                clock = 0 if found.is_final else board.halfmove_clock
                grades[found.move] = grade(
                    found.distance, clock, found.is_rounded, played.has_repeated, self._fifty
                )
            else:
                # As a quiet move takes a ply, it may be better only than what it leads to.
                is_edge = not found.is_final and found.result == best == 2 * worth
                grades[found.move] = grade_result(worth if is_edge else found.result, self._fifty)
        if has_distances and self._fifty:
            played.put_right(known_moves, grades)
        return grades, 1 + len(known_moves)

    def _draws(self, board: chess.Board, known: KnownMove) -> bool:
        """Whether a move draws by the third repetition or the fifty-move rule, whatever tables say."""
        if known.is_final:
            return False
        board.push(known.move)
        try:
            is_fifty = self._fifty and board.halfmove_clock >= FIFTY
            return is_fifty or board.is_repetition(3)
        finally:
            board.pop()


def open_tables(path: str) -> Tablebase:
    """The tables in the folders of a path, ready, for answers that do not depend on earlier ones.

    Damaged ones are left out without a word.
    """
    tables = Tablebase(lambda remark: None, repeats=True)
    tables.open(path)
    tables.load()
    return tables


def tables_of(search: SearchState) -> TableFiles | None:
    """The tables that a search may probe; each of its threads keeps them."""
    files: TableFiles | None = getattr(search, "tables", None)
    return files


def _let_probe(search: SearchState, files: TableFiles | None) -> None:
    """Let a SEARCH record own the tables that it knows by their address, or probe none."""
    search.tb_pieces = 0
    object.__setattr__(search, "tables", files)  # a record takes all attributes for fields
    if files:
        search.probe.tables = files.address


def _find(folders: tuple[str, ...]) -> TableFiles:
    from boomslang.engine.tablebases.table_files import SMALL, TableFiles

    return TableFiles(folders, SMALL)


def split(path: str) -> tuple[str, ...]:
    """The folders of a path: separated by semicolons, and by colons where no path has one."""
    with suppress(FileError):  # it is no single folder
        if path.strip() and is_folder(path.strip()):
            return (path.strip(),)
    if os.pathsep == ":":
        path = path.replace(":", ";")
    return tuple(part.strip() for part in path.split(";") if part.strip())


def folders_of(path: str) -> str:
    """The folders of a path by absolute names; empty for none. Raises ValueError if one has no tables."""
    from boomslang.engine.tablebases.table_files import TableFiles

    folders = [os.path.abspath(folder) for folder in split(path)]  # noqa: PTH100
    for folder in folders:
        if not TableFiles([folder]).count:
            raise ValueError(f"there are no tablebases in {quote_path(folder)}")
    return ";".join(folders)


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


def _names_near(board: chess.Board) -> set[str]:
    """The materials of a position and of all that one move leads to."""
    names = {name_of(board)}
    for move in board.legal_moves:
        board.push(move)
        names.add(name_of(board))
        board.pop()
    return names
