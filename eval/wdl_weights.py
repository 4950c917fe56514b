"""The coefficients of `eval.wdl`, by powers of material / 78, and its scale.

Learnt from the engine's own games; PAWN is the score that wins half of the games with the
material of move 32, 38 on average.

Data:     460738 positions of 5934 games, SHA-256 of the records
          c36863f5f0803cdc6b2e0a2f7dc97494944e24581616e9c70d400f73b0452859
Results:  0.3329 won by White, 0.3198 drawn, 0.3473 lost
Loss:     0.653408
Command:  boomslang fit-wdl games.bin --out eval/wdl_weights.py
"""

from __future__ import annotations

from typing import Final

MIDPOINT: Final = (549.226, -2136.822, 3238.952, -1591.934)  # centipawns
SPREAD: Final = (210.402, -756.095, 1428.369, -765.563)
MATERIALS: Final = (4, 78)  # beyond these, the nearest counts
PAWN: Final = 92.882  # centipawns of the search, shown as +1.00
