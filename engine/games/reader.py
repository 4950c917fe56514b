"""Reads PGN in two ways: by compiled code what is ordinary, and all else by `engine.notation`.

The compiled reader stops before a game in which it meets anything odd. The other one reads that game, whole,
and those that follow until one begins with a tag in its first column and is ordinary again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import chess.pgn
import numpy as np
import numpy.typing as npt

from boomslang.core.system.files import FileError, quote_path
from boomslang.engine import bridge
from boomslang.engine.games import scan, tokens
from boomslang.engine.games.builder import GamesBuilder
from boomslang.engine.games.columns import Games
from boomslang.engine.games.sources import Source, blocks_of, name_of
from boomslang.engine.notation.pgn import InputGame, games_of_scanner
from boomslang.engine.notation.scanner import MAX_GAME, Scanner, lines_in
from boomslang.engine.notation.tags import unescape
from boomslang.engine.notation.text import Text, decode

_NOWHERE: Final = -1
_ROWS: Final = 1 << 12  # games per call of the kernel
_KEPT: Final = 8 * MAX_GAME  # bytes before the current line that may be needed again
_MISSING: Final = dict(chess.pgn.Game().headers)  # what a game without these tags has


class PgnReader:
    """The games of one source, in batches. Kernels must be loaded."""

    def __init__(self, source: Source, others: tuple[str, ...] = (), number: int = 0) -> None:
        """`others` are tags that become columns too, `number` is that of the source."""
        self._name = name_of(source)
        self._where = quote_path(self._name) if self._name else "what was given"
        self._number = number
        self._others = others
        self._text = Text(blocks_of(source), _KEPT)
        self._padded: tuple[bytes, npt.NDArray[np.uint8]] = b"", np.zeros(tokens.PADDING, np.uint8)
        self._games = 0
        self._rules, self._scratch = bridge.new_rules(), bridge.new_rules()
        self._scan = tokens.new_scan()
        self._rows = np.zeros(_ROWS, scan.ROW).view(np.recarray)
        # See `GamesBuilder.start_of`, of the next game.
        self._given: tuple[int, str, str] | None = None
        self._place = 0  # offset from which the compiled reader may go on, or _NOWHERE
        self._line = 0  # lines before that
        self._scanner: Scanner | None = None
        self._entries: Iterator[InputGame] = iter(())
        self._offsets: dict[int, int] = {}  # of its lines that begin with a bracket, by number

    def batches(self, size: int | None = None) -> Iterator[Games]:
        """The games in batches of `size`, or all at once; raises FileError, behind what could be read."""
        problem: FileError | None = None
        is_over = False
        while not is_over:
            batch = GamesBuilder(self._scratch, self._number, self._others)
            self._scan.castling = -1
            try:
                while not is_over and (size is None or len(batch) < size):
                    most = _ROWS if size is None else min(_ROWS, size - len(batch))
                    is_over = self._read(batch, most)
            except FileError as damage:
                problem, is_over = damage, True
            if len(batch):
                yield batch.build()
        if problem:
            raise problem
        if not self._games:
            raise FileError(f"{self._where} has no game")

    def _read(self, batch: GamesBuilder, most: int) -> bool:
        """Read one game or more, but not more than `most`, into the batch; True at the end of the source."""
        if self._place != _NOWHERE:
            return self._read_many(batch, most)
        return not self._read_one(batch)

    # The compiled way

    def _read_many(self, batch: GamesBuilder, most: int) -> bool:
        """Read up to `most` games by the kernel; True at the end of the source."""
        text, state, array = self._text, self._scan, self._array()
        place = state.place = self._place - text.base
        state.end = max(place, text.data.rfind(b"\n") + 1)
        state.is_last = text.at_end
        size = (len(text.data) - place) // 2 + 2
        plies, nags = np.empty(size, scan.PLY), np.empty(size, scan.NAG)
        rows = self._rows[:most]
        arrays = (
            batch.spelled,
            batch.starts,
            rows,
            plies.view(np.recarray),
            nags.view(np.recarray),
        )
        reason = scan.scan_games(self._rules, state, array, *arrays)
        count = int(state.games)
        ends = np.flatnonzero(array[place : state.place] == ord("\n"))
        if count:
            batch.add(
                plies[: state.plies].copy(),
                np.diff(rows["plies"][:count], prepend=0).tolist(),
                nags[: state.nags].copy(),
            )
            self._take_rows(batch, rows[:count], place + ends)
            self._scanner = None
        self._given = None
        self._place = text.base + int(state.place)
        self._line += len(ends)
        if reason == scan.START:
            self._given = batch.start_of(self._setup_tags(rows[count]))
            if self._given:
                state.start = self._given[0]
            else:
                self._hand_over()
        elif reason == scan.ODD or len(text.data) - state.place > MAX_GAME:
            self._hand_over()
        elif reason == scan.MORE:
            text.grow(self._place)
        return bool(reason == scan.END)

    def _array(self) -> npt.NDArray[np.uint8]:
        """The data with the padding that kernels need."""
        data = self._text.data
        if data is not self._padded[0]:
            array = np.zeros(len(data) + tokens.PADDING, dtype=np.uint8)
            array[: len(data)] = np.frombuffer(data, dtype=np.uint8)
            self._padded = data, array
        return self._padded[1]

    def _take_rows(self, batch: GamesBuilder, rows: Any, ends: npt.NDArray[np.int64]) -> None:
        """Take over all of games but their moves; `ends` are those of lines, from where reading began."""
        count, data = len(rows), self._text.data
        for number, name in enumerate(batch.names):
            missing = _MISSING.get(name, "")
            batch.texts[name] += (
                self._value(data[begin:end]) if end else missing
                for begin, end in rows.tags[:, number].tolist()
            )
        batch.texts["Result"][-count:] = [tokens.RESULTS[result] for result in rows.result]
        if self._given:
            _, batch.texts["FEN"][-count], batch.texts["Variant"][-count] = self._given
        batch.lines += (np.searchsorted(ends, rows.begin) + self._line + 1).tolist()
        batch.numbers += range(self._games + 1, self._games + count + 1)
        batch.odd += [0] * count
        batch.start_of_game += rows.start.tolist()
        self._games += count

    def _setup_tags(self, row: Any) -> dict[str, str]:
        spans = row.tags.tolist()
        return {
            name: self._value(self._text.data[begin:end])
            for name, (begin, end) in zip(tokens.TAGS, spans, strict=False)
            if end
        }

    @staticmethod
    def _value(data: bytes) -> str:
        return unescape(data.decode() if data.isascii() else decode(data))

    # The other way

    def _hand_over(self) -> None:
        """Let the other reader go on."""
        if not self._scanner:
            self._offsets.clear()
            self._scanner = Scanner(self._feed(self._place, self._line), self._line)
            self._entries = games_of_scanner(self._scanner, main_line=True)
        self._place = _NOWHERE

    def _read_one(self, batch: GamesBuilder) -> bool:
        """Read a game by the other reader; False at the end of the source."""
        entry = next(self._entries, None)
        if entry is None:
            return False
        if not entry.number:
            raise FileError(f"{self._where} is not a PGN file")
        self._games += 1
        batch.add_entry(entry, self._name, self._games)
        if entry.next_line:
            self._place = self._offsets[entry.next_line]
            self._line = entry.next_line - 1
        return True

    def _feed(self, place: int, number: int) -> Iterator[str]:
        """The lines from an offset on, which has `number` lines before it."""
        for begin, text in self._text.lines(place):
            number += lines_in(text)
            if text.startswith("["):
                self._offsets[number] = begin
            yield text
