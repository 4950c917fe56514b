"""Reports by other engines: complete, and the same bytes after any number of kills (Linux).

    python -m tests.stress.engine_reports stockfish ethereal-chess toga2 "gnuchess --uci" --cecp fairymax

Each engine analyses the games twice, once in peace and once killed after random times and resumed. UCI
engines get a number of nodes, others (`--cecp`) a depth. The exit status is 1 if a report is incomplete or
differs, if a command ends otherwise than promised, or if a process is left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import chess.pgn

from tests.support.process import COMMAND

_PATH: Final = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])  # where Debian has them
_MARK: Final = "BOOMSLANG_ENGINE_REPORT"  # in the environment of all processes of a run
_MAX_POLLS: Final = 50  # fifths of a second until the last process has gone


def write_games(path: Path, number: int, plies: int) -> int:
    """Games of random moves; returns the number of their positions."""
    chance = random.Random(1)
    positions = 0
    with path.open("w") as file:
        for _ in range(number):
            game = chess.pgn.Game()
            node: chess.pgn.GameNode = game
            while node.ply() < plies and (moves := list(node.board().legal_moves)):
                node = node.add_variation(chance.choice(moves))
            positions += node.ply() + 1
            print(game, file=file, end="\n\n")
    return positions


def analyse(words: list[str], folder: Path, seconds: float | None = None) -> str:
    """Run the command, or kill it after that time; what went wrong."""
    folder.mkdir(exist_ok=True)
    command = [*COMMAND, "analyse", *words, "--out", str(folder / "report"), "--formats", "json"]
    environment = {**os.environ, "PATH": _PATH, _MARK: str(folder)}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment
    ) as process:
        try:
            _, error = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return ""
    return "" if process.returncode == 0 else error.decode(errors="replace").strip()


def processes_of(folder: Path) -> int:
    """Processes of the runs in a folder that are there."""
    mark, found = f"{_MARK}={folder}\0".encode(), 0
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            found += mark in place.read_bytes()
        except OSError:
            continue
    return found


def check(words: list[str], positions: int, kills: int) -> list[str]:
    """What is wrong with the reports of an engine."""
    chance = random.Random(" ".join(words))
    with tempfile.TemporaryDirectory() as name:
        whole, torn = Path(name, "whole"), Path(name, "torn")
        begun = time.monotonic()
        if problem := analyse(words, whole):
            return [problem]
        took = time.monotonic() - begun
        done = 0
        for _ in range(kills):
            analyse(words, torn, chance.uniform(0.3, 1.0) * took)
            done += (torn / "report.journal").exists()
        problems = list(filter(None, [analyse(words, torn)]))
        first, second = ((each / "report.json").read_bytes() for each in (whole, torn))
        games = json.loads(first)["games"]
        found = sum(bool(each) for game in games for each in game["positions"])
        rules = "/".join(sorted({game["win_chances"] for game in games}))
        print(
            f"{json.loads(first)['engine']}: {found} positions by {rules}, {done} kills", flush=True
        )
        if found != positions:
            problems.append(f"{positions - found} positions are missing")
        if first != second:
            problems.append("the report that was resumed differs")
        for _ in range(_MAX_POLLS):
            if not (left := processes_of(whole) + processes_of(torn)):
                return problems
            time.sleep(0.2)
        return [*problems, f"{left} processes are left"]


def main() -> int:
    """Check all engines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*")
    parser.add_argument("--cecp", action="append", default=[], metavar="ENGINE")
    for flag, usual in ("games", 10), ("plies", 30), ("kills", 3), ("nodes", 2000), ("depth", 3):
        parser.add_argument(f"--{flag}", type=int, default=usual)
    given = parser.parse_args()
    status = 0
    with tempfile.TemporaryDirectory() as name:
        games = Path(name, "games.pgn")
        positions = write_games(games, given.games, given.plies)
        for engine in [*given.engines, *given.cecp]:
            limit = ["--depth", given.depth] if engine in given.cecp else ["--nodes", given.nodes]
            words = [str(games), *map(str, limit), "--engine", engine, "--hash", "4", "--jobs", "2"]
            for problem in check(words, positions, given.kills):
                print(f"{engine}: {problem}", flush=True)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
