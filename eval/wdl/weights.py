"""The coefficients of `boomslang.eval.wdl.conversion`, by powers of material / 78, and its scale.

Learnt from the engine's own games; PAWN is the score that wins half of the games with the
material of move 32, 44 on average.

Data:     150029 positions of 1628 games, SHA-256 of the records
          c84825910b94f8f28691d081463c91037a5fafa00554d25c133ae9fd68b3d922
Results:  0.2379 won by White, 0.5301 drawn, 0.2320 lost
Loss:     0.490401
Command:  boomslang fit-wdl games.bin --out eval/wdl/weights.py
"""

from __future__ import annotations

from typing import Final

MIDPOINT: Final = (704.776, -2263.199, 3325.871, -1655.389)  # centipawns
SPREAD: Final = (125.587, -364.809, 841.758, -496.657)
MATERIALS: Final = (4, 78)  # beyond these, the nearest counts
PAWN: Final = 189.282  # centipawns of the search, shown as +1.00
