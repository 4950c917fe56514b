"""The root of a search: a position, the game before it and the moves to look at."""

from __future__ import annotations

import chess

from boomslang.engine import bridge
from boomslang.engine.board.movegen import generate
from boomslang.engine.board.position import MOVE_LIST, new_record
from boomslang.engine.limits import Limits
from boomslang.engine.search.state import (
    MAX_HISTORY,
    NO_LIMIT,
    NOTHING,
    POLL_INTERVAL,
    SearchState,
    fields_of,
)


def set_root(
    search: SearchState, board: chess.Board, limits: Limits, lines: int, threads: int
) -> None:
    """Put a position, its history and the moves that `limits` allow into a SEARCH record, in place.

    `lines` is the number of variations (MultiPV); each of the `threads` gets an equal share of the nodes.
    """
    rules, position, fields = search.rules, search.position[0], fields_of(search)
    bridge.set_castling(rules, board)
    bridge.to_position(rules, board, position)
    keys = bridge.history_keys(rules, board)[-MAX_HISTORY + 1 :]
    fields.keys[: len(keys) + 1] = [*keys, int(position.key)]
    fields.root_index = len(keys)

    moves = new_record(MOVE_LIST)
    generate(rules, position, moves)
    legal = moves.move[: int(moves.count)].tolist()
    chosen = legal
    if limits.search_moves is not None:
        wanted = set(limits.search_moves)
        chosen = [m for m in legal if wanted & set(bridge.spellings(m, board))] or legal
    fields.root_move[: len(chosen)] = chosen
    fields.root_count = len(chosen)
    fields.root_first = 0
    fields.root_partial = len(chosen) < len(legal) or lines > 1
    for field in ("killers", "root_nodes", "excluded", "extensions"):
        search[field].fill(0)
    search["played"].fill(NOTHING)
    fields.nodes = 0
    most = int(NO_LIMIT)
    fields.node_limit = most if limits.nodes is None else min(max(limits.nodes // threads, 1), most)
    fields.next_poll = min(int(POLL_INTERVAL), fields.node_limit)
