"""Play with tablebases: wins that must be won, and moves that must not spoil a result while others compute.

    python -m tests.stress.tablebase_games --tables FOLDER FOLDER5 --wins 20
    python -m tests.stress.tablebase_games --tables FOLDER FOLDER5 --moves 200 --busy 2
    python -m tests.stress.tablebase_games --tables FOLDER FOLDER5 --endings 25

Won endings are played out against the defence that holds out longest by its distances; each must be won
within the fifty-move rule. Moves are those of an engine process with `go movetime 50` in random positions,
while other processes keep the processors busy; none may lose what the tables say, and none may do without
them. Positions of each kind of `boomslang endgames` (--blind: judged without tables) are played through: by
the rules of python-chess and its reader of tables, none may be over after one move, one of 25 after three, in
one of 25 may the attacker of a draw spend material within eight; no judgement may be wrong but what is called
probable (unproved), without tables.
Exit status 1: something did.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import chess
import chess.syzygy

from boomslang.engine.analysis.endgames.ending import respond
from boomslang.engine.analysis.endgames.judge import EndingJudge, value_at_end
from boomslang.engine.analysis.endgames.kinds import BY_NAME, EndingKind, Task
from boomslang.engine.analysis.endgames.positions import NoPositionError, is_reached, new_position
from boomslang.engine.engine import Engine
from boomslang.engine.limits import Limits
from tests.support.perfect_defence import play_out
from tests.support.process import STARTUP, UciProcess
from tests.support.syzygy import random_board

WON: Final = ("KBNvK", "KBBvKN", "KQvKR", "KRPvKR", "KNNvKP")
_NODES: Final = 5000  # for a move
_WIN: Final = 2
_MAX_PLIES: Final = 100  # plies to the next capture or pawn move
_SHORT, _WATCHED = 3, 8  # moves of an ending that is over soon, and in which it is watched


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


def practise(
    folders: list[Path], names: Iterable[str], count: int, blind: bool, source: random.Random
) -> int:
    """Play that many positions of each kind; returns the number of kinds that are not as they should be."""
    judge = EndingJudge("" if blind else ";".join(map(str, folders)), print)
    bad = 0
    with chess.syzygy.Tablebase() as oracle:
        for folder in folders:
            oracle.add_directory(str(folder))
        for name in names:
            seen, slowest = Counter[str](), 0.0
            for _ in range(count):
                began = time.process_time()
                try:
                    board = new_position(BY_NAME[name], judge, source)
                except NoPositionError:
                    seen["missing"] += 1
                    continue
                slowest = max(slowest, time.process_time() - began)
                faults = play_ending(BY_NAME[name], judge, board, oracle, source)
                seen.update(faults)
                if faults:
                    print(
                        f"    {faults} {board.root().fen()} {board.root().variation_san(board.move_stack)}"
                    )
            many = max(seen[fault] for fault in ("short", "spent")) > max(count // 25, 1)
            bad += many or seen["over at once"] + seen["missing"] + seen["wrong"] > 0
            print(f"{name}: {dict(seen)}, slowest {slowest:.2f} s", flush=True)
    return bad


def play_ending(
    kind: EndingKind,
    judge: EndingJudge,
    board: chess.Board,
    oracle: chess.syzygy.Tablebase,
    source: random.Random,
) -> set[str]:
    """What is wrong with an ending that is played by the best moves; `board` keeps them."""

    def value() -> int:
        over = value_at_end(board)
        return round(oracle.probe_wdl(board) / 3) if over is None else over

    def keeping() -> Iterator[chess.Move]:
        """The moves that keep the result, each on the board while it is the current one."""
        before = value()
        for move in list(board.legal_moves):
            board.push(move)
            try:
                if -value() >= before:
                    yield move
            finally:
                board.pop()

    def takes(attackers: int) -> bool:
        return any(chess.popcount(board.occupied_co[board.turn]) < attackers for _ in keeping())

    faults = set()
    if value() != kind.task:
        faults.add("unproved" if judge.grades(board) is None else "wrong")
    kept = []
    for move in keeping():
        kept.append(move)
        if is_reached(kind, board, move):
            faults.add("over at once")
    tried = source.choice([*board.legal_moves])
    judgement = judge.judge(board, tried)
    if (judgement.value >= kind.task) != (tried in kept):
        faults.add("wrong" if judgement.is_proved else "unproved")
    for number in range(1, _WATCHED + 1):
        move = judge.reply(board)
        response = respond(judge, kind, board, move)
        if not response.is_kept:
            return faults | {"unproved" if "probably" in response.text else "wrong"}
        board.push(move)
        if response.is_over:
            return faults | ({"short"} if number <= _SHORT else set())
        assert response.reply
        attackers = chess.popcount(board.occupied_co[board.turn])
        board.push(response.reply)
        if kind.task == Task.DRAW and takes(attackers):
            board.pop()
            spares = any(not takes(attackers) for _ in keeping())
            board.push(response.reply)
            return faults | {"spent" if spares else "forced"}
    return faults


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=Path, nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--wins", type=int, default=0, metavar="N", help="of each ending (0)")
    parser.add_argument("--moves", type=int, default=0, metavar="N", help="moves of 50 ms (0)")
    parser.add_argument("--endings", type=int, default=0, metavar="N", help="of each kind (0)")
    parser.add_argument("--kinds", nargs="*", default=BY_NAME, metavar="KIND", help="of endings")
    parser.add_argument("--blind", action="store_true", help="endings are judged without tables")
    parser.add_argument("--busy", type=int, default=2, metavar="N", help="other processes (2)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    failed = 0
    if arguments.moves:
        failed += move_all(arguments.tables, arguments.moves, arguments.busy, source)
    if arguments.wins:
        failed += win_all(arguments.tables, arguments.wins, source)
    if arguments.endings:
        kinds, count, blind = arguments.kinds, arguments.endings, arguments.blind
        failed += practise(arguments.tables, kinds, count, blind, source)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
