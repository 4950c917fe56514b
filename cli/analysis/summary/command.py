"""`boomslang summary`: a player's openings, phases and kinds of errors over many games."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_repertoire,
    check_kind,
    check_outputs,
    file_stem,
    kind_of,
    with_arguments,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain, say
from boomslang.core.system.files import beside, quote_path, write_whole
from boomslang.engine.analysis.summary.summary_tables import remarks_on, tables_of

if TYPE_CHECKING:
    from boomslang.engine.analysis.assessment import GameReport
    from boomslang.engine.analysis.openings.repertoire import Repertoire
    from boomslang.engine.analysis.summary.figures import GameFigures

_MAX_OPENINGS: Final = 15
_SHORT: Final = {"Inaccuracies": "?!", "Mistakes": "?", "Blunders": "??"}

DONE, PROBLEMS = 0, 1
_KINDS: Final = ("json", "html")
_DESCRIPTION: Final = """\
Sum up a player's analysed games: results, openings, accuracy by phase, kinds of errors and time trouble.
The files are results of boomslang analyse (JSON or PGN), or games analysed on Lichess; nothing is searched.
"""
_EXAMPLES: Final = """\
examples:
  boomslang analyse games.pgn
  boomslang summary games-analysed.json
  boomslang summary games-analysed.pgn --player "Doe, Jane" -o jane
  boomslang summary games-analysed.json --repertoire white.pgn --repertoire black.pgn
  boomslang summary club.json lichess.pgn --player jane -o jane.html

JSON has the lines of all moves. A PGN has those of mistakes at most, so fewer losses of material are found.
A file of a folder that cannot be read is left out; the exit status is then 1, and 2 after a usage error.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang summary", _DESCRIPTION, _EXAMPLES)
    parser.option("files FILE", Path, "analysed games, JSON or PGN, or folders of them", nargs="+")
    parser.option("--player NAME", str, "name of the player (the most frequent one)")
    add_repertoire(parser)
    parser.option(
        "-o --out STEM",
        file_stem,
        "files to write, STEM.json and STEM.html, or the one file with its extension (none)",
    )
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    from boomslang.engine.analysis.input_files import read_all, report_files
    from boomslang.engine.analysis.openings.repertoire import Repertoire
    from boomslang.engine.analysis.stored import read_each_once
    from boomslang.engine.analysis.summary.summary_page import render
    from boomslang.engine.analysis.summary.totals import summary

    outputs = _outputs(arguments.out)
    files = report_files(arguments.files)
    check_outputs(*outputs.values(), sources=[*files, *arguments.repertoire])
    repertoire = Repertoire(arguments.repertoire) if arguments.repertoire else None
    read = partial(_figures, read_each_once(), repertoire)
    figures, left_out = read_all(arguments.files, files, read)
    player, games = _games_of(arguments.player, [part for _, part in figures], arguments.files)
    data = summary(player, games)
    show_summary(data)
    for kind, path in outputs.items():
        write_whole(path, _json(data) if kind == "json" else render(data, path.parent))
        say(path)
    problems = [*left_out, *(repertoire.problems if repertoire else [])]
    for problem in problems:
        complain(problem)
    return PROBLEMS if problems else DONE


def _outputs(out: Path | None) -> dict[str, Path]:
    if out is None:
        return {}
    if kind := kind_of(out):
        check_kind("--out", out, *_KINDS)
        return {kind: out}
    return {kind: beside(out, kind) for kind in _KINDS}


def _figures(
    read: Callable[[Path], Iterator[GameReport]], repertoire: Repertoire | None, path: Path
) -> list[GameFigures]:
    """The figures of both players of the analysed games that `read` finds in a file."""
    from boomslang.engine.analysis.summary.figures import figures_of

    return [part for report in read(path) for part in figures_of(report, str(path), repertoire)]


def _games_of(
    wanted: str | None, games: Sequence[GameFigures], paths: Sequence[Path]
) -> tuple[str, list[GameFigures]]:
    from boomslang.engine.notation.players import choose_player

    if not games:
        named = ", ".join(map(quote_path, paths))
        raise UsageError(f"no analysed game in {named}; first: boomslang analyse FILE")
    machines = {game.player for game in games if game.is_machine}
    player = choose_player(wanted, [game.player for game in games], machines, complain)
    return player, [game for game in games if game.player.casefold() == player.casefold()]


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def show_summary(data: Mapping[str, Any]) -> None:
    """Print all tables of a summary from `engine.analysis.summary.totals`."""
    console = Console()
    games = data["total"]["games"]
    console.print(f"{data['player']}, {games} game{'s' * (games != 1)}")
    for summary in tables_of(data, _MAX_OPENINGS):
        table = Table(title=summary.title)
        is_judged = _SHORT.keys() <= set(summary.columns)
        for index, column in enumerate(summary.columns):
            name = _SHORT.get(column, column) if is_judged else column
            is_word = index < summary.words
            table.add_column(
                name if is_word else Text(name.replace("/", "/\n").replace(" ", "\n")),
                justify="left" if is_word else "right",
                overflow="fold",
                no_wrap=not is_word,
            )
        for row in summary.rows:
            table.add_row(*row)
        console.print(table)
    console.print(remarks_on(data))
