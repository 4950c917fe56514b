from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from boomslang.cli.lab import games_command

pytestmark = pytest.mark.jit_only

SOUND = """[Event "a, b"]
[White "Müller"]
[Result "1-0"]
[UTCDate "2024.01.31"]
[WhiteTitle "GM"]

1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:59.5] [%eval 0.31]} 1-0
"""
CUT = '\n[Event "c"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O Ke7 2. Ra3 *\n'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("a.pgn").write_text(SOUND, "utf-8")
    Path("b.pgn").write_text(SOUND + CUT, "utf-8")
    return ["a.pgn", "b.pgn"]


def test_a_table(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    line = [*files, "-o", "games.csv", "--tags", "WhiteTitle"]
    assert games_command.main(line) == games_command.PROBLEMS
    out, err = capsys.readouterr()
    assert out == "games: 3, plies: 6, odd games: 1\n"
    assert "'b.pgn', game 2 in line 9: illegal move: 2. Ra3" in err
    first, _, last = csv.DictReader(Path("games.csv").read_text("utf-8").splitlines())
    assert first["event"] == "a, b"
    assert first["white"] == "Müller"
    assert first["date"] == "2024-01-31"
    assert first["WhiteTitle"] == "GM"
    assert (first["moves"], first["clocks"], first["evals"]) == ("e2e4 e7e5", "60 59.5", "- 31")
    assert (last["source"], last["game"], last["moves"]) == ("1", "2", "e1g1 e8e7")
    assert (last["result"], last["clocks"], last["odd"]) == ("", "", "2")


def test_arrays(files: list[str]) -> None:
    assert games_command.main([files[0], "-o", "games.npz"]) == games_command.DONE
    arrays = np.load("games.npz")
    assert arrays["white"].tolist() == ["Müller"]
    assert arrays["offsets"].tolist() == [0, 2]
    assert arrays["clocks"].tolist() == [60.0, 59.5]


def test_parquet(files: list[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert games_command.main([*files, "-o", "games.parquet"]) == games_command.PROBLEMS
    rows = parquet.read_table("games.parquet").to_pylist()
    assert [row["white"] for row in rows] == ["Müller", "Müller", "?"]
    assert rows[0]["clocks"] == [60.0, 59.5]


def test_games_are_counted(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert games_command.main(files[:1]) == games_command.DONE
    assert capsys.readouterr().out == "games: 1, plies: 2, odd games: 0\n"


def test_what_comes_through_a_pipe(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("-", "/dev/stdin", "/dev/fd/0"):
        begin, end = os.pipe()
        os.write(end, SOUND.encode())
        os.close(end)
        with monkeypatch.context() as stdin:
            stdin.setattr("os.dup", lambda _, dup=os.dup, begin=begin: dup(begin))
            assert games_command.main([name, "-o", "games.csv"]) == games_command.DONE
        os.close(begin)
        assert "Müller" in Path("games.csv").read_text("utf-8")


def test_a_text_that_would_need_as_much_room_in_each_game(files: list[str]) -> None:
    Path("long.pgn").write_text(SOUND.replace("Müller", "x" * 900_000) + SOUND * 400, "utf-8")
    assert games_command.main(["long.pgn", "-o", "long.npz"]) == 2
    assert not Path("long.npz").exists()
    assert games_command.main(["long.pgn", "-o", "long.csv"]) == games_command.DONE


def test_what_is_refused(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for line, reason in (
        (["a.pgn", "-o", "a.pgn"], "files to read"),
        (["a.pgn", "-o", "a.txt"], "rename 'a.txt'"),
        (["a.pgn", "--tags", "a b"], "not the name of a tag"),
    ):
        assert games_command.main(line) == 2
        assert reason in capsys.readouterr().err
    Path("prose.pgn").write_text("hello\n")
    assert games_command.main(["prose.pgn", "-o", "x.csv"]) == 2
    assert not Path("x.csv").exists()
