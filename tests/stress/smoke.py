"""Does an installed engine play? Needs nothing but Python, so it runs where only the engine is installed.

    python tests/stress/smoke.py boomslang
    python tests/stress/smoke.py C:/somewhere/boomslang.exe

It compiles the kernels, asks for the number of the bench, plays a few moves over UCI and some over CECP,
and leaves. Exit status 1: something was not as it should be, and is said.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

TIMEOUT: Final = 600.0  # seconds; the first start compiles
_RECORDED: Final = Path(__file__).resolve().parents[2] / "tests/engine/driver/test_bench.py"
# What is said, and the line that must come before the next is.
_UCI: Final = (
    ("uci", "uciok"),
    ("isready", "readyok"),
    ("position startpos moves e2e4 e7e5 g1f3\ngo depth 8", "bestmove [a-h][1-8][a-h][1-8]( .*)?"),
    ("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo depth 8", "bestmove a1a8"),
    ("quit", ""),
)
_CECP: Final = (
    ("xboard\nprotover 2", "feature .*done=1"),
    ("new\nsd 6\nusermove e2e4", "move [a-h][1-8][a-h][1-8]"),
    ("ping 7", "pong 7"),
    ("quit", ""),
)


def run(*command: str) -> str:
    """What the command prints; raises CalledProcessError if it fails."""
    return subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT, check=True
    ).stdout


def talk(engine: str, dialogue: tuple[tuple[str, str], ...]) -> str:
    """What is wrong with the answers; empty if all came and the engine left in peace."""
    heard: list[str] = []
    # Plain Python, which plays for those who cannot wait for the kernels, would be too slow for this.
    patient = os.environ | {"BOOMSLANG_READY_WITHIN": str(TIMEOUT)}
    with subprocess.Popen(
        [engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=patient
    ) as process:
        alarm = threading.Timer(TIMEOUT, process.kill)
        alarm.daemon = True
        alarm.start()
        assert process.stdin and process.stdout
        for said, wanted in dialogue:
            process.stdin.write(f"{said}\n")
            process.stdin.flush()
            for line in process.stdout:
                heard.append(line.strip())
                if wanted and re.fullmatch(wanted, heard[-1]):
                    break
            else:
                if wanted:
                    return f"no {wanted!r} after {said!r}, but {heard[-5:]}"
        alarm.cancel()
        return f"it left with status {process.returncode}" if process.wait(TIMEOUT) else ""


def problems(engine: str) -> list[str]:
    """What is wrong with it, a line each."""
    recorded = re.search(r"^NODES = (\d+)$", _RECORDED.read_text("utf-8"), re.M)
    assert recorded
    run(engine, "warmup")
    bench = run(engine, "bench")
    counted = f"Nodes searched  : {recorded[1]}" in bench
    found = ["" if counted else f"{bench[-200:]!r}, and not {recorded[1]} nodes"]
    found += [talk(engine, _UCI), talk(engine, _CECP)]
    return [problem for problem in found if problem]


def main(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    (engine,) = argv
    try:
        found = problems(engine)
    except (OSError, subprocess.SubprocessError) as problem:
        found = [f"{problem}: {getattr(problem, 'stderr', '')}"]
    for line in found:
        print(line, file=sys.stderr)
    print("smoke:", "something is wrong" if found else "it plays")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
