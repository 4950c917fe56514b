"""`boomslang fit-wdl`: win, draw and loss probabilities by score, from self-play games."""

from __future__ import annotations

import argparse
import ast
import hashlib
import math
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from rich.table import Table

from boomslang.cli.terminal.arguments import Parser, check_outputs, run_command, warner
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.progress import load_kernels
from boomslang.core.system.files import write_whole
from boomslang.engine.errors import refuse_errors

if TYPE_CHECKING:
    import numpy.typing as npt

    from boomslang.eval.wdl.fit import GameOutcomes, WdlModel

_BANDS: Final = (-math.inf, -600, -300, -150, -50, -10, 10, 50, 150, 300, 600, math.inf)

_DESCRIPTION: Final = """\
Fit the model of win, draw and loss probabilities (`UCI_ShowWDL`) and of the scale of displayed scores to
self-play games from `boomslang datagen`, and write its coefficients. A table compares the games with the
model.
"""
_EXAMPLES: Final = """\
examples:
  boomslang fit-wdl games.bin -o eval/wdl/weights.py
  boomslang fit-wdl games.bin more.bin -o tried.py
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang fit-wdl", _DESCRIPTION, _EXAMPLES)
    parser.option("data DATA", Path, "game files of boomslang datagen", nargs="+")
    parser.option("-o --out FILE", Path, "Python file of coefficients to write", required=True)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `fit-wdl`; return the exit status."""
    return run_command(new_parser(), argv, partial(_fit, shlex.join(argv)))


def _fit(command: str, arguments: argparse.Namespace) -> int:
    from boomslang.engine.learning.data.game_files import check_games
    from boomslang.engine.learning.data.game_reader import read_all
    from boomslang.eval.wdl.fit import fit

    check_outputs(arguments.out, sources=arguments.data)
    check_games(arguments.data)
    load_kernels()
    with refuse_errors(OSError, ValueError):
        records, games = read_all(arguments.data, warner("fit-wdl"))
        model, outcomes = fit(records)
    console = Console()
    shares = outcomes.results.sum(axis=0) / outcomes.positions
    guess = -float(shares @ np.log(shares))
    console.print(
        f"{outcomes.positions} positions of {games} games: "
        f"{shares[2]:.1%} won by White, {shares[1]:.1%} drawn, {shares[0]:.1%} lost"
    )
    console.print(f"loss {model.loss:.6f}; {guess:.6f} for constant probabilities")
    console.print(_table(model, outcomes))
    console.print(f"{model.pawn:.1f} centipawns of the search are displayed as +1.00")
    written = _module(model, records, games, command)
    write_whole(arguments.out, written)  # the engine imports it
    console.print(f"{arguments.out} written")
    return 0


def _bands(model: WdlModel, outcomes: GameOutcomes) -> Iterator[tuple[str, int, Sequence[float]]]:
    """Range of scores, positions in it, and White's wins, draws and losses: played, then modelled."""
    from boomslang.eval.wdl.fit import chances

    number = outcomes.results.sum(axis=1)
    modelled = chances(model, outcomes) * number[:, None]
    for low, high in pairwise(_BANDS):
        chosen = (outcomes.score >= low) & (outcomes.score < high)
        total = number[chosen].sum()
        if total:
            shares = [
                *outcomes.results[chosen].sum(axis=0)[::-1] / total,
                *modelled[chosen].sum(axis=0)[::-1] / total,
            ]
            name = f"{'' if low == -math.inf else low} .. {'' if high == math.inf else high - 1}"
            yield name.strip(), int(total), shares


def _table(model: WdlModel, outcomes: GameOutcomes) -> Table:
    headings = ("score", "positions", "won", "drawn", "lost", "model: won", "drawn", "lost")
    table = figure_table(*headings, title="Results by score of the search", words=0)
    for name, total, shares in _bands(model, outcomes):
        table.add_row(name, str(total), *(f"{share:.1%}" for share in shares))
    return table


def _module(model: WdlModel, records: npt.NDArray[np.void], games: int, command: str) -> str:
    results = np.bincount(records["result"], minlength=3) / len(records)
    docstring = [
        "The coefficients of `boomslang.eval.wdl.conversion`, by powers of material / 78, and its scale.",
        "",
        "Learnt from the engine's own games; PAWN is the score that wins half of the games with the",
        f"material of move 32, {model.reference} on average.",
        "",
        f"Data:     {len(records)} positions of {games} games, SHA-256 of the records",
        f"          {hashlib.sha256(records.tobytes()).hexdigest()}",
        f"Results:  {results[2]:.4f} won by White, {results[1]:.4f} drawn, {results[0]:.4f} lost",
        f"Loss:     {model.loss:.6f}",
        *textwrap.wrap(f"Command:  boomslang fit-wdl {command}", 98, subsequent_indent=" " * 10),
    ]
    lines = [
        ast.unparse(ast.Module([ast.Expr(ast.Constant("\n".join(docstring) + "\n"))], [])),
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        f"MIDPOINT: Final = ({', '.join(f'{value:.3f}' for value in model.a)})  # centipawns",
        f"SPREAD: Final = ({', '.join(f'{value:.3f}' for value in model.b)})",
        f"MATERIALS: Final = {model.materials}  # beyond these, the nearest counts",
        f"PAWN: Final = {model.pawn:.3f}  # centipawns of the search, shown as +1.00",
    ]
    return "\n".join(lines) + "\n"
