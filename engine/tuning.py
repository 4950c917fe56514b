"""Tuning the numbers of the search by games: simultaneous perturbation (SPSA).

All numbers are shifted at once, each up or down by chance; two players, one with these shifts and one
with the opposite ones, play some pairs of games; and all numbers move a little towards the winner. Two
sets of games say something about every number, however many there are. After Spall ("Multivariate
stochastic approximation using a simultaneous perturbation gradient approximation", 1992); the gains
are scheduled as Stockfish's test framework does it.
"""

from __future__ import annotations

import json
import math
import random
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import chess

from engine.files import read_text
from engine.limits import Limits, Result
from engine.player import Player
from engine.player import load as load_player
from engine.search.params import BY_NAME, TABLE

Values = dict[str, int]
Games = tuple[int, ...]  # 1, 0 or -1: won, drawn or lost by the player with the shifted numbers

TUNABLE: Final = tuple(param.name for param in TABLE if not param.is_switch)

_SHIFT_DECAY: Final = 0.101  # Spall's gamma and alpha
_MOVE_DECAY: Final = 0.602
_STABILITY: Final = 0.1  # part of all iterations by which the first moves are held back

_HASH_MB: Final = 4
_OPENING_PLIES: Final = (6, 7, 8, 9)
_BALANCED: Final = 80  # centipawns
_DECIDED: Final = 600  # centipawns, for so many plies
_DECIDED_PLIES: Final = 4
_DEAD_LEVEL: Final = 8  # centipawns, for so many plies ...
_DEAD_LEVEL_PLIES: Final = 8
_DEAD_LEVEL_FROM: Final = 80  # ... from this ply of the game on
_LONGEST: Final = 400  # plies
_LARGEST_STATE: Final = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Plan:
    """What to tune and how. Raises ValueError for a name that is not in the table."""

    names: tuple[str, ...] = TUNABLE
    iterations: int = 1000
    pairs: int = 8  # of games in each iteration, with colours reversed
    nodes: int = 5000  # for each move
    rate: float = 0.01  # steps that a number moves at the end for a game won more than lost
    seed: int = 1

    def __post_init__(self) -> None:
        for name in self.names:
            if name not in TUNABLE:
                raise ValueError(f"there is no number {name} to tune")


@dataclass(slots=True)
class State:
    """How far the tuning has come; the values are not rounded."""

    values: dict[str, float]
    iteration: int = 0
    games: list[int] = field(default_factory=lambda: [0, 0, 0])  # of the shifted: won, drawn, lost


class Spsa:
    """The arithmetic, which knows nothing of chess: ask for a `proposal`, then let it `learn`."""

    def __init__(self, plan: Plan, state: State | None = None) -> None:
        self.plan = plan
        self.state = state or State({name: float(BY_NAME[name].default) for name in plan.names})

    def proposal(self) -> tuple[Values, Values]:
        """The two sets of numbers to be compared in this iteration."""
        shift, _ = self._gains()
        signs = self._signs()
        return self._rounded(shift, signs), self._rounded(-shift, signs)

    def learn(self, points: float) -> None:
        """The first set of the proposal has won so many games more than it has lost."""
        _, move = self._gains()
        state = self.state
        for name, sign in zip(self.plan.names, self._signs(), strict=True):
            param = BY_NAME[name]
            value = state.values[name] + sign * move * points * param.step
            state.values[name] = min(max(value, param.low), param.high)
        state.iteration += 1

    def result(self) -> Values:
        """The numbers as they stand, rounded."""
        return self._rounded(0.0, self._signs())

    def _gains(self) -> tuple[float, float]:
        """How far to shift for a comparison, how far to move for a point; in steps."""
        now, end = self.state.iteration + 1, max(self.plan.iterations, 1)
        held = _STABILITY * end
        shift = max(end / now, 1.0) ** _SHIFT_DECAY
        return shift, self.plan.rate * ((held + end) / (held + now)) ** _MOVE_DECAY / shift

    def _signs(self) -> list[int]:
        source = random.Random(f"{self.plan.seed} {self.state.iteration}")  # noqa: S311
        return [source.choice((-1, 1)) for _ in self.plan.names]

    def _rounded(self, shift: float, signs: Iterable[int]) -> Values:
        values = {}
        for name, sign in zip(self.plan.names, signs, strict=True):
            param = BY_NAME[name]
            value = math.floor(self.state.values[name] + sign * shift * param.step + 0.5)
            values[name] = min(max(value, param.low), param.high)
        return values


