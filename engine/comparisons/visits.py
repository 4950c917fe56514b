"""Nodes that alpha-beta visits in full binary trees with numbered leaves, and a published table of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import ONE, I, U
from boomslang.core.board.position import new_record
from boomslang.core.board.splitmix import STEP, mix
from boomslang.core.jit.jit import i64, kernel, record_type, u64

ORDERS: Final = "ascending", "descending", "random"  # of the leaves
# By height: negamax, alpha-beta with ascending and descending leaves, and two draws of random ones.
PUBLISHED: Final = {
    21: (4294303, 43009, 33792, (184829, 175851)),
    22: (8388607, 67585, 47104, (294300, 385755)),
    23: (16777215, 94209, 73728, (552554, 511948)),
    24: (33554431, 147457, 102400, (607157, 1102531)),
    25: (67108863, 204801, 159744, (1842752, 1273529)),
    26: (134227727, 319489, 221184, (1573976, 2748010)),
}
TREE: Final = np.dtype([(name, "i8") for name in ("height", "order", "seed", "visited")])
tree_t: Any = record_type(TREE)


@kernel(i64(tree_t, i64, u64, i64, i64))
def visit(tree: Any, depth: np.int64, at: np.uint64, alpha: np.int64, beta: np.int64) -> np.int64:
    """Value of a node `depth` edges above the leaves, within the window; adds to `tree.visited`."""
    tree.visited += I(1)
    if depth == I(0):
        number = (I(1) << tree.height) - I(at) if tree.order == I(1) else I(at) + I(1)
        if tree.order == I(2):
            number = I(mix((at + (U(tree.seed) << U(32))) * STEP) >> U(32))
        return max(alpha, min(beta, number if tree.height & I(1) == I(0) else -number))
    for child in (at << ONE, at << ONE | ONE):
        if alpha < beta:
            alpha = max(alpha, -visit(tree, depth - I(1), child, -beta, -alpha))
    return min(alpha, beta)


def count_visits(height: int, order: str, seed: int = 0) -> tuple[int, int]:
    """Nodes visited, with root and leaves, and the value of the tree. Kernels must be loaded."""
    tree = new_record(TREE)
    tree.height, tree.order, tree.seed, tree.visited = height, ORDERS.index(order), seed, 0
    value = visit(tree, I(height), U(0), -I(1 << 40), I(1 << 40))
    return int(tree.visited), int(value)
