"""Positions of the engine's own games, and its evaluation for the plain Python of the textbook."""

from __future__ import annotations

import random

import chess

from boomslang.core.board.constants import I
from boomslang.engine import bridge
from boomslang.engine.comparisons.algorithms import AlgorithmBench
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Limits
from boomslang.engine.search.evaluation import evaluate


def own_positions(number: int, evaluation: str = "network") -> list[chess.Board]:
    """Positions of the engine's games against itself, each with the game on its stack."""
    source = random.Random(8)
    player = Searcher(hash_mb=1)
    player.set_evaluation(evaluation)
    positions: list[chess.Board] = []
    while len(positions) < number:
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 160:
            if board.ply() < 8:
                board.push(source.choice(list(board.legal_moves)))
                continue
            if source.random() < 0.2:
                positions.append(board.copy())
            player.clear_stop()
            move = player.search(board, Limits(depth=3), lambda info: None).best
            assert move is not None
            board.push(move)
    return positions[:number]


def judge_classically(bench: AlgorithmBench) -> AlgorithmBench:
    """For tests in positions that were chosen for how the classical evaluation is used them."""
    bench._search.classical = 1
    bench._searcher.set_evaluation("classical")
    return bench


class Evaluator:
    """The engine's evaluation, for the textbook; each position from nothing that is known before."""

    def __init__(self, board: chess.Board) -> None:
        self._search = bridge.new_search()
        bridge.set_castling(self._search.rules, board)

    def __call__(self, board: chess.Board) -> float:
        search = self._search
        bridge.to_position(search.rules, board, search.position[0])
        search.accumulators.key.fill(0)
        return int(evaluate(search, I(0)))
