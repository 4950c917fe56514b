"""Positions of the engine's own games, and its evaluation for the plain Python of the textbook."""

from __future__ import annotations

import random

import chess

from engine import bridge
from engine.board.position import POSITION, new_record
from engine.limits import Limits
from engine.player import Player
from eval.classical.evaluate import evaluate
from eval.classical.setup import new_evaluator
from eval.classical.weights import PIECE_SQUARE


def own_positions(number: int) -> list[chess.Board]:
    """Positions of the engine's games against itself, each with the game on its stack."""
    source = random.Random(8)
    player = Player(hash_mb=1)
    positions: list[chess.Board] = []
    while len(positions) < number:
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 160:
            if board.ply() < 8:
                board.push(source.choice(list(board.legal_moves)))
                continue
            if source.random() < 0.2:
                positions.append(board.copy())
            player.arm()
            move = player.search(board, Limits(depth=3), lambda info: None).best
            assert move is not None
            board.push(move)
    return positions[:number]


class Evaluator:
    """The engine's evaluation, for the textbook."""

    def __init__(self, board: chess.Board) -> None:
        self._rules = bridge.new_rules(board, PIECE_SQUARE)
        self._evaluator = new_evaluator()
        self._position = new_record(POSITION)

    def __call__(self, board: chess.Board) -> float:
        bridge.to_position(self._rules, board, self._position)
        return int(evaluate(self._rules, self._evaluator, self._position))
