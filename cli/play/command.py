"""`boomslang play`: a game against the engine in the terminal."""

from __future__ import annotations

import argparse
import random
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import chess

from boomslang.cli.play.like import read_person
from boomslang.cli.play.my_level import LEVELS, MyLevel, parse_level
from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_option,
    board_of,
    with_arguments,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import ask
from boomslang.cli.terminal.progress import load_kernels
from boomslang.cli.terminal.settings_arguments import add_settings, argument, read_settings
from boomslang.core.system import shutdown
from boomslang.engine.chess_clock import Control
from boomslang.engine.errors import in_words
from boomslang.engine.search_settings import LikeSettings
from boomslang.engine.settings import number, whole

if TYPE_CHECKING:
    from boomslang.cli.play.terminal_game import TerminalGame

_SAVED, _NOT_SAVED = 0, 1
_LEVEL: Final = 5
_MAX_SECONDS: Final = 3600.0
_DESCRIPTION: Final = """\
Play against the engine in the terminal. Type moves (e4, Nf3, O-O or e2e4); type help for the other commands:
take back a move, get a hint, change the level, save the game.
"""
_EXAMPLES: Final = """\
examples:
  boomslang play
  boomslang play --level 1600 --colour black --clock 5+3 --pgn games.pgn
  boomslang play --fen "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1" --ascii
  boomslang play --chess960 518
  boomslang play --like games.pgn --player "Ann Example"

The exit status is 1 if the game could not be saved. Colours can be switched off (NO_COLOR=1), and so can
Unicode (--ascii); pipes work too.
"""


def _level(text: str) -> int | MyLevel:
    try:
        return parse_level(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _control(text: str) -> Control:
    try:
        return Control.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang play", _DESCRIPTION, _EXAMPLES)
    text = f"strength of the engine: {LEVELS} ({_LEVEL}, or that of --like)"
    add_option(parser, "--level N", _level, text)
    add_settings(parser, LikeSettings)
    parser.add_argument(
        "--colour",
        "--color",
        choices=("white", "black", "random"),
        default="white",
        help="your side (white)",
    )
    add_option(
        parser, "--clock M+S", _control, "minutes per side, and increment in seconds (no clock)"
    )
    add_option(
        parser,
        "--movetime S",
        number(0, _MAX_SECONDS, above=True),
        "maximum thinking time of the engine per move without a clock, in seconds",
        1.0,
    )
    add_option(parser, "--pgn FILE", Path, "PGN file to append the game to")
    start = parser.add_mutually_exclusive_group()
    add_option(start, "--fen F", str, "start position, in quotes", chess.STARTING_FEN)
    start.add_argument(
        "--chess960",
        type=argument(whole(0, 959)),
        nargs="?",
        const=-1,
        metavar="N",
        help="Chess960 from start position N (random)",
    )
    parser.add_argument("--ascii", action="store_true", help="letters instead of Unicode pieces")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    talk = _set_up(arguments)
    # Ctrl-C stops the engine or asks for confirmation; other signals end the game like the end of the input.
    with shutdown.replace_interrupts(talk.end), shutdown.tolerating(signal.SIGINT):
        status = _SAVED if talk.run() else _NOT_SAVED
    return status if shutdown.is_interrupt() else shutdown.INTERRUPTED


def _set_up(arguments: argparse.Namespace) -> TerminalGame:
    board, like = _board(arguments), read_settings(LikeSettings, arguments)
    whom = read_person(like)
    if arguments.pgn:
        _check_writable(arguments.pgn)
    console = Console()
    with console.status("Loading the engine"):
        from boomslang.cli.play.opponent import EngineOpponent
        from boomslang.cli.play.terminal_game import TerminalGame
        from boomslang.cli.terminal.screen import BoardStyle
        from boomslang.engine.driver.precompiling import PEOPLE, import_kernels
        from boomslang.engine.user_game import UserGame

        import_kernels(PEOPLE)
    load_kernels()
    level = arguments.level
    if level is None:
        level = whom.rating if whom else _LEVEL
    opponent = EngineOpponent(level, arguments.movetime, like.options)
    side = {"white": True, "black": False}.get(arguments.colour)
    person = random.random() < 0.5 if side is None else side  # noqa: S311 - the side
    game = UserGame(board, person, arguments.clock)
    style = BoardStyle.of(console, arguments.ascii)
    style.flipped = person == chess.BLACK
    talk = TerminalGame(game, opponent, console, style, ask, arguments.pgn)
    _complete_words(talk)
    return talk


def _board(arguments: argparse.Namespace) -> chess.Board:
    if arguments.chess960 is not None:
        number = arguments.chess960
        return chess.Board.from_chess960_pos(random.randrange(960) if number < 0 else number)  # noqa: S311
    from boomslang.engine.user_game import outcome_on

    board = board_of(arguments.fen)
    if outcome_on(board):
        raise UsageError("the game is over in this position; choose another --fen")
    return board


def _check_writable(path: Path) -> None:
    try:
        existed = path.exists()
        path.open("ab").close()
        if not existed:
            path.resolve().unlink()  # what has come to be, not a link to it
    except OSError as error:
        raise UsageError(f"cannot write {in_words(error)}") from None


def _complete_words(talk: TerminalGame) -> None:
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:
        return

    def complete(start: str, number: int) -> str | None:
        fitting = [word for word in talk.words if word.startswith(start)]
        return fitting[number] if number < len(fitting) else None

    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
