"""`boomslang label`: every position gets its line, in order, whoever does the work and however often."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from boomslang.cli.lab.labels import command as label
from boomslang.core.system.journal import Journal
from boomslang.engine.labels import labeller
from boomslang.eval.wdl.conversion import to_cp
from tests.support.oracle import random_game
from tests.support.places import ROOT
from tests.support.process import UciProcess, run_python


def positions(path: Path, count: int, spoilt: float = 0.01) -> Path:
    """A file of so many positions of random games; of a share of them no black king is left."""
    source = random.Random(count)
    with path.open("w") as file:
        for board in islice(_boards(), count):
            fen = board.fen(shredder=board.chess960)
            file.write(f"{fen.replace('k', 'q') if source.random() < spoilt else fen}\n")
    return path


def _boards() -> Iterator[chess.Board]:
    for seed in range(1_000_000):
        yield from random_game(seed, 100, chess960=seed % 5 == 0)


pytestmark = pytest.mark.jit_only

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
LINES = f"""\
\ufeff{START} id "a; b"; ce 99; bm e4;
# a comment

nonsense
{MATE_IN_ONE}
R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1
4k3/8/8/8/8/8/8/4KK2 w - - 0 1
4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 98; fmvn 120;
8/8/8/8/8/1k6/p7/K7 w - - 12 80
{"x" * 20_000}
rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1
"""
GAME = """\
[Event "a"]
[Result "1/2-1/2"]
[WhiteElo "1500"]
[TimeControl "60"]

