"""Exercises solved in the terminal."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import chess

from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle, balance, screen
from boomslang.engine.analysis.exercises import texts
from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.analysis.exercises.verdict import find_known_chance
from boomslang.engine.user_game import IllegalMoveError, UserGame

HELP: Final = """\
Type a move (Nf3, e8=Q, e2e4), or
  solution   show the best line; counts as wrong
  skip       the next exercise, without an answer
  fen        the position in one line
  quit       leave, and so does Ctrl-C"""


class ExerciseTrainer:
    """Asks for the exercises that are due; every answer is on the disk before the next question."""

    def __init__(
        self,
        file: ExerciseFile,
        console: Console,
        style: BoardStyle,
        ask: Callable[[str], str],
        search: Callable[[Exercise, str], float],
        today: datetime.date,
    ) -> None:
        """`ask` reads a line and raises EOFError at the end; `search` is `verdict.search_chance`."""
        self._file = file
        self._console = console
        self._style = style
        self._ask = ask
        self._search = search
        self._today = today
        self.right = 0
        self.wrong = 0

    def run(self, most: int | None = None) -> None:
        """Go through the exercises that are due, at most so many; raises FileError."""
        due = [exercise for exercise in self._file.read() if exercise.is_due(self._today)][:most]
        with suppress(EOFError):
            for number, exercise in enumerate(due, start=1):
                self._say("", f"Exercise {number} of {len(due)}: {exercise.origin}")
                if not self._solve(exercise):
                    break
        answers = self.right + self.wrong
        self._say(f"{self.right} of {answers} right." if answers else "Nothing was answered.")

    def _solve(self, exercise: Exercise) -> bool:
        """One exercise; False if the user leaves."""
        board = exercise.board()
        self._style.flipped = board.turn == chess.BLACK
        self._console.print(screen(board, self._style, ["", balance(board)]))
        self._say(texts.task(exercise))
        while True:
            line = self._ask("move> ").strip()
            word = line.lower()
            if word == "quit":
                return False
            if word == "skip":
                return True
            if word == "solution":
                self._record(exercise, is_right=False)
                return True
            if word == "help":
                self._say(*HELP.split("\n"))
            elif word == "fen":
                self._console.print(exercise.fen, soft_wrap=True)
            elif line and (move := self._read(board, line)):
                self._judge(exercise, move)
                return True

    def _read(self, board: chess.Board, line: str) -> chess.Move | None:
        try:
            return UserGame(board, board.turn, None).read(line)
        except IllegalMoveError as problem:
            self._say(str(problem))
            return None

    def _judge(self, exercise: Exercise, move: chess.Move) -> None:
        chance = find_known_chance(exercise, move)
        if chance is None:
            with self._console.status("searching this move"):
                chance = self._search(exercise, move.uci())
        self._say(texts.verdict(exercise, move, chance))
        self._record(exercise, exercise.accepts(chance))

    def _record(self, exercise: Exercise, is_right: bool) -> None:
        """Keep the answer, and show the solution."""
        self.right += is_right
        self.wrong += not is_right
        self._file.update(exercise.name, lambda kept: kept.record_answer(is_right, self._today))
        exercise.record_answer(is_right, self._today)
        best, *reason = texts.solution(exercise)
        self._say(f"Solution: {best}", *reason, texts.next_time(exercise))

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._console.print(line)
