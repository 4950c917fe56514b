"""Invalid messages and lost connections: the server goes on, and no search outlives its page."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.stress.inputs import Mutator, corpus
from tests.support.board_server import BoardServer
from tests.support.other_engine import other_engine

pytestmark = [
    pytest.mark.jit_only,
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc"),
]

TWO = b"1. d4 *\n\n1. c4 *\n"  # games
SHORT = b"1. f3 *"  # each position more takes seconds
GAME_TIMEOUT = 240.0  # seconds; engines start slowly on a busy machine


@pytest.fixture(scope="module")
def server(kernels: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardServer]:
    """One server for all tests, each of which leaves no page open; failed endings are not the user's.

    Work that fails is reported in its terminal, where nothing may stand in the end.
    """
    data = tmp_path_factory.mktemp("data")
    errors = data / "errors"
    with pytest.MonkeyPatch.context() as environment, errors.open("wb") as file:
        environment.setenv("XDG_DATA_HOME", str(data))
        with BoardServer(errors=file) as started:
            yield started
            assert errors.read_text() == ""


class Page:
    """One conversation as a page has it."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket

    async def say(self, wanted: str, **about: Any) -> None:
        await self.socket.send_str(json.dumps({"do": wanted, **about}))

    async def until(
        self, kind: str, fits: Callable[[dict[str, Any]], bool] = lambda message: True
    ) -> dict[str, Any]:
        async with asyncio.timeout(GAME_TIMEOUT):
            while True:
                heard = await self.socket.receive()
                assert heard.type is aiohttp.WSMsgType.TEXT, heard
                message: dict[str, Any] = json.loads(heard.data)
                if message["is"] == kind and fits(message):
                    return message


@asynccontextmanager
async def pages(server: BoardServer) -> AsyncIterator[Callable[..., Any]]:
    """What opens a page."""
    async with aiohttp.ClientSession() as client:

        def connect(name: str = "", load: str = "") -> Any:
            address = f"{server.address}talk?page={name}&load={load}"
            return client.ws_connect(address, origin=server.origin, max_msg_size=0)

        yield connect


def wait_for_children(server: BoardServer, most: int) -> None:
    """No more than so many processes may be left; those that end have a moment."""
    end = time.monotonic() + GAME_TIMEOUT
    while len(server.children()) > most:
        assert time.monotonic() < end, server.children()
        time.sleep(0.05)


async def is_well(page: Page) -> None:
    """The page can still begin a game and play a move."""
    await page.say("watch", on=False, lines=1, classical=False)
    await page.say("new", side="both", clock=None, level=None, seconds=0.1)
    await page.until("game", lambda game: game["sans"] == [] and game["person"] is None)
    await page.say("move", squares="e2e4")
    await page.until("game", lambda game: game["sans"] == ["e4"])


async def test_a_bad_message_leaves_the_game_standing(server: BoardServer) -> None:
    bad = [
        "", "{", "[]", "{}", '{"do": 1}', '{"do": "nothing"}', '{"do": "move"}', "[" * 5000,
        '{"do": "move", "squares": "e2e5"}', '{"do": "say", "text": "Ke2"}', '{"do": "view", "ply": -1}',
        '{"do": "new", "side": "both", "seconds": NaN}', '{"do": "level", "level": 9999, "seconds": 1}',
        '{"do": "new", "side": "both", "seconds": 1, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}',
        '{"do": "file", "name": "a", "size": 0}', '{"do": "file", "name": "a", "size": 99999999}',
        '{"do": "choose", "number": 1}', '{"do": "view", "node": 77, "ply": 0}',
        '{"do": "shapes", "node": 0}', '{"do": "shapes", "node": 99, "shapes": []}',
        '{"do": "shapes", "node": 0, "shapes": [["green", "e2e9"]]}',
        '{"do": "shapes", "node": 0, "shapes": [[["green"], "e2"]]}',
        '{"do": "shapes", "node": 0, "shapes": [1]}', '{"do": "review", "on": 1}',
        '{"do": "try", "ply": 0, "san": "e4"}', '{"do": "keep", "ply": -1}', '{"do": "keep", "ply": 0}',
        '{"do": "watch", "on": true, "lines": 1, "threads": 0}',
        '{"do": "watch", "on": true, "lines": 1, "hash": 99999999}',
        '{"do": "watch", "on": 1, "lines": 1}', '{"do": "tree", "game": "go", "algorithm": "minimax"}',
        f'{{"do": "view", "ply": {"9" * 5000}}}', '{"do": "resign"}', '{"do": "draw"}', "\U0001f600",
        '{"do": "say", "text": "\\ud83d"}',
    ]  # fmt: skip
    async with pages(server) as connect, connect() as socket:
        page = Page(socket)
        await page.say("new", side="both", clock=None, level=None, seconds=0.1)
        await page.say("move", squares="d2d4")
        before = await page.until("game", lambda game: game["sans"] == ["d4"])
        for message in bad:
            await socket.send_str(message)
            assert (await page.until("error"))["text"]
        await socket.send_bytes(b"\0\1\2")
        await page.until("error")
        await page.say("view", ply=1)
        after = await page.until("game")
        assert after == before
        await page.say("again")  # whoever asks for the engine is told that it is there
        assert not (await page.until("game"))["lost"]


