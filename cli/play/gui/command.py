"""`boomslang gui`: settings of a chess GUI or bot for the engine."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from boomslang.cli.play.gui import lichess_bot
from boomslang.cli.play.gui.lichess_bot import BotOptions
from boomslang.cli.play.gui.settings import PROGRAMS, Program
from boomslang.cli.terminal.arguments import Parser, UsageError, with_arguments
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import exists, is_file, read_text, write_whole
from boomslang.core.system.launcher import command, launcher
from boomslang.engine.errors import refuse_errors
from boomslang.engine.settings import declared

_MAX_BYTES: Final = 1 << 24  # bytes of a settings file
_BOT: Final = "lichess-bot"
_NO_LAUNCHER: Final = "there is no launcher yet: run `make`, or install with pipx or uv"

_DESCRIPTION: Final = f"""\
Show how to add Boomslang to a chess GUI or bot, with the full path to paste. NAME is one of:

  {", ".join(PROGRAMS)}
"""
_EXAMPLES: Final = """\
examples:
  boomslang gui en-croissant
  boomslang gui lichess-bot --write config.yml
  boomslang gui lichess-bot --elo 1600 --book openings.bin --write config.yml
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang gui", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("name", choices=PROGRAMS, metavar="NAME", help="chess GUI or bot")
    parser.option("--write FILE", Path, "config.yml of lichess-bot to write")
    parser.option("--engine PATH", Path, "path of the engine (that of this installation)")
    add_settings(parser.add_argument_group("options for lichess-bot"), BotOptions)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    program = _with_bot_options(PROGRAMS[arguments.name], arguments)
    with refuse_errors(OSError):
        path = _engine(arguments.engine)
        if path is None:
            _print_steps(program, arguments.write)
            return 0
        if arguments.write:
            if not program.settings or arguments.name != _BOT:
                raise UsageError(f"{program.title} is set up by hand; leave out --write")
            _write(program.settings(path), arguments.write.expanduser())
    if arguments.write:
        say(f"{arguments.write}: {program.title} starts {path}")
        return 0
    say(program.title, "", *program.steps(path).split("\n"))
    if program.settings:
        say("", *program.settings(path).rstrip().split("\n"))
    return 0


def _with_bot_options(program: Program, arguments: argparse.Namespace) -> Program:
    if not any(name in arguments for name in declared(BotOptions)):
        return program
    if program is not PROGRAMS[_BOT]:
        raise UsageError(
            f"{program.title} does not take these options here; set them in its own windows"
        )
    bot_options = read_settings(BotOptions, arguments)
    if book := bot_options.book:
        from boomslang.engine.books.opening_book import Book

        Book(book)  # raises FileError
        bot_options = replace(bot_options, book=book.absolute())  # the bot runs in another folder
    return replace(program, settings=partial(lichess_bot.settings, bot_options=bot_options))


def _engine(given: Path | None) -> Path | None:
    path = given or launcher()
    if path is None:
        return None
    path = path.expanduser().absolute()
    if not is_file(path):
        raise UsageError(f"there is no file {path}")
    if path.suffix == ".py":  # no GUI can start that
        raise UsageError(_NO_LAUNCHER)
    return path


def _print_steps(program: Program, target: Path | None) -> None:
    """The steps without a launcher, for a program that takes a whole command."""
    if not program.text_by_words or target:
        raise UsageError(_NO_LAUNCHER)
    say(program.title, "", *program.by_words(command()).split("\n"))


def _write(text: str, target: Path) -> None:
    if exists(target) and read_text(target, _MAX_BYTES).strip():
        raise UsageError(f"{target} has settings already; paste the section `engine` by hand")
    with refuse_errors(OSError, about="cannot write "):
        target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, text)
