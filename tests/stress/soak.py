"""`make soak`: very many short searches, games and changed options in one engine, and what it holds.

    python -m tests.stress.soak --searches 100000

In the second half memory may grow by `--growth` megabytes, and the numbers of threads and of file
descriptors may not grow at all; in the first, options that are rarely set, such as a level or a person to
play like, load what stays. The exit status is 1 if they do, or if the engine fails.
Linux only: the numbers are read from /proc.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess

from boomslang.engine import options
from tests.stress.talks import Conversation, FindingError, ThroughPipes

_SAMPLES: Final = 40
_SETTLED: Final = 2.0  # seconds for threads to end
_MAX_GAME: Final = 120  # plies
_HASH: Final = (1, 4, 16, 32)  # megabytes
_GO: Final = (
    "go nodes 1",
    "go nodes 100",
    "go nodes 1000",
    "go depth 1",
    "go depth 3",
    "go movetime 1",
    "go movetime 5",
    "go wtime 100 btime 100 winc 2 binc 2",
    "go infinite",
    "go ponder wtime 50 btime 50",
    "go mate 1 nodes 300",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """What a process holds."""

    megabytes: float
    threads: int
    descriptors: int


def sample(process: int) -> Sample:
    """Read /proc."""
    fields = {}
    for line in Path(f"/proc/{process}/status").read_text("ascii", "replace").splitlines():
        name, _, value = line.partition(":")
        fields[name] = value.split()
    return Sample(
        int(fields["VmRSS"][0]) / 1024,
        int(fields["Threads"][0]),
        len(list(Path(f"/proc/{process}/fd").iterdir())),
    )


class Soak:
    """One engine, kept busy."""

    def __init__(self, seed: int) -> None:
        self.talk = ThroughPipes("uci")
        self.chat = Conversation(self.talk, "uci")
        self.chat.warm()
        self._random = random.Random(seed)
        self._board = chess.Board()

    def search(self) -> None:
        """One search in a game of random moves, now and then with other options; raises FindingError."""
        source = self._random
        board = self._board
        if board.is_game_over() or board.ply() > _MAX_GAME or source.random() < 0.01:
            chess960 = source.random() < 0.2
            shuffled = chess.Board.from_chess960_pos(source.randrange(960))
            self._board = board = shuffled if chess960 else chess.Board()
            self._send(f"setoption name UCI_Chess960 value {str(chess960).lower()}", "ucinewgame")
        if source.random() < 0.1:
            self._send(*self._changed_option())
        board.push(source.choice(list(board.legal_moves)))
        root = board.root().fen()
        moves = " ".join(move.uci() for move in board.move_stack)
        self._send(f"position fen {root} moves {moves}", source.choice(_GO))
        if source.random() < 0.2:
            self._send("ponderhit")
        self._send("stop")
        answer = self.talk.until("bestmove ")[-1].split()[1]
        legal = [move.uci() for move in board.legal_moves] or ["(none)"]
        if answer not in legal:
            raise FindingError(f"answers {answer} in {board.fen()}")

    def sample(self) -> Sample:
        """What the engine holds with all options as they were; the game is over."""
        self.chat.known_search()
        self._board = chess.Board()
        time.sleep(_SETTLED)
        return sample(self.talk.process.process.pid)

    def leave(self) -> None:
        """End the engine; raises FindingError if it does not end well."""
        self._send("quit")
        if self.talk.process.wait() != 0 or self.talk.process.errors():
            raise FindingError("the engine does not leave well")
        self.talk.process.__exit__(None, None, None)

    def _changed_option(self) -> Iterator[str]:
        source = self._random
        left_out = ("UCI_Chess960", "Debug Log File")  # the second would write a file where it may
        option = source.choice([one for one in options.OPTIONS if one.name not in left_out])
        form = f"setoption name {option.name}"
        if option.kind == "spin":
            value = source.randint(option.lowest, min(option.highest, option.lowest + 100))
            yield f"{form} value {source.choice(_HASH) if option.name == 'Hash' else value}"
        elif option.kind == "check":
            yield f"{form} value {source.choice(['true', 'false'])}"
        elif option.kind == "combo":
            yield f"{form} value {source.choice(option.choices)}"
        elif option.kind == "string":
            yield f"{form} value {source.choice(['', '<empty>', '/nowhere/x', 'x/' * 25])}"
        else:
            yield form

    def _send(self, *lines: str) -> None:
        self.talk.send("".join(f"{line}\n" for line in lines).encode())


def soak(searches: int, seed: int, growth: float) -> list[str]:
    """Do it; returns what was wrong, a line each."""
    soaked = Soak(seed)
    samples: list[Sample] = []
    begun = time.monotonic()
    try:
        for number in range(searches):
            soaked.search()
            if (number + 1) % max(1, searches // _SAMPLES) == 0:
                samples.append(soaked.sample())
                print(f"{number + 1} searches, {time.monotonic() - begun:.0f} s: {samples[-1]}")
                sys.stdout.flush()
        soaked.leave()
    except FindingError as finding:
        return [str(finding)]
    finally:
        soaked.talk.process.process.kill()
    warm = samples[len(samples) // 2 :]
    last = warm[len(warm) // 2 :]
    grown = min(one.megabytes for one in last) - warm[0].megabytes
    print(f"growth in the second half: {grown:+.1f} MB")
    problems = []
    if grown > growth:
        problems.append(f"memory grew by {grown:.1f} MB")
    for name in ("threads", "descriptors"):
        counts = sorted({getattr(one, name) for one in warm})
        if len(counts) > 1:
            problems.append(f"{name}: {counts}")
    return problems


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--searches", type=int, default=20_000, metavar="N", help="(20000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--growth", type=float, default=10.0, metavar="MB", help="(10)")
    arguments = parser.parse_args()
    problems = soak(arguments.searches, arguments.seed, arguments.growth)
    print(*problems or ["all well"], sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
