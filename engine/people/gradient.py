"""The loss of the model of people's moves over positions, and its gradient."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.splitmix import mix
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import i64, jit, kernel, record_type, types, u64
from boomslang.engine.people.features import TRAIT_WORDS, mirror_words, words_t
from boomslang.engine.people.network import (
    BIAS,
    CONTEXTS,
    FIRST_CONTEXT,
    FULL,
    HIDDEN,
    INPUT,
    LANDING,
    LINE,
    LINE_BIAS,
    LINE_OF,
    MIX,
    NONE,
    OUT,
    PLACE,
    PLACE_BIAS,
    TRAIT,
    UNITS,
    F,
    H,
    K,
    PeopleWorkspace,
    add_up,
    find_context,
    floats_t,
    score_moves,
    traits_of,
    workspace_t,
)

# A position of a game, with the move that was played.
SAMPLE: Final = np.dtype(
    [
        ("start", "i8"),  # where its words begin
        ("rating", "i2"),  # of the mover
        ("ply", "i2"),  # in the game, from 0
        ("inputs", "u1"),
        ("moves", "u1"),
        ("played", "u1"),  # the number of the move
        ("speed", "u1"),  # numbers of the context
        ("time", "u1"),
        ("fold", "u1"),  # by the hash of the game: 0 and 1 are held out
    ],
    align=True,
)
samples_t: Any = types.Array(record_type(SAMPLE), 1, "C")
order_t: Any = types.Array(types.int64, 1, "C")
f64: Any = types.float64
f32: Any = types.float32

# Moves less likely than this are left out of the gradient by lot, and count more when they are not.
_RARE: Final = F(0.01)


@jit
def _drop(workspace: PeopleWorkspace, seed: np.uint64, share: Any) -> Any:
    """Set a share of `active` to 0 by lot, and raise the others, in place; returns their factor.

    What is learnt without a part of the hidden numbers depends less on what a single game happens to have:
    dropout, after Srivastava et al. (2014).
    """
    factor = FULL / (FULL - share)
    bound = U(share * F(256.0))
    for index in range(HIDDEN):
        kept = mix(seed + U(index)) >> U(56) >= bound
        workspace.active[U(index)] = workspace.active[U(index)] * factor if kept else NONE
    return factor


@jit
def _soften(workspace: PeopleWorkspace, moves: np.uint64) -> None:
    """Turn `scores` into chances, in place."""
    scores = workspace.scores
    best = scores[ZERO]
    for number in range(moves):
        best = max(best, scores[U(number)])
    total = NONE
    for number in range(moves):
        value = F(math.exp(scores[U(number)] - best))
        scores[U(number)] = value
        total += value
    for number in range(moves):
        scores[U(number)] /= total


@jit
def _go_back(
    words: Any,
    begin: np.uint64,
    moves: np.uint64,
    played: np.uint64,
    parameters: Any,
    gradient: Any,
    workspace: PeopleWorkspace,
    weight: Any,
    chance: np.uint64,
) -> None:
    """Add the gradient of the moves, in place, and leave the slopes of `active` and of `mixed`."""
    slopes, active, shared = workspace.slopes, workspace.active, workspace.unit_slopes
    for index in range(HIDDEN):
        slopes[U(index)] = NONE
    for unit in range(UNITS):
        shared[U(unit)] = NONE
    for number in range(moves):
        slope = workspace.scores[U(number)]
        if U(number) == played:
            slope -= FULL
        elif slope < _RARE:
            chance = mix(chance + U(number))
            if F(chance >> U(40)) * F(1.0 / (1 << 24)) * _RARE > slope:
                continue
            slope = _RARE
        slope *= weight
        move = U(words[begin + U(number)])
        line = LINE_OF[move & U(4095)]
        landing = (move >> U(12)) * U(64) + (move >> U(6) & U(63))
        a, b = LINE + line * H, PLACE + landing * H
        gradient[LINE_BIAS + line] += slope
        gradient[PLACE_BIAS + landing] += slope
        for index in range(HIDDEN):
            i = U(index)
            slopes[i] += slope * (parameters[a + i] + parameters[b + i])
            more = slope * active[i]
            gradient[a + i] += more
            gradient[b + i] += more
        units = workspace.units[U(number)]
        for unit in range(UNITS):
            value = units[U(unit)]
            gradient[OUT + U(unit)] += slope * (value if value > NONE else NONE)
            units[U(unit)] = slope * parameters[OUT + U(unit)] if value > NONE else NONE
            shared[U(unit)] += units[U(unit)]
        row = LANDING + landing * K
        for unit in range(UNITS):
            gradient[row + U(unit)] += units[U(unit)]
        left = traits_of(words, begin + moves + U(number) * U(TRAIT_WORDS))
        while left:
            row = TRAIT + lsb(left) * K
            for unit in range(UNITS):
                gradient[row + U(unit)] += units[U(unit)]
            left &= left - ONE


@jit
def _scatter(
    words: Any,
    start: np.uint64,
    inputs: np.uint64,
    parameters: Any,
    gradient: Any,
    workspace: PeopleWorkspace,
    factor: Any,
) -> None:
    """Add the gradient of what comes before the moves, in place."""
    slopes, active, shared = workspace.slopes, workspace.active, workspace.unit_slopes
    for unit in range(UNITS):
        slope = shared[U(unit)]
        row = MIX + U(unit) * H
        for index in range(HIDDEN):
            slopes[U(index)] += slope * parameters[row + U(index)]
            gradient[row + U(index)] += slope * active[U(index)]
        for number in range(4):
            context = CONTEXTS + workspace.rows[U(number)] * K + U(unit)
            gradient[context] += workspace.shares[U(number)] * slope
    for index in range(HIDDEN):
        inside = slopes[U(index)] * factor if active[U(index)] > NONE else NONE
        slopes[U(index)] = inside
        gradient[BIAS + U(index)] += inside
    for number in range(4):
        row = INPUT + (FIRST_CONTEXT + workspace.rows[U(number)]) * H
        share = workspace.shares[U(number)]
        for index in range(HIDDEN):
            gradient[row + U(index)] += share * slopes[U(index)]
    for number in range(inputs):
        row = INPUT + U(words[start + U(number)]) * H
        for index in range(HIDDEN):
            gradient[row + U(index)] += slopes[U(index)]


@kernel(
    f64(words_t, samples_t, order_t, i64, i64, i64, floats_t, floats_t, workspace_t, f32, f32, u64),
    relaxed=True,
)
def add_gradient(
    words: Any,
    samples: Any,
    order: Any,
    first: int,
    last: int,
    shift: int,
    parameters: Any,
    gradient: Any,
    workspace: PeopleWorkspace,
    weight: float,
    dropout: float,
    seed: int,
) -> float:
    """The sum of -log(chance of the move played) over samples; its gradient is added to `gradient`.

    The samples are those that `order` names from `first` to `last` - 1, with words from `start` - `shift` on.
    The gradient is multiplied by `weight`; `dropout` is the share of hidden numbers that are left out. `seed`
    decides which, and which rare moves the gradient leaves out.
    """
    loss = 0.0
    for number in range(first, last):
        sample = samples[U(order[U(number)])]
        start = U(sample.start - shift)
        inputs, moves, played = U(sample.inputs), U(sample.moves), U(sample.played)
        find_context(workspace, I(sample.rating), U(sample.speed), U(sample.time))
        add_up(parameters, words, start, inputs, workspace)
        chance = mix(U(seed) + U(number) * U(1024))
        factor = _drop(workspace, chance, F(dropout)) if dropout > NONE else FULL
        score_moves(parameters, words, start + inputs, moves, workspace)
        _soften(workspace, moves)
        loss -= math.log(max(f64(workspace.scores[played]), 1e-12))
        begin = start + inputs
        _go_back(words, begin, moves, played, parameters, gradient, workspace, weight, chance)
        _scatter(words, start, inputs, parameters, gradient, workspace, factor)
    return loss


@kernel(types.void(words_t, samples_t, i64, types.Array(types.uint8, 1, "C")))
def mirror_samples(words: Any, samples: Any, shift: int, chosen: Any) -> None:
    """Turn left and right of the chosen samples, in place, unless somebody may castle there."""
    for number in range(samples.size):
        if chosen[U(number)]:
            sample = samples[U(number)]
            start = U(sample.start - shift)
            mirror_words(words, start, U(sample.inputs), U(sample.moves))
