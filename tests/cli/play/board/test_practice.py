"""The board's exercises: verdicts, the user's file, and the game that waits meanwhile."""

from __future__ import annotations

import asyncio
import datetime
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import chess
import pytest

from boomslang.cli.play.board.board_engines import BoardEngines
from boomslang.cli.play.board.helper import Helper, HelperError
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.cli.play.board.page_session import BoardSession
from boomslang.cli.play.board.practice import Practice
from boomslang.cli.play.board.web_game import WebGame
from boomslang.core.system.files import sole_writer
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from tests.support.board_page import BoardPage
from tests.support.exercises import en_passant, mate_in_one

TODAY = datetime.date.today()


class Evaluator:
    """In a helper's place: finds the same chance for each move, or dies."""

    def __init__(self, chance: float | None) -> None:
        self.chance = chance
        self.calls: list[tuple[Any, ...]] = []

    async def call(self, function: Callable[..., float], *arguments: Any) -> float:
        self.calls.append(arguments)
        if self.chance is None:
            raise HelperError("died")
        return self.chance


def ask(
    file: ExerciseFile, work: Callable[[Practice], None], chance: float | None = 50.0
) -> tuple[dict[str, Any], list[str]]:
    """What the page is told in the end: the state of the exercise, and errors."""

    async def run() -> tuple[dict[str, Any], list[str]]:
        outbox = Outbox()
        practice = Practice(file, cast(Helper, Evaluator(chance)), outbox)
        work(practice)
        for _ in range(5):
            await asyncio.sleep(0)
        messages = await outbox.take()
        await practice.close()
        (state,) = [message for message in messages if message["is"] == "exercise"]
        return state, [message["text"] for message in messages if message["is"] == "error"]

    return asyncio.run(run())


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ExerciseFile:
    """The user's file, with two exercises."""
    file = ExerciseFile(tmp_path / "exercises.json")
    monkeypatch.setattr(
        "boomslang.engine.analysis.exercises.exercise_store.user_file", lambda name: file.path
    )
    file.add([mate_in_one(), en_passant()])
    return file


def played(*moves: str) -> Callable[[Practice], None]:
    def work(practice: Practice) -> None:
        assert practice.next() == mate_in_one().board()
        for move in moves:
            practice.answer(chess.Move.from_uci(move))

    return work


def test_a_right_answer(file: ExerciseFile) -> None:
    state, errors = ask(file, played("e1e8"))
    assert state["right"] and state["verdict"].startswith("Right: Re8# has 97.5 %")
    assert state["solution"].endswith("It is done.") and state["left"] == 2 and not errors
    assert file.read()[0].is_finished


def test_a_wrong_answer_by_a_search_and_only_the_first_counts(file: ExerciseFile) -> None:
    state, _ = ask(file, played("a1b1"))
    assert state["right"] is False and "Wrong: Rab1 has 50.0 %" in state["verdict"]
    assert file.read()[0].due == TODAY + datetime.timedelta(days=1)
    file.update(mate_in_one().name, lambda kept: setattr(kept, "due", TODAY))
    state, _ = ask(file, played("h2h3", "a1a8"))
    assert state["right"]
    kept = file.read()[0]
    assert (kept.right, kept.wrong) == (0, 2)


def test_the_reason_is_shown_with_the_solution_only(file: ExerciseFile) -> None:
    reason = "Misses mate in 1 on the back rank: 30. Ra8#."
    file.update(mate_in_one().name, lambda kept: setattr(kept, "reason", reason))
    state, _ = ask(file, played())
    assert reason not in json.dumps(state)
    state, _ = ask(file, played("g2g4"))
    assert f"\nIn the game: 30. h3. {reason}\nIt comes again on" in state["solution"]


async def test_the_same_move_is_searched_again(file: ExerciseFile) -> None:
    evaluator = Evaluator(None)
    practice = Practice(file, cast(Helper, evaluator), Outbox())
    practice.next()
    for chance in (None, 50.0, 50.0):
        evaluator.chance = chance
        practice.answer(chess.Move.from_uci("a1b1"))
        for _ in range(5):
            await asyncio.sleep(0)
    assert len(evaluator.calls) == 3
    await practice.close()
    assert file.read()[0].wrong == 1


def test_the_solution_counts_as_wrong(file: ExerciseFile) -> None:
    def give_up(practice: Practice) -> None:
        with pytest.raises(MessageError, match="there is no exercise"):
            practice.give_up()
        practice.next()
        practice.give_up()

    state, _ = ask(file, give_up)
    assert state["line"][0]["san"] == "Ra8#" and "verdict" not in state
    assert file.read()[0].wrong == 1


def test_an_exercise_that_is_skipped_comes_last(file: ExerciseFile) -> None:
    seen: list[chess.Board | None] = []

    def skip(practice: Practice) -> None:
        seen.extend(practice.next() for _ in range(3))

    ask(file, skip)
    assert seen == [mate_in_one().board(), en_passant().board(), mate_in_one().board()]


