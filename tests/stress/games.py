"""`make games`: games of the engine against itself at short controls, every word of it checked.

    python -m tests.stress.games --games 3000 --at-once 2
    python -m tests.stress.games --games 300 --control "movetime 50"

Controls are mixed: 1+0.01, 2+0.02, 10 moves in 2 seconds, 50 ms a move, and one node a move. An illegal
move, a lost clock (`--margin` milliseconds are forgiven), an answer that does not come, a process that
ends, or a line of thinking with an illegal move or another first move than the one played is a finding;
with any, the exit status is 1. Both engines of a game live on from game to game.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Final

import chess

from tests.stress.talks import Conversation, FindingError, ThroughPipes

_MAX_PLIES: Final = 300  # plies; then the game is a draw
_OPENING: Final = 8  # random plies


@dataclass(slots=True)
class Clock:
    """A time control in milliseconds, and what is left of it."""

    name: str
    go: str = ""  # a command without clocks
    base: float = 0.0
    increment: float = 0.0
    moves: int = 0  # until the base is added again; 0: never
    weight: int = 1  # how many games are played so


CONTROLS: Final = (
    Clock("1+0.01", base=1000, increment=10, weight=6),
    Clock("2+0.02", base=2000, increment=20, weight=2),
    Clock("10 moves in 2 s", base=2000, moves=10, weight=1),
    Clock("movetime 50", go="go movetime 50", weight=2),
    Clock("nodes 1", go="go nodes 1", weight=9),
)
_MOVETIME: Final = 50


class Side:
    """One engine with its clock."""

    def __init__(self) -> None:
        self.talk = ThroughPipes("uci")
        Conversation(self.talk, "uci").warm()
        self.left = 0.0

    def send(self, line: str) -> None:
        self.talk.send(f"{line}\n".encode())


def play(white: Side, black: Side, control: Clock, source: random.Random, margin: float) -> str:
    """One game; returns its result. Raises FindingError."""
    board = chess.Board()
    while len(board.move_stack) < _OPENING and any(board.legal_moves):
        board.push(source.choice(list(board.legal_moves)))
    sides = {chess.WHITE: white, chess.BLACK: black}
    for side in sides.values():
        side.left = control.base
        side.send("ucinewgame\nisready")
        side.talk.until("readyok$")
    for ply in itertools.count():
        if board.is_game_over(claim_draw=True) or ply > _MAX_PLIES:
            return board.result(claim_draw=True)
        side = sides[board.turn]
        moved = ply // 2
        if control.moves and moved and moved % control.moves == 0:
            side.left += control.base
        to_go = control.moves - moved % control.moves if control.moves else 0
        board.push(_move(board, side, sides, control, to_go, margin))
    raise AssertionError("a game without end")


def _move(
    board: chess.Board,
    side: Side,
    sides: dict[chess.Color, Side],
    control: Clock,
    to_go: int,
    margin: float,
) -> chess.Move:
    """What the engine answers, checked; its clock is moved on."""
    command = control.go
    if not command:
        white, black = (max(1, int(sides[colour].left)) for colour in (chess.WHITE, chess.BLACK))
        step = int(control.increment)
        command = f"go wtime {white} btime {black} winc {step} binc {step}"
        command += f" movestogo {to_go}" if to_go else ""
    moves = " ".join(move.uci() for move in board.move_stack)
    side.send(f"position startpos moves {moves}")
    begun = time.perf_counter()
    side.send(command)
    lines = side.talk.until("bestmove ")
    spent = (time.perf_counter() - begun) * 1000
    where = f"{control.name}, ply {board.ply()}, {board.fen()}"
    if "wtime" in command:
        side.left -= spent
        if side.left < -margin:
            raise FindingError(f"takes {spent:.0f} ms, {-side.left:.0f} too many: {where}")
        side.left += control.increment
    elif "movetime" in command and spent > _MOVETIME + max(margin, _MOVETIME):
        raise FindingError(f"takes {spent:.0f} ms: {where}")
    words = lines[-1].split()
    move = chess.Move.from_uci(words[1])
    if move not in board.legal_moves:
        raise FindingError(f"plays {words[1]}: {where}")
    shown = [line for line in lines if " pv " in line]
    if not shown or shown[-1].split(" pv ")[1].split()[0] != words[1]:
        raise FindingError(f"shows {shown[-1:]} and plays {words[1]}: {where}")
    for line in shown:
        _check_line(board, line, where)
    after = board.copy(stack=False)
    after.push(move)
    if len(words) > 3 and chess.Move.from_uci(words[3]) not in after.legal_moves:
        raise FindingError(f"ponders on {words[3]}: {where}")
    return move


def _check_line(board: chess.Board, line: str, where: str) -> None:
    after = board.copy(stack=False)
    for text in line.split(" pv ")[1].split():
        if chess.Move.from_uci(text) not in after.legal_moves:
            raise FindingError(f"illegal {text} in {line}: {where}")
        after.push(chess.Move.from_uci(text))


_pair: list[Side] = []  # the two engines of this process


def play_number(job: tuple[int, int, float, Clock]) -> tuple[str, str]:
    """Play a game with the engines of this process; its control and what was found (empty: nothing).

    Games at the same time run in processes of their own: threads of one process wait until the lines
    of the other games are checked, and the engine is blamed for it. The engines are replaced after a
    finding, and end when the process does.
    """
    number, seed, margin, control = job
    source = random.Random(f"{seed} {number}")
    try:
        if not _pair:
            _pair.extend((Side(), Side()))
        white, black = source.sample(_pair, 2)
        play(white, black, control, source, margin)
    except (
        FindingError,
        LookupError,
        ValueError,
    ) as finding:  # the latter: no move, or half a line
        end(_pair)
        _pair.clear()
        return control.name, f"game {number}: {finding!r}"
    return control.name, ""


def end(sides: list[Side]) -> None:
    """End these engines."""
    for side in sides:
        side.talk.process.__exit__(None, None, None)


def mix_of(names: list[str]) -> list[Clock]:
    """The controls of these names, all if there are none, each as often as its weight says."""
    chosen = [control for control in CONTROLS if not names or control.name in names]
    return [control for control in chosen for _ in range(control.weight)]


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200, metavar="N", help="(200)")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    names = [control.name for control in CONTROLS]
    parser.add_argument(
        "--control", action="append", default=[], choices=names, help="only these (all, mixed)"
    )
    parser.add_argument("--margin", type=float, default=0.0, metavar="MS", help="(0)")
    arguments = parser.parse_args()
    mix = mix_of(arguments.control)
    jobs = [
        (number, arguments.seed, arguments.margin, mix[number % len(mix)])
        for number in range(arguments.games)
    ]
    findings: list[str] = []
    played: Counter[str] = Counter()
    begun = time.monotonic()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, arguments.at_once), mp_context=context) as pool:
        for name, finding in pool.map(play_number, jobs):
            played[name] += 1
            if finding:
                findings.append(finding)
                print(finding, flush=True)
            if played.total() % 50 == 0:
                print(f"{played.total()} games, {time.monotonic() - begun:.0f} s", flush=True)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(*(f"{name}: {number} games" for name, number in played.items()), sep="\n")
    print(f"{len(findings)} findings", *findings, sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
