"""`boomslang suite`: verdicts, reports, comparisons, and how it fails."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from boomslang.cli.lab.suites.suite_command import main
from boomslang.engine.jobs.run import run

pytestmark = pytest.mark.jit_only

# All first moves but h4, which no engine plays.
OTHERS = [f"{file}{rank}" for file in "abcdefgh" for rank in "34" if file + rank != "h4"]
OTHERS += ["Na3", "Nc3", "Nf3", "Nh3"]
EPD = """\
# Three that are found at once, one that is not, and two bad lines.
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; dm 1; id "mate.1";
8/8/8/3q4/8/2N5/8/K1k5 w - - bm Nxd5; id "fork.1";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - am Na3 h4; id "opening.1";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm h4; c0 "h4=10, POINTS"; id "opening.2";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e5;
what is this
""".replace("POINTS", ", ".join(f"{move}=4" for move in OTHERS))


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "few.epd"
    path.write_text(EPD, encoding="utf-8")
    return path


GAME = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Qh5 Nc6\n3. Bc4 Nf6 4. Qxf7# 1-0\n\n'


def results(path: Path) -> list[dict[str, Any]]:
    """All that does not depend on the clock."""
    outcomes = json.loads(path.read_text("utf-8"))["runs"][0]["outcomes"]
    for outcome in outcomes:
        del outcome["milliseconds"], outcome["solution_milliseconds"]
    return list(outcomes)


@pytest.mark.parametrize("text", [GAME, GAME.partition("\n\n")[2]])
def test_games_are_no_suite(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(text * 30, encoding="utf-8")
    assert main([str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is a PGN of games" in line and "boomslang puzzles" in line


def test_reports(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json = tmp_path / "out.json"
    arguments = [str(suite), "--nodes", "3000", "--json", str(as_json)]
    assert main(arguments) == 1  # two lines are bad
    out, err = capsys.readouterr()
    assert f"{suite}:6: bm: illegal move: 1. e5" in err and f"{suite}:7: not a position" in err
    assert "lines left out: 2" in err
    assert "3,000 nodes" in out and "Not solved: 1" in out and f"opening.2 ({suite}:5)" in out
    assert "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in out
    found = results(as_json)
    assert [outcome["solved"] for outcome in found] == [True, True, True, False]
    assert found[0]["score"] == "#1" and found[1]["played"] == "Nxd5"
    assert found[3]["points"] == 4 and found[3]["most_points"] == 10
    assert len(json.loads(as_json.read_text("utf-8"))["skipped"]) == 2


def test_processes_give_the_same_results(suite: Path, tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        main([str(suite), "--nodes", "1000", "--jobs", jobs, "--json", str(tmp_path / jobs)])
    assert results(tmp_path / "1") == results(tmp_path / "2")


def test_against_an_earlier_run(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.json"
    main([str(suite), "--depth", "2", "--json", str(old)])
    changed = json.loads(old.read_text("utf-8"))
    mate, fork, _, opening = changed["runs"][0]["outcomes"]
    mate["solved"], mate["played"], opening["solved"], opening["played"] = False, "h3", True, "h4"
    del changed["runs"][0]["outcomes"][changed["runs"][0]["outcomes"].index(fork)]
    old.write_text(json.dumps(changed), encoding="utf-8")
    capsys.readouterr()
    main([str(suite), "--depth", "2", "--brief", "--against", str(old)])
    out = capsys.readouterr().out
    assert "1 of the positions are missing in old.json" in out
    assert "Gained: mate.1" in out and "Rd8# instead of h3" in out
    assert "Lost: opening.2" in out


def test_another_engine(
    stub: Callable[[str], str], suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    openings = tmp_path / "openings.epd"
    openings.write_text("\n".join(EPD.splitlines()[3:5]), encoding="utf-8")
    command = stub("plain")
    arguments = [str(openings), "--depth", "1", "--engine", command, "--json", str(out)]
    assert main([*arguments, "--option", "Score=30"]) == 0
    shown = capsys.readouterr().out
    assert "Against Stub" in shown
    theirs = json.loads(out.read_text("utf-8"))["runs"][1]
    assert theirs["engine"] == 'Stub "3"'
    assert [outcome["played"] for outcome in theirs["outcomes"]] == ["a3", "a3"]
    assert [outcome["solved"] for outcome in theirs["outcomes"]] == [True, False]
    assert theirs["points"] == 4
    assert theirs["outcomes"][0]["score"] == "+0.30"


def test_an_agent(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "agent.py").write_text(
        "def get_move(fen, milliseconds):\n    return 'g1f3'\n"
    )
    openings = tmp_path / "openings.epd"
    openings.write_text("\n".join(EPD.splitlines()[3:5]), encoding="utf-8")
    arguments = [str(openings), "--engine", str(tmp_path / "bot"), "--python", sys.executable]
    assert main([*arguments, "--depth", "1"]) == 2
    assert "an agent knows no limit but time" in capsys.readouterr().err
    assert main([*arguments, "--depth", "1", "--movetime", "60_000"]) == 0
    assert "Against bot" in capsys.readouterr().out


@pytest.mark.parametrize("manner", [pytest.param("cheating", marks=pytest.mark.slow), "losing"])
def test_an_engine_that_fails(
    manner: str, stub: Callable[[str], str], suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(suite), "--depth", "1", "--brief", "--engine", stub(manner)]) == 1
    assert "failed searches: 4" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["EMPTY"], "no position to solve"),
        (["SUITE", "--json", "/nowhere/x.json"], "there is no folder '/nowhere'"),
        (["SUITE", "--against", "SUITE"], "not the JSON of a suite run"),
        (["SUITE", "--engine", "/nowhere/engine"], "cannot start '/nowhere/engine'"),
        (["SUITE", "--engine", "cat", "--option", "Hash"], "'Hash' is not NAME=VALUE"),
        (["SUITE", "--option", "Hash=1"], "--option needs --engine"),
        (["SUITE", "--python", "python"], "--python needs --engine"),
        (["SUITE", "--nodes", "0"], "is not a whole number from 1"),
        (["SUITE", "--cluster", "host"], "'host' is not an address like tcp://HOST:8786"),
    ],
)
def test_bad_usage(
    arguments: list[str],
    words: str,
    suite: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "empty.epd").write_text("\n", encoding="utf-8")
    names = {"SUITE": str(suite), "EMPTY": str(tmp_path / "empty.epd")}
    assert main([names.get(argument, argument) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert words in err.splitlines()[-1] and err.splitlines()[-1].startswith("boomslang suite: ")
    assert not out


def test_an_interrupt_writes_what_is_done(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: Any, **settings: Any) -> Iterator[Any]:
        yield from islice(run(*arguments, **settings), 2)
        raise KeyboardInterrupt

    as_json = tmp_path / "out.json"
    monkeypatch.setattr("boomslang.engine.jobs.run.run", interrupted)
    arguments = ["--depth", "1", "--jobs", "1", "--json", str(as_json)]
    assert main([str(suite), *arguments]) == 130
    err = capsys.readouterr().err.splitlines()
    assert err[-1] == "boomslang suite: interrupted; 2 of 4 positions done and written"
    assert [outcome["id"] for outcome in results(as_json)] == ["mate.1", "fork.1"]
    assert main([str(suite), "--depth", "1"]) == 130
    assert capsys.readouterr().err.splitlines()[-1].endswith("positions done")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(suite), "--depth", "1", "--json", "/dev/full"]) == 2
    assert "cannot write '/dev/full': no space left on device" in capsys.readouterr().err
