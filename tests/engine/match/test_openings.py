"""Where the games of a match begin: openings of files, and those that are left out."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from boomslang.core.system.files import FileError
from boomslang.engine.match.opening import Opening, read, shuffle_openings


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A file of two openings."""
    path = tmp_path / "openings.epd"
    path.write_text(f"{chess.STARTING_FEN}\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n# a remark\n")
    return path


def test_all_openings_come_up(few: Path) -> None:
    openings = read(few, print)
    assert len(openings) == 2
    opening = shuffle_openings(openings, 1)
    assert {opening(0), opening(1)} == set(openings) and opening(2) == opening(0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "illegal position"),
        ("nonsense", "not a position"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "the game is over: checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "the game is over: stalemate"),
        ("7k/8/6K1/8/8/8/8/8 w - - 0 1", "the game is over: insufficient material"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 100 90", "the game is over: fifty moves"),
    ],
)
def test_openings_that_are_left_out(few: Path, line: str, reason: str) -> None:
    good = read(few, print)
    few.write_text(f"{line}\n{few.read_text()}{line}\n")
    told: list[str] = []
    assert read(few, told.append) == good
    assert [text.split(" ", 1)[0] for text in told] == [f"{few}:1:", f"{few}:5:"]
    assert all(f": left out: {reason}" in text for text in told)
    few.write_text(f"{line}\n")
    with pytest.raises(FileError, match="no usable opening"):
        read(few, told.append)


def test_openings_of_a_pgn(tmp_path: Path) -> None:
    path = tmp_path / "openings.pgn"
    path.write_text("1. e4 e5 2. Nf3 *\n\n1. d4 *\n")
    good = [
        Opening(chess.STARTING_FEN, ("e2e4", "e7e5", "g1f3")),
        Opening(chess.STARTING_FEN, ("d2d4",)),
    ]
    assert read(path, print) == good
    for bad, reason in (
        ("1. e4 Ke3 *", "illegal move: 1... Ke3"),
        ('[Variant "Crazyhouse"]\n\n1. e4 *', "the variant Crazyhouse is not supported"),
        ("1. f3 e5 2. g4 Qh4# 0-1", "the game is over: checkmate"),
        ("1. e4 -- 2. d4 *", "a null move"),
    ):
        path.write_text(f"1. e4 e5 2. Nf3 *\n\n{bad}\n\n1. d4 *\n")
        told: list[str] = []
        assert read(path, told.append) == good
        assert told == [f"{path}:3: game 2: left out: {reason}"]
