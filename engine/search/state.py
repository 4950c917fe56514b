"""The memory of one search thread, as one structured record.

A kernel gets the whole record as a single pointer; `search.killers[ply]` reads like Python and costs
one load. Nothing is allocated while searching.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import PLIES
from boomslang.core.board.position import MOVE_LIST, POSITION, RULES
from boomslang.core.jit.jit import record_type
from boomslang.engine.search.params import TABLE
from boomslang.engine.tablebases.probe_record import PROBE
from boomslang.eval.classical.terms import EVALUATOR
from boomslang.eval.network.accumulator import ACCUMULATORS

MAX_HISTORY: Final = 256  # earlier positions of the game that a repetition may reach back to
CORRECTION_SIZE: Final = 16384  # entries of each correction history, a power of two

PARAMS: Final = np.dtype([(param.name, "i8") for param in TABLE], align=True)

ROOT_FIELDS: Final[list[str]] = []  # of SEARCH: what other threads get a copy of


def _root(name: str, *kind: Any) -> tuple[Any, ...]:
    """A field about the root; the others are a thread's own memory."""
    ROOT_FIELDS.append(name)
    return name, *kind


SEARCH: Final = np.dtype(
    [
        ("accumulators", ACCUMULATORS),  # first, where cache lines begin
        ("stop", "i8"),  # set from outside or by a limit: unwind at once
        ("stoppable_from", "i8"),  # node count before which no stop is obeyed
        ("nodes", "i8"),  # positions entered by a move so far, quiescence included
        ("node_limit", "i8"),
        ("deadline", "i8"),  # clock_ns(thread_clock) at which to stop, or NO_DEADLINE
        ("thread_clock", "i8"),  # 1: only the time counts in which this thread has the processor
        ("next_poll", "i8"),  # node count at which to look at the limits again
        _root("generation", "u8"),  # number of this search, for the age of table entries
        ("selective_depth", "i8"),  # deepest ply reached in this iteration
        ("root_depth", "i8"),  # depth of this iteration
        _root("root_index", "i8"),  # where the root's key stands in `keys`
        _root("root_first", "i8"),  # earlier root moves are lines reported already (MultiPV)
        _root("root_count", "i8"),
        _root("root_partial", "i8"),  # 1 if some root moves are left out, or reported one by one
        ("root_best", "i8"),  # index of the best root move of this iteration, or -1
        ("root_score", "i8"),  # its score
        _root("root_move", "u2", (256,)),
        _root("root_nodes", "i8", (256,)),  # nodes spent on each root move in this search
        _root("params", PARAMS),
        ("pv_length", "i8", (PLIES,)),
        ("pv", "u2", (PLIES, PLIES)),  # principal variation from each ply on
        ("static", "i8", (PLIES,)),  # corrected static evaluation, or NO_SCORE in check
        _root("excluded", "u2", (PLIES,)),  # move left out while its singularity is tested
        # Piece * 64 + target of the move from each ply; NOTHING if null.
        _root("played", "u8", (PLIES,)),
        ("moved", "u2", (PLIES,)),  # the same move itself; 0 if null
        ("checking", "u8", (6,)),  # squares that check, by piece type, while moves are ordered
        ("threatening", "u8", (6,)),  # squares from which a piece attacks a dearer one, likewise
        _root("extensions", "i8", (PLIES,)),  # second plies of extension along the line
        ("null_from", "i8"),  # no null move before this ply, while one is verified; else 0
        _root("killers", "u2", (PLIES,)),  # the last quiet move that refuted a sibling
        _root("reduction", "i2", (2, 64, 64)),  # quiet or noisy, depth, number: hundredths
        # Squares that the opponent attacks, where quiet moves are ordered: `attacks_by_value`.
        ("attacked", "u8", (PLIES, 4)),
        # How well a quiet move did, by from-to, colour, and whether it leaves or enters such squares.
        ("history", "i2", (8, 4096)),
        ("capture_history", "i2", (768, 6)),  # the same of captures, by piece-target and victim
        # How well a quiet move answered the move one ply and two plies before, by piece-target twice.
        ("continuation", "i2", (2, 769, 768)),
        ("pawn_history", "i2", (512, 768)),  # how well it did by pawn structure, and piece-target
        ("counter_moves", "u2", (769,)),  # the last quiet refutation, by piece-target before
        # What the search found the static evaluation to miss, 1/256 centipawns, by key of
        # pawns, White's pieces, Black's pieces, and side to move; then by the last move.
        ("correction", "i4", (3, 2, CORRECTION_SIZE)),
        ("correction_move", "i4", (2, 769)),
        _root("keys", "u8", (MAX_HISTORY + PLIES,)),  # Zobrist keys of the game, then of the line
        ("position", POSITION, (PLIES,)),
        ("moves", MOVE_LIST, (PLIES,)),
        _root("rules", RULES),
        _root("network", "u8"),  # address of the NETWORK record; all searches share it
        _root("classical", "i8"),  # 1: the classical evaluation is used
        _root("evaluator", EVALUATOR),
        # Tablebases, see `engine.search.tb_bounds`.
        _root("tb_pieces", "i8"),  # most pieces on the board for a probe; 0: none
        _root("tb_depth", "i8"),  # least depth for a probe with that many pieces, plies
        # Results up to this one, 1 or 0, are draws: 1 if the fifty-move rule counts.
        _root("tb_draw", "i8"),
        ("tb_hits", "i8"),  # successful probes of this search
        _root("tb_probe", "u8"),  # address of the kernel that probes
        ("probe", PROBE),
    ],
    align=True,
)

search_t: Any = record_type(SEARCH)
SearchState: TypeAlias = Any  # a record of SEARCH


@cache
def _structure() -> Any:
    layout: Any = SEARCH
    return np.ctypeslib.as_ctypes_type(layout)


def fields_of(search: SearchState) -> Any:
    """The fields of a SEARCH record for plain Python: the same memory, as whole numbers.

    To look at a field of a record takes Python microseconds, and at one of these a fiftieth of that: what
    is asked for at every iteration goes this way. Numbers that are too large are cut without a word.
    `search` must come from `new_record`; raises TypeError for a copy or a part of another record.
    """
    fields = _structure().from_buffer(search.data)
    fields.record = search
    return fields


NOTHING: Final = np.uint64(768)  # in `played`: no move, or a null move
NO_DEADLINE: Final = np.int64(2**63 - 1)
NO_LIMIT: Final = np.int64(2**63 - 1)
FIRST_NODES: Final = np.int64(20000)  # that the first iteration may take unstopped, for an answer
POLL_INTERVAL: Final = np.int64(512)  # nodes between two looks at the clock
