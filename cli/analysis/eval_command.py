"""`boomslang eval`: the static evaluation of a position."""

from __future__ import annotations

import argparse
from typing import Final

import chess

from boomslang.cli.terminal.arguments import (
    Parser,
    board_of,
    with_arguments,
)
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import warn_of_network
from boomslang.uci import evaluation_table

_DESCRIPTION: Final = """\
Show the static evaluation of a position, without search: the parts of the network (material, positional,
threats) and the value of each piece to it. With --classical, the terms of the classical evaluation for White
and Black in the middlegame (MG) and in the endgame (EG), and the tapered total.
"""
_EXAMPLES: Final = """\
examples:
  boomslang eval
  boomslang eval --fen "8/2k5/8/1P6/3K4/8/5n2/8 w - - 0 1" --classical
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang eval", _DESCRIPTION, _EXAMPLES)
    parser.option("--fen F", str, "position, in quotes", chess.STARTING_FEN)
    parser.flag("--classical", "classical evaluation instead of the network")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    board = board_of(arguments.fen)
    from boomslang.engine.driver import searcher

    warn_of_network()
    searcher.load()
    trace = searcher.Searcher(hash_mb=1).explain(board, arguments.classical)
    say(*(evaluation_table.table(board, trace) if trace else evaluation_table.IN_CHECK).split("\n"))
    return 0
