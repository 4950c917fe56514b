"""The tree of Monte Carlo tree search: how it lies in memory, is walked, proven and cut back.

All nodes stand in one array that is never grown. The children of a node are neighbours and stand
behind it, so that the tree can be cut back in place. Node 0 is the root.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import DRAW, MATE_IN_MAX, NO_SCORE, ONE, ZERO, I, U
from boomslang.core.board.position import MAX_MOVES
from boomslang.core.jit.jit import jit, kernel, record_type, u64, void

# `average` is for the player whose move leads here: the parent chooses.
NODE: Final = np.dtype(
    [
        ("first", "u4"),  # index of the first child
        ("parent", "u4"),  # or NOWHERE: this node and its siblings are to be removed
        ("visits", "u4"),
        ("average", "f4"),  # expected score: 1 a win, 0 a loss
        ("solved", "i2"),  # proven score for the player to move, seen from here, or NO_SCORE
        ("move", "u2"),  # that leads here
        ("prior", "u2"),  # 65535 times the share of visits that it is expected to deserve
        ("count", "u1"),  # number of children, 0 as long as they are not there
        ("siblings", "u1"),  # number of children of the parent
    ],
    align=True,
)

# The numbers of the search; see DEFAULTS.
TREE: Final = np.dtype(
    [
        ("used", "u8"),  # nodes in use
        ("below", "i8"),  # the next line to be read is ranked below this, see `mcts.read_line`
        ("exploration", "f8"),
        ("first_play", "f8"),
        ("scale", "f8"),
        ("temperature", "f8"),
    ],
    align=True,
)

DEFAULTS: Final = {
    "exploration": 2.0,  # weight of the priors against the means
    "first_play": 0.2,  # how much worse than its parent an unvisited child is taken to be
    "scale": 200.0,  # centipawns that bring the odds from 1:1 to e:1
    "temperature": 250.0,  # centipawns that make a move e times as likely to be the best
}

node_t: Any = record_type(NODE)
tree_t: Any = record_type(TREE)
SearchTree: TypeAlias = Any  # a record of TREE
TreeNode: TypeAlias = Any  # a record of NODE
TreeNodes: TypeAlias = Any  # an array of NODE

NOWHERE: Final = U(0xFFFFFFFF)
MAX_VISITS: Final = 1 << 31
_CERTAIN = I(1 << 50)
FULL_PRIOR: Final = 65535.0


@jit
def clear_node(node: TreeNode, parent: np.uint64, move: np.uint64, siblings: np.uint64) -> None:
    """Make a node one that was never visited, in place."""
    node.first = ZERO
    node.parent = parent
    node.visits = ZERO
    node.average = 0.0
    node.solved = NO_SCORE
    node.move = move
    node.prior = ZERO
    node.count = ZERO
    node.siblings = siblings


@jit
def is_solved(node: TreeNode) -> bool:
    """True if the value of the node is proven."""
    return bool(I(node.solved) != NO_SCORE)


@jit
def select(tree: SearchTree, nodes: TreeNodes, index: np.uint64) -> np.uint64:
    """Index of the child to visit next: the one with the best upper confidence bound.

    The bound is that of AlphaZero (PUCT): mean + exploration * prior * sqrt(visits of the parent) /
    (1 + own visits). Children that are proven to lose are left out; proven draws compete.
    """
    parent = nodes[index]
    first = U(parent.first)
    seen = 0.0
    for number in range(parent.count):
        child = nodes[first + U(number)]
        if child.visits > 0:
            seen += child.prior / FULL_PRIOR
    unvisited = 1.0 - parent.average - tree.first_play * sqrt(seen)
    spread = tree.exploration * sqrt(1.0 * parent.visits) / FULL_PRIOR
    best = first
    highest = -1e9
    for number in range(parent.count):
        place = first + U(number)
        child = nodes[place]
        if is_solved(child) and I(child.solved) >= MATE_IN_MAX:
            continue
        bound = spread * child.prior / (1.0 + child.visits)
        bound += child.average if child.visits > 0 else unvisited
        if bound > highest:
            highest = bound
            best = place
    return best


@jit
def back_up(nodes: TreeNodes, index: np.uint64, value: float) -> None:
    """Add a visit to a node and all above it, in place; `value` is for the player who moved to it."""
    while True:
        node = nodes[index]
        visits = U(node.visits) + ONE
        node.visits = visits
        node.average += (value - node.average) / I(visits)
        if index == ZERO:
            return
        index = U(node.parent)
        value = 1.0 - value


@jit
def one_ply_up(score: np.int64) -> np.int64:
    """A proven score as seen by the player one ply above; the mate is one ply further off."""
    if score >= MATE_IN_MAX:
        return I(1) - score
    if score <= -MATE_IN_MAX:
        return -I(1) - score
    return -score


@jit
def prove(nodes: TreeNodes, index: np.uint64) -> None:
    """The node has been solved: solve what follows from it above, in place.

    One reply that mates is a win; without one, all replies must be known (Winands, Bjornsson and
    Saito, "Monte-Carlo Tree Search Solver", 2008).
    """
    while index != ZERO:
        index = U(nodes[index].parent)
        parent = nodes[index]
        best = -NO_SCORE
        unknown = False
        for number in range(parent.count):
            child = nodes[U(parent.first) + U(number)]
            if is_solved(child):
                best = max(best, one_ply_up(I(child.solved)))
            else:
                unknown = True
        if unknown and best < MATE_IN_MAX:
            return
        parent.solved = best


@jit
def worth(node: TreeNode) -> np.int64:
    """By this siblings are ranked: mates given first, those suffered last, the others by visits."""
    solved = I(node.solved)
    if is_solved(node) and abs(solved) >= MATE_IN_MAX:
        return -solved - _CERTAIN if solved > 0 else _CERTAIN - solved
    return I(node.visits) * I(1 << 16) + I(node.prior)


@jit
def _remove_blocks(tree: SearchTree, nodes: TreeNodes, fewest: np.int64) -> None:
    """Remove the children of all nodes with less than `fewest` visits, in place.

    Children stand behind their parents, so one pass from front to back meets every parent, which
    by then is in its new place, before its children.
    """
    read = ONE
    write = ONE
    while read < tree.used:
        size = U(nodes[read].siblings)
        parent = U(nodes[read].parent)
        keep = parent != NOWHERE
        if keep and I(nodes[parent].visits) < fewest:
            keep = False
            nodes[parent].count = ZERO
        if keep:
            nodes[parent].first = write
        for number in range(size):
            node = nodes[read + U(number)]
            grandchildren = U(node.first)
            if keep:
                for other in range(node.count):
                    nodes[grandchildren + U(other)].parent = write
                nodes[write] = node
                write += ONE
            elif node.count > 0:
                nodes[grandchildren].parent = NOWHERE
        read += size
    tree.used = write


@jit
def make_room(tree: SearchTree, nodes: TreeNodes) -> None:
    """If the array is full, forget what was visited least until half of it is free, in place."""
    if tree.used + U(MAX_MOVES) <= U(nodes.size):
        return
    fewest = I(1)
    kept = U(nodes.size)
    while kept > U(nodes.size) // U(2):
        fewest *= I(2)
        kept = ONE
        for number in range(tree.used):
            node = nodes[U(number)]
            if I(node.visits) >= fewest:
                kept += U(node.count)
    _remove_blocks(tree, nodes, fewest)


@kernel(void(tree_t, node_t[::1], u64))
def promote(tree: SearchTree, nodes: TreeNodes, child: np.uint64) -> None:
    """Make a child of the root the new root, in place, and remove all that does not hang on it.

    Proven draws are forgotten: a repetition of what now lies before the root must come twice.
    """
    for number in range(tree.used):
        node = nodes[U(number)]
        if I(node.solved) == DRAW:
            node.solved = NO_SCORE
    nodes[U(nodes[ZERO].first)].parent = NOWHERE
    nodes[ZERO] = nodes[child]
    nodes[child].count = ZERO
    root = nodes[ZERO]
    for number in range(root.count):
        nodes[U(root.first) + U(number)].parent = ZERO
    _remove_blocks(tree, nodes, I(0))
