"""The jitted counters: how many move sequences of a given length a position has."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import MOVE_LIST, POSITION, Rules, rules_t
from boomslang.core.jit.jit import i64, kernel, record_type, types, u64

MAX_DEPTH: Final = 31

# One position and one move list for each ply from the root.
PERFT_STACK: Final = np.dtype(
    [("position", POSITION, (MAX_DEPTH + 1,)), ("moves", MOVE_LIST, (MAX_DEPTH + 1,))], align=True
)
stack_t: Any = record_type(PERFT_STACK)
PerftStack: TypeAlias = Any  # a record of PERFT_STACK
PerftTable: TypeAlias = Any  # uint64, see `new_table`

# A table entry is two words: (key ^ data, data). Two threads that write the same entry at once leave
# words that do not match, which reads as a miss (Robert Hyatt and Tim Mann, "A lock-less
# transposition table implementation for parallel search chess engines", 2002). The depth is folded
# into the key.
table_t: Any = types.Array(types.uint64, 1, "C")
_DEPTH_MIX: Final = U(0x9E3779B97F4A7C15)


@kernel(u64(rules_t, stack_t, u64, i64))
def perft(rules: Rules, stack: PerftStack, ply: np.uint64, depth: np.int64) -> np.uint64:
    """Number of legal move sequences of `depth` plies from `stack.position[ply]`.

    `depth` is at least 1. The last ply is not played, only counted. Everything of `stack` above the
    position at `ply` is overwritten.
    """
    position = stack.position[ply]
    moves = stack.moves[ply]
    generate(rules, position, moves)
    if depth <= I(1):
        return U(moves.count)
    total = ZERO
    following = ply + ONE
    child = stack.position[following]
    index = ZERO
    while index < moves.count:
        stack.position[following] = position
        make_move(rules, child, U(moves.move[index]))
        total += perft(rules, stack, following, depth - I(1))
        index += ONE
    return total


@kernel(u64(rules_t, stack_t, table_t, u64, i64))
def perft_hashed(
    rules: Rules, stack: PerftStack, table: PerftTable, ply: np.uint64, depth: np.int64
) -> np.uint64:
    """As `perft`, with sub-counts remembered in `table`.

    `table` is uint64[2 ** n], n > 0, zeroed when the castling squares of `rules` change; it is
    written in place and may be shared by threads.
    """
    position = stack.position[ply]
    moves = stack.moves[ply]
    if depth <= I(1):
        generate(rules, position, moves)
        return U(moves.count)
    key = position.key ^ (U(depth) * _DEPTH_MIX)
    entry = key & U(len(table) - 2)
    data = table[entry + ONE]
    if data != ZERO and table[entry] ^ data == key:
        return data
    generate(rules, position, moves)
    total = ZERO
    following = ply + ONE
    child = stack.position[following]
    index = ZERO
    while index < moves.count:
        stack.position[following] = position
        make_move(rules, child, U(moves.move[index]))
        total += perft_hashed(rules, stack, table, following, depth - I(1))
        index += ONE
    table[entry] = key ^ total
    table[entry + ONE] = total
    return total


def new_table(megabytes: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """An empty table for `perft_hashed`: a power of two words, at most `megabytes` MiB."""
    words = 1 << ((megabytes << 17).bit_length() - 1)
    return np.zeros(words, dtype=np.uint64)
