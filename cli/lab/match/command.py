"""`boomslang match`: Elo of engines, or of commits of this one, by games between them."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.arguments import (
    INTERRUPTED,
    Parser,
    UsageError,
    check_kind,
    check_outputs,
    complain_interrupted,
    with_arguments,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.engine_arguments import add_options, add_sprt
from boomslang.cli.terminal.output import complain, page, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import whole_text, write_whole
from boomslang.engine.errors import refuse_errors
from boomslang.engine.limits import ignore
from boomslang.engine.match.match_score import check_sprt, is_decided, score, verdict
from boomslang.engine.match.match_settings import MatchSettings
from boomslang.engine.search_settings import WorkSettings

if TYPE_CHECKING:
    from boomslang.core.system.journal import Journal
    from boomslang.engine.learning.selfplay.pentanomial import Pentanomial
    from boomslang.engine.match.pairs import Pair
    from boomslang.engine.match.play_match import PreparedMatch
    from boomslang.engine.match.standings import Standings

PROBLEMS: Final = 1
_MAX_TOLD: Final = 1000  # invalid openings reported one by one
_PAGE: Final = 100  # columns without a terminal
_DESCRIPTION: Final = """\
Play pairs of games between engines, each pair from one opening with colours reversed: two engines and their
Elo difference, or more of them in a round robin or a gauntlet and their ratings. An engine is "." for this
version, @REVISION for a commit of this repository, which is unpacked and compiled first, the command of a
UCI or CECP engine, or the folder of an agent: its file agent.py defines get_move(fen, milliseconds), which
returns a move like e2e4. Engines and agents run unprotected, with all that you may do.

All have 16 MB of hash and one thread unless an option changes that. A game is adjudicated as won when both
scores exceed 8 pawns for four moves, as drawn when both stay within 10 centipawns for eight moves from move
40 on, and as drawn after 200 moves. An engine loses by exceeding its clock, crashing or playing an illegal
move or none; --movetime is not enforced, but for agents. An agent has a new process for each game and at
most 2 GB of memory there (watched on Linux). It also loses by an exception, by another answer than a
string, and by printing to standard output.
"""
_EXAMPLES: Final = """\
examples:
  boomslang match . @HEAD~3 --sprt 0 5 --jobs 2 -o match.jsonl
  boomslang match . @v0.1.0 --nodes 20_000 --games 400
  boomslang match . . --one EvalFile=tried.net --clock 8+0.08 --games 200
  boomslang match . /usr/games/stockfish --other "Use NNUE=false" --clock 8+0.08 --pgn games.pgn
  boomslang match . stockfish --clock 8+0.08 --odds 4 --games 100
  boomslang match stockfish . @HEAD~3 ethereal-chess --gauntlet --nodes 40_000 --odds 1:6 --odds 3:0.95
  boomslang match . stockfish ethereal-chess toga2 --games 300 --anchor stockfish=3750 --pgn games.pgn
  boomslang match . stockfish fairymax --gauntlet --option "2:Skill Level=5" --json table.json
  boomslang match ./mybot ./otherbot --clock 10+0.1 --games 20 --python ./venv/bin/python
  boomslang match . @main --openings openings.epd --cluster tcp://192.168.1.10:8786 -o match.jsonl

