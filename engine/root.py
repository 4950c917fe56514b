"""The root of a search: a position, the game before it and the moves to look at."""

from __future__ import annotations

from typing import Any

import chess

from engine import bridge
from engine.board.movegen import generate
from engine.board.position import MOVE_LIST, new_record
from engine.limits import Limits
from engine.search.state import MAX_HISTORY, NO_LIMIT, NOTHING, POLL_INTERVAL


def set_root(search: Any, board: chess.Board, limits: Limits, lines: int, threads: int) -> None:
    """Put a position, its history and the moves that `limits` allow into a SEARCH record, in place.

    `lines` is how many will be asked for; of the nodes, each of so many `threads` gets its share.
    """
    bridge.set_castling(search.rules, board)
    bridge.to_position(search.rules, board, search.position[0])
    keys = bridge.history_keys(search.rules, board)[-MAX_HISTORY + 1 :]
    search.keys[: len(keys)] = keys
    search.keys[len(keys)] = search.position[0].key
    search.root_index = len(keys)

    moves = new_record(MOVE_LIST)
    generate(search.rules, search.position[0], moves)
    legal = [int(move) for move in moves.move[: int(moves.count)]]
    chosen = legal
    if limits.search_moves is not None:
        wanted = set(limits.search_moves)
        chosen = [m for m in legal if wanted & set(bridge.spellings(m, board))] or legal
    search.root_move[: len(chosen)] = chosen
    search.root_count = len(chosen)
    search.root_first = 0
    search.root_partial = len(chosen) < len(legal) or lines > 1
    search.killers.fill(0)
    search.root_nodes.fill(0)
    search.excluded.fill(0)
    search.extensions.fill(0)
    search.played.fill(NOTHING)
    search.nodes = 0
    search.node_limit = NO_LIMIT if limits.nodes is None else max(limits.nodes // threads, 1)
    search.next_poll = min(int(POLL_INTERVAL), int(search.node_limit))
