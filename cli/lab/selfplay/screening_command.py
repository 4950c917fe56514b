"""`boomslang screening`: Elo of many search-parameter changes at once, by one set of games."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.output import page
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.installation import fingerprint
from boomslang.engine.learning.selfplay.selfplay_settings import ScreeningSettings, parameters_of
from boomslang.engine.search.params import TABLE

if TYPE_CHECKING:
    from boomslang.core.system.journal import Journal
    from boomslang.engine.learning.selfplay.pentanomial import Games
    from boomslang.engine.learning.selfplay.screening import EffectEstimate, Signs

    Pair = tuple[Signs, Games]

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


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang screening", _DESCRIPTION, _EXAMPLES)
    add_settings(parser, ScreeningSettings)
    return parser


@with_arguments(new_parser, "interrupted; with --out, repeat the command to resume")
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang screening`; returns the exit status."""
    settings = read_settings(ScreeningSettings, arguments)
    with screening_journal(settings).open() as journal:
        load_kernels()
        try:
            _play(settings, journal)
        finally:
            _report(settings, journal)
    return 0


def screening_journal(settings: ScreeningSettings) -> Journal[Pair]:
    """Assignment and results of each pair of games; without a path nothing is written."""
    from boomslang.core.system.journal import Journal
    from boomslang.engine.learning.selfplay.screening import draw

    def read(line: Any, number: int) -> Pair:
        signs = draw(settings.seed, number, len(settings.changes))
        first, second = line["results"]
        is_ours = line["number"] == number and line["signs"] == list(signs)
        if not is_ours or not {first, second} <= {-1, 0, 1}:
            raise ValueError
        return signs, (first, second)

    defaults = {param.name: param.default for param in TABLE}
    engine = fingerprint("engine.learning.selfplay.in_process_match")
    return Journal(
        settings.out, {**settings.header(), "defaults": defaults, "engine": engine}, read
    )


def add_pair(journal: Journal[Pair], signs: Signs, games: Games) -> None:
    """Add the next pair; it is on the disk when this returns. Raises FileError."""
    entry = {"number": len(journal.entries), "signs": signs, "results": games}
    journal.add(entry, (signs, games))


def _play(settings: ScreeningSettings, journal: Journal[Pair]) -> None:
    """Play the remaining pairs: in each, a change is with the side that the assignment says."""
    from boomslang.engine.learning.selfplay.in_process_match import ParameterValues
    from boomslang.engine.learning.selfplay.screening import draw

    done, wanted = len(journal.entries), settings.games // 2
    if done >= wanted:
        return

    def side(signs: Signs, own: int) -> ParameterValues:
        given = zip(settings.changes, signs, strict=True)
        return ParameterValues(parameters_of(*(change for change, sign in given if sign == own)))

    with (
        settings.workspaces() as arenas,
        progress("Games", 2 * wanted, done=2 * done, counted=True) as advance,
    ):
        for first in range(done, wanted, _AHEAD):
            pairs = range(first, min(first + _AHEAD, wanted))
            drawn = [draw(settings.seed, pair, len(settings.changes)) for pair in pairs]
            sides = [(side(signs, 1), side(signs, -1)) for signs in drawn]
            played = arenas.play_each(
                (*both, pair) for both, pair in zip(sides, pairs, strict=True)
            )
            for signs, games in zip(drawn, played, strict=True):
                add_pair(journal, signs, games)
                advance(2)


def _report(settings: ScreeningSettings, journal: Journal[Pair]) -> None:
    """Print the Elo of each change, and a command to confirm the promising ones."""
    from boomslang.engine.learning.selfplay.screening import share_kept, worths

    console = Console(width=page(_PAGE))
    games, changes = 2 * len(journal.entries), len(settings.changes)
    worth = worths([signs for signs, _ in journal.entries], [two for _, two in journal.entries])
    if worth is None:
        console.print(
            f"{games} games are too few to estimate {changes} changes; play more --games."
        )
        return
    ranking = sorted(
        zip(settings.changes, worth, strict=True),
        key=lambda of_change: of_change[1].elo,
        reverse=True,
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
    seed = (settings.seed + 1) % (1 << 32)
    limit = f"--movetime {settings.movetime}" if settings.movetime else f"--nodes {settings.nodes}"
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
