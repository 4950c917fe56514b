"""Agents, folders with a function that chooses moves, in `boomslang match`: what loses a game, and why."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import pytest

import boomslang
from boomslang.cli.lab.match.command import main
from boomslang.engine.match.engine_spec import parse_engine
from boomslang.engine.other_engines import agents

Stub = Callable[[str], str]

# The body of `get_move` by the name of the agent, and how it loses.
BAD = {
    "illegal": ("return 'e1e9'", "illegal move: the engine has played no legal move (invalid uci"),
    "talker": ("return 'e1d1 ponder e8e7'", "illegal move: the engine has played no legal move ("),
    "hog": (
        "data = [bytearray(b'x' * (1 << 24)) for _ in range(1000)]",
        "memory: it has used more than 0.25 GB of memory",
    ),
    "passer": ("return '0000'", "no move: the engine has given no move"),
    "mute": ("return ''", "no move: the engine has given no move"),
    "printer": ("print('thinking')", "the agent has printed to standard output)"),
    "leaver": ("sys.exit('no\\nidea')", "get_move has raised SystemExit: no idea)"),
    "list": ("return ['e1d1']", "get_move has returned list instead of a string like e2e4)"),
    "forker": ("os.fork() or time.sleep(500)\n    os._exit(4)", "crash: the engine has died"),
}
GOOD = "return 'e1d1' if ' w ' in fen else 'e8d8'"  # as long as it goes well
HEAD = "import os, sys, time\n\ndef get_move(fen, milliseconds):\n    "


def agent(folder: Path, name: str, body: str, head: str = HEAD) -> str:
    (folder / name).mkdir()
    (folder / name / "agent.py").write_text(f"{head}{body}\n")
    return str(folder / name)


@pytest.fixture
def opening(tmp_path: Path) -> Path:
    path = tmp_path / "opening.epd"
    path.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n")
    return path


@pytest.mark.skipif(not Path("/proc/self/statm").is_file(), reason="needs /proc")
def test_what_breaks_the_rules_loses_with_the_reason(
    opening: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(agents, "MAX_AGENT_MEMORY", 1 << 28)
    players = [agent(tmp_path, "good", GOOD)]
    players += [agent(tmp_path, name, body) for name, (body, _) in BAD.items()]
    pgn, table = tmp_path / "games.pgn", tmp_path / "table.json"
    words = ["--gauntlet", "--movetime", "600_000", "--openings", str(opening), "--pgn", str(pgn)]
    assert main([*players, *words, "--games", str(2 * len(BAD)), "--json", str(table)]) == 0
    out = capsys.readouterr().out
    good, *bad = json.loads(table.read_text())["engines"]
    assert good["won"] == 2 * len(BAD) and [each["name"] for each in bad] == [*BAD]
    with pgn.open() as file:
        games = [game for _ in range(2 * len(BAD)) if (game := chess.pgn.read_game(file))]
    for game in games:
        name = next(
            game.headers[side] for side in ("White", "Black") if game.headers[side] != "good"
        )
        reason = BAD[name][1]
        assert reason in game.headers["Termination"], name
        told = [line for line in out.splitlines() if line.startswith(f"{name} lost ")]
        assert told and all(reason in line for line in told)
    failed = {each["name"]: {kind for kind, n in each["failures"].items() if n} for each in bad}
    assert failed["hog"] == {"memory"} and failed["illegal"] == {"illegal move"}
    assert failed["passer"] == failed["mute"] == {"no move"}


def test_whoever_sleeps_loses_on_time(
    stub: Stub, opening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sleeper = agent(tmp_path, "sleeper", f"time.sleep(milliseconds / 1000 + 0.2)\n    {GOOD}")
    words = ["--movetime", "100", "--games", "2", "--openings", str(opening)]
    assert main([stub("plain"), sleeper, *words]) == 0
    out = capsys.readouterr().out
    assert "2 time" in out and "+2 =0 -0" in out


def test_each_game_is_begun_anew(opening: Path, tmp_path: Path) -> None:
    opening.write_text("6k1/R7/6K1/8/8/8/8/8 w - - 0 1\n")  # mate in one
    body = "global asked\n    asked += 1\n    assert asked == 1\n    return 'a7a8'"
    players = [agent(tmp_path, name, body, f"asked = 0\n{HEAD}") for name in ("one", "two")]
    found = boomslang.play_match(
        *players, movetime=600_000, games=4, openings=opening, python=sys.executable
    )
    assert [sum(engine["failures"].values()) for engine in found["engines"]] == [0, 0]
    assert len(found["games"]) == 4


@pytest.mark.parametrize(
    ("body", "words", "said"),
    [
        (GOOD, ["--nodes", "5"], "bot: it knows no limit of nodes"),
        (GOOD, ["--depth", "5"], "bot: it knows no limit of depth"),
        (GOOD, ["--python", "no-such-python"], "--python: cannot start 'no-such-python'"),
        (GOOD, ["--one", "Hash=5"], "has no option 'Hash'"),
        ("", [], "agent.py has raised IndentationError: expected an indented block"),
    ],
)
def test_what_is_refused(
    body: str, words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = agent(tmp_path, "bot", body)
    assert main([bot, bot, "--games", "2", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_folders_and_interpreters_that_do_not_fit(
    stub: Stub, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = stub("plain")
    assert main([plain, str(tmp_path)]) == 2
    assert "has no agent.py" in capsys.readouterr().err
    assert main([plain, plain, "--python", sys.executable]) == 2
    assert "--python needs an agent" in capsys.readouterr().err
    with pytest.raises(ValueError, match="python needs an agent"):
        boomslang.play_match(plain, plain, nodes=1, python=sys.executable)


def test_an_agent_is_known_by_its_code(tmp_path: Path) -> None:
    folder = Path(agent(tmp_path, "my bot", GOOD))
    spec = parse_engine(f" {folder}/ ", {}, ["/usr/bin/python3", "-B"])
    assert spec.name == "my bot" and spec.command[:2] == ("/usr/bin/python3", "-B")
    (folder / "games.log").write_text("something that it writes")
    (folder / ".venv").mkdir()
    (folder / ".venv" / "library.py").write_text("pass")
    assert parse_engine(str(folder), {}).digest == spec.digest
    (folder / "search.py").write_text("pass")
    assert parse_engine(str(folder), {}).digest != spec.digest
