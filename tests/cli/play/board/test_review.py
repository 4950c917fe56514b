"""The review of a game on the board: progress, stopping and going on, its report, tries and exercises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import chess
import pytest

from boomslang.cli.play.board import helper, review
from boomslang.cli.play.board.helper import Helper, HelperError
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.cli.play.board.review import Reviewer
from boomslang.cli.play.board.web_game import WebGame
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.notation.pgn import games_of_text
from tests.support.analysed import material_evaluation

MATED = '[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0'
MISTAKE = 5  # the ply of Nf6


class Searcher:
    """In a helper's place: counts material, or waits, or dies."""

    left = 1000  # searches until it waits for ever
    fault: Exception | None = None

    def __init__(self, ends_with_call: bool, timeout: float = 0.0) -> None:
        self.steps = SimpleNamespace(value=0)

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if Searcher.fault:
            raise Searcher.fault
        Searcher.left -= 1
        await asyncio.sleep(0 if Searcher.left >= 0 else 3600)
        if function.__name__ == "search_reply":
            return 3.0, (chess.Move.from_uci("h5f7"),)
        _, segment, step = arguments
        assert step is helper.step
        self.steps.value += len(segment)
        return tuple(material_evaluation(board, segment.avoided) for board in segment.boards())

    async def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def searcher(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[Searcher]:
    monkeypatch.setattr(review, "Helper", Searcher)
    monkeypatch.setattr(Searcher, "left", 1000)
    monkeypatch.setattr(Searcher, "fault", None)
    store = "boomslang.engine.analysis.exercises.exercise_store.user_file"
    monkeypatch.setattr(store, lambda name: tmp_path / name)
    return Searcher


class Desk:
    """A game and its reviewer; `told` has what the page hears."""

    def __init__(self, game: WebGame, turn: asyncio.Semaphore | None = None) -> None:
        self.game = game
        self.outbox = Outbox()
        evaluator = cast(Helper, Searcher(True))
        turn = turn or asyncio.Semaphore()
        self.reviewer = Reviewer(lambda: self.game, self.outbox, evaluator, turn, "")

    async def until(self, kind: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        async with asyncio.timeout(60):
            while True:
                for message in await self.outbox.take():
                    if message["is"] == kind and fits(message):
                        return message

    async def state(self, wanted: str) -> dict[str, Any]:
        return await self.until("review", lambda message: message["state"] == wanted)


def table_of(text: str) -> WebGame:
    game = WebGame()
    (entry,) = games_of_text(text)
    game.load(entry)
    return game


@asynccontextmanager
async def reviewing(text: str = MATED) -> AsyncIterator[Desk]:
    desk = Desk(table_of(text))
    yield desk
    await desk.reviewer.close()


async def test_a_review_is_stopped_goes_on_and_is_there_after_a_reload(
    searcher: type[Searcher],
) -> None:
    async with reviewing() as desk:
        searcher.left = 1
        desk.reviewer.want(True)
        shown = await desk.until("review", lambda message: message.get("done", 0) > 0)
        assert shown["state"] == "running" and shown["total"] >= shown["done"]
        desk.reviewer.want(False)
        stopped = await desk.state("stopped")
        kept = desk.game.review
        assert kept and len(kept.results) == 1 and stopped["done"] == shown["done"]
        desk.reviewer.want(True)
        await desk.state("running")
        await desk.reviewer.close()  # the page is loaded again in the middle of it
        searcher.left = 1000
        again = Desk(desk.game)
        again.reviewer.look()
        done = await again.state("done")
        assert desk.game.review is kept and kept.page and done["number"] == kept.number
        assert (kept.page["white"], len(kept.page["positions"])) == ("Ann", 8)
        await again.reviewer.close()


async def test_one_review_at_a_time(searcher: type[Searcher]) -> None:
    searcher.left = 0  # the first waits for ever
    turn = asyncio.Semaphore()
    first, second, third = (Desk(table_of(MATED), turn) for _ in range(3))
    first.reviewer.want(True)
    await first.until("review", lambda message: message.get("total", 0) > 0)
    for desk in (second, third):
        desk.reviewer.want(True)
        await desk.until("review", lambda message: bool(message.get("waiting")))
    second.reviewer.want(False)  # it is not waited for
    await second.state("stopped")
    searcher.left = 1000
    await first.reviewer.close()  # its page goes away
    await third.state("done")
    second.reviewer.want(True)
    await second.state("done")
    for desk in (second, third):
        await desk.reviewer.close()


async def test_a_game_that_changes_has_its_review_again_when_it_is_as_it_was() -> None:
    async with reviewing() as desk:
        desk.reviewer.want(True)
        done = await desk.state("done")
        desk.game.look_at(1)
        desk.game.play(desk.game.read("c5"))  # a variation: the game is the same
        desk.reviewer.look()
        assert desk.game.review
        desk.game.look_at_node(7)
        desk.game.take_back()
        desk.reviewer.look()
        await desk.state("none")
        assert desk.game.review is None
        desk.game.play(desk.game.read("Qxf7"))
        desk.reviewer.look()
        assert await desk.state("done") == done


async def test_the_line_on_the_board_is_reviewed_where_the_games_first_move_is_none() -> None:
    async with reviewing('[White "Ann"]\n\n1. -- ( 1. e4 e5 2. -- Nc6 ) 1... d5 *') as desk:
        desk.reviewer.want(True)
        await desk.state("done")
        kept = desk.game.review
        assert kept and kept.report
        assert [str(move.move) for move in kept.report.moves if move] == ["e2e4", "e7e5"]


async def test_what_is_not_reviewed(searcher: type[Searcher]) -> None:
    async with reviewing('[White "Ann"]\n\n*') as desk:
        with pytest.raises(MessageError, match="no move to review"):
            desk.reviewer.want(True)
        desk.reviewer.want(False)
        desk.game.choose_side("white")
        desk.game.play(desk.game.read("e4"))
        with pytest.raises(MessageError, match="finish the game"):
            desk.reviewer.want(True)
        for act in (lambda: desk.reviewer.keep(0), lambda: desk.reviewer.try_move(0, "e4")):
            with pytest.raises(MessageError, match="not a move of a reviewed game"):
                act()
        desk.game.choose_side("both")
        for fault, words in ((HelperError("died"), "died."), (OSError("full"), "has failed, and")):
            searcher.fault = fault
            desk.reviewer.want(True)
            failed = await desk.until("error", lambda message: True)
            assert failed["text"].startswith(f"The review {words}")
            assert desk.game.review and not desk.game.review.is_wanted
        searcher.fault = None
        desk.reviewer.want(True)
        await desk.state("done")


async def test_a_mistake_is_tried_again_and_becomes_an_exercise() -> None:
    async with reviewing() as desk:
        desk.reviewer.want(True)
        await desk.state("done")
        desk.reviewer.try_move(MISTAKE, "a6")
        told = await desk.until("tried", lambda message: True)
        assert told["right"] is False and told["text"].startswith("Wrong: a6 has")
        assert (told["ply"], told["san"], told["line"]) == (MISTAKE, "a6", "Qxf7# h5.f7Q")
        for ply, san, words in ((MISTAKE, "Kd5", "not a legal"), (0, "d4", "makes no exercise")):
            with pytest.raises(MessageError, match=words):
                desk.reviewer.try_move(ply, san)
        desk.reviewer.keep(MISTAKE)
        assert "Added" in (await desk.until("kept", lambda message: True))["text"]
        desk.reviewer.keep(MISTAKE)
        assert "already" in (await desk.until("kept", lambda message: True))["text"]
        (exercise,) = ExerciseFile().read()
        assert exercise.played == "g8f6" and exercise.origin == "Ann – Bob"
        with pytest.raises(MessageError, match="makes no exercise"):
            desk.reviewer.keep(0)
