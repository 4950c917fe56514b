"""The memory of one search thread, as one structured record.

A kernel gets the whole record as a single pointer; `search.killers[ply, 0]` reads like Python and
costs one load. Nothing is allocated while searching.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.board.position import MOVE_LIST, POSITION, RULES
from engine.constants import MAX_PLY
from engine.jit import record_type

MAX_HISTORY: Final = 256  # earlier positions of the game that a repetition may reach back to
_PLIES: Final = MAX_PLY + 4

SEARCH: Final = np.dtype(
    [
        ("stop", "i8"),  # set from outside or by a limit: unwind at once
        ("stoppable", "i8"),  # 0 during the first iteration: there must be an answer
        ("nodes", "i8"),  # positions entered by a move so far, quiescence included
        ("node_limit", "i8"),
        ("deadline", "i8"),  # clock_ns() at which to stop, or NO_DEADLINE
        ("next_poll", "i8"),  # node count at which to look at the limits again
        ("selective_depth", "i8"),  # deepest ply reached in this iteration
        ("root_index", "i8"),  # where the root's key stands in `keys`
        ("root_first", "i8"),  # root moves before this one are lines already reported (MultiPV)
        ("root_count", "i8"),
        ("root_partial", "i8"),  # 1 if some legal root moves are left out
        ("root_best", "i8"),  # index of the best root move of this iteration, or -1
        ("root_score", "i8"),  # its score
        ("root_move", "u2", (256,)),
        ("pv_length", "i8", (_PLIES,)),
        ("pv", "u2", (_PLIES, _PLIES)),  # principal variation from each ply on
        ("killers", "u2", (_PLIES, 2)),  # quiet moves that refuted a sibling
        ("history", "i4", (2, 64, 64)),  # how well a quiet move did, by colour, from, to
        ("keys", "u8", (MAX_HISTORY + _PLIES,)),  # Zobrist keys of the game, then of the line
        ("position", POSITION, (_PLIES,)),
        ("moves", MOVE_LIST, (_PLIES,)),
        ("rules", RULES),
    ],
    align=True,
)

search_t: Any = record_type(SEARCH)

NO_DEADLINE: Final = np.int64(2**63 - 1)
NO_LIMIT: Final = np.int64(2**63 - 1)
POLL_INTERVAL: Final = np.int64(512)  # nodes between two looks at the clock
