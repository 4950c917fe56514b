"""`boomslang calibrate`: how strong its limited strengths are, by games against a known opponent."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from cli.arguments import (
    Parser,
    UsageError,
    command_words,
    in_words,
    run_command,
    whole_number,
)
from cli.programs import hush_log
from cli.progress import progress
from cli.terminal import complain, say
from engine.levels.ladder import HIGHEST, LOWEST, Level, level_of_elo, level_of_nodes
from engine.system.files import shown

if TYPE_CHECKING:
    from engine.selfplay.calibration import Measured, Pairing

DONE, FAILED = 0, 1
_PATIENCE: Final = 60.0  # seconds for the opponent to start
_DESCRIPTION: Final = """\
Measure the levels of limited strength by games against an engine of known rating that can limit its
own strength (UCI_LimitStrength, UCI_Elo). Every opening of a few random moves is played with both
colours. A game that both sides have thought decided for 8 plies (10 pawns) ends there.
"""
_EXAMPLES: Final = """\
examples:
  boomslang calibrate --opponent stockfish --opponent-nodes 50_000 --elo 1400 1800 2200 2600
  boomslang calibrate --opponent stockfish --level-nodes 4000 --against 2100 --games 200 --jobs 2
  boomslang calibrate --opponent ./boomslang --elo 1800 --against 1400
"""


def _parser() -> Parser:
    parser = Parser("boomslang calibrate", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add("--opponent", required=True, metavar="COMMAND", help="the engine to play against")
    thinks = parser.add_mutually_exclusive_group()
    thinks.add_argument(
        "--opponent-nodes", type=whole_number(1, 10**9), metavar="N", help="for a move (20000)"
    )
    thinks.add_argument(
        "--opponent-movetime", type=whole_number(1, 600_000), metavar="MS", help="instead of nodes"
    )
    levels = parser.add_mutually_exclusive_group(required=True)
    elo = whole_number(LOWEST, HIGHEST)
    levels.add_argument("--elo", type=elo, nargs="+", metavar="E", help="values of UCI_Elo to test")
    nodes = whole_number(1, 10**8)
    levels.add_argument("--level-nodes", type=nodes, nargs="+", metavar="N", help="levels by nodes")
    many = whole_number(0, 5000)
    add("--against", type=many, nargs="+", metavar="E", help="UCI_Elo of the opponent (the same)")
    add("--games", type=whole_number(2, 10**6), default=100, metavar="N", help="each (100)")
    add("--seed", type=whole_number(0, 2**31 - 1), default=1, metavar="S", help="other games (1)")
    add("--jobs", type=whole_number(1, 1024), default=1, metavar="J", help="processes (1)")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `calibrate`; return the exit status."""
    return run_command(_parser(), argv, _calibrate)


def _calibrate(arguments: argparse.Namespace) -> int:
    levels = [level_of_elo(elo) for elo in arguments.elo or ()]
    levels += [level_of_nodes(nodes) for nodes in arguments.level_nodes or ()]
    ratings = arguments.against or arguments.elo
    if ratings is None or len(ratings) not in (1, len(levels)):
        raise UsageError("--against takes one rating, or one for each level")
    ratings = ratings * len(levels) if len(ratings) == 1 else ratings
    words = command_words(arguments.opponent, "--opponent")
    import chess.engine

    from engine.jobs.errors import JobsError

    try:
        _try_out(words)
        return _measure(arguments, levels, ratings)
    except (OSError, RuntimeError, JobsError, chess.engine.EngineError) as problem:
        complain(f"boomslang calibrate: {in_words(problem)}")
        return FAILED


def _try_out(words: list[str]) -> None:
    """Start the opponent before all the work; raises UsageError or EngineError if it cannot play."""
    import chess.engine

    hush_log()
    try:
        with chess.engine.SimpleEngine.popen_uci(words, timeout=_PATIENCE) as engine:
            missing = [
                name for name in ("UCI_LimitStrength", "UCI_Elo") if name not in engine.options
            ]
    except OSError as problem:
        raise UsageError(f"cannot start {in_words(problem)}") from None
    except (TimeoutError, chess.engine.EngineError) as problem:
        reason = f"cannot start {shown(words[0])}: {in_words(problem)}"
        raise chess.engine.EngineError(reason) from None
    if missing:
        raise chess.engine.EngineError(f"{shown(words[0])} has no option {missing[0]}")


def _measure(arguments: argparse.Namespace, levels: list[Level], ratings: list[int]) -> int:
    """Play all games; prints a line of a Markdown table for each level as soon as it is known."""
    from engine.jobs.run import run
    from engine.player import load
    from engine.selfplay.calibration import Measured, Opponent, Pairing, maker

    nodes = arguments.opponent_nodes or (None if arguments.opponent_movetime else 20_000)
    opponent = Opponent(arguments.opponent, nodes, arguments.opponent_movetime)
    named = [f"UCI_Elo {elo}" for elo in arguments.elo or ()] or ["nodes"] * len(levels)
    load()
    say("| level | nodes | opponent | won | drawn | lost | measured |")
    say("|---|---|---|---|---|---|---|")
    for name, level, rating in zip(named, levels, ratings, strict=True):
        pairings = _pairings(level, rating, arguments.games, arguments.seed, Pairing)
        points: list[float] = []
        with progress(f"{name} against {rating}", arguments.games, counted=True) as advance:
            for _, point in run(partial(maker, opponent), pairings, jobs=arguments.jobs):
                points.append(point)
                advance(1)
        measured = Measured(points.count(1.0), points.count(0.5), points.count(0.0))
        say(_row(name, level, rating, measured))
    return DONE


def _pairings(
    level: Level, rating: int, games: int, seed: int, pairing: type[Pairing]
) -> Iterator[Pairing]:
    for number in range(games):
        yield pairing(level, rating, number, seed)


def _row(name: str, level: Level, rating: int, measured: Measured) -> str:
    """One line of the table."""
    found = f"{rating + measured.difference:.0f} ± {measured.error:.0f}"
    games = f"{measured.won} | {measured.drawn} | {measured.lost}"
    return f"| {name} | {level.nodes} | {rating} | {games} | {found} |"
