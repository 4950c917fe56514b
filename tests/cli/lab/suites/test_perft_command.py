"""`boomslang perft` as a user meets it."""

from __future__ import annotations

import sys
from pathlib import Path

import chess
import pytest

from boomslang.cli.lab.suites.perft_command import RIGHT, WRONG, main
from boomslang.cli.terminal.arguments import BAD_USAGE
from boomslang.perft import race as bench

pytestmark = pytest.mark.usefixtures("kernels", "shared_tables")

# A UCI engine that counts only legal moves at depth 1, and that is enough to race it.
COUNTING_ENGINE = """
import chess, sys
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]: print("uciok")
    elif words[:1] == ["isready"]: print("readyok")
    elif words[:2] == ["position", "fen"]: board = chess.Board(" ".join(words[2:8]), chess960=True)
    elif words[:1] == ["go"]: print("ANSWER", board.legal_moves.count() + EXTRA)
    sys.stdout.flush()
"""


def engine_command(tmp_path: Path, answer: str = "Nodes searched:", extra: int = 0) -> str:
    script = tmp_path / "engine.py"
    text = COUNTING_ENGINE.replace("ANSWER", answer).replace("EXTRA", str(extra))
    script.write_text(text, encoding="utf-8")
    return f"{sys.executable} {script}"


def test_a_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["2"]) == RIGHT
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Nodes searched: 400"
    assert lines[1].startswith("Time: ")


def test_divide_of_a_given_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["2", "--divide", "--fen", "8/8/8/8/8/1k6/8/K7 w - - 0 1"]) == RIGHT
    assert capsys.readouterr().out.startswith("a1b1: 5\n\nNodes searched: 5\n")


def test_chess960_is_asked_for_or_seen(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert main(["1", "--divide", "--chess960", "--fen", fen]) == RIGHT
    assert "e1h1: 1" in capsys.readouterr().out
    assert main(["1", "--divide", "--fen", fen.replace(" K ", " H ")]) == RIGHT
    assert "e1h1: 1" in capsys.readouterr().out


def test_threads_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["3", "--threads", "2", "--hash", "1", "--startpos"]) == RIGHT
    assert "Nodes searched: 8902" in capsys.readouterr().out


def test_suite_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.epd"
    path.write_text(f"{chess.STARTING_FEN} ;D1 20 ;D2 400 ;D3 1\n", encoding="utf-8")
    assert main(["--suite", str(path), "--max-nodes", "400"]) == WRONG
    out = capsys.readouterr().out
    assert "3 counts of 1 positions, 1 wrong" in out
    assert "8902" in out and "+8901" in out
    path.write_text(f"{chess.STARTING_FEN} ;D1 20 ;D2 400\n", encoding="utf-8")
    assert main(["--suite", str(path)]) == RIGHT
    assert "2 counts of 1 positions, 0 wrong" in capsys.readouterr().out


def test_the_shipped_suite_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--suite", "--max-nodes", "50"]) == RIGHT
    assert ", 0 wrong" in capsys.readouterr().out


def test_many_wrong_counts_are_cut_short(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.epd"
    path.write_text(f"{chess.STARTING_FEN} ;D1 19\n" * 35, encoding="utf-8")
    assert main(["--suite", str(path)]) == WRONG
    assert "... and 5 more" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no depth given"),
        (["0"], "not between 1 and 31"),
        (["3", "--fen", "nonsense"], "bad FEN"),
        (["3", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"], "illegal position: Black has no king"),
        (["3", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1", "--startpos"], "not allowed"),
        (["--suite", "/nowhere/at/all.epd"], "cannot read"),
        (["--suite", "--against", "x"], "exclude each other"),
        (["--suite", "--max-nodes", "1"], "no counts to check"),
        (["3", "--suite"], "a depth has no effect with --suite"),
        (["--suite", "--fen", chess.STARTING_FEN], "--fen has no effect"),
        (["--suite", "--hash", "1024"], "--hash has no effect"),
        (["3", "--max-nodes", "9"], "--max-nodes needs --suite"),
        (["--against", "no-such-engine-here"], "cannot start"),
        (["--against", "'engine"], "No closing quotation"),
        (["--against", "x", "--hash", "4"], "without a hash table"),
        (["--against", "x", "--fen", chess.STARTING_FEN], "no depth given"),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == BAD_USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("boomslang perft: ") and captured.err.count("\n") == 1
    assert words in captured.err


def test_a_bad_suite_is_named_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.epd"
    path.write_text("nonsense\n", encoding="utf-8")
    assert main(["--suite", str(path)]) == BAD_USAGE
    assert f"{path}:1: no counts" in capsys.readouterr().err


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    assert "boomslang perft 6" in capsys.readouterr().out


def test_a_race(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = engine_command(tmp_path)
    assert main(["1", "--against", command, "--rounds", "2"]) == RIGHT
    assert "Medians of 2 alternating runs" in capsys.readouterr().out


def test_a_race_with_an_engine_that_counts_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = engine_command(tmp_path, extra=1)
    assert main(["1", "--against", command, "--rounds", "1"]) == WRONG
    assert "Wrong: 20 against 21 nodes at depth 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "words"),
    [("bestmove", "does not know 'go perft'"), ("Nodes searched: many x", "answered")],
)
def test_a_race_with_an_engine_that_cannot(
    tmp_path: Path, answer: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = engine_command(tmp_path, answer) if answer == "bestmove" else None
    if command is None:
        command = engine_command(tmp_path, "Nodes searched: x")
        script = tmp_path / "engine.py"
        text = script.read_text(encoding="utf-8")
        text = text.replace(", board.legal_moves.count() + 0", "")
        script.write_text(text, encoding="utf-8")
    assert main(["1", "--against", command]) == BAD_USAGE
    assert words in capsys.readouterr().err


def test_a_race_with_something_that_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["1", "--against", f"{sys.executable} -c pass"]) == BAD_USAGE
    assert "ended" in capsys.readouterr().err


def test_ratios() -> None:
    comparison = bench.Comparison(chess.Board(), 1)
    comparison.ours = [
        bench.PerftRun(20, 1.0, 1.0),
        bench.PerftRun(20, 2.0, 1.0),
        bench.PerftRun(20, 3.0, None),
    ]
    comparison.theirs = [bench.PerftRun(20, 6.0, 3.0)]
    assert comparison.agree()
    assert comparison.ratio() == 3.0
    assert comparison.cpu_ratio() == 3.0
    assert bench.speed(comparison.ours) == 10.0
