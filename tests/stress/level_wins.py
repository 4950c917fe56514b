"""The levels of limited strength on rated puzzles, and in wins that they must finish.

    python -m tests.stress.levels --puzzles rated.epd another.epd --part 2/2
    python -m tests.stress.levels --tables FOLDER --wins 50 --mates mates.epd

Puzzles are lines of EPD with a best move and a rating: `bm Re8+; c1 "rating 1493";`. A puzzle counts as
solved if the first move is a best move. The table has, for puzzles of a rating within 100 points, the share
that each level solves, and the level that solves half of them, with its standard error.

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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from typing import Final

import chess
import chess.syzygy

from boomslang.engine.engine import Engine
from boomslang.engine.levels.handicap import FINISHING, MATE, Handicap
from boomslang.engine.levels.ladder import MAX_ELO, MIN_ELO, Level, level_of_elo
from boomslang.engine.levels.sight import Sight
from boomslang.engine.limits import Info, Limits
from tests.support.perfect_defence import play_out
from tests.support.syzygy import random_board

_LEVELS: Final = (600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400)
_BANDS: Final = (600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400)
_BAND_RADIUS: Final = 100  # points of a band to each side
_SAMPLES: Final = 200  # of the puzzles, with repetition, for a standard error
_ENDINGS: Final = ("KQvK", "KRvK", "KBBvK", "KPvK")
_WON: Final = 2
_DEFENDING: Final = 20_000  # nodes for a move without tables
_MAX_PLIES: Final = 160  # plies of such a game


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle, and its rating."""

    board: chess.Board
    best: tuple[chess.Move, ...]
    rating: int


def puzzles(path: Path) -> Iterator[Puzzle]:
    """The rated puzzles of an EPD file; others are left out."""
    for line in path.read_text(encoding="utf-8").splitlines():
        board, operations = chess.Board.from_epd(line)
        rated = re.search(r"\brating (\d+)", line)
        best = operations.get("bm")
        if rated and isinstance(best, list):
            yield Puzzle(board, tuple(best), int(rated[1]))


def solved(engine: Engine, puzzle: Puzzle, levels: Sequence[int], seeds: int) -> list[float]:
    """The share of games in which each level finds the first move.

    Levels that search alike share the search: they differ in their choice alone.
    """
    handicap = Handicap()
    chances = list[tuple[Level, list[Info], Sight]]()
    for level in map(level_of_elo, levels):
        if chances and (chances[-1][0].nodes, chances[-1][0].lines) == (level.nodes, level.lines):
            _, lines, sight = chances[-1]
        else:
            engine.new_game()
            lines = found(engine, puzzle.board, Limits(nodes=level.nodes), level.lines)
            if not (lines[0].score.mate or 0) > 0:
                others = found(engine, puzzle.board, Limits(nodes=FINISHING, mate=MATE), 1)
                lines = others if others[0].score.mate == MATE else lines
            elif lines[0].score.mate == MATE:
                lines = lines[:1]
            sight = Sight(puzzle.board, lines)
        chances.append((level, lines, sight))
    won = [0] * len(levels)
    for seed in range(seeds):
        handicap.reseed(str(seed))
        for number, (level, lines, sight) in enumerate(chances):
            won[number] += handicap.choose(level, puzzle.board, lines, sight).pv[0] in puzzle.best
    return [count / seeds for count in won]


def found(engine: Engine, board: chess.Board, limits: Limits, lines: int) -> list[Info]:
    """The lines of the last depth that a search has finished."""
    engine.set_option("MultiPV", lines)
    engine.set_position(board)
    last = list[Info]()

    def listen(info: Info) -> None:
        if info.multipv == 1:
            last.clear()
        last.append(info)

    engine.go(limits, listen)
    return last


def half(levels: Sequence[int], shares: Sequence[float]) -> float:
    """The level that solves half, by interpolation; beyond the ends of the ladder if none does.

    The shares are made monotone first (pool adjacent violators).
    """
    blocks = list[tuple[float, int]]()
    for share in shares:
        blocks.append((share, 1))
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (low, many), (high, more) = blocks[-2:]
            blocks[-2:] = [((low * many + high * more) / (many + more), many + more)]
    smooth = [share for share, count in blocks for _ in range(count)]
    above = next((n for n, share in enumerate(smooth) if share >= 0.5), len(smooth))
    if above in (0, len(smooth)):
        return levels[0] if above == 0 else levels[-1]
    part = (0.5 - smooth[above - 1]) / (smooth[above] - smooth[above - 1])
    return levels[above - 1] + part * (levels[above] - levels[above - 1])


def measure(engine: Engine, rated: Sequence[Puzzle], levels: Sequence[int], seeds: int) -> None:
    """Print how the levels do on puzzles."""
    rows = [(puzzle.rating, solved(engine, puzzle, levels, seeds)) for puzzle in rated]
    print(f"{len(rows)} puzzles, {seeds} games each")
    print(
        "rating count  solved by "
        + " ".join(f"{level:5d}" for level in levels)
        + "  half solved by"
    )
    dice = random.Random(1)
    for band in _BANDS:
        part = [shares for rating, shares in rows if abs(rating - band) <= _BAND_RADIUS]
        if len(part) < 2:
            continue

        def level(sample: Sequence[list[float]]) -> float:
            return half(levels, [fmean(column) for column in zip(*sample, strict=True)])

        error = pstdev(level(dice.choices(part, k=len(part))) for _ in range(_SAMPLES))
        shares = " ".join(f"{fmean(column):5.2f}" for column in zip(*part, strict=True))
        print(f"{band:6d} {len(part):5d}            {shares}  {level(part):.0f} ± {error:.0f}")


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


def _part(text: str) -> tuple[int, int]:
    number, parts = map(int, text.split("/"))
    if not 1 <= number <= parts:
        raise ValueError(text)
    return number, parts


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--puzzles", type=Path, nargs="+", default=[], metavar="FILE")
    parser.add_argument(
        "--part",
        type=_part,
        default=(1, 1),
        metavar="K/N",
        help="each N-th puzzle from the K-th (1/1)",
    )
    parser.add_argument("--games", type=int, default=4, metavar="N", help="for each puzzle (4)")
    parser.add_argument(
        "--tables", type=Path, metavar="FOLDER", help="Syzygy tables of the endings"
    )
    parser.add_argument("--wins", type=int, default=50, metavar="N", help="of each ending (50)")
    parser.add_argument("--mates", type=Path, metavar="FILE", help="EPD with mates in 3")
    parser.add_argument("--levels", type=int, nargs="+", default=_LEVELS, metavar="ELO")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args()
    levels = [min(max(level, MIN_ELO), MAX_ELO) for level in arguments.levels]
    if arguments.puzzles:
        with Engine(Hash=1) as engine:
            rated = [puzzle for path in arguments.puzzles for puzzle in puzzles(path)]
            number, parts = arguments.part
            measure(engine, rated[number - 1 :: parts], levels, arguments.games)
    if arguments.tables:
        failed = win_all(arguments.tables, arguments.wins, arguments.mates, levels, arguments.seed)
        return 1 if failed else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
