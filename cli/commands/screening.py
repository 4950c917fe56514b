"""`boomslang screening`: what each of many changes to the search is worth, by one set of games."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.selfplay.options import (
    MOST_GAMES,
    NODES,
    add_conditions,
    check_clock,
    hash_of,
    open_arenas,
    setting,
)
from boomslang.cli.terminal.arguments import (
    INTERRUPTED,
    Parser,
    UsageError,
    run_command,
    whole_number,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain, page
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.search.params import BY_NAME

if TYPE_CHECKING:
    from boomslang.cli.selfplay.screening_journal import ScreeningJournal, ScreeningPlan
    from boomslang.engine.selfplay.in_process_match import ParameterValues
    from boomslang.engine.selfplay.screening import EffectEstimate, Signs

_GAMES: Final = 2400
_AHEAD: Final = 256  # pairs that the threads share out before all of them wait for the last
_PAGE: Final = 100  # columns where nobody's terminal says how many
_DESCRIPTION: Final = """\
Tell what each of many changes to the numbers of the search is worth, by one set of games of the engine
against itself. A change is one NAME=VALUE, or several joined by commas. In every pair of games each
change is given by lot to one of the two sides and kept from the other; a regression of the results on
the lots says what each is worth in Elo. 2,400 games tell of 25 changes to about 10 Elo each, where
matches one by one need 25 times as many.

Every change is measured among the others, so leave out what surely harms.
"""
_EXAMPLES: Final = """\
examples:
  boomslang screening null_move_divisor=3 probcut_margin=100 futility_base=80,futility_margin=70
  boomslang screening iir_depth=5 singular_depth=6 late_move_base=6 --nodes 15_000 --out lottery.jsonl
  boomslang screening iir_depth=5 singular_depth=6 late_move_base=6 --movetime 30 --games 4000

With --out the same command goes on where it was interrupted, with more --games too. Ctrl-C shows what the
games so far say. `boomslang tune --list` shows the numbers; `boomslang trial` measures one change alone.
"""

Change = dict[str, int]


def _change(text: str) -> Change:
    settings = [setting(part) for part in text.split(",")]
    change = dict(settings)
    if len(change) < len(settings):
        raise argparse.ArgumentTypeError(f"'{text}' sets a number twice")
    if all(value == BY_NAME[name].default for name, value in change.items()):
        raise argparse.ArgumentTypeError(f"'{text}' is what the engine has already")
    return change


def _parser() -> Parser:
    parser = Parser("boomslang screening", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add(
        "changes",
        nargs="+",
        type=_change,
        metavar="CHANGE",
        help="NAME=VALUE or NAME=VALUE,NAME=VALUE...; at least two changes",
    )
    add(
        "--games",
        type=whole_number(2, MOST_GAMES),
        default=_GAMES,
        metavar="N",
        help=f"in all ({_GAMES})",
    )
    add_conditions(parser)
    add("--out", type=Path, metavar="FILE", help="keep lots and results, and go on with them")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `screening`; return the exit status."""
    return run_command(_parser(), argv, _lottery)


def _lottery(arguments: argparse.Namespace) -> int:
    _check(arguments.changes)
    check_clock(arguments)

    from boomslang.cli.selfplay.screening_journal import ScreeningPlan, opened

    plan = ScreeningPlan(
        tuple(map(_written, arguments.changes)),
        arguments.nodes or NODES,
        arguments.movetime,
        hash_of(arguments),
        arguments.seed,
    )
    status = 0
    with opened(arguments.out, plan) as journal:
        load_kernels()
        try:
            _play(arguments, plan, journal)
        except KeyboardInterrupt:
            status = INTERRUPTED
        _report(plan, journal)
    if status and arguments.out:
        complain("boomslang screening: interrupted; the same command goes on")
    return status


def _check(changes: Sequence[Change]) -> None:
    """Raises UsageError if there are too few changes, or two of them contend for a number."""
    if len(changes) < 2:
        raise UsageError("two changes at least; boomslang trial measures one alone")
    for name, times in Counter(name for change in changes for name in change).items():
        if times > 1:
            raise UsageError(f"{times} changes set {name}, and would contend")


def _written(change: Change) -> str:
    return ",".join(f"{name}={value}" for name, value in change.items())


def _play(arguments: argparse.Namespace, plan: ScreeningPlan, journal: ScreeningJournal) -> None:
    """Play the pairs that are not there yet."""
    done, wanted = len(journal.results), arguments.games // 2
    if done >= wanted:
        return
    with (
        open_arenas(arguments) as arenas,
        progress("Games", 2 * wanted, done=2 * done, counted=True) as advance,
    ):
        for first in range(done, wanted, _AHEAD):
            pairs = range(first, min(first + _AHEAD, wanted))
            drawn = _drawn(arguments.changes, plan, pairs)
            for pair, games in zip(pairs, arenas.play_each(drawn), strict=True):
                journal.add(plan.lot(pair), games)
                advance(2)


def _drawn(
    changes: Sequence[Change], plan: ScreeningPlan, pairs: range
) -> Iterator[tuple[ParameterValues, ParameterValues, int]]:
    """Both sides of these pairs, as the lot has it."""
    for pair in pairs:
        signs = plan.lot(pair)
        yield _side(changes, signs, 1), _side(changes, signs, -1), pair


def _side(changes: Sequence[Change], signs: Signs, own: int) -> ParameterValues:
    """The engine with the changes whose sign is `own`."""
    from boomslang.engine.selfplay.in_process_match import ParameterValues

    had = [change for change, sign in zip(changes, signs, strict=True) if sign == own]
    return ParameterValues({name: value for change in had for name, value in change.items()})


def _report(plan: ScreeningPlan, journal: ScreeningJournal) -> None:
    """What each change is worth, and which of them to try together."""
    from boomslang.engine.selfplay.screening import share_kept, worths

    console = Console(width=page(_PAGE))
    games, changes = 2 * len(journal.results), len(plan.changes)
    worth = worths(journal.signs, journal.results)
    if worth is None:
        console.print(f"{games} games are too few to tell {changes} changes apart.")
        return
    ranking = sorted(
        zip(plan.changes, worth, strict=True), key=lambda of_change: of_change[1].elo, reverse=True
    )
    console.print(_table(ranking, games))
    chosen = [change.replace(",", " ") for change, gain in ranking if gain.is_promising]
    if not chosen:
        console.print("None of them lies above zero by more than half of its error.")
        return
    console.print(
        "What lies well above zero does so by its worth and by luck. As far as the spread of all these "
        f"tells, expect {100 * share_kept(worth):.0f} % of what is shown. Try those that lie above zero by "
        "more than half of their error together, from other openings:"
    )
    seed = (plan.seed + 1) % (1 << 32)
    limit = f"--movetime {plan.movetime}" if plan.movetime else f"--nodes {plan.nodes}"
    console.print(
        f"  boomslang trial {' '.join(chosen)} {limit} --games 1000 --seed {seed}",
        soft_wrap=True,
    )


def _table(ranking: Sequence[tuple[str, EffectEstimate]], games: int) -> Table:
    table = Table(title=f"After {games} games")
    table.add_column("Change", overflow="fold")
    for heading in ("Elo", "+/- (95 %)"):
        table.add_column(heading, justify="right", no_wrap=True)
    for change, gain in ranking:
        error = "?" if gain.error is None else f"{gain.error:.1f}"
        table.add_row(change, f"{gain.elo:+.1f}", error)
    return table
