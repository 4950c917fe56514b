"""A PGN file in memory: its games as a list to choose from, each read in full when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

import chess.pgn

from boomslang.cli.play.board.page_messages import MessageError
from boomslang.core.system.sanitize import printable
from boomslang.engine.notation.pgn import InputGame, game_of
from boomslang.engine.notation.scanner import GameText, Scanner
from boomslang.engine.notation.text import lines_of_bytes

MAX_FILE: Final = 16 << 20  # bytes
MAX_GAMES: Final = 50_000  # in the list
_MAX_CELL: Final = 80  # characters


@dataclass(frozen=True, slots=True)
class GamesFile:
    """The lines of a file, and where its games begin. Reading takes some seconds: not in an event loop."""

    name: str
    rows: list[tuple[str, ...]]  # players or chapter, date, result, opening
    _lines: list[str]
    _starts: list[int]  # the first line of each game, from 1

    @classmethod
    def read(
        cls, name: str, data: bytes, is_wanted: Callable[[], bool] = lambda: True
    ) -> GamesFile:
        """List the games by their tags; ends early if nobody wants it. Raises MessageError without one."""
        lines = list(lines_of_bytes(data))
        rows: list[tuple[str, ...]] = []
        starts: list[int] = []
        for text in _games(lines):
            if len(rows) == MAX_GAMES or not is_wanted():
                break
            rows.append(_row({**chess.pgn.Headers(), **text.tags}))
            starts.append(text.line)
        if not rows:
            raise MessageError("that is no PGN")
        return cls(name, rows, lines, starts)

    def game(self, number: int) -> InputGame:
        """A game by its number, from 1. Raises MessageError if it is not playable."""
        if not 1 <= number <= len(self._starts):
            raise MessageError("the file has no such game")
        first = number
        while first > 1 and not self._begins_line(first):
            first -= 1
        entry = self._read_from(first, number) or self._read_from(1, number)
        if not entry or not entry.analysable:
            raise MessageError(printable(entry.problems[0]) if entry else "the game cannot be read")
        return entry

    def _read_from(self, first: int, number: int) -> InputGame | None:
        """A game, read from game `first` on; None if it is another one without the text before that."""
        before = self._starts[first - 1] - 1 if first > 1 else 0
        text = next(islice(_games(self._lines[before:]), number - first, None), None)
        is_it = text and text.line + before == self._starts[number - 1]
        return game_of(text, number) if text and is_it else None

    def _begins_line(self, number: int) -> bool:
        """True if a game, not the first, begins its line by a tag: it can be read from there."""
        start = self._starts[number - 1]
        is_first = self._starts[number - 2] != start
        return is_first and self._lines[start - 1].lstrip().startswith("[")


def _games(lines: list[str]) -> Iterator[GameText]:
    return (text for text in Scanner(iter(lines)) if text.is_game)


def _row(tags: Mapping[str, str]) -> tuple[str, ...]:
    white, black, date, result = (
        tags.get(name, "?") for name in ("White", "Black", "Date", "Result")
    )
    players = "" if white == black == "?" else f"{white} – {black}"
    event = "" if players else tags.get("Event", "?")  # a Lichess study has its chapter there
    names = [name for name in (tags.get("ChapterName", event), players) if name.strip("?")]
    cells = (" · ".join(names) or "? – ?", date, result, _opening(tags))
    return tuple(cell[:_MAX_CELL] for cell in cells)


def _opening(tags: Mapping[str, str]) -> str:
    """What the tags say of the opening; Chess.com has its name in an address only."""
    name = tags.get("Opening") or tags.get("ECOUrl", "").rpartition("/")[2].replace("-", " ")
    names = (text for text in (tags.get("ECO", ""), name) if text.strip("?"))
    return " ".join(names)
