"""`boomslang endgames`: endings by kind, played against the best defence."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.output import ask, complain
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.sanitize import quote, suggest
from boomslang.engine.analysis.endgames.kinds import BY_NAME, KINDS, EndingKind
from boomslang.engine.analysis.endgames.record import EndingFile
from boomslang.engine.search_settings import TablesSettings
from boomslang.engine.settings import whole

_DESCRIPTION: Final = """\
Practise endings by kind: win them, or hold the draw, from random positions. A move that gives the result away
is refuted at once and taken back, and the kind comes again after 1 day, then 3, 7 and 21 days while it
succeeds. Tablebases judge and defend where they are there, else the engine. `boomslang board` has the same on
its fifth page.
"""
_EXAMPLES: Final = """\
examples:
  boomslang endgames --list
  boomslang endgames --tables ~/syzygy
  boomslang endgames lucena philidor --tables ~/syzygy --count 5
"""


def _kind(text: str) -> EndingKind:
    if text not in BY_NAME:
        meant = suggest(text, BY_NAME) or "; see boomslang endgames --list"
        raise argparse.ArgumentTypeError(f"there is no ending {quote(text)}{meant}")
    return BY_NAME[text]


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang endgames", _DESCRIPTION, _EXAMPLES)
    parser.option(
        "kinds KIND",
        _kind,
        "kinds by their names in --list (what is due, then what is new)",
        nargs="*",
    )
    parser.flag("--list", "all kinds with your results, no game")
    parser.option("--count N", whole(1, 100_000), "maximum number of endings (no end)")
    add_settings(parser, TablesSettings)
    parser.flag("--ascii", "board of letters only")
    parser.option("--file FILE", Path, "file of exercises and results (the user's own)")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    kinds = arguments.kinds or KINDS
    file = EndingFile(arguments.file)
    tables = read_settings(TablesSettings, arguments).tables or ""
    if arguments.list:
        _list(file, kinds)
        return 0
    file.read()  # its errors come before the work
    from boomslang.cli.analysis.endgames.endgame_trainer import EndgameTrainer
    from boomslang.cli.terminal.screen import BoardStyle
    from boomslang.engine.analysis.endgames.judge import EndingJudge
    from boomslang.engine.analysis.endgames.session import EndingSession

    console = Console()
    with console.status("Loading the engine (about half a minute the first time)"):
        judge = EndingJudge(tables, complain)
    style = BoardStyle.of(console, arguments.ascii)
    console.print("Type a move, or help.")
    trainer = EndgameTrainer(EndingSession(file), judge, console, style, ask)
    trainer.run(kinds, arguments.count)
    return 0


def _list(file: EndingFile, kinds: Sequence[EndingKind]) -> None:
    today = datetime.date.today()
    table = figure_table("Kind", "Ending", "Right", "Wrong", "Due", words=2)
    table.columns[0].no_wrap = True  # to be typed
    for kind, record in file.results(kinds):
        when = record.when(today)
        figures = ["", ""] if when == "new" else [str(record.right), str(record.wrong)]
        table.add_row(kind.name, kind.heading, *figures, when)
    Console().print(table)
