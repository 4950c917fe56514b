"""`boomslang mcp`: the engine as tools for language models."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import Final

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_tables,
    pip_install,
    tables_path,
    whole_number,
    with_arguments,
)
from boomslang.core.system.threads import usable_processors

_MAX_SEARCHES: Final = 8
_DESCRIPTION: Final = """\
Serve language models by the Model Context Protocol, on standard input and output: the tools analyse,
compare_moves, review_game, endgame, position and play, in whose answers every move is legal and every reason
proved. A client such as Claude Desktop or VS Code starts this command and ends it.
"""
_EXAMPLES: Final = """\
examples:
  boomslang mcp
  boomslang mcp --tables /srv/syzygy
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang mcp", _DESCRIPTION, _EXAMPLES)
    add_tables(parser)
    parser.add_argument(
        "--searches",
        type=whole_number(1, _MAX_SEARCHES),
        metavar="N",
        help=f"number of parallel searches (processors, at most {_MAX_SEARCHES})",
    )
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang mcp`; returns the exit status."""
    if find_spec("mcp") is None:
        raise UsageError(f"mcp needs the package mcp; install it with: {pip_install('mcp')}")
    tables = tables_path(arguments)
    from boomslang.cli.mcp.server import serve

    serve(arguments.searches or min(usable_processors(), _MAX_SEARCHES), tables)
    return 0
