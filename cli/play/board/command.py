"""`boomslang board`: the board in the web browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Final

import chess

from boomslang.cli.play.like import read_person
from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_option,
    board_of,
    warner,
    with_arguments,
)
from boomslang.cli.terminal.engine_arguments import add_engine, probed_engine
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system import shutdown
from boomslang.engine.errors import in_words
from boomslang.engine.search_settings import LikeSettings, TablesSettings
from boomslang.engine.settings import whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from boomslang.cli.play.board.games_file import GamesFile
    from boomslang.cli.play.board.server import Server
    from boomslang.cli.play.board.web_game import WebGame

    _NewGame = Callable[[], WebGame]

_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_DESCRIPTION: Final = """\
Play against the engine in the browser, watch it think, and see how search algorithms work. The page is served
on this computer only; it needs no network. Ctrl-C ends the server.
"""
_EXAMPLES: Final = """\
examples:
  boomslang board
  boomslang board games.pgn
  boomslang board --fen "4k2r/7p/pq6/8/1pQ1P3/5PP1/PB1r1R1P/R5K1 w - - 0 1"
  boomslang board --engine stockfish --option "Use NNUE=true"
  boomslang board --like games.pgn --player "Ann Example"
  boomslang board --port 8000 --no-open
  boomslang board --host 0.0.0.0 --pages 30
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang board", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "pgn",
        type=Path,
        nargs="?",
        metavar="PGN",
        help="PGN file; its first game is loaded, the page lists all",
    )
    add_option(parser, "--fen F", str, "start position, in quotes (the usual one)")
    add_option(parser, "--port N", whole(0, 65535), "TCP port of the server, 0 for any free one", 0)
    add_option(
        parser,
        "--host ADDRESS",
        str,
        "address to listen on; other than 127.0.0.1, also for other computers",
        "127.0.0.1",
    )
    add_option(
        parser,
        "--pages N",
        whole(1, 100),
        "pages at the same time; more than 8 share their engines, for a class",
        8,
    )
    parser.add_argument(
        "--no-open",
        action="store_true",
        help="no start of the browser, only the address of the page",
    )
    add_settings(parser, TablesSettings)
    add_settings(parser, LikeSettings)
    add_engine(parser, "whose analysis is shown under Think")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    if arguments.pgn and arguments.fen:
        raise UsageError("a PGN file and --fen exclude each other")
    board = board_of(arguments.fen) if arguments.fen else chess.Board()
    arguments.tables = read_settings(TablesSettings, arguments).tables or ""
    arguments.analyst = probed_engine(arguments)
    from boomslang.cli.terminal.progress import warn_of_network

    warn_of_network()
    first = _first_game(board, arguments.pgn, read_settings(LikeSettings, arguments))
    first()  # its errors are reported before the browser opens
    arguments.games = _list_games(arguments.pgn) if arguments.pgn else None
    return asyncio.run(_run(arguments, first))


def _first_game(board: chess.Board, path: Path | None, like: LikeSettings) -> _NewGame:
    """A function that makes the initial game of a page."""
    person = read_person(like)
    from boomslang.cli.play.board.page_messages import MessageError
    from boomslang.cli.play.board.web_game import WebGame
    from boomslang.engine.notation.pgn import read_games

    loaded = None
    if path:
        for entry in read_games(path):
            for problem in entry.messages:
                warner("board")(f"{path}:{entry.line}: {problem}")
            if entry.analysable:
                loaded = entry.game
                break
        if loaded is None:
            raise UsageError(f"{path}: no playable game in this file")

    def make() -> WebGame:
        game = WebGame()
        if person:
            game.like, game.whom, game.level = like.options, person.name, person.rating
        try:
            if loaded:
                game.take(loaded)
            else:
                game.begin(board.copy(), "white" if board.turn else "black", None)
        except MessageError as problem:
            raise UsageError(f"{path}: {problem}") from None
        return game

    return make


def _list_games(path: Path) -> GamesFile | None:
    """The file as pages choose from it; None, with a warning, if it is too large."""
    from boomslang.cli.play.board.games_file import MAX_FILE, GamesFile
    from boomslang.core.system.files import FileError, read_file

    try:
        return GamesFile.read(path.name, read_file(path, MAX_FILE))
    except FileError as problem:
        warner("board")(f"the page does not list the games: {problem}")
        return None


async def _run(arguments: argparse.Namespace, first: _NewGame) -> int:
    from boomslang.cli.play.board.compiling import compile_kernels, on_terminal
    from boomslang.cli.play.board.server import Server

    loop = asyncio.get_running_loop()
    server = Server(
        arguments.host, first, arguments.tables, arguments.analyst, arguments.games, arguments.pages
    )
    try:
        address, *elsewhere = await server.listen(arguments.port)
    except OSError as error:
        await server.close()
        where = f"{arguments.host}, port {arguments.port}"
        raise UsageError(f"cannot listen on {where}: {in_words(error)}") from None
    if arguments.host not in _LOOPBACK:
        warner("board")("anyone who can reach this computer and knows the address can play")
    say(f"Board: {address}")
    for other in elsewhere:
        say(f"Board, from other computers: {other}")
    say("Ctrl-C ends the server.")
    compiling = asyncio.create_task(
        compile_kernels(on_terminal(server.tell_compiling), arguments.tables)
    )
    leaving = asyncio.Event()
    leave = shutdown.replace_interrupts(lambda: loop.call_soon_threadsafe(leaving.set))
    with leave, contextlib.ExitStack() as open_file:
        if not arguments.no_open:
            _open(address, server, open_file)
        try:
            await leaving.wait()
        finally:
            compiling.cancel()
            await asyncio.gather(compiling, return_exceptions=True)
            await server.close()
    return 0 if shutdown.is_interrupt() else shutdown.INTERRUPTED


def _open(address: str, server: Server, until: contextlib.ExitStack) -> None:
    """Open the page in the browser; the redirecting file is removed once it is loaded, or at the end."""
    from boomslang.cli.play.board.open_browser import BoardAddress

    try:
        redirect = BoardAddress(address)
    except OSError as error:
        warner("board")(f"cannot open the browser: {in_words(error)}")
        return
    until.callback(redirect.remove)
    until.enter_context(shutdown.run_at_end(redirect.remove))
    server.visited = redirect.remove
    # A text browser blocks the caller until it is closed.
    threading.Thread(target=webbrowser.open, args=(redirect.address,), daemon=True).start()
