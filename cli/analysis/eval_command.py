"""`boomslang eval`: the static evaluation of a position."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import chess

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    board_of,
    check_kind,
    with_arguments,
)
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import warn_of_network
from boomslang.core.system.files import check_writable, write_whole
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
  boomslang eval --fen "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3" --svg board.svg
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang eval", _DESCRIPTION, _EXAMPLES)
    parser.option("--fen F", str, "position, in quotes", chess.STARTING_FEN)
    parser.flag("--classical", "classical evaluation instead of the network")
    parser.option(
        "--svg FILE",
        Path,
        "picture of the board with the value of each piece (--classical: of its square)",
    )
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang eval`; returns the exit status."""
    board, picture = board_of(arguments.fen), arguments.svg
    if board.is_check() and picture:
        raise UsageError("cannot draw: a position in check has no static evaluation")
    if picture:
        check_kind("--svg", picture, "svg")
        check_writable(picture)
    from boomslang.engine.driver import searcher

    warn_of_network()
    searcher.load()
    trace = searcher.Searcher(hash_mb=1).explain(board, arguments.classical)
    say(*(evaluation_table.table(board, trace) if trace else evaluation_table.IN_CHECK).split("\n"))
    if trace and picture:
        write_whole(picture, evaluation_table.picture(board, trace))
        say(f"Picture: {picture}")
    return 0
