"""Another engine for commands with `--engine`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

# Plays the first legal move by name, finds White better by the ply, and dies at ply 12 while `flag` exists.
ENGINE = """
import os, sys
import chess

board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print('id name Stub "3"\\noption name MultiPV type spin default 1 min 1 max 9\\nuciok')
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:8]))
        for move in words[words.index("moves") + 1:] if "moves" in words else []:
            board.push_uci(move)
    elif words[0] == "go":
        if os.path.exists("flag") and board.ply() == 12:
            sys.exit("out of ideas")
        move = min(move.uci() for move in board.legal_moves)
        score = board.ply() * (1 if board.turn else -1)
        print(f"info depth 4 nodes 1 score cp 999 upperbound pv {move}")
        nodes = words[words.index("nodes") + 1] if "nodes" in words else 7
        print(f"info depth 4 nodes {nodes} score cp {score} pv {move}")
        print("bestmove", move)
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""


def other_engine(folder: Path) -> str:
    """The command of that engine, whose program is written there."""
    script = folder / "engine.py"
    script.write_text(ENGINE)
    return shlex.join([sys.executable, str(script)])
