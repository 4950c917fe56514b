"""Endings practised in the terminal."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import chess

from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle, last_moves, screen
from boomslang.engine.analysis.endgames.ending import Ending, Response, begin, hint, respond
from boomslang.engine.analysis.endgames.judge import EndingJudge
from boomslang.engine.analysis.endgames.kinds import EndingKind
from boomslang.engine.analysis.endgames.positions import NoPositionError
from boomslang.engine.analysis.endgames.record import EndingFile, next_ending
from boomslang.engine.notation.positions import board_of
from boomslang.engine.user_game import IllegalMoveError, UserGame

HELP: Final = """\
Type a move (Kd5, e8=Q, e2e4), or
  hint     show the best move; counts as failed
  skip     another ending; this one counts only if it was failed already
  fen      the position in one line
  quit     leave, and so does Ctrl-C"""


class EndgameTrainer:
    """Asks for endings; the result of each is on the disk when it is known."""

    def __init__(
        self,
        file: EndingFile,
        judge: EndingJudge,
        console: Console,
        style: BoardStyle,
        ask: Callable[[str], str],
        today: datetime.date,
    ) -> None:
        """`ask` reads a line and raises EOFError at the end."""
        self._file = file
        self._judge = judge
        self._console = console
        self._style = style
        self._ask = ask
        self._today = today
        self._is_failed = False  # the ending that is played now
        self.right = 0
        self.wrong = 0

    def run(self, kinds: Sequence[EndingKind], most: int | None = None) -> None:
        """One ending of these kinds after the other, at most so many; raises FileError."""
        skipped: set[str] = set()
        number = 0
        with suppress(EOFError):
            while kinds and (most is None or number < most):
                kind, fen = next_ending(self._file.read(), kinds, skipped, self._today)
                number += 1
                try:
                    with self._console.status("looking for a position"):
                        ending = begin(self._judge, kind, fen)
                except NoPositionError as problem:
                    self._say("", f"{kind.title}: {problem}.")
                    kinds = [one for one in kinds if one != kind]
                    continue
                if not self._play(ending):
                    break
                skipped.add(kind.name)
        played = self.right + self.wrong
        result = f"{self.right} of {played} endings without a mistake."
        self._say(result if played else "No ending was played.")

    def _play(self, ending: Ending) -> bool:
        """One ending; False if the user leaves."""
        self._is_failed = False
        board = board_of(ending.fen)
        self._style.flipped = board.turn == chess.BLACK
        self._say("", f"{ending.kind.title}. {ending.task()}")
        lost = 0
        while True:
            self._console.print(screen(board, self._style, ["", *last_moves(board)]))
            move = self._ask_move(ending, board)
            if move is None:
                return True
            if not move:
                return False
            with self._console.status("judging this move"):
                response = respond(self._judge, ending.kind, board, move)
            self._say(response.text)
            if not response.is_kept:
                self._fail(ending)
                self._say("Try again.")
                continue
            lost += response.lost_plies
            board.push(move)
            if response.reply:
                board.push(response.reply)
            if response.is_over:
                self._end(ending, board, response, lost)
                return True

    def _ask_move(self, ending: Ending, board: chess.Board) -> chess.Move | None:
        """The user's move; None for another ending, a null move to leave."""
        while True:
            line = self._ask("move> ").strip()
            word = line.lower()
            if word == "quit":
                return chess.Move.null()
            if word == "skip":
                return None
            if word == "help":
                self._say(*HELP.split("\n"))
            elif word == "hint":
                self._fail(ending)
                self._say(hint(self._judge, board))
            elif word == "fen":
                self._console.print(board.fen(), soft_wrap=True)
            elif line:
                try:
                    return UserGame(board, board.turn, None).read(line)
                except IllegalMoveError as problem:
                    self._say(f"{problem}.")

    def _fail(self, ending: Ending) -> None:
        """Keep that the ending was failed, once."""
        if not self._is_failed:
            self._is_failed = True
            self.wrong += 1
            self._file.record(ending.kind, ending.fen, False, self._today)

    def _end(self, ending: Ending, board: chess.Board, response: Response, lost: int) -> None:
        """Show the last position, and keep that the ending was solved unless it was failed."""
        self._console.print(screen(board, self._style, ["", *last_moves(board)]))
        moves = (len(board.move_stack) + 1) // 2
        slower = f", {lost} plies slower than the quickest moves" if lost else ""
        self._say(f"Reached in {moves} move{'s' * (moves != 1)}{slower}. {ending.kind.idea}")
        if not self._is_failed:
            self.right += 1
            self._file.record(ending.kind, ending.fen, True, self._today)

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._console.print(line)
