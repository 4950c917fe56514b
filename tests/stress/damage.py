"""`make damage`: opening books and networks that are not what they should be.

    python -m tests.stress.damage --count 200

Each file is damaged in another way: cut, filled with noise, with single bits turned over. The engine is told
to use it and asked for a move, again and again in one process. It must answer every time with a legal move
and within two seconds, and search as before afterwards. Exit status 1: it did not.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import chess
import chess.polyglot

from boomslang.eval.network.file import SHIPPED
from tests.stress.talks import Conversation, FindingError, ThroughPipes

MAX_SECONDS = 2.0  # seconds
_CHECK_EVERY: Final = 20


def damaged(data: bytes, source: random.Random) -> bytes:
    """The same file after an accident."""
    at = source.randrange(len(data) + 1)
    match source.randrange(6):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + source.randbytes(len(data) - at)
        case 2:
            end = min(len(data), at + source.randrange(1, 300))
            return data[:at] + source.randbytes(end - at) + data[end:]
        case 3:
            return data + source.randbytes(source.randrange(1, 100))
        case 4:
            return data[:at] + bytes(len(data) - at)
        case _:
            changed = bytearray(data)
            for _ in range(source.randrange(1, 20)):
                changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
            return bytes(changed)


def book(plies: int = 3) -> bytes:
    """A sound book of all first moves."""
    entries: set[bytes] = set()
    boards = [chess.Board()]
    for _ in range(plies):
        following = []
        for board in boards[:40]:
            key = chess.polyglot.zobrist_hash(board)
            for move in board.legal_moves:
                raw = move.to_square | move.from_square << 6
                entries.add(key.to_bytes(8, "big") + raw.to_bytes(2, "big") + b"\0\1\0\0\0\0")
                after = board.copy(stack=False)
                after.push(move)
                following.append(after)
        boards = following
    return b"".join(sorted(entries))


class Patient:
    """One engine, and the slowest of its answers."""

    def __init__(self) -> None:
        self.talk = ThroughPipes("uci")
        self.chat = Conversation(self.talk, "uci")
        self.chat.warm()
        self.known = self.chat.known_search()
        self.slowest = 0.0

    def ask(self, options: dict[str, str], fen: str, what: str) -> list[str]:
        """Set the options and ask for a move; returns what it says, raises FindingError."""
        lines = [f"setoption name {name} value {value}" for name, value in options.items()]
        lines += ["isready", f"position fen {fen}", "go nodes 500"]
        begun = time.monotonic()
        self.talk.send("".join(f"{line}\n" for line in lines).encode())
        told = self.talk.until("bestmove ")
        answer = told[-1].split()[1]
        spent = time.monotonic() - begun
        self.slowest = max(self.slowest, spent)
        if answer not in {move.uci() for move in chess.Board(fen).legal_moves}:
            raise FindingError(f"{what}: answers {answer} in {fen}")
        if spent > MAX_SECONDS:
            raise FindingError(f"{what}: answers after {spent:.1f} s")
        return told

    def check(self, what: str) -> None:
        """It plays as before; raises FindingError."""
        if (nodes := self.chat.known_search()) != self.known:
            raise FindingError(f"after {what} a known search has {nodes} nodes, not {self.known}")


def damage_books(patient: Patient, count: int, seed: int) -> list[str]:
    """Returns what was found."""
    sound = book()
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.bin"
        for number in range(count):
            path.write_bytes(damaged(sound, random.Random(f"{seed} book {number}")))
            options = {"OwnBook": "true", "BookFile": str(path)}
            try:
                patient.ask(options, chess.STARTING_FEN, f"book {number}")
                if number % _CHECK_EVERY == 0:
                    patient.check(f"book {number}")
            except FindingError as finding:
                findings.append(str(finding))
    return findings


def damage_networks(patient: Patient, count: int, seed: int) -> list[str]:
    """Returns what was found."""
    sound = SHIPPED.read_bytes()
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.net"
        for number in range(count):
            source = random.Random(f"{seed} network {number}")
            ill = damaged(sound, source)
            path.write_bytes(ill)
            try:
                told = patient.ask({"EvalFile": str(path)}, chess.STARTING_FEN, f"network {number}")
                errors = [line for line in told if line.startswith("info string error")]
                if len(errors) != (ill != sound):
                    raise FindingError(f"network {number}: says {errors}")
                if number % _CHECK_EVERY == 0:
                    patient.check(f"network {number}")
            except FindingError as finding:
                findings.append(str(finding))
    return findings


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, metavar="N", help="of each (200)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args()
    patient = Patient()
    findings = damage_books(patient, arguments.count, arguments.seed)
    print(f"{arguments.count} books, slowest answer {patient.slowest:.2f} s", flush=True)
    patient.slowest = 0.0
    findings += damage_networks(patient, arguments.count, arguments.seed)
    print(f"{arguments.count} networks, slowest answer {patient.slowest:.2f} s", flush=True)
    patient.talk.process.__exit__(None, None, None)
    print(f"{len(findings)} findings", *findings, sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
