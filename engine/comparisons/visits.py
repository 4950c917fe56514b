"""Jitted counts of the nodes that negamax and alpha-beta visit in full binary trees.

The trees are not stored: a node is its depth and its index among the nodes of that depth, and the value of
a leaf follows from its index. `engine.textbook` has the same algorithms in readable form; here they only
count, so that trees of 100 million nodes take a second.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import ONE, I, U
from boomslang.core.board.position import new_record
from boomslang.core.jit.jit import i64, jit, kernel, record_type, u64

MAX_HEIGHT: Final = 30  # edges from the root to a leaf


class Leaves(IntEnum):
    """How the leaves are numbered 1 to 2^height, from left to right."""

    ASCENDING = 0
    DESCENDING = 1
    RANDOM = 2  # in random order; the numbers are distinct 32-bit numbers


class Algorithm(IntEnum):
    """The algorithm that visits the tree."""

    NEGAMAX = 0
    FAIL_HARD = 1
    FAIL_SOFT = 2


BINARY_TREE: Final = np.dtype(
    [("height", "i8"), ("leaves", "i8"), ("seed", "u8"), ("visited", "i8")], align=True
)
tree_t: Any = record_type(BINARY_TREE)

_ASCENDING: Final = I(Leaves.ASCENDING)
_DESCENDING: Final = I(Leaves.DESCENDING)
_INFINITE: Final = I(1 << 40)
_WORD: Final = U(0xFFFFFFFF)


@jit
def _mix(number: np.uint64) -> np.uint64:
    """Shuffle the 32-bit numbers (Chris Wellons, "Prospecting for Hash Functions", 2018)."""
    number = (number ^ (number >> U(16))) * U(0x7FEB352D) & _WORD
    number = (number ^ (number >> U(15))) * U(0x846CA68B) & _WORD
    return number ^ (number >> U(16))


@kernel(i64(tree_t, u64))
def _leaf(tree: Any, place: np.uint64) -> np.int64:
    """Value of a leaf for the player to move there.

    The numbers of the leaves are values for the player at the root. In a tree of odd height the opponent is
    to move at the leaves, so the sign changes.
    """
    if tree.leaves == _ASCENDING:
        number = I(place) + I(1)
    elif tree.leaves == _DESCENDING:
        number = (I(1) << tree.height) - I(place)
    else:
        number = I(_mix(_mix(tree.seed) ^ place)) + I(1)
    return number if tree.height & I(1) == I(0) else -number


@kernel(i64(tree_t, i64, u64))
def negamax(tree: Any, depth: np.int64, place: np.uint64) -> np.int64:
    """Value of a node `depth` edges above the leaves; adds to `tree.visited`."""
    tree.visited += I(1)
    if depth == I(0):
        return _leaf(tree, place)
    left = -negamax(tree, depth - I(1), place << ONE)
    right = -negamax(tree, depth - I(1), place << ONE | ONE)
    return max(left, right)


@kernel(i64(tree_t, i64, u64, i64, i64))
def fail_hard(
    tree: Any, depth: np.int64, place: np.uint64, alpha: np.int64, beta: np.int64
) -> np.int64:
    """As `negamax`, within a window: beta once a value reaches it, alpha if none exceeds it."""
    tree.visited += I(1)
    if depth == I(0):
        return _leaf(tree, place)
    child = place << ONE
    last = child | ONE
    while child <= last:
        value = -fail_hard(tree, depth - I(1), child, -beta, -alpha)
        if value >= beta:
            return beta
        alpha = max(alpha, value)
        child += ONE
    return alpha


@kernel(i64(tree_t, i64, u64, i64, i64))
def fail_soft(
    tree: Any, depth: np.int64, place: np.uint64, alpha: np.int64, beta: np.int64
) -> np.int64:
    """As `fail_hard`, but returns the best value seen, also outside the window."""
    tree.visited += I(1)
    if depth == I(0):
        return _leaf(tree, place)
    best = -_INFINITE
    child = place << ONE
    last = child | ONE
    while child <= last:
        best = max(best, -fail_soft(tree, depth - I(1), child, -beta, -max(alpha, best)))
        if best >= beta:
            return best
        child += ONE
    return best


def count_visits(
    algorithm: Algorithm, height: int, leaves: Leaves, seed: int = 0
) -> tuple[int, int]:
    """Nodes visited, the root and the leaves included, and the value of the tree for its root.

    `height` is 1 to MAX_HEIGHT; `seed` (32 bits) matters for random leaves only. The kernels must
    be loaded (`core.jit.jit.load_kernels`).
    """
    if not 1 <= height <= MAX_HEIGHT:
        raise ValueError(f"height {height} is not between 1 and {MAX_HEIGHT}")
    tree = new_record(BINARY_TREE)
    tree.height, tree.leaves, tree.seed, tree.visited = height, leaves, seed & 0xFFFFFFFF, 0
    if algorithm is Algorithm.NEGAMAX:
        value = negamax(tree, I(height), U(0))
    else:
        search = fail_hard if algorithm is Algorithm.FAIL_HARD else fail_soft
        value = search(tree, I(height), U(0), -_INFINITE, _INFINITE)
    return int(tree.visited), int(value)
