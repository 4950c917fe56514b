from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.core.system.sanitize import number
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Limits
from boomslang.uci import parse
from boomslang.uci.parse import OptionCommand, PositionCommand


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-5", -5),
        ("007", 7),
        ("9" * 18, 10**18 - 1),
        ("9" * 19, 10**18),
        ("-" + "9" * 5000, -(10**18)),
        ("", None),
        ("-", None),
        ("+1", None),
        ("1.5", None),
        ("1e9", None),
        ("٣", None),
    ],
)
def test_numbers_are_ascii_and_bounded(text: str, value: int | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1000", 1000),
        ("1000.5", 1000),
        ("-0.5", 0),
        (".5", 0),
        ("1e3", 1000),
        ("1e-9", 0),
        ("0e999", 0),
        ("1e999", 10**18),
        ("-1e400", -(10**18)),
        ("9" * 5000 + ".5", 10**18),
        ("0." + "9" * 5000, 0),
        *(
            (text, None)
            for text in ("", ".", "+", "-", "e3", "1e", "1e1.5", "1,5", "1_000", "0x10")
        ),
        *((text, None) for text in ("nan", "inf", "1 2", "1000ms", "--1", "+-1", "٣", "1e1000")),
    ],
)
def test_loose_numbers_are_read(text: str, value: int | None) -> None:
    assert parse.loose_number(text) == value


@given(st.floats(-1e15, 1e15), st.sampled_from(["{}", "{:.3f}", "{:e}", "{:+.1f}", "{:+}"]))
def test_what_a_float_is_written_like_is_that_number(value: float, form: str) -> None:
    text = form.format(value)
    assert parse.loose_number(text) == int(Decimal(text))


@pytest.mark.parametrize("key", sorted(parse._NUMBERED))
@pytest.mark.parametrize("word", ["1000.5", "+1000", "1e3", "1000.0", "1000."])
def test_every_number_of_go_is_read_as_it_was_meant(key: str, word: str) -> None:
    told: list[str] = []
    assert parse.go([key, word], say=told.append) == parse.go([key, "1000"]) and not told


@pytest.mark.parametrize("key", sorted(parse._NUMBERED))
@pytest.mark.parametrize("word", ["x", "0,5", "1,000", "0x10", "1000ms", "", "--1", "∞"])
def test_an_invalid_number_is_reported_and_not_used(key: str, word: str) -> None:
    told: list[str] = []
    limits = parse.go(f"{key} {word} depth 9 movetime 77".split(), say=told.append)
    (line,) = told
    assert line.startswith(f"error: go: no number: {key} '") and line.isprintable()
    if key == "depth":
        assert limits == parse.go(["depth", "9", "movetime", "77"])
    elif key != "movetime":
        assert (limits.depth, limits.movetime, limits.white_time) == (9, 77, None)


def test_only_ascii_blanks_part_words() -> None:
    assert parse.words_of("a\u2028b \t c\x1cd\r\n".encode()) == ["a\u2028b", "c\x1cd"]


