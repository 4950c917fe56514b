"""`boomslang trial`: what it takes, refuses and prints."""

from __future__ import annotations

import io
import math
import re
from pathlib import Path

import pytest
from rich.console import Console

from boomslang.cli.lab.selfplay.trial_command import main
from boomslang.core.jit.instructions import KERNELS_TELL_THREAD_TIME
from boomslang.engine.learning.selfplay.pentanomial import Games, Pentanomial
from boomslang.engine.match.match_score import is_decided, verdict
from boomslang.engine.search.params import BY_NAME
from boomslang.eval.network.file import SHIPPED, write
from tests.support.networks import random_network
from tests.support.places import ROOT

AS_IT_IS = BY_NAME["futility_base"].default
QUICK = ["--games", "4", "--nodes", "100", "--workers", "1"]


@pytest.mark.jit_only
def test_the_command(kernels: None, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["futility_base=60", *QUICK]) == 0
    assert "Elo" in capsys.readouterr().out
    assert main(["nothing=1"]) == 2
    assert main(["futility_base=100000"]) == 2
    assert main(["--weights", str(tmp_path / "none.py")]) == 2
    assert "none.py" in capsys.readouterr().err


@pytest.mark.jit_only
@pytest.mark.parametrize(
    "arguments",
    [
        "",
        f"futility_base={AS_IT_IS}",
        f"--against futility_base={AS_IT_IS}",
        "futility_base=60 --against futility_base=60",
        "--weights eval/classical/weights.py",
        "--classical --against eval/classical/weights.py",
        "futility_base=60 --classical --against classical --against futility_base=60",
        "--network eval/network/default.net",
        "--network eval/network/default.net --against network",
        "--against eval/network/default.net",
    ],
)
def test_both_sides_must_differ(
    kernels: None, capsys: pytest.CaptureFixture[str], arguments: str
) -> None:
    files = [str(ROOT / word) if "/" in word else word for word in arguments.split()]
    assert main([*files, *QUICK]) == 2
    printed = capsys.readouterr()
    assert "both sides are the same" in printed.err and printed.out == ""


