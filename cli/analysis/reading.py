"""PGN files from strangers: one game after the other, within limits, with what is wrong about them."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, TextIO, cast

import chess
import chess.pgn

from engine.soundness import why_unfit
from engine.system.files import FileProblem, open_file, shown

LONGEST_GAME: Final = 1 << 20  # characters
_DEEPEST: Final = 200  # variations inside variations
_BLOCK: Final = 1 << 20
_LARGEST: Final = 1 << 36  # bytes
_BAD_MOVE: Final = (chess.IllegalMoveError, chess.InvalidMoveError, chess.AmbiguousMoveError)


@dataclass(slots=True)
class InputGame:
    """One game of a file."""

    number: int  # from 1
    line: int  # where it begins, from 1
    game: chess.pgn.Game
    problems: list[str] = field(default_factory=list)  # in words, empty if all is well
    analysable: bool = True  # False: it can be copied, but the engine cannot play it


def read_games(path: Path) -> Iterator[InputGame]:
    """The games of a PGN file; raises FileProblem if it has none or cannot be read.

    A game with an illegal move ends before it. One of another variant or with an impossible position
    is not analysable; one whose start position cannot be read has no moves.
    """
    encoding = _encoding(path)
    with TextIOWrapper(open_file(path, _LARGEST), encoding, errors="replace") as file:
        lines = _Lines(file, path)
        number = 0
        while True:
            lines.begin()
            game = chess.pgn.read_game(cast("TextIO", lines), Visitor=_Builder)
            if game is None:
                break
            if not _is_game(game):
                if not number:
                    raise FileProblem(f"{shown(path)} is not a PGN file")
                continue
            number += 1
            yield _checked(InputGame(number, lines.first, game))
    if not number:
        raise FileProblem(f"{shown(path)} has no game")


def read_game(text: TextIO) -> InputGame | None:
    """The first game of a text, checked in the same way; None if there is none."""
    game = chess.pgn.read_game(text, Visitor=_Builder)
    return _checked(InputGame(1, 1, game)) if game is not None and _is_game(game) else None


def _is_game(game: chess.pgn.Game) -> bool:
    """False for text that the parser has skipped as a whole."""
    named = any(game.headers.get(tag, "?") not in ("?", "*") for tag in ("White", "Black", "Event"))
    return bool(game.variations) or named or "FEN" in game.headers


def _checked(entry: InputGame) -> InputGame:
    game = entry.game
    entry.problems += [f"{error}" for error in game.errors]
    try:
        board = game.board()
    except ValueError as error:
        entry.problems.append(f"{error}")
        entry.analysable = False
        return entry
    if type(board) is not chess.Board:
        entry.problems.append(f"the variant {game.headers.get('Variant')} is not supported")
        entry.analysable = False
    elif reason := why_unfit(board):
        entry.problems.append(f"illegal position: {reason}")
        entry.analysable = False
    return entry


def _encoding(path: Path) -> str:
    """UTF-8 if all of the file is, else the code page of the older programs."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with open_file(path, _LARGEST) as file:
        try:
            while block := file.read(_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8-sig"


class _Lines:
    """A file as the parser reads it, which counts lines and refuses a game without end."""

    def __init__(self, file: TextIO, path: Path) -> None:
        self._file = file
        self._path = path
        self._line = 0
        self._size = 0
        self.first = 0  # the line where the game began

    def begin(self) -> None:
        """Another game follows."""
        self.first = 0
        self._size = 0

    def readline(self) -> str:
        line = self._file.readline(LONGEST_GAME)
        self._line += 1
        if not self.first and not line.isspace():
            self.first = self._line
        self._size += len(line)
        if self._size >= LONGEST_GAME:
            raise FileProblem(
                f"{shown(self._path)}:{self.first}: a game of more than {LONGEST_GAME} characters"
            )
        return line


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps errors without logging them, and leaves out what is nested too deeply.

    After an illegal move python-chess loses track of the variations, and reads moves on the wrong
    board; so the rest of such a game is left out.
    """

    _has_erred = False

    def begin_game(self) -> None:
        super().begin_game()
        self._has_erred = False

    def begin_variation(self) -> Any:
        if self._has_erred:
            return chess.pgn.SKIP
        super().begin_variation()
        if len(self.variation_stack) > _DEEPEST:
            self.game.errors.append(ValueError(f"variations nested deeper than {_DEEPEST}"))
            return chess.pgn.SKIP
        return None

    def end_variation(self) -> None:
        if not self._has_erred:
            super().end_variation()

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if not self._has_erred:
            super().visit_move(board, move)

    def visit_nag(self, nag: int) -> None:
        if not self._has_erred:
            super().visit_nag(nag)

    def visit_comment(self, comment: str) -> Any:
        return None if self._has_erred else super().visit_comment(comment)

    def handle_error(self, error: Exception) -> None:
        if not self._has_erred:
            self.game.errors.append(error)
        self._has_erred |= isinstance(error, _BAD_MOVE)
