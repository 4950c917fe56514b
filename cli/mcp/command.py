"""`boomslang mcp`: the engine as tools for language models."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from boomslang.cli.terminal.arguments import Parser, UsageError, pip_install, with_arguments
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import is_folder, quote_path
from boomslang.core.system.threads import usable_processors
from boomslang.engine.search_settings import TablesSettings
from boomslang.engine.settings import whole

_MAX_SEARCHES: Final = 8
_DESCRIPTION: Final = """\
Serve language models by the Model Context Protocol, on standard input and output: the tools analyse,
compare_moves, review_game, endgame, position and play, in whose answers every move is legal and every reason
proved; with --games also find_games, find_mistakes and summarise_games, about games that you have analysed.
A client such as Claude Desktop or VS Code starts this command and ends it.
"""
_EXAMPLES: Final = """\
examples:
  boomslang mcp
  boomslang mcp --tables /srv/syzygy
  boomslang mcp --games ~/chess/analysed
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang mcp", _DESCRIPTION, _EXAMPLES)
    add_settings(parser, TablesSettings)
    parser.option(
        "--searches N",
        whole(1, _MAX_SEARCHES),
        f"number of parallel searches (processors, at most {_MAX_SEARCHES})",
    )
    parser.option(
        "--games FOLDER",
        Path,
        "folder of results of boomslang analyse, only read, for tools that look into them (no such tools)",
    )
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    if find_spec("mcp") is None:
        raise UsageError(f"mcp needs the package mcp; install it with: {pip_install('mcp')}")
    tables = read_settings(TablesSettings, arguments).tables or ""
    if arguments.games and not is_folder(arguments.games):
        raise UsageError(f"--games: there is no folder {quote_path(arguments.games)}")
    from boomslang.cli.mcp.server import serve

    serve(arguments.searches or min(usable_processors(), _MAX_SEARCHES), tables, arguments.games)
    return 0
