"""`boomslang match`: Elo difference between two engines, or two commits of this one."""

from __future__ import annotations

import argparse
import contextlib
import math
import re
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.lab.match.match_score import add_sprt, check_sprt, is_decided, score, verdict
from boomslang.cli.terminal.arguments import (
    INTERRUPTED,
    Parser,
    UsageError,
    add_jobs,
    add_option,
    check_kind,
    check_outputs,
    complain_interrupted,
    number_within,
    refuse_errors,
    whole_number,
    with_arguments,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain, page, say
from boomslang.cli.terminal.progress import load_kernels, progress

if TYPE_CHECKING:
    from boomslang.cli.lab.match.engine_spec import EngineSpec
    from boomslang.cli.lab.match.match_game import MoveCost, TimeControl
    from boomslang.cli.lab.match.opening import Opening
    from boomslang.cli.lab.match.pairs import MatchSettings, Pair, PairRecord
    from boomslang.engine.selfplay.pentanomial import Pentanomial

PROBLEMS: Final = 1
_MAX_TOLD: Final = 1000  # invalid openings reported one by one
_MAX_COUNT: Final = 1_000_000_000
_MAX_MOVETIME: Final = 3_600_000  # milliseconds
_CLOCK: Final = "8+0.08"
_PAGE: Final = 100  # columns without a terminal
_DESCRIPTION: Final = """\
Play pairs of games between two engines, each pair from one opening with colours reversed, and estimate the
Elo difference. An engine is "." for this version, @REVISION for a commit of this repository, which is
unpacked and compiled first, or the command of a UCI or CECP engine.

Both have 16 MB of hash and one thread unless an option changes that. A game is adjudicated as won when both
scores exceed 8 pawns for four moves, as drawn when both stay within 10 centipawns for eight moves from move
40 on, and as drawn after 200 moves. An engine loses by exceeding its clock, crashing or playing an illegal
move; --movetime is not enforced.
"""
_EXAMPLES: Final = """\
examples:
  boomslang match . @HEAD~3 --sprt 0 5 --jobs 2 -o match.jsonl
  boomslang match . @v0.1.0 --nodes 20_000 --games 400
  boomslang match . . --one EvalFile=tried.net --clock 8+0.08 --games 200
  boomslang match . /usr/games/stockfish --other "Use NNUE=false" --clock 8+0.08 --pgn games.pgn
  boomslang match . stockfish --clock 8+0.08 --odds 4 --games 100
  boomslang match . @main --openings openings.epd --cluster tcp://192.168.1.10:8786 -o match.jsonl

With --out, repeat the command to resume it, also with more --games. Pairs are stored in order, so pairs that
were ahead of a slow one are played again. With --nodes and engines of one thread the games are reproducible.
With a clock the processors must be idle otherwise, so set --jobs to their number at most. Openings that are
invalid or finished are reported and left out; the exit status is then 1.
"""


def _clock(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)", text)
    if not found or not 0.0 < float(found[1]) <= 86_400.0 or float(found[2]) > 3_600.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not BASE+INCREMENT in seconds, like 8+0.08")
    return float(found[1]), float(found[2])


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name.strip(), value.strip()


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang match", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add("engines", nargs=2, metavar="ENGINE", help='engine: ".", @REVISION or a command')
    for name, whose in (
        ("--one", "the first engine"),
        ("--other", "the second engine"),
        ("--both", "both engines"),
    ):
        add(
            name,
            type=_option,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"UCI option of {whose}; may be repeated",
        )
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--clock",
        type=_clock,
        metavar="BASE+INC",
        help=f"time per side and increment per move, in seconds ({_CLOCK})",
    )
    add_option(
        limits, "--nodes N", whole_number(1, _MAX_COUNT), "nodes per move instead of a clock"
    )
    limits.add_argument(
        "--movetime",
        type=whole_number(1, _MAX_MOVETIME),
        metavar="MS",
        help="milliseconds per move instead of a clock",
    )
    add_option(
        parser,
        "--odds X",
        number_within(0.001, 1000),
        "divisor of the time or nodes of the second engine",
        1.0,
    )
    add_option(parser, "--games N", whole_number(2, _MAX_COUNT), "maximum number of games", 1000)
    add_option(
        parser, "--openings FILE", Path, "openings in EPD, FEN or PGN (random balanced ones)"
    )
    add_option(parser, "--seed S", whole_number(0, 1 << 32), "random seed of the openings", 1)
    add("-o", "--out", type=Path, metavar="FILE", help="journal of the games, to resume from")
    add("--pgn", type=Path, metavar="FILE", help="PGN file of the games to write")
    add_sprt(parser)
    add_jobs(parser)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang match`; returns the exit status."""
    from boomslang.cli.lab.match.pairs import MatchSettings, PairRecord
    from boomslang.engine.selfplay.pentanomial import Pentanomial

    check_sprt(arguments.sprt)
    one, other = (
        _engine_spec(text, options, arguments)
        for text, options in zip(arguments.engines, (arguments.one, arguments.other), strict=True)
    )
    openings, left_out = _openings(arguments.openings)
    check_kind("--out", arguments.out, "jsonl", "json")
    check_kind("--pgn", arguments.pgn, "pgn")
    check_outputs(arguments.pgn, arguments.out, sources=[arguments.openings])
    settings = MatchSettings(
        one, other, _time_control(arguments), arguments.seed, openings, arguments.odds
    )
    record = PairRecord(arguments.out, settings)
    record.check()
    names = _names(settings)
    scored = Pentanomial()
    status = PROBLEMS if left_out else 0
    with record.open():
        if not (arguments.cluster or openings):
            load_kernels()
        for pair in record.pairs:
            scored.add(pair.results)
        try:
            _play(arguments, settings, record, scored)
        except KeyboardInterrupt:
            status = INTERRUPTED
        _print_sides(record.pairs, names)
        say(*verdict(scored, arguments.sprt))
        if arguments.pgn:
            _write_pgn(arguments.pgn, record.pairs, names)
    if status == INTERRUPTED and arguments.out:
        complain_interrupted("boomslang match: interrupted; repeat the command to resume")
    return status


def _engine_spec(
    text: str, options: list[tuple[str, str]], arguments: argparse.Namespace
) -> EngineSpec:
    from boomslang.cli.lab.match.engine_spec import parse_engine

    with refuse_errors(ValueError, about=f"{text}: "):
        return parse_engine(text, dict([*arguments.both, *options]))


def _time_control(arguments: argparse.Namespace) -> TimeControl:
    from boomslang.cli.lab.match.match_game import TimeControl

    if min(arguments.nodes or math.inf, arguments.movetime or math.inf) < arguments.odds:
        raise UsageError(
            "--odds: the second engine would get less than one node or millisecond; use a smaller value"
        )
    if arguments.nodes:
        return TimeControl(nodes=arguments.nodes)
    if arguments.movetime:
        return TimeControl(movetime=arguments.movetime / 1000)
    return TimeControl(clock=arguments.clock or _clock(_CLOCK))


def _openings(path: Path | None) -> tuple[tuple[Opening, ...], int]:
    """The openings of a file, and the number left out; each of these is reported."""
    if path is None:
        return (), 0
    from boomslang.cli.lab.match.opening import read

    left_out = 0

    def report(problem: str) -> None:
        nonlocal left_out
        left_out += 1
        if left_out <= _MAX_TOLD:
            complain(f"boomslang match: {problem}")
        elif left_out == _MAX_TOLD + 1:
            complain("boomslang match: further invalid openings are only counted")

    return tuple(read(path, report)), left_out


def _names(settings: MatchSettings) -> tuple[str, str]:
    """The names of both engines; each is started once, to fail before the work begins."""
    from boomslang.cli.lab.match.engine_spec import THIS, engine_process
    from boomslang.cli.lab.match.match_game import FAILURES
    from boomslang.engine.jobs.engine_process import engine_name

    called = {}
    # Other engines first: they fail at once, while this version may have to be compiled.
    for spec in sorted((settings.one, settings.other), key=lambda each: each.name == THIS):
        with refuse_errors(*FAILURES, about=f"{spec.name}: "):
            called[id(spec)] = engine_name(engine_process(spec))
    names = []
    for spec in (settings.one, settings.other):
        own = called[id(spec)]
        marks = [spec.name] if own != spec.name else []
        marks += [f"{name}={value}" for name, value in spec.options.items()]
        if spec is settings.other and settings.odds != 1.0:
            marks.append(f"odds {settings.odds:g}")
        names.append((own, marks))
    if names[0] == names[1]:
        for (_, marks), side in zip(names, ("first", "second"), strict=True):
            marks.append(side)
    one, other = (f"{own} ({', '.join(marks)})" if marks else own for own, marks in names)
    return one, other


def _play(
    arguments: argparse.Namespace, settings: MatchSettings, record: PairRecord, scored: Pentanomial
) -> None:
    """Play the remaining pairs, until there are enough or the SPRT is decided."""
    from boomslang.cli.lab.match.pairs import player
    from boomslang.engine.jobs.run import run_in_order

    done, wanted = len(record.pairs), arguments.games // 2
    if done >= wanted or is_decided(scored, arguments.sprt):
        return
    work = run_in_order(
        partial(player, settings),
        range(done, wanted),
        jobs=min(arguments.jobs, wanted - done),
        cluster=arguments.cluster,
    )
    title = score(scored, arguments.sprt)
    with (
        progress(title, 2 * wanted, done=2 * done, counted=True) as advance,
        contextlib.closing(work),
    ):
        for pair in work:
            record.add(pair)
            scored.add(pair.results)
            advance(2, title=score(scored, arguments.sprt))
            if is_decided(scored, arguments.sprt):
                return


def _write_pgn(path: Path, pairs: list[Pair], names: tuple[str, str]) -> None:
    from boomslang.cli.lab.match.pairs import in_pgn
    from boomslang.engine.system.files import whole_text

    with whole_text(path) as file:
        for pair in pairs:
            file.writelines(in_pgn(pair, names))


def _print_sides(pairs: list[Pair], names: tuple[str, str]) -> None:
    """Print wins, speed, depth, clocks and failures of both sides."""
    console = Console(width=page(_PAGE))
    table = Table("", "won", "nodes/s", "depth", "minimum clock", "failures", box=None)
    for side, name in enumerate(names):
        efforts = [
            game.efforts[side ^ second] for pair in pairs for second, game in enumerate(pair.games)
        ]
        wins = sum(result == 1 - 2 * side for pair in pairs for result in pair.results)
        table.add_row(name, str(wins), *_sums(efforts), _failures(pairs, side))
    console.print(table)


def _sums(efforts: list[MoveCost]) -> tuple[str, str, str]:
    """Speed, mean depth and minimum clock."""
    seconds, moves = sum(e.seconds for e in efforts), sum(e.moves for e in efforts)
    clocks = [e.least_clock for e in efforts if e.least_clock is not None]
    return (
        f"{sum(e.nodes for e in efforts) / seconds:,.0f}" if seconds else "",
        f"{sum(e.depths for e in efforts) / moves:.1f}" if moves else "",
        f"{min(clocks):.2f} s" if clocks else "",
    )


def _failures(pairs: list[Pair], side: int) -> str:
    """The number of games that side lost off the board, by reason."""
    from boomslang.cli.lab.match.match_game import CRASH, ILLEGAL, STALL, TIME

    lost = Counter(
        game.reason
        for pair in pairs
        for game, result in zip(pair.games, pair.results, strict=True)
        if result == 2 * side - 1
    )
    counts = [
        f"{lost[reason]} {reason}" for reason in (TIME, CRASH, STALL, ILLEGAL) if lost[reason]
    ]
    return ", ".join(counts)
