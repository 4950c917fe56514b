"""Games between levels of limited strength, each against the next lower one, in one process.

    python -m tests.stress.level_games --levels 600 800 1000 --games 40

The same games as `boomslang match` plays, but the levels need no processes and no protocol: the random
openings and the rules of adjudication are its own. For each step the table has the games won, drawn and lost
by the higher level, and its lead in Elo with the 95 % interval. The games depend on seed and nodes alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import chess

from boomslang.cli.lab.match.match_game import Referee
from boomslang.cli.lab.match.opening import Opening, by_chance, by_rules
from boomslang.cli.terminal.arguments import whole_number
from boomslang.engine.engine import Engine
from boomslang.engine.levels.ladder import MAX_ELO, MIN_ELO
from boomslang.engine.levels.sight import plain
from boomslang.engine.limits import Limits
from boomslang.engine.selfplay.pentanomial import Pentanomial

_LEVELS: Final = (600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400)
_MAX_COUNT: Final = 1_000_000


def play(players: tuple[Engine, Engine], opening: Opening, limits: Limits) -> int:
    """A game from an opening, White first; 1, 0 or -1 for White."""
    for player in players:
        player.new_game()
    board, referee = opening.board(), Referee()
    ended = by_rules(board)
    while ended is None:
        player = players[0 if board.turn else 1]
        player.set_position(board)
        result = player.go(limits)
        assert result.best and result.info
        points = round(plain(result.info.score))
        white = points if board.turn == chess.WHITE else -points
        board.push(result.best)
        ended = by_rules(board) or referee.adjudicate(white, len(board.move_stack))
    return ended[0]


def match(
    levels: tuple[int, int], games: int, limits: Limits, opening: Callable[[int], Opening]
) -> Pentanomial:
    """Pairs of games between two levels, each pair from one opening; counted for the first level."""
    scored = Pentanomial()
    with (
        Engine(Hash=16, UCI_LimitStrength=True) as one,
        Engine(Hash=16, UCI_LimitStrength=True) as other,
    ):
        for engine, level in zip((one, other), levels, strict=True):
            engine.set_option("UCI_Elo", level)
        for number in range(games // 2):
            begun = opening(number)
            results = list[int]()
            for sides, sign in (((one, other), 1), ((other, one), -1)):
                for side, engine in enumerate((one, other)):
                    engine.set_option("Random Seed", 4 * number + 2 * (sign < 0) + side + 1)
                results.append(sign * play(sides, begun, limits))
            scored.add(tuple(results))
    return scored


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--levels", type=whole_number(MIN_ELO, MAX_ELO), nargs="+", default=_LEVELS, metavar="ELO")
    for name, least, value, text in (
        ("--games", 2, 40, "for each step (40)"),
        ("--nodes", 1, 10_000, "most nodes of a search (10,000)"),
        ("--seed", 0, 1, "of the openings (1)"),
    ):
        add(name, type=whole_number(least, _MAX_COUNT), default=value, metavar="N", help=text)
    arguments = parser.parse_args(argv)
    opening = by_chance(arguments.seed)
    print("levels         games   won drawn  lost   Elo", flush=True)
    for low, high in pairwise(arguments.levels):
        scored = match((high, low), arguments.games, Limits(nodes=arguments.nodes), opening)
        won, drawn, lost = scored.games
        elo, error = scored.elo()
        within = "?" if error is None else f"{error:.0f}"
        print(
            f"{high:4d} - {low:4d} {sum(scored.games):9d} {won:5d} {drawn:5d} {lost:5d}"
            f"   {elo:+.0f} ± {within}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