1. e4 { [%clk 0:00:59.5] [%eval -0.31] } e5 2. Ke2 { [%eval #3] } (2. Nf3) 1/2-1/2
"""
BAD = ["4", "7", "10"]
GOOD = ["1", "5", "6", "8", "9", "11"]


@pytest.fixture
def epd(tmp_path: Path) -> Path:
    path = tmp_path / "some.epd"
    path.write_text(LINES, "utf-8")
    return path


def rows(capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_static_evaluation_is_that_of_eval(
    epd: Path, live: UciProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    assert label.main([str(epd)]) == 1
    out, err = capsys.readouterr()
    found = list(csv.DictReader(io.StringIO(out)))
    assert [row["place"] for row in found] == GOOD
    assert [line.removeprefix(f"{epd}:").split(":")[0] for line in err.splitlines()[:-1]] == BAD
    assert err.splitlines()[-1] == "left out: 3"
    assert found[0]["fen"] == START and found[1]["fen"] == MATE_IN_ONE
    assert found[2]["score"] == ""  # in check
    # The words of the engine itself, from the side to move.
    for row in (found[0], found[1], found[4], found[5]):
        fen = row["fen"] if row["fen"].count(" ") == 5 else f"{row['fen']} 0 1"
        live.send(f"position fen {fen}", "eval")
        said = live.until("Final evaluation")[-1]
        white = round(float(said.split()[2]) * 100)
        assert int(row["score"]) == to_cp(white if " w " in fen else -white), fen


def test_a_fen_without_its_last_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "five.fen"
    path.write_text("8/8/4k3/8/8/4K3/4P3/8 w - - 12\n")
    assert label.main([str(path), "--format", "epd", "--jobs", "1"]) == 0
    row = capsys.readouterr().out
    assert row.startswith("8/8/4k3/8/8/4K3/4P3/8 w - - hmvc 12; ce ")
    assert chess.Board.from_epd(row)[1]["hmvc"] == 12


def test_search(epd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert label.main([str(epd), "--nodes", "500", "--jobs", "1"]) == 1
    found = rows(capsys)
    assert [row["place"] for row in found] == GOOD
    start, mate, mated, counted, stalemate, of_960 = found
    assert start["move"] and start["score"] and not start["mate"]
    assert sum(int(start[name]) for name in ("win", "draw", "loss")) == 1000
    assert (mate["move"], mate["mate"], mate["score"]) == ("a1a8", "1", "")
    assert (mated["mate"], mated["move"], mated["loss"]) == ("0", "", "1000")
    # The counter in EPD counts: a move, and fifty moves are over; without it the pawn wins or not.
    assert counted["draw"] > "800" and (stalemate["score"], stalemate["draw"]) == ("0", "1000")
    board = chess.Board(of_960["fen"], chess960=True)
    assert chess.Move.from_uci(of_960["move"]) in board.legal_moves


@pytest.mark.parametrize(
    ("name", "begin"), [("x.csv", "place,"), ("x.JSONL", "{"), ("x.epd", START)]
)
def test_the_extension_of_the_file_to_write_is_its_format(
    name: str, begin: str, epd: Path, tmp_path: Path
) -> None:
    label.main([str(epd), "-o", str(tmp_path / name)])
    assert (tmp_path / name).read_text("utf-8").startswith(begin)


def test_epd_keeps_what_is_there(epd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label.main([str(epd), "--format", "epd"])
    first, second, *_ = static = capsys.readouterr().out.splitlines()
    assert first.startswith(f'{START} id "a; b"; bm e4; ce ') and "ce 99" not in first
    assert second.startswith("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - hmvc 0; fmvn 1; ce ")
    label.main([str(epd), "--format", "epd", "--depth", "3"])
    searched = capsys.readouterr().out.splitlines()
    for line in [*static, *searched]:
        board = chess.Board(chess960="CAca" in line)
        board.set_epd(line)  # python-chess reads every move of it
    assert searched[1].endswith('c9 "win 1000 draw 0 loss 0";') and "dm 1; bm Ra8#;" in searched[1]
    assert "bm e4; id" not in searched[0] and 'id "a; b";' in searched[0]


def test_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games"
    path.write_text(f'{GAME}\n[Event "b"]\n\n1. d4 d5 2. Qxd5 *\n\n[Event "c"]\n\n1. e5 *\n')
    assert label.main([str(path)]) == 1
    out, err = capsys.readouterr()
    found = list(csv.DictReader(io.StringIO(out)))
    places = [(1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (3, 0)]
    assert [(int(row["game"]), int(row["ply"])) for row in found] == places
    names = ["game", "ply", "fen", "played", "clock", "eval", "rating", "result", "score"]
    assert list(found[0]) == names
    moves = [[row[name] for name in names[3:-1]] for row in found]
    assert moves[:2] == [["e2e4", "59.5", "-31", "1500", "0.5"], ["e7e5", "", "", "", "0.5"]]
    assert moves[2:4] == [["e1e2", "", "99997", "1500", "0.5"], ["", "", "", "", "0.5"]]
    assert moves[4] == ["d2d4", "", "", "", ""]
    assert label.main([str(path), "--format", "jsonl", "--depth", "2"]) == 1
    kept = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["game"], row["ply"]) for row in kept] == places
    assert [row["fen"] for row in kept] == [row["fen"] for row in found]
    assert kept[0]["clock"] == 59.5 and kept[1]["rating"] is None and kept[3]["played"] == ""
    assert all(row["line"].split(" ")[0] == row["move"] for row in kept)
    assert "illegal" in err and f"{path}:8: game 2: " in err and f"{path}:12: game 3: " in err
    assert found[3]["fen"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b")


def test_standard_input() -> None:
    done = run_python("-m", "cli", "label", "-", "--jobs", "1", given=LINES)
    assert done.returncode == 1
    assert [line.split(",")[0] for line in done.stdout.splitlines()] == ["place", *GOOD]
    assert "standard input:4: not a position" in done.stderr


def test_standard_output_is_utf_8_wherever(tmp_path: Path) -> None:
    path, out = tmp_path / "some.epd", tmp_path / "out.epd"
    path.write_text(f'{START} id "Réti Ř";\n', "utf-8")
    command = [sys.executable, "-m", "cli", "label", str(path), "--format", "epd"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, cwd=ROOT)
    assert done.returncode == 0 and 'id "Réti Ř";' in done.stdout.decode("utf-8")
    assert label.main([*command[4:], "-o", str(out)]) == 0
    assert out.read_bytes() == done.stdout


def interrupt_after(additions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C when so many blocks are stored."""
    original, left = Journal.add, [additions]

    def add(self: Journal[Any], *arguments: Any) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        original(self, *arguments)

    monkeypatch.setattr(label, "_SAVE_INTERVAL", -1.0)
    monkeypatch.setattr(Journal, "add", add)


@pytest.mark.parametrize("source", ["many.fen", "many.pgn"])
def test_interrupted_again_and_again_the_same_command_goes_on(
    source: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(labeller, "_STATIC_BLOCK", 100)
    path, out = tmp_path / source, tmp_path / "out.csv"
    if source.endswith("pgn"):
        path.write_text(250 * (GAME + "\n[Event 'x']\n\n1. e4 e5 2. Ke3 *\n\n"))
    else:
        positions(path, 2000)
    command = [str(path), "--format", "csv", "-o"]
    assert label.main([*command, str(tmp_path / "whole.csv")]) == 1
    whole = capsys.readouterr()
    for blocks in (0, 3, 7):
        with monkeypatch.context() as patch:
            interrupt_after(blocks, patch)
            assert label.main([*command, str(out)]) == 130
        assert not out.exists()
        with (tmp_path / "out.csv.part").open("ab") as part:
            part.write(b'{"half a li')  # as a computer that goes down may leave it
    capsys.readouterr()
    assert label.main([*command, str(out)]) == 1
    said = capsys.readouterr()
    assert "resuming after 1,000 positions" in said.err
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert said.err.splitlines()[-1] == whole.err.splitlines()[-1]  # all that were left out
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize("change", ["input", "settings", "engine", "head", "row", "gap"])
def test_another_command_does_not_go_on(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(labeller, "_STATIC_BLOCK", 10)
    source, out = positions(tmp_path / "many.fen", 300), tmp_path / "out.csv"
    command = [str(source), "-o", str(out), "--jobs", "1"]
    with monkeypatch.context() as patch:
        interrupt_after(5, patch)
        assert label.main(command) == 130
    part = Path(f"{out}.part")
    head, *kept = part.read_bytes().splitlines(keepends=True)
    told = "delete"
    if change == "input":
        source.write_text(f"{chess.STARTING_FEN}\n{source.read_text()}")
        told = "has changed; delete"
    elif change == "settings":
        command.append("--classical")
        told = "differs in evaluation"
    elif change == "engine":
        monkeypatch.setattr(label, "fingerprint", lambda module: "another")
        told = "differs in engine"
    elif change == "head":
        part.write_text("{}\n")
        told = "is damaged, or no journal of this command; delete"
    elif change == "row":
        bits = bytearray(kept[1])
        bits[20] ^= 1
        part.write_bytes(b"".join([head, kept[0], bits, *kept[2:]]))
        told = "line 3 is damaged"
    else:
        part.write_bytes(b"".join([head, kept[0], *kept[2:]]))
        told = "line 3 is damaged or out of turn"
    before = part.read_bytes()
    capsys.readouterr()
    assert label.main(command) == 2
    assert told in capsys.readouterr().err and not out.exists() and part.read_bytes() == before


def test_bad_usage(epd: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.epd"
    empty.write_text("# nothing\n")
    cases: list[tuple[list[str], str]] = [
        ([str(empty)], "no position"),
        ([str(epd), "--hash", "4"], "--hash needs"),
        ([str(epd), "--option", "Hash=4"], "--option needs --engine"),
        ([str(epd), "--network", str(epd)], "not a network"),
        ([str(epd), "--classical", "--network", str(epd)], "exclude"),
        ([str(epd), "--classical", "--engine", "x", "--depth", "1"], "are for this engine"),
        ([str(epd), "--network", "x", "--engine", "x", "--depth", "1"], "are for this engine"),
        ([str(epd), "-o", str(tmp_path)], "not a regular file"),
        ([str(epd), "-o", str(tmp_path / "no" / "where.csv")], "no folder"),
        ([str(epd), "--nodes", "0"], "is not a whole number from 1"),
    ]
    for arguments, told in cases:
        assert label.main(arguments) == 2, arguments
        out, err = capsys.readouterr()
        assert told in err and err.count("\n") == 1 and not out, (arguments, err)


@pytest.mark.parametrize("name", ["out.csv", "out.csv.part"])
def test_what_is_read_is_not_written_over(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(f"{chess.STARTING_FEN}\n")
    assert label.main([str(path), "-o", str(tmp_path / "out.csv")]) == 2
    assert "is one of the files to read" in capsys.readouterr().err
    assert path.read_text() == f"{chess.STARTING_FEN}\n"