def test_nothing_to_do(file: ExerciseFile, tmp_path: Path) -> None:
    def nothing(practice: Practice) -> None:
        assert practice.next() is None

    for exercise in file.read():
        file.update(exercise.name, lambda kept: kept.record_answer(False, TODAY))
    state, _ = ask(file, nothing)
    tomorrow = TODAY + datetime.timedelta(days=1)
    assert state["problem"] == f"Nothing is due before {tomorrow.isoformat()}."
    state, _ = ask(ExerciseFile(tmp_path / "none.json"), nothing)
    assert all(word in state["problem"] for word in ("Load a game", "boomslang exercises add FILE"))


def test_a_dead_helper_and_a_file_in_use(file: ExerciseFile) -> None:
    state, errors = ask(file, played("a1b1"), chance=None)
    assert errors == ["The evaluation died."] and state["verdict"] is None
    assert file.read() == [mate_in_one(), en_passant()]
    with sole_writer(file.path):
        state, errors = ask(file, played("a1a8"))
    assert "The answer is not kept: another command is writing" in errors[0] and state["right"]
    assert file.read()[0].right == 0


async def test_the_game_waits_meanwhile(file: ExerciseFile) -> None:
    game = WebGame()
    game.begin(chess.Board(), "both", None)
    game.play(chess.Move.from_uci("e2e4"))
    engines = BoardEngines(print)
    helper = cast(Helper, Evaluator(50.0))
    session = BoardSession(game, Outbox(), engines, helper, asyncio.Semaphore())

    def say(do: str, **about: Any) -> None:
        session.execute(json.dumps({"do": do, **about}))

    say("practise", on=True)
    versions = {game.version, session.game.version}
    assert session.game is not game and len(versions) == 2
    assert session.game.board == mate_in_one().board()
    say("move", squares="a1a8")
    assert file.read()[0].is_finished
    say("exercise")
    say("new", side="both", seconds=1, fen="4k3/8/8/8/8/8/8/8 w - - 0 1")  # refused
    assert session.game.board == en_passant().board()
    say("level", level=900, seconds=1)  # of the game that waits
    say("practise", on=False)
    assert session.game is game and len(game.board.move_stack) == 1 and game.level == 900
    assert game.version not in versions
    say("move", squares="e7e5")
    assert len(game.board.move_stack) == 2 and file.read()[1] == en_passant()
    say("practise", on=True)
    say("file", name="games.pgn", size=7)
    session.receive(b"1. d4 *")
    async with asyncio.timeout(60):
        while len(game.board.move_stack) != 1:
            await asyncio.sleep(0.01)
    assert session.game is game
    await session.close()


def test_a_move_that_comes_when_the_game_is_put_aside_is_not_played(
    file: ExerciseFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        game = WebGame()
        game.begin(chess.Board(), "white", None)
        engines = BoardEngines(print)
        helper = cast(Helper, Evaluator(50.0))
        session = BoardSession(game, Outbox(), engines, helper, asyncio.Semaphore())
        asked = asyncio.Event()
        answer: asyncio.Future[chess.Move] = asyncio.get_running_loop().create_future()

        async def search(*arguments: Any, **options: Any) -> chess.Move:
            asked.set()
            return await answer

        monkeypatch.setattr(engines.strong, "search", search)
        session.execute(json.dumps({"do": "move", "squares": "e2e4"}))
        async with asyncio.timeout(60):
            await asked.wait()
        answer.set_result(chess.Move.from_uci("e7e5"))
        session.execute(json.dumps({"do": "practise", "on": True}))
        for _ in range(10):
            await asyncio.sleep(0)
        assert [move.uci() for move in game.board.move_stack] == ["e2e4"]
        await session.close()

    asyncio.run(run())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders for data")
@pytest.mark.jit_only
def test_the_page_by_keyboard(page: BoardPage) -> None:
    page.press("4")
    page.wait_for("document.getElementById('exercise-task').textContent.includes('30. h3')")
    listed_pieces = "document.getElementById('white-men').textContent"
    page.wait_for(f"{listed_pieces}.startsWith('White: king on g1; rooks on a1 and e1;')")
    page.type_move("Ra8")
    verdict = "document.getElementById('exercise-verdict').textContent"
    page.wait_for(f"{verdict} === 'Right: Ra8# is the best move.'")
    assert "Right too: Re8#, g3." in page.text("exercise-solution")
    assert not page.run("document.getElementById('review').checkVisibility()")  # the game waits
    page.run("document.activeElement.blur()")
    page.press("n")
    page.wait_for("document.getElementById('exercise-task').textContent.includes('9. Ke2')")
    page.press("s")
    page.wait_for("document.getElementById('exercise-solution').textContent.includes('exd6')")
    assert page.run("document.getElementById('exercise-solve').disabled")
    page.press("n")
    page.wait_for("document.getElementById('exercise-task').textContent.startsWith('Nothing is')")
    page.press("1")
    page.wait_for(f"{listed_pieces}.startsWith('White: king on e1; queen on d1;')")  # the game
