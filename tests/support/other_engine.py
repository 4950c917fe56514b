"""Another engine for commands with `--engine`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

# Plays the first legal move by name, finds White better by the ply, and dies at ply 12 while `flag` exists.
# A wise one says WDL as well, and that White has won beyond measure from ply 6 on; it is silent about it at
# ply 3 if it is sly. A mortal one dies at 1. A vague one has bounds only.
ENGINE = """
import os, sys
import chess

board = chess.Board()
shows_wdl = False
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print('id name Stub "3"')
        for name in "MultiPV", "Style":
            print("option name", name, "type spin default 1 min 1 max 9")
        if "wise" in sys.argv:
            print("option name UCI_ShowWDL type check default false")
        print("uciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[:3] == ["setoption", "name", "UCI_ShowWDL"]:
        shows_wdl = words[-1] == "true"
    elif words[0] == "position":
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:8]))
        for move in words[words.index("moves") + 1:] if "moves" in words else []:
            board.push_uci(move)
    elif words[0] == "go":
        if os.path.exists("flag") and board.ply() == 12 or "mortal" in sys.argv and board.ply() == 1:
            sys.exit("out of ideas")
        move = min(move.uci() for move in board.legal_moves)
        score = board.ply() * (1 if board.turn else -1)
        print(f"info depth 4 nodes 1 score cp 999 upperbound pv {move}")
        nodes = words[words.index("nodes") + 1] if "nodes" in words else 7
        wdl = ""
        if "wise" in sys.argv:
            score = score if board.ply() < 6 else 10**20 if board.turn else -(10**20)
            wdl = "wdl 0 100 900" if score < -100 else "wdl 900 100 0" if score > 100 else "wdl 0 1000 0"
        if not shows_wdl or "sly" in sys.argv and board.ply() == 3:
            wdl = ""
        if "vague" not in sys.argv:
            print(f"info depth 4 nodes {nodes} score cp {score} {wdl} pv {move}")
        print("bestmove", move)
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""


def other_engine(folder: Path, *arguments: str) -> str:
    """The command of that engine, whose program is written there."""
    script = folder / "engine.py"
    script.write_text(ENGINE)
    return shlex.join([sys.executable, str(script), *arguments])
