"""Small search trees by the algorithms of `engine.textbook`, as data for a page.

All functions run in a child process (`cli.play.board.helper`), with plain data as arguments and results.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import tanh
from typing import Any, Final

import chess

from boomslang.cli.play.board.tree_data import of_growth, of_search
from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures, as_generated, fail_soft
from boomslang.engine.textbook.chess_game import ChessGame, captures_first
from boomslang.engine.textbook.game import Game, SearchInterruptedError
from boomslang.engine.textbook.mcts import Playouts, grow, new_node
from boomslang.engine.textbook.minimax import minimax
from boomslang.engine.textbook.quiescence import extend_forced, quiesce
from boomslang.engine.textbook.recorded import Recorder, RestrictedGame
from boomslang.engine.textbook.twentytwo import DRAW, TwentyTwo
from boomslang.engine.textbook.watch import SearchWatch

ALGORITHMS: Final = ("minimax", "alphabeta", "ordering", "quiescence", "mcts")
GAMES: Final = ("chess", "22")
MAX_POSITIONS: Final = 120_000  # for one search
MAX_SECONDS: Final = 20.0  # seconds, the same
_SEED: Final = 22  # the same settings give the same tree
_CHESS: Final = Playouts(length=0, squash=lambda value: tanh(value / 400))
_COUNTING: Final = Playouts(highest=2)


class TreeTooLargeError(ValueError):
    """A tree with too many positions; the message is for the user."""


@dataclass(frozen=True, slots=True)
class TreeSearch:
    """The game, the algorithm and the limits of a search."""

    game: str  # one of GAMES
    algorithm: str  # one of ALGORITHMS
    depth: int  # plies; for "mcts" playouts
    width: int = 0  # moves searched in each position, 0 for all
    fen: str = chess.STARTING_FEN
    chess960: bool = False
    total: int = 0  # start of the counting game

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms for this game with a depth."""
        return ALGORITHMS[:3] if self.game == "22" else ALGORITHMS[:4]


def draw(tree_search: TreeSearch) -> dict[str, Any]:
    """The search tree of an algorithm; raises TreeTooLargeError."""
    game = _game(tree_search)
    first = tree_search.game == "22" or game.board.turn == chess.WHITE
    if tree_search.algorithm == "mcts":
        return _grow(tree_search, game, first)
    recorder: Recorder[Any] = Recorder(_choice(tree_search))
    counter = _search(tree_search, tree_search.algorithm, recorder.watch(game))
    recorder.finish()
    tree = of_search(recorder, game, first, _spelling(tree_search))
    return {"positions": counter.nodes, **tree}


def count(tree_search: TreeSearch, algorithm: str) -> int | None:
    """Number of positions that another algorithm visits for the same answer; None if there are too many."""
    try:
        return _search(
            tree_search, algorithm, RestrictedGame(_game(tree_search), _choice(tree_search))
        ).nodes
    except TreeTooLargeError:
        return None


def _game(tree_search: TreeSearch) -> Any:
    if tree_search.game == "22":
        return TwentyTwo(tree_search.total)
    return ChessGame(chess.Board(tree_search.fen, chess960=tree_search.chess960))


def _search(tree_search: TreeSearch, algorithm: str, game: Any) -> SearchWatch:
    """Search the tree below a recorded or narrowed position; returns the counter of the positions."""
    counter = _new_counter()
    depth = tree_search.depth
    try:
        if algorithm == "minimax":
            minimax(game, counter, depth)
            return counter
        plan: AlphaBetaFeatures[Any] = AlphaBetaFeatures(
            counter, order=as_generated if algorithm == "alphabeta" else _order
        )
        if algorithm == "quiescence":
            plan = AlphaBetaFeatures(counter, order=_order, extend=extend_forced, settle=quiesce)
        fail_soft(game, plan, depth)
    except SearchInterruptedError:
        raise TreeTooLargeError(
            f"That tree has more than {counter.nodes:,} positions. Try less depth or fewer moves."
        ) from None
    return counter


def _grow(tree_search: TreeSearch, game: Game, first: bool) -> dict[str, Any]:
    """The tree of Monte Carlo tree search, playout by playout."""
    how = _COUNTING if tree_search.game == "22" else _CHESS
    counter = _new_counter()
    root = new_node(game, how)
    playouts = []
    try:
        for path, result in grow(root, counter, random.Random(_SEED), how):  # noqa: S311
            proven = [node for node in path if node.is_solved]
            playouts.append((path, result, proven))
            if len(playouts) >= tree_search.depth:
                break
    except SearchInterruptedError:
        pass  # the tree so far
    spelling = _spelling(tree_search)
    return {"positions": counter.nodes, **of_growth(root, playouts, first, spelling)}


def _new_counter() -> SearchWatch:
    counter = SearchWatch(threading.Event(), MAX_POSITIONS)
    counter.deadline = time.monotonic() + MAX_SECONDS
    return counter


def _order(game: Any, moves: Sequence[Any]) -> Sequence[Any]:
    """The most promising moves first; in the counting game those to sums that differ from 21 by fours."""
    if isinstance(game.game, TwentyTwo):
        total = game.game.total
        return sorted(moves, key=lambda move: (DRAW + 1 - total - move) % 4)
    return captures_first(game.game, moves)


def _choice(tree_search: TreeSearch) -> Callable[[Any, Sequence[Any]], Sequence[Any]]:
    """All moves, or the most promising ones in the order in which they are generated."""

    def choose(game: Any, moves: Sequence[Any]) -> Sequence[Any]:
        if not tree_search.width or len(moves) <= tree_search.width or tree_search.game == "22":
            return moves
        best = captures_first(game, moves)[: tree_search.width]
        return [move for move in moves if move in best]

    return choose


def _spelling(tree_search: TreeSearch) -> Callable[[Any, Any], tuple[str, str, str]]:
    """A function of position and move: the move as text and as squares, and the board after it."""

    def of_chess(before: Any, move: Any) -> tuple[str, str, str]:
        if move is None:
            return "", "", before.board.board_fen()
        after = before.board.copy(stack=False)
        return after.san_and_push(move), before.board.uci(move), after.board_fen()

    def of_counting(before: Any, move: Any) -> tuple[str, str, str]:
        return f"+{move}" if move else "", "", str(before.total + (move or 0))

    return of_counting if tree_search.game == "22" else of_chess
