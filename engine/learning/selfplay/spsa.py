"""Tuning the search parameters by games: simultaneous perturbation (SPSA).

All parameters are perturbed at once, each up or down at random. Two players, one with these perturbations
and one with the opposite ones, play some pairs of games, and all parameters move a little towards the
winner. So the number of games does not depend on the number of parameters. After Spall ("Multivariate
stochastic approximation using a simultaneous perturbation gradient approximation", 1992); the gains follow
the schedule of Stockfish's test framework.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

from boomslang.core.system.files import read_text, write_whole
from boomslang.engine.errors import CommandError
from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspaces, ParameterValues
from boomslang.engine.learning.selfplay.pentanomial import Games
from boomslang.engine.learning.selfplay.selfplay_settings import SpsaPlan
from boomslang.engine.search.params import BY_NAME

Values = dict[str, int]

_SHIFT_DECAY: Final = 0.101  # Spall's gamma and alpha
_MOVE_DECAY: Final = 0.602
_STABILITY: Final = 0.1  # stability constant of the step size, as a share of all iterations

_MAX_STATE: Final = 1 << 20  # bytes


@dataclass(slots=True)
class SpsaState:
    """The progress of a tuning; the values are not rounded."""

    values: dict[str, float]
    iteration: int = 0
    # Wins, draws, losses of the first set.
    games: list[int] = field(default_factory=lambda: [0, 0, 0])


class Spsa:
    """The optimiser, independent of chess: get a `proposal`, then call `learn` with its result."""

    def __init__(self, plan: SpsaPlan, state: SpsaState | None = None) -> None:
        self.plan = plan
        self.state = state or SpsaState({name: float(BY_NAME[name].default) for name in plan.names})

    def proposal(self) -> tuple[Values, Values]:
        """The two sets of values to compare in this iteration."""
        shift, _ = self._gains()
        signs = self._signs()
        return self._round(shift, signs), self._round(-shift, signs)

    def learn(self, points: float) -> None:
        """Update the values; `points` is won less lost games of the first set of the proposal."""
        _, move = self._gains()
        state = self.state
        for name, sign in zip(self.plan.names, self._signs(), strict=True):
            param = BY_NAME[name]
            value = state.values[name] + sign * move * points * param.step
            state.values[name] = min(max(value, param.low), param.high)
        state.iteration += 1

    def result(self) -> Values:
        """The current values, rounded."""
        return self._round(0.0, self._signs())

    def _gains(self) -> tuple[float, float]:
        """The perturbation, and the change per point; both in steps."""
        now, end = self.state.iteration + 1, max(self.plan.iterations, 1)
        held = _STABILITY * end
        shift = max(end / now, 1.0) ** _SHIFT_DECAY
        return shift, self.plan.rate * ((held + end) / (held + now)) ** _MOVE_DECAY / shift

    def _signs(self) -> list[int]:
        source = random.Random(f"{self.plan.seed} {self.state.iteration}")  # noqa: S311
        return [source.choice((-1, 1)) for _ in self.plan.names]

    def _round(self, shift: float, signs: Iterable[int]) -> Values:
        values = {}
        for name, sign in zip(self.plan.names, signs, strict=True):
            param = BY_NAME[name]
            value = math.floor(self.state.values[name] + sign * shift * param.step + 0.5)
            values[name] = min(max(value, param.low), param.high)
        return values


def tune(spsa: Spsa, workers: int) -> Iterator[Games]:
    """Play one iteration after the other; yields its games once the state is updated.

    Every pair of games starts with cleared tables and its own random numbers, so the result does not depend
    on the number of `workers`. Kernels must be loaded.
    """
    plan, state = spsa.plan, spsa.state
    with MatchWorkspaces(plan.nodes, plan.seed, workers) as arenas:
        while state.iteration < plan.iterations:
            one, other = (ParameterValues(values) for values in spsa.proposal())
            first = state.iteration * plan.pairs
            pairs = arenas.play(one, other, range(first, first + plan.pairs))
            games = tuple(chain.from_iterable(pairs))
            spsa.learn(sum(games))
            for game in games:
                state.games[1 - game] += 1
            yield games


def save(path: Path, spsa: Spsa) -> None:
    """Write plan and state to a JSON file; raises FileError."""
    text = json.dumps({"plan": spsa.plan.header(), "state": asdict(spsa.state)}, indent=2)
    write_whole(path, f"{text}\n")


def load(path: Path) -> Spsa:
    """Read a file written by `save`. Raises ValueError if it is unreadable or any other file."""
    try:
        kept_state = json.loads(read_text(path, _MAX_STATE))
        plan = SpsaPlan(**kept_state["plan"])
        state = SpsaState(**kept_state["state"])
        is_sound = (
            len(state.games) == 3
            and all(type(n) is int and n >= 0 for n in (state.iteration, *state.games))
            and all(map(math.isfinite, state.values.values()))
        )
    except (
        AttributeError, KeyError, TypeError, OverflowError, RecursionError, CommandError
    ) as problem:  # fmt: skip
        raise ValueError(f"not a state of the tuner: {problem}") from None
    if not is_sound:
        raise ValueError("not a state of the tuner: a number is invalid")
    if set(state.values) != set(plan.names):
        raise ValueError("values and names do not match")
    return Spsa(plan, state)