async def test_two_pages_do_not_disturb_each_other(server: BoardServer) -> None:
    async with pages(server) as connect, connect() as one, connect() as two:
        first, second = Page(one), Page(two)
        await first.say("new", side="white", clock=None, level=1400, seconds=0.1)
        await second.say("new", side="both", clock=None, level=None, seconds=0.1)
        await first.say("move", squares="e2e4")
        await second.say("watch", on=True, lines=2, classical=False)
        await second.say("move", squares="d2d4")
        played, told = await asyncio.gather(  # both answer the pings of the server
            first.until("game", lambda game: len(game["sans"]) == 2),
            second.until("thinking", lambda thinking: thinking["depth"] > 3),
        )
        assert played["level"] == 1400 and played["sans"][0] == "e4"
        assert " b " in told["fen"] and len(told["lines"]) == 2
    wait_for_children(server, 2)  # the helper that judges, and what watches over it


async def test_a_page_that_was_cut_off_finds_its_game(server: BoardServer) -> None:
    async with pages(server) as connect:
        async with connect() as socket:
            page = Page(socket)
            name = (await page.until("hello"))["page"]
            await page.say("file", name="two.pgn", size=len(TWO))
            await socket.send_bytes(TWO)
            assert (await page.until("games"))["new"]
            await is_well(page)
            async with connect(name) as thief:  # a copied tab: the table is taken
                other = Page(thief)
                assert (await other.until("hello"))["page"] != name
                assert (await other.until("game"))["sans"] == []
        # Loaded anew, while its engines are leaving still.
        async with connect(name) as socket:
            page = Page(socket)
            shown = await page.until("games")
            assert (shown["name"], len(shown["rows"]), shown["new"]) == ("two.pgn", 2, False)
            assert (await page.until("game"))["sans"] == ["e4"]
            await page.say("choose", number=2)
            await page.until("game", lambda game: game["sans"] == ["c4"])


async def test_a_move_for_a_page_that_was_cut_off_is_made(server: BoardServer) -> None:
    async with pages(server) as connect:
        async with connect() as socket:
            page = Page(socket)
            name = (await page.until("hello"))["page"]
            await page.say("new", side="black", clock=None, level=None, seconds=5)
            await page.until("game", lambda game: game["person"] == "black")
        async with connect(name) as socket:
            await Page(socket).until("game", lambda game: len(game["sans"]) == 1)


async def test_a_page_that_was_cut_off_takes_its_table_over(server: BoardServer) -> None:
    async with (
        pages(server) as connect,
        connect(load="1") as silent,
    ):  # for the server this call goes on
        page = Page(silent)
        name = (await page.until("hello"))["page"]
        await is_well(page)
        async with connect(name, "2") as copied:
            assert (await Page(copied).until("hello"))["page"] != name
        for _ in range(2):
            socket = await connect(name, "1")
            again = Page(socket)
            assert (await again.until("hello"))["page"] == name
            assert (await again.until("game"))["sans"] == ["e4"]
        await socket.close()


@pytest.mark.slow
async def test_reviews_take_turns_and_their_processes_end(server: BoardServer) -> None:
    async with pages(server) as connect, connect() as one, connect() as two:
        first, second = Page(one), Page(two)
        for page in (first, second):
            await page.say("file", name="short.pgn", size=len(SHORT))
            await page.socket.send_bytes(SHORT)
            await page.until("loaded")
        for page in (first, second):
            await page.say("review", on=True)
        await second.until("review", lambda review: bool(review.get("waiting")))
        await asyncio.gather(
            first.until("review", lambda review: review["state"] == "done"),
            second.until("review", lambda review: bool(review.get("total"))),
        )
    wait_for_children(server, 2)  # the second page has left in the middle of it


async def is_admitted(page: Page) -> bool:
    """Whether the server has room for the page."""
    async with asyncio.timeout(GAME_TIMEOUT):
        while True:
            kind = json.loads((await page.socket.receive()).data)["is"]
            if kind in ("full", "game"):
                return bool(kind == "game")


