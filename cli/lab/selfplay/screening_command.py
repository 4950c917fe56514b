"""`boomslang screening`: Elo of many search-parameter changes at once, by one set of games."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.lab.selfplay.match_options import check_clock, open_arenas
from boomslang.cli.terminal.arguments import (
    INTERRUPTED,
    Parser,
    UsageError,
    complain_interrupted,
    with_arguments,
)
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.output import page
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, argument, read_settings
from boomslang.engine.learning.selfplay.selfplay_settings import PARAMETER, ScreeningSettings
from boomslang.engine.search.params import BY_NAME

if TYPE_CHECKING:
    from boomslang.cli.lab.selfplay.screening_journal import ScreeningPlan
    from boomslang.core.system.journal import Journal
    from boomslang.engine.learning.selfplay.in_process_match import ParameterValues
    from boomslang.engine.learning.selfplay.pentanomial import Games
    from boomslang.engine.learning.selfplay.screening import EffectEstimate, Signs

_AHEAD: Final = 256  # pairs per batch; all threads wait for the last of a batch
_PAGE: Final = 100  # columns without a terminal
_DESCRIPTION: Final = """\
Estimate the Elo of many search-parameter changes by one set of self-play games (a factorial design). A
change is one NAME=VALUE, or several joined by commas. In each pair of games every change is assigned at
random to one of the two sides; a regression of the results on the assignments estimates its Elo. 2,400 games
measure 25 changes to about ±10 Elo each, where separate matches need 25 times as many games.

Each change is measured in the presence of the others, so leave out changes that are clearly bad.
"""
_EXAMPLES: Final = """\
examples:
  boomslang screening null_move_divisor=3 probcut_margin=100 futility_base=80,futility_margin=70
  boomslang screening iir_depth=5 singular_depth=6 late_move_base=6 --nodes 15_000 -o screening.jsonl
  boomslang screening iir_depth=5 singular_depth=6 late_move_base=6 --movetime 30 --games 4000

With --out, repeat the command to resume it, also with more --games. Ctrl-C shows the estimates so far.
`boomslang tune --list` shows the search parameters; `boomslang trial` measures one change alone.
"""

Change = dict[str, int]


def _change(text: str) -> Change:
    settings = [argument(PARAMETER)(part) for part in text.split(",")]
    change = dict(settings)
    if len(change) < len(settings):
        raise argparse.ArgumentTypeError(f"'{text}' sets a parameter twice")
    if all(value == BY_NAME[name].default for name, value in change.items()):
        raise argparse.ArgumentTypeError(f"'{text}' is the default; give another value")
    return change


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang screening", _DESCRIPTION, _EXAMPLES)
    parser.option(
        "changes CHANGE",
        _change,
        "NAME=VALUE or NAME=VALUE,NAME=VALUE...; at least two changes",
        nargs="+",
    )
    add_settings(parser, ScreeningSettings)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang screening`; returns the exit status."""
    _check(arguments.changes)
    settings = read_settings(ScreeningSettings, arguments)
    check_clock(settings)

    from boomslang.cli.lab.selfplay.screening_journal import ScreeningPlan, screening_journal

    plan = ScreeningPlan(
        tuple(map(_write_change, arguments.changes)),
        settings.nodes,
        settings.movetime,
        settings.hash_mb,
        settings.seed,
    )
    status = 0
    with screening_journal(settings.out, plan).open() as journal:
        load_kernels()
        try:
            _play(settings, arguments.changes, plan, journal)
        except KeyboardInterrupt:
            status = INTERRUPTED
        _report(plan, journal)
    if status and settings.out:
        complain_interrupted("boomslang screening: interrupted; repeat the command to resume")
    return status


def _check(changes: Sequence[Change]) -> None:
    """Raises UsageError if there are too few changes, or if two set the same parameter."""
    if len(changes) < 2:
        raise UsageError("at least two changes are needed; boomslang trial measures one alone")
    for name, times in Counter(name for change in changes for name in change).items():
        if times > 1:
            raise UsageError(f"{times} changes set {name}; leave it to one of them")


def _write_change(change: Change) -> str:
    return ",".join(f"{name}={value}" for name, value in change.items())


def _play(
    settings: ScreeningSettings,
    changes: Sequence[Change],
    plan: ScreeningPlan,
    journal: Journal[tuple[Signs, Games]],
) -> None:
    """Play the remaining pairs."""
    from boomslang.cli.lab.selfplay.screening_journal import add_pair

    done, wanted = len(journal.entries), settings.games // 2
    if done >= wanted:
        return
    with (
        open_arenas(settings) as arenas,
        progress("Games", 2 * wanted, done=2 * done, counted=True) as advance,
    ):
        for first in range(done, wanted, _AHEAD):
            pairs = range(first, min(first + _AHEAD, wanted))
            sides = _assign_pairs(changes, plan, pairs)
            for pair, games in zip(pairs, arenas.play_each(sides), strict=True):
                add_pair(journal, plan.assign(pair), games)
                advance(2)


def _assign_pairs(
    changes: Sequence[Change], plan: ScreeningPlan, pairs: range
) -> Iterator[tuple[ParameterValues, ParameterValues, int]]:
    """Both sides of these pairs, by the random assignment."""
    for pair in pairs:
        signs = plan.assign(pair)
        yield _side(changes, signs, 1), _side(changes, signs, -1), pair


def _side(changes: Sequence[Change], signs: Signs, own: int) -> ParameterValues:
    """The engine with the changes whose sign is `own`."""
    from boomslang.engine.learning.selfplay.in_process_match import ParameterValues

    had = [change for change, sign in zip(changes, signs, strict=True) if sign == own]
    return ParameterValues({name: value for change in had for name, value in change.items()})


def _report(plan: ScreeningPlan, journal: Journal[tuple[Signs, Games]]) -> None:
    """Print the Elo of each change, and a command to confirm the promising ones."""
    from boomslang.engine.learning.selfplay.screening import share_kept, worths

    console = Console(width=page(_PAGE))
    games, changes = 2 * len(journal.entries), len(plan.changes)
    worth = worths([signs for signs, _ in journal.entries], [two for _, two in journal.entries])
    if worth is None:
        console.print(
            f"{games} games are too few to estimate {changes} changes; play more --games."
        )
        return
    ranking = sorted(
        zip(plan.changes, worth, strict=True), key=lambda of_change: of_change[1].elo, reverse=True
    )
    console.print(_table(ranking, games))
    chosen = [change.replace(",", " ") for change, gain in ranking if gain.is_promising]
    if not chosen:
        console.print("No change exceeds zero by more than half of its error.")
        return
    console.print(
        f"The largest estimates are partly luck: expect {100 * share_kept(worth):.0f} % of the values shown, "
        "by their spread. Confirm the changes that exceed zero by more than half of their error "
        "together, from other openings:"
    )
    seed = (plan.seed + 1) % (1 << 32)
    limit = f"--movetime {plan.movetime}" if plan.movetime else f"--nodes {plan.nodes}"
    console.print(
        f"  boomslang trial {' '.join(chosen)} {limit} --games 1000 --seed {seed}", soft_wrap=True
    )


def _table(ranking: Sequence[tuple[str, EffectEstimate]], games: int) -> Table:
    title = f"After {games} games"
    table = figure_table("Change", "Elo", "+/- (95 %)", title=title, no_wrap=True)
    for change, gain in ranking:
        error = "?" if gain.error is None else f"{gain.error:.1f}"
        table.add_row(change, f"{gain.elo:+.1f}", error)
    return table
