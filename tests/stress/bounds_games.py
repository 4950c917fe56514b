"""The games that `tests.stress.bounds` plays: every kind, with options and limits of all sorts.

A kind plays one game, or a few, and says what was seen; FindingError and whatever a kernel raises tell that
something is wrong.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final
from unittest import mock

import chess

from boomslang.core.board.constants import INFINITE, MAX_PLY, I
from boomslang.engine import bridge
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.learning.selfplay.datagen import SelfPlayPair
from boomslang.engine.learning.selfplay.datagen_settings import DatagenSettings
from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspace, ParameterValues
from boomslang.engine.limits import Info, Limits
from boomslang.engine.notation.validity import why_invalid
from boomslang.engine.search import params
from boomslang.engine.search.negamax import negamax
from boomslang.engine.search.state import MAX_HISTORY, NO_DEADLINE, NOTHING, POLL_INTERVAL
from boomslang.engine.search.transposition import new_table
from tests.stress.talks import FindingError, InProcess
from tests.support.oracle import random_placement
from tests.support.searchers import set_option

MAX_PLY_SEEN: Final = "deepest ply"  # of what was seen this is no sum but a maximum
_MAX_PLIES: Final = 160  # plies
_THREADS: Final = 4  # so many, however few processors there are
_FAILED: Final = re.compile(r"info string error|Traceback")
# Few moves and nothing to gain, so that iterations grow long: locked pawns, kings that walk.
_QUIET: Final = (
    "8/8/8/p1p1p1p1/P1P1P1P1/8/8/K6k w - - 0 1",
    "b7/1p6/kPp5/p1P5/P1p5/K1Pp4/1p1P4/1B6 w - - 0 1",
    "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/B3K2b w - - 0 1",
    "8/8/1k6/8/8/P7/8/K7 w - - 0 1",
    "6k1/8/8/8/8/8/8/K6R w - - 60 90",
)
_STRONG: Final = ("Q", "R", "QR", "RR", "QQ", "BB", "QN", "RBP", "PP")


def some_limits(source: random.Random, board: chess.Board) -> Limits:
    """What a GUI might ask for: mostly nodes, else anything short."""
    nodes = int(2 ** source.uniform(0, 12))
    left, increment = source.randrange(1, 400), source.randrange(0, 20)
    moves = list(board.legal_moves)
    return source.choice(
        (
            Limits(nodes=nodes),
            Limits(nodes=nodes),
            Limits(depth=source.randint(1, 9), nodes=8000),
            Limits(movetime=source.randint(1, 10)),
            Limits(mate=source.randint(1, 6), nodes=4000),
            Limits(
                white_time=left,
                black_time=left,
                white_increment=increment,
                black_increment=increment,
                moves_to_go=source.choice((None, 1, 20)),
            ),
            Limits(
                nodes=nodes, search_moves=tuple(move.uci() for move in source.choices(moves, k=2))
            ),
        )
    )


def some_numbers(source: random.Random) -> dict[str, int]:
    """A few numbers of the search, anywhere within their bounds."""
    chosen = source.sample(params.TABLE, source.randint(1, 6))
    return {param.name: source.randint(param.low, param.high) for param in chosen}


def play(
    board: chess.Board, source: random.Random, lines: int = 1, **options: int | bool | str
) -> Counter[str]:
    """Search and move until the game is over, with these options; returns what was seen."""
    player = Searcher(hash_mb=source.choice((1, 1, 2, 16)))
    if source.random() < 0.2:
        player.set_exact(True)
    if source.random() < 0.4:
        player.set_parameters(some_numbers(source))
    with mock.patch("boomslang.engine.driver.alphabeta.usable_processors", return_value=_THREADS):
        for name, value in options.items():
            set_option(player, name.replace("_", " "), value)
    if source.random() < 0.3:
        player.set_evaluation("classical")
    seen = Counter(games=1)

    def listen(info: Info) -> None:
        seen["lines"] += 1
        seen["mates"] += info.score.mate is not None
        seen[MAX_PLY_SEEN] = max(seen[MAX_PLY_SEEN], info.seldepth)

    for _ in range(_MAX_PLIES):
        if board.is_game_over():
            break
        player.clear_stop()
        best = player.search(board, replace(some_limits(source, board), multipv=lines), listen).best
        if best is None or best not in board.legal_moves:
            raise FindingError(f"plays {best} in {board.fen()}")
        seen["searches"] += 1
        if source.random() < 0.05:
            player.explain(board, classical=source.random() < 0.5)
        board.push(source.choice(list(board.legal_moves)) if source.random() < 0.1 else best)
    return seen


def start(source: random.Random) -> chess.Board:
    """Chess or Chess960."""
    if source.random() < 0.5:
        return chess.Board()
    return chess.Board.from_chess960_pos(source.randrange(960))


def chess960(source: random.Random, number: int) -> Counter[str]:
    """Alpha-beta from a start of Chess960."""
    return play(chess.Board.from_chess960_pos(source.randrange(960)), source)


def several_lines(source: random.Random, number: int) -> Counter[str]:
    """Alpha-beta, looking for more lines than one, sometimes for all."""
    return play(start(source), source, lines=source.choice((2, 3, 5, 256)))


def threads(source: random.Random, number: int) -> Counter[str]:
    """Alpha-beta with helpers."""
    lines = source.choice((1, 1, 3))
    return play(start(source), source, Threads=source.randint(2, _THREADS), lines=lines)


def mcts(source: random.Random, number: int) -> Counter[str]:
    """Monte Carlo tree search, in all sorts of positions."""
    board = source.choice((start, _placed, _small, _locked))(source)
    return play(board, source, Search_Algorithm="mcts", lines=source.choice((1, 2, 256)))


def mates(source: random.Random, number: int) -> Counter[str]:
    """Where a mate is near: its line is hunted for."""
    return play(_small(source), source, lines=source.choice((1, 1, 4)))


def odd_positions(source: random.Random, number: int) -> Counter[str]:
    """Pieces anywhere."""
    return play(_placed(source), source)


def deep_lines(source: random.Random, number: int) -> Counter[str]:
    """As if a hundred plies and more had led here: the stack of a search ends at MAX_PLY."""
    search, table = bridge.new_search(), new_table(1)
    search.deadline, search.root_depth = NO_DEADLINE, MAX_PLY
    seen = Counter(games=1)
    for _ in range(100):
        board = source.choice((start, _placed, _small, _locked))(source)
        ply = source.randint(MAX_PLY - 24, MAX_PLY)
        bridge.set_castling(search.rules, board)
        bridge.to_position(search.rules, board, search.position[ply])
        search.root_index = source.choice((0, MAX_HISTORY - 1))
        search.keys[search.root_index + ply] = search.position[ply].key
        search.played.fill(NOTHING)
        search.moved.fill(0)
        search.stop, search.nodes, search.selective_depth = 0, 0, 0
        search.node_limit, search.next_poll = 3000, POLL_INTERVAL
        depth = I(source.randint(0, 40))
        negamax(search, table, I(ply), depth, -INFINITE, INFINITE, I(0))
        seen["searches"] += 1
        seen[MAX_PLY_SEEN] = max(seen[MAX_PLY_SEEN], int(search.selective_depth))
    return seen


def long_history(source: random.Random, number: int) -> Counter[str]:
    """After some hundred plies without a capture or pawn move."""
    board = chess.Board()
    for text in itertools.islice(itertools.cycle(("g1f3", "g8f6", "f3g1", "f6g8")), 600):
        board.push_uci(text)
    seen = Counter(games=1)
    player = Searcher(hash_mb=1)
    for _ in range(12):
        best = player.search(board, Limits(nodes=1500), _ignore).best
        seen["searches"] += 1
        board.push(best or chess.Move.null())
    return seen


def data(source: random.Random, number: int) -> Counter[str]:
    """Self-play for the evaluation."""
    nodes, share = source.choice((1, 50, 400)), source.choice((0.0, 1.0))
    beside, depth = source.choice((0.0, 1.0)), source.choice((0, 2))
    settings = DatagenSettings(
        seed=source.randrange(1 << 30), nodes=nodes, chess960=share, sidelines=beside, depth=depth
    )
    match = SelfPlayPair(settings)
    return Counter(games=1, positions=match.play(number).positions)


def duel(source: random.Random, number: int) -> Counter[str]:
    """Two searches with numbers of their own."""
    arena = MatchWorkspace(nodes=source.choice((1, 50, 400)), seed=source.randrange(1 << 30))
    one, other = (
        ParameterValues(some_numbers(source), classical=source.random() < 0.3) for _ in range(2)
    )
    arena.play_pair(one, other, number)
    return Counter(games=2)


def protocol(source: random.Random, number: int) -> Counter[str]:
    """A game as a GUI plays it, pondering, with a look at everything else that kernels do."""
    talk, board, seen = InProcess("uci"), chess.Board(), Counter(games=1)
    talk.send(b"isready\nsetoption name Hash value 2\n")
    for _ in range(_MAX_PLIES // 2):
        if board.is_game_over():
            break
        board.push(source.choice(list(board.legal_moves)))
        if board.is_game_over():
            break
        moves = " ".join(move.uci() for move in board.move_stack)
        form = source.choice(("wtime 300 btime 300 winc 5 binc 5", "nodes 800", "movetime 5"))
        talk.send(f"position startpos moves {moves}\neval\ngo perft 2\n".encode())
        lines = talk.until(f"Nodes searched|{_FAILED.pattern}")
        ponder = f"go ponder {form}\nponderhit\n"
        talk.send((ponder if source.random() < 0.3 else f"go {form}\n").encode())
        lines += talk.until("bestmove ")
        if failed := [line for line in lines if _FAILED.search(line)]:
            raise FindingError(f"says {failed[0]}")
        board.push_uci(lines[-1].split()[1])
        seen["searches"] += 1
    return seen


def alpha_beta(source: random.Random, number: int) -> Counter[str]:
    """The plain thing."""
    return play(chess.Board(), source)


def _placed(source: random.Random) -> chess.Board:
    while why_invalid(board := random_placement(source)) or board.is_game_over():
        pass
    return board


def _small(source: random.Random) -> chess.Board:
    """A king against king and pieces that mate."""
    piece_count = ["K", "k", *source.choice(_STRONG)]
    while True:
        board = chess.Board(None)
        for man, square in zip(
            piece_count, source.sample(chess.SQUARES, len(piece_count)), strict=True
        ):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board = board if source.random() < 0.5 else board.mirror()
        board.turn = source.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            return board


def _locked(source: random.Random) -> chess.Board:
    board = chess.Board(source.choice(_QUIET))
    return board if source.random() < 0.5 else board.mirror()


def _ignore(info: Info) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to play."""

    play: Callable[[random.Random, int], Counter[str]]
    weight: int = 1  # how many games are played so


KINDS: Final = {
    "alpha-beta": Kind(alpha_beta, 3),
    "chess960": Kind(chess960, 3),
    "several lines": Kind(several_lines, 3),
    "threads": Kind(threads, 2),
    "mcts": Kind(mcts, 4),
    "mates": Kind(mates, 4),
    "odd positions": Kind(odd_positions, 4),
    "deep lines": Kind(deep_lines, 1),
    "long history": Kind(long_history, 1),
    "data": Kind(data, 2),
    "duel": Kind(duel, 2),
    "protocol": Kind(protocol, 1),
}
