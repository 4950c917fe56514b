"""`bench`: the nodes of a fixed search over fixed positions, a checksum of the engine's behaviour.

Two versions that print the same number search the same trees to that depth. One thread: deterministic.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import chess

from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Info, Limits

DEPTH: Final = 13
HASH_MB: Final = 16

# Four positions that everybody knows from perft, then positions of the engine's own games.
POSITIONS: Final = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2qkbnr/pbpp1p2/2n1p3/4N2P/1pBPP1p1/8/PPP1QP1P/RNB1K2R w KQkq - 4 11",
    "1n2k1nr/r1qp1pbp/p3p1p1/2p1P3/2B5/Q2P1b2/PPP2PPP/RNB2RK1 w k - 0 12",
    "r3kb1r/pppnpppp/7n/8/1P1P1qP1/2P1p3/P2NQ1PP/R1B1KBNR w KQkq - 0 9",
    "rnbq1bnr/ppp2k2/5p2/3p3p/3P2p1/1B1N4/PPP2PPP/1RBQK1NR b K - 1 12",
    "r2q1bkr/ppp3p1/2n1p3/3pNb2/3P1B1p/P1P1P2P/2P2PB1/R2Q1RK1 b - - 0 14",
    "r3kb1r/1bp1q1pp/p1n1pn2/1p4N1/3P1B1P/P4N2/1PP2PB1/R2Q1RK1 w kq - 2 15",
    "1n2k1nr/3p2pp/r1pP1p2/pp6/4P3/5N2/1PP1BPPP/1qBQK2R b Kk - 0 12",
    "3r1rk1/p1p1q3/1p2bb1p/6p1/P2pPP2/1N1P4/1P4BP/2RQ1RK1 b - - 0 21",
    "1r3b1r/pk1q1p2/Np1P2p1/5p2/2Q3p1/B3Pn2/P1P2P1P/R4K1R w - - 11 24",
    "4rrk1/p4ppp/1p6/1B1P4/5b2/5P1P/PPPN1q1n/R1KQ3R b - - 2 18",
    "2rqr1k1/1p3pp1/8/p1p1p3/P1PnP3/3PN1P1/1P6/2RQR1K1 b - - 3 24",
    "3r2k1/p1p3b1/1p2b3/6q1/P1NpP2p/3P1r2/1PQ3BP/4R2K w - - 0 30",
    "4q1k1/6p1/2b1p3/2P1Bp2/r2PpP1p/4P3/1Q4P1/4R1K1 b - - 5 38",
    "6k1/6p1/2bBp3/2P2p1q/r2PpP1p/4P3/5QP1/4R1K1 w - - 2 37",
    "5r1k/pb2p2p/2p5/5P2/8/3Pn2P/PP4B1/2KR1R2 w - - 0 29",
    "3r4/pB3k1p/P2rp3/8/R5p1/4P3/2P1b1PP/2K4R w - - 4 35",
    "8/p1pR1pkp/6p1/2p5/P1r1P3/5P2/6KP/8 b - - 5 34",
    "4k3/6p1/2b2PP1/pp6/2p1pK1B/4P2P/1P6/8 b - - 0 49",
    "8/5p2/4pPkp/4P1p1/4P1P1/3RK2P/8/2r5 b - - 0 42",
    "8/8/2b5/3p2k1/1pp5/r6p/P1P1B2K/R7 b - - 3 45",
    "8/8/2b5/r2p2k1/1pp4p/8/P1P1BK2/R7 b - - 1 43",
    "5k2/2R2p1p/6p1/p3P3/r1p5/5P2/5K1P/8 w - - 0 38",
    "8/6P1/3k1B2/pp1b1K2/2p1p2P/4P3/1P6/8 b - - 0 53",
    "8/p5kp/6p1/6P1/Nb2R2P/3r4/3P2K1/8 b - - 0 39",
    "8/8/p5R1/4kpp1/2P5/2PKP2P/8/r7 b - - 1 45",
    "8/5k2/3Bp2p/6pP/3p4/5K2/2b2P1P/8 b - - 0 46",
    "8/8/3Bp2p/5kpP/3p4/8/2b1KP1P/8 w - - 3 48",
    "7k/8/Bb4p1/3R1p1p/7r/8/K1P5/8 w - - 2 45",
    "7k/8/2P3p1/3R1p2/r6p/3Bb3/1K6/8 b - - 2 49",
    "8/1k6/1p3R2/8/p2npK2/8/P1P2P2/8 w - - 5 52",
    "8/8/4RP2/4P3/4Prp1/4K1k1/8/8 b - - 5 61",
    "8/6R1/2k5/6P1/2K1N2p/5r2/8/2b5 w - - 3 63",
    "R7/P7/2K5/3P3p/8/7k/r7/8 b - - 0 49",
    "5k2/1p6/p5K1/5P2/8/1n6/7P/8 w - - 1 45",
    "8/8/3K4/3Q4/4P3/6k1/2q5/8 b - - 0 75",
)

_COLUMNS: Final = 80  # width of a line with its FEN

# What is done with a board: nodes, and what came out; None if it was stopped.
Look: TypeAlias = Callable[[chess.Board], tuple[int, str] | None]


def run(
    depth: int = DEPTH,
    hash_mb: int = HASH_MB,
    write: Callable[[str], None] = print,
    positions: tuple[str, ...] = POSITIONS,
) -> int:
    """Search every position to `depth`, each with a fresh memory; returns the node total.

    Writes a line for each position and the closing block that OpenBench reads. Kernels must be loaded.
    """
    player = Searcher(hash_mb)

    def look(board: chess.Board) -> tuple[int, str]:
        return outcome_of(player.analyse(board, Limits(depth=depth)))

    return measure([chess.Board(fen) for fen in positions], look, write)


def outcome_of(lines: Sequence[Info]) -> tuple[int, str]:
    """Nodes and the best move of a search."""
    return (lines[0].nodes, lines[0].pv[0].uci()) if lines else (0, "None")


def measure(boards: Sequence[chess.Board], look: Look, write: Callable[[str], None]) -> int:
    """Look at one board after the other and write as `run` does; returns the node total.

    If `look` returns None the bench ends there.
    """
    nodes = 0
    begun = time.perf_counter()
    for number, board in enumerate(boards, start=1):
        seen = look(board)
        if seen is None:
            write("The bench was stopped.")
            break
        outcome_nodes, outcome = seen
        nodes += outcome_nodes
        line = f"Position {number:2}/{len(boards)}: {outcome_nodes:9} nodes, {outcome}"
        fen = board.fen(shredder=board.chess960)
        write(f"{line}  {fen}" if len(line) + 2 + len(fen) <= _COLUMNS else f"{line}\n  {fen}")
    seconds = time.perf_counter() - begun
    write("\n===========================")
    write(f"Total time (ms) : {round(seconds * 1000)}")
    write(f"Nodes searched  : {nodes}")
    write(f"Nodes/second    : {round(nodes / max(seconds, 1e-9))}")
    return nodes