@pytest.mark.jit_only
def test_numbers_of_the_opponent(kernels: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Exchanged sides bring exchanged results."""
    told = []
    games = [*QUICK, "--games", "6", "--nodes", "400"]  # enough for the weaker side to lose
    for arguments in (["quiescence=0"], ["--against", "quiescence=0"]):
        assert main([*arguments, *games]) == 0
        won, drawn, lost = re.match(r"\+(\d+) =(\d+) -(\d+)", capsys.readouterr().out).groups()  # type: ignore[union-attr]
        told.append((won, drawn, lost))
    assert told[0] == told[1][::-1] and told[0] != told[1]


def test_a_parameter_has_one_value(capsys: pytest.CaptureFixture[str]) -> None:
    two = ["futility_base=60", "futility_base=61"]
    for arguments in (two, ["--against", two[0], "--against", two[1]]):
        assert main([*arguments, *QUICK]) == 2
        assert "is set twice for one side" in capsys.readouterr().err


def test_bad_opponents(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--against", "nothing=1"]) == 2
    assert "no search parameter is called 'nothing'" in capsys.readouterr().err
    assert main(["--against", "a.py", "--against", "b.py"]) == 2
    assert "the opponent can have only one" in capsys.readouterr().err
    assert main(["--against", "classical", "--against", "b.net"]) == 2
    assert "the opponent can have only one" in capsys.readouterr().err
    assert main(["--against", "clasical"]) == 2
    assert "'clasical' is neither a file nor classical, network" in capsys.readouterr().err
    for second in (["--classical"], ["--weights", "b.py"]):
        assert main(["--network", "a.net", *second]) == 2
        assert "exclude each other" in capsys.readouterr().err


@pytest.mark.jit_only
@pytest.mark.parametrize(
    "arguments",
    [
        "--classical",
        "--network other.net",
        "--against other.net",
        "--against classical",
        "--network other.net --against classical",
        "--weights eval/classical/weights.py --against network",
        "--against eval/classical/weights.py",
    ],
)
def test_sides_with_other_evaluations_differ(
    kernels: None, capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: str
) -> None:
    write(tmp_path / "other.net", random_network(5), {})
    places = {"other.net": tmp_path, "eval/classical/weights.py": ROOT}
    files = [str(places[word] / word) if word in places else word for word in arguments.split()]
    assert main([*files, *QUICK]) == 0
    assert "Elo" in capsys.readouterr().out


@pytest.mark.jit_only
def test_files_that_are_no_networks(
    kernels: None, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.net"
    damaged.write_bytes(SHIPPED.read_bytes()[:-1])
    for arguments in (["--network", str(damaged)], ["--against", str(damaged)]):
        assert main([*arguments, *QUICK]) == 2
        assert "is damaged" in capsys.readouterr().err
    assert main(["--against", str(tmp_path / "none.NET"), *QUICK]) == 2
    assert "no such file" in capsys.readouterr().err


@pytest.mark.jit_only
@pytest.mark.skipif(not KERNELS_TELL_THREAD_TIME, reason="the system has no such clock")
def test_games_by_the_clock(kernels: None, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ["--games", "2", "--movetime", "1", "--workers", "1", "--hash", "1"]
    assert main(["quiescence=0", *quick]) == 0
    assert "Elo" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--nodes 8000 --movetime 50", "--nodes and --movetime exclude each other"),
        ("--movetime 0", "is not a whole number from 1"),
        ("--movetime 50 --hash 0", "is not a whole number from 1"),
        ("--games 3", "is not an even number"),
    ],
)
def test_bad_limits(capsys: pytest.CaptureFixture[str], arguments: str, told: str) -> None:
    assert main(["quiescence=0", *arguments.split()]) == 2
    assert told in capsys.readouterr().err


def test_systems_without_such_a_clock(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("boomslang.core.jit.instructions.KERNELS_TELL_THREAD_TIME", False)
    assert main(["quiescence=0", "--movetime", "50"]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert "has no CPU clock per thread" in printed.err


@pytest.mark.jit_only
def test_the_bar_shows_how_it_stands(kernels: None, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80)
    monkeypatch.setattr("boomslang.cli.terminal.progress.Console", lambda stderr: console)
    assert main(["quiescence=0", "--sprt", "0", "10", *QUICK]) == 0
    last = screen.getvalue().rsplit("+", 1)[-1]
    assert "Elo" in last and "LLR" in last and "4/4" in last


@pytest.mark.parametrize(
    ("pairs", "sprt", "meaning"),
    [
        ([(1, 0), (0, 0), (0, -1)] * 20, (0, 10), "Undecided: the games do not tell 0 from 10 Elo"),
        ([(1, 0), (0, 0)] * 200, (0, 10), "10 Elo is accepted: were it 0 or less, 5 % of"),
        ([(-1, 0), (0, 0)] * 200, (-10, 0), "-10 Elo is accepted: were it 0 or more, 5 % of"),
    ],
)
def test_an_sprt_says_what_it_means(
    pairs: list[tuple[int, int]], sprt: tuple[float, float], meaning: str
) -> None:
    results = Pentanomial()
    for pair in pairs:
        results.add(pair)
    lines = verdict(results, sprt)
    ratio = results.log_likelihood_ratio(*sprt)
    assert f" LLR {ratio:.2f} [-2.94, 2.94], errors 5 % each" in lines[1]
    assert f"SPRT of {sprt[1]} against {sprt[0]} Elo" in lines[1] and lines[2].startswith(meaning)
    assert is_decided(results, sprt) == (abs(ratio) >= math.log(19)) == ("accepted" in meaning)
    assert max(map(len, lines)) <= 80 and len(verdict(results, None)) == 1


@pytest.mark.parametrize(
    ("pairs", "shown"),
    [
        ([], "+0.0 +/- ? Elo"),
        ([(1, 0)], "+190.8 +/- ? Elo"),
        ([(1, 1), (1, 1)], "+inf +/- ? Elo"),
        ([(1, 1), (1, 0)], "+338.0 +/- "),
    ],
)
def test_an_error_that_is_not_known_is_not_0(pairs: list[Games], shown: str) -> None:
    tally = Pentanomial()
    for games in pairs:
        tally.add(games)
    (line,) = verdict(tally, None)
    assert shown in line and "+/- 0.0" not in line
