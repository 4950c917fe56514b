"""Messages from a page: JSON objects whose `do` names the action, validated here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import chess

from boomslang.cli.play.board.tree_search import ALGORITHMS, GAMES, TreeSearch
from boomslang.cli.play.my_level import MyLevel
from boomslang.cli.terminal.arguments import UsageError, board_of
from boomslang.core.system.files import FileError
from boomslang.engine.chess_clock import Control
from boomslang.engine.levels.ladder import BALANCED, MAX_ELO, MIN_ELO, STYLES

MAX_MESSAGE: Final = 256 * 1024  # bytes of one message
SIDES: Final = ("white", "black", "random", "both")
MAX_LINES: Final = 5
_MAX_TEXT: Final = 200  # characters of a move, a FEN, a clock
_MAX_SECONDS: Final = 60.0
_MAX_PLAYOUTS: Final = 2000
_MAX_SHAPES: Final = 64
_MAX_LINE: Final = 64
_MAX_SAN: Final = 10  # characters
_SQUARES: Final = re.compile("([a-h][1-8]){1,2}")


class MessageError(ValueError):
    """A message that cannot be processed; the text is for the user."""


class Message:
    """One message; its getters raise MessageError for what is missing, of another kind or out of bounds."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    @classmethod
    def read(cls, text: str) -> Message:
        """From JSON."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise MessageError("that is no JSON") from None
        if not isinstance(data, dict):
            raise MessageError("that is no JSON object")
        return cls(data)

    @property
    def do(self) -> str:
        """The name of the action."""
        return self.text("do")

    def text(self, name: str, longest: int = _MAX_TEXT) -> str:
        """A string."""
        value = self._data.get(name)
        if not isinstance(value, str):
            raise MessageError(f"{name} is missing, or no text")
        if len(value) > longest:
            raise MessageError(f"{name} is longer than {longest} characters")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false if it is missing."""
        value = self._data.get(name, False)
        if not isinstance(value, bool):
            raise MessageError(f"{name} is neither true nor false")
        return value

    def whole(self, name: str, lowest: int, highest: int) -> int:
        """An integer within bounds."""
        value = self._data.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise MessageError(f"{name} is missing, or no whole number")
        if not lowest <= value <= highest:
            raise MessageError(f"{name} is not between {lowest} and {highest}")
        return value

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of several words."""
        value = self.text(name)
        if value not in choices:
            raise MessageError(f"{name} is one of {', '.join(choices)}")
        return value

    def optional(self, name: str, read: Callable[[str], Any]) -> Any:
        """An optional entry parsed by `read`; None if it is missing or null."""
        return None if self._data.get(name) is None else read(name)

    def shapes(self, colours: tuple[str, ...]) -> list[tuple[str, str]]:
        """Arrows and circles: pairs of a colour, and two squares or one."""
        value = self._data.get("shapes")
        if not isinstance(value, list) or len(value) > _MAX_SHAPES:
            raise MessageError(f"shapes is missing, or no list of at most {_MAX_SHAPES}")
        for entry in value:
            is_pair = isinstance(entry, list) and len(entry) == 2 and entry[0] in colours
            if not is_pair or not isinstance(entry[1], str) or not _SQUARES.fullmatch(entry[1]):
                raise MessageError("a shape is a pair of a colour and squares")
        return [(colour, squares) for colour, squares in value]

    def line(self) -> list[str]:
        """Moves as text."""
        value = self._data.get("moves")
        if not isinstance(value, list) or not 0 < len(value) <= _MAX_LINE:
            raise MessageError(f"moves is missing, or no list of at most {_MAX_LINE}")
        if not all(isinstance(move, str) and len(move) < _MAX_SAN for move in value):
            raise MessageError("moves are words like Nf3")
        return value

    # Entries of several messages

    def level(self) -> int | None:
        """An Elo; None for full strength."""
        level: int | None = self.optional("level", lambda name: self.whole(name, MIN_ELO, MAX_ELO))
        return level

    def node(self) -> int:
        """The number of a move in the tree."""
        return self.whole("node", 0, 1_000_000)

    def ply(self) -> int:
        """A number of half-moves."""
        return self.whole("ply", 0, 100_000)

    def strength(self) -> tuple[int | None, MyLevel | None, float, str]:
        """The engine's level, the user's own one if that is wanted, seconds for a move, and style."""
        level, seconds = self.level(), self.seconds()
        style: str | None = self.optional("style", lambda name: self.choice(name, STYLES))
        try:
            mine = MyLevel() if self.flag("mine") else None
        except FileError as problem:
            raise MessageError(str(problem)) from None
        return mine.level if mine else level, mine, seconds, style or BALANCED

    def seconds(self) -> float:
        """Thinking time of the engine per move without a clock."""
        value = self._data.get("seconds")
        if not isinstance(value, int | float) or not 0.01 <= value <= _MAX_SECONDS:
            raise MessageError(f"seconds is not between 0.01 and {_MAX_SECONDS:g}")
        return float(value)

    def control(self) -> Control | None:
        """A time control like 5+3; None without a clock."""
        text: str | None = self.optional("clock", self.text)
        try:
            return Control.parse(text) if text else None
        except ValueError as problem:
            raise MessageError(str(problem)) from None

    def board(self) -> chess.Board:
        """A start position: a `fen`, or the number of a Chess960 array, or the usual one."""
        fen: str | None = self.optional("fen", self.text)
        array: int | None = self.optional("array", lambda name: self.whole(name, 0, 959))
        if array is not None:
            return chess.Board.from_chess960_pos(array)
        return read_board(fen, self.flag("chess960")) if fen else chess.Board()

    def other_board(self) -> chess.Board | None:
        """A `fen` of another position than the game's; None if there is none."""
        fen: str | None = self.optional("fen", self.text)
        return read_board(fen) if fen else None

    def tree_search(self, board: chess.Board) -> TreeSearch:
        """A search tree, from that board if the game is chess."""
        algorithm = self.choice("algorithm", ALGORITHMS)
        game = self.choice("game", GAMES)
        growing = algorithm == "mcts"
        deepest = _MAX_PLAYOUTS if growing else (22 if game == "22" else 8)
        tree_search = TreeSearch(
            game=game,
            algorithm=algorithm,
            depth=self.whole("playouts" if growing else "depth", 1, deepest),
            width=self.whole("width", 0, 20),
            fen=board.fen(),
            chess960=board.chess960,
            total=self.whole("total", 0, 19),
        )
        if not growing and algorithm not in tree_search.algorithms:
            raise MessageError("the counting game has no captures to play out")
        if game == "chess" and not any(board.legal_moves):
            raise MessageError("the game is over in this position: there is nothing to search")
        return tree_search


def read_board(fen: str, chess960: bool = False) -> chess.Board:
    """The position of a FEN; raises MessageError."""
    try:
        return board_of(fen.strip(), chess960)
    except UsageError as problem:
        raise MessageError(str(problem)) from None
