"""Lines of mate scores go on to the mate."""

from __future__ import annotations

import chess
import pytest

from boomslang.core.board.constants import MATE, I, U
from boomslang.engine import bridge
from boomslang.engine.bridge import set_root
from boomslang.engine.driver.pv import complete
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Info, Limits
from boomslang.engine.search.deepening import SearchLine
from boomslang.engine.search.mate_search import find_mate
from boomslang.engine.search.transposition import BOUND_EXACT, new_table, store
from tests.support.oracle import random_game

pytestmark = pytest.mark.jit_only

LADDER = "7k/8/5K2/8/8/8/8/1R6 w - - 0 1"  # mate in 2: Kf7, Kh7, Rh1


def is_mate_line(board: chess.Board, moves: tuple[int, ...]) -> bool:
    after = board.copy()
    for raw in moves:
        move = bridge.to_move(raw, after)
        assert after.is_legal(move)
        after.push(move)
    return after.is_checkmate()


@pytest.mark.parametrize("known", [0, 1, 2, 3])
def test_a_short_mate_is_found_by_the_rules(known: int) -> None:
    board, search = chess.Board(LADDER), bridge.new_search()
    bridge.set_castling(search.rules, board)
    bridge.to_position(search.rules, board, search.position[0])
    whole = []
    for text in ("f6f7", "h8h7", "b1h1"):
        whole.append(bridge.from_move(chess.Move.from_uci(text), board))
        board.push_uci(text)
    line = complete(tuple(whole[:known]), int(MATE) - 3, search, new_table(1))
    assert len(line) == 3 and line[:known] == tuple(whole[:known])
    assert is_mate_line(chess.Board(LADDER), line)


def test_a_line_that_cannot_be_completed_stays() -> None:
    board, search = chess.Board(), bridge.new_search()
    bridge.set_castling(search.rules, board)
    bridge.to_position(search.rules, board, search.position[0])
    line = (bridge.from_move(chess.Move.from_uci("e2e4"), board),)
    for score in (30, int(MATE) - 3, int(MATE) - 9, -int(MATE) + 4):
        assert complete(line, score, search, new_table(1)) == line


def mating_moves(board: chess.Board) -> list[chess.Move]:
    found = []
    for move in board.legal_moves:
        board.push(move)
        if board.is_checkmate():
            found.append(move)
        board.pop()
    return found


def test_a_hunt_finds_what_there_is() -> None:
    search = bridge.new_search()
    given = suffered = 0
    boards = [board.copy() for seed in range(5, 8) for board in random_game(seed, plies=300)]
    for board in boards[-250:]:
        bridge.set_castling(search.rules, board)
        bridge.to_position(search.rules, board, search.position[1])
        now = mating_moves(board)
        assert int(find_mate(search, I(1), I(1))) == (1 if now else -1)
        if now:
            given += 1
            assert bridge.to_move(int(search.pv[1][0]), board) in now
        helpless = any(board.legal_moves)
        for move in list(board.legal_moves):
            if helpless:
                board.push(move)
                helpless = bool(mating_moves(board))
                board.pop()
        length = int(find_mate(search, I(1), I(2)))
        assert length == (2 if helpless else 0 if board.is_checkmate() else -1)
        if helpless:
            suffered += 1
            assert is_mate_line(board, tuple(int(move) for move in search.pv[1][:2]))
    assert given and suffered


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/3k4/4q3/7K b - - 0 1",
        "7k/8/5K2/8/8/8/8/1R6 w - - 0 1",
        "8/8/8/8/8/1k6/7r/K7 b - - 0 1",
        "r5k1/R7/K4Q2/8/8/8/7p/6r1 w - - 0 1",
    ],
)
def test_every_mate_line_of_a_search_ends_in_mate(fen: str) -> None:
    board, infos = chess.Board(fen), list[Info]()
    player = Searcher(hash_mb=4)
    player.clear_stop()
    player.search(board, Limits(nodes=60_000), infos.append)
    mates = [info for info in infos if info.score.mate is not None]
    assert mates
    for info in mates:
        moves = info.score.mate or 0
        assert len(info.pv) == (2 * moves - 1 if moves > 0 else -2 * moves)
        after = board.copy()
        for move in info.pv:
            after.push(move)
        assert after.is_checkmate()


@pytest.mark.parametrize("algorithm", ["alphabeta", "mcts"])
def test_what_is_missing_comes_from_the_table_that_is_searched_with(algorithm: str) -> None:
    board, infos = chess.Board("8/8/8/8/3k4/8/4q3/7K b - - 0 1"), list[Info]()
    player = Searcher(hash_mb=4)
    player.search(board, Limits(depth=12), infos.append)
    known = infos[-1].pv
    assert infos[-1].score.mate == 3 and len(known) == 5

    player = Searcher(hash_mb=1)
    player.set_algorithm(algorithm)
    search = player._search
    table = player._algorithm.table
    first, after = bridge.from_move(known[0], board), board.copy()
    after.push(known[0])  # the first move is told, the second remembered, the others looked for
    bridge.to_position(search.rules, after, search.position[0])
    key, second = U(int(search.position[0].key)), bridge.from_move(known[1], after)
    store(table, key, U(1), U(second), I(4) - MATE, I(0), I(9), BOUND_EXACT)
    memory = player._algorithm.table.copy()
    set_root(search, board, Limits(), lines=1, threads=1)
    player._board = board
    info = player._info(SearchLine(7, 7, 1, int(MATE) - 5, 1, (first,)))
    assert info.pv[:2] == known[:2] and len(info.pv) == 5
    assert (player._algorithm.table == memory).all()
