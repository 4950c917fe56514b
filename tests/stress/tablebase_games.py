"""Play with tablebases: wins that must be won, and moves that must not spoil a result while others compute.

    python -m tests.stress.tablebase_games --tables FOLDER FOLDER5 --wins 20
    python -m tests.stress.tablebase_games --tables FOLDER FOLDER5 --moves 200 --busy 2

Won endings are played out against the defence that holds out longest by its distances; each must be won
within the fifty-move rule. Moves are those of an engine process with `go movetime 50` in random positions,
while other processes keep the processors busy; none may lose what the tables say, and none may do without
them. Exit status 1: something did.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from pathlib import Path
from typing import Final

import chess
import chess.syzygy

from boomslang.engine.engine import Engine
from boomslang.engine.limits import Limits
from tests.support.perfect_defence import play_out
from tests.support.process import STARTUP, UciProcess
from tests.support.syzygy import random_board

WON: Final = ("KBNvK", "KBBvKN", "KQvKR", "KRPvKR", "KNNvKP")
_NODES: Final = 5000  # for a move
_WIN: Final = 2
_MAX_PLIES: Final = 100  # plies to the next capture or pawn move


def win_all(folders: list[Path], count: int, source: random.Random) -> int:
    """Play out that many wins of each ending; returns how many were not won."""
    path = ";".join(map(str, folders))
    failed = 0
    with Engine(Hash=4, SyzygyPath=path) as engine, chess.syzygy.Tablebase() as oracle:
        for folder in folders:
            oracle.add_directory(str(folder))

        def think(board: chess.Board) -> chess.Move:
            engine.set_position(board)
            best = engine.go(Limits(nodes=_NODES)).best
            assert best
            return best

        for name in WON:
            won = plies = 0
            for _ in range(count):
                board = random_board(name, source)
                while oracle.probe_wdl(board) != _WIN or oracle.probe_dtz(board) >= _MAX_PLIES:
                    board = random_board(name, source)
                fen, hero = board.fen(), board.turn
                engine.new_game()
                outcome = play_out(board, think, *folders)
                won += outcome.winner == hero
                plies += len(board.move_stack)
                if outcome.winner != hero:
                    print(f"not won: {fen}, {outcome.termination.name}")
            print(f"{name}: {won} of {count} won, {plies / count:.0f} plies on average", flush=True)
            failed += count - won
    return failed


def move_all(folders: list[Path], count: int, busy: int, source: random.Random) -> int:
    """Ask for that many moves beside `busy` processes; returns how many went wrong."""
    names = sorted({path.stem for folder in folders for path in folder.glob("*.rtbw")})
    spoilt = without = 0
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        with UciProcess() as engine, chess.syzygy.Tablebase() as oracle:
            for folder in folders:
                oracle.add_directory(str(folder))
            path = ";".join(map(str, folders))
            engine.send("uci", f"setoption name SyzygyPath value {path}")
            engine.ready(STARTUP)
            for _ in range(count):
                board = random_board(source.choice(names), source)
                while not any(board.legal_moves):
                    board = random_board(source.choice(names), source)
                engine.send("ucinewgame")
                engine.ready(STARTUP)
                engine.send(f"position fen {board.fen()}", "go movetime 50")
                lines = engine.until("bestmove")
                before = oracle.probe_wdl(board)
                without += not any(
                    " tbhits " in line and " tbhits 0 " not in line for line in lines
                )
                after = board.copy()
                after.push_uci(lines[-1].split()[1])
                kept = after.is_checkmate() or -oracle.probe_wdl(after) >= before
                if not kept:
                    spoilt += 1
                    print(f"spoilt: {board.fen()} by {lines[-1]}")
    finally:
        for other in others:
            other.kill()
    print(f"{count} moves beside {busy} processes: {spoilt} spoilt, {without} without tables")
    return spoilt + without


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=Path, nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--wins", type=int, default=0, metavar="N", help="of each ending (0)")
    parser.add_argument("--moves", type=int, default=0, metavar="N", help="moves of 50 ms (0)")
    parser.add_argument("--busy", type=int, default=2, metavar="N", help="other processes (2)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    failed = move_all(arguments.tables, arguments.moves, arguments.busy, source)
    if arguments.wins:
        failed += win_all(arguments.tables, arguments.wins, source)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
