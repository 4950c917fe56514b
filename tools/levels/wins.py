"""Wins that the levels of limited strength must finish.

    python -m tools.levels.wins --tables FOLDER --wins 50 --mates mates.epd

Wins are random endings of queen, rook, two bishops or pawn against a king, and positions with a mate in
3 (`dm 3`, or the theme `mateIn3` of Lichess), played by each level within the fifty-move rule, against the
defence that holds out longest by the tables; where no tables have the position, against the engine at full
strength. Exit status 1: one was not won.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import chess
import chess.syzygy

from boomslang.engine.engine import Engine
from boomslang.engine.levels.handicap import MATE
from boomslang.engine.levels.ladder import MAX_ELO, MIN_ELO
from boomslang.engine.limits import Limits
from tests.support.perfect_defence import play_out
from tests.support.syzygy import random_board

_LEVELS: Final = (600, 800, 1000, 1200, 1400, 1600, 1800, 2000)
_ENDINGS: Final = ("KQvK", "KRvK", "KBBvK", "KPvK")
_WON: Final = 2
_DEFENDING: Final = 20_000  # nodes for a move without tables
_MAX_PLIES: Final = 160  # plies of such a game


def win_all(tables: Path, count: int, mates: Path | None, levels: Sequence[int], seed: int) -> int:
    """Play out the wins at each level; returns how many were not won."""
    failed = 0
    with Engine(Hash=4, UCI_LimitStrength=True) as engine, Engine(Hash=4) as defender:
        for elo in levels:
            engine.set_option("UCI_Elo", elo)
            said = list[str]()
            for name in _ENDINGS:
                starts = endings(tables, name, count, random.Random(seed))
                won = [
                    is_won(engine, board, lambda b: play_out(b, thinker(engine), tables))
                    for board in starts
                ]
                said.append(f"{name} {sum(won)} of {len(won)}")
                failed += len(won) - sum(won)
            if mates:
                starts = mates_in_3(mates, count)
                won = [
                    is_won(engine, board, lambda b: against(b, thinker(engine), defender))
                    for board in starts
                ]
                said.append(f"mates in 3 {sum(won)} of {len(won)}")
                failed += len(won) - sum(won)
            print(f"{elo}: won {', '.join(said)}", flush=True)
    return failed


def endings(tables: Path, name: str, count: int, dice: random.Random) -> list[chess.Board]:
    """Random won positions of an ending."""
    with chess.syzygy.open_tablebase(str(tables)) as oracle:
        found = list[chess.Board]()
        while len(found) < count:
            board = random_board(name, dice)
            if oracle.probe_wdl(board) == _WON:
                found.append(board)
    return found


def mates_in_3(path: Path, count: int) -> list[chess.Board]:
    """The first positions of a file with a mate in 3: `dm 3`, or a puzzle with that theme."""
    found = list[chess.Board]()
    for line in path.read_text(encoding="utf-8").splitlines():
        board, operations = chess.Board.from_epd(line)
        if operations.get("dm") == MATE or re.search(r"\bmateIn3\b", line):
            found.append(board)
    return found[:count]


def thinker(engine: Engine) -> Callable[[chess.Board], chess.Move]:
    """The moves of an engine."""

    def think(board: chess.Board) -> chess.Move:
        engine.set_position(board)
        best = engine.go(Limits(movetime=60_000)).best
        assert best
        return best

    return think


def against(
    board: chess.Board, think: Callable[[chess.Board], chess.Move], defender: Engine
) -> chess.Outcome | None:
    """Play a position without tables against an engine; None if it takes too long."""
    hero = board.turn
    defender.new_game()
    while not (
        outcome := board.outcome(claim_draw=board.is_repetition() or board.is_fifty_moves())
    ):
        if len(board.move_stack) >= _MAX_PLIES:
            return None
        if board.turn == hero:
            board.push(think(board))
        else:
            defender.set_position(board)
            best = defender.go(Limits(nodes=_DEFENDING)).best
            assert best
            board.push(best)
    return outcome


def is_won(
    engine: Engine, start: chess.Board, play: Callable[[chess.Board], chess.Outcome | None]
) -> bool:
    """True if the side to move wins from there; otherwise the position is printed."""
    engine.new_game()
    board = start.copy()
    outcome = play(board)
    if outcome and outcome.winner == start.turn:
        return True
    print(f"not won: {start.fen()}, {outcome.termination.name if outcome else 'too long'}")
    return False


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tables", type=Path, required=True, metavar="FOLDER", help="Syzygy tables of the endings"
    )
    parser.add_argument("--wins", type=int, default=50, metavar="N", help="of each ending (50)")
    parser.add_argument("--mates", type=Path, metavar="FILE", help="EPD with mates in 3")
    parser.add_argument("--levels", type=int, nargs="+", default=_LEVELS, metavar="ELO")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args()
    levels = [min(max(level, MIN_ELO), MAX_ELO) for level in arguments.levels]
    failed = win_all(arguments.tables, arguments.wins, arguments.mates, levels, arguments.seed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
