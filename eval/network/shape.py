"""The architecture of the network, its memory layout, and its meaning.

Each side has 768 inputs for pieces, one for every colour, kind and square of a piece *from that side's
view*: its own colour first, its own back rank below, and mirrored if necessary so that its own king stands
on the files e to h. An input is 1 if such a piece stands there, else 0. So the first layer only adds up the
weights of the pieces on the board: the *accumulator*, one for each side, updated by every move
instead of being added up anew.

An accumulator has HIDDEN numbers, which are clipped to 0..1, squared and weighted by the output layer,
the side to move first; that is the positional part. BUCKETS more go straight to the output, one for
each stage of the game: the material part. The stage (`bucket`) depends on the number of pieces on the
board. In addition, THREATS kinds of threats are counted for each side, see
`eval.network.threat_counts`: the threats part.

A threatened piece sets a second input: its square once more, in one of STATES groups by its least
valuable attacker and by whether it is defended, see `eval.network.threatened_pieces`. A move changes
too many of these for an update, so each evaluation finds them anew and adds their weights to the
accumulator as it reads it. They add nothing to the material part.

With both sums a (own) and b (the opponent's), threats t, in floating-point numbers:

    positional = output_bias[k] + sum_i screlu(a_i) * output[k, 0, i] + screlu(b_i) * output[k, 1, i]
    material = a_(HIDDEN + k) - b_(HIDDEN + k)
    threats = sum_i t[0, i] * threat[k, 0, i] + t[1, i] * threat[k, 1, i]
    score in centipawns, for the side to move = scale * (positional + material + threats)

where screlu(x) = clip(x, 0, 1) ** 2, and the sigmoid of the sum of the three parts is the expected result.
In memory all are integers: see the factors below. The squared clipped rectifier is after the engines Seer
and Stormphrax, the clipping that makes 16 bits sufficient after Stockfish's NNUE (Nasu 2018).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.jit.jit import record_type

INPUTS: Final = 768  # (colour * 6 + piece type) * 64 + square, colour 0 is the own one
HIDDEN: Final = 512
BUCKETS: Final = 8  # by the number of pieces on the board: 2..4, 5..8, ... 29..32
THREATS: Final = 12  # kinds of threats counted for each side
# States of a threatened piece: 2 * least valuable attacker (of three kinds) + defended.
STATES: Final = 6
REST: Final = 16  # last numbers of an accumulator: BUCKETS of material, the others are unused
ROW: Final = HIDDEN + REST  # numbers of an accumulator

ONE_INPUT: Final = 255  # 1.0 in `threatened` and in the first HIDDEN numbers of `bias`, `input`
ONE_MATERIAL: Final = 1600  # 1.0 in the others: quarters of a centipawn at a scale of 400
ONE_THREAT: Final = 12800  # 1.0 in `threat`: 32nds of a centipawn, up to ten pawns
ONE_OUTPUT: Final = 256  # 1.0 in `output`
ONE_SCORE: Final = ONE_INPUT * ONE_OUTPUT  # 1.0 in `output_bias`

MAX_WEIGHT: Final = 1.98  # maximum |weight| in `input` (without material)

# Default for centipawns of 1.0, at which the odds are e : 1; a training may set another.
SCALE: Final = 400


NETWORK: Final = np.dtype(
    [
        ("input", "i2", (INPUTS, ROW)),
        ("threatened", "i1", (STATES * INPUTS, HIDDEN)),  # row of input `state * INPUTS + input`
        ("output", "i2", (BUCKETS, 2, HIDDEN)),  # own accumulator, the opponent's
        ("bias", "i2", (ROW,)),
        ("threat", "i2", (BUCKETS, 2, THREATS)),  # those of the side to move, of the other
        ("output_bias", "i4", (BUCKETS,)),
        ("scale", "i4"),  # centipawns of 1.0
    ],
    align=True,
)
network_t: Any = record_type(NETWORK)
Network: TypeAlias = Any  # a record of NETWORK
