"""Monte Carlo tree search, compiled: grow the tree where it looks best, evaluate by quiescence search.

One visit follows the best upper confidence bounds from the root to a position that is new, evaluates
it, and adds the result to all nodes on the way. Instead of random games as in
`engine.textbook.mcts` there is the quiescence search, and instead of equal chances every move gets a
prior from what move ordering knows (Rosin 2011; Silver and others, "AlphaZero", 2017).
"""

from __future__ import annotations

from math import exp, log

import numpy as np

from boomslang.core.board.constants import DRAW, INFINITE, MATE, MAX_PLY, NO_SCORE, ONE, ZERO, I, U
from boomslang.core.board.draws import FIFTY_MOVES
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.see import see_at_least
from boomslang.core.jit.jit import boolean, i64, jit, kernel, u64, void
from boomslang.engine.search.evaluation import evaluate
from boomslang.engine.search.history import piece_target
from boomslang.engine.search.mcts_tree import (
    FULL_PRIOR,
    SearchTree,
    TreeNodes,
    back_up,
    clear_node,
    is_solved,
    make_room,
    node_t,
    one_ply_up,
    prove,
    select,
    tree_t,
    worth,
)
from boomslang.engine.search.node import is_drawn
from boomslang.engine.search.polling import count_node, is_stopped
from boomslang.engine.search.quiescence import quiescence
from boomslang.engine.search.state import SearchState, search_t
from boomslang.engine.search.transposition import TranspositionTable, move_of, probe

MAX_TREE_PLY = I(MAX_PLY - 32)  # plies of tree; quiescence search needs room below
BEST = I(1 << 62)  # for `tree.below`: start with the best line
_LIKELIEST = I(300)  # centipawns that a prior may speak for or against a move
_LOSES_MATERIAL = I(150)
_CHECKS = I(120)
_TABLE_MOVE = I(100)


@jit
def _step(search: SearchState, ply: np.int64, move: np.uint64) -> None:
    """Make `move` on the next level of the stack, in place; only new positions are counted."""
    here = U(ply)
    search.position[here + ONE] = search.position[here]
    search.played[here] = piece_target(search.position[here], move)
    make_move(search.rules, search.position[here + ONE], move)
    search.keys[U(search.root_index + ply + 1)] = search.position[here + ONE].key


@jit
def _outcome(search: SearchState, ply: np.int64) -> np.int64:
    """Score of a finished game for the player to move, else NO_SCORE; generates the moves, in place."""
    position = search.position[U(ply)]
    moves = search.moves[U(ply)]
    if ply == 0:
        moves.count = U(search.root_count)
        for number in range(search.root_count):
            moves.move[U(number)] = search.root_move[U(number)]
        return NO_SCORE
    generate(search.rules, position, moves)
    if moves.count == ZERO:
        return -MATE if position.checkers != ZERO else DRAW
    if U(position.halfmoves) >= FIFTY_MOVES or is_drawn(search, ply):
        return DRAW
    return NO_SCORE


@jit
def _promise(search: SearchState, ply: np.int64, move: np.uint64, static: np.int64) -> np.int64:
    """What a move seems to gain at first sight, centipawns; plays it on the next level."""
    position = search.position[U(ply)]
    child = search.position[U(ply + 1)]
    _step(search, ply, move)
    gain = min(max(-evaluate(search, ply + I(1)) - static, -_LIKELIEST), _LIKELIEST)
    if not see_at_least(search.rules, position, move, I(0)):
        gain = min(gain, I(0)) - _LOSES_MATERIAL
    return gain + _CHECKS if child.checkers != ZERO else gain


@jit
def _expand(
    search: SearchState,
    table: TranspositionTable,
    tree: SearchTree,
    nodes: TreeNodes,
    index: np.uint64,
    ply: np.int64,
) -> None:
    """Give the node its children, in place, for the moves that `_outcome` has generated."""
    position = search.position[U(ply)]
    moves = search.moves[U(ply)]
    static = evaluate(search, ply)
    known = move_of(probe(table, position.key))
    first = U(tree.used)
    highest = -INFINITE
    for number in range(moves.count):
        move = U(moves.move[U(number)])
        score = _promise(search, ply, move, static)
        if move == known:
            score += _TABLE_MOVE
        highest = max(highest, score)
        child = nodes[first + U(number)]
        clear_node(child, index, move, moves.count)
        child.average = score  # for a moment
    total = 0.0
    for number in range(moves.count):
        child = nodes[first + U(number)]
        child.average = exp((child.average - highest) / tree.temperature)
        total += child.average
    for number in range(moves.count):
        child = nodes[first + U(number)]
        child.prior = U(I(FULL_PRIOR * child.average / total))
        child.average = 0.0
    nodes[index].first = first
    nodes[index].count = moves.count
    tree.used += moves.count


