"""What both trainers in the terminal share: the board, and the user's moves and words."""

from __future__ import annotations

from collections.abc import Callable, Collection

import chess

from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle, screen
from boomslang.engine.user_game import IllegalMoveError, UserGame


class MoveDialogue:
    """A dialogue about one position after the other."""

    words: Collection[str]  # that the user may type instead of a move, besides `help` and `fen`
    help: str

    def __init__(self, console: Console, style: BoardStyle, ask: Callable[[str], str]) -> None:
        """`ask` reads a line and raises EOFError at the end."""
        self._console = console
        self._style = style
        self._ask = ask

    def say(self, *lines: str) -> None:
        """Print lines."""
        for line in lines:
            self._console.print(line)

    def show(self, board: chess.Board, *beside: str) -> None:
        """Print a board, with lines beside it."""
        self._console.print(screen(board, self._style, ["", *beside]))

    def ask_move(self, board: chess.Board) -> chess.Move | str:
        """The user's move, or one of the words."""
        while True:
            line = self._ask("move> ").strip()
            word = line.lower()
            if word in self.words:
                return word
            if word == "help":
                self.say(*self.help.split("\n"))
            elif word == "fen":
                self._console.print(board.fen(), soft_wrap=True)
            elif line:
                try:
                    return UserGame(board, board.turn, None).read(line)
                except IllegalMoveError as problem:
                    self.say(f"{problem}.")
