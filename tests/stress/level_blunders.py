"""Blunders of the levels of limited strength in games of people, beside those of the people themselves.

    python -m tests.stress.level_blunders --pgn rated.pgn

Every second move from move 5 on, with the level's search. A move is a blunder if its line is worse than the
best one by 150 centipawns and more; positions where the best one is beyond 700 do not count. The first rows
are the players, by their ratings in the file; the others are the levels, in all positions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess

from boomslang.engine.engine import Engine
from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.levels.ladder import MIN_ELO, Level, level_of_elo
from boomslang.engine.levels.sight import Sight, plain
from boomslang.engine.limits import Info, Limits
from boomslang.engine.notation.pgn import read_games
from tests.stress.levels import found

_LEVELS: Final = (600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400)
_FIRST: Final = 8  # plies that are left out
_DECIDED: Final = 700  # centipawns
_BLUNDER: Final = 150
_BAND: Final = 200  # rating points


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of a game, the move of the player and the lines of a search."""

    rating: int
    board: chess.Board
    played: chess.Move
    lines: list[Info]
    sight: Sight

    def is_blunder(self, move: chess.Move) -> bool:
        """True if the move is much worse than the best one."""
        scores = {line.pv[0]: plain(line.score) for line in self.lines}
        return max(scores.values()) - scores[move] >= _BLUNDER


def moments(path: Path, engine: Engine) -> Iterator[Moment]:
    """The positions of the games that count."""
    level = level_of_elo(MIN_ELO)
    for entry in read_games(path, main_line=True):
        headers = entry.game.headers
        ratings = {chess.WHITE: headers.get("WhiteElo"), chess.BLACK: headers.get("BlackElo")}
        board = entry.game.board()
        for ply, played in enumerate(entry.game.mainline_moves()):
            rating = ratings[board.turn]
            if ply >= _FIRST and ply // 2 % 2 == 0 and rating and board.legal_moves.count() > 1:
                here = board.copy(stack=False)
                engine.new_game()
                lines = found(engine, here, Limits(nodes=level.nodes), level.lines)
                best = max(plain(line.score) for line in lines)
                if abs(best) <= _DECIDED and played in (line.pv[0] for line in lines):
                    yield Moment(int(rating), here, played, lines, Sight(here, lines))
            board.push(played)


def share(of: Iterable[Moment], move: Callable[[Moment], chess.Move]) -> str:
    """The number of positions, and the share of blunders among the moves that are chosen there."""
    blunders = [moment.is_blunder(move(moment)) for moment in of]
    return f"{len(blunders):6d}  {sum(blunders) / max(1, len(blunders)):.3f}"


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--pgn", type=Path, required=True, metavar="FILE", help="games with ratings"
    )
    parser.add_argument("--levels", type=int, nargs="+", default=_LEVELS, metavar="ELO")
    arguments = parser.parse_args()
    with Engine(Hash=1) as engine:
        every = list(moments(arguments.pgn, engine))
    print("              moves  blunders")
    for low in sorted({moment.rating // _BAND * _BAND for moment in every}):
        band = [moment for moment in every if 0 <= moment.rating - low < _BAND]
        print(f"people {low:4d}  {share(band, lambda moment: moment.played)}")
    handicap = Handicap()
    handicap.reseed("1")
    for elo in arguments.levels:
        level = level_of_elo(elo)

        def choice(moment: Moment, level: Level = level) -> chess.Move:
            return handicap.choose(level, moment.board, moment.lines, moment.sight).pv[0]

        print(f"level  {elo:4d}  {share(every, choice)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
