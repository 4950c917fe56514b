"""What a thread needs to probe; a part of every search, so it is apart from the records of the tables."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import I
from boomslang.core.board.position import MOVE_LIST, POSITION
from boomslang.core.jit.jit import record_type
from boomslang.engine.tablebases.geometry import MAX_PIECES

LEVELS: Final = MAX_PIECES + 1  # two moves, and captures until the kings are left
UNKNOWN: Final = I(1 << 20)  # instead of a result or a distance: no table, or damaged, or not open

PROBE: Final = np.dtype(
    [
        ("position", POSITION, (LEVELS,)),  # first, where cache lines begin
        ("moves", MOVE_LIST, (LEVELS,)),
        ("squares", "u8", (MAX_PIECES,)),
        ("tables", "u8"),  # address of the TABLES record
        ("result", "i8"),  # result of the position whose distance was wanted last
        ("best_is_zeroing", "i8"),  # 1: in the position that was resolved last such a move is best
        ("is_rounded", "i8"),  # 1: the last distance is in whole moves, and may be a ply too short
    ],
    align=True,
)

probe_t: Any = record_type(PROBE)
Probe: TypeAlias = Any  # a record of PROBE
