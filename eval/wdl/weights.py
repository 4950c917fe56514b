"""The coefficients of `eval.wdl.conversion`, by powers of material / 78, and its scale.

Learnt from the engine's own games; PAWN is the score that wins half of the games with the
material of move 32, 42 on average.

Data:     150020 positions of 1789 games, SHA-256 of the records
          2e050dc94ab3342d748efa5653f7e9d8307bac601c79f95ca7ed8bf41bb26122
Results:  0.2929 won by White, 0.4392 drawn, 0.2679 lost
Loss:     0.567677
Command:  boomslang fit-wdl games.bin --out eval/wdl/weights.py
"""

from __future__ import annotations

from typing import Final

MIDPOINT: Final = (626.009, -2085.847, 2969.220, -1434.166)  # centipawns
SPREAD: Final = (122.098, -280.616, 658.111, -407.402)
MATERIALS: Final = (4, 78)  # beyond these, the nearest counts
PAWN: Final = 139.854  # centipawns of the search, shown as +1.00
