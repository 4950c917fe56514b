"""Positions in text: FEN, EPD and what stands behind them."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.notation.positions import (
    InvalidPositionError,
    board_of,
    is_chess960,
    operations_of,
    read_line,
    tidy,
    whole_number,
)

BARE = "4k3/8/8/8/8/8/4P3/4K3 w - -"


@pytest.mark.parametrize(
    ("line", "fen", "operations"),
    [
        (BARE, BARE, ""),
        (f"{BARE} 3 9", f"{BARE} 3 9", ""),
        (f"{BARE} 3 9;", f"{BARE} 3 9", ""),
        (f"{BARE} 3 9 ; ;", f"{BARE} 3 9", ""),
        (f"{BARE};", BARE, ""),
        (f"{BARE} 12", f"{BARE} 12", ""),
        (f"{BARE} 12;", f"{BARE} 12", ""),
        (f"{BARE} bm e4;", BARE, "bm e4;"),
        (f"{BARE}; bm e4;", BARE, "bm e4;"),
        (f"{BARE} 0 1; bm e4;", f"{BARE} 0 1", "bm e4;"),
        (f"{BARE} 0 1 ;D1 20 ;D2 400", f"{BARE} 0 1", ";D1 20 ;D2 400"),
    ],
)
def test_lines(line: str, fen: str, operations: str) -> None:
    board, found, rest = read_line(tidy(line))
    assert (found, rest) == (fen, operations)
    fields = [*fen.split()[4:], *("0", "1")[len(fen.split()) - 4 :]]
    assert (board.halfmove_clock, board.fullmove_number) == tuple(map(int, fields))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "not a position in FEN or EPD"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "not a position"),
        ("4k3/8/8 w - -", "no such board"),
        (f"{BARE} -1 5", "what is '-1' behind the position"),
        (f"{BARE} 0 1.5", "what is '1.5' behind the position"),
        (f"{BARE} 0 1 7", "what is '7' behind the position"),
        (f"{BARE} ² 1", ""),
        (BARE.replace(" w ", " x "), "the side to move is w or b"),
        ("8/8/8/8/8/8/8/K7 w - -", "Black has no king"),
    ],
)
def test_lines_that_are_no_positions(line: str, reason: str) -> None:
    if not reason:
        _, fen, rest = read_line(line)
        assert (fen, rest) == (BARE, "² 1")
        with pytest.raises(ValueError, match="not an operation"):
            operations_of(rest)
        return
    with pytest.raises(ValueError, match=reason):
        read_line(tidy(line))


def test_an_invalid_position_differs_from_a_malformed_fen() -> None:
    with pytest.raises(InvalidPositionError):
        board_of("8/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(ValueError, match="no such board") as told:
        board_of("8/8 w - - 0 1")
    assert not isinstance(told.value, InvalidPositionError)
    board = board_of(f"{BARE} 999999 99999999")
    assert (board.halfmove_clock, board.fullmove_number) == (10_000, 100_000)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('bm e4 Nf3; am h4; id "a; b.01";', {"bm": "e4 Nf3", "am": "h4", "id": "a; b.01"}),
        ('id "say "hi" there"; bm 0-0;', {"id": 'say "hi" there', "bm": "0-0"}),
        ('id "a \\"b\\" c"; dm 3', {"id": 'a "b" c', "dm": "3"}),
        ('id "unfinished; bm e4;', {"id": "unfinished", "bm": "e4"}),
        ("id 'x'; ;; bm e4;;", {"id": "'x'", "bm": "e4"}),
        ("bm; am ;", {"bm": "", "am": ""}),
        ("bm e4; bm d4;", {"bm": "e4"}),
        ('c0 "x" "y"; bm e4', {"c0": 'x" "y', "bm": "e4"}),
        ("", {}),
    ],
)
def test_operations(text: str, found: dict[str, str]) -> None:
    assert operations_of(text) == found


def test_numbers() -> None:
    operations = operations_of("dm -3; acd +12; ce many; hmvc ;")
    assert whole_number(operations, "dm") == -3 and whole_number(operations, "acd") == 12
    assert whole_number(operations, "fmvn") is None
    for name in ("ce", "hmvc"):
        with pytest.raises(ValueError, match=f"{name} .*: not a whole number"):
            whole_number(operations, name)


@given(st.text('"\\ a', max_size=20))
def test_any_operands_come_to_an_end(text: str) -> None:
    try:
        found = operations_of(f"id {text}")
    except ValueError:
        return
    assert found.keys() == {"id"} and found["id"].count("a") == text.count("a")


def test_chess960() -> None:
    assert not is_chess960(chess.STARTING_FEN) and not is_chess960(f"{BARE} 0 1")
    assert is_chess960("1k4r1/8/8/8/8/8/8/1K4R1 w Kk - 0 1")
    assert is_chess960("4k2r/8/8/8/8/8/8/4K2R w Hh - 0 1")
