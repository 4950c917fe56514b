"""The review of a page's game: the analysis of `boomslang analyse`, in child processes, and its report.

What the analysis needs is imported with the first review, on a thread: a page is there before Numba is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import chess
import chess.pgn

from boomslang.cli.play.board.helper import Helper, HelperError, step
from boomslang.cli.play.board.latest_task import LatestTask
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.cli.play.board.review_results import Review
from boomslang.cli.play.board.web_game import WebGame
from boomslang.core.system.files import FileError
from boomslang.core.system.threads import usable_processors
from boomslang.engine.analysis.exercises import texts
from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.analysis.exercises.verdict import search_reply
from boomslang.engine.user_game import IllegalMoveError, UserGame

if TYPE_CHECKING:
    from boomslang.engine.analysis.assessment import GameReport
    from boomslang.engine.analysis.plan import AnalysisPlan
    from boomslang.engine.analysis.segment import Segment
    from boomslang.engine.search_settings import AnalysisSettings

# A counter, the ply of a mistake, and a move in SAN and in UCI notation.
_Try: TypeAlias = tuple[int, int, str, str]

_MOMENT: Final = 0.3  # seconds between two words about the progress
_TIMEOUT: Final = 1800.0  # seconds for a segment; doubtful ones take long, and machines are busy


class Reviewer:
    """Does the reviews of one page, answers its tries, and keeps exercises.

    Created within a running event loop.
    """

    def __init__(
        self,
        game: Callable[[], WebGame],
        outbox: Outbox,
        evaluator: Helper,
        turn: asyncio.Semaphore,
        tables: str,
    ) -> None:
        """`game` tells the game of the page; `evaluator` searches the moves that are tried.

        A review takes all processors, so those of all pages wait for their `turn`.
        """
        self._game = game
        self._outbox = outbox
        self._evaluator = evaluator
        self._turn = turn
        self._is_waiting = False
        self._tables = tables
        self._try: _Try | None = None
        self._work_task = LatestTask(self._wanted, self._work)
        self._try_task = LatestTask(lambda: self._try, self._answer)
        self._page: dict[str, Any] | None = None  # the report that the page has
        self._shown: object = self  # the review that the page knows of; at first it knows nothing

    def look(self) -> None:
        """The game may be another one, with another review, which goes on, or none."""
        self._work_task.look()
        if self._game().review is not self._shown:
            self._show()

    def want(self, on: bool) -> None:
        """Begin or continue a review, or stop it. Raises MessageError."""
        game = self._game()
        if game.review is None and on:
            if not game.main_moves():
                raise MessageError("there is no move to review")
            if not game.alone and not game.outcome():
                raise MessageError("finish the game first, or play both sides")
            game.review = Review()
        if game.review:
            game.review.is_wanted = on
        self._show()
        self._work_task.look()

    def try_move(self, ply: int, san: str) -> None:
        """Judge a move that is tried in place of a mistake. Raises MessageError."""
        board = self._exercise(ply).board()
        try:
            move = UserGame(board, board.turn, None).read(san)
        except IllegalMoveError:
            raise MessageError("that is not a legal move there") from None
        self._try = (self._try[0] + 1 if self._try else 1), ply, san, move.uci()
        self._try_task.look()

    def keep(self, ply: int) -> None:
        """Add the position before a mistake to the exercises. Raises MessageError."""
        exercise = self._exercise(ply)
        try:
            is_new = ExerciseFile().add([exercise])
        except FileError as problem:
            raise MessageError(str(problem)) from None
        words = "Added to your exercises." if is_new else "It is among your exercises already."
        self._outbox.put("kept", lambda: {"ply": ply, "text": words})

    async def close(self) -> None:
        """End all work; what was found stays with the game."""
        await asyncio.gather(self._work_task.close(), self._try_task.close())

    def _exercise(self, ply: int) -> Exercise:
        """The position before a mistake of the reviewed game, by its ply. Raises MessageError."""
        review = self._game().review
        if review is None or review.report is None or ply >= len(review.report.moves):
            raise MessageError("that is not a move of a reviewed game")
        from boomslang.engine.analysis.exercises.collect import exercise_of

        move = review.report.moves[ply]
        exercise = exercise_of(review.report, move) if move and move.judgement else None
        if not isinstance(exercise, Exercise):
            raise MessageError(f"this move makes no exercise: it is {exercise or 'no mistake'}")
        return exercise

    def _wanted(self) -> Review | None:
        review = self._game().review
        return review if review and review.is_wanted and not review.page else None

    async def _work(self, review: Review) -> None:
        self._is_waiting = self._turn.locked()
        self._show()
        try:
            async with self._turn:
                self._is_waiting = False
                await self._analyse(review)
        except* HelperError as problems:
            self._give_up(review, f"The review {problems.exceptions[0]}.")
        except* Exception:
            self._give_up(review, "The review has failed, and the terminal says why.")
            raise

    def _give_up(self, review: Review, words: str) -> None:
        review.is_wanted = False
        self._work_task.again()  # when it is wanted
        self._outbox.say(words, "error")
        self._show()

    async def _analyse(self, review: Review) -> None:
        """Search everything that is missing, on all processors, and make the report."""
        game = self._game()
        plan, settings = await asyncio.to_thread(_plan, game.playable(), self._tables)
        helpers = [Helper(True, _TIMEOUT) for _ in range(usable_processors())]
        try:
            while tasks := await asyncio.to_thread(plan.tasks, review.results):
                count = sum(map(len, review.results.values()))
                review.done, review.total = count, count + sum(map(len, tasks.values()))
                waiting = list(tasks.items())
                done = sum(helper.steps.value for helper in helpers)
                async with asyncio.TaskGroup() as group:
                    work = [
                        group.create_task(self._search(helper, review, waiting, settings))
                        for helper in helpers
                    ]
                    left: set[asyncio.Task[None]] = set(work)
                    self._show()
                    while left:
                        _, left = await asyncio.wait(work, timeout=_MOMENT)
                        steps = sum(helper.steps.value for helper in helpers) - done
                        review.done = min(count + steps, review.total)
                        self._show()
            review.report = await asyncio.to_thread(plan.report, review.results)
            review.page = await asyncio.to_thread(_page, review.report)
            self._show()
        finally:
            await asyncio.gather(*(helper.close() for helper in helpers))

    async def _search(
        self,
        helper: Helper,
        review: Review,
        waiting: list[tuple[str, Segment]],
        settings: AnalysisSettings,
    ) -> None:
        from boomslang.engine.analysis.segment import search_kept

        while waiting:
            key, segment = waiting.pop(0)
            review.results[key] = await helper.call(search_kept, settings, segment, step)

    async def _answer(self, wanted: _Try) -> None:
        from boomslang.engine.analysis.page_data import line_of

        _, ply, san, move = wanted
        try:
            exercise = self._exercise(ply)
        except MessageError:
            return  # another game has begun
        board = exercise.board()
        tried = chess.Move.from_uci(move)
        try:
            chance, line = await self._evaluator.call(search_reply, exercise, move)
        except HelperError as problem:
            answer = {"ply": ply, "san": san, "text": f"The search {problem}.", "line": ""}
        else:
            words = texts.verdict(exercise, tried, chance)
            board.push(tried)
            answer = {
                "ply": ply,
                "san": san,
                "right": exercise.accepts(chance),
                "text": words,
                "line": line_of(board, line),
            }
        self._outbox.put("tried", lambda: answer)

    def _show(self) -> None:
        review = self._shown = self._game().review
        state: dict[str, Any] = {"state": "none"}
        if review:
            doing = "running" if review.is_wanted else "stopped"
            state = {
                "state": "done" if review.page else doing,
                "done": review.done,
                "total": review.total,
                "number": review.number,
                "waiting": self._is_waiting,
            }
        self._outbox.put("review", lambda: state)
        page = review.page if review else None
        if page is not self._page:
            self._page = page
            self._outbox.put("report", lambda: {"game": page})


def _plan(game: chess.pgn.Game, tables: str) -> tuple[AnalysisPlan, AnalysisSettings]:
    """What `boomslang analyse` would do."""
    from boomslang.engine.analysis.plan import AnalysisPlan
    from boomslang.engine.search_settings import AnalysisSettings

    settings = AnalysisSettings(tables=tables or None)
    return AnalysisPlan(game, settings), settings


def _page(report: GameReport) -> dict[str, Any]:
    from boomslang.engine.analysis.page_data import game_page

    return game_page(report)
