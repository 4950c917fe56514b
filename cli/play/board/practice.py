"""The exercises of one page: which one is asked, and the verdicts on its answers."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import chess

from boomslang.cli.play.board.helper import Helper, HelperError
from boomslang.cli.play.board.info_data import line_data
from boomslang.cli.play.board.latest_task import LatestTask
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.core.system.files import FileError
from boomslang.engine.analysis.exercises import texts
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.analysis.exercises.session import ExerciseSession
from boomslang.engine.analysis.exercises.verdict import find_known_chance, search_chance

_EMPTY: Final = (
    "There are no exercises yet. Load a game, review it, and add its mistakes by “Add to exercises”; or add"
    " those of many analysed games, or a repertoire, by the command: boomslang exercises add FILE"
)
_Answer: TypeAlias = tuple[str, str]  # the name of the exercise, and a move in UCI notation


class Practice:
    """Asks for the exercises that are due. Created within a running event loop.

    The first answer to an exercise counts, and is on the disk when its verdict is shown.
    """

    def __init__(self, file: ExerciseFile, evaluator: Helper, outbox: Outbox) -> None:
        """`evaluator` searches moves that the analysis has not looked at."""
        self._session = ExerciseSession(file)
        self._evaluator = evaluator
        self._outbox = outbox
        self._answer: _Answer | None = None  # to be searched
        self._state: dict[str, Any] = {}
        self._search_task = LatestTask(lambda: self._answer, self._search)

    def next(self) -> chess.Board | None:
        """Ask the next exercise; its position, or None if nothing is due. Raises FileError."""
        session = self._session
        exercise = session.next()
        self._forget()
        if not exercise:
            self._show({"problem": texts.nothing_due(session.all) if session.all else _EMPTY})
            return None
        board = exercise.board()
        self._show(
            {
                "name": exercise.name,
                "left": session.left,
                "origin": exercise.origin,
                "task": texts.task(exercise),
                "turn": chess.COLOR_NAMES[board.turn],
            }
        )
        return board

    def answer(self, move: chess.Move) -> None:
        """The user has played a move in the position of the exercise."""
        if not (exercise := self._session.exercise):
            return
        chance = find_known_chance(exercise, move)
        if chance is not None:
            self._judge(move, chance)
            return
        self._answer = exercise.name, move.uci()
        self._show({"verdict": "Searching this move …", "right": None})
        self._search_task.look()

    def give_up(self) -> None:
        """Show the solution, which counts as a wrong answer if there was none.

        Raises MessageError or FileError.
        """
        if not self._session.exercise:
            raise MessageError("there is no exercise")
        self._session.record(is_right=False)
        self._show(self._solution())

    def leave(self) -> None:
        """Forget the exercise; it will be asked again."""
        self._session.leave()
        self._forget()
        self._show({})

    async def close(self) -> None:
        """End a search."""
        await self._search_task.close()

    def _forget(self) -> None:
        self._answer, self._state = None, {}
        self._search_task.look()

    async def _search(self, answer: _Answer) -> None:
        name, text = answer
        exercise = self._session.exercise
        if not exercise or exercise.name != name:
            return
        try:
            chance = await self._evaluator.call(search_chance, exercise, text)
        except HelperError as problem:
            self._answer = None
            self._search_task.look()
            self._show({"verdict": None})
            self._outbox.say(f"The evaluation {problem}.", "error")
            return
        if self._answer == answer:
            self._judge(chess.Move.from_uci(text), chance)
            self._search_task.look()  # the same move may be tried again

    def _judge(self, move: chess.Move, chance: float) -> None:
        exercise = self._session.exercise
        if not exercise:
            return
        self._answer = None
        is_right = exercise.accepts(chance)
        try:
            self._session.record(is_right)
        except FileError as problem:
            self._outbox.say(f"The answer is not kept: {problem}.", "error")
        words = texts.verdict(exercise, move, chance)
        self._show({"verdict": words, "right": is_right, **self._solution()})

    def _solution(self) -> dict[str, Any]:
        """The best line, and the words behind it."""
        exercise = self._session.exercise
        if not exercise:
            return {}
        _, *notes = texts.solution(exercise)
        line = line_data(exercise.board(), map(chess.Move.from_uci, exercise.best))
        words = "\n".join([texts.right_too(exercise), *notes, texts.next_time(exercise)]).strip()
        return {"line": line, "solution": words}

    def _show(self, news: dict[str, Any]) -> None:
        self._state |= news
        state = dict(self._state)
        self._outbox.put("exercise", lambda: state)
