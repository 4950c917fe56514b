"""`boomslang match`: two engines, or two commits of this one, play until it is clear which is stronger."""

from __future__ import annotations

import argparse
import contextlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.match.score import add_sprt, check_sprt, is_decided, score, verdict
from boomslang.cli.terminal.arguments import (
    INTERRUPTED,
    Parser,
    UsageError,
    add_jobs,
    refusing,
    run_command,
    whole_number,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain, page, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.core.system.files import check_writable

if TYPE_CHECKING:
    from boomslang.cli.match.engine_spec import EngineSpec
    from boomslang.cli.match.game import MoveCost, TimeControl
    from boomslang.cli.match.opening import Opening
    from boomslang.cli.match.pairs import MatchSettings, Pair, PairRecord
    from boomslang.engine.selfplay.pentanomial import Pentanomial

PROBLEMS: Final = 1
_MOST_TOLD: Final = 1000  # openings that are left out, one by one
_MOST: Final = 1_000_000_000
_LONGEST: Final = 3_600_000  # milliseconds
_CLOCK: Final = "8+0.08"
_PAGE: Final = 100  # columns where nobody's terminal says how many
_DESCRIPTION: Final = """\
Let two engines play pairs of games, each pair from one opening with colours reversed, and tell the
difference in Elo. An engine is "." for this version, @REVISION for a commit of this repository, which is
unpacked and compiled first, or the command of any program that speaks UCI.

Both have 16 MB and one thread unless an option says otherwise. A game ends early when both agree for four
moves that it is won (8 pawns) or, from move 40 on and for eight, that it is drawn (10 centipawns); after 200
moves it is a draw. Who oversteps the clock, crashes or plays an illegal move has lost; --movetime is a wish.
"""
_EXAMPLES: Final = """\
examples:
  boomslang match . @HEAD~3 --sprt 0 5 --jobs 2 --out match.jsonl
  boomslang match . @v0.1.0 --nodes 20_000 --games 400
  boomslang match . . --one EvalFile=tried.net --clock 8+0.08 --games 200
  boomslang match . /usr/games/stockfish --other "Use NNUE=false" --clock 8+0.08 --pgn games.pgn
  boomslang match . stockfish --clock 8+0.08 --odds 4 --games 100
  boomslang match . @main --openings openings.epd --cluster tcp://192.168.1.10:8786 --out match.jsonl

With --out the same command goes on where it was interrupted, with more --games too; pairs are kept in their
order, so those that were ahead of a slow one are played again. With --nodes openings
and engines of one thread play the same games again; a clock wants processors that do nothing else, so give
--jobs no more than there are. Openings that cannot be read, or in which the game is over, are left out, each
with a line; the exit status is 1 then.
"""


def _clock(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)", text)
    if not found or not 0.0 < float(found[1]) <= 86_400.0 or float(found[2]) > 3_600.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not BASE+INCREMENT in seconds, like 8+0.08")
    return float(found[1]), float(found[2])


def _odds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0.001 <= (odds := float(text)) <= 1000.0:
            return odds
    raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0.001 to 1000")


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name.strip(), value.strip()


def _parser() -> Parser:
    parser = Parser("boomslang match", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add("engines", nargs=2, metavar="ENGINE", help='".", @REVISION or a command')
    for name, whose in (("--one", "the first"), ("--other", "the second"), ("--both", "both")):
        add(
            name,
            type=_option,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"a UCI option of {whose}; may be repeated",
        )
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--clock", type=_clock, metavar="BASE+INC", help=f"seconds for each side ({_CLOCK})"
    )
    limits.add_argument("--nodes", type=whole_number(1, _MOST), metavar="N", help="a move instead")
    limits.add_argument(
        "--movetime", type=whole_number(1, _LONGEST), metavar="MS", help="a move instead"
    )
    add(
        "--odds",
        type=_odds,
        default=1.0,
        metavar="X",
        help="the second gets 1/X of the time or nodes (1)",
    )
    add("--games", type=whole_number(2, _MOST), default=1000, metavar="N", help="at most (1000)")
    add("--openings", type=Path, metavar="FILE", help="of EPD, FEN or PGN (random fair ones)")
    add("--seed", type=whole_number(0, 1 << 32), default=1, metavar="S", help="other openings (1)")
    add("--out", type=Path, metavar="FILE", help="keep the games, and go on with them")
    add("--pgn", type=Path, metavar="FILE", help="write them as PGN too")
    add_sprt(parser)
    add_jobs(parser)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `match`; return the exit status."""
    return run_command(_parser(), argv, _match)


def _match(arguments: argparse.Namespace) -> int:
    from boomslang.cli.match.pairs import MatchSettings, PairRecord
    from boomslang.engine.selfplay.pentanomial import Pentanomial

    check_sprt(arguments.sprt)
    one, other = (
        _contestant(text, options, arguments)
        for text, options in zip(arguments.engines, (arguments.one, arguments.other), strict=True)
    )
    openings, left_out = _openings(arguments.openings)
    if arguments.pgn:
        check_writable(arguments.pgn)
    terms = MatchSettings(one, other, _pace(arguments), arguments.seed, openings, arguments.odds)
    record = PairRecord(arguments.out, terms)
    record.check()
    names = _names(terms)
    tally = Pentanomial()
    status = PROBLEMS if left_out else 0
    with record.opened():
        if not (arguments.cluster or openings):
            load_kernels()
        for pair in record.pairs:
            tally.add(pair.results)
        try:
            _play(arguments, terms, record, tally)
        except KeyboardInterrupt:
            status = INTERRUPTED
        _tell(record.pairs, names)
        say(verdict(tally, arguments.sprt))
        if arguments.pgn:
            _write_pgn(arguments.pgn, record.pairs, names)
    if status == INTERRUPTED and arguments.out:
        complain("boomslang match: interrupted; the same command goes on")
    return status


def _contestant(
    text: str, options: list[tuple[str, str]], arguments: argparse.Namespace
) -> EngineSpec:
    from boomslang.cli.match.engine_spec import described

    with refusing(ValueError, about=f"{text}: "):
        return described(text, dict([*arguments.both, *options]))


def _pace(arguments: argparse.Namespace) -> TimeControl:
    from boomslang.cli.match.game import TimeControl

    if min(arguments.nodes or math.inf, arguments.movetime or math.inf) < arguments.odds:
        raise UsageError("--odds: the second would get less than one node or millisecond")
    if arguments.nodes:
        return TimeControl(nodes=arguments.nodes)
    if arguments.movetime:
        return TimeControl(movetime=arguments.movetime / 1000)
    return TimeControl(clock=arguments.clock or _clock(_CLOCK))


def _openings(path: Path | None) -> tuple[tuple[Opening, ...], int]:
    """The openings of a file, and how many were left out, each with a line."""
    if path is None:
        return (), 0
    from boomslang.cli.match.opening import read

    left_out = 0

    def report(problem: str) -> None:
        nonlocal left_out
        left_out += 1
        if left_out <= _MOST_TOLD:
            complain(f"boomslang match: {problem}")
        elif left_out == _MOST_TOLD + 1:
            complain("boomslang match: further openings are left out")

    return tuple(read(path, report)), left_out


def _names(terms: MatchSettings) -> tuple[str, str]:
    """What both are called; each is started once, so that it fails before all the work if it does."""
    from boomslang.cli.match.engine_spec import THIS, started
    from boomslang.cli.match.game import FAILURES

    called = {}
    # The strangers first: what is wrong with them is known at once, and this version may have to be compiled.
    for contestant in sorted((terms.one, terms.other), key=lambda each: each.name == THIS):
        with refusing(*FAILURES, about=f"{contestant.name}: "):
            process = started(contestant)
            with contextlib.closing(process):
                called[id(contestant)] = process.id.get("name", contestant.name)
    names = []
    for contestant in (terms.one, terms.other):
        own = called[id(contestant)]
        marks = [contestant.name] if own != contestant.name else []
        marks += [f"{name}={value}" for name, value in contestant.options.items()]
        if contestant is terms.other and terms.odds != 1.0:
            marks.append(f"odds {terms.odds:g}")
        names.append(f"{own} ({', '.join(marks)})" if marks else own)
    return names[0], names[1]


def _play(
    arguments: argparse.Namespace, terms: MatchSettings, record: PairRecord, tally: Pentanomial
) -> None:
    """Play the pairs that are not there yet, until there are enough."""
    from boomslang.cli.match.pairs import player
    from boomslang.engine.jobs.run import run_in_order

    done, wanted = len(record.pairs), arguments.games // 2
    if done >= wanted or is_decided(tally, arguments.sprt):
        return
    work = run_in_order(
        partial(player, terms),
        range(done, wanted),
        jobs=min(arguments.jobs, wanted - done),
        cluster=arguments.cluster,
    )
    title = score(tally, arguments.sprt)
    with (
        progress(title, 2 * wanted, done=2 * done, counted=True) as advance,
        contextlib.closing(work),
    ):
        for pair in work:
            record.add(pair)
            tally.add(pair.results)
            advance(2, title=score(tally, arguments.sprt))
            if is_decided(tally, arguments.sprt):
                return


def _write_pgn(path: Path, pairs: list[Pair], names: tuple[str, str]) -> None:
    from boomslang.cli.match.pairs import in_pgn
    from boomslang.engine.core.system.files import whole_text

    with whole_text(path) as file:
        for pair in pairs:
            file.writelines(in_pgn(pair, names))


def _tell(pairs: list[Pair], names: tuple[str, str]) -> None:
    """What each side has done, and how the games ended."""
    console = Console(width=page(_PAGE))
    table = Table("", "won", "nodes/s", "depth", "least clock", "lost otherwise", box=None)
    for side, name in enumerate(names):
        efforts = [
            game.efforts[side ^ second] for pair in pairs for second, game in enumerate(pair.games)
        ]
        wins = sum(result == 1 - 2 * side for pair in pairs for result in pair.results)
        table.add_row(name, str(wins), *_sums(efforts), _failures(pairs, side))
    console.print(table)


def _sums(efforts: list[MoveCost]) -> tuple[str, str, str]:
    """Speed, mean depth and the least that a clock showed."""
    seconds, moves = sum(e.seconds for e in efforts), sum(e.moves for e in efforts)
    clocks = [e.least_clock for e in efforts if e.least_clock is not None]
    return (
        f"{sum(e.nodes for e in efforts) / seconds:,.0f}" if seconds else "",
        f"{sum(e.depths for e in efforts) / moves:.1f}" if moves else "",
        f"{min(clocks):.2f} s" if clocks else "",
    )


def _failures(pairs: list[Pair], side: int) -> str:
    """How often that side lost by its clock, or by crashing or stalling."""
    from boomslang.cli.match.game import CRASH, STALL, TIME

    lost = Counter(
        game.reason
        for pair in pairs
        for game, result in zip(pair.games, pair.results, strict=True)
        if result == 2 * side - 1
    )
    told = [f"{lost[reason]} {reason}" for reason in (TIME, CRASH, STALL) if lost[reason]]
    return ", ".join(told)
