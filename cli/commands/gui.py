"""`boomslang gui`: the settings with which a chess program finds the engine."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from boomslang.cli.gui import lichess_bot
from boomslang.cli.gui.launcher import command, launcher
from boomslang.cli.gui.lichess_bot import Wishes
from boomslang.cli.gui.settings import PROGRAMS, Program
from boomslang.cli.terminal.arguments import Parser, UsageError, refusing, run_command, whole_number
from boomslang.cli.terminal.output import say
from boomslang.engine import options
from boomslang.engine.core.system.files import read_text, write_whole

_LARGEST: Final = 1 << 24  # bytes of a settings file
_NO_LAUNCHER: Final = "there is no launcher yet: run `make`, or install with pipx or uv"

_DESCRIPTION: Final = f"""\
Print how to make Boomslang known to a chess program, with the full path to paste.

  {", ".join(PROGRAMS)}
"""
_EXAMPLES: Final = """\
examples:
  boomslang gui en-croissant
  boomslang gui cutechess --write ~/.config/cutechess/engines.json
  boomslang gui gnome-chess --write ~/.config/gnome-chess/engines.conf
  boomslang gui lichess-bot --write config.yml
  boomslang gui lichess-bot --elo 1600 --book openings.bin --write config.yml

`--write` adds the engine to the list of Cute Chess or GNOME Chess, or makes the config.yml of
lichess-bot. The other programs keep their settings to themselves.
"""


def _parser() -> Parser:
    parser = Parser("boomslang gui", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("name", choices=PROGRAMS, metavar="NAME", help="the chess program")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="write the settings into this file"
    )
    parser.add_argument(
        "--engine", type=Path, metavar="PATH", help="another path of the engine than its own"
    )
    bot = parser.add_argument_group("how lichess-bot shall have it play")
    usual = Wishes()
    elo = options.find("UCI_Elo")
    add = bot.add_argument
    for name, highest, default, said in (
        ("--threads", 1024, usual.threads, "processors that it uses in a game"),
        ("--hash", 1 << 17, usual.hash_mb, "megabytes of memory"),
        ("--move-overhead", 5000, usual.move_overhead, "milliseconds that a move costs besides"),
    ):
        kind = whole_number(0 if name == "--move-overhead" else 1, highest)
        add(name, type=kind, metavar="N", help=f"{said} ({default})")
    add(
        "--elo",
        type=whole_number(elo.lowest, elo.highest),
        metavar="N",
        help=f"a level from {elo.lowest} to {elo.highest} (as strong as it can)",
    )
    add("--book", type=Path, metavar="FILE", help="an opening book in the Polyglot format")
    add("--tables", type=Path, metavar="FOLDER", help="endgame tables of Syzygy")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `gui`; return the exit status."""
    return run_command(_parser(), argv, _gui)


def _gui(arguments: argparse.Namespace) -> int:
    program = _wished(PROGRAMS[arguments.name], arguments)
    with refusing(OSError):
        path = _engine(arguments.engine)
        if path is None:
            _tell_words(program, arguments.write)
            return 0
        if arguments.write:
            _write(program, path, arguments.write.expanduser())
    if arguments.write:
        say(f"{arguments.write}: {program.title} finds {path}")
        return 0
    say(program.title, "", *program.steps(path).split("\n"))
    if program.settings:
        say("", *program.settings(path).rstrip().split("\n"))
    return 0


def _wished(program: Program, arguments: argparse.Namespace) -> Program:
    """The program with the settings that are asked for; raises UsageError if it takes none."""
    given = {
        "threads": arguments.threads,
        "hash_mb": arguments.hash,
        "move_overhead": arguments.move_overhead,
        "elo": arguments.elo,
        "book": arguments.book and _there(arguments.book, arguments.book.is_file(), "file"),
        "tables": arguments.tables
        and _there(arguments.tables, arguments.tables.is_dir(), "folder"),
    }
    wanted = {name: value for name, value in given.items() if value is not None}
    if not wanted:
        return program
    if program is not PROGRAMS["lichess-bot"]:
        raise UsageError(f"{program.title} has these options in its own windows")
    wishes = Wishes(**wanted)
    return replace(
        program,
        settings=partial(lichess_bot.settings, wishes=wishes),
        merge=partial(lichess_bot.merge, wishes=wishes),
    )


def _there(path: Path, is_there: bool, kind: str) -> Path:
    """The full path, for the bot runs in a folder of its own; raises UsageError."""
    if not is_there:
        raise UsageError(f"there is no {kind} {path}")
    return path.absolute()


def _engine(given: Path | None) -> Path | None:
    """The full path of what a chess program shall start; None if there is no launcher."""
    path = given or launcher()
    if path is None:
        return None
    path = path.expanduser().absolute()
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    if path.suffix == ".py":  # no chess program can start that
        raise UsageError(_NO_LAUNCHER)
    return path


def _tell_words(program: Program, target: Path | None) -> None:
    """What to do without a launcher, if the program takes more than a path."""
    if program.by_words is None or target:
        raise UsageError(_NO_LAUNCHER)
    say(program.title, "", *program.by_words(command()).split("\n"))


def _write(program: Program, path: Path, target: Path) -> None:
    """Put the settings into a file, whole or not at all."""
    if program.merge is None:
        raise UsageError(f"{program.title} keeps its settings itself; leave out --write")
    before = read_text(target, _LARGEST) if target.exists() else ""
    try:
        text = program.merge(path, before)
    except ValueError as problem:
        raise UsageError(f"cannot add to {target}: {problem}") from None
    write_whole(target, text)