class Arena:
    """Two players that meet again and again. Kernels must be loaded."""

    def __init__(self, nodes: int) -> None:
        self._limits = Limits(nodes=nodes)
        self._players = Player(_HASH_MB), Player(_HASH_MB)

    def play_pair(self, one: Values, other: Values, seed: str) -> Games:
        """Two games from one opening; the results are those of `one`, first with White."""
        for player, values in zip(self._players, (one, other), strict=True):
            player.set_parameters(values)
        first, second = self._players
        opening = self.opening(random.Random(seed))  # noqa: S311
        return self._play(first, second, opening), -self._play(second, first, opening)

    def opening(self, source: random.Random) -> chess.Board:
        """A position after some random moves that is about even."""
        judge = self._players[0]
        while True:
            board = chess.Board()
            for _ in range(source.choice(_OPENING_PLIES)):
                if moves := list(board.legal_moves):
                    board.push(source.choice(moves))
            judge.new_game()
            if not _is_over(board) and abs(_score(self._ask(judge, board))) <= _BALANCED:
                return board

    def _play(self, white: Player, black: Player, opening: chess.Board) -> int:
        """1 if White wins, -1 if Black does, 0 for a draw."""
        board = opening.copy()
        white.new_game()
        black.new_game()
        scores: list[int] = []  # of each ply, from White's view
        while not _is_over(board):
            result = self._ask(white if board.turn else black, board)
            if result.best is None:
                break
            scores.append(_score(result) if board.turn else -_score(result))
            board.push(result.best)
            if (verdict := _adjudicated(board.ply(), scores)) is not None:
                return verdict
        if board.is_checkmate():
            return -1 if board.turn else 1
        return 0

    def _ask(self, player: Player, board: chess.Board) -> Result:
        player.arm()
        return player.search(board, self._limits, lambda info: None)


def tune(spsa: Spsa, workers: int) -> Iterator[Games]:
    """Play one iteration after the other, yielding its games when the state has changed.

    Every pair of games starts from a clean memory and its own random numbers, so the number of
    `workers` does not change the result. Kernels must be loaded.
    """
    plan, state = spsa.plan, spsa.state
    with _play_all(plan.nodes, workers) as play:
        while state.iteration < plan.iterations:
            one, other = spsa.proposal()
            seeds = (f"{plan.seed} {state.iteration} {pair}" for pair in range(plan.pairs))
            games = tuple(chain.from_iterable(play([(one, other, seed) for seed in seeds])))
            spsa.learn(sum(games))
            for game in games:
                state.games[1 - game] += 1
            yield games


_Job = tuple[Values, Values, str]
_arena: Arena | None = None  # in a process that works for another


@contextmanager
def _play_all(nodes: int, workers: int) -> Iterator[Callable[[list[_Job]], list[Games]]]:
    """A function that plays pairs of games side by side.

    A process for each worker, as most of the time for a move of a few thousand nodes goes into Python,
    which threads would have to take in turns.
    """
    if workers == 1:
        arena = Arena(nodes)
        yield lambda jobs: [arena.play_pair(*job) for job in jobs]
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin_work, (nodes,))
    try:
        yield lambda jobs: list(pool.map(_work, jobs))
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_work(nodes: int) -> None:
    global _arena
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asked for the games gets it too
    load_player()
    _arena = Arena(nodes)


def _work(job: _Job) -> Games:
    if _arena is None:
        raise RuntimeError("this process has not begun to work")
    return _arena.play_pair(*job)


def save(path: Path, spsa: Spsa) -> None:
    """Write plan and state to a JSON file, whole or not at all."""
    text = json.dumps({"plan": asdict(spsa.plan), "state": asdict(spsa.state)}, indent=2)
    new = path.with_name(path.name + ".new")
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(path)


def load(path: Path) -> Spsa:
    """Read what `save` has written. Raises ValueError if it is something else, or unreadable."""
    try:
        kept = json.loads(read_text(path, _LARGEST_STATE))
        plan = Plan(**{**kept["plan"], "names": tuple(kept["plan"]["names"])})
        state = State(**kept["state"])
    except (KeyError, TypeError, RecursionError) as problem:
        raise ValueError(f"not a state of the tuner: {problem}") from None
    if set(state.values) != set(plan.names):
        raise ValueError("values and names do not match")
    return Spsa(plan, state)


def _score(result: Result) -> int:
    """Centipawns for the side that was to move; a mate is worth more than any."""
    if result.info is None:
        return 0
    score = result.info.score
    if score.centipawns is not None:
        return score.centipawns
    return 30_000 if (score.mate or 0) > 0 else -30_000


def _adjudicated(ply: int, scores: list[int]) -> int | None:
    """The result of a game whose outcome is clear from its last scores, or None."""
    last = scores[-_DECIDED_PLIES:]
    if len(last) == _DECIDED_PLIES:
        if min(last) >= _DECIDED:
            return 1
        if max(last) <= -_DECIDED:
            return -1
    level = [abs(score) for score in scores[-_DEAD_LEVEL_PLIES:]]
    dead = ply >= _DEAD_LEVEL_FROM and len(level) == _DEAD_LEVEL_PLIES
    return 0 if (dead and max(level) <= _DEAD_LEVEL) or ply >= _LONGEST else None


def _is_over(board: chess.Board) -> bool:
    return (
        not any(board.legal_moves)
        or board.halfmove_clock >= 100
        or board.is_insufficient_material()
        or board.is_repetition(3)
    )
