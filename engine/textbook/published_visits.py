"""A published table: nodes visited by negamax and by alpha-beta in full binary trees.

The trees have 21 to 26 edges from the root to a leaf. Their leaves are numbered 1 to 2^height from
left to right (ascending), from right to left (descending) or at random; the numbers are values for
the player at the root. Every visited node counts, root and leaves included. Alpha-beta is
fail-hard, with the full window at the root and a cut-off at value >= beta.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Published(NamedTuple):
    """A row of the table. Random leaves were tried twice; their distribution is not published."""

    negamax: int
    ascending: int
    descending: int
    random: tuple[int, int]


PUBLISHED: Final = {  # by height
    21: Published(4294303, 43009, 33792, (184829, 175851)),
    22: Published(8388607, 67585, 47104, (294300, 385755)),
    23: Published(16777215, 94209, 73728, (552554, 511948)),
    24: Published(33554431, 147457, 102400, (607157, 1102531)),
    25: Published(67108863, 204801, 159744, (1842752, 1273529)),
    26: Published(134227727, 319489, 221184, (1573976, 2748010)),
}


def full_tree(height: int, width: int = 2) -> int:
    """All nodes of a full tree, which minimax and negamax visit; 2^(height + 1) - 1 for width 2."""
    return sum(width**level for level in range(height + 1))


def least_visits(height: int, width: int = 2) -> int:
    """The fewest nodes that prove the value of a full tree.

    At each level b^ceil(level / 2) + b^floor(level / 2) - 1 nodes are critical, and alpha-beta
    visits no others when the best move comes first everywhere (Knuth and Moore, "An Analysis of
    Alpha-Beta Pruning", 1975, theorem 1 and its corollaries, summed over the levels).
    """
    return sum(
        width ** ((level + 1) // 2) + width ** (level // 2) - 1 for level in range(height + 1)
    )
