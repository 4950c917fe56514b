"""`boomslang tune`: search parameters tuned by SPSA in self-play games."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import check_writable, exists, sole_writer
from boomslang.engine.errors import refuse_errors
from boomslang.engine.learning.selfplay.selfplay_settings import SpsaPlan, ThreadSettings
from boomslang.engine.search.params import BY_NAME, TABLE
from boomslang.engine.settings import declared

if TYPE_CHECKING:
    from boomslang.engine.learning.selfplay.spsa import Spsa

_DESCRIPTION: Final = """\
Tune search parameters by SPSA (simultaneous perturbation stochastic approximation) in self-play games. The
state, with the settings, is written to a file after every iteration, from which the same command resumes.
Ctrl-C stops.
"""
_EXAMPLES: Final = """\
examples:
  boomslang tune --list
  boomslang tune --parameters futility_base,futility_margin --iterations 500
  boomslang tune --state tune.json

Confirm the result by a match against the present parameters before changing their defaults.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang tune", _DESCRIPTION, _EXAMPLES)
    parser.flag("--list", "table of the search parameters")
    parser.option("--state FILE", Path, "state file", Path("tune.json"))
    add_settings(parser, ThreadSettings)
    add_settings(parser.add_argument_group("settings, stored in the state"), SpsaPlan)
    return parser


@with_arguments(new_parser, "interrupted; repeat the command to resume")
def main(arguments: argparse.Namespace) -> int:
    console = Console()
    if arguments.list:
        console.print(_table_of_parameters())
        return 0
    check_writable(arguments.state)
    with sole_writer(arguments.state):
        return _write(console, arguments)


def _write(console: Console, arguments: argparse.Namespace) -> int:
    from boomslang.engine.learning.selfplay import spsa as tuning

    plan = read_settings(SpsaPlan, arguments)
    with refuse_errors(OSError, ValueError, about=f"{arguments.state}: "):
        if exists(arguments.state):
            spsa = tuning.load(arguments.state)
            _check(spsa.plan, plan, arguments)
        else:
            spsa = tuning.Spsa(plan)
        tuning.save(arguments.state, spsa)
    load_kernels()
    try:
        _run(spsa, read_settings(ThreadSettings, arguments).count, arguments.state)
    finally:
        _report(console, spsa)
    return 0


def _check(kept: SpsaPlan, given: SpsaPlan, arguments: argparse.Namespace) -> None:
    for name, one in declared(SpsaPlan).items():
        value = getattr(kept, name)
        if name in arguments and getattr(given, name) != value:
            shown = ",".join(value) if isinstance(value, tuple) else value
            option = one.words(name)[-1]
            raise ValueError(
                f"the state has {name} {shown}; leave out {option}, or name another --state"
            )


def _run(spsa: Spsa, workers: int, path: Path) -> None:
    from boomslang.engine.learning.selfplay.spsa import save, tune

    iterations, done = spsa.plan.iterations, spsa.state.iteration
    with progress(_games(spsa), iterations, done=done, counted=True) as advance:
        for _ in tune(spsa, workers):
            save(path, spsa)
            advance(1, title=_games(spsa))


def _games(spsa: Spsa) -> str:
    won, drawn, lost = spsa.state.games
    return f"{won + drawn + lost} games, +{won} ={drawn} -{lost}"


def _report(console: Console, spsa: Spsa) -> None:
    state, result = spsa.state, spsa.result()
    title = f"After {state.iteration} of {spsa.plan.iterations} iterations"
    table = figure_table("Parameter", "Default", "Tuned", "Exact", "Steps moved", title=title)
    table.columns[0].no_wrap = True
    for name, value in result.items():
        param, exact = BY_NAME[name], state.values[name]
        moved = (exact - param.default) / param.step
        table.add_row(name, str(param.default), str(value), f"{exact:.2f}", f"{moved:+.2f}")
    console.print(table)
    changed = {name: value for name, value in result.items() if value != BY_NAME[name].default}
    if not changed:
        console.print("No parameter has changed.")
        return
    settings = " ".join(f"{name}={value}" for name, value in changed.items())
    console.print("Test them against the present parameters:")
    console.print(f"  boomslang trial {settings}", soft_wrap=True)
    console.print("If they win, make them the defaults in engine/search/params.py.")


def _table_of_parameters() -> Table:
    headings = "Parameter", "Default", "Range", "Step"
    table = figure_table(*headings, title="Search parameters", no_wrap=True)
    table.columns[0].no_wrap = True
    table.add_column("Meaning")
    for param in TABLE:
        if not param.is_switch:
            figures = (f"{param.default}", f"{param.low} to {param.high}", f"{param.step}")
            table.add_row(param.name, *figures, param.meaning)
    return table