GO = {
    "": Limits(infinite=True),
    "infinite": Limits(infinite=True, wait_for_stop=True),
    "infinite depth 1": Limits(depth=1, infinite=True, wait_for_stop=True),
    "depth 7": Limits(depth=7),
    "movetime 100 nodes 5000 depth 3": Limits(depth=3, nodes=5000, movetime=100),
    "wtime 1000 btime 2000 winc 10 binc 20 movestogo 5": Limits(
        white_time=1000, black_time=2000, white_increment=10, black_increment=20, moves_to_go=5
    ),
    # A limit that makes no sense is the smallest one.
    "depth 0": Limits(depth=1),
    "depth abc": Limits(depth=1),
    "nodes 0": Limits(nodes=1),
    "movetime 0": Limits(movetime=1),
    "mate 0": Limits(depth=1),
    "depth movetime 50": Limits(movetime=50),
    "wtime abc btime 3000": Limits(white_time=3000, black_time=3000),
    "depth abc infinite": Limits(infinite=True, wait_for_stop=True),
    "depth abc ponder": Limits(depth=1, ponder=True),
    "movestogo abc wtime 9 btime 9": Limits(white_time=9, black_time=9),
    # Numbers beyond everything
    "depth " + "9" * 30: Limits(depth=10**18),
    # Clocks that have run out, and half clocks
    "wtime 0 btime 0": Limits(white_time=1, black_time=1),
    "wtime -500 btime 3000": Limits(white_time=1, black_time=3000),
    "wtime 500": Limits(white_time=500, black_time=500),
    "winc 100": Limits(white_time=1, black_time=1, white_increment=100),
    "depth 8 winc 0 binc 0": Limits(depth=8, white_increment=0, black_increment=0),
    "wtime 9 btime 9 winc -3": Limits(white_time=9, black_time=9, white_increment=0),
    "wtime 9 btime 9 movestogo 0": Limits(white_time=9, black_time=9),
    # Moves to look at, anywhere
    "searchmoves e2e4 D2D4": Limits(infinite=True, search_moves=("e2e4", "d2d4")),
    "depth 3 searchmoves e2e4 d2d4": Limits(depth=3, search_moves=("e2e4", "d2d4")),
    "searchmoves depth 3": Limits(depth=3),
    "searchmoves 0000 zzzz": Limits(infinite=True, search_moves=("0000", "zzzz")),
    # Pondering
    "ponder": Limits(ponder=True, infinite=True),
    "perft 2 infinite": Limits(perft=2),
    "ponder perft 2": Limits(perft=2),
    "ponder movetime 20": Limits(ponder=True, movetime=20),
    # Unknown words are passed over
    "foo depth 3 bar 7": Limits(depth=3),
}


@pytest.mark.parametrize("text", GO, ids=repr)
def test_go(text: str) -> None:
    assert parse.go(text.split()) == GO[text]


@given(st.lists(st.sampled_from([*parse._GO_WORDS, "e2e4", "0", "-1", "7", "x", "٣"]), max_size=12))
def test_every_go_has_an_end_or_is_infinite(words: list[str]) -> None:
    limits = parse.go(words)
    ends = (limits.depth, limits.nodes, limits.movetime, limits.mate, limits.perft)
    assert limits.infinite or limits.white_time or any(ends)
    assert all(end is None or end > 0 for end in (*ends, limits.white_time, limits.black_time))
    assert (limits.white_time is None) == (limits.black_time is None)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("startpos", PositionCommand(None, ())),
        ("startpos moves", PositionCommand(None, ())),
        ("startpos moves e2e4 e7e5", PositionCommand(None, ("e2e4", "e7e5"))),
        ("fen a b c d", PositionCommand("a b c d", ())),
        ("fen a b c d 0 1 moves e2e4", PositionCommand("a b c d 0 1", ("e2e4",))),
        ("fen", PositionCommand("", ())),
    ],
)
def test_position(text: str, command: PositionCommand) -> None:
    assert parse.position(text.split()) == command


@pytest.mark.parametrize("text", ["", "moves e2e4", "blah", "startpos e2e4", "startpos fen x"])
def test_position_without_sense_is_refused(text: str) -> None:
    with pytest.raises(CommandError):
        parse.position(text.split())


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (b"setoption name Hash value 32", OptionCommand("Hash", "32")),
        (b"setoption name Clear Hash", OptionCommand("Clear Hash", "")),
        (
            b"  setoption \t name  move   overhead  value  10 \r",
            OptionCommand("move overhead", "10"),
        ),
        (b"setoption name Path value /a b;/c  d", OptionCommand("Path", "/a b;/c  d")),
        (b"setoption name Path value", OptionCommand("Path", "")),
        (b"setoption name A value value x", OptionCommand("A", "value x")),
        (b"joho setoption name Hash value 1", OptionCommand("Hash", "1")),
    ],
)
def test_option(line: bytes, command: OptionCommand) -> None:
    assert parse.option(line) == command


@pytest.mark.parametrize(
    "line",
    [
        b"setoption",
        b"setoption name",
        b"setoption name value",
        b"setoption value 3",
        b"setoption Hash 16",
    ],
)
def test_option_without_name_is_refused(line: bytes) -> None:
    with pytest.raises(CommandError):
        parse.option(line)
