"""What is recorded of a search is what the search has done."""

from __future__ import annotations

import random
from dataclasses import replace
from math import inf
from typing import Any

import chess
import pytest

from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures, fail_soft, settle_at_once
from boomslang.engine.textbook.chess_game import ChessGame, captures_first
from boomslang.engine.textbook.game import NodeCounter, SearchOutcome
from boomslang.engine.textbook.minimax import minimax
from boomslang.engine.textbook.quiescence import extend_forced, quiesce
from boomslang.engine.textbook.recorded import Recorder
from boomslang.engine.textbook.trees import Tree
from boomslang.engine.textbook.twentytwo import TwentyTwo
from tests.support.trees import random_tree

POSITIONS = [
    chess.STARTING_FEN,
    "4k2r/7p/pq6/8/1pQ1P3/5PP1/PB1r1R1P/R5K1 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
]


def in_order(game: Any, moves: Any) -> Any:
    return captures_first(game.game, moves)


PLANS = [
    AlphaBetaFeatures[Any](),
    AlphaBetaFeatures[Any](order=in_order),
    AlphaBetaFeatures[Any](order=in_order, extend=extend_forced, settle=quiesce),
]


def searched(
    game: Any, plan: AlphaBetaFeatures[Any], depth: int
) -> tuple[Recorder[Any], SearchOutcome, int]:
    recorder: Recorder[Any] = Recorder()
    plan = replace(plan, counter=NodeCounter())
    found = fail_soft(recorder.watch(game), plan, depth)
    recorder.finish()
    return recorder, found, plan.counter.nodes


@pytest.mark.parametrize("number", range(len(PLANS)))
@pytest.mark.parametrize("fen", POSITIONS)
def test_values_and_counts_equal_those_of_the_search(fen: str, number: int) -> None:
    game, plan = ChessGame(chess.Board(fen)), PLANS[number]
    recorder, found, nodes = searched(game, plan, 2)
    assert recorder.nodes[0].value == found.value
    assert len(recorder.nodes) == nodes
    assert len(recorder.events) == 2 * nodes
    if not number:  # a recorded game is searched as the game itself
        assert fail_soft(game, AlphaBetaFeatures(), 2) == found


@pytest.mark.parametrize("fen", POSITIONS)
def test_windows_equal_those_of_the_search(fen: str) -> None:
    seen = []

    def settle(game: Any, plan: Any, alpha: float, beta: float) -> SearchOutcome:
        seen.append((alpha, beta))
        return settle_at_once(game, plan, alpha, beta)

    recorder, _, _ = searched(ChessGame(chess.Board(fen)), AlphaBetaFeatures(settle=settle), 3)
    plies = [0]
    for node in recorder.nodes[1:]:
        plies.append(plies[node.parent] + 1)
    leaves = [node for node, ply in zip(recorder.nodes, plies, strict=True) if ply == 3]
    assert [(node.alpha, node.beta) for node in leaves] == seen


@pytest.mark.parametrize("seed", range(30))
def test_a_cut_off_is_a_value_outside_the_window(seed: int) -> None:
    tree = random_tree(random.Random(seed), height=5, width=4)
    recorder, found, _ = searched(tree, AlphaBetaFeatures(), 99)
    assert found.value == minimax(tree, NodeCounter()).value
    for node in recorder.nodes:
        if node.left_out:
            assert node.value is not None and node.value >= node.beta < inf
        elif node.searched:
            assert node.searched == node.moves


def test_minimax_leaves_nothing_out() -> None:
    recorder: Recorder[TwentyTwo] = Recorder()
    counter = NodeCounter()
    found = minimax(recorder.watch(TwentyTwo(12)), counter)
    recorder.finish()
    assert recorder.nodes[0].value == found.value == 0
    assert len(recorder.nodes) == counter.nodes
    assert not any(node.left_out for node in recorder.nodes)


def test_events_go_through_the_tree() -> None:
    tree = Tree(0, (Tree(1), Tree(0, (Tree(2), Tree(3)))))
    recorder, _, _ = searched(tree, AlphaBetaFeatures(), 9)
    assert recorder.events == [0, 1, ~1, 2, 3, ~3, 4, ~4, ~2, ~0]


def test_only_the_chosen_moves_are_searched() -> None:
    recorder: Recorder[Any] = Recorder(lambda game, moves: moves[:2])
    minimax(recorder.watch(ChessGame(chess.Board())), NodeCounter(), 3)
    recorder.finish()
    assert len(recorder.nodes) == 1 + 2 + 4 + 8
