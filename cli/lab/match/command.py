"""`boomslang match`: Elo of engines, or of commits of this one, by games between them."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

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
    whole_number,
    with_arguments,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.engine_arguments import (
    add_engine_options,
    add_python,
    add_sprt,
    agent_python,
    option_value,
)
from boomslang.cli.terminal.output import complain, page, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.core.system.files import whole_text, write_whole
from boomslang.engine.errors import refuse_errors
from boomslang.engine.limits import ignore
from boomslang.engine.match.match_score import check_sprt, is_decided, score, verdict

if TYPE_CHECKING:
    from boomslang.engine.learning.selfplay.pentanomial import Pentanomial
    from boomslang.engine.match.engine_spec import EngineSpec
    from boomslang.engine.match.match_game import TimeControl
    from boomslang.engine.match.opening import Opening
    from boomslang.engine.match.pairs import MatchSettings, PairRecord
    from boomslang.engine.match.standings import Standings

PROBLEMS: Final = 1
_MAX_TOLD: Final = 1000  # invalid openings reported one by one
_MAX_COUNT: Final = 1_000_000_000
_MAX_MOVETIME: Final = 3_600_000  # milliseconds
_CLOCK: Final = "8+0.08"
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
invalid or finished are reported and left out; the exit status is then 1.
"""


def _clock(text: str) -> tuple[float, float]:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)", text)
    if not found or not 0.0 < float(found[1]) <= 86_400.0 or float(found[2]) > 3_600.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not BASE+INCREMENT in seconds, like 8+0.08")
    return float(found[1]), float(found[2])


def _games(text: str) -> int:
    games = whole_number(2, _MAX_COUNT)(text)
    if games % 2:
        raise argparse.ArgumentTypeError(f"{games} is odd, and games are played in pairs")
    return games


def _option(text: str) -> tuple[int, tuple[str, str]]:
    number, _, rest = text.partition(":")
    if not number.isdecimal() or int(number) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not N:NAME=VALUE")
    return int(number) - 1, option_value(rest)


def _odds(text: str) -> tuple[int | None, float]:
    number, colon, rest = text.rpartition(":")
    if colon and (not number.isdecimal() or int(number) < 1):
        raise argparse.ArgumentTypeError(f"'{text}' is not X or N:X")
    return int(number) - 1 if colon else None, number_within(0.001, 1000)(rest)


