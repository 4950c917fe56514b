"""Engines that play as their names say, and a file of openings."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

# Plays the first legal move unless its name says something else.
PROGRAM = """
import sys, time
import chess

board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Stub\\noption name Score type spin default 0 min -9999 max 9999\\nuciok")
        score = 0
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "setoption":
        score = int(words[-1])
    elif words[0] == "position":
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:8]))
        for move in words[words.index("moves") + 1:] if "moves" in words else []:
            board.push_uci(move)
    elif words[0] == "go":
        if MANNER == "crashing" and board.fullmove_number > 2:
            sys.exit(1)
        if MANNER == "slow":
            time.sleep(0.5)
        if MANNER == "silent":
            time.sleep(600)
        if MANNER == "losing" and board.turn == chess.WHITE:
            sys.exit(1)
        if MANNER == "cheating":
            print("bestmove a1a8")
        if MANNER == "passing":
            print("bestmove (none)")
        kind = "nodes" if "nodes" in words else "wtime" if board.turn else "btime"
        told = words[words.index(kind) + 1] if kind in words else 10
        move = sorted(move.uci() for move in board.legal_moves)[0]
        print(f"info depth 3 nodes {told} score cp {score} pv {move}\\nbestmove {move}")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""
Stub = Callable[[str], str]


@pytest.fixture
def stub(tmp_path: Path) -> Stub:
    """The command of an engine with such manners."""

    def command(manner: str) -> str:
        path = tmp_path / f"{manner}.py"
        path.write_text(f"MANNER = {manner!r}\n{PROGRAM}")
        return shlex.join([sys.executable, str(path)])

    return command


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A file of two openings."""
    path = tmp_path / "openings.epd"
    path.write_text(f"{chess.STARTING_FEN}\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n# a remark\n")
    return path
