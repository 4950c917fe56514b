"""Files of games: listed, chosen from, in any encoding, and none larger than announced."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from boomslang.cli.play.board import game_loader, web_game
from boomslang.cli.play.board.game_loader import GameLoader
from boomslang.cli.play.board.game_tree import GameTree
from boomslang.cli.play.board.games_file import MAX_FILE, GamesFile
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_messages import Message, MessageError
from boomslang.cli.play.board.server import GameStore
from boomslang.cli.play.board.web_game import WebGame
from boomslang.engine.notation.pgn import InputGame

GAMES = (
    '[White "Zoë"]\n[Black "Bob"]\n[Date "2020.01.02"]\n[Result "1-0"]\n[ECO "C20"]\n[Opening "King"]\n\n'
    "1. e4 e5 1-0\n\n"
    '[White "Müller"]\n[ECOUrl "https://site/openings/Caro-Kann-Defense-Two"]\n\n1. e4 c6 *\n\n'
    '[Variant "Atomic"]\n\n1. e4 *\n\n[White "Eve"]\n\n1. d4 1-0 1. c4 c5 *\n'
)
ROWS = [
    ("Zoë – Bob", "2020.01.02", "1-0", "C20 King"),
    ("Müller – ?", "????.??.??", "*", "Caro Kann Defense Two"),
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1"])
def test_games_are_listed_by_their_tags(encoding: str) -> None:
    file = GamesFile.read("a.pgn", GAMES.encode(encoding))
    assert file.rows[:2] == ROWS and len(file.rows) == 5
    first_moves = []
    for number in (1, 2, 4, 5):
        entry = file.game(number)
        first_moves.append([str(move) for move in entry.game.mainline_moves()])
    assert first_moves == [["e2e4", "e7e5"], ["e2e4", "c7c6"], ["d2d4"], ["c2c4", "c7c5"]]
    for number, words in ((3, "the variant Atomic"), (0, "no such game"), (6, "no such game")):
        with pytest.raises(MessageError, match=words):
            file.game(number)


def test_games_that_share_a_line() -> None:
    file = GamesFile.read(
        "a", b'[White "a"] 1. e4 * [White "b"] 1. d4 * 1. c4 *\n[White "c"]\n1. f4 *'
    )
    first_moves = [str(file.game(number).game.next()).split()[1] for number in range(1, 5)]
    assert [row[0] for row in file.rows] == ["a – ?", "b – ?", "? – ?", "c – ?"]
    assert first_moves == ["e4", "d4", "c4", "f4"]


@pytest.mark.parametrize(
    "text",
    [
        "*\n } e4 ) 1. 2. Nf3 e5",
        '1. e4 { -1 "x"]\n[White "A"]\n\n1. d4 {gooite "A"]\n\n1. d4 {bad} d5 1-0\n'
        "} e5d} d5 1-0\n} e5 { { } *\n",
    ],
)
def test_games_that_depend_on_what_stands_before_them(text: str) -> None:
    file = GamesFile.read("x.pgn", text.encode())
    for number in range(1, len(file.rows) + 1):
        with contextlib.suppress(MessageError):
            file.game(number)  # which raises nothing else


def test_a_file_stays_with_its_table_while_there_is_room() -> None:
    """Files of closed pages take memory: the oldest go, and the file of the server is there again."""
    ours, theirs = (GamesFile.read(name, GAMES.encode()) for name in ("ours", "theirs"))
    store = GameStore(WebGame, ours)
    names = []
    for _ in range(3):
        with store.lease("") as (name, game):
            assert game.file is ours
            game.file = theirs
            names.append(name)
    for name, file in zip(names, (ours, theirs, theirs), strict=True):
        with store.lease(name) as (same, game):
            assert same == name and game.file is file


async def test_the_tree_of_a_game_is_made_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads = []

    class Tree(GameTree):
        def __init__(self, *read: Any) -> None:
            threads.append(threading.current_thread())
            super().__init__(*read)

    game, loaded = WebGame(), asyncio.Event()
    game.file = GamesFile.read("a.pgn", GAMES.encode())
    for module in (game_loader, web_game):
        monkeypatch.setattr(module, "GameTree", Tree)
    loader = GameLoader(
        Outbox(), lambda *read: loaded.set() if not game.load(*read) else None, game
    )
    loader.choose(1)
    async with asyncio.timeout(60):
        await loaded.wait()
    assert len(game.tree.line) == 2 and game.tree.line[0].parent is game.tree.root
    await loader.close()
    assert len(threads) == 1 and threads[0] is not threading.main_thread()


def test_what_is_no_file_of_games() -> None:
    for data in (b"\0" * 999, b"hello", b"\xff\xfe"):
        with pytest.raises(MessageError, match="no PGN"):
            GamesFile.read("a", data)
    with pytest.raises(MessageError, match="no PGN"):
        GamesFile.read("a", GAMES.encode(), is_wanted=lambda: False)


def converse(
    say: Callable[[GameLoader], None], until: Callable[[list[Any]], bool]
) -> tuple[list[InputGame], list[dict[str, Any]]]:
    """The games that were loaded, and what the page was told, until that is enough."""

    async def run() -> tuple[list[InputGame], list[dict[str, Any]]]:
        outbox, loaded, told = Outbox(), list[InputGame](), list[dict[str, Any]]()
        loader = GameLoader(outbox, lambda entry, tree: loaded.append(entry), WebGame())
        say(loader)
        async with asyncio.timeout(60):
            while not until([*loaded, *told]):
                if outbox._filled.is_set():
                    told += await outbox.take()
                await asyncio.sleep(0.005)
        await loader.close()
        return loaded, told

    return asyncio.run(run())


def announce(loader: GameLoader, size: int) -> None:
    loader.begin(Message(json.loads(json.dumps({"name": "a.pgn", "size": size}))))


def test_one_game_is_loaded_at_once_and_of_several_the_page_chooses() -> None:
    def send(*pieces: bytes) -> Callable[[GameLoader], None]:
        def say(loader: GameLoader) -> None:
            announce(loader, sum(map(len, pieces)))
            for piece in pieces:
                loader.receive(piece)

        return say

    loaded, told = converse(send(b"1. e4", b" e5 *"), lambda heard: len(heard) == 2)
    assert len(loaded) == 1 and told[0]["rows"][0][0] == "? – ?"

    def announce_another(loader: GameLoader) -> None:
        send(b"1. d4 *")(loader)
        announce(loader, 99)

    loaded, told = converse(announce_another, lambda heard: len(heard) == 2)
    assert len(loaded) == 1 and told[0]["name"] == "a.pgn"
    loaded, told = converse(send(GAMES.encode()), bool)
    assert not loaded and told[0]["new"] and len(told[0]["rows"]) == 5
    loaded, told = converse(send(b"rubbish"), bool)
    assert not loaded and told == [{"is": "error", "text": "That is no PGN."}]


async def test_pieces_that_nobody_announced_and_too_many() -> None:
    loader = GameLoader(Outbox(), lambda entry, tree: None, WebGame())
    with pytest.raises(MessageError, match="no file was announced"):
        loader.receive(b"x")
    with pytest.raises(MessageError, match="size"):
        announce(loader, MAX_FILE + 1)
    announce(loader, 2)
    with pytest.raises(MessageError, match="longer than announced"):
        loader.receive(b"xyz")
    with pytest.raises(MessageError, match="no file was announced"):
        loader.receive(b"xy")
    with pytest.raises(MessageError, match="no file to choose"):
        loader.choose(1)
    await loader.close()