def _anchor(text: str) -> tuple[str, float]:
    from boomslang.engine.match.naming import MAX_ELO

    name, _, value = text.rpartition("=")
    with contextlib.suppress(ValueError):
        if name and abs(elo := float(value)) <= MAX_ELO:
            return name, elo
    raise argparse.ArgumentTypeError(f"'{text}' is not NAME=ELO")


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang match", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add(
        "engines",
        nargs="+",
        metavar="ENGINE",
        help='engines: ".", @REVISION, a command, or the folder of an agent',
    )
    add("--gauntlet", action="store_true", help="only the first engine plays against the others")
    add_engine_options(parser, "--one", "the first engine")
    add_engine_options(parser, "--other", "all other engines")
    add_engine_options(parser, "--both", "all engines")
    for flag, kind, metavar, text in (
        ("--option", _option, "N:NAME=VALUE", "option of engine number N; may be repeated"),
        ("--anchor", _anchor, "NAME=ELO", "fixed rating of an engine; may be repeated (mean 0)"),
    ):
        add(flag, type=kind, action="append", default=[], metavar=metavar, help=text)
    add_python(parser)
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
    add_option(
        limits, "--depth N", whole_number(1, 120), "search depth in plies instead of a clock"
    )
    limits.add_argument(
        "--movetime",
        type=whole_number(1, _MAX_MOVETIME),
        metavar="MS",
        help="milliseconds per move instead of a clock",
    )
    add(
        "--odds",
        type=_odds,
        action="append",
        default=[],
        metavar="[N:]X",
        help="divisor of the limit of engine number N, or of all but the first; may be repeated (1)",
    )
    add_option(parser, "--games N", _games, "maximum number of games, an even one", 1000)
    add_option(
        parser, "--openings FILE", Path, "openings in EPD, FEN or PGN (random balanced ones)"
    )
    add_option(parser, "--seed S", whole_number(0, 1 << 32), "random seed of the openings", 1)
    add("-o", "--out", type=Path, metavar="FILE", help="journal of the games, to resume from")
    add("--pgn", type=Path, metavar="FILE", help="PGN file of the games to write")
    add_option(parser, "--json FILE", Path, "JSON file of ratings and results to write")
    add(
        "--verbose",
        action="store_true",
        help="what engines that failed wrote to standard error, as the tracebacks of agents",
    )
    add("--no-adjudication", action="store_true", help="games played to their end by the rules")
    add_sprt(parser)
    add_jobs(parser)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang match`; returns the exit status."""
    from boomslang.engine.learning.selfplay.pentanomial import Pentanomial
    from boomslang.engine.match.naming import find_anchors, name_engines
    from boomslang.engine.match.pairs import MatchSettings, PairRecord
    from boomslang.engine.match.standings import Standings

    check_sprt(arguments.sprt)
    specs, odds = _engine_specs(arguments), _own_odds(arguments)
    pace = _time_control(arguments, odds)
    is_duel = len(specs) == 2
    if arguments.sprt and not is_duel:
        raise UsageError("--sprt needs two engines")
    openings, left_out = _openings(arguments.openings)
    check_kind("--out", arguments.out, "jsonl", "json")
    check_kind("--pgn", arguments.pgn, "pgn")
    check_kind("--json", arguments.json, "json")
    outputs = arguments.pgn, arguments.out, arguments.json
    check_outputs(*outputs, sources=[arguments.openings])
    settings = MatchSettings(
        specs,
        pace,
        arguments.seed,
        openings,
        odds,
        arguments.gauntlet and not is_duel,
        not arguments.no_adjudication,
    )
    record = PairRecord(arguments.out, settings)
    record.check()
    names = name_engines(settings, complain if arguments.verbose else ignore)
    with refuse_errors(ValueError, about="--anchor: "):
        anchors = find_anchors(arguments.anchor, arguments.engines, specs, names)
    standings = Standings(names, anchors)
    scored = Pentanomial()
    status = PROBLEMS if left_out else 0
    with record.open():
        if not (arguments.cluster or openings):
            load_kernels()
        for pair in record.pairs:
            scored.add(pair.results)
            standings.add(pair)
        try:
            _play(arguments, settings, record, scored, standings)
        except KeyboardInterrupt:
            status = INTERRUPTED
        finally:  # whatever has ended the match
            outcome = verdict(scored, arguments.sprt) if is_duel else None
            _show(standings, outcome, arguments.verbose)
        if arguments.pgn:
            _write_pgn(arguments.pgn, record, names)
        if arguments.json:
            write_whole(arguments.json, f"{json.dumps(standings.summary(), indent=1)}\n")
    if status == INTERRUPTED and arguments.out:
        complain_interrupted("boomslang match: interrupted; repeat the command to resume")
    return status


def _engine_specs(arguments: argparse.Namespace) -> tuple[EngineSpec, ...]:
    from boomslang.engine.match.engine_spec import parse_engine

    texts = arguments.engines
    if len(texts) < 2:
        raise UsageError("a match needs two engines or more")
    options = [
        [*arguments.both, *(arguments.other if place else arguments.one)]
        for place in range(len(texts))
    ]
    for number, option in arguments.option:
        if number >= len(texts):
            raise UsageError(f"--option: there is no engine {number + 1}")
        options[number].append(option)
    python = agent_python(arguments)
    specs = []
    for text, given in zip(texts, options, strict=True):
        with refuse_errors(ValueError, about=f"{text}: "):
            specs.append(parse_engine(text, dict(given), python))
    if python and not any(spec.is_agent for spec in specs):
        raise UsageError("--python needs an agent, which is a folder with the file agent.py")
    return tuple(specs)


def _own_odds(arguments: argparse.Namespace) -> tuple[float, ...]:
    """The divisor of each engine's limit: its own, or else the last one without a number."""
    count = len(arguments.engines)
    general = [odds for number, odds in arguments.odds if number is None]
    found = [1.0, *(general or [1.0])[-1:] * (count - 1)]
    for number, odds in arguments.odds:
        if number is not None:
            if number >= count:
                raise UsageError(f"--odds: there is no engine {number + 1}")
            found[number] = odds
    return tuple(found)


def _time_control(arguments: argparse.Namespace, odds: Sequence[float]) -> TimeControl:
    from boomslang.engine.match.match_game import TimeControl

    if arguments.depth and set(odds) != {1.0}:
        raise UsageError("--odds: a depth is not divided; use --nodes, --movetime or --clock")
    if min(arguments.nodes or math.inf, arguments.movetime or math.inf) < max(odds):
        raise UsageError(
            "--odds: an engine would get less than one node or millisecond; use a smaller value"
        )
    if arguments.nodes:
        return TimeControl(nodes=arguments.nodes)
    if arguments.depth:
        return TimeControl(depth=arguments.depth)
    if arguments.movetime:
        return TimeControl(movetime=arguments.movetime / 1000)
    return TimeControl(clock=arguments.clock or _clock(_CLOCK))


def _openings(path: Path | None) -> tuple[tuple[Opening, ...], int]:
    """The openings of a file, and the number left out; each of these is reported."""
    if path is None:
        return (), 0
    from boomslang.engine.match.opening import read

    left_out = 0

    def report(problem: str) -> None:
        nonlocal left_out
        left_out += 1
        if left_out <= _MAX_TOLD:
            complain(f"boomslang match: {problem}")
        elif left_out == _MAX_TOLD + 1:
            complain("boomslang match: further invalid openings are only counted")

    return tuple(read(path, report)), left_out


def _play(
    arguments: argparse.Namespace,
    settings: MatchSettings,
    record: PairRecord,
    scored: Pentanomial,
    standings: Standings,
) -> None:
    """Play the remaining pairs, until there are enough or the SPRT is decided."""
    from boomslang.engine.match.pairs import play_pairs

    done, wanted = len(record.pairs), arguments.games // 2
    if done >= wanted or is_decided(scored, arguments.sprt):
        return
    work = play_pairs(settings, record, wanted, arguments.jobs, arguments.cluster)
    is_duel = len(settings.engines) == 2

    def title() -> str:
        return score(scored, arguments.sprt) if is_duel else "Games"

    table = None if is_duel else standings.table
    with (
        progress(title(), 2 * wanted, done=2 * done, counted=True, above=table) as advance,
        contextlib.closing(work),
    ):
        for pair in work:
            scored.add(pair.results)
            standings.add(pair)
            advance(2, title=title())
            if is_decided(scored, arguments.sprt):
                return


def _show(standings: Standings, outcome: list[str] | None, verbose: bool) -> None:
    """Print the tables; those of a match of two engines end with its outcome."""
    console = Console(width=page(_PAGE))
    console.print(standings.costs())
    if reasons := standings.reasons(verbose):
        say(*reasons)
    if outcome is not None:
        say(*outcome)
    else:
        console.print("", standings.crosstable(), "", standings.table())
        say(*standings.remarks())


def _write_pgn(path: Path, record: PairRecord, names: Sequence[str]) -> None:
    from boomslang.engine.match.pgn import in_pgn

    with refuse_errors(ValueError), whole_text(path) as file:
        for pair in record.pairs:
            file.writelines(in_pgn(pair, names))
