"""Files of games from a page: received in pieces, listed, and read game by game on a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from boomslang.cli.play.board.game_tree import GameTree
from boomslang.cli.play.board.games_file import MAX_FILE, GamesFile
from boomslang.cli.play.board.latest_task import LatestTask
from boomslang.cli.play.board.outbox import Outbox, as_sentence
from boomslang.cli.play.board.page_messages import Message, MessageError
from boomslang.cli.play.board.web_game import WebGame
from boomslang.engine.notation.pgn import InputGame

_NewFile: TypeAlias = tuple[str, bytes]  # its name and content
_Work: TypeAlias = tuple[int, _NewFile | int]  # a counter, and a file to list or a game's number


class GameLoader:
    """Reads the file of one page, which stays with its game. Created within a running event loop.

    A message announces a file, then its bytes come in binary messages. A file with one game is loaded at
    once; of several the page gets a list, to choose from.
    """

    def __init__(
        self, outbox: Outbox, load: Callable[[InputGame, GameTree], None], game: WebGame
    ) -> None:
        """`load` is called with the game that was read; it may raise MessageError."""
        self._outbox = outbox
        self._load = load
        self._game = game
        self._name = ""
        self._size = 0  # bytes that are expected; 0: none
        self._data = bytearray()
        self._work: _Work | None = None
        self._count = 0
        self._task = LatestTask(lambda: self._work, self._do)
        self._show_games(is_new=False)

    def begin(self, message: Message) -> None:
        """A file is announced, by its name and its size in bytes."""
        self._name = message.text("name")
        self._size = message.whole("size", 1, MAX_FILE)
        self._data = bytearray()

    def receive(self, piece: bytes) -> None:
        """A piece of the file. Raises MessageError if none is expected."""
        if not self._size:
            raise MessageError("no file was announced")
        self._data += piece
        if len(self._data) > self._size:
            self._size, self._data = 0, bytearray()
            raise MessageError("the file is longer than announced")
        if len(self._data) == self._size:
            content, self._data = bytes(self._data), bytearray()
            self._size = 0
            self._begin_work((self._name, content))

    def choose(self, number: int) -> None:
        """Load a game of the file."""
        if self._game.file is None:
            raise MessageError("there is no file to choose from")
        self._begin_work(number)

    async def close(self) -> None:
        """Give up what is being read."""
        self._work = None
        await self._task.close()

    def _begin_work(self, wanted: _NewFile | int) -> None:
        self._count += 1
        self._work = self._count, wanted
        self._task.look()

    async def _do(self, work: _Work) -> None:
        request = work[1]
        try:
            if isinstance(request, tuple):
                file = await asyncio.to_thread(GamesFile.read, *request, lambda: self._work is work)
                if self._work is not work:
                    return
                self._game.file = file
                self._show_games(is_new=True)
                if len(file.rows) > 1:
                    return
                request = 1
            if self._game.file:
                self._load(*await asyncio.to_thread(_read, self._game.file, request))
        except MessageError as problem:
            self._outbox.say(as_sentence(str(problem)), "error")

    def _show_games(self, is_new: bool) -> None:
        if file := self._game.file:
            content = {"name": file.name, "rows": file.rows, "new": is_new}
            self._outbox.put("games", lambda: content)


def _read(file: GamesFile, number: int) -> tuple[InputGame, GameTree]:
    """A game of a file, with its tree; a large one takes seconds."""
    entry = file.game(number)
    return entry, GameTree(entry.game)
