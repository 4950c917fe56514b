"""The board's endings: refuted moves, replies, the user's file, and the game that waits meanwhile."""

from __future__ import annotations

import asyncio
import datetime
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import chess
import pytest

from boomslang.cli.play.board.board_engines import BoardEngines
from boomslang.cli.play.board.helper import Helper, HelperError
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_session import BoardSession
from boomslang.cli.play.board.web_game import WebGame
from boomslang.core.system.files import sole_writer
from boomslang.engine.analysis.endgames.ending import Ending, Response
from boomslang.engine.analysis.endgames.kinds import BY_NAME, KINDS
from boomslang.engine.analysis.endgames.positions import NoPositionError
from boomslang.engine.analysis.endgames.record import EndingFile
from tests.support.board_page import BoardPage

START = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"
MATE = Response(True, "1. Qg7 is the quickest. Won: checkmate.", None, True)
SLOW = Response(True, "1. Qg2 keeps the win.", chess.Move.from_uci("h8h7"), False, 2)
WRONG = Response(False, "1. Qg6 gives the win away.")


class Judge:
    """In a helper's place: answers from a list."""

    def __init__(self, *answers: Ending | Response | str | Exception) -> None:
        self._answers = list(answers)
        self.calls: list[tuple[Any, ...]] = []

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self.calls.append(arguments)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Talk:
    """A session whose user has begun a game, and what the page is told."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.game = WebGame()
        self.game.begin(chess.Board(), "both", None)
        self.game.play(chess.Move.from_uci("e2e4"))
        self.outbox = Outbox()
        engines, helper = BoardEngines(self.outbox.say), cast(Helper, judge)
        self.session = BoardSession(self.game, self.outbox, engines, helper, asyncio.Semaphore())

    async def say(self, do: str, **about: Any) -> dict[str, Any]:
        """The newest message of each kind."""
        self.session.execute(json.dumps({"do": do, **about}))
        for _ in range(8):
            await asyncio.sleep(0)
        return {message["is"]: message for message in await self.outbox.take()}

    @property
    def moves(self) -> list[str]:
        return [move.uci() for move in self.session.game.board.move_stack]


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> EndingFile:
    path = tmp_path / "exercises.json"
    monkeypatch.setattr(
        "boomslang.engine.analysis.exercises.exercise_store.user_file", lambda name: path
    )
    return EndingFile(path)


@asynccontextmanager
async def talking(*answers: Ending | Response | str | Exception) -> AsyncIterator[Talk]:
    talk = Talk(Judge(*answers))
    yield talk
    await talk.session.close()


async def test_an_ending_with_a_mistake(file: EndingFile) -> None:
    async with talking(
        Ending("queen", START, True), WRONG, SLOW, SLOW, MATE, Ending("rook", START, False)
    ) as talk:
        told = await talk.say("ending", kind="queen")
        assert talk.session.game is not talk.game
        assert told["ending"]["task"] == "White to move: win (tablebases judge)."
        assert told["ending"]["kinds"][0] == {
            "name": "queen",
            "title": "Queen: win",
            "group": "Mates",
            "board": BY_NAME["queen"].picture,
            "right": 0,
            "wrong": 0,
            "when": "new",
        }
        told = await talk.say("move", squares="g1g6")
        assert told["ending"]["right"] is False and "Try again" in told["ending"]["text"]
        assert talk.moves == [] and file.read()[0].wrong == 1
        await talk.say("move", squares="g1g2")
        await talk.say("undo")  # the slow move is forgotten, and made again
        await talk.say("move", squares="g1g2")
        assert talk.moves == ["g1g2", "h8h7"]
        told = await talk.say("move", squares="g2g7")
        assert told["ending"]["over"] and "2 plies slower" in told["ending"]["text"]
        assert [(one.kind, one.right, one.wrong) for one in file.read()] == [("queen", 0, 1)]
        told = await talk.say("ending", kind="")
        assert "no table has it" in told["ending"]["task"] and not told["ending"].get("over")
        assert talk.judge.calls[-1][1:3] == ("begin", "rook")
        await talk.say("endings")
        assert talk.session.game is talk.game and talk.moves == ["e2e4"]


async def test_a_success_is_kept(file: EndingFile) -> None:
    async with talking(Ending("queen", START, True), MATE, WRONG, MATE) as talk:
        await talk.say("ending", kind="queen")
        await talk.say("move", squares="g1g7")
        await talk.say("undo")  # to try something else, which does not count
        await talk.say("move", squares="g1g6")
        await talk.say("move", squares="g1g7")
        assert [(one.right, one.wrong) for one in file.read()] == [(1, 0)]


async def test_a_hint_counts_as_failed(file: EndingFile) -> None:
    async with talking(Ending("queen", START, True), "Best is 1. Qg7#.") as talk:
        told = await talk.say("hint")
        assert told["error"]["text"] == "There is no ending."
        await talk.say("ending", kind="queen")
        told = await talk.say("hint")
        assert told["ending"]["text"] == "Best is 1. Qg7#."
        assert file.read()[0].due == datetime.date.today() + datetime.timedelta(days=1)


async def test_an_answer_to_a_move_that_was_taken_back(file: EndingFile) -> None:
    async with talking(Ending("queen", START, True), WRONG, WRONG) as talk:
        await talk.say("ending", kind="queen")
        talk.session.execute(json.dumps({"do": "move", "squares": "g1g6"}))
        told = await talk.say("undo")
        assert talk.moves == [] and file.read() == [] and told["ending"]["text"] == ""
        talk.session.execute(json.dumps({"do": "move", "squares": "g1g6"}))
        told = await talk.say("hint")  # which would be the other side's, and forget the move
        assert told["error"]["text"] == "Your move is not answered yet."
        assert talk.moves == [] and file.read()[0].wrong == 1
        await talk.say("practise", on=False)
        assert talk.session.game is talk.game


@pytest.mark.parametrize("fault", [HelperError("died"), NoPositionError("no position was found")])
async def test_no_ending(fault: Exception, file: EndingFile) -> None:
    async with talking(fault) as talk:
        told = await talk.say("ending", kind="lucena")
        assert str(fault) in told["ending"]["text"] and talk.session.game is talk.game
        assert (await talk.say("ending", kind="nothing"))["error"]
        assert (await talk.say("ending", kind=5))["error"]


async def test_a_file_that_is_written_or_damaged(file: EndingFile) -> None:
    file.record(KINDS[0], START, False, datetime.date.today())
    async with talking(Ending("queen", START, True), MATE) as talk:
        await talk.say("ending", kind="queen")
        with sole_writer(file.path):
            told = await talk.say("move", squares="g1g7")
        assert "The result is not kept: another command" in told["error"]["text"]
        file.path.write_text("{")
        assert "is not a file of exercises" in (await talk.say("ending", kind=""))["error"]["text"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders for data")
@pytest.mark.jit_only
def test_the_page_by_keyboard(page: BoardPage) -> None:
    page.press("5")
    page.wait_for("document.getElementById('ending-task').textContent.includes('to move')")
    page.press("s")
    page.wait_for("document.getElementById('ending-text').textContent.startsWith('Best is 1')")
    page.wait_for("!document.getElementById('ending-choose').disabled")
    _, best = page.text("ending-text").removesuffix(".").rsplit(" ", 1)
    page.type_move(best)
    page.wait_for("document.getElementById('ending-text').textContent.includes('keeps the win')")
    page.run("document.getElementById('ending-choose').focus()")
    page.press(" ")  # all kinds as pictures
    shown = page.run(
        "[...document.querySelectorAll('#kinds .pictures button')].map((one) => [one.textContent,"
        " one.querySelectorAll('piece').length, one.querySelector('.picture').clientWidth > 80])"
    )
    assert len(shown) == len(BY_NAME) and all(large for _, _, large in shown)
    again = datetime.date.today() + datetime.timedelta(days=1)
    assert shown[0] == [f"Queen: win again on {again}, 0 right, 1 wrong", 3, True]
    assert page.text("kinds-count") == f"0 of {len(BY_NAME)} solved, 0 due."
    stops = "[...document.querySelectorAll('#kinds .pictures [tabindex=\"0\"]')]"
    page.run(f"{stops}[0].focus()")
    while not page.run("document.activeElement.textContent.startsWith('Opposition')"):
        page.press("ArrowRight")
        assert page.run(f"{stops}.map((one) => one === document.activeElement)") == [True]
    page.press(" ")
    page.wait_for("document.getElementById('ending-title').textContent === 'Opposition'")
    page.wait_for("document.getElementById('ending-task').textContent.includes('to move: win')")
    assert not page.run("document.getElementById('kinds').open")
    page.run("document.activeElement.blur()")
    page.press("1")
    page.wait_for("document.getElementById('white-men').textContent.includes('king on e1')")
