"""Games between levels of limited strength, each against the next lower one, in one process.

    python -m tools.levels.games --levels 600 800 1000 --games 40
    python -m tools.levels.games --levels 1400 --styles attacking solid --games 40

With `--styles` each style plays against the balanced one at each level, and two lines more say how many moves
of each kind either side made in a game, see `engine.levels.style`.

The same games as `boomslang match` plays, but the levels need no processes and no protocol: the random
openings and the rules of adjudication are its own. For each step the table has the games won, drawn and lost
by the higher level, or by the style, and its lead in Elo with the 95 % interval. The games depend on seed
and nodes alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import chess

from boomslang.cli.terminal.settings_arguments import argument
from boomslang.engine.engine import Engine
from boomslang.engine.learning.selfplay.pentanomial import Pentanomial
from boomslang.engine.levels.ladder import BALANCED, MAX_ELO, MIN_ELO, STYLES
from boomslang.engine.levels.oversight import plain
from boomslang.engine.levels.style import kinds
from boomslang.engine.limits import Limits, Score
from boomslang.engine.match.match_game import Referee
from boomslang.engine.match.opening import Opening, by_chance, by_rules
from boomslang.engine.settings import whole

_LEVELS: Final = (600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400)
_MAX_COUNT: Final = 1_000_000

_Options: TypeAlias = dict[str, int | str]


def play(
    players: tuple[Engine, Engine], opening: Opening, limits: Limits, made: Sequence[Counter[str]]
) -> int:
    """A game from an opening, White first; 1, 0 or -1 for White.

    The kinds of each side's moves are added to `made`.
    """
    for player in players:
        player.new_game()
    board, referee = opening.board(), Referee()
    ended = by_rules(board)
    while ended is None:
        number = 0 if board.turn else 1
        player = players[number]
        player.set_position(board)
        result = player.go(limits)
        assert result.best and result.info
        points = round(plain(result.info.score))
        white = Score(points if board.turn == chess.WHITE else -points)
        made[number].update(kinds(board, result.best))
        board.push(result.best)
        ended = by_rules(board) or referee.adjudicate(white, len(board.move_stack))
    return ended[0]


def match(
    options: tuple[_Options, _Options],
    games: int,
    limits: Limits,
    opening: Callable[[int], Opening],
) -> tuple[Pentanomial, tuple[Counter[str], Counter[str]]]:
    """Pairs of games between two levels, each pair from one opening: the result, and each side's moves.

    The result is counted for the first of them.
    """
    scored, made = Pentanomial(), (Counter[str](), Counter[str]())
    with (
        Engine(Hash=16, UCI_LimitStrength=True) as one,
        Engine(Hash=16, UCI_LimitStrength=True) as other,
    ):
        for engine, values in zip((one, other), options, strict=True):
            for name, value in values.items():
                engine.set_option(name, value)
        for number in range(games // 2):
            begun = opening(number)
            results = list[int]()
            for sides, sign in (((one, other), 1), ((other, one), -1)):
                for side, engine in enumerate((one, other)):
                    engine.set_option("Random Seed", 4 * number + 2 * (sign < 0) + side + 1)
                results.append(sign * play(sides, begun, limits, made[::sign]))
            scored.add(tuple(results))
    return scored, made


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add(
        "--levels",
        type=argument(whole(MIN_ELO, MAX_ELO)),
        nargs="+",
        default=_LEVELS,
        metavar="ELO",
    )
    for name, least, value, text in (
        ("--games", 2, 40, "for each step (40)"),
        ("--nodes", 1, 10_000, "most nodes of a search (10,000)"),
        ("--seed", 0, 1, "of the openings (1)"),
    ):
        add(name, type=argument(whole(least, _MAX_COUNT)), default=value, metavar="N", help=text)
    add(
        "--styles",
        choices=STYLES[1:],
        nargs="+",
        default=[],
        metavar="NAME",
        help="each against balanced",
    )
    arguments = parser.parse_args(argv)
    if len(arguments.levels) < 2 and not arguments.styles:
        parser.error("a step has two levels")
    opening = by_chance(arguments.seed)
    if arguments.styles:
        steps = [
            ({"UCI_Elo": elo, "Style": style}, {"UCI_Elo": elo})
            for elo in arguments.levels
            for style in arguments.styles
        ]
    else:
        steps = [({"UCI_Elo": high}, {"UCI_Elo": low}) for low, high in pairwise(arguments.levels)]
    print("players                    games   won drawn  lost   Elo", flush=True)
    for options in steps:
        scored, made = match(options, arguments.games, Limits(nodes=arguments.nodes), opening)
        won, drawn, lost = scored.games
        count = won + drawn + lost
        elo, error = scored.elo()
        within = "?" if error is None else f"{error:.0f}"
        names = " - ".join(" ".join(map(str, values.values())) for values in options)
        print(
            f"{names:25s} {count:6d} {won:5d} {drawn:5d} {lost:5d}   {elo:+.0f} ± {within}",
            flush=True,
        )
        if arguments.styles:
            for values, side in zip(options, made, strict=True):
                rates = ", ".join(f"{kind} {side[kind] / count:.2f}" for kind in sorted(side))
                print(f"    {values.get('Style', BALANCED)} a game: {rates}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
