"""Exercises solved in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import chess

from boomslang.cli.analysis.dialogue import MoveDialogue
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle, balance
from boomslang.engine.analysis.exercises import texts
from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.exercises.session import ExerciseSession
from boomslang.engine.analysis.exercises.verdict import find_known_chance


class ExerciseTrainer(MoveDialogue):
    """Asks for the exercises that are due; every answer is on the disk before the next question."""

    words = ("solution", "skip", "quit")
    help = """\
Type a move (Nf3, e8=Q, e2e4), or
  solution   show the best line; counts as wrong
  skip       the next exercise, without an answer
  fen        the position in one line
  quit       leave, and so does Ctrl-C"""

    def __init__(
        self,
        session: ExerciseSession,
        console: Console,
        style: BoardStyle,
        ask: Callable[[str], str],
        search: Callable[[Exercise, str], float],
    ) -> None:
        """`ask` reads a line and raises EOFError at the end; `search` is `verdict.search_chance`."""
        super().__init__(console, style, ask)
        self._session = session
        self._search = search

    def run(self, most: int | None = None) -> None:
        """Go through the exercises that are due, at most so many; raises FileError."""
        session, count = self._session, len(self._session.due()[:most])
        with suppress(EOFError):
            for number in range(1, count + 1):
                exercise = session.next()
                if not exercise:
                    break
                self.say("", f"Exercise {number} of {count}: {exercise.origin}")
                if not self._solve(exercise):
                    break
        answers = session.right + session.wrong
        self.say(f"{session.right} of {answers} right." if answers else "Nothing was answered.")

    def _solve(self, exercise: Exercise) -> bool:
        """One exercise; False if the user leaves."""
        board = exercise.board()
        self._style.flipped = board.turn == chess.BLACK
        self.show(board, balance(board))
        self.say(texts.task(exercise))
        answer = self.ask_move(board)
        if answer in ("skip", "quit"):
            return answer == "skip"
        is_right = isinstance(answer, chess.Move) and self._judge(exercise, answer)
        self._session.record(is_right)
        best, *reason = texts.solution(exercise)
        self.say(f"Solution: {best}", *reason, texts.next_time(exercise))
        return True

    def _judge(self, exercise: Exercise, move: chess.Move) -> bool:
        chance = find_known_chance(exercise, move)
        if chance is None:
            with self._console.status("searching this move"):
                chance = self._search(exercise, move.uci())
        self.say(texts.verdict(exercise, move, chance))
        return exercise.accepts(chance)
