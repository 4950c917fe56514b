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
    "leaver": (
        "sys.exit('no' + chr(10) + 'idea')",
        "get_move has raised SystemExit in agent.py, line 4 (sys.exit('no' + chr(10) + 'idea')): no idea)",
    ),
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
    assert (
        main([*players, *words, "--jobs", "1", "--games", str(2 * len(BAD)), "--json", str(table)])
        == 1
    )
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
        ("", [], "agent.py has raised IndentationError in agent.py, line 4: expected an indented"),
    ],
)
def test_what_is_refused(
    body: str, words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = agent(tmp_path, "bot", body)
    assert main([bot, bot, "--games", "2", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "body", "said", "last"),
    [
        (
            "",
            "return {}[fen]",
            "get_move has raised KeyError in agent.py, line 4 (return {}[fen])",
            "",
        ),
        (
            "def best(fen):\n    raise OSError('Größe')\n",
            "import search; return search.best(fen)",
            "get_move has raised OSError in search.py, line 2 (raise OSError('Größe')): Größe)",
            "OSError: Größe",
        ),
        (
            "x = 1\ndef best(fen)\n    pass\n",
            "import search",
            "get_move has raised SyntaxError in search.py, line 2 (def best(fen)): expected ':')",
            "SyntaxError: expected ':'",
        ),
        (
            "import json\nlines = json.loads\n",
            "import search; search.lines('[')",
            "has raised JSONDecodeError in agent.py, line 4 (import search; search.lines('[')): Exp",
            "",
        ),
        (
            "class Odd(Exception):\n    def __str__(self): 1 / 0\n",
            "import search\n    raise search.Odd",
            "get_move has raised Odd in agent.py, line 5 (raise search.Odd))",
            "",
        ),
    ],
)
def test_an_exception_is_told_with_its_line_and_traceback(
    module: str,
    body: str,
    said: str,
    last: str,
    opening: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    players = [agent(tmp_path, "good", GOOD), agent(tmp_path, "bad", body)]
    (tmp_path / "bad" / "search.py").write_text(module, "utf-8")
    out = tmp_path / "match.jsonl"
    words = ["--movetime", "600_000", "--openings", str(opening), "--games", "2", "-o", str(out)]
    assert main([*players, *words]) == 1
    told = capsys.readouterr().out
    assert said in told and "Traceback" not in told
    assert main([*players, *words, "--verbose"]) == 1  # of the games in the journal
    told = capsys.readouterr().out
    assert "\n  Traceback (most recent call last):\n" in told and f"\n  {last}" in told
    games = json.loads(out.read_text().splitlines()[1])["games"]
    assert all("Traceback (most recent call last):" in game["remarks"] for game in games)


def test_the_traceback_of_a_file_that_cannot_be_imported_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = agent(tmp_path, "bot", GOOD, f"import nowhere_to_be_found\n{HEAD}")
    assert main([bot, bot, "--games", "2", "--verbose"]) == 2
    told = capsys.readouterr().err
    reason = (
        "agent.py has raised ModuleNotFoundError in agent.py, line 1 (import nowhere_to_be_found)"
    )
    assert reason in told.splitlines()[-1] and "Traceback (most recent call last):" in told


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
