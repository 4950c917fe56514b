"""An engine whose lines of thinking have impossible fields, by UCI or by CECP."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

FIELDS = ("depth", "seldepth", "multipv", "nodes", "nps", "tbhits", "hashfull", "time")
IGNORED = (
    "currmovenumber",
    "currmove",
    "cpuload",
    "ebf",
    "nosuch",
    "currline",
    "refutation",
    "wdl",
)
BAD = (
    *("-7", "9" * 19, "1" + "0" * 20, "9" * 5000, "1e9", "nan", "x", "", "١٢", "²", "é", "\x00"),
    *("7.5", "--1", "word " * 10_000),
)
GOOD = "depth 5 nodes 9 score cp 7 pv PV"

# Plays the first legal move by name; its lines are in a file beside it, with PV for that move.
ENGINE = """
import json, os, sys
import chess

board = chess.Board()
path = os.path.join(os.path.dirname(__file__), "lines.json")
uci, cecp = json.load(open(path, encoding="utf-8"))

def say(text):
    sys.stdout.buffer.write(text.encode("utf-8") + b"\\n")

def think(lines, last):
    move = min(move.uci() for move in board.legal_moves)
    for line in lines:
        say(line.replace("PV", move))
    sys.stdout.buffer.write(b"info string \\xff\\xfe not text\\n")
    say(last + move)
    return move

for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "uci" and "cecp" not in sys.argv:
        for each in "spin default 9 min 1 max 2", "spin default x", "combo default a var b", "float", "":
            say("option name Odd type " + each)
        say("id name Wicked\\noption name MultiPV type spin default 1 min 1 max 9\\nuciok")
    elif word == "isready":
        say("readyok")
    elif word == "position":
        board = chess.Board() if rest[0] == "startpos" else chess.Board(" ".join(rest[1:7]))
        for move in rest[rest.index("moves") + 1:] if "moves" in rest else []:
            board.push_uci(move)
    elif word == "go" and "cecp" not in sys.argv:
        think(uci, "bestmove ")
    elif word == "protover":
        say("feature ping=1 setboard=1 usermove=1 done=1")
    elif word == "ping":
        say("pong " + rest[0])
    elif word == "new":
        board = chess.Board()
    elif word == "setboard":
        board = chess.Board(" ".join(rest))
    elif word == "usermove":
        board.push_uci(rest[0])
    elif word == "analyze":
        think(cecp, "# ")
    elif word == "go":
        board.push_uci(think(cecp, "move "))
    elif word == "quit":
        break
    sys.stdout.buffer.flush()
"""


def uci_lines() -> list[str]:
    """The good line with one bad field more, before it or behind it."""
    pairs = [(field, bad) for field in (*FIELDS, *IGNORED) for bad in BAD]
    before = [f"info {field} {bad} {GOOD}" for field, bad in pairs]
    behind = [f"info {GOOD} {field} {bad}" for field, bad in pairs]
    wdl = [f"info {GOOD} wdl {a} {b} 0" for a in BAD for b in ("0", "999999")]
    return [*before, *behind, *wdl, f"info multipv 99999999999 {GOOD}"]


def uci_scores() -> list[str]:
    """Lines in which the score, the variation, or all but one field is bad or missing."""
    scores = [f"score {kind} {bad}" for kind in ("cp", "mate", "", "cp 7 mate") for bad in BAD]
    lines = [f"info depth 5 nodes 9 {score} pv PV" for score in scores]
    lines += [
        f"info depth 5 nodes 9 score cp 7 pv {before}{bad}" for before in ("", "PV ") for bad in BAD
    ]
    return [
        *lines,
        "info",
        "info depth 5",
        "info score",
        "info score cp 7",
        "info pv PV",
        "info string",
    ]


def cecp_lines() -> list[str]:
    """Four numbers and a move, each of them bad in turn, and more numbers behind."""
    usual = ["5", "7", "10", "9"]
    places = [(place, bad) for place in range(4) for bad in BAD]
    lines = [" ".join([*usual[:place], bad, *usual[place + 1 :], "PV"]) for place, bad in places]
    lines += [" ".join([*usual, *["1"] * more, bad, "PV"]) for more in range(4) for bad in BAD]
    return [*lines, "5 7 10 9 PV"]


def wicked_engine(folder: Path, *arguments: str, lines: bool = True) -> str:
    """The command of that engine; without `lines` it says only a good one."""
    said = [[*uci_lines(), *uci_scores()], cecp_lines()] if lines else [[], []]
    said = [[*said[0], f"info {GOOD}"], [*said[1], "5 7 10 9 PV"]]
    (folder / "lines.json").write_text(json.dumps(said), "utf-8")
    script = folder / "wicked.py"
    script.write_text(ENGINE, "utf-8")
    return shlex.join([sys.executable, str(script), *arguments])
