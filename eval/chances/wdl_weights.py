"""The coefficients of `eval.chances.wdl`, by powers of material / 78, and its scale.

Learnt from the engine's own games; PAWN is the score that wins half of the games with the
material of move 32, 40 on average.

Data:     397710 positions of 4934 games, SHA-256 of the records
          397fe473aaf1b35cc4b09436cee43efac473c3e8de027b68f45f2737ad1ce6e9
Results:  0.3300 won by White, 0.3449 drawn, 0.3251 lost
Loss:     0.654241
Command:  boomslang fit-wdl games-2.bin --out eval/chances/wdl_weights.py
"""

from __future__ import annotations

from typing import Final

MIDPOINT: Final = (628.761, -2521.151, 3873.320, -1927.250)  # centipawns
SPREAD: Final = (214.511, -784.184, 1482.196, -805.316)
MATERIALS: Final = (4, 78)  # beyond these, the nearest counts
PAWN: Final = 94.570  # centipawns of the search, shown as +1.00