@jit
def _chances(score: np.int64, scale: float) -> float:
    """Expected score, 0 to 1, that goes with a score in centipawns."""
    return 1.0 / (1.0 + exp(-score / scale))


@jit
def _visit(
    search: SearchState, table: TranspositionTable, tree: SearchTree, nodes: TreeNodes
) -> None:
    """Go down to a new position, evaluate it and update all nodes above, in place."""
    index = ZERO
    ply = I(0)
    value = 0.5  # for the player to move at the end of the path
    while True:
        node = nodes[index]
        if not is_solved(node) and node.count == 0:
            outcome = _outcome(search, ply)
            if outcome != NO_SCORE:
                node.solved = outcome
                prove(nodes, index)
            elif node.visits == 0 or ply >= MAX_TREE_PLY:
                score = quiescence(search, table, ply, -INFINITE, INFINITE)
                if is_stopped(search):
                    return
                value = _chances(score, tree.scale)
                break
            else:
                _expand(search, table, tree, nodes, index, ply)
        if is_solved(node):
            value = _chances(I(node.solved), tree.scale)
            break
        index = select(tree, nodes, index)
        _step(search, ply, U(nodes[index].move))
        ply += I(1)
        search.selective_depth = max(search.selective_depth, ply)
    back_up(nodes, index, 1.0 - value)


@kernel(void(search_t, u64[::1], tree_t, node_t[::1], i64))
def grow(
    search: SearchState,
    table: TranspositionTable,
    tree: SearchTree,
    nodes: TreeNodes,
    visits: np.int64,
) -> None:
    """Visit the tree `visits` times, in place, unless it is solved or the search stopped before."""
    if tree.used == ZERO:
        clear_node(nodes[ZERO], ZERO, ZERO, ONE)
        tree.used = ONE
    for _ in range(visits):
        if is_stopped(search) or is_solved(nodes[ZERO]):
            return
        make_room(tree, nodes)
        count_node(search)
        _visit(search, table, tree, nodes)


@jit
def _rank(nodes: TreeNodes, place: np.uint64) -> np.int64:
    """The worth of a node, made different from that of all its siblings."""
    return worth(nodes[place]) * I(256) - (I(place) & I(255))


@jit
def _best_child(nodes: TreeNodes, index: np.uint64, below: np.int64) -> np.uint64:
    """The most trusted child that is ranked below `below`; 0 if there is none."""
    node = nodes[index]
    best = ZERO
    for number in range(node.count):
        place = U(node.first) + U(number)
        if _rank(nodes, place) < below and (
            best == ZERO or _rank(nodes, place) > _rank(nodes, best)
        ):
            best = place
    return best


@kernel(boolean(search_t, tree_t, node_t[::1]))
def read_line(search: SearchState, tree: SearchTree, nodes: TreeNodes) -> bool:
    """Put the best root move that is ranked below `tree.below`, its line and score into `search`.

    Changes `pv`, `root_best` (index of its node) and `root_score`, and `tree.below` so that the next
    call finds the next line. False if there is none.
    """
    index = _best_child(nodes, ZERO, I(tree.below))
    if index == ZERO:
        return False
    child = nodes[index]
    tree.below = _rank(nodes, index)
    search.root_best = I(index)
    if is_solved(child):
        search.root_score = one_ply_up(I(child.solved))
    else:
        mean = child.average if child.visits > 0 else 1.0 - nodes[ZERO].average
        mean = min(max(mean, 1e-6), 1.0 - 1e-6)
        search.root_score = I(tree.scale * log(mean / (1.0 - mean)))
    length = I(0)
    while index != ZERO and length < MAX_PLY:
        search.pv[ZERO, U(length)] = nodes[index].move
        length += I(1)
        index = _best_child(nodes, index, BEST)
        if index != ZERO and nodes[index].visits == 0:
            break
    search.pv_length[ZERO] = length
    return True