async def test_no_more_than_eight_pages_at_once() -> None:
    # A server of its own: where the pages' engines are still ending, other tests would find no room.
    with BoardServer() as server:
        async with pages(server) as connect:
            sockets = [await connect() for _ in range(8)]
            for socket in sockets:
                assert await is_admitted(Page(socket))
            assert not await is_admitted(Page(await connect()))
            await sockets[0].close()
            async with asyncio.timeout(GAME_TIMEOUT):  # its engines may still be ending
                while not await is_admitted(Page(socket := await connect())):
                    await socket.close()
                    await asyncio.sleep(0.1)


async def cut_connections(server: BoardServer, number: int) -> None:
    async with pages(server) as connect:
        for cut in range(number):
            socket = await connect()
            page = Page(socket)
            await page.say("new", side="black", clock=None, level=None, seconds=30)
            await page.say("watch", on=True, lines=3, classical=False)
            if cut % 3 == 0:  # in the middle of a search; else while it begins
                await page.until("thinking", lambda thinking: thinking["depth"] > 1)
            elif cut % 3 == 1:
                await page.say("tree", game="chess", algorithm="minimax", depth=5, width=0, total=0)
                await asyncio.sleep(0.05)
            socket._response.connection.transport.abort()  # no word of farewell


async def test_a_cut_connection_ends_its_search(server: BoardServer) -> None:
    await cut_connections(server, 3)
    wait_for_children(server, 2)
    assert server.process.poll() is None


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_fifty_cut_connections(server: BoardServer) -> None:
    await cut_connections(server, 10)
    wait_for_children(server, 2)
    before = server.memory()
    await cut_connections(server, 50)
    wait_for_children(server, 2)
    assert server.memory() - before < 16 << 20
    async with pages(server) as connect, connect() as socket:
        await is_well(Page(socket))


async def mutated_messages(server: BoardServer, number: int, seed: int) -> None:
    mutator, games = Mutator(corpus("board"), seed), Mutator([b"1. e4 e5 *\n\n", b"1"], seed)
    chance = random.Random(seed)
    async with pages(server) as connect, connect() as socket:
        page = Page(socket)

        async def listen() -> None:
            while (await socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass

        listening = asyncio.create_task(listen())
        for _ in range(number):
            await socket.send_str(mutator.line().decode("utf-8", "replace"))
            if chance.random() < 0.05:  # pieces of a file, announced or not
                await socket.send_bytes(games.data())
            if chance.random() < 0.1:
                await asyncio.sleep(chance.random() / 10)
        assert not listening.done()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await is_well(page)
    wait_for_children(server, 2)


async def test_mutated_messages(server: BoardServer) -> None:
    await mutated_messages(server, 100, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_a_thousand_mutated_messages(server: BoardServer) -> None:
    await mutated_messages(server, 1000, seed=2)
    before = server.memory()
    await mutated_messages(server, 1000, seed=3)
    assert server.memory() - before < 16 << 20


async def test_an_engine_without_a_score_is_told_once(tmp_path: Path, kernels: None) -> None:
    with BoardServer("--engine", other_engine(tmp_path, "vague")) as server:
        async with pages(server) as connect, connect() as socket:
            page = Page(socket)
            await page.say("watch", on=True, lines=1, classical=False, depth=5)
            game = await page.until("game", lambda game: bool(game["lost"]))
            assert game["lost"] == ["show"]
            told = await page.until("error")
            assert told["text"] == "Stub '3': the engine has given no line with an exact score."


async def test_another_engine_analyses(tmp_path: Path, kernels: None) -> None:
    with BoardServer("--engine", other_engine(tmp_path, "mortal")) as server:
        async with pages(server) as connect, connect() as socket:
            page = Page(socket)
            heard = await page.until("word")
            assert heard["text"] == "The lines under Think are those of Stub '3'."
            await page.say("watch", on=True, lines=1, classical=False)
            shown = await page.until("thinking", lambda message: bool(message["lines"]))
            assert [move["san"] for move in shown["lines"][0]["moves"]] == ["a3"]
            # It dies in the position after e4; Boomslang plays all the same.
            await page.say("new", side="white", clock=None, level=None, seconds=0.1)
            await page.say("move", squares="e2e4")
            await page.until("game", lambda game: len(game["sans"]) == 2)
            await page.say("view", ply=1)
            game = await page.until("game", lambda game: bool(game["lost"]))
            assert game["lost"] == ["show"]
            died = "Stub '3': the engine has died (its last remark: out of ideas)"
            assert (await page.until("error"))["text"] == f"{died}, 3 times in a row."
            await page.say("view", ply=2)
            await page.say("move", squares="a2a3")
            await page.until("game", lambda game: len(game["sans"]) == 4)
