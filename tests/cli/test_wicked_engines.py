"""Commands with an engine whose lines are impossible: they go on, take no memory, and keep what is good."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.process import COMMAND, run_python
from tests.support.wicked_engine import wicked_engine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc"),
]

GAME = "1. e4 e5 2. Nf3 Nc6 *\n"
GROWTH = 100 << 10  # kB
TIMEOUT = 300.0  # seconds


def run(folder: Path, arguments: Sequence[str]) -> int:
    """The most memory that a command took, in kB, with the processes that it has waited for."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr
    said = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    assert process.returncode == 0, said
    return used.ru_maxrss


@pytest.mark.parametrize("protocol", ["uci", "cecp"])
@pytest.mark.parametrize("name", ["label", "analyse", "match"])
def test_a_command_goes_on(name: str, protocol: str, tmp_path: Path) -> None:
    (tmp_path / "game.pgn").write_text(GAME)
    few = ["--nodes", "9", "--jobs", "1"]
    sizes = []
    for lines in (False, True):
        engine = wicked_engine(tmp_path, protocol, lines=lines)
        out = f"out{lines}"
        arguments = {
            "label": ["label", "game.pgn", *few, "--engine", engine, "--out", f"{out}.csv"],
            "analyse": ["analyse", "game.pgn", *few, "--engine", engine, "--out", out],
            "match": [
                *("match", engine, engine, "--movetime", "500", "--games", "2", "--jobs", "1"),
                *("--out", f"{out}.jsonl"),
            ],
        }[name]
        sizes.append(run(tmp_path, arguments))
    assert sizes[1] - sizes[0] < GROWTH
    if name == "label":
        with (tmp_path / "outTrue.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert {(row["score"], row["depth"], row["nodes"]) for row in rows} == {("7", "5", "9")}
    elif name == "analyse":
        data = json.loads((tmp_path / "outTrue.json").read_text("utf-8"))
        (game,) = data["games"]
        assert [each["lines"][0]["cp"] for each in game["positions"]] == [7, -7, 7, -7, 7]
    else:
        _, *pairs = (tmp_path / "outTrue.jsonl").read_text().splitlines()
        for played in json.loads(pairs[0])["games"]:
            assert not played["reason"].startswith(("crash", "stall", "time")), played["reason"]


def test_one_line_cannot_take_all_memory(tmp_path: Path) -> None:
    """By the library, in a process that has little memory more than it needs."""
    engine = wicked_engine(tmp_path)
    code = f"""
import resource, boomslang
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
import chess.pgn, io
game = chess.pgn.read_game(io.StringIO({GAME!r}))
found = boomslang.analyse_game(game, {engine!r}, nodes=9)
print([position["lines"][0]["cp"] for position in found["positions"]])
"""
    done = run_python("-c", code, folder=Path.cwd())
    assert done.stdout == "[7, -7, 7, -7, 7]\n", done.stderr
