"""Another engine, with such manners as its arguments say."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

# Plays the first legal move by name, finds White better by the ply, and dies at ply 12 while `flag` exists.
# A wise one says WDL as well, and that White has won beyond measure from ply 6 on; it is silent about it at
# ply 3 if it is sly. A mortal one dies at 1, a crashing one at move 3, a losing one wherever it has White. A
# vague one has bounds only. As nodes it tells what it was given, of nodes or of its own clock.
ENGINE = """
import os, sys, time
import chess

board = chess.Board()
shows_wdl, told_score = False, None
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print('id name Stub "3"')
        for name in "MultiPV", "Style":
            print("option name", name, "type spin default 1 min 1 max 9")
        print("option name Score type spin default 0 min -9999 max 9999")
        if "wise" in sys.argv:
            print("option name UCI_ShowWDL type check default false")
        print("uciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[:3] == ["setoption", "name", "UCI_ShowWDL"]:
        shows_wdl = words[-1] == "true"
    elif words[:3] == ["setoption", "name", "Score"]:
        told_score = int(words[-1])
    elif words[0] == "position":
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:8]))
        for move in words[words.index("moves") + 1:] if "moves" in words else []:
            board.push_uci(move)
    elif words[0] == "go":
        if os.path.exists("flag") and board.ply() == 12 or "mortal" in sys.argv and board.ply() == 1:
            sys.exit("out of ideas")
        if "crashing" in sys.argv and board.fullmove_number > 2 or "losing" in sys.argv and board.turn:
            sys.exit(1)
        if "slow" in sys.argv or "silent" in sys.argv:
            time.sleep(0.5 if "slow" in sys.argv else 600)
        if "cheating" in sys.argv or "passing" in sys.argv:
            print("bestmove", "a1a8" if "cheating" in sys.argv else "(none)")
        move = min(move.uci() for move in board.legal_moves)
        score = board.ply() * (1 if board.turn else -1) if told_score is None else told_score
        print(f"info depth 4 nodes 1 score cp 999 upperbound pv {move}")
        kind = "nodes" if "nodes" in words else "wtime" if board.turn else "btime"
        nodes = words[words.index(kind) + 1] if kind in words else 7
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
    """The command of that engine, whose program is written there under its manners' name."""
    script = folder / f"{'-'.join(arguments) or 'engine'}.py"
    script.write_text(ENGINE)
    return shlex.join([sys.executable, str(script), *arguments])
