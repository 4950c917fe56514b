"""Profile of a search: a build in which some functions measure their own time.

With BOOMSLANG_PROFILE=1 `jit.py` puts a stopwatch around each function of PARTS. Time that one of them
spends in another counts only for the other. The stopwatch takes time too, which is measured at the end
and reported separately. One thread only, and nothing is kept in the kernel cache, because the code
contains addresses of this process.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from boomslang.core.jit.instructions import record_at, ticks

PROFILED: Final = os.environ.get("BOOMSLANG_PROFILE") == "1"

# The measured functions, by module and name. Several functions may form one part.
PARTS: Final = {
    "boomslang.core.board.movegen.generate": "move generation",
    "boomslang.core.board.movegen.generate_noisy": "move generation, captures only",
    "boomslang.core.board.makemove.make_move": "making moves",
    "boomslang.core.board.see.see_at_least": "static exchange evaluation",
    "boomslang.engine.search.ordering.score_moves": "move ordering",
    "boomslang.engine.search.history.update_histories": "histories, learning",
    "boomslang.engine.search.history.update_by_evaluation_difference": "histories, learning",
    "boomslang.engine.search.history.note_attacked": "histories, attacked squares",
    "boomslang.engine.search.transposition.probe": "transposition table",
    "boomslang.engine.search.transposition.store": "transposition table",
    "boomslang.engine.search.evaluation.evaluate": "evaluation, around the network",
    "boomslang.eval.network.accumulator.bring_up_to_date": "network, first layer",
    "boomslang.eval.network.forward.positional": "network, second layer",
    "boomslang.eval.network.accumulator.find_threatened": "network, threatened pieces",
    "boomslang.eval.network.threat_counts.count_threats": "network, threat counts",
    "boomslang.eval.network.forward.threats": "network, threats part",
}
_NAMES: Final = tuple(dict.fromkeys(PARTS.values()))
_MAX_PARTS: Final = 32

_STOPWATCH: Final = np.dtype(
    [
        ("spent", "i8"),  # by functions that have returned to the running one
        ("own", "i8", (_MAX_PARTS,)),  # by part
        ("calls", "i8", (_MAX_PARTS,)),
    ]
)
_memory: Any = np.zeros(1, _STOPWATCH)
_EMPTY: Final = _MAX_PARTS - 1  # the part of the function that measures the stopwatch


@dataclass(frozen=True, slots=True)
class Part:
    """The cost of a part in ticks; `own` excludes other parts and the stopwatch."""

    name: str
    calls: int
    own: float


def is_part(func: Callable[..., Any]) -> bool:
    """True if a function is measured in this build."""
    return PROFILED and f"{func.__module__}.{func.__qualname__}" in PARTS


def time_function(func: Callable[..., Any], compiled: Any) -> Any:
    """A function that calls `compiled` and measures it, to be compiled in place of `func`."""
    part = _NAMES.index(PARTS[f"{func.__module__}.{func.__qualname__}"])
    return _wrap(func, compiled, part)


def _wrap(func: Callable[..., Any], compiled: Any, part: int) -> Any:
    names = ", ".join(inspect.signature(func).parameters)
    source = f"""
def measured({names}):
    watch = at(address)
    before = watch.spent
    begun = ticks()
    result = compiled({names})
    taken = ticks() - begun
    watch.own[part] += taken - (watch.spent - before)
    watch.calls[part] += one
    watch.spent = before + taken
    return result
"""
    known: dict[str, Any] = {
        "at": record_at(_STOPWATCH),
        "address": np.uint64(_memory.ctypes.data),
        "ticks": ticks,
        "compiled": compiled,
        "part": np.uint64(part),
        "one": np.int64(1),
    }
    exec(source, known)  # noqa: S102 - the text above
    measured = known["measured"]
    measured.__module__, measured.__qualname__ = func.__module__, func.__qualname__
    measured.__doc__ = func.__doc__
    return measured


def now(compile_it: Callable[[Any], Any]) -> int:
    """The tick counter; `compile_it` compiles a function that Python calls."""
    return int(compile_it(_read)())


def _read() -> Any:
    return ticks()


def reset() -> None:
    """Set all measurements to zero."""
    _memory[:] = 0


def nothing(number: Any) -> Any:
    """An empty function, by which the stopwatch itself is measured."""
    return number


def parts(compile_it: Callable[[Any], Any]) -> tuple[list[Part], float]:
    """The cost of all parts since `reset`, and the ticks that their stopwatches took.

    `compile_it` compiles a helper, or a function that Python calls. Call it once.
    """
    counts = [(int(_memory["own"][0, i]), int(_memory["calls"][0, i])) for i in range(len(_NAMES))]
    inside, outside = _of_stopwatch(compile_it)
    found = [
        Part(name, calls, max(0.0, own - calls * inside))
        for name, (own, calls) in zip(_NAMES, counts, strict=True)
    ]
    return found, sum(calls for _, calls in counts) * (inside + outside)


def _of_stopwatch(compile_it: Callable[[Any], Any]) -> tuple[float, float]:
    """Ticks of an empty measurement: those that it counts, and those that count for its caller."""
    measured = compile_it(_wrap(nothing, compile_it(nothing), _EMPTY))

    def repeat(times: Any) -> Any:
        number = times
        begun = ticks()
        while number > 0:
            number = measured(number) - 1
        return ticks() - begun

    rounds = 1_000_000
    run = compile_it(repeat)
    run(1)
    reset()
    all_of_it = int(run(rounds)) / rounds
    inside = int(_memory["own"][0, _EMPTY]) / rounds
    return inside, max(0.0, all_of_it - inside)