With --out, repeat the command to resume it, also with more --games. Pairs are stored in order, so pairs that
were ahead of a slow one are played again. With --nodes or --depth and engines of one thread the games are as
reproducible as the engines: a CECP engine, which may remember the last one, then has a new process for each.
With a clock the processors must be idle otherwise, so set --jobs to their number at most. Openings that are
invalid or finished are reported and left out; the exit status is then 1, as it is if an engine has lost off
the board otherwise than on time.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang match", _DESCRIPTION, _EXAMPLES)
    add_settings(parser, MatchSettings)
    add_options(parser, "--one", "the first engine")
    add_options(parser, "--other", "all other engines")
    add_options(parser, "--both", "all engines")
    parser.option("--pgn FILE", Path, "PGN file of the games to write")
    parser.option("--json FILE", Path, "JSON file of ratings and results to write")
    parser.flag(
        "--verbose",
        "what engines that failed wrote to standard error, as the tracebacks of agents",
    )
    add_sprt(parser)
    add_settings(parser, WorkSettings)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    from boomslang.engine.learning.selfplay.pentanomial import Pentanomial
    from boomslang.engine.match.play_match import prepare_match

    check_sprt(arguments.sprt)
    settings = _settings(arguments)
    work = read_settings(WorkSettings, arguments)
    is_duel = len(settings.engines) == 2
    if arguments.sprt and not is_duel:
        raise UsageError("--sprt needs two engines")
    left_out = _LeftOut()
    plan = settings.plan(left_out.report)
    check_kind("--out", settings.out, "jsonl", "json")
    check_kind("--pgn", arguments.pgn, "pgn")
    check_kind("--json", arguments.json, "json")
    outputs = arguments.pgn, settings.out, arguments.json
    check_outputs(*outputs, sources=[settings.openings])
    match = prepare_match(settings, plan, complain if arguments.verbose else ignore)
    record, standings = match.record, match.standings
    scored = Pentanomial()
    status = PROBLEMS if left_out.count else 0
    with record.open():
        if not (work.cluster or plan.openings):
            load_kernels()
        for pair in record.entries:
            scored.add(pair.results)
            standings.add(pair)
        try:
            _play(match, settings.games // 2, work, scored, arguments.sprt)
        except KeyboardInterrupt:
            status = INTERRUPTED
        finally:  # whatever has ended the match
            outcome = verdict(scored, arguments.sprt) if is_duel else None
            _show(standings, outcome, arguments.verbose)
        if standings.has_failures:
            status = status or PROBLEMS
        if arguments.pgn:
            _write_pgn(arguments.pgn, record, match.names)
        if arguments.json:
            write_whole(arguments.json, f"{json.dumps(standings.summary(), indent=1)}\n")
    if status == INTERRUPTED and settings.out:
        complain_interrupted("boomslang match: interrupted; repeat the command to resume")
    return status


def _settings(arguments: argparse.Namespace) -> MatchSettings:
    """The settings, of which some are given for one engine, or for several at once."""
    engines = range(len(arguments.engines))
    options = [dict([*arguments.both, *(arguments.other if n else arguments.one)]) for n in engines]
    for place, (name, value) in getattr(arguments, "options", ()):
        _check_place("--option", place, engines)
        options[place][name] = value
    given = getattr(arguments, "odds", ())
    general = [1.0, *(divisor for place, divisor in given if place is None)]
    odds = [general[-1] if n else 1.0 for n in engines]
    for place, divisor in given:
        if place is not None:
            _check_place("--odds", place, engines)
            odds[place] = divisor
    return read_settings(MatchSettings, arguments, options=options, odds=odds)


def _check_place(flag: str, place: int, engines: range) -> None:
    if place not in engines:
        raise UsageError(f"{flag}: there is no engine {place + 1}")


class _LeftOut:
    count = 0

    def report(self, problem: str) -> None:
        self.count += 1
        if self.count <= _MAX_TOLD:
            complain(f"boomslang match: {problem}")
        elif self.count == _MAX_TOLD + 1:
            complain("boomslang match: further invalid openings are only counted")


def _play(
    match: PreparedMatch,
    wanted: int,
    work: WorkSettings,
    scored: Pentanomial,
    sprt: Sequence[float] | None,
) -> None:
    from boomslang.engine.match.pairs import play_pairs

    plan, record, _, standings = match
    done = len(record.entries)
    if done >= wanted or is_decided(scored, sprt):
        return
    pairs = play_pairs(plan, record, wanted, work.count(), work.cluster)
    is_duel = len(plan.engines) == 2

    def title() -> str:
        return score(scored, sprt) if is_duel else "Games"

    table = None if is_duel else standings.table
    with (
        progress(title(), 2 * wanted, done=2 * done, counted=True, above=table) as advance,
        contextlib.closing(pairs),
    ):
        for pair in pairs:
            scored.add(pair.results)
            standings.add(pair)
            advance(2, title=title())
            if is_decided(scored, sprt):
                return


def _show(standings: Standings, outcome: list[str] | None, verbose: bool) -> None:
    console = Console(width=page(_PAGE))
    console.print(standings.costs())
    if reasons := standings.reasons(verbose):
        say(*reasons)
    if outcome is not None:
        say(*outcome)
    else:
        console.print("", standings.crosstable(), "", standings.table())
        say(*standings.remarks())


def _write_pgn(path: Path, record: Journal[Pair], names: Sequence[str]) -> None:
    from boomslang.engine.match.pairs import in_pgn

    with refuse_errors(ValueError), whole_text(path) as file:
        for pair in record.entries:
            file.writelines(in_pgn(pair, names))
