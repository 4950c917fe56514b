"""`make fuzz`: mutated input for the protocols and for all that reads what strangers have written.

    python -m tests.stress.fuzz --inputs 5000 uci cecp fen option file texts
    python -m tests.stress.fuzz --whole --inputs 2000 uci
    python -m tests.stress.fuzz --seed 7 --inputs 10000 uci       # round 7 of a finding, again

Each round of a protocol is a process of its own with a seed of its own. What ends it, hangs it, makes
it complain of itself or changes the node count of a known search is a finding: printed, kept in
`--finds` with the inputs before it, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from typing import Final

from tests.stress.inputs import Mutator, corpus
from tests.stress.parsers import PARSERS, fuzz_parser
from tests.stress.talks import Conversation, FindingError, InProcess, ThroughPipes, small_tables
from tests.stress.texts import TARGET, fuzz_texts

PROTOCOLS: Final = ("uci", "cecp")
_ROUND: Final = 5000  # inputs of one process
_CHECK_EVERY: Final = 200  # inputs
_KEPT: Final = 40  # inputs that are kept with a finding
_ROUND_TIMEOUT: Final = 3600.0  # seconds
# What takes long or much memory because it was asked to: nobody learns from that.
_LONG: Final = re.compile(rb"bench|hash|memory|perft", re.I)
_SHRINK: Final = {"uci": b"setoption name Hash value 16\n", "cecp": b"memory 16\n"}


def fuzz(protocol: str, seed: int, count: int, whole: bool, journal: Path | None) -> float:
    """One round in this process or through pipes; returns the slowest answer in seconds.

    Raises FindingError. The journal always holds the last inputs, should this process not survive.
    """
    talk = ThroughPipes(protocol) if whole else InProcess(protocol)
    chat = Conversation(talk, protocol)
    chat.warm()
    known = chat.known_search()
    chat.slowest = 0.0
    mutator = Mutator(corpus(protocol), seed)
    recent: deque[bytes] = deque(maxlen=_KEPT)
    for number in range(1, count + 1):
        line = mutator.line()
        if re.match(rb"\s*quit|.*\bquit\b", line) and whole:
            continue  # in one process the loop only says that it would leave
        recent.append(line)
        if journal:
            journal.write_text("\n".join(map(repr, recent)), "ascii")
        try:
            chat.talk.send(line + b"\n")
            if line.startswith(b"position"):
                chat.talk.send(b"go depth 2\n")
            elif line.startswith((b"setboard", b"usermove", b"new")):
                chat.talk.send(b"sd 2\ngo\n")
            chat.settle()
            if _LONG.search(line):
                chat.talk.send(_SHRINK[protocol])
            if number % _CHECK_EVERY == 0 or number == count:
                found = chat.known_search()
                if found != known:
                    raise FindingError(f"a known search had {known} nodes and has {found}")
        except FindingError as finding:
            raise FindingError(f"{protocol}, seed {seed}, input {number}: {finding}") from None
    if isinstance(talk, ThroughPipes):
        talk.process.send("quit")
        if talk.process.wait() != 0 or talk.process.errors():
            raise FindingError(f"{protocol}, seed {seed}: does not leave well")
        talk.process.__exit__(None, None, None)
    return chat.slowest


def _round(arguments: argparse.Namespace, protocol: str, seed: int, count: int) -> str | None:
    """A round in a child process; None, or what was found."""
    finds: Path = arguments.finds
    finds.mkdir(parents=True, exist_ok=True)
    journal = finds / f"{protocol}-{seed}.txt"
    command = [sys.executable, "-m", "tests.stress.fuzz", "--child", str(journal)]
    command += ["--seed", str(seed), "--inputs", str(count), protocol]
    command += ["--whole"] if arguments.whole else []
    try:
        child = subprocess.run(command, capture_output=True, text=True, timeout=_ROUND_TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"{protocol}, seed {seed}: the round does not end; see {journal}"
    if child.returncode == 0:
        journal.unlink(missing_ok=True)
        print(f"{protocol}, seed {seed}: {count} inputs, {child.stdout.strip()}", flush=True)
        return None
    said = (child.stdout + child.stderr).strip().splitlines()[-1:]
    return f"{protocol}, seed {seed}: exit {child.returncode}, {said}; see {journal}"


def _child(arguments: argparse.Namespace) -> int:
    with small_tables():
        try:
            (protocol,) = arguments.targets
            slowest = fuzz(
                protocol, arguments.seed, arguments.inputs, arguments.whole, arguments.child
            )
        except FindingError as finding:
            print(finding)
            return 1
    print(f"slowest answer {slowest * 1000:.0f} ms")
    return 0


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*PROTOCOLS, *PARSERS, TARGET]
    parser.add_argument("targets", nargs="*", metavar="WHAT", help=f"of {', '.join(names)}; all")
    parser.add_argument("--inputs", type=int, default=20_000, metavar="N", help="for each (20000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first round (1)")
    parser.add_argument("--whole", action="store_true", help="through the pipes of a process")
    parser.add_argument("--finds", type=Path, default=Path("fuzz-finds"), metavar="FOLDER")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if unknown := set(arguments.targets) - set(names):
        parser.error(f"nothing is called {', '.join(sorted(unknown))}")
    if arguments.child:
        status = _child(arguments)
        sys.stdout.flush()
        os._exit(status)  # a thread may hang
    findings: list[str] = []
    begun = time.monotonic()
    for target in arguments.targets or names:
        if target in PARSERS:
            findings += fuzz_parser(target, arguments.seed, arguments.inputs)
            continue
        if target == TARGET:
            findings += fuzz_texts(arguments.seed, arguments.inputs, arguments.finds)
            continue
        for number, first in enumerate(range(0, arguments.inputs, _ROUND)):
            count = min(_ROUND, arguments.inputs - first)
            finding = _round(arguments, target, arguments.seed + number, count)
            findings += [finding] if finding else []
    print(f"{len(findings)} findings in {time.monotonic() - begun:.0f} s", *findings, sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
